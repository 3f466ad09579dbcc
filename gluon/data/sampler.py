"""Samplers: the order in which a loader draws samples."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from numbers import Real
from typing import Any

import numpy as np

from .._core.errors import ArgumentError, DTypeError, a_type, warn_caller
from .._core.hints.called import Called, Hinted
from .._core.hints.lookup import as_stated
from .._core.kernels.collective import place
from .._core.printing import counted

LAST_BATCHES = ("keep", "discard", "rollover")


class Sampler(Called):
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

    def __repr__(self) -> str:
        return f"{type(self).__name__}({''.join(counted(self, 'index', 'indices'))})"

    def __len__(self) -> int:
        raise NotImplementedError(f"{type(self).__name__} must define __len__()")

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError(f"{type(self).__name__} must define __iter__()")


def _as_length(name: str, length: Any) -> int:
    """`length` as an integer; the samplers of PyTorch take the dataset."""
    try:
        return operator.index(length)
    except TypeError:
        way_out = "len(dataset)" if hasattr(length, "__len__") else "the number of samples"
        raise DTypeError(f"{name}: length is {a_type(length)}; give {way_out}") from None


class SequentialSampler(Sampler):
    """Samples `length` indices in order, from `start`.

    Parameters
    ----------
    length : int
    start : int, default 0

    Raises
    ------
    DTypeError
        If `length` is not an integer.

    Examples
    --------
    >>> from gluon import data
    >>> list(data.SequentialSampler(3, start=10))
    [10, 11, 12]
    """

    def __init__(self, length: int, start: int = 0) -> None:
        self._range = range(start, start + _as_length("SequentialSampler", length))

    def __iter__(self) -> Iterator[int]:
        return iter(self._range)

    def __len__(self) -> int:
        return len(self._range)


class RandomSampler(Sampler):
    """Samples ``0, ..., length - 1`` in random order, drawn by NumPy's global generator.

    Parameters
    ----------
    length : int

    Raises
    ------
    DTypeError
        If `length` is not an integer.

    Examples
    --------
    >>> from gluon import data
    >>> sorted(data.RandomSampler(4))
    [0, 1, 2, 3]
    """

    def __init__(self, length: int) -> None:
        self._length = _as_length("RandomSampler", length)

    def __iter__(self) -> Iterator[int]:
        # As in MXNet, so that np.random.seed() gives the same order as there.
        indices = np.arange(self._length)
        np.random.shuffle(indices)  # noqa: NPY002
        return iter(indices.tolist())

    def __len__(self) -> int:
        return self._length


class DistributedSampler(Sampler):
    """Samples the part of a data set for this process; all processes get parts of equal length.

    All processes put ``0, ..., length - 1`` in the same order and take every `num_parts`-th index.
    Each iteration is an epoch with its own order.

    Parameters
    ----------
    length : int
        The number of samples.
    num_parts : int, optional
        The number of processes; by default all that ``mpiexec`` started.
    part_index : int, optional
        The index of this process; its rank by default.
    shuffle : bool, default True
        Whether the order is random. It depends only on `seed` and the epoch.
    seed : int, default 0
        It must be the same in all processes.
    drop_last : bool, default False
        If `num_parts` does not divide `length`, drop the last samples of the order. By default the
        first ones are repeated.

    Raises
    ------
    ArgumentError
        If there is no such part, or `length` is negative.

    Examples
    --------
    >>> from gluon import data
    >>> [list(data.DistributedSampler(5, 2, k, shuffle=False)) for k in (0, 1)]
    [[0, 2, 4], [1, 3, 0]]
    >>> sampler = data.DistributedSampler(4)  # one process
    >>> loader = data.DataLoader(["a", "b", "c", "d"], 2, sampler=sampler, batchify_fn=list)
    >>> sorted(sum(loader, []))
    ['a', 'b', 'c', 'd']
    """

    def __init__(
        self,
        length: int,
        num_parts: int | None = None,
        part_index: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        rank, size = place(None)
        self._parts = size if num_parts is None else num_parts
        self._part = rank if part_index is None else part_index
        if not 0 <= self._part < self._parts or length < 0:
            raise ArgumentError(
                f"DistributedSampler: length={length}, num_parts={self._parts},"
                f" part_index={self._part}; give a length of 0 or more, and a part from 0 to"
                " num_parts - 1"
            )
        self._order, self._shuffle, self._seed = np.arange(length), shuffle, seed
        self._each = length // self._parts if drop_last else -(-length // self._parts)
        self._epoch = 0

    def set_epoch(self, epoch: int) -> None:
        """Set the epoch of the next iteration, for instance to resume training.

        Parameters
        ----------
        epoch : int

        Examples
        --------
        >>> from gluon import data
        >>> one, other = data.DistributedSampler(9), data.DistributedSampler(9)
        >>> epochs = [list(one) for _ in range(3)]
        >>> other.set_epoch(2)
        >>> list(other) == epochs[2] != epochs[1]
        True
        """
        self._epoch = epoch

    def __iter__(self) -> Iterator[int]:
        order = self._order
        if self._shuffle:
            order = np.random.default_rng([self._seed % 2**64, self._epoch]).permutation(order)
        self._epoch += 1
        return iter(np.resize(order, self._each * self._parts)[self._part :: self._parts].tolist())

    def __len__(self) -> int:
        return self._each


class FilterSampler(Sampler):
    """Samples the indices for which a function of the sample is true.

    Parameters
    ----------
    fn : callable
        Called with a sample.
    dataset : Dataset

    Raises
    ------
    DTypeError
        If `fn` cannot be called so.

    Examples
    --------
    >>> from gluon import data
    >>> list(data.FilterSampler(lambda x: x > 10, data.SimpleDataset([5, 20, 7, 30])))
    [1, 3]
    """

    def __init__(self, fn: Callable[[Any], Any], dataset: Any) -> None:
        stated = "fn(sample), where a sample of several parts is a tuple, as in sample[1] > 0"
        samples = (dataset[index] for index in range(len(dataset)))
        self._indices = [k for k, one in enumerate(samples) if as_stated(fn, stated, one)]

    def __iter__(self) -> Iterator[int]:
        return iter(self._indices)

    def __len__(self) -> int:
        return len(self._indices)


class BatchSampler(Hinted, Sampler):
    """Groups indices into batches.

    Parameters
    ----------
    sampler : Sampler
    batch_size : int
    last_batch : {'keep', 'discard', 'rollover'}
        What to do with an incomplete last batch: return it, drop it, or start the next epoch with
        it.

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

    def __repr__(self) -> str:
        return (
            f"BatchSampler({', '.join([repr(self._sampler), *counted(self, 'batch', 'batches')])})"
        )

    def __init__(self, sampler: Any, batch_size: int, last_batch: str = "keep") -> None:
        size: Any = batch_size
        if not isinstance(size, Real):
            raise DTypeError(f"batch_size is {a_type(batch_size)}; pass an integer")
        if last_batch not in LAST_BATCHES:
            raise ArgumentError(
                f"last_batch must be one of {', '.join(LAST_BATCHES)}; got {last_batch!r}"
            )
        if batch_size < 1:
            raise ArgumentError(f"batch_size={batch_size} must be 1 or more")
        self._sampler, self._batch_size, self._last_batch = sampler, batch_size, last_batch
        self._left: list[Any] = []

    def __iter__(self) -> Iterator[list[Any]]:
        batch, self._left, is_whole = self._left, [], False
        for index in self._sampler:
            batch.append(index)
            if len(batch) == self._batch_size:
                is_whole = True
                yield batch
                batch = []
        if batch and self._last_batch == "keep":
            yield batch
        elif batch and self._last_batch == "discard" and not is_whole:
            warn_caller(
                f"there is no batch: last_batch='discard' leaves out all {len(batch)} samples,"
                f" which are fewer than batch_size={self._batch_size}"
            )
        elif self._last_batch == "rollover":
            self._left = batch

    def __len__(self) -> int:
        count = len(self._sampler)
        if self._last_batch == "keep":
            return -(-count // self._batch_size)
        return (count + len(self._left)) // self._batch_size
