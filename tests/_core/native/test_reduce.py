"""Compiled reductions against NumPy's in double precision."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gluon._core.engine.op import TABLE
from gluon._core.kernels import reduce as plain
from gluon._core.native import loading
from gluon._core.native.loading import library, status
from gluon._core.native.stand_ins import STAND_INS
from tests._core.native.draws import shapes

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")

SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-42]


class Left(Exception):
    """Fail because the library did not compute the result."""


def compiled(name, x, **attributes):
    def left_to_numpy(*_, **__):
        raise Left

    return STAND_INS[name](left_to_numpy, x, **attributes)


@st.composite
def cases(draw):
    shape = draw(shapes([1, 2, 3, 16, 33, 70], least_axes=1))
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    x = rng.normal(size=shape).astype(draw(st.sampled_from(["float32", "float64"])))
    if draw(st.booleans()):
        places = rng.random(shape) < draw(st.sampled_from([0.001, 0.3]))
        x[places] = rng.choice(SPECIAL, places.sum())
    axes = draw(st.sets(st.integers(0, len(shape) - 1)))
    axis = draw(st.sampled_from([None, 0, -1, tuple(axes)]))
    return x, axis, draw(st.booleans())


@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "norm"])
def test_reductions(name):
    computed = 0

    @settings(max_examples=120)
    @given(cases())
    def run(case):
        nonlocal computed
        x, axis, keepdims = case
        with np.errstate(all="ignore"):
            wanted = getattr(plain, name)(x.astype(np.float64), axis=axis, keepdims=keepdims)
            try:
                found = compiled(name, x, axis=axis, keepdims=keepdims)
            except Left:
                return
            scale = np.where(np.isfinite(x), np.abs(x), 0).sum(axis, keepdims=keepdims)
        computed += 1
        assert found.shape == wanted.shape
        assert found.dtype == x.dtype
        if name in ("max", "min"):
            np.testing.assert_array_equal(found, wanted)
        else:
            close = np.abs(found - wanted) <= 4 * np.finfo(x.dtype).eps * (scale + 1)
            assert np.all(close | (found == wanted) | (np.isnan(found) & np.isnan(wanted)))

    with np.errstate(all="ignore"):
        run()
    assert computed


@pytest.mark.parametrize("name", ["argmax", "argmin"])
@settings(max_examples=80)
@given(case=cases())
def test_places(name, case):
    x, axis, keepdims = case
    axis = None if isinstance(axis, tuple) else axis
    try:
        found = compiled(name, x, axis=axis, keepdims=keepdims)
    except Left:
        return
    np.testing.assert_array_equal(found, getattr(x, name)(axis, keepdims=keepdims))


@pytest.mark.parametrize("name", ["argmax", "argmin"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(70, 16), (3, 90, 300), (1, 2, 4000), (5000, 17)])
def test_places_along_columns(name, dtype, shape):
    rng = np.random.default_rng(0)
    x = rng.normal(size=shape).round(1).astype(dtype)  # some values are there more than once
    places = rng.random(shape) < 0.05
    x[places] = rng.choice(SPECIAL, places.sum())
    x[..., 1] = np.inf
    x[..., 2] = -np.inf
    found = []
    for threads in (1, 4):
        library.set_threads(threads)
        found.append(compiled(name, x, axis=x.ndim - 2))
    library.set_threads(1)
    np.testing.assert_array_equal(found[0], getattr(x, name)(-2))
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("axis", [None, 0, 1, 2, (0, 2), (0, 1), (1, 2)])
@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "norm"])
def test_long_reductions_are_the_same_for_any_number_of_threads(name, axis):
    x = np.random.default_rng(0).normal(size=(70, 300, 170)).astype("float32")
    exact = getattr(plain, name)(x.astype(np.float64), axis=axis)
    found = []
    for threads in (1, 4):
        library.set_threads(threads)
        found.append(compiled(name, x, axis=axis))
    library.set_threads(1)
    np.testing.assert_array_equal(*found)
    np.testing.assert_allclose(found[0], exact, rtol=1e-6, atol=1e-4)


@settings(max_examples=60)
@given(case=cases())
def test_broadcasts_are_undone(case):
    x, axis, _ = case
    axes = {k % x.ndim for k in ((0,) if axis is None else np.atleast_1d(axis).astype(int))}
    shape = tuple(1 if k in axes else n for k, n in enumerate(x.shape))
    with np.errstate(all="ignore"):
        try:
            found = compiled("sum_to", x, shape=shape)
        except Left:
            return
        wanted = plain.sum_to(x.astype(np.float64), shape=shape)
    assert found.shape == shape
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-3)


def test_small_squares_are_left_to_the_plain_kernel():
    x = np.full((3, 100), 1e-30, "float32")
    found = STAND_INS["norm"](TABLE["norm"].fallback, x, axis=1)
    np.testing.assert_allclose(found, np.full(3, 1e-29), rtol=1e-6)
    x = np.full((3, 100), 1e30, "float32")
    found = STAND_INS["norm"](TABLE["norm"].fallback, x, axis=1)
    np.testing.assert_allclose(found, np.full(3, 1e31), rtol=1e-6)


def test_the_search_refuses_what_does_not_fit():
    search = loading.runner("search")
    x, y = np.ones((64, 64), "float32"), np.zeros(64, np.int64)
    assert search((x, y), (1, 64, 64, 1))
    assert search((x, y), (64, 64, 1, 0))
    assert not search((x, y), (64, 64, 1))
    large = 1 << 62
    for sizes in (
        (2, 64, 64),
        (0, 64, 64),
        (1, 4096, 1),
        (512, 8, 1),
        (-1, -64, 64),
        (large, large, 16),
        (4, 1 << 30, 1 << 30),
    ):
        assert not search((x, y), (*sizes, 1))
    assert not search((x, y[:63]), (64, 64, 1, 1))
    assert not search((x.T, y), (64, 64, 1, 1))
