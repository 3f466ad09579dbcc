"""Data iterators: batches from arrays, files of numbers, and image files."""

from typing import Any

from .._core.hints.lookup import error_for
from .arrays import NDArrayIter
from .base import DataBatch, DataDesc, DataIter
from .detection import ImageDetRecordIter
from .files import CSVIter, MNISTIter, MXDataIter
from .libsvm import LibSVMIter
from .records import ImageRecordInt8Iter, ImageRecordIter, ImageRecordUInt8Iter
from .wrappers import PrefetchingIter, ResizeIter

__all__ = [
    "CSVIter",
    "DataBatch",
    "DataDesc",
    "DataIter",
    "ImageDetRecordIter",
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
    "ImageRecordIter_v1": "replaced by ImageRecordIter",
    "ImageRecordUInt8Iter_v1": "replaced by ImageRecordUInt8Iter",
}


def __getattr__(name: str) -> Any:
    reason = f": {ABSENT[name]}" if name in ABSENT else ""
    raise error_for(f"gluon.io has no {name!r}{reason}", name)
