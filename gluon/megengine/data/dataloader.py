"""`DataLoader`: batches of NumPy arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from multiprocessing import current_process
from secrets import randbits
from typing import Any

import numpy as np

from ..._core.errors import ArgumentError, DTypeError, GluonError, a_type
from ..._hook.errors import CheckError
from ...data import DataLoader as GluonLoader
from ...data.workers import WORKER
from ..tensor import Tensor
from .dataset import Dataset, StreamDataset
from .sampler import Infinite, MapSampler, SequentialSampler, StreamSampler

__all__ = ["Collator", "DataLoader"]


class Collator:
    """Combines samples into a batch: stacks arrays and numbers along a new first axis.

    Examples
    --------
    >>> Collator().apply([(1.0, 2), (3.0, 4)])
    [array([1., 3.]), array([2, 4])]
    """

    def apply(self, inputs: Sequence[Any]) -> Any:
        """Make a batch.

        Parameters
        ----------
        inputs : sequence
            The samples, all alike.

        Returns
        -------
        numpy.ndarray of shape (samples, ...), or list or dict of them; text stays a list
        """
        first = inputs[0]
        if isinstance(first, Mapping):
            return {key: self.apply([one[key] for one in inputs]) for key in first}
        if isinstance(first, (str, bytes)):
            return inputs
        if isinstance(first, tuple) and hasattr(first, "_fields"):
            return type(first)(*(self.apply(part) for part in zip(*inputs)))
        if isinstance(first, Sequence):
            return [self.apply(part) for part in zip(*inputs)]
        if isinstance(first, (np.ndarray, Tensor)) and first.dtype.kind != "O":
            return np.stack(inputs)
        if isinstance(first, (int, float, np.generic)):
            return np.array(inputs)
        raise DTypeError(
            f"Collator: a sample holds {a_type(first)}; give arrays, numbers, text, or"
            " dicts and lists of them"
        )


class _Load:
    """Loads a list of samples as a batch, in this process or in a worker."""

    def __init__(self, transform: Any, collator: Any) -> None:
        self.transform, self.collator = transform, collator

    def __call__(self, samples: list[Any]) -> Any:
        if self.transform is not None:
            samples = self.transform.apply_batch(samples)
        return self.collator.apply(samples)


class WorkerInfo:
    """Information about a worker process; read-only."""

    def __init__(self, **kwargs: Any) -> None:
        vars(self).update(kwargs)

    def __setattr__(self, key: str, value: Any) -> None:
        raise GluonError(f"WorkerInfo: {key} cannot be assigned")

    def __repr__(self) -> str:
        return f"WorkerInfo({', '.join(f'{name}={one}' for name, one in vars(self).items())})"


_worker_info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """Return information about this worker process, or None in the main process."""
    return _worker_info


class _Seen:
    """A dataset that sets the information about its worker before it is read."""

    def __init__(self, dataset: Any, workers: int, seed: int) -> None:
        self.dataset, self.workers, self.seed = dataset, workers, seed

    def __len__(self) -> int:
        return len(self.dataset)

    def __getitem__(self, index: Any) -> Any:
        global _worker_info
        number = current_process().name.removeprefix(WORKER)
        if _worker_info is None and number.isdigit():
            found = {"idx": int(number), "worker": self.workers, "seed": self.seed}
            _worker_info = WorkerInfo(**found)
        return self.dataset[index]


def _preloaded(batch: Any) -> Any:
    """A batch with tensors in place of arrays."""
    if isinstance(batch, np.ndarray):
        return Tensor(batch)
    if isinstance(batch, Mapping):
        return {key: _preloaded(one) for key, one in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*map(_preloaded, batch))
    return [*map(_preloaded, batch)] if isinstance(batch, (list, tuple)) else batch


class DataLoader:
    """Iterates over a dataset in batches.

    Parameters
    ----------
    dataset : Dataset or StreamDataset
        A stream is read in this process, to its end.
    sampler : Sampler, optional
        By default the samples in order, one per batch.
    transform : optional
        An object with ``apply_batch(samples)``.
    num_workers : int, default 0
        The number of worker processes; 0 loads in this process.
    timeout : int, default 0
        Seconds to wait for a worker; 0 for 120.
    preload : bool, default False
        Whether to give tensors in place of arrays.
    parallel_stream : bool
        Ignored.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon.megengine.data import ArrayDataset, SequentialSampler
    >>> data = ArrayDataset(np.arange(3))
    >>> [batch[0].tolist() for batch in DataLoader(data, SequentialSampler(data, 2))]
    [[0, 1], [2]]
    """

    dataset: Any
    num_workers: int
    timeout: int

    def __init__(
        self,
        dataset: Any,
        sampler: Any = None,
        transform: Any = None,
        collator: Any = None,
        num_workers: int = 0,
        timeout: int = 0,
        preload: bool = False,
        parallel_stream: bool = False,
    ) -> None:
        if num_workers < 0 or timeout < 0:
            raise ArgumentError(
                f"DataLoader: num_workers={num_workers} and timeout={timeout} must be 0 or more"
            )
        if not isinstance(dataset, Dataset):
            raise CheckError(f"DataLoader: give a Dataset, not {a_type(dataset)}")
        self.dataset, self.num_workers, self.timeout = dataset, num_workers, timeout or 120
        self.preload = preload
        is_stream = isinstance(dataset, StreamDataset)
        if sampler is None:
            sampler = StreamSampler() if is_stream else SequentialSampler(dataset)
        fits = StreamSampler if is_stream else MapSampler
        if not isinstance(sampler.sampler if isinstance(sampler, Infinite) else sampler, fits):
            raise CheckError(
                f"DataLoader: {a_type(dataset)} and {a_type(sampler)} do not go"
                " together; a StreamDataset needs a StreamSampler"
            )
        self.sampler = sampler
        self._load = _Load(transform, collator or Collator())

    def __iter__(self) -> Iterator[Any]:
        batches = self._batches()
        return map(_preloaded, batches) if self.preload else batches

    def _batches(self) -> Iterator[Any]:
        if isinstance(self.dataset, StreamDataset):
            samples = iter(self.dataset)
            while batch := list(islice(samples, self.sampler.batch_size)):
                yield self._load(batch)
        elif not self.num_workers:
            for numbers in self.sampler:
                yield self._load([self.dataset[k] for k in numbers])
        else:
            yield from GluonLoader(
                _Seen(self.dataset, self.num_workers, randbits(31)),
                batch_sampler=self.sampler,
                batchify_fn=self._load,
                num_workers=self.num_workers,
                timeout=self.timeout,
            )

    def __len__(self) -> int:
        if isinstance(self.sampler, (Infinite, StreamSampler)):
            kind = type(self.sampler).__name__
            raise DTypeError(f"len() of a DataLoader with {kind}; it has no end")
        return len(self.sampler)
