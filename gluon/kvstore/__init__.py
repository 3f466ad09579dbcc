"""Key-value stores, which exchange values between devices and processes."""

from typing import Any

from .._core.hints.lookup import error_for
from .base import KVStoreBase
from .create import create
from .local import KVStore

__all__ = ["KVStore", "KVStoreBase", "create"]


def __getattr__(name: str) -> Any:
    reason = (
        ": stores of several processes need none; use 'dist_sync'"
        if name == "KVStoreServer"
        else ""
    )
    raise error_for(f"gluon.kvstore has no {name!r}{reason}", name)
