"""Progress bars, with and without tqdm."""

import io
import sys

import pytest

from gluon import autograd, nd, progress, utils


def test_a_bar_is_one_of_tqdm():
    tqdm = pytest.importorskip("tqdm")
    screen = io.StringIO()
    with progress.bar(4, "reading", "file", file=screen, ascii=True, mininterval=0) as bar:
        assert isinstance(bar, tqdm.tqdm)
        bar.set_postfix({"errors": 0})
        bar.update(4)
    assert "reading: 100%|" in screen.getvalue()


def test_without_tqdm_it_is_lines(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with progress.bar(4, "reading", "file", ascii=True) as bar:
        for _ in range(3):
            bar.update()
        assert capsys.readouterr().err == ""  # lines are rare
        bar.set_postfix(errors=0)
    assert capsys.readouterr().err == "reading: 75% (3/4 file), 0 s, errors=0\n"


def test_what_takes_long_shows_a_bar_from_where_it_is(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert list(progress.tracked("abc", 3, "reading", after=60)) == ["a", "b", "c"]
    assert capsys.readouterr().err == ""
    assert list(progress.tracked("abc", 3, "reading", "file", after=0)) == ["a", "b", "c"]
    assert capsys.readouterr().err == "reading: 100% (3/3 file), 0 s\n"
    for _ in progress.tracked("abc", after=0):
        pass  # without a total
    assert capsys.readouterr().err == "3 it, 0 s\n"


def test_files_and_pipes_get_no_bar(monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    assert list(progress.tracked("abc", 3, "reading", after=0)) == ["a", "b", "c"]
    assert capsys.readouterr().err == ""


def test_a_check_of_many_derivatives_shows_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    clock = iter(range(1000))
    monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(clock)))
    autograd.gradcheck(nd.sin, nd.ones(4, dtype="float64"))
    assert "gradcheck: input 0: 100% (4/4 element)" in capsys.readouterr().err


def test_lines_without_a_total_and_without_work():
    screen = io.StringIO()
    with progress.Lines(file=screen, mininterval=0) as bar:
        bar.update(2)
    assert screen.getvalue() == "2 it, 0 s\n"  # closing has nothing new to say


@pytest.mark.parametrize("size", [10, 1 << 20])
def test_large_downloads_show_one(size, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    source = tmp_path / "data.bin"
    source.write_bytes(bytes(size))
    target = utils.download(source.as_uri(), str(tmp_path / "copy.bin"))
    assert (tmp_path / "copy.bin").stat().st_size == size
    assert target.endswith("copy.bin")
    shown = capsys.readouterr().err
    assert shown == ("" if size == 10 else "copy.bin: 100% (1048576/1048576 B), 0 s\n")


def test_the_first_of_several_processes_shows_bars(monkeypatch):
    shown = []
    for rank, size in (("0", "1"), ("0", "2"), ("1", "2")):
        monkeypatch.setenv("PMI_RANK", rank)
        monkeypatch.setenv("PMI_SIZE", size)
        text = io.StringIO()
        with progress.bar(1, file=text) as bar:
            bar.update()
        shown.append(bool(text.getvalue()))
    assert shown == [True, True, False]
