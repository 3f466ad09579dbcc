"""The processes of Horovod's programs, and sets of them."""

from __future__ import annotations

import socket
from collections.abc import Callable
from functools import cached_property
from itertools import count
from typing import Any, Final

from ... import distributed
from ..._core.errors import ArgumentError, GluonError


class ProcessSet:
    """A set of processes, given by ranks or as a communicator of mpi4py.

    Every process creates it, and registers it by `init` or `add_process_set`.
    """

    process_set_id: int | None

    def __init__(self, ranks_or_comm: Any) -> None:
        self.process_set_id = None
        self._given = ranks_or_comm

    @cached_property
    def ranks(self) -> Any:
        """The ranks of the members."""
        if self._given is None:
            return list(range(distributed.get_size()))
        if not hasattr(self._given, "allgather"):
            return list(distributed.new_group(self._given).ranks)
        return self._given.allgather(distributed.get_rank())

    def size(self) -> int:
        """The number of members."""
        return len(self.ranks)

    def rank(self) -> int:
        """The rank of this process in the set; -1 if it is not a member."""
        return distributed.get_rank(self.ranks)

    def included(self) -> bool:
        """Whether this process is a member."""
        return self.rank() >= 0

    def __repr__(self) -> str:
        return f"ProcessSet(process_set_id={self.process_set_id}, ranks={self.ranks})"


global_process_set: ProcessSet = ProcessSet(None)
global_process_set.process_set_id = 0
_numbers = count(1)


def add_process_set(process_set_or_ranks: Any) -> ProcessSet:
    """Register a process set, or one of these ranks; every process calls this."""
    given = process_set_or_ranks
    found = given if isinstance(given, ProcessSet) else ProcessSet(given)
    if found.process_set_id is None:
        found.process_set_id = next(_numbers)
    return found


def remove_process_set(process_set: ProcessSet) -> bool:
    """Remove a process set; return whether it was registered and not the global one."""
    if not process_set.process_set_id:
        return False
    process_set.process_set_id = None
    return True


def members(process_set: Any) -> tuple[int, ...]:
    """The ranks of a process set that may be used."""
    _need_init()
    if process_set.process_set_id is None:
        raise ArgumentError(
            f"{process_set!r} is not registered; pass it to hvd.init(process_sets=[...]) or"
            " hvd.add_process_set in every process"
        )
    return tuple(process_set.ranks)


#: The host names of all processes, between `init` and `shutdown`.
_hosts: list[str] = []


def init(comm: Any = None, process_sets: Any = None) -> None:
    """Connect to the processes that ``mpiexec`` started with this one; every process calls this."""
    everyone = list(range(distributed.get_size()))
    if comm is not None and ProcessSet(comm).ranks != everyone:
        raise ArgumentError(
            f"hvd.init: comm={comm!r}: all {len(everyone)} processes take part; for some of them"
            " make a hvd.ProcessSet"
        )
    _hosts[:] = distributed.allgather_object(socket.gethostname())
    if process_sets is not None and process_sets != "dynamic":
        for one in process_sets:
            add_process_set(one)


def shutdown() -> None:
    """Stop using collectives; MPI itself ends with the program."""
    _hosts.clear()


def is_initialized() -> bool:
    """Whether `init` was called."""
    return bool(_hosts)


def _need_init() -> None:
    if not _hosts:
        raise ArgumentError("Horovod has not been initialized; use hvd.init().")


def size() -> int:
    """The number of processes."""
    _need_init()
    return distributed.get_size()


def rank() -> int:
    """The rank of this process."""
    _need_init()
    return distributed.get_rank()


def _local_ranks() -> list[int]:
    """The rank of each process among those of its machine."""
    _need_init()
    return [_hosts[:k].count(host) for k, host in enumerate(_hosts)]


def local_rank() -> int:
    """The rank of this process among those of its machine."""
    return _local_ranks()[distributed.get_rank()]


def local_size() -> int:
    """The number of processes of this machine."""
    _need_init()
    return _hosts.count(_hosts[distributed.get_rank()])


def cross_rank() -> int:
    """The rank of this process among those of its local rank, one on each machine."""
    return _local_ranks()[: distributed.get_rank()].count(local_rank())


def cross_size() -> int:
    """The number of machines that have a process of this local rank."""
    return _local_ranks().count(local_rank())


def _yes() -> bool:
    """Return True: MPI exchanges the data."""
    return True


def _no() -> bool:
    """Return False: gluon exchanges data with MPI only."""
    return False


mpi_threads_supported: Final[Callable[[], bool]] = _yes
mpi_enabled: Final[Callable[[], bool]] = _yes
mpi_built: Final[Callable[[], bool]] = _yes
gloo_enabled: Final[Callable[[], bool]] = _no
gloo_built: Final[Callable[[], bool]] = _no
nccl_built: Final[Callable[[], bool]] = _no
ddl_built: Final[Callable[[], bool]] = _no
ccl_built: Final[Callable[[], bool]] = _no
cuda_built: Final[Callable[[], bool]] = _no
rocm_built: Final[Callable[[], bool]] = _no


def start_timeline(file_path: str, mark_cycles: bool = False) -> None:
    """Raise an error: use `gluon.profiler` to record times."""
    raise GluonError("start_timeline is unsupported; use gluon.profiler")


def stop_timeline() -> None:
    """Raise an error: use `gluon.profiler` to record times."""
    raise GluonError("stop_timeline is unsupported; use gluon.profiler")
