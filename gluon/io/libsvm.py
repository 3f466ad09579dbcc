"""Batches of sparse samples from LibSVM files."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from .._core.errors import ArgumentError
from .._core.kernels.libsvm import parse, rows_in
from .._core.kernels.sparse import Csr, take_rows
from .files import MXDataIter, as_shape, check_part, existing, reads_text

#: What a file may begin with to say that it is UTF-8.
MARK = b"\xef\xbb\xbf"


@reads_text
class LibSVMIter(MXDataIter):
    """Batches of csr data from a LibSVM file, with one sample per line.

    A line is ``label index:value index:value ...``. Indices count from 0. What follows a ``#`` is
    a comment; a weight of the label, ``label:weight``, and a second word ``qid:number`` are
    ignored.

    Parameters
    ----------
    data_libsvm : str
        The path of the file; of a folder, for all files in it; or several, separated by ``;``.
    data_shape : tuple of one int
        The number of columns.
    batch_size : int
    label_libsvm : str, optional
        The path of another such file, whose rows are the labels; its labels are ignored, and those
        of `data_libsvm`. The labels of a batch are csr then.
    label_shape : tuple of one int, default (1,)
        The number of columns of the labels in `label_libsvm`. Without that file, the labels of a
        batch have the shape (batch_size,).
    num_parts, part_index : int
        Use only one of several parts of the lines, which have about as many bytes.

    Raises
    ------
    ArgumentError
        If a line is not as above, an index is out of range or twice in a line, or the two files
        differ in their number of lines. The message has the file and the number of the line.
    MissingFileError
        If a file does not exist.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon import io
    >>> path = os.path.join(tempfile.mkdtemp(), "a.svm")
    >>> with open(path, "w") as file:
    ...     print("1 0:0.5 2:1.5", "-2", "-3 1:2", sep=chr(10), file=file)
    >>> for batch in io.LibSVMIter(data_libsvm=path, data_shape=(3,), batch_size=2):
    ...     print(batch.data[0].stype, batch.data[0].asnumpy().tolist(), batch.pad)
    csr [[0.5, 0.0, 1.5], [0.0, 0.0, 0.0]] 0
    csr [[0.0, 2.0, 0.0], [0.5, 0.0, 1.5]] 1
    """

    def __init__(
        self,
        *,
        data_libsvm: str,
        data_shape: Any,
        batch_size: int,
        label_libsvm: str = "NULL",
        label_shape: Any = (1,),
        num_parts: int = 1,
        part_index: int = 0,
        round_batch: bool = True,
        dtype: Any = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        prefetch_buffer: int = 4,
        ctx: Any = "gpu",
    ) -> None:
        dtype = np.dtype(dtype or np.float32)
        check_part("LibSVMIter", num_parts, part_index)
        width = _width("data_shape", data_shape)
        part = num_parts, part_index
        label, self._data, skipped = _read("data_libsvm", data_libsvm, width, dtype, part)
        self._label: Any = label
        label_width: tuple[int, ...] = ()
        if label_libsvm not in (None, "NULL"):
            label_width = (_width("label_shape", label_shape),)
            self._label = _labels(label_libsvm, label_width[0], dtype, len(label), skipped)
        elif as_shape("LibSVMIter", label_shape) != (1,):
            raise ArgumentError(
                f"LibSVMIter: label_shape={label_shape} needs a file label_libsvm; without one, a"
                " label is a number"
            )
        super().__init__(
            len(label),
            batch_size,
            ((width,), label_width),
            (dtype.type, dtype.type),
            names=(data_name, label_name),
            round_batch=bool(round_batch),
        )

    def _load(self, places: np.ndarray) -> tuple[Any, Any]:
        label = self._label
        return take_rows(self._data, places), (
            take_rows(label, places) if isinstance(label, Csr) else label[places]
        )


def _width(argument: str, shape: Any) -> int:
    lengths = as_shape("LibSVMIter", shape)
    if len(lengths) != 1 or lengths[0] < 1:
        raise ArgumentError(
            f"LibSVMIter: {argument}={shape} must be of one axis, the number of columns, such as"
            " (1000,)"
        )
    return lengths[0]


def _files(argument: str, path: Any) -> list[str]:
    """The files that a path names."""
    found = []
    for one in os.fspath(path).split(";"):
        folder = os.path.expanduser(one)
        if os.path.isdir(folder):
            inside = (os.path.join(folder, name) for name in sorted(os.listdir(folder)))
            found += [name for name in inside if os.path.isfile(name)]
        else:
            found.append(existing("LibSVMIter", argument, one))
    return found


def _read(
    argument: str, path: Any, width: int, dtype: Any, part: tuple[int, int]
) -> tuple[Any, Csr, int]:
    """The labels and the rows of a part of some files, and how many rows precede it."""
    files = _files(argument, path)
    sizes = [os.path.getsize(name) for name in files]
    count, which = part
    step = -(-sum(sizes) // count)
    first, last = (min(step * k, sum(sizes)) for k in (which, which + 1))
    labels, rows, skipped, begin = [np.zeros(0)], [], 0, 0
    for name, size in zip(files, sizes):
        before, text = _between(name, first - begin, last - begin)
        begin += size
        skipped += rows_in(before) if before else 0
        label, found = _parsed(argument, name, text, width, before.count(b"\n"))
        labels.append(label)
        rows.append(found)
    label = np.concatenate(labels)
    if not len(label):
        raise ArgumentError(f"LibSVMIter: {argument}={path!r} has no lines in part {which}")
    with np.errstate(over="ignore"):
        return label.astype(dtype), _stacked(rows, dtype), skipped


def _between(name: str, first: int, last: int) -> tuple[bytes, bytes]:
    """The text of a file before a part, and the part: whole lines from `first` to `last`."""
    with open(name, "rb") as file:
        text = file.read(max(last, 0)) + (file.readline() if last > 0 else b"")
    cut = 0
    if first > 0:
        cut = text.find(b"\n", first) + 1 or len(text)
    return text[:cut], text[cut:].removeprefix(MARK)


def _parsed(argument: str, name: str, text: bytes, width: int, before: int) -> tuple[Any, Csr]:
    try:
        return parse(text, width)
    except ValueError as error:
        line, what = error.args
        raise ArgumentError(
            f"LibSVMIter: {argument}={name!r}, line {before + line}: {what}"
        ) from None


def _stacked(rows: list[Csr], dtype: Any) -> Csr:
    """Matrices below each other, in another dtype."""
    counts = np.concatenate([np.diff(x.indptr) for x in rows])
    indptr = np.append(0, np.cumsum(counts))
    data, indices = (np.concatenate([getattr(x, k) for x in rows]) for k in ("data", "indices"))
    return Csr(data.astype(dtype), indices, indptr, (len(counts), rows[0].shape[1]))


def _labels(path: Any, width: int, dtype: Any, count: int, skipped: int) -> Csr:
    """The rows of the file of labels that belong to `count` rows of data after `skipped`."""
    _, rows, _ = _read("label_libsvm", path, width, dtype, (1, 0))
    if rows.shape[0] < skipped + count:
        raise ArgumentError(
            f"LibSVMIter: label_libsvm={path!r} has {rows.shape[0]} rows, but data_libsvm has"
            f" {skipped + count}"
        )
    return take_rows(rows, np.arange(skipped, skipped + count))
