"""Words: counting, numbering and embedding them."""

from . import embedding, utils, vocab

__all__ = ["embedding", "utils", "vocab"]
