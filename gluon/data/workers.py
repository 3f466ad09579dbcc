"""Processes and threads that load batches ahead of time.

A pool takes the indices of a batch with `submit` and returns the batch with `result`, in any
order. Each process has its own pipes, so that a process that dies leaves no lock behind, and its
end is noticed at once.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import random
import signal
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent import futures
from contextlib import contextmanager, suppress
from contextvars import Context
from itertools import count
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, NamedTuple
from weakref import WeakValueDictionary, finalize

import numpy as np

from .._core.arrays.switch import Semantics, adopt, semantics
from .._core.errors import DTypeError, GluonError, IndexRangeError
from .._core.kernels import generator
from . import shared

#: How often a worker checks whether its parent is alive, in seconds.
HEARTBEAT = 1.0
#: How long a worker may take to end, in seconds.
GRACE = 2.0
#: The prefix of the names of worker processes, followed by a number.
WORKER = "gluon-data-"
Batchify = Callable[[list], Any]


class WorkerTimeout(GluonError, multiprocessing.TimeoutError):
    """A worker took too long."""

    def __init__(self, timeout: float) -> None:
        super().__init__(
            f"DataLoader: no batch came within timeout={timeout} seconds; allow more, or find"
            " with num_workers=0 what takes so long"
        )


class WorkerTraceback(GluonError):
    """The traceback of an error in a worker: the cause of that error in the parent."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def load(dataset: Any, batchify: Batchify, indices: Iterable[Any]) -> Any:
    """The batch of the samples with these indices."""
    samples, index = [], None
    try:
        for index in indices:
            samples.append(dataset[index])
    except IndexError as error:
        if isinstance(index, int) and not -len(dataset) <= index < len(dataset):
            raise IndexRangeError(
                f"DataLoader: the sampler gives sample {index} of a dataset of {len(dataset)}"
                f" samples; it must give numbers from 0 to {len(dataset) - 1}"
            ) from error
        raise
    return batchify(samples)


def _load_as(chosen: Semantics, dataset: Any, batchify: Batchify, indices: Iterable) -> Any:
    """Call `load` in a worker, with the interface that the parent selected."""
    adopt(chosen)
    return load(dataset, batchify, indices)


# ------------------------------------------------------------------------------ in a worker


class Task(NamedTuple):
    """A request to a worker."""

    number: int
    indices: Any
    seed: tuple[int, int]
    semantics: Semantics


class Failure(NamedTuple):
    """An exception on its way to the parent."""

    error: bytes | None
    kind: str
    text: str


