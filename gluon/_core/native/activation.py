"""Softmax and its logarithm along the last axis, with their gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernels import outputs
from ..kernels.indexing import picked
from ..kernels.steps import STAND_INS as STEPS
from .loading import runner
from .stand_ins import STAND_INS, stands_in, suits


def _rows(x: Any) -> tuple[int, int]:
    """Return the number of rows of the array and their length."""
    width = x.shape[-1]
    return x.size // width, width


def _softmax(name: str) -> Callable:
    run = runner(name)

    def stand_in(
        plain: Callable, x: Any, *, axis: int = -1, temperature: float | None = None
    ) -> Any:
        plainly = temperature is None or temperature == 1
        if plainly and suits(x) and axis in (-1, x.ndim - 1):
            y = np.empty(x.shape, x.dtype)
            if run((x, y), _rows(x)):
                return y
        return plain(x, axis=axis, temperature=temperature)

    return stand_in


def _gradient(name: str) -> Callable:
    run = runner(name)

    def stand_in(plain: Callable, g: Any, p: Any, *, axis: int) -> Any:
        if suits(p, g) and p.shape == g.shape and axis in (-1, p.ndim - 1):
            y = np.empty(p.shape, p.dtype)
            if run((g, p, y), _rows(p)):
                return y
        return plain(g, p, axis=axis)

    return stand_in


_cross_entropy = runner("cross_entropy")
_cross_entropy_grad = runner("cross_entropy_grad")


def _classes(label: Any, shape: tuple[int, ...], axis: int) -> Any:
    """Return the labels, of `shape` without `axis`, in the form that the library takes."""
    return np.ascontiguousarray(picked(label, shape, axis, "clip"), np.int64)


@stands_in("cross_entropy")
def cross_entropy(plain: Callable, x: Any, label: Any, *, axis: int = -1) -> Any:
    if suits(x) and axis in (-1, x.ndim - 1):
        y = np.empty((*x.shape[:-1], 1), x.dtype)
        if _cross_entropy((x, _classes(label, x.shape, axis), y), _rows(x)):
            return y
    return plain(x, label, axis=axis)


@stands_in("cross_entropy_grad")
def cross_entropy_grad(plain: Callable, out_grad: Any, x: Any, label: Any, *, axis: int) -> Any:
    if suits(x, out_grad) and axis in (-1, x.ndim - 1):
        y = np.empty(x.shape, x.dtype)
        arrays = (out_grad, x, _classes(label, x.shape, axis), y)
        if _cross_entropy_grad(arrays, _rows(x)):
            return y
    return plain(out_grad, x, label, axis=axis)


def class_softmax(plain: Callable, flat: Any) -> Any:
    return STAND_INS["softmax"](lambda x, **_: plain(x), flat, axis=1)


@stands_in("softmax_output_grad")
def softmax_output_grad(
    plain: Callable,
    x: Any,
    label: Any,
    weight: Any,
    *,
    multi_output: bool,
    preserve_shape: bool,
    smooth_alpha: float,
) -> Any:
    """That of the cross entropy, where the cotangent of a row is its weight."""
    if suits(x) and not multi_output and not smooth_alpha and label.shape != x.shape:
        flat = outputs.classes(x, multi_output, preserve_shape)
        rows = np.array(np.broadcast_to(weight, x.shape).reshape(flat.shape)[:, :1])
        places = label.reshape(-1).astype(np.int64)
        places[rows[:, 0] == 0] = 0
        y = np.empty(x.shape, x.dtype)
        if _cross_entropy_grad((rows, flat, places, y), flat.shape):
            return y
    how = {"multi_output": multi_output, "preserve_shape": preserve_shape}
    return plain(x, label, weight, smooth_alpha=smooth_alpha, **how)


STEPS["class_softmax"] = class_softmax
for _name in ("softmax", "log_softmax"):
    stands_in(_name)(_softmax(_name))
for _name in ("softmax_grad", "log_softmax_grad", "log_softmax_push"):
    stands_in(_name)(_gradient(_name))
