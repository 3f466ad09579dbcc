"""Batches of images from record files, decoded and augmented by several threads."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from difflib import get_close_matches
from typing import Any

import numpy as np

from .. import nd, recordio
from .._core.errors import ArgumentError, DTypeError, GluonError
from ..nd.decode import decoded
from ..recordio.files import lines_of
from .augment import Augmentation, Normalization
from .files import MXDataIter, as_shape, check_part, existing

Sample = tuple[np.ndarray, np.ndarray]
#: Arguments for MXNet's machinery: accepted for compatibility, without effect.
UNUSED = frozenset("ctx device_id shuffle_chunk_seed shuffle_chunk_size".split())


class Records(MXDataIter):
    """Base of iterators over images in a record file, which several threads load ahead of time."""

    def _open(
        self,
        path_imgrec: str,
        path_imgidx: str,
        path_imglist: str,
        parts: tuple[int, int],
        seed: int,
        threads: int,
        depth: int,
    ) -> None:
        """Open the files, and start the threads."""
        who = type(self).__name__
        self._file = recordio.MXRecordIO(existing(who, "path_imgrec", path_imgrec), "r")
        self._places_of(path_imgidx, *parts)
        listed = _listed(who, existing(who, "path_imglist", path_imglist)) if path_imglist else None
        self._labels = listed
        self._seed, self._batches = seed, 0
        self._threads = ThreadPoolExecutor(max(int(threads), 1), thread_name_prefix=who)
        self._depth = max(int(depth), 1)
        self._ahead: deque[tuple[list[Future], np.ndarray, int]] = deque()

    def _places_of(self, index: str, num_parts: int, part_index: int) -> None:
        """Find where the records of this part begin."""
        who = type(self).__name__
        check_part(who, num_parts, part_index)
        if index:
            keyed = recordio.MXIndexedRecordIO(index, self._file.uri, "r")
            starts = [keyed.idx[key] for key in keyed.keys]
            keyed.close()
        else:
            starts = self._file.places()
        step = -(-len(starts) // num_parts)
        self._starts = starts[step * part_index : step * (part_index + 1)]

    # ------------------------------------------------------------------------------ batches

    def reset(self) -> None:
        """Begin the next epoch, after the samples that padded the last batch."""
        for futures, *_ in self._ahead:
            for one in futures:
                one.cancel()
            self._next = 0  # this epoch was not finished
        self._ahead.clear()
        super().reset()

    def iter_next(self) -> bool:
        """Move to the next batch.

        Returns
        -------
        bool
            Whether there is a next batch.

        Raises
        ------
        GluonError
            If a record holds no image, or other labels than `label_width` says.
        """
        while len(self._ahead) < self._depth and (moved := self._moved()) is not None:
            self._ahead.append((self._begun(moved[0]), *moved))
        if not self._ahead:
            return False
        futures, places, pad = self._ahead.popleft()
        samples = [one.result() for one in futures]
        self._batch = *map(np.stack, zip(*samples)), places, pad  # type: ignore[assignment]
        return True

    def _begun(self, places: Iterable[int]) -> list[Future]:
        """Submit these samples to the threads; only this thread reads the file."""
        self._batches += 1
        futures = []
        for k, place in enumerate(places):
            record = self._file.read_at(self._starts[place])
            seeds = self._seed & 0xFFFFFFFF, self._batches, k
            futures.append(self._threads.submit(self._sample, place, record, seeds))
        return futures

    def _decoded(self, place: int, record: bytes, channels: int) -> tuple[Any, np.ndarray]:
        """Return the header and the picture of a record."""
        header, data = recordio.unpack(record)
        try:
            return header, decoded(type(self).__name__, "the record", data, channels)
        except ArgumentError as error:
            raise self._bad(place, f": {error}") from error

    def _bad(self, place: int, what: str) -> GluonError:
        """Return the error for an image."""
        return GluonError(f"{type(self).__name__}: image {place} of {self._file.uri!r}{what}")

    def _sample(self, place: int, record: bytes, seeds: tuple[int, ...]) -> Sample:
        """Return the data and the label of an image; runs in the threads."""
        raise NotImplementedError

    def _given(self, header: Any) -> np.ndarray | None:
        """Return the labels of an image, from the list if there is one."""
        label = header.label if self._labels is None else self._labels.get(header.id)
        return None if label is None else np.atleast_1d(np.asarray(label, np.float32)).ravel()


class _RecordIter(Records):
    """Base of iterators over images and their numbers."""

    _dtype: Any = np.uint8
    _normalizes = False

    def __init__(
        self,
        *,
        path_imgrec: str,
        data_shape: Any,
        batch_size: int,
        path_imgidx: str = "",
        path_imglist: str = "",
        label_width: int = 1,
        shuffle: bool = False,
        seed: int = 0,
        seed_aug: int | None = None,
        round_batch: bool = True,
        num_parts: int = 1,
        part_index: int = 0,
        preprocess_threads: int = 4,
        prefetch_buffer: int = 4,
        dtype: Any = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        aug_seq: str = "aug_default",
        verbose: bool = True,
        **settings: Any,
    ) -> None:
        who = type(self).__name__
        shape = as_shape(who, data_shape)
        if len(shape) != 3 or shape[0] not in (1, 3, 4):
            raise ArgumentError(
                f"{who}: data_shape={shape} must be (channels, height, width) with 1, 3 or 4"
                " channels"
            )
        if aug_seq != "aug_default":
            raise ArgumentError(f"{who}: aug_seq={aug_seq!r} is unsupported; use 'aug_default'")
        augmentation, normalization = self._settings(settings)
        self._augment = Augmentation(shape, **augmentation)
        self._normalize = Normalization(**normalization) if self._normalizes else None
        self._mean = mean_picture(who, self._normalize.mean_img if self._normalize else "")
        drawing = seed if seed_aug is None else seed_aug
        files, parts = (path_imgrec, path_imgidx, path_imglist), (num_parts, part_index)
        self._open(*files, parts, drawing, preprocess_threads, prefetch_buffer)
        self._label_width, self._data_dtype = label_width, np.dtype(dtype or self._dtype)
        super().__init__(
            len(self._starts),
            batch_size,
            (shape, (label_width,) if label_width > 1 else ()),
            dtypes=(self._data_dtype.type, np.float32),
            names=(data_name, label_name),
            shuffle=seed if shuffle else None,
            round_batch=bool(round_batch),
        )
        if verbose:
            logging.info("%s: %d images of %s", who, len(self._starts), path_imgrec)

    def _settings(self, given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the arguments for augmentation, and those for normalization."""
        kinds: list[Any] = [Augmentation, Normalization] if self._normalizes else [Augmentation]
        known = {name for kind in kinds for name in kind._fields} - {"data_shape"}
        for name in given.keys() - known - UNUSED:
            close = get_close_matches(name, known, 1)
            meant = f"; did you mean {close[0]!r}?" if close else ""
            raise DTypeError(f"{type(self).__name__}: unknown argument {name!r}{meant}")
        augmentation, normalization = (
            {name: given[name] for name in kind._fields if name in given}
            for kind in (Augmentation, Normalization)
        )
        return augmentation, normalization

    def _sample(self, place: int, record: bytes, seeds: tuple[int, ...]) -> Sample:
        random = np.random.RandomState(seeds)
        header, picture = self._decoded(place, record, self._augment.data_shape[0])
        try:
            picture = self._augment(picture, random)
        except ArgumentError as error:
            raise self._bad(place, f": {error}") from error
        if self._normalize:
            picture = self._normalize(picture, self._mean, random)
        else:
            picture = picture.transpose(2, 0, 1)
        if self._data_dtype == np.int8:
            picture = picture.clip(-128, 127)
        return picture.astype(self._data_dtype), self._label_of(header, place)

    def _label_of(self, header: Any, place: int) -> np.ndarray:
        values = self._given(header)
        if values is None or len(values) != self._label_width:
            found = "no label" if values is None else f"{len(values)} labels"
            raise self._bad(place, f" has {found}, and label_width={self._label_width}")
        return values if self._label_width > 1 else values[0]


