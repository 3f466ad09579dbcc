"""`nd.RNN`: stacked recurrent layers, with all parameters in one vector."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import prod
from numbers import Integral
from typing import Any, NamedTuple

from .._core.arrays.base import A, DeviceArray
from .._core.engine.mode import mode as now
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError
from .._core.kernels.generator import generator
from ._checks import check_choice, check_used
from ._public import public

#: Maps a mode to the number of gates.
GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}


class Form(NamedTuple):
    """The layers that the arguments describe.

    Attributes
    ----------
    mode : str
    size : int
        Of the state, or of the cell of an LSTM.
    projection : int or None
        The size that an LSTM's output is projected to.
    layers, directions : int
    p : float
        The probability to drop an output of a layer below the last, in training.
    clip : tuple of float, or None
        The limits of the cell.
    nan : bool
        Whether NaN in the cell becomes the lower limit.
    """

    mode: str
    size: int
    projection: int | None
    layers: int
    directions: int
    p: float
    clip: tuple[float, float] | None
    nan: bool

    @property
    def out(self) -> int:
        """The size of the output of one direction."""
        return self.size if self.projection is None else self.projection

    def shapes(self, features: int) -> tuple[list[Any], list[Any]]:
        """For each direction of each layer the shapes of W, R and P, and those of b and c."""
        rows = GATES[self.mode] * self.size
        below = [features] + [self.directions * self.out] * (self.layers - 1)
        extra = [] if self.projection is None else [(self.out, self.size)]
        weights = [
            [(rows, inputs), (rows, self.out), *extra]
            for inputs in below
            for _ in range(self.directions)
        ]
        return weights, [[(rows,), (rows,)]] * len(weights)


@public
def RNN(
    data: A,
    parameters: A,
    state: A,
    state_cell: A | None = None,
    sequence_length: A | None = None,
    state_size: int | None = None,
    num_layers: int | None = None,
    bidirectional: bool = False,
    mode: str | None = None,
    p: float = 0.0,
    state_outputs: bool = False,
    projection_size: int | None = None,
    lstm_state_clip_min: float | None = None,
    lstm_state_clip_max: float | None = None,
    lstm_state_clip_nan: bool = False,
    use_sequence_length: bool = False,
    out: A | Sequence[A] | None = None,
    name: str | None = None,
) -> A | Any:
    """Apply stacked recurrent layers to a sequence.

    With x the data, or the output of the layer below, and h the state, each layer computes

    * ``rnn_relu``, ``rnn_tanh``: ``h = act(W x + b + R h + c)``;
    * ``lstm``: ``i, f, g, o`` of ``W x + b + R h + c``, sigmoids but for the tanh g; the cell
      ``s = f s + i g`` and ``h = o tanh(s)``, with a projection ``h = P o tanh(s)``;
    * ``gru``: ``r, z`` sigmoids of ``W x + b + R h + c``, ``n = tanh(W x + b + r (R h + c))``, and
      ``h = (1 - z) n + z h``.

    Parameters
    ----------
    data : NDArray of shape (steps, batch, features), of floats
    parameters : NDArray of one axis, of the dtype of `data`
        Flattened: for each layer, first in the forward and then in the backward direction, W of
        shape (gates * state_size, inputs), R of shape (gates * state_size, outputs) and P of shape
        (projection_size, state_size); then, in the same order, b and c.
    state : NDArray of shape (layers * directions, batch, outputs), of that dtype
        The states before the first step; `outputs` is `state_size`, or `projection_size`.
    state_cell : NDArray of shape (layers * directions, batch, state_size), for an LSTM
    sequence_length : NDArray of shape (batch,), optional
        The number of steps of each sequence; later outputs are 0. Needs
        ``use_sequence_length=True``.
    state_size : int
    num_layers : int
    bidirectional : bool, default False
        Whether each layer also runs from the last step to the first; the outputs of both
        directions are concatenated along the last axis.
    mode : {'rnn_relu', 'rnn_tanh', 'lstm', 'gru'}
    p : float, default 0
        In training, the probability to drop an output of a layer below the last.
    state_outputs : bool, default False
        Whether to return the last states too.
    projection_size : int, optional
        For an LSTM whose output is smaller than its cell.
    lstm_state_clip_min, lstm_state_clip_max : float, optional
        The limits of the cell at each step; give both or neither.
    lstm_state_clip_nan : bool, default False
        Replace NaN in the cell by the lower limit.
    use_sequence_length : bool, default False

    Returns
    -------
    NDArray, or list of NDArrays
        The output of the last layer, (steps, batch, directions * outputs); with `state_outputs` a
        list of it, the last states in the shape of `state` and, for an LSTM, the last cells.

    Raises
    ------
    ArgumentError
        If an argument is missing or unknown, or a shape does not fit.
    DTypeError
        If the arrays are not of one floating dtype.

    Examples
    --------
    >>> from gluon import nd
    >>> x, weights = nd.ones((3, 1, 1)), nd.array([1, 0.5, 0, 0])  # W, R, b, c
    >>> state = nd.zeros((1, 1, 1))
    >>> nd.RNN(x, weights, state, state_size=1, num_layers=1, mode="rnn_relu").tolist()
    [[[1.0]], [[1.5]], [[1.75]]]
    """
    form = form_of(
        *(mode, state_size, num_layers, bidirectional, p, projection_size),
        *(lstm_state_clip_min, lstm_state_clip_max, lstm_state_clip_nan),
    )
    check_used("RNN", "sequence_length", sequence_length, use_sequence_length)
    states = [state] if state_cell is None else [state, state_cell]
    shapes = form.shapes(features_of(data))
    count = sum(prod(shape) for part in shapes for one in part for shape in one)
    check(form, data, [("parameters", parameters, (count,))], states, sequence_length)
    weights = _unpacked(parameters, shapes)
    y, lasts = recurrent(form, data, weights, states, sequence_length, state_outputs)
    return [y, *lasts] if state_outputs else y


def form_of(
    mode: str | None,
    state_size: int | None,
    num_layers: int | None,
    bidirectional: bool,
    p: float,
    projection_size: int | None,
    clip_min: float | None,
    clip_max: float | None,
    clip_nan: bool,
) -> Form:
    """The layers that the arguments of `RNN` describe, if there are such."""
    check_choice("RNN", "mode", mode, tuple(GATES))
    clip = _limits(clip_min, clip_max)
    if mode != "lstm" and (projection_size or clip):
        raise ArgumentError(
            f"RNN: mode={mode!r} takes neither projection_size nor lstm_state_clip_min and"
            " lstm_state_clip_max; only 'lstm' does"
        )
    if not 0 <= p <= 1:
        raise ArgumentError(f"RNN: p={p} is not a probability: it must lie between 0 and 1")
    return Form(
        str(mode),
        _count("state_size", state_size),
        None if projection_size is None else _count("projection_size", projection_size),
        _count("num_layers", num_layers),
        2 if bidirectional else 1,
        p,
        clip,
        bool(clip_nan),
    )


def recurrent(
    form: Form,
    data: A,
    weights: list[Any],
    states: list[Any],
    length: A | None,
    state_outputs: bool,
) -> tuple[A, list[Any]]:
    """What `RNN` computes from arrays that `check` has seen: the output, and the last states.

    `weights` has for each direction of each layer W, R, P if there is a projection, b and c.
    """
    starts = list(zip(*map(_each, states)))
    y, runs = _layers(form, data, weights, starts, length)
    if not state_outputs:
        return y, []
    lasts = [[_last(one, length) for one in run] for run in runs]
    return y, [ops.stack(*column, axis=0) for column in zip(*lasts)]


def _layers(
    form: Form, x: A, weights: list[Any], starts: list[Any], length: A | None
) -> tuple[A, list[Any]]:
    """Return the output of the last layer, and the states per direction and layer."""
    x = _masked(x, length)
    p = form.p if now().training else 0
    runs: list[Any] = []
    for k in range(form.layers):
        if k and p:
            x = ops.multiply(x, ops.dropout_mask(x, p=p, rng=generator()))
        outs = []
        for turn in (_same, _turned)[: form.directions]:
            run = _scanned(form, turn(x, length), weights[len(runs)], starts[len(runs)])
            outs.append(turn(run[0], length))
            runs.append(run)
        x = _masked(ops.concat(*outs, axis=2) if len(outs) > 1 else outs[0], length)
    return x, runs


def _scanned(form: Form, x: A, weights: list[Any], start: tuple[Any, ...]) -> list[A]:
    """Return the states, and the cells of an LSTM, at all steps of one direction of one layer."""
    w, r, *projection, b, c = weights
    if form.mode == "gru":
        gates = ops.fully_connected(x, w, b, flatten=False)
        return ops.gru_scan(gates, r, c, *start)[:1]
    gates = ops.fully_connected(x, w, ops.add(b, c), flatten=False)
    if form.mode == "lstm":
        optional = projection or [None]
        return ops.lstm_scan(gates, r, *start, *optional, clip=form.clip, nan=form.nan)[:2]
    return [ops.rnn_scan(gates, r, *start, act=form.mode.removeprefix("rnn_"))]


def _unpacked(parameters: A, shapes: tuple[list[Any], list[Any]]) -> list[list[A]]:
    """Split the parameter vector into the parameters of each direction of each layer."""
    order = [shape for part in shapes for one in part for shape in one]
    parts = ops.split(parameters, sections=list(accumulate(map(prod, order)))[:-1], axis=0)
    arrays = iter([ops.reshape(part, shape=shape) for part, shape in zip(parts, order)])
    weights, biases = ([[next(arrays) for _ in one] for one in part] for part in shapes)
    return [one + two for one, two in zip(weights, biases)]


def _each(states: A) -> list[A]:
    """Return the state of each direction of each layer."""
    parts = ops.split(states, sections=len(states), axis=0)
    return [ops.reshape(part, shape=states.shape[1:]) for part in parts]


def _masked(x: A, length: A | None) -> A:
    return x if length is None else ops.sequence_mask(x, length)


def _same(x: A, length: A | None) -> A:
    return x


def _turned(x: A, length: A | None) -> A:
    return ops.flip(x, axis=0) if length is None else ops.sequence_reverse(x, length)


def _last(x: A, length: A | None) -> A:
    return ops.getitem(x, key=-1) if length is None else ops.sequence_last(x, length)


# --------------------------------------------------------------------------------- checks


def _count(argument: str, value: int | None) -> int:
    if not isinstance(value, Integral) or value < 1:
        raise ArgumentError(f"RNN: {argument}={value!r}; pass an integer, at least 1")
    return int(value)


def _limits(low: float | None, high: float | None) -> tuple[float, float] | None:
    if low is None and high is None:
        return None
    if low is None or high is None or not low <= high:
        raise ArgumentError(
            f"RNN: lstm_state_clip_min={low} and lstm_state_clip_max={high}; pass both, the smaller"
            " one first, or none"
        )
    return float(low), float(high)


def features_of(data: DeviceArray) -> int:
    """The length of the last axis of `data`, which must have three."""
    if data.ndim != 3 or not data.shape[0]:
        raise ArgumentError(
            f"RNN: data has shape {data.shape}; it needs (steps, batch, features), of one step or"
            " more"
        )
    return data.shape[2]


def check(
    form: Form,
    data: DeviceArray,
    parameters: list[tuple[str, DeviceArray, tuple[Any, ...]]],
    states: list[Any],
    length: DeviceArray | None,
) -> None:
    """Raise unless the arrays fit `form` and each other.

    `parameters` are names and arrays, with the shapes that they need for `data`.
    """
    sizes = {"state": form.out, "state_cell": form.size}
    if len(states) != (2 if form.mode == "lstm" else 1):
        raise ArgumentError(
            f"RNN: {len(states)} states for mode={form.mode!r}; an LSTM has state and state_cell,"
            " as in layer(x, [h, c]), the others have state alone"
        )
    steps, batch, _ = data.shape
    runs = form.layers * form.directions
    wanted = [(name, x, (runs, batch, sizes[name])) for name, x in zip(sizes, states)]
    dtype = data.form.dtype
    for name, array, shape in [*parameters, *wanted]:
        if array.shape != shape:
            raise ArgumentError(
                f"RNN: {name} has shape {array.shape}; for data {data.shape}, {form.layers} layers"
                f" and {form.directions} directions it needs {shape}"
            )
        if array.form.dtype != dtype or dtype.kind not in "fV":
            raise DTypeError(
                f"RNN: data is of {dtype} and {name} of {array.form.dtype}; cast them to one"
                " floating type"
            )
    if length is not None:
        _check_lengths(length.raw, batch, steps)


def _check_lengths(length: Any, batch: int, steps: int) -> None:
    if length.shape != (batch,):
        raise ArgumentError(f"RNN: sequence_length has shape {length.shape}; it needs {(batch,)}")
    if batch and not 1 <= length.min() <= length.max() <= steps:
        raise ArgumentError(f"RNN: sequence_length has values outside 1 to {steps}, the steps")
