"""The inputs of operators that get a gradient, zeros included, are those in MXNet."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

import gluon
from gluon import GluonError, autograd, nd
from gluon import np as gnp
from recorded.make_zero_gradients import MOST, chosen, reached
from tests._core.ops.calls import arrays, flatten, heads_of, run
from tests._core.ops.samples import FAMILIES
from tests.each import each

REFERENCE = json.loads(
    (Path(__file__).resolve().parents[3] / "recorded" / "zero_gradients.json").read_text()
)
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
SAMPLES = [sample for sample in chosen(FAMILIES) if str(sample) in REFERENCE]


def test_the_reference_has_every_operator():
    assert {sample.op for sample in chosen(FAMILIES)} == {sample.op for sample in SAMPLES}


@each("sample", [sample for sample in SAMPLES if "error" not in REFERENCE[str(sample)]])
def test_inputs_are_reached_as_in_mxnet(sample):
    expected = REFERENCE[str(sample)]
    found = reached(gluon, sample)
    assert "error" not in found, found
    missing = [
        k
        for k, (ours, theirs) in enumerate(zip(found["reached"], expected["reached"]))
        if ours == "no" and theirs != "no"
    ]
    assert not missing


def gradients(sample, fill) -> list:
    """The gradients of a sample whose cotangents are `fill`; None where none is asked for."""
    raws = sample.raws()
    inputs = arrays(raws)
    variables = flatten(sample, raws, inputs)
    for x in variables:
        x.attach_grad()
    with autograd.record(train_mode=sample.training):
        heads, cotangents = heads_of(run(sample, inputs))
    if not (variables and heads):
        return []
    for g in cotangents:
        g[...] = fill
    autograd.backward(heads, cotangents, train_mode=sample.training)
    return [x.grad.asnumpy() for x in variables]


def groups() -> list:
    """The first samples of each operator; those of sample_grad are 0 by chance."""
    found: dict = {}
    for sample in itertools.chain(*FAMILIES.values()):
        group = found.setdefault(sample.op, [])
        if len(group) < MOST and not (sample.refused or sample.writes or sample.out):
            group.append(sample)
    del found["F.sample_grad"]
    return [group for group in found.values() if group]


@each("group", groups())
def test_a_gradient_that_is_always_zero_is_so_whatever_arrives(group):
    """A product with 0 would pass NaN and infinity on."""
    try:
        moved = [gradients(sample, 1.5) for sample in group]
    except GluonError:
        return  # which is what these samples are about
    for place in range(max(map(len, moved), default=0)):
        if any(place < len(one) and one[place].any() for one in moved):
            continue
        for fill in (np.nan, np.inf):
            for sample in group:
                for grad in gradients(sample, fill)[place : place + 1]:
                    assert not grad.any(), sample


@pytest.mark.parametrize("size", [7, 5000])  # plain and compiled kernels
def test_what_does_not_reach_an_input_leaves_it_alone(size):
    """As in MXNet, whose gradients are 0 there even if NaN or infinity arrives."""
    x = nd.array([-3.0, 0.25, 3.0] * size)
    head = nd.array([np.nan, 1.0, np.inf] * size)
    functions = {
        "clip": (lambda x: nd.clip(x, -1, 1), 1),
        "hard_sigmoid": (lambda x: nd.hard_sigmoid(x, alpha=0.5), 0.5),
        "pdf": (lambda x: nd.random_pdf_uniform(x.reshape((1, -1)), nd.zeros(1), nd.ones(1)), 0),
    }
    for name, (function, middle) in functions.items():
        x.attach_grad()
        with autograd.record():
            y = function(x)
        y.backward(head.reshape(y.shape))
        assert x.grad.asnumpy().tolist() == [0, middle, 0] * size, name


@pytest.mark.parametrize("bounds", [(-1, 1), (-1.0, None)])
def test_clip_of_np_does_too(bounds):
    x = gnp.array([-3.0, 0.25])
    x.attach_grad()
    with autograd.record():
        y = gnp.clip(x, *bounds)
    y.backward(gnp.array([np.nan, 1]))
    assert x.grad.tolist() == [0, 1]


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("size", [6, 64])
def test_max_pooling_sends_nan_to_the_largest_value_alone(size, stride):
    x = nd.arange(size * size).reshape((1, 1, size, size))
    x.attach_grad()
    with autograd.record():
        y = nd.Pooling(x, kernel=(2, 2), stride=(stride, stride), pool_type="max")
    y.backward(nd.full(y.shape, np.nan))
    assert np.isnan(x.grad.asnumpy()).sum() == y.size


@pytest.mark.parametrize("norm", [nd.BatchNorm, nd.contrib.SyncBatchNorm])
def test_a_fixed_gamma_has_no_gradient_and_no_effect(norm):
    x, gamma, beta = nd.array([[1.0], [3.0]]), nd.array([np.nan]), nd.zeros((1,))
    gamma.attach_grad()
    key = {"key": "fixed"} if norm is nd.contrib.SyncBatchNorm else {}
    with autograd.record():
        y = norm(x, gamma, beta, nd.zeros((1,)), nd.ones((1,)), eps=0, **key)
    y.backward(nd.full((2, 1), np.nan))
    assert gamma.grad.asnumpy().tolist() == [0]
    np.testing.assert_allclose(y.asnumpy(), [[-1], [1]], rtol=1e-6)


def test_a_power_of_a_negative_number_to_whole_exponents_can_be_trained():
    """The loss of SphereFace: the gradient of the power is NaN, and the floor stops it."""
    x = nd.array([0.3, -0.5, 0.9])
    x.attach_grad()
    with autograd.record():
        y = (-1) ** nd.floor(x) * 2 + x
    y.backward()
    assert x.grad.asnumpy().tolist() == [1, 1, 1]
