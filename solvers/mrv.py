"""`mrv`: every empty cell keeps its set of candidates; search goes on where the fewest remain.

Placing a digit strikes it from the cell's peers at once (forward checking): a peer left with nothing ends the branch
before it is entered. What was struck is remembered and put back on the way out.
"""

from __future__ import annotations

from megadoku.solvers.board import PEERS
from megadoku.solvers.contract import Strategy, Tally
from megadoku.solvers.scan_sets import candidates

Candidates = dict[int, set[int]]  # of the cells that are still empty


class Mrv(Strategy):
    def search(self, grid: list[int], tally: Tally) -> bool:
        return fill(grid, {cell: set(candidates(grid, cell)) for cell in range(81) if grid[cell] == 0}, tally)


def fill(grid: list[int], open_cells: Candidates, tally: Tally) -> bool:
    """True when enough solutions are found."""
    if not open_cells:
        return tally.found(grid)
    cell = fewest(open_cells)
    digits = open_cells.pop(cell)
    for digit in sorted(digits):
        tally.node()
        grid[cell] = digit
        struck = [peer for peer in PEERS[cell] if peer in open_cells and digit in open_cells[peer]]
        if strike(open_cells, struck, digit) and fill(grid, open_cells, tally):
            return True
        grid[cell] = 0
        for peer in struck:
            open_cells[peer].add(digit)
    open_cells[cell] = digits
    return False


def fewest(open_cells: Candidates) -> int:
    """The cell with the fewest candidates, the lowest-numbered of them: dictionaries forget their order on undo."""
    return min((len(digits), cell) for cell, digits in open_cells.items())[1]


def strike(open_cells: Candidates, peers: list[int], digit: int) -> bool:
    """Take the digit from the peers. False when that leaves one of them nothing."""
    alive = True
    for peer in peers:
        open_cells[peer].remove(digit)
        if not open_cells[peer]:
            alive = False
    return alive
