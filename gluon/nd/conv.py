"""`nd`: convolution, its columns, pooling and upsampling. Tuning arguments of MXNet are ignored."""

from __future__ import annotations

from math import prod
from numbers import Integral
from typing import Any

import numpy as np

from ..engine.errors import ArgumentError
from ..engine.op import RECORDED as F
from ..ndarray import NDArray
from ._checks import (
    check_bias,
    check_choice,
    check_floating,
    check_integers,
    check_pictures,
    check_size,
)
from ._public import INTS, public

Shape = tuple[int, ...] | int | None
LAYOUTS = (None, "NCW", "NCHW", "NCDHW", "NWC", "NHWC", "NDHWC")


def _channels_last(name: str, layout: str | None, data: NDArray) -> bool:
    """Whether the layout says so; checks it."""
    check_choice(name, "layout", layout, LAYOUTS)
    if layout is not None and len(layout) != data.ndim:
        raise ArgumentError(f"{name}: layout={layout!r} does not fit data of shape {data.shape}")
    return layout is not None and layout.endswith("C")


def _to_first(x: NDArray, last: bool) -> NDArray:
    """`x` with the channels, its last axis or axis 1 already, as axis 1."""
    return F.transpose(x, axes=(0, x.ndim - 1, *range(1, x.ndim - 1))) if last else x


def _to_last(x: NDArray, last: bool) -> NDArray:
    return F.transpose(x, axes=(0, *range(2, x.ndim), 1)) if last else x


def check_kernel(name: str, kernel: Shape, weight: NDArray, spatial: tuple[int, ...]) -> None:
    """Raise when a kernel is given and is not of the weight's spatial shape."""
    if kernel is not None and kernel != () and _as_shape(kernel, len(spatial)) != spatial:
        raise ArgumentError(f"{name}: kernel={kernel}, but the weight has shape {weight.shape}")


