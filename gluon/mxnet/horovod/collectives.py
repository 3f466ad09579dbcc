"""Horovod's collective operations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import numpy as np

from ... import distributed
from ..._core.arrays.rebind import is_recorded
from ..._core.engine.array import Array, wrap
from ..._core.engine.inplace import writable
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError, DTypeError, GluonError
from ..._core.kernels import collective
from ..._core.mpi import groups as mpi
from ...distributed.collective import lengths_of, naming
from ...nd import NDArray
from ...parameter import DeferredInitializationError, Parameter
from .processes import global_process_set, members


class Reduction(NamedTuple):
    """An operation of `allreduce`."""

    name: str


Average: Final = Reduction("mean")
Sum: Final = Reduction("sum")
Adasum: Final = Reduction("adasum")
Min: Final = Reduction("min")
Max: Final = Reduction("max")
Product: Final = Reduction("product")


def _reduction(average: bool | None, op: Reduction | None) -> Reduction:
    if average is not None and op is not None:
        raise ArgumentError("allreduce: give op or average, not both; average is deprecated")
    if average is not None:
        return Average if average else Sum
    return op or Average


def called(function: str, **settings: Any) -> Any:
    """Let ranks agree on the settings that differ from the defaults, such as the name, inside."""
    given = [f"{key}={x!r}" for key, x in settings.items() if x is not None and x != 1]
    return mpi.called(f" as hvd.{function}({', '.join(given)})" if given else "")


def scaled(x: Any, factor: float, divisor: int = 1) -> Any:
    """``x * factor / divisor``; integers are scaled in float64, and lose their fraction."""
    if factor == divisor == 1:
        return x
    if x.form.dtype.kind in "iu":
        return (x.astype("float64") * factor / divisor).astype(x.form.dtype)
    y = x if factor == 1 else x * factor
    return y if divisor == 1 else y / divisor


def _reduced(x: Array, op: Reduction, factor: float, ranks: tuple[int, ...]) -> Any:
    if op is Adasum:
        return scaled(_adasum(x, ranks), factor)
    kind: Any = op.name
    if op is Average and x.form.dtype.kind in "iu":
        return scaled(distributed.allreduce(x, "sum", ranks), factor, len(ranks))
    return scaled(distributed.allreduce(x, kind, ranks), factor)


def _adasum(x: Array, ranks: tuple[int, ...]) -> Any:
    """Adaptive summation ("Scaling Distributed Training with Adaptive Summation", 2021)."""
    if is_recorded(x):
        raise ArgumentError("allreduce: Adasum has no gradient; pass x.detach()")
    if x.form.dtype.kind in "biu":
        raise DTypeError(f"allreduce: Adasum of {x.form.dtype}; cast the data to a float")
    with naming("allreduce"):
        every = collective.allgather(x.raw[None], ranks=ranks)
    parts = list(every.astype(np.float64))
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2])
        parts = [_adapted(a, b) for a, b in pairs] + parts[len(parts) // 2 * 2 :]
    return wrap(type(x), parts[0].astype(x.form.dtype), x._ctx)


def _adapted(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    both, of_a, of_b = np.vdot(a, b), np.vdot(a, a), np.vdot(b, b)
    return (1 - (both / (2 * of_a) if of_a else 0)) * a + (
        1 - (both / (2 * of_b) if of_b else 0)
    ) * b


def allreduce(
    tensor: Any,
    average: bool | None = None,
    name: str | None = None,
    priority: int = 0,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
    process_set: Any = global_process_set,
    op: Reduction | None = None,
) -> Any:
    """The mean, or what `op` says, of the tensors of all processes."""
    ranks, how = members(process_set), _reduction(average, op)
    factors = {"prescale_factor": prescale_factor, "postscale_factor": postscale_factor}
    op_name = how.name if tensor.form.dtype.kind in "iu" else None  # their mean is sent as a sum
    with called("allreduce", name=name, op=op_name, **factors):
        return _reduced(scaled(tensor, prescale_factor), how, postscale_factor, ranks)


def into(tensor: Array, value: Array) -> Array:
    """Write a value to a tensor, and return that."""
    if getattr(tensor, "_is_sparse", False):
        tensor[:] = value.raw  # type: ignore[index]
    else:
        writable(tensor)[...] = value.raw
    return tensor


def allreduce_(
    tensor: Any,
    average: bool | None = None,
    name: str | None = None,
    priority: int = 0,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
    process_set: Any = global_process_set,
    op: Reduction | None = None,
) -> Any:
    """`allreduce` in place."""
    scales = (prescale_factor, postscale_factor, process_set, op)
    return into(tensor, allreduce(tensor.detach(), average, name, priority, *scales))


def _named(name: str | None, tensors: Iterable[Any]) -> list[tuple[str | None, Any]]:
    """The tensors of a group, each with its own name if the group has one."""
    given = list(tensors)
    return [
        (f"{name}, {k + 1} of {len(given)}" if name else None, one) for k, one in enumerate(given)
    ]


def grouped_allreduce(
    tensors: Iterable[Any],
    average: bool | None = None,
    name: str | None = None,
    priority: int = 0,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
    process_set: Any = global_process_set,
    op: Reduction | None = None,
) -> list[Any]:
    """`allreduce` of each tensor."""
    how = (priority, prescale_factor, postscale_factor, process_set, op)
    return [allreduce(one, average, each, *how) for each, one in _named(name, tensors)]


def grouped_allreduce_(
    tensors: Iterable[Any],
    average: bool | None = None,
    name: str | None = None,
    priority: int = 0,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
    process_set: Any = global_process_set,
    op: Reduction | None = None,
) -> list[Any]:
    """`allreduce_` of each tensor."""
    how = (priority, prescale_factor, postscale_factor, process_set, op)
    return [allreduce_(one, average, each, *how) for each, one in _named(name, tensors)]


def allgather(
    tensor: Any, name: str | None = None, priority: int = 0, process_set: Any = global_process_set
) -> Any:
    """The tensors of all processes, joined along the first axis."""
    ranks = members(process_set)
    with called("allgather", name=name):
        return distributed.allgather(tensor, ranks)


def grouped_allgather(
    tensors: Iterable[Any],
    name: str | None = None,
    priority: int = 0,
    process_set: Any = global_process_set,
) -> list[Any]:
    """`allgather` of each tensor."""
    return [allgather(one, each, priority, process_set) for each, one in _named(name, tensors)]


def broadcast(
    tensor: Any,
    root_rank: int,
    name: str | None = None,
    priority: int = 0,
    process_set: Any = global_process_set,
) -> Any:
    """The tensor of one process."""
    ranks = members(process_set)
    if root_rank not in ranks:
        raise ArgumentError(f"broadcast: root_rank={root_rank} is not in the process set {ranks}")
    with called("broadcast", name=name):
        return distributed.broadcast(tensor, ranks.index(root_rank), ranks)


def broadcast_(
    tensor: Any,
    root_rank: int,
    name: str | None = None,
    priority: int = 0,
    process_set: Any = global_process_set,
) -> Any:
    """`broadcast` in place."""
    return into(tensor, broadcast(tensor.detach(), root_rank, name, priority, process_set))


def alltoall(
    tensor: Any,
    splits: Any = None,
    name: str | None = None,
    priority: int = 0,
    process_set: Any = global_process_set,
) -> Any:
    """A part from each process; with `splits` also the lengths of these parts."""
    ranks = members(process_set)
    with called("alltoall", name=name):
        if splits is None:
            return distributed.alltoall(tensor, None, ranks)
        y = distributed.alltoall(tensor, splits, ranks)
        every = distributed.allgather_object(lengths_of(splits), ranks)
    return y, wrap(NDArray, np.array([row[process_set.rank()] for row in every], np.int32))


def reducescatter(
    tensor: Any,
    op: Reduction = Average,
    name: str | None = None,
    priority: int = 0,
    process_set: Any = global_process_set,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
) -> Any:
    """The part of this process in the mean or sum; the first processes get the remainder."""
    if op not in (Average, Sum):
        raise ArgumentError(f"reducescatter: op={op.name!r}; use Average or Sum")
    ranks = members(process_set)
    if not tensor.shape:
        raise ArgumentError("reducescatter: a scalar has no first axis to split; reshape it")
    n, parts = tensor.shape[0], len(ranks)
    lengths = tuple(n // parts + (k < n % parts) for k in range(parts))
    factors = {"prescale_factor": prescale_factor, "postscale_factor": postscale_factor}
    with called("reducescatter", name=name, op=op.name, **factors):
        x = scaled(tensor, prescale_factor)
        y = ops.reduce_scatter(x, lengths=lengths, ranks=ranks)
    return scaled(y, postscale_factor, parts if op is Average else 1)


def grouped_reducescatter(
    tensors: Iterable[Any],
    op: Reduction = Average,
    name: str | None = None,
    priority: int = 0,
    process_set: Any = global_process_set,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
) -> list[Any]:
    """`reducescatter` of each tensor."""
    how = (priority, process_set, prescale_factor, postscale_factor)
    return [reducescatter(one, op, each, *how) for each, one in _named(name, tensors)]


def join() -> None:
    """Raise an error: all processes must take part in every collective."""
    raise GluonError(
        "join is unsupported: all processes must make the same calls. Give each as many batches, by"
        " gluon.data.DistributedSampler"
    )


def poll(handle: Any) -> bool:
    """Whether a result is ready."""
    return not isinstance(handle, distributed.Handle) or handle.done()


def synchronize(handle: Any) -> Any:
    """Wait for the result and return it."""
    return handle.wait() if isinstance(handle, distributed.Handle) else handle


def broadcast_object(obj: Any, root_rank: int = 0, name: str | None = None) -> Any:
    """The Python object of one process."""
    ranks = members(global_process_set)
    with called("broadcast_object", name=name):
        return distributed.broadcast_object(obj, root_rank, ranks)


def allgather_object(obj: Any, name: str | None = None) -> list[Any]:
    """The Python objects of all processes."""
    ranks = members(global_process_set)
    with called("allgather_object", name=name):
        return distributed.allgather_object(obj, ranks)


def broadcast_parameters(params: Any, root_rank: int = 0, prefix: str | None = None) -> None:
    """Send the parameters of one process to all; deferred ones follow once they have a shape."""
    if not hasattr(params, "items"):
        raise ArgumentError(f"broadcast_parameters: invalid params of type: {type(params)}")
    for key, one in sorted(params.items()):
        name = f"{prefix or ''}{key}"
        if not isinstance(one, Parameter):
            broadcast_(one, root_rank, name)
            continue
        try:
            replicas = one.list_data()
        except DeferredInitializationError:
            _broadcast_later(one, root_rank, name)
            continue
        for replica in replicas:
            broadcast_(replica, root_rank, name)


def _broadcast_later(parameter: Parameter, root_rank: int, name: str) -> None:
    replicate = parameter._replicate

    def shared(raw: np.ndarray, ctx: Any) -> None:
        with naming("broadcast_parameters"), called("broadcast", name=name):
            replicate(collective.broadcast(raw, root=root_rank), ctx)
        vars(parameter).pop("_replicate")

    vars(parameter)["_replicate"] = shared
