"""Base classes of data iterators: batches and their descriptions."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .._core.errors import DTypeError, warn_caller
from .._core.hints.called import Called
from .._core.printing import with_settings

_NameAndShape = namedtuple("_NameAndShape", ["name", "shape"])


class DataDesc(_NameAndShape):
    """The name and the shape of an array in each batch, as a tuple.

    Parameters
    ----------
    name : str
    shape : tuple of int
    dtype : type, default numpy.float32
    layout : str, default 'NCHW'
        The axes; N is that of the samples.

    Examples
    --------
    >>> from gluon import io
    >>> one = io.DataDesc("data", (32, 3, 28, 28))
    >>> one
    DataDesc[data,(32, 3, 28, 28),<class 'numpy.float32'>,NCHW]
    >>> name, shape = one
    >>> io.DataDesc.get_batch_axis("TNC")
    1
    """

    dtype: Any
    layout: str | None

    def __new__(  # noqa: D102
        cls, name: str, shape: tuple[int, ...], dtype: Any = np.float32, layout: str | None = "NCHW"
    ) -> DataDesc:
        self = super().__new__(cls, name, shape)
        self.dtype, self.layout = dtype, layout
        return self

    def __repr__(self) -> str:
        return f"DataDesc[{self.name},{self.shape},{self.dtype},{self.layout}]"

    @staticmethod
    def get_batch_axis(layout: str | None) -> int:
        """The axis of the samples.

        Parameters
        ----------
        layout : str or None

        Returns
        -------
        int
            0 without a layout, -1 for a layout without N.
        """
        return 0 if layout is None else layout.find("N")

    @staticmethod
    def get_list(shapes: Iterable[Any], types: Iterable[Any] | None) -> list[DataDesc]:
        """Descriptions from pairs of name and shape.

        Parameters
        ----------
        shapes : iterable of (str, tuple of int)
        types : iterable of (str, type), optional

        Returns
        -------
        list of DataDesc

        Examples
        --------
        >>> from gluon import io
        >>> io.DataDesc.get_list([("data", (2, 3))], [("data", "int32")])
        [DataDesc[data,(2, 3),int32,NCHW]]
        """
        if types is None:
            return [DataDesc(*pair[:2]) for pair in shapes]
        dtypes = dict(types)
        return [DataDesc(name, shape, dtypes[name]) for name, shape, *_ in shapes]


class DataBatch(Called):
    """A batch of samples.

    Parameters
    ----------
    data : list of NDArray
        Of shape (batch, ...) and any dtype.
    label : list of NDArray, optional
        Of shape (batch, ...) and any dtype.
    pad : int, optional
        The number of padding samples at the end.
    index : numpy.ndarray of shape (batch size,), optional
        The indices of the samples.
    bucket_key : int, optional
        The length that these sequences are padded to.
    provide_data, provide_label : list of DataDesc, optional

    Raises
    ------
    DTypeError
        If `data` or `label` is not a list or tuple.

    Examples
    --------
    >>> from gluon import io, nd
    >>> print(io.DataBatch([nd.zeros((2, 3))], [nd.zeros(2)], pad=0))
    DataBatch: data shapes: [(2, 3)] label shapes: [(2,)]
    """

    data: Any
    index: Any
    label: Any
    pad: int | None
    provide_data: Any
    provide_label: Any

    def __init__(
        self,
        data: Any,
        label: Any = None,
        pad: int | None = None,
        index: Any = None,
        bucket_key: Any = None,
        provide_data: Any = None,
        provide_label: Any = None,
    ) -> None:
        for name, arrays in (("data", data), ("label", label)):
            if arrays is not None and not isinstance(arrays, (list, tuple)):
                raise DTypeError(
                    f"DataBatch: {name} must be a list of arrays, not {type(arrays).__name__}"
                )
        self.data, self.label, self.pad, self.index = data, label, pad, index
        self.bucket_key = bucket_key
        self.provide_data, self.provide_label = provide_data, provide_label

    def __str__(self) -> str:
        shapes = [one.shape for one in self.data]
        labels = [one.shape for one in self.label] if self.label else None
        return f"{type(self).__name__}: data shapes: {shapes} label shapes: {labels}"


class DataIter(Called):
    """Base of iterators over batches.

    A subclass defines `reset`, and `next` or else `iter_next`, `getdata`, `getlabel` and `getpad`.
    It must have ``provide_data`` and ``provide_label``.

    Parameters
    ----------
    batch_size : int, default 0

    Examples
    --------
    >>> from gluon import io, nd
    >>> class Squares(io.DataIter):
    ...     provide_data, provide_label = [io.DataDesc("data", (2,))], []
    ...     last = 0
    ...     def reset(self):
    ...         self.last = 0
    ...     def iter_next(self):
    ...         self.last += 1
    ...         return self.last <= 2
    ...     def getdata(self):
    ...         return [nd.array([self.last, self.last**2])]
    >>> [batch.data[0].asnumpy().tolist() for batch in Squares(2)]
    [[1.0, 1.0], [2.0, 4.0]]
    """

    def __init__(self, batch_size: int = 0) -> None:
        self.batch_size = batch_size

    def __repr__(self) -> str:
        names = ("provide_data", "provide_label")
        arrays = {
            name: [(one[0], tuple(one[1])) for one in given]
            for name in names
            if (given := getattr(self, name, None))
        }
        return with_settings(self, batch_size=self.batch_size, **arrays)

    #: Whether there has been a batch, and whether there has been none since the loop began.
    _has_given, _at_start = False, False

    def __iter__(self) -> DataIter:
        self._at_start = True
        return self

    def __next__(self) -> DataBatch:
        try:
            batch = self.next()
        except StopIteration:
            if self._at_start and self._has_given:
                warn_caller(
                    f"a loop over {type(self).__name__} begins at its end and gets no batch; call"
                    " reset() before each epoch"
                )
            self._at_start = False
            raise
        self._has_given, self._at_start = True, False
        return batch

    def reset(self) -> None:
        """Go back to the first batch."""

    def next(self) -> DataBatch:
        """The next batch.

        Returns
        -------
        DataBatch

        Raises
        ------
        StopIteration
            After the last one.

        Examples
        --------
        >>> from gluon import io, nd
        >>> io.NDArrayIter(nd.arange(4), batch_size=2).next().data[0].asnumpy()
        array([0., 1.], dtype=float32)
        """
        if not self.iter_next():
            raise StopIteration
        return DataBatch(self.getdata(), self.getlabel(), self.getpad(), self.getindex())

    def iter_next(self) -> Any:
        """Move to the next batch.

        Returns
        -------
        bool
            Whether there is a next batch.
        """

    def getdata(self) -> Any:
        """The data of this batch.

        Returns
        -------
        list of NDArray of shape (batch, ...) and any dtype
        """

    def getlabel(self) -> Any:
        """The labels of this batch.

        Returns
        -------
        list of NDArray of shape (batch, ...) and any dtype

        Examples
        --------
        >>> from gluon import io, nd
        >>> batches = io.NDArrayIter(nd.arange(4), nd.arange(4) + 10, batch_size=2)
        >>> batches.iter_next()
        True
        >>> batches.getlabel()[0].asnumpy()
        array([10., 11.], dtype=float32)
        """

    def getindex(self) -> Any:
        """The indices of the samples in this batch.

        Returns
        -------
        numpy.ndarray of shape (batch,), or None

        Examples
        --------
        >>> from gluon import io, nd
        >>> batches = io.NDArrayIter(nd.arange(4), batch_size=2)
        >>> batches.iter_next()
        True
        >>> batches.getindex()
        """

    def getpad(self) -> Any:
        """The number of padding samples at the end of this batch.

        Returns
        -------
        int

        Examples
        --------
        >>> from gluon import io, nd
        >>> batches = io.NDArrayIter(nd.arange(3), batch_size=2)
        >>> [(batches.iter_next(), batches.getpad()) for _ in range(2)]
        [(True, 0), (True, 1)]
        """


def described(
    name: str, shape: Sequence[int], dtype: Any = np.float32, layout: str = "NCHW"
) -> list[DataDesc]:
    """The description of one array, as ``provide_data`` has it."""
    return [DataDesc(name, tuple(shape), dtype, layout)]
