"""Augmenters of images with bounding boxes.

A label is a numpy.ndarray of shape (objects, 5 or more): the class, the left, upper, right and
lower edge of the box relative to the width and height, and further values. Random numbers are
drawn as in `gluon.image.augmenters`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from .. import nd
from .._core.errors import ArgumentError, DTypeError, warn_caller
from .._core.hints.lookup import told
from ..nd import NDArray
from .augmenters import (
    Augmenter,
    Dumped,
    ForceResizeAug,
    ResizeAug,
    check_data_shape,
    check_probability,
    colours,
)
from .functions import copyMakeBorder, fixed_crop

Labelled = tuple[NDArray, np.ndarray]
Range = tuple[float, float]


class Box(NamedTuple):
    """A rectangle, in pixels."""

    x: int
    y: int
    width: int
    height: int


class DetAugmenter(Dumped):
    """Base of augmenters that are called with an image and its label, and return both.

    Parameters
    ----------
    **kwargs
        The arguments for `dumps`.

    Examples
    --------
    >>> from gluon import image, nd
    >>> class Darker(image.DetAugmenter):
    ...     def __call__(self, src, label):
    ...         return src / 2, label
    >>> picture, label = Darker()(nd.full((1, 1, 3), 40), nd.zeros((1, 5)))
    >>> picture.asnumpy()
    array([[[20., 20., 20.]]], dtype=float32)
    """

    def __call__(self, src: NDArray, label: np.ndarray) -> Labelled:
        """Return the augmented image and its label.

        Parameters
        ----------
        src : NDArray of shape (height, width, channels), of uint8 or float32
        label : numpy.ndarray of shape (objects, 5 or more)

        Returns
        -------
        NDArray of shape (height, width, channels)
        numpy.ndarray of shape (objects, 5 or more)
        """
        return self._changed(src, label)

    def _changed(self, src: NDArray, label: np.ndarray) -> Labelled:
        raise NotImplementedError(f"{type(self).__name__} must define __call__(src, label)")


class DetBorrowAug(DetAugmenter):
    """Applies an augmenter that changes the image but not its boxes.

    Parameters
    ----------
    augmenter : Augmenter

    Raises
    ------
    DTypeError
        If it is not one.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import image, nd
    >>> augment = image.DetBorrowAug(image.ForceResizeAug((4, 2)))
    >>> picture, label = augment(nd.ones((6, 8, 3)), np.array([[0, 0.1, 0.2, 0.5, 0.6]]))
    >>> picture.shape, label.shape
    ((2, 4, 3), (1, 5))
    """

    def __init__(self, augmenter: Augmenter) -> None:
        if not isinstance(augmenter, Augmenter):
            raise DTypeError(
                f"DetBorrowAug takes an Augmenter of images, not {type(augmenter).__name__}"
            )
        super().__init__(augmenter=augmenter.dumps())
        self.augmenter = augmenter

    def dumps(self) -> list[Any]:
        """The name of the class in lower case, and the `dumps` of the augmenter.

        Returns
        -------
        list
        """
        return [type(self).__name__.lower(), self.augmenter.dumps()]

    def _changed(self, src: NDArray, label: np.ndarray) -> Labelled:
        return self.augmenter(src), label


class DetRandomSelectAug(DetAugmenter):
    """Applies one of several augmenters at random, or none.

    Parameters
    ----------
    aug_list : list of DetAugmenter
    skip_prob : float, default 0
        The probability of applying none.

    Raises
    ------
    ArgumentError
        If one of them is not a DetAugmenter.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import image, nd
    >>> augment = image.DetRandomSelectAug([image.DetHorizontalFlipAug(1)], skip_prob=0)
    >>> picture, label = augment(nd.ones((6, 8, 3)), np.array([[0, 0.1, 0.2, 0.5, 0.6]]))
    >>> label
    array([[0. , 0.5, 0.2, 0.9, 0.6]])
    """

    aug_list: list[Any] | list[Any]

    def __init__(self, aug_list: Any, skip_prob: float = 0) -> None:
        super().__init__(skip_prob=skip_prob)
        self.aug_list = list(aug_list) if isinstance(aug_list, (list, tuple)) else [aug_list]
        for one in self.aug_list:
            if not isinstance(one, DetAugmenter):
                raise ArgumentError(
                    f"DetRandomSelectAug takes DetAugmenters, not {type(one).__name__};"
                    " DetBorrowAug makes one of an Augmenter"
                )
        self.skip_prob = skip_prob if self.aug_list else 1

    def dumps(self) -> list[Any]:
        """The name of the class in lower case, and the `dumps` of the augmenters.

        Returns
        -------
        list
        """
        return [type(self).__name__.lower(), [one.dumps() for one in self.aug_list]]

    def _changed(self, src: NDArray, label: np.ndarray) -> Labelled:
        if random.random() < self.skip_prob:
            return src, label
        random.shuffle(self.aug_list)
        return self.aug_list[0](src, label)


class DetHorizontalFlipAug(DetAugmenter):
    """Flips the image and its boxes horizontally with probability `p`.

    Parameters
    ----------
    p : float

    Raises
    ------
    DTypeError
        If `p` is no number.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import image, nd
    >>> augment = image.DetHorizontalFlipAug(1)
    >>> picture, label = augment(nd.ones((6, 8, 3)), np.array([[0, 0.1, 0.2, 0.5, 0.6]]))
    >>> label
    array([[0. , 0.5, 0.2, 0.9, 0.6]])
    """

    def __init__(self, p: float) -> None:
        super().__init__(p=p)
        self.p = check_probability(self, p)

    def _changed(self, src: NDArray, label: np.ndarray) -> Labelled:
        if random.random() < self.p:
            src, label = nd.flip(src, axis=1), label.copy()
            self._flip_label(label)
        return src, label

    def _flip_label(self, label: np.ndarray) -> None:
        """Exchange left and right in a label."""
        label[:, [1, 3]] = 1 - label[:, [3, 1]]


# -------------------------------------------------------------------- random crops and borders


class _DetRectangleAug(DetAugmenter):
    """Base of augmenters that draw a rectangle of random area and aspect ratio."""

    area_range: Range
    aspect_ratio_range: Range
    enabled: bool

    #: The upper limit of the area must be above this.
    _above: float

    def __init__(self, aspect_ratio_range: Any, area_range: Any, **kwargs: Any) -> None:
        ratios, areas = _range(aspect_ratio_range), _range(area_range)
        super().__init__(aspect_ratio_range=ratios, area_range=areas, **kwargs)
        self.aspect_ratio_range, self.area_range = ratios, areas
        wrong = {
            f"area_range={areas}": areas[1] <= self._above or areas[0] > areas[1],
            f"aspect_ratio_range={ratios}": ratios[0] <= 0 or ratios[0] > ratios[1],
        }
        self.enabled = not any(wrong.values())
        for what, is_wrong in wrong.items():
            if is_wrong:
                warn_caller(f"{type(self).__name__} does nothing: {what}")


def _range(given: Any) -> Range:
    low, high = given if isinstance(given, (list, tuple)) else (given, given)
    return low, high


class DetRandomCropAug(_DetRectangleAug):
    """Crops a random rectangle that covers enough of the boxes.

    Parameters
    ----------
    min_object_covered : float, default 0.1
        The smallest share of each box that it touches to cover.
    aspect_ratio_range : tuple of float, default (0.75, 1.33)
        The limits of width divided by height.
    area_range : tuple of float, default (0.05, 1.0)
        The limits of its share of the image.
    min_eject_coverage : float, default 0.3
        Boxes of which at most this share is left are dropped.
    max_attempts : int, default 50
        How many rectangles to try; the image is unchanged if none fits.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import image, nd
    >>> augment = image.DetRandomCropAug(min_object_covered=1)
    >>> picture, label = augment(nd.ones((60, 80, 3)), np.array([[0, 0.4, 0.4, 0.6, 0.6]]))
    >>> label.shape, bool(((label[:, 1:] >= 0) & (label[:, 1:] <= 1)).all())
    ((1, 5), True)
    """

    max_attempts: int
    min_object_covered: float

    _above = 0

    def __init__(
        self,
        min_object_covered: float = 0.1,
        aspect_ratio_range: Any = (0.75, 1.33),
        area_range: Any = (0.05, 1.0),
        min_eject_coverage: float = 0.3,
        max_attempts: int = 50,
    ) -> None:
        super().__init__(aspect_ratio_range, area_range)
        self._kwargs = {
            "min_object_covered": min_object_covered,
            **self._kwargs,
            "min_eject_coverage": min_eject_coverage,
            "max_attempts": max_attempts,
        }
        self.min_object_covered, self.max_attempts = min_object_covered, max_attempts
        self.min_eject_coverage = min_eject_coverage

    def _changed(self, src: NDArray, label: np.ndarray) -> Labelled:
        found = self._random_crop_proposal(label, *src.shape[:2])
        return (fixed_crop(src, *found[:4]), found[4]) if found else (src, label)

    def _random_crop_proposal(self, label: np.ndarray, height: int, width: int) -> tuple:
        """Return a random rectangle and the label in it, or () if no draw meets the constraints."""
        for box in self._drawn(height, width):
            x, y, w, h = box
            if self._check_satisfy_constraints(label, x, y, x + w, y + h, width, height):
                found = self._update_labels(label, box, height, width)
                if found is not None:
                    return (*box, found)
        return ()

    def _drawn(self, height: int, width: int) -> Iterator[Box]:
        """Yield random rectangles in the image with an allowed area."""
        least, most = (part * height * width for part in self.area_range)
        for _ in range(self.max_attempts if self.enabled and height and width else 0):
            ratio = random.uniform(*self.aspect_ratio_range)
            low, high = (round(sqrt(area / ratio)) for area in (least, most))
            if round(high * ratio) > width:
                high = int((width + 0.4999999) / ratio)
            high = min(high, height)
            h = random.randint(low, high) if low < high else high
            w = round(h * ratio)
            # Rounding may exceed the limits by one pixel.
            if w * h < least:
                h, w = h + 1, round((h + 1) * ratio)
            if w * h > most:
                h, w = h - 1, round((h - 1) * ratio)
            if least <= w * h <= most and 0 <= w <= width and 0 <= h <= height:
                y, x = random.randint(0, height - h), random.randint(0, width - w)
                yield Box(x, y, w, h)

    def _calculate_areas(self, label: np.ndarray) -> np.ndarray:
        """Return the areas of boxes of the shape (n, 4); 0 for those with swapped edges."""
        return np.prod(np.maximum(label[:, 2:4] - label[:, :2], 0), 1)

    def _intersect(
        self, label: np.ndarray, xmin: float, ymin: float, xmax: float, ymax: float
    ) -> np.ndarray:
        """Return the intersections of a rectangle and boxes; empty ones are zeros."""
        found = label.copy()
        found[:, :2] = label[:, :2].clip((xmin, ymin))
        found[:, 2:4] = label[:, 2:4].clip(None, (xmax, ymax))
        found[(found[:, :2] >= found[:, 2:4]).any(1)] = 0
        return found

    def _check_satisfy_constraints(
        self, label: np.ndarray, xmin: int, ymin: int, xmax: int, ymax: int, width: int, height: int
    ) -> bool:
        """Whether a rectangle covers enough of each box that it intersects, and intersects any."""
        if (xmax - xmin) * (ymax - ymin) < 2:
            return False
        areas = self._calculate_areas(label[:, 1:])
        seen = areas * width * height > 2
        edges = xmin / width, ymin / height, xmax / width, ymax / height
        held = self._calculate_areas(self._intersect(label[seen, 1:], *edges)) / areas[seen]
        held = held[held > 0]
        return bool(held.size) and bool(held.min() > self.min_object_covered)

    def _update_labels(
        self, label: np.ndarray, crop_box: Sequence[int], height: int, width: int
    ) -> np.ndarray | None:
        """Return the remaining boxes relative to a rectangle; None if there are none."""
        scale = np.array([width, height])
        low, size = np.array(crop_box[:2]) / scale, np.array(crop_box[2:]) / scale
        found = label.copy()
        found[:, 1:5] = ((label[:, 1:5] - np.tile(low, 2)) / np.tile(size, 2)).clip(0, 1)
        areas = self._calculate_areas(found[:, 1:])
        with np.errstate(divide="ignore", invalid="ignore"):
            left = areas * size.prod() / self._calculate_areas(label[:, 1:])
        found = found[(areas > 0) & (left > self.min_eject_coverage)]
        return found if len(found) else None


class DetRandomPadAug(_DetRectangleAug):
    """Pads the image with a random border.

    Parameters
    ----------
    aspect_ratio_range : tuple of float, default (0.75, 1.33)
        The limits of width divided by height of the result.
    area_range : tuple of float, default (1.0, 3.0)
        The limits of the ratio of the new area to the old one.
    max_attempts : int, default 50
        How many sizes to try; the image is unchanged if none fits.
    pad_val : float or tuple of float, default (128, 128, 128)
        The colour of the border.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import image, nd
    >>> augment = image.DetRandomPadAug(area_range=(2, 3))
    >>> picture, label = augment(nd.ones((60, 80, 3)), np.array([[0, 0, 0, 1, 1]]))
    >>> picture.shape[0] >= 60, picture.shape[1] >= 80, label.shape
    (True, True, (1, 5))
    """

    max_attempts: int
    pad_val: Any

    _above = 1.0

    def __init__(
        self,
        aspect_ratio_range: Any = (0.75, 1.33),
        area_range: Any = (1.0, 3.0),
        max_attempts: int = 50,
        pad_val: Any = (128, 128, 128),
    ) -> None:
        super().__init__(aspect_ratio_range, area_range, max_attempts=max_attempts, pad_val=pad_val)
        self.max_attempts, self.pad_val = max_attempts, pad_val

    def _changed(self, src: NDArray, label: np.ndarray) -> Labelled:
        height, width = src.shape[:2]
        found = self._random_pad_proposal(label, height, width)
        if not found:
            return src, label
        x, y, w, h, label = found
        edges = y, h - y - height, x, w - x - width
        return copyMakeBorder(src, *edges, values=self.pad_val), label

    def _random_pad_proposal(self, label: np.ndarray, height: int, width: int) -> tuple:
        """Return where the image lies, the size of the result and its label; () for no border."""
        box = self._drawn(height, width)
        return () if box is None else (*box, self._update_labels(label, box, height, width))

    def _update_labels(
        self, label: np.ndarray, pad_box: Sequence[int], height: int, width: int
    ) -> np.ndarray:
        """Convert a label of the image to one of the result."""
        found = label.copy()
        low, size = np.tile(pad_box[:2], 2), np.tile(pad_box[2:], 2)
        found[:, 1:5] = (label[:, 1:5] * [width, height, width, height] + low) / size
        return found

    def _drawn(self, height: int, width: int) -> Box | None:
        """Return where the image lies in the result, and the size of the result."""
        least, most = (part * height * width for part in self.area_range)
        for _ in range(self.max_attempts if self.enabled and height and width else 0):
            ratio = random.uniform(*self.aspect_ratio_range)
            low, high = (round(sqrt(area / ratio)) for area in (least, most))
            if round(low * ratio) < width:
                low = int((width + 0.499999) / ratio)
            low = min(max(low, height), high)
            h = random.randint(low, high) if low < high else low
            w = round(h * ratio)
            if h - height >= 2 and w - width >= 2:  # skip borders of less than two pixels
                y, x = random.randint(0, h - height), random.randint(0, w - width)
                return Box(x, y, w, h)
        return None


# ------------------------------------------------------------------------------ all of them


@told
def CreateMultiRandCropAugmenter(
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = (0.75, 1.33),
    area_range: Any = (0.05, 1.0),
    min_eject_coverage: Any = 0.3,
    max_attempts: Any = 50,
    skip_prob: float = 0,
) -> DetRandomSelectAug:
    """Create a `DetRandomSelectAug` of several `DetRandomCropAug`.

    Parameters
    ----------
    min_object_covered, aspect_ratio_range, area_range, min_eject_coverage, max_attempts
        As for `DetRandomCropAug`, or lists with one for each.
    skip_prob : float, default 0
        The probability of applying none of them.

    Returns
    -------
    DetRandomSelectAug

    Raises
    ------
    ArgumentError
        If lists differ in length.

    Examples
    --------
    >>> from gluon import image
    >>> len(image.CreateMultiRandCropAugmenter([0.1, 0.5, 0.9], area_range=(0.3, 1)).aug_list)
    3
    """
    given = [
        one if isinstance(one, list) else [one]
        for one in (
            min_object_covered, aspect_ratio_range, area_range, min_eject_coverage, max_attempts
        )
    ]  # fmt: skip
    count = max(map(len, given))
    if not all(len(one) in (1, count) for one in given):
        raise ArgumentError(
            "CreateMultiRandCropAugmenter: lists of one length, not of"
            f" {sorted({len(one) for one in given} - {1})}"
        )
    settings = zip(*(one * count if len(one) == 1 else one for one in given))
    return DetRandomSelectAug([DetRandomCropAug(*one) for one in settings], skip_prob)


@told
def CreateDetAugmenter(
    data_shape: Sequence[int],
    resize: int = 0,
    rand_crop: float = 0,
    rand_pad: float = 0,
    rand_gray: float = 0,
    rand_mirror: bool = False,
    mean: Any = None,
    std: Any = None,
    brightness: float = 0,
    contrast: float = 0,
    saturation: float = 0,
    pca_noise: float = 0,
    hue: float = 0,
    inter_method: int = 2,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = (0.75, 1.33),
    area_range: Any = (0.05, 3.0),
    min_eject_coverage: Any = 0.3,
    max_attempts: Any = 50,
    pad_val: Any = (127, 127, 127),
) -> list[DetAugmenter]:
    """Create the list of augmenters that `ImageDetIter` applies in sequence.

    Parameters
    ----------
    data_shape : tuple of int
        Channels, height and width of the result.
    resize : int, default 0
        If not 0, first resize the shorter side to this length.
    rand_crop, rand_pad : float, default 0
        The probabilities of cropping and of padding.
    rand_gray : float, default 0
        The probability of converting to grey.
    rand_mirror : bool, default False
        Flip half of the images horizontally.
    mean, std : True or numpy.ndarray of shape (3,) or (1,), of any dtype, optional
        The mean to subtract and the standard deviation to divide by; True for those of ImageNet.
    brightness, contrast, saturation, hue : float, default 0
        The largest change of each.
    pca_noise : float, default 0
        The standard deviation of `LightingAug`.
    inter_method : int, default 2
        The interpolation; see `fixed_crop`.
    min_object_covered, aspect_ratio_range, area_range, min_eject_coverage, max_attempts
        For `CreateMultiRandCropAugmenter`. `aspect_ratio_range`, the upper limit of `area_range`,
        and `max_attempts` are for `DetRandomPadAug` too.
    pad_val : tuple of float, default (127, 127, 127)
        The colour of the border.

    Returns
    -------
    list of DetAugmenter

    Raises
    ------
    ArgumentError
        If lists for `CreateMultiRandCropAugmenter` differ in length.
    DTypeError
        If `mean` or `std` is not one of these.

    Examples
    --------
    >>> from gluon import image
    >>> for one in image.CreateDetAugmenter((3, 24, 24), rand_mirror=True):
    ...     print(one.dumps())
    ["dethorizontalflipaug", {"p": 0.5}]
    ['detborrowaug', '["forceresizeaug", {"size": [24, 24], "interp": 2}]']
    ['detborrowaug', '["castaug", {"type": "float32"}]']
    >>> from gluon import image
    >>> for augmenter in image.CreateDetAugmenter((3, 32, 32), rand_mirror=True):
    ...     print(type(augmenter).__name__)
    DetHorizontalFlipAug
    DetBorrowAug
    DetBorrowAug
    """
    check_data_shape("CreateDetAugmenter", data_shape)
    borrow: Callable[[Augmenter], DetAugmenter] = DetBorrowAug
    found: list[DetAugmenter] = [borrow(ResizeAug(resize, inter_method))] if resize > 0 else []
    if rand_crop > 0:
        found.append(
            CreateMultiRandCropAugmenter(
                min_object_covered,
                aspect_ratio_range,
                area_range,
                min_eject_coverage,
                max_attempts,
                skip_prob=1 - rand_crop,
            )
        )
    if rand_mirror:
        found.append(DetHorizontalFlipAug(0.5))
    if rand_pad > 0:
        border = DetRandomPadAug(aspect_ratio_range, (1.0, area_range[1]), max_attempts, pad_val)
        found.append(DetRandomSelectAug([border], 1 - rand_pad))
    found.append(borrow(ForceResizeAug((data_shape[2], data_shape[1]), inter_method)))
    return found + [
        borrow(one)
        for one in colours(brightness, contrast, saturation, hue, pca_noise, rand_gray, mean, std)
    ]
