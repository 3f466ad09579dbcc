"""Data sets."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Any

from ..._core.errors import ArgumentError, DTypeError
from ..._hook.errors import CheckError

__all__ = ["ArrayDataset", "ConcatDataset", "Dataset", "StreamDataset"]


class Dataset:
    """Base class of datasets with ``__getitem__`` and ``__len__``.

    Examples
    --------
    >>> from gluon.megengine import data
    >>> class Squares(data.dataset.Dataset):
    ...     def __getitem__(self, index):
    ...         return index * index
    ...     def __len__(self):
    ...         return 3
    >>> [int(one) for batch in data.DataLoader(Squares()) for one in batch]
    [0, 1, 4]
    """

    def __getitem__(self, index: int) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no __getitem__(self, index)")

    def __len__(self) -> int:
        raise NotImplementedError(f"{type(self).__name__} has no __len__(self)")


class StreamDataset(Dataset):
    """Base class of datasets that are read in sequence, with ``__iter__``.

    Examples
    --------
    >>> from gluon.megengine import data
    >>> class Squares(data.dataset.StreamDataset):
    ...     def __iter__(self):
    ...         return (k * k for k in range(3))
    >>> list(Squares())
    [0, 1, 4]
    >>> list(data.DataLoader(Squares(), data.StreamSampler(batch_size=2)))
    [array([0, 1]), array([4])]
    """

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError(f"{type(self).__name__} has no __iter__(self)")

    def __getitem__(self, index: int) -> Any:
        raise DTypeError(f"{type(self).__name__} is a stream and cannot be indexed")

    def __len__(self) -> int:
        raise DTypeError(f"{type(self).__name__} is a stream and has no length")


class ArrayDataset(Dataset):
    """Dataset of arrays: sample k consists of row k of each array.

    Parameters
    ----------
    *arrays : numpy.ndarray of shape (samples, ...) and any dtype
        All of one length.

    Examples
    --------
    >>> import numpy as np
    >>> data = ArrayDataset(np.zeros((5, 2)), np.arange(5))
    >>> len(data), int(data[3][1])
    (5, 3)
    """

    def __init__(self, *arrays: Any) -> None:
        if len({len(array) for array in arrays}) != 1:
            raise ArgumentError(
                f"ArrayDataset: arrays of lengths {[len(array) for array in arrays]}; give at"
                " least one, and all of one length"
            )
        self.arrays = arrays

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        return tuple(array[index] for array in self.arrays)

    def __len__(self) -> int:
        return len(self.arrays[0])


class ConcatDataset(Dataset):
    """Concatenates several datasets.

    Parameters
    ----------
    datasets : iterable of Dataset

    Raises
    ------
    CheckError
        If there is none, or one is a stream.

    Examples
    --------
    >>> import numpy as np
    >>> data = ConcatDataset([ArrayDataset(np.arange(2)), ArrayDataset(np.arange(5, 8))])
    >>> len(data), int(data[3][0]), int(data[-5][0])
    (5, 6, 0)
    """

    cumulative_sizes: list[int]
    datasets: list[Dataset]

    def __init__(self, datasets: Iterable[Dataset]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise CheckError("ConcatDataset: give at least one data set")
        if any(isinstance(one, StreamDataset) for one in self.datasets):
            raise CheckError("ConcatDataset: a StreamDataset has no length; give others")
        self.cumulative_sizes = list(accumulate(map(len, self.datasets)))

    def __getitem__(self, idx: int) -> Any:
        if idx < -len(self):
            raise ArgumentError(
                f"ConcatDataset: sample {idx} is out of range for {len(self)} samples"
            )
        place = idx + len(self) if idx < 0 else idx
        which = bisect_right(self.cumulative_sizes, place)
        before = self.cumulative_sizes[which - 1] if which else 0
        return self.datasets[which][place - before]

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]
