"""The hook reaches every kind of process that a script starts."""

from __future__ import annotations

import sys

import pytest

from tests.mxnet.running import HOOKED, ROOT, python

pytestmark = pytest.mark.slow

PROGRAMS = ROOT / "tests" / "mxnet" / "programs"
SCRIPT = (PROGRAMS / "workers.py").read_text()


@pytest.fixture
def script(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "mxnet").mkdir()  # a real one would be in the way
    (tmp_path / "mxnet" / "__init__.py").write_text("raise ImportError('the real one')")
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "script.py").write_text(SCRIPT)
    return tmp_path / "programs" / "script.py"


@pytest.mark.parametrize("how", ["fork", "spawn", "forkserver"])
def test_multiprocessing(script, how):
    if sys.platform == "win32" and how != "spawn":
        pytest.skip("there is spawn alone")
    done = python(
        "-W", "ignore::DeprecationWarning", *HOOKED, script, how, path=(script.parents[1],)
    )
    assert done.stdout == "[('1.9.1+gluon', 2.0), ('1.9.1+gluon', 4.0)]\n", done.stderr


@pytest.mark.parametrize("how", ["fork", "spawn"])
def test_workers_of_a_data_loader(script, how):
    done = python("-W", "ignore::DeprecationWarning", *HOOKED, script, "loader", how)
    expected = "[[0.0, 0.0], [1.0, 1.0]]\n[[2.0, 2.0], [3.0, 3.0]]\n"
    assert done.stdout == expected, done.stderr


def test_other_pythons():
    child = "import mxnet.gluon.nn as n, sys; print(n.Dense.__module__, sys.modules['mxnet'].nd)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}], check=True)"
    done = python(*HOOKED, "-c", code)
    assert done.stdout.startswith("gluon.nn.basic_layers <module 'gluon.nd'"), done.stderr


def test_gluon_of_the_working_folder(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    done = python(*HOOKED, tmp_path / "script.py", "spawn", cwd=ROOT, PYTHONPATH="")
    assert done.stdout.startswith("[('1.9.1+gluon', 2.0)"), done.stderr


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_pytest_and_the_workers_of_xdist(tmp_path, workers):
    if workers:
        pytest.importorskip("xdist")
    (tmp_path / "test_old.py").write_text((PROGRAMS / "old_tests.py").read_text())
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_old.py"]
    done = python(*HOOKED, *words, *workers, cwd=tmp_path, WORKERS=" ".join(workers))
    assert "3 passed" in done.stdout, done.stdout + done.stderr
