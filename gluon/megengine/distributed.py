"""Training by several processes, for now by the one there is."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from ..engine.errors import ArgumentError
from .absent import missing
from .functional import distributed as functional

__all__ = [
    "WORLD",
    "Group",
    "bcast_list_",
    "functional",
    "get_backend",
    "get_rank",
    "get_world_size",
    "group_barrier",
    "init_process_group",
    "is_distributed",
    "launcher",
    "make_allreduce_cb",
    "new_group",
]


class Group:
    """Processes that work together.

    Parameters
    ----------
    proc_ranks : sequence of int
        Their numbers: only 0, the one process there is.

    Examples
    --------
    >>> Group([0]).size
    1
    """

    proc_ranks: list[int]
    rank: int
    size: int

    def __init__(self, proc_ranks: Any) -> None:
        if list(proc_ranks) != [0]:
            raise ArgumentError(
                f"Group: ranks {list(proc_ranks)}; there is one process, of rank 0. Several are"
                " planned"
            )
        self.proc_ranks = [0]
        self.size, self.rank = 1, 0


WORLD = Group([0])


def new_group(proc_ranks: Any) -> Group:
    """A group of some processes; see `Group`.

    Examples
    --------
    >>> new_group([0]).rank
    0
    """
    return Group(proc_ranks)


def get_rank() -> int:
    """The number of this process: 0.

    Examples
    --------
    >>> get_rank(), get_world_size(), is_distributed()
    (0, 1, False)
    """
    return 0


def get_world_size() -> int:
    """How many processes there are: 1.

    Examples
    --------
    >>> from gluon.megengine import distributed
    >>> distributed.get_world_size()
    1
    """
    return 1


def is_distributed() -> bool:
    """Whether several processes train together: False.

    Examples
    --------
    >>> from gluon.megengine import distributed
    >>> distributed.is_distributed()
    False
    """
    return False


def get_backend() -> str | None:
    """The library through which processes talk: None.

    Examples
    --------
    >>> from gluon.megengine import distributed
    >>> distributed.get_backend() is None
    True
    """
    return None


def init_process_group(
    master_ip: str,
    port: int,
    world_size: int,
    rank: int,
    device: int,
    backend: str | None = "auto",
    device_type: str = "xpu",
) -> None:
    """Join other processes; there may only be this one.

    Parameters
    ----------
    master_ip, port, device, backend, device_type
        Taken and of no effect.
    world_size : int
        1.
    rank : int
        0.

    Examples
    --------
    >>> init_process_group("localhost", 0, world_size=1, rank=0, device=0)
    """
    if (world_size, rank) != (1, 0):
        raise ArgumentError(
            f"init_process_group: world_size={world_size}, rank={rank}; only one process is"
            " possible for now, of rank 0"
        )


def group_barrier(group: Any = WORLD) -> None:
    """Wait for the other processes, of which there are none.

    Examples
    --------
    >>> group_barrier()
    """


def bcast_list_(inps: list[Any], group: Any = WORLD) -> None:
    """Give all processes the tensors of the first: nothing to do.

    Examples
    --------
    >>> bcast_list_([])
    """


def make_allreduce_cb(
    reduce_method: str, group: Any = WORLD, backend: Any = None
) -> Callable[..., Any]:
    """A callback for `GradManager.attach` that gives the sum or mean over all processes.

    Parameters
    ----------
    reduce_method : {'sum', 'mean'}
        In any case of letters.
    group, backend
        The one process.

    Returns
    -------
    callable
        ``callback(tensor, grad)``; the sum and the mean over one process are `grad`.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> make_allreduce_cb("MEAN")(Tensor([1.0]), Tensor([2.0]))
    Tensor([2.], device=xpux:0)
    """
    if reduce_method.lower() not in ("sum", "mean"):
        raise ArgumentError(
            f"make_allreduce_cb: reduce_method {reduce_method!r} is neither 'sum' nor 'mean'"
        )

    def callback(tensor: Any, grad: Any) -> Any:
        return functional.all_reduce_sum(grad, group)

    return callback


def launcher(
    func: Callable[..., Any] | None = None, *, world_size: int = 1, n_gpus: Any = None, **_: Any
) -> Any:
    """Run a function in each of the processes: once, in this one.

    Parameters
    ----------
    func : callable, optional
        Left out in ``@launcher(...)``.
    world_size, n_gpus : int
        How many processes: 1.

    Returns
    -------
    callable
        It returns a list of the one result.

    Examples
    --------
    >>> @launcher
    ... def main(n):
    ...     return n + get_rank()
    >>> main(2)
    [2]
    """
    count = n_gpus or world_size
    if count != 1:
        raise ArgumentError(f"launcher: {count} processes; only one is possible for now")
    if func is None:
        return lambda function: launcher(function)

    @wraps(func)
    def run(*args: Any, **kwargs: Any) -> list:
        return [func(*args, **kwargs)]

    return run


if not TYPE_CHECKING:  # which finds the names that are not there by itself
    __getattr__ = missing("distributed", __all__)
