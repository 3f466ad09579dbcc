"""Images whose colours change as they do in gluon, by numbers that onnxruntime draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gluon import nd, sym

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
from gluon.onnx.exporting import model_of

from .agreement import ran, session

KINDS = ["brightness", "contrast", "saturation", "hue"]
PICTURE = np.random.default_rng(0).uniform(0, 255, (5, 4, 3))
DTYPES = ["uint8", "int8", "int32", "float16", "float32", "float64"]


def runtime_gives(net: Any, x: np.ndarray) -> np.ndarray:
    (found,) = ran(model_of(net, {}, {"x": x.shape}, {"x": x.dtype}, None), {"x": x})
    assert found.dtype == x.dtype
    assert found.shape == x.shape
    return found


def runs_of(net: Any, x: np.ndarray, count: int) -> list[np.ndarray]:
    """Several runs of one session: each session begins with the same seed."""
    started = session(model_of(net, {}, {"x": x.shape}, {"x": x.dtype}, None))
    return [started.run(None, {"x": x})[0] for _ in range(count)]


def near(found: np.ndarray, wanted: np.ndarray) -> bool:
    """Whether images agree; at the border between two integers both are right."""
    close = {"i": 1.0, "u": 1.0, "f": 0.5 if found.dtype == "float16" else 1e-3}[found.dtype.kind]
    return bool((abs(found.astype("float64") - wanted.astype("float64")) <= close).all())


def picture(dtype: str, channels: int = 3) -> np.ndarray:
    x = PICTURE[..., :channels] - (128 if dtype == "int8" else 0)
    x[0, 0] = 100  # grey
    return x.astype(dtype)


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_factor_that_is_given(kind, dtype, channels):
    x = picture(dtype, channels)
    for factor in (0.0, 0.3, 1.0, 1.6):
        name = f"random_{kind}"
        options = {"min_factor": factor, "max_factor": factor}
        right = getattr(nd.image, name)(nd.array(x, dtype=dtype), **options).asnumpy()
        found = runtime_gives(getattr(sym.image, name)(sym.var("x"), **options), x)
        assert near(found, right), (factor, found, right)


@pytest.mark.parametrize("dtype", DTYPES)
def test_light_that_is_given(dtype):
    x = picture(dtype)
    alpha = (0.1, -0.2, 0.3)
    right = nd.image.adjust_lighting(nd.array(x, dtype=dtype), alpha).asnumpy()
    found = runtime_gives(sym.image.adjust_lighting(sym.var("x"), alpha), x)
    assert near(found, right)
    assert not near(found, x)


@pytest.mark.parametrize("kind", KINDS)
def test_factors_are_drawn(kind):
    x = picture("float32")
    net = getattr(sym.image, f"random_{kind}")(sym.var("x"), min_factor=0.1, max_factor=0.4)
    ends = [
        getattr(nd.image, f"random_{kind}")(nd.array(x), min_factor=one, max_factor=one).asnumpy()
        for one in np.linspace(0.1, 0.4, 301)
    ]
    found = runtime_gives(net, x)
    assert min(abs(found - one).max() for one in ends) < 1.5
    assert not near(found, x)


@pytest.mark.parametrize("strength", [(0.4, 0, 0, 0), (0, 0, 0.3, 0.2), (0, 0, 0, 0)])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_jitter_of_every_kind(strength, dtype):
    x = picture(dtype)
    names = ("brightness", "contrast", "saturation", "hue")
    found = runtime_gives(
        sym.image.random_color_jitter(sym.var("x"), **dict(zip(names, strength))), x
    )
    if not any(strength):
        assert near(found, x)
    elif strength[0]:  # one factor for all
        factor = found[x > 60].astype("float64") / x[x > 60]
        whole = (found < 255)[x > 60] | (dtype != "uint8")
        assert np.ptp(factor[whole]) < (0.04 if dtype == "uint8" else 1e-4)
        assert 0.55 < factor[whole].mean() < 1.4
    else:
        assert not near(found, x)
        assert abs(found[0, 0].astype("float64") - 100).max() <= 2  # grey stays grey


def test_each_run_draws_anew():
    x = picture("float32")
    first, second = runs_of(sym.image.random_color_jitter(sym.var("x"), 0, 0.9, 0.9, 0), x, 2)
    assert np.isfinite(first).all()
    assert not np.array_equal(first, second)


def test_light_that_is_drawn():
    x = picture("float64")
    still = runtime_gives(sym.image.random_lighting(sym.var("x"), alpha_std=0.0), x)
    np.testing.assert_allclose(still, x)
    found = runtime_gives(sym.image.random_lighting(sym.var("x"), alpha_std=0.1), x) - x
    np.testing.assert_allclose(found - found[0, 0], 0, atol=1e-9)  # one shift for all
    assert found[0, 0].any()


@pytest.mark.parametrize(("way", "axis"), [("left_right", 1), ("top_bottom", 0)])
def test_images_are_mirrored_in_half_of_the_runs(way, axis):
    x = picture("uint8")
    net = getattr(sym.image, f"random_flip_{way}")(sym.var("x"))
    runs = runs_of(net, x, 40)
    turned = sum(np.array_equal(one, np.flip(x, axis)) for one in runs)
    assert turned + sum(np.array_equal(one, x) for one in runs) == len(runs)
    assert 0 < turned < len(runs)
