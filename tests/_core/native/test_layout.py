"""Compiled copies between layouts and dtypes, choices and sorting against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gluon._core.engine.op import TABLE
from gluon._core.kernels import parallel
from gluon._core.native import layout, loading
from gluon._core.native.loading import library, status
from gluon._core.native.stand_ins import STAND_INS
from tests._core.native.draws import shapes

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")

DTYPES = st.sampled_from("bool int8 uint8 int16 float16 int32 float32 int64 float64".split())
LENGTHS = shapes([0, 1, 2, 3, 17, 70])
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-39, 1e-310, 65519.99, 65520, 6e-8, 3e38]


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch):
    monkeypatch.setattr(layout, "MANY", 1)


@st.composite
def arrays(draw, shape, dtype):
    """Return an array of `shape` in any layout: permuted, strided, reversed or broadcast axes."""
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    order = draw(st.permutations(range(len(shape))))
    steps = [draw(st.sampled_from([1, 1, 2, -1])) for _ in shape]
    lengths = [n if draw(st.integers(0, 5)) else 1 for n in shape]
    room = [abs(step) * lengths[k] + draw(st.integers(0, 1)) for k, step in enumerate(steps)]
    whole = rng.normal(scale=9, size=[room[k] for k in order])
    if np.dtype(dtype).kind == "f":
        places = rng.random(whole.shape) < 0.1
        whole[places] = rng.choice(SPECIAL, places.sum())
    with np.errstate(all="ignore"):
        x = whole.astype(dtype).transpose(np.argsort(order))
    x = x[tuple(slice(None, None, step) for step in steps)]
    x = x[tuple(slice(n) for n in lengths)]
    return np.broadcast_to(x, shape)


def assert_same(found, wanted):
    """Compare bits, except those within a NaN."""
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_array_equal(found, wanted)
    if found.dtype.kind == "f":
        np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))


def refuse(*_, **__):
    pytest.fail("the library did not compute this")


@settings(max_examples=150)
@given(LENGTHS, DTYPES, st.data())
def test_copies_into_any_layout(shape, dtype, data):
    x = data.draw(arrays(shape, dtype))
    order = data.draw(st.permutations(range(len(shape))))
    y = np.empty([shape[k] for k in order], dtype).transpose(np.argsort(order))
    assert layout.put(y, x) == (0 not in shape)
    assert_same(y, x)
    assert_same(STAND_INS["copy"](TABLE["copy"].fallback, x), x.copy())
    assert layout.in_order(x).flags.c_contiguous


@pytest.mark.parametrize("dtype", ["uint8", "float16", "float32", "float64"])
@pytest.mark.parametrize("axes", [(1, 0, 2), (0, 2, 1), (2, 0, 1), (1, 2, 0), (2, 1, 0)])
@pytest.mark.parametrize("shape", [(70, 129, 33), (3, 200, 300), (300, 200, 3), (5000, 2, 7)])
def test_large_arrays_are_turned_by_blocks(shape, axes, dtype):
    x = np.random.default_rng(0).integers(0, 200, shape).astype(dtype).transpose(axes)
    found = []
    for threads in (1, 3):
        before = parallel.set_threads(threads)
        found.append(STAND_INS["copy"](refuse, x))
        parallel.set_threads(before)
    for y in found:
        assert_same(y, np.ascontiguousarray(x))


# --------------------------------------------------------------------------------- dtypes


@settings(max_examples=150)
@given(LENGTHS, DTYPES, st.sampled_from(["float16", "float32", "float64", "int32"]), st.data())
def test_casts(shape, dtype, other, data):
    x, plain = data.draw(arrays(shape, dtype)), TABLE["cast"].fallback
    with np.errstate(all="ignore"):
        found, wanted = (cast(x, dtype=other) for cast in (plain_cast(plain), plain_cast(None)))
    assert found.strides == wanted.strides
    if other == "int32":  # where no integer is near, any number is allowed
        found, wanted = found[np.isfinite(x)], wanted[np.isfinite(x)]
    assert_same(found, wanted)


def plain_cast(plain):
    def cast(x, dtype):
        return STAND_INS["cast"](plain, x, dtype=dtype) if plain else x.astype(dtype)

    return cast


def in_rows_of(n, x):
    """The values of `x` in rows that are not contiguous in memory."""
    rows = np.zeros((-(-x.size // n), n + 1), x.dtype)
    rows[:, :n] = np.resize(x, (len(rows), n))
    return rows[:, :n]


def hard_for(halves, to):
    """Values of a dtype of 16 bits as `to`, what lies in the middle of two, and next to both."""
    with np.errstate(all="ignore"):
        exact = halves.astype(to)
        middle = (exact[:-1] / 2 + exact[1:] / 2).astype(to)
        every = np.concatenate([exact, middle])
        every = np.concatenate([every, np.nextafter(every, to(np.inf)), np.nextafter(every, to(0))])
        return np.concatenate([every, np.array(SPECIAL, to), -np.array(SPECIAL, to)])


# Rows of 7 are too short for instructions that convert 8 at a time.
@pytest.mark.parametrize("row", [7, 1 << 20])
@pytest.mark.parametrize("to", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_numbers_of_16_bits_are_rounded_to_the_nearest(name, to, row):
    kind = pytest.importorskip("ml_dtypes").bfloat16 if name == "bfloat16" else np.float16
    halves = np.arange(1 << 16, dtype=np.uint16).view(kind)
    x = in_rows_of(row, halves)
    with np.errstate(all="ignore"):
        assert_same(STAND_INS["cast"](refuse, x, dtype=to), x.astype(to))
        x = in_rows_of(row, hard_for(halves, to))
        found, wanted = STAND_INS["cast"](refuse, x, dtype=kind), x.astype(kind)
    odd = np.isnan(x)
    np.testing.assert_array_equal(np.isnan(found.astype(to)), odd)
    np.testing.assert_array_equal(found.view(np.uint16)[~odd], wanted.view(np.uint16)[~odd])


@pytest.mark.slow
@pytest.mark.parametrize("row", [7, 1 << 20])
def test_floats_of_the_whole_range_become_halves(row):
    x = np.arange(0, 1 << 32, 1021, dtype=np.uint64).astype(np.uint32).view(np.float32)
    x = in_rows_of(row, x)
    with np.errstate(all="ignore"):
        assert_same(STAND_INS["cast"](refuse, x, dtype="float16"), x.astype("float16"))


@pytest.mark.parametrize("name", ["float16", "float32", "float64", "int64"])
def test_casts_run_backward(name):
    from gluon import autograd, nd

    x = nd.array(np.arange(12.0).reshape(3, 4), dtype="float32")
    x.attach_grad()
    with autograd.record():
        y = x.T.astype(name if name != "int64" else "float64")
    y.backward()
    assert_same(x.grad.asnumpy(), np.ones((3, 4), "float32"))


# --------------------------------------------------------------------------------- choices


@settings(max_examples=150)
@given(LENGTHS, DTYPES, st.sampled_from(["bool", "uint8", "float32", "int64"]), st.data())
def test_choices_broadcast(shape, dtype, kind, data):
    plain = TABLE["where"].fallback
    x1, x2 = (data.draw(arrays(shape, dtype)) for _ in range(2))
    condition = data.draw(arrays(shape, kind))
    calls = [(condition, x1, x2)]
    if shape and shape[0]:
        row, column = (slice(1),), (..., slice(1))
        calls += [
            (condition, x1, x2[0]),
            (condition[row], x1, x2[column]),
            (condition, x1, x2[row]),
        ]
        calls += [(condition[column], x1, x2), (condition[0], x1[column], x2)]
    for inputs in calls:
        assert_same(STAND_INS["where"](plain, *inputs), plain(*inputs))


def test_choices_between_numbers_and_what_does_not_fit():
    plain = TABLE["where"].fallback
    x = np.random.default_rng(0).normal(size=(300, 70)).astype("float32")
    for pair in ((x, 0), (0.5, x), (x, -np.inf)):
        assert_same(STAND_INS["where"](refuse, x > 0, *pair), np.where(x > 0, *pair).astype("f4"))
    for wrong in ((x > 0, x, x[:5]), (x > 0, x, x.astype("float64")), (np.array(True), x, x)):
        try:
            wanted = plain(*wrong)
        except ValueError:
            with pytest.raises(ValueError, match="broadcast"):
                STAND_INS["where"](plain, *wrong)
        else:
            assert_same(np.asarray(STAND_INS["where"](plain, *wrong)), np.asarray(wanted))


# ----------------------------------------------------------------------------- shapes, sorting


@pytest.mark.parametrize("shape", [(-1,), (6, 4, 5), (5, 24), (4, 5, 6), (2, 2, 30)])
def test_reshape_makes_views_where_it_can(shape):
    whole = np.arange(240).reshape(4, 5, 12)[..., ::2]
    for x in (whole, whole.transpose(0, 2, 1), whole.T, whole[:, :1], whole[0]):
        for to in (shape, x.shape):
            try:
                wanted = x.reshape(to)
            except ValueError:
                with pytest.raises(ValueError, match="do not fit"):
                    STAND_INS["reshape"](TABLE["reshape"].fallback, x, shape=to)
                continue
            found = STAND_INS["reshape"](TABLE["reshape"].fallback, x, shape=to)
            assert_same(found, wanted)
            assert np.shares_memory(found, x) == np.shares_memory(wanted, x)


@settings(max_examples=100)
@given(LENGTHS.filter(bool), DTYPES, st.booleans(), st.data())
def test_sorting_along_any_axis(shape, dtype, is_ascend, data):
    x, plain = data.draw(arrays(shape, dtype)), TABLE["sort"].fallback
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    found = STAND_INS["sort"](plain, x, axis=axis, is_ascend=is_ascend)
    np.testing.assert_array_equal(found, plain(x, axis=axis, is_ascend=is_ascend))
    assert found.dtype == x.dtype


def test_sorted_lines_are_the_same_for_every_number_of_threads():
    x = np.random.default_rng(0).normal(size=(300, 2000)).round(2).astype("float32")
    found = []
    for threads in (1, 3):
        before = parallel.set_threads(threads)
        found.append([STAND_INS["sort"](refuse, x, axis=axis) for axis in (0, 1)])
        parallel.set_threads(before)
    for one, other, axis in zip(*found, (0, 1)):
        assert one.tobytes() == other.tobytes()
        np.testing.assert_array_equal(one, np.sort(x, axis))


# --------------------------------------------------------------------------------- refusals


def test_a_kernel_refuses_what_does_not_fit():
    run, choose = loading.runner("layout"), loading.runner("choose")
    x, y = np.ones((4, 5), "float32"), np.zeros((4, 5), "float32")
    read_only = y.copy()
    read_only.flags.writeable = False
    unaligned = np.zeros(81, "uint8")[1:].view("float32").reshape(4, 5)
    wrong = (y[:, :4], y[:3], y[0], y[:, ::2], y[:, ::-1], read_only, np.broadcast_to(y, (4, 5)))
    for z in (*wrong, np.zeros((4, 10), "float32")[:, ::2], unaligned, y.astype("int32")):
        assert not run((x, z))
    for arrays_ in ((x,), (x, y, y), (np.ones(()), None), (x.astype("S3"), y), (x[:0], y[:0])):
        assert not run(arrays_)
    flags = x > 0
    assert choose((x, x, flags, y))
    for arrays_ in (
        (x, x, x, y),
        (x, x.astype("int32"), flags, y),
        (x, x, flags[:3], y),
        (x[:3], x, flags, y),
        (x, x, flags, read_only),
        (x, x, flags, unaligned),
        (x, x, y),
    ):
        assert not choose(arrays_)
