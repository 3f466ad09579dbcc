"""`nd.sparse`: MXNet's sparse storage types are planned; each name raises an error for now."""

from typing import TYPE_CHECKING, Any

from .._core.errors import MissingNameError
from .absent import SPARSE

if not TYPE_CHECKING:  # so that type checkers report wrong names

    def __getattr__(name: str) -> Any:
        raise MissingNameError(f"no operator {name!r} in gluon.nd.sparse: {SPARSE}")
