"""Compiled normalization and its gradients against the plain kernels in double precision."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gluon._core.engine.op import TABLE
from gluon._core.kernels import normalization as plain
from gluon._core.native.loading import library, status
from gluon._core.native.stand_ins import STAND_INS
from tests._core.native.draws import shapes

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")

LENGTHS = [1, 2, 3, 16, 33, 70]


def compiled(name, *inputs, **attributes):
    """Return the result of the library; fail if it falls back to the plain kernel."""

    def left_to_numpy(*_, **__):
        pytest.fail(f"{name}: the library did not compute this")

    return STAND_INS[name](left_to_numpy, *inputs, **attributes)


def close(found, wanted, dtype, least=1.0):
    """Equal up to some units in the last place of the largest value, or of `least`."""
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == dtype
        assert one.shape == other.shape
        scale = max(np.abs(other).max(initial=0), least)
        np.testing.assert_allclose(one, other, rtol=0, atol=40 * np.finfo(dtype).eps * scale)


def magnified(x, axes, eps=1e-2):
    """By how much a deviation along `axes` that is small magnifies the rounding of a mean."""
    x = x.astype(np.float64)
    deviation = np.sqrt(x.var(axes) + eps)
    return max((np.abs(x).max(axes) / deviation).max(initial=0), 1.0)


def doubles(*arrays):
    return [x.astype(np.float64) for x in arrays]


@st.composite
def data(draw, least_axes):
    """Values with a drawn spread and mean, and a generator for more of them."""
    shape = draw(shapes(LENGTHS, least_axes))
    dtype = draw(st.sampled_from(["float32", "float64"]))
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    x = rng.normal(draw(st.sampled_from([0, 5])), 2, shape).astype(dtype)
    return x, lambda *shape: rng.normal(size=shape).astype(dtype)


def check_gradient(x, gamma, mean, var, axes, random):
    """Of g, where variances are not those of constants, whose gradients have few digits."""
    if 0 in axes and len(gamma) > 1:
        return  # the plain kernel does not take it either
    g = random(*x.shape)
    var = np.maximum(var, x.dtype.type(0.1))
    found = compiled("standardize_grad", g, x, gamma, mean, var, axes, 1e-5)
    exact = plain.standardize_grad(*doubles(g, x, gamma, mean, var), axes, 1e-5)
    close(found, exact, x.dtype, least=np.sqrt(x.size))  # sums may cancel


@settings(max_examples=60)
@given(case=data(1), place=st.integers(0, 3))
def test_batch_norm(case, place):
    x, random = case
    axis = place % x.ndim
    gamma, beta, mean = (random(x.shape[axis]) for _ in range(3))
    found = compiled("batch_norm", x, gamma, beta, axis=axis, eps=1e-2)
    shape, axes = plain.along(axis, x.ndim), plain.other_axes(axis, x.ndim)
    exact = plain.batch_norm(*doubles(x, gamma, beta), axis=axis, eps=1e-2)
    close(found, exact, x.dtype, magnified(x, axes))
    if axes:
        vectors = [v.reshape(shape).reshape([-1 if k == axis else 1 for k in range(x.ndim)])
                   for v in (gamma, *found[1:])]  # fmt: skip
        check_gradient(x, *vectors, axes, random)
    if prod(x.shape[axis + 1 :]) > 1:
        var = np.abs(random(len(mean))) + x.dtype.type(0.1)
        found = compiled("batch_norm_inference", x, gamma, beta, mean, var, axis=axis)
        exact = plain.batch_norm_inference(*doubles(x, gamma, beta, mean, var), axis=axis)
        close([found], [exact], x.dtype)


@settings(max_examples=60)
@given(case=data(1))
def test_layer_norm(case):
    x, random = case
    gamma, beta = random(x.shape[-1]), random(x.shape[-1])
    found = compiled("layer_norm", x, gamma, beta, eps=1e-2)
    exact = plain.layer_norm(*doubles(x, gamma, beta), eps=1e-2)
    close(found, exact, x.dtype, magnified(x, -1))
    gamma = gamma.reshape(plain.along(-1, x.ndim))
    check_gradient(x, gamma, *found[1:], (x.ndim - 1,), random)


@settings(max_examples=60)
@given(case=data(3), groups=st.integers(1, 70))
def test_instance_and_group_norm(case, groups):
    x, random = case
    gamma, beta = random(x.shape[1]), random(x.shape[1])
    found = compiled("instance_norm", x, gamma, beta, eps=1e-2)
    exact = plain.instance_norm(*doubles(x, gamma, beta), eps=1e-2)
    close(found, exact, x.dtype, magnified(x, tuple(range(2, x.ndim))))
    scale = gamma.reshape(1, -1, *(1,) * (x.ndim - 2))
    check_gradient(x, scale, *found[1:], tuple(range(2, x.ndim)), random)
    groups = max(n for n in range(1, min(groups, x.shape[1]) + 1) if x.shape[1] % n == 0)
    gamma, beta = random(groups), random(groups)
    found = compiled("group_norm", x, gamma, beta, num_groups=groups, eps=1e-2)
    exact = plain.group_norm(*doubles(x, gamma, beta), num_groups=groups, eps=1e-2)
    close(found, exact, x.dtype, magnified(x.reshape(len(x), groups, -1), -1))
    grouped = x.reshape(plain.grouped_shape(x.shape, groups))
    scale = gamma.reshape(1, -1, *(1,) * (grouped.ndim - 2))
    check_gradient(grouped, scale, *found[1:], tuple(range(2, grouped.ndim)), random)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 3e38, 1e-42])
@pytest.mark.parametrize("shape", [(4, 3, 40), (40, 3)])
def test_special_values_stay_with_their_channel(shape, value):
    x = np.random.default_rng(0).normal(size=shape).astype("float32")
    x[2, 1] = value
    ones = np.ones(3, "float32")
    with np.errstate(all="ignore"):
        wanted = plain.batch_norm(x, ones, ones)
    for one, other in zip(compiled("batch_norm", x, ones, ones), wanted, strict=True):
        np.testing.assert_array_equal(np.isfinite(one), np.isfinite(other))
        places = np.isfinite(other)
        np.testing.assert_allclose(one[places], other[places], rtol=1e-4, atol=1e-5)


def test_many_rows_and_channels_are_the_same_for_any_number_of_threads():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(16, 40, 33, 33)).astype("float32")
    gamma, beta = rng.normal(size=(2, 40)).astype("float32")
    shaped = [v.reshape(1, 40, 1, 1) for v in (gamma, gamma, gamma**2)]
    rows = x.reshape(-1, 40)
    row = [rng.random((len(rows), 1)).astype("float32") for _ in range(2)]

    def run():
        return [
            *compiled("batch_norm", x, gamma, beta),
            *compiled("standardize_grad", x, x, *shaped, (0, 2, 3), 1e-5),
            *compiled("layer_norm", rows, gamma, beta),
            *compiled("standardize_grad", rows, rows, gamma[None], *row, (1,), 1e-5),
        ]

    library.set_threads(1)
    one = run()
    library.set_threads(4)
    try:
        four = run()
    finally:
        library.set_threads(1)
    for a, b in zip(one, four, strict=True):
        np.testing.assert_array_equal(a, b)


def test_what_does_not_fit_is_left_to_the_plain_kernel():
    x, short = np.ones((4, 3, 8), "float32"), np.ones(2, "float32")
    for name in ("batch_norm", "instance_norm", "group_norm", "layer_norm"):
        with pytest.raises(ValueError, match="gamma and beta"):
            STAND_INS[name](TABLE[name].fallback, x, short, short)
    vector = np.ones(3, "float32")
    turned = np.asfortranarray(x)
    found = STAND_INS["batch_norm"](plain.batch_norm, turned, vector, vector)
    np.testing.assert_array_equal(found[0], plain.batch_norm(x, vector, vector)[0])
