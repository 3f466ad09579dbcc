"""Pictures: data sets of them, and transforms that make them ready for a network."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from ...ndarray.hints import hinting as _hinting
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

if not _TYPE_CHECKING:  # where a wrong name is to be reported
    __getattr__ = _hinting(__name__, __all__)
