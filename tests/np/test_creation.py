"""Arrays that are created from other arrays have their dtype, not the default one."""

from __future__ import annotations

import numpy
import pytest

from gluon import autograd, np

CALLS = {
    "linspace": lambda xp, a, b: xp.linspace(a, b, 5),
    "linspace without the end": lambda xp, a, b: xp.linspace(a, b, 5, endpoint=False, axis=-1),
    "linspace with its step": lambda xp, a, b: xp.linspace(a, b, 5, retstep=True)[0],
    "linspace from a number": lambda xp, a, b: xp.linspace(0.1, b, 5),
    "linspace to a number": lambda xp, a, b: xp.linspace(a, 0.7, 5),
    "logspace": lambda xp, a, b: xp.logspace(a, b, 5),
    "geomspace": lambda xp, a, b: xp.geomspace(a, b, 5),
    "arange": lambda xp, a, b: xp.arange(a[0], b[0], b[0] / 3),
    "full": lambda xp, a, b: xp.full((3, 2), a),
    "full_like": lambda xp, a, b: xp.full_like(a, 0.1),
    "meshgrid": lambda xp, a, b: xp.meshgrid(a, b)[0],
    "array": lambda xp, a, b: xp.array(a),
    "asarray": lambda xp, a, b: xp.asarray(a),
    "copy": lambda xp, a, b: xp.copy(a),
    "diag": lambda xp, a, b: xp.diag(a),
    "tril": lambda xp, a, b: xp.tril(a.reshape(1, 2)),
    "vander": lambda xp, a, b: xp.vander(a),
    "select": lambda xp, a, b: xp.select([a > 1], [b]),
    "interp": lambda xp, a, b: xp.interp(a, a, b),
    "histogram_bin_edges": lambda xp, a, b: xp.histogram_bin_edges(a, 4),
}


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
@pytest.mark.parametrize("call", CALLS)
def test_what_is_made_of_arrays_has_their_dtype(call, dtype):
    a, b = numpy.array([0.1, 0.3], dtype), numpy.array([0.7, 1.3], dtype)
    found = CALLS[call](np, np.array(a), np.array(b))
    assert found.dtype == dtype
    right = CALLS[call](numpy, a.astype("float64"), b.astype("float64"))
    tolerance = 8 * numpy.finfo(dtype).eps
    numpy.testing.assert_allclose(found.asnumpy(), right, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("call", ["linspace", "logspace", "geomspace"])
def test_arrays_of_numpy_give_their_dtype_too(call):
    a, b = numpy.array([0.1, 0.3]), numpy.array([0.7, 1.3])
    assert CALLS[call](np, a, b).dtype == "float64"


def test_numbers_and_whole_numbers_give_the_default_dtype_and_dtype_decides():
    assert np.linspace(0, 1, 3).dtype == np.linspace(0.5, numpy.float64(1), 3).dtype == "float32"
    whole = np.array([0, 4], dtype="int64")
    found = np.linspace(whole, whole + 1, 3)
    assert found.dtype == "float32"
    assert found.tolist() == [[0, 4], [0.5, 4.5], [1, 5]]
    exact = np.array([0.1, 0.3], dtype="float64")
    assert np.linspace(exact, 1, 3, dtype="float16").dtype == "float16"
    assert np.arange(np.array(3, dtype="int32")).dtype == "float32"


def test_linspace_between_float64_arrays_is_differentiated():
    x = np.array([0.1, 0.3], dtype="float64")
    x.attach_grad()
    with autograd.record():
        loss = (np.linspace(x, 2 * x, 3) ** 2).sum()
    loss.backward()
    numpy.testing.assert_allclose(x.grad.asnumpy(), 2 * x.asnumpy() * (1 + 1.5**2 + 4), rtol=1e-12)
