"""Special functions in NumPy alone: the error function, the gamma function's family, some others.

Where the formulas come from:

* `erf`: Chebyshev fits, made at the first call, of `math.erf` and `math.erfc` at the nodes.
* `erfinv`: Winitzki's closed form, then two steps of Halley's method.
* `gammaln`, `digamma`, `polygamma`: the recurrence up to where the asymptotic series of
  Stirling converges, Euler's reflection for negative numbers, and for gammaln between 0 and 2.5
  the Taylor series at 1, whose coefficients are the values of Riemann's zeta function
  (Abramowitz and Stegun 6.1.33, 6.1.40, 6.3.18, 6.4.11).
* `sinc`: the power series near 0, elsewhere the recurrence of the derivatives of sin(u) / u.
* `bessel_i`: the integral over a circle (9.6.19), by the trapezoidal rule, which converges
  faster than any power of the number of points.

The results are good to 1e-12 in float64, relative to the value, or to 1 next to a zero that is
not a round number. float32 and float16 are computed in float64 and rounded, `erf`, `sinc` and
its derivative in float32.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, wraps
from typing import Any

import numpy as np

from .linalg import wide
from .parallel import blockwise

SQRT_PI = math.sqrt(math.pi)
#: The Bernoulli numbers B2, B4, ..., B20.
BERNOULLI = (
    *(1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66),
    *(-691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330),
)


def _in_double(kernel: Callable) -> Callable:
    """Compute in float64 and cast back to the input's dtype; integers give float64."""

    @blockwise
    @wraps(kernel)
    def rounded(x: Any, **attributes: Any) -> Any:
        with np.errstate(all="ignore"):
            y = kernel(np.asarray(x, np.float64), **attributes)
        return y.astype(x.dtype if x.dtype.kind not in "biu" else np.float64, copy=False)

    return rounded


def _horner(coefficients: Any, t: Any) -> Any:
    """The polynomial with `coefficients`, the constant first, at `t`; in the dtype of t."""
    kind = t.dtype.type
    y = np.full_like(t, coefficients[-1])
    for c in coefficients[-2::-1]:
        y *= t
        y += kind(c)
    return y


# ------------------------------------------------------------------------- error function


def _fit(function: Callable[[float], float], degree: int) -> Any:
    """Return the Chebyshev series that interpolates `function` at the nodes in [-1, 1]."""
    return np.polynomial.chebyshev.chebinterpolate(np.vectorize(function), degree)


def _ratio(square: float) -> float:
    """erf(x) / x, given x ** 2."""
    x = math.sqrt(square)
    return math.erf(x) / x if x else 2 / SQRT_PI


def _scaled_erfc(t: float) -> float:
    """exp(x ** 2) erfc(x), where t = (x - 4) / (x + 4)."""
    x = 4 * (1 + t) / (1 - t)
    return math.exp(x * x) * math.erfc(x)


#: t at x = 1 and at x = 26, between which erfc is fitted.
FIRST, LAST = -3 / 5, 22 / 30


@cache
def _near() -> Any:
    """erf(x) / x over x ** 2 in [0, 1], as a polynomial in 2 x ** 2 - 1."""
    return np.polynomial.chebyshev.cheb2poly(_fit(lambda t: _ratio((t + 1) / 2), 14))


@cache
def _single() -> Any:
    """erf(x) / x over x ** 2 in [0, 16], as a polynomial in x ** 2 / 8 - 1; single precision."""
    return np.polynomial.chebyshev.cheb2poly(_fit(lambda t: _ratio((t + 1) * 8), 17))


@cache
def _far() -> Any:
    """exp(x ** 2) erfc(x) over [FIRST, LAST]."""
    return _fit(lambda t: _scaled_erfc(FIRST + (t + 1) / 2 * (LAST - FIRST)), 24)


def _erfc_far(x: Any) -> Any:
    """erfc(x) for x from 1 on."""
    x = np.minimum(x, 26.0)
    t = ((x - 4) / (x + 4) - FIRST) * (2 / (LAST - FIRST)) - 1
    return np.exp(-x * x) * np.polynomial.chebyshev.chebval(t, _far())


def _erf_near(x: Any) -> Any:
    """erf(x) for x from -1 to 1."""
    return x * _horner(_near(), 2 * x * x - 1)


@_in_double
def _erf_double(x: Any) -> Any:
    size = np.abs(x)
    far = np.copysign(1 - _erfc_far(np.maximum(size, 1)), x)
    return np.where(size < 1, _erf_near(np.clip(x, -1, 1)), far)


