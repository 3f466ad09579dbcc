"""Print the coefficients of gluon/native/vector.h and special.h, and the error of each polynomial.

    python tests/native/make_coefficients.py        (needs mpmath)

Each function is written as its first terms, which are exact, and a rest, which a polynomial through
Chebyshev's points approximates; that is within a digit of the best polynomial of its degree.
"""

from __future__ import annotations

from typing import Any

#: name -> (the rest of the function, from, to, degree), for single precision
FITS = {
    "exp": (lambda mp, r: (mp.expm1(r) - r) / r**2, "-0.3476", "0.3477", 4),
    "log": (lambda mp, f: (mp.log1p(f) - f + f**2 / 2) / f**3, "-0.292894", "0.414214", 8),
}


def _log_of_quotient(mp: Any, z: Any) -> Any:
    """(log((1 + s) / (1 - s)) / (2 s) - 1) / s^2 for z = s^2."""
    s = mp.sqrt(z)
    return (mp.atanh(s) / s - 1) / z


def _erf(mp: Any, t: Any) -> Any:
    """erf(x) / x for x^2 = 8 (1 + t)."""
    x = mp.sqrt(8 * (1 + t))
    return mp.erf(x) / x if x else 2 / mp.sqrt(mp.pi)


def _erfc(mp: Any, t: Any) -> Any:
    """exp(u^2) erfc(u) for t = (u - 3) / (u + 3)."""
    u = 3 * (1 + t) / (1 - t)
    return mp.exp(u * u) * mp.erfc(u)


def _erfinv_of(mp: Any, w: Any) -> Any:
    """erfinv(x) / x for w = -log(1 - x^2)."""
    x = mp.sqrt(-mp.expm1(-w))
    return mp.erfinv(x) / x if w > mp.mpf(10) ** -25 else mp.sqrt(mp.pi) / 2


#: The same in double precision.
DOUBLES = {
    "exp_wide": (lambda mp, r: (mp.expm1(r) - r) / r**2, "-0.3466", "0.3467", 8),
    "log_wide": (_log_of_quotient, "1e-12", "0.02945", 6),
    "erf": (_erf, "-1", "1", 18),
    "erfc": (_erfc, "-1", "0.5555", 13),
    "erfinv, w below 5": (lambda mp, t: _erfinv_of(mp, t + 2.5), "-2.5", "2.5", 11),
    "erfinv, w from 5 on": (lambda mp, t: _erfinv_of(mp, (t + 3) ** 2), "-0.7640", "1.1", 10),
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
