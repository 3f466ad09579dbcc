"""Image datasets and transforms."""

import typing as _typing

from ..._core.hints.lookup import hinting as _hinting
from . import datasets, transforms
from .datasets import (
    CIFAR10,
    CIFAR100,
    MNIST,
    FashionMNIST,
    ImageFolderDataset,
    ImageListDataset,
    ImageRecordDataset,
)

__all__ = [
    "CIFAR10",
    "CIFAR100",
    "MNIST",
    "FashionMNIST",
    "ImageFolderDataset",
    "ImageListDataset",
    "ImageRecordDataset",
    "datasets",
    "transforms",
]

if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
