"""`nd`: casts for mixed precision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._core.arrays.base import A
from .._core.arrays.dtypes import as_dtype
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError
from .._core.faces.kinds import keeps_shape
from ._public import public

#: The dtypes that `amp_cast` and `amp_multicast` cast.
MIXED = ("float16", "bfloat16", "float32")
#: The dtypes to cast to.
TARGETS = (*MIXED, "float64", "int32", "int64", "int8", "uint8")


@keeps_shape
@public
def amp_cast(data: A, dtype: Any, out: A | None = None, name: str | None = None) -> A:
    """Cast arrays of float16, bfloat16 or float32; copy others.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    dtype : {'bfloat16', 'float16', 'float32', 'float64', 'int32', 'int64', 'int8', 'uint8'}

    Returns
    -------
    NDArray of the same shape

    Raises
    ------
    DTypeError
        If the dtype is not one of these.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.amp_cast(nd.array([1, 2]), dtype="float16").dtype
    <class 'numpy.float16'>
    >>> nd.amp_cast(nd.array([1, 2], dtype="int32"), dtype="float16").dtype
    <class 'numpy.int32'>
    """
    wanted = as_dtype(dtype)
    if wanted.name not in TARGETS:
        raise DTypeError(f"amp_cast: dtype {wanted.name} is not one of {', '.join(TARGETS)}")
    return ops.cast(data, dtype=wanted) if data.form.dtype.name in MIXED else ops.copy(data)


@public
def amp_multicast(
    *data: A,
    num_outputs: int | None = None,
    cast_narrow: bool = False,
    num_args: int | None = None,
    out: A | Sequence[A] | None = None,
    name: str | None = None,
) -> A | list[A]:
    """Bring arrays of float16, bfloat16 and float32 to one dtype; copy all others.

    Parameters
    ----------
    *data : NDArray of any shape and dtype
    num_outputs : int, optional
        The number of arrays; checked if given.
    cast_narrow : bool, default False
        Take the dtype with the fewest bits instead of the one with the most.

    Returns
    -------
    list of NDArray of the same shapes
        One for each array; a single array returns an array, not a list.

    Raises
    ------
    ArgumentError
        If there are not `num_outputs` arrays.

    Examples
    --------
    >>> from gluon import nd
    >>> half, single = nd.ones((2,), dtype="float16"), nd.ones((2,))
    >>> [y.dtype.__name__ for y in nd.amp_multicast(half, single)]
    ['float32', 'float32']
    """
    if num_outputs not in (None, len(data)):
        raise ArgumentError(f"num_outputs={num_outputs}, but got {len(data)} arrays")
    dtypes = [x.form.dtype for x in data if x.form.dtype.name in MIXED]
    wanted = (min if cast_narrow else max)(dtypes, key=lambda dtype: dtype.itemsize, default=None)
    found = [amp_cast(x, dtype=wanted) for x in data]
    return found if len(found) > 1 else found[0]
