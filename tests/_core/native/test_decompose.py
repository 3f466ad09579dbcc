"""Compiled triangular systems compared with the plain kernel."""

from __future__ import annotations

import numpy as np
import pytest

from gluon._core.engine.op import TABLE
from gluon._core.kernels import parallel
from gluon._core.native.loading import library, status
from gluon._core.native.stand_ins import STAND_INS
from tests._core.native.plain import refuse

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")

PLAIN = TABLE["solve_triangular"].fallback


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize(
    ("stacks", "n", "m"), [((), 1, 1), ((), 300, 1), ((3,), 65, 2), ((2, 2), 7, 2)]
)
def test_systems_are_solved(stacks, n, m, lower, turned, dtype):
    rng = np.random.default_rng(n)
    a = rng.normal(size=(*stacks, n, n)) + 3 * n**0.5 * np.eye(n)
    b = rng.normal(size=(*stacks, m, n)).swapaxes(-1, -2).astype(dtype)
    a = a.swapaxes(-1, -2).astype(dtype, "C").swapaxes(-1, -2) if turned else a.astype(dtype)
    y = STAND_INS["solve_triangular"](refuse, a, b, lower=lower)
    assert y.dtype == dtype
    triangle = (np.tril if lower else np.triu)(a.astype("d"))
    tolerance = 1e-5 if dtype == "float32" else 1e-13
    np.testing.assert_allclose(y, np.linalg.solve(triangle, b.astype("d")), tolerance, tolerance)
    before = parallel.set_threads(3)
    np.testing.assert_array_equal(STAND_INS["solve_triangular"](refuse, a, b, lower=lower), y)
    parallel.set_threads(before)


def test_only_one_triangle_is_read_and_nan_stays_below():
    a = np.full((4, 4), np.nan, "f")
    a[np.tril_indices(4)] = 1
    b = np.array([[1], [np.nan], [np.inf], [1e-42]], "f")
    y = STAND_INS["solve_triangular"](refuse, a, b)
    np.testing.assert_array_equal(y[:, 0], [1, np.nan, np.nan, np.nan])


def test_what_does_not_fit_is_left_to_the_plain_kernel():
    ones, singular = np.tril(np.ones((4, 4), "f")), np.zeros((4, 4), "f")
    with pytest.raises(np.linalg.LinAlgError):
        STAND_INS["solve_triangular"](PLAIN, singular, ones[:, :1])
    with pytest.raises(ValueError, match="takes"):
        STAND_INS["solve_triangular"](PLAIN, ones, ones[:3, :1])
    empty = STAND_INS["solve_triangular"](PLAIN, ones[:0, :0], ones[:0, :1])
    assert empty.shape == (0, 1)
    strided = np.tril(np.ones((8, 8), "f"))[::2, ::2]
    found = STAND_INS["solve_triangular"](PLAIN, strided, ones[:, :1])
    np.testing.assert_allclose(found, PLAIN(strided, ones[:, :1]))
