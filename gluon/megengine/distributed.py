"""Training on several processes, over `gluon.distributed`: started by ``mpiexec`` or `launcher`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

from .. import distributed as collectives
from ..distributed.launch import launch
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
    "synchronized",
]


class Group:
    """A group of processes; the first is the root of collective operators.

    Examples
    --------
    >>> Group([0]).size
    1
    """

    def __init__(self, proc_ranks: Sequence[int] | None) -> None:
        self._group = None if proc_ranks is None else collectives.new_group(proc_ranks)

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks of the members among all processes."""
        return self._group.ranks if self._group else tuple(range(collectives.get_size()))

    @property
    def proc_ranks(self) -> list[int]:
        """The ranks of the members among all processes."""
        return list(self.ranks)

    @property
    def rank(self) -> int:
        """The rank of this process in the group; -1 if it is not a member."""
        return collectives.get_rank(self.ranks)

    @property
    def size(self) -> int:
        """The number of members."""
        return collectives.get_size(self.ranks)

    @property
    def key(self) -> str:
        """The ranks as text."""
        return ",".join(map(str, self.ranks))


WORLD = Group(None)


def new_group(proc_ranks: Sequence[int]) -> Group:
    """Create a group of processes; every member must call this.

    Examples
    --------
    >>> new_group([0]).rank
    0
    """
    return Group(proc_ranks)


def get_rank() -> int:
    """The rank of this process among all.

    Examples
    --------
    >>> get_rank(), get_world_size(), is_distributed()
    (0, 1, False)
    """
    return collectives.get_rank()


def get_world_size() -> int:
    """The number of processes.

    Examples
    --------
    >>> from gluon.megengine import distributed
    >>> distributed.get_world_size()
    1
    """
    return collectives.get_size()


def is_distributed() -> bool:
    """Whether there are several processes.

    Examples
    --------
    >>> from gluon.megengine import distributed
    >>> distributed.is_distributed()
    False
    """
    return collectives.get_size() > 1


def get_backend() -> str | None:
    """``'mpi'``, or None in one process.

    Examples
    --------
    >>> from gluon.megengine import distributed
    >>> distributed.get_backend() is None
    True
    """
    return "mpi" if is_distributed() else None


def init_process_group(
    master_ip: str,
    port: int,
    world_size: int,
    rank: int,
    device: int,
    backend: str | None = "auto",
    device_type: str = "xpu",
) -> None:
    """Check that MPI started `world_size` processes; MPI connects them.

    Examples
    --------
    >>> init_process_group("localhost", 0, world_size=1, rank=0, device=0)
    """
    if (world_size, rank) != (get_world_size(), get_rank()):
        raise ArgumentError(
            f"init_process_group: world_size={world_size}, rank={rank}; this is rank {get_rank()}"
            f" of {get_world_size()}. Start the program by: mpiexec -n {world_size} python"
            " -m gluon.megengine script.py"
        )


def group_barrier(group: Any = WORLD) -> None:
    """Wait until all processes of the group have called this function.

    Examples
    --------
    >>> group_barrier()
    """
    collectives.barrier(group)


def synchronized(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: all processes wait for each other after the function.

    Examples
    --------
    >>> synchronized(abs)(-3)
    3
    """

    @wraps(func)
    def call(*args: Any, **kwargs: Any) -> Any:
        result = func(*args, **kwargs)
        group_barrier()
        return result

    return call


def bcast_list_(inps: list[Any], group: Any = WORLD) -> None:
    """Broadcast tensors from the root to all processes, in place.

    Examples
    --------
    >>> bcast_list_([])
    """
    for inp in inps:
        collectives.broadcast_(inp, 0, group)


def make_allreduce_cb(
    reduce_method: str, group: Any = WORLD, backend: Any = None
) -> Callable[..., Any]:
    """Create a callback for `GradManager.attach` that sums or averages over processes.

    See `gluon.distributed.GradientAverager`.

    Examples
    --------
    >>> from gluon.megengine import Tensor, autodiff
    >>> w = Tensor([1.0, 2.0])
    >>> with autodiff.GradManager().attach([w], callbacks=make_allreduce_cb("MEAN")) as gm:
    ...     grad = gm.backward((w * w).sum())
    >>> w.grad
    Tensor([2. 4.], device=xpux:0)
    """
    op = reduce_method.lower()
    if op not in ("sum", "mean"):
        raise ArgumentError(
            f"make_allreduce_cb: reduce_method {reduce_method!r} is neither 'sum' nor 'mean'"
        )
    return collectives.GradientAverager("mean" if op == "mean" else "sum", group)


def launcher(
    func: Callable[..., Any] | None = None,
    *,
    n_gpus: int | None = None,
    world_size: int | None = None,
    **_: Any,
) -> Any:
    """Decorator: run the function in several processes and return a list of their results.

    In a process that ``mpiexec`` started it runs as it is.

    Examples
    --------
    >>> @launcher
    ... def main(n):
    ...     return n + get_rank()
    >>> main(2)
    [2]
    """
    if func is None:
        return lambda function: launcher(function, n_gpus=n_gpus, world_size=world_size)
    size, function = n_gpus or world_size or 1, func

    @wraps(function)
    def run(*args: Any, **kwargs: Any) -> list[Any]:
        if is_distributed():
            return collectives.allgather_object(function(*args, **kwargs))
        return launch(run, size, *args, **kwargs) if size > 1 else [function(*args, **kwargs)]

    return run


if not TYPE_CHECKING:  # which finds the names that are not there by itself
    __getattr__ = missing("distributed", __all__)
