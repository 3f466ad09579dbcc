"""``mxnet.gluon.data``: the parts of data loaders."""

from __future__ import annotations

import io
import multiprocessing
import pickle
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from multiprocessing import queues
from multiprocessing.reduction import ForkingPickler
from typing import Any

from ..._core.arrays import cpu, cpu_pinned
from ...data.dataset import _Chosen
from ...nd import NDArray
from ...util import set_np

#: The data set of a worker, set by its initializer.
_worker_dataset: Any = None


class _FilteredDataset(_Chosen):
    """The samples of a data set that satisfy a function."""

    def __init__(self, dataset: Any, fn: Callable[..., Any]) -> None:
        super().__init__(dataset, [place for place, one in enumerate(dataset) if fn(one)])


def _as_in_context(data: Any, ctx: Any) -> Any:
    """Move the arrays in nested lists to a context."""
    if isinstance(data, NDArray):
        return data.as_in_context(ctx)
    if isinstance(data, (list, tuple)):
        return [_as_in_context(one, ctx) for one in data]
    return data


def _worker_initializer(dataset: Any, active_shape: bool, active_array: bool) -> None:
    """Set the data set of a worker process, and the array interface of its parent."""
    global _worker_dataset
    _worker_dataset = dataset
    set_np(shape=active_shape, array=active_array)


def _thread_worker_initializer(active_shape: bool, active_array: bool) -> None:
    """Set the array interface of the parent in a thread."""
    set_np(shape=active_shape, array=active_array)


def _worker_fn(samples: Iterable, batchify_fn: Callable, dataset: Any = None) -> bytes:
    """Load a batch of the worker's data set, and pickle it."""
    batch = batchify_fn([_worker_dataset[one] for one in samples])
    memory = io.BytesIO()
    ForkingPickler(memory, pickle.HIGHEST_PROTOCOL).dump(batch)
    return memory.getvalue()


def _thread_worker_fn(samples: Iterable, batchify_fn: Callable, dataset: Any) -> Any:
    """Load a batch of a data set."""
    return batchify_fn([dataset[one] for one in samples])


class _MultiWorkerIter:
    """Iterates in order over the batches that the workers of a pool load."""

    def __init__(
        self,
        worker_pool: Any,
        batchify_fn: Callable[..., Any],
        batch_sampler: Any,
        pin_memory: bool = False,
        pin_device_id: int = 0,
        worker_fn: Callable[..., Any] = _worker_fn,
        prefetch: int = 0,
        dataset: Any = None,
        data_loader: Any = None,
        timeout: float = 120,
    ) -> None:
        self._worker_pool, self._worker_fn, self._batchify_fn = worker_pool, worker_fn, batchify_fn
        self._batch_sampler, self._iter = batch_sampler, iter(batch_sampler)
        self._pin_memory, self._pin_device_id = pin_memory, pin_device_id
        self._dataset, self._data_loader, self._timeout = dataset, data_loader, timeout
        self._data_buffer: dict[int, Any] = {}
        self._rcvd_idx = self._sent_idx = 0
        for _ in range(prefetch):
            self._push_next()

    def __len__(self) -> int:
        return len(self._batch_sampler)

    def _push_next(self) -> None:
        """Request one more batch, if there is one."""
        indices = next(self._iter, None)
        if indices is not None:
            words = (indices, self._batchify_fn, self._dataset)
            self._data_buffer[self._sent_idx] = self._worker_pool.apply_async(
                self._worker_fn, words
            )
            self._sent_idx += 1

    def __next__(self) -> Any:
        self._push_next()
        if self._rcvd_idx == self._sent_idx:
            raise StopIteration
        batch = self._data_buffer.pop(self._rcvd_idx).get(self._timeout)
        self._rcvd_idx += 1
        if self._dataset is None:
            batch = pickle.loads(batch)
        return _as_in_context(batch, cpu_pinned(self._pin_device_id)) if self._pin_memory else batch

    def next(self) -> Any:
        """Return the next batch."""
        return self.__next__()

    def __iter__(self) -> _MultiWorkerIter:
        return self


class ConnectionWrapper:
    """A connection that also sends arrays."""

    def __init__(self, conn: Any) -> None:
        self._conn = conn

    def send(self, obj: Any) -> None:
        """Send an object."""
        memory = io.BytesIO()
        ForkingPickler(memory, pickle.HIGHEST_PROTOCOL).dump(obj)
        self.send_bytes(memory.getvalue())

    def recv(self) -> Any:
        """Wait for an object."""
        return pickle.loads(self.recv_bytes())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__.get("_conn"), name)


class Queue(queues.Queue):
    """A queue between processes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, ctx=multiprocessing.get_context(), **kwargs)


class SimpleQueue(queues.SimpleQueue):
    """A queue between processes, without a thread of its own."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, ctx=multiprocessing.get_context(), **kwargs)


def worker_loop_v1(
    dataset: Any, key_queue: Any, data_queue: Any, batchify_fn: Callable[..., Any]
) -> None:
    """Load the batches that a queue requests, and put them into another, until None comes."""
    for number, indices in iter(key_queue.get, (None, None)):
        data_queue.put((number, batchify_fn([dataset[one] for one in indices])))


def fetcher_loop_v1(
    data_queue: Any,
    data_buffer: dict[Any, Any],
    pin_memory: bool = False,
    pin_device_id: int = 0,
    data_buffer_lock: Any = None,
) -> None:
    """Move batches from a queue into a dictionary, until None comes."""
    ctx = cpu_pinned(pin_device_id) if pin_memory else cpu()
    for number, batch in iter(data_queue.get, (None, None)):
        with data_buffer_lock or nullcontext():
            data_buffer[number] = _as_in_context(batch, ctx)


def reduce_ndarray(data: NDArray) -> Any:
    """Return how to pickle an array."""
    return data.__reduce_ex__(pickle.HIGHEST_PROTOCOL)


reduce_np_ndarray = reduce_ndarray
