"""Batches of images with boxes from record files, decoded and augmented by several threads."""

from __future__ import annotations

import logging
from difflib import get_close_matches
from typing import Any

import numpy as np

from .. import recordio
from .._core.errors import ArgumentError, DTypeError
from .augment import Normalization
from .det_augment import DetAugmentation
from .files import as_shape
from .records import UNUSED, Records, Sample, mean_picture

#: What a label begins with: the number of channels, the height, the width, and its own length.
HEAD = 4


class ImageDetRecordIter(Records):
    """Batches of images with boxes from a record file, as float32.

    The labels of an image in the file are the length of a header, at least 2; the number of values
    per object, at least 5; the rest of the header; and then for each object its class, its left,
    upper, right and lower edge relative to the width and height, and further values. In a batch
    they follow the number of channels, the height and the width of the augmented image, and the
    number of its labels; the rest is padding.

    It requires Pillow: ``pip install "gluon-autograd[image]"``.

    Parameters
    ----------
    path_imgrec : str, default './data/imgrec.rec'
        The path of the file ``name.rec``.
    path_imglist : str, optional
        The path of a list with the labels: lines of a record's index, labels and a path, separated
        by tabs.
    data_shape : tuple of int
        Channels (1 for grey, 3 for colour, 4 for colour with opacity), height and width.
    batch_size : int
    label_width : int, default -1
        The number of labels that each image must have; -1 allows different ones.
    label_pad_width : int, default 0
        The number of labels of an image after padding; by default the largest one.
    label_pad_value : float, default -1
        The padding.
    shuffle : bool, default False
        Use a new random order in each epoch.
    seed : int, default 0
        The seed of the order and of the augmentation. The random numbers do not depend on the
        number of threads.
    round_batch : bool, default True
        Pad the last batch with the first images of the next epoch, which then starts after them.
        False pads it with the first images, and the next epoch starts as usual.
    num_parts, part_index : int
        Use only one of several parts of the records.
    preprocess_threads : int, default 4
    prefetch_buffer : int, default 4
        How many batches to load ahead of time.
    dtype : {'float32'}, optional
    data_name, label_name : str
    aug_seq : {'det_aug_default'}
    verbose : bool, default True
        Log the number of images.
    **settings
        Augmentation settings, applied to each image and its boxes in this order. ``resize``: the
        new length of the shorter side. ``max_random_hue`` (in steps of 2 degrees),
        ``max_random_saturation`` and ``max_random_illumination`` (of 255) and
        ``max_random_contrast``: the largest change, with ``random_hue_prob`` and so on as the
        probabilities. ``rand_mirror_prob``: the probability of a flip. ``rand_pad_prob``: that of a
        border of the colour ``fill_value``, which makes the sides up to ``max_pad_scale`` times as
        long. ``rand_crop_prob``: that of a crop, for which ``num_crop_sampler`` samplers are tried
        in random order, ``max_crop_trials`` times each. ``min_crop_scales`` and ``max_crop_scales``
        are the limits of the square root of its share of the image, ``..._crop_aspect_ratios``
        those of its width divided by its height. One object must be within the limits of
        ``..._crop_overlaps`` (the shared area, of the area of both), ``..._crop_sample_coverages``
        (of the crop) and ``..._crop_object_coverages`` (of the object). ``crop_emit_mode`` is
        ``'center'``, to keep objects whose centre is in the crop, or ``'overlap'``, to keep those
        that share at least ``emit_overlap_thresh`` of their area with it. ``resize_mode``:
        ``'force'`` makes images as large as `data_shape`; ``'fit'`` keeps their aspect ratio and
        puts zeros to the right and below; ``'shrink'`` does so with images that are too large.
        ``inter_method``: the interpolation, as in `image.imresize`. Finally subtract ``mean_img``,
        the path of a file with one array, or ``mean_r``, ``mean_g``, ``mean_b`` and ``mean_a``;
        multiply by ``scale`` and divide by ``std_r``, ``std_g``, ``std_b`` and ``std_a``.

    Raises
    ------
    ArgumentError
        If an argument is invalid.
    DTypeError
        If the name of an argument is unknown.
    GluonError
        If an image cannot be decoded, or its labels are not such objects.
    MissingFileError
        If the file does not exist.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from gluon import io, recordio
    >>> path = f"{tempfile.mkdtemp()}/a.rec"
    >>> file = recordio.MXRecordIO(path, "w")
    >>> for boxes in ([1, 0.25, 0.5, 0.75, 1], [0, 0, 0, 0.5, 0.5, 1, 0.5, 0.5, 1, 1]):
    ...     header = recordio.IRHeader(0, [2, 5, *boxes], 0, 0)
    ...     file.write(recordio.pack_img(header, np.full((6, 8, 3), 10, "uint8"), 9, ".png"))
    >>> file.close()
    >>> batches = io.ImageDetRecordIter(path_imgrec=path, data_shape=(3, 4, 4), batch_size=2)
    >>> batch = batches.next()
    >>> batch.data[0].shape, batch.label[0].shape
    ((2, 3, 4, 4), (2, 16))
    >>> batch.label[0][0].asnumpy()  # three channels, 4 by 4 pixels, 7 labels
    array([ 3.  ,  4.  ,  4.  ,  7.  ,  2.  ,  5.  ,  1.  ,  0.25,  0.5 ,
            0.75,  1.  , -1.  , -1.  , -1.  , -1.  , -1.  ], dtype=float32)
    """

    def __init__(
        self,
        *,
        data_shape: Any,
        batch_size: int,
        path_imgrec: str = "./data/imgrec.rec",
        path_imglist: str = "",
        label_width: int = -1,
        label_pad_width: int = 0,
        label_pad_value: float = -1.0,
        shuffle: bool = False,
        seed: int = 0,
        round_batch: bool = True,
        num_parts: int = 1,
        part_index: int = 0,
        preprocess_threads: int = 4,
        prefetch_buffer: int = 4,
        dtype: Any = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        aug_seq: str = "det_aug_default",
        verbose: bool = True,
        **settings: Any,
    ) -> None:
        who, shape = type(self).__name__, as_shape(type(self).__name__, data_shape)
        _check(who, shape, aug_seq, dtype)
        self._augment, self._normalize = _read(who, shape, settings)
        self._mean = mean_picture(who, self._normalize.mean_img)
        files, parts = (path_imgrec, "", path_imglist), (num_parts, part_index)
        self._open(*files, parts, seed, preprocess_threads, prefetch_buffer)
        width = self._width(label_width, label_pad_width)
        self._blank = np.full(HEAD + width, label_pad_value, np.float32)
        super().__init__(
            len(self._starts),
            batch_size,
            (shape, self._blank.shape),
            names=(data_name, label_name),
            shuffle=seed if shuffle else None,
            round_batch=bool(round_batch),
        )
        if verbose:
            logging.info("%s: %d images of %s", who, len(self._starts), path_imgrec)

    def _width(self, wanted: int, padded: int) -> int:
        """Return the number of labels of an image after padding."""
        most = 0
        for place, start in enumerate(self._starts):
            header, _ = recordio.unpack(self._file.read_at(start))
            count = len(self._labels_of(header, place))
            if wanted > 0 and count != wanted:
                raise self._bad(place, f" has {count} labels, and label_width={wanted}")
            most = max(most, count)
        if 0 < padded < most:
            raise ArgumentError(
                f"{type(self).__name__}: label_pad_width={padded} is less than the {most} labels of"
                " an image; leave it out to take the largest number"
            )
        return max(most, padded)

    def _labels_of(self, header: Any, place: int) -> np.ndarray:
        """Return the labels of an image, which must be those of objects."""
        values = self._given(header)
        if values is None or len(values) < 7 or values[0] < 2 or values[1] < 5:
            found = "no label" if values is None else f"the labels {values.tolist()}"
            raise self._bad(
                place,
                f" has {found}; it needs the length of a header (at least 2), the number of values"
                " of an object (at least 5), and an object",
            )
        header_width, width = int(values[0]), int(values[1])
        if len(values) < header_width or (len(values) - header_width) % width:
            raise self._bad(
                place,
                f" has {len(values)} labels: after a header of {header_width} these are not objects"
                f" of {width} values",
            )
        return values

    def _sample(self, place: int, record: bytes, seeds: tuple[int, ...]) -> Sample:
        random = np.random.RandomState(seeds)
        channels, height, width = self._augment.data_shape
        header, picture = self._decoded(place, record, channels)
        values = self._labels_of(header, place)
        start = int(values[0])
        objects = values[start:].reshape(-1, int(values[1]))
        objects = objects[(objects[:, 1:3] < objects[:, 3:5]).all(1)]
        picture, objects = self._augment(picture, objects, random)
        rows, columns = picture.shape[:2]
        canvas = np.zeros((height, width, channels), np.uint8)
        canvas[:rows, :columns] = picture
        found = np.concatenate([values[:start], objects.ravel()])
        label = self._blank.copy()
        label[:HEAD] = channels, rows, columns, len(found)
        label[HEAD : HEAD + len(found)] = found
        return self._normalize(canvas, self._mean, random), label