def _as_shape(value: Any, n: int) -> tuple[int, ...]:
    """One number for each of `n` axes."""
    return (int(value),) * n if isinstance(value, INTS) else tuple(value)


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

    The filters are not turned round: each value is the sum of the products of a filter with the
    part of the picture under it. Along each dimension there are
    ``(size + 2 * pad - dilate * (kernel - 1) - 1) // stride + 1`` positions.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, *spatial), or as `layout` says
        Of a floating dtype.
    weight : NDArray of shape (filters, channels / groups, *kernel), or as `layout` says
        For channels last, (filters, *kernel, channels / groups).
    bias : NDArray of shape (filters,), optional
        To be left out with ``no_bias=True`` only.
    kernel : tuple of int, optional
        Checked against the weight, as is `num_filter`.
    stride : tuple of int, default 1
        How far the filters move from one position to the next.
    dilate : tuple of int, default 1
        How far apart the pixels under neighbouring values of a filter are.
    pad : tuple of int, default 0
        How many zeros to put around the picture, on each side.
    num_filter : int, optional
    num_group : int, default 1
        Cut channels and filters into so many groups that do not see each other.
    no_bias : bool, default False
    layout : {'NCW', 'NCHW', 'NCDHW', 'NWC', 'NHWC', 'NDHWC'}, optional
        Channels first by default.
    workspace, cudnn_tune, cudnn_off
        Ignored.

    Returns
    -------
    NDArray of shape (batch, filters, *positions), or as `layout` says
        Of the dtype of the inputs; where they differ, as NumPy promotes them.

    Raises
    ------
    ArgumentError
        If the shapes do not fit one another or the layout, an argument has not one value for each
        dimension, the kernel is larger than the padded data, or neither or both of `bias` and
        ``no_bias=True`` are given.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> x, w, b = nd.array([[[1, 2, 4, 8]]]), nd.array([[[1, 10]]]), nd.array([0.5])
    >>> nd.Convolution(x, w, b, kernel=(2,), num_filter=1).asnumpy().tolist()
    [[[21.5, 42.5, 84.5]]]
    >>> nd.Convolution(x, w, no_bias=True, stride=(2,), pad=(1,)).asnumpy().tolist()
    [[[10.0, 42.0, 8.0]]]
    """
    last = _channels_last("Convolution", layout, data)
    check_floating("Convolution", data)
    check_bias("Convolution", bias, no_bias)
    check_size("Convolution", "num_filter", num_filter, weight, weight.shape[0])
    data, first = _to_first(data, last), _to_first(weight, last)
    check_kernel("Convolution", kernel, weight, first.shape[2:])
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
    """The transposed convolution: every value spreads a filter over the result.

    It is the gradient of a `Convolution` with the same filters, from its result back to its data.
    Along each dimension the result is
    ``stride * (size - 1) + dilate * (kernel - 1) + 1 - 2 * pad + adj`` long.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, *spatial), or as `layout` says
        Of a floating dtype.
    weight : NDArray of shape (channels, filters / groups, *kernel), or as `layout` says
        For channels last, (channels, *kernel, filters / groups).
    bias : NDArray of shape (filters,), optional
        With ``no_bias=False`` only.
    kernel : tuple of int, optional
        Checked against the weight, as is `num_filter`.
    stride : tuple of int, default 1
        How far apart in the result neighbouring values of the data spread the filters.
    dilate : tuple of int, default 1
        How far apart neighbouring values of a filter land.
    pad : tuple of int, default 0
        How much to cut off the result, on each side.
    adj : tuple of int, default 0
        Added to the lengths of the result, at the end; below `stride`.
    target_shape : tuple of int, optional
        The spatial shape of the result, in place of `pad` and `adj`.
    num_filter : int, optional
    num_group : int, default 1
        Cut channels and filters into so many groups that do not see each other.
    no_bias : bool, default True
    layout : {'NCW', 'NCHW', 'NCDHW', 'NWC', 'NHWC', 'NDHWC'}, optional
        Channels first by default.

    Returns
    -------
    NDArray of shape (batch, filters, *spatial), or as `layout` says
        Of the dtype of the inputs; where they differ, as NumPy promotes them.

    Raises
    ------
    ArgumentError
        If the shapes do not fit one another or the layout, an argument has not one value for each
        dimension, nothing of the result is left or `target_shape` is larger than it, or
        ``no_bias`` says otherwise than `bias`.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> x, w = nd.array([[[1, 2]]]), nd.array([[[1, 10, 100]]])
    >>> nd.Deconvolution(x, w, kernel=(3,), num_filter=1).asnumpy().tolist()
    [[[1.0, 12.0, 120.0, 200.0]]]
    >>> nd.Deconvolution(x, w, stride=(2,), pad=(1,), adj=(1,)).asnumpy().tolist()
    [[[10.0, 102.0, 20.0, 200.0]]]
    """
    last = _channels_last("Deconvolution", layout, data)
    check_floating("Deconvolution", data)
    check_bias("Deconvolution", bias, no_bias)
    data, first = _to_first(data, last), _to_first(weight, last)
    check_size("Deconvolution", "num_filter", num_filter, weight, first.shape[1] * num_group)
    check_kernel("Deconvolution", kernel, weight, first.shape[2:])
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
        Of a floating dtype.
    kernel : tuple of int
        The window; not needed for ``global_pool=True``.
    pool_type : {'max', 'avg', 'sum', 'lp'}
        ``'lp'`` is the p-th root of the sum of the p-th powers, signs included.
    global_pool : bool, default False
        One window over everything.
    cudnn_off
        Ignored.
    pooling_convention : {'valid', 'full', 'same'}
        How many windows there are along an axis of length n: ``(n + 2 * pad - kernel) / stride``
        and one more, rounded down or, for ``'full'``, up, so that windows may reach over the
        border; or, for ``'same'``, ``n / stride``, rounded up.
    stride : tuple of int, default 1
    pad : tuple of int, default 0
        Below `kernel`. The maximum and the sum do not see the padding.
    p_value : {1, 2, 3}, optional
        Of ``'lp'``, which needs it.
    count_include_pad : bool, default True
        Whether ``'avg'`` counts the padding.
    layout : {'NCW', 'NCHW', 'NCDHW', 'NWC', 'NHWC', 'NDHWC'}, optional
        Channels first by default.

    Returns
    -------
    NDArray of shape (batch, channels, *positions), or as `layout` says, and the same dtype
        Of equal maxima in a window the first gets the gradient.

    Raises
    ------
    ArgumentError
        If `kernel` or `p_value` is missing, an option or the layout is none of the above, an
        argument has not one value for each dimension, or a window is larger than the padded data.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[[1, 2, 4, 8, 16]]])
    >>> nd.Pooling(x, kernel=(2,), stride=(2,)).asnumpy().tolist()
    [[[2.0, 8.0]]]
    >>> nd.Pooling(x, kernel=(2,), stride=(2,), pooling_convention="full").asnumpy().tolist()
    [[[2.0, 8.0, 16.0]]]
    >>> nd.Pooling(x, pool_type="sum", global_pool=True).asnumpy().tolist()
    [[[31.0]]]
    """
    last = _channels_last("Pooling", layout, data)
    check_choice("Pooling", "pool_type", pool_type, ("max", "avg", "sum", "lp"))
    check_floating("Pooling", data)
    data = _to_first(data, last)
    if global_pool:
        window: dict[str, Any] = {"kernel": data.shape[2:]}
    elif kernel is None or kernel == ():
        raise ArgumentError("Pooling: kernel is missing; pass it, or global_pool=True")
    else:
        convention = {"convention": pooling_convention}
        window = {"kernel": kernel, "stride": stride, "pad": pad, **convention}
    return _to_last(_pool(data, pool_type, window, p_value, count_include_pad), last)


