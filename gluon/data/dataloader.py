"""`DataLoader`: batches of samples from a dataset."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from typing import Any, NoReturn

import numpy as np

from .._core.arrays.context import Context, device
from .._core.arrays.dtypes import as_dtype
from .._core.arrays.interfaces import chosen_class
from .._core.engine.array import wrap
from .._core.errors import ArgumentError, DTypeError, a_type, warn_caller
from .._core.hints.called import Hinted
from .._core.hints.synonyms import LOADER
from .._core.kernels.memory import on_host
from .._core.printing import counted
from ..nd import NDArray
from . import shared
from .sampler import BatchSampler, RandomSampler, SequentialSampler
from .workers import Processes, Threads, load

__all__ = ["DataLoader", "default_batchify_fn", "default_mp_batchify_fn"]
Empty = Callable[[tuple[int, ...], Any], np.ndarray]


def default_batchify_fn(data: Sequence[Any]) -> Any:
    """Combine samples into a batch: stack arrays, and treat tuples item by item.

    Parameters
    ----------
    data : list of NDArray, of numpy.ndarray, of numbers, or of tuples of these
        Of one shape and dtype.

    Returns
    -------
    NDArray, or list of NDArray for tuples, of shape (samples, ...)
        In the dtype of the samples.

    Raises
    ------
    ArgumentError
        If the samples have different shapes, or numbers of parts.
    DTypeError
        If they are not numbers.

    Examples
    --------
    >>> from gluon.data.dataloader import default_batchify_fn
    >>> default_batchify_fn([(1, 0.5), (2, 1.5)])[1].asnumpy()
    array([0.5, 1.5])
    """
    return _batch(data, np.empty, device())


def default_mp_batchify_fn(data: Sequence[Any]) -> Any:
    """`default_batchify_fn` into shared memory, for worker processes.

    Parameters
    ----------
    data : list of NDArray, of numpy.ndarray, of numbers, or of tuples of these
        Of one shape and dtype.

    Returns
    -------
    NDArray, or list of NDArray for tuples, of shape (samples, ...)
        In the dtype of the samples.

    Raises
    ------
    DTypeError
        If something is not one of these.
    ArgumentError
        If the shapes of samples differ.

    Examples
    --------
    >>> from gluon.data.dataloader import default_mp_batchify_fn
    >>> pictures, labels = default_mp_batchify_fn([([1.0, 2.0], 0), ([3.0, 4.0], 1)])
    >>> labels.asnumpy()
    array([0, 1])
    """
    return _batch(data, shared.empty, None)


def _batch(data: Sequence[Any], empty: Empty, ctx: Context | None) -> Any:
    first = data[0]
    if isinstance(first, tuple):
        if len({len(one) for one in data}) > 1:
            raise ArgumentError(
                "samples with different numbers of items cannot be batched; make them equal in a"
                " transform, or pass a batchify_fn"
            )
        return [_batch(parts, empty, ctx) for parts in zip(*data)]
    raws = [on_host(one.raw) if isinstance(one, NDArray) else one for one in data]
    arrays = all(isinstance(one, np.ndarray) for one in raws)
    try:
        raw = _stacked(raws, empty) if arrays else np.asarray(raws)
    except ValueError as error:
        shapes = sorted({np.shape(one) for one in data})
        raise ArgumentError(
            f"samples of different shapes {shapes} cannot be batched ({error}); pad them in a"
            " transform, or pass a batchify_fn"
        ) from None
    if raw.dtype.kind in "OSU":
        raise DTypeError(
            f"samples of type {type(first).__name__} cannot be batched; return arrays, numbers or"
            " tuples of these from the dataset, or pass a batchify_fn"
        )
    as_dtype(raw.dtype)  # raises for unsupported dtypes
    return wrap(chosen_class(), raw, first._ctx if isinstance(first, NDArray) else ctx)


def _stacked(arrays: Sequence[Any], empty: Empty) -> np.ndarray:
    """Stack the arrays along a new first axis, copying each of them once."""
    dtype = np.result_type(*{one.dtype for one in arrays})
    out = empty((len(arrays), *arrays[0].shape), dtype)
    return np.stack(arrays, out=out)


class DataLoader(Hinted):
    """Iterates over a dataset in batches, optionally with worker processes.

    Parameters
    ----------
    dataset : Dataset, list or array of shape (samples, ...) and any dtype
    batch_size : int, optional
        Required without `batch_sampler`.
    shuffle : bool, default False
        Draw a new random order in each epoch.
    sampler : Sampler, optional
        Sets the order instead.
    last_batch : {'keep', 'discard', 'rollover'}, optional
        What to do with an incomplete last batch; see `BatchSampler`.
    batch_sampler : Sampler, optional
        Yields lists of indices; replaces all of the above.
    batchify_fn : callable, optional
        Combines a list of samples into a batch; `default_batchify_fn` by default.
    num_workers : int, default 0
        The number of processes that load batches ahead of time; 0 loads them in this process.
    pin_memory, pin_device_id
        Ignored: batches are in ordinary memory.
    prefetch : int, optional
        How many batches to load ahead of time; twice `num_workers` by default.
    thread_pool : bool, default False
        Use threads instead of processes: for data sets that mostly wait for files.
    timeout : float, default 120
        How many seconds to wait for a batch of a worker.
    auto_reload : bool, default False
        Start loading the next epoch as soon as one ends, and the first one at once.

    Raises
    ------
    ArgumentError
        If arguments are missing or exclude each other.

    Notes
    -----
    Worker processes start with the first batch, by the method of
    `multiprocessing.set_start_method`, and live as long as the loader. They do not see later
    changes of the data set. An error in a worker is raised here when its batch is due, with the
    traceback in the worker as its cause; it ends all workers, and the next epoch starts new ones.

    In a worker process, the random generators of gluon, NumPy and Python are seeded anew for each
    batch, from `gluon.random.seed`, so that the numbers do not depend on the number of processes.
    ``numpy.random.seed`` sets the order that ``shuffle`` draws.

    A batch of tuples is a list, one array for each part, as in ``for x, y in loader``. If samples
    are single arrays, without labels, a batch is one array: write ``for x in loader``. With two
    names, Python would split the array into its samples.

    A batch from a worker process is not copied: it is in shared memory, which is freed with its
    arrays.

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

    _elsewhere = LOADER

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = None,
        shuffle: bool = False,
        sampler: Any = None,
        last_batch: str | None = None,
        batch_sampler: Any = None,
        batchify_fn: Callable[[list[Any]], Any] | None = None,
        num_workers: int = 0,
        pin_memory: bool = False,
        pin_device_id: int = 0,
        prefetch: int | None = None,
        thread_pool: bool = False,
        timeout: float = 120,
        auto_reload: bool = False,
    ) -> None:
        if batch_sampler is None:
            batch_sampler = _batches(dataset, batch_size, shuffle, sampler, last_batch)
        elif batch_size is not None or shuffle or sampler is not None or last_batch is not None:
            raise ArgumentError(
                "DataLoader: a batch_sampler takes the place of batch_size, shuffle, sampler and"
                " last_batch; leave them out"
            )
        _check(dataset, batchify_fn, num_workers)
        if timeout <= 0:
            raise ArgumentError(f"DataLoader: timeout={timeout} must be positive")
        self._dataset, self._batch_sampler = dataset, batch_sampler
        self._num_workers = max(num_workers, 0)
        self._prefetch = 2 * self._num_workers if prefetch is None else max(int(prefetch), 0)
        self._thread_pool, self._timeout = thread_pool, timeout
        processes = self._num_workers > 0 and not thread_pool
        self._batchify_fn = batchify_fn or (
            default_mp_batchify_fn if processes else default_batchify_fn
        )
        self._pool: Processes | Threads | None = None
        self._iter: Iterator[Any] | None = None
        self.auto_reload = auto_reload
        if auto_reload:
            self.refresh()

    def __repr__(self) -> str:
        parts = [
            type(self._dataset).__name__,
            *counted(self._dataset, "sample", "samples"),
            *counted(self._batch_sampler, "batch", "batches"),
        ]
        if self._num_workers:
            parts.append(f"num_workers={self._num_workers}")
        return f"DataLoader({', '.join(parts)})"

    def __iter__(self) -> Iterator[NDArray]:
        if self._iter is None:
            self.refresh()
        batches: Any = self._iter
        self._iter = None
        yield from batches
        if self.auto_reload and self._iter is None:
            self.refresh()

    def __len__(self) -> int:
        return len(self._batch_sampler)

    def __getitem__(self, key: Any) -> NoReturn:
        raise DTypeError(
            "a DataLoader has no index: loop over it, or use next(iter(loader)) for one batch and"
            " dataset[0] for one sample"
        )

    def refresh(self) -> None:
        """Start loading the next epoch.

        Examples
        --------
        >>> from gluon import data
        >>> loader = data.DataLoader([0, 1, 2, 3], batch_size=2)
        >>> loader.refresh()
        >>> [batch.asnumpy().tolist() for batch in loader]
        [[0, 1], [2, 3]]
        """
        if self._num_workers == 0:
            self._iter = _loaded_here(self._dataset, self._batchify_fn, self._batch_sampler)
            return
        if self._pool is None or self._pool.closed:
            kind = Threads if self._thread_pool else Processes
            self._pool = kind(self._num_workers, self._dataset, self._batchify_fn)
        pool, seed = self._pool, self._pool.seed()
        # Lazy: each step submits one batch of the sampler to the pool.
        tickets = (
            pool.submit(indices, (seed, number))
            for number, indices in zip(count(), self._batch_sampler)
        )
        ahead = deque(islice(tickets, self._prefetch))
        self._iter = _delivered(pool, tickets, ahead, self._timeout)

    def clean(self) -> None:
        """Discard batches that were loaded ahead of time.

        Examples
        --------
        >>> from gluon import data
        >>> loader = data.DataLoader([0, 1, 2, 3], batch_size=2)
        >>> loader.clean()
        >>> [batch.asnumpy().tolist() for batch in loader]
        [[0, 1], [2, 3]]
        """
        self._iter = None


