"""Operators that move values: shapes, joins, parts, padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ... import np
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError
from .table import FUNCTIONS, axes_of, axis_of, dtype_of, implements, made, number, room, whole
from .windows import geometry

FUNCTIONS |= {
    "Size": lambda data: made(numpy.int64(data.size)),
}


@implements
def Shape(data: Any, *, start: int = 0, end: int | None = None) -> Any:
    return made(numpy.array(data.shape[start:end], "int64"))


@implements
def Reshape(data: Any, shape: Any = None, *, allowzero: int = 0) -> Any:
    lengths = whole(shape)
    if not allowzero:
        lengths = [data.shape[k] if n == 0 else n for k, n in enumerate(lengths)]
    return np.reshape(data, tuple(lengths))


@implements
def Flatten(input: Any, *, axis: int = 1) -> Any:
    before = input.shape[: axis if axis == input.ndim else axis_of(axis, input.ndim)]
    first = int(numpy.prod(before, dtype="int64"))
    return input.reshape((first, input.size // first if first else 0))


@implements
def Transpose(data: Any, *, perm: Sequence[int] | None = None) -> Any:
    return np.transpose(data, perm and tuple(perm))


@implements
def Squeeze(data: Any, axes: Any = None) -> Any:
    return np.squeeze(data, axes_of(data, axes) if whole(axes) else None)


@implements
def Unsqueeze(data: Any, axes: Any) -> Any:
    return np.expand_dims(data, tuple(whole(axes)))


@implements
def Concat(*inputs: Any, axis: int) -> Any:
    return np.concatenate(inputs, axis)


@implements
def Split(
    input: Any, split: Any = None, *, axis: int = 0, num_outputs: int = 0, outputs: int = 1
) -> Any:
    lengths, length = whole(split), input.shape[axis]
    count = len(lengths) or num_outputs or outputs
    if not outputs <= count <= max(length, outputs):
        raise ArgumentError(f"an axis of length {length} cannot be split into {count} parts")
    if not lengths:
        each = -(-length // count)
        lengths = [each] * (count - 1) + [length - each * (count - 1)]
    if sum(lengths) != length or min(lengths) < 0:
        raise ArgumentError(f"an axis of length {length} cannot be split into {lengths}")
    ends = [int(end) for end in numpy.cumsum(lengths)]
    return tuple(np.split(input, ends[:-1], axis))


@implements
def Slice(data: Any, starts: Any, ends: Any, axes: Any = None, steps: Any = None) -> Any:
    starts, ends = whole(starts), whole(ends)
    places = axes_of(data, axes) if axes is not None else range(len(starts))
    key = [slice(None)] * data.ndim
    for axis, start, end, step in zip(places, starts, ends, whole(steps) or [1] * len(starts)):
        if step < 0 and end < -data.shape[axis]:
            end = None  # only up to the first value
        key[axis] = slice(start, end, step)
    return data[tuple(key)]


@implements
def Expand(input: Any, shape: Any) -> Any:
    wanted = numpy.broadcast_shapes(input.shape, room(*whole(shape)))
    return np.broadcast_to(input, room(*wanted))


@implements
def Tile(input: Any, repeats: Any) -> Any:
    counts = whole(repeats)
    room(*(n * count for n, count in zip(input.shape, counts)))
    return np.tile(input, tuple(counts))


@implements
def Pad(
    data: Any,
    pads: Any,
    constant_value: Any = None,
    axes: Any = None,
    *,
    mode: str = "constant",
    value: float = 0.0,
) -> Any:
    lengths, places = whole(pads), axes_of(data, axes)
    width = [(0, 0)] * data.ndim
    for axis, before, after in zip(places, lengths, lengths[len(places) :]):
        width[axis] = (before, after)
    cut = tuple(slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(data.shape, width))
    data, width = data[cut], [(max(a, 0), max(b, 0)) for a, b in width]
    room(*(a + n + b for n, (a, b) in zip(data.shape, width)))
    if mode == "constant":
        filling = number(constant_value, value)
        return np.pad(data, width, mode="constant", constant_values=filling)
    return np.pad(data, width, mode=mode)


@implements
def CenterCropPad(input_data: Any, shape: Any, *, axes: Any = None) -> Any:
    for axis, wanted in zip(axes_of(input_data, axes), room(*whole(shape))):
        length = input_data.shape[axis]
        key = [slice(None)] * input_data.ndim
        width = [(0, 0)] * input_data.ndim
        if wanted <= length:
            start = (length - wanted) // 2
            key[axis] = slice(start, start + wanted)
            input_data = input_data[tuple(key)]
        else:
            before = (wanted - length) // 2
            width[axis] = (before, wanted - length - before)
            input_data = np.pad(input_data, width)
    return input_data


@implements
def DepthToSpace(input: Any, *, blocksize: int, mode: str = "DCR") -> Any:
    n, c, h, w = input.shape
    b = blocksize
    if mode == "DCR":
        parts = input.reshape((n, b, b, c // (b * b), h, w)).transpose((0, 3, 4, 1, 5, 2))
    else:
        parts = input.reshape((n, c // (b * b), b, b, h, w)).transpose((0, 1, 4, 2, 5, 3))
    return parts.reshape((n, c // (b * b), h * b, w * b))


@implements
def SpaceToDepth(input: Any, *, blocksize: int, mode: str = "DCR") -> Any:
    n, c, h, w = input.shape
    b = blocksize
    parts = input.reshape((n, c, h // b, b, w // b, b))
    order = (0, 3, 5, 1, 2, 4) if mode == "DCR" else (0, 1, 3, 5, 2, 4)
    return parts.transpose(order).reshape((n, c * b * b, h // b, w // b))


@implements
def ConstantOfShape(input: Any, *, value: Any = None) -> Any:
    filling = numpy.zeros(1, "float32") if value is None else numpy.asarray(value)
    return made(numpy.full(room(*whole(input)), filling.reshape(-1)[0], filling.dtype))


@implements
def EyeLike(input: Any, *, dtype: int | None = None, k: int = 0) -> Any:
    kind = input.dtype if dtype is None else dtype_of(dtype)
    return made(numpy.eye(input.shape[0], input.shape[1], k).astype(kind))


@implements
def Range(start: Any, limit: Any, delta: Any) -> Any:
    first, end, step = number(start), number(limit), number(delta)
    if step:  # otherwise NumPy raises
        room(max(0, int((end - first) / step)))
    return made(numpy.arange(first, end, step).astype(start.dtype))


@implements
def Trilu(input: Any, k: Any = None, *, upper: int = 1) -> Any:
    return (np.triu if upper else np.tril)(input, int(number(k)))


@implements
def ReverseSequence(
    input: Any, sequence_lens: Any, *, batch_axis: int = 1, time_axis: int = 0
) -> Any:
    x = np.moveaxis(input, (time_axis, batch_axis), (0, 1))
    steps = numpy.arange(x.shape[0])[:, None]
    lengths = numpy.array(whole(sequence_lens))[None]
    places = numpy.where(steps < lengths, lengths - 1 - steps, steps)
    y = x[made(places), made(numpy.arange(x.shape[1])[None])]
    return np.moveaxis(y, (0, 1), (time_axis, batch_axis))


@implements
def Compress(input: Any, condition: Any, *, axis: int | None = None) -> Any:
    return np.compress(condition.raw, input, axis)


@implements
def Col2Im(
    input: Any,
    image_shape: Any,
    block_shape: Any,
    *,
    dilations: Sequence[int] = (),
    pads: Sequence[int] = (),
    strides: Sequence[int] = (),
) -> Any:
    image, block = room(*whole(image_shape)), room(*whole(block_shape))
    canvas = np.zeros((*input.shape[:1], 1, *image), dtype=input.dtype)
    window = geometry(canvas, block, "NOTSET", dilations, pads, strides)
    counts, rank = window.counts, len(image)
    x = input.reshape((len(input), -1, *block, *counts))
    x = np.moveaxis(x, tuple(range(2, 2 + rank)), tuple(range(-rank, 0)))
    around = numpy.indices(x.shape[:2], sparse=True)
    key = (*(one.reshape(one.shape + (1,) * 2 * rank) for one in around), *window.places())
    wide = [n + a + b for n, (a, b) in zip(image, window.pads)]
    y = ops.scatter_add(x, key=key, shape=(*x.shape[:2], *wide))
    cut = [slice(a, a + n) for n, (a, _) in zip(image, window.pads)]
    return y[(slice(None), slice(None), *cut)]
