"""Tests of goodness of fit, and the distributions to test against, in NumPy and `math` alone."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

Function = Callable[[np.ndarray], np.ndarray]


def kolmogorov(samples: np.ndarray, cdf: Function) -> float:
    """Kolmogorov and Smirnov's distance times sqrt(n) / 2.47: above 1 once in 10**5 times."""
    x = np.sort(samples.astype(np.float64).ravel())
    expected, n = cdf(x), len(x)
    steps = np.arange(n + 1) / n
    distance = max((steps[1:] - expected).max(), (expected - steps[:-1]).max())
    return math.sqrt(n) * distance / 2.47


def chi_square(samples: np.ndarray, pmf: Function) -> float:
    """Pearson's statistic for counts, over what it exceeds once in 10**5 times.

    Values that are expected less than ten times are put together.
    """
    counts = samples.astype(np.int64).ravel()
    assert (counts == samples.ravel()).all()
    assert counts.min() >= 0
    expected = pmf(np.arange(counts.max() + 1)) * len(counts)
    observed = np.bincount(counts)
    often = expected >= 10
    assert often.any()
    expected = np.append(expected[often], len(counts) - expected[often].sum())
    observed = np.append(observed[often], len(counts) - observed[often].sum())
    if expected[-1] < 10:
        expected, observed = _joined(expected), _joined(observed)
    freedom = max(len(expected) - 1, 1)
    statistic = ((observed - expected) ** 2 / expected).sum()
    share = 2 / (9 * freedom)  # Wilson and Hilferty: the cube root is nearly normal
    return statistic / (freedom * (1 - share + 4.26 * math.sqrt(share)) ** 3)


def _joined(cells: np.ndarray) -> np.ndarray:
    """Merge the last two."""
    return np.append(cells[:-2], cells[-2:].sum())


lgamma, erf = np.vectorize(math.lgamma), np.vectorize(math.erf)


def incomplete_gamma(a: float, x: np.ndarray) -> np.ndarray:
    """The lower incomplete gamma function over the gamma function, by its power series."""
    term = np.ones_like(x)
    total = term.copy()
    for k in range(1, 400):
        term = term * x / (a + k)
        total += term
    with np.errstate(divide="ignore"):
        return np.exp(a * np.log(x) - x - math.lgamma(a + 1)) * total


def uniform(low: float, high: float) -> Function:
    return lambda x: (x - low) / (high - low)


def normal(mu: float, sigma: float) -> Function:
    return lambda x: (1 + erf((x - mu) / (sigma * math.sqrt(2)))) / 2


def gamma(shape: float, scale: float) -> Function:
    return lambda x: incomplete_gamma(shape, x / scale)


def exponential(rate: float) -> Function:
    return lambda x: -np.expm1(-rate * x)


def poisson(mean: float) -> Function:
    return lambda x: np.exp(x * math.log(mean) - mean - lgamma(x + 1))


def negative_binomial(k: float, p: float) -> Function:
    def pmf(x: np.ndarray) -> np.ndarray:
        ways = lgamma(x + k) - lgamma(x + 1) - math.lgamma(k)
        return np.exp(ways + k * math.log(p) + x * math.log1p(-p))

    return pmf


def generalized_negative_binomial(mu: float, alpha: float) -> Function:
    return negative_binomial(1 / alpha, 1 / (1 + mu * alpha)) if alpha else poisson(mu)
