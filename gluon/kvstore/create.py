"""`create`: a key-value store by its name."""

from __future__ import annotations

from typing import Any

from .._core.errors import ArgumentError, DTypeError
from .base import KVStoreBase
from .local import LOCAL, KVStore


def create(name: str = "local") -> Any:
    """Create a key-value store.

    Parameters
    ----------
    name : {'local', 'device', 'dist_sync', 'horovod'}, or the name of a registered class
        The first two are in this process, the others shared by the processes that ``mpiexec``
        started. MXNet's variants of these names work too.

    Returns
    -------
    KVStore or KVStoreBase

    Raises
    ------
    ArgumentError
        If there is no such store; ``'dist_async'`` is not supported.
    DTypeError
        If `name` is not a string.

    Examples
    --------
    >>> from gluon import kvstore
    >>> store = kvstore.create("device")
    >>> store.type, store.rank, store.num_workers
    ('device', 0, 1)
    """
    if not isinstance(name, str):
        raise DTypeError(f"kvstore.create takes the name of a store, not {type(name).__name__}")
    wanted = name.lower()
    if wanted in KVStoreBase.kv_registry:
        return KVStoreBase.kv_registry[wanted]()
    if wanted in LOCAL:
        return KVStore(wanted)
    if wanted.startswith(("dist", "p3", "horovod", "byteps")):
        # lazy: imports the MPI part of gluon, which few programs need
        from .distributed import find

        return find(wanted)
    known = ", ".join([*LOCAL, *KVStoreBase.kv_registry])
    raise ArgumentError(f"unknown kvstore {name!r}; choose one of {known}")
