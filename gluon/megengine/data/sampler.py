"""Samplers, which select the samples of a batch."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import count, cycle, islice
from typing import Any

import numpy as np

from ..._core.errors import ArgumentError
from ..._core.kernels.collective import place
from ..._core.kernels.generator import generator
from ..functional._checked import ZeroError

__all__ = [
    "Infinite",
    "MapSampler",
    "RandomSampler",
    "ReplacementSampler",
    "Sampler",
    "SequentialSampler",
    "StreamSampler",
]


class Sampler:
    """Base class of samplers, which yield batches of sample indices.

    Examples
    --------
    >>> from gluon.megengine import data
    >>> issubclass(data.RandomSampler, data.Sampler)
    True
    """

    def __iter__(self) -> Iterator[list[int]]:
        raise NotImplementedError(f"{type(self).__name__} has no __iter__(self)")


def _check_count(name: str, option: str, n: Any) -> None:
    """Raise an error unless `n` is a number of samples."""
    if not isinstance(n, (int, np.integer)) or isinstance(n, bool) or n < 1:
        raise ArgumentError(f"{name}: {option}={n!r} must be an integer of 1 or more")


class MapSampler(Sampler):
    """Base class of samplers for datasets of known length; subclasses define ``sample``.

    Parameters
    ----------
    drop_last : bool, default False
        Whether to drop an incomplete last batch.
    num_samples : int, optional
        The number of samples to yield; all by default.
    world_size, rank : int, optional
        The number of processes that share the samples, and the rank of this one; MPI's by default.
    seed : int, optional
        The seed of the sampler's own generator.

    Examples
    --------
    >>> from gluon.megengine import data
    >>> class Backwards(data.MapSampler):
    ...     def sample(self):
    ...         return range(len(self.dataset))[::-1]
    >>> sampler = Backwards("abcde", batch_size=2)
    >>> list(sampler.sample()), list(sampler.batch())
    ([4, 3, 2, 1, 0], [[4, 3], [2, 1], [0]])
    """

    batch_size: int
    dataset: Any
    drop_last: bool
    num_samples: int
    rank: int
    world_size: int

    def __init__(
        self,
        dataset: Any,
        batch_size: int = 1,
        drop_last: bool = False,
        num_samples: int | None = None,
        world_size: int | None = None,
        rank: int | None = None,
        seed: int | None = None,
    ) -> None:
        _check_count(type(self).__name__, "batch_size", batch_size)
        if not isinstance(drop_last, bool):
            raise ArgumentError(
                f"{type(self).__name__}: drop_last={drop_last!r} must be True or False"
            )
        self.dataset, self.batch_size, self.drop_last = dataset, batch_size, drop_last
        alone, parts = place(None)
        self.world_size = parts if world_size is None else world_size
        self.rank = alone if rank is None else rank
        if self.world_size < 1:
            raise ZeroError(f"{type(self).__name__}: world_size={world_size} must be 1 or more")
        total = len(dataset) if num_samples is None else num_samples
        self.num_samples = -(-total // self.world_size)
        if seed is None and self.world_size > 1:
            seed = 0  # the same in all processes
        self._own = None if seed is None else np.random.RandomState(seed)  # MegEngine's order

    @property
    def rng(self) -> np.random.Generator | np.random.RandomState:
        """The random number generator."""
        return generator() if self._own is None else self._own

    def sample(self) -> Sequence[int]:
        """The indices of the samples, in order."""
        raise NotImplementedError(f"{type(self).__name__} has no sample(self)")

    def scatter(self, indices: Sequence[int]) -> list[int]:
        """Return the part of this process; the first indices repeat to make parts equal."""
        total = islice(cycle(indices), self.num_samples * self.world_size)
        return list(total)[self.rank :: self.world_size]

    def batch(self) -> Iterator[list[int]]:
        """Split the indices of this process into batches."""
        numbers = list(self.sample())
        if self.world_size > 1:
            numbers = self.scatter(numbers)
        for start in range(0, len(numbers), self.batch_size):
            part = numbers[start : start + self.batch_size]
            if len(part) == self.batch_size or not self.drop_last:
                yield part

    def __iter__(self) -> Iterator[list[int]]:
        return self.batch()

    def __len__(self) -> int:
        count = self.num_samples / self.batch_size
        return math.floor(count) if self.drop_last else math.ceil(count)


class _Ordered(MapSampler):
    indices: range | Any

    def __init__(
        self,
        dataset: Any,
        batch_size: int = 1,
        drop_last: bool = False,
        indices: Any = None,
        world_size: int | None = None,
        rank: int | None = None,
        seed: int | None = None,
    ) -> None:
        count = None if indices is None else len(indices)
        super().__init__(dataset, batch_size, drop_last, count, world_size, rank, seed)
        self.indices = range(len(dataset)) if indices is None else indices


class SequentialSampler(_Ordered):
    """Samples all indices in order.

    Parameters
    ----------
    drop_last : bool, default False
        Whether to drop an incomplete last batch.
    indices : sequence of int, optional
        The indices to sample, in order; all by default.
    world_size, rank : int, optional
        The number of processes that share the samples, and the rank of this one; MPI's by default.
    seed : int, optional
        The seed of the sampler's own generator, which is not used.

    Examples
    --------
    >>> list(SequentialSampler("abcde", batch_size=2))
    [[0, 1], [2, 3], [4]]
    """

    def sample(self) -> Sequence[int]:
        """The indices of the samples, in order."""
        return list(self.indices)


class RandomSampler(_Ordered):
    """Samples all indices in random order.

    Parameters
    ----------
    drop_last : bool, default False
        Whether to drop an incomplete last batch.
    indices : sequence of int, optional
        The indices to sample; all by default.
    world_size, rank : int, optional
        The number of processes that share the samples, and the rank of this one; MPI's by default.
    seed : int, optional
        The seed of the sampler's own generator.

    Examples
    --------
    >>> sorted(k for batch in RandomSampler("abcde", batch_size=2) for k in batch)
    [0, 1, 2, 3, 4]
    """

    def sample(self) -> Sequence[int]:
        """The indices of the samples, shuffled."""
        return self.rng.permutation(np.asarray(self.indices)).tolist()


class ReplacementSampler(MapSampler):
    """Samples indices with replacement.

    Parameters
    ----------
    drop_last : bool, default False
        Whether to drop an incomplete last batch.
    num_samples : int, optional
        The number of samples over all processes; the length of the dataset by default.
    weights : sequence of float, optional
        The weight of each sample: it is drawn in proportion.
    world_size, rank : int, optional
        The number of processes that share the samples, and the rank of this one; MPI's by default.
    seed : int, optional
        The seed of the sampler's own generator.

    Examples
    --------
    >>> list(ReplacementSampler("ab", batch_size=2, weights=[0, 1]))
    [[1, 1]]
    """

    weights: Any

    def __init__(
        self,
        dataset: Any,
        batch_size: int = 1,
        drop_last: bool = False,
        num_samples: int | None = None,
        weights: Any = None,
        world_size: int | None = None,
        rank: int | None = None,
        seed: int | None = None,
    ) -> None:
        if num_samples is not None:
            _check_count("ReplacementSampler", "num_samples", num_samples)
        super().__init__(dataset, batch_size, drop_last, num_samples, world_size, rank, seed)
        if weights is not None and np.shape(weights) != (len(dataset),):
            raise ArgumentError(
                f"ReplacementSampler: weights={weights} must be one number for each of"
                f" {len(dataset)} samples"
            )
        self.weights = None if weights is None else np.asarray(weights, float)

    def sample(self) -> Sequence[int]:
        """The indices of the samples drawn."""
        share = None if self.weights is None else self.weights / self.weights.sum()
        total = self.num_samples * self.world_size
        return self.rng.choice(len(self.dataset), total, p=share).tolist()


class StreamSampler(Sampler):
    """Sampler for a `StreamDataset`: endless batches of indices.

    Examples
    --------
    >>> batches = iter(StreamSampler(2))
    >>> next(batches), next(batches)
    ([0, 1], [2, 3])
    """

    def __init__(self, batch_size: int = 1) -> None:
        if batch_size < 1:
            raise ArgumentError(f"StreamSampler: batch_size={batch_size} must be 1 or more")
        self.batch_size = batch_size

    def __iter__(self) -> Iterator[list[int]]:
        size = self.batch_size
        return ([*range(start, start + size)] for start in count(step=size))


class Infinite(Sampler):
    """Repeats another sampler endlessly.

    Examples
    --------
    >>> batches = iter(Infinite(SequentialSampler("ab")))
    >>> [next(batches) for _ in range(3)]
    [[0], [1], [0]]
    """

    sampler_iter: Any

    def __init__(self, sampler: Any) -> None:
        self.sampler = sampler
        self.sampler_iter = iter(sampler)

    def __iter__(self) -> Iterator[list[int]]:
        return self

    def __next__(self) -> list[int]:
        for _ in range(2):
            for index in self.sampler_iter:
                return index
            self.sampler_iter = iter(self.sampler)
        raise StopIteration

    def __len__(self) -> int:
        return 2**63 - 1

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__" or "sampler" not in vars(self):  # while it is copied
            raise AttributeError(name)
        return getattr(self.sampler, name)
