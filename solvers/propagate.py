"""`propagate`: after every guess, fill all that follows from it by singles; guess where the fewest digits remain.

A naked single is a cell with one candidate left, a hidden single a digit with one cell left in a unit. Both are
deduced, so only the guesses are nodes. Each guess works on a copy of the 81 candidate masks, and undoing it is
forgetting the copy.
"""

from __future__ import annotations

from megadoku.solvers.bitmask import ALL, DIGITS_OF, SIZE_OF
from megadoku.solvers.board import PEERS, UNITS
from megadoku.solvers.contract import Strategy, Tally

Masks = list[int]  # nine bits a cell; a filled cell has one


class Propagate(Strategy):
    def search(self, grid: list[int], tally: Tally) -> bool:
        masks = [1 << (digit - 1) if digit else ALL for digit in grid]
        filled = [cell for cell, digit in enumerate(grid) if digit]
        return settle(masks, filled) and explore(grid, masks, tally)


def explore(grid: list[int], masks: Masks, tally: Tally) -> bool:
    """True when enough solutions are found. The grid shows the guesses that stand, and nothing deduced."""
    cell = fewest(masks)
    if cell is None:
        enough = tally.found([DIGITS_OF[mask][0] for mask in masks])
        tally.deduced = grid.count(0) if enough else 0
        return enough
    for digit in DIGITS_OF[masks[cell]]:
        tally.node()
        grid[cell] = digit
        guessed = masks.copy()
        guessed[cell] = 1 << (digit - 1)
        if settle(guessed, [cell]) and explore(grid, guessed, tally):
            return True
        grid[cell] = 0
    return False


def fewest(masks: Masks) -> int | None:
    """The first cell with the fewest candidates of those that have several; none when all are filled."""
    best, least = None, 10
    for cell, mask in enumerate(masks):
        if 1 < SIZE_OF[mask] < least:
            best, least = cell, SIZE_OF[mask]
            if least == 2:
                break
    return best


def settle(masks: Masks, filled: list[int]) -> bool:
    """Follow the cells just filled until nothing follows any more. False when two things that follow exclude another.

    Naked singles first: they are found on the way. Units are searched for hidden ones when the others have run out.
    """
    while filled:
        cell = filled.pop()
        bit = masks[cell]
        for peer in PEERS[cell]:
            if masks[peer] & bit:
                left = masks[peer] ^ bit
                if not left:
                    return False
                masks[peer] = left
                if not left & (left - 1):
                    filled.append(peer)
        if not filled and not fill_hidden(masks, filled):
            return False
    return True


def fill_hidden(masks: Masks, filled: list[int]) -> bool:
    """Fill the hidden singles of every unit. False when a digit has no cell left, or two digits want the same one."""
    for unit in UNITS:
        once = twice = 0
        for cell in unit:
            twice |= once & masks[cell]
            once |= masks[cell]
        if once != ALL:
            return False
        hidden = once & ~twice
        for cell in unit:
            bit = masks[cell] & hidden
            if bit & (bit - 1):
                return False
            if bit and bit != masks[cell]:
                masks[cell] = bit
                filled.append(cell)
    return True
