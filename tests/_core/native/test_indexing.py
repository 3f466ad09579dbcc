"""Rows picked and added up by index, compiled, against the plain kernels."""

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


def compiled(name, *inputs, **attributes):
    """Return the result of the library; fail if it falls back to the plain kernel."""

    def plain(*_, **__):
        pytest.fail(f"{name}: the library did not compute this")

    return STAND_INS[name](plain, *inputs, **attributes)


def check(name, *inputs, **attributes):
    found = compiled(name, *inputs, **attributes)
    wanted = TABLE[name].fallback(*inputs, **attributes)
    assert found.dtype == wanted.dtype
    scale = np.abs(wanted[np.isfinite(wanted)]).max(initial=0)  # sums of values that cancel
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=5e-4 + 1e-5 * scale)
    return found


@settings(max_examples=60)
@given(
    shape=st.lists(st.sampled_from([1, 2, 7, 40]), min_size=0, max_size=3),
    width=st.sampled_from([(33,), (5, 7), (200,)]),
    size=st.sampled_from([1, 3, 50, 3000]),
    mode=st.sampled_from(["clip", "wrap"]),
    dtype=st.sampled_from(["float32", "float64"]),
    seed=st.integers(0, 1 << 30),
)
def test_drawn_sums_of_rows(shape, width, size, mode, dtype, seed):
    rng = np.random.default_rng(seed)
    indices = np.asarray(rng.integers(-size - 2, size + 3, shape))
    x = rng.normal(size=(*shape, *width)).astype(dtype)
    check("take_grad", x, indices, axis=0, mode=mode, size=size)
    inside = np.asarray(rng.integers(-size, size, shape))
    check("scatter_add", x, key=inside, shape=(size, *width))
    both = np.stack([np.asarray(rng.integers(0, n, shape)) for n in (size, 3)])
    check("scatter_add", x, key=tuple(map(np.asarray, both)), shape=(size, 3, *width))
    check("gather_nd_grad", x, both, shape=(size, 3, *width))


@settings(max_examples=60)
@given(
    outer=st.sampled_from([(2,), (3, 5), (200,)]),
    shape=st.lists(st.sampled_from([1, 2, 7, 40]), min_size=0, max_size=2),
    width=st.sampled_from([(), (3,), (33,)]),
    size=st.sampled_from([1, 3, 50, 300]),
    dtype=st.sampled_from(["float32", "float64"]),
    seed=st.integers(0, 1 << 30),
)
def test_drawn_sums_along_later_axes(outer, shape, width, size, dtype, seed):
    rng = np.random.default_rng(seed)
    indices = np.asarray(rng.integers(-size - 2, size + 3, shape))
    x = rng.normal(size=(*outer, *shape, *width)).astype(dtype)
    check("take_grad", x, indices, axis=len(outer), mode="wrap", size=size)
    own = rng.integers(0, size, (*outer, 70))
    check("put_along", rng.normal(size=own.shape).astype(dtype), own, axis=-1, size=size)


@settings(max_examples=60)
@given(
    lengths=shapes([1, 3, 50], 1, 2) | st.just((3, 20, 9)),
    after=st.sampled_from([(), (3,), (5, 7), (33,)]),
    shape=st.lists(st.sampled_from([1, 2, 7, 40]), min_size=0, max_size=2).map(tuple),
    kind=st.sampled_from(["int32", "int64", "float32"]),
    dtype=st.sampled_from(["float32", "float64", "int32", "int64"]),
    seed=st.integers(0, 1 << 30),
)
def test_drawn_rows(lengths, after, shape, kind, dtype, seed):
    rng = np.random.default_rng(seed)
    x = (rng.normal(size=(*lengths, *after)) * 9).astype(dtype)
    drawn = [np.asarray(rng.integers(-n, n, shape)) for n in lengths]
    indices = np.stack(drawn).astype(kind)
    check("gather_nd", x, indices)
    check("gather_nd", x, indices[:, None][:, ::-1])
    for mode, far in (("clip", 3), ("wrap", 3), ("raise", 0)):
        places = rng.integers(-far, lengths[0] + far, shape).astype(kind)
        check("take", x, np.asarray(places), axis=0, mode=mode)
    lines = x.reshape(-1, x.shape[-1])
    index = rng.integers(-2, x.shape[-1] + 2, len(lines)).astype(kind)
    check("pick_grad", lines[:, 0], index, axis=1, mode="clip", shape=lines.shape)


