"""Batches of arrays in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import nd
from .._core.arrays.storage import seat
from .._core.errors import ArgumentError, DTypeError, LayoutError
from .._core.kernels.sparse import take_rows
from ..nd import NDArray
from ..nd.sparse import CSRNDArray
from .base import DataBatch, DataDesc, DataIter

HANDLES = ("pad", "discard", "roll_over")
Named = list[tuple[str, NDArray]]


class NDArrayIter(DataIter):
    """Batches of arrays in memory.

    Parameters
    ----------
    data : NDArray, numpy.ndarray, or list or dict of them
        The samples are along the axis N of `layout`. NumPy arrays become float32. The arrays of a
        dict are ordered by key. Of csr arrays, SciPy's too, the samples are the rows; they need
        ``last_batch_handle='discard'``.
    label : NDArray, numpy.ndarray, or list or dict of them, of shape (samples, ...), optional
    batch_size : int, default 1
    shuffle : bool, default False
        Shuffle the samples at each reset, with NumPy's global generator.
    last_batch_handle : {'pad', 'discard', 'roll_over'}, default 'pad'
        What to do with the samples of an incomplete last batch: pad it with the first samples,
        drop them, or start the next epoch with them.
    data_name, label_name : str
        The name of a single array. Those of a list are ``_0_data``, ``_1_data`` and so on.
    layout : str, default 'NCHW'
    stype : {'default', 'csr'}
        The storage type of the batches of csr arrays.

    Attributes
    ----------
    data, label : list of (str, NDArray)
    num_data : int
        The number of samples.

    Raises
    ------
    ArgumentError
        If the arrays differ in their numbers of samples, there is no array, or an argument is
        invalid.
    DTypeError
        If `data` or `label` holds anything but arrays.
    LayoutError
        If an array is csr and `last_batch_handle` is not ``'discard'``, as in MXNet.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import io
    >>> batches = io.NDArrayIter(np.arange(10).reshape(5, 2), np.arange(5), batch_size=2)
    >>> batches.provide_data
    [DataDesc[data,(2, 2),<class 'numpy.float32'>,NCHW]]
    >>> for batch in batches:
    ...     print(batch.label[0].asnumpy(), batch.pad)
    [0. 1.] 0
    [2. 3.] 0
    [4. 0.] 1
    """

    cursor: int
    data: list[tuple[str, Any]]
    idx: Any
    label: list[tuple[str, Any]]
    layout: str
    num_data: int
    shuffle: bool

    def __init__(
        self,
        data: Any,
        label: Any = None,
        batch_size: int = 1,
        shuffle: bool = False,
        last_batch_handle: str = "pad",
        data_name: str = "data",
        label_name: str = "softmax_label",
        layout: str = "NCHW",
        *,
        stype: str = "default",
    ) -> None:
        super().__init__(batch_size)
        if last_batch_handle not in HANDLES:
            raise ArgumentError(
                f"NDArrayIter: last_batch_handle={last_batch_handle!r} is not one of"
                f" {', '.join(map(repr, HANDLES))}"
            )
        if batch_size < 1 or "N" not in layout:
            raise ArgumentError(
                f"NDArrayIter: batch_size={batch_size} must be positive, layout={layout!r} have an"
                " N for the samples"
            )
        self.layout, self._axis = layout, layout.find("N")
        self.data, self.label = _named("data", data, data_name), _named("label", label, label_name)
        self._stype = stype
        self._check_csr(last_batch_handle)
        self.num_data = self._samples()
        self.idx = np.arange(self.num_data)
        self.shuffle, self.last_batch_handle = shuffle, last_batch_handle
        #: The position of the batch; negative if it begins with samples of the last epoch.
        self.cursor = -batch_size
        self._rolled: tuple[list, list] = [], []
        self.reset()

    def _check_csr(self, last_batch_handle: str) -> None:
        if self._stype not in ("default", "csr"):
            raise ArgumentError(f"NDArrayIter: stype={self._stype!r} must be 'default' or 'csr'")
        names = [name for name, one in self.data + self.label if isinstance(one, CSRNDArray)]
        if names and last_batch_handle != "discard":
            raise LayoutError(
                f"NDArrayIter: {names[0]} is a csr array, so last_batch_handle must be 'discard',"
                f" not {last_batch_handle!r}"
            )
        if names and self._axis:
            raise ArgumentError(
                f"NDArrayIter: {names[0]} is a csr array, whose samples are its rows, but layout="
                f"{self.layout!r} puts them on axis {self._axis}"
            )

    def _samples(self) -> int:
        if not self.data:
            raise ArgumentError("NDArrayIter: data is empty; pass at least one array")
        axis = self._axis
        for name, array in self.data + self.label:
            if array.ndim <= axis:
                raise ArgumentError(
                    f"NDArrayIter: {name} has shape {array.shape}, but layout="
                    f"{self.layout!r} puts the samples on axis {axis}"
                )
        lengths = {name: array.shape[axis] for name, array in self.data + self.label}
        if len(set(lengths.values())) > 1 or 0 in lengths.values():
            raise ArgumentError(
                f"NDArrayIter: all arrays need the same number of samples, not {lengths}"
            )
        return self.data[0][1].shape[axis]

    # ------------------------------------------------------------------------- descriptions

    def _described(self, arrays: Named) -> list[DataDesc]:
        shapes = [list(array.shape) for _, array in arrays]
        for shape in shapes:
            shape[self._axis] = self.batch_size
        return [
            DataDesc(name, tuple(shape), array.dtype, self.layout)
            for (name, array), shape in zip(arrays, shapes)
        ]

    @property
    def provide_data(self) -> list[DataDesc]:
        """The descriptions of the data of each batch."""
        return self._described(self.data)

    @property
    def provide_label(self) -> list[DataDesc]:
        """The descriptions of the labels of each batch."""
        return self._described(self.label)

    # ------------------------------------------------------------------------------- epochs

    def hard_reset(self) -> None:
        """Go back to the first batch, and drop leftover samples.

        Examples
        --------
        >>> from gluon import io, nd
        >>> batches = io.NDArrayIter(nd.arange(3), batch_size=2, last_batch_handle="roll_over")
        >>> [batch.data[0].asnumpy().tolist() for batch in batches]
        [[0.0, 1.0]]
        >>> batches.hard_reset()
        >>> batches.next().data[0].asnumpy()
        array([0., 1.], dtype=float32)
        """
        self.cursor = -self.batch_size
        self._shuffle()

    def reset(self) -> None:
        """Go back to the first batch."""
        left = self.num_data - self.cursor
        if self.last_batch_handle == "roll_over" and 0 < left < self.batch_size:
            self._rolled = self.getdata(), self.getlabel()
            self.cursor = -self.batch_size - left
        else:
            self.cursor = -self.batch_size
        self._shuffle()

    def _shuffle(self) -> None:
        if self.shuffle:
            self._shuffle_data()

    def _shuffle_data(self) -> None:
        np.random.shuffle(self.idx)  # noqa: NPY002
        self.data, self.label = (
            [(name, self._ordered(array)) for name, array in arrays]
            for arrays in (self.data, self.label)
        )

    def _ordered(self, array: NDArray) -> NDArray:
        if isinstance(array, CSRNDArray):
            return seat(take_rows(array.held, self.idx), array.context)
        return nd.take(array, nd.array(self.idx, dtype="int64"), axis=self._axis)

    def iter_next(self) -> bool:
        """Move to the next batch, whether or not it is complete.

        Returns
        -------
        bool
            Whether there is a next batch.
        """
        self.cursor += self.batch_size
        return self.cursor < self.num_data

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
        data = self.getdata()
        if data[0].shape[self._axis] != self.batch_size:
            raise StopIteration
        return DataBatch(data, self.getlabel(), self.getpad(), None)

    # ------------------------------------------------------------------------------ batches

    def _part(self, arrays: Named, start: int, stop: int) -> list[NDArray]:
        return [
            array[start:stop].tostype(self._stype)
            if isinstance(array, CSRNDArray)
            else nd.slice_axis(array, self._axis, start, stop)
            for _, array in arrays
        ]

    def _batch(self, which: int) -> list[NDArray]:
        """Return the data (0) or the labels (1) of this batch."""
        if not -self.batch_size < self.cursor < self.num_data:
            raise ArgumentError(
                "NDArrayIter: no current batch; call iter_next(), and reset() after the last"
            )
        arrays = (self.data, self.label)[which]
        start, stop = self.cursor, self.cursor + self.batch_size
        if start < 0:
            return self._joined(
                self._rolled[which], self._part(arrays, 0, min(stop, self.num_data))
            )
        parts = self._part(arrays, start, min(stop, self.num_data))
        missing = self.getpad()
        while missing:
            part = self._part(arrays, 0, min(missing, self.num_data))
            parts, missing = self._joined(parts, part), missing - min(missing, self.num_data)
        return parts

    def _joined(self, first: list[NDArray], second: list[NDArray]) -> list[NDArray]:
        return [nd.concat(*pair, dim=self._axis) for pair in zip(first, second)]

    def getdata(self) -> list[NDArray]:
        """The data of this batch.

        Returns
        -------
        list of NDArray of shape (batch, ...)
        """
        return self._batch(0)

    def getlabel(self) -> list[NDArray]:
        """The labels of this batch.

        Returns
        -------
        list of NDArray of shape (batch, ...)
        """
        return self._batch(1)

    def getpad(self) -> int:
        """The number of samples in this batch that are padding or belong to another epoch.

        Returns
        -------
        int
        """
        if self.last_batch_handle == "pad":
            return max(self.cursor + self.batch_size - self.num_data, 0)
        rolled = self.last_batch_handle == "roll_over" and -self.batch_size < self.cursor < 0
        return -self.cursor if rolled else 0


def _named(argument: str, given: Any, name: str) -> Named:
    """Return arrays, in any of the forms that NDArrayIter accepts, with their names."""
    if given is None:
        given = []
    elif hasattr(given, "__array__") or hasattr(given, "tocsr"):
        given = [given]
    if isinstance(given, (list, tuple)):
        names = [name] if len(given) == 1 else [f"_{k}_{name}" for k in range(len(given))]
        given = dict(zip(names, given))
    if not isinstance(given, dict):
        raise DTypeError(
            f"NDArrayIter: {argument} must be an array, or a list or dict of arrays, not"
            f" {type(given).__name__}"
        )
    found = []
    for key, one in sorted(given.items()):
        try:
            found.append((key, _array(one)))
        except (TypeError, ValueError) as error:
            raise DTypeError(f"NDArrayIter: {key} is not an array: {error}") from error
    return found


def _array(one: Any) -> NDArray:
    """An array as an NDArray: csr or dense."""
    if isinstance(one, NDArray):
        return one.tostype("default") if one.stype == "row_sparse" else one
    return nd.array(one if hasattr(one, "tocsr") else np.asarray(one))
