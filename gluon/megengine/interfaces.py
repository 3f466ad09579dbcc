"""The class `Tensor` by name, and what functions are given, for modules that it is built on.

`gluon.megengine.tensor` defines the class and enters it here, since the functions that become its
methods stand below it. Write ``interfaces.Tensor`` in a function, where the class is known by then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.engine.array import Array, alias
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError
from .._core.refusals import NUMBERS as NUMBERS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .tensor import Tensor as Tensor

#: MegEngine has no 64-bit dtypes.
NARROW = {"float64": np.float32, "int64": np.int32, "uint64": np.int32, "uint32": np.int32}


def as_tensor(value: ArrayLike | Array) -> Tensor:
    """`value` as a `Tensor` proper; an array of another class with its history."""
    if type(value) is Tensor:
        return value
    if isinstance(value, Array):
        same: Any = alias(value, Tensor)
        return same
    return Tensor(value)


def cast(x: Any, dtype: Any) -> Any:
    """Cast `x` to another dtype; return it unchanged if it has that dtype.

    Integers and bool have no history: a cast to them and back rounds, and has no gradient.
    """
    if x.form.dtype == dtype:
        return x
    dtype = as_dtype(dtype)
    return ops.cast(x if dtype.kind in "fV" else x.detach(), dtype=dtype)


def operands(*values: Any, floats: bool = False) -> list[Tensor]:
    """The inputs of one operator in a common dtype: tensors and numbers.

    Parameters
    ----------
    floats : bool, default False
        Whether the operator makes fractions of integers.

    Returns
    -------
    list
        Tensors of one dtype, the first at least; numbers are left for the operator.
    """
    given: list[Any] = [_number(v) if isinstance(v, NUMBERS) else as_tensor(v) for v in values]
    if not any(isinstance(v, Array) for v in given):
        given = [as_tensor(v) for v in given]
    dtype = _common(given, floats)
    met: list[Any] = [cast(v, dtype) if isinstance(v, Array) else v for v in given]
    return met


def tensors(*values: Any, floats: bool = False) -> list[Tensor]:
    """`operands` where numbers are tensors without axes."""
    return operands(*map(as_tensor, values), floats=floats)


def _number(value: Any) -> Any:
    """A number without a dtype of its own: a tensor beside it decides."""
    return value.item() if isinstance(value, np.generic) else value


def _common(given: list[Any], floats: bool) -> np.dtype:
    """Return the dtype that `given` promote to."""
    dtypes = [v.form.dtype for v in given if isinstance(v, Array)]
    dtype = np.result_type(*dtypes)
    if len({*dtypes}) > 1:
        mixed = dtype == np.float16  # beside integers or bool
        dtype = np.dtype(np.float32 if mixed else NARROW.get(dtype.name, dtype))
    if dtype.kind in "fV":
        return dtype
    kinds = {np.asarray(v).dtype.kind for v in given if not isinstance(v, Array)}
    fractions = floats or "f" in kinds or (dtype.kind == "b" and kinds & {*"iu"})
    return np.dtype(np.float32) if fractions else dtype


def as_dtype(dtype: Any) -> np.dtype:
    """Convert `dtype` to a NumPy dtype."""
    try:
        return np.dtype(dtype)
    except TypeError:
        raise DTypeError(f"dtype {dtype!r} is not one of NumPy's, such as 'int32'") from None


def raw_values(data: Any, dtype: Any) -> np.ndarray:
    """Copy `data` to a raw array."""
    try:
        found = np.array(data, None if dtype is None else as_dtype(dtype))
    except (TypeError, ValueError) as error:
        raise DTypeError(f"Tensor: {error}") from None
    if found.dtype.kind not in "biufV" or found.dtype.names:
        raise DTypeError(
            f"Tensor: {data!r} of type {type(data).__name__} holds no numbers; give numbers, nested"
            " lists of them, or an array"
        )
    if dtype is not None or found.dtype.name not in NARROW:
        return found
    narrow = found.astype(NARROW[found.dtype.name])
    if narrow.dtype.kind == "i" and (narrow != found).any():
        raise ArgumentError(
            "Tensor: the values do not fit into int32, MegEngine's integers; give dtype='float32'"
        )
    return narrow
