"""``mxnet.model``, ``operator``, ``optimizer`` and ``image``: helpers for training loops."""

from __future__ import annotations

import ctypes
import json
import random
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple

from ... import kvstore as stores
from ... import np
from ..._core.errors import ArgumentError, DTypeError
from ...io.augment import check_interpolation
from ...kvstore import KVStoreBase
from .errors import of_other_type


class OperatorArguments(NamedTuple):
    """The arguments of an operator: number, names and types."""

    narg: int
    names: list[str]
    types: list[str]


def get_operator_arguments(op_name: str) -> OperatorArguments:
    """Return the arguments of an operator of MXNet by name.

    The types are written as in MXNet: ``"NDArray-or-Symbol"``, ``"float, optional, default=0.5"``.
    """
    types, operators = _known_arguments()
    if op_name not in operators:
        raise DTypeError(f"get_operator_arguments: unknown operator {op_name!r}")
    pairs = [one.rsplit(":", 1) for one in operators[op_name].split()]
    kinds = [types[int(number)] for _, number in pairs]
    return OperatorArguments(len(pairs), [name for name, _ in pairs], kinds)


@cache
def _known_arguments() -> tuple[list[str], dict[str, str]]:
    """Read the types of arguments, and those of each operator as ``name:index of the type``."""
    path = Path(__file__).parents[1] / "arguments.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    return found["types"], found["operators"]


def _str2tuple(string: str) -> list[str]:
    """Return the numbers in a string."""
    return re.findall(r"\d+", string)


def _get_interp_method(interp: int, sizes: Sequence[int] = ()) -> int:
    """Resolve the interpolation 9 (by the sizes) or 10 (random) to one from 0 to 4.

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
    """Return the store that updates parameters with sparse gradients, and True."""
    store = stores.create(kvstore) if isinstance(kvstore, str) else kvstore
    if not isinstance(store, KVStoreBase):
        raise of_other_type("kvstore", store, "a KVStore or its name")
    return store, True


def _as_classic(a: Any, allow_np: bool) -> Any:
    """Convert arrays of ``mx.np`` to ``mx.nd``."""
    inside = list(a) if isinstance(a, (list, tuple)) else [a]
    if not any(isinstance(one, np.ndarray) for one in inside):
        return a
    if not allow_np:
        raise ArgumentError("an optimizer without allow_np takes arrays of nd, not of np")
    found = [one.as_nd_ndarray() for one in inside]
    return found if isinstance(a, (list, tuple)) else found[0]


class _Registry:
    """Numbers its entries."""

    def __init__(self) -> None:
        self.ref_holder: dict[int, Any] = {}
        self.counter = 0
        self.result_deps: set[Any] = set()
        self.lock = Lock()

    def inc(self) -> int:
        """Return the number of the next entry."""
        with self.lock:
            self.counter += 1
            return self.counter - 1


_registry = _Registry()
c_int_p: Final = ctypes.POINTER(ctypes.c_int)
