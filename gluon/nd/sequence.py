"""`nd`: functions that sort, count up, and work on sequences of different lengths."""

from __future__ import annotations

from typing import Any

from ..engine.errors import ArgumentError
from ..engine.op import RECORDED as F
from ..ndarray import NDArray
from ..ndarray.dtypes import as_dtype
from ._public import choice, public

#: What places may be given as.
PLACE_TYPES = ("uint8", "int32", "int64", "float16", "float32", "float64")


def _as_places(name: str, places: NDArray, dtype: Any) -> NDArray:
    dtype = as_dtype(dtype)
    choice(name, "dtype", dtype.name, PLACE_TYPES)
    return F.cast(places, dtype=dtype)


def _flat(data: NDArray, axis: int | None) -> tuple[NDArray, int]:
    """The data and the axis; all values along one axis for None."""
    return (F.reshape(data, shape=(-1,)), 0) if axis is None else (data, axis)


@public
def sort(data: NDArray, axis: int | None = -1, is_ascend: bool = True) -> NDArray:
    """The values in order along `axis`.

    Parameters
    ----------
    data : NDArray
    axis : int or None, default -1
        None sorts all values, as a vector.
    is_ascend : bool, default True
        The smallest first.

    Returns
    -------
    NDArray
    """
    data, axis = _flat(data, axis)
    return F.take_along(data, F.order(data, axis=axis, is_ascend=bool(is_ascend)), axis=axis)


@public
def argsort(
    data: NDArray, axis: int | None = -1, is_ascend: bool = True, dtype: Any = "float32"
) -> NDArray:
    """The places of the values in order; of equal values the first comes first.

    Parameters
    ----------
    data : NDArray
    axis : int or None, default -1
        None sorts all values, as a vector.
    is_ascend : bool, default True
    dtype : str, default 'float32'

    Returns
    -------
    NDArray of `dtype`
    """
    data, axis = _flat(data, axis)
    places = F.order(data, axis=axis, is_ascend=bool(is_ascend))
    return _as_places("argsort", places, dtype)


@public
def topk(
    data: NDArray,
    axis: int | None = -1,
    k: int = 1,
    ret_typ: str = "indices",
    is_ascend: bool = False,
    dtype: Any = "float32",
) -> Any:
    """The `k` largest values along `axis`, the largest first; of equal values the first first.

    Parameters
    ----------
    data : NDArray
    axis : int or None, default -1
        None chooses among all values, as a vector.
    k : int, default 1
        All for 0.
    ret_typ : {'indices', 'value', 'both', 'mask'}
        What to return: their places, the values, a list of the values and the places, or an
        array of 0 and 1 in the shape of `data`.
    is_ascend : bool, default False
        The smallest instead.
    dtype : str, default 'float32'
        Of the places.

    Returns
    -------
    NDArray, or list of two NDArrays
    """
    choice("topk", "ret_typ", ret_typ, ("value", "indices", "mask", "both"))
    lines, along = _flat(data, axis)
    spec = {"axis": along, "is_ascend": bool(is_ascend), "k": max(k, 0)}
    if ret_typ == "mask":
        return F.reshape(F.order_mask(lines, **spec), shape=data.shape)
    places = F.order(lines, **spec)
    if ret_typ == "indices":
        return _as_places("topk", places, dtype)
    values = F.take_along(lines, places, axis=along)
    return values if ret_typ == "value" else [values, _as_places("topk", places, dtype)]


@public
def cumsum(a: NDArray, axis: int | None = None, dtype: Any = None) -> NDArray:
    """The sums of the values up to each place along `axis`; of all, as a vector, by default.

    Parameters
    ----------
    a : NDArray
    axis : int, optional
    dtype : str, optional
        Of the result; that of `a` by default.

    Returns
    -------
    NDArray
    """
    return F.cumsum(a, axis=axis, dtype=None if dtype is None else as_dtype(dtype))


# ------------------------------------------------------------------------------- by length


def _check_length(name: str, length: NDArray | None, used: bool) -> None:
    if bool(used) != (length is not None):
        raise ArgumentError(
            f"{name}: use_sequence_length={used} and sequence_length"
            f" {'missing' if length is None else 'given'}; pass both or none"
        )


@public
def SequenceMask(
    data: NDArray,
    sequence_length: NDArray | None = None,
    use_sequence_length: bool = False,
    value: float = 0.0,
    axis: int = 0,
) -> NDArray:
    """`value` beyond the length of each sequence.

    Parameters
    ----------
    data : NDArray of shape (steps, batch, ...), or (batch, steps, ...) for ``axis=1``
    sequence_length : NDArray of shape (batch,), optional
        Needs ``use_sequence_length=True``.
    use_sequence_length : bool, default False
    value : float, default 0
    axis : {0, 1}
        The axis of the steps.

    Returns
    -------
    NDArray of the same shape
    """
    _check_length("SequenceMask", sequence_length, use_sequence_length)
    if sequence_length is None:
        return F.copy(data)
    return F.sequence_mask(data, sequence_length, value=value, axis=axis)


@public
def SequenceLast(
    data: NDArray,
    sequence_length: NDArray | None = None,
    use_sequence_length: bool = False,
    axis: int = 0,
) -> NDArray:
    """The last step of each sequence; the parameters are those of `SequenceMask`.

    Returns
    -------
    NDArray of shape (batch, ...)

    Raises
    ------
    ArgumentError
        If a length is below 1 or above the number of steps.
    """
    _check_length("SequenceLast", sequence_length, use_sequence_length)
    if sequence_length is None:
        key = (slice(None),) * axis + (-1,)
        return F.getitem(data, key=key)
    return F.sequence_last(data, sequence_length, axis=axis)


@public
def SequenceReverse(
    data: NDArray,
    sequence_length: NDArray | None = None,
    use_sequence_length: bool = False,
    axis: int = 0,
) -> NDArray:
    """The steps of each sequence in reverse; those beyond its length stay.

    Parameters
    ----------
    data : NDArray of shape (steps, batch, ...)
    sequence_length : NDArray of shape (batch,), optional
        Needs ``use_sequence_length=True``.
    use_sequence_length : bool, default False
    axis : int
        0.

    Returns
    -------
    NDArray of the same shape
    """
    _check_length("SequenceReverse", sequence_length, use_sequence_length)
    choice("SequenceReverse", "axis", axis, (0,))
    if sequence_length is None:
        return F.flip(data, axis=0)
    return F.sequence_reverse(data, sequence_length)
