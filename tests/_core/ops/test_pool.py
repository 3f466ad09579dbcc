"""Pooling against its definition, window by window, in every convention."""

from __future__ import annotations

from math import ceil

import numpy as np
import pytest

from gluon import autograd, nd
from gluon._core.kernels import pool

WINDOWS = [(2, 2, 0), (3, 2, 1), (3, 1, 1), (2, 3, 1), (1, 4, 0), (3, 5, 1)]  # kernel, stride, pad


def windows(x, kernel, stride, pad, convention):
    """The part of `x` in each window, with the size of the window, as MXNet counts it."""
    shape = []
    for n in x.shape:
        steps = (n + 2 * pad - kernel) / stride
        shape.append(1 + (ceil(steps) if convention == "full" else int(steps)))
    for place in np.ndindex(*shape):
        starts = [p * stride - pad for p in place]
        stops = [min(a + kernel, n + pad) for a, n in zip(starts, x.shape)]
        size = np.prod([max(b - a, 1) for a, b in zip(starts, stops)])
        yield place, x[tuple(slice(max(a, 0), max(b, 0)) for a, b in zip(starts, stops))], size


def by_definition(function, x, *window):
    found = {place: function(part, size) for place, part, size in windows(x, *window)}
    y = np.empty(np.add(max(found), 1))
    for place, value in found.items():
        y[place] = value
    return y


FUNCTIONS = {
    "max": lambda part, size: part.max() if part.size else np.finfo(part.dtype).min,
    "sum": lambda part, size: part.sum(),
    "window": lambda part, size: part.sum() / size,
    "inside": lambda part, size: part.sum() / max(part.size, 1),
}


@pytest.mark.parametrize("shape", [(7,), (7, 8), (5, 6, 7)], ids=str)
@pytest.mark.parametrize("convention", ["valid", "full"])
@pytest.mark.parametrize("window", WINDOWS, ids=str)
@pytest.mark.parametrize("kind", FUNCTIONS)
def test_pooling(kind, window, convention, shape):
    x = np.random.default_rng(1).normal(size=shape)
    kernel, stride, pad = window
    attrs = {"kernel": kernel, "stride": stride, "pad": pad, "convention": convention}
    if kind == "max":
        y = pool.max_pool(x[None, None], **attrs)
    else:
        y = pool.sum_pool(x[None, None], divide_by=None if kind == "sum" else kind, **attrs)
    expected = by_definition(FUNCTIONS[kind], x, kernel, stride, pad, convention)
    np.testing.assert_allclose(y[0, 0], expected, atol=1e-14)


@pytest.mark.parametrize("divide_by", [None, "window", "inside"])
@pytest.mark.parametrize("window", WINDOWS, ids=str)
def test_gradients_are_transposes(window, divide_by):
    """A linear map and its transpose give the same scalar product."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(2, 3, 7, 8))
    kernel, stride, pad = window
    attrs = {"kernel": kernel, "stride": stride, "pad": pad, "convention": "full"}
    y = pool.sum_pool(x, divide_by=divide_by, **attrs)
    g = rng.normal(size=y.shape)
    back = pool.sum_pool_grad(g, shape=(7, 8), divide_by=divide_by, **attrs)
    np.testing.assert_allclose((back * x).sum(), (g * y).sum())
    places = pool.max_places(x, pool.max_pool(x, **attrs), **attrs)
    picked = pool.pick_places(x, places, **attrs)
    back = pool.put_places(g, places, shape=(7, 8), **attrs)
    np.testing.assert_allclose((back * x).sum(), (g * picked).sum())


def test_of_equal_maxima_the_first_counts():
    x = np.ones((1, 1, 4, 4))
    places = pool.max_places(x, pool.max_pool(x, kernel=2, stride=2), kernel=2, stride=2)
    back = pool.put_places(np.ones((1, 1, 2, 2)), places, shape=(4, 4), kernel=2, stride=2)
    np.testing.assert_array_equal(back[0, 0], np.kron(np.ones((2, 2)), [[1, 0], [0, 0]]))


def test_a_window_of_more_than_256_elements():
    x = np.random.default_rng(1).normal(size=(2, 3, 20, 20))
    y = pool.max_pool(x, kernel=20)
    np.testing.assert_array_equal(y[..., 0, 0], x.max((2, 3)))
    places = pool.max_places(x, y, kernel=20)
    np.testing.assert_array_equal(places.reshape(2, 3), x.reshape(2, 3, -1).argmax(2))


def test_the_result_never_shares_memory():
    x = np.ones((1, 1, 4, 4))
    for y in (pool.max_pool(x, kernel=1), pool.sum_pool(x, kernel=1)):
        assert not np.may_share_memory(x, y)


def test_convention_same():
    y = pool.max_pool(np.arange(7.0).reshape(1, 1, 7), kernel=3, stride=2, convention="same")
    np.testing.assert_array_equal(y[0, 0], [2, 4, 6, 6])


@pytest.mark.parametrize(
    ("attrs", "message"),
    [
        ({"kernel": 9}, "larger than the data"),
        ({"kernel": 2, "pad": 2}, "smaller than kernel"),
        ({"kernel": 2, "convention": "floor"}, "not one of"),
        ({"kernel": (2, 2)}, "needs 1 values"),
    ],
)
def test_errors_say_what_is_wrong(attrs, message):
    with pytest.raises(ValueError, match=message):
        pool.max_pool(np.ones((1, 1, 4)), **attrs)


@pytest.mark.parametrize("train_mode", [False, True])
def test_the_gradient_of_a_maximum_goes_to_its_place_in_either_mode(train_mode):
    x = nd.array([[[[1, 5, 2, 0], [3, 4, 8, 7]]]])
    x.attach_grad()
    with autograd.record(train_mode=train_mode):
        y = nd.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max")
    y.backward(train_mode=train_mode)
    np.testing.assert_array_equal(x.grad.asnumpy(), [[[[0, 1, 0, 0], [0, 0, 1, 0]]]])
