"""CSV, its kin, and plain lists, as people really write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from megadoku.datasets import Block, MissingInputError, NotAPuzzleFileError, read_blocks

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    ReadText = Callable[..., list[Block]]

P = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
S = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
Q = "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97.."
CELLS = [int(symbol) for symbol in P.replace(".", "0")]
SOLUTION = [int(symbol) for symbol in S]


@pytest.fixture
def read(tmp_path: Path) -> ReadText:
    def read(text: str | bytes, **options: str | int | bool | None) -> list[Block]:
        path = tmp_path / "input"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return list(read_blocks([str(path)], **options))  # type: ignore[arg-type]

    return read


@pytest.mark.parametrize(
    "text",
    [
        f"puzzle,solution\n{P},{S}\n",
        f"quizzes,solutions\n{P.replace('.', '0')},{S}\n",
        f",quizzes,solutions\n0,{P},{S}\n",
        f"solution,id,puzzle\n{S},7,{P}\n",
        f'"Puzzle" , "Solution"\r\n"{P}","{S}"\r\n',
        f"{P},{S}",
        f"{P};{S}\n",
        f"{P}\t{S}\n",
        f"{P}|{S}\n",
        f"{P} {S}\n",
        f"{P}:1:{S}\n",
        f"sep=;\npuzzle;solution\n{P};{S}\n",
        f"1 puzzles\n\n# a comment\n{P} {S}\n",
        f"puzzle,solution\r{P},{S}\r",
        f"\ufeffpuzzle,solution\n{P},{S}\n",
        f"puzzle,solution\n{P},{S}\n\x1a",
        f"puzzle,solution\n{P},{S}\x1a",
        f"puzzle,solution\n{P},{S}\n".encode("utf-16"),
        f"puzzle,solution\n{P},{S}\n".encode("utf-16-le"),
        f"name,puzzle,solution\n\xfcber,{P},{S}\n".encode("latin-1"),
    ],
)
def test_puzzle_and_solution_are_found(read: ReadText, text: str | bytes) -> None:
    (block,) = read(text)
    assert block.grids.tolist() == [CELLS]
    assert block.known is not None
    assert block.known.tolist() == [SOLUTION]
    assert not block.refused
    assert block.rows.tolist() == [1]


@pytest.mark.parametrize("empty", [*"0.-_*xX? "])
def test_signs_for_empty(read: ReadText, empty: str) -> None:
    (block,) = read(f"{P.replace('.', empty)}\n")
    assert block.grids.tolist() == [CELLS]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (P[:-1], "80 characters, not 81"),
        (P + ".", "82 characters, not 81"),
        (P.replace(".", "0")[:-1], "leading zeros may have been lost"),
        (P[:16] + "x" + P[17:], "cell 17 is 'x'"),
        (S[:16] + "x" + S[17:], "cell 17 is 'x'"),
        ("4.30E+78", "spreadsheet"),
        ("", "empty cell"),
        ("5 3 " * 20 + "5", "41 values"),
        ("puzzle", "6 characters"),
    ],
)
def test_bad_rows_are_refused_in_place(read: ReadText, bad: str, reason: str) -> None:
    (block,) = read(f"id,puzzle\n1,{P}\n2,{bad}\n3,{Q}\n")
    assert block.lines.tolist() == [2, 3, 4]
    assert list(block.refused) == [1]
    assert reason in block.refused[1]
    assert block.accepted.tolist() == [0, 2]
    assert not block.grids[1].any()
    assert block.texts[1].as_py() == bad


def test_lines_are_physical_and_rows_are_counted(read: ReadText) -> None:
    blocks = read(f'note,puzzle\n"two\nlines",{P}\n\nplain,{Q}\nplain,{Q[1:]}\nlast,{P}\n', block_rows=2)
    assert [line for block in blocks for line in block.lines.tolist()] == [2, 5, 6, 7]
    assert [row for block in blocks for row in block.rows.tolist()] == [1, 2, 3, 4]
    assert [int(block.rows[at]) for block in blocks for at in block.refused] == [3]


def test_an_open_quote_costs_its_own_line_only(read: ReadText) -> None:
    blocks = read(f'puzzle,solution\n{P},{S}\n"{Q},{S}\n{P},{S}\n{P},{S}\n')
    assert [line for block in blocks for line in block.lines.tolist()] == [2, 3, 4, 5]
    assert [reason for block in blocks for reason in block.refused.values()] == ["a quote is opened and never closed"]


@pytest.mark.parametrize("later", [f'"3",{Q}', f'3,{Q},"note"', f'"3","{Q}"'])
def test_a_quote_of_another_cell_closes_nothing(read: ReadText, later: str) -> None:
    blocks = read(f'id,puzzle\n"1,{P}\n2,{P}\n{later}\n4,{P}\n')
    found = [(int(line), at not in block.refused) for block in blocks for at, line in enumerate(block.lines)]
    assert found == [(2, False), (3, True), (4, "note" not in later), (5, True)]


def test_a_row_over_several_lines_must_have_the_right_columns(read: ReadText) -> None:
    blocks = read(f'id,puzzle\n0,{P}\n"1,{P}\n",2,{P}\n3,{P}\n')
    found = [(int(line), at not in block.refused) for block in blocks for at, line in enumerate(block.lines)]
    assert found == [(2, True), (3, False), (4, False), (5, True)]


def test_a_list_may_have_solutions_in_some_lines_only(read: ReadText) -> None:
    (block,) = read(f"{Q}:0\n{P}:1:{S}\n{Q}:0\n")
    assert block.known is not None
    assert block.known.any(axis=1).tolist() == [False, True, False]
    assert not block.refused


def test_other_columns_are_kept_when_asked_for(read: ReadText) -> None:
    (block,) = read(f"id,puzzle,level\n7,{P},easy\n8,{Q},hard\n", keep_columns=True)
    assert block.others is not None
    assert block.others.to_pydict() == {"id": ["7", "8"], "level": ["easy", "hard"]}


def test_column_overrules(read: ReadText) -> None:
    (block,) = read(f"puzzle,other\n{P},{Q}\n", column="other")
    assert block.texts[0].as_py() == Q
    (block,) = read(f"{P},{Q}\n", column="2")
    assert block.texts[0].as_py() == Q


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", {}, "empty"),
        ("\n\n", {}, "empty"),
        ("id,foo\n1,abc\n", {}, "a table of id, foo"),
        (f"puzzle,puzzle\n{P},{Q}\n", {}, "both named 'puzzle'"),
        (f"puzzle,solution\n{P},{S}\n", {"column": "quiz"}, "no column 'quiz'; there are puzzle, solution"),
    ],
)
def test_files_that_cannot_be_read(read: ReadText, text: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(NotAPuzzleFileError, match=message):
        read(text, **options)


def test_a_header_alone_is_an_empty_set(read: ReadText) -> None:
    assert read("puzzle,solution\n") == []


def test_missing_input_says_what_there_is() -> None:
    with pytest.raises(MissingInputError, match="did you mean hard"):
        list(read_blocks(["hrad"]))
    with pytest.raises(MissingInputError, match="no file matches"):
        list(read_blocks(["nothing*.csv"]))


def test_globs_and_folders(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt"):
        (tmp_path / name).write_text(f"{P}\n")
    (tmp_path / "README.md").write_text("Only words here.\n")
    assert [block.source[-5:] for block in read_blocks([str(tmp_path / "*.txt")])] == ["a.txt", "b.txt"]
    assert [block.source[-5:] for block in read_blocks([str(tmp_path)])] == ["a.txt", "b.txt"]


@pytest.mark.parametrize("rows", [1, 2, 3, 5, 100])
@pytest.mark.parametrize(
    ("odd", "expected"),
    [
        (f"{P},a\nc\n", [(3, True), (4, False)]),  # a line end inside, the length stays
        (f"{P}\nabc\n", [(3, False), (4, False)]),
        (f"{P[:-1]},abcd\n", [(3, False)]),  # the delimiter moved
        (f"{P},a,c\n", [(3, False)]),  # one delimiter more
        (f'{P},"bc\n', [(3, False)]),
        (f"{P[:-1]}x,abc\n", [(3, False)]),
        (f"{P[:-1]} ,abc\n", [(3, False)]),
        (f"{P},äb\n", [(3, True)]),
    ],
)
def test_lines_of_equal_length_that_are_not_alike(
    read: ReadText, odd: str, expected: list[tuple[int, bool]], rows: int
) -> None:
    """Whatever the size of the blocks, the same lines are read and refused."""
    blocks = read(f"puzzle,note\n{Q},abc\n{odd}{Q},abc\n{Q},abc\n{Q},abc\n", block_rows=rows)
    found = [(int(line), at not in block.refused) for block in blocks for at, line in enumerate(block.lines)]
    after = odd.count("\n") + 3
    assert found == [(2, True), *expected, *((line, True) for line in range(after, after + 3))]
    assert [row for block in blocks for row in block.rows.tolist()] == list(range(1, len(found) + 1))
