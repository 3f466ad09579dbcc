"""Collective operations on arrays, differentiable, and on Python objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TypeVar

import numpy as np

from .._core.arrays.rebind import is_recorded
from .._core.engine.array import Array
from .._core.engine.inplace import writable
from .._core.engine.op import RECORDED as ops
from .._core.errors import CAUSES, ArgumentError, DTypeError, a_type
from .._core.faces.errors import about
from .._core.kernels import collective as kernels
from .._core.kernels.memory import on_host
from .group import Members, ranks_of

A = TypeVar("A", bound=Array)
Reduction = Literal["sum", "mean", "max", "min", "product"]


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Start the errors of kernels with the name of the function that the user called."""
    try:
        yield
    except CAUSES as error:
        raise about(error, name) from None


def _check(name: str, x: Any) -> None:
    if not isinstance(x, Array):
        raise DTypeError(f"{name}: x is {a_type(x)}; give an array of gluon, such as nd.array(...)")


def allreduce(x: A, op: Reduction = "sum", group: Members = None) -> A:
    """Reduce the arrays of all ranks, by default to their sum, and return it on every rank.

    Its gradient, of any order, is an allreduce too. It is the gradient of the sum of the losses of
    all ranks, so all ranks must call ``backward``.

    Parameters
    ----------
    x : NDArray of any shape and dtype
        The same shape and dtype on all ranks. float16 and bfloat16 are summed in float32.
    op : {'sum', 'mean', 'max', 'min', 'product'}, default 'sum'
    group : Group or sequence of int, optional
        The processes of the operation; all by default.

    Returns
    -------
    NDArray of the shape and dtype of `x`

    Raises
    ------
    DistributedError
        If the ranks make different calls, or a rank has ended.
    ArgumentError
        If `op` is unknown, or this process is not a member of the group.

    Examples
    --------
    >>> from gluon import distributed, nd
    >>> distributed.allreduce(nd.array([1.0, 2.0])).asnumpy()  # one process
    array([1., 2.], dtype=float32)
    """
    _check("allreduce", x)
    return ops.allreduce(x, reduction=op, ranks=ranks_of(group))


def reduce(x: A, root: int = 0, group: Members = None) -> A:
    """Return the sum of the arrays of all ranks on one rank, and zeros on the others.

    Parameters
    ----------
    x : NDArray of any shape and dtype
        The same shape and dtype on all ranks.
    root : int, default 0
        The rank in the group that gets the sum.
    group : Group or sequence of int, optional

    Returns
    -------
    NDArray of the shape and dtype of `x`
        If one rank differentiates it, all must.

    Raises
    ------
    DistributedError
        If the ranks make different calls, or a rank has ended.
    IndexRangeError
        If the group has no rank `root`.

    Examples
    --------
    >>> from gluon import distributed, nd
    >>> distributed.reduce(nd.array([1.0, 2.0])).asnumpy()
    array([1., 2.], dtype=float32)
    """
    _check("reduce", x)
    return ops.reduce_to(x, root=root, ranks=ranks_of(group))


def broadcast(x: A, root: int = 0, group: Members = None) -> A:
    """Return the array of one rank on every rank.

    Parameters
    ----------
    x : NDArray of any shape and dtype
        The same shape and dtype on all ranks; only the values of the root are used.
    root : int, default 0
        The rank in the group that sends its array.
    group : Group or sequence of int, optional

    Returns
    -------
    NDArray of the shape and dtype of `x`

    Raises
    ------
    DistributedError
        If the ranks make different calls, or a rank has ended.
    IndexRangeError
        If the group has no rank `root`.

    Examples
    --------
    >>> from gluon import distributed, nd
    >>> distributed.broadcast(nd.array([1.0, 2.0])).asnumpy()
    array([1., 2.], dtype=float32)
    """
    _check("broadcast", x)
    return ops.broadcast_from(x, root=root, ranks=ranks_of(group))


def allgather(x: A, group: Members = None) -> A:
    """Concatenate the arrays of all ranks along their first axis, on every rank.

    Parameters
    ----------
    x : NDArray of shape (n, ...) and any dtype
        n may differ from rank to rank.
    group : Group or sequence of int, optional

    Returns
    -------
    NDArray of shape (sum of n, ...)

    Raises
    ------
    DistributedError
        If the ranks make different calls, or a rank has ended.
    ArgumentError
        If `x` has no axis.

    Examples
    --------
    >>> from gluon import distributed, nd
    >>> distributed.allgather(nd.array([1.0, 2.0])).asnumpy()
    array([1., 2.], dtype=float32)
    """
    _check("allgather", x)
    return ops.allgather(x, ranks=ranks_of(group))


def reduce_scatter(x: A, group: Members = None) -> A:
    """Sum the arrays of all ranks, split the sum along the first axis, and return a part per rank.

    Parameters
    ----------
    x : NDArray of shape (n, ...) and any dtype
        n must be a multiple of the size of the group.
    group : Group or sequence of int, optional

    Returns
    -------
    NDArray of shape (n / size, ...)

    Raises
    ------
    DistributedError
        If the ranks make different calls, or a rank has ended.
    ArgumentError
        If the first axis does not divide into equal parts.

    Examples
    --------
    >>> from gluon import distributed, nd
    >>> distributed.reduce_scatter(nd.array([1.0, 2.0])).asnumpy()
    array([1., 2.], dtype=float32)
    """
    _check("reduce_scatter", x)
    return ops.reduce_scatter(x, ranks=ranks_of(group))


