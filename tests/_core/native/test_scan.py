"""Compiled recurrences against the plain one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gluon._core.engine.op import TABLE
from gluon._core.native.loading import library, status
from gluon._core.native.stand_ins import STAND_INS
from tests._core.native.draws import shapes

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")


def compiled(a, b, **attributes):
    """Return the result of the library; fail if it falls back to the plain kernel."""

    def plain(*_, **__):
        pytest.fail("the library did not compute this")

    return STAND_INS["recurrence"](plain, a, b, **attributes)


@settings(max_examples=80)
@given(
    shape=shapes([1, 2, 3, 9, 70], 1, 3),
    reverse=st.booleans(),
    dtype=st.sampled_from(["float32", "float64"]),
    special=st.booleans(),
    data=st.data(),
)
def test_drawn_recurrences(shape, reverse, dtype, special, data):
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    rng = np.random.default_rng(data.draw(st.integers(0, 1 << 30)))
    a, b = (rng.uniform(-1, 1, shape).astype(dtype) for _ in range(2))
    if special:
        b[rng.random(shape) < 0.05] = rng.choice([np.nan, np.inf, -np.inf, 0.0, 1e-42])
    found = compiled(a, b, axis=axis, reverse=reverse)
    with np.errstate(all="ignore"):
        wanted = TABLE["recurrence"].fallback(a, b, axis=axis, reverse=reverse)
    assert found.dtype == dtype
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


def test_the_first_value_is_multiplied_by_nothing():
    a, b = np.full((2, 5), np.nan, "float32"), np.ones((2, 5), "float32")
    a[:, 1:] = 2
    np.testing.assert_array_equal(compiled(a, b, axis=1), [[1, 3, 7, 15, 31]] * 2)


def test_results_are_the_same_for_every_number_of_threads():
    rng = np.random.default_rng(0)
    a, b = (rng.uniform(-1, 1, (333, 400)).astype("float32") for _ in range(2))
    found = []
    for threads in (1, 2, 5):
        library.set_threads(threads)
        found.append([compiled(a, b, axis=axis) for axis in (0, 1)])
    for one in found[1:]:
        for k in range(2):
            np.testing.assert_array_equal(one[k], found[0][k])
