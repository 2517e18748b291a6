"""What the machine is, for a run's records."""

from __future__ import annotations

import functools
import importlib.metadata
import itertools
import platform
import statistics
import subprocess
import time
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
        "clock_overhead_ns": clock_overhead_ns(),
    }


def versions() -> dict[str, str]:
    found = {"python": f"{platform.python_implementation()} {platform.python_version()}"}
    found |= {name: importlib.metadata.version(name) for name in _LIBRARIES}
    checkout = git_state()
    return found | ({"checkout": checkout} if checkout else {})


def clock_overhead_ns() -> int:
    """What every time of a puzzle has in it too much: two readings with nothing between them."""
    readings = [time.perf_counter_ns() for _ in range(10_001)]
    return int(statistics.median(after - before for before, after in itertools.pairwise(readings)))


def git_state() -> str | None:
    """The commit that this code is from, and whether it was changed since; None if it is in no checkout."""
    if not _git("ls-files", "--error-unmatch", "machine.py"):
        return None  # there may be a repository around us, but it is somebody else's
    return _git("describe", "--always", "--abbrev=12", "--dirty=, changed")


def _git(*arguments: str) -> str | None:
    command = ["git", "-C", str(Path(__file__).resolve().parent), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
