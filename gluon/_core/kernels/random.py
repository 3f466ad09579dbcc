"""Kernels that draw from a `numpy.random.Generator`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .generator import draws

if TYPE_CHECKING:
    from numpy.random import Generator

#: The largest mean of a Poisson distribution whose samples fit in int64.
MOST = 9e18


def mask_shape(x: Any, p: float, axes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of the mask of `dropout_mask`, once its arguments are checked."""
    if not 0 <= p <= 1:
        raise ValueError(f"p={p} is not a probability: it must lie between 0 and 1")
    if not all(-x.ndim <= axis < x.ndim for axis in axes):
        raise ValueError(f"axes={axes} are out of range for {x.ndim} axes")
    shared = {axis % x.ndim for axis in axes}
    return tuple(1 if k in shared else n for k, n in enumerate(x.shape))


def dropout_mask(x: Any, *, p: float, axes: tuple[int, ...] = (), rng: Any) -> Any:
    """0 with probability `p`, else ``1 / (1 - p)``; one draw serves all places along `axes`."""
    shape = mask_shape(x, p, axes)
    if p == 1:
        return np.zeros(shape, x.dtype)
    kept = rng.random(shape, np.float32) >= np.float32(p)
    return kept * x.dtype.type(1 / (1 - p))


# ------------------------------------------------------------------------- distributions


class Distribution(NamedTuple):
    """How to draw from a distribution, and for which parameters it exists.

    Attributes
    ----------
    draw : callable
        ``draw(rng, size, dtype, *parameters)``; the parameters are float64 and broadcast to
        `size`. The result may be of any dtype: `sample` converts it.
    rules : tuple of (str, callable)
        What must hold: in words, ``{0}`` being the name of the first parameter, and as a
        function of the parameters.
    """

    draw: Callable[..., Any]
    rules: tuple[tuple[str, Callable[..., Any]], ...]


def _uniform(rng: Generator, size: tuple, dtype: Any, low: Any, high: Any) -> Any:
    drawn = (low + (high - low) * rng.random(size)).astype(dtype)
    low, high = low.astype(dtype), high.astype(dtype)
    # Rounding must not reach the bound that is excluded from the interval.
    return np.where(drawn == high, np.nextafter(high, low), drawn)


def _counts(rng: Generator, size: tuple, dtype: Any, means: Any) -> Any:
    if not (means <= MOST).all():
        raise ValueError(f"the mean {means.max():g} is too large; the limit is {MOST:g}")
    return rng.poisson(means, size)


def _negative_binomial(rng: Generator, size: tuple, dtype: Any, k: Any, p: Any) -> Any:
    return _counts(rng, size, dtype, rng.gamma(k, (1 - p) / p, size))


def _generalized(rng: Generator, size: tuple, dtype: Any, mu: Any, alpha: Any) -> Any:
    spread = np.where(alpha > 0, alpha, 1.0)
    means = rng.gamma(1 / spread, spread * mu, size)
    return _counts(rng, size, dtype, np.where(alpha > 0, means, mu))


def _above(place: int) -> tuple[str, Callable]:
    return f"{{{place}}} must be above 0", lambda *values: values[place] > 0


def _from_zero(place: int) -> tuple[str, Callable]:
    return f"{{{place}}} must be 0 or more", lambda *values: values[place] >= 0


DISTRIBUTIONS = {
    "uniform": Distribution(
        _uniform,
        (("{0} and {1} must be finite", lambda low, high: np.isfinite(high - low)),),
    ),
    "normal": Distribution(
        lambda rng, size, dtype, loc, scale: rng.normal(loc, scale, size), (_from_zero(1),)
    ),
    "gamma": Distribution(
        lambda rng, size, dtype, alpha, beta: rng.gamma(alpha, beta, size),
        (_from_zero(0), _from_zero(1)),
    ),
    "exponential": Distribution(
        lambda rng, size, dtype, lam: rng.exponential(1 / lam, size), (_above(0),)
    ),
    "exponential by scale": Distribution(
        lambda rng, size, dtype, scale: rng.exponential(scale, size), (_from_zero(0),)
    ),
    "poisson": Distribution(_counts, (_from_zero(0),)),
    "negative_binomial": Distribution(
        _negative_binomial,
        (_from_zero(0), ("{1} must be above 0 and at most 1", lambda k, p: (p > 0) & (p <= 1))),
    ),
    "generalized_negative_binomial": Distribution(_generalized, (_from_zero(0), _from_zero(1))),
}


