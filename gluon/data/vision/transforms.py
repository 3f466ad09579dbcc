"""Transforms of pictures: blocks, for `Dataset.transform_first` and for `Compose`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from numbers import Number
from typing import Any

import numpy as np

from ... import image, nd
from ...block import Block, HybridBlock
from ...engine.errors import ArgumentError, DTypeError
from ...io.augment import INTERPOLATIONS, check_interpolation
from ...nn import HybridSequential, Lambda, Sequential

__all__ = [
    "Cast",
    "CenterCrop",
    "Compose",
    "CropResize",
    "HybridCompose",
    "HybridRandomApply",
    "Normalize",
    "RandomApply",
    "RandomBrightness",
    "RandomColorJitter",
    "RandomContrast",
    "RandomCrop",
    "RandomFlipLeftRight",
    "RandomFlipTopBottom",
    "RandomGray",
    "RandomHue",
    "RandomLighting",
    "RandomResizedCrop",
    "RandomRotation",
    "RandomSaturation",
    "Resize",
    "Rotate",
    "ToTensor",
]


# ------------------------------------------------------------------------------ combinations


class Compose(Sequential):
    """Transforms one after the other.

    Parameters
    ----------
    transforms : list of Block or callable

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> ready = transforms.Compose([transforms.Resize(8), transforms.ToTensor()])
    >>> ready(nd.zeros((4, 6, 3), dtype="uint8")).shape
    (3, 8, 8)
    """

    def __init__(self, transforms: Sequence[Any]) -> None:
        super().__init__()
        together: list[HybridBlock] = []
        for one in transforms:
            if isinstance(one, HybridBlock):
                together.append(one)
                continue
            self._add_together(together)
            together = []
            self.add(one if isinstance(one, Block) else Lambda(one))
        self._add_together(together)

    def _add_together(self, blocks: list[HybridBlock]) -> None:
        """Add hybrid blocks that follow each other, as one block as MXNet does."""
        if len(blocks) < 2:
            self.add(*blocks)
            return
        joined = HybridSequential()
        joined.add(*blocks)
        self.add(joined)


class HybridCompose(HybridSequential):
    """Transforms that are hybrid blocks, one after the other.

    Parameters
    ----------
    transforms : list of HybridBlock

    Raises
    ------
    ArgumentError
        If one of them is no hybrid block.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> prepare = transforms.HybridCompose([transforms.Resize(4), transforms.ToTensor()])
    >>> prepare(nd.ones((6, 8, 3))).shape
    (3, 4, 4)
    """

    def __init__(self, transforms: Sequence[HybridBlock]) -> None:
        super().__init__()
        self.add(*transforms)


class RandomApply(Sequential):
    """A transform, with a probability; the picture as it is otherwise.

    Python's module `random` decides.

    Parameters
    ----------
    transforms : Block or callable
        Such as a `Compose`.
    p : float, default 0.5

    Raises
    ------
    DTypeError
        If `transforms` cannot be called.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.RandomApply(transforms.Resize(4), p=1)(nd.ones((6, 8, 3))).shape
    (4, 4, 3)
    """

    def __init__(self, transforms: Any, p: float = 0.5) -> None:
        super().__init__()
        self.transforms = _callable("RandomApply", transforms)
        self.p = p

    def forward(self, x: Any) -> Any:
        """Apply the transform, or not."""
        return x if self.p < random.random() else self.transforms(x)


class HybridRandomApply(HybridSequential):
    """A transform that is a hybrid block, with a probability; see `RandomApply`.

    Parameters
    ----------
    transforms : HybridBlock
    p : float, default 0.5

    Raises
    ------
    ArgumentError
        If it is no hybrid block.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.HybridRandomApply(transforms.Cast(), p=1)(nd.ones((2, 2, 3))).shape
    (2, 2, 3)
    """

    def __init__(self, transforms: HybridBlock, p: float = 0.5) -> None:
        super().__init__()
        if not isinstance(transforms, HybridBlock):
            raise ArgumentError(
                f"HybridRandomApply: transforms is a {type(transforms).__name__} and no"
                " HybridBlock; use RandomApply"
            )
        self.transforms = transforms
        self.p = p

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform, or not."""
        return x if self.p < random.random() else self.transforms(x)


