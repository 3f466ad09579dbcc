"""Groups of the processes that MPI started, and what they agree on before they exchange data.

Before each collective operation every rank of the group sends the others one record: the number of
this call, and a digest of the text that says what the operation is, its shape and dtype, and its
name. Ranks that disagree raise the same error instead of exchanging data of different sizes. A rank
that waits long tells all others what it waits for, so that ranks which wait for each other, or for
one that has ended, find out and raise.
"""

from __future__ import annotations

import atexit
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from threading import get_ident
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import watch

if TYPE_CHECKING:  # not imported by processes without MPI
    from concurrent.futures import Future, ThreadPoolExecutor

#: Variables that MPI's launchers set for the processes that they start.
LAUNCHED = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK", "MPI_LOCALRANKID")
#: The variables of those launchers that hold the rank and the number of processes.
RANKS = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK")
SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE")
#: The record that a rank sends to the others before a collective.
RECORD = np.dtype([("call", "i8"), ("length", "i8"), ("text", "u8")])
#: How much of a text an error shows, at its start and around the place where two differ.
START, AROUND = 160, 80
#: The seconds until a waiting rank checks the others, and until a deadlock is certain.
PATIENCE, CERTAIN = 2.0, 4.0
#: The seconds during which a waiting rank only yields, and the shortest and longest sleep after
#: that. The thread of `submit` sleeps at once while the program computes.
EAGER, NAP, SLEEP = 0.02, 0.0002, 0.005
#: Yields to another process; ``time.sleep(0)`` takes a hundred times as long on Linux.
give_way: Callable[[], None] = getattr(os, "sched_yield", lambda: time.sleep(0))


class Group:
    """Processes that exchange data, each with its rank in the group.

    Attributes
    ----------
    ranks : tuple of int
        Their ranks among all processes.
    rank : int
        The rank of this process in the group; -1 if it is not a member.
    size : int
        The number of processes.
    comm : mpi4py.MPI.Comm or None
        MPI's communicator; None for a group of one, which needs none.
    calls : int
        How many collectives this process has begun in the group.
    """

    calls: int
    comm: Any
    rank: int
    ranks: tuple[int, ...]
    size: int

    def __init__(self, ranks: tuple[int, ...], rank: int, comm: Any) -> None:
        self.ranks, self.rank, self.comm = ranks, rank, comm
        self.size, self.calls = len(ranks), 0

    def exchange(self, operation: str, *args: Any) -> Any:
        """Let MPI do an operation that all ranks have agreed on."""
        with watch.during():
            return self.tried(getattr(self.comm, operation), *args)

    def tried(self, function: Callable[..., Any], *args: Any) -> Any:
        """The result of a function of MPI, which may find out that a rank has died."""
        try:
            return function(*args)
        except library().Exception as error:
            raise ConnectionError(
                f"rank {world().rank} fails in {watch.called[0]}: MPI reports {error}; see whether"
                " another rank has died"
            ) from None


class Status(NamedTuple):
    """What a rank told the others.

    Attributes
    ----------
    calls : dict of tuple of int to int
        For each group, how many collectives it has begun.
    waits : tuple of int or None
        The group in which it waits.
    text : str
        The operation that it waits in; or why it will never call another.
    ended : bool
    """

    calls: dict[tuple[int, ...], int]
    waits: tuple[int, ...] | None
    text: str
    ended: bool = False


#: The groups by their ranks.
_groups: dict[tuple[int, ...], Group] = {}


def launched_rank() -> int | None:
    """The rank that MPI's launcher gave this process, None in a single one; starts no MPI."""
    if any(os.environ.get(name) == "1" for name in SIZES):
        return None
    return next((int(os.environ[name]) for name in RANKS if name in os.environ), None)


def is_first() -> bool:
    """Whether this is the process that shows progress to the user; starts no MPI."""
    return not launched_rank()


@cache
def library() -> Any:
    """`mpi4py.MPI`, which starts MPI; its processes end together from now on."""
    try:
        from mpi4py import MPI
    except ImportError as error:
        raise ImportError(
            "this process was started by mpiexec, but mpi4py is not installed:"
            ' pip install "gluon-autograd[mpi]"'
        ) from error
    return MPI


