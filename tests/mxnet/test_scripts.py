"""Scripts in the style of those that people have print what they print with MXNet 1.9.1."""

from __future__ import annotations

import json
import re

import pytest

from tests.mxnet.running import HOOKED, ROOT, python

SCRIPTS = ROOT / "tests" / "mxnet" / "scripts"
PRINTED = json.loads((ROOT / "recorded" / "mxnet_scripts.json").read_text())
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]\d+)?")


def split(text: str) -> tuple[str, list[float]]:
    """A text without its numbers and blanks, and the numbers."""
    words = re.sub(r"\s+", "", NUMBER.sub("#", text))
    return words, [float(number) for number in NUMBER.findall(text)]


def test_every_script_has_a_recorded_output():
    assert sorted(PRINTED) == sorted(path.name for path in SCRIPTS.glob("*.py"))


def test_short_scripts():
    check("function.py")


def test_a_script_that_tries_a_gpu_takes_the_cpu_where_that_is_an_error():
    check("probes.py", GLUON_GPU="error")


@pytest.mark.slow
@pytest.mark.parametrize("script", sorted({*PRINTED} - {"function.py", "probes.py"}))
def test_long_scripts(script):
    check(script)


def check(script: str, **variables: str) -> None:
    done = python("-W", "error", *HOOKED, SCRIPTS / script, **variables)
    assert done.returncode == 0, done.stderr
    words, numbers = split(done.stdout)
    expected_words, expected_numbers = split(PRINTED[script])
    assert words == expected_words
    assert numbers == pytest.approx(expected_numbers, rel=1e-4, abs=1e-4)
