"""NumPy for kernels that compute on a device: what makes arrays makes them there.

Kernels are written for NumPy. Those that compute with arrays of their own, as ``np.zeros(shape)``,
would mix two memories. So while an operator computes on a device, the modules of kernels look up
these functions in a copy of NumPy's namespace, which is put in its place by `use` with the first
device array.

The alternative is a helper with a buffer as argument, such as ``like.zeros(x, shape)``, at each of
the 230 places where kernels create arrays. Many of these places are in functions that have no array
at hand, so it would have to be handed through, and a new kernel that forgets it would fail on
devices alone. The copy is one file, costs nothing before the first device array, leaves kernels as
they would be written for NumPy, and the samples of all operators prove it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local
from types import ModuleType
from typing import Any

import numpy as np

from .. import kernels
from ..kernels.parallel import WHOLE
from .common import OnDevice, find

#: Modules that look at memory, or that only the host uses.
OF_THE_HOST = "memory foreign signature generator sparse libsvm collective".split()
#: Folders whose modules compute.
COMPUTE = ("kernels", "ops")


class _Now(local):
    """Where kernels of this thread compute: a buffer that is there, or None for the host."""

    beside: Any = None


NOW = _Now()


@contextmanager
def beside(buffer: Any) -> Iterator[None]:
    """Make the arrays of kernels on the device of `buffer`."""
    before, NOW.beside = NOW.beside, buffer
    WHOLE.on = buffer is not None
    try:
        yield
    finally:
        NOW.beside, WHOLE.on = before, before is not None


def placed(raw: Any, there: Any) -> Any:
    """A host array on the device of a buffer."""
    return there.beside(np.asarray(raw))


def _making(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that makes arrays from numbers."""

    def make(*args: Any, **options: Any) -> Any:
        there = NOW.beside
        if there is None:
            return function(*args, **options)
        return placed(function(*args, **options), there)

    return make


def _filled(function: Callable[..., Any], value: Any) -> Callable[..., Any]:
    """``np.zeros`` and the like, filled on the device."""

    def make(shape: Any, dtype: Any = float, order: str = "C", **options: Any) -> Any:
        there = NOW.beside
        if there is None:
            return function(shape, dtype, order, **options)
        return there.filled(shape, value, float if dtype is None else dtype)

    return make


def _arange(*args: Any, **options: Any) -> Any:
    there = NOW.beside
    if there is None:
        return np.arange(*args, **options)
    numbers = [one.item() if isinstance(one, (np.generic, OnDevice)) else one for one in args]
    dtype = options.get("dtype") or np.result_type(*[np.asarray(one).dtype for one in numbers])
    return there.counted(*numbers, dtype=dtype)


def _array(x: Any, dtype: Any = None, copy: Any = True, **options: Any) -> Any:
    if isinstance(x, OnDevice):
        return x.astype(x.dtype if dtype is None else dtype, copy=bool(copy))
    if isinstance(x, (list, tuple)) and (there := find(x)) is not None:
        found = np.stack([one if isinstance(one, OnDevice) else placed(one, there) for one in x])
        return found if dtype is None else found.astype(dtype, copy=False)
    there = NOW.beside
    made = np.array(x, dtype, copy=copy, **options) if copy else np.asarray(x, dtype, **options)
    if there is None or made.dtype.kind == "O" or isinstance(x, np.ndarray) or not made.ndim:
        return made
    return placed(made, there)


def _asarray(x: Any, dtype: Any = None, order: Any = None, **options: Any) -> Any:
    if type(x) is np.ndarray:
        return np.asarray(x, dtype, order, **options)
    return _array(x, dtype, copy=False if isinstance(x, OnDevice) else None)


def _ascontiguousarray(x: Any, dtype: Any = None) -> Any:
    if not isinstance(x, OnDevice):
        return np.ascontiguousarray(x, dtype)
    x = x if dtype is None else x.astype(dtype, copy=False)
    return x if x.flags.c_contiguous else x.copy()


def namespace() -> ModuleType:
    """NumPy with the functions above."""
    made = ModuleType("numpy")
    made.__dict__.update(np.__dict__)
    for name in "eye identity tri indices linspace tril_indices triu_indices fromiter".split():
        setattr(made, name, _making(getattr(np, name)))
    for name, value in (("zeros", 0), ("ones", 1), ("empty", None)):
        setattr(made, name, _filled(getattr(np, name), value))
    made.full = _full  # type: ignore[attr-defined]
    made.arange = _arange  # type: ignore[attr-defined]
    made.array = _array  # type: ignore[attr-defined]
    made.asarray = _asarray  # type: ignore[attr-defined]
    made.ascontiguousarray = _ascontiguousarray  # type: ignore[attr-defined]
    made.asfortranarray = _asfortranarray  # type: ignore[attr-defined]
    return made


def _asfortranarray(x: Any, dtype: Any = None) -> Any:
    return x if isinstance(x, OnDevice) else np.asfortranarray(x, dtype)


def _full(shape: Any, value: Any, dtype: Any = None, **options: Any) -> Any:
    there = NOW.beside
    if there is None:
        return np.full(shape, value, dtype, **options)
    if dtype is None:
        dtype = value.dtype if isinstance(value, OnDevice) else np.asarray(value).dtype
    made = there.filled(shape, None, dtype)
    made[...] = value
    return made


def use() -> None:
    """Let kernels and gradient rules look up `namespace` in place of NumPy's."""
    made = namespace()
    root = kernels.__name__.rpartition(".")[0]
    for name, module in list(sys.modules.items()):
        folder, _, last = name.removeprefix(f"{root}.").partition(".")
        if folder in COMPUTE and last not in OF_THE_HOST:
            for alias in ("np", "numpy"):
                if module.__dict__.get(alias) is np:
                    setattr(module, alias, made)