def lengths_of(splits: Any) -> tuple[int, ...]:
    """The lengths that a sequence or an array of integers holds."""
    given = np.asarray(on_host(getattr(splits, "raw", splits)))
    if given.dtype.kind not in "iu" and given.size:
        raise DTypeError(
            f"alltoall: splits of dtype {given.dtype}; give integers, as in"
            " nd.array(splits, dtype='int32')"
        )
    return tuple(given.reshape(-1).tolist())


def alltoall(x: A, splits: Sequence[int] | None = None, group: Members = None) -> A:
    """Exchange parts between all ranks: part k of this rank's array goes to rank k.

    Parameters
    ----------
    x : NDArray of shape (n, ...) and any dtype
    splits : sequence of int, or NDArray of integers of shape (ranks,), optional
        The lengths of the parts; by default they are equal.
    group : Group or sequence of int, optional

    Returns
    -------
    NDArray of shape (m, ...)
        The received parts, in order of rank.

    Raises
    ------
    DistributedError
        If the ranks make different calls, or a rank has ended.
    ArgumentError
        If `splits` do not add up to the length of the first axis.
    DTypeError
        If `splits` are not integers.

    Examples
    --------
    >>> from gluon import distributed, nd
    >>> distributed.alltoall(nd.array([1.0, 2.0])).asnumpy()
    array([1., 2.], dtype=float32)
    """
    _check("alltoall", x)
    ranks = ranks_of(group)
    with naming("alltoall"):
        lengths = None if splits is None else lengths_of(splits)
        given, gotten = kernels.exchanged(lengths, x.raw, ranks)
    return ops.alltoall(x, given=given, gotten=gotten, ranks=ranks)


def check_plain(name: str, x: Any) -> None:
    """Raise unless `x` is an array without history, which the operation `name` would lose."""
    _check(name, x)
    if is_recorded(x):
        other = name.removeprefix("i").removesuffix("_")
        raise ArgumentError(f"{name}: x is recorded; use {other}, which is differentiable")


def in_place(name: str, x: Any) -> np.ndarray:
    """The buffer of an array without a history, contiguous, to write to."""
    check_plain(name, x)
    buffer: np.ndarray = writable(x)
    return buffer


def allreduce_(x: A, op: Reduction = "sum", group: Members = None) -> A:
    """`allreduce` in place, for arrays that are not recorded, such as gradients.

    Parameters
    ----------
    x : NDArray of any shape and dtype
    op : {'sum', 'mean', 'max', 'min', 'product'}, default 'sum'
    group : Group or sequence of int, optional

    Returns
    -------
    NDArray of the shape and dtype of `x`
        `x` itself.

    Raises
    ------
    DistributedError
        If the ranks make different calls, or a rank has ended.
    ArgumentError
        If `x` is recorded.

    Examples
    --------
    >>> from gluon import distributed, nd
    >>> x = nd.array([1.0, 2.0])
    >>> distributed.allreduce_(x, "mean") is x
    True
    """
    buffer = in_place("allreduce_", x)
    with naming("allreduce_"):
        kernels.allreduce_into(buffer, op, ranks_of(group))
    return x


def broadcast_(x: A, root: int = 0, group: Members = None) -> A:
    """`broadcast` in place, for arrays that are not recorded, such as parameters.

    Parameters
    ----------
    x : NDArray of any shape and dtype
    root : int, default 0
    group : Group or sequence of int, optional

    Returns
    -------
    NDArray of the shape and dtype of `x`
        `x` itself.

    Raises
    ------
    DistributedError
        If the ranks make different calls, or a rank has ended.
    ArgumentError
        If `x` is recorded.

    Examples
    --------
    >>> from gluon import distributed, nd
    >>> x = nd.array([1.0, 2.0])
    >>> distributed.broadcast_(x) is x
    True
    """
    buffer = in_place("broadcast_", x)
    with naming("broadcast_"):
        buffer[...] = kernels.broadcast(buffer, root=root, ranks=ranks_of(group))
    return x


def broadcast_object(value: Any = None, root: int = 0, group: Members = None) -> Any:
    """Return the Python object of one rank on every rank; it is sent by pickle.

    Parameters
    ----------
    value : object
        The object; only that of the root is used.
    root : int, default 0
    group : Group or sequence of int, optional

    Returns
    -------
    object

    Raises
    ------
    DistributedError
        If the ranks make different calls, or a rank has ended.

    Examples
    --------
    >>> from gluon import distributed
    >>> distributed.broadcast_object({"epoch": 3})
    {'epoch': 3}
    """
    with naming("broadcast_object"):
        return kernels.broadcast_object(value, root, ranks_of(group))


def allgather_object(value: Any, group: Members = None) -> list[Any]:
    """Return the Python objects of all ranks, in order of rank; they are sent by pickle.

    Parameters
    ----------
    value : object
    group : Group or sequence of int, optional

    Returns
    -------
    list

    Raises
    ------
    DistributedError
        If the ranks make different calls, or a rank has ended.

    Examples
    --------
    >>> from gluon import distributed
    >>> distributed.allgather_object("here")
    ['here']
    """
    with naming("allgather_object"):
        return kernels.allgather_object(value, ranks_of(group))


def barrier(group: Members = None) -> None:
    """Wait until every rank of the group has called this function.

    Parameters
    ----------
    group : Group or sequence of int, optional

    Raises
    ------
    DistributedError
        If the ranks make different calls, or a rank has ended.

    Examples
    --------
    >>> from gluon import distributed
    >>> distributed.barrier()
    """
    with naming("barrier"):
        kernels.barrier(ranks_of(group))
