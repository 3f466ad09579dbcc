"""`nd`: sorting, cumulative sums, and sequences of different lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._core.arrays.base import A
from .._core.arrays.dtypes import as_dtype
from .._core.engine.op import RECORDED as ops
from ._checks import check_choice, check_used
from ._public import public

#: The dtypes allowed for positions.
PLACE_TYPES = ("uint8", "int32", "int64", "float16", "float32", "float64")


def _as_places(name: str, places: A, dtype: Any) -> A:
    dtype = as_dtype(dtype)
    check_choice(name, "dtype", dtype.name, PLACE_TYPES)
    return ops.cast(places, dtype=dtype)


def _flat(data: A, axis: int | None) -> tuple[A, int]:
    """Return the data and the axis; flat data for None."""
    return (ops.reshape(data, shape=(-1,)), 0) if axis is None else (data, axis)


@public
def sort(
    data: A,
    axis: int | None = -1,
    is_ascend: bool = True,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Sort along `axis`.

    Parameters
    ----------
    data : NDArray of any number type and shape
        NaN counts as larger than any number.
    axis : int or None, default -1
        None sorts all values, as a vector.
    is_ascend : bool, default True
        The smallest first.

    Returns
    -------
    NDArray of the same shape and dtype
        Of shape (data.size,) for ``axis=None``. Gradients flow back to the unsorted positions.

    Raises
    ------
    IndexRangeError
        If the axis is out of range for `data`.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[3, 1], [2, 4]])
    >>> nd.sort(x).asnumpy().tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    >>> nd.sort(x, axis=None, is_ascend=False).asnumpy().tolist()
    [4.0, 3.0, 2.0, 1.0]
    """
    data, axis = _flat(data, axis)
    return ops.sort(data, axis=axis, is_ascend=bool(is_ascend))


@public
def argsort(
    data: A,
    axis: int | None = -1,
    is_ascend: bool = True,
    dtype: Any = "float32",
    out: A | None = None,
    name: str | None = None,
) -> A:
    """The indices that sort an array; equal values keep their order.

    Parameters
    ----------
    data : NDArray of any number type and shape
        NaN counts as larger than any number.
    axis : int or None, default -1
        None sorts all values, as a vector.
    is_ascend : bool, default True
        The smallest first.
    dtype : {'float32', 'float64', 'float16', 'int32', 'int64', 'uint8'}
        Of the result.

    Returns
    -------
    NDArray of the same shape, or (data.size,) for ``axis=None``, and dtype `dtype`
        It cannot be differentiated.

    Raises
    ------
    ArgumentError
        If `dtype` is another one.
    IndexRangeError
        If the axis is out of range for `data`.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.argsort(nd.array([[3, 1, 2], [0, 5, 0]])).asnumpy().tolist()
    [[1.0, 2.0, 0.0], [0.0, 2.0, 1.0]]
    """
    data, axis = _flat(data, axis)
    places = ops.order(data, axis=axis, is_ascend=bool(is_ascend))
    return _as_places("argsort", places, dtype)


