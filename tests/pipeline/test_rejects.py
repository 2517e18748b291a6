"""The file of rejects across more crashes than one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from megadoku.pipeline.rejects import HEADER, Reject, Rejects

if TYPE_CHECKING:
    from pathlib import Path


def begun(path: Path) -> None:
    """A run that refused rows 1, 3 and 8 and died."""
    rejects = Rejects(str(path), 0, force=False)
    rejects.write(0, [Reject(0, "a"), Reject(2, "b")])
    rejects.write(5, [Reject(2, "c")])
    rejects.close()


def test_what_a_resume_keeps_survives_its_own_crash(tmp_path: Path) -> None:
    begun(tmp_path / "rejects.csv")
    dies_at_once = Rejects(str(tmp_path / "rejects.csv"), 5, force=True)
    assert (tmp_path / ".rejects.csv.partial").read_text() == f"{HEADER}1,a\n3,b\n"
    dies_at_once.close()
    again = Rejects(str(tmp_path / "rejects.csv"), 5, force=True)
    again.write(5, [Reject(2, "c")])
    again.finish()
    assert (tmp_path / "rejects.csv").read_text() == f"{HEADER}1,a\n3,b\n8,c\n"


def test_a_crash_after_it_was_finished_and_before_the_output_was(tmp_path: Path) -> None:
    begun(tmp_path / "rejects.csv")
    finished = Rejects(str(tmp_path / "rejects.csv"), 8, force=True)
    finished.finish()
    again = Rejects(str(tmp_path / "rejects.csv"), 5, force=True)
    again.write(5, [Reject(2, "c")])
    again.finish()
    assert (tmp_path / "rejects.csv").read_text() == f"{HEADER}1,a\n3,b\n8,c\n"


def test_it_can_be_synced_when_it_is_closed_and_when_it_is_finished(tmp_path: Path) -> None:
    rejects = Rejects(str(tmp_path / "rejects.csv"), 0, force=False)
    rejects.close()
    rejects.sync()
    rejects.finish()
    rejects.sync()
