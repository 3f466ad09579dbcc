"""Samples of operators computed on a device and on the host.

It needs gluon and NumPy alone: `benchmarks.device_checklist` runs it on bare machines.
"""

from __future__ import annotations

import warnings
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

import gluon
from gluon import autograd
from gluon._core.engine.array import Array, wrap
from gluon._core.kernels.memory import Buffer
from gluon.nd import NDArray
from tests._core.ops.calls import flatten, function
from tests._core.ops.sample import Sample, head_gradient

#: Samples with other results on a device, with the reason.
OTHER = {
    "F.move(2x3, to=None, back=None)": "a copy on the host is what it is asked for",
    "cumsum([1e38, 3e38, -3e38])": "PyTorch adds float32 in float64 on the CPU: no overflow",
    "linalg.det([[1, 2, 3], [2, 4, 6], [1, 1, 0]])": "rounding makes the matrix singular, or not",
    "Activation([3e38, -3e38], act_type=softsign)": "the order of products in a second gradient",
    "softsign([3e38, -3e38] float32)": "the order of products in a second gradient",
}


class Found(NamedTuple):
    """What a sample gives: values, gradients, and gradients of the gradients, on the host."""

    values: list
    written: list
    grads: list
    seconds: list


def placed(raws: list, ctx: Any) -> list:
    """The inputs of a call on `ctx`."""
    return [
        placed(raw, ctx)
        if isinstance(raw, list)
        else wrap(NDArray, raw.copy(), ctx)
        if isinstance(raw, np.ndarray)
        else raw
        for raw in raws
    ]


def arrays_in(value: Any) -> list:
    """The arrays in nested results."""
    if isinstance(value, Array):
        return [value]
    if isinstance(value, (list, tuple)):
        return [x for one in value for x in arrays_in(one)]
    return []


def _heads(outputs: list, ctx: Any) -> tuple[list, list]:
    chosen = [
        (k, y) for k, y in enumerate(outputs) if np.dtype(y.dtype).kind == "f" and y._node.tapes
    ]
    grads = [wrap(NDArray, head_gradient(k, y.shape, y.dtype), ctx) for k, y in chosen]
    return [y for _, y in chosen], grads


def run(sample: Sample, ctx: Any) -> Found:
    """Call a sample on `ctx`, and differentiate it twice."""
    place = None if ctx == gluon.cpu() else ctx
    raws = sample.raws()
    with ctx, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gluon.random.seed(3)
        inputs = placed(raws, place)
        variables = flatten(sample, raws, inputs)
        for x in variables:
            x.attach_grad()
        with autograd.record(train_mode=sample.training):
            outputs = arrays_in(function(sample)(*inputs, **sample.keywords(inputs)))
        heads, cotangents = _heads(outputs, place)
        grads: list = []
        seconds: list = []
        if heads and variables:
            with autograd.record(train_mode=sample.training):
                grads = autograd.grad(
                    heads,
                    variables,
                    cotangents,
                    retain_graph=True,
                    create_graph=True,
                    train_mode=sample.training,
                )
            again = [g for g in grads if g is not None and g._node.tapes]
            if again:
                weights = [wrap(NDArray, head_gradient(7, g.shape, g.dtype), place) for g in again]
                autograd.backward(again, weights, train_mode=sample.training)
                seconds = [x.grad for x in variables]
        written = arrays_in([inputs[k] for k in sample.writes])
        for x in [*outputs, *written, *[g for g in grads if g is not None]]:
            assert place is None or isinstance(x.raw, Buffer), "a result is on the host"
        found = outputs, written, grads, seconds
        return Found(*[[x if x is None else x.asnumpy() for x in xs] for xs in found])


def differences(sample: Sample, ctx: Any) -> list[str]:
    """How the results of a sample on `ctx` differ from those on the host."""
    try:
        want = run(sample, gluon.cpu())
    except gluon.GluonError as error:
        try:
            run(sample, ctx)
        except type(error):
            return []
        return [f"no error on a device; on the host: {error}"]
    return [
        f"{what} {k}: {a} for {b}"
        for what, one, two in zip(Found._fields, run(sample, ctx), want)
        for k, (a, b) in enumerate(zip_longest(one, two))
        if not close(a, b)
    ]


def close(a: Any, b: Any) -> bool:
    """Whether two arrays are equal but for rounding."""
    if a is None or b is None:
        return a is b
    if (a.shape, a.dtype) != (b.shape, b.dtype):
        return False
    if a.dtype.kind in "iub":
        return bool(np.array_equal(a, b))
    half = b.dtype.itemsize == 2
    a, b = (np.asarray(x, np.complex128 if x.dtype.kind == "c" else np.float64) for x in (a, b))
    tolerance = 2e-2 if half else 1e-4
    finite = np.abs(b[np.isfinite(b)])
    least = tolerance * (finite.max(initial=0) + 1e-2)
    return bool(np.allclose(a, b, tolerance, least, equal_nan=True))
