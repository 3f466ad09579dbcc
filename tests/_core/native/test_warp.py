"""Compiled reading between pixels, and resizing, against the plain kernels in double precision."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gluon._core.engine.op import TABLE
from gluon._core.kernels import parallel
from gluon._core.native.loading import library, status
from gluon._core.native.stand_ins import STAND_INS
from tests._core.native.plain import refuse

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")


def compare(name: str, arrays: list, images: object, attributes: dict) -> None:
    plain = TABLE[name].fallback
    with np.errstate(all="ignore"):
        found = STAND_INS[name](refuse, *arrays, images, **attributes)
        wanted = plain(*[x.astype(np.float64) for x in arrays], images, **attributes)
    for one, other in zip(*(x if type(x) is tuple else (x,) for x in (found, wanted))):
        assert one.shape == other.shape
        assert one.dtype == np.float32
        np.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-5)


@st.composite
def cases(draw):
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    size = draw(st.sampled_from([(1, 1), (1, 5), (4, 3), (9, 12)]))
    shape = (draw(st.integers(1, 3)), draw(st.sampled_from([1, 2, 9])), *size)
    points = draw(st.sampled_from([1, 7, 255, 256, 300]))
    own = draw(st.booleans())
    lists = shape[0] if own else draw(st.integers(1, 4))
    images = None if own else rng.integers(-1, shape[0], lists)
    places = [
        rng.uniform(-3, n + 2, (lists, points)).round(draw(st.sampled_from([0, 1, 5])))
        for n in size
    ]
    for at in places:
        at[rng.random(at.shape) < 0.02] = rng.choice([np.inf, -np.inf, np.nan, 1e30, -1e30, 1e-42])
    rows, columns = (at.astype("f") for at in places)
    return (
        rng.normal(size=shape).astype("f"),
        rng.normal(size=(lists, shape[1], points)).astype("f"),
        rows,
        columns,
        images,
        draw(st.sampled_from(["zero", "deform", "part", "align"])),
        draw(st.sampled_from([(0, 0), (1, 0), (0, 1), (1, 1)])),
    )


@settings(max_examples=150)
@given(cases())
def test_pictures_are_read_between_pixels(case):
    x, values, rows, columns, images, border, slope = case
    where = {"border": border, "slope": slope}
    compare("sample", [x, rows, columns], images, where)
    compare("sample_grad", [values, rows, columns], images, {"shape": x.shape, **where})
    where["slope"] = (0, 0)
    compare("sample_slopes", [x, values, rows, columns], images, where)


def test_pixels_that_are_no_numbers_stay_where_they_are():
    x = np.full((1, 1, 4, 4), np.nan, "f")
    x[0, 0, :3, :3] = 1
    rows, columns = np.array([[0.5, 9.0, -9.0, 2.5]], "f"), np.array([[1.0, 9.0, 0.0, 1.0]], "f")
    y = STAND_INS["sample"](refuse, x, rows, columns)
    np.testing.assert_array_equal(y[0, 0], [1, 0, 0, np.nan])


def test_a_picture_that_is_not_there_is_left_to_the_plain_kernel():
    x, at = np.ones((1, 1, 4, 4), "f"), np.ones((1, 3), "f")
    with pytest.raises(IndexError, match="out of range for 1"):
        STAND_INS["sample"](TABLE["sample"].fallback, x, at, at, np.array([1]))


@pytest.mark.parametrize("name", ["resize", "resize_grad"])
@pytest.mark.parametrize("align_corners", [True, False])
@pytest.mark.parametrize("method", ["bilinear", "average"])
@pytest.mark.parametrize(
    ("size", "out"),
    [
        ((5, 7), (9, 13)),
        ((9, 13), (5, 7)),
        ((1, 4), (3, 1)),
        ((8, 8), (8, 8)),
        ((3, 2), (200, 300)),
    ],
)
def test_pictures_get_another_size(name, method, align_corners, size, out):
    x = np.random.default_rng(0).normal(size=(2, 3, *size)).astype("f")
    x[0, 0, 0, 0], x[0, 1, 0, -1], x[1, 2, -1, 0] = np.inf, np.nan, 1e-42
    attributes = {"size": out, "method": method, "align_corners": align_corners}
    plain = TABLE[name].fallback
    found = STAND_INS[name](plain, x, **attributes)
    np.testing.assert_allclose(found, plain(x.astype("d"), **attributes), rtol=1e-5, atol=1e-5)


def test_interpolation_is_compiled():
    x = np.ones((1, 1, 5, 7), "f")
    for name, size in (("resize", (9, 13)), ("resize_grad", (3, 4))):
        STAND_INS[name](refuse, x, size=size, method="bilinear")


def test_results_are_the_same_for_every_number_of_threads():
    rng = np.random.default_rng(0)
    x, g = (rng.normal(size=(3, 2, *n)).astype("f") for n in ((90, 90), (5000,)))
    at = [rng.uniform(-2, 91, (3, 5000)).astype("f") for _ in range(2)]
    resized = {"size": (200, 310), "method": "bilinear"}
    found = []
    for threads in (1, 3):
        before = parallel.set_threads(threads)
        found.append(
            [
                STAND_INS["sample"](refuse, x, *at),
                STAND_INS["sample_grad"](refuse, g, *at, shape=x.shape),
                *STAND_INS["sample_slopes"](refuse, x, g, *at),
                STAND_INS["resize"](refuse, x, **resized),
            ]
        )
        parallel.set_threads(before)
    for one, other in zip(*found):
        np.testing.assert_array_equal(one, other)
