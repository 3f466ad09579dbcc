"""Training on several processes, over `gluon.distributed`: started by ``mpiexec`` or `launcher`."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial, wraps
from typing import TYPE_CHECKING, Any

from .. import distributed as collectives
from .._core.errors import ArgumentError
from ..distributed.launch import launch
from .absent import missing
from .functional import distributed as functional
from .server import Client, Server

__all__ = [
    "WORLD",
    "Client",
    "Group",
    "Server",
    "bcast_list_",
    "functional",
    "get_backend",
    "get_client",
    "get_py_server_addr",
    "get_rank",
    "get_world_size",
    "group_barrier",
    "init_process_group",
    "is_distributed",
    "launcher",
    "make_allreduce_cb",
    "new_group",
    "override_backend",
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
        self._group: collectives.Group | None = None
        if proc_ranks is not None:
            self.reset(proc_ranks)

    def reset(self, proc_ranks: Sequence[int]) -> None:
        """Set other members; each of them must call this."""
        self.check(proc_ranks)
        self._group = collectives.new_group(proc_ranks)

    def check(self, proc_ranks: Sequence[int]) -> None:
        """Raise an error unless this process is a member."""
        if get_rank() not in proc_ranks:
            raise ArgumentError(
                f"Group({list(proc_ranks)}): rank {get_rank()} is not a member of the group; let"
                " only its members make it"
            )

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
        """The ranks as a string."""
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


@contextmanager
def override_backend(new_backend: str) -> Iterator[None]:
    """Ignored: MPI exchanges the data.

    Examples
    --------
    >>> with override_backend("nccl"):
    ...     group_barrier()
    """
    yield


@cache
def _meeting() -> tuple[Server | None, tuple[str, int], Client]:
    """The server on rank 0, where it is, and this process's client; all processes call this."""
    server = None if get_rank() else Server()
    hosts = collectives.allgather_object(socket.gethostname())
    host = "localhost" if len(set(hosts)) == 1 else hosts[0]
    port = collectives.broadcast_object(server and server.py_server_port)
    return server, (host, port), Client(host, port)


def get_client() -> Client:
    """The client of this process; all processes must make the first call.

    Examples
    --------
    >>> client = get_client()
    >>> client.user_set(f"loss of rank {get_rank()}", 0.5)
    True
    >>> client.user_get("loss of rank 0")
    0.5
    """
    return _meeting()[2]


def get_py_server_addr() -> tuple[str, int]:
    """Host and port of the server; all processes must make the first call.

    Examples
    --------
    >>> host, port = get_py_server_addr()
    """
    return _meeting()[1]


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
    get_client()


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
    n_gpus: int | None = None,
    world_size: int | None = None,
    rank_start: int = 0,
    master_ip: str = "localhost",
    port: int = 0,
    device_type: str = "xpu",
    backend: str = "nccl",
) -> Any:
    """Decorator: run the function in several processes and return a list of their results.

    In processes started by ``mpiexec`` it runs unchanged in each of them. Ports, devices and
    backends are left to MPI.

    Examples
    --------
    >>> @launcher
    ... def main(n):
    ...     return n + get_rank()
    >>> main(2)
    [2]
    """
    if func is None:
        return partial(launcher, n_gpus=n_gpus, world_size=world_size, rank_start=rank_start)
    size, function = n_gpus or world_size or 1, func
    if rank_start or (world_size or size) != size:
        raise ArgumentError(
            f"launcher: n_gpus={n_gpus}, world_size={world_size}, rank_start={rank_start}: it"
            " starts processes on this machine only; for several, write a file of their names and"
            f" start the script by: mpiexec -n {world_size or size} --hostfile FILE python -m"
            " gluon.megengine script.py"
        )

    @wraps(function)
    def run(*args: Any, **kwargs: Any) -> list[Any]:
        if is_distributed():
            return collectives.allgather_object(function(*args, **kwargs))
        return launch(run, size, *args, **kwargs) if size > 1 else [function(*args, **kwargs)]

    return run


if not TYPE_CHECKING:  # which looks missing names up itself
    __getattr__ = missing("distributed", __all__)
