"""Compiled softmax and its gradients against the plain kernels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gluon._core.engine.op import TABLE
from gluon._core.native.loading import library, status
from gluon._core.native.stand_ins import STAND_INS

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")

NAMES = ["softmax", "log_softmax"]


def compiled(name: str, *inputs: np.ndarray, **attributes: object) -> np.ndarray:
    """Return the result of the library; fail if it falls back to the plain kernel."""

    def plain(*_: object, **__: object) -> None:
        pytest.fail(f"{name}: the library did not compute this")

    return STAND_INS[name](plain, *inputs, **attributes)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40)
@given(data=st.data())
def test_rows_and_their_gradients(name, data):
    shape = tuple(data.draw(st.lists(st.sampled_from([1, 2, 5, 67]), min_size=1, max_size=2)))
    rng = np.random.default_rng(data.draw(st.integers(0, 1 << 30)))
    x = rng.normal(scale=data.draw(st.sampled_from([1, 40])), size=(*shape, 300)).astype("float32")
    g = rng.normal(size=x.shape).astype("float32")
    y = compiled(name, x)
    exact = TABLE[name].fallback(x.astype("float64"))
    np.testing.assert_allclose(y, exact, rtol=2e-5, atol=3e-5 if name == "log_softmax" else 1e-37)
    grad = compiled(f"{name}_grad", g, y, axis=-1)
    exact = TABLE[f"{name}_grad"].fallback(g.astype("float64"), y.astype("float64"), axis=-1)
    # What is subtracted is as large as the sum of a row of cotangents.
    largest = max(3, np.abs(g.sum(-1)).max())
    np.testing.assert_allclose(grad, exact, rtol=1e-5, atol=3e-7 * largest)
    if name == "log_softmax":
        pushed = compiled("log_softmax_push", g, y, axis=-1)
        exact = TABLE["log_softmax_push"].fallback(
            g.astype("float64"), y.astype("float64"), axis=-1
        )
        np.testing.assert_allclose(pushed, exact, rtol=1e-5, atol=1e-5)


@settings(max_examples=60)
@given(data=st.data())
def test_cross_entropy_and_its_gradient(data):
    width = data.draw(st.sampled_from([1, 2, 10, 67, 1000]))
    rows = data.draw(st.sampled_from([1, 3, 40])) + 2048 // width
    rng = np.random.default_rng(data.draw(st.integers(0, 1 << 30)))
    x = rng.normal(scale=data.draw(st.sampled_from([1, 40])), size=(rows, width)).astype("float32")
    special = data.draw(st.sampled_from([1e-40, -np.inf, np.inf, np.nan, 3e38]))
    x[rng.integers(rows, size=2), rng.integers(width, size=2)] = special
    label = rng.integers(-1, width + 1, rows).astype(data.draw(st.sampled_from(["f", "i4", "d"])))
    g = rng.normal(size=(rows, 1)).astype("float32")
    wide = x.astype("float64")
    with np.errstate(all="ignore"):
        exact = TABLE["cross_entropy"].fallback(wide, label)
        slope = TABLE["cross_entropy_grad"].fallback(g.astype("float64"), wide, label, axis=-1)
        exact, slope = exact.astype("float32"), slope.astype("float32")
    found = compiled("cross_entropy", x, label)
    np.testing.assert_allclose(found, exact, rtol=2e-5, atol=3e-5)
    found = compiled("cross_entropy_grad", g, x, label, axis=1)
    np.testing.assert_allclose(found, slope, rtol=1e-5, atol=3e-6)


@pytest.mark.parametrize("name", NAMES)
def test_nan_and_infinities_go_where_numpy_lets_them_go(name):
    x = np.zeros((6, 1000), "float32")
    x[0, 3], x[1, 3], x[2, 3], x[3] = np.nan, np.inf, -np.inf, -np.inf
    x[4, 3], x[5, 3] = 3e38, -3e38
    with np.errstate(all="ignore"):
        wanted = TABLE[name].fallback(x.astype("float64")).astype("float32")
    np.testing.assert_allclose(compiled(name, x), wanted, rtol=1e-6)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40)
@given(rows=st.integers(1, 70), width=st.integers(1, 70), seed=st.integers(0, 1 << 30))
def test_narrow_rows(name, rows, width, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(scale=20, size=(rows, width)).astype("float32")
    places = rng.random(x.shape) < 0.02
    x[places] = rng.choice([np.nan, np.inf, -np.inf, 3e38, 1e-42], places.sum())
    with np.errstate(all="ignore"):
        exact = TABLE[name].fallback(x.astype("float64"))
    y = compiled(name, x)
    np.testing.assert_allclose(y, exact, rtol=2e-5, atol=3e-5 if name == "log_softmax" else 1e-37)
    g, y = rng.normal(size=x.shape).astype("float32"), np.nan_to_num(y, neginf=-100)
    grad = compiled(f"{name}_grad", g, y, axis=-1)
    exact = TABLE[f"{name}_grad"].fallback(g.astype("float64"), y.astype("float64"), axis=-1)
    np.testing.assert_allclose(grad, exact, rtol=1e-5, atol=1e-5)


@settings(max_examples=60)
@given(data=st.data())
def test_softmax_output_and_its_gradient(data):
    width = data.draw(st.sampled_from([2, 10, 67]))
    shape = (data.draw(st.sampled_from([1, 3, 40])), data.draw(st.sampled_from([1, 4])), width)
    preserve = data.draw(st.booleans())
    rng = np.random.default_rng(data.draw(st.integers(0, 1 << 30)))
    x = rng.normal(scale=20, size=shape).astype("float32")
    special = data.draw(st.sampled_from([1e-40, -np.inf, np.inf, np.nan, 3e38]))
    x[rng.integers(shape[0], size=2), 0, rng.integers(width, size=2)] = special
    classes = width if preserve else x[0].size
    label = rng.integers(0, classes, shape[:2] if preserve else shape[:1]).astype("float32")
    weight = np.asarray(3.0, "float32")
    if data.draw(st.booleans()):  # labels that are ignored, and are no classes
        label[rng.random(label.shape) < 0.3] = -1
        kept = (label != -1).reshape(-1, 1) * weight
        weight = np.broadcast_to(kept, (len(kept), classes)).reshape(shape)
    how = {"multi_output": False, "preserve_shape": preserve, "smooth_alpha": 0.0}
    plain = TABLE["softmax_output_grad"].fallback
    found = compiled("softmax_output_grad", x, label, weight, **how)
    with np.errstate(all="ignore"):
        wanted = plain(x.astype("float64"), label, weight, **how)
        y = TABLE["softmax_output"].fallback(x, label, preserve_shape=preserve)
        exact = TABLE["softmax"].fallback(x.reshape(-1, classes).astype("float64"))
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(y, exact.reshape(shape), rtol=2e-5, atol=1e-37)


def test_labels_outside_of_the_classes_are_left_to_the_plain_gradient():
    x, label = np.ones((2, 3), "float32"), np.array([1.0, 3.0])
    how = {"multi_output": False, "preserve_shape": False, "smooth_alpha": 0.0}
    plain = TABLE["softmax_output_grad"].fallback
    found = STAND_INS["softmax_output_grad"](plain, x, label, np.float32(1), **how)
    np.testing.assert_allclose(found, [[1 / 3, -2 / 3, 1 / 3], [1 / 3] * 3], rtol=1e-6)
