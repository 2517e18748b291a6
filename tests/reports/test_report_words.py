"""What the report says in sentences, from declared times."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
from making_runs import Times, lognormal, write_run

from megadoku.reports import titles, verdicts
from megadoku.reports.analysis import analyse
from megadoku.reports.charts.history import trends_of
from megadoku.reports.charts.ratios import fastest_shares
from megadoku.reports.charts.resources import speedups_of
from megadoku.reports.charts.scales import spread
from megadoku.reports.puzzles import outstanding
from megadoku.reports.runs import read_runs
from megadoku.reports.statistics import Noise

if TYPE_CHECKING:
    from pathlib import Path

    from megadoku.reports.analysis import Contest


def contest(folder: Path, *times: Times) -> Contest:
    return analyse(read_runs([write_run(folder / "run", list(times))])).contests[0]


def test_faster_and_why(tmp_path: Path) -> None:
    found = contest(
        tmp_path,
        Times("lanes", "17-clue", lognormal(1, 1e-6, noise=0.01), nodes=10),
        Times("bitmask", "17-clue", lognormal(2, 640e-6, noise=0.01), nodes=90),
    )
    sentence = verdicts.contest_verdict(found)
    assert sentence.startswith("lanes solves 17-clue 6")
    assert " times as fast as bitmask; it searches 9.0 times less and a node costs 7" in sentence
    assert verdicts.overall([found]) == "lanes is the fastest on 17-clue"
    assert titles.because(found) == "lanes beats bitmask on 17-clue because it searches less, at cheaper nodes"


def test_a_tie_is_called_one(tmp_path: Path) -> None:
    found = contest(
        tmp_path, Times("a", "set", lognormal(1, 1e-3, noise=0.2)), Times("b", "set", lognormal(2, 1.03e-3, noise=0.2))
    )
    assert "no difference can be shown between" in verdicts.contest_verdict(found)
    assert verdicts.overall([found]) == "No solver can be shown to be the fastest on any data set"
    assert "cannot be told apart" in titles.duel(found, "a", "b")


def test_what_ran_out_makes_it_at_least(tmp_path: Path) -> None:
    slow = lognormal(2, 1e-2)
    found = contest(tmp_path, Times("a", "set", lognormal(1, 1e-3)), Times("b", "set", slow, status={0: "exhausted"}))
    assert "at least" in verdicts.contest_verdict(found)
    assert titles.all_solved_within(found) == "b leaves 1 of 200 of set unsolved"


def test_searching_more_but_cheaper(tmp_path: Path) -> None:
    fast, slow = lognormal(1, 1e-4), lognormal(2, 1e-3)
    found = contest(tmp_path, Times("a", "set", fast, nodes=200), Times("b", "set", slow, nodes=100))
    assert "it searches 2.0 times more but a node costs 2" in verdicts.contest_verdict(found)


def test_noise_is_warned_of() -> None:
    assert "noisy" in (verdicts.noise_warning(Noise(0.25, 8)) or "")
    assert "--repeats" in (verdicts.noise_warning(Noise(0.05, 0)) or "")
    assert verdicts.noise_warning(Noise(0.02, 8)) is None


def test_a_repeat_that_took_far_longer_is_named(tmp_path: Path) -> None:
    times = np.ones((10, 3))
    times[:, 2] = 50
    found = contest(tmp_path, Times("a", "set", times), Times("b", "set", np.ones((10, 3))))
    (warning,) = verdicts.odd_repeats(found)
    assert warning.startswith("One repeat of a on set took 50 times as long as usual")


def test_shares_of_the_fastest(tmp_path: Path) -> None:
    first, second = np.ones((10, 1)), np.ones((10, 1)) * 2
    second[:3] = 0.5
    found = contest(tmp_path, Times("a", "set", first), Times("b", "set", second))
    assert fastest_shares([found], ["a", "b"]) == {"a": 0.7, "b": 0.3}


def test_puzzles_that_stand_out(tmp_path: Path) -> None:
    times = np.full((50, 2), 1e-3)
    times[7] = 1.0  # hard for all
    other = times.copy()
    other[9] = 0.1  # hard for one
    found = contest(tmp_path, Times("a", "set", times), Times("b", "set", other, status={3: "exhausted"}))
    reasons = {puzzle.row: puzzle.why for puzzle in outstanding(found)}
    assert reasons[4] == "not solved by 1 of 2"
    assert reasons[8].startswith("hard for all: 1,000 times")
    assert reasons[10] == "far harder for b than for a" or reasons[10].startswith("hard for all")
    fared = {one.solver: one.outcome for one in next(one for one in outstanding(found) if one.row == 4).fared}
    assert fared == {"a": "solved", "b": "ran out"}


def test_history_compares_with_the_first_run_of_the_same_puzzles(tmp_path: Path) -> None:
    def run(name: str, median: float, day: int, puzzles: int = 200) -> Path:
        times = [Times("a", "set", lognormal(day, median, puzzles))]
        return write_run(tmp_path / name, times, created=f"2026-01-0{day}T00:00:00Z")

    late, early, other = run("late", 1e-3, 3), run("early", 2e-3, 1), run("other", 9e-3, 2, puzzles=50)
    runs = read_runs([late, early, other])
    assert [one.label for one in runs] == ["early", "other", "late"]
    ((first, one), (last, two)) = trends_of(runs, "a")["set"]
    assert (first, last) == (0, 2)
    assert one.value == 1
    assert abs(two.value - 2) < 0.2
    assert titles.history({("a", "set"): two}).startswith("Since the first run a became ")


def test_speed_up_is_against_the_median_of_one_worker() -> None:
    measured = [
        {"solver": "a", "dataset": "set", "workers": workers, "repeat": repeat, "puzzles": 100, "wall_s": wall}
        for workers, walls in ((1, (10.0, 9.0, 11.0)), (2, (5.0, 5.0, 10.0)))
        for repeat, wall in enumerate(walls)
    ]
    assert speedups_of(measured)["a"][2] == [2.0, 2.0, 1.0]  # type: ignore[arg-type]


def test_labels_are_moved_apart_and_stay_inside() -> None:
    placed = spread([0.99, 0.98, 0.5, 0.02, 0.01], 0.1)
    assert all(upper - lower >= 0.1 - 1e-9 for upper, lower in itertools.pairwise(placed))
    assert placed[0] <= 1
    assert placed[-1] >= 0
    assert spread([0.9, 0.1], 0.1) == [0.9, 0.1]
