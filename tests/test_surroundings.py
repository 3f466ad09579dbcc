"""The tests give the same results on any processor, and however they are started."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.printed import same
from tests.skips import summary

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    ("expected", "printed"),
    [
        ("[1. 2. 3.]", "[1.        2.        2.9999998]"),
        ("array([0., 1., 2.])", "array([0.       , 1.       , 2.0000002])"),
        ("[ 1. -1.]", "[ 1.0000000e+00 -9.9999994e-01]"),
        ("[0. 1.]", "[-4.371139e-08  1.000000e+00]"),
        ("[0. 1.]", "[-0.  1.]"),
        ("loss 0.1235, 3 steps", "loss 0.1236, 3 steps"),
        ("float32(2.)", "float32(2.0000002)"),
        ("1e-05 of 12", "1.0000001e-05 of 12"),
    ],
)
def test_the_last_bit_of_a_float_is_forgiven(expected, printed):
    assert same(expected, printed)


@pytest.mark.parametrize(
    ("expected", "printed"),
    [
        ("[1. 2. 3.]", "[1. 2. 3.001]"),
        ("[1. 2. 3.]", "[1. 2. 3. 4.]"),
        ("[1. 2. 3.]", "[1. 2. 3]"),
        ("[1. 2. 3.]", "[1.  2. 3.]"),
        ("3 of 4", "3 of 5"),
        ("3 of 4", "3 in 4"),
        ("1.", "-1."),
        ("inf", "1.0"),
        ("0.5", "0.6"),
        ("0.1235", "0.1237"),
        ("conv0_weight 1.0", "conv1_weight 1.0"),
        ("1.10.0", "1.10.1"),
    ],
)
def test_nothing_else_is_forgiven(expected, printed):
    assert not same(expected, printed)


def test_skipped_tests_are_summed_up():
    assert summary([]) == ""
    assert summary(
        [
            "Skipped: could not import 'sklearn.linear_model': No module named 'sklearn'",
            "Skipped: not installed: d2l, pandas",
            "Skipped: torch is not installed",
        ]
    ) == (
        "3 tests need packages that are not installed; to run them:"
        " pip install d2l pandas scikit-learn torch"
    )


def hostile() -> None:
    """The signals that a background job or its parent passes on."""
    for name in ("SIGINT", "SIGTERM", "SIGCHLD", "SIGUSR1"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGCHLD})


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_tests_of_processes_need_nothing_from_their_parent(tmp_path):
    """With signals ignored and blocked, settings of others, no home, no input, another folder."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path / "nowhere"),
        "OMP_NUM_THREADS": "7",
        "MXNET_HOME": str(tmp_path / "absent"),
        "MXNET_OMP_MAX_THREADS": "nine",
        "PYTHONWARNINGS": "error",
        "PYTHONOPTIMIZE": "",
        "FORCE_COLOR": "1",
        "COLUMNS": "20",
        "LC_ALL": "C",
    }
    tests = [
        *(
            f"tests/data/test_workers.py::test_a_program_that_ends_leaves_nothing[{ending}]"
            for ending in ("load-2-fork", "sleep-2-spawn", "exit-0-spawn")
        ),
        "tests/model_zoo/test_model_store.py",
        "tests/mxnet/test_run.py::test_an_interrupt_ends_as_in_python",
        "tests/_core/ops/test_parallel.py",
        "tests/_core/test_progress.py",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--color=no"]
        + [f"--rootdir={ROOT}", f"--config-file={ROOT / 'pyproject.toml'}"]
        + [str(ROOT / one) for one in tests],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=hostile,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    assert re.search(r"\d\d+ passed", done.stdout)


@pytest.mark.parametrize("level", ["none", "avx2"])
def test_numpy_accepts_the_features_that_are_switched_off(level):
    found = subprocess.run(
        [sys.executable, ROOT / ".ci" / "vectors.py", level],
        capture_output=True,
        check=True,
        text=True,
    ).stdout.split()
    variables = dict(one.split("=", 1) for one in found)
    assert set(variables) <= {"NPY_DISABLE_CPU_FEATURES", "OPENBLAS_CORETYPE"}
    subprocess.run(
        [sys.executable, "-W", "error", "-c", "import numpy; numpy.exp(numpy.ones(9, 'f4'))"],
        env={**os.environ, **variables},
        check=True,
    )