@public
def Pooling_v1(
    data: NDArray,
    kernel: Shape = None,
    pool_type: str = "max",
    global_pool: bool = False,
    pooling_convention: str = "valid",
    stride: Shape = None,
    pad: Shape = None,
) -> NDArray:
    """What `Pooling` was before: the border is zeros that count in the maximum and the average.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, *spatial)
        Of a floating dtype.
    kernel : tuple of int
        The window; not needed for ``global_pool=True``.
    pool_type : {'max', 'avg', 'sum'}
    global_pool : bool, default False
        One window over everything.
    pooling_convention : {'valid', 'full'}
        Whether windows may reach over the border; the average divides by all of such a window.
    stride : tuple of int, default 1
    pad : tuple of int, default 0

    Returns
    -------
    NDArray of shape (batch, channels, *positions) and the same dtype
        Of equal maxima in a window the first gets the gradient.

    Raises
    ------
    ArgumentError
        If `kernel` is missing, an option is none of the above, an argument has not one value for
        each dimension, or a window is larger than the padded data.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.Pooling_v1(nd.array([[[-1, -2]]]), kernel=(2,), pad=(1,)).asnumpy().tolist()
    [[[0.0, -1.0, 0.0]]]
    """
    check_choice("Pooling_v1", "pool_type", pool_type, ("max", "avg", "sum"))
    check_choice("Pooling_v1", "pooling_convention", pooling_convention, ("valid", "full"))
    spatial = data.shape[2:]
    if global_pool:
        kernel, stride, pad = spatial, None, None
    if pad:
        widths = [(0, 0), (0, 0), *((n, n) for n in _as_shape(pad, len(spatial)))]
        data = F.pad(data, width=widths, mode="constant", value=0)
    how = "max" if pool_type == "max" else "sum"
    window = {"kernel": kernel, "stride": stride, "pooling_convention": pooling_convention}
    found = Pooling(data, pool_type=how, **window)
    return F.divide(found, prod(_as_shape(kernel, len(spatial)))) if pool_type == "avg" else found


def _pool(
    data: NDArray, pool_type: str, window: dict, p_value: int | None, include_pad: bool | None
) -> NDArray:
    if pool_type == "max":
        return F.max_pool(data, **window)
    if pool_type == "lp":
        if p_value is None:
            raise ArgumentError("Pooling: pool_type='lp' needs p_value, 1, 2 or 3")
        return F.lp_pool(data, p=int(p_value), **window)
    divide_by = None
    if pool_type == "avg":
        divide_by = "window" if include_pad is None or include_pad else "inside"
    return F.sum_pool(data, divide_by=divide_by, **window)


