"""``mxnet.ndarray.ndarray``: helpers for shapes and indices, and the codes of dtypes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ... import nd
from ..._core.arrays.context import current_context
from ..._core.errors import ArgumentError, IndexRangeError, a_type
from ...nd import NDArray
from .bindings import (
    _as_list,  # noqa: F401
    _Null,
)
from .blocks import _regroup  # noqa: F401
from .errors import CheckError, of_other_type

#: The codes of dtypes in MXNet's files and C functions, and the reverse.
_DTYPE_NP_TO_MX = {
    None: -1,
    np.float32: 0,
    np.float64: 1,
    np.float16: 2,
    np.uint8: 3,
    np.int32: 4,
    np.int8: 5,
    np.int64: 6,
    np.bool_: 7,
    np.dtype([("bfloat16", np.uint16)]): 12,
}
_DTYPE_MX_TO_NP = {number: dtype for dtype, number in _DTYPE_NP_TO_MX.items()}
_STORAGE_AUX_TYPES = {"row_sparse": [np.int64], "csr": [np.int64, np.int64]}
_c_str_dltensor = b"dltensor"
_c_str_used_dltensor = b"used_dltensor"


def _storage_type(handle: Any) -> int:
    """Return the code of the storage type, which is always dense."""
    return 0


def _int64_enabled() -> bool:
    """Whether arrays can have more than 2**31 values."""
    return True


def _is_advanced_index(idx: Any) -> bool:
    """Whether the index of one axis makes a copy, as integers next to arrays do."""
    if idx is None or isinstance(idx, slice):
        return False
    if isinstance(idx, (NDArray, np.ndarray, int, np.integer, list, tuple, range)):
        return True
    raise of_other_type("an index", idx, "a number, a slice or an array")


def get_indexing_dispatch_code(key: tuple[Any, ...]) -> int:
    """Return 0 for an index of integers and slices, 1 with arrays, 2 with ``()``."""
    for one in key:
        if isinstance(one, (NDArray, np.ndarray, list, tuple, range)):
            return 2 if isinstance(one, tuple) and not one else 1
        if one is not None and not isinstance(one, (slice, int, np.integer)):
            raise ArgumentError(f"an index is {a_type(one)}; give a number or a slice")
    return 0


def check_boolean_array_dimension(
    array_shape: Sequence[int], axis: int, bool_shape: Sequence[int]
) -> None:
    """Raise IndexError if the shape of a mask differs from the axes it selects from."""
    for at, (length, wanted) in enumerate(zip(bool_shape, array_shape[axis:]), axis):
        if length != wanted:
            raise IndexRangeError(f"the mask has {length} values for the {wanted} on axis {at}")


def indexing_key_expand_implicit_axes(
    key: Any, shape: Sequence[int]
) -> tuple[tuple[Any, ...], int]:
    """Return an index with a slice for each omitted axis, and -1.

    A Boolean without axes adds an axis of length 0 or 1, which takes the place of -1.
    """
    found: list[Any] = []
    ellipsis, added, prepend = None, 0, -1
    for one in key if isinstance(key, tuple) else (key,):
        if one is Ellipsis:
            if ellipsis is not None:
                raise IndexRangeError("an index can have one ellipsis (...) only")
            ellipsis = len(found)
        elif isinstance(one, (bool, np.bool_)):
            prepend = int(one)
        elif isinstance(one, NDArray) and one.dtype == np.bool_:
            check_boolean_array_dimension(shape, len(found) - added, one.shape)
            found.extend(nd.array(where, dtype="int64") for where in np.nonzero(one.asnumpy()))
        else:
            added += one is None
            found.append(one)
    at = len(found) if ellipsis is None else ellipsis
    missing = len(shape) + added - len(found)
    return (*found[:at], *[slice(None)] * missing, *found[at:]), prepend


def _int_to_slice(idx: int) -> slice:
    """Return the slice of the one position `idx`."""
    return slice(idx, idx + 1 or None)


def _shape_for_bcast(
    shape: Sequence[int], target_ndim: int, new_axes: Iterable[int]
) -> tuple[int, ...]:
    """Insert axes of length 1 at `new_axes` and in front."""
    added = {axis % target_ndim for axis in new_axes} if len(shape) < target_ndim else set()
    rest = list(shape)
    found = []
    for axis in reversed(range(target_ndim)):
        found.append(rest.pop() if rest and axis not in added else 1)
    return tuple(reversed(found))


def get_oshape_of_gather_nd_op(dshape: Sequence[int], ishape: Sequence[int]) -> tuple[int, ...]:
    """Return the shape of the result of `gather_nd`."""
    return (*ishape[1:], *dshape[ishape[0] :])


def _get_index_range(
    start: int | None, stop: int | None, length: int, step: int | None = 1
) -> tuple[int, int, int]:
    """Return the start, stop and step of a slice, counted from 0; a stop of -1 includes 0."""
    if step == 0:
        raise ArgumentError("the step of a slice cannot be 0")
    if length < 0:
        raise ArgumentError(f"an axis cannot have the length {length}")
    step = 1 if step is None else step
    if start is None:
        start = 0 if step > 0 else length - 1
    else:
        start = min(max(start + length, 0) if start < 0 else start, length)
    if stop is None:
        stop = length if step > 0 else -1
    else:
        stop = min(max(stop + length, 0) if stop < 0 else stop, length)
    return start, stop, step


def _get_dim_size(start: int, stop: int, step: int) -> int:
    """Return the length of a slice from `_get_index_range`."""
    return len(range(start, stop, step))


def _get_slice_len(slc: slice, seq_length: int) -> int:
    """Return how many positions of an axis a slice selects."""
    return len(range(*slc.indices(seq_length)))


def _get_broadcast_shape(shape1: Sequence[int], shape2: Sequence[int]) -> tuple[int, ...]:
    """Return the shape that two shapes broadcast to."""
    try:
        return np.broadcast_shapes(tuple(shape1), tuple(shape2))
    except ValueError:
        raise ArgumentError(f"the shapes {shape1} and {shape2} do not broadcast to one") from None


def _broadcast_shapes(seq: Iterable[Any]) -> tuple[int, ...]:
    """Return the shape that shapes broadcast to."""
    return np.broadcast_shapes(*[tuple(one.shape) for one in seq])


def _flatten(args: Any, inout_str: str) -> tuple[list, Any]:
    """Flatten nested arrays to a list, and return zeros of the same nesting."""
    if isinstance(args, NDArray):
        return [args], 0
    if not isinstance(args, (list, tuple)):
        raise CheckError(f"{inout_str} is {a_type(args)}; give an array, or lists of arrays")
    parts = [_flatten(one, inout_str) for one in args]
    return [one for flat, _ in parts for one in flat], [form for _, form in parts]


def _flatten_list(nested_list: Iterable[Iterable[Any]]) -> list:
    """Concatenate lists."""
    return [one for inside in nested_list for one in inside]


def _get_rescale_grad(rescale_grad: Any, ctx: Any = None) -> NDArray:
    """Return the factor of gradients as an array."""
    if isinstance(rescale_grad, NDArray):
        return rescale_grad.as_in_context(ctx) if ctx is not None else rescale_grad
    return nd.full((1,), rescale_grad, ctx)


def _ufunc_helper(
    lhs: Any, rhs: Any, fn_array: Any, fn_scalar: Any, lfn_scalar: Any, rfn_scalar: Any = None
) -> Any:
    """Call the one of four functions that fits arrays, numbers, or one of each."""
    numbers = (float, int, np.generic)
    if isinstance(lhs, numbers):
        if isinstance(rhs, numbers):
            return fn_scalar(lhs, rhs)
        return (rfn_scalar or lfn_scalar)(rhs, float(lhs))
    if isinstance(rhs, numbers):
        return lfn_scalar(lhs, float(rhs))
    if isinstance(rhs, NDArray):
        return fn_array(lhs, rhs)
    raise of_other_type("rhs", rhs, "an array or a number")


def _random_helper(
    random: Any,
    sampler: Any,
    params: Sequence,
    shape: Any,
    dtype: Any,
    ctx: Any,
    out: Any,
    kwargs: dict,
) -> NDArray:
    """Draw samples by the function for parameters that are arrays or numbers."""
    kind: Any = NDArray if isinstance(params[0], NDArray) else (float, int, np.generic)
    if not isinstance(params[0], kind):
        raise ArgumentError(f"a parameter is {a_type(params[0])}; give an array or a number")
    for one in params:
        if not isinstance(one, kind):
            raise CheckError(f"a parameter is {a_type(one)}; give arrays, or numbers only")
    if kind is NDArray:
        return sampler(*params, shape=shape, dtype=dtype, out=out, **kwargs)
    if shape is _Null and out is None:
        shape = 1
    return random(
        *params, shape=shape, dtype=dtype, ctx=ctx or current_context(), out=out, **kwargs
    )


def _new_empty_handle() -> None:
    """Return None: gluon has no C library with handles."""
