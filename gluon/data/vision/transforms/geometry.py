"""Transforms that rotate, crop, resize and flip images."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Number
from typing import Any

import numpy as np

from .... import image, nd
from ...._core.errors import ArgumentError
from ....block import Block, HybridBlock
from ....io.augment import INTERPOLATIONS, check_interpolation


def _width_and_height(name: str, size: Any) -> tuple[int, int]:
    """Return one number as both sizes, or a pair unchanged."""
    pair = (size, size) if isinstance(size, Number) else tuple(size)
    if len(pair) != 2 or any(int(side) != side or side < 1 for side in pair):
        raise ArgumentError(
            f"{name}: size={size!r} is neither a positive integer nor (width, height)"
        )
    return int(pair[0]), int(pair[1])


class Rotate(Block):
    """Rotates images (channels, height, width) counterclockwise; see `image.imrotate`.

    Parameters
    ----------
    rotation_degrees : float, or NDArray of shape (batch,)
    zoom_in : bool, default False
        Enlarge the image, so that no corner is empty.
    zoom_out : bool, default False
        Shrink the image, so that all of it is visible.

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
    """Rotates images (channels, height, width) by random angles; see `image.random_rotate`.

    Parameters
    ----------
    angle_limits : tuple of float
        The smallest and the largest angle, in degrees.
    zoom_in : bool, default False
        Enlarge the image, so that no corner is empty.
    zoom_out : bool, default False
        Shrink the image, so that all of it is visible.
    rotate_with_proba : float, default 1.0
        The probability of a rotation.

    Raises
    ------
    ArgumentError
        If the limits are not in order, or the probability is not from 0 to 1.

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
        if np.shape(angle_limits) != (2,) or not angle_limits[0] < angle_limits[1]:
            raise ArgumentError(
                f"RandomRotation: angle_limits={angle_limits} must be two numbers in order, such as"
                " (-10, 10)"
            )
        if not 0 <= rotate_with_proba <= 1:
            raise ArgumentError(
                f"RandomRotation: rotate_with_proba={rotate_with_proba} is not a probability"
            )
        self._args = angle_limits, zoom_in, zoom_out
        self._rotate_with_proba = rotate_with_proba

    def forward(self, x: Any) -> Any:
        """Apply the transform with the given probability."""
        if np.random.random() > self._rotate_with_proba:  # noqa: NPY002
            return x
        return image.random_rotate(x, *self._args)


class RandomResizedCrop(Block):
    """Crops a random part of an image and resizes it; see `image.random_size_crop`.

    Parameters
    ----------
    size : int or tuple of int
        Of the result: one number, or width and height.
    scale : tuple of float, default (0.08, 1.0)
        The smallest and the largest share of the area of the image.
    ratio : tuple of float, default (3 / 4, 4 / 3)
        The smallest and the largest ratio of width to height.
    interpolation : int, default 1
        See `image.fixed_crop`.

    Raises
    ------
    ArgumentError
        If `size` or `interpolation` is invalid; when called, if an image does not have three axes.

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
    """Crops a rectangle of images (height, width, channels), and optionally resizes it.

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
        If `size` or `interpolation` has an invalid value; when called, if an image does not hold
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
    """Crops the center of an image, enlarged if too small; see `image.center_crop`.

    Parameters
    ----------
    size : int or tuple of int
        One number, or width and height.
    interpolation : int, default 1
        See `image.fixed_crop`.

    Raises
    ------
    ArgumentError
        If `size` or `interpolation` is invalid; when called, if an image does not have three axes.

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
    """Crops a random part of an image, enlarged if too small; see `image.random_crop`.

    Parameters
    ----------
    size : int or tuple of int
        One number, or width and height.
    pad : int or tuple of int, optional
        How many pixels to add on each side first: one number, or those above, below, to the left
        and to the right.
    pad_value : float, default 0
        The value of these pixels.
    interpolation : int, default 1
        See `image.fixed_crop`.

    Raises
    ------
    ArgumentError
        If `pad`, `size` or `interpolation` is not one of these.

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
    """Resizes images (height, width, channels); see `nd.image.resize`.

    Parameters
    ----------
    size : int or tuple of int
        One number, or width and height.
    keep_ratio : bool, default False
        If `size` is one number, make the shorter side that long and keep the proportions.
    interpolation : int, default 1
        Nearest (0), linear, cubic, area or Lanczos (4).

    Raises
    ------
    ArgumentError
        If `size` or `interpolation` is invalid; when called, if an image does not have three axes.

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
    """Flips an image (height, width, channels) horizontally with probability 0.5.

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
        """Apply the transform with the given probability."""
        return F.image.random_flip_left_right(x)


class RandomFlipTopBottom(HybridBlock):
    """Flips an image (height, width, channels) vertically with probability 0.5.

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
        """Apply the transform with the given probability."""
        return F.image.random_flip_top_bottom(x)
