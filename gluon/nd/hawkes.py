"""`nd.contrib`: the likelihood of Hawkes processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core.arrays.base import A, DeviceArray
from .._core.engine.array import wrap
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, IndexRangeError
from .._core.kernels.indexing import outside
from ._array import NDArray
from ._public import public


def _check(shapes: dict[str, tuple[Any, ...]], wanted: dict[str, tuple[Any, ...]]) -> None:
    for name, shape in shapes.items():
        if shape != wanted[name]:
            raise ArgumentError(
                f"hawkesll: {name} has shape {shape}; with lda (batch, processes) of shape"
                f" {shapes['lda']} and lags (batch, events) of {shapes['lags']} it needs"
                f" {wanted[name]}"
            )


def _which(marks: DeviceArray, lengths: DeviceArray, processes: int) -> tuple[Any, Any]:
    """Return which events are valid, (batch, events), and the process of each, one-hot."""
    count = marks.shape[1]
    if lengths.size and not 0 <= lengths.raw.min() <= lengths.raw.max() <= count:
        raise ArgumentError(
            f"hawkesll: valid_length {outside(lengths.raw, count + 1)} is out of range for"
            f" {count} events (0 to {count})"
        )
    counts = np.arange(count) < lengths.raw[:, None]
    places = np.where(counts, marks.raw, 0)
    if places.size and not 0 <= places.min() <= places.max() < processes:
        raise IndexRangeError(
            f"hawkesll: mark {outside(places, processes)} is out of range for {processes} processes"
            f" of lda (0 to {processes - 1})"
        )
    return counts, (places[..., None] == np.arange(processes)) & counts[..., None]


@public
def hawkesll(
    lda: A,
    alpha: A,
    beta: A,
    state: A,
    lags: A,
    marks: A,
    valid_length: A,
    max_time: A,
    out: Sequence[A] | None = None,
    name: str | None = None,
) -> list[A]:
    """The log-likelihood of Hawkes processes, in which every event makes others likelier.

    The intensity of process k is ``lda[k] + alpha[k] * beta[k] * s[k]``, where s[k] grows by 1
    with each event of the process and decays at the rate beta[k]. The log-likelihood is the sum
    of the logs of the intensities at the events, less the integrals of all intensities.

    Parameters
    ----------
    lda : NDArray of shape (batch, processes)
        The intensities without events.
    alpha : NDArray of shape (processes,)
        How many events each event causes.
    beta : NDArray of shape (processes,)
        How fast the influence of an event decays.
    state : NDArray of shape (batch, processes)
        s at the start.
    lags : NDArray of shape (batch, events)
        The time between each event and the previous one, or the start for the first event.
    marks : NDArray of shape (batch, events)
        The process of each event, integers.
    valid_length : NDArray of shape (batch,)
        How many events to use.
    max_time : NDArray of shape (batch,)
        The time at which the observation ends; not before the last event.

    Returns
    -------
    list of two NDArrays, (batch,) and (batch, processes)
        The log-likelihood and s at the end, differentiable in all inputs but `marks` and
        `valid_length`.

    Raises
    ------
    ArgumentError
        If a shape does not fit, or `valid_length` is larger than the number of events.
    IndexRangeError
        If a mark is not the index of a process.

    Examples
    --------
    >>> from gluon import nd
    >>> one, rates = nd.ones((1,)), nd.ones((1, 1))
    >>> event = (rates, nd.zeros((1, 1)), one, one)  # at the end
    >>> loglik, state = nd.contrib.hawkesll(rates, one * 0.5, one, rates * 0, *event)
    >>> loglik.asnumpy().tolist(), state.asnumpy().tolist()
    ([-1.0], [[1.0]])
    """
    if lda.ndim != 2 or lags.ndim != 2:
        raise ArgumentError(
            f"hawkesll: lda (batch, processes) has shape {lda.shape} and lags (batch, events)"
            f" {lags.shape}"
        )
    (n, processes), count = lda.shape, lags.shape[1]
    given = {"lda": lda, "alpha": alpha, "beta": beta, "state": state, "lags": lags}
    given |= {"marks": marks, "valid_length": valid_length, "max_time": max_time}
    wanted: dict[str, tuple[Any, ...]] = dict.fromkeys(("lda", "state"), (n, processes))
    wanted |= dict.fromkeys(("alpha", "beta"), (processes,))
    wanted |= dict.fromkeys(("lags", "marks"), (n, count))
    wanted |= dict.fromkeys(("valid_length", "max_time"), (n,))
    _check({name: array.shape for name, array in given.items()}, wanted)
    counts, one_hot = _which(marks, valid_length, processes)
    return _likelihood(lda, alpha, beta, state, lags, max_time, counts, one_hot)


def _likelihood(
    lda: Any,
    alpha: Any,
    beta: Any,
    state: Any,
    lags: Any,
    max_time: Any,
    counts: Any,
    one_hot: Any,
) -> list[Any]:
    dtype, ctx = lda.form.dtype, lda._ctx
    mark = wrap(NDArray, one_hot.astype(dtype), ctx)
    real = wrap(NDArray, counts, ctx)
    lags = ops.where(real, lags, 0.0)
    # The decayed intensity at each event, before that event is added.
    decay = ops.exp(ops.expand_dims(lags, axis=-1) * -beta)
    grown = ops.concat(ops.expand_dims(state, axis=1), mark, axis=1)
    left = ops.linear_scan(decay, decay * ops.getitem(grown, key=(slice(None), slice(0, -1))))
    own = ops.sum((ops.expand_dims(lda, axis=1) + alpha * beta * left) * mark, axis=-1)
    logs = ops.where(real, ops.log(ops.where(real, own, 1.0)), 0.0)
    # Decay the initial state and each event until the end.
    until = ops.expand_dims(max_time, axis=1) - ops.cumsum(lags, axis=1)
    times = ops.concat(ops.expand_dims(max_time, axis=1), until, axis=1)
    rest = ops.expand_dims(times, axis=-1) * -beta
    caused = -ops.sum(grown * ops.expm1(rest), axis=1)
    integral = ops.sum(lda * ops.expand_dims(max_time, axis=1) + alpha * caused, axis=-1)
    return [ops.sum(logs, axis=-1) - integral, ops.sum(grown * ops.exp(rest), axis=1)]
