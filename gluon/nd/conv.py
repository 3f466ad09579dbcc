"""`nd`: convolution and its columns. gluon ignores MXNet's tuning arguments."""

from __future__ import annotations

from typing import Any, Final

from .._core.arrays.base import A, DeviceArray
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from ._checks import (
    check_bias,
    check_choice,
    check_floating,
    check_integers,
    check_size,
)
from ._public import INTS, alias, public

Shape = tuple[int, ...] | int | None
LAYOUTS = (None, "NCW", "NCHW", "NCDHW", "NWC", "NHWC", "NDHWC")


def channels_last(name: str, layout: str | None, data: DeviceArray) -> bool:
    """Whether the layout says so; checks it."""
    check_choice(name, "layout", layout, LAYOUTS)
    if layout is not None and len(layout) != data.ndim:
        raise ArgumentError(
            f"{name}: layout={layout!r} does not fit data of shape {data.shape},"
            f" which needs {len(layout)} axes"
        )
    return layout is not None and layout.endswith("C")


def to_first(x: A, last: bool) -> A:
    """`x` with the channels, its last axis if `last`, as axis 1."""
    return ops.transpose(x, axes=(0, x.ndim - 1, *range(1, x.ndim - 1))) if last else x


def to_last(x: A, last: bool) -> A:
    """`x` with the channels, axis 1, as its last axis if `last`."""
    return ops.transpose(x, axes=(0, *range(2, x.ndim), 1)) if last else x


def check_weight(name: str, data: DeviceArray, weight: DeviceArray) -> None:
    """Raise unless there is something to multiply by."""
    if not weight.form.size:
        raise ArgumentError(
            f"{name}: weight has no values, with shape {weight.shape}, for data of shape"
            f" {data.shape}; it needs channels, filters and a kernel, 1 or more of each"
        )


def check_kernel(name: str, kernel: Shape, weight: DeviceArray, spatial: tuple[int, ...]) -> None:
    """Raise when a kernel is given and is not of the weight's spatial shape."""
    if kernel is not None and kernel != () and as_shape(kernel, len(spatial)) != spatial:
        raise ArgumentError(f"{name}: kernel={kernel}, but the weight has shape {weight.shape}")


def as_shape(value: Any, n: int) -> tuple[int, ...]:
    """One number for each of `n` axes."""
    return (int(value),) * n if isinstance(value, INTS) else tuple(value)