@blockwise
def erf(x: Any) -> Any:
    """The error function."""
    if x.dtype == np.float64 or x.dtype.kind != "f":
        return _erf_double(x)
    single = np.clip(x, -4, 4).astype(np.float32, copy=False)
    t = single * single
    t *= np.float32(0.125)
    t -= np.float32(1)
    y = _horner(_single(), t)
    y *= single
    return np.clip(y, -1, 1, out=y).astype(x.dtype, copy=False)


@blockwise
def erf_slope(x: Any) -> Any:
    """The derivative of `erf`."""
    return np.exp(-x * x) * x.dtype.type(2 / SQRT_PI)


@_in_double
def erfinv(x: Any) -> Any:
    """The inverse of the error function; infinite at -1 and 1, NaN beyond."""
    size = np.abs(x)
    rest = np.log1p(-x * x)
    half = 2 / (math.pi * 0.147) + rest / 2
    y = np.sqrt(np.sqrt(half * half - rest / 0.147) - half)
    y = np.where(np.isfinite(y), y, 0.0)
    for _ in range(2):
        near = _erf_near(np.minimum(y, 1)) - size
        far = (1 - size) - _erfc_far(np.maximum(y, 1))
        step = np.where(y < 1, near, far) * (SQRT_PI / 2) * np.exp(y * y)
        y = y - step / (1 + y * step)
    y = np.copysign(y, x)
    return np.where(size < 1, y, np.where(size == 1, np.copysign(np.inf, x), np.nan))


# ------------------------------------------------------------------------- gamma function


def _zeta_tail(k: int) -> float:
    """zeta(k) - 1: the sum over 2, ..., 49 and the Euler-Maclaurin formula from 50 on."""
    head = math.fsum(m**-k for m in range(2, 50))
    n = 50.0
    tail = n ** (1 - k) / (k - 1) + n**-k / 2 + k * n ** (-k - 1) / 12
    return head + tail - k * (k + 1) * (k + 2) * n ** (-k - 3) / 720


EULER = 0.57721566490153286061
#: gammaln(2 + t) as a polynomial in t, for |t| up to 1/2.
AT_TWO = (0.0, 1 - EULER, *((-1) ** k * _zeta_tail(k) / k for k in range(2, 30)))


def _gammaln_near(x: Any) -> Any:
    """gammaln(x) for x in [0, 2.5]: gammaln(x) = gammaln(x + 1) - log(x) down from [1.5, 2.5]."""
    steps = np.where(x < 0.5, 2, np.where(x < 1.5, 1, 0))
    y = _horner(AT_TWO, x + steps - 2)
    y -= np.where(steps > 0, np.log1p(np.where(steps == 2, x, x - 1)), 0)
    return y - np.where(steps == 2, np.log(x), 0)


def _gammaln_far(x: Any) -> Any:
    """gammaln(x) for x from 2.5 on."""
    product, z = np.ones_like(x), x.copy()
    for _ in range(6):
        low = z < 8
        product *= np.where(low, z, 1)
        z += low
    inverse = 1 / z
    series = [b / (2 * k * (2 * k - 1)) for k, b in enumerate(BERNOULLI, 1)]
    y = (z - 0.5) * np.log(z) - z + 0.5 * math.log(2 * math.pi)
    y += inverse * _horner(series, inverse * inverse)
    return np.where(np.isinf(x), np.inf, y - np.log(product))


def _off_integer(x: Any) -> Any:
    """x minus the nearest integer: sin(pi x) loses no digits when it is taken of this."""
    return x - np.rint(x)


def _gammaln(x: Any) -> Any:
    z = np.where(x < 0, 1 - x, x)
    y = np.where(z < 2.5, _gammaln_near(np.clip(z, 0, 2.5)), _gammaln_far(np.maximum(z, 2.5)))
    reflected = np.log(math.pi / np.abs(np.sin(math.pi * _off_integer(x)))) - y
    return np.where(x < 0, reflected, y)


@_in_double
def gammaln(x: Any) -> Any:
    """The logarithm of the absolute value of the gamma function."""
    return np.where(np.isinf(x), np.inf, _gammaln(x))


@_in_double
def gamma(x: Any) -> Any:
    """The gamma function; NaN at the negative integers."""
    whole = np.floor(x)
    sign = np.where(np.signbit(x) & ((x == 0) | (whole % 2 == 1)), -1.0, 1.0)
    y = np.exp(_gammaln(x))
    y = np.where((whole == x) & (x < 19), np.rint(y), y)  # factorials, while they are exact
    return np.where((x < 0) & (whole == x), np.nan, sign * y)


