"""Large arrays in parts, by several threads: NumPy computes without the interpreter's lock.

Each value is computed as one thread would, so results are the same to the last bit, however
many threads there are.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

#: The least values for a thread of its own, at a nanosecond or more each: to wake it takes 50 µs.
PART = 1 << 17


def allowed() -> int:
    """How many threads the user and the machine allow; MXNet reads the same variables."""
    for name in ("MXNET_OMP_MAX_THREADS", "OMP_NUM_THREADS"):
        first = os.environ.get(name, "").split(",")[0].strip()
        if first.isdecimal() and int(first):
            return int(first)
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(affinity(0)) if affinity else os.cpu_count() or 1


_threads = allowed()
_pool: ThreadPoolExecutor | None = None


def set_threads(count: int) -> int:
    """Use `count` threads from now on, the caller's included; returns how many it were."""
    global _threads, _pool
    before, _threads, _pool = _threads, count, None
    return before


# As in MXNet, a forked process keeps to one thread: it is one of several, and inherits none.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: set_threads(1))


def in_parts(task: Callable[[int, int], Any], count: int, size: int) -> None:
    """``task(begin, end)`` for parts of ``range(count)``, which stand for `size` values in all.

    When this returns or raises, every part has ended. NumPy's `errstate` holds in all of them.
    """
    parts = min(_threads, count, size // PART)
    if parts < 2:
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
        # What no thread has begun falls to this one: they may be busy, or none be left to start.
        rest = [k for k, future in futures.items() if future is None or future.cancel()]
        errors = [f.exception() for k, f in futures.items() if f and k not in rest]
    for k in rest:
        run(k)
    for error in filter(None, errors):
        raise error


def _submit(run: Callable[[int], None], numbers: range) -> dict[int, Any]:
    """The future of each number; None while the interpreter shuts down."""
    global _pool
    pool = _pool = _pool or ThreadPoolExecutor(_threads - 1, "gluon")
    futures: dict[int, Any] = dict.fromkeys(numbers)
    try:
        for k in numbers:
            futures[k] = pool.submit(run, k)
    except RuntimeError:
        pass
    return futures


def elementwise(task: Callable[[Any, Any], Any], x: Any) -> Any:
    """A new array like `x`, which ``task(part of x, part of it)`` fills."""
    y = np.empty(x.shape, x.dtype)
    if x.size < 2 * PART:
        task(x, y)
    else:
        flat, out = x.reshape(-1), y.reshape(-1)
        in_parts(lambda a, b: task(flat[a:b], out[a:b]), x.size, x.size)
    return y


def rowwise(task: Callable, axis: int, *inputs: Any, dtype: Any = None) -> Any:
    """A new array like the first of `inputs`, all of one shape and not empty, which `task` fills.

    `task` takes a part of each input, and of the new array, with `axis` as their last. The new
    array is of `dtype`, or of that of the first input.
    """
    y = np.empty(inputs[0].shape, dtype or inputs[0].dtype)
    arrays = [*inputs, y]
    if axis not in (-1, y.ndim - 1):
        arrays = [x.swapaxes(axis, -1) for x in arrays]
    elif y.ndim != 2:
        arrays = [x.reshape(-1, y.shape[-1]) for x in arrays]
    if y.size < 2 * PART:
        task(*arrays)
    else:
        in_parts(lambda a, b: task(*[x[a:b] for x in arrays]), len(arrays[0]), y.size)
    return y
