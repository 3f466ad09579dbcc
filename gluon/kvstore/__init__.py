"""Key-value stores: values that several devices add to and read."""

from typing import Any

from ..engine.errors import MissingNameError
from .base import KVStoreBase
from .local import LOCAL as LOCAL
from .local import KVStore, create

__all__ = ["KVStore", "KVStoreBase", "create"]


def __getattr__(name: str) -> Any:
    reason = ": training on several machines is planned" if name == "KVStoreServer" else ""
    error = MissingNameError(f"gluon.kvstore has no {name!r}{reason}")
    error.name = name
    raise error
