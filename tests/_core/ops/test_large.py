"""Kernels that use another method for many values give the same results."""

from __future__ import annotations

import numpy as np
import pytest

from gluon._core.kernels import elementwise, sequence

DTYPES = ["float16", "float32", "float64"]
SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-8, -17.5, -90.0, 90.0]
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def values(dtype: str, n: int = 2 * elementwise.LARGE) -> np.ndarray:
    random = np.random.RandomState(3).normal(size=n - len(SPECIAL)) * 10
    return np.concatenate([SPECIAL, random]).astype(dtype)


def in_parts(kernel, *arrays: np.ndarray, **attrs) -> np.ndarray:
    """Apply the kernel to pieces that are too small for the other method."""
    pieces = zip(*(np.split(x, 16) for x in arrays))
    return np.concatenate([kernel(*piece, **attrs) for piece in pieces])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["relu", "softrelu"])
def test_unary_kernels(name, dtype):
    kernel, x = getattr(elementwise, name), values(dtype)
    rtol = {"float16": 1e-3, "float32": 1e-6, "float64": 1e-14}[dtype]
    got, want = kernel(x), in_parts(kernel, x)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=rtol)


@pytest.mark.parametrize("dtype", [*DTYPES, "int32"])
def test_the_third_power(dtype):
    x = values(dtype) if dtype != "int32" else np.arange(-4096, 4096, dtype=dtype) // 64
    cube = np.asarray(3, dtype)
    got, want = elementwise.power(x, cube), in_parts(lambda x: elementwise.power(x, cube), x)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=1e-2 if dtype == "float16" else 1e-6)


@pytest.mark.parametrize("dtype", [*DTYPES, "int64"])
@pytest.mark.parametrize("condition", ["bool", "int32", "float32"])
def test_where(dtype, condition):
    x1 = values("float64").astype(dtype)
    x2 = x1[::-1]
    chosen = (np.arange(x1.size) % 3 == 0).astype(condition) * 2
    got = elementwise.where(chosen, x1, x2)
    assert got.dtype == x1.dtype
    np.testing.assert_array_equal(got, np.where(chosen, x1, x2))


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("is_ascend", [False, True])
@pytest.mark.parametrize("special", [None, np.inf, -np.inf, np.nan])
def test_the_first_few_in_order(axis, is_ascend, special):
    x = np.random.RandomState(5).randint(0, 40, (40, 50)).astype("float32")
    if special is not None:
        x[3, 7] = x[5, 7] = x[5, 1] = special
    every = sequence.order(x, axis=axis, is_ascend=is_ascend)
    few = sequence.order(x, axis=axis, is_ascend=is_ascend, k=6)
    np.testing.assert_array_equal(few, np.take(every, range(6), axis))
