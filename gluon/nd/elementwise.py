"""`nd`: elementwise functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.array import Array
from ..engine.op import RECORDED as F
from ..engine.op import TABLE
from ..ndarray import NDArray
from ..ndarray.operators import compare, divide
from ._numbers import of_numbers
from ._public import documented, public, unary, write

UNARY = """abs arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil cos cosh degrees exp expm1
fix floor log log10 log1p log2 negative radians rcbrt reciprocal relu rint round rsqrt
sigmoid sign sin sinh softsign sqrt square tan tanh trunc""".split()

globals().update({name: unary(getattr(F, name), TABLE[name].doc) for name in UNARY})


def hypot(x1: Any, x2: Any) -> Any:
    """The hypotenuse; of integers, an integer, as in MXNet."""
    array = x1 if isinstance(x1, Array) else x2
    return F.cast(F.hypot(x1, x2), dtype=array._raw.dtype)


#: operator -> its public names; each broadcasts, as does its ``elemwise_`` form here.
BINARY: dict[Callable, str] = {
    F.add: "add broadcast_add broadcast_plus elemwise_add",
    F.subtract: "subtract broadcast_sub broadcast_minus elemwise_sub",
    F.multiply: "multiply broadcast_mul elemwise_mul",
    divide: "divide true_divide broadcast_div elemwise_div",
    F.mod: "modulo broadcast_mod",
    F.power: "power broadcast_power pow",
    F.maximum: "maximum broadcast_maximum",
    F.minimum: "minimum broadcast_minimum",
    hypot: "hypot broadcast_hypot",
    compare(F.equal): "equal broadcast_equal",
    compare(F.not_equal): "not_equal broadcast_not_equal",
    compare(F.greater): "greater broadcast_greater",
    compare(F.greater_equal): "greater_equal broadcast_greater_equal",
    compare(F.less): "lesser broadcast_lesser",
    compare(F.less_equal): "lesser_equal broadcast_lesser_equal",
    compare(F.logical_and): "logical_and broadcast_logical_and",
    compare(F.logical_or): "logical_or broadcast_logical_or",
    compare(F.logical_xor): "logical_xor broadcast_logical_xor",
}


def _binary(op: Callable, name: str) -> Callable:
    def call(lhs: Any, rhs: Any, out: NDArray | None = None, name: str | None = None) -> Any:
        if not isinstance(lhs, Array) and not isinstance(rhs, Array):
            return of_numbers(call.__name__, lhs, rhs)
        result = op(lhs, rhs)
        return result if out is None else write(out, result, call.__name__)

    doc = TABLE[name].doc if name in TABLE else "Elementwise; operands are broadcast"
    inputs = "lhs, rhs : NDArray or number\n        At least one NDArray; broadcast together."
    return documented(call, name, doc, inputs, "NDArray of the broadcast shape")


for _op, _names in BINARY.items():
    globals().update({name: _binary(_op, name) for name in _names.split()})


@public
def clip(data: NDArray, a_min: float, a_max: float) -> NDArray:
    """Limit the values to ``[a_min, a_max]``.

    Parameters
    ----------
    data : NDArray
    a_min, a_max : float

    Returns
    -------
    NDArray of the same shape and dtype
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

    Returns
    -------
    NDArray
    """
    chosen = F.not_equal(condition, 0)
    ndim = getattr(x, "ndim", 0)
    if condition.ndim == 1 and ndim > 1:
        chosen = F.reshape(chosen, shape=(-1,) + (1,) * (ndim - 1))
    return F.where(chosen, x, y)


@public
def cast(data: NDArray, dtype: Any) -> NDArray:
    """The values as another dtype; see `NDArray.astype`."""
    return data.astype(dtype)


Cast = cast


@public
def identity(data: NDArray) -> NDArray:
    """A copy."""
    return F.copy(data)


@public
def logical_not(data: NDArray) -> NDArray:
    """1 where a value is 0, 0 elsewhere, in the dtype of `data`."""
    return F.cast(F.logical_not(data), dtype=data._raw.dtype)


@public
def add_n(*args: NDArray) -> NDArray:
    """The sum of arrays of equal shape."""
    arrays = args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
    total = arrays[0]
    for array in arrays[1:]:
        total = F.add(total, array)
    return total if len(arrays) > 1 else F.copy(total)


ElementWiseSum = add_n


@public
def zeros_like(data: NDArray) -> NDArray:
    """Zeros of the shape, dtype and device of `data`."""
    return F.zeros_like(data)


@public
def ones_like(data: NDArray) -> NDArray:
    """Ones of the shape, dtype and device of `data`."""
    return F.ones_like(data)


@public
def full_like(data: NDArray, fill_value: float) -> NDArray:
    """`fill_value` in the shape, dtype and device of `data`."""
    return F.ones_like(data) * fill_value


@public
def stop_gradient(data: NDArray) -> NDArray:
    """The values, through which no gradient passes."""
    return data.detach().copy()


BlockGrad = stop_gradient


@public
def cast_storage(data: NDArray, stype: str) -> NDArray:
    """A copy in dense storage, the one there is.

    Parameters
    ----------
    data : NDArray
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


_power = globals()["power"]


def _base_and_exponent(
    base: Any, exp: Any, out: NDArray | None = None, name: str | None = None
) -> Any:
    return _power(base, exp, out, name)


power = documented(
    _base_and_exponent,
    "power",
    TABLE["power"].doc,
    "base, exp : NDArray or number\n        Broadcast together.",
    "NDArray of the broadcast shape, or a number where both are",
)
