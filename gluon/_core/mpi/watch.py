"""Messages of a rank before it ends: which rank it is, and the operation that it was in.

MPI's functions return to Python only when the data have been exchanged. A rank that waits in one
for a rank that has died runs no handler of signals, so a thread reads the signals too, and looks
whether an operation takes longer than `LIMIT` allows.
"""

from __future__ import annotations

import faulthandler
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Thread, current_thread, main_thread
from typing import Any

#: The environment variable with the seconds after which an operation ends its process.
LIMIT = "GLUON_DISTRIBUTED_TIMEOUT"
#: The last operation that this process began.
called: list[str] = []
#: When each operation in progress began.
_begun: list[float] = []


@contextmanager
def during() -> Iterator[None]:
    """Count the time that this process waits for others, or exchanges data with them."""
    _begun.append(time.monotonic())
    try:
        yield
    finally:
        _begun.pop()


def limit() -> float | None:
    """The seconds that an operation may take; None without a limit."""
    given = os.environ.get(LIMIT)
    try:
        seconds = float(given or "inf")
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise ValueError(f"{LIMIT}={given!r}; give a positive number of seconds")
    return seconds if seconds < float("inf") else None


def _last() -> str:
    """Describe the last operation that this process began."""
    return called[0] if called else "no operation"


class Watch:
    """Says where this process was when it is ended, and ends it after the limit.

    Parameters
    ----------
    rank, size : int
    abort : callable
        Ends the processes of all ranks.
    """

    def __init__(self, rank: int, size: int, abort: Callable[[], Any]) -> None:
        self._who, self._abort, self._limit = f"rank {rank} of {size}", abort, limit()
        self._is_said, self._show = Lock(), sys.excepthook

    def begin(self) -> None:
        """Watch uncaught exceptions, the signal that MPI ends processes with, and the limit."""
        sys.excepthook = self._fail
        woken = None
        if current_thread() is main_thread() and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
            self._process = os.getpid()
            signal.signal(signal.SIGTERM, self._end)
            woken = _wakeups()
        if woken is not None or self._limit:
            Thread(target=self._watch, args=(woken,), name="gluon.watch", daemon=True).start()

    def _fail(self, kind: Any, error: Any, trace: Any) -> None:
        """Print an uncaught exception, and then end the processes of all ranks."""
        self._show(kind, error, trace)
        print(
            f"{self._who} failed with {kind.__name__} in or after {_last()}; all ranks end",
            file=sys.stderr,
            flush=True,
        )
        sys.stdout.flush()
        self._abort()

    def _say(self) -> None:
        """Report that MPI ends this process, as it ends all if one has died."""
        if self._is_said.acquire(blocking=False):
            text = f"{self._who} is ended by SIGTERM in or after {_last()}\n"
            os.write(_shown(), text.encode())  # print() may have been interrupted

    def _end(self, number: int, _: Any) -> None:
        if os.getpid() == self._process:  # not a forked process
            self._say()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def _watch(self, woken: int | None) -> None:
        pause = min(1.0, self._limit / 4) if self._limit else None
        while True:
            ready, _, _ = select.select([] if woken is None else [woken], [], [], pause)
            if ready and woken is not None and signal.SIGTERM in os.read(woken, 64):
                self._say()
            if self._limit and _begun and time.monotonic() - _begun[0] > self._limit:
                self._give_up()

    def _give_up(self) -> None:
        text = (
            f"{self._who} has been in {_last()} for more than {self._limit:g} seconds, which"
            f" {LIMIT} does not allow; it ends here:\n"
        )
        os.write(2, text.encode())
        faulthandler.dump_traceback(2)
        os._exit(1)  # MPI may wait for a machine that is down


def _wakeups() -> int | None:
    """Return a pipe with the numbers of arriving signals; None if another library uses it."""
    read, write = os.pipe()
    os.set_blocking(write, False)
    before = signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    if before != -1:
        signal.set_wakeup_fd(before)
        return None
    # a child handles its own signals
    os.register_at_fork(after_in_child=lambda: signal.set_wakeup_fd(-1))
    return read


def _shown() -> int:
    """Return the descriptor to write to while all processes are being ended.

    Open MPI passes on nothing after Ctrl-C; its terminal shows what is written there.
    """
    try:
        terminal = os.open(f"/proc/{os.getppid()}/fd/2", os.O_WRONLY)
    except OSError:
        return 2
    return terminal if os.isatty(terminal) else 2
