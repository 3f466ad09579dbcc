"""`Block` and `HybridBlock`: the base classes of networks and layers."""

from typing import TYPE_CHECKING, Any

from .base import Block
from .hybrid import HybridBlock

if TYPE_CHECKING:
    from .symbol_block import SymbolBlock

__all__ = ["Block", "HybridBlock", "SymbolBlock"]


def __getattr__(name: str) -> Any:
    if name == "SymbolBlock":  # imported when it is first used, together with symbols
        from .symbol_block import SymbolBlock

        return SymbolBlock
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
