"""`nd`: elementwise functions."""

from __future__ import annotations

import operator as python
from collections.abc import Callable
from typing import Any, Final, NamedTuple, overload

import numpy as np

from .._core.arrays import storage
from .._core.arrays.base import A
from .._core.arrays.dtypes import as_dtype
from .._core.engine.array import Array
from .._core.engine.call import NUMBERS
from .._core.engine.op import RECORDED as ops
from .._core.errors import CAUSES, ArgumentError, DTypeError, GluonError, translated
from .._core.faces.errors import named
from .._core.faces.kinds import keeps_shape
from .._core.faces.prototype import T
from ._public import ND, alias, one, public, unary, write
from .operators import compare
from .operators import divide as quotient

F32 = np.dtype(np.float32)
abs: Final = unary(one, ops.abs, "[-1.5, 0, 2]", "[1.5, 0. , 2. ]")
arccos: Final = unary(one, ops.arccos, "[1, 0, -1]", "[0.    , 1.5708, 3.1416]")
arccosh: Final = unary(one, ops.arccosh, "[1, 3]", "[0.    , 1.7627]")
arcsin: Final = unary(one, ops.arcsin, "[-1, 0, 1]", "[-1.5708,  0.    ,  1.5708]")
arcsinh: Final = unary(one, ops.arcsinh, "[0, 1]", "[0.    , 0.8814]")
arctan: Final = unary(one, ops.arctan, "[-1, 0, 1]", "[-0.7854,  0.    ,  0.7854]")
arctanh: Final = unary(one, ops.arctanh, "[0, 0.5]", "[0.    , 0.5493]")
cbrt: Final = unary(one, ops.cbrt, "[-8, 0, 27]", "[-2.,  0.,  3.]")
ceil: Final = unary(one, ops.ceil, "[-1.5, 0.2, 2]", "[-1.,  1.,  2.]")
cos: Final = unary(one, ops.cos, "[0, 1]", "[1.    , 0.5403]")
cosh: Final = unary(one, ops.cosh, "[0, 1]", "[1.    , 1.5431]")
degrees: Final = unary(one, ops.degrees, "[0, 1]", "[ 0.    , 57.2958]")
exp: Final = unary(one, ops.exp, "[0, 1]", "[1.    , 2.7183]")
expm1: Final = unary(one, ops.expm1, "[0, 0.1]", "[0.    , 0.1052]")
fix: Final = unary(one, ops.fix, "[-1.5, 0.5, 1.5]", "[-1.,  0.,  1.]")
floor: Final = unary(one, ops.floor, "[-1.5, 0.2, 2]", "[-2.,  0.,  2.]")
log: Final = unary(one, ops.log, "[1, 10]", "[0.    , 2.3026]")
log10: Final = unary(one, ops.log10, "[1, 1000]", "[0., 3.]")
log1p: Final = unary(one, ops.log1p, "[0, 0.1]", "[0.    , 0.0953]")
log2: Final = unary(one, ops.log2, "[1, 8]", "[0., 3.]")
negative: Final = unary(one, ops.negative, "[-1.5, 2]", "[ 1.5, -2. ]")
radians: Final = unary(one, ops.radians, "[0, 180]", "[0.    , 3.1416]")
rcbrt: Final = unary(one, ops.rcbrt, "[1, 8]", "[1. , 0.5]")
reciprocal: Final = unary(one, ops.reciprocal, "[1, 4, -2]", "[ 1.  ,  0.25, -0.5 ]")
relu: Final = unary(one, ops.relu, "[-1.5, 0, 2]", "[0., 0., 2.]")
rint: Final = unary(one, ops.rint, "[-1.5, 0.5, 1.6]", "[-2.,  0.,  2.]")
round: Final = unary(one, ops.round, "[-1.5, 0.5, 1.4]", "[-2.,  1.,  1.]")
rsqrt: Final = unary(one, ops.rsqrt, "[1, 4]", "[1. , 0.5]")
sigmoid: Final = unary(one, ops.sigmoid, "[-1, 0, 1]", "[0.2689, 0.5   , 0.7311]")
sign: Final = unary(one, ops.sign, "[-1.5, 0, 2]", "[-1.,  0.,  1.]")
sin: Final = unary(one, ops.sin, "[0, 1]", "[0.    , 0.8415]")
sinh: Final = unary(one, ops.sinh, "[0, 1]", "[0.    , 1.1752]")
softsign: Final = unary(one, ops.softsign, "[-1, 0, 3]", "[-0.5 ,  0.  ,  0.75]")
sqrt: Final = unary(one, ops.sqrt, "[0, 4, 9]", "[0., 2., 3.]")
square: Final = unary(one, ops.square, "[-3, 0.5]", "[9.  , 0.25]")
tan: Final = unary(one, ops.tan, "[0, 1]", "[0.    , 1.5574]")
tanh: Final = unary(one, ops.tanh, "[-1, 0, 1]", "[-0.7616,  0.    ,  0.7616]")
trunc: Final = unary(one, ops.trunc, "[-1.5, 0.5, 1.5]", "[-1.,  0.,  1.]")

