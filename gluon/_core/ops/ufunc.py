"""Elementwise operators that NumPy has and MXNet's classic interface lacks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..engine.op import define
from ..kernels import ufunc as kernels
from .elementwise import flat, of_remainder

exp2: Final = define("exp2", np.exp2, "2 ** x", x=lambda g, y: g * (y * math.log(2)))
logaddexp: Final = define(
    "logaddexp",
    np.logaddexp,
    "log(exp(x1) + exp(x2))",
    broadcasts=True,
    x1=lambda F, g, x1, x2: g * F.sigmoid(x1 - x2),
    x2=lambda F, g, x1, x2: g * F.sigmoid(x2 - x1),
)
logaddexp2: Final = define(
    "logaddexp2",
    np.logaddexp2,
    "log2(2 ** x1 + 2 ** x2)",
    broadcasts=True,
    x1=lambda F, g, x1, x2: g * F.sigmoid((x1 - x2) * math.log(2)),
    x2=lambda F, g, x1, x2: g * F.sigmoid((x2 - x1) * math.log(2)),
)
copysign: Final = define(
    "copysign",
    np.copysign,
    "|x1| with the sign of x2",
    broadcasts=True,
    x1=lambda F, g, x1, x2: g * F.copysign(F.ones_like(x1), x2) * F.sign(x1),
    x2=flat,
)


def _of_divisor(F: Any, g: Any, x1: Any, x2: Any, y_dtype: Any) -> Any:
    return flat(F, g) if y_dtype.kind in "iu" else -g * F.trunc(x1 / x2)


fmod: Final = define(
    "fmod",
    np.fmod,
    "The remainder of x1 / x2, with the sign of x1",
    broadcasts=True,
    x1=of_remainder,
    x2=_of_divisor,
)
fmax: Final = define(
    "fmax",
    np.fmax,
    "The larger of two, the other one where one is NaN; at a tie the gradient goes to x1",
    broadcasts=True,
    x1=lambda g, x1, x2: g * ((x1 >= x2) | (x2 != x2)),
    x2=lambda g, x1, x2: g * ((x1 < x2) | ((x1 != x1) & (x2 == x2))),
)
fmin: Final = define(
    "fmin",
    np.fmin,
    "The smaller of two, the other one where one is NaN; at a tie the gradient goes to x1",
    broadcasts=True,
    x1=lambda g, x1, x2: g * ((x1 <= x2) | (x2 != x2)),
    x2=lambda g, x1, x2: g * ((x1 > x2) | ((x1 != x1) & (x2 == x2))),
)
heaviside: Final = define(
    "heaviside",
    np.heaviside,
    "0 where x1 < 0, 1 where x1 > 0, and x2 where x1 is 0",
    broadcasts=True,
    x1=flat,
    x2=lambda F, g, x1: F.where(x1 == 0, g, 0),
)
nan_to_num: Final = define(
    "nan_to_num",
    kernels.nan_to_num,
    "NaN and infinities replaced by numbers",
    x=lambda F, g, x: F.where(F.isfinite(x), g, 0.0),
)
round_even: Final = define(
    "round_even",
    kernels.round_even,
    "Rounded to `decimals` places, ties to the even digit; its gradient is 0",
    x=flat,
)
define("fraction", kernels.fraction, "What follows the point, with the sign of x", x=lambda g: g)

CONSTANT: dict[str, tuple[Callable, str]] = {
    "bitwise_xor": (np.bitwise_xor, "The bits that exactly one of them has"),
    "invert": (np.invert, "The bits of x inverted; the logical not of booleans"),
    "left_shift": (np.left_shift, "The bits of x1 moved left by x2"),
    "right_shift": (np.right_shift, "The bits of x1 moved right by x2"),
    "gcd": (np.gcd, "The greatest common divisor"),
    "lcm": (np.lcm, "The least common multiple"),
    "signbit": (np.signbit, "Where x has a minus sign"),
    "spacing": (np.spacing, "The distance to the next number"),
    "isposinf": (np.isposinf, "Where x is positive infinity"),
    "isneginf": (np.isneginf, "Where x is negative infinity"),
}
for _name, (_kernel, _doc) in CONSTANT.items():
    define(_name, _kernel, _doc)
nextafter: Final = define(
    "nextafter",
    np.nextafter,
    "The next number after x1 towards x2",
    broadcasts=True,
    x1=lambda g: g,
)


def _frexp(F: Any, g: Any, x: Any, y: Any) -> Any:
    """The gradient of the mantissa; the exponent is piecewise constant."""
    return F.zeros_like(x) if g[0] is None else F.ldexp(g[0], F.negative(y[1]))


frexp: Final = define(
    "frexp",
    kernels.frexp,
    "Mantissa and exponent: x = mantissa * 2 ** exponent",
    many=True,
    x=_frexp,
)
ldexp: Final = define(
    "ldexp",
    np.ldexp,
    "x1 * 2 ** x2",
    broadcasts=True,
    x1=lambda F, g, x2: F.ldexp(g, x2),
)
