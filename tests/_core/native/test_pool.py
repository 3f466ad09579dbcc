"""Compiled pooling and its gradients against the plain kernels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gluon._core.kernels import pool as plain
from gluon._core.native.loading import library, status
from gluon._core.native.stand_ins import STAND_INS

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")


def compiled(name, *inputs, **attributes):
    """Return the result of the library; fail if it falls back to the plain kernel."""

    def left_to_numpy(*_, **__):
        pytest.fail(f"{name}: the library did not compute this")

    return STAND_INS[name](left_to_numpy, *inputs, **attributes)


@st.composite
def cases(draw):
    """Data and windows over one to three axes, some of which reach beyond the border."""
    axes = draw(st.integers(1, 3))
    size = [draw(st.sampled_from([1, 2, 5, 8, 19])) for _ in range(axes)]
    kernel = [draw(st.integers(1, n)) for n in size]
    stride = [draw(st.integers(1, 4)) for _ in range(axes)]
    convention = draw(st.sampled_from(plain.CONVENTIONS))
    pad = [0 if convention == "same" else draw(st.integers(0, k - 1)) for k in kernel]
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    shape = (draw(st.integers(1, 3)), draw(st.integers(1, 4)), *size)
    # integers: maxima that occur more than once, and exact sums
    x = rng.integers(-5, 5, shape).astype(draw(st.sampled_from(["float32", "float64"])))
    window = {"kernel": tuple(kernel), "stride": tuple(stride), "pad": tuple(pad)}
    return x, {**window, "convention": convention}, rng


SPECIAL = [0.0, np.inf, -np.inf, np.nan, 1e-42, 3e38, float(np.finfo(np.float32).min)]


@settings(max_examples=150)
@given(case=cases(), special=st.booleans())
def test_maxima_and_their_gradients(case, special):
    x, window, rng = case
    if special:
        places = rng.random(x.shape) < 0.3
        x[places] = rng.choice(SPECIAL, places.sum())
    y = compiled("max_pool", x, **window)
    wanted = plain.max_pool(x, **window)
    np.testing.assert_array_equal(y, wanted)
    g = rng.integers(1, 9, y.shape).astype(x.dtype)
    found = compiled("max_pool_grad", g, x, y, **window)
    np.testing.assert_array_equal(found, plain.max_pool_grad(g, x, y, **window))
    t = rng.integers(1, 9, x.shape).astype(x.dtype)
    found = compiled("max_pool_push", t, x, y, **window)
    np.testing.assert_array_equal(found, plain.max_pool_push(t, x, y, **window))


@settings(max_examples=150)
@given(case=cases(), divide_by=st.sampled_from(plain.DIVISORS))
def test_sums_and_their_gradients(case, divide_by):
    x, window, rng = case
    wanted = plain.sum_pool(x, divide_by=divide_by, **window)
    if wanted[0, 0].size > 1:
        y = compiled("sum_pool", x, divide_by=divide_by, **window)
        np.testing.assert_allclose(y, wanted, rtol=1e-6, atol=1e-6)
        assert y.dtype == x.dtype
    g = rng.integers(1, 9, wanted.shape).astype(x.dtype)
    attributes = {"shape": x.shape[2:], "divide_by": divide_by, **window}
    found = compiled("sum_pool_grad", g, **attributes)
    np.testing.assert_allclose(found, plain.sum_pool_grad(g, **attributes), rtol=1e-5)


@pytest.mark.parametrize("p", [1, 2])
def test_roots_of_sums_of_powers(p):
    x = np.random.default_rng(0).random((2, 3, 9, 11)).astype("float32")
    window = {"kernel": (3, 2), "stride": (2, 1), "pad": (1, 0)}
    wanted = plain.lp_pool(x, p=p, **window)
    np.testing.assert_allclose(compiled("lp_pool", x, p=p, **window), wanted, rtol=1e-6)


def test_what_does_not_fit_is_left_to_the_plain_kernel():
    x = np.arange(96.0).reshape(2, 3, 4, 4)
    window = {"kernel": 2, "stride": 2}
    turned = STAND_INS["max_pool"](plain.max_pool, np.asfortranarray(x), **window)
    np.testing.assert_array_equal(turned, plain.max_pool(x, **window))
    whole = x.astype(np.int32)
    found = STAND_INS["max_pool"](plain.max_pool, whole, **window)
    np.testing.assert_array_equal(found, plain.max_pool(whole, **window))
    with pytest.raises(ValueError, match="kernel"):
        STAND_INS["max_pool"](plain.max_pool, x, kernel=9)
