"""``import megengine`` under the hook, and what is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gluon import GluonError
from gluon import megengine as ours
from gluon.megengine.absent import ABSENT

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """\
import sys
import megengine as mge
import megengine.functional as F
import megengine.module as M
import megengine.optimizer as optim
from megengine.autodiff import GradManager
from megengine.tensor import Parameter
from megengine.optimizer.sgd import SGD

assert __name__ == "__main__" and optim.SGD is SGD and mge.tensor is mge.Tensor
x = Parameter([3.0])
with GradManager().attach(x) as gm:
    gm.backward(F.square(x))
print(x.grad, sys.argv[1:])
"""
CHILD = """\
import subprocess, sys
code = "import megengine; print(megengine.__version__)"
print(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout)
"""


def run(*words, **options):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "gluon.megengine", *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment, **options)


@pytest.fixture
def hook():
    with ours.installed():
        yield


@pytest.mark.slow
def test_a_script_a_module_and_code_run(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(SCRIPT)
    want = "Tensor([6.], device=xpux:0) ['--fast', '1']\n"
    assert run(str(script), "--fast", "1").stdout == want
    assert run("-m", "program", "--fast", "1", cwd=tmp_path).stdout == want
    assert run("-c", SCRIPT, "--fast", "1").stdout == want


@pytest.mark.slow
def test_the_hook_reaches_subprocesses():
    assert run("-c", CHILD).stdout.strip() == ours.__version__


@pytest.mark.slow
def test_a_traceback_shows_the_program_alone(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(
        "import megengine as mge\nmge.Tensor([1.0]) + mge.Tensor([1.0, 2.0, 3.0]).foo"
    )
    done = run(str(script))
    assert done.returncode == 1
    assert done.stderr.count("  File ") == 1
    assert "has no attribute 'foo'" in done.stderr


@pytest.mark.slow
def test_a_wrong_command_line_shows_the_usage():
    for words in ([], ["-x"], ["-m"]):
        done = run(*words)
        assert done.returncode == 2
        assert "usage: gluon-megengine SCRIPT" in done.stderr
    assert run("--version").stdout.strip() == ours.__version__


def test_it_can_be_taken_back():
    before = os.environ.get("PYTHONPATH")
    with ours.installed():
        import megengine

        with ours.installed():
            pass
        assert megengine is ours
        assert sys.modules["megengine.functional"] is ours.functional
    assert not [name for name in sys.modules if name.partition(".")[0] == "megengine"]
    assert os.environ.get("PYTHONPATH") == before
    with pytest.raises(ModuleNotFoundError):
        import megengine


def test_a_real_megengine_is_not_replaced(monkeypatch):
    monkeypatch.setitem(sys.modules, "megengine", sys)
    with pytest.raises(GluonError, match=r"call gluon\.megengine\.install\(\) before that"):
        ours.install()


@pytest.mark.parametrize(
    ("statement", "kind", "message"),
    [
        ("import megengine.core", ModuleNotFoundError, "megengine.core is out of scope: "),
        ("from megengine import hub", ImportError, "megengine.hub is out of scope: "),
        ("from megengine.module import QuantStub", ImportError, "QuantStub is out of scope"),
        ("import megengine as m; m.functional.real", AttributeError, "real is out of scope"),
        ("import megengine as m; m.functional.rellu", AttributeError, "did you mean 'relu'?"),
        ("import megengine.modul", ModuleNotFoundError, "did you mean 'module'?"),
        ("import megengine as m; m.xyz", AttributeError, "docs/megengine_scripts.md lists what"),
    ],
)
def test_a_missing_name_is_one_clear_line(hook, statement, kind, message):
    with pytest.raises(kind, match=message.replace("?", r"\?")) as caught:
        exec(statement, {})
    assert isinstance(caught.value, GluonError)
    assert "\n" not in str(caught.value)


def test_no_name_is_both_there_and_missing():
    for module, lines in ABSENT.items():
        there = ours
        for part in module.split(".") if module else ():
            there = getattr(there, part)
        names = {name for _, _, names in lines for name in names.split()}
        assert not names & set(there.__all__)


def test_every_public_name_is_there_and_has_a_docstring():
    parts = "functional module optimizer random distributed data autodiff jit amp device".split()
    for module in (ours, *(getattr(ours, part) for part in parts)):
        for name in module.__all__:
            assert getattr(module, name).__doc__, f"{module.__name__}.{name}"
