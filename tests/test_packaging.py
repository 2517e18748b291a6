"""The built wheel, installed away from the checkout, works and puts one name at the top level."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

REPO = Path(__file__).parents[1]
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of what git tracks, so that no leftover of the checkout can slip in."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(REPO), str(source)], check=True)
    tracked = subprocess.run(["git", "diff", "HEAD", "--binary"], cwd=REPO, capture_output=True, check=True).stdout
    if tracked.strip():
        subprocess.run(["git", "apply"], cwd=source, input=tracked, check=True)
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(folder), str(source)]
    subprocess.run(build, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_only_one_name_at_the_top_level(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"megadoku"}


def test_package_data_is_in_the_wheel(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "megadoku/py.typed" in names
    assert any(name.startswith("megadoku/datasets/bundled/") and name.endswith(".csv") for name in names)
    assert any(name.startswith("megadoku/reports/templates/") and name.endswith(".html") for name in names)


def test_an_empty_environment_can_solve(wheel: Path, tmp_path: Path) -> None:
    """An environment with the wheel and nothing else of ours: the dependencies are lent to it, the checkout is not."""
    venv.create(tmp_path / "env", with_pip=False)
    python = tmp_path / "env" / "bin" / "python"
    find = "import sysconfig; print(sysconfig.get_path('purelib'))"
    theirs = Path(subprocess.run([python, "-c", find], capture_output=True, text=True, check=True).stdout.strip())
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(theirs), str(wheel)]
    subprocess.run(install, check=True)
    for folder in sorted({Path(entry) for entry in sys.path if entry.endswith("site-packages")}):
        lent = tmp_path / "lent"
        lent.mkdir(exist_ok=True)
        for item in folder.iterdir():
            if "megadoku" not in item.name and not (lent / item.name).exists():
                (lent / item.name).symlink_to(item)
        (theirs / "lent.pth").write_text(f"{lent}\n")
    (tmp_path / "in.csv").write_text(f"puzzle\n{PUZZLE}\n")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV"))}
    command = [python, "-m", "megadoku", "solve", "in.csv", "-o", "out.csv"]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert f"{PUZZLE},{SOLUTION},unique," in (tmp_path / "out.csv").read_text()
    where = subprocess.run(
        [python, "-c", "import megadoku, megadoku.solvers as s; print(megadoku.__file__, s.__file__)"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert all(path.startswith(str(theirs)) for path in where)