def _callable(name: str, transform: Any) -> Any:
    if not callable(transform):
        raise DTypeError(
            f"{name}: transforms is a {type(transform).__name__}; pass one transform, such as"
            " Compose([...])"
        )
    return transform


# --------------------------------------------------------------------------- for the network


class Cast(HybridBlock):
    """The picture in another dtype.

    Parameters
    ----------
    dtype : str or numpy type, default 'float32'

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.Cast()(nd.ones((2, 2, 3), dtype="uint8")).dtype
    <class 'numpy.float32'>
    """

    def __init__(self, dtype: Any = "float32") -> None:
        super().__init__()
        self._dtype = dtype

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform."""
        return F.cast(x, self._dtype)


class ToTensor(HybridBlock):
    """Pictures (height, width, channels) from 0 to 255 as (channels, height, width) from 0 to 1.

    A batch of pictures keeps its first axis; the result is float32. See `nd.image.to_tensor`.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.ToTensor()(nd.array([[[0, 51, 255]]], dtype="uint8")).reshape(-1)
    <BLANKLINE>
    [0.  0.2 1. ]
    <NDArray 3 @cpu(0)>
    """

    def __init__(self) -> None:
        super().__init__()

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform."""
        return F.image.to_tensor(x)


class Normalize(HybridBlock):
    """``(x - mean) / std`` for each channel of pictures (channels, height, width).

    Parameters
    ----------
    mean, std : float or sequence of float
        One number, or one for each channel.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.Normalize([1, 2, 3], 2)(nd.ones((3, 1, 1)) * 5).asnumpy().ravel()
    array([2. , 1.5, 1. ], dtype=float32)
    """

    def __init__(self, mean: Any = 0.0, std: Any = 1.0) -> None:
        super().__init__()
        self._mean, self._std = mean, std

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform."""
        return F.image.normalize(x, self._mean, self._std)


# ---------------------------------------------------------------------------------- geometry


def _width_and_height(name: str, size: Any) -> tuple[int, int]:
    """One number for both, or two."""
    pair = (size, size) if isinstance(size, Number) else tuple(size)
    if len(pair) != 2 or any(int(side) != side or side < 1 for side in pair):
        raise ArgumentError(
            f"{name}: size={size!r} is neither a positive whole number nor (width, height)"
        )
    return int(pair[0]), int(pair[1])


class Rotate(Block):
    """Pictures (channels, height, width) turned to the left; see `image.imrotate`.

    Parameters
    ----------
    rotation_degrees : float, or NDArray of shape (batch,)
    zoom_in : bool, default False
        Enlarge, so that nothing is empty.
    zoom_out : bool, default False
        Shrink, so that all is seen.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.Rotate(90)(nd.array([[[1, 2], [3, 4]]])).asnumpy()
    array([[[2., 4.],
            [1., 3.]]], dtype=float32)
    """

    def __init__(
        self, rotation_degrees: Any, zoom_in: bool = False, zoom_out: bool = False
    ) -> None:
        super().__init__()
        self._args = rotation_degrees, zoom_in, zoom_out

    def forward(self, x: Any) -> Any:
        """Apply the transform."""
        return image.imrotate(x, *self._args)


class RandomRotation(Block):
    """Pictures (channels, height, width) turned by random angles; see `image.random_rotate`.

    Parameters
    ----------
    angle_limits : tuple of float
        The least and the largest angle, in degrees.
    zoom_in : bool, default False
        Enlarge, so that nothing is empty.
    zoom_out : bool, default False
        Shrink, so that all is seen.
    rotate_with_proba : float, default 1.0
        The probability that anything is turned.

    Raises
    ------
    ArgumentError
        If the limits are not in order, or the probability is none.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.RandomRotation((-10, 10))(nd.ones((3, 6, 8))).shape
    (3, 6, 8)
    """

    def __init__(
        self,
        angle_limits: tuple[float, float],
        zoom_in: bool = False,
        zoom_out: bool = False,
        rotate_with_proba: float = 1.0,
    ) -> None:
        super().__init__()
        lower, upper = angle_limits
        if not lower < upper:
            raise ArgumentError(
                f"RandomRotation: angle_limits={angle_limits} must be two numbers in order"
            )
        if not 0 <= rotate_with_proba <= 1:
            raise ArgumentError(
                f"RandomRotation: rotate_with_proba={rotate_with_proba} is no probability"
            )
        self._args = angle_limits, zoom_in, zoom_out
        self._rotate_with_proba = rotate_with_proba

    def forward(self, x: Any) -> Any:
        """Apply the transform, or not."""
        if np.random.random() > self._rotate_with_proba:  # noqa: NPY002
            return x
        return image.random_rotate(x, *self._args)


class RandomResizedCrop(Block):
    """A random part of a picture, resized; see `image.random_size_crop`.

    Parameters
    ----------
    size : int or tuple of int
        Of the result: one number, or width and height.
    scale : tuple of float, default (0.08, 1.0)
        The least and the largest part of the picture.
    ratio : tuple of float, default (3 / 4, 4 / 3)
        The least and the largest ratio of width to height.
    interpolation : int, default 1
        See `image.fixed_crop`.

    Raises
    ------
    ArgumentError
        If `size` or `interpolation` has no such value; when called, if a picture has no three axes.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.RandomResizedCrop((4, 2))(nd.ones((6, 8, 3))).shape
    (2, 4, 3)
    """

    def __init__(
        self,
        size: int | tuple[int, int],
        scale: tuple[float, float] = (0.08, 1.0),
        ratio: tuple[float, float] = (3 / 4, 4 / 3),
        interpolation: int = 1,
    ) -> None:
        super().__init__()
        size = _width_and_height("RandomResizedCrop", size)
        interp = check_interpolation("RandomResizedCrop", interpolation)
        self._args = size, scale, ratio, interp

    def forward(self, x: Any) -> Any:
        """Apply the transform."""
        return image.random_size_crop(x, *self._args)[0]


class CropResize(HybridBlock):
    """A rectangle of pictures (height, width, channels), then resized if so wished.

    Parameters
    ----------
    x, y : int
        The first column and the first row.
    width, height : int
        Of the rectangle.
    size : int or tuple of int, optional
        Of the result: one number, or width and height.
    interpolation : int, optional
        See `nd.image.resize`; linear by default.

    Raises
    ------
    ArgumentError
        If `size` or `interpolation` has no such value; when called, if a picture does not hold
        the rectangle.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.CropResize(1, 2, 4, 3)(nd.ones((6, 8, 3))).shape
    (3, 4, 3)
    >>> transforms.CropResize(1, 2, 4, 3, size=5)(nd.ones((6, 8, 3))).shape
    (5, 5, 3)
    """

    def __init__(
        self,
        x: int,
        y: int,
        width: int,
        height: int,
        size: int | tuple[int, int] | None = None,
        interpolation: int | None = None,
    ) -> None:
        super().__init__()
        self._rectangle = x, y, width, height
        self._size = size and _width_and_height("CropResize", size)
        interpolation = 1 if interpolation is None else interpolation
        self._interpolation = check_interpolation("CropResize", interpolation, INTERPOLATIONS)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform."""
        part = F.image.crop(x, *self._rectangle)
        return F.image.resize(part, self._size, False, self._interpolation) if self._size else part


