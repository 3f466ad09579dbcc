"""Special functions in full precision, against `math` and against identities."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gluon._core.kernels import special

X = np.concatenate([np.linspace(-6, 6, 997), [1e-300, 1e-20, 1e-8, 0.0]])
POSITIVE = np.concatenate([np.linspace(0.01, 12, 997), [1e-9, 50.0, 170.0]])
NEGATIVE = np.linspace(-9.9, -0.1, 49 * 6)


def test_erf():
    expected = [math.erf(x) for x in X]
    np.testing.assert_allclose(special.erf(X), expected, rtol=1e-13)
    single = special.erf(X.astype(np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, expected, rtol=5e-7, atol=1e-37)


def test_erfinv_undoes_erf():
    near_one = 1 - 10.0 ** -np.arange(1, 16)
    q = np.concatenate([np.linspace(-0.99, 0.99, 199), near_one, [1e-300]])
    x = special.erfinv(q)
    expected = [math.erfc(v) if v > 0.5 else 1 - math.erf(v) for v in x]
    np.testing.assert_allclose(expected, 1 - q, rtol=1e-12)
    np.testing.assert_array_equal(special.erfinv(np.array([-1, 1, 2.0])), [-np.inf, np.inf, np.nan])


@pytest.mark.parametrize("x", [POSITIVE, NEGATIVE], ids=["positive", "negative"])
def test_gamma(x):
    np.testing.assert_allclose(special.gamma(x), [math.gamma(v) for v in x], rtol=1e-12)
    expected = [math.lgamma(v) for v in x]
    np.testing.assert_allclose(special.gammaln(x), expected, rtol=1e-13, atol=1e-13)


def test_gammaln_next_to_its_zeros():
    slope = special.digamma(np.array([1.0, 2.0]))
    np.testing.assert_allclose(special.gammaln(np.array([1, 2]) + 2.0**-40), slope * 2.0**-40)


def test_poles():
    x = np.array([0, -1, -2.0])
    np.testing.assert_array_equal(special.gammaln(x), np.inf)
    np.testing.assert_array_equal(special.gamma(x), [np.inf, np.nan, np.nan])


@pytest.mark.parametrize("n", range(4))
@pytest.mark.parametrize("x", [POSITIVE[:997], NEGATIVE], ids=["positive", "negative"])
def test_polygamma_steps(x, n):
    """The recurrence from x to x + 1, which the reflection must satisfy as well."""
    step = special.polygamma(x + 1, n=n) - special.polygamma(x, n=n)
    expected = (-1) ** n * math.factorial(n) / x ** (n + 1)
    size = np.abs(special.polygamma(x, n=n)) + np.abs(expected) + 1
    assert np.max(np.abs(step - expected) / size) < 1e-12


def test_polygamma_at_one():
    one = np.array([1.0])
    np.testing.assert_allclose(special.digamma(one), -special.EULER, rtol=1e-14)
    np.testing.assert_allclose(special.polygamma(one, n=1), math.pi**2 / 6, rtol=1e-14)
    np.testing.assert_allclose(special.polygamma(one, n=3), math.pi**4 / 15, rtol=1e-14)
