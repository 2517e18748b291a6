"""Make the bundled sets again, byte for byte: python benchmarks/make_bundled.py [FOLDER]"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from megadoku import solvers
from megadoku.datasets.bundled import FOLDER
from megadoku.datasets.bundled.build import make_sets

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def row_major_nodes(grids: NDArray[np.uint8], budget: int) -> NDArray[np.int64]:
    return solvers.get("marks").solve_block(grids, 1, solvers.Budget(nodes=budget)).nodes


if __name__ == "__main__":
    make_sets(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER, solvers.get("bitmask").solve_block, row_major_nodes)
