"""`Block` and `HybridBlock`: what networks and layers are made of."""

from .base import Block
from .hybrid import HybridBlock, SymbolBlock

__all__ = ["Block", "HybridBlock", "SymbolBlock"]
