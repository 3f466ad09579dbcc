"""Pictures: random changes, gradients in float64, and what comes out of files."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest

from gluon import GluonError, autograd, nd, random
from gluon.kernels.image import AREA, CUBIC, LANCZOS, LINEAR, NEAREST, resize, resize_grad

PICTURE = nd.array(np.random.RandomState(0).randint(1, 255, (4, 5, 3)))


def draws(function, count=300):
    random.seed(1)
    return np.array([function() for _ in range(count)])


# ---------------------------------------------------------------------------------- random


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("random_brightness", (0.5, 1.5)),
        ("random_contrast", (0.5, 1.5)),
        ("random_saturation", (0.5, 1.5)),
        ("random_hue", (0, 1)),
        ("random_lighting", (0.3,)),
        ("random_color_jitter", (0.3, 0.3, 0.3, 0.3)),
        ("random_flip_left_right", ()),
        ("random_flip_top_bottom", ()),
    ],
)
def test_a_seed_repeats_the_changes_and_they_vary(name, args):
    def some():
        random.seed(5)
        return [getattr(nd.image, name)(PICTURE, *args).asnumpy() for _ in range(12)]

    first, second = some(), some()
    np.testing.assert_array_equal(first, second)
    assert any((x != first[0]).any() for x in first)


def test_factors_fill_their_range_evenly():
    one = nd.ones((1, 1, 3))
    found = draws(lambda: nd.image.random_brightness(one, 0.5, 2.0)[0, 0, 0].asscalar())
    assert (found.min() >= 0.5, found.max() <= 2) == (True, True)
    assert found.mean() == pytest.approx(1.25, abs=0.08)
    jittered = draws(lambda: nd.image.random_color_jitter(one, 0.4, 0, 0, 0)[0, 0, 0].asscalar())
    assert (jittered.min() > 0.59, jittered.max() < 1.41) == (True, True)
    assert np.ptp(jittered) > 0.75


def test_flips_happen_once_in_two_times():
    for flip, shape in (
        (nd.image.random_flip_left_right, (1, 2, 1)),
        (nd.image.random_flip_top_bottom, (2, 1, 1)),
    ):
        found = draws(lambda flip=flip, shape=shape: flip(nd.arange(2).reshape(shape)).asnumpy())
        assert found[:, 0, 0, 0].mean() == pytest.approx(0.5, abs=0.1)
        assert (found.reshape(-1, 2).sum(axis=1) == 1).all()


def test_the_noise_of_lighting_has_the_deviation_asked_for():
    grey = nd.zeros((1, 1, 3))
    found = draws(lambda: nd.image.random_lighting(grey, 0.1).asnumpy().ravel(), 1000)
    wanted = np.sqrt((nd.image.COMPONENTS**2).sum(axis=1)) * 0.1
    np.testing.assert_allclose(found.std(axis=0), wanted, rtol=0.1)
    np.testing.assert_allclose(found.mean(axis=0), 0, atol=0.4)


def test_jitter_takes_the_changes_in_any_order(monkeypatch):
    monkeypatch.setattr("gluon.nd.image._uniform", lambda low, high: high)
    # Brightness before contrast is cut off at another value than after it.
    x = nd.array([[[200, 200, 200], [150, 150, 150]]], dtype="uint8")
    jitter = nd.image.random_color_jitter
    found = draws(lambda: jitter(x, 0.5, 0.5, 0, 0).asnumpy().ravel(), 40)
    assert len(np.unique(found, axis=0)) == 2


# ------------------------------------------------------------------------------- gradients


def test_to_tensor_has_the_gradient_of_its_values():
    x = nd.array(np.ones((1, 2, 3)), dtype="float64")
    x.attach_grad()
    with autograd.record():
        y = nd.image.to_tensor(x)
    y.backward(nd.arange(6).reshape((3, 1, 2)))
    wanted = np.arange(6).reshape(3, 1, 2).transpose(1, 2, 0) / 255
    assert x.grad.dtype == np.float64
    np.testing.assert_allclose(x.grad.asnumpy(), wanted, rtol=1e-6)


@pytest.mark.parametrize("interp", [NEAREST, LINEAR, CUBIC, AREA, LANCZOS])
@pytest.mark.parametrize("size", [(3, 4), (9, 11), (3, 11), (6, 8), (1, 1), (2, 5)])
def test_the_gradient_of_resize_is_its_transpose(interp, size):
    rng = np.random.RandomState(0)
    x, g = rng.normal(size=(2, 6, 8, 3)), rng.normal(size=(2, *size, 3))
    forward = (resize(x, size=size, interp=interp) * g).sum()
    backward = (resize_grad(g, size=(6, 8), interp=interp) * x).sum()
    np.testing.assert_allclose(forward, backward, rtol=1e-10)


def test_a_pixel_that_is_not_finite_stays_where_it_is():
    x = np.zeros((8, 8, 1))
    x[0, 0] = np.nan
    bad = np.isnan(resize(x, size=(4, 5), interp=LINEAR))
    assert bad[0, 0]
    assert bad.sum() == 1


# ------------------------------------------------------------------------------------ files


def file(values, form="PNG", mode=None, **options) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    picture = Image.fromarray(np.asarray(values, np.uint8))
    (picture.convert(mode) if mode else picture).save(out, form, **options)
    return out.getvalue()


COLOURS = np.random.RandomState(3).randint(0, 256, (4, 5, 3)).astype("uint8")
BLUE_FIRST = COLOURS[..., ::-1].transpose(2, 0, 1).astype("float32")


@pytest.mark.parametrize("form", ["PNG", "BMP", "TIFF"])
def test_a_picture_is_decoded_with_the_channels_first_and_blue_before_red(form):
    y = nd.imdecode(file(COLOURS, form))
    assert y.dtype == np.float32
    np.testing.assert_array_equal(y.asnumpy(), BLUE_FIRST)


def test_a_jpeg_file_is_decoded():
    smooth = np.full((16, 16, 3), (200, 100, 50))
    y = nd.imdecode(bytearray(file(smooth, "JPEG", quality=95)))
    np.testing.assert_allclose(y.asnumpy()[:, 8, 8], (50, 100, 200), atol=3)
    grey = nd.imdecode(file(smooth, "JPEG", quality=95), channels=1)
    np.testing.assert_allclose(grey.asnumpy(), 0.299 * 200 + 0.587 * 100 + 0.114 * 50, atol=2)


def test_channels_are_made_from_what_the_file_has():
    grey, clear = file(COLOURS[..., 0]), file(COLOURS, mode="RGBA")
    np.testing.assert_array_equal(nd.imdecode(grey).asnumpy(), [COLOURS[..., 0]] * 3)
    np.testing.assert_array_equal(nd.imdecode(grey, channels=1).asnumpy(), [COLOURS[..., 0]])
    np.testing.assert_array_equal(nd.imdecode(clear).asnumpy(), BLUE_FIRST)
    four = nd.imdecode(clear, channels=4).asnumpy()
    np.testing.assert_array_equal(four, [*BLUE_FIRST, np.full((4, 5), 255)])
    assert nd.imdecode(file(COLOURS, mode="P")).shape == (3, 4, 5)


def test_files_of_sixteen_bits_keep_the_high_ones():
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(np.array([[256, 511, 65535]], np.uint16)).save(out, "PNG")
    assert nd.imdecode(out.getvalue(), channels=1).asnumpy().tolist() == [[[1, 1, 255]]]


def test_a_rectangle_a_mean_and_a_place_to_write():
    data = file(COLOURS)
    part = nd.imdecode(data, clip_rect=(1, 0, 3, 2)).asnumpy()
    np.testing.assert_array_equal(part, BLUE_FIRST[:, 0:2, 1:3])
    assert nd.imdecode(data, clip_rect=(1, 2, 3, 2)).shape == (3, 4, 5)
    mean = nd.ones((3, 4, 5), dtype="float64")
    shifted = nd.imdecode(data, mean=mean)
    assert shifted.dtype == np.float64
    np.testing.assert_array_equal(shifted.asnumpy(), BLUE_FIRST - 1)
    one, batch = nd.zeros((3, 4, 5), dtype="uint8"), nd.zeros((2, 3, 4, 5))
    assert nd.imdecode(data, out=one) is one
    np.testing.assert_array_equal(one.asnumpy(), BLUE_FIRST)
    nd.imdecode(data, out=batch, index=1)
    np.testing.assert_array_equal(batch.asnumpy(), [BLUE_FIRST * 0, BLUE_FIRST])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"str_img": b"nothing"}, "no picture"),
        ({"str_img": b""}, "no picture"),
        ({"str_img": file(COLOURS)[:60]}, "no picture"),
        ({"str_img": "a.png"}, "must be bytes, not str"),
        ({"channels": 2}, "channels=2 is none of 1, 3, 4"),
        ({"clip_rect": (0, 0, 6, 2)}, "no rectangle"),
        ({"clip_rect": (3, 0, 1, 2)}, "no rectangle"),
        ({"mean": nd.ones((3, 1, 1))}, "mean holds"),
        ({"mean": 3}, "mean must be an NDArray"),
        ({"out": nd.ones((3, 5, 4))}, "out holds"),
        ({"out": nd.ones((2, 3, 4, 5)), "index": 2}, "index=2"),
        ({"out": nd.ones((2, 3, 4, 5)), "index": -1}, "index=-1"),
        ({"out": [1]}, "out must be an NDArray"),
    ],
)
def test_what_cannot_be_decoded_is_an_error_that_says_why(changes, message):
    with pytest.raises(GluonError, match=message) as caught:
        nd.imdecode(**{"str_img": file(COLOURS), **changes})
    assert str(caught.value).startswith("imdecode: ")


def test_without_pillow_the_error_names_the_extra(monkeypatch):
    data = file(COLOURS)
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(GluonError, match=r"gluon\[image\]"):
        nd.imdecode(data)