class CenterCrop(Block):
    """The middle of a picture, enlarged where it is too small; see `image.center_crop`.

    Parameters
    ----------
    size : int or tuple of int
        One number, or width and height.
    interpolation : int, default 1
        See `image.fixed_crop`.

    Raises
    ------
    ArgumentError
        If `size` or `interpolation` has no such value; when called, if a picture has no three axes.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.CenterCrop(2)(nd.arange(16).reshape((4, 4, 1)))[:, :, 0]
    <BLANKLINE>
    [[ 5.  6.]
     [ 9. 10.]]
    <NDArray 2x2 @cpu(0)>
    """

    def __init__(self, size: int | tuple[int, int], interpolation: int = 1) -> None:
        super().__init__()
        size = _width_and_height("CenterCrop", size)
        self._args = size, check_interpolation("CenterCrop", interpolation)

    def forward(self, x: Any) -> Any:
        """Apply the transform."""
        return image.center_crop(x, *self._args)[0]


class RandomCrop(Block):
    """A random part of a picture, enlarged where it is too small; see `image.random_crop`.

    Parameters
    ----------
    size : int or tuple of int
        One number, or width and height.
    pad : int or tuple of int, optional
        How many pixels to add on each side before: one number, or those above, below, to the
        left and to the right.
    pad_value : float, default 0
        What to fill them with.
    interpolation : int, default 1
        See `image.fixed_crop`.

    Raises
    ------
    ArgumentError
        If `pad`, `size` or `interpolation` is none of these.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.RandomCrop((4, 2), pad=1)(nd.ones((6, 8, 3))).shape
    (2, 4, 3)
    """

    def __init__(
        self,
        size: int | tuple[int, int],
        pad: int | Sequence[int] | None = None,
        pad_value: float = 0,
        interpolation: int = 1,
    ) -> None:
        super().__init__()
        size = _width_and_height("RandomCrop", size)
        self._args = size, check_interpolation("RandomCrop", interpolation)
        self._pad_value = pad_value
        self._pad = (pad,) * 4 if isinstance(pad, int) else tuple(pad or (0,) * 4)
        if len(self._pad) != 4 or min(self._pad) < 0:
            raise ArgumentError(
                f"RandomCrop: pad={pad!r} is neither a number of pixels nor (above, below, left,"
                " right)"
            )

    def forward(self, x: Any) -> Any:
        """Apply the transform."""
        if any(self._pad):
            above, below, left, right = self._pad
            height, width, channels = x.shape
            shape = height + above + below, width + left + right, channels
            padded = nd.full(shape, self._pad_value, ctx=x.context, dtype=x.dtype)
            padded[above : above + height, left : left + width] = x
            x = padded
        return image.random_crop(x, *self._args)[0]


