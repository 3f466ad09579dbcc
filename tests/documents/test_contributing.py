"""The examples of CONTRIBUTING.md work when they are applied to a copy of the repository."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SECTION = re.search(r"^## Add an optimizer, a layer.*?(?=^## )", GUIDE, re.M | re.S)[0]
#: The code that the section adds at the end of a file, which the first line names.
ENDS = re.findall(r"^```py\n# (\S+)\n(.*?)^```$", SECTION, re.M | re.S)
#: The new names, and the module where the section adds them.
NAMES = {
    "Lion": ("gluon/optimizer/__init__.py", "sgd"),
    "Scaled": ("gluon/nn/__init__.py", "activations"),
    "LogCoshLoss": ("gluon/loss/__init__.py", "regression"),
    "LargestError": ("gluon/metric/__init__.py", "regression"),
}
STEPS = "tests/optimizer/test_steps.py"
LAYERS = "tests/block/test_every_layer.py"


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{path.name} has {old!r} {text.count(old)} times"
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def copy(tmp_path):
    """A copy of the repository with the section applied, except for its samples."""
    ignored = shutil.ignore_patterns("__pycache__", "clients", "scripts")
    for name in ("gluon", "tests", "docs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    for name in ("conftest.py", "pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    for name, text in ENDS:
        if not name.startswith("tests/values/"):
            with open(tmp_path / name, "a", encoding="utf-8") as file:
                file.write(f"\n\n{text}")
    for name, (path, module) in NAMES.items():
        replace(tmp_path / path, "__all__ = [", f'__all__ = [\n    "{name}",')
        text = (tmp_path / path).read_text(encoding="utf-8")
        first = re.search(rf"^from \.{module} import ", text, re.M)[0]
        replace(tmp_path / path, first, f"from .{module} import {name}\n{first}")
    replace(tmp_path / STEPS, '    "FTML": {},', '    "FTML": {},\n    "Lion": {},')
    replace(tmp_path / LAYERS, '"nn": "Activation', '"nn": "Scaled Activation')
    replace(tmp_path / LAYERS, '"L1Loss ', '"LogCoshLoss L1Loss ')
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    return subprocess.run(
        [*words, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
    )


def test_the_section_has_all_four():
    assert {name for _, text in ENDS for name in re.findall(r"^class (\w+)", text, re.M)} == {
        *NAMES
    }


@pytest.mark.slow
def test_the_examples_pass_the_tests_and_fail_them_without_samples(copy):
    without = run(copy, "tests/values", "-k", "a_class_has_a_test")
    for name in NAMES:
        assert f"{name} has no test of its values" in without.stdout, without.stdout[-3000:]
    assert f"{len(NAMES)} failed" in without.stdout

    for name, text in ENDS:
        if name.startswith("tests/values/"):
            with open(copy / name, "a", encoding="utf-8") as file:
                file.write(f"\n\n{text}")
    files = sorted({name for name, _ in ENDS if name.startswith("gluon/")})
    tests = ["tests/values", "tests/test_docstrings.py", "tests/test_layers.py"]
    words = " or ".join([*NAMES, "lion", "is_made_here", "is_there", "test_values", "floor"])
    done = run(copy, *tests, STEPS, LAYERS, *files, "-k", words)
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 20, done.stdout[-6000:]
    assert done.returncode == 0, done.stdout[-6000:]
