"""Compiled convolutions and their gradients against the plain kernels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from gluon._core.engine.op import TABLE
from gluon._core.native import conv
from gluon._core.native.loading import library, status
from gluon._core.native.stand_ins import STAND_INS

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")

#: The tolerance of each dtype, for values near 1.
TOLERANCE = {"float32": 1e-3, "float64": 1e-10}


@pytest.fixture(autouse=True, scope="module")
def nothing_is_left_to_products():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conv, "_is_left", lambda *_: False)
        yield


def check(name: str, *inputs, **attributes) -> np.ndarray:
    """The result of the library, compared with that of the plain kernel in double precision."""

    def left_to_numpy(*_, **__):
        pytest.fail(f"{name}: the library did not compute this")

    found = STAND_INS[name](left_to_numpy, *inputs, **attributes)
    exact = TABLE[name].fallback(
        *[x if x is None else x.astype("float64") for x in inputs], **attributes
    )
    assert found.dtype == inputs[0].dtype
    tolerance = TOLERANCE[found.dtype.name]
    np.testing.assert_allclose(found, exact, rtol=tolerance, atol=tolerance)
    return found


@st.composite
def calls(draw):
    axes = draw(st.integers(1, 3))

    def several(*choices):
        return tuple(draw(st.sampled_from(choices)) for _ in range(axes))

    groups = draw(st.sampled_from([1, 1, 1, 2, 3]))
    channels, filters = (draw(st.sampled_from([1, 2, 7, 13, 30])) for _ in range(2))
    size = several(*((1, 2, 5, 9, 17, 40) if axes < 3 else (1, 2, 5, 7)))
    kernel = several(1, 2, 3, 5)
    attributes = {
        "stride": several(1, 1, 2, 3),
        "pad": several(0, 1, 2),
        "dilate": several(1, 1, 2),
        "num_group": groups,
    }
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, attributes["dilate"])]
    assume(all(r <= n + 2 * p for r, n, p in zip(reach, size, attributes["pad"])))
    dtype = draw(st.sampled_from(["float32", "float64"]))
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    batch = draw(st.sampled_from([1, 2, 5, 17]))
    x = rng.normal(size=(batch, channels * groups, *size)).astype(dtype)
    weight = rng.normal(size=(filters * groups, channels, *kernel)).astype(dtype)
    bias = rng.normal(size=filters * groups).astype(dtype) if draw(st.booleans()) else None
    if draw(st.booleans()):  # not contiguous
        x, weight = (np.swapaxes(np.swapaxes(a, 0, 1).copy(), 0, 1) for a in (x, weight))
    return x, weight, bias, attributes


@settings(max_examples=150)
@given(calls())
def test_drawn_convolutions_and_their_gradients(call):
    x, weight, bias, attributes = call
    y = check("convolution", x, weight, bias, **attributes)
    g = np.random.default_rng(0).normal(size=y.shape).astype(y.dtype)
    check("convolution_input_grad", g, weight, shape=x.shape[2:], **attributes)
    check("convolution_weight_grad", g, x, kernel=weight.shape[2:], **attributes)


@st.composite
def small_kernels(draw):
    """Calls that Winograd's convolution handles, although they have few values."""
    batch, groups = draw(st.sampled_from([1, 2, 5, 9])), draw(st.sampled_from([1, 1, 2, 3]))
    channels, filters = (draw(st.sampled_from([1, 2, 7, 16, 33])) for _ in range(2))
    pad = tuple(draw(st.sampled_from([0, 1, 1, 2, 4])) for _ in range(2))
    size = [draw(st.sampled_from([1, 2, 3, 4, 5, 7, 8, 14, 33, 66])) for _ in range(2)]
    assume(all(n + 2 * p >= 3 for n, p in zip(size, pad)))
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    x = rng.normal(size=(batch, channels * groups, *size)).astype("float32")
    weight = rng.normal(size=(filters * groups, channels, 3, 3)).astype("float32")
    bias = rng.normal(size=filters * groups).astype("float32") if draw(st.booleans()) else None
    return x, weight, bias, {"pad": pad, "num_group": groups}


