"""`nd.sparse`: MXNet's sparse storage types, which are planned; each name is an error for now."""

from typing import Any

from ..engine.errors import MissingNameError
from .absent import SPARSE


def __getattr__(name: str) -> Any:
    raise MissingNameError(f"no operator {name!r} in gluon.nd.sparse: {SPARSE}")
