"""Random values from gluon's own generator; seeds in files are ignored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ... import np, npx
from .table import dtype_of, implements, made, room


def _uniform(shape: Any, dtype: Any, low: float, high: float) -> Any:
    return np.random.uniform(low, high, room(*shape)).astype(dtype)


def _normal(shape: Any, dtype: Any, mean: float, scale: float) -> Any:
    return np.random.normal(mean, scale, room(*shape)).astype(dtype)


@implements
def RandomUniform(
    *,
    shape: Sequence[int],
    dtype: int = 1,
    high: float = 1.0,
    low: float = 0.0,
    seed: float | None = None,
) -> Any:
    return _uniform(shape, dtype_of(dtype), low, high)


@implements
def RandomUniformLike(
    input: Any,
    *,
    dtype: int | None = None,
    high: float = 1.0,
    low: float = 0.0,
    seed: float | None = None,
) -> Any:
    return _uniform(input.shape, input.dtype if dtype is None else dtype_of(dtype), low, high)


@implements
def RandomNormal(
    *,
    shape: Sequence[int],
    dtype: int = 1,
    mean: float = 0.0,
    scale: float = 1.0,
    seed: float | None = None,
) -> Any:
    return _normal(shape, dtype_of(dtype), mean, scale)


@implements
def RandomNormalLike(
    input: Any,
    *,
    dtype: int | None = None,
    mean: float = 0.0,
    scale: float = 1.0,
    seed: float | None = None,
) -> Any:
    return _normal(input.shape, input.dtype if dtype is None else dtype_of(dtype), mean, scale)


@implements
def Multinomial(
    input: Any, *, dtype: int = 6, sample_size: int = 1, seed: float | None = None
) -> Any:
    shape = room(len(input), sample_size)
    ends = numpy.cumsum(npx.softmax(input.astype("float64"), axis=-1).raw, -1)
    drawn = np.random.uniform(0, 1, shape).raw * ends[:, -1:]
    found = [numpy.searchsorted(row, values, "right") for row, values in zip(ends, drawn)]
    return made(numpy.reshape(found, shape).astype(dtype_of(dtype)))


@implements
def Bernoulli(input: Any, *, dtype: int | None = None, seed: float | None = None) -> Any:
    hit = np.less(np.random.uniform(0, 1, input.shape), input.astype("float32"))
    return hit.astype(input.dtype if dtype is None else dtype_of(dtype))