def serve(
    tasks: Connection, results: Connection, inherited: list[Any], dataset: Any, batchify: Batchify
) -> None:
    """Load batches until the parent ends, or ends this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    for pipe in inherited:
        pipe.close()
    shared.serving = True
    queue: SimpleQueue[Task] = SimpleQueue()
    Thread(target=_listen, args=(tasks, queue, os.getppid()), daemon=True).start()
    # A fresh context: the parent may have been recording, or have used another device.
    Context().run(_serve, queue, results, dataset, batchify)


def _listen(tasks: Connection, queue: SimpleQueue[Task], parent: int) -> None:
    """Read tasks from the pipe so that it never fills up; end when the parent ends."""
    try:
        while True:
            while not tasks.poll(HEARTBEAT):
                if os.getppid() != parent:
                    os._exit(1)
            queue.put(tasks.recv())
    except (EOFError, OSError):
        os._exit(0)


def _serve(queue: SimpleQueue[Task], results: Connection, dataset: Any, batchify: Batchify) -> None:
    while True:
        task = queue.get()
        _reseed(task.seed)
        try:
            batch = _load_as(task.semantics, dataset, batchify, task.indices)
            good, packed = True, shared.pack(batch)
        except BaseException as error:
            good, packed = False, shared.pack(_failure(error))
        try:
            shared.send(results, (task.number, good), packed)
        except BrokenPipeError:
            os._exit(1)
        del packed


def _reseed(seed: tuple[int, int]) -> None:
    """Seed the generators of gluon, NumPy and Python, differently for each batch."""
    first, second, *rest = np.random.SeedSequence(seed).generate_state(4, np.uint64).tolist()
    generator.seed(first)
    random.seed(second)
    np.random.seed([word & 0xFFFFFFFF for word in rest])  # noqa: NPY002


def _failure(error: BaseException) -> Failure:
    content = None
    if isinstance(error, Exception):
        try:
            content = pickle.dumps(error)
            pickle.loads(content)
        except Exception:  # many exceptions cannot be recreated from their arguments
            content = None
    kind = f"{type(error).__name__}: {error}"
    return Failure(content, kind, "".join(traceback.format_exception(error)))


# ------------------------------------------------------------------------------- in the parent


class _Worker:
    """A process, its pipes, and its number of pending tasks."""

    def __init__(self, process: Any, tasks: Connection, results: Connection) -> None:
        self.process, self.tasks, self.results = process, tasks, results
        self.pending = 0


class Ticket:
    """The claim to a batch; without it the batch is dropped when it arrives."""

    __slots__ = ("__weakref__", "outcome")

    def __init__(self) -> None:
        self.outcome: tuple[bool, shared.Packed] | None = None


class Processes:
    """A pool of processes, which ends with the last reference to it.

    Parameters
    ----------
    workers : int
    dataset : Dataset
    batchify : callable

    Raises
    ------
    DTypeError
        If the data set cannot be sent to a process.
    GluonError
        If this process is a worker itself.
    """

    def __init__(self, workers: int, dataset: Any, batchify: Batchify) -> None:
        if multiprocessing.current_process().daemon:
            raise GluonError(
                "DataLoader: a worker cannot have workers of its own; take num_workers=0 here"
            )
        self._lock, self._numbers = Lock(), count()
        self._tickets: WeakValueDictionary[int, Ticket] = WeakValueDictionary()
        self._workers: list[_Worker] = []
        self._end = finalize(self, _stop, self._workers, os.getpid())
        try:
            for _ in range(workers):
                self._workers.append(_started(self._workers, dataset, batchify))
        except BaseException:
            self.close()
            raise

    @property
    def closed(self) -> bool:
        """Whether the processes have been ended."""
        return not self._end.alive

    def close(self) -> None:
        """End the processes; calling it again has no effect."""
        self._end()

    def seed(self) -> int:
        """The seed of the workers' random numbers, drawn from gluon's generator."""
        return int(generator.generator().integers(2**63))

    def submit(self, indices: Any, seed: tuple[int, int]) -> Ticket:
        """Have a batch loaded by the least busy process."""
        ticket, number = Ticket(), next(self._numbers)
        with self._lock:
            self._check()
            self._tickets[number] = ticket
            worker = min(self._workers, key=lambda one: one.pending)
            worker.pending += 1
            with suppress(BrokenPipeError):  # `result` reports a worker that died
                worker.tasks.send(Task(number, indices, seed, semantics()))
        return ticket

    def result(self, ticket: Ticket, timeout: float) -> Any:
        """The batch of a ticket, once it is loaded.

        Raises
        ------
        Exception
            The error that loading it raised, with the traceback in the worker as its cause.
        GluonError
            If a worker died.
        WorkerTimeout
            If it takes longer than `timeout` seconds.
        """
        try:
            end = monotonic() + timeout
            with self._lock:
                while ticket.outcome is None:
                    self._check()
                    if not self._receive(end - monotonic()):
                        raise WorkerTimeout(timeout)
            good, packed = ticket.outcome
            value = shared.unpack(packed)
            if not good:
                raise _error(value)
            return value
        except BaseException:
            self.close()
            raise

    def forget(self, tickets: Iterable[Ticket]) -> None:
        """Nothing to do: batches without a ticket are dropped."""

    def _check(self) -> None:
        if self.closed:
            raise _ended()

    def _receive(self, seconds: float) -> bool:
        """Wait for batches and store the requested ones; return False on a timeout."""
        ends = {one.process.sentinel: one for one in self._workers}
        ready = wait([*ends, *(one.results for one in self._workers)], max(seconds, 0))
        talking = [one for one in self._workers if one.results in ready]
        for worker in talking:
            try:
                (number, good), packed = shared.receive(worker.results)
            except (EOFError, OSError) as error:
                raise _death(worker, error) from error
            worker.pending -= 1
            ticket = self._tickets.pop(number, None)
            if ticket is not None:
                ticket.outcome = good, packed
        if ready and not talking:
            raise _death(next(worker for end, worker in ends.items() if end in ready), None)
        return bool(ready)


def _started(others: list[_Worker], dataset: Any, batchify: Batchify) -> _Worker:
    """Start a new process."""
    context = multiprocessing.get_context()
    forks = context.get_start_method() == "fork"
    theirs_in, tasks = context.Pipe(duplex=False)
    results, theirs_out = context.Pipe()
    ours = [tasks, results, *(pipe for one in others for pipe in (one.tasks, one.results))]
    arguments = theirs_in, theirs_out, ours if forks else [], dataset, batchify
    process = context.Process(
        target=serve, args=arguments, daemon=True, name=f"{WORKER}{len(others)}"
    )
    try:
        with _uninterrupted(), warnings.catch_warnings():
            # Python warns about forking if there are threads, such as those of NumPy's BLAS.
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        if forks:
            raise
        raise DTypeError(
            f"DataLoader: the start method {context.get_start_method()!r} of multiprocessing"
            f" pickles the data set and batchify_fn, and this fails: {error}. Define functions at"
            " the top of a module, or pass thread_pool=True or num_workers=0"
        ) from error
    finally:
        theirs_in.close()
        theirs_out.close()
    return _Worker(process, tasks, results)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C until the new process is ready to ignore it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _stop(workers: list[_Worker], owner: int) -> None:
    """End processes, unless this is a forked process, which does not own them."""
    if os.getpid() != owner:
        return
    for one in workers:
        one.process.terminate()
    for one in workers:
        one.process.join(GRACE)
        if one.process.is_alive():
            one.process.kill()
            one.process.join()
        one.tasks.close()
        one.results.close()
        one.process.close()
    workers.clear()


def _death(worker: _Worker, error: Exception | None) -> GluonError:
    """Return the error for a worker that ended, or that failed to answer because of `error`."""
    process = worker.process
    process.join(GRACE)
    code = process.exitcode
    if code is None:
        return GluonError(f"DataLoader: a batch could not be received: {error!r}")
    signals = {-one.value: one.name for one in signal.Signals}
    how = signals.get(code, f"exit code {code}")
    return GluonError(
        f"DataLoader: the worker process {process.pid} died ({how}). SIGKILL often means that"
        " memory ran out: take fewer workers or smaller batches. An exit code of 1 under the start"
        " method 'spawn' often means that the script lacks if __name__ == '__main__'. With"
        " num_workers=0 the samples are loaded in this process"
    )


def _ended() -> GluonError:
    return GluonError("DataLoader: its workers stopped after an error; iterate over it again")


def _error(failure: Failure) -> Exception:
    """Return the exception that a worker raised, with its traceback as the cause."""
    error: Any = None
    if failure.error is not None:
        error = pickle.loads(failure.error)
    if error is None:
        error = GluonError(f"DataLoader: a worker raised {failure.kind}")
    error.__cause__ = WorkerTraceback(failure.text)
    return error


class Threads:
    """A pool of threads.

    Parameters
    ----------
    workers : int
    dataset : Dataset
    batchify : callable
    """

    def __init__(self, workers: int, dataset: Any, batchify: Batchify) -> None:
        self._executor = futures.ThreadPoolExecutor(workers, "gluon-data")
        self._dataset, self._batchify = dataset, batchify
        self._end = finalize(self, self._executor.shutdown, wait=False, cancel_futures=True)

    @property
    def closed(self) -> bool:
        """Whether the threads have been ended."""
        return not self._end.alive

    def close(self) -> None:
        """End the threads after their current batches; calling it again has no effect."""
        self._end()

    def seed(self) -> int:
        """Threads share the random numbers of this process: 0."""
        return 0

    def submit(self, indices: Any, seed: tuple[int, int]) -> futures.Future:
        """Start loading a batch, with recording off."""
        if self.closed:
            raise _ended()
        run: Callable = Context().run
        # A list of its own: the sampler may write the next indices into the same one.
        indices = list(indices)
        return self._executor.submit(
            run, _load_as, semantics(), self._dataset, self._batchify, indices
        )

    def result(self, ticket: futures.Future, timeout: float) -> Any:
        """The batch of a ticket, once it is loaded; see `Processes.result`."""
        try:
            if not futures.wait([ticket], timeout).done:
                raise WorkerTimeout(timeout)
            if ticket.cancelled():
                raise _ended()
            return ticket.result()
        except BaseException:
            self.close()
            raise

    def forget(self, tickets: Iterable[futures.Future]) -> None:
        """Cancel those of these batches that are not being loaded yet."""
        for one in tickets:
            one.cancel()
