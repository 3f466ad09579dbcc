"""``python -m gluon.mxnet`` runs programs as Python itself does."""

from __future__ import annotations

import signal
import sys
import zipfile

import pytest

from gluon import __main__ as gluon_main
from gluon.mxnet import run
from tests.mxnet.running import HOOKED, ROOT, python

STATE = (ROOT / "tests" / "mxnet" / "programs" / "state.py").read_text()


@pytest.fixture
def programs(tmp_path):
    """A folder with a script, a link to it, a package, an archive and a broken script."""
    (tmp_path / "script.py").write_text(STATE)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "link.py").symlink_to(tmp_path / "script.py")
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text(STATE)
    (package / "part.py").write_text(STATE)
    with zipfile.ZipFile(tmp_path / "archive.zip", "w") as archive:
        archive.writestr("__main__.py", STATE)
    (tmp_path / "broken.py").write_text("x = 1\nx = = 2\n")
    (tmp_path / "latin.py").write_bytes(b"# -*- coding: latin-1 -*-\nprint(ascii('\xe9'))\n")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "script.py",
        "script.py -v a.b --flag",
        "sub/link.py a",
        "script.py fail",
        "script.py exit",
        "script.py message",
        "script.py assert",
        "broken.py",
        "latin.py",
        "package",
        "archive.zip a",
        "-m package a",
        "-m package.part fail",
        "-m package.part exit",
        "-m no_such_module",
        "-m package.no_such_part",
        "no_such_script.py",
    ],
)
def test_as_python_does(programs, words):
    plain = python(*words.split(), cwd=programs)
    hooked = python(*HOOKED, *words.split(), cwd=programs)
    assert hooked.stdout == plain.stdout
    assert hooked.stderr == plain.stderr
    assert hooked.returncode == plain.returncode


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("a", "b"), ("fail",)])
def test_a_string_as_python_does(tmp_path, words):
    code = STATE.replace("import pickle", "").replace("pickle.loads(pickle.dumps(Thing()))", "0")
    plain = python("-c", code, *words, cwd=tmp_path)
    hooked = python(*HOOKED, "-c", code, *words, cwd=tmp_path)
    assert hooked.stdout == plain.stdout
    assert hooked.returncode == plain.returncode
    assert hooked.stderr.splitlines()[-1:] == plain.stderr.splitlines()[-1:]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_ends_as_in_python(tmp_path):
    code = "import signal, os; signal.raise_signal(signal.SIGINT)"
    done = python(*HOOKED, "-c", code)
    assert done.returncode == -signal.SIGINT
    assert "KeyboardInterrupt" in done.stderr
    assert "gluon" not in done.stderr


@pytest.mark.slow
def test_the_excepthook_of_the_program_is_called_with_its_own_frames():
    code = (
        "import sys, traceback\n"
        "def hook(kind, value, tb):\n"
        "    print(kind.__name__, [f.name for f in traceback.extract_tb(tb)])\n"
        "    print(value.__traceback__ is tb is sys.last_traceback)\n"
        "sys.excepthook = hook\n"
        "1 / 0\n"
    )
    done = python(*HOOKED, "-c", code)
    assert done.stdout.splitlines() == ["ZeroDivisionError ['<module>']", "True"]
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.slow
def test_standard_input_and_safe_path(tmp_path):
    (tmp_path / "script.py").write_text("import sys; print(sys.path)")
    plain = python("-I", tmp_path / "script.py").stdout
    if sys.version_info >= (3, 11):
        safe = python("-P", *HOOKED, tmp_path / "script.py").stdout
        assert str(tmp_path) not in safe
    assert str(tmp_path) not in plain


@pytest.mark.parametrize(
    "words", [[], ["-m"], ["-c"], ["--unknown", "script.py"], ["--old-numpy"]], ids=" ".join
)
def test_a_wrong_command_line_shows_the_usage(words, capsys):
    with pytest.raises(SystemExit) as ended:
        run.main(words)
    assert ended.value.code == 2
    assert "usage: gluon-mxnet" in capsys.readouterr().err


def test_help_and_version(capsys):
    run.main(["--help"])
    run.main(["--version"])
    text = capsys.readouterr().out
    assert text.startswith("usage: gluon-mxnet")
    assert text.endswith("\n1.9.1+gluon\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-W", "ignore", "-c", "pass"], "python -W ignore -m gluon.mxnet ..."),
        (["-Xdev", "script.py"], "python -Xdev -m gluon.mxnet ..."),
    ],
)
def test_options_of_python_are_told_where_they_go(words, said, capsys):
    with pytest.raises(SystemExit):
        run.main(words)
    assert said in capsys.readouterr().err


def test_the_report_has_help_and_takes_nothing(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["gluon", "--help"])
    gluon_main.main()
    assert "python -m gluon.mxnet SCRIPT" in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["gluon", "script.py"])
    with pytest.raises(SystemExit, match="2"):
        gluon_main.main()
    assert "no argument 'script.py'" in capsys.readouterr().err