@draws
def sample(
    distribution: str,
    parameters: dict[str, Any],
    *,
    size: tuple[Any, ...],
    dtype: Any,
    rng: Generator,
) -> Any:
    """Draw `size` samples; raises ValueError where the parameters break a rule.

    Parameters
    ----------
    distribution : str
        One of `DISTRIBUTIONS`.
    parameters : dict
        Numbers or raw arrays that broadcast to `size`, under the names that errors give them.
    size : tuple of int
    dtype : numpy.dtype
        A floating one.
    rng : numpy.random.Generator

    Returns
    -------
    raw array of shape `size`
    """
    draw, rules = DISTRIBUTIONS[distribution]
    values = [np.asarray(value, np.float64) for value in parameters.values()]
    for text, holds in rules:
        good = np.asarray(holds(*values))
        if not good.all():
            raise ValueError(f"{text.format(*parameters)}; got {_first(parameters, ~good)}")
    with np.errstate(over="ignore"):  # infinite if the dtype overflows, as elsewhere
        return np.asarray(draw(rng, size, dtype, *values)).astype(dtype, copy=False)


def _first(parameters: dict[str, Any], bad: Any) -> str:
    """Return the parameters at the first position where `bad` holds."""
    place = int(bad.argmax())
    return ", ".join(
        f"{name}={np.broadcast_to(value, bad.shape).flat[place]!s}"
        for name, value in parameters.items()
    )


# ------------------------------------------------------------------------------- indices


@draws
def categorical(probabilities: Any, *, count: int, rng: Generator) -> Any:
    """For each row of `probabilities`, (rows, k), `count` indices drawn with them.

    The rows need not add up to 1.
    """
    weights = probabilities.astype(np.float64)
    totals = weights.sum(1)
    if np.isnan(totals).any():
        row = int(np.argmax(np.isnan(totals)))
        raise ValueError(f"data must hold numbers; distribution {row} has NaN among them")
    # Sums that are 1 up to rounding become 1. Otherwise, as in MXNet, indices beyond a sum of 1 are
    # never drawn, and what is missing to 1 is given to the last index.
    whole = np.where(np.abs(totals - 1) < 0.01, totals, 1)
    edges = np.maximum.accumulate(np.cumsum(weights, 1), 1)
    drawn = _places(edges, rng.random((len(edges), count)) * whole[:, None])
    return np.minimum(drawn, edges.shape[1] - 1)


def _places(edges: Any, points: Any) -> Any:
    """Return for each point the first position in its row of `edges` that is above it.

    A binary search in all rows at once.
    """
    last = edges.shape[1] - 1
    low, high = np.zeros(points.shape, np.int64), np.full(points.shape, last)
    for _ in range(last.bit_length()):
        middle = (low + high) // 2
        beyond = np.take_along_axis(edges, middle, 1) <= points
        low, high = np.where(beyond, middle + 1, low), np.where(beyond, high, middle)
    return low


def zipfian_share(classes: Any, stop: int) -> Any:
    """The probability that `zipfian` draws each of the classes."""
    return np.log((classes + 2) / (classes + 1)) / math.log(stop + 1)


@draws
def zipfian(*, count: int, stop: int, rng: Generator) -> Any:
    """`count` integers below `stop`, the low ones more often; see `zipfian_share`."""
    drawn = np.exp(rng.uniform(0, math.log(stop + 1), count)) - 1
    return np.minimum(drawn.astype(np.int64), stop - 1)


@draws
def integers(low: int, high: int, *, size: Sequence[int], dtype: Any, rng: Generator) -> Any:
    """Integers from ``[low, high)``."""
    return rng.integers(low, high, size, np.int64).astype(dtype, copy=False)
