"""Steps of gradient descent: the weight as ``out`` and without, the states, every setting."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests._core.ops.sample import Sample, s

W, G, M = "2x3", "2x3 unit", "2x3 large"
FULL = {"wd": 0.1, "rescale_grad": 0.5, "clip_gradient": 0.3}


def update(op: str, *inputs: Any, states: int = 0, **attrs: Any) -> Sample:
    """A call that writes to its last `states` inputs, and to the first one as ``out``."""
    places = range(len(inputs) - states, len(inputs))
    return s(op, *inputs, **attrs).but(wrt=(), out=(0,), writes=(0, *places))


def aside(sample: Sample) -> Sample:
    """The same call without ``out``."""
    return sample.but(out=(), writes=sample.writes[1:])


def of(dtype: str, *inputs: str) -> list[str]:
    return [f"{one} {dtype}" for one in inputs]


def each_dtype(op: str, *inputs: str, half: float = 3e-3, **attrs: Any) -> list[Sample]:
    """The call in float32, float64 and float16, which MXNet rounds after every operation."""
    return [
        update(op, *inputs, **attrs),
        update(op, *of("float64", *inputs), **attrs),
        update(op, *of("float16", *inputs), **attrs).but(rtol=half),
    ]


def refused(op: str, *inputs: Any, **attrs: Any) -> Sample:
    return s(op, *inputs, **attrs).but(wrt=())


def half(*inputs: str) -> list[str]:
    """A weight and a gradient in float16, the states and the weight in full in float32."""
    weight, grad, *states = inputs
    return [*of("float16", weight, grad), *states, weight]


def nag_right(weight: Any, grad: Any, mom: Any) -> Any:
    step = 0.1 * (grad + np.float32(0.1) * weight)
    return weight + 0.9 * (0.9 * mom - step) - step


PLAIN = [
    *each_dtype("sgd_update", W, G, lr=0.1),
    *each_dtype("sgd_update", W, G, lr=0.1, **FULL),
    aside(update("sgd_update", W, G, lr=0.1, **FULL)),
    aside(update("sgd_update", W, G, 0.1, 0.2, 0.5, 0.3, False)),
    *(update("sgd_update", W, G, lr=0.1, clip_gradient=c) for c in (0, -1, 1e30)),
    update("sgd_update", "2x1x3x1", "2x1x3x1", lr=-0.5, wd=2),
    update("sgd_update", "1", "1", lr=0),
    update("sgd_update", "[1, 2, 3]", "[nan, inf, -inf]", lr=1, clip_gradient=1),
    update("sgd_update", "3", "[1e30, -1e-30, 0]", lr=1e-5, rescale_grad=1e-3),
    s("sgd_update", "0x3", "0x3", lr=0.1).but(wrt=(), right=lambda w, g: w),
    *each_dtype("sgd_mom_update", W, G, M, states=1, lr=0.1, momentum=0.9),
    *each_dtype("sgd_mom_update", W, G, M, states=1, lr=0.1, momentum=0.9, **FULL),
    aside(update("sgd_mom_update", W, G, M, states=1, lr=0.1, lazy_update=False)),
    *each_dtype("nag_mom_update", W, G, M, states=1, lr=0.1, momentum=0.9),
    aside(update("nag_mom_update", W, G, M, states=1, lr=0.1, momentum=0.9, **FULL)),
    aside(update("nag_mom_update", W, G, M, states=1, lr=0.1)),
    update("nag_mom_update", W, G, M, states=1, lr=0.1, momentum=0.9, wd=0.1).but(
        differs="with out=weight, MXNet mixes the new weight into the momentum", right=nag_right
    ),
    *each_dtype("signsgd_update", W, G, lr=0.1),
    *each_dtype("signsgd_update", W, G, lr=0.1, **FULL),
    aside(update("signsgd_update", W, "[[0, -0.0, 1], [-1, inf, -inf]]", lr=0.1)),
    *each_dtype("signum_update", W, G, M, states=1, lr=0.1, momentum=0.9),
    *each_dtype("signum_update", W, G, W, states=1, lr=0.1, momentum=0.9, wd_lh=0.2, **FULL),
    aside(update("signum_update", W, G, M, states=1, lr=0.1)),
]
MIXED = [
    update("mp_sgd_update", *half(W, G), states=1, lr=0.1).but(rtol=1e-3),
    update("mp_sgd_update", *half(W, G), states=1, lr=0.1, **FULL).but(rtol=1e-3),
    aside(update("mp_sgd_update", *half(W, G), states=1, lr=0.1)).but(rtol=1e-3),
    aside(update("mp_sgd_update", W, G, W, states=1, lr=0.1)),
    update("mp_sgd_mom_update", *half(W, G, M), states=2, lr=0.1, momentum=0.9).but(rtol=1e-3),
    update("mp_sgd_mom_update", *half(W, G, M), states=2, lr=0.1, **FULL).but(rtol=1e-3),
    aside(update("mp_sgd_mom_update", *half(W, G, M), states=2, lr=0.1)).but(rtol=1e-3),
    update("mp_nag_mom_update", *half(W, G, M), states=2, lr=0.1, momentum=0.9).but(rtol=1e-3),
    aside(update("mp_nag_mom_update", *half(W, G, M), states=2, lr=0.1, clip_gradient=0.3)).but(
        rtol=1e-3
    ),
]
ERRORS = [
    refused("sgd_update", W, "3x2", lr=0.1),
    refused("sgd_update", W, "1", lr=0.1),
    refused("sgd_update", W, G),
    refused("sgd_update", W, G, lr=0.1, momentum=0.9),
    refused("sgd_update", "3 integers int32", "3 integers int32", lr=0.1),
    refused("sgd_update", W, "2x3 integers int32", lr=0.1),
    refused("sgd_mom_update", W, G, "2x4", lr=0.1),
    refused("sgd_mom_update", W, G, lr=0.1),
    refused("mp_sgd_update", "2x3 float16", "2x3 float16", "3x2", lr=0.1),
    refused("multi_sgd_update", W, G, W, lrs=(0.1, 0.2), wds=(0, 0), num_weights=2),
    refused("multi_sgd_update", W, G, W, G, lrs=(0.1, 0.2), wds=(0, 0)),
    refused("multi_sgd_update", W, G, W, G, lrs=(0.1,), wds=(0, 0), num_weights=2),
    refused("multi_sgd_update", W, G, W, "3x2", lrs=(1, 1), wds=(0, 0), num_weights=2),
    refused("preloaded_multi_sgd_update", W),
    refused("preloaded_multi_sgd_update", W, G, "2", "1"),
    refused("multi_lars", "3", "2", "3", "3", eta=0.1, eps=0),
    refused("reset_arrays", "3", "2", num_arrays=1),
]


def multi(op: str, width: int, *inputs: Any, **attrs: Any) -> Sample:
    """A call for two weights with `width` arrays each; all but the gradients are written to."""
    places = tuple(k for k in range(2 * width) if k % width != 1)
    return s(op, *inputs, num_weights=2, **attrs).but(wrt=(), out=(0, width), writes=places)


LISTS = {"lrs": (0.1, 0.2), "wds": (0.0, 0.3)}
ARRAYS = ["[0.1, 0.2]", "[0, 0.3]"]
ONE, TWO = half("2x3", "2x3 unit"), half("4", "4 unit")
ONE_MOM, TWO_MOM = half("2x3", "2x3 unit", "2x3 large"), half("4", "4 unit", "4 large")
MOMENTUM = {"momentum": 0.9, "rescale_grad": 0.5, "clip_gradient": 0.3}
MULTI = [
    multi("multi_sgd_update", 2, W, G, "4", "4 unit", **LISTS),
    multi("multi_sgd_update", 2, W, G, "4", "4", rescale_grad=2, clip_gradient=0.3, **LISTS),
    s("multi_sgd_update", W, G, lrs=(0.1,), wds=(0.2,)).but(wrt=(), out=(0,), writes=(0,)),
    s("multi_sgd_update", W, G, lrs=(0.1,), wds=(0.5,)).but(
        wrt=(),
        differs="MXNet needs out",
        right=lambda w, g: w - np.float32(0.1) * (g + np.float32(0.5) * w),
    ),
    multi("multi_sgd_mom_update", 3, W, G, M, "4", "4", "4", **LISTS),
    multi("multi_sgd_mom_update", 3, W, G, M, "4", "4 unit", "4", **LISTS, **MOMENTUM),
    multi("multi_mp_sgd_update", 3, *ONE, *TWO, **LISTS).but(rtol=1e-3),
    multi("multi_mp_sgd_mom_update", 4, *ONE_MOM, *TWO_MOM, **LISTS, **MOMENTUM).but(rtol=1e-3),
    multi("preloaded_multi_sgd_update", 2, W, G, "4", "4 unit", *ARRAYS),
    multi("preloaded_multi_sgd_mom_update", 3, W, G, M, "4", "4", "4", *ARRAYS, **MOMENTUM),
    multi("preloaded_multi_mp_sgd_update", 3, *ONE, *TWO, *ARRAYS).but(rtol=1e-3),
    multi("preloaded_multi_mp_sgd_mom_update", 4, *ONE_MOM, *TWO_MOM, *ARRAYS, **MOMENTUM).but(
        rtol=1e-3
    ),
    s("multi_lars", "3 positive", "[4, 9, 0]", "[1, 0, 1]", "3 positive", eta=0.1, eps=0.01).but(
        wrt=()
    ),
    s("multi_lars", *["3 positive"] * 4, eta=0.1, eps=0, rescale_grad=0.5).but(wrt=()),
    s("multi_lars", *["3 positive"] * 4, eta=0.1, eps=0.1, rescale_grad=0.0).but(wrt=()),
    s("reset_arrays", W, "4 float64", "1 float16", num_arrays=3).but(wrt=(), writes=(0, 1, 2)),
    s("reset_arrays", W, num_arrays=1).but(wrt=(), writes=(0,)),
]
SAMPLES = [*PLAIN, *MIXED, *MULTI, *ERRORS]
