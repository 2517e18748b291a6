"""Every picture and table that README and docs quote, made anew from the run that is stored in docs/run.

make figures            from the stored run
make figures RUN=demo/run   store that run first
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from megadoku import reports

REPO = Path(__file__).resolve().parents[1]
STORED = REPO / "docs" / "run"
FIGURES = REPO / "docs" / "figures"
QUOTED = ("throughput.png", "ratio-to-best.png")
START, END = "<!-- from docs/run: make figures -->\n", "<!-- end -->\n"


def main() -> None:
    if len(sys.argv) > 1:
        shutil.rmtree(STORED, ignore_errors=True)
        shutil.copytree(sys.argv[1], STORED)
    with tempfile.TemporaryDirectory() as folder:
        paths = reports.write_report([STORED], Path(folder))
        FIGURES.mkdir(exist_ok=True)
        for chart in paths.charts:
            if chart.name in QUOTED:
                shutil.copy(chart, FIGURES / chart.name)
        [table] = [path for path in paths.tables if path.name == "standing.md"]
        _quote(REPO / "README.md", table.read_text())


def _quote(page: Path, table: str) -> None:
    before, _, rest = page.read_text().partition(START)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{START}\n{table.strip()}\n\n{END}{after}")


if __name__ == "__main__":
    main()
