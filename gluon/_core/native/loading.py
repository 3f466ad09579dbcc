"""The compiled library: loaded if it was built, checked before it is used.

``GLUON_NATIVE=0`` leaves it out. ``GLUON_NATIVE`` may also name the instructions to use, of those
that the processor has: ``avx512``, ``avx2`` or ``sse2``. ``GLUON_KEEP_MEMORY=0`` gives freed
memory back to the system at once. ``GLUON_NATIVE_LEAST`` is for tests: from how many values on the
library computes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from threading import get_ident
from typing import Any

import numpy as np

from ..kernels import parallel
from . import blas

#: In the order of `enum type` in array.h.
DTYPES = tuple(
    np.dtype(name) for name in ("float32", "float64", "int32", "int64", "uint8", "bool", "float16")
)
#: The number of values from which on the library is used; with fewer, its overhead is larger than
#: its gain.
LEAST = int(os.environ.get("GLUON_NATIVE_LEAST", "2048"))


def _load() -> tuple[Any, str]:
    """Return the library and its instruction set, or None and the reason in a few words."""
    if os.environ.get("GLUON_NATIVE") == "0":
        return None, "switched off by GLUON_NATIVE=0"
    try:
        library = import_module("._library", __package__)
    except ModuleNotFoundError:
        return None, "not built: there was no C compiler"
    except ImportError as error:
        return None, f"not loaded: {error}"
    library.begin(np.ndarray, np.empty, DTYPES)
    if not all(_is_read_right(library, kind) for kind in range(1, len(DTYPES) + 1)):
        return None, f"not used: it does not know the arrays of NumPy {np.__version__}"
    library.set_threads(parallel.allowed())
    parallel.LISTENERS.append(library.set_threads)
    return library, library.instructions


def _keep_memory() -> bool:
    """Keep freed memory for the next step, if the system and the user allow it."""
    if library is None or os.environ.get("GLUON_KEEP_MEMORY") == "0":
        return False
    return library.keep_memory()


def operation(name: str, plain: Callable) -> Callable:
    """The library's operation `name`, which hands small arrays to `plain`; else `plain` itself."""
    return plain if library is None else library.Elementwise(plain, name, LEAST)


def _is_read_right(library: Any, kind: int) -> bool:
    """Whether the library reads the properties of arrays of one dtype correctly."""
    array = np.zeros((3, 4), DTYPES[kind - 1])
    read_only = array[1:]
    read_only.flags.writeable = False
    return all(
        library.check(
            x,
            x.__array_interface__["data"][0],
            x.shape,
            x.strides,
            kind,
            x.flags.c_contiguous and x.flags.aligned,
            x.flags.writeable,
        )
        for x in (array, array[:, ::2], array.T, read_only)
    )


#: The library or None, and a status text for users.
library, status = _load()
#: Whether NumPy's matrix products use the library's threads.
SHARES_THREADS = library is not None and blas.share(library)
#: Whether the process keeps freed memory.
KEEPS_MEMORY = _keep_memory()
KERNEL_NUMBERS = {name: k for k, name in enumerate(library.KERNELS)} if library else {}


def runner(name: str) -> Callable[..., bool]:
    """``run(arrays, integers, reals)`` for the kernel `name`; False where the arrays do not fit."""
    number = KERNEL_NUMBERS.get(name)
    if number is None:  # the library is outdated: gluon must be installed again
        return lambda *_: False

    def run(arrays: tuple, integers: tuple = (), reals: tuple = ()) -> bool:
        if _told and get_ident() in _told:
            return _told[get_ident()](name, arrays, integers, reals)
        return library.run(number, arrays, integers, reals)

    return run


def stepper(name: str) -> Callable[..., bool]:
    """``run(handles, written, reals, variable)`` for the kernel `name`; see library.c."""
    number = KERNEL_NUMBERS.get(name)
    if number is None or not hasattr(library, "step"):  # outdated
        return lambda *_: False
    return partial(library.step, number)


#: Who is told of calls of the library in place of it, by thread.
_told: dict[int, Callable[..., bool]] = {}


@contextmanager
def told(listener: Callable[..., bool]) -> Iterator[None]:
    """Tell ``listener(name, arrays, integers, reals)`` of calls, which compute nothing then."""
    _told[get_ident()] = listener
    try:
        yield
    finally:
        del _told[get_ident()]


def is_told() -> bool:
    """Whether somebody is `told` in this thread: the library then computes small arrays too."""
    return bool(_told) and get_ident() in _told


def run_kernel(name: str, arrays: tuple, integers: tuple, reals: tuple) -> bool:
    """Call a kernel of the library; False where the arrays do not fit."""
    return library.run(KERNEL_NUMBERS[name], arrays, integers, reals)
