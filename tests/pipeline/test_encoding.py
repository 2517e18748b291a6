"""The compiled ways of writing, against slow and obvious ones."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from megadoku.datasets import Block
from megadoku.pipeline import encoding
from megadoku.solvers import Answers, Status

DIGITS = st.lists(st.integers(1, 9), min_size=81, max_size=81)
TEXTS = st.one_of(
    st.text("0123456789.", min_size=81, max_size=81),
    *(st.text(f"0123456789.{sign}", min_size=81, max_size=81) for sign in "-*_"),  # signs below and above digits
    st.text("0123456789.-*_=\n\",' ", min_size=0, max_size=90),
)


@st.composite
def rows(draw: st.DrawFn) -> tuple[str, list[int], Status, int, str]:
    status = draw(st.sampled_from(Status))
    reason = draw(st.text("abc ,\"'\n=", min_size=1, max_size=20)) if status > Status.UNSOLVABLE else ""
    solution = draw(DIGITS) if status < Status.UNSOLVABLE else [0] * 81
    return draw(TEXTS), solution, status, draw(st.integers(0, 2**63 - 1)), reason


def as_block(table: list[tuple[str, list[int], Status, int, str]]) -> tuple[Block, Answers]:
    answers = Answers.blank(len(table))
    grids = np.zeros((len(table), 81), np.uint8)
    for at, (text, solution, status, nodes, reason) in enumerate(table):
        answers.solutions[at], answers.status[at], answers.nodes[at] = solution, status, nodes
        if reason:
            answers.reasons[at] = reason
        if len(text) == 81 and set(text) <= set("0123456789."):
            grids[at] = [int(mark) if mark.isdigit() else 0 for mark in text]
    numbers = np.arange(1, len(table) + 1)
    return Block("here", numbers, numbers, grids, pa.array([row[0] for row in table], pa.string())), answers


def expected_puzzle(text: str, status: Status) -> str:
    plain = len(text) == 81 and set(text) <= set("0123456789.")
    return text if plain or status == Status.INVALID else "." * 81


@settings(max_examples=60, deadline=None)
@given(st.lists(rows(), max_size=12), st.integers(0, 3))
def test_csv_reads_back_as_what_it_was(table: list[tuple[str, list[int], Status, int, str]], cut: int) -> None:
    block, answers = as_block(table)
    if cut < len(block):  # arrays that start in the middle of their buffers
        block, answers = block.part(cut, len(block)), as_block(table[cut:])[1]
    text = bytes(encoding.encode_csv(block, answers)).decode()
    read = list(csv.reader(io.StringIO(text, newline="")))
    wanted = [
        [
            _inert(expected_puzzle(puzzle, status)),
            "".join(map(str, solution)) if solution[0] else "",
            str(status),
            str(nodes),
            _inert(reason),
        ]
        for puzzle, solution, status, nodes, reason in table[cut if cut < len(table) else 0 :]
    ]
    assert read == wanted


def _inert(text: str) -> str:
    """A number is no formula."""
    is_number = re.fullmatch(r"[+-]?[0-9]+([.,][0-9]+)?([eE][+-]?[0-9]+)?", text)
    return f"'{text}" if text[:1] in "=+-@\t\r" and text and not is_number else text


@settings(max_examples=30, deadline=None)
@given(st.lists(rows(), max_size=12))
def test_lists_and_arrow_hold_the_same(table: list[tuple[str, list[int], Status, int, str]]) -> None:
    block, answers = as_block(table)
    solutions = ["".join(map(str, row[1])) if row[1][0] else "" for row in table]
    assert encoding.encode_list(block, answers).decode().splitlines() == solutions
    batch = encoding.encode_arrow(block, answers)
    batch.validate(full=True)
    assert [value or "" for value in batch.column("solution").to_pylist()] == solutions
    assert batch.column("status").to_pylist() == [str(row[2]) for row in table]
    assert batch.column("nodes").to_pylist() == [row[3] for row in table]
    assert [value or "" for value in batch.column("reason").to_pylist()] == [row[4] for row in table]