def _check(who: str, shape: tuple[int, ...], aug_seq: str, dtype: Any) -> None:
    """Raise for a shape, an augmentation or a dtype that is unsupported."""
    if len(shape) != 3 or shape[0] not in (1, 3, 4) or min(shape) < 1:
        raise ArgumentError(
            f"{who}: data_shape={shape} must be (channels, height, width) with 1, 3 or 4 channels"
        )
    if aug_seq != "det_aug_default":
        raise ArgumentError(f"{who}: aug_seq={aug_seq!r} is unsupported; use 'det_aug_default'")
    if dtype is not None and np.dtype(dtype) != np.float32:
        raise ArgumentError(
            f"{who}: dtype={dtype!r} is unsupported; convert the batches of float32"
        )


def _read(
    who: str, shape: tuple[int, ...], given: dict[str, Any]
) -> tuple[DetAugmentation, Normalization]:
    """Return the settings of the augmentation and of the normalization."""
    names = [f"{what}_{one}" for what in ("mean", "std") for one in "rgba"]
    normal, own = ["mean_img", "scale", *names], set(DetAugmentation._fields) - {"data_shape"}
    known = {*normal, *own}
    for name in given.keys() - known - UNUSED:
        close = get_close_matches(name, known, 1)
        meant = f"; did you mean {close[0]!r}?" if close else ""
        raise DTypeError(f"{who}: unknown argument {name!r}{meant}")
    augmentation = DetAugmentation(shape, **{name: given[name] for name in own & given.keys()})
    values = {name: given[name] for name in normal if name in given}
    deviations = {name: values[name] or 1.0 for name in values if name.startswith("std")}
    return augmentation.checked(who), Normalization(**{**values, **deviations})
