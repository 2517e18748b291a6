"""A file read in a process of its own: what came of it, and how much memory that took.

A process remembers the most memory that it ever held, so one that has run other tests would notice nothing.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

STATUS = Path("/proc/self/status")
PEAK = "VmHWM:"
needs_proc = pytest.mark.skipif(not STATUS.exists() or PEAK not in STATUS.read_text(), reason="tells no peak of memory")

# An ordinary file comes first, so that what is imported and built once is not put down to the other.
READER = f"""
import json, sys
from pathlib import Path
from megadoku.datasets import InputError, read_blocks

def peak():
    return int(Path({str(STATUS)!r}).read_text().split({PEAK!r})[1].split()[0]) >> 10

def told(path):
    try:
        for block in read_blocks([path]):
            yield from [block.refused.get(at, "ok") for at in range(len(block))]
    except InputError as error:
        yield f"{{type(error).__name__}}: {{error}}"

assert set(told(sys.argv[1])) == {{"ok"}}
before = peak()
said = list(told(sys.argv[2]))
print(json.dumps([said, peak() - before]))
"""
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ORDINARY = f"{PUZZLE}\n" * 1_000


def read_apart(path: Path) -> tuple[list[str], int]:
    """For each row "ok" or why it was refused, the error that ended it if any; and the growth in MB."""
    ordinary = path.with_name("ordinary.txt")
    ordinary.write_text(ORDINARY)
    command = [sys.executable, "-c", READER, str(ordinary), str(path)]
    said, grown = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return said, grown