@pytest.mark.parametrize("width", [1, 3, 32])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_short_rows_in_groups(width, dtype):
    """Of more sums than one group holds: of many picks, of one and of a row that all name."""
    rng = np.random.default_rng(width)
    size = 40000 // width
    for places in (rng.integers(0, size, 5000), np.array([size - 1]), np.full(5000, 7)):
        x = rng.normal(size=(len(places), width)).astype(dtype)
        check("take_grad", x, places, axis=0, mode="clip", size=size)
        check("gather_nd_grad", x, places[None].astype("int32"), shape=(size, width))


@settings(max_examples=80)
@given(
    outer=st.sampled_from([(), (1,), (3, 5), (700,)]),
    inner=st.sampled_from([(), (1,), (4,), (3, 50)]),
    n=st.sampled_from([1, 2, 40, 257]),
    kind=st.sampled_from(["int32", "int64", "uint8", "float32"]),
    dtype=st.sampled_from(["float32", "float64", "int32", "int64"]),
    mode=st.sampled_from(["clip", "wrap", "raise"]),
    keepdims=st.booleans(),
    seed=st.integers(0, 1 << 30),
)
def test_drawn_picks(outer, inner, n, kind, dtype, mode, keepdims, seed):
    rng = np.random.default_rng(seed)
    x = (rng.normal(size=(*outer, n, *inner)) * 9).astype(dtype)
    if x.dtype.kind == "f":
        x.flat[0] = np.nan
    far = 0 if mode == "raise" else 3 * n
    low = 0 if kind == "uint8" else -far
    index = np.asarray(rng.integers(low, n + far, (*outer, *inner))).astype(kind)
    axis = len(outer) - x.ndim if seed % 2 else len(outer)
    if keepdims:
        index = np.expand_dims(index, axis)
    if index.ndim:
        index = np.repeat(index, 2, -1)[..., ::2]  # is not contiguous
    plain = TABLE["pick"].fallback
    y = compiled("pick", x, index, axis=axis, keepdims=keepdims, mode=mode)
    wanted = plain(x, index, axis=axis, keepdims=keepdims, mode=mode)
    assert (y.dtype, y.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_array_equal(y, wanted)
    for g in (y, y.T.copy().T):
        found = compiled("pick_grad", g, index, axis=axis, mode=mode, shape=x.shape)
        wanted = TABLE["pick_grad"].fallback(g, index, axis=axis, mode=mode, shape=x.shape)
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)


def test_many_values_are_picked_in_parts():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40000, 3)).astype("float32")
    index = rng.integers(0, 3, 40000)
    found = compiled("pick", x, index)
    np.testing.assert_array_equal(found, x[np.arange(40000), index])
    back = compiled("pick_grad", found, index, axis=1, mode="clip", shape=x.shape)
    np.testing.assert_array_equal(back, np.where(index[:, None] == np.arange(3), x, 0))


def test_picks_outside_or_of_other_shapes_are_errors():
    x, index = np.ones((3, 5), "float32"), np.array([0, 4, 2])
    for wrong in ([0, 5, 0], [0, -1, 0], [0, 1 << 62, 0]):
        wrong = np.array(wrong)
        with pytest.raises(IndexError, match="out of range for an axis of length 5"):
            STAND_INS["pick"](TABLE["pick"].fallback, x, wrong, mode="raise")
    for axis, error in ((0, ValueError), (2, IndexError), (-3, IndexError)):
        with pytest.raises(error):
            STAND_INS["pick"](TABLE["pick"].fallback, x, index, axis=axis)
    with pytest.raises(ValueError, match="mode="):
        STAND_INS["pick"](TABLE["pick"].fallback, x, index, mode="other")
    with pytest.raises(ValueError, match="reshape"):
        STAND_INS["pick_grad"](
            TABLE["pick_grad"].fallback, x, index, axis=1, mode="clip", shape=(3, 5)
        )
    pick, grad = (library.KERNELS.index(name) for name in ("pick", "pick_grad"))
    y, read_only = np.zeros(3, "float32"), np.zeros(3, "float32")
    read_only.flags.writeable = False
    assert library.run(pick, (x, index, y), (3, 5, 1, 0), ())
    assert library.run(grad, (y, index, x), (3, 5, 1, 0), ())
    for sizes in ((3, 5, 1), (3, 5, 1, 3), (3, 5, 1, -1), (5, 3, 1, 0), (3, 1, 5, 0), (0, 5, 1, 0)):
        assert not library.run(pick, (x, index, y), sizes, ())
        assert not library.run(grad, (y, index, x), sizes, ())
    for arrays in (
        (x, index, y[:2]),
        (x, index, y.astype("float64")),
        (x, index, read_only),
        (x, index[:2], y),
        (x, index.astype("float32"), y),
        (x, np.zeros(6, np.int64)[::2], y),
        (x[:, :4], index, y),
        (x, index),
    ):
        assert not library.run(pick, arrays, (3, 5, 1, 0), ())
    assert not library.run(pick, (x, np.array([0, 5, 0]), y), (3, 5, 1, 2), ())
    assert not library.run(pick, (x, index, y), (1 << 62, 5, 4, 0), ())


