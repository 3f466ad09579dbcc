"""Decoding of image files."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest

from gluon import GluonError, nd

Image = pytest.importorskip("PIL.Image", reason="the extra image is not installed")


def file(values, form="PNG", mode=None, **options) -> bytes:
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
        ({"str_img": b"nothing"}, "not an image"),
        ({"str_img": b""}, "not an image"),
        ({"str_img": file(COLOURS)[:60]}, "not an image"),
        ({"str_img": "a.png"}, "must be bytes, not str"),
        ({"channels": 2}, "channels=2 is not one of 1, 3, 4"),
        ({"clip_rect": (0, 0, 6, 2)}, "not a rectangle"),
        ({"clip_rect": (3, 0, 1, 2)}, "not a rectangle"),
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
    with pytest.raises(GluonError, match=r"gluon-autograd\[image\]"):
        nd.imdecode(data)