# ------------------------------------------------------------------------- of two operands


def _hypot(x1: Any, x2: Any) -> Any:
    """Return the hypotenuse; an integer for integers, as in MXNet."""
    array = x1 if isinstance(x1, Array) else x2
    if array.form.dtype.kind == "b":
        raise DTypeError("hypot is undefined for booleans; cast them to numbers first")
    if array.form.dtype.kind in "iu":  # NumPy computes with half precision for bytes
        x1, x2 = (ops.cast(x, dtype=float) if isinstance(x, Array) else x for x in (x1, x2))
    return ops.cast(ops.hypot(x1, x2), dtype=array.form.dtype)


def _array_first(op: Callable[..., Any]) -> Callable[..., Any]:
    """Return a commutative `op` whose gradient goes to the array if it equals the number."""
    return lambda x1, x2: op(x1, x2) if isinstance(x1, Array) else op(x2, x1)


PROMOTED = """NDArray of the broadcast shape
        With a number, in the dtype of the array; the number is cast to it, so with integers its
        fraction is dropped. With two arrays, in the dtype that NumPy promotes theirs to."""
COMPARED = """NDArray of the broadcast shape
        1 and 0, in the dtype of the first array."""


@overload
def of_two(lhs: A, rhs: A | float, out: A | None = None, name: str | None = None) -> A: ...
@overload
def of_two(lhs: float, rhs: A, out: A | None = None, name: str | None = None) -> A: ...
@overload
def of_two(lhs: float, rhs: float, out: None = None, name: str | None = None) -> float: ...
def of_two(lhs: Any, rhs: Any, out: Any = None, name: str | None = None) -> Any:
    """A function of two arrays, or numbers.

    Parameters
    ----------
    lhs, rhs : NDArray or number
        They broadcast: axes are matched from the last, and those of length 1, or missing, are
        stretched. Two numbers return a number; `pow`, `hypot` and ``broadcast_`` functions take one
        at most.

    Returns
    -------
    {returns}

    Raises
    ------
    ArgumentError
        If the shapes do not broadcast.
    DTypeError
        If an argument is neither an NDArray nor a number, or both are numbers where that is not
        allowed.
    """
    raise NotImplementedError


@overload
def of_arrays(lhs: A, rhs: A | float, out: A | None = None, name: str | None = None) -> A: ...
@overload
def of_arrays(lhs: float, rhs: A, out: A | None = None, name: str | None = None) -> A: ...
def of_arrays(lhs: Any, rhs: Any, out: Any = None, name: str | None = None) -> Any:
    """A function of two arrays, or of an array and a number."""
    raise NotImplementedError


of_arrays.__doc__ = of_two.__doc__


def alike(lhs: A, rhs: A, out: A | None = None, name: str | None = None) -> A:
    """A function of two arrays of one shape.

    Parameters
    ----------
    lhs, rhs : NDArray of equal shape
        For other shapes see `{other}`.

    Returns
    -------
    NDArray of that shape
        In the dtype that NumPy promotes theirs to.

    Raises
    ------
    ArgumentError
        If the shapes differ.
    DTypeError
        If an argument is not an NDArray.
    """
    raise NotImplementedError


class Binary(NamedTuple):
    """What functions of several names compute: an operator, in words, of [3, 2, 0] and [2].

    `of_numbers` is the same of two numbers, which ``broadcast_add`` and the like do not take.
    """

    op: Callable[..., Any]
    title: str
    result: str
    of_numbers: Callable[..., Any] | None = None
    returns: str = PROMOTED


def _compared(
    op: Callable[..., Any], holds: str, result: str, of_numbers: Callable[..., Any]
) -> Binary:
    title = f"1 where {holds}, else 0"
    return Binary(compare(op), title, result, lambda a, b: int(of_numbers(a, b)), COMPARED)


