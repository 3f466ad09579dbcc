"""`nd`: elementwise functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.array import Array
from ..engine.call import NUMBERS
from ..engine.errors import CAUSES, ArgumentError, DTypeError, GluonError, named, translated
from ..engine.op import RECORDED as F
from ..engine.op import TABLE
from ..ndarray.dtypes import as_dtype
from ._array import NDArray
from ._numbers import of_numbers
from ._public import alias, documented, public, shown, table, unary, write
from .operators import compare, divide

F32 = np.dtype(np.float32)
#: name | an argument | the result, to four places
UNARY = table("""
abs        | [-1.5, 0, 2]     | [1.5, 0. , 2. ]
arccos     | [1, 0, -1]       | [0.    , 1.5708, 3.1416]
arccosh    | [1, 3]           | [0.    , 1.7627]
arcsin     | [-1, 0, 1]       | [-1.5708,  0.    ,  1.5708]
arcsinh    | [0, 1]           | [0.    , 0.8814]
arctan     | [-1, 0, 1]       | [-0.7854,  0.    ,  0.7854]
arctanh    | [0, 0.5]         | [0.    , 0.5493]
cbrt       | [-8, 0, 27]      | [-2.,  0.,  3.]
ceil       | [-1.5, 0.2, 2]   | [-1.,  1.,  2.]
cos        | [0, 1]           | [1.    , 0.5403]
cosh       | [0, 1]           | [1.    , 1.5431]
degrees    | [0, 1]           | [ 0.    , 57.2958]
exp        | [0, 1]           | [1.    , 2.7183]
expm1      | [0, 0.1]         | [0.    , 0.1052]
fix        | [-1.5, 0.5, 1.5] | [-1.,  0.,  1.]
floor      | [-1.5, 0.2, 2]   | [-2.,  0.,  2.]
log        | [1, 10]          | [0.    , 2.3026]
log10      | [1, 1000]        | [0., 3.]
log1p      | [0, 0.1]         | [0.    , 0.0953]
log2       | [1, 8]           | [0., 3.]
negative   | [-1.5, 2]        | [ 1.5, -2. ]
radians    | [0, 180]         | [0.    , 3.1416]
rcbrt      | [1, 8]           | [1. , 0.5]
reciprocal | [1, 4, -2]       | [ 1.  ,  0.25, -0.5 ]
relu       | [-1.5, 0, 2]     | [0., 0., 2.]
rint       | [-1.5, 0.5, 1.6] | [-2.,  0.,  2.]
round      | [-1.5, 0.5, 1.4] | [-2.,  1.,  1.]
rsqrt      | [1, 4]           | [1. , 0.5]
sigmoid    | [-1, 0, 1]       | [0.2689, 0.5   , 0.7311]
sign       | [-1.5, 0, 2]     | [-1.,  0.,  1.]
sin        | [0, 1]           | [0.    , 0.8415]
sinh       | [0, 1]           | [0.    , 1.1752]
softsign   | [-1, 0, 3]       | [-0.5 ,  0.  ,  0.75]
sqrt       | [0, 4, 9]        | [0., 2., 3.]
square     | [-3, 0.5]        | [9.  , 0.25]
tan        | [0, 1]           | [0.    , 1.5574]
tanh       | [-1, 0, 1]       | [-0.7616,  0.    ,  0.7616]
trunc      | [-1.5, 0.5, 1.5] | [-1.,  0.,  1.]
""")

globals().update(
    {name: unary(getattr(F, name), TABLE[name].doc, *example) for name, example in UNARY.items()}
)

# ------------------------------------------------------------------------- of two operands


def hypot(x1: Any, x2: Any) -> Any:
    """The hypotenuse; of integers, an integer, as in MXNet."""
    array = x1 if isinstance(x1, Array) else x2
    if array._raw.dtype.kind == "b":
        raise DTypeError("hypot: booleans have none; cast them to numbers first")
    return F.cast(F.hypot(x1, x2), dtype=array._raw.dtype)


def _array_first(op: Callable) -> Callable:
    """A commutative `op` whose gradient goes, at a tie with a number, to the array."""
    return lambda x1, x2: op(x1, x2) if isinstance(x1, Array) else op(x2, x1)


#: operator | what it computes | its public names | its result of [3, 2, 0] and [2]
BINARY = table("""
add | lhs + rhs | add broadcast_add broadcast_plus | [5., 4., 2.]
subtract | lhs - rhs | subtract broadcast_sub broadcast_minus | [ 1.,  0., -2.]
multiply | lhs * rhs | multiply broadcast_mul | [6., 4., 0.]
divide | lhs / rhs; of integers, an integer | divide true_divide broadcast_div | [1.5, 1. , 0. ]
mod | The remainder of lhs / rhs, with the sign of rhs | modulo broadcast_mod | [1., 0., 0.]
power | lhs ** rhs | power broadcast_power pow | [9., 4., 0.]
maximum | The larger; at a tie lhs has the gradient | maximum broadcast_maximum | [3., 2., 2.]
minimum | The smaller; at a tie lhs has the gradient | minimum broadcast_minimum | [2., 2., 0.]
hypot | sqrt(lhs**2 + rhs**2) | hypot broadcast_hypot | [3.6056, 2.8284, 2.    ]
equal | 1 where lhs == rhs, else 0 | equal broadcast_equal | [0., 1., 0.]
not_equal | 1 where lhs != rhs, else 0 | not_equal broadcast_not_equal | [1., 0., 1.]
greater | 1 where lhs > rhs, else 0 | greater broadcast_greater | [1., 0., 0.]
greater_equal | 1 where lhs >= rhs, else 0 | greater_equal broadcast_greater_equal | [1., 1., 0.]
less | 1 where lhs < rhs, else 0 | lesser broadcast_lesser | [0., 0., 1.]
less_equal | 1 where lhs <= rhs, else 0 | lesser_equal broadcast_lesser_equal | [0., 1., 1.]
logical_and | 1 where neither is 0, else 0 | logical_and broadcast_logical_and | [1., 1., 0.]
logical_or | 1 where one is not 0, else 0 | logical_or broadcast_logical_or | [1., 1., 1.]
logical_xor | 1 where just one is 0, else 0 | logical_xor broadcast_logical_xor | [0., 0., 1.]
""")
#: What is not just the operator of that name.
OWN = {
    "divide": divide,
    "hypot": hypot,
    "maximum": _array_first(F.maximum),
    "minimum": _array_first(F.minimum),
}
OPERANDS = """lhs, rhs : NDArray or number
        They broadcast: axes are matched from the last, and those of length 1, or missing, are
        stretched. Two numbers give a number; `pow`, `hypot` and ``broadcast_`` functions take one
        at most."""
PROMOTED = """NDArray of the broadcast shape
        Beside a number in the dtype of the array, which the number takes too: beside integers its
        fraction is dropped. Two arrays give the dtype that NumPy promotes theirs to."""
COMPARED = """NDArray of the broadcast shape
        1 and 0, in the dtype of the first array."""
MISMATCH = """ArgumentError
        If the shapes do not broadcast.
    DTypeError
        If one is neither an NDArray nor a number, or both are where that is not allowed."""

SAME = """NDArray of that shape
        In the dtype that NumPy promotes theirs to."""
DIFFERENT = """ArgumentError
        If the shapes differ.
    DTypeError
        If one is no NDArray."""


def _binary(op: Callable, name: str, doc: str, result: str) -> Callable:
    def call(lhs: Any, rhs: Any, out: NDArray | None = None, name: str | None = None) -> Any:
        if not isinstance(lhs, Array) and not isinstance(rhs, Array):
            return of_numbers(call.__name__, lhs, rhs)
        try:
            y = op(lhs, rhs)
        except GluonError as error:
            named(error, call.__name__)
            raise
        except CAUSES as error:
            raise translated(error, f"{call.__name__}: {error}") from error
        return y if out is None else write(out, y, call.__name__)

    returns = COMPARED if doc.startswith("1 where") else PROMOTED
    code = f"nd.{name}(nd.array([3, 2, 0]), nd.array([2]))"
    return documented(call, name, doc, OPERANDS, returns, MISMATCH, shown(code, result))


def _same_shape(op: Callable, name: str, doc: str, result: str) -> Callable:
    def call(
        lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None
    ) -> NDArray:
        if not (isinstance(lhs, Array) and isinstance(rhs, Array)):
            kinds = " and ".join(type(x).__name__ for x in (lhs, rhs))
            raise DTypeError(f"{call.__name__}: takes two NDArrays, not {kinds}; use {other}")
        if lhs._raw.shape != rhs._raw.shape:
            raise ArgumentError(
                f"{call.__name__}: shapes {lhs.shape} and {rhs.shape} differ; use {other}, which"
                " broadcasts"
            )
        y = op(lhs, rhs)
        return y if out is None else write(out, y, call.__name__)

    other = name.replace("elemwise", "broadcast")
    inputs = f"lhs, rhs : NDArray of equal shape\n        For other shapes see `{other}`."
    code = f"nd.{name}(nd.array([3, 2, 0]), nd.array([2, 2, 2]))"
    return documented(call, name, doc, inputs, SAME, DIFFERENT, shown(code, result))


for _name, (_doc, _names, _result) in BINARY.items():
    _compares = not TABLE[_name].differentiable
    _op = OWN.get(_name) or getattr(F, _name)
    _op = compare(_op) if _compares else _op
    globals().update({name: _binary(_op, name, _doc, _result) for name in _names.split()})
    if _name in ("add", "subtract", "multiply", "divide"):
        _alike = "elemwise_" + _name[:3]
        globals()[_alike] = _same_shape(_op, _alike, _doc, _result)

_to_the_power = globals()["power"]


def _power(base: Any, exp: Any, out: NDArray | None = None, name: str | None = None) -> Any:
    return _to_the_power(base, exp, out)


power = documented(
    _power,
    "power",
    "base ** exp",
    OPERANDS.replace("lhs, rhs", "base, exp"),
    PROMOTED,
    MISMATCH,
    shown("nd.power(nd.array([3, 2, 0]), 2)", BINARY["power"][2]),
)


@public
def clip(data: NDArray, a_min: float, a_max: float) -> NDArray:
    """Limit the values to ``[a_min, a_max]``; the gradient passes where they lie within.

    Parameters
    ----------
    data : NDArray of numbers, of any shape
    a_min, a_max : float
        Beside integers without their fraction.

    Returns
    -------
    NDArray of the same shape and dtype
        NaN stays.

    Raises
    ------
    ArgumentError
        If `a_min` is above `a_max`, or one is NaN.
    DTypeError
        If `data` is no NDArray, or boolean.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.clip(nd.array([-3, 0.5, 7]), -1, 1).asnumpy()
    array([-1. ,  0.5,  1. ], dtype=float32)
    """
    return F.clip(data, a_min=a_min, a_max=a_max)


@public
def where(condition: NDArray, x: Any, y: Any) -> NDArray:
    """`x` where the condition is not 0, `y` elsewhere.

    Parameters
    ----------
    condition : NDArray
        Of the shape of `x`, or of shape (n,) to choose among the n rows of `x` and `y`.
    x, y : NDArray of equal shape, or numbers
        A number takes the dtype of the array beside it; two numbers give float32.

    Returns
    -------
    NDArray of the shape of `x`

    Raises
    ------
    ArgumentError
        If the shapes do not fit.
    DTypeError
        If `condition` is no NDArray, or a value neither that nor a number.

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
    chosen = F.not_equal(condition, 0)
    if isinstance(x, NUMBERS) and isinstance(y, NUMBERS):
        x = F.multiply(F.cast(F.ones_like(condition), dtype=F32), x)
    x, y = _beside(x, y), _beside(y, x)
    shapes = [value.shape for value in (x, y) if isinstance(value, Array)]
    shape = shapes[0]
    if condition.ndim == 1 and len(shape) > 1:
        chosen = F.reshape(chosen, shape=(-1,) + (1,) * (len(shape) - 1))
    if shapes[-1] != shape or condition.shape not in (shape, shape[:1]):
        raise ArgumentError(
            f"where: condition {condition.shape} and values of {shapes} differ in shape; use"
            " broadcast_to, or a condition of one axis to choose rows"
        )
    return F.where(chosen, x, y)


