"""Key-value stores: values that several devices add to and read."""

from .base import KVStoreBase
from .local import KVStore, create

__all__ = ["KVStore", "KVStoreBase", "create"]