@public
def UpSampling(
    *data: NDArray,
    scale: int,
    sample_type: str,
    num_filter: int = 0,
    multi_input_mode: str = "concat",
    workspace: int = 512,
) -> NDArray:
    """Pictures enlarged `scale` times.

    Parameters
    ----------
    *data : NDArray of shape (batch, channels, height, width)
        For ``'nearest'`` several pictures, all enlarged to the size of the first result; for
        ``'bilinear'`` a picture and the weight of a deconvolution, of shape (channels, 1, size,
        size) with ``size = 2 * scale - scale % 2``.
    scale : int
    sample_type : {'nearest', 'bilinear'}
        Repeat each pixel, or spread it with the weight.
    num_filter : int, optional
        The channels, for ``'bilinear'``.
    multi_input_mode : {'concat', 'sum'}
        How several results become one.
    workspace
        Ignored.

    Returns
    -------
    NDArray of shape (batch, channels, height * scale, width * scale) and the same dtype

    Raises
    ------
    ArgumentError
        If an option is none of the above, `scale` is below 1, there is no picture, or the shapes do
        not fit.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[[[1, 2]]]])
    >>> nd.UpSampling(x, scale=2, sample_type="nearest").asnumpy().tolist()
    [[[[1.0, 1.0, 2.0, 2.0], [1.0, 1.0, 2.0, 2.0]]]]
    """
    check_choice("UpSampling", "sample_type", sample_type, ("nearest", "bilinear"))
    check_choice("UpSampling", "multi_input_mode", multi_input_mode, ("concat", "sum"))
    if not (isinstance(scale, Integral) and scale > 0):
        raise ArgumentError(f"UpSampling: scale={scale!r} must be a positive integer")
    if sample_type == "bilinear":
        return _bilinear(data, int(scale), num_filter)
    if not data:
        raise ArgumentError("UpSampling: pass at least one picture")
    for k, x in enumerate(data):
        check_pictures("UpSampling", f"data[{k}]", x)
    height, width = (n * int(scale) for n in data[0].shape[2:])
    parts = [F.upsample_nearest(x, scale=max(1, height // x.shape[2])) for x in data]
    alike = multi_input_mode == "concat" or len({part.shape[1] for part in parts}) == 1
    if not alike or any(part.shape[2:] != (height, width) for part in parts):
        raise ArgumentError(
            f"UpSampling: pictures of shapes {[x.shape for x in data]} cannot become"
            f" {height} x {width} all{'' if alike else ' with the same number of channels'}"
        )
    if multi_input_mode == "concat":
        return F.concat(*parts, axis=1) if len(parts) > 1 else parts[0]
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
) -> NDArray:
    """A part of a picture.

    Parameters
    ----------
    *data : NDArray of shape (batch, channels, height, width) and any dtype
        The picture and, optionally, another one whose size the part takes.
    offset : tuple of int, default (0, 0)
        Where the part begins, unless it is in the centre.
    h_w : tuple of int
        The height and width of the part, unless a second picture says them.
    center_crop : bool, default False

    Returns
    -------
    NDArray of shape (batch, channels, *h_w) and the dtype of the picture

    Raises
    ------
    ArgumentError
        If the part lies outside the picture or has no pixels, or an array has not four axes.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[[[1, 2, 3], [4, 5, 6]]]])
    >>> nd.Crop(x, h_w=(1, 2), offset=(1, 1)).asnumpy().tolist()
    [[[[5.0, 6.0]]]]
    """
    for k, x in enumerate(data):
        check_pictures("Crop", f"data[{k}]", x)
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


def _bilinear(data: tuple[NDArray, ...], scale: int, num_filter: int) -> NDArray:
    side = 2 * scale - scale % 2
    if len(data) != 2:
        raise ArgumentError(
            f"UpSampling: {len(data)} arrays; sample_type='bilinear' takes the picture and the"
            f" weight, of shape (channels, 1, {side}, {side})"
        )
    picture, weight = data
    check_pictures("UpSampling", "data[0]", picture)
    channels = picture.shape[1]
    if weight.shape != (channels, 1, side, side) or num_filter not in (0, channels):
        raise ArgumentError(
            f"UpSampling: the weight has shape {weight.shape} and num_filter is {num_filter}; for a"
            f" picture {picture.shape} with scale={scale} they need {(channels, 1, side, side)} and"
            f" {channels}"
        )
    pad = (scale // 2,) * 2
    return F.deconvolution(picture, weight, stride=(scale,) * 2, pad=pad, num_group=channels)


@public
def im2col(
    data: NDArray,
    kernel: Shape,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
) -> NDArray:
    """Every window of a picture, or of data in any number of dimensions, as a column.

    A convolution is the product of its weight, flat, with these columns.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, *spatial)
    kernel : tuple of int
        The size of a window.
    stride, dilate : tuple of int, default 1
    pad : tuple of int, default 0

    Returns
    -------
    NDArray of shape (batch, channels * elements of the kernel, positions)

    Raises
    ------
    ArgumentError
        When `data` has less than three axes, or no window fits.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.im2col(nd.array([[[1, 2, 3, 4]]]), kernel=(2,)).asnumpy().tolist()
    [[[1.0, 2.0, 3.0], [2.0, 3.0, 4.0]]]
    """
    if kernel is None or kernel == ():
        raise ArgumentError("im2col: kernel is missing; pass a tuple of integers")
    return F.im2col(data, kernel=kernel, stride=stride, pad=pad, dilate=dilate)


@public
def col2im(
    data: NDArray,
    output_size: Shape,
    kernel: Shape,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
) -> NDArray:
    """Columns added up where their windows lie in a picture: the gradient of `im2col`.

    Parameters
    ----------
    data : NDArray of shape (batch, channels * elements of the kernel, positions)
    output_size : tuple of int
        The spatial shape of the picture.
    kernel : tuple of int
        The size of a window.
    stride, dilate : tuple of int, default 1
    pad : tuple of int, default 0

    Returns
    -------
    NDArray of shape (batch, channels, *output_size)

    Raises
    ------
    ArgumentError
        When `data` has another shape than the columns of such a picture.

    Examples
    --------
    >>> from gluon import nd
    >>> columns = nd.ones((1, 2, 3))
    >>> nd.col2im(columns, output_size=(4,), kernel=(2,)).asnumpy().tolist()
    [[[1.0, 2.0, 2.0, 1.0]]]
    """
    for argument, value in (("output_size", output_size), ("kernel", kernel)):
        if not isinstance(value, (tuple, list)) or not value:
            raise ArgumentError(f"col2im: {argument}={value!r} must be a tuple of integers")
        check_integers("col2im", **{f"{argument}[{k}]": v for k, v in enumerate(value)})
    spec = {"kernel": kernel, "stride": stride, "pad": pad, "dilate": dilate}
    return F.col2im(data, shape=tuple(output_size), **spec)  # type: ignore[arg-type]
