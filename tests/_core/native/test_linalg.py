"""Compiled stacks of matrix products compared with the plain kernels."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gluon import nd
from gluon._core.engine.op import TABLE
from gluon._core.kernels import parallel
from gluon._core.native import linalg
from gluon._core.native.linalg import _multiply
from gluon._core.native.loading import SHARES_THREADS, library, status
from gluon._core.native.stand_ins import STAND_INS
from tests._core.native.plain import refuse

pytestmark = [
    pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}"),
    pytest.mark.skipif(not SHARES_THREADS, reason="NumPy computes without OpenBLAS's threads"),
]
DTYPES = st.sampled_from(["float32", "float64"])


def drawn(rng: np.random.Generator, shape: tuple, dtype: str, layout: str) -> np.ndarray:
    """An array whose matrices lie by rows, by columns, or inside of larger ones."""
    *stack, rows, columns = shape
    if layout == "columns":
        return rng.normal(size=(*stack, columns, rows)).astype(dtype).swapaxes(-1, -2)
    if layout == "inside":
        return rng.normal(size=(*stack, rows + 2, columns + 3)).astype(dtype)[..., 1:-1, 2:-1]
    if layout == "between":  # the stacks lie between rows and columns
        return np.moveaxis(rng.normal(size=(rows, *stack, columns)).astype(dtype), 0, -2)
    if layout == "repeated":
        return np.broadcast_to(rng.normal(size=(rows, columns)).astype(dtype), shape)
    return rng.normal(size=shape).astype(dtype)


LAYOUTS = st.sampled_from(["rows", "columns", "inside", "between", "repeated"])
LENGTHS = st.sampled_from([1, 2, 3, 7, 16, 33, 64])


@given(
    st.sampled_from([(5,), (70,), (3, 4), (2, 1, 6)]),
    *[LENGTHS] * 3,
    *[LAYOUTS] * 2,
    DTYPES,
    st.integers(0, 9),
)
def test_drawn_stacks(stack, m, k, n, left, right, dtype, seed):
    rng = np.random.default_rng(seed)
    a = drawn(rng, (*stack, m, k), dtype, left)
    b = drawn(rng, (*stack, k, n), dtype, right)
    y = np.full((*stack, m, n), np.nan, dtype)
    assert _multiply((a, b, y))
    tolerance = 1e-4 if dtype == "float32" else 1e-12
    np.testing.assert_allclose(y, np.einsum("...ij,...jk->...ik", a, b), tolerance, tolerance)


@pytest.mark.parametrize("transpose_a", [False, True])
@pytest.mark.parametrize("transpose_b", [False, True])
def test_transposed_matrices_and_threads(transpose_a, transpose_b):
    rng = np.random.default_rng(0)
    a = rng.normal(size=(40, 20, 30)).astype("f")
    b = rng.normal(size=(40, 30, 25)).astype("f")
    given_a = a.swapaxes(1, 2).copy() if transpose_a else a
    given_b = b.swapaxes(1, 2).copy() if transpose_b else b
    flags = {"transpose_a": transpose_a, "transpose_b": transpose_b}
    results = []
    for threads in (1, 3):
        before = parallel.set_threads(threads)
        found = STAND_INS["batch_dot"](refuse, given_a, given_b, **flags)
        parallel.set_threads(before)
        results.append(found)
    np.testing.assert_allclose(results[0], np.einsum("sij,sjk->sik", a, b), 1e-4, 1e-4)
    np.testing.assert_array_equal(*results)


def test_values_that_are_no_numbers():
    a, b = np.ones((20, 32, 32), "f"), np.ones((20, 32, 32), "f")
    a[3, 5, 7], a[4, 1, 1], b[4, 1, 2], a[5, 0, 0] = np.nan, np.inf, 0, np.inf
    b[5, 0, 0], a[6, 0], b[6] = -np.inf, 1e-42, 1e-3
    with np.errstate(invalid="ignore"):
        expected = np.einsum("sij,sjk->sik", a, b)
    np.testing.assert_allclose(STAND_INS["matmul"](refuse, a, b), expected, 1e-5, 1e-42)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ((2, 8, 8), (2, 8, 8)),  # few multiplications
        ((3, 80, 80), (3, 80, 80)),  # OpenBLAS shares out each product
        ((8, 200, 200), (8, 200, 200)),
        ((40, 32, 32), (1, 32, 32)),
        ((40, 32, 32), (32, 32)),
        ((0, 32, 32), (0, 32, 32)),
        ((9, 0, 32), (9, 32, 0)),
        ((9, 400, 0), (9, 0, 400)),
    ],
)
def test_what_is_left_to_the_plain_kernel(a, b):
    x, y = np.ones(a, "f"), np.ones(b, "f")
    found = STAND_INS["matmul"](TABLE["matmul"].fallback, x, y)
    np.testing.assert_array_equal(found, np.matmul(x, y))


def test_errors_are_those_of_the_plain_kernel():
    x, y = np.ones((40, 32, 32), "f"), np.ones((40, 31, 32), "f")
    for name in ("matmul", "batch_dot"):
        with pytest.raises(ValueError, match="do not multiply"):
            STAND_INS[name](TABLE[name].fallback, x, y)


def test_arrays_that_do_not_fit():
    """The C code checks them itself."""
    a, b, y = np.ones((3, 4, 5), "f"), np.ones((3, 5, 6), "f"), np.ones((3, 4, 6), "f")
    assert _multiply((a, b, y))
    bytes_apart = np.zeros(prod(a.shape) * 4 + 1, "u1")[1:].view("f").reshape(a.shape)
    read_only = y.copy()
    read_only.flags.writeable = False
    for wrong in (
        (a, b),
        (None, b, y),
        (a, None, y),
        (a, b, None),
        (a[0, 0], b[0, 0], y[0, 0]),
        (a[0], b, y),
        (a, b[:2], y),
        (a, b, y[:2]),
        (a, b, y[..., ::2]),
        (a, b, y[:, :3]),
        (a, b[:, :4], y),
        (a, b.astype("d"), y),
        (a, b, y.astype("d")),
        (a, b, read_only),
        (bytes_apart, b, y),
        (a[:, :, ::-1], b, y),
        (a[:, ::-1], b, y),
        (np.ones((3, 8, 10), "f")[:, ::2, ::2], b, y),
        (a.astype("i"), b.astype("i"), y.astype("i")),
    ):
        assert not _multiply(wrong)
    assert not _multiply((a, b, y), (1,))


def test_stacks_from_above_are_allowed():
    a, b = np.ones((3, 4, 5), "f") * [[[1]], [[2]], [[3]]], np.ones((3, 5, 6), "f")
    a, y = a.astype("f")[::-1], np.empty((3, 4, 6), "f")
    assert _multiply((a, b, y))
    assert y[:, 0, 0].tolist() == [15, 10, 5]


def matrix(rng, rows, columns, dtype, turned):
    x = rng.normal(size=(columns, rows) if turned else (rows, columns)).astype(dtype)
    return x.T if turned else x


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "shape", [(130, 300, 410), (30, 200, 3001), (3001, 200, 30), (1, 3000, 3000)]
)
@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_blocks_of_one_product(shape, dtype, threads):
    m, k, n = shape
    rng = np.random.default_rng(m)
    before = parallel.set_threads(threads)
    try:
        for left, right in ((0, 0), (0, 1), (1, 0), (1, 1)):
            a, b = matrix(rng, m, k, dtype, left), matrix(rng, k, n, dtype, right)
            y = np.full((m, n), np.nan, dtype)
            assert _multiply((a, b, y))
            tolerance = 1e-3 if dtype == "float32" else 1e-11
            np.testing.assert_allclose(y, np.einsum("ij,jk->ik", a, b), tolerance, tolerance)
    finally:
        parallel.set_threads(before)


def test_large_products_of_operators_are_computed_here(monkeypatch):
    computed = []
    monkeypatch.setattr(linalg, "_multiply", lambda arrays: computed.append(arrays) or False)
    x, weight, image = nd.ones((70, 80)), nd.ones((90, 80)), nd.ones((1, 80, 7, 10))
    nd.dot(x, weight, transpose_b=True)
    nd.FullyConnected(x, weight, num_hidden=90, no_bias=True)
    pointwise = weight.reshape((90, 80, 1, 1))
    nd.Convolution(image, pointwise, kernel=(1, 1), num_filter=90, no_bias=True)
    assert len(computed) == 3
    nd.dot(x[:2], weight, transpose_b=True)
    assert len(computed) == 3  # NumPy uses one thread for few multiplications
