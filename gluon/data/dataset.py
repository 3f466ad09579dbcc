"""Datasets: samples by index."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.errors import (
    ArgumentError,
    DTypeError,
    IndexRangeError,
    MissingFileError,
    a_type,
    warn_caller,
)
from .._core.hints.called import Hinted
from .._core.hints.lookup import RefusedOfClass, lacking
from .._core.hints.synonyms import DATASET
from .._core.printing import counted
from ..nd import NDArray
from ..recordio import MXIndexedRecordIO
from .sampler import FilterSampler, RandomSampler, Sampler


class Dataset(Hinted):
    """Base class of all datasets; subclasses define ``__getitem__`` and ``__len__``.

    Examples
    --------
    >>> from gluon import data
    >>> class Squares(data.Dataset):
    ...     def __getitem__(self, idx):
    ...         return idx * idx
    ...     def __len__(self):
    ...         return 5
    >>> squares = Squares()
    >>> list(squares.filter(lambda x: x % 2 == 0))
    [0, 4, 16]
    >>> list(squares.shard(2, 0)), list(squares.take(2))
    ([0, 1, 4], [0, 1])
    """

    _elsewhere = DATASET

    if not TYPE_CHECKING:
        from_tensor_slices = RefusedOfClass("from_tensor_slices", "use data.ArrayDataset(x, y)")
        __add__ = lacking("a + b", "use data.SimpleDataset(list(a) + list(b))")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({''.join(counted(self, 'sample', 'samples'))})"

    def __getitem__(self, idx: int) -> Any:
        raise NotImplementedError(f"{type(self).__name__} must define __getitem__(idx)")

    def __len__(self) -> int:
        raise NotImplementedError(f"{type(self).__name__} must define __len__()")

    def filter(self, fn: Callable[[Any], Any]) -> Dataset:
        """Return a dataset of the samples for which `fn` is true.

        Parameters
        ----------
        fn : callable
            Called with a sample.

        Returns
        -------
        Dataset
        """
        return _Chosen(self, FilterSampler(fn, self))

    def shard(self, num_shards: int, index: int) -> Dataset:
        """Return one of `num_shards` parts of about the same length.

        Parameters
        ----------
        num_shards, index : int

        Returns
        -------
        Dataset

        Raises
        ------
        ArgumentError
            If `index` is out of range.
        """
        if not 0 <= index < num_shards:
            raise ArgumentError(f"shard: index={index} is out of range for {num_shards} shards")
        length, longer = divmod(len(self), num_shards)
        start = length * index + min(longer, index)
        return _Chosen(self, range(start, start + length + (index < longer)))

    def take(self, count: int | None) -> Dataset:
        """Return a dataset of the first `count` samples, or of all for None.

        Parameters
        ----------
        count : int or None

        Returns
        -------
        Dataset

        Raises
        ------
        ArgumentError
            If `count` is negative.
        """
        total = len(self)
        if count is not None and count < 0:
            raise ArgumentError(f"take: count={count} is negative; pass None for all samples")
        return _Chosen(self, range(total if count is None else min(count, total)))

    def sample(self, sampler: Sampler) -> Dataset:
        """Return a dataset of the samples that a sampler draws now, in its order.

        Parameters
        ----------
        sampler : Sampler

        Returns
        -------
        Dataset

        Raises
        ------
        DTypeError
            If `sampler` is not a sampler.

        Examples
        --------
        >>> from gluon import data
        >>> letters = data.SimpleDataset("abcdef")
        >>> list(letters.sample(data.SequentialSampler(3, start=2)))
        ['c', 'd', 'e']
        """
        if not isinstance(sampler, Sampler):
            raise DTypeError(f"sample: {sampler!r} is {a_type(sampler)}; pass a gluon.data.Sampler")
        return _Chosen(self, sampler)

    def transform(self, fn: Callable[..., Any], lazy: bool = True) -> Dataset:
        """Return a dataset with `fn` applied to each sample; tuples become arguments.

        Parameters
        ----------
        fn : callable
        lazy : bool, default True
            Call `fn` when a sample is accessed; False calls it now, for all samples.

        Returns
        -------
        Dataset

        Raises
        ------
        DTypeError
            If `fn` is not callable.

        Examples
        --------
        >>> from gluon import data
        >>> pairs = data.ArrayDataset([1, 2], [3, 4])
        >>> pairs.transform(lambda x, y: (x, -y))[1]
        (2, -4)
        """
        _check_function("transform", fn)
        transformed = _Transformed(self, fn)
        return transformed if lazy else SimpleDataset([transformed[k] for k in range(len(self))])

    def transform_first(self, fn: Callable[..., Any], lazy: bool = True) -> Dataset:
        """Return a dataset with `fn` applied to the first item of each sample.

        Parameters
        ----------
        fn : callable
        lazy : bool, default True
            Call `fn` when a sample is accessed; False calls it now, for all samples.

        Returns
        -------
        Dataset

        Raises
        ------
        DTypeError
            If `fn` is not callable.

        Examples
        --------
        >>> from gluon import data
        >>> samples = data.ArrayDataset([1, 2], ["one", "two"])
        >>> list(samples.transform_first(lambda x: 10 * x))
        [(10, 'one'), (20, 'two')]
        """
        _check_function("transform_first", fn)
        return self.transform(_First(fn), lazy)


def _check_function(name: str, fn: Any) -> None:
    if not callable(fn):
        raise DTypeError(f"{name}: fn is {a_type(fn)}; give a function of a sample")
    if isinstance(fn, type) and hasattr(fn, "hybridize"):
        raise DTypeError(f"{name}: fn is the class {fn.__name__}; create it: {fn.__name__}(...)")


def random_split(dataset: Any, lengths: Sequence[float]) -> list[Dataset]:
    """Split a dataset randomly into parts without overlap.

    Parameters
    ----------
    dataset : Dataset, sequence, or NDArray of shape (samples, ...) and any dtype
    lengths : sequence of int or float
        The number of samples of each part, or its share. Shares must add up to 1; they are rounded
        to numbers of samples that add up to the length of the data set.

    Returns
    -------
    list of Dataset
        The parts read samples of `dataset` on access. ``numpy.random.seed`` determines which
        samples are in which part.

    Raises
    ------
    ArgumentError
        If a length is negative, or the lengths do not add up to the length of the data set.

    Examples
    --------
    >>> from gluon import data
    >>> train, test = data.random_split(range(10), [0.8, 0.2])
    >>> len(train), len(test), sorted([*train, *test]) == list(range(10))
    (8, 2, True)
    """
    total = len(dataset)
    ends = np.cumsum([0, *lengths])
    if not all(isinstance(one, Integral) for one in lengths) and abs(ends[-1] - 1) < 1e-6:
        ends = np.rint(ends / ends[-1] * total).astype(int)
    if ends[-1] != total or min(np.diff(ends), default=0) < 0:
        raise ArgumentError(
            f"random_split: lengths={list(lengths)} must add up to the {total} samples of the data"
            " set, or as shares to 1"
        )
    order = [*RandomSampler(total)]
    return [_Chosen(dataset, order[start:end]) for start, end in pairwise(ends.tolist())]


class SimpleDataset(Dataset):
    """Dataset of the items of a list or another sequence.

    Parameters
    ----------
    data : list or array of shape (samples, ...) and any dtype

    Examples
    --------
    >>> from gluon import data
    >>> samples = data.SimpleDataset(["one", "two"])
    >>> len(samples), samples[1]
    (2, 'two')
    """

    def __init__(self, data: Sequence[Any]) -> None:
        self._data = data

    def __getitem__(self, idx: int) -> Any:
        return self._data[idx]

    def __len__(self) -> int:
        return len(self._data)


def _warn_of_columns(samples: Any) -> None:
    """Warn if a list of samples looks like a list of arrays of data and labels."""
    shapes = [np.shape(one) for one in samples if isinstance(one, (NDArray, np.ndarray))]
    lengths = {shape[:1] for shape in shapes}
    if 1 < len(shapes) == len(samples) < 4 and len(lengths) == 1 and len(set(shapes)) > 1:
        warn_caller(
            f"ArrayDataset: a list of {len(samples)} arrays is read as {len(samples)} samples; for"
            " arrays of data and labels, write ArrayDataset(data, labels)"
        )


class ArrayDataset(Dataset):
    """Dataset that combines arrays or lists of equal length; a sample is a tuple of items.

    Parameters
    ----------
    *args : NDArray, numpy.ndarray or list
        Of shape (samples, ...) and any dtype. With a single array, a sample is an item, not a
        tuple.

    Raises
    ------
    ArgumentError
        If there is no array, or the lengths differ.

    Examples
    --------
    >>> from gluon import data, nd
    >>> samples = data.ArrayDataset(nd.ones((3, 2)), [0, 1, 2])
    >>> len(samples), samples[2][1]
    (3, 2)
    """

    def __init__(self, *args: Any) -> None:
        for place, one in enumerate(args):
            if not hasattr(one, "__len__"):
                raise DTypeError(
                    f"ArrayDataset: argument {place} is {a_type(one)} without a length;"
                    " give arrays or lists"
                )
        lengths = [len(one) for one in args]
        if len(set(lengths)) != 1:
            raise ArgumentError(
                f"ArrayDataset takes arrays of the same length; got lengths {lengths}"
                if args
                else "ArrayDataset takes at least one array"
            )
        if len(args) == 1 and isinstance(args[0], (list, tuple)):
            _warn_of_columns(args[0])
        self._length = lengths[0]
        # Elements of a one-dimensional NDArray are plain numbers, as in MXNet.
        self._data = [
            one.asnumpy() if isinstance(one, NDArray) and one.ndim == 1 else one for one in args
        ]

    def __getitem__(self, idx: int) -> Any:
        if len(self._data) == 1:
            return self._data[0][idx]
        return tuple(one[idx] for one in self._data)

    def __len__(self) -> int:
        return self._length


class RecordFileDataset(Dataset):
    """Dataset of the records in a record file, as bytes.

    The index ``name.idx`` must be next to the file ``name.rec``; see `recordio.MXIndexedRecordIO`.

    Parameters
    ----------
    filename : str
        The path of the file.

    Raises
    ------
    MissingFileError
        If the file or its index does not exist.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon import data, recordio
    >>> path = os.path.join(tempfile.mkdtemp(), "words")
    >>> file = recordio.MXIndexedRecordIO(path + ".idx", path + ".rec", "w")
    >>> for k, word in enumerate((b"one", b"two")):
    ...     file.write_idx(k, word)
    >>> file.close()
    >>> list(data.RecordFileDataset(path + ".rec"))
    [b'one', b'two']
    """

    filename: str
    idx_file: str

    def __init__(self, filename: str) -> None:
        self.filename = os.fspath(filename)
        self.idx_file = os.path.splitext(self.filename)[0] + ".idx"
        self._record = MXIndexedRecordIO(self.idx_file, self.filename, "r")

    def __getitem__(self, idx: int) -> Any:
        return self._record.read_idx(self._record.keys[idx])

    def __len__(self) -> int:
        return len(self._record.keys)


class _DownloadedDataset(Dataset):
    """Base of datasets that read local files; nothing is downloaded.

    Subclasses define ``_get_data``, which sets ``_data`` and ``_label``.
    """

    def __init__(self, root: str, transform: Callable[..., Any] | None) -> None:
        self._root, self._transform = os.path.expanduser(root), transform
        self._data: Any = None
        self._label: Any = None
        self._get_data()

    def __getitem__(self, idx: int) -> Any:
        sample = self._data[idx], self._label[idx]
        return sample if self._transform is None else self._transform(*sample)

    def __len__(self) -> int:
        return len(self._label)

    def _get_data(self) -> None:
        raise NotImplementedError(f"{type(self).__name__} must define _get_data()")

    def _missing(self, what: str) -> MissingFileError:
        return MissingFileError(
            f"{type(self).__name__}: cannot find {what} in {self._root!r}; gluon downloads nothing,"
            " so put it there, or pass root="
        )


class _First:
    """Applies a function to the first part of a sample."""

    def __init__(self, fn: Callable[..., Any]) -> None:
        self._fn = fn

    def __call__(self, first: Any, *rest: Any) -> Any:
        return (self._fn(first), *rest) if rest else self._fn(first)


class _Transformed(Dataset):
    """The samples of a dataset after a function was applied."""

    def __init__(self, dataset: Dataset, fn: Callable[..., Any]) -> None:
        self._dataset, self._fn = dataset, fn

    def __getitem__(self, idx: int) -> Any:
        if not isinstance(idx, slice) and idx >= len(self):
            raise IndexRangeError(f"sample {idx} is out of range for {len(self)} samples")
        sample = self._dataset[idx]
        parts = sample if isinstance(sample, tuple) else (sample,)
        try:
            return self._fn(*parts)
        except (ArgumentError, DTypeError) as error:
            if len(parts) > 1 and getattr(self._fn, "_miscounted", str)(parts):
                raise DTypeError(f"transform: {error}; {_parted(parts)}") from None
            raise
        except TypeError as error:
            if error.__traceback__.tb_next is not None:  # type: ignore[union-attr]
                raise
            raise DTypeError(f"transform: {error}; {_parted(parts)}") from None

    def __len__(self) -> int:
        return len(self._dataset)


def _parted(parts: Sequence[Any]) -> str:
    """What to say of a sample whose parts are too many for a function, or too few."""
    return (
        f"a sample has {len(parts)} part{'s' * (len(parts) != 1)} here, which are the arguments of"
        " the function; transform_first passes the first part alone"
    )


class _Chosen(Dataset):
    """A subset of the samples of a dataset."""

    def __init__(self, dataset: Dataset, indices: Iterable[int]) -> None:
        self._dataset, self._indices = dataset, list(indices)

    def __getitem__(self, idx: int) -> Any:
        return self._dataset[self._indices[idx]]

    def __len__(self) -> int:
        return len(self._indices)
