"""The classes of d2l train through the hook as they do with MXNet 1.9.1, where d2l is installed."""

from __future__ import annotations

import importlib.util
import json

import pytest

from tests.mxnet.running import HOOKED, ROOT, python

REFERENCE = ROOT / "recorded" / "clients_d2l.json"
EXPECTED = {name: numbers for name, numbers in json.loads(REFERENCE.read_text()).items() if numbers}
#: d2l comes without its dependencies; these it needs.
NEEDED = "d2l", "matplotlib", "pandas", "requests", "IPython", "PIL"


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """What all programs give, from one run."""
    if absent := [name for name in NEEDED if importlib.util.find_spec(name) is None]:
        pytest.skip(f"not installed: {', '.join(absent)}")
    target = tmp_path_factory.mktemp("d2l") / "results.json"
    done = python(*HOOKED, ROOT / "tests" / "clients" / "d2l", "--json", target, timeout=1800)
    assert target.exists(), done.stderr
    return json.loads(target.read_text()), done


@pytest.mark.slow
def test_every_program_has_been_run_with_mxnet(trained):
    assert sorted(trained[0]) == sorted(EXPECTED)


@pytest.mark.slow
def test_all_programs_train(trained):
    assert trained[1].returncode == 0, trained[1].stdout + trained[1].stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPECTED)
def test_losses_are_those_of_mxnet(trained, name):
    before, after, accuracy = trained[0][name]
    expected_before, expected_after, expected_accuracy = EXPECTED[name]
    assert before == pytest.approx(expected_before, rel=1e-3)
    # Rounding differs, and training makes more of it: batch normalisation and Adam most of all.
    assert after == pytest.approx(expected_after, rel=0.05, abs=0.005)
    assert (accuracy is None) == (expected_accuracy is None)
    if accuracy is not None:
        assert accuracy == pytest.approx(expected_accuracy, abs=0.1)
