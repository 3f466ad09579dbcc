"""Convolution against its definition, spelled out in loops, however it is laid out or chunked."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from gluon._core.engine.array import Array, wrap
from gluon._core.engine.op import RECORDED
from gluon._core.errors import ArgumentError
from gluon._core.kernels import columns, conv


def by_definition(x, weight, stride, pad, dilate, groups):
    """The sum over channels and kernel elements, one output value at a time."""
    n = x.ndim - 2
    x = np.pad(x, [(0, 0), (0, 0), *zip(pad, pad)])
    reach = [(k - 1) * d + 1 for k, d in zip(weight.shape[2:], dilate)]
    out = [(size - r) // s + 1 for size, r, s in zip(x.shape[2:], reach, stride)]
    y = np.zeros((len(x), len(weight), *out))
    per_group = weight.shape[1]
    for filter, place in itertools.product(range(len(weight)), np.ndindex(*out)):
        first = filter // (len(weight) // groups) * per_group
        key = [slice(p * s, p * s + r, d) for p, s, r, d in zip(place, stride, reach, dilate)]
        window = x[(slice(None), slice(first, first + per_group), *key)]
        y[(slice(None), filter, *place)] = (window * weight[filter]).sum(tuple(range(1, n + 2)))
    return y


CASES = [
    # size, kernel, stride, pad, dilate, groups
    ((9,), (3,), (2,), (1,), (1,), 1),
    ((6, 7), (3, 2), (1, 2), (1, 0), (1, 2), 1),
    ((6, 7), (3, 3), (2, 1), (2, 1), (2, 1), 2),
    ((5, 5), (1, 1), (1, 1), (0, 0), (1, 1), 1),
    ((5, 5), (1, 1), (2, 2), (0, 0), (1, 1), 4),
    ((4, 5, 3), (2, 3, 1), (1, 2, 1), (0, 1, 0), (1, 1, 1), 1),
]


def make(size, kernel, groups, batch=3):
    rng = np.random.default_rng(1)
    return rng.normal(size=(batch, 4, *size)), rng.normal(size=(8, 4 // groups, *kernel))


@pytest.mark.parametrize("width", [1, 1 << 20], ids=["strips", "one matrix"])
@pytest.mark.parametrize("chunk", [1, 1 << 23], ids=["one at a time", "together"])
@pytest.mark.parametrize("batch", [2, 20], ids=["batch first", "batch last"])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_convolution_and_its_transposes(case, batch, chunk, width, monkeypatch):
    monkeypatch.setattr(columns, "CHUNK", chunk)
    monkeypatch.setattr(columns, "WIDTH", width)
    size, kernel, stride, pad, dilate, groups = case
    x, weight = make(size, kernel, groups, batch)
    attrs = {"stride": stride, "pad": pad, "dilate": dilate, "num_group": groups}
    y = conv.convolution(x, weight, **attrs)
    expected = by_definition(x, weight, stride, pad, dilate, groups)
    np.testing.assert_allclose(y, expected, atol=1e-12)
    # A linear map and its transpose give the same scalar product.
    g = np.random.default_rng(2).normal(size=y.shape)
    x_grad = conv.convolution_input_grad(g, weight, shape=size, **attrs)
    weight_grad = conv.convolution_weight_grad(g, x, kernel=kernel, **attrs)
    np.testing.assert_allclose([(x_grad * x).sum(), (weight_grad * weight).sum()], (g * y).sum())


@pytest.mark.parametrize("target", [(7, 7), (8, 9), (9, 9)])
def test_deconvolution_reaches_the_target_shape(target):
    x, weight = np.ones((1, 2, 4, 4)), np.ones((2, 3, 3, 3))
    y = conv.deconvolution(x, weight, stride=2, target_shape=target)
    assert y.shape == (1, 3, *target)


def test_half_precision_is_summed_in_single():
    x = np.full((1, 4096, 1, 1), 0.5, np.float16)
    weight = np.ones((1, 4096, 1, 1), np.float16)
    y = conv.convolution(x, weight)
    assert y.dtype == np.float16
    assert y.item() == 2048


def test_no_samples():
    assert conv.convolution(np.zeros((0, 2, 5, 5)), np.zeros((3, 2, 3, 3))).shape == (0, 3, 3, 3)
    assert conv.convolution(np.zeros((0, 2, 5, 5)), np.zeros((3, 2, 1, 1))).shape == (0, 3, 5, 5)


@pytest.mark.parametrize(
    ("x", "weight", "attrs", "message"),
    [
        ((2, 3, 5, 5), (4, 2, 3, 3), {}, "x has 3 channels"),
        ((2, 3, 5, 5), (4, 3, 7, 7), {}, "enlarge pad"),
        ((2, 3, 5, 5), (4, 3, 3), {}, "as many axes"),
        ((2, 3, 5, 5), (4, 3, 3, 3), {"stride": (0, 1)}, "stride=\\(0, 1\\)"),
        ((2, 3, 5, 5), (4, 1, 3, 3), {"num_group": 3}, "num_group=3"),
    ],
)
def test_errors_say_what_is_wrong(x, weight, attrs, message):
    with pytest.raises(ArgumentError, match=message):
        RECORDED.convolution(wrap(Array, np.zeros(x)), wrap(Array, np.zeros(weight)), **attrs)


def test_memory_that_is_kept_holds_no_result():
    rng = np.random.default_rng(3)
    x, weight = rng.normal(size=(4, 8, 30, 30)), rng.normal(size=(8, 8, 3, 3))

    def all_three(x):
        y = conv.convolution(x, weight, pad=1)
        strided = conv.convolution(x, weight, stride=2)
        return (
            y,
            conv.convolution_input_grad(y, weight, shape=(30, 30), pad=1),
            conv.convolution_input_grad(strided, weight, shape=(30, 30), stride=2),
            conv.convolution_weight_grad(y, x, kernel=(3, 3), pad=1),
        )

    results = all_three(x)
    copies = [one.copy() for one in results]
    all_three(x + 1)
    for one, copy in zip(results, copies):
        np.testing.assert_array_equal(one, copy)
    assert columns._kept.memory  # or this test is about nothing