@pytest.fixture
def winograd(monkeypatch):
    """Use Winograd's convolution whenever possible, and count its calls."""
    counts = {"done": 0, "left": 0}

    def counted(run, result, name):
        def call(*arguments):
            done = run(*arguments)
            counts[name] += done == result
            return done

        return call

    for name in ("_run_winograd", "_run_winograd_grad"):
        monkeypatch.setattr(conv, name, counted(getattr(conv, name), True, "done"))
    for name in ("_run_spread", "_run_spread_grad"):
        monkeypatch.setattr(conv, name, counted(getattr(conv, name), False, "left"))
    monkeypatch.setattr(conv, "_is_winograd", lambda *_: True)
    return counts


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(small_kernels())
def test_drawn_convolutions_by_winograd(winograd, call):
    x, weight, bias, attributes = call
    before = winograd["done"]
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_run_spread", "_run_spread_grad"):
            patch.setattr(conv, name, lambda *_: True)
        y = check("convolution", x, weight, bias, **attributes)
        g = np.random.default_rng(0).normal(size=y.shape).astype(y.dtype)
        check("convolution_weight_grad", g, x, kernel=(3, 3), **attributes)
        assert winograd["done"] == before + 2
        check("convolution_input_grad", g, weight, shape=x.shape[2:], **attributes)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e35])
@pytest.mark.parametrize("where", ["x", "weight", "g"])
def test_winograd_leaves_values_that_would_spread_to_plain_sums(winograd, where, value):
    rng = np.random.default_rng(0)
    inputs = {
        "x": rng.normal(size=(2, 5, 29, 25)).astype("float32"),
        "weight": rng.normal(size=(6, 5, 3, 3)).astype("float32"),
        "g": rng.normal(size=(2, 6, 29, 25)).astype("float32"),
    }
    inputs[where][1, 2, 1, 1] = value
    with np.errstate(invalid="ignore"):
        check("convolution", inputs["x"], inputs["weight"], pad=1)
        check("convolution_weight_grad", inputs["g"], inputs["x"], kernel=(3, 3), pad=1)
    assert winograd["left"] == (2 if where == "x" else 1)


def test_errors_of_winograd_stay_within_sixteen_units_of_the_size_of_a_sum(winograd):
    rng = np.random.default_rng(0)
    x = np.maximum(rng.normal(size=(2, 64, 28, 28)), 0).astype("float32")
    weight, g = rng.normal(size=(48, 64, 3, 3)), rng.normal(size=(2, 48, 28, 28))
    weight, g = weight.astype("float32"), g.astype("float32")
    calls = {
        "convolution": ((x, weight), {}),
        "convolution_input_grad": ((g, weight), {"shape": (28, 28)}),
        "convolution_weight_grad": ((g, x), {"kernel": (3, 3)}),
    }
    for name, (inputs, attributes) in calls.items():
        found = STAND_INS[name](None, *inputs, pad=1, **attributes)
        doubles = [a.astype("float64") for a in inputs]
        exact = TABLE[name].fallback(*doubles, pad=1, **attributes)
        size = TABLE[name].fallback(*map(abs, doubles), pad=1, **attributes)
        assert (abs(found - exact) / size).max() < 16 * np.finfo("float32").eps, name
    assert winograd["done"] == 3


def compare_with_sums(name: str, at: tuple, *inputs, **attributes) -> float:
    """How many times larger than those of plain sums errors are, as a root mean square of `at`."""
    found = STAND_INS[name](None, *inputs, **attributes)
    exact = TABLE[name].fallback(*[a.astype("float64") for a in inputs], **attributes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conv, "_is_winograd", lambda *_: False)
        plain = STAND_INS[name](None, *inputs, **attributes)
    errors = [np.sqrt(((y - exact)[at] ** 2).mean()) for y in (found, plain)]
    return errors[0] / errors[1]


#: Windows without the pixel (5, 5), in its tile; those of the gradient are the taps.
BESIDE = (..., slice(4, 8), 7)


