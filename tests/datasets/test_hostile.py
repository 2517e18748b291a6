"""Nasty little files, each in one way: what is read of them, and what is said of the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from megadoku.datasets import BrokenInputError, NotAPuzzleFileError, UnknownFormatError, read_blocks
from tests.datasets.apart import needs_proc, read_apart

if TYPE_CHECKING:
    from pathlib import Path

P = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
S = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
Q = "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97.."
Z = P.replace(".", "0")
NINE = [P[at : at + 9] for at in range(0, 81, 9)]
BOARD = [[int(cell) for cell in row.replace(".", "0")] for row in NINE]
OK = "ok"


def _outcome(path: Path, **options: str) -> list[str]:
    """For each row: ok if it is the first puzzle, other if another one, or the reason why it is refused."""
    rows = []
    for block in read_blocks([str(path)], **options):  # type: ignore[arg-type]
        for at, grid in enumerate(block.grids.tolist()):
            same = grid == [int(cell) for cell in Z]
            rows.append(block.refused.get(at) or (OK if same else "other"))
    return rows


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (P + "\n" + P.replace("5", "５"), [OK, "cell 1 is '５'"]),
        (P + "\n" + P.replace("5", "٥"), [OK, "cell 1 is '٥'"]),
        (P + "\n\u200b" + P, [OK, "82 characters"]),
        (P + "\n" + P[:40] + "\0" + P[41:], [OK, "cell 41 is '\\x00'"]),
        (P + "\r\n\x1a\r\n", [OK]),
        (P + "\r" + Q + "\r", [OK, "other"]),
        (P + "\r\r\n" + Q, [OK, "other"]),
        ("   " + P + "   \n" + Q + "\t\n", [OK, "other"]),
        ("2\n" + P + "\n" + Q, [OK, "other"]),
        ("My puzzles, enjoy them\n" + P + "\n" + Q, [OK, "other"]),
        ("#" + Q + "\n" + P, [OK]),
        ("#" + "-" * 80 + "\n" + P, [OK]),
        *((f"puzzle,id\n{sign}{Q[len(sign) :]},1\n{P},2\n", ["cell", OK]) for sign in ("#", ";", "%", "!", "//")),
        (f"id,puzzle\n#1,{P}\n#2,{Q}\n", [OK, "other"]),
        (f"#,puzzle\n1,{P}\n", [OK]),
        (f"id;puzzle\n;{P}\n", [OK]),
        (f"{S},{P}\n{S},{P}\n", [OK, OK]),
        (f"quizzes\n4.30E+78\n{Z}\n", ["4.30E+78 is a number that a spreadsheet rounded", OK]),
        (f"puzzle\n{Z[::-1]}\n{Z[::-1][1:]}\n{Z}\n", ["other", "80 characters", OK]),
        (P[:-1], ["80 characters"]),
        (f"puzzle\n{P[:10]}x{P[11:]}\n", ["cell 11 is 'x'"]),
        (" ".join(P), [OK]),
        (",".join(Z), [OK]),
        (" ".join("-1" if cell == "." else cell for cell in P), [OK]),
        (",".join(f"{cell}.0" for cell in Z), [OK]),
        (",".join("" if cell == "." else cell for cell in P), [OK]),
        ("".join(f"{at},{','.join(Z)}\n" for at in range(12)), [OK] * 12),
        (f"{','.join(Z)},{','.join(S)}\n" * 3, [OK] * 3),
        (f'id,board\n1,"{BOARD}"\n', [OK]),
        (f'id,board\n1,"{[list(row) for row in NINE]}"\n', [OK]),
        ('board\n"[[' + "]\n [".join(" ".join(map(str, row)) for row in BOARD) + ']]"\n', [OK]),
        ("\n".join(row.replace(".", " ") for row in NINE), [OK]),
        ("\n".join(f"|{row[:3]}|{row[3:6]}|{row[6:]}|".replace(".", " ") for row in NINE), [OK]),
        ("\n".join("| " + " | ".join(row.replace(".", " ")) + " |" for row in NINE), [OK]),
        ("\n\n".join("\n".join(NINE[at : at + 3]) for at in (0, 3, 6)), [OK]),
        ("\n".join(NINE[:8]), ["8 rows under one another"]),
        ("\n".join(NINE * 2), [OK, OK]),
        ("\n".join(NINE + NINE[1:]), ["17 rows under one another"]),
        ("\n".join(NINE) + "\n\n" + "\n".join([*NINE[:4], NINE[4][:8], *NINE[5:]]), [OK, "row 5 of the grid has 8"]),
        ("[Puzzle]\n" + "\n".join(NINE) + "\n[State]\n" + "\n".join(NINE), [OK]),
        (f":0000:x:{P}:::\n", [OK]),
        (f'["{P}",\n"{Q}"]', [OK, "other"]),
        (f'{{"puzzle": "{P}", "x": {"[" * 5}{"]" * 5}}}', [OK]),
        (f'[{{"puzzle": 5}}, {{"puzzle": null}}, "{P}", {BOARD}]', ["5 is a number", "null", OK, OK]),
        (f"<opensudoku><game data='{Z}'/><game data='1'/></opensudoku>", [OK, "1 characters"]),
    ],
)
def test_rows(tmp_path: Path, text: str, rows: list[str]) -> None:
    path = tmp_path / "input"
    path.write_bytes(text.encode())
    found = _outcome(path)
    assert len(found) == len(rows), found
    for have, want in zip(found, rows, strict=True):
        assert have.startswith(want)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "Git LFS pointer"),
        (b"quizzes,solutions\n4.30E+78,8.64E+80\n4.01E+79,3.46E+80\n", "spreadsheet rounded"),
        (b"quizzes;solutions\n4,30E+78;8,64E+80\n", "spreadsheet rounded"),
        (b"label," + b",".join(b"pixel%d" % at for at in range(784)) + b"\n" + b"5" + b",0,255" * 392, "pixels of 28"),
        (b"0123456789ABCDEF" * 16 + b"\n", "16×16"),
        (b"0321003004002100\n1400000032104020\n", "4×4"),
        ((b"0 " * 15 + b"16\n") * 16, "16×16"),
        (b"<!DOCTYPE html><html></html>", "web page"),
        (b"<gpx></gpx>", "not OpenSudoku"),
        (b"question,answer\nWhat has keys?,a piano\nWhat has hands?,a clock\n", "a table of question, answer"),
        (b"5.1,3.5,1.4,0.2,setosa\n" * 20, "a table of 5.1"),
        (b"".join(b"%d,%d,%d,4,5,6,7,8,9\n" % (at % 9, at % 7, at % 5) for at in range(90)), "no puzzle file"),
        (b"# only\n# comments\n", "comments and blank lines only"),
        (b"Dear reader,\nthis is prose.\n", "text that begins 'Dear reader,'"),
        (b"a" * 257 + b"ustar" + bytes(300), "tar archive"),
        (b"\x80\x04\x95" + bytes(50), "pickle"),
        (b"%PDF-1.7\n", "PDF"),
        (bytes(1000), "binary data|empty"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"a":' * 50_000, "nested too deep"),
        (b"[oops", "begins like JSON"),
        (b'<!DOCTYPE l [<!ENTITY a "b">]><opensudoku><game data="&a;"/></opensudoku>', "entities"),
    ],
)
def test_files_that_are_no_puzzle_files(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "input.csv"
    path.write_bytes(data)
    with pytest.raises(NotAPuzzleFileError, match=words) as error:
        list(read_blocks([str(path)]))
    assert "\n" not in str(error.value)
    assert str(error.value).startswith(str(path))


@pytest.mark.parametrize(
    "text", [f'[{{"puzzle": "{P}"}}, {{"puz', f"<opensudoku>\n<game data='{Z}'/>\n<game da"], ids=["json", "xml"]
)
def test_rows_before_a_break_are_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / "input"
    path.write_text(text)
    blocks = []
    with pytest.raises(BrokenInputError, match="breaks off"):
        blocks.extend(read_blocks([str(path)]))
    assert [len(block) for block in blocks] == [1]


def test_columns_of_parquet_that_are_not_texts(tmp_path: Path) -> None:
    path = tmp_path / "set.parquet"
    pq.write_table(pa.table({"puzzle": [P, None, P[:-1]], "solution": [S, S, None]}), path)
    assert [row[:5] for row in _outcome(path)] == ["ok", "empty", "80 ch"]
    pq.write_table(pa.table({"puzzle": [4.3e78, 1.0]}), path)
    with pytest.raises(NotAPuzzleFileError, match="holds numbers"):
        _outcome(path)
    pq.write_table(pa.table({"age": [4]}), path)
    with pytest.raises(NotAPuzzleFileError, match="a table of age"):
        _outcome(path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(BrokenInputError, match="breaks off"):
        _outcome(path)


def test_a_format_can_be_forced(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Some prose first.\n" * 10 + P + "\n")
    with pytest.raises(NotAPuzzleFileError):
        _outcome(path)
    assert _outcome(path, format="list")[-1] == OK
    with pytest.raises(UnknownFormatError, match="there are columnar, parquet"):
        _outcome(path, format="docx")


@needs_proc
def test_a_line_of_100_mb_is_refused_in_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    with path.open("wb") as file:
        file.write(P.encode() + b"\n")
        for _ in range(100):
            file.write(b"1" * (1 << 20))
        file.write(b"\n" + P.encode() + b"\n")
    told, grown = read_apart(path)
    path.unlink()  # pytest keeps the folders of its last runs
    assert told == ["ok", "line too long to be a puzzle", "ok"]
    assert grown < 100