@cache
def world() -> Group:
    """All processes that were started together; this one alone without MPI's launcher."""
    if not any(name in os.environ for name in LAUNCHED) or library().COMM_WORLD.size == 1:
        group = Group((0,), 0, None)
    else:
        comm = library().COMM_WORLD.Dup()
        group = Group(tuple(range(comm.size)), comm.rank, comm)
        board = Board(library().COMM_WORLD.Dup())
        _boards.append(board)
        atexit.register(board.leave)
        watch.Watch(group.rank, group.size, lambda: library().COMM_WORLD.Abort(1)).begin()
    _groups[group.ranks] = group
    return group


def group_of(ranks: tuple[int, ...] | None) -> Group:
    """The group of `ranks`; of all processes for None. All of its members must ask for it."""
    everyone = world()
    if ranks is None or ranks == everyone.ranks:
        return everyone
    if ranks not in _groups:
        _groups[ranks] = _new_group(everyone, ranks)
    return _groups[ranks]


def _new_group(everyone: Group, ranks: tuple[int, ...]) -> Group:
    if not ranks or len(set(ranks)) < len(ranks) or not set(ranks) <= set(everyone.ranks):
        raise ValueError(
            f"a group of the ranks {ranks}: give different ranks from 0 to {everyone.size - 1}"
        )
    rank = ranks.index(everyone.rank) if everyone.rank in ranks else -1
    if rank < 0 or len(ranks) == 1:
        return Group(ranks, rank, None)
    members = everyone.comm.Get_group().Incl(ranks)
    return Group(ranks, rank, everyone.comm.Create_group(members))


#: What collectives of this thread or task are called besides, inside `called`.
_called: ContextVar[str] = ContextVar("gluon_collective", default="")


@contextmanager
def called(text: str) -> Iterator[None]:
    """Let ranks agree on `text` too, such as the name of an array, in the collectives inside."""
    token = _called.set(text)
    try:
        yield
    finally:
        _called.reset(token)


def agree(group: Group, text: str, length: int = 0) -> Any:
    """Wait until every rank of `group` makes the same call; gives the `length` of each.

    Parameters
    ----------
    group : Group
    text : str
        What must be equal on all ranks.
    length : int, default 0
        What may differ.

    Returns
    -------
    numpy.ndarray of int64 and shape (group.size,)

    Raises
    ------
    ConnectionError
        If the calls differ, or if some rank can never make its own.
    ValueError
        If this process is not a member.
    """
    if group.rank < 0:
        raise ValueError(f"rank {world().rank} is not a member of the group of ranks {group.ranks}")
    group.calls += 1
    text += _called.get()
    watch.called[:] = [text]
    if group.size == 1:
        return np.array([length])
    if _begun and get_ident() not in _thread_ids:
        finished(_begun[0])
    given = np.array([(group.calls, length, _digest(text))], RECORD)
    gathered = np.empty(group.size, RECORD)
    byte = library().BYTE
    request = group.comm.Iallgather([given.view(np.uint8), byte], [gathered.view(np.uint8), byte])
    with watch.during():
        _wait(request, group, text)
    if (gathered["text"] != gathered["text"][0]).any():
        raise _disagreement(group, text)
    return gathered["length"]


def _digest(text: str) -> int:
    from hashlib import blake2b  # lazy: not imported by processes without MPI

    return int.from_bytes(
        blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest(), "little"
    )


def _disagreement(group: Group, text: str) -> ConnectionError:
    """The error of all ranks, once each has found out that some `text` differs."""
    texts: list[str] = group.exchange("allgather", text)
    other = next(rank for rank, one in enumerate(texts) if one != texts[0])
    same = next(
        (k for k, (one, two) in enumerate(zip(texts[0], texts[other])) if one != two),
        min(len(texts[0]), len(texts[other])),
    )
    return ConnectionError(
        f"rank {group.ranks[0]} calls {_shown(texts[0], same)}, but rank {group.ranks[other]}"
        f" calls {_shown(texts[other], same)}; all ranks of a group must make the same calls in the"
        " same order"
    )


def _shown(text: str, place: int) -> str:
    """A text, shortened to its start and what is around a place in it."""
    if len(text) <= START + 2 * AROUND:
        return text
    first = max(place - AROUND, START)
    end = "..." if first + 2 * AROUND < len(text) else ""
    return f"{text[:START]}...{text[first : first + 2 * AROUND]}{end}"


