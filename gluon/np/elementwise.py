"""`np`: elementwise functions, as NumPy's ufuncs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy

from ..engine.errors import ArgumentError
from ..engine.op import RECORDED as F
from ..engine.rebind import is_recorded
from ..nd._public import table
from ..ndarray.dtypes import as_numpy_dtype
from ..ndarray.history import parts
from ._array import ndarray
from ._explained import explained
from ._promote import any_dtype, compared, constant, fractions, mixed
from ._public import as_array, cast, into, plain, public, whole
from ._ufunc import binary, both, unary

#: name, and the operator where it has another name | what it gives | of what | an example
FRACTIONS = table("""
    exp             | e ** x                          | [0, 1, 2]    | [1.    , 2.7183, 7.3891]
    exp2            | 2 ** x                          | [0, 1, 2]    | [1., 2., 4.]
    expm1           | exp(x) - 1, exact near 0        | [0, 1]       | [0.    , 1.7183]
    log             | The natural logarithm           | [1, 2]       | [0.    , 0.6931]
    log2            | The base-2 logarithm            | [1, 2, 8]    | [0., 1., 3.]
    log10           | The base-10 logarithm           | [1, 10, 100] | [0., 1., 2.]
    log1p           | log(1 + x), exact near 0        | [0, 1]       | [0.    , 0.6931]
    sqrt            | The square root                 | [1, 4, 9]    | [1., 2., 3.]
    cbrt            | The cube root                   | [1, 8, 27]   | [1., 2., 3.]
    sin             | The sine                        | [0, 1]       | [0.    , 0.8415]
    cos             | The cosine                      | [0, 1]       | [1.    , 0.5403]
    tan             | The tangent                     | [0, 1]       | [0.    , 1.5574]
    arcsin          | The inverse sine                | [0, 1]       | [0.    , 1.5708]
    arccos          | The inverse cosine              | [0, 1]       | [1.5708, 0.    ]
    arctan          | The inverse tangent             | [0, 1]       | [0.    , 0.7854]
    sinh            | The hyperbolic sine             | [0, 1]       | [0.    , 1.1752]
    cosh            | The hyperbolic cosine           | [0, 1]       | [1.    , 1.5431]
    tanh            | The hyperbolic tangent          | [0, 1]       | [0.    , 0.7616]
    arcsinh         | The inverse hyperbolic sine     | [0, 1]       | [0.    , 0.8814]
    arccosh         | The inverse hyperbolic cosine   | [1, 3]       | [0.    , 1.7627]
    arctanh         | The inverse hyperbolic tangent  | [0, 0.5]     | [0.    , 0.5493]
    degrees         | Radians as degrees              | [0, 1]       | [ 0.    , 57.2958]
    radians         | Degrees as radians              | [0, 180]     | [0.    , 3.1416]
    rad2deg=degrees | Radians as degrees              | [0, 1]       | [ 0.    , 57.2958]
    deg2rad=radians | Degrees as radians              | [0, 180]     | [0.    , 3.1416]
    fabs=abs        | The absolute value, as a float  | [-1, 2]      | [1., 2.]
    spacing         | The distance to the next number | [8388608]    | [1.]
""")
KEEPS = table("""
    negative        | -x                                          | [1, -2]     | [-1.,  2.]
    positive=copy   | +x, a copy                                  | [1, -2]     | [ 1., -2.]
    absolute=abs    | The absolute value                          | [-1, 2]     | [1., 2.]
    sign            | -1, 0 or 1; its gradient is 0               | [-3, 0, 2]  | [-1.,  0.,  1.]
    square          | x ** 2                                      | [1, 3]      | [1., 9.]
    reciprocal      | 1 / x                                       | [1, 4]      | [1.  , 0.25]
    floor           | The largest whole number not above x        | [-1.5, 1.5] | [-2.,  1.]
    ceil            | The smallest whole number not below x       | [-1.5, 1.5] | [-1.,  2.]
    trunc           | x without its fraction                      | [-1.5, 1.5] | [-1.,  1.]
    fix             | x rounded towards 0                         | [-1.5, 1.5] | [-1.,  1.]
    rint=round_even | The nearest whole number, ties to even ones | [0.5, 1.5]  | [0., 2.]
