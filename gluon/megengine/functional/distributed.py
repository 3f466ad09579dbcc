"""Collective operators. The group has one process: each returns what it is given, recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ...face.docs import example
from ...face.prototype import made_like
from .tensor import copy

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

T = TypeVar("T", bound=Callable[..., Any])


def of_one(inp: ArrayLike, group: Any = None, device: Any = None, **axes: int) -> Tensor:
    """A tensor of one process, put together with those of others.

    There is one process: a recorded copy of `inp`. `group` and `axes` have no effect.
    """
    return copy(inp, device)


def _collective(name: str, like: T, title: str) -> T:
    def call(inp: Any, group: Any = None, device: Any = None, **axes: int) -> Any:
        return copy(inp, device)

    imports = "from gluon.megengine import Tensor, functional as F"
    printed = "Tensor([1. 2.], device=xpux:0)"
    shows = example(imports, f"F.distributed.{name}(Tensor([1.0, 2.0]))", printed)
    return made_like(like, call, name, "gluon.megengine.functional.distributed", title, shows)


all_gather: Final = _collective("all_gather", of_one, "The tensors of all processes, joined")
all_reduce_max: Final = _collective(
    "all_reduce_max", of_one, "The largest values over all processes"
)
all_reduce_min: Final = _collective(
    "all_reduce_min", of_one, "The smallest values over all processes"
)
all_reduce_sum: Final = _collective("all_reduce_sum", of_one, "The sum over all processes")
all_to_all: Final = _collective("all_to_all", of_one, "A part from each process, joined")
broadcast: Final = _collective("broadcast", of_one, "The tensor of the first process")
gather: Final = _collective("gather", of_one, "The tensors of all processes, joined, on the first")
reduce_scatter_sum: Final = _collective(
    "reduce_scatter_sum", of_one, "The part of this process in the sum over all"
)
reduce_sum: Final = _collective("reduce_sum", of_one, "The sum over all processes, on the first")
scatter: Final = _collective("scatter", of_one, "This process's part of the tensor of the first")
