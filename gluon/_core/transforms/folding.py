"""Batching rules that put the examples into an axis that an operator has: its batch, or its table.

The steps of recurrent layers are those of all examples together. Where each example has weights of
its own, a step is a product of stacks of matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from ..engine.op import KERNELS as F
from ..kernels.activation import gamma_shape
from ..kernels.memory import beside
from .batched import Level, is_at, levels_of, wrapped
from .whole import Attrs, Inputs, call, free_letter, full, given, moved


def folded(x: Any, level: Level, axis: int = 0) -> Any:
    """The examples one after the other along an axis; None stays."""
    if x is None:
        return None
    y = full(x, level)
    if axis:
        y = F.transpose(y, axes=[*range(1, axis + 1), 0, *range(axis + 1, y.ndim)])
    shape = (*y.shape[:axis], y.shape[axis] * y.shape[axis + 1], *y.shape[axis + 2 :])
    return F.reshape(y, shape=shape)


def unfolded(y: Any, level: Level, axis: int = 0) -> Any:
    """The reverse of `folded`, of an array or of several."""
    if isinstance(y, (tuple, list)):
        return type(y)([unfolded(one, level, axis) for one in y])
    shape = (*y.shape[:axis], level.size, y.shape[axis] // level.size, *y.shape[axis + 1 :])
    y = F.reshape(y, shape=shape)
    if axis:
        y = F.transpose(y, axes=[axis, *range(axis), *range(axis + 1, y.ndim)])
    return wrapped(y, level)


def _is_empty(level: Level, inputs: Inputs) -> bool:
    return not level.size or not all(np.size(x) for x in inputs if x is not None)


def samples(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """What treats each sample of a batch by itself: pooling, resizing, windows as columns."""
    if not level.size or any(np.ndim(x) < 1 or not np.shape(x)[0] for x in inputs):
        return NotImplemented
    return unfolded(getattr(F, name)(*[folded(x, level) for x in inputs], **attrs), level)


def points(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """What reads images at points, or writes there; points may say of which image they are."""
    count = 4 if name == "sample_slopes" else 3
    if any(x is not None for x in inputs[count:]):
        return NotImplemented
    if name == "sample_grad" and len(attrs["shape"]) == 4:
        first, *rest = attrs["shape"]
        attrs = {**attrs, "shape": (first * level.size, *rest)}
    return samples(name, level, inputs[:count], attrs)


def sequence(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """What takes a batch of sequences, and their lengths."""
    x, length = inputs
    if _is_empty(level, inputs):
        return NotImplemented
    axis = 0 if name == "sequence_reverse" else given(name, attrs, "axis")
    batch, options = 1 - axis, dict(attrs)
    if "shape" in attrs:
        shape = list(attrs["shape"])
        shape[batch] *= level.size
        options["shape"] = tuple(shape)
    data = folded(x, level, 0 if name == "sequence_last_grad" else batch)
    y = getattr(F, name)(data, folded(length, level), **options)
    return unfolded(y, level, 0 if name == "sequence_last" else batch)


# ------------------------------------------------------------------------ recurrent layers


#: Of each input of an operator, the axis of its batch; None for weights.
BATCHES: dict[str, tuple[int | None, ...]] = {
    "rnn_scan": (1, None, 0),
    "lstm_scan": (1, None, 0, 0, None),
    "gru_scan": (1, None, None, 0),
}


def recurrent(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """The steps of a layer, for all examples as one batch."""
    if _is_empty(level, inputs):
        return NotImplemented
    places = BATCHES[name]
    if any(place is None and is_at(x, level) for x, place in zip(inputs, places)):
        if inputs[0].dtype.char not in "fd" or attrs.get("clip"):
            return NotImplemented
        return OWN_WEIGHTS[name](*inputs, **attrs)
    data = [x if place is None else folded(x, level, place) for x, place in zip(inputs, places)]
    return unfolded(getattr(F, name)(*data, **attrs), level, 1)


def _rnn(x: Any, weight: Any, h: Any, act: str) -> Any:
    states = []
    for now in F.unstack(x, axis=0):
        h = getattr(F, act)(F.add(now, F.dot(h, weight, transpose_b=True)))
        states.append(h)
    return F.stack(*states, axis=0)


def _lstm(
    x: Any, weight: Any, h: Any, c: Any, projection: Any = None, clip: Any = None, nan: bool = False
) -> tuple[Any, ...]:
    steps = []
    for now in F.unstack(x, axis=0):
        parts = F.split(F.add(now, F.dot(h, weight, transpose_b=True)), sections=4, axis=-1)
        enter, forget, leave = (F.sigmoid(parts[k]) for k in (0, 1, 3))
        cell = F.tanh(parts[2])
        c = forget * c + enter * cell
        h = leave * F.tanh(c)
        h = h if projection is None else F.dot(h, projection, transpose_b=True)
        steps.append((h, c, F.concat(enter, forget, cell, leave, axis=-1)))
    return tuple([F.stack(*parts, axis=0) for parts in zip(*steps)])


def _gru(x: Any, weight: Any, bias: Any, h: Any) -> tuple[Any, ...]:
    steps = []
    for now in F.unstack(x, axis=0):
        state = F.add(F.dot(h, weight, transpose_b=True), bias)
        of_state = F.split(state, sections=3, axis=-1)
        data = F.split(now, sections=3, axis=-1)
        reset, update = (F.sigmoid(F.add(data[k], of_state[k])) for k in (0, 1))
        new = F.tanh(data[2] + reset * of_state[2])
        h = (1 - update) * new + update * h
        steps.append((h, F.concat(reset, update, new, axis=-1), of_state[2]))
    return tuple([F.stack(*parts, axis=0) for parts in zip(*steps)])


OWN_WEIGHTS: dict[str, Callable[..., Any]] = {
    "rnn_scan": _rnn,
    "lstm_scan": _lstm,
    "gru_scan": _gru,
}


# --------------------------------------------------------------------------- rows of tables


def gathering(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """Places by their indices along leading axes: the number of the example is one more."""
    x, indices = inputs
    if _is_empty(level, inputs):
        return NotImplemented
    rows = full(indices, level)
    rows = F.transpose(rows, axes=[1, 0, *range(2, rows.ndim)])
    number = np.arange(level.size, dtype=rows.dtype).reshape(-1, *(1,) * (rows.ndim - 2))
    number = beside(rows, np.broadcast_to(number, (1, *rows.shape[1:])))
    options = {"shape": (level.size, *attrs["shape"])} if "shape" in attrs else {}
    return call(name, level, [full(x, level), F.concat(number, rows, axis=0)], options)


# --------------------------------------------------------------------------- other families


def prelu(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """With a gamma for each channel, or one for all."""
    x, gamma = inputs
    slope = F.reshape(gamma, shape=gamma_shape(gamma.shape, x.shape))
    return F.add(F.maximum(x, 0), F.multiply(F.minimum(x, 0), slope))


def masked(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """A softmax of the first places of an axis, of which there is a number for each line."""
    x, length = inputs
    axis = given(name, attrs, "axis") % x.ndim
    others = tuple([n for k, n in enumerate(x.shape) if k != axis])
    lengths = F.reshape(full(length, level), shape=(level.size, *others))
    return call(name, level, [full(x, level), lengths], {**attrs, "axis": axis + 1})


def spread(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """The transpose of einsum of one array: it leaves the axis of the examples as it is."""
    (x,), subscripts = inputs, attrs["subscripts"]
    free = free_letter(subscripts)
    if free is None:
        return NotImplemented
    terms = "->".join([free + one for one in subscripts.split("->")])
    shape = (level.size, *attrs["shape"])
    return call(name, level, [x.data], {"subscripts": terms, "shape": shape})


def flat(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """What takes all values as a line if no axis is given, or works along one."""
    (x,), axis = inputs, given(name, attrs, "axis")
    if not x.ndim:
        return NotImplemented
    if axis is not None:
        axes = [moved(one, x.ndim) for one in ((axis,) if isinstance(axis, int) else axis)]
        options = {**attrs, "axis": axes[0] if isinstance(axis, int) else tuple(axes)}
        return call(name, level, [x.data], options)
    line = F.reshape(x.data, shape=(level.size, prod(x.shape)))
    y = getattr(F, name)(line, **{**attrs, "axis": 1})
    keeps_shape = name in ("roll", "flip")
    return wrapped(F.reshape(y, shape=x.data.shape) if keeps_shape else y, level)


def turned(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    (x,) = inputs
    axes = tuple([moved(one, x.ndim) for one in given(name, attrs, "axes")])
    return call(name, level, [x.data], {**attrs, "axes": axes})


def along(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """What removes, adds or fills places of an axis."""
    if levels_of(attrs.values()):
        return NotImplemented
    options = {**attrs, "axis": moved(attrs["axis"], np.ndim(inputs[0]))}
    return call(name, level, [full(x, level) for x in inputs], options)


def alike(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """What works on each value by itself, of arrays of the same shape."""
    if levels_of(attrs.values()):
        return NotImplemented
    return call(name, level, [full(x, level) for x in inputs], attrs)


def last_axis(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """What works along the last axis of each input."""
    if any(not np.ndim(x) for x in inputs):
        return NotImplemented
    return alike(name, level, inputs, attrs)


FAMILIES: dict[Any, str] = {
    samples: """sum_pool sum_pool_grad max_pool lp_pool im2col col2im upsample_nearest resize
        resize_grad max_pool_grad max_pool_push flow_grid flow_grid_grad affine_grid
        affine_grid_grad l2_normalization correlation correlation_grad distance distance_grad
        distance_slope""",
    points: "sample sample_grad sample_slopes",
    sequence: "sequence_last sequence_last_grad sequence_mask sequence_reverse",
    recurrent: "rnn_scan lstm_scan gru_scan",
    gathering: "gather_nd gather_nd_grad scatter_nd scatter_nd_grad",
    prelu: "prelu",
    masked: "masked_softmax",
    spread: "spread",
    flat: "cumsum repeat roll flip",
    turned: "rot90",
    along: "delete insert scatter_along",
    alike: "move choose linear_output logistic_output absolute_output",
    last_axis: "fft ifft",
}


def several(families: dict[Any, str]) -> Sequence[tuple[str, Any]]:
    """The pairs of an operator and its rule."""
    return [(name, rule) for rule, names in families.items() for name in names.split()]
