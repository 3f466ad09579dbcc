"""Batches on their way from one process to another, in shared memory.

Each large array gets its own memory file. The file has no name: it is handed over as an open file
descriptor, so that nothing is left behind, however a process ends. Everything else is pickled.
"""

from __future__ import annotations

import io
import mmap
import os
import pickle
import tempfile
from math import prod
from multiprocessing import reduction
from multiprocessing.connection import Connection
from typing import Any, NamedTuple
from weakref import WeakSet

import numpy as np

from .._core.engine.array import Array, wrap
from .._core.kernels.memory import on_host

#: Whether processes can pass open files to each other; otherwise all arrays are pickled.
AVAILABLE = os.name == "posix" and reduction.HAVE_SEND_HANDLE
#: Smaller arrays are pickled: a file costs more than a copy.
SMALL = 1 << 15
#: Whether this process is a worker.
serving = False
#: The maximum number of open files with batches per process; further batches are copied.
OPEN_FILES = 128


class Memory(mmap.mmap):
    """The memory of a file without a name, which is closed with it.

    Attributes
    ----------
    file : int
        Its descriptor.
    handed_over : bool
        Whether it was handed over to another process.
    """

    file: int
    handed_over: bool

    def __del__(self) -> None:
        os.close(self.file)


#: The shared memory that this process has received and still uses.
_received: WeakSet[mmap.mmap] = WeakSet()


def _memory_file(size: int) -> int:
    """Return the descriptor of a new anonymous file, in memory if possible."""
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("gluon")
    else:
        with tempfile.TemporaryFile() as named:
            file = os.dup(named.fileno())
    os.ftruncate(file, size)
    return file


def _new_memory(size: int) -> Memory:
    file = _memory_file(size)
    try:
        memory = Memory(file, size)
    except BaseException:
        os.close(file)
        raise
    memory.file, memory.handed_over = file, False
    return memory


def empty(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """An array of arbitrary values; in a worker, its memory can be sent to another process."""
    dtype = np.dtype(dtype)
    size = prod(shape) * dtype.itemsize
    if size < SMALL or not (serving and AVAILABLE):
        return np.empty(shape, dtype)
    return np.ndarray(shape, dtype, _new_memory(size))


# ---------------------------------------------------------------------------------- pickling


class Packed(NamedTuple):
    """A pickled object and the memory files of its arrays."""

    content: bytes
    memory: list[Any]


class _Pickler(pickle.Pickler):
    """Pickles arrays with their memory out of band, non-contiguous ones included."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, Array):
            return wrap, (type(value), on_host(value.raw), value._ctx)
        if type(value) is np.ndarray and not value.flags.forc:
            return value.copy().__reduce_ex__(5)
        return NotImplemented


def pack(value: Any) -> Packed:
    """Pickle an object; the memory of its arrays is shared, or copied into memory that is."""
    memory: list[Any] = []

    def keep(buffer: pickle.PickleBuffer) -> bool:
        """Whether the pickle itself contains the bytes of an array."""
        view = buffer.raw()
        if view.nbytes < SMALL or not AVAILABLE:
            return True
        owner: Any = getattr(view.obj, "base", None)
        fresh = isinstance(owner, Memory) and not owner.handed_over
        if not fresh or len(owner) != view.nbytes:
            owner = _new_memory(view.nbytes)
            owner.write(view)
        owner.handed_over = True
        memory.append(owner)
        return False

    out = io.BytesIO()
    _Pickler(out, protocol=5, buffer_callback=keep).dump(value)
    return Packed(out.getvalue(), memory)


# --------------------------------------------------------------------------------- handing over


def send(pipe: Connection, head: Any, packed: Packed) -> None:
    """Send a few words and a packed object to another process."""
    pipe.send((head, [len(one) for one in packed.memory], packed.content))
    for one in packed.memory:
        reduction.send_handle(pipe, one.file, None)


def receive(pipe: Connection) -> tuple[Any, Packed]:
    """The words and the packed object that the other process sent."""
    head, sizes, content = pipe.recv()
    memory: list[Any] = []
    for size in sizes:
        file = reduction.recv_handle(pipe)
        try:
            one = mmap.mmap(file, size)
        finally:
            os.close(file)
        if len(_received) < OPEN_FILES:
            _received.add(one)
        memory.append(one if one in _received else bytearray(one))
    return head, Packed(content, memory)


def unpack(packed: Packed) -> Any:
    """The packed object, with its arrays in the memory that came along."""
    return pickle.loads(packed.content, buffers=packed.memory)
