"""Collective operators: the gradient of each is a collective too, in which every rank takes part.

The value that is differentiated is the sum of what all ranks call ``backward`` on.
"""

from __future__ import annotations

from typing import Any, Final

from ..engine.op import define
from ..kernels import collective as kernels


def _allreduce(
    F: Any, g: Any, x: Any, y: Any, reduction: str, ranks: tuple[int, ...] | None
) -> Any:
    if reduction in ("sum", "mean"):
        return F.allreduce(g, reduction=reduction, ranks=ranks)
    total = F.allreduce(g, reduction="sum", ranks=ranks)
    if reduction != "product":
        return total * (x == y)  # all positions of the extreme value get the gradient, as in `max`
    return total * F.other_product(x, ranks=ranks)


allreduce: Final = define(
    "allreduce", kernels.allreduce, "One value of those of all ranks", x=_allreduce
)


def _other_product(F: Any, g: Any, x: Any, ranks: tuple[int, ...] | None) -> Any:
    """Return the sum over the other ranks' results of their cotangent times their other factors."""
    everyone = F.allgather(F.reshape(x, shape=(1, *x.shape)), ranks=ranks)
    heads = F.allgather(F.reshape(g, shape=(1, *x.shape)), ranks=ranks)
    me, size = kernels.place(ranks)
    total = F.zeros_like(g)
    for other in range(size):
        if other != me:
            rest = [everyone[k] for k in range(size) if k not in (me, other)]
            part = heads[other]
            for factor in rest:
                part = part * factor
            total = total + part
    return total


other_product: Final = define(
    "other_product", kernels.other_product, "The product of the other ranks", x=_other_product
)
broadcast_from: Final = define(
    "broadcast_from",
    kernels.broadcast,
    "The array of one rank, on every rank",
    x=lambda F, g, root, ranks: F.reduce_to(g, root=root, ranks=ranks),
)
reduce_to: Final = define(
    "reduce_to",
    kernels.reduce,
    "The sum over all ranks, on one rank",
    x=lambda F, g, root, ranks: F.broadcast_from(g, root=root, ranks=ranks),
)


def _allgather(F: Any, g: Any, x_shape: Any, ranks: tuple[int, ...] | None) -> Any:
    lengths = kernels.lengths_of(x_shape, ranks)
    return F.reduce_scatter(g, lengths=lengths, ranks=ranks)


allgather: Final = define(
    "allgather", kernels.allgather, "The arrays of all ranks joined", x=_allgather
)
reduce_scatter: Final = define(
    "reduce_scatter",
    kernels.reduce_scatter,
    "The part of this rank in the sum over all",
    x=lambda F, g, ranks: F.allgather(g, ranks=ranks),
)
alltoall: Final = define(
    "alltoall",
    kernels.alltoall,
    "A part of the array of each rank",
    x=lambda F, g, given, gotten, ranks: F.alltoall(g, given=gotten, gotten=given, ranks=ranks),
)
send: Final = define(
    "send",
    kernels.send,
    "Give an array to another rank",
    x=lambda F, g, x, ranks: F.receive(g, shape=x.shape, dtype=x.dtype, ranks=ranks[::-1]),
)
receive: Final = define(
    "receive",
    kernels.receive,
    "The array that another rank gives; its input only stands for it where gradients flow",
    _=lambda F, g, ranks: F.send(g, ranks=ranks[::-1]),
)