def mean_picture(who: str, path: str) -> np.ndarray | None:
    """The picture in a file that is subtracted from all; None without a path."""
    if not path:
        return None
    mean = nd.load(existing(who, "mean_img", path))
    return (mean["mean_img"] if isinstance(mean, dict) else mean[0]).asnumpy()


def _listed(who: str, path: str) -> dict[int, list[float]]:
    """Return the labels in an image list: tab-separated lines of an index, labels and a path."""
    found = {}
    for number, line in lines_of(who, path):
        if not line.strip():
            continue
        try:
            key, *labels = line.strip().split("\t")[:-1]
            found[int(float(key))] = [float(one) for one in labels]
        except (OverflowError, ValueError) as error:
            raise GluonError(
                f"{who}: line {number} of {path!r} is not a number, labels and path with"
                f" tabs between them: {line!r} ({error})"
            ) from None
    return found


class ImageRecordIter(_RecordIter):
    """Batches of images from a record file, as float32.

    It requires Pillow: ``pip install "gluon-autograd[image]"``.

    Parameters
    ----------
    path_imgrec : str
        The path of the file ``name.rec``.
    data_shape : tuple of int
        Channels (1 for grey, 3 for colour, 4 for colour with opacity), height and width.
    batch_size : int
    path_imgidx : str, optional
        The path of its index ``name.idx``; by default the file is scanned for its records.
    path_imglist : str, optional
        The path of a list with the labels: lines of a record's index, labels and a path, separated
        by tabs.
    label_width : int, default 1
        The number of labels of an image.
    shuffle : bool, default False
        Use a new random order in each epoch.
    seed : int, default 0
        The seed of the order and, without `seed_aug`, of the augmentation. The random numbers do
        not depend on the number of threads.
    seed_aug : int, optional
    round_batch : bool, default True
        Pad the last batch with the first images of the next epoch, which then starts after them.
        False pads it with the first images, and the next epoch starts as usual.
    num_parts, part_index : int
        Use only one of several parts of the records.
    preprocess_threads : int, default 4
    prefetch_buffer : int, default 4
        How many batches to load ahead of time.
    dtype : str, optional
        Of the data.
    data_name, label_name : str
    aug_seq : {'aug_default'}
    verbose : bool, default True
        Log the number of images.
    **settings
        Augmentation settings, applied to each image in this order. ``resize``: the new length of
        the shorter side. ``max_rotate_angle`` or ``rotate`` (degrees), ``max_shear_ratio``,
        ``min_random_scale`` and ``max_random_scale``, ``min_aspect_ratio`` and
        ``max_aspect_ratio`` (alone, the largest difference from 1), ``min_img_size`` and
        ``max_img_size``: an affine transformation about the centre. ``pad``: the width of a
        border, filled with ``fill_value``. ``random_resized_crop``: crop a rectangle whose share
        of the area is between ``min_random_area`` and ``max_random_area``; otherwise a square
        whose side is between ``min_crop_size`` and ``max_crop_size``, if given; otherwise a
        rectangle of the size of `data_shape`; at the centre, or with ``rand_crop`` at a random
        position. ``brightness``, ``contrast`` and ``saturation``: the largest relative change, in
        random order. ``pca_noise``: the standard deviation of the lighting noise. ``random_h``,
        ``random_s`` and ``random_l``: the largest change of hue (in steps of 2 degrees),
        saturation and lightness (of 255). ``inter_method``: the interpolation, as in
        `image.imresize`. Then ``mirror`` flips all images, or ``rand_mirror`` half of them.
        Finally the values are normalized: subtract ``mean_img``, the path of a file with one
        array, or ``mean_r``, ``mean_g``, ``mean_b`` and ``mean_a``; multiply by a random factor
        that differs from 1 by up to ``max_random_contrast``; add a random number of up to
        ``max_random_illumination`` in magnitude; multiply by ``scale`` and divide by ``std_r``,
        ``std_g``, ``std_b`` and ``std_a``.

    Raises
    ------
    ArgumentError
        If an argument is invalid.
    DTypeError
        If the name of an argument is unknown.
    MissingFileError
        If the file does not exist.

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> from gluon import io, recordio
    >>> path = os.path.join(tempfile.mkdtemp(), "a.rec")
    >>> file = recordio.MXRecordIO(path, "w")
    >>> for k in range(3):
    ...     picture = np.full((6, 8, 3), 10 * k, "uint8")
    ...     file.write(recordio.pack_img(recordio.IRHeader(0, k, k, 0), picture, 9, ".png"))
    >>> file.close()
    >>> batches = io.ImageRecordIter(path_imgrec=path, data_shape=(3, 4, 4), batch_size=2, mean_r=5)
    >>> for batch in batches:
    ...     print(batch.data[0].shape, batch.data[0][:, 0, 0, 0].asnumpy(), batch.pad)
    (2, 3, 4, 4) [-5.  5.] 0
    (2, 3, 4, 4) [15. -5.] 1
    """

    _dtype = np.float32
    _normalizes = True


