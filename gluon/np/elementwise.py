"""`np`: elementwise functions, as NumPy's ufuncs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy

from .._core.arrays.dtypes import as_numpy_dtype
from .._core.arrays.history import parts
from .._core.arrays.rebind import is_recorded
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from ._explained import explained
from ._promote import fractions
from ._public import as_array, cast, into, plain, public, whole
from ._ufunc import (
    BITS,
    COMPARED,
    FLOATS,
    MET,
    MET_AS_BITS,
    MET_AS_FLOATS,
    QUOTIENT,
    SAME,
    TRUTH,
    binary,
    both,
    one,
    two,
    unary,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    from ._array import ndarray

AS_FLOAT = "The absolute value, as a float"
NEAREST = "The nearest integer, ties to even ones; its gradient is 0"

exp: Final = unary(one, ops.exp, FLOATS, "[0, 1, 2]", "[1.    , 2.7183, 7.3891]")
exp2: Final = unary(one, ops.exp2, FLOATS, "[0, 1, 2]", "[1., 2., 4.]")
expm1: Final = unary(one, ops.expm1, FLOATS, "[0, 1]", "[0.    , 1.7183]")
log: Final = unary(one, ops.log, FLOATS, "[1, 2]", "[0.    , 0.6931]")
log2: Final = unary(one, ops.log2, FLOATS, "[1, 2, 8]", "[0., 1., 3.]")
log10: Final = unary(one, ops.log10, FLOATS, "[1, 10, 100]", "[0., 1., 2.]")
log1p: Final = unary(one, ops.log1p, FLOATS, "[0, 1]", "[0.    , 0.6931]")
sqrt: Final = unary(one, ops.sqrt, FLOATS, "[1, 4, 9]", "[1., 2., 3.]")
cbrt: Final = unary(one, ops.cbrt, FLOATS, "[1, 8, 27]", "[1., 2., 3.]")
sin: Final = unary(one, ops.sin, FLOATS, "[0, 1]", "[0.    , 0.8415]")
cos: Final = unary(one, ops.cos, FLOATS, "[0, 1]", "[1.    , 0.5403]")
tan: Final = unary(one, ops.tan, FLOATS, "[0, 1]", "[0.    , 1.5574]")
arcsin: Final = unary(one, ops.arcsin, FLOATS, "[0, 1]", "[0.    , 1.5708]")
arccos: Final = unary(one, ops.arccos, FLOATS, "[0, 1]", "[1.5708, 0.    ]")
arctan: Final = unary(one, ops.arctan, FLOATS, "[0, 1]", "[0.    , 0.7854]")
sinh: Final = unary(one, ops.sinh, FLOATS, "[0, 1]", "[0.    , 1.1752]")
cosh: Final = unary(one, ops.cosh, FLOATS, "[0, 1]", "[1.    , 1.5431]")
tanh: Final = unary(one, ops.tanh, FLOATS, "[0, 1]", "[0.    , 0.7616]")
arcsinh: Final = unary(one, ops.arcsinh, FLOATS, "[0, 1]", "[0.    , 0.8814]")
arccosh: Final = unary(one, ops.arccosh, FLOATS, "[1, 3]", "[0.    , 1.7627]")
arctanh: Final = unary(one, ops.arctanh, FLOATS, "[0, 0.5]", "[0.    , 0.5493]")
degrees: Final = unary(one, ops.degrees, FLOATS, "[0, 1]", "[ 0.    , 57.2958]")
radians: Final = unary(one, ops.radians, FLOATS, "[0, 180]", "[0.    , 3.1416]")
rad2deg: Final = unary(one, ops.degrees, FLOATS, "[0, 1]", "[ 0.    , 57.2958]", name="rad2deg")
deg2rad: Final = unary(one, ops.radians, FLOATS, "[0, 180]", "[0.    , 3.1416]", name="deg2rad")
fabs: Final = unary(one, ops.abs, FLOATS, "[-1, 2]", "[1., 2.]", name="fabs", doc=AS_FLOAT)
spacing: Final = unary(one, ops.spacing, FLOATS, "[8388608]", "[1.]")

negative: Final = unary(one, ops.negative, SAME, "[1, -2]", "[-1.,  2.]")
positive: Final = unary(
    one, ops.copy, SAME, "[1, -2]", "[ 1., -2.]", name="positive", doc="+x, a copy"
)
absolute: Final = unary(one, ops.abs, SAME, "[-1, 2]", "[1., 2.]", name="absolute")
sign: Final = unary(one, ops.sign, SAME, "[-3, 0, 2]", "[-1.,  0.,  1.]")
square: Final = unary(one, ops.square, SAME, "[1, 3]", "[1., 9.]")
reciprocal: Final = unary(one, ops.reciprocal, SAME, "[1, 4]", "[1.  , 0.25]")
floor: Final = unary(one, ops.floor, SAME, "[-1.5, 1.5]", "[-2.,  1.]")
ceil: Final = unary(one, ops.ceil, SAME, "[-1.5, 1.5]", "[-1.,  2.]")
trunc: Final = unary(one, ops.trunc, SAME, "[-1.5, 1.5]", "[-1.,  1.]")
fix: Final = unary(one, ops.fix, SAME, "[-1.5, 1.5]", "[-1.,  1.]")
rint: Final = unary(one, ops.round_even, SAME, "[0.5, 1.5]", "[0., 2.]", name="rint", doc=NEAREST)

isnan: Final = unary(one, ops.isnan, TRUTH, '[1, float("nan")]', "[False,  True]")
isinf: Final = unary(one, ops.isinf, TRUTH, '[1, float("inf")]', "[False,  True]")
isfinite: Final = unary(one, ops.isfinite, TRUTH, '[1, float("inf")]', "[ True, False]")
isposinf: Final = unary(one, ops.isposinf, TRUTH, '[1, float("inf")]', "[False,  True]")
isneginf: Final = unary(one, ops.isneginf, TRUTH, '[1, float("-inf")]', "[False,  True]")
signbit: Final = unary(one, ops.signbit, TRUTH, "[1, -1]", "[False,  True]")
logical_not: Final = unary(one, ops.logical_not, TRUTH, "[1, 0]", "[False,  True]")

invert: Final = unary(one, ops.invert, BITS, "[1, 2]", "[-2, -3]")

add: Final = binary(two, ops.add, MET, "[1, 2], 1", "[2., 3.]")
subtract: Final = binary(two, ops.subtract, MET, "[1, 2], 1", "[0., 1.]")
multiply: Final = binary(two, ops.multiply, MET, "[1, 2], 3", "[3., 6.]")
power: Final = binary(two, ops.power, MET, "[1, 2], 3", "[1., 8.]")
mod: Final = binary(two, ops.mod, MET, "[5, -5], 3", "[2., 1.]")
remainder: Final = binary(two, ops.mod, MET, "[5, -5], 3", "[2., 1.]", name="remainder")
fmod: Final = binary(two, ops.fmod, MET, "[5, -5], 3", "[ 2., -2.]")
maximum: Final = binary(
    two, ops.maximum, MET, "[1, 3], 2", "[2., 3.]", doc="The larger of two, or NaN"
)
minimum: Final = binary(
    two, ops.minimum, MET, "[1, 3], 2", "[1., 2.]", doc="The smaller of two, or NaN"
)
fmax: Final = binary(two, ops.fmax, MET, '[1, float("nan")], 2', "[2., 2.]")
fmin: Final = binary(two, ops.fmin, MET, '[1, float("nan")], 2', "[1., 2.]")

divide: Final = binary(two, ops.divide, MET_AS_FLOATS, "[1, 2], 4", "[0.25, 0.5 ]")
true_divide: Final = binary(
    two, ops.divide, MET_AS_FLOATS, "[1, 2], 4", "[0.25, 0.5 ]", name="true_divide"
)
arctan2: Final = binary(two, ops.arctan2, MET_AS_FLOATS, "[0, 1], 1", "[0.    , 0.7854]")
hypot: Final = binary(two, ops.hypot, MET_AS_FLOATS, "[3, 5], [4, 12]", "[ 5., 13.]")
logaddexp: Final = binary(two, ops.logaddexp, MET_AS_FLOATS, "[0, 1], 0", "[0.6931, 1.3133]")
logaddexp2: Final = binary(two, ops.logaddexp2, MET_AS_FLOATS, "[0, 3], 0", "[1.    , 3.1699]")
copysign: Final = binary(two, ops.copysign, MET_AS_FLOATS, "[1, 2], -1", "[-1., -2.]")
heaviside: Final = binary(two, ops.heaviside, MET_AS_FLOATS, "[-1, 0, 1], 0.5", "[0. , 0.5, 1. ]")
nextafter: Final = binary(two, ops.nextafter, MET_AS_FLOATS, "[0], 1", "[1.e-45]")

floor_divide: Final = binary(two, ops.floor_divide, QUOTIENT, "[5, -5], 3", "[ 1, -2]")

bitwise_and: Final = binary(two, ops.bitwise_and, MET_AS_BITS, "[5, 6], 3", "[1, 2]")
bitwise_or: Final = binary(two, ops.bitwise_or, MET_AS_BITS, "[5, 6], 3", "[7, 7]")
bitwise_xor: Final = binary(two, ops.bitwise_xor, MET_AS_BITS, "[5, 6], 3", "[6, 5]")
left_shift: Final = binary(two, ops.left_shift, MET_AS_BITS, "[5, 6], 1", "[10, 12]")
right_shift: Final = binary(two, ops.right_shift, MET_AS_BITS, "[5, 6], 1", "[2, 3]")
gcd: Final = binary(two, ops.gcd, MET_AS_BITS, "[4, 6], 6", "[2, 6]")
lcm: Final = binary(two, ops.lcm, MET_AS_BITS, "[4, 6], 6", "[12,  6]")

equal: Final = binary(two, ops.equal, COMPARED, "[1, 2], 2", "[False,  True]")
not_equal: Final = binary(two, ops.not_equal, COMPARED, "[1, 2], 2", "[ True, False]")
less: Final = binary(two, ops.less, COMPARED, "[1, 2], 2", "[ True, False]")
less_equal: Final = binary(two, ops.less_equal, COMPARED, "[1, 2], 1", "[ True, False]")
greater: Final = binary(two, ops.greater, COMPARED, "[1, 2], 1", "[False,  True]")
greater_equal: Final = binary(two, ops.greater_equal, COMPARED, "[1, 2], 2", "[False,  True]")
logical_and: Final = binary(two, ops.logical_and, COMPARED, "[0, 2], [1, 1]", "[False,  True]")
logical_or: Final = binary(two, ops.logical_or, COMPARED, "[0, 2], [0, 1]", "[False,  True]")
logical_xor: Final = binary(two, ops.logical_xor, COMPARED, "[0, 2], [1, 1]", "[ True, False]")

abs = absolute
acos = arccos
acosh = arccosh
asin = arcsin
asinh = arcsinh
atan = arctan
atanh = arctanh
atan2 = arctan2
bitwise_not = invert
bitwise_invert = invert
bitwise_left_shift = left_shift
bitwise_right_shift = right_shift
pow = power


@public
def float_power(
    x1: ArrayLike,
    x2: ArrayLike,
    out: ndarray | None = None,
    where: ArrayLike = True,
    *,
    dtype: DTypeLike = "float64",
    casting: str = "same_kind",
) -> ndarray:
    """x1 ** x2 in float64.

    Parameters
    ----------
    x1, x2 : array_like of any dtype, of shapes that broadcast
    out : ndarray of the shape of the result, optional
        Where to write it; `casting` must allow its dtype.
    where : array_like of bool, default True
        Where to compute; it broadcasts. Elsewhere `out` is unchanged, or the result is 0.
    dtype : str or numpy type, default 'float64'
        The dtype to compute in.
    casting : {'same_kind', 'no', 'equiv', 'safe', 'unsafe'}
        Which casts to `out` are allowed, as in `numpy.can_cast`.

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
    return power(x1, x2, out, where, dtype=dtype, casting=casting)