def _polygamma_positive(z: Any, n: int) -> Any:
    """The sum for z > 0, without the sign (-1) ** (n + 1): 1 for digamma."""
    factorial = math.factorial(n)
    shifted, y = z.copy(), np.zeros_like(z)
    for _ in range(10 + n):
        low = shifted < 10 + n
        y += np.where(low, factorial / np.where(low, shifted, 1) ** (n + 1), 0)
        shifted += low
    inverse = 1 / shifted
    y += factorial / 2 * inverse ** (n + 1)
    y += -np.log(shifted) if n == 0 else math.factorial(n - 1) * inverse**n
    series = [
        b * math.factorial(2 * k + n - 1) / math.factorial(2 * k)
        for k, b in enumerate(BERNOULLI, 1)
    ]
    return y + inverse ** (n + 2) * _horner(series, inverse * inverse)


def _cotangent(x: Any, n: int) -> Any:
    """The n-th derivative of pi cot(pi x), which is a polynomial in the cotangent."""
    cotangent = np.polynomial.Polynomial([0.0, 1.0])
    slope = np.polynomial.Polynomial([-math.pi, 0.0, -math.pi])
    for _ in range(n):
        cotangent = cotangent.deriv() * slope
    return math.pi * cotangent(1 / np.tan(math.pi * _off_integer(x)))


@_in_double
def polygamma(x: Any, *, n: int) -> Any:
    """The derivative number n + 1 of gammaln; n = 0 is digamma. NaN at the poles below 0."""
    if n < 0:
        raise ValueError(f"n={n} must be 0 or more")
    negative = x < 0
    y = (-1) ** (n + 1) * _polygamma_positive(np.where(negative, 1 - x, x), n)
    reflected = (-1) ** n * y - _cotangent(x, n)
    pole = negative & (np.floor(x) == x)
    return np.where(pole, np.nan, np.where(negative, reflected, y))


def digamma(x: Any) -> Any:
    """The derivative of gammaln."""
    return polygamma(x, n=0)


# --------------------------------------------------------------------------- other functions


def _sinc_series(u: Any, n: int) -> Any:
    """The n-th derivative of sin(u) / u by its power series, for |u| up to n + 2."""
    total = np.zeros_like(u)
    for k in range((n + 1) // 2, (n + 1) // 2 + n + 24):
        power = 2 * k - n
        total += u**power * ((-1) ** k / ((2 * k + 1) * math.factorial(power)))
    return total


def _sinc_far(u: Any, n: int) -> Any:
    """The n-th derivative of sin(u) / u, from the lower ones: stable where |u| is above n."""
    y = np.sin(u) / u
    for k in range(1, n + 1):
        y = (np.sin(u + k * np.pi / 2) - k * y) / u
    return y


def _sinc(x: Any) -> Any:
    """sin(pi x) / (pi x), in the dtype of x."""
    turn = x - 2 * np.rint(x * 0.5)  # exact, and the sine does not change
    size = np.abs(turn)
    y = np.copysign(np.sin(np.pi * np.minimum(size, 1 - size)), turn) / (np.pi * x)
    return np.where(x == 0, x.dtype.type(1), y)


def _sinc_slope(x: Any) -> Any:
    """The derivative of `_sinc`, in the dtype of x: by its power series up to a half."""
    y = (np.cos(np.pi * (x - 2 * np.rint(x * 0.5))) - _sinc(x)) / x
    near = np.abs(x) <= 0.5
    u = np.pi * np.where(near, x, x.dtype.type(0))
    terms = 7 if x.itemsize < 8 else 12
    coefficients = [(-1) ** k * 2 * k / math.factorial(2 * k + 1) for k in range(1, terms + 1)]
    return np.where(near, np.pi * u * _horner(coefficients, u * u), y)


@_in_double
def _sinc_derivative(x: Any, *, n: int) -> Any:
    u = np.pi * x
    near = np.abs(u) < n + 2
    y = np.where(near, _sinc_series(np.where(near, u, 0), n), _sinc_far(np.where(near, 1, u), n))
    return y * np.pi**n


def sinc(x: Any, *, n: int = 0) -> Any:
    """The n-th derivative of sin(pi x) / (pi x)."""
    if n > 1:
        return _sinc_derivative(x, n=n)
    with np.errstate(all="ignore"):
        y = (_sinc_slope if n else _sinc)(x.astype(wide(x.dtype), copy=False))
    return y.astype(x.dtype, copy=False)


@_in_double
def bessel_i(x: Any, *, n: int = 0) -> Any:
    """The modified Bessel function of the first kind of order n."""
    if not n:
        return np.i0(x).reshape(x.shape)
    # The error of N points over half a circle is I_(2N - n)(x), which falls like exp(-2 N^2 / |x|).
    largest = float(np.abs(x[np.isfinite(x)]).max(initial=0))
    points = int(5 * math.sqrt(largest)) + n + 16
    total = np.zeros_like(x)
    for k in range(points):
        angle = (k + 0.5) * math.pi / points
        total += np.exp(x * math.cos(angle)) * math.cos(n * angle)
    return total / points
