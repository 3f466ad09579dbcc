"""The tests mirror the code path by path: what tests `gluon/a/b.py` is in `tests/a/`."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parent.parent
TESTS, GLUON = ROOT / "tests", ROOT / "gluon"

#: Folders of `tests/` for which `gluon/` has none, with the reason.
FOLDERS = {
    "clients": "libraries written for MXNet, run on gluon",
    "comparison": "the programs of the README's comparison, which other libraries run too",
    "documents": "the README and docs/",
    "training": "programs of losses, metrics, stores and others, recorded in one file",
    "typing": "what type checkers and editors know of all of gluon",
    "values": "that everything public has a test of its values",
}
#: Folders for what a test needs, whatever it tests, with what they hold.
NEEDED = {
    "programs": "programs that a test starts",
    "samples": "calls by the family of the operator",
    "scripts": "scripts that a test runs as a user would",
}
#: Test modules at the top of `tests/` that are about no module of the same name.
MODULES = {
    "test_benchmarks": "benchmarks/",
    "test_compared": "tests/compared.py",
    "test_damaged_files": "all readers of files",
    "test_docstrings": "all docstrings",
    "test_each": "tests/each.py",
    "test_layers": "all imports",
    "test_line_budget": ".ci/line_budget.py",
    "test_loading": "all that loads: networks, trainers, stores, MegEngine's modules",
    "test_mirror": "tests/ itself",
    "test_not_dropped": "all public functions on arrays",
    "test_signatures": "all names of MXNet for training",
    "test_surroundings": "tests/surroundings.py, printed.py and skips.py",
    "test_sparse_utils": "gluon/test_utils/sparse.py: as test_test_utils",
    "test_test_utils": "gluon/test_utils/: tests/test_utils.py tests gluon/utils.py",
}


def folders(tests: Path) -> list[str]:
    """Every folder with a file in it, by its path below `tests`."""
    found = {path.parent.relative_to(tests).as_posix() for path in tests.rglob("*.*")}
    return sorted(name for name in found if name != "." and "__pycache__" not in name)


def strangers(tests: Path, gluon: Path) -> list[str]:
    """The folders and modules of `tests` that mirror nothing and have no reason."""
    found = []
    for name in folders(tests):
        path = PurePosixPath(name)
        mirrored = path.parent if path.name in NEEDED else path
        if path.parts[0] not in FOLDERS and not (gluon / mirrored).is_dir():
            found.append(f"{name}/: there is no gluon/{mirrored}/")
    for path in sorted(tests.rglob("test_*.py")):
        folder, name = path.parent.relative_to(tests), path.stem.removeprefix("test_")
        is_top = folder == Path()
        if is_top and path.stem in MODULES:
            continue
        if (gluon / folder / name).is_dir():
            found.append(f"{path.name} belongs in {(folder / name).as_posix()}/")
        elif is_top and not (gluon / f"{name}.py").is_file():
            found.append(f"{path.name}: there is no gluon/{name}.py")
    return found


def test_tests_mirror_the_code():
    assert not strangers(TESTS, GLUON), "move it, or state a reason in tests/test_mirror.py"


def test_every_reason_is_needed():
    assert [name for name in FOLDERS if not (TESTS / name).is_dir()] == []
    assert [name for name in FOLDERS if (GLUON / name).exists()] == []
    assert [name for name in MODULES if not (TESTS / f"{name}.py").is_file()] == []


@pytest.mark.parametrize(
    ("path", "complaint"),
    [
        ("estimator/test_estimator.py", "estimator/: there is no gluon/estimator/"),
        ("nn/nothing/programs/run.py", "nn/nothing/programs/: there is no gluon/nn/nothing/"),
        ("test_autograd.py", "test_autograd.py belongs in autograd/"),
        ("np/test_random.py", "test_random.py belongs in np/random/"),
        ("test_new.py", "test_new.py: there is no gluon/new.py"),
    ],
)
def test_what_mirrors_nothing_is_found(tmp_path, path, complaint):
    for name in ("test_trainer.py", "_core/ops/samples/pool.py", "nn/test_all.py", path):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert strangers(tmp_path, GLUON) == [complaint]
