"""Iterators around iterators."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from .._core.errors import ArgumentError, GluonError
from .base import DataBatch, DataDesc, DataIter


class _Holder(DataIter):
    """An iterator that stores its current batch."""

    current_batch: DataBatch | None = None

    def _held(self) -> DataBatch:
        if self.current_batch is None:
            name = type(self).__name__
            raise GluonError(f"{name}: no current batch; call iter_next() first")
        return self.current_batch

    def getdata(self) -> Any:
        """Return the data of this batch.

        Returns
        -------
        list of NDArray
        """
        return self._held().data

    def getlabel(self) -> Any:
        """Return the labels of this batch.

        Returns
        -------
        list of NDArray
        """
        return self._held().label

    def getindex(self) -> Any:
        """Return the indices of the samples in this batch.

        Returns
        -------
        numpy.ndarray or None
        """
        return self._held().index

    def getpad(self) -> Any:
        """Return the number of padding samples at the end of this batch.

        Returns
        -------
        int
        """
        return self._held().pad


class ResizeIter(_Holder):
    """Changes the number of batches per epoch of an iterator.

    Parameters
    ----------
    data_iter : DataIter
        The source of the batches; it is restarted if it ends within an epoch.
    size : int
        The number of batches in an epoch.
    reset_internal : bool, default True
        Whether `reset` resets `data_iter` too; otherwise an epoch starts where the last one ended.

    Examples
    --------
    >>> from gluon import io, nd
    >>> batches = io.ResizeIter(io.NDArrayIter(nd.zeros((6, 2)), batch_size=3), 5)
    >>> len(list(batches))
    5
    """

    cur: int
    current_batch: DataBatch
    data_iter: DataIter
    reset_internal: bool
    size: int

    def __init__(self, data_iter: DataIter, size: int, reset_internal: bool = True) -> None:
        super().__init__(data_iter.batch_size)
        self.data_iter, self.size, self.reset_internal = data_iter, size, reset_internal
        self.cur = 0
        for name in ("provide_data", "provide_label", "default_bucket_key"):
            if hasattr(data_iter, name):
                setattr(self, name, getattr(data_iter, name))

    def reset(self) -> None:
        """Start the next epoch."""
        self.cur = 0
        if self.reset_internal:
            self.data_iter.reset()

    def iter_next(self) -> bool:
        """Move to the next batch.

        Returns
        -------
        bool
            Whether there is a next batch.
        """
        if self.cur >= self.size:
            return False
        try:
            self.current_batch = self.data_iter.next()
        except StopIteration:
            self.data_iter.reset()
            self.current_batch = self.data_iter.next()
        self.cur += 1
        return True


class PrefetchingIter(_Holder):
    """Loads batches ahead of time, in one thread per iterator, and combines them.

    Parameters
    ----------
    iters : DataIter or list of DataIter
    rename_data, rename_label : list of dict, optional
        For each iterator, a dict from its names to new ones.

    Raises
    ------
    ArgumentError
        If there is no iterator.

    Examples
    --------
    >>> from gluon import io, nd
    >>> one, two = (io.NDArrayIter(nd.zeros((6, k)), batch_size=3) for k in (1, 2))
    >>> both = io.PrefetchingIter([one, two], [{"data": "a"}, {"data": "b"}])
    >>> [(name, shape) for name, shape in both.provide_data]
    [('a', (3, 1)), ('b', (3, 2))]
    >>> [len(batch.data) for batch in both]
    [2, 2]
    """

    current_batch: DataBatch
    n_iter: int
    rename_data: Sequence[dict[Any, Any]] | None
    rename_label: Sequence[dict[Any, Any]] | None

    def __init__(
        self,
        iters: DataIter | list[DataIter],
        rename_data: Sequence[dict[Any, Any]] | None = None,
        rename_label: Sequence[dict[Any, Any]] | None = None,
    ) -> None:
        self.iters: list[Any] = iters if isinstance(iters, list) else [iters]
        self.n_iter = len(self.iters)
        if not self.iters:
            raise ArgumentError("PrefetchingIter: iters is empty; pass at least one iterator")
        self.rename_data, self.rename_label = rename_data, rename_label
        super().__init__(self.provide_data[0][1][0])
        self._threads = ThreadPoolExecutor(self.n_iter, thread_name_prefix="PrefetchingIter")
        self._ahead: list[Future] = []
        self._fetch()

    def _fetch(self) -> None:
        self._ahead = [self._threads.submit(_next, one) for one in self.iters]

    @property
    def provide_data(self) -> list[DataDesc]:
        """The descriptions of the data of each batch."""
        return _renamed([one.provide_data for one in self.iters], self.rename_data)

    @property
    def provide_label(self) -> list[DataDesc]:
        """The descriptions of the labels of each batch."""
        return _renamed([one.provide_label for one in self.iters], self.rename_label)

    def reset(self) -> None:
        """Go back to the first batch."""
        for one in self._ahead:
            one.exception()  # wait: no thread may use an iterator while it is reset
        for one in self.iters:
            one.reset()
        self._fetch()

    def iter_next(self) -> bool:
        """Move to the next batch.

        Returns
        -------
        bool
            Whether there is a next batch.

        Raises
        ------
        GluonError
            If one iterator ends before another, or their pads differ.
        """
        batches = [one.result() for one in self._ahead]
        if batches[0] is None and not any(batches):
            return False
        if None in batches or len({batch.pad for batch in batches}) > 1:
            raise GluonError(
                "PrefetchingIter: the iterators have different numbers of samples left"
            )
        self.current_batch = DataBatch(
            [array for batch in batches for array in batch.data],
            [array for batch in batches for array in batch.label],
            batches[0].pad,
            batches[0].index,
            provide_data=self.provide_data,
            provide_label=self.provide_label,
        )
        self._fetch()
        return True

    def next(self) -> DataBatch:
        """The next batch.

        Returns
        -------
        DataBatch

        Raises
        ------
        StopIteration
            After the last one.
        """
        if not self.iter_next():
            raise StopIteration
        return self._held()


def _next(one: DataIter) -> DataBatch | None:
    try:
        return one.next()
    except StopIteration:
        return None


def _renamed(described: list[list], names: Sequence[dict] | None) -> list[DataDesc]:
    """Return the descriptions of several iterators, under their new names."""
    if names is None:
        return [one for several in described for one in several]
    return [
        DataDesc(new[one.name], one.shape, one.dtype)
        if isinstance(one, DataDesc)
        else DataDesc(new[one[0]], *one[1:])
        for new, several in zip(names, described)
        for one in several
    ]
