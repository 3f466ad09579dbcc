"""Rows picked by an array of integers, and rows in a random order."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import autograd, nd
from gluon import np as gnp
from gluon._core.kernels import indexing
from gluon._core.kernels.generator import generator

KEYS = {
    "some": np.array([2, 0, -1, 2]),
    "none": np.zeros(0, np.int64),
    "two axes": np.array([[0, 1], [3, -4]], np.int32).T,
    "one": np.array(1),
    "small": np.array([0, 3], np.int8),
    "unsigned": np.array([0, 3], np.uint64),
    "mask": np.array([True, False, True, False]),
}
ARRAYS = {
    "one axis": np.arange(4.0),
    "rows": np.arange(12, dtype="f").reshape(4, 3),
    "three axes": np.arange(24, dtype="u1").reshape(4, 3, 2),
    "columns": np.arange(12.0).reshape(3, 4).T,
    "parts": np.arange(48.0).reshape(4, 12)[:, ::3],
    "empty rows": np.zeros((4, 0)),
}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("x", ARRAYS)
def test_rows_are_those_of_numpy(x, key):
    x, key = ARRAYS[x], KEYS[key]
    found, wanted = indexing.getitem(x, key=key), x[key]
    np.testing.assert_array_equal(found, wanted)
    assert found.dtype == wanted.dtype
    assert not np.shares_memory(found, x)


def test_rows_out_of_range_are_an_error_of_numpys():
    for x in (ARRAYS["rows"], np.zeros((0, 3))):
        for key in ([4], [-5], [0, 9]):
            key = np.array(key)
            with pytest.raises(IndexError) as wanted:
                x[key]
            with pytest.raises(IndexError) as found:
                indexing.getitem(x, key=key)
            assert str(found.value) == str(wanted.value)


def test_rows_are_copied_as_wholes(monkeypatch):
    taken = []
    take = np.take
    monkeypatch.setattr(np, "take", lambda *given: taken.append(given) or take(*given))
    nd.array(ARRAYS["rows"])[nd.array([1, 0], dtype="int32")]
    nd.shuffle(nd.array(ARRAYS["rows"]))
    assert len(taken) == 2


@pytest.mark.parametrize("make", [nd.array, gnp.array], ids=["nd", "np"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "uint8", "bfloat16"])
@pytest.mark.parametrize("shape", [(1000,), (1,), (0,), (500, 2), (50, 3, 2)], ids=str)
def test_a_shuffle_is_the_permutation_of_rows(make, dtype, shape):
    if 0 in shape and make is nd.array:
        make = gnp.array
    x = make(np.arange(np.prod(shape)).reshape(shape) % 250, dtype=dtype)
    state = generator().bit_generator.state
    wanted = x.raw[generator().permutation(shape[0])]
    after = generator().bit_generator.state
    generator().bit_generator.state = state
    found = nd.shuffle(x)
    np.testing.assert_array_equal(found.raw, wanted)
    assert (type(found), found.dtype) == (type(x), x.dtype)
    assert generator().bit_generator.state == after
    if make is gnp.array:
        generator().bit_generator.state = state
        gnp.random.shuffle(x)
        np.testing.assert_array_equal(x.raw, wanted)


def test_a_recorded_shuffle_has_a_gradient():
    x = nd.arange(5)
    x.attach_grad()
    with autograd.record():
        y = nd.shuffle(x)
        (y * nd.arange(5)).sum().backward()
    assert x.grad.asnumpy()[y.asnumpy().astype(int)].tolist() == [0, 1, 2, 3, 4]
