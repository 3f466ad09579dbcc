"""The scripts that run other libraries, if those are installed."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
#: script -> what it needs
NEEDS = {
    "run_art.py": ["adversarial-robustness-toolbox", "scikit-learn"],
    "run_dgl.py": ["dgl"],
    "run_einops.py": ["einops"],
    "run_foolbox.py": ["foolbox", "scikit-learn"],
    "run_gluoncv.py": ["gluoncv", "pandas", "matplotlib"],
    "run_gluonnlp.py": ["gluonnlp"],
    "run_gluonts.py": ["gluonts"],
    "run_keras.py": ["keras-mxnet"],
    "run_mxboard.py": ["mxboard", "protobuf"],
    "run_mxfusion.py": ["MXFusion"],
    "run_thinc.py": ["thinc", "mock"],
}
#: Files that some tests of tensorly read are in none of its packages, nor are the tests of sockeye.
BY_HAND = {"run_tensorly.py", "run_sockeye.py"}


def test_every_script_that_can_pass_is_run_here():
    found = {path.name for path in HERE.glob("run_*.py")}
    assert found - BY_HAND == {*NEEDS}


@pytest.mark.slow
@pytest.mark.parametrize("script", NEEDS)
def test_every_test_of_the_library_passes(script):
    for one in NEEDS[script]:
        try:
            importlib.metadata.version(one)
        except importlib.metadata.PackageNotFoundError:
            pytest.skip(f"{one} is not installed")
    command = [sys.executable, "-m", "gluon.mxnet", "--old-numpy", str(HERE / script)]
    run = subprocess.run(command, cwd=HERE.parent.parent, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
