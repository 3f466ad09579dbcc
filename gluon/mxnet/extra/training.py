"""``mxnet.model``, ``operator``, ``optimizer`` and ``image``: what training loops call."""

from __future__ import annotations

import ctypes
import json
import os
import random
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple

from ... import kvstore as stores
from ... import np
from ...engine.errors import ArgumentError, DTypeError
from ...io.augment import check_interpolation
from ...kvstore import KVStoreBase
from .errors import of_other_type


def _create_kvstore(kvstore: Any, num_device: int, arg_params: Any) -> tuple[Any, bool]:
    """The store for some devices, and whether it updates parameters; None if none is needed."""
    store, updates = kvstore, os.environ.get("MXNET_UPDATE_ON_KVSTORE", "1") != "0"
    if isinstance(kvstore, str):
        store = None
        if num_device > 1 or "dist" in kvstore:
            store = stores.create(kvstore)
            largest = max((one.size for one in arg_params.values()), default=0)
            updates = updates and not (kvstore == "local" and largest > 2**24)
    elif kvstore is not None and not isinstance(kvstore, KVStoreBase):
        raise of_other_type("kvstore", kvstore, "a KVStore, its name or None")
    return store, store is not None and updates and store.is_capable(KVStoreBase.OPTIMIZER)


def _initialize_kvstore(
    kvstore: Any,
    param_arrays: Sequence[Any],
    arg_params: Any,
    param_names: Sequence[str],
    update_on_kvstore: bool,
) -> None:
    """Give a store the values of parameters, and devices the same ones."""
    for name, arrays in zip(param_names, param_arrays):
        if update_on_kvstore:
            kvstore.broadcast(name, arg_params[name], out=arrays)
        else:
            kvstore.init(name, arg_params[name])


def _update_params_on_kvstore(
    param_arrays: Sequence[Any], grad_arrays: Sequence[Any], kvstore: Any, param_names: Any
) -> None:
    """Have a store update parameters."""
    for index, (weights, grads) in enumerate(zip(param_arrays, grad_arrays)):
        if grads[0] is not None:
            kvstore.pushpull(param_names[index], grads, out=weights, priority=-index)


def _update_params(
    param_arrays: Sequence[Any],
    grad_arrays: Sequence[Any],
    updater: Callable,
    num_device: int,
    kvstore: Any = None,
    param_names: Any = None,
) -> None:
    """Update the parameters on each device, once a store has added up the gradients."""
    for index, (weights, grads) in enumerate(zip(param_arrays, grad_arrays)):
        if grads[0] is None:
            continue
        if kvstore:
            kvstore.pushpull(param_names[index], grads, priority=-index)
        for device, (weight, grad) in enumerate(zip(weights, grads)):
            updater(index * num_device + device, grad, weight)


def _multiple_callbacks(callbacks: Any, *args: Any, **kwargs: Any) -> None:
    """Call one function, those of a list, or none."""
    if callbacks is not None:
        for call in callbacks if isinstance(callbacks, list) else [callbacks]:
            call(*args, **kwargs)


class OperatorArguments(NamedTuple):
    """What an operator takes: how many arguments, their names and their types."""

    narg: int
    names: list[str]
    types: list[str]


def get_operator_arguments(op_name: str) -> OperatorArguments:
    """The arguments of an operator of MXNet, by its name.

    The types are in MXNet's words: ``"NDArray-or-Symbol"``, ``"float, optional, default=0.5"``.
    """
    types, operators = _known_arguments()
    if op_name not in operators:
        raise DTypeError(f"get_operator_arguments: there is no operator {op_name!r}")
    pairs = [one.rsplit(":", 1) for one in operators[op_name].split()]
    kinds = [types[int(number)] for _, number in pairs]
    return OperatorArguments(len(pairs), [name for name, _ in pairs], kinds)


@cache
def _known_arguments() -> tuple[list[str], dict[str, str]]:
    """The types of arguments, and what each operator takes: ``name:number of its type``."""
    path = Path(__file__).parents[1] / "arguments.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    return found["types"], found["operators"]


def _str2tuple(string: str) -> list[str]:
    """The numbers in a text."""
    return re.findall(r"\d+", string)


def _check_arguments(symbol: Any) -> None:
    """Raise ValueError if a symbol has a name twice."""
    for what in ("argument", "auxiliary"):
        names = getattr(symbol, f"list_{what}{'s' if what == 'argument' else '_states'}")()
        for name in names:
            if names.count(name) > 1:
                raise ArgumentError(f"the {what} {name!r} is there more than once")


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