@pytest.mark.parametrize("relu", [False, True])
@pytest.mark.parametrize("channels", [16, 64])
def test_a_large_value_does_not_spoil_windows_without_it(winograd, channels, relu):
    rng = np.random.default_rng(channels)
    x = rng.normal(size=(1, channels, 20, 20)).astype("float32")
    weight = rng.normal(size=(24, channels, 3, 3)).astype("float32")
    x = np.maximum(x, 0) if relu else x
    for value in (3, 10, 30, 100, 300, 1e4, 1e6, 1e10, 1e29):
        x[0, 3, 5, 5] = value
        assert compare_with_sums("convolution", BESIDE, x, weight, pad=1) < 10, value
        back, shape = weight.swapaxes(0, 1), (20, 20)
        worse = compare_with_sums("convolution_input_grad", BESIDE, x, back, shape=shape, pad=1)
        assert worse < 10, value
    assert winograd["done"] >= 3
    assert winograd["left"] >= 6


@pytest.mark.parametrize("value", [10.0, 1e3, -1e9])
def test_masks_do_not_spoil_the_gradient_of_the_weight(winograd, value):
    rng = np.random.default_rng(0)
    x, g = rng.normal(size=(2, 2, 16, 24, 24)).astype("float32")
    x[:, :, :10], g[:, :, :11] = value, 0
    assert compare_with_sums("convolution_weight_grad", ..., g, x, kernel=(3, 3), pad=1) < 10


def test_values_that_outweigh_others_are_left_to_plain_sums(winograd):
    rng = np.random.default_rng(0)
    x, g = np.maximum(rng.normal(size=(2, 2, 16, 24, 24)), 0).astype("float32")
    weight = rng.normal(size=(16, 16, 3, 3)).astype("float32")
    weight[5, 2, 1, 1] = 1e6
    check("convolution", x / 1e3, weight, pad=1)
    g[1, 7, 12, 12] = 1e6
    assert compare_with_sums("convolution_weight_grad", ..., g, x, kernel=(3, 3), pad=1) == 1
    zeros = np.zeros((16, 16, 3, 3), "float32")
    zeros[:, :, 1, 1] = np.eye(16)
    np.testing.assert_array_equal(check("convolution", x, zeros, pad=1), x)
    assert winograd == {"done": 0, "left": 3}


@settings(max_examples=60)
@given(st.data(), st.sampled_from(["float32", "float64"]), st.sampled_from([1, 2, 3]))
def test_drawn_depthwise_convolutions_with_nan_and_infinity(data, dtype, filters):
    sizes = st.sampled_from([1, 2, 3, 7, 8, 15, 16, 17, 33, 50])
    height, width, kernel, stride = (data.draw(s) for s in (sizes, sizes, sizes, st.integers(1, 3)))
    pad, channels, batch = (data.draw(st.integers(0, 2)) for _ in range(3))
    kernel = min(kernel, height + 2 * pad, width + 2 * pad, 7)
    rng = np.random.default_rng(data.draw(st.integers(0, 1 << 30)))
    x = rng.normal(size=(batch + 1, channels + 1, height, width)).astype(dtype)
    x.flat[rng.integers(x.size, size=3)] = [np.nan, np.inf, 1e-310 if dtype == "float64" else 1e-40]
    weight = rng.normal(size=(filters * (channels + 1), 1, kernel, kernel)).astype(dtype)
    attributes = {"stride": stride, "pad": pad, "num_group": channels + 1}
    with np.errstate(invalid="ignore"):
        y = check("convolution", x, weight, **attributes)
        g = rng.normal(size=y.shape).astype(dtype)
        check("convolution_weight_grad", g, x, kernel=weight.shape[2:], **attributes)
        g.flat[rng.integers(g.size, size=2)] = [np.nan, -np.inf]
        check("convolution_input_grad", g, weight, shape=x.shape[2:], **attributes)