def _check(dataset: Any, batchify: Any, workers: int) -> None:
    """Raise for a tuple of data and labels, which would be two samples, or if no one joins them."""
    if workers < 0:
        warn_caller(f"DataLoader: num_workers={workers} loads without workers, as 0 does")
    if isinstance(dataset, dict):
        raise DTypeError(
            "DataLoader: a dict has no samples by number; give ArrayDataset(*dataset.values())"
        )
    if batchify is not None and not callable(batchify):
        raise DTypeError(
            f"DataLoader: batchify_fn is {a_type(batchify)}; pass a function of a list of samples"
        )
    arrays = isinstance(dataset, tuple) and all(
        isinstance(one, (NDArray, np.ndarray)) and one.ndim for one in dataset
    )
    if arrays and batchify is None and len({one.ndim for one in dataset}) > 1:
        raise ArgumentError(
            f"DataLoader: a tuple is read as a list of samples, and its {len(dataset)} arrays"
            " differ in their number of axes; if they are data and labels, pass"
            " ArrayDataset(data, labels)"
        )


def _batches(
    dataset: Any, batch_size: int | None, shuffle: bool, sampler: Any, last_batch: str | None
) -> BatchSampler:
    """Return the batch sampler for the settings of a loader."""
    if batch_size is None:
        raise ArgumentError("DataLoader: give batch_size, or a batch_sampler")
    if isinstance(sampler, str):
        raise DTypeError(
            f"DataLoader: sampler={sampler!r} is a str; pass a sampler, such as"
            " data.RandomSampler(len(dataset)), or shuffle=True"
        )
    if shuffle and sampler is not None:
        raise ArgumentError("DataLoader: a sampler decides the order; leave shuffle out")
    if sampler is None:
        if not hasattr(dataset, "__len__"):
            raise DTypeError(
                f"DataLoader: {a_type(dataset)} has no length; pass a list or a Dataset,"
                " such as list(dataset)"
            )
        sampler = (RandomSampler if shuffle else SequentialSampler)(len(dataset))
    return BatchSampler(sampler, batch_size, last_batch or "keep")


def _loaded_here(dataset: Any, batchify: Callable, batch_sampler: Any) -> Iterator[Any]:
    for indices in batch_sampler:
        yield load(dataset, batchify, indices)


def _delivered(pool: Any, tickets: Iterator, ahead: deque, timeout: float) -> Iterator[Any]:
    """Yield the batches in order, and submit another one for each that is requested."""
    try:
        while True:
            ahead.extend(islice(tickets, 1))
            if not ahead:
                return
            yield pool.result(ahead.popleft(), timeout)
    finally:
        pool.forget(ahead)
