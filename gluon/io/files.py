"""Batches from files of numbers."""

from __future__ import annotations

import gzip
import logging
import math
import os
import struct
import warnings
import zlib
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from .._core.arrays.storage import seat
from .._core.errors import ArgumentError, DTypeError, GluonError, MissingFileError
from .._core.faces.docs import completed
from .._core.faces.parameters import OF_FILES
from ..nd import NDArray
from ..nd.files import MOST_DEFLATED
from .base import DataBatch, DataIter, described

Shape = Sequence[int]
T = TypeVar("T")


class MXDataIter(DataIter):
    """Base of iterators over samples in files, such as those of `CSVIter`.

    A subclass calls this ``__init__``, and defines ``_load``, which loads samples by index.

    Parameters
    ----------
    length : int
        The number of samples.
    batch_size : int
    shapes : tuple of two tuples of int
        The shape of a sample's data, and of its labels.
    dtypes : tuple of two types
    names : tuple of two str
    shuffle : int, optional
        A seed, to use a different order in each epoch.
    round_batch : bool, optional
        How to pad the last batch: True uses the first samples of the next epoch, which then starts
        after them; False uses the first samples; None drops incomplete batches.

    Raises
    ------
    ArgumentError
        If there are fewer samples than `batch_size`.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import io
    >>> class Squares(io.MXDataIter):
    ...     def _load(self, places):
    ...         return (places**2).astype("float32")[:, None], np.zeros((len(places),), "float32")
    >>> [batch.data[0].asnumpy().ravel().tolist() for batch in Squares(4, 2, ((1,), ()))]
    [[0.0, 1.0], [4.0, 9.0]]
    """

    provide_data: Any
    provide_label: Any

    def __init__(
        self,
        length: int,
        batch_size: int,
        shapes: tuple[Shape, Shape],
        dtypes: tuple[Any, Any] = (np.float32, np.float32),
        names: tuple[str, str] = ("data", "softmax_label"),
        shuffle: int | None = None,
        round_batch: bool | None = True,
    ) -> None:
        super().__init__(int(batch_size))
        name = type(self).__name__
        least = 1 if round_batch is not None else self.batch_size
        if self.batch_size < 1 or length < least:
            raise ArgumentError(
                f"{name}: {length} samples do not fill a batch of batch_size={batch_size}"
            )
        self.provide_data, self.provide_label = (
            described(*one)
            for one in zip(names, ((self.batch_size, *shape) for shape in shapes), dtypes)
        )
        self._length, self._round = length, round_batch
        self._random = None if shuffle is None else np.random.RandomState(shuffle)
        self._always: DataBatch | None = None
        self._order = self._shuffled()
        self._start = self._next = 0
        self._batch: tuple[Any, Any, np.ndarray, int] | None = None

    def _load(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the data and the labels of some samples."""
        raise NotImplementedError(f"{type(self).__name__} must define _load(places)")

    def _shuffled(self) -> np.ndarray:
        if self._random is None:
            return np.arange(self._length)
        return self._random.permutation(self._length)

    def reset(self) -> None:
        """Start the next epoch."""
        surplus = self._next - self._length
        if self._round and 0 < surplus < self._length:
            self._start = surplus
        else:
            self._start, self._order = 0, self._shuffled()
        self._next = self._start
        self._batch = None

    def _places(self) -> tuple[np.ndarray, int]:
        """Return the samples of the next batch, and how many of them are padding."""
        stop = self._next + self.batch_size
        places = self._order[self._next : stop]
        pad = self.batch_size - len(places)
        self._next = stop
        while len(places) < self.batch_size:
            if self._round:
                self._order = self._shuffled()
                self._next = self._length + self.batch_size - len(places)
            places = np.concatenate([places, self._order[: self.batch_size - len(places)]])
        return places, pad

    def _moved(self) -> tuple[np.ndarray, int] | None:
        """Advance and return `_places`, or None after the last batch."""
        left = self._length - self._next
        if left <= 0 or (self._round is None and left < self.batch_size):
            return None
        return self._places()

    def iter_next(self) -> bool:
        """Move to the next batch.

        Returns
        -------
        bool
            Whether there is a next batch.
        """
        moved = self._moved()
        if moved is None:
            return False
        self._batch = (*self._load(moved[0]), *moved)
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
        if self._always is not None:
            return self._always
        if not self.iter_next():
            raise StopIteration
        return DataBatch([self.getdata()], [self.getlabel()], self.getpad(), self.getindex())

    def debug_skip_load(self) -> None:
        """Return the same batch from now on, to measure the speed of everything else.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import io
        >>> path = f"{tempfile.mkdtemp()}/a.csv"
        >>> with open(path, "w") as file:
        ...     print(1, 2, sep=chr(10), file=file)
        >>> batches = io.CSVIter(data_csv=path, data_shape=(1,), batch_size=1)
        >>> batches.debug_skip_load()
        >>> [batches.next().data[0].asnumpy().tolist() for _ in range(3)]
        [[[1.0]], [[1.0]], [[1.0]]]
        """
        self._always = self.next()
        logging.info("%s gives one batch again and again", type(self).__name__)

    def _loaded(self) -> tuple[Any, Any, np.ndarray, int]:
        if self._batch is None and not self.iter_next():
            raise GluonError(f"{type(self).__name__}: no batches are left; call reset()")
        assert self._batch is not None
        return self._batch

    def getdata(self) -> NDArray:
        """The data of this batch, or of the first one.

        Returns
        -------
        NDArray
        """
        return seat(self._loaded()[0])

    def getlabel(self) -> NDArray:
        """The labels of this batch, or of the first one.

        Returns
        -------
        NDArray
        """
        return seat(self._loaded()[1])

    def getindex(self) -> np.ndarray:
        """The indices of the samples in this batch.

        Returns
        -------
        numpy.ndarray of shape (batch_size,)
            uint64.
        """
        return self._loaded()[2].astype(np.uint64)

    def getpad(self) -> int:
        """The number of padding samples at the end of this batch.

        Returns
        -------
        int
        """
        return self._loaded()[3]


class _InMemory(MXDataIter):
    """An iterator over arrays of data and labels."""

    def __init__(self, data: np.ndarray, label: np.ndarray, batch_size: int, **given: Any) -> None:
        self._data, self._label = data, label
        dtypes = data.dtype.type, label.dtype.type
        super().__init__(
            len(data), batch_size, (data.shape[1:], label.shape[1:]), dtypes=dtypes, **given
        )

    def _load(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self._data[places], self._label[places]


def check_part(who: str, num_parts: int, part_index: int) -> None:
    """Raise unless there is such a part."""
    if not 0 <= part_index < num_parts:
        raise ArgumentError(
            f"{who}: part_index={part_index} is out of range for num_parts={num_parts}"
        )


def existing(who: str, argument: str, path: Any) -> str:
    """The path of a file, which must exist."""
    path = os.path.expanduser(os.fspath(path))
    if not os.path.isfile(path):
        raise MissingFileError(f"{who}: cannot find the file {argument}={path!r}")
    return path


# ------------------------------------------------------------------------------------- text


def reads_text(made: type[T]) -> type[T]:
    """An iterator over text, whose docstring gets the parameters that all of them share."""
    made.__doc__ = completed(made.__doc__ or "", OF_FILES, OF_FILES)
    return made


@reads_text
class CSVIter(_InMemory):
    """Batches from a CSV file with one sample per line.

    Parameters
    ----------
    data_csv : str
        The path of the file.
    data_shape : tuple of int
        The shape of a sample; each line has that many numbers.
    batch_size : int
    label_csv : str, optional
        The path of a file of labels; they are 0 by default.
    label_shape : tuple of int, default (1,)
        With ``(1,)`` the labels of a batch have the shape (batch_size,).

    Raises
    ------
    ArgumentError
        If a line has another number of values, or a value is not a number.
    MissingFileError
        If the file does not exist.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon import io
    >>> path = os.path.join(tempfile.mkdtemp(), "a.csv")
    >>> with open(path, "w") as file:
    ...     print("1,2", "3,4", "5,6", sep=chr(10), file=file)
    >>> for batch in io.CSVIter(data_csv=path, data_shape=(2,), batch_size=2):
    ...     print(batch.data[0].asnumpy().tolist(), batch.pad)
    [[1.0, 2.0], [3.0, 4.0]] 0
    [[5.0, 6.0], [1.0, 2.0]] 1
    """

    def __init__(
        self,
        *,
        data_csv: str,
        data_shape: Any,
        batch_size: int,
        label_csv: str = "NULL",
        label_shape: Any = (1,),
        round_batch: bool = True,
        dtype: Any = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        prefetch_buffer: int = 4,
        ctx: Any = "gpu",
    ) -> None:
        dtype = np.dtype(dtype or np.float32)
        data = _numbers("data_csv", data_csv, data_shape, dtype)
        shape = () if as_shape("CSVIter", label_shape) == (1,) else label_shape
        if label_csv in (None, "NULL"):
            label = np.zeros((len(data), *as_shape("CSVIter", shape)), dtype)
        else:
            label = _numbers("label_csv", label_csv, shape, dtype)
        if len(label) != len(data):
            raise ArgumentError(f"CSVIter: {len(data)} samples have {len(label)} labels")
        names = data_name, label_name
        super().__init__(data, label, batch_size, names=names, round_batch=bool(round_batch))


def as_shape(who: str, shape: Any) -> tuple[int, ...]:
    """A shape, which may be a number or a string."""
    if isinstance(shape, str):
        shape = [part for part in shape.strip("()[] ").split(",") if part.strip()]
    try:
        return tuple(int(n) for n in np.atleast_1d(np.asarray(shape, dtype=object)))
    except (TypeError, ValueError):
        raise DTypeError(f"{who}: {shape!r} is not a shape, such as (3, 28, 28)") from None


def _numbers(argument: str, path: Any, shape: Any, dtype: np.dtype) -> np.ndarray:
    """Return the lines of a file as arrays of one shape."""
    shape = as_shape("CSVIter", shape)
    path = existing("CSVIter", argument, path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # for an empty file
            table = np.loadtxt(path, np.float64, delimiter=",", ndmin=2, comments=None)
    except ValueError as error:
        raise ArgumentError(f"CSVIter: {argument}={path!r}: {error}") from error
    if len(table) and table.shape[1] != math.prod(shape):
        raise ArgumentError(
            f"CSVIter: {argument}={path!r} has {table.shape[1]} numbers on a line, and the shape"
            f" {shape} takes {math.prod(shape)}"
        )
    return table.reshape(len(table), *shape).astype(dtype)


# ------------------------------------------------------------------------------------ MNIST


def read_idx(who: str, path: str, axes: int) -> np.ndarray:
    """The bytes in a file of MNIST, compressed or not.

    Such an idx file has its magic number, the lengths of the axes, and bytes.

    Parameters
    ----------
    who : str
        For messages.
    path : str
        The path of the file; the same path with ``.gz`` is preferred if it exists.
    axes : int
        The number of axes that the array must have.

    Returns
    -------
    numpy.ndarray
        uint8.

    Raises
    ------
    GluonError
        If the file is damaged.
    MissingFileError
        If the file does not exist.
    """
    if os.path.exists(path + ".gz"):
        path += ".gz"
    try:
        with open(path, "rb") as file:
            most, packed = os.path.getsize(path), file.read(2) == b"\x1f\x8b"
            file.seek(0)
            if packed:
                with gzip.open(file) as content:
                    return _idx(content, axes, most * MOST_DEFLATED)
            return _idx(file, axes, most)
    except FileNotFoundError:
        raise MissingFileError(f"{who}: cannot find the file {path!r}") from None
    except (EOFError, OSError, ValueError, zlib.error) as error:
        raise GluonError(
            f"{who}: {path!r} is damaged, or not an idx file of bytes with {axes} axes: {error}"
        ) from error


def _idx(file: Any, axes: int, most: int) -> np.ndarray:
    """Read the array in an IDX file of at most `most` bytes."""
    start = 4 * (axes + 1)
    header = file.read(start)
    magic, *shape = struct.unpack(f">{axes + 1}I", header.ljust(start, b"\0"))
    if magic != 0x800 + axes or len(header) < start:
        raise ValueError(f"it begins with {header!r}")
    size = math.prod(shape)
    content = bytearray(file.read(size)) if start + size <= most else b""
    if len(content) != size or file.read(1):
        raise ValueError(f"its length is not that of an array of shape {tuple(shape)}")
    return np.frombuffer(content, np.uint8).reshape(shape)


class MNISTIter(_InMemory):
    """Batches of the handwritten digits of MNIST, with values from 0 to 255/256.

    Parameters
    ----------
    image, label : str
        The paths of the files, compressed or not.
    batch_size : int, default 128
        Samples that do not fill a batch are dropped.
    shuffle : bool, default True
        Shuffle once; every epoch has the same order.
    flat : bool, default False
        True for data of shape (batch_size, 784), False for (batch_size, 1, 28, 28).
    seed : int, default 0
        Of the order.
    silent : bool, default False
        Log nothing.
    num_parts, part_index : int
        Use only one of several parts of the samples.
    dtype : str, default 'float32'
        Of data and labels.
    data_name, label_name : str
    input_shape, data_shape, prefetch_buffer, ctx : optional
        Ignored.

    Raises
    ------
    ArgumentError
        If there are fewer samples than `batch_size`, or no such part.
    GluonError
        If a file is damaged.
    MissingFileError
        If the file does not exist.

    Examples
    --------
    >>> import struct, tempfile
    >>> from gluon import io
    >>> folder = tempfile.mkdtemp()
    >>> with open(f"{folder}/images", "wb") as file:
    ...     _ = file.write(struct.pack(">4i", 2051, 4, 28, 28) + bytes(4 * 28 * 28))
    >>> with open(f"{folder}/labels", "wb") as file:
    ...     _ = file.write(struct.pack(">2i", 2049, 4) + bytes([5, 0, 4, 1]))
    >>> batches = io.MNISTIter(
    ...     image=f"{folder}/images", label=f"{folder}/labels", batch_size=2, shuffle=False
    ... )
    >>> [(batch.data[0].shape, batch.label[0].asnumpy().tolist()) for batch in batches]
    [((2, 1, 28, 28), [5.0, 0.0]), ((2, 1, 28, 28), [4.0, 1.0])]
    """

    def __init__(
        self,
        *,
        image: str = "./train-images-idx3-ubyte",
        label: str = "./train-labels-idx1-ubyte",
        batch_size: int = 128,
        shuffle: bool = True,
        flat: bool = False,
        seed: int = 0,
        silent: bool = False,
        num_parts: int = 1,
        part_index: int = 0,
        dtype: Any = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        prefetch_buffer: int = 4,
        ctx: Any = "gpu",
        input_shape: Any = None,
        data_shape: Any = None,
    ) -> None:
        dtype = np.dtype(dtype or np.float32)
        pictures, labels = (
            read_idx("MNISTIter", os.path.expanduser(path), axes)
            for path, axes in ((image, 3), (label, 1))
        )
        if len(pictures) != len(labels):
            raise GluonError(
                f"MNISTIter: {image!r} and {label!r} belong to different data sets: they have"
                f" {len(pictures)} images and {len(labels)} labels"
            )
        check_part("MNISTIter", num_parts, part_index)
        cuts = [len(labels) * k // num_parts for k in (part_index, part_index + 1)]
        order = np.arange(*cuts)
        if shuffle:
            np.random.RandomState(seed).shuffle(order)
        data = (pictures[order] * np.float32(1 / 256)).astype(dtype)
        data = data.reshape(len(data), -1) if flat else data[:, None]
        if not silent:
            logging.info("MNISTIter: %d images of %s", len(data), pictures.shape[1:])
        names = data_name, label_name
        super().__init__(
            data, labels[order].astype(dtype), batch_size, names=names, round_batch=None
        )