def _beside(value: Any, other: Any) -> Any:
    """`value`, in the dtype of the array `other` where it is a number."""
    if isinstance(value, Array):
        return value
    if not isinstance(value, NUMBERS) or not isinstance(other, Array):
        raise DTypeError(f"where: {type(value).__name__} is neither an NDArray nor a number")
    return other._number(value)


@public
def cast(data: NDArray, dtype: Any) -> NDArray:
    """The values as another dtype; gradients are cast back.

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
        If `data` is no NDArray, or `dtype` is none of those.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.cast(nd.array([-1.5, 0, 2.7]), dtype="int32").asnumpy()
    array([-1,  0,  2], dtype=int32)
    """
    return F.cast(data, dtype=as_dtype(dtype))


Cast = alias("Cast", cast)


@public
def identity(data: NDArray) -> NDArray:
    """A copy; the gradient passes.

    Parameters
    ----------
    data : NDArray of any shape and dtype

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    DTypeError
        If `data` is no NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.identity(nd.array([1, 2])).asnumpy()
    array([1., 2.], dtype=float32)
    """
    return F.copy(data)


@public
def logical_not(data: NDArray) -> NDArray:
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
        If `data` is no NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.logical_not(nd.array([-1, 0, 2])).asnumpy()
    array([0., 1., 0.], dtype=float32)
    """
    return F.cast(F.logical_not(data), dtype=data._raw.dtype)


@public
def add_n(*args: NDArray) -> NDArray:
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
        If an argument is no NDArray.

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
        total = F.add(total, array)
    return total if len(arrays) > 1 else F.copy(total)


ElementWiseSum = alias("ElementWiseSum", add_n)


@public
def zeros_like(data: NDArray) -> NDArray:
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
        If `data` is no NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.zeros_like(nd.array([1, 2])).asnumpy()
    array([0., 0.], dtype=float32)
    """
    return F.zeros_like(data)


