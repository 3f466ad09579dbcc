"""Data iterators: batches from arrays, files of numbers, and image files."""

from typing import Any

from .._core.hints.lookup import error_for
from .arrays import NDArrayIter
from .base import DataBatch, DataDesc, DataIter
from .files import CSVIter, LibSVMIter, MNISTIter, MXDataIter
from .records import ImageRecordInt8Iter, ImageRecordIter, ImageRecordUInt8Iter
from .wrappers import PrefetchingIter, ResizeIter

__all__ = [
    "CSVIter",
    "DataBatch",
    "DataDesc",
    "DataIter",
    "ImageRecordInt8Iter",
    "ImageRecordIter",
    "ImageRecordUInt8Iter",
    "LibSVMIter",
    "MNISTIter",
    "MXDataIter",
    "NDArrayIter",
    "PrefetchingIter",
    "ResizeIter",
]
ABSENT = {
    "ImageDetRecordIter": "replaced by image.ImageDetIter, which reads the same files",
    "ImageRecordIter_v1": "replaced by ImageRecordIter",
    "ImageRecordUInt8Iter_v1": "replaced by ImageRecordUInt8Iter",
}


def __getattr__(name: str) -> Any:
    reason = f": {ABSENT[name]}" if name in ABSENT else ""
    raise error_for(f"gluon.io has no {name!r}{reason}", name)
