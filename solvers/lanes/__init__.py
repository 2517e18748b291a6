"""`lanes`: 32 puzzles at a time, one in each lane of the machine's vectors.

A machine that adds 32 numbers with one instruction can as well deduce in 32 puzzles with one. Read in this order:

    vector      the vector type: 32 numbers written like one
    rules       what can be deduced in a band, for 32 puzzles at once
    sweep       the rules on all bands, then on all stacks, and how it is known that a puzzle has settled
    guess       where to guess when it has settled unsolved
    lane        one puzzle out of its lane, and into one
    workspace   the arrays of it all, with a drawing
    search      32 searches side by side
    boards      puzzles into lanes, solutions out
    kernel      the whole way of a block
    solver      the contract
"""

from megadoku.solvers.lanes.solver import Lanes

__all__ = ["Lanes"]
