"""Data sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...engine.errors import ArgumentError, DTypeError

__all__ = ["ArrayDataset", "Dataset", "StreamDataset"]


class Dataset:
    """Samples by number; subclass it with ``__getitem__`` and ``__len__``.

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
    """Samples one after the other; subclass it with ``__iter__``.

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
        raise DTypeError(f"{type(self).__name__} is a stream, whose samples have no numbers")

    def __len__(self) -> int:
        raise DTypeError(f"{type(self).__name__} is a stream, which has no len()")


class ArrayDataset(Dataset):
    """Arrays, of which the k-th sample has the k-th rows.

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

    def __getitem__(self, index: int) -> tuple:
        return tuple(array[index] for array in self.arrays)

    def __len__(self) -> int:
        return len(self.arrays[0])