@public
def ldexp(
    x1: ArrayLike,
    x2: ArrayLike,
    out: ndarray | None = None,
    where: ArrayLike = True,
    *,
    casting: str = "same_kind",
) -> ndarray:
    """x1 * 2 ** x2.

    Parameters
    ----------
    x1, x2 : array_like of any dtype, of shapes that broadcast
    out : ndarray of the shape of the result, optional
        Where to write it; `casting` must allow its dtype.
    where : array_like of bool, default True
        Where to compute; it broadcasts. Elsewhere `out` is unchanged, or the result is 0.
    casting : {'same_kind', 'no', 'equiv', 'safe', 'unsafe'}
        Which casts to `out` are allowed, as in `numpy.can_cast`.

    Returns
    -------
    ndarray of the broadcast shape
        float16 for float16 `x1` and integer `x2`, else of the dtype that `x1` and the power of 2
        promote to.

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
    y = multiply(x1, exp2(x2), out, where, casting=casting)
    short = as_array(x1).dtype == "float16" and as_array(x2).dtype.kind in "biu"
    return cast(y, "float16") if short and out is None else y


@explained
def divmod(
    x1: ArrayLike,
    x2: ArrayLike,
    out: Any = None,
    where: ArrayLike = True,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
) -> tuple[ndarray, ndarray]:
    """The whole quotient and the remainder: ``floor_divide(x1, x2), mod(x1, x2)``.

    Parameters
    ----------
    x1 : array_like of any shape, of numbers of any dtype
    x2 : array_like of a shape that broadcasts with it, of numbers of any dtype
    out : tuple of two ndarray or None, optional
        Where to write the results; `casting` must allow the dtypes.
    where : array_like of bool, default True
        Where to compute; it broadcasts. Elsewhere `out` is unchanged, or 0.
    casting : {'same_kind', 'no', 'equiv', 'safe', 'unsafe'}
        Which casts to `out` are allowed, as in `numpy.can_cast`.

    Returns
    -------
    tuple of two ndarray of the broadcast shape
        Of the dtype that the inputs promote to.

    Raises
    ------
    ArgumentError
        If the shapes do not broadcast.

    Examples
    --------
    >>> from gluon import np
    >>> np.divmod(np.array([5, -5]), 3)
    (array([ 1., -2.]), array([2., 1.]))
    """
    quotient = floor_divide(x1, x2, where=where, dtype=dtype)
    return both((quotient, mod(x1, x2, where=where, dtype=dtype)), out, where, casting)


@explained
def modf(
    x: ArrayLike,
    out: Any = None,
    where: ArrayLike = True,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
) -> tuple[ndarray, ndarray]:
    """The fraction and the whole part of each value, both with its sign.

    Parameters
    ----------
    out : tuple of two ndarray or None, optional
        Where to write the results; `casting` must allow the dtypes.
    where : array_like of bool, default True
        Where to compute; it broadcasts. Elsewhere `out` is unchanged, or 0.
    casting : {'same_kind', 'no', 'equiv', 'safe', 'unsafe'}
        Which casts to `out` are allowed, as in `numpy.can_cast`.

    Returns
    -------
    tuple of two ndarray of the same shape
        Of the dtype of `x`; integers return the default dtype.

    Raises
    ------
    DTypeError
        If the array holds no numbers.

    Examples
    --------
    >>> from gluon import np
    >>> np.modf(np.array([1.5, -2.25]))
    (array([ 0.5 , -0.25]), array([ 1., -2.]))
    """
    x = _fractional(x, dtype)
    return both((ops.fraction(x), ops.trunc(x)), out, where, casting)


@explained
def frexp(
    x: Any,
    out: Any = None,
    where: ArrayLike = True,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
) -> tuple[ndarray, ndarray]:
    """Mantissa and exponent: ``x = mantissa * 2 ** exponent``.

    Parameters
    ----------
    out : tuple of two ndarray or None, optional
        Where to write the results; `casting` must allow the dtypes.
    where : array_like of bool, default True
        Where to compute; it broadcasts. Elsewhere `out` is unchanged, or 0.
    casting : {'same_kind', 'no', 'equiv', 'safe', 'unsafe'}
        Which casts to `out` are allowed, as in `numpy.can_cast`.

    Returns
    -------
    tuple of two ndarray of the same shape
        Mantissas of magnitude 0.5 to 1, or 0, and int32 exponents.

    Raises
    ------
    DTypeError
        If the array holds no numbers.

    Examples
    --------
    >>> from gluon import np
    >>> np.frexp(np.array([3, 8]))
    (array([0.75, 0.5 ]), array([2, 4], dtype=int32))
    """
    return both(ops.frexp(_fractional(x, dtype)), out, where, casting)


def _fractional(x: Any, dtype: Any) -> ndarray:
    """Cast an array to a dtype with fractions, to compute in."""
    x = as_array(x)
    return cast(x, fractions(x.dtype) if dtype is None else as_numpy_dtype(dtype))


@public
def clip(
    a: ArrayLike,
    a_min: ArrayLike | None = None,
    a_max: ArrayLike | None = None,
    out: ndarray | None = None,
    *,
    min: ArrayLike | None = None,
    max: ArrayLike | None = None,
) -> ndarray:
    """Limit the values to ``[a_min, a_max]``; the gradient is 0 outside.

    Parameters
    ----------
    a : array_like of any shape and dtype
    a_min, a_max : array_like of shapes that broadcast, of any dtype, optional
        The bounds; None for no bound.
    out : ndarray of the shape of the result, optional
        Where to write the result; its dtype must allow a 'same_kind' cast.
    min, max : array_like of shapes that broadcast, of any dtype, optional
        Other names of `a_min` and `a_max`.

    Returns
    -------
    ndarray of the broadcast shape, of the dtype that `a` and the bounds promote to

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
    low: Any = -math.inf if a_min is None else a_min
    high: Any = math.inf if a_max is None else a_max
    numbers = {type(low), type(high)} <= {int, float}
    if numbers and low <= high and a.dtype.kind == "f":  # one pass, and zeros behind the bounds
        return into(out, ops.clip(a, a_min=low, a_max=high))
    if a_min is not None:
        a = maximum(a, a_min)
    if a_max is not None:
        a = minimum(a, a_max)
    return into(out, ops.copy(a) if a_min is None and a_max is None else a)


