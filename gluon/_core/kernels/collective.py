"""Collective operations of processes: each rank of a group gives an array and gets one.

``ranks`` are the members of the group, by default all processes. Half precision is summed in
float32. In a group of one nothing is sent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..mpi import groups as mpi
from . import linalg
from .memory import on_host

#: The operations of `allreduce`, by MPI's name; the mean is a sum that is divided.
REDUCTIONS = {"sum": "SUM", "mean": "SUM", "max": "MAX", "min": "MIN", "product": "PROD"}


def _called(name: str, x: Any, skip: int = 0, **attributes: Any) -> str:
    """Describe what all ranks must agree on: operation, dtype, and shape from axis `skip` on."""
    shape = ["any"] * skip + list(x.shape[skip:])
    given = "".join(f", {key}={value!r}" for key, value in attributes.items())
    return f"{name}({x.dtype.name}[{', '.join(map(str, shape))}]{given})"


def _reducible(x: Any, op: str) -> Any:
    """Return the array in a dtype and order that MPI can sum."""
    if op not in REDUCTIONS:
        raise ValueError(f"op={op!r}; use {', '.join(map(repr, REDUCTIONS))}")
    if op == "mean":
        linalg.need_floats(x)
    if x.dtype == bool and op not in ("max", "min"):
        raise TypeError(f"{op} is undefined for booleans; cast them to int32 first")
    return np.ascontiguousarray(x, linalg.wide(x.dtype)).reshape(x.shape)


def _plain(x: Any) -> Any:
    """View a contiguous array as a vector of bytes."""
    return x.reshape(-1).view(np.uint8)


def _mpi_op(op: str) -> Any:
    return getattr(mpi.library(), REDUCTIONS[op])


def _finished(y: Any, op: str, size: int, dtype: Any) -> Any:
    if op == "mean":
        np.divide(y, y.dtype.type(size), out=y)
    return y.astype(dtype, copy=False)


def _need_root(root: int, group: Any) -> None:
    if not 0 <= root < group.size:
        raise IndexError(f"root={root}; the group has the ranks 0 to {group.size - 1}")


def _need_axis(x: Any) -> None:
    if not x.ndim:
        raise ValueError("an array without axes has no first axis to split or join; reshape it")


def allreduce(x: Any, *, reduction: str = "sum", ranks: tuple[int, ...] | None = None) -> Any:
    """The sum, mean, largest, smallest or product of the arrays of all ranks, on each of them."""
    group, values = mpi.group_of(ranks), _reducible(on_host(x), reduction)
    mpi.agree(group, _called("allreduce", x, op=reduction))
    y = np.array(values) if group.size == 1 else np.empty_like(values)
    if group.size > 1:
        group.exchange("Allreduce", values, y, _mpi_op(reduction))
    return _finished(y, reduction, group.size, x.dtype)


def allreduce_into(
    x: Any, op: str = "sum", ranks: tuple[int, ...] | None = None, what: str = ""
) -> None:
    """`allreduce`, the result of which replaces the values of a contiguous array.

    All ranks must agree on `what` the values are.
    """
    group, values = mpi.group_of(ranks), _reducible(on_host(x), op)
    mpi.agree(group, _called("allreduce", x, op=op) + what)
    if group.size > 1:
        group.exchange("Allreduce", mpi.library().IN_PLACE, values, _mpi_op(op))
        y = _finished(values, op, group.size, x.dtype)
        if y is not x:
            x[...] = y


def reduce(x: Any, *, root: int = 0, ranks: tuple[int, ...] | None = None) -> Any:
    """The sum of the arrays of all ranks on the rank `root`, zeros on the others."""
    group, values = mpi.group_of(ranks), _reducible(x, "sum")
    _need_root(root, group)
    mpi.agree(group, _called("reduce", x, root=root))
    y = np.array(values) if group.size == 1 else np.zeros_like(values)
    if group.size > 1:
        group.exchange("Reduce", values, y if group.rank == root else None, _mpi_op("sum"), root)
    return y.astype(x.dtype, copy=False)


def broadcast(x: Any, *, root: int = 0, ranks: tuple[int, ...] | None = None) -> Any:
    """The array of the rank `root`, on every rank."""
    group = mpi.group_of(ranks)
    _need_root(root, group)
    mpi.agree(group, _called("broadcast", x, root=root))
    y = np.array(on_host(x), order="C")
    if group.size > 1:
        group.exchange("Bcast", [_plain(y), mpi.library().BYTE], root)
    return y


def allgather(x: Any, *, ranks: tuple[int, ...] | None = None) -> Any:
    """The arrays of all ranks joined along their first axis, on each of them."""
    _need_axis(x)
    group = mpi.group_of(ranks)
    lengths = mpi.agree(group, _called("allgather", x, skip=1), x.shape[0])
    x = on_host(x)
    if group.size == 1:
        return x.copy()
    y, byte = np.empty((lengths.sum(), *x.shape[1:]), x.dtype), mpi.library().BYTE
    counts = (lengths * (y[:1].nbytes if len(y) else 0)).tolist()
    given = _plain(np.ascontiguousarray(x))
    group.exchange("Allgatherv", [given, byte], [_plain(y), counts, byte])
    return y


def lengths_of(shape: tuple[int, ...], ranks: tuple[int, ...] | None) -> tuple[int, ...]:
    """The length of the first axis of the array of each rank, for the gradient of `allgather`."""
    group, rest = mpi.group_of(ranks), list(shape[1:])
    return tuple(mpi.agree(group, f"the gradient of allgather(any, {rest})", shape[0]).tolist())


def place(ranks: tuple[int, ...] | None) -> tuple[int, int]:
    """The rank of this process in a group, and the size of the group."""
    group = mpi.group_of(ranks)
    return group.rank, group.size


def other_product(x: Any, *, ranks: tuple[int, ...] | None = None) -> Any:
    """The product of the arrays of the other ranks, which may hold zeros."""
    me, _ = place(ranks)
    everyone = allgather(np.asarray(x, linalg.wide(x.dtype))[None], ranks=ranks)
    return np.delete(everyone, me, axis=0).prod(0, dtype=everyone.dtype).astype(x.dtype)


def reduce_scatter(
    x: Any,
    *,
    lengths: tuple[int, ...] | None = None,
    ranks: tuple[int, ...] | None = None,
) -> Any:
    """The part of this rank in the sum of the arrays of all, split along their first axis."""
    _need_axis(x)
    group, values = mpi.group_of(ranks), _reducible(x, "sum")
    lengths = lengths or _equal_parts(x, group)
    if sum(lengths) != len(x) or len(lengths) != group.size:
        raise ValueError(
            f"lengths={lengths} do not split a first axis of {len(x)} for {group.size} ranks"
        )
    mpi.agree(group, _called("reduce_scatter", x, lengths=lengths))
    if group.size == 1:
        return np.array(x)
    y = np.empty((lengths[group.rank], *x.shape[1:]), values.dtype)
    each = int(np.prod(x.shape[1:]))
    group.exchange("Reduce_scatter", values, y, [n * each for n in lengths], _mpi_op("sum"))
    return y.astype(x.dtype, copy=False)


def _equal_parts(x: Any, group: Any) -> tuple[int, ...]:
    if len(x) % group.size:
        raise ValueError(
            f"a first axis of length {len(x)} cannot be split equally among {group.size} ranks"
        )
    return (len(x) // group.size,) * group.size


def exchanged(splits: tuple[int, ...] | None, x: Any, ranks: tuple[int, ...] | None) -> Any:
    """How many rows this rank sends to each other and how many it gets, for `alltoall`."""
    _need_axis(x)
    group = mpi.group_of(ranks)
    given = _equal_parts(x, group) if splits is None else tuple(splits)
    if sum(given) != len(x) or len(given) != group.size or min(given) < 0:
        raise ValueError(
            f"splits={given} do not split a first axis of {len(x)} for {group.size} ranks"
        )
    mpi.agree(group, "the splits of alltoall")
    return given, tuple(group.exchange("alltoall", given)) if group.size > 1 else given


def alltoall(
    x: Any,
    *,
    given: tuple[int, ...],
    gotten: tuple[int, ...],
    ranks: tuple[int, ...] | None = None,
) -> Any:
    """A part of the array of each rank: part k of its first axis goes to rank k."""
    _need_axis(x)
    group = mpi.group_of(ranks)
    mpi.agree(group, _called("alltoall", x, skip=1))
    if group.size == 1:
        return x.copy()
    y, byte = np.empty((sum(gotten), *x.shape[1:]), x.dtype), mpi.library().BYTE
    row = int(np.prod(x.shape[1:])) * x.itemsize
    sent = [_plain(np.ascontiguousarray(x)), [n * row for n in given], byte]
    group.exchange("Alltoallv", sent, [_plain(y), [n * row for n in gotten], byte])
    return y


def send(x: Any, *, ranks: tuple[int, int]) -> Any:
    """Give the array to the second rank from the first, which this is; gives a 0."""
    broadcast(x, ranks=ranks)
    return np.zeros((), x.dtype)


def receive(_: Any, *, shape: tuple[int, ...], dtype: Any, ranks: tuple[int, int]) -> Any:
    """The array that the first rank gives to the second, which this is."""
    return broadcast(np.zeros(shape, dtype), ranks=ranks)


def barrier(ranks: tuple[int, ...] | None = None) -> None:
    """Wait until every rank of the group has come here."""
    mpi.agree(mpi.group_of(ranks), "barrier()")


def broadcast_object(value: Any, root: int = 0, ranks: tuple[int, ...] | None = None) -> Any:
    """The Python object of the rank `root`, by pickle."""
    group = mpi.group_of(ranks)
    _need_root(root, group)
    mpi.agree(group, f"broadcast_object(root={root})")
    return group.exchange("bcast", value, root) if group.size > 1 else value


def allgather_object(value: Any, ranks: tuple[int, ...] | None = None) -> list[Any]:
    """The Python objects of all ranks, by pickle."""
    group = mpi.group_of(ranks)
    mpi.agree(group, "allgather_object()")
    return group.exchange("allgather", value) if group.size > 1 else [value]
