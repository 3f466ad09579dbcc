"""`np.genfromtxt` reads tables as NumPy does, into arrays of gluon."""

from __future__ import annotations

import io

import numpy
import pytest

from gluon import np
from gluon._core.errors import ArgumentError, DTypeError

TABLE = "a,b\n1,2.5\n3,\n"


@pytest.mark.parametrize("dtype", [None, "float32", "float64", "int32"])
def test_what_numpy_reads(dtype):
    settings = {"delimiter": ",", "skip_header": 1, "filling_values": 7}
    settings |= {} if dtype is None else {"dtype": dtype}
    found = np.genfromtxt(io.StringIO(TABLE.replace(".5", "")), **settings)
    expected = numpy.genfromtxt(io.StringIO(TABLE.replace(".5", "")), **settings)
    assert isinstance(found, np.ndarray)
    assert found.dtype == expected.dtype
    numpy.testing.assert_array_equal(found.asnumpy(), expected)


def test_missing_values_are_nan():
    found = np.genfromtxt(io.StringIO(TABLE), delimiter=",", skip_header=1)
    assert numpy.isnan(found[1, 1].item())


def test_columns_of_their_own_kinds_are_refused():
    with pytest.raises(DTypeError, match=r"^genfromtxt: dtype"):
        np.genfromtxt(io.StringIO(TABLE), delimiter=",", names=True)


def test_lines_of_different_lengths_are_refused():
    with pytest.raises(ArgumentError, match=r"(?s)^genfromtxt: .*3 columns instead of 2"):
        np.genfromtxt(io.StringIO("1 2\n1 2 3"))


@pytest.mark.parametrize("axis", [-1, 0, None])
def test_the_method_argsort(axis):
    x = np.array([[3, 1, 2], [0, 5, 4]])
    numpy.testing.assert_array_equal(x.argsort(axis).asnumpy(), x.asnumpy().argsort(axis))