@public
def ones_like(data: NDArray) -> NDArray:
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
        If `data` is no NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.ones_like(nd.array([1, 2])).asnumpy()
    array([1., 1.], dtype=float32)
    """
    return F.ones_like(data)


@public
def full_like(data: NDArray, fill_value: float) -> NDArray:
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
        If `data` is no NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.full_like(nd.array([1, 2]), 2.5).asnumpy()
    array([2.5, 2.5], dtype=float32)
    """
    return F.ones_like(data) * fill_value


@public
def stop_gradient(data: NDArray) -> NDArray:
    """A copy whose gradient is zero.

    What `data` was computed from gets a gradient of zeros, as in MXNet. `NDArray.detach` cuts
    the graph instead, which frees its memory and saves the time of walking it.

    Parameters
    ----------
    data : NDArray of any shape and dtype

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    DTypeError
        If `data` is no NDArray.

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
    return F.stop_gradient(data)


BlockGrad = alias("BlockGrad", stop_gradient)


@public
def cast_storage(data: NDArray, stype: str) -> NDArray:
    """A copy in dense storage, the one there is.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    stype : {'default'}

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `stype` is another one.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.cast_storage(nd.array([1, 2]), stype="default").asnumpy().tolist()
    [1.0, 2.0]
    """
    return data.tostype(stype)