def _binary(like: T, name: str, how: Binary) -> T:
    op, of_numbers = how.op, how.of_numbers if like is of_two else None

    def call(lhs: Any, rhs: Any, out: Any = None, name: str | None = None) -> Any:
        if not isinstance(lhs, Array) and not isinstance(rhs, Array):
            if of_numbers and isinstance(lhs, NUMBERS) and isinstance(rhs, NUMBERS):
                return of_numbers(lhs, rhs)
            raise DTypeError(f"{call.__name__}: give at least one NDArray")
        try:
            y = op(lhs, rhs)
        except GluonError as error:
            named(error, call.__name__)
            raise
        except CAUSES as error:
            raise translated(error, f"{call.__name__}: {error}") from None
        return y if out is None else write(out, y, call.__name__)

    given = "nd.array([3, 2, 0]), nd.array([2])"
    return ND.made(
        like, call, name, how.title, given, how.result, "broadcast", {"returns": how.returns}
    )


def _broadcast(*shapes: tuple[int, ...]) -> bool:
    """Whether arrays of these shapes broadcast."""
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        return False
    return True


def _same_shape(like: T, name: str, how: Binary) -> T:
    other = name.replace("elemwise", "broadcast")

    def call(lhs: Any, rhs: Any, out: Any = None, name: str | None = None) -> Any:
        if not (isinstance(lhs, Array) and isinstance(rhs, Array)):
            kinds = " and ".join(type(x).__name__ for x in (lhs, rhs))
            raise DTypeError(f"{call.__name__}: takes two NDArrays, not {kinds}; use {other}")
        if lhs.form.shape != rhs.form.shape:
            way_out = f"use {other}, which broadcasts"
            if not _broadcast(lhs.form.shape, rhs.form.shape):
                way_out = "they must be equal"
            raise ArgumentError(
                f"{call.__name__}: shapes {lhs.shape} and {rhs.shape} differ; {way_out}"
            )
        y = how.op(lhs, rhs)
        return y if out is None else write(out, y, call.__name__)

    given = "nd.array([3, 2, 0]), nd.array([2, 2, 2])"
    return ND.made(like, call, name, how.title, given, how.result, "alike", {"other": other})


ADD = Binary(ops.add, "lhs + rhs", "[5., 4., 2.]", python.add)
SUBTRACT = Binary(ops.subtract, "lhs - rhs", "[ 1.,  0., -2.]", python.sub)
MULTIPLY = Binary(ops.multiply, "lhs * rhs", "[6., 4., 0.]", python.mul)
DIVIDE = Binary(quotient, "lhs / rhs; of integers, an integer", "[1.5, 1. , 0. ]", python.truediv)
MOD = Binary(
    ops.mod, "The remainder of lhs / rhs, with the sign of rhs", "[1., 0., 0.]", python.mod
)
POWER = Binary(ops.power, "lhs ** rhs", "[9., 4., 0.]", python.pow)
MAXIMUM = Binary(
    _array_first(ops.maximum),
    "The larger of both; at a tie lhs gets the gradient",
    "[3., 2., 2.]",
    max,
)
MINIMUM = Binary(
    _array_first(ops.minimum),
    "The smaller of both; at a tie lhs gets the gradient",
    "[2., 2., 0.]",
    min,
)
HYPOT = Binary(_hypot, "sqrt(lhs**2 + rhs**2)", "[3.6056, 2.8284, 2.    ]")
EQUAL = _compared(ops.equal, "lhs == rhs", "[0., 1., 0.]", python.eq)
NOT_EQUAL = _compared(ops.not_equal, "lhs != rhs", "[1., 0., 1.]", python.ne)
GREATER = _compared(ops.greater, "lhs > rhs", "[1., 0., 0.]", python.gt)
GREATER_EQUAL = _compared(ops.greater_equal, "lhs >= rhs", "[1., 1., 0.]", python.ge)
LESS = _compared(ops.less, "lhs < rhs", "[0., 0., 1.]", python.lt)
LESS_EQUAL = _compared(ops.less_equal, "lhs <= rhs", "[0., 1., 1.]", python.le)
AND = _compared(ops.logical_and, "neither is 0", "[1., 1., 0.]", lambda a, b: bool(a and b))
OR = _compared(ops.logical_or, "one is not 0", "[1., 1., 1.]", lambda a, b: bool(a or b))
XOR = _compared(
    ops.logical_xor, "exactly one of them is 0", "[0., 0., 1.]", lambda a, b: bool(a) != bool(b)
)

