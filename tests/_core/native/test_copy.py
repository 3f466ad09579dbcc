"""Compiled copies, choices and limits against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gluon._core.engine.op import TABLE
from gluon._core.native import copy, layout, loading
from gluon._core.native.loading import library, status
from gluon._core.native.stand_ins import STAND_INS
from tests._core.native.draws import shapes

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")

SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-42]
DTYPES = st.sampled_from(["float32", "float64", "int32", "int64"])
FLOATS = st.sampled_from(["float32", "float64"])
SHAPES = shapes([0, 1, 2, 3, 17, 70], least_axes=1)


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch):
    for module in (copy, layout):
        monkeypatch.setattr(module, "MANY", 1)


@st.composite
def arrays(draw, shapes=SHAPES, dtypes=DTYPES):
    """An array, perhaps a view, with special values among others where there are any."""
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    shape = draw(shapes)
    x = rng.normal(scale=9, size=(*shape[:-1], shape[-1] + 2))
    kind = np.dtype(draw(dtypes))
    if kind.kind == "f":
        places = rng.random(x.shape) < 0.1
        x[places] = rng.choice(SPECIAL, places.sum())
    view = draw(st.sampled_from(["whole", "part", "turned", "back", "stretched"]))
    x = x.astype(kind)[..., 1:-1]
    if view == "whole":
        x = x.copy()
    elif view == "turned":
        x = x.T.copy().T
    elif view == "back":
        x = x[::-1]
    elif view == "stretched":
        x = np.broadcast_to(x[:1], x.shape)
    return x


def check(name, *inputs, **attributes):
    """The same values, signs of zeros included, of the same dtype and shape."""
    plain = TABLE[name].fallback
    with np.errstate(all="ignore"):
        found = STAND_INS[name](plain, *inputs, **attributes)
        wanted = plain(*inputs, **attributes)
    assert found.dtype == wanted.dtype
    assert found.shape == wanted.shape
    np.testing.assert_array_equal(found, wanted)
    if found.dtype.kind == "f" and name != "clip":
        numbers = ~np.isnan(wanted)
        np.testing.assert_array_equal(np.signbit(found)[numbers], np.signbit(wanted)[numbers])


@settings(max_examples=40)
@given(arrays(), FLOATS, st.data())
def test_new_arrays(x, dtype, data):
    for name in ("copy", "zeros_like", "ones_like"):
        check(name, x)
    check("zeros_like", x, dtype=dtype)
    check("cast", x, dtype=dtype)
    borders = st.tuples(st.integers(0, 3), st.integers(0, 3))
    values = [2, 0.0, -0.0, 0.1, -np.inf, np.nan] if x.dtype.kind == "f" else [2]
    value = data.draw(st.sampled_from(values))
    check("pad", x, width=[data.draw(borders) for _ in x.shape], value=value)
    for axis in (None, *range(-x.ndim, x.ndim)):
        check("repeat", x, repeats=data.draw(st.integers(0, 3)), axis=axis)
    check("tile", x, reps=tuple(data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=5))))


@settings(max_examples=40)
@given(arrays(), st.data())
def test_arrays_of_arrays(x, data):
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    others = [x[::-1], np.take(x, [0, 0], axis) if x.size else x]
    check("concat", x, *others[: data.draw(st.integers(0, 2))], axis=axis)
    check("stack", x, others[0], axis=axis)
    check("stack", *[x] * 70, axis=axis)
    with pytest.raises(ValueError, match=r"must match|same shape|dimensions"):
        check("stack", x, np.ones((*x.shape, 2), x.dtype), axis=axis)


@settings(max_examples=40)
@given(arrays(dtypes=FLOATS), st.sampled_from(["bool", "uint8", "int32", "float32"]), st.data())
def test_choices(x, kind, data):
    rng = np.random.default_rng(0)
    condition = rng.integers(0, 3, x.shape).astype(kind)
    if kind == "float32":
        condition[rng.random(x.shape) < 0.3] = np.nan
    number = data.draw(st.sampled_from([0.0, 2, -np.inf, np.array(3, x.dtype)]))
    for pair in ((x, x[::-1].copy()), (number, x), (x, number)):
        check("where", condition, *pair)
    check("where", condition[:1], x, x[:1])
    check("clip", x, a_min=-1.5, a_max=0.1)
    check("clip", x, a_min=-np.inf, a_max=2)


@settings(max_examples=40)
@given(arrays(), st.data())
def test_reductions_undone(x, data):
    every = tuple(range(x.ndim))
    axes = data.draw(st.lists(st.sampled_from(every), unique=True, min_size=1).map(tuple))
    one = x[tuple(slice(0, 1) if k in axes else slice(None) for k in every)]
    for length in (0, 3, 200 if len(axes) == 1 else 5):
        shape = tuple(length if k in axes else n for k, n in enumerate(x.shape))
        if all(one.shape[k] == 1 for k in axes):
            check("restore", one, axis=axes, shape=shape)
            check("restore", one.squeeze(axes), axis=axes, shape=shape)
    check("restore", np.array(2, x.dtype), axis=None, shape=x.shape)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(5, 7, 3), (7, 5, 2, 500), (2, 1, 1), (3, 4)])
def test_masks_of_sequences(shape, axis):
    x = np.random.default_rng(0).normal(size=shape).astype("float32")
    length = np.arange(shape[1 - axis]).astype("float32") - 1
    for value in (0, np.nan):
        check("sequence_mask", x, length, value=value, axis=axis)
    with pytest.raises(ValueError, match="one length for each"):
        check("sequence_mask", x, np.ones(9), axis=axis)


def test_many_values_are_copied_in_parts():
    x = np.random.default_rng(0).normal(size=(70, 5003)).astype("float32")
    for width in ([(1, 0), (3, 2)], [(2, 3), (0, 0)]):
        check("pad", x, width=width, value=7)
    for width in ([(0, 0), (4000, 1)], [(40000, 40000), (0, 1)]):
        check("pad", x[:, :3], width=width, value=7)
    check("pad", x.reshape(2, 7, 5, 5003), width=[(0, 1), (0, 0), (1, 0), (0, 0)])
    check("pad", x.reshape(2, 7, 5, 5003)[:, ::2], width=[(0, 1), (0, 0), (1, 0), (0, 0)])
    check("concat", x, x[:, :1], x[:, ::-1], x[:, :3000], axis=1)
    check("concat", x, x[:1], x[::-1])
    check("tile", x, reps=(2, 1))
    check("repeat", x, repeats=3, axis=0)
    check("repeat", x.reshape(70, -1, 5003), repeats=2, axis=-2)
    check("stack", x, x[::-1], axis=1)
    check("cast", x, dtype="float64")
    check("where", x > 0, x, x[::-1].copy())
    check("sequence_mask", x.reshape(70, 5003, 1), np.arange(5003) % 80, value=0.0)
    check("sequence_mask", x.reshape(70, 5003, 1), np.arange(5003) % 80, value=-0.0)
    check("restore", x[:1], axis=0, shape=(70, 5003))
    check("restore", x[:, 0], axis=1, shape=(70, 5003))


def test_a_kernel_refuses_what_does_not_fit():
    x, y = np.ones((4, 5), "float32"), np.zeros((4, 5), "float32")
    read_only = y.copy()
    read_only.flags.writeable = False
    for pair in (
        (x, y[:, :4]),
        (x, y[:, ::2]),
        (x, read_only),
        (x, y.astype("int32")),
        (x, y.astype("float64")),
        (x,),
    ):
        assert not loading.runner("copy")(pair)
        assert not loading.runner("copy")((x, y, *pair))
    pad, wide = loading.runner("pad"), np.full((6, 8), 7, "float32")
    assert pad((x, wide), (2, 3), (1.0,))
    for pair, places in (
        ((x, wide), (3, 3)),
        ((x, wide), (2, 4)),
        ((x, wide), (-1, 0)),
        ((x, wide), (0, 1 << 62)),
        ((x, wide), (0,)),
        ((x, wide), (0, 0, 0)),
        ((x[0], wide), (0,)),
        ((x[:, ::2], wide), (0, 0)),
        ((x[:0], wide), (0, 0)),
        ((x, wide[:, ::2]), (0, 0)),
        ((x, wide.astype("float64")), (0, 0)),
        ((x.astype("int32"), wide.astype("int32")), (0, 0)),
        ((x, read_only), (0, 0)),
        ((x, None), (0, 0)),
        ((x,), (0, 0)),
    ):
        assert not pad(pair, places, (1.0,))
    assert not pad((x, wide), (2, 3))
    mask_rows, keep, zero = loading.runner("mask_rows"), x[:, 0] > 0, np.zeros(1, "float32")
    assert mask_rows((x, keep, zero, y))
    for arrays_ in (
        (x, keep[:3], zero, y),
        (x, keep[:0], zero, y),
        (x, keep.astype("int32"), zero, y),
        (x, keep, keep, y),
        (x, keep, y, y),
        (x, keep, zero, y[:2]),
        (x, keep, zero, read_only),
        (x, keep, zero),
    ):
        assert not mask_rows(arrays_)
    assert not loading.runner("limit")((x, y[:3]), (), (0.0, 1.0))
    assert not loading.runner("limit")((x, read_only), (), (0.0, 1.0))
