"""Datasets, samplers and data loaders."""

import typing as _typing

from .._core.hints.lookup import hinting as _hinting
from . import dataloader, dataset, sampler, vision
from .dataloader import DataLoader
from .dataset import ArrayDataset, Dataset, RecordFileDataset, SimpleDataset, random_split
from .sampler import (
    BatchSampler,
    DistributedSampler,
    FilterSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
)

__all__ = [
    "ArrayDataset",
    "BatchSampler",
    "DataLoader",
    "Dataset",
    "DistributedSampler",
    "FilterSampler",
    "RandomSampler",
    "RecordFileDataset",
    "Sampler",
    "SequentialSampler",
    "SimpleDataset",
    "dataloader",
    "dataset",
    "random_split",
    "sampler",
    "vision",
]

if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
