"""Batches of images with bounding boxes."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from .._core.errors import ArgumentError, DTypeError, GluonError
from .._core.kernels import image as kernels
from .augmenters import MEAN, STD
from .det_augmenters import (
    CreateDetAugmenter,
    CreateMultiRandCropAugmenter,
    DetAugmenter,
    DetBorrowAug,
    DetHorizontalFlipAug,
    DetRandomCropAug,
    DetRandomPadAug,
    DetRandomSelectAug,
)
from .iterator import ImageIter, _numpy

__all__ = [
    "CreateDetAugmenter",
    "CreateMultiRandCropAugmenter",
    "DetAugmenter",
    "DetBorrowAug",
    "DetHorizontalFlipAug",
    "DetRandomCropAug",
    "DetRandomPadAug",
    "DetRandomSelectAug",
    "ImageDetIter",
]


class ImageDetIter(ImageIter):
    """Batches of images (3, height, width), and labels (objects, width) of boxes.

    The labels of an image in a record or a list are the length of a header, at least 2; the number
    of values per object, at least 5; the rest of the header; and then for each object its class,
    its left, upper, right and lower edge relative to the width and height, and further values.
    Labels of images with fewer objects are padded with -1.

    Parameters
    ----------
    batch_size : int
    data_shape : tuple of int
    path_imgrec, path_imglist, path_root, path_imgidx : str, optional
    shuffle : bool, default False
    part_index, num_parts : int
    aug_list : list of DetAugmenter, optional
        The augmenters; by default those of `CreateDetAugmenter`.
    imglist : list of list, optional
    data_name, label_name : str
    last_batch_handle : {'pad', 'discard', 'roll_over'}, default 'pad'
    **kwargs
        Arguments of `CreateDetAugmenter`. For all other arguments see `ImageIter`.

    Attributes
    ----------
    label_shape : tuple of int
        The number of objects in a label, and of values for each.

    Raises
    ------
    GluonError
        If an image has no valid label.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from gluon import image, recordio
    >>> path = f"{tempfile.mkdtemp()}/a.rec"
    >>> file = recordio.MXRecordIO(path, "w")
    >>> header = recordio.IRHeader(0, [2, 5, 1, 0.1, 0.2, 0.5, 0.6], 0, 0)
    >>> file.write(recordio.pack_img(header, np.full((6, 8, 3), 10, "uint8"), 9, ".png"))
    >>> file.close()
    >>> pictures = image.ImageDetIter(1, (3, 4, 4), path_imgrec=path)
    >>> pictures.label_shape, next(pictures).label[0].asnumpy()
    ((1, 5), array([[[1. , 0.1, 0.2, 0.5, 0.6]]], dtype=float32))
    >>> pictures.check_label_shape((2, 5))
    >>> pictures.reshape(label_shape=(3, 5))
    >>> pictures.reset()
    >>> next(pictures).label[0].shape
    (1, 3, 5)
    >>> other = pictures.sync_label_shape(image.ImageDetIter(1, (3, 4, 4), path_imgrec=path))
    >>> other.label_shape
    (3, 5)
    >>> [picture.shape for picture in other.draw_next(color=(255, 0, 0))]
    [(4, 4, 3)]
    """

    label_shape: tuple[int, int]
    provide_data: list[Any]
    provide_label: list[Any]

    def __init__(
        self,
        batch_size: int,
        data_shape: tuple[int, ...],
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
        label_name: str = "label",
        last_batch_handle: str = "pad",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            batch_size=batch_size,
            data_shape=data_shape,
            path_imgrec=path_imgrec,
            path_imglist=path_imglist,
            path_root=path_root,
            path_imgidx=path_imgidx,
            shuffle=shuffle,
            part_index=part_index,
            num_parts=num_parts,
            aug_list=[],
            imglist=imglist,
            data_name=data_name,
            label_name=label_name,
            last_batch_handle=last_batch_handle,
        )
        self.auglist: list = (
            CreateDetAugmenter(data_shape, **kwargs) if aug_list is None else aug_list
        )
        self.label_shape = self._estimate_label_shape()
        self.provide_label = [(label_name, (batch_size, *self.label_shape))]

    # ------------------------------------------------------------------------------- labels

    def _estimate_label_shape(self) -> tuple[int, int]:
        """Return the shape that fits the label of every image."""
        self.reset()
        objects = values = 0
        while True:
            try:
                given, _ = self.next_sample()
            except StopIteration:
                self.reset()
                return objects, values
            label = self._parse_label(given)
            objects, values = max(objects, len(label)), label.shape[1]

    def _parse_label(self, label: Any) -> np.ndarray:
        """Return the objects in the values of a record, without boxes of zero area."""
        raw = np.asarray(_numpy(label), np.float32).ravel()
        if raw.size < 7 or raw[1] < 5:
            raise GluonError(
                f"ImageDetIter: {self._name()} has the labels {raw.tolist()}; they need the length"
                " of the header, the number of values of an object (at least 5), and an object"
            )
        header, values = int(raw[0]), int(raw[1])
        if (raw.size - header) % values:
            raise GluonError(
                f"ImageDetIter: {self._name()} has {raw.size} labels: after a header of {header}"
                f" these are not objects of {values} values"
            )
        objects = raw[header:].reshape(-1, values)
        objects = objects[_has_area(objects)]
        if not len(objects):
            raise GluonError(f"ImageDetIter: {self._name()} has no box with an area")
        return objects

    def _check_valid_label(self, label: np.ndarray) -> None:
        if label.ndim != 2 or label.shape[1] < 5:
            raise GluonError(f"ImageDetIter: a label of shape {label.shape} holds no objects")
        if not (_has_area(label) & (label[:, 0] >= 0)).any():
            raise GluonError("ImageDetIter: a label holds no object with an area")

    def check_label_shape(self, label_shape: Sequence[int]) -> None:
        """Raise unless all labels fit into a shape.

        Parameters
        ----------
        label_shape : tuple of int

        Raises
        ------
        ArgumentError
            If a label has more objects, or its objects have more values.
        """
        if len(label_shape) != 2:
            raise ArgumentError(f"ImageDetIter: label_shape={label_shape} needs two lengths")
        if label_shape[0] < self.label_shape[0] or label_shape[1] != self.label_shape[1]:
            raise ArgumentError(
                f"ImageDetIter: labels of shape {self.label_shape} do not fit into {label_shape}"
            )

    def reshape(
        self, data_shape: tuple[int, ...] | None = None, label_shape: tuple[int, int] | None = None
    ) -> None:
        """Change the shapes of the batches.

        Parameters
        ----------
        data_shape : tuple of int, optional
        label_shape : tuple of int, optional

        Raises
        ------
        ArgumentError
            If `data_shape` is not a shape (3, height, width), or the labels do not fit into
            `label_shape`.
        """
        if data_shape is not None:
            self.check_data_shape(data_shape)
            self.provide_data = [(self.provide_data[0][0], (self.batch_size, *data_shape))]
            self.data_shape = data_shape
        if label_shape is not None:
            self.check_label_shape(label_shape)
            self.provide_label = [(self.provide_label[0][0], (self.batch_size, *label_shape))]
            self.label_shape = label_shape

    def sync_label_shape(self, it: ImageDetIter, verbose: bool = False) -> ImageDetIter:
        """Set the label shapes of this and another iterator to their maximum.

        Parameters
        ----------
        it : ImageDetIter
        verbose : bool, default False
            Log the shape if it changes.

        Returns
        -------
        ImageDetIter
            `it`.

        Raises
        ------
        ArgumentError
            If their numbers of values per object differ.
        DTypeError
            If it is not an ImageDetIter.
        """
        if not isinstance(it, ImageDetIter):
            raise DTypeError(f"sync_label_shape takes an ImageDetIter, not {type(it).__name__}")
        if it.label_shape[1] != self.label_shape[1]:
            raise ArgumentError(
                f"sync_label_shape: labels of shape {self.label_shape} and {it.label_shape} differ"
                " in the number of values of an object"
            )
        shapes = self.label_shape, it.label_shape
        for one in (self, it):
            one.reshape(None, max(shapes))
        if verbose and shapes[0] != shapes[1]:
            logging.info("Labels have the shape %s now", max(shapes))
        return it

    # ------------------------------------------------------------------------------ samples

    def _label_at(self, label: np.ndarray, place: int) -> np.ndarray:
        return label[place]

    def _sample(self, label: Any, picture: bytes) -> tuple[np.ndarray, Any] | None:
        data = self.imdecode(picture)
        try:
            self.check_valid_image([data])
            data, label = self.augmentation_transform(data, self._parse_label(label))
            self._check_valid_label(label)
        except RuntimeError as error:
            logging.debug("An image is left out: %s", error)
            return None
        filled = np.full(self.label_shape, -1, np.float32)
        filled[: len(label)] = label
        return _numpy(self.postprocess_data(data)), filled

    def augmentation_transform(self, data: Any, label: Any) -> Any:  # type: ignore[override]
        """Apply all augmenters to an image and its label.

        Parameters
        ----------
        data : NDArray of shape (height, width, 3)
        label : numpy.ndarray of shape (objects, 5 or more)

        Returns
        -------
        NDArray of shape (height, width, 3)
        numpy.ndarray of shape (objects, 5 or more)
        """
        for one in self.auglist:
            data, label = one(data, label)
        return data, label

    # ------------------------------------------------------------------------------ drawing

    def draw_next(
        self,
        color: Sequence[float] | None = None,
        thickness: int = 2,
        mean: Any = None,
        std: Any = None,
        clip: bool = True,
        waitKey: int | None = None,
        window_name: str = "draw_next",
        id2labels: dict[int, str] | None = None,
    ) -> Iterator[np.ndarray]:
        """Iterate over the remaining images of the epoch with their boxes drawn; requires Pillow.

        Parameters
        ----------
        color : tuple of float, optional
            Red, green and blue; by default a random colour for each box, from NumPy's global
            generator.
        thickness : int, default 2
            Of the lines, in pixels.
        mean, std : True or numpy.ndarray of shape (3,), of any dtype, optional
            The normalization to undo; True for that of ImageNet.
        clip : bool, default True
            Clip values to the range from 0 to 255.
        waitKey : int, optional
            Show each image in a window for this many milliseconds, or for 0 until a key is
            pressed; requires OpenCV.
        window_name : str
        id2labels : dict of int to str, optional
            The names of classes, to write into the boxes.

        Yields
        ------
        numpy.ndarray of shape (height, width, 3)
            uint8, in BGR order as in OpenCV.

        Raises
        ------
        GluonError
            If Pillow is missing, or OpenCV for `waitKey`.
        """
        mean, std = (
            usual if given is True else given for given, usual in ((mean, MEAN), (std, STD))
        )
        while True:
            try:
                given, file = self.next_sample()
            except StopIteration:
                return
            label = self._parse_label(given)
            data, label = self.augmentation_transform(self.imdecode(file), label)
            values = data.asnumpy() * (1 if std is None else std) + (0 if mean is None else mean)
            picture = (values.clip(0, 255) if clip else values).astype(np.uint8)
            boxes = [
                (
                    row[1:5],
                    tuple(np.random.rand(3) * 255 if color is None else color),  # noqa: NPY002
                    (id2labels or {}).get(int(row[0])),
                )
                for row in label
                if row[1] >= 0
            ]
            picture = _drawn(picture, boxes, thickness)
            if waitKey is not None:
                _show(window_name, picture, waitKey)
            yield picture


def _has_area(objects: np.ndarray) -> np.ndarray:
    return (objects[:, 3] > objects[:, 1]) & (objects[:, 4] > objects[:, 2])


def _drawn(picture: np.ndarray, boxes: list, thickness: int) -> np.ndarray:
    try:
        drawn = kernels.with_boxes(picture, boxes=boxes, thickness=thickness)
    except ImportError as error:
        raise GluonError(
            'draw_next: it needs Pillow; pip install "gluon-autograd[image]"'
        ) from error
    return drawn[..., ::-1].copy()


def _show(name: str, picture: np.ndarray, milliseconds: int) -> None:
    try:
        import cv2
    except ImportError as error:
        raise GluonError("draw_next: waitKey needs OpenCV; pip install opencv-python") from error
    cv2.imshow(name, picture)
    cv2.waitKey(milliseconds)