#: The futures last given to the thread of `submit`, those that the program awaits, and the
#: identifier of that thread.
_begun: list[Future[Any]] = []
_awaited: list[Future[Any]] = []
_thread_ids: set[int] = set()


@cache
def _thread() -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(1, "gluon.mpi", lambda: _thread_ids.add(get_ident()))


def submit(work: Callable[[], Any]) -> Future[Any]:
    """Let a thread do collectives in the order they are given; others wait until it is done."""
    _begun[:] = [_thread().submit(work)]
    return _begun[0]


def finished(future: Future[Any]) -> Future[Any]:
    """What `submit` gave, when the thread has done it, without leaving time to the program."""
    _awaited.append(future)
    try:
        future.exception()  # waits, and does not raise
    finally:
        _awaited.pop()
    return future


def _wait(request: Any, group: Group, text: str) -> None:
    begun, board, is_told = time.monotonic(), _boards[0], False
    is_helper = get_ident() in _thread_ids
    while not group.tried(request.Test):
        waited = time.monotonic() - begun
        if waited < EAGER and (_awaited or not is_helper):
            give_way()
        else:
            time.sleep(min(max(NAP, waited / 100), SLEEP))
        if waited > PATIENCE:
            if not is_told:
                board.tell(group.ranks, text)
                is_told = True
            board.look(time.monotonic())
    if is_told:
        board.tell(None, "")


class Board:
    """What the other ranks told this one, and whether any of them can still go on.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
        Used for nothing else.
    """

    comm: Any
    heard: dict[int, Status]

    def __init__(self, comm: Any) -> None:
        self.comm, self.heard = comm, dict[int, Status]()
        self.sent: list[Any] = []
        self.stuck_since: float | None = None

    def tell(self, waits: tuple[int, ...] | None, text: str, ended: bool = False) -> None:
        """Tell all other ranks what this one waits for now."""
        calls = {ranks: group.calls for ranks, group in _groups.items()}
        status = self.heard[self.comm.rank] = Status(calls, waits, text, ended)
        others = (rank for rank in range(self.comm.size) if rank != self.comm.rank)
        self.sent = [request for request in self.sent if not request.Test()]
        self.sent += [self.comm.isend(status, rank) for rank in others]
        self.stuck_since = None

    def leave(self) -> None:
        """Tell the others that this process ends, which may be while they wait for it."""
        self.tell(None, "has ended", ended=True)

    def look(self, now: float) -> None:
        """Hear the others; raise if this rank waits for ranks that can never come."""
        where = library().Status()
        while self.comm.iprobe(status=where):
            self.heard[where.Get_source()] = self.comm.recv(source=where.Get_source())
            self.stuck_since = None
        blocked = self.blocked()
        if self.comm.rank not in blocked:
            self.stuck_since = None
        elif self.stuck_since is None:
            self.stuck_since = now
        elif now - self.stuck_since > CERTAIN:
            mine = self.heard[self.comm.rank]
            reasons = ", ".join(
                f"rank {rank} "
                + ("" if self.heard[rank].ended else "waits in ")
                + self.heard[rank].text
                for rank in sorted(self.missing(mine) & blocked)
            )
            raise ConnectionError(
                f"rank {self.comm.rank} waits in {mine.text} for ever: {reasons}; all ranks of a"
                " group must make the same calls in the same order"
            )

    def missing(self, status: Status) -> set[int]:
        """The ranks that have not yet begun the call in which a rank waits."""
        ranks = status.waits or ()
        silent = Status({}, None, "")
        return {
            rank
            for rank in ranks
            if self.heard.get(rank, silent).calls.get(ranks, 0) < status.calls[ranks]
        }

    def blocked(self) -> set[int]:
        """The ranks that have ended, or wait for ranks of which some are blocked."""
        blocked = {rank for rank, one in self.heard.items() if one.ended or one.waits}
        while True:
            free = {
                rank
                for rank in blocked
                if not self.heard[rank].ended and not self.missing(self.heard[rank]) & blocked
            }
            if not free:
                return blocked
            blocked -= free


#: The single board of this process, if there are several processes.
_boards: list[Board] = []
