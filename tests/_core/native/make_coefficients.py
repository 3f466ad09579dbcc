"""Print the coefficients of vector.h and special.h, and the error of each polynomial.

    python tests/_core/native/make_coefficients.py        (needs mpmath)

Each function is written as its first terms, which are exact, and a rest, which a polynomial through
Chebyshev's points approximates; that is within a digit of the best polynomial of its degree.
"""

from __future__ import annotations

from typing import Any


def _log_of_quotient(mp: Any, z: Any) -> Any:
    """(log((1 + s) / (1 - s)) / (2 s) - 1) / s^2 for z = s^2."""
    s = mp.sqrt(z)
    return (mp.atanh(s) / s - 1) / z


def _erf_near(mp: Any, z: Any) -> Any:
    """erf(x) / x - 1 for z = x^2."""
    x = mp.sqrt(z)
    return mp.erf(x) / x - 1


def _normal_near(mp: Any, z: Any) -> Any:
    """The normal distribution function less its half at 0, divided by x, for z = x^2."""
    x = mp.sqrt(z)
    return mp.erf(x / mp.sqrt(2)) / x / 2


def _normal_far(mp: Any, w: Any) -> Any:
    """The distribution function at -x, divided by w exp(-x^2 / 2), for w = 1 / (x + 1.5)."""
    x = 1 / w - mp.mpf("1.5")
    return mp.erfc(x / mp.sqrt(2)) * mp.exp(x * x / 2) / w / 2


def _gelu_slope_near(mp: Any, z: Any) -> Any:
    """The slope of gelu less its half at 0, divided by x, for z = x^2."""
    return _normal_near(mp, z) + mp.exp(-z / 2) / mp.sqrt(2 * mp.pi)


def _erfinv_of(mp: Any, w: Any) -> Any:
    """erfinv(x) / x for w = -log(1 - x^2)."""
    x = mp.sqrt(-mp.expm1(-w))
    return mp.erfinv(x) / x if w > mp.mpf(10) ** -25 else mp.sqrt(mp.pi) / 2


#: name -> (the rest of the function, from, to, degree), for single precision
FITS = {
    "exp": (lambda mp, r: (mp.expm1(r) - r) / r**2, "-0.3476", "0.3477", 4),
    "log": (lambda mp, f: (mp.log1p(f) - f + f**2 / 2) / f**3, "-0.292894", "0.414214", 8),
    "log1p, z up to 1": (lambda mp, z: (mp.log1p(z) / z - 1) / z, "1e-18", "1", 9),
    "erf, x below 0.9": (_erf_near, "1e-30", "0.81", 5),
    "erf, x from 0.9 on": (lambda mp, x: -mp.log(mp.erfc(x)) / x, "0.9", "4", 7),
    "erfinv, w below 5": (lambda mp, t: _erfinv_of(mp, t + 2.5), "-2.5", "2.5", 9),
    "erfinv, w from 5 on": (lambda mp, s: _erfinv_of(mp, (s + 3) ** 2), "-0.764", "1.1", 8),
    "gelu, x below 1": (_normal_near, "1e-30", "1", 4),
    "gelu_slope, x below 1": (_gelu_slope_near, "1e-30", "1", 5),
    "gelu, x from 1 on": (_normal_far, "0.0606", "0.4", 8),
}
#: The same in double precision.
DOUBLES = {
    "exp_wide": (lambda mp, r: (mp.expm1(r) - r) / r**2, "-0.3466", "0.3467", 8),
    "log_wide": (_log_of_quotient, "1e-12", "0.02945", 6),
    "sin(pi r) / r": (lambda mp, z: mp.sin(mp.pi * mp.sqrt(z)) / mp.sqrt(z), "1e-30", "0.25", 6),
    "cos(pi r)": (lambda mp, z: mp.cos(mp.pi * mp.sqrt(z)), "0", "0.25", 8),
}


def main() -> None:
    import mpmath as mp

    mp.mp.dps = 40
    for fits, digits, end in ((FITS, 10, "f"), (DOUBLES, 17, "")):
        for name, (rest, low, high, degree) in fits.items():
            ends = [mp.mpf(low), mp.mpf(high)]
            found, error = mp.chebyfit(lambda x, f=rest: f(mp, x), ends, degree + 1, error=True)
            numbers = ", ".join(f"{mp.nstr(c, digits)}{end}" for c in found)
            print(f"{name}, highest power first, off by {mp.nstr(error, 2)}: {numbers}")


if __name__ == "__main__":
    main()
