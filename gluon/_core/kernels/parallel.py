"""Large arrays in parts, by several threads: NumPy computes without the interpreter's lock.

Each value is computed as one thread would, so results are the same to the last bit, however
many threads there are.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import partial, wraps
from math import prod
from threading import local
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

#: The minimum number of values per thread, at a nanosecond or more each: waking it takes 50 µs.
PART = 1 << 17
#: The number of values per block, so that intermediate results stay in the cache.
BLOCK = 1 << 16
#: Rows up to this length are too short for a loop of their own.
SHORT_ROW = 32
#: What a fault of a thread itself raises: its handler says where the program crashed.
FAULTS = {
    getattr(signal, name)
    for name in ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS")
    if hasattr(signal, name)
}


def allowed() -> int:
    """How many threads the user and the machine allow; MXNet reads the same variables."""
    for name in ("MXNET_OMP_MAX_THREADS", "OMP_NUM_THREADS"):
        first = os.environ.get(name, "").split(",")[0].strip()
        if first.isdecimal() and int(first):
            return int(first)
    affinity = getattr(os, "sched_getaffinity", None)  # not available on all systems
    return len(affinity(0)) if affinity else os.cpu_count() or 1


_threads = allowed()
_pool: ThreadPoolExecutor | None = None
#: Functions called with the number of threads when it changes.
LISTENERS: list[Callable[[int], Any]] = []


def set_threads(count: int) -> int:
    """Use `count` threads from now on, the caller's included; returns how many it were."""
    global _threads, _pool
    before, _threads, _pool = _threads, count, None
    for tell in LISTENERS:
        tell(count)
    return before


def threads() -> int:
    """How many threads are used now, the caller's included."""
    return _threads


# As in MXNet, a forked process uses a single thread: it is one of several, and inherits none.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: set_threads(1))


class _Whole(local):
    """Whether kernels of this thread compute on a device, which takes arrays whole."""

    on = False


WHOLE = _Whole()


def in_parts(task: Callable[[int, int], Any], count: int, size: int) -> None:
    """``task(begin, end)`` for parts of ``range(count)``, which stand for `size` values in all.

    When this returns or raises, every part has ended. NumPy's `errstate` holds in all of them.
    """
    parts = min(_threads, count, size // PART)
    if parts < 2 or WHOLE.on:
        task(0, count)
        return
    state: dict[str, Any] = {**np.geterr(), "call": np.geterrcall()}

    def run(k: int) -> None:
        with np.errstate(**state):
            task(count * k // parts, count * (k + 1) // parts)

    futures = _submit(run, range(1, parts))
    try:
        run(0)
    finally:
        # This thread runs tasks that no other began: all may be busy, or cannot start.
        rest = [k for k, future in futures.items() if future is None or future.cancel()]
        errors = [f.exception() for k, f in futures.items() if f and k not in rest]
    for k in rest:
        run(k)
    for error in filter(None, errors):
        raise error


def _submit(run: Callable[[int], None], numbers: range) -> dict[int, Any]:
    """Return the future of each number, or None at interpreter shutdown."""
    pool = _pool or _new_pool()
    futures: dict[int, Any] = dict.fromkeys(numbers)
    try:
        for k in numbers:
            futures[k] = pool.submit(run, k)
    except RuntimeError:
        pass
    return futures


def _new_pool() -> ThreadPoolExecutor:
    global _pool
    from concurrent.futures import ThreadPoolExecutor  # lazy: the import takes 4 ms

    _pool = ThreadPoolExecutor(_threads - 1, "gluon", _leave_signals)
    return _pool


def _leave_signals() -> None:
    """Let no signal end in this thread: the program may block it, and wait for it."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals() - FAULTS)


def in_blocks(task: Callable[[int, int], Any], count: int, size: int) -> None:
    """``task(begin, end)`` for blocks of about `BLOCK` values, in several threads as `in_parts`.

    Where the blocks begin does not depend on the number of threads.
    """
    if WHOLE.on:
        task(0, count)
        return
    step = max(1, BLOCK * count // max(1, size))

    def part(begin: int, end: int) -> None:
        for k in range(begin, end):
            task(k * step, min((k + 1) * step, count))

    in_parts(part, -(-count // step), size)


def blockwise(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """`kernel`, elementwise with several steps, that takes a block of large arrays at a time."""

    @wraps(kernel)
    def run(x: Any, *others: Any, **attributes: Any) -> Any:
        if x.size < 2 * BLOCK or any(other.shape != x.shape for other in others):
            return kernel(x, *others, **attributes)
        flat = [array.reshape(-1) for array in (x, *others)]
        kind = kernel(*[array[:1] for array in flat], **attributes).dtype
        y = np.empty(x.size, kind)

        def task(a: int, b: int) -> None:
            y[a:b] = kernel(*[array[a:b] for array in flat], **attributes)

        in_blocks(task, x.size, x.size)
        return y.reshape(x.shape)

    return run


def elementwise(task: Callable[[Any, Any], Any], x: Any) -> Any:
    """A new array like `x`, which ``task(part of x, part of it)`` fills."""
    y = np.empty(x.shape, x.dtype)
    if x.size < 2 * BLOCK:
        task(x, y)
    else:
        flat, out = x.reshape(-1), y.reshape(-1)
        in_blocks(lambda a, b: task(flat[a:b], out[a:b]), x.size, x.size)
    return y


def rowwise(task: Callable[..., Any], axis: int, *inputs: Any, dtype: Any = None) -> Any:
    """A new array like the first of `inputs`, all of one shape and not empty, which `task` fills.

    ``task(*inputs, result, axis)`` is given parts of them, and where the axis is in these. The new
    array is of `dtype`, or of that of the first input.
    """
    y = np.empty(inputs[0].shape, dtype or inputs[0].dtype)
    axis %= y.ndim
    n, before, after = y.shape[axis], prod(y.shape[:axis]), prod(y.shape[axis + 1 :])
    if after == 1:
        arrays = [x.reshape(before, n) for x in (*inputs, y)]
        run = partial(_turned, task) if n <= SHORT_ROW else task
        in_blocks(lambda a, b: run(*[x[a:b] for x in arrays], -1), before, y.size)
        return y
    arrays = [x.reshape(before, n, after) for x in (*inputs, y)]
    if before > 1:
        in_blocks(lambda a, b: task(*[x[a:b] for x in arrays], 1), before, y.size)
    else:
        in_parts(lambda a, b: task(*[x[..., a:b] for x in arrays], 1), after, y.size)
    return y


def _turned(task: Callable, *arrays: Any) -> None:
    """Run `task` on transposed copies, because the rows are too short for NumPy's loops."""
    *inputs, y, axis = arrays
    out = np.empty_like(y, order="F")
    task(*map(np.asfortranarray, inputs), out, axis)
    y[...] = out
