"""Elementwise operators that NumPy has and MXNet's classic interface lacks."""

from __future__ import annotations

import numpy as np

from tests._core.ops.sample import SPECIAL, Sample, s

PAIR = ("2x3", "2x3")
MIXED = "[nan, 1, nan, inf, -1, 0.0]", "[1, nan, nan, 2, -3, -0.0]"
WHOLE = "2x3 integers int32", "3 natural int32"


def _nan_to_num(x: np.ndarray) -> np.ndarray:
    return np.nan_to_num(x, nan=1.5, posinf=8, neginf=-8)


SAMPLES: list[Sample] = [
    s("F.exp2", "2x3").but(right=np.exp2),
    s("F.sinc", "2x3").but(right=np.sinc),
    s("F.sinc", "[0.0, 1, -2.5, 30]").but(right=np.sinc),
    *(s("F.sinc", "2x3 float64", n=n) for n in (1, 4)),
    s("F.bessel_i", "2x3").but(right=np.i0),
    s("F.bessel_i", "[0.0, 1, -2.5, 30]").but(right=np.i0),
    *(s("F.bessel_i", "2x3 float64", n=n) for n in (1, 3)),
    s("F.exp2", SPECIAL).but(right=np.exp2, kink=True),
    *(
        s(f"F.{name}", *inputs).but(right=getattr(np, name), kink=kink)
        for name in ("logaddexp", "logaddexp2", "copysign", "fmax", "fmin", "heaviside", "fmod")
        for inputs, kink in (
            (PAIR, name == "fmod"),
            (("2x1x3", "4x1"), name == "fmod"),
            (("2x3", 0.5), False),
            (("2x3", "0x2x3"), False),
        )
    ),
    *(
        s(f"F.{name}", *MIXED).but(right=getattr(np, name), kink=True)
        for name in ("logaddexp", "logaddexp2", "copysign", "fmax", "fmin")
    ),
    s("F.fmod", "[5.5, -5.5, 5.5, -5.5]", "[2, 2, -2, -2]").but(right=np.fmod),
    s("F.heaviside", "[-1, 0, 1]", "[5, 6, 7]").but(right=np.heaviside, kink=True),
    s("F.nan_to_num", "2x3").but(right=np.nan_to_num),
    s("F.nan_to_num", SPECIAL, nan=1.5, posinf=8.0, neginf=-8.0).but(right=_nan_to_num, kink=True),
    s("F.round_even", "2x3").but(right=np.round),
    s("F.round_even", SPECIAL).but(right=np.round, kink=True),
    s("F.round_even", "[1.25, 1.35, 15]", decimals=1).but(
        right=lambda x: np.round(x, 1), kink=True
    ),
    s("F.round_even", "[15, 25, 24] int32", decimals=-1).but(right=lambda x: np.round(x, -1)),
    s("F.fraction", "2x3").but(right=lambda x: np.modf(x)[0]),
    s("F.fraction", SPECIAL).but(right=lambda x: np.modf(x)[0], wrt=()),
    s("F.frexp", "[0.5, 3, -8, 0]").but(right=np.frexp, wrt=()),
    s("F.frexp", "[0.7, 3, -9] float64").but(right=np.frexp),
    s("F.sum_squares", "2x3").but(right=lambda x: (x * x).sum()),
    s("F.ldexp", "2x3", "[0, 3, -2] int32").but(right=np.ldexp),
    *(
        s(f"F.{name}", *WHOLE).but(right=getattr(np, name))
        for name in ("bitwise_xor", "left_shift", "right_shift", "gcd", "lcm")
    ),
    s("F.invert", "2x3 integers int32").but(right=np.invert),
    s("F.invert", "[True, False] bool").but(right=np.invert),
    *(
        s(f"F.{name}", SPECIAL).but(right=getattr(np, name), wrt=())
        for name in ("signbit", "isposinf", "isneginf")
    ),
    s("F.spacing", "[1, 1024, 0]").but(right=np.spacing, wrt=()),
    s("F.nextafter", "[1, 1024]", "[2, 0]").but(right=np.nextafter, wrt=(0,)),
]