add: Final = _binary(of_two, "add", ADD)
broadcast_add: Final = _binary(of_arrays, "broadcast_add", ADD)
broadcast_plus: Final = _binary(of_arrays, "broadcast_plus", ADD)
elemwise_add: Final = _same_shape(alike, "elemwise_add", ADD)
subtract: Final = _binary(of_two, "subtract", SUBTRACT)
broadcast_sub: Final = _binary(of_arrays, "broadcast_sub", SUBTRACT)
broadcast_minus: Final = _binary(of_arrays, "broadcast_minus", SUBTRACT)
elemwise_sub: Final = _same_shape(alike, "elemwise_sub", SUBTRACT)
multiply: Final = _binary(of_two, "multiply", MULTIPLY)
broadcast_mul: Final = _binary(of_arrays, "broadcast_mul", MULTIPLY)
elemwise_mul: Final = _same_shape(alike, "elemwise_mul", MULTIPLY)
divide: Final = _binary(of_two, "divide", DIVIDE)
true_divide: Final = _binary(of_two, "true_divide", DIVIDE)
broadcast_div: Final = _binary(of_arrays, "broadcast_div", DIVIDE)
elemwise_div: Final = _same_shape(alike, "elemwise_div", DIVIDE)
modulo: Final = _binary(of_two, "modulo", MOD)
broadcast_mod: Final = _binary(of_arrays, "broadcast_mod", MOD)
_power = _binary(of_two, "power", POWER)
broadcast_power: Final = _binary(of_arrays, "broadcast_power", POWER)
pow: Final = _binary(of_arrays, "pow", POWER)
maximum: Final = _binary(of_two, "maximum", MAXIMUM)
broadcast_maximum: Final = _binary(of_arrays, "broadcast_maximum", MAXIMUM)
minimum: Final = _binary(of_two, "minimum", MINIMUM)
broadcast_minimum: Final = _binary(of_arrays, "broadcast_minimum", MINIMUM)
hypot: Final = _binary(of_arrays, "hypot", HYPOT)
broadcast_hypot: Final = _binary(of_arrays, "broadcast_hypot", HYPOT)
equal: Final = _binary(of_two, "equal", EQUAL)
broadcast_equal: Final = _binary(of_arrays, "broadcast_equal", EQUAL)
not_equal: Final = _binary(of_two, "not_equal", NOT_EQUAL)
broadcast_not_equal: Final = _binary(of_arrays, "broadcast_not_equal", NOT_EQUAL)
greater: Final = _binary(of_two, "greater", GREATER)
broadcast_greater: Final = _binary(of_arrays, "broadcast_greater", GREATER)
greater_equal: Final = _binary(of_two, "greater_equal", GREATER_EQUAL)
broadcast_greater_equal: Final = _binary(of_arrays, "broadcast_greater_equal", GREATER_EQUAL)
lesser: Final = _binary(of_two, "lesser", LESS)
broadcast_lesser: Final = _binary(of_arrays, "broadcast_lesser", LESS)
lesser_equal: Final = _binary(of_two, "lesser_equal", LESS_EQUAL)
broadcast_lesser_equal: Final = _binary(of_arrays, "broadcast_lesser_equal", LESS_EQUAL)
logical_and: Final = _binary(of_two, "logical_and", AND)
broadcast_logical_and: Final = _binary(of_arrays, "broadcast_logical_and", AND)
logical_or: Final = _binary(of_two, "logical_or", OR)
broadcast_logical_or: Final = _binary(of_arrays, "broadcast_logical_or", OR)
logical_xor: Final = _binary(of_two, "logical_xor", XOR)
broadcast_logical_xor: Final = _binary(of_arrays, "broadcast_logical_xor", XOR)


@overload
def of_powers(base: A, exp: A | float, out: A | None = None, name: str | None = None) -> A: ...
@overload
def of_powers(base: float, exp: A, out: A | None = None, name: str | None = None) -> A: ...
@overload
def of_powers(base: float, exp: float, out: None = None, name: str | None = None) -> float: ...
def of_powers(base: Any, exp: Any, out: Any = None, name: str | None = None) -> Any:
    """A power of two arrays, or numbers."""
    raise NotImplementedError


of_powers.__doc__ = (of_two.__doc__ or "").replace("lhs, rhs :", "base, exp :")