@public
def nan_to_num(
    x: ArrayLike,
    copy: bool = True,
    nan: ArrayLike = 0.0,
    posinf: ArrayLike | None = None,
    neginf: ArrayLike | None = None,
) -> ndarray:
    """Replace NaN and infinities by numbers.

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
    y = ops.nan_to_num(x, nan=plain(nan), posinf=plain(posinf), neginf=plain(neginf))
    for value, places in ((nan, numpy.isnan), (posinf, numpy.isposinf), (neginf, numpy.isneginf)):
        if is_recorded(*parts(value)):
            y = ops.where(places(x.raw), cast(as_array(value), y.dtype), y)
    return into(None if copy else x, y)


@public
def round(x: ArrayLike, decimals: int = 0, out: ndarray | None = None) -> ndarray:
    """Round to a number of decimals, ties to even; the gradient is 0.

    Parameters
    ----------
    x : array_like of any shape and dtype
    decimals : int, default 0
        The number of decimals; negative ones round left of the point.
    out : ndarray of the same shape, optional
        Where to write the result; its dtype must allow a 'same_kind' cast.

    Returns
    -------
    ndarray of the same shape and dtype, of float16 for booleans

    Raises
    ------
    DTypeError
        If `decimals` is not an integer.

    Examples
    --------
    >>> from gluon import np
    >>> np.round(np.array([0.5, 1.5, 2.26]), 1)
    array([0.5, 1.5, 2.3])
    """
    return into(out, ops.round_even(as_array(x), decimals=whole(decimals, "decimals")))


around = round
round_ = round
