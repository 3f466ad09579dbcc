"""Record files, in MXNet's format.

A record consists of a magic number, its kind and length in one word, its bytes, and zeros up to a
multiple of four. If the bytes contain the magic number at a multiple of four, they are split there
into several records, which are joined when reading.
"""

import typing as _typing

from .._core.hints.lookup import hinting as _hinting
from .contents import IRHeader, pack, pack_img, unpack, unpack_img
from .files import MXIndexedRecordIO, MXRecordIO

__all__ = [
    "IRHeader",
    "MXIndexedRecordIO",
    "MXRecordIO",
    "pack",
    "pack_img",
    "unpack",
    "unpack_img",
]

HEADER = IRHeader  # the name used for printing and pickling

if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