def _powers(like: T) -> T:
    def call(base: Any, exp: Any, out: Any = None, name: str | None = None) -> Any:
        return _power(base, exp, out)

    given = "nd.array([3, 2, 0]), 2"
    title, words = "base ** exp", {"returns": POWER.returns}
    return ND.made(like, call, "power", title, given, POWER.result, "broadcast", words)


power: Final = _powers(of_powers)


@keeps_shape
@public
def clip(data: A, a_min: float, a_max: float, out: A | None = None, name: str | None = None) -> A:
    """Limit the values to ``[a_min, a_max]``; the gradient is 0 outside.

    Parameters
    ----------
    data : NDArray of numbers, of any shape
    a_min, a_max : float
        For integer data their fraction is dropped.

    Returns
    -------
    NDArray of the same shape and dtype
        NaN stays.

    Raises
    ------
    ArgumentError
        If `a_min` is above `a_max`, or one is NaN.
    DTypeError
        If `data` is not an NDArray, or boolean.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.clip(nd.array([-3, 0.5, 7]), -1, 1).asnumpy()
    array([-1. ,  0.5,  1. ], dtype=float32)
    """
    return ops.clip(data, a_min=a_min, a_max=a_max)


@public
def where(condition: A, x: Any, y: Any, out: A | None = None, name: str | None = None) -> A:
    """`x` where the condition is not 0, `y` elsewhere.

    Parameters
    ----------
    condition : NDArray
        Of the shape of `x`, or of shape (n,) to choose among the n rows of `x` and `y`.
    x, y : NDArray of equal shape, or numbers
        A number takes the dtype of the other array; two numbers give float32.

    Returns
    -------
    NDArray of the shape of `x`

    Raises
    ------
    ArgumentError
        If the shapes do not fit.
    DTypeError
        If `condition` is not an NDArray, or `x` or `y` is neither an NDArray nor a number.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[1, 2], [3, 4]])
    >>> nd.where(x > 2, x, -x).asnumpy()
    array([[-1., -2.],
           [ 3.,  4.]], dtype=float32)
    >>> nd.where(nd.array([0, 1]), x, 0).asnumpy()
    array([[0., 0.],
           [3., 4.]], dtype=float32)
    """
    chosen = ops.not_equal(condition, 0)
    if isinstance(x, NUMBERS) and isinstance(y, NUMBERS):
        x = ops.multiply(ops.cast(ops.ones_like(condition), dtype=F32), x)
    x, y = _as_array_of(x, y), _as_array_of(y, x)
    shapes = [value.shape for value in (x, y) if isinstance(value, Array)]
    shape = shapes[0]
    if condition.ndim == 1 and len(shape) > 1:
        chosen = ops.reshape(chosen, shape=(-1,) + (1,) * (len(shape) - 1))
    if shapes[-1] != shape or condition.shape not in (shape, shape[:1]):
        raise ArgumentError(
            f"where: condition {condition.shape} and values of {shapes} differ in shape; use"
            " broadcast_to, or a condition of one axis to choose rows"
        )
    return ops.where(chosen, x, y)


def _as_array_of(value: Any, other: Any) -> Any:
    """Return `value`; a number takes the dtype of the array `other`."""
    if isinstance(value, Array):
        return value
    if not isinstance(value, NUMBERS) or not isinstance(other, Array):
        raise DTypeError(f"where: {type(value).__name__} is neither an NDArray nor a number")
    return other._number(value)


@keeps_shape
@public
def cast(data: A, dtype: Any, out: A | None = None, name: str | None = None) -> A:
    """Cast to another dtype; gradients are cast back.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    dtype : str or numpy type
        float16, float32, float64, int8, int16, int32, int64, uint8, bool, or bfloat16.

    Returns
    -------
    NDArray of the same shape
        Integers drop the fraction; booleans are True where a value is not 0.

    Raises
    ------
    DTypeError
        If `data` is not an NDArray, or `dtype` is not one of those.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.cast(nd.array([-1.5, 0, 2.7]), dtype="int32").asnumpy()
    array([-1,  0,  2], dtype=int32)
    """
    return ops.cast(data, dtype=as_dtype(dtype))


Cast: Final = alias("Cast", cast)


@keeps_shape
@public
def identity(data: A, out: A | None = None, name: str | None = None) -> A:
    """Return a copy; gradients flow through it.

    Parameters
    ----------
    data : NDArray of any shape and dtype

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    DTypeError
        If `data` is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.identity(nd.array([1, 2])).asnumpy()
    array([1., 2.], dtype=float32)
    """
    return ops.copy(data)


