"""Samplers: the order in which a loader draws samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..engine.errors import ArgumentError

LAST_BATCHES = ("keep", "discard", "rollover")


class Sampler:
    """Base of all samplers: an iterable of indices with a length.

    Examples
    --------
    >>> from gluon import data
    >>> class Backwards(data.Sampler):
    ...     def __iter__(self):
    ...         return iter([2, 1, 0])
    ...     def __len__(self):
    ...         return 3
    >>> list(data.DataLoader(["a", "b", "c"], 2, sampler=Backwards(), batchify_fn=list))
    [['c', 'b'], ['a']]
    """

    def __len__(self) -> int:
        raise NotImplementedError(f"{type(self).__name__} must define __len__()")

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError(f"{type(self).__name__} must define __iter__()")


class SequentialSampler(Sampler):
    """Samples `length` indices in order, from `start`.

    Parameters
    ----------
    length : int
    start : int, default 0

    Examples
    --------
    >>> from gluon import data
    >>> list(data.SequentialSampler(3, start=10))
    [10, 11, 12]
    """

    def __init__(self, length: int, start: int = 0) -> None:
        self._range = range(start, start + length)

    def __iter__(self) -> Iterator[int]:
        return iter(self._range)

    def __len__(self) -> int:
        return len(self._range)


class RandomSampler(Sampler):
    """Samples ``0, ..., length - 1`` in random order, drawn by NumPy's global generator.

    Parameters
    ----------
    length : int

    Examples
    --------
    >>> from gluon import data
    >>> sorted(data.RandomSampler(4))
    [0, 1, 2, 3]
    """

    def __init__(self, length: int) -> None:
        self._length = length

    def __iter__(self) -> Iterator[int]:
        # As in MXNet, so that np.random.seed() gives the order that it gives there.
        indices = np.arange(self._length)
        np.random.shuffle(indices)  # noqa: NPY002
        return iter(indices.tolist())

    def __len__(self) -> int:
        return self._length


class FilterSampler(Sampler):
    """Samples the indices for which a function of the sample is true.

    Parameters
    ----------
    fn : callable
        Called with a sample.
    dataset : Dataset

    Examples
    --------
    >>> from gluon import data
    >>> list(data.FilterSampler(lambda x: x > 10, data.SimpleDataset([5, 20, 7, 30])))
    [1, 3]
    """

    def __init__(self, fn: Callable[[Any], Any], dataset: Any) -> None:
        self._indices = [index for index in range(len(dataset)) if fn(dataset[index])]

    def __iter__(self) -> Iterator[int]:
        return iter(self._indices)

    def __len__(self) -> int:
        return len(self._indices)


class BatchSampler(Sampler):
    """Groups indices into batches.

    Parameters
    ----------
    sampler : Sampler
    batch_size : int
    last_batch : {'keep', 'discard', 'rollover'}
        What becomes of a last batch that is not full: it is given, dropped, or begins the next
        round.

    Raises
    ------
    ArgumentError
        If `last_batch` is not one of these, or `batch_size` not positive.

    Examples
    --------
    >>> from gluon import data
    >>> list(data.BatchSampler(data.SequentialSampler(5), 2))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Any, batch_size: int, last_batch: str = "keep") -> None:
        if last_batch not in LAST_BATCHES:
            raise ArgumentError(
                f"last_batch must be one of {', '.join(LAST_BATCHES)}; got {last_batch!r}"
            )
        if batch_size < 1:
            raise ArgumentError(f"batch_size={batch_size} must be 1 or more")
        self._sampler, self._batch_size, self._last_batch = sampler, batch_size, last_batch
        self._left: list[Any] = []

    def __iter__(self) -> Iterator[list[Any]]:
        batch, self._left = self._left, []
        for index in self._sampler:
            batch.append(index)
            if len(batch) == self._batch_size:
                yield batch
                batch = []
        if batch and self._last_batch == "keep":
            yield batch
        elif self._last_batch == "rollover":
            self._left = batch

    def __len__(self) -> int:
        count = len(self._sampler)
        if self._last_batch == "keep":
            return -(-count // self._batch_size)
        return (count + len(self._left)) // self._batch_size