""")
TESTS = table("""
    isnan       | Where x is NaN                      | [1, float("nan")]  | [False,  True]
    isinf       | Where x is infinite                 | [1, float("inf")]  | [False,  True]
    isfinite    | Where x is neither NaN nor infinite | [1, float("inf")]  | [ True, False]
    isposinf    | Where x is positive infinity        | [1, float("inf")]  | [False,  True]
    isneginf    | Where x is negative infinity        | [1, float("-inf")] | [False,  True]
    signbit     | Where x has a minus sign            | [1, -1]            | [False,  True]
    logical_not | Where x is 0                        | [1, 0]             | [False,  True]
""")
BITS = table("""
    invert | The bits of x inverted; of booleans the opposite | [1, 2] | [-2, -3]
""")
ARITHMETIC = table("""
    add           | x1 + x2                                     | [1, 2], 1            | [2., 3.]
    subtract      | x1 - x2                                     | [1, 2], 1            | [0., 1.]
    multiply      | x1 * x2                                     | [1, 2], 3            | [3., 6.]
    power         | x1 ** x2                                    | [1, 2], 3            | [1., 8.]
    mod           | x1 modulo x2, with the sign of x2           | [5, -5], 3           | [2., 1.]
    remainder=mod | x1 modulo x2, with the sign of x2           | [5, -5], 3           | [2., 1.]
    fmod          | The remainder, with the sign of x1          | [5, -5], 3           | [ 2., -2.]
    maximum       | The larger of two, or NaN                   | [1, 3], 2            | [2., 3.]
    minimum       | The smaller of two, or NaN                  | [1, 3], 2            | [1., 2.]
    fmax          | The larger of two, not NaN unless both are  | [1, float("nan")], 2 | [2., 2.]
    fmin          | The smaller of two, not NaN unless both are | [1, float("nan")], 2 | [1., 2.]
""")
FLOATING = table("""
    divide             | x1 / x2                             | [1, 2], 4       | [0.25, 0.5 ]
    true_divide=divide | x1 / x2                             | [1, 2], 4       | [0.25, 0.5 ]
    arctan2            | The angle of the point (x2, x1)     | [0, 1], 1       | [0.    , 0.7854]
    hypot              | sqrt(x1 ** 2 + x2 ** 2)             | [3, 5], [4, 12] | [ 5., 13.]
    logaddexp          | log(exp(x1) + exp(x2))              | [0, 1], 0       | [0.6931, 1.3133]
    logaddexp2         | log2(2 ** x1 + 2 ** x2)             | [0, 3], 0       | [1.    , 3.1699]
    copysign           | x1 with the sign of x2              | [1, 2], -1      | [-1., -2.]
    heaviside          | The step function, x2 at 0          | [-1, 0, 1], 0.5 | [0. , 0.5, 1. ]
    nextafter          | The next number after x1 towards x2 | [0], 1         | [1.e-45]
""")
COMPARISONS = table("""
    equal         | Where x1 == x2                     | [1, 2], 2      | [False,  True]
    not_equal     | Where x1 != x2                     | [1, 2], 2      | [ True, False]
    less          | Where x1 < x2                      | [1, 2], 2      | [ True, False]
    less_equal    | Where x1 <= x2                     | [1, 2], 1      | [ True, False]
    greater       | Where x1 > x2                      | [1, 2], 1      | [False,  True]
    greater_equal | Where x1 >= x2                     | [1, 2], 2      | [False,  True]
    logical_and   | Where both are not 0               | [0, 2], [1, 1] | [False,  True]
    logical_or    | Where one of them is not 0         | [0, 2], [0, 1] | [False,  True]
    logical_xor   | Where exactly one of them is not 0 | [0, 2], [1, 1] | [ True, False]