class Resize(HybridBlock):
    """Pictures (height, width, channels) in another size; see `nd.image.resize`.

    Parameters
    ----------
    size : int or tuple of int
        One number, or width and height.
    keep_ratio : bool, default False
        Make the shorter side `size`, if that is one number, and the other one in proportion.
    interpolation : int, default 1
        Nearest (0), linear, cubic, area or Lanczos (4).

    Raises
    ------
    ArgumentError
        If `size` or `interpolation` has no such value; when called, if a picture has no three axes.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.Resize(4, keep_ratio=True)(nd.zeros((8, 12, 3))).shape
    (4, 6, 3)
    """

    def __init__(
        self, size: int | tuple[int, int], keep_ratio: bool = False, interpolation: int = 1
    ) -> None:
        super().__init__()
        pair = _width_and_height("Resize", size)
        self._size = pair[0] if isinstance(size, Number) else pair
        self._keep = keep_ratio
        self._interpolation = check_interpolation("Resize", interpolation, INTERPOLATIONS)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform."""
        return F.image.resize(x, self._size, self._keep, self._interpolation)


class RandomFlipLeftRight(HybridBlock):
    """The mirror image of a picture (height, width, channels) once in two times.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> result = transforms.RandomFlipLeftRight()(nd.array([[[1], [2]]]))
    >>> sorted(result.asnumpy().ravel().tolist())
    [1.0, 2.0]
    """

    def __init__(self) -> None:
        super().__init__()

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform, or not."""
        return F.image.random_flip_left_right(x)


class RandomFlipTopBottom(HybridBlock):
    """A picture (height, width, channels) upside down once in two times.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> result = transforms.RandomFlipTopBottom()(nd.array([[[1]], [[2]]]))
    >>> sorted(result.asnumpy().ravel().tolist())
    [1.0, 2.0]
    """

    def __init__(self) -> None:
        super().__init__()

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform, or not."""
        return F.image.random_flip_top_bottom(x)


# ----------------------------------------------------------------------------------- colours


class _Factor(HybridBlock):
    """A change of a picture by a random factor around 1."""

    _change = ""

    def __init__(self, width: float) -> None:
        super().__init__()
        if width < 0:
            raise ArgumentError(
                f"{type(self).__name__}: {width} is negative; factors go from 1 - it to 1 + it"
            )
        self._args = max(0, 1 - width), 1 + width

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform."""
        return getattr(F.image, self._change)(x, *self._args)


