"""``mxnet.model``, ``operator``, ``optimizer`` and ``image``: what training loops call."""

from __future__ import annotations

import ctypes
import inspect
import random
import re
from collections.abc import Sequence
from threading import Lock
from typing import Any, Final, NamedTuple

from ... import kvstore as stores
from ... import nd, np
from ...engine.errors import ArgumentError, DTypeError
from ...io.augment import check_interpolation
from ...kvstore import KVStoreBase
from ..operators import classic
from .errors import of_other_type


class OperatorArguments(NamedTuple):
    """What an operator takes: how many arguments, their names and their types."""

    narg: int
    names: list[str]
    types: list[str]


def get_operator_arguments(op_name: str) -> OperatorArguments:
    """The arguments of an operator, by its name.

    The types tell arrays from other values.
    """
    found = getattr(nd, op_name, None) or classic(op_name)
    if found is None:
        raise DTypeError(f"there is no operator {op_name!r}")
    kept = [
        one
        for one in inspect.signature(found).parameters.values()
        if one.name not in ("out", "name", "kwargs")
    ]
    types = ["NDArray-or-Symbol" if one.default is one.empty else "any" for one in kept]
    return OperatorArguments(len(kept), [one.name for one in kept], types)


def _str2tuple(string: str) -> list[str]:
    """The numbers in a text."""
    return re.findall(r"\d+", string)


def _get_interp_method(interp: int, sizes: Sequence[int] = ()) -> int:
    """The interpolation, 0 to 4, that 9 (by the sizes) or 10 (by chance) stands for.

    `sizes` are the height and the width before and after.
    """
    if interp == 9:
        if not sizes:
            return 2
        height, width, new_height, new_width = sizes
        if new_height > height and new_width > width:
            return 2
        return 3 if new_height < height and new_width < width else 1
    if interp == 10:
        return random.randint(0, 4)
    check_interpolation("_get_interp_method", interp)
    return interp


def _create_sparse_kvstore(kvstore: Any) -> tuple[Any, bool]:
    """The store for parameters with sparse gradients, which updates them; and True."""
    store = stores.create(kvstore) if isinstance(kvstore, str) else kvstore
    if not isinstance(store, KVStoreBase):
        raise of_other_type("kvstore", store, "a KVStore or its name")
    return store, True


def _as_classic(a: Any, allow_np: bool) -> Any:
    """Arrays of ``mx.np`` as those of ``mx.nd``."""
    inside = list(a) if isinstance(a, (list, tuple)) else [a]
    if not any(isinstance(one, np.ndarray) for one in inside):
        return a
    if not allow_np:
        raise ArgumentError("an optimizer without allow_np takes arrays of nd, not of np")
    found = [one.as_nd_ndarray() for one in inside]
    return found if isinstance(a, (list, tuple)) else found[0]


class _Registry:
    """Numbers what is entered."""

    def __init__(self) -> None:
        self.ref_holder: dict[int, Any] = {}
        self.counter = 0
        self.result_deps: set[Any] = set()
        self.lock = Lock()

    def inc(self) -> int:
        """The number of the next entry."""
        with self.lock:
            self.counter += 1
            return self.counter - 1


_registry = _Registry()
c_int_p: Final = ctypes.POINTER(ctypes.c_int)