class ImageRecordUInt8Iter(_RecordIter):
    """Batches of images from a record file, as uint8.

    See `ImageRecordIter`; it lacks the arguments from ``mirror`` on.

    Parameters
    ----------
    path_imgrec, data_shape, batch_size, path_imgidx, path_imglist, label_width, shuffle, seed
    seed_aug, round_batch, num_parts, part_index, preprocess_threads, prefetch_buffer, dtype
    data_name, label_name, aug_seq, verbose, **settings
        As for `ImageRecordIter`.

    Raises
    ------
    ArgumentError
        If an argument is invalid.
    DTypeError
        If the name of an argument is unknown.
    MissingFileError
        If the file does not exist.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from gluon import io, recordio
    >>> path = f"{tempfile.mkdtemp()}/a.rec"
    >>> file = recordio.MXRecordIO(path, "w")
    >>> header = recordio.IRHeader(0, 5, 0, 0)
    >>> file.write(recordio.pack_img(header, np.full((4, 4, 3), 200, "uint8"), 9, ".png"))
    >>> file.close()
    >>> batch = io.ImageRecordUInt8Iter(path_imgrec=path, data_shape=(3, 4, 4), batch_size=1).next()
    >>> batch.data[0].dtype, batch.data[0].asnumpy().max().item()
    (<class 'numpy.uint8'>, 200)
    """


