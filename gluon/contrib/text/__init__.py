"""Vocabularies and word embeddings."""

import typing as _typing

from ..._core.hints.lookup import hinting as _hinting
from . import embedding, utils, vocab

__all__ = ["embedding", "utils", "vocab"]


if not _typing.TYPE_CHECKING:  # where a wrong name is to be reported
    __getattr__ = _hinting(__name__, __all__)
