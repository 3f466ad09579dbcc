"""Batches of images from a record file or from image files."""

from __future__ import annotations

import logging
import os
import random
from collections.abc import Sequence
from numbers import Number
from typing import Any

import numpy as np

from .. import nd, recordio
from .._core.arrays.interfaces import chosen_class
from .._core.engine.array import wrap
from .._core.errors import ArgumentError, DTypeError, GluonError
from ..io import DataBatch, DataIter
from ..nd import NDArray
from ..recordio.files import content_of, lines_of
from .augmenters import CreateAugmenter
from .functions import imdecode

HANDLES = ("pad", "discard", "roll_over")
Buffers = tuple[np.ndarray, np.ndarray, int]


class ImageIter(DataIter):
    """Batches of images (channels, height, width) of float32, decoded one by one.

    A subclass may override the steps for a sample: `next_sample`, `imdecode`, `check_valid_image`,
    `augmentation_transform` and `postprocess_data`.

    Parameters
    ----------
    batch_size : int
    data_shape : tuple of int
        3, height and width.
    label_width : int, default 1
        The number of labels of an image.
    path_imgrec : str, optional
        The path of a record file.
    path_imglist : str, optional
        The path of a list: lines of an index, labels and a path, separated by tabs. With a record
        file, it sets the labels.
    path_root : str, optional
        The folder that paths in a list are relative to.
    path_imgidx : str, optional
        The path of the index of the record file, which is required for `shuffle` and parts.
    shuffle : bool, default False
        Use a new random order in each epoch.
    part_index, num_parts : int
        Use only one of several parts of the images.
    aug_list : list of Augmenter, optional
        The augmenters; by default those of `CreateAugmenter`.
    imglist : list of list, optional
        For each image its label or labels, and its path.
    data_name, label_name : str
    dtype : {'float32', 'float64', 'int32', 'int64'}
        Of the labels in a list.
    last_batch_handle : {'pad', 'discard', 'roll_over'}, default 'pad'
        What to do with the images of an incomplete last batch: pad it with the first images, drop
        them, or start the next epoch with them.
    **kwargs
        For `CreateAugmenter`.

    Raises
    ------
    ArgumentError
        If there is no source of images, or an argument is invalid.
    MissingFileError
        If the file does not exist.

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> from gluon import image, recordio
    >>> path = os.path.join(tempfile.mkdtemp(), "a.rec")
    >>> file = recordio.MXRecordIO(path, "w")
    >>> for k in range(3):
    ...     picture = np.full((6, 8, 3), 10 * k, "uint8")
    ...     file.write(recordio.pack_img(recordio.IRHeader(0, k, k, 0), picture, 9, ".png"))
    >>> file.close()
    >>> for batch in image.ImageIter(2, (3, 4, 4), path_imgrec=path):
    ...     print(batch.data[0].shape, batch.label[0].asnumpy(), batch.pad)
    (2, 3, 4, 4) [0. 1.] 0
    (2, 3, 4, 4) [2. 0.] 1
    >>> pictures = image.ImageIter(2, (3, 4, 4), path_imgrec=path)
    >>> pictures.check_data_shape((3, 8, 8))
    >>> label, content = pictures.next_sample()
    >>> picture = pictures.imdecode(content)
    >>> pictures.check_valid_image(picture)
    >>> picture = pictures.augmentation_transform(picture)
    >>> label, picture.shape, pictures.postprocess_data(picture).shape
    (0.0, (4, 4, 3), (3, 4, 4))
    >>> pictures.hard_reset()
    >>> pictures.next().label[0].asnumpy()
    array([0., 1.], dtype=float32)
    """

    cur: int
    data_shape: tuple[int, ...]
    imglist: dict[Any, Any] | None
    label_width: int
    num_image: int | None
    path_root: str
    shuffle: bool

    def __init__(
        self,
        batch_size: int,
        data_shape: tuple[int, ...],
        label_width: int = 1,
        path_imgrec: str | None = None,
        path_imglist: str | None = None,
        path_root: str | None = None,
        path_imgidx: str | None = None,
        shuffle: bool = False,
        part_index: int = 0,
        num_parts: int = 1,
        aug_list: list[Any] | None = None,
        imglist: list[Any] | None = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        dtype: str = "float32",
        last_batch_handle: str = "pad",
        **kwargs: Any,
    ) -> None:
        super().__init__(batch_size)
        self._check(last_batch_handle, dtype, part_index, num_parts)
        self.check_data_shape(data_shape)
        self.data_shape, self.label_width = tuple(data_shape), label_width
        labels = (label_width,) if label_width > 1 else ()
        self.provide_data: list = [(data_name, (batch_size, *data_shape))]
        self.provide_label: list = [(label_name, (batch_size, *labels))]
        self.path_root, self.shuffle = path_root or "", shuffle
        self.last_batch_handle = last_batch_handle
        self.imglist = self._listed(path_imglist, imglist, dtype)
        self.imgrec: Any = None
        self.seq: list | None = None
        self._open(path_imgrec, path_imgidx)
        if self.seq is None and (shuffle or num_parts > 1):
            raise ArgumentError(
                f"{type(self).__name__}: shuffle and num_parts need path_imgidx, the index of the"
                " record file"
            )
        if self.seq is not None:
            part = len(self.seq) // num_parts
            self.seq = self.seq[part * part_index : part * (part_index + 1)]
        self.num_image = None if self.seq is None else len(self.seq)
        self.auglist: list = CreateAugmenter(data_shape, **kwargs) if aug_list is None else aug_list
        self.cur, self._ended = 0, False
        self._rolled: Buffers | None = None
        self.reset()

    # ------------------------------------------------------------------------------ sources

    def _check(self, last: str, dtype: str, part_index: int, num_parts: int) -> None:
        allowed = {
            f"last_batch_handle={last!r}": last in HANDLES,
            f"dtype={dtype!r}": dtype in ("float32", "float64", "int32", "int64"),
            f"part_index={part_index} of num_parts={num_parts}": 0 <= part_index < num_parts,
            f"batch_size={self.batch_size}": self.batch_size > 0,
        }
        for what, is_allowed in allowed.items():
            if not is_allowed:
                raise ArgumentError(f"{type(self).__name__}: {what} is not possible")

    def _open(self, path: str | None, index: str | None) -> None:
        """Open the record file, if any, and determine the order of the samples."""
        if not path:
            if self.imglist is None:
                raise ArgumentError(
                    f"{type(self).__name__}: no images; pass path_imgrec, path_imglist or imglist"
                )
            self.seq = list(self.imglist)
        elif index:
            self.imgrec = recordio.MXIndexedRecordIO(index, path, "r")
            self.seq = list(self.imgrec.keys)
        else:
            self.imgrec = recordio.MXRecordIO(path, "r")

    def _listed(self, path: str | None, given: Any, dtype: str) -> dict | None:
        """Return the label and the path of each image in a list."""
        if path:
            found: dict = {}
            for number, line in lines_of(type(self).__name__, path):
                if not line.strip():
                    continue
                try:
                    key, *labels, name = line.strip().split("\t")
                    values = nd.array([float(one) for one in labels], dtype=dtype)
                    found[int(key)] = values, name
                except ValueError as error:
                    raise GluonError(
                        f"{type(self).__name__}: line {number} of {path!r} is not a number, labels"
                        f" and path with tabs between them: {line!r} ({error})"
                    ) from None
            return found
        if given is None:
            return None
        if not isinstance(given, list):
            raise DTypeError(
                f"{type(self).__name__}: imglist must be a list, not {type(given).__name__}"
            )
        found = {}
        for k, (*labels, name) in enumerate(given, 1):
            values = labels if len(labels) > 1 or isinstance(labels[0], Number) else labels[0]
            found[str(k)] = nd.array(values, dtype=dtype), name
        return found

    # ------------------------------------------------------------------------------- epochs

    def reset(self) -> None:
        """Start the next epoch; with ``'roll_over'``, first with the leftover images."""
        if self.seq is not None and self.shuffle:
            random.shuffle(self.seq)
        if self._rolled is None:
            self._rewind()

    def hard_reset(self) -> None:
        """Start the next epoch and drop leftover images."""
        self._rolled = None
        self.reset()

    def _rewind(self) -> None:
        self.cur, self._ended = 0, False
        if self.imgrec is not None:
            self.imgrec.reset()

    def next_sample(self) -> tuple[Any, bytes]:
        """The next image.

        Returns
        -------
        label : float, or numpy.ndarray or NDArray of shape (label_width,)
        picture : bytes
            Of a file.

        Raises
        ------
        StopIteration
            After the last one.
        """
        if self._ended:
            raise StopIteration
        if self.seq is None:
            record = self.imgrec.read()
            at_end = record is None
        else:
            at_end = self.cur >= len(self.seq)
        if at_end:
            if self.last_batch_handle != "discard":
                self._rewind()
            raise StopIteration
        self.cur += 1
        if self.seq is None:
            header, picture = recordio.unpack(record)
            return header.label, picture
        key = self.seq[self.cur - 1]
        if self.imgrec is None:
            assert self.imglist is not None
            label, name = self.imglist[key]
            return label, self.read_image(name)
        header, picture = recordio.unpack(self.imgrec.read_idx(key))
        return (header.label if self.imglist is None else self.imglist[key][0]), picture

    # ------------------------------------------------------------------------------ batches

    def _buffers(self) -> Buffers:
        """Return empty data and labels of a batch, and the number of samples in it."""
        shapes = (self.batch_size, *self.data_shape), self.provide_label[0][1]
        data, label = (np.zeros(shape, np.float32) for shape in shapes)
        return data, label, 0

    def _batchify(self, batch_data: Any, batch_label: Any, start: int = 0) -> int:
        """Fill a batch with samples from position `start`; return the end position.

        Raise StopIteration where there is none at all.
        """
        place = start
        while place < self.batch_size:
            try:
                given, picture = self.next_sample()
            except StopIteration:
                if place == 0:
                    raise
                break
            sample = self._sample(given, picture)
            if sample is not None:
                batch_data[place], self._label_at(batch_label, place)[...] = sample
                place += 1
        return place

    def _label_at(self, label: np.ndarray, place: int) -> np.ndarray:
        """Return the part of the labels of a batch that belongs to one sample."""
        return label[place : place + 1] if label.ndim == 1 else label[place]

    def _sample(self, label: Any, picture: bytes) -> tuple[np.ndarray, Any] | None:
        """Return the data and the label of a sample, or None if it is skipped."""
        data = self.imdecode(picture)
        try:
            self.check_valid_image(data)
        except RuntimeError as error:
            logging.debug("An image is left out: %s", error)
            return None
        data = self.postprocess_data(self.augmentation_transform(data))
        label = np.asarray(_numpy(label), np.float32)
        wanted = self.provide_label[0][1][1:]
        if label.size != max(int(np.prod(wanted)), 1):
            raise GluonError(
                f"{type(self).__name__}: {self._name()} has {label.size} labels, and"
                f" label_width={self.label_width}"
            )
        return _numpy(data), label.reshape(wanted)

    def next(self) -> DataBatch:
        """The next batch.

        Returns
        -------
        DataBatch

        Raises
        ------
        GluonError
            If an image cannot be decoded, or has another number of labels.
        StopIteration
            After the last one.
        """
        rolled, self._rolled = self._rolled, None
        data, label, filled = rolled or self._buffers()
        if rolled is None:
            filled = self._batchify(data, label)
            if filled < self.batch_size and self.last_batch_handle == "discard":
                raise StopIteration
            if filled < self.batch_size and self.last_batch_handle == "roll_over":
                self._rolled = data, label, filled
                raise StopIteration
        pad = self.batch_size - filled
        while filled < self.batch_size:
            filled = self._batchify(data, label, filled)
            self._ended = self.last_batch_handle == "pad" and filled == self.batch_size
        kind = chosen_class()
        return DataBatch([wrap(kind, data)], [wrap(kind, label)], pad=pad)

    # ------------------------------------------------------------------- steps of one sample

    def check_data_shape(self, data_shape: Sequence[int]) -> None:
        """Raise unless `data_shape` is (3, height, width).

        Parameters
        ----------
        data_shape : tuple of int

        Raises
        ------
        ArgumentError
            If it is not one.
        """
        if len(data_shape) != 3 or data_shape[0] != 3:
            raise ArgumentError(
                f"{type(self).__name__}: data_shape={tuple(data_shape)} must be (3, height, width)"
            )

    def check_valid_image(self, data: Any) -> None:
        """Raise a RuntimeError for an image to skip.

        Parameters
        ----------
        data : NDArray of shape (height, width, channels), of any dtype

        Raises
        ------
        ArgumentError
            If `data` does not have the shape of an image.
        """
        if len(data[0].shape) == 0:
            raise ArgumentError(f"{type(self).__name__}: {data.shape} is not a shape of an image")

    def _name(self) -> str:
        key = self.cur - 1 if self.seq is None else self.seq[self.cur - 1]
        if self.imglist is not None and self.imgrec is None:
            return f"the image {self.imglist[key][1]!r}"
        return f"image {key} of {self.imgrec.uri!r}"

    def imdecode(self, s: bytes) -> NDArray:
        """Decode the bytes of an image file.

        Parameters
        ----------
        s : bytes

        Returns
        -------
        NDArray of shape (height, width, 3)

        Raises
        ------
        GluonError
            If the bytes hold no image; the message names the file.
        """
        try:
            return imdecode(s)
        except ArgumentError as error:
            raise GluonError(f"{type(self).__name__}: {self._name()}: {error}") from error

    def read_image(self, fname: str) -> bytes:
        """Read a file in the folder `path_root`.

        Parameters
        ----------
        fname : str

        Returns
        -------
        bytes

        Raises
        ------
        MissingFileError
            If the file does not exist.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import image
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with open(f"{folder}/a.jpg", "wb") as file:
        ...         _ = file.write(b"content")
        ...     pictures = image.ImageIter(1, (3, 4, 4), imglist=[[0, "a.jpg"]], path_root=folder)
        ...     pictures.read_image("a.jpg")
        b'content'
        """
        path = os.path.join(self.path_root, fname)
        return content_of(type(self).__name__, path)

    def augmentation_transform(self, data: Any) -> Any:
        """Apply all augmenters to an image.

        Parameters
        ----------
        data : NDArray of shape (height, width, 3), of any dtype

        Returns
        -------
        NDArray of shape (height, width, 3)
        """
        for one in self.auglist:
            data = one(data)
        return data

    def postprocess_data(self, datum: Any) -> Any:
        """Transpose an image to (channels, height, width).

        Parameters
        ----------
        datum : NDArray of shape (height, width, 3), of any dtype

        Returns
        -------
        NDArray of shape (3, height, width)
        """
        return nd.transpose(datum, axes=(2, 0, 1))


def _numpy(values: Any) -> Any:
    return values.asnumpy() if isinstance(values, NDArray) else values
