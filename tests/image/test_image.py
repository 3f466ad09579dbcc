"""`gluon.image`: what `tests/data/programs.py` does not compare with the oracle."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import autograd, image, nd
from tests.data.programs import picture, png

X = nd.array(picture(4, 6, 3), dtype="uint8")


def test_a_quarter_turn_and_the_zooms():
    x = nd.array(picture(1, 5, 5))
    np.testing.assert_allclose(
        image.imrotate(x, 90).asnumpy(), np.rot90(x.asnumpy(), axes=(1, 2)), atol=1e-3
    )
    ones = nd.ones((1, 9, 9))
    assert image.imrotate(ones, 45)[0, 0, 0].asscalar() == 0
    np.testing.assert_allclose(image.imrotate(ones, 45, zoom_in=True).asnumpy(), 1, atol=1e-5)
    dot = nd.zeros((1, 9, 9))
    dot[0, 0, 0] = 1
    assert image.imrotate(dot, 45).sum().asscalar() == 0
    assert image.imrotate(dot, 45, zoom_out=True).sum().asscalar() > 0.1


def test_turned_pictures_have_gradients_and_keep_their_dtype():
    x = nd.array(np.arange(24.0).reshape(2, 1, 3, 4), dtype="float64")
    x.attach_grad()
    with autograd.record():
        y = image.imrotate(x, 17)
    y.backward()
    assert y.dtype == np.float64
    ones = np.zeros_like(x.asnumpy())
    for place in np.ndindex(x.shape):
        one = nd.zeros(x.shape, dtype="float64")
        one[place] = 1
        ones[place] = image.imrotate(one, 17).sum().asscalar()
    np.testing.assert_allclose(x.grad.asnumpy(), ones, atol=1e-9)


def test_a_picture_of_one_row_can_be_turned():
    assert image.imrotate(nd.ones((1, 1, 3)), 0).asnumpy().tolist() == [[[1, 1, 1]]]
    assert np.isfinite(image.imrotate(nd.ones((1, 1, 1)), 30).asnumpy()).all()


def test_a_random_interpolation_is_one_of_them():
    allowed = [image.imresize(X, 9, 9, k).asnumpy() for k in range(5)]
    for _ in range(10):
        y = image.fixed_crop(X, 0, 0, 6, 4, (9, 9), 10).asnumpy()
        assert any((y == one).all() for one in allowed)


def test_numpy_pictures_are_cut_too():
    assert isinstance(image.center_crop(X.asnumpy(), (2, 2))[0], np.ndarray)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: image.imresize(X[0], 2, 2), r"imresize: src has shape \(6, 3\)"),
        (lambda: image.imresize(X, 0, 2), "size="),
        (lambda: image.resize_short(X[None], 2), "resize_short: src has shape"),
        (lambda: image.center_crop(X[0], (2, 2)), "center_crop: src has shape"),
        (lambda: image.random_crop(X[0], (2, 2)), "random_crop: src has shape"),
        (
            lambda: image.fixed_crop(X, -1, 0, 2, 2),
            "x0=-1.* is not a rectangle in an image of width 6",
        ),
        (lambda: image.fixed_crop(X, 6, 0, 2, 2), "x0=6"),
        (lambda: image.fixed_crop(X, 0, 0, 0, 2), "w=0"),
        (lambda: image.fixed_crop(X, 0, 0, 2, 2, (3, 3), 7), "interp=7 is not one of"),
        (lambda: image.imdecode(b"abc"), "imdecode: the 3 bytes are not an image"),
        (lambda: image.imdecode(b"abc", -1), "flag=-1 is neither"),
        (lambda: image.imdecode("abc"), "imdecode: buf must be bytes, not str"),
        (lambda: image.imread(__file__), "imread of .*test_image.py': imdecode: the"),
        (lambda: image.imread("none.png"), "imread: cannot find the file 'none.png'"),
    ],
)
def test_errors(call, message):
    pytest.importorskip("PIL.Image", reason="the extra image is not installed")
    with pytest.raises((ValueError, TypeError, FileNotFoundError), match=message):
        call()


def test_a_missing_library_is_named(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(
        RuntimeError,
        match=r'imdecode: it needs Pillow .*; pip install "gluon-autograd\[image\]"',
    ):
        image.imdecode(png(picture(2, 2)))
