"""Compiled sorting orders compared with the plain ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gluon._core.engine.op import TABLE
from gluon._core.kernels import parallel
from gluon._core.native.loading import library, status
from gluon._core.native.stand_ins import STAND_INS

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")


def compiled(x, **attributes):
    """Return the result of the library; fail if it falls back to the plain kernel."""

    def plain(*_, **__):
        pytest.fail("the library did not compute this")

    return STAND_INS["order"](plain, x, **attributes)


@settings(max_examples=150)
@given(
    shape=st.lists(st.sampled_from([1, 2, 9, 63, 64, 65, 300]), min_size=1, max_size=2),
    dtype=st.sampled_from(["float32", "float64"]),
    is_ascend=st.booleans(),
    digits=st.sampled_from([0, 1, 9]),
    apart=st.booleans(),
    data=st.data(),
)
def test_drawn_orders(shape, dtype, is_ascend, digits, apart, data):
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    k = data.draw(st.integers(0, shape[axis]))
    rng = np.random.default_rng(data.draw(st.integers(0, 1 << 30)))
    x = rng.normal(size=shape).round(digits).astype(dtype)
    x[rng.random(shape) < 0.1] = np.nan
    places = rng.random(shape) < 0.1
    special = [np.inf, -np.inf, 0.0, -0.0, 1e-42, -1e-42, 1e-310, 3e38, -np.nan]
    x[places] = rng.choice(np.array(special, dtype), places.sum())
    x = np.repeat(x, 2, -1)[..., ::2] if apart else x
    found = compiled(x, axis=axis, is_ascend=is_ascend, k=k)
    # All of them in order, by NumPy: the sign reverses numbers, and NaN is first by itself.
    key = x if is_ascend else np.where(np.isnan(x), -np.inf, -x)
    order = np.lexsort((key, np.isnan(x) if is_ascend else ~np.isnan(x)), axis=axis)
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, order.take(np.arange(k or shape[axis]), axis))
    np.testing.assert_array_equal(
        found, TABLE["order"].fallback(x, axis=axis, is_ascend=is_ascend, k=k)
    )


@pytest.mark.parametrize(("n", "k"), [(70_000, 0), (70_000, 300), (5, 0)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_results_are_the_same_for_every_number_of_threads(n, k, dtype):
    x = np.random.default_rng(0).normal(size=(max(3, 9000 // n), n)).astype(dtype)
    found = []
    for threads in (1, 3):
        before = parallel.set_threads(threads)
        found.append(compiled(x, k=k))
        parallel.set_threads(before)
    np.testing.assert_array_equal(*found)
    np.testing.assert_array_equal(found[0], x.argsort(-1, kind="stable")[:, : k or n])


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (0,)])
def test_empty_axes(shape):
    x = np.ones(shape, "float32")
    plain = TABLE["order"].fallback
    assert STAND_INS["order"](plain, x).shape == shape