@pytest.mark.parametrize("width", [3, 9, 14, 21, 40])
def test_an_infinite_weight_of_a_channel_reaches_what_its_tap_met(width):
    rng = np.random.default_rng(width)
    weight = rng.normal(size=(2, 1, 3, 3)).astype("float32")
    weight[1, 0, 0, 0] = np.inf
    attributes = {"stride": (2, 2), "pad": (1, 1), "dilate": (1, 1), "num_group": 2}
    g = rng.normal(size=(2, 2, 5, (width + 1) // 2)).astype("float32")
    with np.errstate(all="ignore"):
        found = check("convolution_input_grad", g, weight, shape=(9, width), **attributes)
    assert np.isinf(found).any()
    assert np.isfinite(found).any(axis=(1, 2, 3)).all()


@settings(max_examples=60)
@given(calls(), st.data())
def test_drawn_deconvolutions(call, data):
    x, weight, _, attributes = call
    x, weight = x[:, : weight.shape[0]], weight[: x.shape[1]]
    assume(len(weight) == x.shape[1] and not len(weight) % attributes["num_group"])
    adj = tuple(data.draw(st.integers(0, s - 1)) for s in attributes["stride"])
    full = zip(x.shape[2:], weight.shape[2:], *(attributes[k] for k in ("stride", "pad", "dilate")))
    assume(all(s * (n - 1) + (k - 1) * d + 1 - 2 * p > 0 for n, k, s, p, d in full))
    check("deconvolution", x, weight, adj=adj, **attributes)


def test_results_are_the_same_for_every_number_of_threads():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(5, 20, 23, 31)).astype("float32")
    weight = rng.normal(size=(50, 20, 3, 3)).astype("float32")
    found = []
    for threads in (1, 2, 3, 7):
        library.set_threads(threads)
        y = check("convolution", x, weight, stride=2, pad=1)
        alone = check("convolution", x, weight[:20, :1], pad=1, num_group=20)
        at = {"kernel": (3, 3), "pad": 1}
        slope = check("convolution_weight_grad", alone, x, num_group=20, **at)
        same = check("convolution", x, weight, pad=1)  # by Winograd's
        both = check("convolution_weight_grad", same, x, **at)
        strided = check("convolution_weight_grad", y, x, stride=2, **at)
        found.append((y, alone, slope, strided, same, both))
    for one in found[1:]:
        for a, b in zip(one, found[0]):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("filters", [1, 3, 5, 8, 11, 12, 13, 24, 31])
@pytest.mark.parametrize("channels", [1, 2, 7, 16])
def test_weights_are_packed_the_same_however_they_lie(channels, filters, dtype):
    rng = np.random.default_rng(filters)
    x = rng.normal(size=(2, channels, 11, 13)).astype(dtype)
    weight = rng.normal(size=(filters, channels, 3, 3)).astype(dtype)
    turned = np.moveaxis(np.moveaxis(weight, 0, -1).copy(), -1, 0)
    apart = np.repeat(weight, 2, axis=0)[::2]
    y = check("convolution", x, weight, stride=2)
    for same in (turned, apart):
        assert not same.flags.c_contiguous or filters == 1
        np.testing.assert_array_equal(check("convolution", x, same, stride=2), y)


@pytest.mark.parametrize("size", [7, 13, 30])
def test_a_single_picture_gives_the_same_for_every_number_of_threads(size):
    """Positions and channels are distributed among threads, even if there are few of them."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, 24, size, size)).astype("float32")
    weight = rng.normal(size=(40, 24, 3, 3)).astype("float32")
    found = []
    for threads in (1, 2, 3, 7):
        library.set_threads(threads)
        y = check("convolution", x, weight, stride=2, pad=1)
        dilated = check("convolution", x, weight, pad=2, dilate=2)
        halves = check("convolution", x, weight[:, :12], pad=1, num_group=2)
        at = {"stride": 2, "pad": 1, "shape": x.shape[2:]}
        found.append((y, dilated, halves, check("convolution_input_grad", y, weight, **at)))
    for one in found[1:]:
        for a, b in zip(one, found[0]):
            np.testing.assert_array_equal(a, b)


def test_wrong_shapes_are_an_error_of_the_plain_kernel():
    x, weight = np.ones((1, 3, 40, 40), "float32"), np.ones((4, 2, 3, 3), "float32")
    with pytest.raises(ValueError, match="channels"):
        STAND_INS["convolution"](TABLE["convolution"].fallback, x, weight)
    with pytest.raises(ValueError, match="reaches over"):
        STAND_INS["convolution"](
            TABLE["convolution"].fallback, x, np.ones((4, 3, 50, 50), "float32")
        )
