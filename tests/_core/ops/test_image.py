"""Images: random changes, and gradients in float64."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import autograd, nd, random
from gluon._core.kernels.image import AREA, CUBIC, LANCZOS, LINEAR, NEAREST, resize, resize_grad
from gluon.nd._colour import EIGVAL, EIGVEC

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
    wanted = np.sqrt(((EIGVEC * EIGVAL) ** 2).sum(axis=1)) * 0.1
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
    x = nd.array(np.full((1, 2, 3), 200), dtype="float64")
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
