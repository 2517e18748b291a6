"""What the machine is, for a run's records."""

from __future__ import annotations

import functools
import importlib.metadata
import platform
from pathlib import Path

import cpuinfo
import psutil

from megadoku.pipeline.pool import default_workers

_LIBRARIES = ("numpy", "numba", "llvmlite", "pyarrow")
_GOVERNOR = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")


@functools.cache  # asking the CPU takes a second
def machine_facts() -> dict[str, str | int | float | None]:
    facts = cpuinfo.get_cpu_info()
    return {
        "cpu": facts.get("brand_raw", platform.processor()),
        "architecture": facts.get("arch_string_raw", platform.machine()),
        "cores_usable": default_workers(),
        "cores_physical": psutil.cpu_count(logical=False),
        "cores_logical": psutil.cpu_count(),
        "memory_bytes": psutil.virtual_memory().total,
        "governor": _GOVERNOR.read_text().strip() if _GOVERNOR.exists() else None,
        "system": platform.platform(),
        "load_before": round(psutil.getloadavg()[0], 2),
    }


def versions() -> dict[str, str]:
    found = {"python": f"{platform.python_implementation()} {platform.python_version()}"}
    return found | {name: importlib.metadata.version(name) for name in _LIBRARIES}
