"""The key-value store that a module trains with."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from .. import kvstore as stores
from .._core.arrays.storage import zeros_in
from .._core.errors import DTypeError, MissingKeyError, a_type
from .._core.hints.lookup import meant
from ..kvstore import KVStoreBase


def _create_kvstore(kvstore: Any, num_device: int, arg_params: Any) -> tuple[Any, bool]:
    """Return the store for some devices, or None if none is needed, and whether it updates."""
    store, updates = kvstore, os.environ.get("MXNET_UPDATE_ON_KVSTORE", "1") != "0"
    if isinstance(kvstore, str):
        store = None
        if num_device > 1 or "dist" in kvstore:
            store = stores.create(kvstore)
            largest = max((math.prod(one.shape) for one in arg_params.values()), default=0)
            updates = updates and not (kvstore == "local" and largest > 2**24)
    elif kvstore is not None and not isinstance(kvstore, KVStoreBase):
        raise DTypeError(f"kvstore is {a_type(kvstore)}; give a KVStore, its name or None")
    return store, store is not None and updates and store.is_capable(KVStoreBase.OPTIMIZER)


def _initialize_kvstore(
    kvstore: Any,
    param_arrays: Sequence[Any],
    arg_params: Any,
    param_names: Sequence[str],
    update_on_kvstore: bool,
) -> None:
    """Initialize a store with the parameters, and copy them to all devices."""
    for name, arrays in zip(param_names, param_arrays):
        if update_on_kvstore or kvstore.num_workers > 1:
            kvstore.broadcast(name, arg_params[name], out=arrays)
        else:
            kvstore.init(name, arg_params[name])


def _update_params_on_kvstore(
    param_arrays: Sequence[Any],
    grad_arrays: Sequence[Any],
    kvstore: Any,
    param_names: Any,
    by_rows: Collection[str] = (),
) -> None:
    """Let a store update parameters; pull them, except those in `by_rows`."""
    for index, (weights, grads) in enumerate(zip(param_arrays, grad_arrays)):
        if grads[0] is None:
            continue
        if param_names[index] in by_rows:
            kvstore.push(param_names[index], grads, priority=-index)
        elif weights[0]._is_sparse:
            _push_and_share(kvstore, param_names[index], grads, weights)
        else:
            kvstore.pushpull(param_names[index], grads, out=weights, priority=-index)


def _push_and_share(kvstore: Any, name: str, grads: Any, weights: Any) -> None:
    """Push gradients, and pull a sparse weight without a copy of its rows.

    The arrays share the value with the store, and let it go first: then the optimizer writes to it
    in place.
    """
    for one in weights:
        one.raw = zeros_in("update", one.stype, one.shape, one.form.dtype).held
    try:
        kvstore.push(name, grads)
    finally:
        kvstore.pull(name, weights, ignore_sparse=False)


def _update_params(
    param_arrays: Sequence[Any],
    grad_arrays: Sequence[Any],
    updater: Any,
    num_device: int,
    kvstore: Any = None,
    param_names: Any = None,
) -> None:
    """Update the parameters on each device, after a store summed the gradients."""
    each: list[list[Any]] = [[] for _ in range(num_device)]
    for index, (weights, grads) in enumerate(zip(param_arrays, grad_arrays)):
        if grads[0] is None:
            continue
        if kvstore:
            kvstore.pushpull(param_names[index], grads, priority=-index)
        for device, (weight, grad) in enumerate(zip(weights, grads)):
            each[device].append((index * num_device + device, grad, weight))
    for updates in each:
        if getattr(updater, "optimizer", None) is None:  # a function that updates one weight
            for one in updates:
                updater(*one)
        elif updates:
            updater(*map(list, zip(*updates)))


def _multiple_callbacks(callbacks: Any, *args: Any, **kwargs: Any) -> None:
    """Call a function, those in a list, or none."""
    if callbacks is not None:
        for call in callbacks if isinstance(callbacks, (list, tuple)) else [callbacks]:
            call(*args, **kwargs)


def ungiven(name: str, own: Iterable[str], given: Iterable[str]) -> MissingKeyError:
    """The error for a parameter without a value among the given ones."""
    others = [one for one in given if one not in own]
    hint = f". There is no parameter {others[0]!r}{meant(others[0], list(own))}" if others else ""
    return MissingKeyError(
        f"init_params: no value is given for {name!r}; pass allow_missing=True and an"
        f" initializer{hint}"
    )
