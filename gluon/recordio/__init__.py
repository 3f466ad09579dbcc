"""Record files, in MXNet's format.

A record is a magic number, its kind and length in one word, its bytes, and zeros up to a multiple
of four. Where the bytes hold the magic number themselves, at a multiple of four, they are cut
there into several records, which reading joins again.
"""

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

HEADER = IRHeader  # the name under which it is printed and pickled
