"""What a trace takes for a value that Python reads."""

import re
from pathlib import Path

import pytest

import gluon
from gluon import nd, np
from gluon._core.program import trace

ROOT = Path(gluon.__file__).parent
MIXED_UP = re.compile(r"\.(raw|held)\.(shape|ndim|size|dtype|flags)\b")


def test_form_is_what_tells_the_form():
    """A step with ``x.raw.shape`` would have no program."""
    wrong = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in ROOT.rglob("*.py")
        if not str(path).startswith(trace.HANDLING)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if MIXED_UP.search(line)
    ]
    assert wrong == []


@pytest.mark.parametrize("room", [nd, np])
@pytest.mark.parametrize("name", ["shape", "ndim", "size", "dtype", "form"])
def test_the_form_of_an_array_is_no_value(room, name):
    x = room.ones((2, 3))
    with trace.Trace() as seen:
        getattr(x, name)
    assert seen.failed == ""
    assert [one.handle() for one in seen.first.values()] == [x]  # it is checked in later runs


@pytest.mark.parametrize("name", ["raw", "held"])
def test_a_buffer_that_python_takes_is_a_value(name):
    x = nd.ones((2, 3))
    with trace.Trace() as seen:
        getattr(x, name)
    assert seen.failed.startswith("a value is read: test_a_buffer")


def test_arrays_are_as_before_after_a_trace():
    x = nd.ones((2, 3))
    with trace.Trace():
        assert x.form.shape == (2, 3)
    assert x.form is x.raw is x.held
    assert type(gluon.nd.NDArray.form) is type(trace.RAW)