class ImageRecordInt8Iter(_RecordIter):
    """Batches of images from a record file, as int8; values above 127 become 127.

    See `ImageRecordIter`; it lacks the arguments from ``mirror`` on.

    Parameters
    ----------
    path_imgrec, data_shape, batch_size, path_imgidx, path_imglist, label_width, shuffle, seed
    seed_aug, round_batch, num_parts, part_index, preprocess_threads, prefetch_buffer, dtype
    data_name, label_name, aug_seq, verbose, **settings
        As for `ImageRecordIter`.

    Raises
    ------
    ArgumentError
        If an argument is invalid.
    DTypeError
        If the name of an argument is unknown.
    MissingFileError
        If the file does not exist.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from gluon import io, recordio
    >>> path = f"{tempfile.mkdtemp()}/a.rec"
    >>> file = recordio.MXRecordIO(path, "w")
    >>> header = recordio.IRHeader(0, 5, 0, 0)
    >>> file.write(recordio.pack_img(header, np.full((4, 4, 3), 200, "uint8"), 9, ".png"))
    >>> file.close()
    >>> batch = io.ImageRecordInt8Iter(path_imgrec=path, data_shape=(3, 4, 4), batch_size=1).next()
    >>> batch.data[0].dtype, batch.data[0].asnumpy().max().item()
    (<class 'numpy.int8'>, 127)
    """

    _dtype = np.int8