""")
WHOLE = table("""
    bitwise_and  | The bits that both have                    | [5, 6], 3  | [1, 2]
    bitwise_or   | The bits that one of them has              | [5, 6], 3  | [7, 7]
    bitwise_xor  | The bits that exactly one of them has      | [5, 6], 3  | [6, 5]
    left_shift   | The bits of x1 moved left by x2            | [5, 6], 1  | [10, 12]
    right_shift  | The bits of x1 moved right by x2           | [5, 6], 1  | [2, 3]
    gcd          | The greatest common divisor                | [4, 6], 6  | [2, 6]
    lcm          | The least common multiple                  | [4, 6], 6  | [12,  6]
""")
QUOTIENT = table("""
    floor_divide | The largest whole number not above x1 / x2 | [5, -5], 3 | [ 1, -2]
""")
#: In words, of what dtype a function takes arrays, and of what dtype it gives one.
FLOATS = ("any dtype", "the dtype given, or of whole numbers and booleans the default dtype")
SAME = (
    "a floating or an integer dtype, or of booleans where NumPy's takes them",
    "the dtype given",
)
TRUTH = ("any dtype", "booleans")
INTEGERS = ("integers, or of booleans where NumPy's takes them", "the dtype given")
MET_AS_FLOATS = (FLOATS[0], "the dtype in which they meet, of whole numbers the default dtype")
MET = (SAME[0], "the dtype in which they meet")
MET_AS_INTEGERS = (INTEGERS[0], MET[1])


def _made(
    make: Callable, rule: Any, rows: dict, dtypes: tuple[str, str], dtype: str = "float32"
) -> dict[str, Callable]:
    """The functions of a table, `dtypes` in words, with arrays of `dtype` in their examples."""
    made = {}
    for names, (doc, given, result) in rows.items():
        name, _, op = names.partition("=")
        kind = "" if dtype == "float32" else f', "{dtype}"'
        code = re.sub(r"(\[.*?\])", rf"np.array(\1{kind})", given)
        shown = result if dtype == "float32" else f"{result}, dtype={dtype}"
        made[name] = make(getattr(F, op or name), name, rule, doc, code, shown, dtypes)
    return made


UNARY = {
    **_made(unary, fractions, FRACTIONS, FLOATS),
    **_made(unary, any_dtype, KEEPS, SAME),
    **_made(unary, any_dtype, TESTS, TRUTH),
    **_made(unary, any_dtype, BITS, INTEGERS, "int32"),
}
BINARY = {
    **_made(binary, mixed(any_dtype), ARITHMETIC, MET),
    **_made(binary, mixed(fractions), FLOATING, MET_AS_FLOATS),
    **_made(binary, constant, QUOTIENT, MET, "int32"),
    **_made(binary, constant, WHOLE, MET_AS_INTEGERS, "int32"),
    **_made(binary, compared, COMPARISONS, TRUTH),
}
globals().update(UNARY | BINARY)
abs = UNARY["absolute"]
bitwise_not = bitwise_invert = UNARY["invert"]
pow = BINARY["power"]

acos, acosh, asin, asinh = (UNARY[name] for name in ("arccos", "arccosh", "arcsin", "arcsinh"))
atan, atanh, atan2 = UNARY["arctan"], UNARY["arctanh"], BINARY["arctan2"]
bitwise_left_shift, bitwise_right_shift = BINARY["left_shift"], BINARY["right_shift"]


@public
def float_power(
    x1: Any,
    x2: Any,
    out: Any = None,
    where: Any = True,
    *,
    dtype: Any = "float64",
    casting: str = "same_kind",
) -> ndarray:
    """x1 ** x2 in float64.

    Parameters
    ----------
    x1, x2 : array_like of any dtype, of shapes that broadcast
    out : ndarray of the shape of the result, optional
        Where to write it: of a dtype that `casting` allows.
    where : array_like of bool, default True
        Where to compute, of a shape that broadcasts; elsewhere `out` stays, or the result is 0.
    dtype : str or numpy type, default 'float64'
        The dtype to compute in.
    casting : {'same_kind', 'no', 'equiv', 'safe', 'unsafe'}
        What `out` may not do to values.

    Returns
    -------
    ndarray of the broadcast shape, of float64 unless `dtype` is given

    Raises
    ------
    ArgumentError
        If the shapes do not broadcast.

    Examples
    --------
    >>> from gluon import np
    >>> np.float_power(np.array([1, 4]), 0.5)
    array([1., 2.], dtype=float64)
    """
    return BINARY["power"](x1, x2, out, where, dtype=dtype, casting=casting)


@public
def ldexp(
    x1: Any, x2: Any, out: Any = None, where: Any = True, *, casting: str = "same_kind"
) -> ndarray:
    """x1 * 2 ** x2.

    Parameters
    ----------
    x1, x2 : array_like of any dtype, of shapes that broadcast
    out : ndarray of the shape of the result, optional
        Where to write it: of a dtype that `casting` allows.
    where : array_like of bool, default True
        Where to compute, of a shape that broadcasts; elsewhere `out` stays, or the result is 0.
    casting : {'same_kind', 'no', 'equiv', 'safe', 'unsafe'}
        What `out` may not do to values.

    Returns
    -------
    ndarray of the broadcast shape
        float16 where `x1` is and `x2` is of whole numbers, else of the dtype in which `x1` and
        the power of 2 meet.

    Raises
    ------
    ArgumentError
        If the shapes do not broadcast.

    Examples
    --------
    >>> from gluon import np
    >>> np.ldexp(np.array([1, 3]), np.array([2, 1]))
    array([4., 6.])
    """
    y = BINARY["multiply"](x1, UNARY["exp2"](x2), out, where, casting=casting)
    short = as_array(x1)._raw.dtype == "float16" and as_array(x2)._raw.dtype.kind in "biu"
    return cast(y, "float16") if short and out is None else y


PAIR = {
    "out": (
        "tuple of two ndarray or None, optional\nWhere to write the results, of their shapes, in"
        " dtypes that `casting` allows."
    ),
    "where": (
        "array_like of bool, default True\nWhere to compute, of a shape that broadcasts; elsewhere"
        " `out` stays, or is 0."
    ),
    "casting": "{'same_kind', 'no', 'equiv', 'safe', 'unsafe'}\nWhat `out` may not do to values.",
}


@explained(
    """
    >>> np.divmod(np.array([5, -5]), 3)
    (array([ 1., -2.]), array([2., 1.]))
    """,
    "tuple of two ndarray of the broadcast shape\n    Of the dtype in which the inputs meet.",
    "ArgumentError\n    If the shapes do not broadcast.",
    x1="array_like of any shape, of numbers of any dtype",
    x2="array_like of a shape that broadcasts with it, of numbers of any dtype",
    **PAIR,
)
def divmod(
    x1: Any,
    x2: Any,
    out: Any = None,
    where: Any = True,
    *,
    dtype: Any = None,
    casting: str = "same_kind",
) -> tuple[ndarray, ndarray]:
    """The whole quotient and the remainder: ``floor_divide(x1, x2), mod(x1, x2)``."""
    results = (BINARY[name](x1, x2, where=where, dtype=dtype) for name in ("floor_divide", "mod"))
    return both(tuple(results), out, where, casting)


@explained(
    """
    >>> np.modf(np.array([1.5, -2.25]))
    (array([ 0.5 , -0.25]), array([ 1., -2.]))
    """,
    "tuple of two ndarray of the same shape\n    Of the dtype of `x`, of whole numbers the default"
    " dtype.",
    "DTypeError\n    If the array holds no numbers.",
    **PAIR,
)
def modf(
    x: Any, out: Any = None, where: Any = True, *, dtype: Any = None, casting: str = "same_kind"
) -> tuple[ndarray, ndarray]:
    """The fraction and the whole part of each value, both with its sign."""
    x = _fractional(x, dtype)
    return both((F.fraction(x), F.trunc(x)), out, where, casting)


@explained(
    """
    >>> np.frexp(np.array([3, 8]))
    (array([0.75, 0.5 ]), array([2, 4], dtype=int32))
    """,
    "tuple of two ndarray of the same shape\n    Mantissas between 0.5 and 1 or 0, and int32"
    " exponents.",
    "DTypeError\n    If the array holds no numbers.",
    **PAIR,
)
def frexp(
    x: Any, out: Any = None, where: Any = True, *, dtype: Any = None, casting: str = "same_kind"
) -> tuple[ndarray, ndarray]:
    """Mantissa and exponent: ``x = mantissa * 2 ** exponent``."""
    return both(F.frexp(_fractional(x, dtype)), out, where, casting)


def _fractional(x: Any, dtype: Any) -> ndarray:
    """An array in the dtype to compute in, which has fractions."""
    x = as_array(x)
    return cast(x, fractions(x._raw.dtype) if dtype is None else as_numpy_dtype(dtype))


@public
def clip(
    a: Any,
    a_min: Any = None,
    a_max: Any = None,
    out: Any = None,
    *,
    min: Any = None,
    max: Any = None,
) -> ndarray:
    """Values limited to ``[a_min, a_max]``; the gradient passes within, bounds included.

    Parameters
    ----------
    a : array_like of any shape and dtype
    a_min, a_max : array_like of shapes that broadcast, of any dtype, optional
        The bounds; None is no bound.
    out : ndarray of the shape of the result, optional
        Where to write it: of a dtype to which NumPy's 'same_kind' casts.
    min, max : array_like of shapes that broadcast, of any dtype, optional
        Other names of `a_min` and `a_max`.

    Returns
    -------
    ndarray of the broadcast shape, of the dtype in which `a` and the bounds meet

    Raises
    ------
    ArgumentError
        If the shapes do not broadcast.

    Examples
    --------
    >>> from gluon import np
    >>> np.clip(np.arange(5), 1, 3)
    array([1., 1., 2., 3., 3.])
    """
    a = as_array(a)
    if (a_min is not None and min is not None) or (a_max is not None and max is not None):
        raise ArgumentError("pass either a_min or min, and either a_max or max")
    a_min, a_max = min if a_min is None else a_min, max if a_max is None else a_max
    if a_min is not None:
        a = BINARY["maximum"](a, a_min)
    if a_max is not None:
        a = BINARY["minimum"](a, a_max)
    return into(out, F.copy(a) if a_min is None and a_max is None else a)


@public
def nan_to_num(
    x: Any,
    copy: bool = True,
    nan: Any = 0.0,
    posinf: Any = None,
    neginf: Any = None,
) -> ndarray:
    """NaN and infinities replaced by numbers.

    Parameters
    ----------
    x : array_like of any shape and dtype
    copy : bool, default True
        False writes the result into `x`.
    nan, posinf, neginf : float or array_like of a shape that broadcasts to `x`, optional
        What replaces NaN, infinity and minus infinity: by default 0 and the largest and smallest
        numbers of the dtype.

    Returns
    -------
    ndarray of the same shape and dtype

    Raises
    ------
    DTypeError
        If the array holds no numbers.

    Examples
    --------
    >>> from gluon import np
    >>> np.nan_to_num(np.array([1, float("nan"), float("inf")]), posinf=9)
    array([1., 0., 9.])
    """
    x = as_array(x)
    y = F.nan_to_num(x, nan=plain(nan), posinf=plain(posinf), neginf=plain(neginf))
    for value, places in ((nan, numpy.isnan), (posinf, numpy.isposinf), (neginf, numpy.isneginf)):
        if is_recorded(*parts(value)):
            y = F.where(places(x._raw), cast(as_array(value), y._raw.dtype), y)
    return into(None if copy else x, y)


@public
def round(x: Any, decimals: int = 0, out: Any = None) -> ndarray:
    """Rounded to a number of decimals, ties to the even digit; the gradient is 0.

    Parameters
    ----------
    x : array_like of any shape and dtype
    decimals : int, default 0
        How many; below 0 places left of the point.
    out : ndarray of the same shape, optional
        Where to write the result: of a dtype to which NumPy's 'same_kind' casts.

    Returns
    -------
    ndarray of the same shape and dtype, of float16 for booleans

    Raises
    ------
    DTypeError
        If `decimals` is no whole number.

    Examples
    --------
    >>> from gluon import np
    >>> np.round(np.array([0.5, 1.5, 2.26]), 1)
    array([0.5, 1.5, 2.3])
    """
    return into(out, F.round_even(as_array(x), decimals=whole(decimals, "decimals")))


around = round_ = round