@public
def topk(
    data: A,
    axis: int | None = -1,
    k: int = 1,
    ret_typ: str = "indices",
    is_ascend: bool = False,
    dtype: Any = "float32",
    out: A | Sequence[A] | None = None,
    name: str | None = None,
) -> A | Any:
    """The `k` largest values along `axis`, in descending order; ties go to the lower index.

    Parameters
    ----------
    data : NDArray of any number type and shape
        NaN counts as larger than any number.
    axis : int or None, default -1
        None chooses among all values, as a vector.
    k : int, default 1
        How many; all for 0 or less.
    ret_typ : {'indices', 'value', 'both', 'mask'}
        What to return: the indices, the values, a list of the values and the indices, or an array
        of 0 and 1 in the shape of `data`.
    is_ascend : bool, default False
        Choose the smallest values instead, in ascending order.
    dtype : {'float32', 'float64', 'float16', 'int32', 'int64', 'uint8'}
        Of the indices.

    Returns
    -------
    NDArray, or list of two NDArrays
        With length `k` along `axis`. Values and the mask have the dtype of `data`, indices
        `dtype`. Only the values have a gradient.

    Raises
    ------
    ArgumentError
        If `k` is more than the length of the axis, or `ret_typ` or `dtype` is another one.
    IndexRangeError
        If the axis is out of range for `data`.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[3, 1, 2], [0, 5, 4]])
    >>> nd.topk(x, k=2).asnumpy().tolist()
    [[0.0, 2.0], [1.0, 2.0]]
    >>> nd.topk(x, k=2, ret_typ="value", is_ascend=True).asnumpy().tolist()
    [[1.0, 2.0], [0.0, 4.0]]
    >>> nd.topk(x, ret_typ="mask").asnumpy().tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    check_choice("topk", "ret_typ", ret_typ, ("value", "indices", "mask", "both"))
    lines, along = _flat(data, axis)
    spec = {"axis": along, "is_ascend": bool(is_ascend), "k": max(k, 0)}
    if ret_typ == "mask":
        return ops.reshape(ops.order_mask(lines, **spec), shape=data.shape)
    places = ops.order(lines, **spec)
    if ret_typ == "indices":
        return _as_places("topk", places, dtype)
    values = ops.take_along(lines, places, axis=along, unique=True)
    return values if ret_typ == "value" else [values, _as_places("topk", places, dtype)]


@public
def cumsum(
    a: A, axis: int | None = None, dtype: Any = None, out: A | None = None, name: str | None = None
) -> A:
    """Cumulative sum along `axis`; of the flattened array by default.

    Parameters
    ----------
    a : NDArray of any shape and dtype
    axis : int, optional
    dtype : str, optional
        Of the result, and of the sums; that of `a` by default, int64 where it is boolean.

    Returns
    -------
    NDArray of the same shape, or (a.size,) without `axis`

    Raises
    ------
    IndexRangeError
        If the axis is out of range for `a`.
    DTypeError
        If arrays cannot have `dtype`.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.cumsum(nd.array([[1, 2], [3, 4]]), axis=1).asnumpy().tolist()
    [[1.0, 3.0], [3.0, 7.0]]
    >>> nd.cumsum(nd.array([[1, 2], [3, 4]])).asnumpy().tolist()
    [1.0, 3.0, 6.0, 10.0]
    """
    return ops.cumsum(a, axis=axis, dtype=None if dtype is None else as_dtype(dtype))


# ------------------------------------------------------------------------------- by length


@public
def SequenceMask(
    data: A,
    sequence_length: A | None = None,
    use_sequence_length: bool = False,
    value: float = 0.0,
    axis: int = 0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Set elements beyond the length of each sequence to `value`.

    Parameters
    ----------
    data : NDArray of shape (steps, batch, ...), or (batch, steps, ...) for ``axis=1``
        Of any dtype.
    sequence_length : NDArray of shape (batch,) and any dtype, optional
        Needs ``use_sequence_length=True``. Without it nothing changes.
    use_sequence_length : bool, default False
    value : float, default 0
    axis : {0, 1}
        The axis of the steps.

    Returns
    -------
    NDArray of the same shape and dtype
        The gradient of masked elements is 0.

    Raises
    ------
    ArgumentError
        If only one of `sequence_length` and `use_sequence_length` is given, `sequence_length` has
        another shape, or `axis` is neither 0 nor 1.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[1, 2], [3, 4], [5, 6]])
    >>> nd.SequenceMask(x, nd.array([1, 2]), use_sequence_length=True, value=-1).asnumpy().tolist()
    [[1.0, 2.0], [-1.0, 4.0], [-1.0, -1.0]]
    """
    check_used("SequenceMask", "sequence_length", sequence_length, use_sequence_length)
    if sequence_length is None:
        return ops.copy(data)
    return ops.sequence_mask(data, sequence_length, value=value, axis=axis)


@public
def SequenceLast(
    data: A,
    sequence_length: A | None = None,
    use_sequence_length: bool = False,
    axis: int = 0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Return the last step of each sequence.

    Parameters
    ----------
    data : NDArray of shape (steps, batch, ...), or (batch, steps, ...) for ``axis=1``
        Of any dtype.
    sequence_length : NDArray of shape (batch,) and any dtype, optional
        Needs ``use_sequence_length=True``. Without it all sequences have all steps.
    use_sequence_length : bool, default False
    axis : {0, 1}
        The axis of the steps.

    Returns
    -------
    NDArray of shape (batch, ...) and the dtype of `data`

    Raises
    ------
    ArgumentError
        If a length is below 1 or above the number of steps; and as for `SequenceMask`.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[1, 2], [3, 4], [5, 6]])
    >>> nd.SequenceLast(x, nd.array([1, 2]), use_sequence_length=True).asnumpy().tolist()
    [1.0, 4.0]
    """
    check_used("SequenceLast", "sequence_length", sequence_length, use_sequence_length)
    if sequence_length is None:
        key = (slice(None),) * axis + (-1,)
        return ops.getitem(data, key=key)
    return ops.sequence_last(data, sequence_length, axis=axis)


@public
def SequenceReverse(
    data: A,
    sequence_length: A | None = None,
    use_sequence_length: bool = False,
    axis: int = 0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Reverse the steps of each sequence; steps beyond its length keep their positions.

    Parameters
    ----------
    data : NDArray of shape (steps, batch, ...) and any dtype
    sequence_length : NDArray of shape (batch,) and any dtype, optional
        Needs ``use_sequence_length=True``. Without it all sequences have all steps.
    use_sequence_length : bool, default False
    axis : {0}
        The axis of the steps.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If a length is below 0 or above the number of steps, or `axis` is not 0; and as for
        `SequenceMask`.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[1, 2], [3, 4], [5, 6]])
    >>> nd.SequenceReverse(x, nd.array([3, 2]), use_sequence_length=True).asnumpy().tolist()
    [[5.0, 4.0], [3.0, 2.0], [1.0, 6.0]]
    """
    check_used("SequenceReverse", "sequence_length", sequence_length, use_sequence_length)
    check_choice("SequenceReverse", "axis", axis, (0,))
    if sequence_length is None:
        return ops.flip(data, axis=0)
    return ops.sequence_reverse(data, sequence_length)
