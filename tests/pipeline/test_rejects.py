"""The file of rejects across more crashes than one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from megadoku.pipeline.errors import BusyError, UsageError
from megadoku.pipeline.rejects import HEADER, Reject, Rejects
from megadoku.pipeline.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def after(rows: int, refused: int) -> Summary:
    """What a checkpoint remembers."""
    return Summary(rows, Counter(invalid=refused))


def begun(path: Path) -> None:
    """A run that refused rows 1, 3 and 8 and died."""
    rejects = Rejects(str(path), Summary(), force=False)
    rejects.write(0, [Reject(0, "a"), Reject(2, "b")])
    rejects.write(5, [Reject(2, "c")])
    rejects.close()


def test_what_a_resume_keeps_survives_its_own_crash(tmp_path: Path) -> None:
    begun(tmp_path / "rejects.csv")
    dies_at_once = Rejects(str(tmp_path / "rejects.csv"), after(5, 2), force=False)
    assert (tmp_path / ".rejects.csv.partial").read_text() == f"{HEADER}1,a\n3,b\n"
    dies_at_once.close()
    again = Rejects(str(tmp_path / "rejects.csv"), after(5, 2), force=False)
    again.write(5, [Reject(2, "c")])
    again.finish()
    assert (tmp_path / "rejects.csv").read_text() == f"{HEADER}1,a\n3,b\n8,c\n"


def test_a_crash_after_it_was_finished_and_before_the_output_was(tmp_path: Path) -> None:
    begun(tmp_path / "rejects.csv")
    finished = Rejects(str(tmp_path / "rejects.csv"), after(8, 3), force=False)
    finished.finish()
    again = Rejects(str(tmp_path / "rejects.csv"), after(5, 2), force=False)
    again.write(5, [Reject(2, "c")])
    again.finish()
    assert (tmp_path / "rejects.csv").read_text() == f"{HEADER}1,a\n3,b\n8,c\n"


def test_it_can_be_synced_when_it_is_closed_and_when_it_is_finished(tmp_path: Path) -> None:
    rejects = Rejects(str(tmp_path / "rejects.csv"), Summary(), force=False)
    rejects.close()
    rejects.sync()
    rejects.finish()
    rejects.sync()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: content.replace(b"3,b\n", b""),
        lambda content: content.replace(b"3,b", b"\0\0\0"),
        lambda content: content[:30],
        lambda content: b"",
    ],
)
def test_rejects_that_are_not_whole_any_more_are_not_gone_on_with(
    tmp_path: Path, spoil: Callable[[bytes], bytes]
) -> None:
    begun(tmp_path / "rejects.csv")
    partial = tmp_path / ".rejects.csv.partial"
    partial.write_bytes(spoil(partial.read_bytes()))
    with pytest.raises(UsageError, match="is not what the interrupted run wrote"):
        Rejects(str(tmp_path / "rejects.csv"), after(5, 2), force=False)


def test_a_file_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "rejects.csv").write_text("precious")
    for done in (Summary(), after(5, 2)):
        with pytest.raises(UsageError):
            Rejects(str(tmp_path / "rejects.csv"), done, force=False)
    assert (tmp_path / "rejects.csv").read_text() == "precious"


def test_two_runs_do_not_share_one(tmp_path: Path) -> None:
    first = Rejects(str(tmp_path / "rejects.csv"), Summary(), force=False)
    with pytest.raises(BusyError):
        Rejects(str(tmp_path / "rejects.csv"), Summary(), force=False)
    first.write(0, [Reject(0, "a")])
    first.finish()
    assert (tmp_path / "rejects.csv").read_text() == f"{HEADER}1,a\n"
