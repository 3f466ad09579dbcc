"""Additional samplers and text datasets."""

import typing as _typing

from ..._core.hints.lookup import hinting as _hinting
from . import sampler, text
from .sampler import IntervalSampler
from .text import WikiText2, WikiText103

__all__ = ["IntervalSampler", "WikiText2", "WikiText103", "sampler", "text"]

if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
