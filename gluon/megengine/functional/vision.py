"""Functions of images."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import nd
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError, DTypeError
from ..._hook.errors import CheckError
from .. import interfaces
from ..interfaces import as_tensor, cast, operands, tensors
from ._checked import checked
from .conv import _pair
from .regions import nms, roi_align, roi_pooling
from .warp import remap, warp_affine, warp_perspective

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..tensor import Tensor

__all__ = [
    "correlation",
    "cvt_color",
    "interpolate",
    "nms",
    "remap",
    "roi_align",
    "roi_pooling",
    "warp_affine",
    "warp_perspective",
]

#: mode -> the spatial axes of an image
MODES = {"nearest": 2, "linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3}
#: The weights of RGB in grey.
GREY = np.array([[0.299], [0.587], [0.114]])
#: Y, U and V of blue, green and red: the order that MegEngine's modes of YUV have.
YUV = np.array(
    [[0.114, 0.435912, -0.099978], [0.587, -0.288804, -0.514799], [0.299, -0.147108, 0.614777]]
)
#: Its inverse, as MegEngine rounds it.
FROM_YUV = np.array([[1.0, 1.0, 1.0], [2.032, -0.395, 0.0], [0.0, -0.581, 1.14]])
#: U and V of grey, as a part of the range.
MIDDLE = np.array([0.0, 0.5, 0.5])
#: mode -> the matrix that a pixel is multiplied by, and what is added before and after
COLOURS: dict[str, tuple[np.ndarray, Any, Any]] = {
    "RGB2GRAY": (GREY, 0, 0),
    "BGR2GRAY": (GREY[::-1], 0, 0),
    "RGBA2GRAY": (np.vstack([GREY, [[0.0]]]), 0, 0),
    "GRAY2RGB": (np.ones((1, 3)), 0, 0),
    "RGB2BGR": (np.eye(3)[::-1], 0, 0),
    "BGR2RGB": (np.eye(3)[::-1], 0, 0),
    "RGBA2RGB": (np.eye(4, 3), 0, 0),
    "RGBA2BGR": (np.eye(4, 3)[:, ::-1], 0, 0),
    "RGB2YUV": (YUV, 0, MIDDLE),
    "YUV2RGB": (FROM_YUV, -MIDDLE, 0),
}


@checked
def interpolate(
    inp: ArrayLike,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "bilinear",
    align_corners: bool | None = None,
) -> Tensor:
    """Resize images.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width)
        Of any dtype; integers count as float32.
        With one spatial axis for 'linear', with three for 'trilinear'.
    size : int or sequence of int, optional
        The new size.
    scale_factor : float or sequence of float, optional
        The new size over the old one; this or `size`.
    align_corners : bool, optional
        Whether the outermost pixels stay where they are; False by default.

    Returns
    -------
    Tensor of shape (batch, channels, *size)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> interpolate(Tensor([[[[1.0, 2.0]]]]), scale_factor=2, mode="nearest").tolist()
    [[[[1.0, 1.0, 2.0, 2.0], [1.0, 1.0, 2.0, 2.0]]]]
    """
    if as_tensor(inp).dtype == np.uint8:  # pictures stay pictures
        options = (size, scale_factor, mode, align_corners)
        return _whole(interpolate(cast(as_tensor(inp), np.float32), *options), np.uint8)
    (inp,) = operands(inp, floats=True)
    if (size is None) == (scale_factor is None):
        raise ArgumentError("interpolate: give size or scale_factor, one of the two")
    axes = MODES.get(mode.lower())
    if axes is None or inp.ndim != axes + 2:
        raise ArgumentError(
            f"interpolate: mode {mode!r} and a shape of {inp.shape} do not go together; the modes"
            f" are {', '.join(f'{name} of {n}' for name, n in MODES.items())} spatial axes"
        )
    if align_corners and not mode.lower().endswith("linear"):
        raise ArgumentError(f"interpolate: align_corners is for linear modes, not for {mode!r}")
    if scale_factor is not None:
        many = isinstance(scale_factor, (list, tuple))
        if many and len(scale_factor) != axes:
            raise CheckError(
                f"interpolate: scale_factor={scale_factor} has {len(scale_factor)} numbers for"
                f" {axes} axes"
            )
        factors = scale_factor if many else (scale_factor,) * axes
        size = tuple(int(n * by) for n, by in zip(inp.shape[2:], factors))
    size = _pair(size.tolist() if isinstance(size, interfaces.Tensor) else size, axes)
    if mode.lower() == "bilinear" and (align_corners or 1 not in size):
        return ops.resize(inp, size=size, method="bilinear", align_corners=bool(align_corners))
    x: Tensor = inp
    for axis, n in enumerate(size, 2):
        if mode.lower() == "nearest":
            x = ops.take(x, np.arange(n) * x.shape[axis] // n, axis=axis)
        else:
            x = _resized(x, axis, n, mode.lower() == "bicubic", bool(align_corners))
    return x


def _resized(x: Tensor, axis: int, n: int, cubic: bool, aligned: bool) -> Tensor:
    """`x` with `n` places along one axis, by the product with a matrix of weights."""
    old = x.shape[axis]
    if aligned:
        at = np.arange(n) * ((old - 1) / max(n - 1, 1))
    else:
        at = (np.arange(n) + 0.5) * (old / n) - 0.5
    low = np.floor(at).astype(np.intp)
    matrix = np.zeros((old, n))
    for step in (-1, 0, 1, 2) if cubic else (0, 1):
        place = np.clip(low + step, 0, old - 1)
        np.add.at(matrix, (place, np.arange(n)), _weight(np.abs(at - low - step), cubic))
    weights = as_tensor(matrix.astype(x.dtype))
    last = [k for k in range(x.ndim) if k != axis]
    y = ops.matmul(ops.transpose(x, axes=(*last, axis)), weights)
    return ops.transpose(y, axes=[[*last, axis].index(k) for k in range(x.ndim)])


def _weight(distance: Any, cubic: bool) -> Any:
    """How much a pixel counts at a distance: by a straight line, or by cubic convolution.

    See "Cubic convolution interpolation for digital image processing", 1981, with a = -0.75.
    """
    if not cubic:
        return 1 - distance
    d, a = distance, -0.75
    near, far = (a + 2) * d**3 - (a + 3) * d**2 + 1, a * (d**3 - 5 * d**2 + 8 * d - 4)
    return np.where(d <= 1, near, far)


@checked
def cvt_color(inp: ArrayLike, mode: str = "") -> Tensor:
    """Convert images to another color space.

    Parameters
    ----------
    inp : Tensor of shape (batch, height, width, channels)
        Of float32 or uint8; the latter is rounded.
    mode : str
        One of RGB2GRAY, BGR2GRAY, RGBA2GRAY, GRAY2RGB, RGB2BGR, BGR2RGB, RGBA2RGB, RGBA2BGR,
        RGB2YUV and YUV2RGB. As in MegEngine, the last two take and give blue first.

    Returns
    -------
    Tensor of shape (batch, height, width, channels) and the same dtype

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> cvt_color(Tensor([[[[1.0, 0.0, 1.0]]]]), "RGB2GRAY").tolist()
    [[[[0.4129999876022339]]]]
    """
    inp = as_tensor(inp)
    if mode.upper() not in COLOURS:
        raise ArgumentError(f"cvt_color: mode {mode!r} is not one of {', '.join(COLOURS)}")
    matrix, before, after = COLOURS[mode.upper()]
    dtype = inp.dtype
    if dtype not in (np.float32, np.uint8):
        raise DTypeError(f"cvt_color: inp is of {dtype}; give float32 or uint8")
    if inp.shape[-1] != len(matrix):
        raise ArgumentError(f"cvt_color: {mode} needs {len(matrix)} channels, not {inp.shape[-1]}")
    whole = 1 if dtype == np.float32 else 256
    shifts = [as_tensor(np.asarray(one * whole, np.float32)) for one in (before, after)]
    x = cast(inp, np.float32) + shifts[0]
    y = ops.matmul(x, as_tensor(matrix.astype(np.float32))) + shifts[1]
    return y if dtype == np.float32 else _whole(y, dtype)


def _whole(x: Tensor, dtype: Any) -> Tensor:
    """`x` rounded to the range of uint8."""
    return cast(ops.clip(ops.floor(x + 0.5), a_min=0.0, a_max=255.0), dtype)


@checked
def correlation(
    data1: ArrayLike,
    data2: ArrayLike,
    kernel_size: int = 1,
    max_displacement: int = 1,
    stride1: int = 1,
    stride2: int = 1,
    pad_size: int = 0,
    is_multiply: bool = True,
) -> Tensor:
    """Correlate each patch of one image with the patches around it in another.

    Parameters
    ----------
    data1, data2 : Tensor of shape (batch, channels, height, width)
        Of any dtype; integers count as float32.
    kernel_size : int, default 1
        The size of a patch, odd.
    max_displacement : int, default 1
        The maximum distance of two patches along each axis.
    stride1, stride2 : int, default 1
        The distances of two neighbouring patches, and of two neighbouring displacements.
    pad_size : int, default 0
        The number of zeros around the images.
    is_multiply : bool, default True
        False for the mean absolute difference.

    Returns
    -------
    Tensor of shape (batch, displacements, rows, columns)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> x = Tensor([[[[1.0, 2.0]]]])
    >>> correlation(x, x, max_displacement=0).tolist()
    [[[[1.0, 4.0]]]]
    """
    options = (kernel_size, max_displacement, stride1, stride2, pad_size, is_multiply)
    data1, data2 = tensors(data1, data2, floats=True)
    return nd.Correlation(data1, data2, *options)  # type: ignore[type-var]