class RandomBrightness(_Factor):
    """A picture (height, width, channels) times a random factor; see `nd.image.random_brightness`.

    Parameters
    ----------
    brightness : float
        The factor is between 1 - this, or 0, and 1 + this.

    Raises
    ------
    ArgumentError
        If it is negative.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> result = transforms.RandomBrightness(0.5)(nd.full((2, 2, 3), 100))
    >>> bool(50 <= result.min().asscalar() <= 150)
    True
    """

    _change = "random_brightness"

    def __init__(self, brightness: float) -> None:
        super().__init__(brightness)


class RandomContrast(_Factor):
    """More or less contrast in a picture; see `nd.image.random_contrast`.

    Parameters
    ----------
    contrast : float
        The factor is between 1 - this, or 0, and 1 + this.

    Raises
    ------
    ArgumentError
        If it is negative.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> result = transforms.RandomContrast(0.5)(nd.full((2, 2, 3), 100))
    >>> result.asnumpy().round(0)[0, 0]  # there is nothing to change in grey
    array([100., 100., 100.], dtype=float32)
    """

    _change = "random_contrast"

    def __init__(self, contrast: float) -> None:
        super().__init__(contrast)


class RandomSaturation(_Factor):
    """More or less colour in a picture; see `nd.image.random_saturation`.

    Parameters
    ----------
    saturation : float
        The factor is between 1 - this, or 0, and 1 + this.

    Raises
    ------
    ArgumentError
        If it is negative.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> result = transforms.RandomSaturation(0.5)(nd.full((2, 2, 3), 100))
    >>> result.asnumpy().round(0)[0, 0]  # there is nothing to change in grey
    array([100., 100., 100.], dtype=float32)
    """

    _change = "random_saturation"

    def __init__(self, saturation: float) -> None:
        super().__init__(saturation)


class RandomHue(_Factor):
    """Other hues in a picture; see `nd.image.random_hue`.

    Parameters
    ----------
    hue : float
        The turn is between 1 - this, or 0, and 1 + this; 1 is the whole circle.

    Raises
    ------
    ArgumentError
        If it is negative.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.RandomHue(0.5)(nd.ones((2, 2, 3))).shape
    (2, 2, 3)
    """

    _change = "random_hue"

    def __init__(self, hue: float) -> None:
        super().__init__(hue)


class RandomColorJitter(HybridBlock):
    """Random brightness, contrast, saturation and hue; see `nd.image.random_color_jitter`.

    Parameters
    ----------
    brightness, contrast, saturation, hue : float, default 0

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.RandomColorJitter(0.1, 0.1, 0.1, 0.1)(nd.ones((6, 8, 3))).shape
    (6, 8, 3)
    """

    def __init__(
        self, brightness: float = 0, contrast: float = 0, saturation: float = 0, hue: float = 0
    ) -> None:
        super().__init__()
        self._args = brightness, contrast, saturation, hue

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform."""
        return F.image.random_color_jitter(x, *self._args)


class RandomLighting(HybridBlock):
    """The random light of AlexNet on a picture; see `nd.image.random_lighting`.

    Parameters
    ----------
    alpha : float
        The standard deviation.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.RandomLighting(0.1)(nd.ones((6, 8, 3))).shape
    (6, 8, 3)
    """

    def __init__(self, alpha: float) -> None:
        super().__init__()
        self._alpha = alpha

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform."""
        return F.image.random_lighting(x, self._alpha)


class RandomGray(HybridBlock):
    """A picture (height, width, 3) in grey, with a probability; see `RandomApply`.

    Parameters
    ----------
    p : float, default 0.5

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.RandomGray(p=1)(nd.array([[[100, 0, 0]]])).asnumpy().round(4)
    array([[[29.9, 29.9, 29.9]]], dtype=float32)
    """

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        self.p = p

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform, or not."""
        # Without any saturation only the grey is left.
        return x if self.p < random.random() else F.image.random_saturation(x, 0, 0)
