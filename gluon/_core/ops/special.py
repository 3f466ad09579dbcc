"""The error function, the gamma function's family, sin(x) / x and Bessel functions."""

from __future__ import annotations

import math
from typing import Final

from ..engine.op import define
from ..kernels import special as kernels

erf: Final = define(
    "erf",
    kernels.erf,
    "The error function",
    x=lambda F, g, x: g * F.erf_slope(x),
)
erf_slope: Final = define(
    "erf_slope",
    kernels.erf_slope,
    "The derivative of erf",
    x=lambda g, x, y: g * (x * y * -2),
)
erfinv: Final = define(
    "erfinv",
    kernels.erfinv,
    "The inverse of the error function",
    x=lambda F, g, y: g * (F.exp(y * y) * (math.sqrt(math.pi) / 2)),
)
gammaln: Final = define(
    "gammaln",
    kernels.gammaln,
    "The logarithm of |gamma(x)|",
    x=lambda F, g, x: g * F.digamma(x),
)
gamma: Final = define(
    "gamma",
    kernels.gamma,
    "The gamma function",
    x=lambda F, g, x, y: g * y * F.digamma(x),
)
digamma: Final = define(
    "digamma",
    kernels.digamma,
    "The derivative of gammaln",
    x=lambda F, g, x: g * F.polygamma(x, n=1),
)
polygamma: Final = define(
    "polygamma",
    kernels.polygamma,
    "The n-th derivative of digamma",
    x=lambda F, g, x, n: g * F.polygamma(x, n=n + 1),
)
sinc: Final = define(
    "sinc",
    kernels.sinc,
    "The n-th derivative of sin(pi x) / (pi x)",
    x=lambda F, g, x, n: g * F.sinc(x, n=n + 1),
)
bessel_i: Final = define(
    "bessel_i",
    kernels.bessel_i,
    "The modified Bessel function of the first kind of order n",
    x=lambda F, g, x, n: g * (F.bessel_i(x, n=abs(n - 1)) + F.bessel_i(x, n=n + 1)) * 0.5,
)
