"""Collective operators, over `gluon.distributed`; the first rank of a group is its root."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ... import distributed as collectives
from ...engine.errors import ArgumentError
from ...engine.op import RECORDED as ops
from ..interfaces import as_tensor

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..tensor import Tensor

__all__ = [
    "all_gather",
    "all_reduce_max",
    "all_reduce_min",
    "all_reduce_sum",
    "all_to_all",
    "broadcast",
    "gather",
    "reduce_scatter_sum",
    "reduce_sum",
    "scatter",
]


def _swapped(x: Any, axis: int) -> Any:
    """`x` with its first axis and another exchanged: collectives split and join the first."""
    order = list(range(x.ndim))
    order[0], order[axis] = order[axis], order[0]
    return ops.transpose(x, axes=order) if axis else x


def _need_parts(name: str, x: Any, axis: int, group: Any) -> None:
    size = collectives.get_size(group)
    if x.shape[axis] % size:
        raise ArgumentError(
            f"{name}: axis {axis} of shape {x.shape} has no equal parts for {size} processes"
        )


def all_reduce_sum(inp: ArrayLike, group: Any = None, device: Any = None) -> Tensor:
    """The sum over all processes.

    Examples
    --------
    >>> from gluon.megengine import Tensor, functional as F
    >>> F.distributed.all_reduce_sum(Tensor([1.0, 2.0]))
    Tensor([1. 2.], device=xpux:0)
    """
    return collectives.allreduce(as_tensor(inp), "sum", group)


def all_reduce_max(inp: ArrayLike, group: Any = None, device: Any = None) -> Tensor:
    """The largest values over all processes.

    Examples
    --------
    >>> from gluon.megengine import Tensor, functional as F
    >>> F.distributed.all_reduce_max(Tensor([1.0, 2.0]))
    Tensor([1. 2.], device=xpux:0)
    """
    return collectives.allreduce(as_tensor(inp), "max", group)


def all_reduce_min(inp: ArrayLike, group: Any = None, device: Any = None) -> Tensor:
    """The smallest values over all processes.

    Examples
    --------
    >>> from gluon.megengine import Tensor, functional as F
    >>> F.distributed.all_reduce_min(Tensor([1.0, 2.0]))
    Tensor([1. 2.], device=xpux:0)
    """
    return collectives.allreduce(as_tensor(inp), "min", group)


def reduce_sum(inp: ArrayLike, group: Any = None, device: Any = None) -> Tensor:
    """The sum over all processes on the root, zeros on the others.

    All processes must differentiate it if one does.

    Examples
    --------
    >>> from gluon.megengine import Tensor, functional as F
    >>> F.distributed.reduce_sum(Tensor([1.0, 2.0]))
    Tensor([1. 2.], device=xpux:0)
    """
    return collectives.reduce(as_tensor(inp), 0, group)


def broadcast(inp: ArrayLike, group: Any = None, device: Any = None) -> Tensor:
    """The tensor of the root; those of the others have its shape and dtype.

    Examples
    --------
    >>> from gluon.megengine import Tensor, functional as F
    >>> F.distributed.broadcast(Tensor([1.0, 2.0]))
    Tensor([1. 2.], device=xpux:0)
    """
    return collectives.broadcast(as_tensor(inp), 0, group)


def all_gather(inp: ArrayLike, group: Any = None, device: Any = None, axis: int = 0) -> Tensor:
    """The tensors of all processes, joined along an axis.

    Examples
    --------
    >>> from gluon.megengine import Tensor, functional as F
    >>> F.distributed.all_gather(Tensor([1.0, 2.0]))
    Tensor([1. 2.], device=xpux:0)
    """
    return _swapped(collectives.allgather(_swapped(as_tensor(inp), axis), group), axis)


def gather(inp: ArrayLike, group: Any = None, device: Any = None, axis: int = 0) -> Tensor:
    """The tensors of all processes, joined along an axis; each process gets them.

    Examples
    --------
    >>> from gluon.megengine import Tensor, functional as F
    >>> F.distributed.gather(Tensor([1.0, 2.0]))
    Tensor([1. 2.], device=xpux:0)
    """
    return all_gather(inp, group, device, axis)


def reduce_scatter_sum(
    inp: ArrayLike, group: Any = None, device: Any = None, axis: int = 0
) -> Tensor:
    """The part of this process in the sum over all, split along an axis.

    Examples
    --------
    >>> from gluon.megengine import Tensor, functional as F
    >>> F.distributed.reduce_scatter_sum(Tensor([1.0, 2.0]))
    Tensor([1. 2.], device=xpux:0)
    """
    x = as_tensor(inp)
    _need_parts("reduce_scatter_sum", x, axis, group)
    return _swapped(collectives.reduce_scatter(_swapped(x, axis), group), axis)


def scatter(inp: ArrayLike, group: Any = None, device: Any = None, axis: int = 0) -> Tensor:
    """The part of this process of the root's tensor; the others give one of its shape and dtype.

    Examples
    --------
    >>> from gluon.megengine import Tensor, functional as F
    >>> F.distributed.scatter(Tensor([1.0, 2.0]))
    Tensor([1. 2.], device=xpux:0)
    """
    x = as_tensor(inp)
    _need_parts("scatter", x, axis, group)
    rank, size = collectives.get_rank(group), collectives.get_size(group)
    n = x.shape[axis] // size
    mine = (slice(None),) * (axis % x.ndim) + (slice(rank * n, rank * n + n),)
    return broadcast(x, group)[mine]


def all_to_all(
    inp: ArrayLike,
    group: Any = None,
    device: Any = None,
    split_axis: int = 0,
    concat_axis: int = 0,
) -> Tensor:
    """A part from each process, joined along an axis.

    Examples
    --------
    >>> from gluon.megengine import Tensor, functional as F
    >>> F.distributed.all_to_all(Tensor([1.0, 2.0]))
    Tensor([1. 2.], device=xpux:0)
    """
    x = as_tensor(inp)
    _need_parts("all_to_all", x, split_axis, group)
    parts = _swapped(collectives.alltoall(_swapped(x, split_axis), None, group), split_axis)
    if split_axis == concat_axis:
        return parts
    sections = collectives.get_size(group)
    return ops.concat(*ops.split(parts, sections=sections, axis=split_axis), axis=concat_axis)