@public
def Convolution(
    data: A,
    weight: A,
    bias: A | None = None,
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
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Convolution of images with filters, in 1, 2, 3 or more dimensions.

    Computes the cross-correlation: each value is the sum of the products of a filter with the part
    of the image under it. Along each dimension there are
    ``(size + 2 * pad - dilate * (kernel - 1) - 1) // stride + 1`` positions.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, *spatial), or as `layout` says
        Of a floating dtype.
    weight : NDArray of shape (filters, channels / groups, *kernel), or as `layout` says
        For channels last, (filters, *kernel, channels / groups).
    bias : NDArray of shape (filters,), optional
        Leave it out only with ``no_bias=True``.
    kernel : tuple of int, optional
        Checked against the weight, as is `num_filter`.
    stride : tuple of int, default 1
        The distance between neighbouring positions of the filters.
    dilate : tuple of int, default 1
        The distance between the pixels under neighbouring values of a filter.
    pad : tuple of int, default 0
        How many zeros to add on each side of the image.
    num_filter : int, optional
    num_group : int, default 1
        Split channels and filters into this many independent groups.
    no_bias : bool, default False
    layout : {'NCW', 'NCHW', 'NCDHW', 'NWC', 'NHWC', 'NDHWC'}, optional
        Channels first by default.
    workspace, cudnn_tune, cudnn_off
        Ignored.

    Returns
    -------
    NDArray of shape (batch, filters, *positions), or as `layout` says
        Has the dtype of the inputs, promoted as in NumPy if they differ.

    Raises
    ------
    ArgumentError
        If the shapes do not fit one another or the layout, an argument does not have one value for
        each dimension, the kernel is larger than the padded data, or neither or both of `bias` and
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
    last = channels_last("Convolution", layout, data)
    check_floating("Convolution", data)
    check_bias("Convolution", bias, no_bias)
    check_size("Convolution", "num_filter", num_filter, weight, weight.shape[0])
    check_weight("Convolution", data, weight)
    data, first = to_first(data, last), to_first(weight, last)
    check_kernel("Convolution", kernel, weight, first.shape[2:])
    spec = {"stride": stride, "pad": pad, "dilate": dilate, "num_group": num_group}
    return to_last(ops.convolution(data, first, bias, **spec), last)


Convolution_v1: Final = alias("Convolution_v1", Convolution)


@public
def Deconvolution(
    data: A,
    weight: A,
    bias: A | None = None,
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
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Transposed convolution of images with filters.

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
        The distance in the result between the filters of neighbouring values of the data.
    dilate : tuple of int, default 1
        The distance in the result between neighbouring values of a filter.
    pad : tuple of int, default 0
        How much to cut off on each side of the result.
    adj : tuple of int, default 0
        How much longer to make the result, at its end; less than `stride`.
    target_shape : tuple of int, optional
        The spatial shape of the result, in place of `pad` and `adj`.
    num_filter : int, optional
    num_group : int, default 1
        Split channels and filters into this many independent groups.
    no_bias : bool, default True
    workspace, cudnn_tune, cudnn_off
        Ignored.
    layout : {'NCW', 'NCHW', 'NCDHW', 'NWC', 'NHWC', 'NDHWC'}, optional
        Channels first by default.

    Returns
    -------
    NDArray of shape (batch, filters, *spatial), or as `layout` says
        Has the dtype of the inputs, promoted as in NumPy if they differ.

    Raises
    ------
    ArgumentError
        If the shapes do not fit one another or the layout, an argument does not have one value for
        each dimension, the result is empty or smaller than `target_shape`, or `no_bias`
        contradicts `bias`.
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
    last = channels_last("Deconvolution", layout, data)
    check_floating("Deconvolution", data)
    check_bias("Deconvolution", bias, no_bias)
    check_weight("Deconvolution", data, weight)
    data, first = to_first(data, last), to_first(weight, last)
    check_size("Deconvolution", "num_filter", num_filter, weight, first.shape[1] * num_group)
    check_kernel("Deconvolution", kernel, weight, first.shape[2:])
    spec = {"stride": stride, "pad": pad, "dilate": dilate, "num_group": num_group}
    shape = {"adj": adj or None, "target_shape": target_shape or None}
    return to_last(ops.deconvolution(data, first, bias, **spec, **shape), last)


@public
def im2col(
    data: A,
    kernel: Shape,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Rearrange windows of an image, or of N-d data, into columns.

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
        If `data` has less than three axes, or no window fits.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.im2col(nd.array([[[1, 2, 3, 4]]]), kernel=(2,)).asnumpy().tolist()
    [[[1.0, 2.0, 3.0], [2.0, 3.0, 4.0]]]
    """
    if kernel is None or kernel == ():
        raise ArgumentError("im2col: kernel is missing; pass a tuple of integers")
    return ops.im2col(data, kernel=kernel, stride=stride, pad=pad, dilate=dilate)


@public
def col2im(
    data: A,
    output_size: Shape,
    kernel: Shape,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Sum columns back into images: the gradient of `im2col`.

    Parameters
    ----------
    data : NDArray of shape (batch, channels * elements of the kernel, positions)
    output_size : tuple of int
        The spatial shape of the image.
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
        If `data` has another shape than the columns of such an image.

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
    return ops.col2im(data, shape=tuple(output_size), **spec)  # type: ignore[arg-type]
