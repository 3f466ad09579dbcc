"""`DataLoader`: batches of the samples of a data set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from .. import nd
from ..engine.array import wrap
from ..engine.errors import ArgumentError
from ..ndarray import NDArray
from .sampler import BatchSampler, RandomSampler, SequentialSampler


def default_batchify_fn(data: Sequence[Any]) -> Any:
    """Samples as one batch: arrays are stacked, numbers form an array, tuples go part by part.

    Parameters
    ----------
    data : list of NDArray, of numpy.ndarray, of numbers, or of tuples of these

    Returns
    -------
    NDArray, or list of NDArray for tuples

    Raises
    ------
    ArgumentError
        If the samples have different shapes.
    """
    first = data[0]
    if isinstance(first, tuple):
        return [default_batchify_fn(parts) for parts in zip(*data)]
    try:
        if isinstance(first, NDArray):
            return wrap(NDArray, np.stack([one._raw for one in data]), first._ctx)
        batch = np.asarray(data)
    except ValueError as error:
        shapes = sorted({np.shape(one) for one in data})
        raise ArgumentError(
            f"samples of different shapes {shapes} make no batch ({error}); pad them in a"
            " transform, or pass a batchify_fn"
        ) from None
    return nd.array(batch, dtype=batch.dtype)


class DataLoader:
    """An iterable of the batches of a data set.

    Parameters
    ----------
    dataset : Dataset, list or array
    batch_size : int, optional
        Needed unless there is a `batch_sampler`.
    shuffle : bool, default False
        Draw the order anew each time.
    sampler : Sampler, optional
        Decides the order instead.
    last_batch : {'keep', 'discard', 'rollover'}, optional
        What becomes of a last batch that is not full; see `BatchSampler`.
    batch_sampler : Sampler, optional
        Gives lists of indices; takes the place of all of the above.
    batchify_fn : callable, optional
        Makes a batch of a list of samples; `default_batchify_fn` by default.
    num_workers : int, default 0
        Accepted; samples are loaded in this process.
    pin_memory, pin_device_id, prefetch, thread_pool, timeout, auto_reload
        Accepted for MXNet's sake; they only tune the loading by workers.

    Raises
    ------
    ArgumentError
        If settings are missing or exclude each other.

    Examples
    --------
    >>> from gluon import data, nd
    >>> samples = data.ArrayDataset(nd.ones((5, 3)), nd.arange(5))
    >>> for x, y in data.DataLoader(samples, batch_size=2):
    ...     print(x.shape, y.asnumpy())
    (2, 3) [0. 1.]
    (2, 3) [2. 3.]
    (1, 3) [4.]
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = None,
        shuffle: bool = False,
        sampler: Any = None,
        last_batch: str | None = None,
        batch_sampler: Any = None,
        batchify_fn: Callable[[list], Any] | None = None,
        num_workers: int = 0,
        pin_memory: bool = False,
        pin_device_id: int = 0,
        prefetch: int | None = None,
        thread_pool: bool = False,
        timeout: int = 120,
        auto_reload: bool = False,
    ) -> None:
        if batch_sampler is None:
            if batch_size is None:
                raise ArgumentError("DataLoader: give batch_size, or a batch_sampler")
            if shuffle and sampler is not None:
                raise ArgumentError("DataLoader: a sampler decides the order; leave shuffle out")
            if sampler is None:
                sampler = (RandomSampler if shuffle else SequentialSampler)(len(dataset))
            batch_sampler = BatchSampler(sampler, batch_size, last_batch or "keep")
        elif batch_size is not None or shuffle or sampler is not None or last_batch is not None:
            raise ArgumentError(
                "DataLoader: a batch_sampler takes the place of batch_size, shuffle, sampler and"
                " last_batch; leave them out"
            )
        self._dataset, self._batch_sampler = dataset, batch_sampler
        self._batchify_fn = batchify_fn or default_batchify_fn

    def __iter__(self) -> Iterator[Any]:
        dataset, batchify = self._dataset, self._batchify_fn
        for indices in self._batch_sampler:
            yield batchify([dataset[index] for index in indices])

    def __len__(self) -> int:
        return len(self._batch_sampler)
