"""The methods of `NDArray` that differ from the functions of `nd`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from .._core.arrays.base import DeviceArray
from .._core.engine.array import Array
from .._core.engine.call import NUMBERS
from .._core.errors import DTypeError
from .._core.hints.lookup import hinted
from . import shape
from .join import slices

if TYPE_CHECKING:
    from ._array import NDArray

Places = Sequence[int | None]


def slice_assign(self: NDArray, rhs: Any, begin: Places, end: Places, step: Places = ()) -> NDArray:
    """Write `rhs` into ``self[b0:e0:s0, b1:e1:s1, …]``; see `nd.slice`.

    Parameters
    ----------
    rhs : NDArray of any dtype, or number
        The values; they broadcast to the shape of the slice.
    begin, end : sequence of int or None
        Where the slice of each axis begins and ends; the remaining axes are taken whole.
    step : sequence of int or None, optional
        Steps, 1 by default.

    Returns
    -------
    NDArray of the same shape and dtype
        The array itself.

    Raises
    ------
    ArgumentError
        If the shapes do not fit, or `begin`, `end` and `step` do not fit the array.
    DTypeError
        If `begin`, `end` or `step` is not of integers, or `rhs` is neither an array nor a number.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.zeros((2, 3))
    >>> x.slice_assign(nd.array([1, 2]), begin=(0, 1), end=(1, 3)).asnumpy().tolist()
    [[0.0, 1.0, 2.0], [0.0, 0.0, 0.0]]
    """
    return _assign("slice_assign", self, rhs, begin, end, step)


def slice_assign_scalar(
    self: NDArray, value: float, begin: Places, end: Places, step: Places = ()
) -> NDArray:
    """Write a number into ``self[b0:e0:s0, b1:e1:s1, …]``; see `nd.slice`.

    Parameters
    ----------
    value : float
    begin, end : sequence of int or None
        Where the slice of each axis begins and ends; the remaining axes are taken whole.
    step : sequence of int or None, optional
        Steps, 1 by default.

    Returns
    -------
    NDArray of the same shape and dtype
        The array itself.

    Raises
    ------
    ArgumentError
        If `begin`, `end` and `step` do not fit the array.
    DTypeError
        If `begin`, `end` or `step` is not of integers, or `value` is not a number.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.zeros(3).slice_assign_scalar(7, begin=(0,), end=(3,), step=(2,)).asnumpy().tolist()
    [7.0, 0.0, 7.0]
    """
    return _assign("slice_assign_scalar", self, value, begin, end, step)


def _assign(name: str, array: NDArray, rhs: Any, begin: Any, end: Any, step: Any) -> NDArray:
    if not isinstance(rhs, (Array, *NUMBERS)):
        raise DTypeError(f"{name}: give an NDArray or a number to write, not {type(rhs).__name__}")
    array[slices(name, array.shape, begin, end, step)] = rhs
    return array


def to_dlpack_for_read(data: NDArray) -> Any:
    """The memory of an array, as a DLPack capsule.

    Parameters
    ----------
    data : NDArray of any shape and dtype

    Returns
    -------
    DLPack capsule
        It can be used only once.

    Raises
    ------
    DTypeError
        If `data` is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.from_dlpack(nd.to_dlpack_for_read(nd.array([1, 2]))).asnumpy().tolist()
    [1.0, 2.0]
    """
    if not isinstance(data, DeviceArray):
        raise DTypeError(f"to_dlpack_for_read: data is {type(data).__name__}; pass an NDArray")
    return data.__dlpack__()


to_dlpack_for_write: Final = to_dlpack_for_read


@hinted
def expand_dims(self: NDArray, axis: int, inplace: bool = False) -> NDArray:
    """Insert a new axis of length 1.

    Parameters
    ----------
    axis : int
        Where it is in the result; negative ones count from the last.
    inplace : bool, default False
        Share the memory of the array.

    Returns
    -------
    NDArray of the same dtype
        Its shape is that of the array with a 1 at `axis`.

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.zeros((2, 3)).expand_dims(1).shape
    (2, 1, 3)
    """
    found = shape.expand_dims(self, axis)
    return self.reshape(found.shape) if inplace else found


@hinted
def flatten(self: NDArray, inplace: bool = False) -> NDArray:
    """Flatten all axes except the first.

    Parameters
    ----------
    inplace : bool, default False
        Share the memory of the array.

    Returns
    -------
    NDArray of the same dtype and shape (first length, all others)

    Examples
    --------
    >>> from gluon import nd
    >>> nd.zeros((2, 3, 4)).flatten().shape
    (2, 12)
    """
    found = shape.flatten(self)
    return self.reshape(found.shape) if inplace else found


@hinted
def squeeze(self: NDArray, axis: Any = None, inplace: bool = False) -> NDArray:
    """Remove axes of length 1; see `nd.squeeze`.

    Parameters
    ----------
    axis : int or tuple of int, optional
        Which axes; all of length 1 by default.
    inplace : bool, default False
        Share the memory of the array.

    Returns
    -------
    NDArray of the same dtype
        Its shape is that of the array without these axes.

    Raises
    ------
    ArgumentError
        If an axis is longer than 1.
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.zeros((1, 3, 1)).squeeze(0).shape
    (3, 1)
    """
    found = shape.squeeze(self, axis)
    return self.reshape(found.shape) if inplace else found


def broadcast_like(self: NDArray, other: NDArray) -> NDArray:
    """Broadcast the array to the shape of `other`.

    Parameters
    ----------
    other : NDArray of any dtype
        Only its shape is used.

    Returns
    -------
    NDArray of the shape of `other`

    Raises
    ------
    ArgumentError
        If the array does not broadcast to that shape.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.array([1, 2]).broadcast_like(nd.zeros((2, 2))).asnumpy().tolist()
    [[1.0, 2.0], [1.0, 2.0]]
    """
    return shape.broadcast_like(self, other)