@keeps_shape
@public
def logical_not(data: A, out: A | None = None, name: str | None = None) -> A:
    """1 where a value is 0, 0 elsewhere.

    Parameters
    ----------
    data : NDArray of any shape and dtype
        NaN is not 0.

    Returns
    -------
    NDArray of the same shape and dtype
        Without gradient.

    Raises
    ------
    DTypeError
        If `data` is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.logical_not(nd.array([-1, 0, 2])).asnumpy()
    array([0., 1., 0.], dtype=float32)
    """
    return ops.cast(ops.logical_not(data), dtype=data.form.dtype)


@keeps_shape
@public
def add_n(
    *args: A, num_args: int | None = None, out: A | None = None, name: str | None = None
) -> A:
    """The sum of arrays of equal shape.

    Parameters
    ----------
    *args : NDArray of equal shape
        One or more, or a list of them.

    Returns
    -------
    NDArray of that shape
        Of the dtype that NumPy promotes theirs to.

    Raises
    ------
    ArgumentError
        If there is no array, or the shapes differ.
    DTypeError
        If an argument is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.add_n(nd.array([1, 2]), nd.array([3, 4]), nd.array([5, 6])).asnumpy()
    array([ 9., 12.], dtype=float32)
    """
    arrays = args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
    if not arrays:
        raise ArgumentError("add_n: give at least one NDArray")
    if len({array.shape for array in arrays}) > 1:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise ArgumentError(f"add_n: the shapes {shapes} differ; broadcast_add broadcasts")
    total = arrays[0]
    for array in arrays[1:]:
        total = ops.add(total, array)
    return total if len(arrays) > 1 else ops.copy(total)


ElementWiseSum: Final = alias("ElementWiseSum", add_n)


@keeps_shape
@public
def zeros_like(data: A, out: A | None = None, name: str | None = None) -> A:
    """Zeros of the shape, dtype and device of `data`.

    Parameters
    ----------
    data : NDArray of any shape and dtype

    Returns
    -------
    NDArray of the same shape and dtype
        Without gradient.

    Raises
    ------
    DTypeError
        If `data` is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.zeros_like(nd.array([1, 2])).asnumpy()
    array([0., 0.], dtype=float32)
    """
    return ops.zeros_like(data)


@keeps_shape
@public
def ones_like(data: A, out: A | None = None, name: str | None = None) -> A:
    """Ones of the shape, dtype and device of `data`.

    Parameters
    ----------
    data : NDArray of any shape and dtype

    Returns
    -------
    NDArray of the same shape and dtype
        Without gradient.

    Raises
    ------
    DTypeError
        If `data` is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.ones_like(nd.array([1, 2])).asnumpy()
    array([1., 1.], dtype=float32)
    """
    return ops.ones_like(data)


@keeps_shape
@public
def full_like(data: A, fill_value: float, out: A | None = None, name: str | None = None) -> A:
    """`fill_value` in the shape, dtype and device of `data`.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    fill_value : float

    Returns
    -------
    NDArray of the same shape and dtype
        Without gradient.

    Raises
    ------
    DTypeError
        If `data` is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.full_like(nd.array([1, 2]), 2.5).asnumpy()
    array([2.5, 2.5], dtype=float32)
    """
    return ops.ones_like(data) * fill_value


@keeps_shape
@public
def stop_gradient(data: A, out: A | None = None, name: str | None = None) -> A:
    """Return a copy without gradient.

    The arrays that `data` was computed from get a gradient of zeros, as in MXNet. `NDArray.detach`
    cuts the graph instead, which frees its memory and saves the time of traversing it.

    Parameters
    ----------
    data : NDArray of any shape and dtype

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    DTypeError
        If `data` is not an NDArray.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x = nd.array([3])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = x * nd.stop_gradient(x)
    >>> y.backward()
    >>> x.grad.asnumpy()
    array([3.], dtype=float32)
    """
    return ops.stop_gradient(data)


BlockGrad: Final = alias("BlockGrad", stop_gradient)


@keeps_shape
@public
def cast_storage(data: A, stype: str, out: A | None = None, name: str | None = None) -> A:
    """Return a copy in another storage type; see `NDArray.tostype`.

    Parameters
    ----------
    data : NDArray of any shape, dtype and storage type
    stype : {'default', 'csr', 'row_sparse'}

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `stype` is another one, or the array does not have the two axes of csr.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.cast_storage(nd.array([1, 2]), stype="default").asnumpy().tolist()
    [1.0, 2.0]
    """
    return storage.cast(data, stype)
