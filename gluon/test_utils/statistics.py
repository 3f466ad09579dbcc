"""Checks of the distribution of random numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import erfc, exp, inf, lgamma, log, sqrt
from typing import Any

import numpy as np

from .._core.errors import ArgumentError
from .compare import host

Generator = Callable[[int], Any]
#: Up to this many intervals, one comparison each is faster than a search for each sample.
FEW = 32


def mean_check(generator: Generator, mu: float, sigma: float, nsamples: int = 1000000) -> bool:
    """Whether the mean of samples is within three standard errors of its expected value.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import test_utils
    >>> test_utils.mean_check(lambda n: np.arange(n) % 2, mu=0.5, sigma=0.5, nsamples=1000)
    True
    """
    return bool(abs(host(generator(nsamples)).mean() - mu) < 3 * sigma / sqrt(nsamples))


def var_check(generator: Generator, sigma: float, nsamples: int = 1000000) -> bool:
    """Whether the variance of samples is within three standard errors of its expected value.

    The standard error is that of a normal distribution.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import test_utils
    >>> test_utils.var_check(lambda n: np.random.normal(0, 2, n), 3, nsamples=1000)
    False
    """
    error = sqrt(2 * sigma**4 / (nsamples - 1))
    return bool(abs(host(generator(nsamples)).var(ddof=1) - sigma**2) < 3 * error)


def gen_buckets_probs_with_ppf(
    ppf: Callable[[float], float], nbuckets: int
) -> tuple[list[tuple[float, float]], list[float]]:
    """Intervals of equal probability.

    Examples
    --------
    >>> from gluon import test_utils
    >>> test_utils.gen_buckets_probs_with_ppf(lambda p: 2 * p, 2)
    ([(0.0, 1.0), (1.0, 2.0)], [0.5, 0.5])
    """
    if nbuckets < 1:
        raise ArgumentError(f"gen_buckets_probs_with_ppf: nbuckets must be >= 1, got {nbuckets}")
    buckets = [(ppf(k / nbuckets), ppf((k + 1) / nbuckets)) for k in range(nbuckets)]
    return buckets, [1 / nbuckets] * nbuckets


def _inside(samples: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """How many samples are below each of `ends`, which rise, and not below the one before."""
    if len(ends) > FEW:
        where = np.searchsorted(ends, samples, side="right")
        return np.bincount(where, minlength=len(ends))[: len(ends)]
    known = samples.size - np.count_nonzero(samples != samples)  # without NaN
    beyond = [known, *(np.count_nonzero(samples >= np.float64(end)) for end in ends)]
    return -np.diff(beyond)


def chi_square_check(
    generator: Generator, buckets: Sequence[Any], probs: Sequence[float], nsamples: int = 1000000
) -> tuple[float, np.ndarray, np.ndarray]:
    """The chi-square test of samples.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import test_utils
    >>> p, hit, expected = test_utils.chi_square_check(
    ...     lambda n: np.arange(n) % 4, [0, 1, 2, 3], [0.25] * 4, nsamples=1000)
    >>> p, hit
    (1.0, array([250, 250, 250, 250]))
    """
    if len(buckets) != len(probs):
        raise ArgumentError(
            f"chi_square_check: {len(buckets)} buckets and {len(probs)} probabilities"
        )
    samples = host(generator(nsamples)).ravel()
    expected = (nsamples * np.array(probs, np.float32)).astype(np.int32)
    if isinstance(buckets[0], (list, tuple)):
        bounds = np.array(buckets, np.float32).ravel()
        if not (np.diff(bounds) >= 0).all():
            raise ArgumentError(
                "chi_square_check: buckets must be intervals in rising order that do not overlap"
            )
        # as in MXNet, a value on the border of two intervals belongs to the upper one
        hit = _inside(samples, bounds[1::2])
    else:
        hit = np.array([np.count_nonzero(samples == value) for value in buckets])
    distance = float(((hit - expected) ** 2 / expected).sum())
    return _chi_square_tail(distance, len(buckets) - 1), hit, expected


def verify_generator(
    generator: Generator,
    buckets: Sequence[Any],
    probs: Sequence[float],
    nsamples: int = 1000000,
    nrepeat: int = 5,
    success_rate: float = 0.2,
    alpha: float = 0.05,
) -> list[float]:
    """Raise `AssertionError` if samples fail the chi-square test too often.

    Examples
    --------
    >>> from gluon import nd, random, test_utils
    >>> random.seed(1)
    >>> p = test_utils.verify_generator(
    ...     lambda n: nd.random.uniform(shape=n), [(0, 0.5), (0.5, 1)], [0.5, 0.5], nsamples=1000)
    """
    tests = [chi_square_check(generator, buckets, probs, nsamples) for _ in range(nrepeat)]
    values, hit, expected = (list(column) for column in zip(*tests))
    if sum(p > alpha for p in values) < nrepeat * success_rate:
        raise AssertionError(
            f"Generator test fails, Chi-square p={values}, obs_freq={hit},"
            f" expected_freq={expected}.\nbuckets={buckets}, probs={probs}"
        )
    return values


def _chi_square_tail(distance: float, degrees: int) -> float:
    """Return the probability that a chi-square variable is greater than `distance`.

    With x = distance / 2, it is exp(-x) * sum(x**k / k!) over k < degrees / 2 for even degrees.
    For odd ones k runs over halves, and erfc(sqrt(x)) stands for k = -1/2 and below.
    """
    if distance <= 0 or not degrees:
        return 1.0
    if distance == inf:
        return 0.0
    x = distance / 2
    start = 0.5 if degrees % 2 else 0.0
    steps = start + np.arange(degrees // 2)
    terms = [exp(k * log(x) - x - lgamma(k + 1)) for k in steps]
    return (erfc(sqrt(x)) if degrees % 2 else 0.0) + sum(terms)
