"""Augmenters: changes of an image (height, width, channels), most of them random.

They draw from Python's module `random`, as in MXNet; ``random.seed(n)`` makes them reproducible.
Normally distributed numbers come from NumPy's global generator.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import nd
from .._core.errors import ArgumentError, DTypeError, warn_caller
from .._core.hints.called import Called
from .._core.hints.lookup import told
from ..io.augment import check_interpolation, interpolation
from ..nd import NDArray
from ..nd import _colour as colour
from . import functions

Size = Sequence[int]
#: The mean and the standard deviation of ImageNet's colours.
MEAN, STD = np.array([123.68, 116.28, 103.53]), np.array([58.395, 57.12, 57.375])
#: Matrices from RGB to YIQ, where a hue is an angle, and back.
TO_YIQ = np.array([[0.299, 0.587, 0.114], [0.596, -0.274, -0.321], [0.211, -0.523, 0.311]])
FROM_YIQ = np.array([[1.0, 0.956, 0.621], [1.0, -0.272, -0.647], [1.0, -1.107, 1.705]])
#: The weights of red, green and blue in the grey of `RandomGrayAug`.
GREY = np.array([0.21, 0.72, 0.07])


class Dumped(Called):
    """Base of classes that can serialize their name and arguments."""

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = {name: _plain(value) for name, value in kwargs.items()}

    def dumps(self) -> Any:
        """The name of the class in lower case and its arguments, as JSON.

        Returns
        -------
        str
            For augmenters made of others, a list of the name and the results of these.
        """
        return json.dumps([type(self).__name__.lower(), self._kwargs])


class Augmenter(Dumped):
    """Base of augmenters; a subclass defines ``__call__``.

    Parameters
    ----------
    **kwargs
        The arguments for `dumps`.

    Examples
    --------
    >>> from gluon import image, nd
    >>> class Negative(image.Augmenter):
    ...     def __call__(self, src):
    ...         return 255 - src
    >>> Negative().dumps(), float(Negative()(nd.zeros((1, 1, 1))).asscalar())
    ('["negative", {}]', 255.0)
    """

    def __call__(self, src: NDArray) -> NDArray:
        """Return the augmented image.

        Parameters
        ----------
        src : NDArray of shape (height, width, channels), of uint8 or float32

        Returns
        -------
        NDArray of shape (height, width, channels)
        """
        return self._changed(src)

    def _changed(self, src: NDArray) -> NDArray:
        raise NotImplementedError(f"{type(self).__name__} must define __call__(src)")


def check_probability(owner: Any, p: Any) -> Any:
    """Return a probability of an augmenter, or of its class; warn if it is none."""
    if not isinstance(p, (int, float, np.number)):
        raise DTypeError(f"{type(owner).__name__}: p={p!r} is not a probability from 0 to 1")
    if not 0 <= p <= 1:
        warn_caller(f"{type(owner).__name__}: p={p} is not a probability from 0 to 1")
    return p


def _change(owner: Any, name: str, value: float) -> float:
    """Return the largest change of a colour; warn if its factors, around 1, may be negative."""
    if value > 1:
        warn_caller(
            f"{type(owner).__name__}: {name}={value} draws factors from {1 - value:g} to"
            f" {1 + value:g}; a negative one turns the colours round"
        )
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, NDArray):
        value = value.asnumpy()
    return value.tolist() if isinstance(value, np.ndarray) else value


def _floating(src: NDArray) -> NDArray:
    """Return the image in a floating dtype, which the colour augmenters need."""
    return src if src.form.dtype.kind == "f" else src.astype("float32")


def _times(src: NDArray, matrix: np.ndarray) -> NDArray:
    """Multiply every pixel of an image by a matrix."""
    src = _floating(src)
    return nd.dot(src, nd.array(matrix, ctx=src.context, dtype=src.dtype))


# ---------------------------------------------------------------------------- several in turn


class SequentialAug(Augmenter):
    """Applies augmenters in sequence.

    Parameters
    ----------
    ts : list of Augmenter

    Raises
    ------
    DTypeError
        If `ts` is no list of augmenters.

    Examples
    --------
    >>> from gluon import image, nd
    >>> augment = image.SequentialAug([image.ResizeAug(4), image.CenterCropAug((4, 4))])
    >>> augment(nd.ones((6, 8, 3))).shape
    (4, 4, 3)
    """

    def __init__(self, ts: list[Augmenter]) -> None:
        super().__init__()
        if isinstance(ts, Augmenter) or any(isinstance(one, type) for one in ts):
            raise DTypeError(
                f"{type(self).__name__}: ts is a list of augmenters, such as"
                " [CastAug(), HorizontalFlipAug(0.5)]"
            )
        self.ts = ts

    def dumps(self) -> list[Any]:
        """The name of the class in lower case, and the `dumps` of the augmenters.

        Returns
        -------
        list
        """
        return [type(self).__name__.lower(), [one.dumps() for one in self.ts]]

    def _changed(self, src: NDArray) -> NDArray:
        for one in self.ts:
            src = one(src)
        return src


class RandomOrderAug(SequentialAug):
    """Applies augmenters in random order.

    Parameters
    ----------
    ts : list of Augmenter

    Examples
    --------
    >>> from gluon import image, nd
    >>> augment = image.RandomOrderAug([image.CastAug(), image.HorizontalFlipAug(1)])
    >>> augment(nd.array([[[1], [2]]], dtype="uint8")).asnumpy().ravel()
    array([2., 1.], dtype=float32)
    """

    def _changed(self, src: NDArray) -> NDArray:
        random.shuffle(self.ts)
        return super()._changed(src)


# ------------------------------------------------------------------------------- size, place


class ResizeAug(Augmenter):
    """Resizes the shorter side to `size`; see `resize_short`.

    Parameters
    ----------
    size : int
    interp : int, default 2

    Raises
    ------
    ArgumentError
        If `interp` is not an interpolation.

    Examples
    --------
    >>> from gluon import image, nd
    >>> image.ResizeAug(3)(nd.ones((6, 8, 3))).shape
    (3, 4, 3)
    """

    interp: int
    size: int

    def __init__(self, size: int, interp: int = 2) -> None:
        super().__init__(size=size, interp=interp)
        self.size, self.interp = size, check_interpolation("ResizeAug", interp)

    def _changed(self, src: NDArray) -> NDArray:
        return functions.resize_short(src, self.size, self.interp)


class _SizeAug(Augmenter):
    """Base of augmenters with a width and height."""

    interp: int
    size: Size

    def __init__(self, size: Size, interp: int = 2) -> None:
        super().__init__(size=size, interp=interp)
        self.size, self.interp = size, check_interpolation(type(self).__name__, interp)


class ForceResizeAug(_SizeAug):
    """Resizes to `size` without keeping the aspect ratio.

    Parameters
    ----------
    size : tuple of int
        Width and height.
    interp : int, default 2
        See `fixed_crop`.

    Raises
    ------
    ArgumentError
        If `interp` is not an interpolation.

    Examples
    --------
    >>> from gluon import image, nd
    >>> image.ForceResizeAug((4, 2))(nd.ones((6, 8, 3))).shape
    (2, 4, 3)
    """

    def _changed(self, src: NDArray) -> NDArray:
        width, height = functions.pair("ForceResizeAug", "size", self.size)
        interp = interpolation(self.interp, src.shape[:2], (height, width), functions.draw)
        return functions.imresize(src, width, height, interp)


class RandomCropAug(_SizeAug):
    """Crops a random rectangle; see `random_crop`.

    Parameters
    ----------
    size : tuple of int
        Width and height.
    interp : int, default 2

    Raises
    ------
    ArgumentError
        If `interp` is not an interpolation.

    Examples
    --------
    >>> from gluon import image, nd
    >>> image.RandomCropAug((4, 2))(nd.ones((6, 8, 3))).shape
    (2, 4, 3)
    """

    def _changed(self, src: NDArray) -> NDArray:
        return functions.random_crop(src, self.size, self.interp)[0]


class CenterCropAug(_SizeAug):
    """Crops the center; see `center_crop`.

    Parameters
    ----------
    size : tuple of int
        Width and height.
    interp : int, default 2

    Raises
    ------
    ArgumentError
        If `interp` is not an interpolation.

    Examples
    --------
    >>> from gluon import image, nd
    >>> image.CenterCropAug((4, 2))(nd.ones((6, 8, 3))).shape
    (2, 4, 3)
    """

    def _changed(self, src: NDArray) -> NDArray:
        return functions.center_crop(src, self.size, self.interp)[0]


class RandomSizedCropAug(Augmenter):
    """Crops a rectangle of random size and aspect ratio; see `random_size_crop`.

    Parameters
    ----------
    size : tuple of int
        Width and height of the result.
    area : float or tuple of float
    ratio : tuple of float
    interp : int, default 2
    min_area : float, optional
        The former name of `area`.

    Raises
    ------
    ArgumentError
        If there is no `area`, or `interp` is not an interpolation.

    Examples
    --------
    >>> from gluon import image, nd
    >>> image.RandomSizedCropAug((4, 2), area=(0.5, 1))(nd.ones((6, 8, 3))).shape
    (2, 4, 3)
    """

    area: Any
    interp: int
    ratio: Sequence[float]
    size: Size

    def __init__(
        self,
        size: Size,
        area: Any = None,
        ratio: Sequence[float] = (3 / 4, 4 / 3),
        interp: int = 2,
        min_area: float | None = None,
    ) -> None:
        if min_area is not None:
            warn_caller("min_area is called area now", DeprecationWarning)
            area = min_area
        if area is None:
            raise ArgumentError("RandomSizedCropAug: area is missing, such as (0.08, 1.0)")
        super().__init__(size=size, area=area, ratio=ratio, interp=interp)
        self.size, self.area, self.ratio = size, area, ratio
        self.interp = check_interpolation("RandomSizedCropAug", interp)

    def _changed(self, src: NDArray) -> NDArray:
        return functions.random_size_crop(src, self.size, self.area, self.ratio, self.interp)[0]


class HorizontalFlipAug(Augmenter):
    """Flips the image horizontally with probability `p`.

    Parameters
    ----------
    p : float

    Raises
    ------
    DTypeError
        If `p` is no number.

    Examples
    --------
    >>> from gluon import image, nd
    >>> image.HorizontalFlipAug(1)(nd.array([[[1], [2]]])).asnumpy().ravel()
    array([2., 1.], dtype=float32)
    """

    def __init__(self, p: float) -> None:
        super().__init__(p=p)
        self.p = check_probability(self, p)

    def _changed(self, src: NDArray) -> NDArray:
        return nd.flip(src, axis=1) if random.random() < self.p else src


# ---------------------------------------------------------------------------------- colours


class BrightnessJitterAug(Augmenter):
    """Randomly changes the brightness.

    Parameters
    ----------
    brightness : float
        From 0 to 1.

    Examples
    --------
    >>> from gluon import image, nd
    >>> result = image.BrightnessJitterAug(0.5)(nd.full((2, 2, 3), 100))
    >>> bool(50 <= result.min().asscalar() <= result.max().asscalar() <= 150)
    True
    """

    def __init__(self, brightness: float) -> None:
        super().__init__(brightness=brightness)
        self.brightness = _change(self, "brightness", brightness)

    def _changed(self, src: NDArray) -> NDArray:
        alpha = 1 + random.uniform(-self.brightness, self.brightness)
        return colour.brightness(_floating(src), alpha)


class ContrastJitterAug(Augmenter):
    """Randomly changes the contrast.

    Parameters
    ----------
    contrast : float
        From 0 to 1.

    Examples
    --------
    >>> from gluon import image, nd
    >>> image.ContrastJitterAug(0.5)(nd.full((1, 1, 3), 40)).shape
    (1, 1, 3)
    """

    def __init__(self, contrast: float) -> None:
        super().__init__(contrast=contrast)
        self.contrast = _change(self, "contrast", contrast)

    def _changed(self, src: NDArray) -> NDArray:
        alpha = 1 + random.uniform(-self.contrast, self.contrast)
        return colour.contrast(_floating(src), alpha)


class SaturationJitterAug(Augmenter):
    """Randomly changes the saturation.

    Parameters
    ----------
    saturation : float
        From 0 to 1.

    Examples
    --------
    >>> from gluon import image, nd
    >>> grey = image.SaturationJitterAug(0.5)(nd.full((1, 1, 3), 40))  # grey does not change
    >>> grey.asnumpy().round(0)
    array([[[40., 40., 40.]]], dtype=float32)
    """

    def __init__(self, saturation: float) -> None:
        super().__init__(saturation=saturation)
        self.saturation = _change(self, "saturation", saturation)

    def _changed(self, src: NDArray) -> NDArray:
        alpha = 1 + random.uniform(-self.saturation, self.saturation)
        return colour.saturation(_floating(src), alpha)


class HueJitterAug(Augmenter):
    """Randomly rotates the hue, in the YIQ color space.

    Parameters
    ----------
    hue : float
        The largest rotation, in half turns.

    Examples
    --------
    >>> from gluon import image, nd
    >>> grey = image.HueJitterAug(0.5)(nd.full((1, 1, 3), 40))  # grey does not change
    >>> grey.asnumpy().round(0)
    array([[[40., 40., 40.]]], dtype=float32)
    """

    def __init__(self, hue: float) -> None:
        super().__init__(hue=hue)
        self.hue = hue

    def _changed(self, src: NDArray) -> NDArray:
        angle = random.uniform(-self.hue, self.hue) * np.pi
        cos, sin = np.cos(angle), np.sin(angle)
        turn = np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]])
        return _times(src, (FROM_YIQ @ turn @ TO_YIQ).T)


class ColorJitterAug(RandomOrderAug):
    """Randomly changes brightness, contrast and saturation, in random order.

    Parameters
    ----------
    brightness, contrast, saturation : float
        From 0, for no change, to 1.

    Examples
    --------
    >>> from gluon import image, nd
    >>> image.ColorJitterAug(0.1, 0.1, 0.1)(nd.ones((6, 8, 3))).shape
    (6, 8, 3)
    """

    def __init__(self, brightness: float, contrast: float, saturation: float) -> None:
        given = (
            (BrightnessJitterAug, brightness),
            (ContrastJitterAug, contrast),
            (SaturationJitterAug, saturation),
        )
        super().__init__([kind(limit) for kind, limit in given if limit > 0])


class LightingAug(Augmenter):
    """Adds random lighting noise: a random sum of principal components.

    Parameters
    ----------
    alphastd : float
        The standard deviation of the factors.
    eigval : numpy.ndarray of shape (3,), of any dtype
        The weight of each component.
    eigvec : numpy.ndarray of shape (3, 3)
        The components, one in each column.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import image, nd
    >>> augment = image.LightingAug(0.1, np.array([55.5, 4.8, 1.1]), np.eye(3))
    >>> augment(nd.ones((2, 2, 3))).shape
    (2, 2, 3)
    """

    alphastd: float
    eigval: Any
    eigvec: Any

    def __init__(self, alphastd: float, eigval: Any, eigvec: Any) -> None:
        super().__init__(alphastd=alphastd, eigval=eigval, eigvec=eigvec)
        self.alphastd, self.eigval, self.eigvec = alphastd, eigval, eigvec

    def _changed(self, src: NDArray) -> NDArray:
        alpha = np.random.normal(0, self.alphastd, size=(3,))  # noqa: NPY002
        added = (np.asarray(_plain(self.eigvec)) * alpha) @ np.asarray(_plain(self.eigval))
        return colour.shifted(_floating(src), added)


class ColorNormalizeAug(Augmenter):
    """Subtracts a mean and divides by a standard deviation.

    Parameters
    ----------
    mean, std : NDArray or numpy.ndarray of shape (channels,), of any dtype, or None

    Examples
    --------
    >>> from gluon import image, nd
    >>> augment = image.ColorNormalizeAug(nd.array([10, 20, 30]), nd.array([1, 2, 3]))
    >>> augment(nd.full((1, 1, 3), 40)).asnumpy()
    array([[[30.       , 10.       ,  3.3333333]]], dtype=float32)
    """

    mean: NDArray | None
    std: NDArray | None

    def __init__(self, mean: Any, std: Any) -> None:
        super().__init__(mean=mean, std=std)
        self.mean, self.std = (
            one if one is None or isinstance(one, NDArray) else nd.array(one) for one in (mean, std)
        )

    def _changed(self, src: NDArray) -> NDArray:
        return functions.color_normalize(src, self.mean, self.std)


class RandomGrayAug(Augmenter):
    """Converts the image to grey with probability `p`.

    Parameters
    ----------
    p : float

    Raises
    ------
    DTypeError
        If `p` is no number.

    Examples
    --------
    >>> from gluon import image, nd
    >>> image.RandomGrayAug(1)(nd.array([[[10, 20, 30]]])).asnumpy().round(2)
    array([[[18.6, 18.6, 18.6]]], dtype=float32)
    """

    def __init__(self, p: float) -> None:
        super().__init__(p=p)
        self.p = check_probability(self, p)

    def _changed(self, src: NDArray) -> NDArray:
        return _times(src, np.tile(GREY[:, None], 3)) if random.random() < self.p else src


class CastAug(Augmenter):
    """Casts to another dtype.

    Parameters
    ----------
    typ : str, default 'float32'

    Examples
    --------
    >>> from gluon import image, nd
    >>> image.CastAug()(nd.ones((2, 2, 3), dtype="uint8")).dtype
    <class 'numpy.float32'>
    """

    def __init__(self, typ: str = "float32") -> None:
        super().__init__(type=typ)
        self.typ = typ

    def _changed(self, src: NDArray) -> NDArray:
        return src.astype(self.typ)


# ------------------------------------------------------------------------------ all of them


def colours(
    brightness: float,
    contrast: float,
    saturation: float,
    hue: float,
    pca_noise: float,
    rand_gray: float,
    mean: Any,
    std: Any,
) -> list[Augmenter]:
    """The final colour augmenters of `CreateAugmenter` and `CreateDetAugmenter`."""
    found: list[Augmenter] = [CastAug()]
    if brightness or contrast or saturation:
        found.append(ColorJitterAug(brightness, contrast, saturation))
    if hue:
        found.append(HueJitterAug(hue))
    if pca_noise > 0:
        found.append(LightingAug(pca_noise, colour.EIGVAL, colour.EIGVEC))
    if rand_gray > 0:
        found.append(RandomGrayAug(rand_gray))
    mean, std = _of_channels("mean", mean, MEAN), _of_channels("std", std, STD)
    if mean is not None or std is not None:
        found.append(ColorNormalizeAug(mean, std))
    return found


def _of_channels(name: str, given: Any, usual: np.ndarray) -> Any:
    if given is None or given is False:
        return None
    if given is True:
        return usual
    if not isinstance(given, (np.ndarray, NDArray)):
        raise DTypeError(f"{name} must be True or an array, not {type(given).__name__}")
    if given.shape[0] not in (1, 3):
        raise ArgumentError(f"{name} has shape {given.shape}; it needs (1,) or (3,)")
    return given


def check_data_shape(name: str, data_shape: Any) -> None:
    """Raise if the shape of images, for the function `name`, is not three lengths."""
    if not isinstance(data_shape, (tuple, list)) or len(data_shape) != 3:
        kind = ArgumentError if hasattr(data_shape, "__len__") else DTypeError
        raise kind(
            f"{name}: data_shape={data_shape!r} must be (channels, height, width), such as"
            " (3, 224, 224)"
        )


@told
def CreateAugmenter(
    data_shape: Sequence[int],
    resize: int = 0,
    rand_crop: bool = False,
    rand_resize: bool = False,
    rand_mirror: bool = False,
    mean: Any = None,
    std: Any = None,
    brightness: float = 0,
    contrast: float = 0,
    saturation: float = 0,
    hue: float = 0,
    pca_noise: float = 0,
    rand_gray: float = 0,
    inter_method: int = 2,
) -> list[Augmenter]:
    """Create the list of augmenters that `ImageIter` applies in sequence.

    Parameters
    ----------
    data_shape : tuple of int
        Channels, height and width of the result.
    resize : int, default 0
        If not 0, first resize the shorter side to this length.
    rand_crop : bool, default False
        Crop at a random position instead of the centre.
    rand_resize : bool, default False
        Crop with random size and aspect ratio; requires `rand_crop`.
    rand_mirror : bool, default False
        Flip half of the images horizontally.
    mean, std : True, numpy.ndarray or NDArray of shape (3,) or (1,), of any dtype, optional
        The mean to subtract and the standard deviation to divide by; True for those of ImageNet.
    brightness, contrast, saturation, hue : float, default 0
        The largest change of each.
    pca_noise : float, default 0
        The standard deviation of `LightingAug`.
    rand_gray : float, default 0
        The probability of converting to grey.
    inter_method : int, default 2
        The interpolation; see `fixed_crop`.

    Returns
    -------
    list of Augmenter

    Raises
    ------
    ArgumentError
        If `rand_resize` is given without `rand_crop`, or `mean` or `std` has another shape.
    DTypeError
        If `mean` or `std` is not an array.

    Examples
    --------
    >>> from gluon import image
    >>> for one in image.CreateAugmenter((3, 24, 24), resize=30, rand_mirror=True):
    ...     print(one.dumps())
    ["resizeaug", {"size": 30, "interp": 2}]
    ["centercropaug", {"size": [24, 24], "interp": 2}]
    ["horizontalflipaug", {"p": 0.5}]
    ["castaug", {"type": "float32"}]
    """
    check_data_shape("CreateAugmenter", data_shape)
    if data_shape[2] in (1, 3) and data_shape[0] not in (1, 3, 4):
        warn_caller(
            f"CreateAugmenter: data_shape={data_shape} is read as (channels, height, width); give"
            f" {(data_shape[2], *data_shape[:2])} for channels that come last"
        )
    size = data_shape[2], data_shape[1]
    found: list[Augmenter] = [ResizeAug(resize, inter_method)] if resize > 0 else []
    if rand_resize:
        if not rand_crop:
            raise ArgumentError("CreateAugmenter: rand_resize=True needs rand_crop=True as well")
        found.append(RandomSizedCropAug(size, 0.08, (3 / 4, 4 / 3), inter_method))
    else:
        found.append((RandomCropAug if rand_crop else CenterCropAug)(size, inter_method))
    if rand_mirror:
        found.append(HorizontalFlipAug(0.5))
    mean, std = (
        nd.array(usual) if given is True else given for given, usual in ((mean, MEAN), (std, STD))
    )
    return found + colours(brightness, contrast, saturation, hue, pca_noise, rand_gray, mean, std)
