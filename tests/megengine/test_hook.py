"""``import megengine`` under the hook, and what is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gluon import GluonError
from gluon import megengine as ours

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = (ROOT / "tests" / "megengine" / "scripts" / "trained.py").read_text()
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


@pytest.mark.parametrize(
    ("statement", "use", "kind", "message"),
    [
        ("from megengine.module import QuantStub", "QuantStub()", RuntimeError, "quantized"),
        ("from megengine.functional import real", "real.dtype", AttributeError, "complex numbers"),
        ("from megengine.traced_module import trace_module", "trace_module()", RuntimeError, "run"),
        ("from megengine.core.ops.builtin import NvOf", "NvOf()", RuntimeError, "C[+][+] library"),
    ],
)
def test_what_needs_the_library_fails_when_it_is_used(hook, statement, use, kind, message):
    names: dict = {}
    exec(statement, names)
    with pytest.raises(kind, match=message) as caught:
        eval(use, names)
    assert isinstance(caught.value, GluonError)


def test_without_the_hook_a_name_that_gluon_has_not_is_an_error_at_once():
    with pytest.raises(AttributeError, match=r"gluon has no megengine\.functional\.real: comp"):
        ours.functional.real  # noqa: B018
    with pytest.raises(AttributeError, match=r"gluon has no megengine\.hub: import megengine\.hub"):
        ours.hub  # noqa: B018


def test_every_public_name_is_there_and_has_a_docstring():
    parts = "functional module optimizer random distributed data autodiff jit amp device".split()
    for module in (ours, *(getattr(ours, part) for part in parts)):
        for name in module.__all__:
            assert getattr(module, name).__doc__, f"{module.__name__}.{name}"
