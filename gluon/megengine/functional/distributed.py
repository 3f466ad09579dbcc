"""Collective operators, over `gluon.distributed`; the first rank of a group is its root."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ... import distributed as collectives
from ..._core.arrays.rebind import is_recorded
from ..._core.engine.mode import mode
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError
from ..autodiff import attach_to_all, keep
from ..interfaces import as_tensor
from .creation import zeros

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
    "remote_recv",
    "remote_send",
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
            f"{name}: axis {axis} of shape {x.shape} cannot be split equally among {size} processes"
        )


def _of_root(inp: Any, group: Any) -> Any:
    """The tensor of the root there; elsewhere zeros like it, recorded where that is."""
    at_root = collectives.get_rank(group) == 0
    x = as_tensor(inp) if at_root else None
    told = (x.shape, x.dtype, is_recorded(x)) if x is not None else None
    shape, dtype, recorded = collectives.broadcast_object(told, 0, group)
    return _recorded_zeros(shape, dtype, recorded) if x is None else x


def _recorded_zeros(shape: Any, dtype: Any, recorded: bool) -> Any:
    x = zeros(shape, dtype=dtype)
    if recorded:
        attach_to_all(x)
    return x


def _at_root(y: Any, group: Any) -> Any:
    """A result at the root; None elsewhere, where gradients flow through it all the same."""
    if collectives.get_rank(group) == 0:
        return y
    keep(y)
    return None


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


def reduce_sum(inp: ArrayLike, group: Any = None, device: Any = None) -> Tensor | None:
    """The sum over all processes on the root, None on the others.

    All processes must call ``backward`` if the root does.

    Examples
    --------
    >>> from gluon.megengine import Tensor, functional as F
    >>> F.distributed.reduce_sum(Tensor([1.0, 2.0]))
    Tensor([1. 2.], device=xpux:0)
    """
    return _at_root(collectives.reduce(as_tensor(inp), 0, group), group)


def broadcast(inp: ArrayLike, group: Any = None, device: Any = None) -> Tensor:
    """The tensor of the root; those of the others are ignored.

    Examples
    --------
    >>> from gluon.megengine import Tensor, functional as F
    >>> F.distributed.broadcast(Tensor([1.0, 2.0]))
    Tensor([1. 2.], device=xpux:0)
    """
    return collectives.broadcast(_of_root(inp, group), 0, group)


def all_gather(inp: ArrayLike, group: Any = None, device: Any = None, axis: int = 0) -> Tensor:
    """The tensors of all processes, joined along an axis.

    Examples
    --------
    >>> from gluon.megengine import Tensor, functional as F
    >>> F.distributed.all_gather(Tensor([1.0, 2.0]))
    Tensor([1. 2.], device=xpux:0)
    """
    return _swapped(collectives.allgather(_swapped(as_tensor(inp), axis), group), axis)


def gather(inp: ArrayLike, group: Any = None, device: Any = None, axis: int = 0) -> Tensor | None:
    """The tensors of all processes, joined along an axis, on the root; None on the others.

    Examples
    --------
    >>> from gluon.megengine import Tensor, functional as F
    >>> F.distributed.gather(Tensor([1.0, 2.0]))
    Tensor([1. 2.], device=xpux:0)
    """
    return _at_root(all_gather(inp, group, device, axis), group)


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
    """The part of this process of the root's tensor; those of the others are ignored.

    Examples
    --------
    >>> from gluon.megengine import Tensor, functional as F
    >>> F.distributed.scatter(Tensor([1.0, 2.0]))
    Tensor([1. 2.], device=xpux:0)
    """
    x = _of_root(inp, group)
    _need_parts("scatter", x, axis, group)
    rank, size = collectives.get_rank(group), collectives.get_size(group)
    n = x.shape[axis] // size
    mine = (slice(None),) * (axis % x.ndim) + (slice(rank * n, rank * n + n),)
    return collectives.broadcast(x, 0, group)[mine]


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


def remote_send(inp: ArrayLike, dest_rank: int) -> None:
    """Send a tensor to another process, which calls `remote_recv`.

    Its gradient comes back when both call ``backward``, this process even without a loss.

    Examples
    --------
    >>> from gluon.megengine import Tensor, distributed, functional as F
    >>> if distributed.get_rank() == 1:  # of several processes
    ...     F.distributed.remote_send(Tensor([1.0, 2.0]), 0)
    """
    x, ranks = as_tensor(inp), (collectives.get_rank(), dest_rank)
    (_, recording) = collectives.allgather_object((x.shape, x.dtype, is_recorded(x)), ranks)
    y = ops.send(x if recording else x.detach(), ranks=ranks)
    keep(y)


def remote_recv(src_rank: int, device: Any = None, inp: Any = None) -> Tensor:
    """The tensor that another process sends by `remote_send`; its gradient goes back there.

    Examples
    --------
    >>> from gluon.megengine import Tensor, distributed, functional as F
    >>> if distributed.get_world_size() > 1 and distributed.get_rank() == 0:
    ...     F.distributed.remote_recv(1)
    """
    ranks = (src_rank, collectives.get_rank())
    told, _ = collectives.allgather_object(bool(mode().tapes), ranks)
    shape, dtype, recorded = told
    stand_in = _recorded_zeros((), dtype, recorded)
    return ops.receive(stand_in, shape=shape, dtype=dtype, ranks=ranks)
