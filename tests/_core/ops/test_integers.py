"""Integer dtypes: ranges drop fractions, and remainders have no slope, as in MXNet."""

from __future__ import annotations

import numpy
import pytest

from gluon import autograd, nd, np, sym

#: The first and the last value and the number of them, as MXNet gives them.
RANGES = {
    (1.3, 456.6, 1.3): (1, 351, 351),
    (0, 5, 0.5): (0, 0, 10),
    (-2.7, 3.2, 0.9): (-2, -2, 7),
    (5, 0, -0.7): (5, 5, 8),
    (-3.7, 3): (-3, 3, 7),
    (10, -10, -1.5): (10, -3, 14),
    (2, 6, 2): (2, 4, 2),
}


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
@pytest.mark.parametrize("ends", RANGES, ids=str)
def test_ranges_drop_fractions_before_they_add(ends, dtype):
    first, last, count = RANGES[ends]
    wanted = numpy.linspace(first, last, count).round().astype("int64").astype(dtype)
    for found in (
        nd.arange(*ends, dtype=dtype),
        np.arange(*ends, dtype=dtype),
        sym.arange(*ends, dtype=dtype).eval()[0],
    ):
        assert found.asnumpy().dtype == wanted.dtype
        numpy.testing.assert_array_equal(found.asnumpy(), wanted)


def test_more_functions_that_make_integers():
    x = nd.zeros((5,), dtype="int32")
    assert nd.contrib.arange_like(x, start=1.3, step=0.7).asnumpy().tolist() == [1] * 5
    assert nd.contrib.arange_like(x, start=-1.3, step=2.7).asnumpy().tolist() == [-1, 1, 3, 5, 7]
    assert nd.arange(0, 5, 1.5, repeat=2, dtype="uint8").asnumpy().tolist() == [
        0,
        0,
        1,
        1,
        2,
        2,
        3,
        3,
    ]
    assert nd.linspace(-2.7, 3.2, 4, dtype="int32").asnumpy().tolist() == [-2, 0, 1, 3]
    assert np.linspace(-2.7, 3.2, 4, dtype="int32").tolist() == [-2, 0, 1, 3]


@pytest.mark.parametrize("space", [nd, np])
@pytest.mark.parametrize("function", ["a % b", "a % 3", "5 % b", "space.mod(a, b)"])
def test_remainders_of_integers_have_no_slope(space, function):
    if space is nd:
        function = function.replace("mod", "modulo")
    a, b = space.array([3.0, 4.0]), space.array([0.0, 2.0])
    for x in (a, b):
        x.attach_grad()
    with autograd.record(), numpy.errstate(all="ignore"):
        whole = {"a": a.astype("int32"), "b": b.astype("int32"), "space": space}
        y = eval(function, whole) + (whole["a"] + whole["b"]) * 0
    y.backward(space.array([1, 1], dtype="int32"))
    assert a.grad.asnumpy().tolist() == b.grad.asnumpy().tolist() == [0, 0]


def test_remainders_of_floats_keep_theirs():
    a, b = nd.array([3.5, -4.0]), nd.array([2.0, 3.0])
    for x in (a, b):
        x.attach_grad()
    with autograd.record():
        y = a % b
    y.backward()
    assert a.grad.asnumpy().tolist() == [1, 1]
    assert b.grad.asnumpy().tolist() == [-1, 2]


def test_fmod_of_integers_has_none_either():
    a, b = np.array([3.0, 4.0]), np.array([2.0, 3.0])
    for x in (a, b):
        x.attach_grad()
    with autograd.record():
        y = np.fmod(a.astype("int32"), b.astype("int32"))
    y.backward()
    assert a.grad.tolist() == b.grad.tolist() == [0, 0]