def test_places_counted_from_the_end_are_left_to_numpy():
    x, places = np.ones((3, 4), "float32"), np.array([[0, -1, 2, -4]] * 3)
    plain = TABLE["put_along"].fallback
    found = STAND_INS["put_along"](plain, x, places, axis=1, size=4)
    np.testing.assert_array_equal(found, [[2, 0, 1, 1]] * 3)


def test_nan_and_infinities_reach_their_rows_alone():
    x = np.ones((3, 40), "float32")
    x[0, 1], x[1, 2], x[2, 2] = np.nan, np.inf, -np.inf
    with np.errstate(invalid="ignore"):
        check("take_grad", x, np.array([4, 2, 2]), axis=0, mode="clip", size=6)


def test_sums_are_the_same_for_every_number_of_threads():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(4000, 64)).astype("float32")
    places = rng.integers(0, 5000, 4000) % 700
    for rows in (x, x[:, :20].copy()):
        found = []
        for threads in (1, 2, 5):
            library.set_threads(threads)
            found.append(compiled("take_grad", rows, places, axis=0, mode="clip", size=5000))
        for one in found[1:]:
            np.testing.assert_array_equal(one, found[0])


def test_indices_out_of_range_are_an_error_and_touch_nothing():
    x = np.ones((2, 40), "float32")
    plain = TABLE["take_grad"].fallback
    for wrong in ([0, 5], [-1, 0], [1 << 60, 0]):
        with pytest.raises(IndexError, match="for an axis of length 5"):
            STAND_INS["take_grad"](plain, x, np.array(wrong), axis=0, mode="raise", size=5)
        number = library.KERNELS.index("add_rows")
        y = np.full((5, 40), 3, "float32")
        assert not library.run(number, (x, np.array(wrong), y), (1, 2, 40, 5, 0), ())
        assert (y == 3).all()
    for sizes in [
        (1, 2, 41, 5, 0),
        (1, 3, 40, 5, 0),
        (1, 2, 40, 6, 0),
        (1, 2, 40, -5, 0),
        (2, 2, 40, 5, 0),
        (2, 1, 40, 5, 1),
        (1, 1 << 62, 4, 5, 0),
        (1 << 32, 1 << 32, 1, 5, 0),
    ]:
        y = np.full((5, 40), 3, "float32")
        assert not library.run(number, (x, np.array([0, 1]), y), sizes, ())


def test_places_and_rows_outside_touch_nothing():
    x = np.ones((4, 5), "float32")
    flat, take = (library.KERNELS.index(name) for name in ("flat_places", "take_rows"))
    for indices in ([[0, 4], [0, 0]], [[0, 0], [0, -6]], [[0, 1 << 62], [0, 0]]):
        found = np.zeros(2, np.int64)
        assert not library.run(flat, (np.array(indices), found), (4, 5), ())
        with pytest.raises(IndexError, match="out of bounds"):
            STAND_INS["gather_nd"](TABLE["gather_nd"].fallback, x, np.array(indices))
    good, places = np.array([[0, 3], [-1, 4]]), np.zeros(2, np.int64)
    assert library.run(flat, (good, places), (4, 5), ())
    assert places.tolist() == [4, 19]
    for lengths in ((4,), (4, 5, 1), (4, 0), (1 << 62, 1 << 62), ()):
        assert not library.run(flat, (good, places), lengths, ())
    assert not library.run(flat, (good.astype("float64"), places), (4, 5), ())
    y = np.full((2, 5), 3, "float32")
    rows = np.array([0, 3])
    assert library.run(take, (x, rows, y.copy()), (5,), ())
    for wrong, width in (([0, 4], 5), ([-1, 0], 5), ([0, 1], 4), ([0, 1], 0), ([0], 5)):
        assert not library.run(take, (x, np.array(wrong), y), (width,), ())
    assert not library.run(take, (x, rows, y.astype("int32")), (5,), ())
    assert (y == 3).all()
