"""`nd`: convolution, pooling and upsampling. Tuning arguments of MXNet are ignored."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.errors import ArgumentError
from ..engine.op import RECORDED as F
from ..ndarray import NDArray
from ._public import choice, floating, public
from .nn import check_bias, check_size

Shape = tuple[int, ...] | int | None
LAYOUTS = (None, "NCW", "NCHW", "NCDHW", "NWC", "NHWC", "NDHWC")


def _channels_last(name: str, layout: str | None, data: NDArray) -> bool:
    """Whether the layout says so; checks it."""
    choice(name, "layout", layout, LAYOUTS)
    if layout is not None and len(layout) != data.ndim:
        raise ArgumentError(f"{name}: layout={layout!r} does not fit data of shape {data.shape}")
    return layout is not None and layout.endswith("C")


def _to_first(x: NDArray, last: bool) -> NDArray:
    """`x` with the channels, its last axis or axis 1 already, as axis 1."""
    return F.transpose(x, axes=(0, x.ndim - 1, *range(1, x.ndim - 1))) if last else x


def _to_last(x: NDArray, last: bool) -> NDArray:
    return F.transpose(x, axes=(0, *range(2, x.ndim), 1)) if last else x


def _check_kernel(name: str, kernel: Shape, weight: NDArray, spatial: tuple[int, ...]) -> None:
    if kernel is not None and kernel != () and _as_shape(kernel, len(spatial)) != spatial:
        raise ArgumentError(f"{name}: kernel={kernel}, but the weight has shape {weight.shape}")


def _as_shape(value: Any, n: int) -> tuple[int, ...]:
    """One number for each of `n` axes."""
    return (value,) * n if isinstance(value, int) else tuple(value)


@public
def Convolution(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    kernel: Shape = None,
    stride: Shape = None,
    dilate: Shape = None,
    pad: Shape = None,
    num_filter: int | None = None,
    num_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    cudnn_tune: Any = None,
    cudnn_off: bool = False,
    layout: str | None = None,
) -> NDArray:
    """The convolution of pictures with filters, in 1, 2, 3 or more dimensions.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, *spatial), or as `layout` says
    weight : NDArray of shape (filters, channels / groups, *kernel), or as `layout` says
    bias : NDArray of shape (filters,), optional
        To be left out with ``no_bias=True`` only.
    kernel : tuple of int, optional
        Checked against the weight, as is `num_filter`.
    stride, dilate : tuple of int, default 1
    pad : tuple of int, default 0
    num_filter : int, optional
    num_group : int, default 1
    no_bias : bool, default False
    layout : {'NCW', 'NCHW', 'NCDHW', 'NWC', 'NHWC', 'NDHWC'}, optional
        Channels first by default.
    workspace, cudnn_tune, cudnn_off
        Ignored.

    Returns
    -------
    NDArray of shape (batch, filters, *positions), or as `layout` says
    """
    last = _channels_last("Convolution", layout, data)
    floating("Convolution", data)
    check_bias("Convolution", bias, no_bias)
    check_size("Convolution", "num_filter", num_filter, weight, weight.shape[0])
    data, first = _to_first(data, last), _to_first(weight, last)
    _check_kernel("Convolution", kernel, weight, first.shape[2:])
    spec = {"stride": stride, "pad": pad, "dilate": dilate, "num_group": num_group}
    return _to_last(F.convolution(data, first, bias, **spec), last)


Convolution_v1 = Convolution


@public
def Deconvolution(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    kernel: Shape = None,
    stride: Shape = None,
    dilate: Shape = None,
    pad: Shape = None,
    adj: Shape = None,
    target_shape: Shape = None,
    num_filter: int | None = None,
    num_group: int = 1,
    workspace: int = 512,
    no_bias: bool = True,
    cudnn_tune: Any = None,
    cudnn_off: bool = False,
    layout: str | None = None,
) -> NDArray:
    """The transposed convolution; without bias by default. See `Convolution`.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, *spatial), or as `layout` says
    weight : NDArray of shape (channels, filters / groups, *kernel), or as `layout` says
    bias : NDArray of shape (filters,), optional
        With ``no_bias=False`` only.
    adj : tuple of int, default 0
        Added to the shape of the result.
    target_shape : tuple of int, optional
        The spatial shape of the result, in place of `pad` and `adj`.

    Returns
    -------
    NDArray of shape (batch, filters, *spatial), or as `layout` says
    """
    last = _channels_last("Deconvolution", layout, data)
    floating("Deconvolution", data)
    check_bias("Deconvolution", bias, no_bias)
    data, first = _to_first(data, last), _to_first(weight, last)
    check_size("Deconvolution", "num_filter", num_filter, weight, first.shape[1] * num_group)
    _check_kernel("Deconvolution", kernel, weight, first.shape[2:])
    spec = {"stride": stride, "pad": pad, "dilate": dilate, "num_group": num_group}
    shape = {"adj": adj or None, "target_shape": target_shape or None}
    return _to_last(F.deconvolution(data, first, bias, **spec, **shape), last)


@public
def Pooling(
    data: NDArray,
    kernel: Shape = None,
    pool_type: str = "max",
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: str = "valid",
    stride: Shape = None,
    pad: Shape = None,
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: str | None = None,
) -> NDArray:
    """The maximum, average, sum or p-norm over moving windows.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, *spatial), or as `layout` says
    kernel : tuple of int
        The window; not needed for ``global_pool=True``.
    pool_type : {'max', 'avg', 'sum', 'lp'}
    global_pool : bool, default False
        One window over everything.
    cudnn_off
        Ignored.
    pooling_convention : {'valid', 'full', 'same'}
        What becomes of windows that reach over the border.
    stride : tuple of int, default 1
    pad : tuple of int, default 0
    p_value : {1, 2, 3}, optional
        Of ``'lp'``, which needs it.
    count_include_pad : bool, default True
        Whether ``'avg'`` counts the padding.
    layout : {'NCW', 'NCHW', 'NCDHW', 'NWC', 'NHWC', 'NDHWC'}, optional

    Returns
    -------
    NDArray of shape (batch, channels, *positions), or as `layout` says
    """
    last = _channels_last("Pooling", layout, data)
    choice("Pooling", "pool_type", pool_type, ("max", "avg", "sum", "lp"))
    floating("Pooling", data)
    data = _to_first(data, last)
    if global_pool:
        window: dict[str, Any] = {"kernel": data.shape[2:]}
    elif kernel is None or kernel == ():
        raise ArgumentError("Pooling: kernel is missing; pass it, or global_pool=True")
    else:
        convention = {"convention": pooling_convention}
        window = {"kernel": kernel, "stride": stride, "pad": pad, **convention}
    return _to_last(_pool(data, pool_type, window, p_value, count_include_pad), last)


Pooling_v1 = Pooling


def _pool(
    data: NDArray, pool_type: str, window: dict, p_value: int | None, include_pad: bool | None
) -> NDArray:
    if pool_type == "max":
        return F.max_pool(data, **window)
    if pool_type == "lp":
        if p_value is None:
            raise ArgumentError("Pooling: pool_type='lp' needs p_value, 1, 2 or 3")
        return F.lp_pool(data, p=p_value, **window)
    divide_by = None
    if pool_type == "avg":
        divide_by = "inside" if include_pad is False else "window"
    return F.sum_pool(data, divide_by=divide_by, **window)


@public
def UpSampling(
    *data: NDArray,
    scale: int,
    sample_type: str,
    num_filter: int = 0,
    multi_input_mode: str = "concat",
    num_args: int | None = None,
    workspace: int = 512,
) -> NDArray:
    """Pictures enlarged `scale` times.

    Parameters
    ----------
    *data : NDArray of shape (batch, channels, height, width)
        For ``'nearest'`` several pictures, all enlarged to the size of the first result; for
        ``'bilinear'`` a picture and the weight of a deconvolution.
    scale : int
    sample_type : {'nearest', 'bilinear'}
    num_filter : int, optional
        The channels, for ``'bilinear'``.
    multi_input_mode : {'concat', 'sum'}
        How several results become one.
    num_args, workspace
        Ignored.

    Returns
    -------
    NDArray of shape (batch, channels, height * scale, width * scale)
    """
    choice("UpSampling", "sample_type", sample_type, ("nearest", "bilinear"))
    choice("UpSampling", "multi_input_mode", multi_input_mode, ("concat", "sum"))
    _check_pictures("UpSampling", data)
    if sample_type == "bilinear":
        return _bilinear(data, scale)
    height = data[0].shape[2] * scale
    parts = [F.upsample_nearest(x, scale=height // x.shape[2]) for x in data]
    if len(parts) == 1:
        return parts[0]
    if multi_input_mode == "concat":
        return F.concat(*parts, axis=1)
    total = parts[0]
    for part in parts[1:]:
        total = F.add(total, part)
    return total


@public
def Crop(
    *data: NDArray,
    offset: tuple[int, int] = (0, 0),
    h_w: tuple[int, int] = (0, 0),
    center_crop: bool = False,
    num_args: int | None = None,
) -> NDArray:
    """A part of a picture.

    Parameters
    ----------
    *data : NDArray of shape (batch, channels, height, width)
        The picture and, optionally, another one whose size the part takes.
    offset : tuple of int, default (0, 0)
        Where the part begins, unless it is in the centre.
    h_w : tuple of int
        The size of the part, unless a second picture says it.
    center_crop : bool, default False
    num_args
        Ignored.

    Returns
    -------
    NDArray
    """
    _check_pictures("Crop", data)
    picture, *like = data
    height, width = like[0].shape[2:] if like else h_w
    top, left = offset
    if center_crop:
        top, left = (picture.shape[2] - height) // 2, (picture.shape[3] - width) // 2
    ends = (top + height, left + width)
    if min(top, left) < 0 or min(height, width) < 1 or any(np.greater(ends, picture.shape[2:])):
        raise ArgumentError(
            f"Crop: {height} x {width} pixels from {(top, left)} on are none, or outside"
            f" {picture.shape}; pass h_w or another picture, and an offset that fits"
        )
    rows, columns = slice(top, top + height), slice(left, left + width)
    return F.getitem(picture, key=(slice(None), slice(None), rows, columns))


def _check_pictures(name: str, data: tuple[NDArray, ...]) -> None:
    if not data or any(picture.ndim != 4 for picture in data):
        raise ArgumentError(
            f"{name}: takes one array or more of shape (batch, channels, height, width), not"
            f" {[picture.shape for picture in data]}"
        )


def _bilinear(data: tuple[NDArray, ...], scale: int) -> NDArray:
    size = 2 * scale - scale % 2
    if len(data) != 2 or data[1].shape[1:] != (1, size, size):
        raise ArgumentError(
            f"UpSampling: arrays of shapes {[x.shape for x in data]}; sample_type='bilinear' takes"
            f" the picture and the weight, of shape (channels, 1, {size}, {size})"
        )
    picture, weight = data
    pad = scale // 2
    return F.deconvolution(
        picture, weight, stride=(scale,) * 2, pad=(pad,) * 2, num_group=picture.shape[1]
    )
