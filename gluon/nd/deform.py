"""`nd.contrib`: deformable convolution and pooling."""

from __future__ import annotations

from typing import Any

from .._core.arrays.base import A, DeviceArray
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from ._checks import (
    check_bias,
    check_choice,
    check_integers,
    check_one_floating,
    check_pictures,
    check_size,
    two_sizes,
)
from ._public import public
from .conv import Shape, check_kernel
from .roi import check_regions, first_channels


@public
def DeformableConvolution(
    data: A,
    offset: A,
    weight: A,
    bias: A | None = None,
    kernel: Shape = None,
    stride: Shape = None,
    dilate: Shape = None,
    pad: Shape = None,
    num_filter: int | None = None,
    num_group: int = 1,
    num_deformable_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    layout: str | None = None,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Convolution whose sampling points are moved by `offset`.

    Values between pixels are interpolated bilinearly. Points up to a pixel below the last row or
    right of the last column take the value of that row or column; all other points outside are 0.
    For an offset that hits a pixel exactly, the gradient is the one-sided derivative to the right
    and below.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, height, width)
    offset : NDArray of shape (batch, num_deformable_group * elements * 2, rows, columns)
        For each element of the kernel how far to move it down, and right.
    weight : NDArray of shape (filters, channels / num_group, *kernel)
    bias : NDArray of shape (filters,), optional
        Leave it out only with ``no_bias=True``.
    kernel : tuple of int, optional
        Checked against the weight, as is `num_filter`.
    stride, dilate : tuple of int, default 1
    pad : tuple of int, default 0
    num_filter : int, optional
    num_group : int, default 1
    num_deformable_group : int, default 1
        The number of groups of channels; each group has its own offsets.
    workspace
        Ignored.
    no_bias : bool, default False
    layout : {'NCHW'}, optional

    Returns
    -------
    NDArray of shape (batch, filters, rows, columns)

    Raises
    ------
    ArgumentError
        If the shapes do not go together.
    DTypeError
        If the dtypes differ or are not floating.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[[[1, 2, 3, 4]]]])
    >>> offset = nd.array([[[[0, 0, 0, 0]], [[0.5, 0, -1, -0.5]]]])
    >>> weight = nd.ones((1, 1, 1, 1))
    >>> nd.contrib.DeformableConvolution(x, offset, weight, no_bias=True).asnumpy().tolist()
    [[[[1.5, 2.0, 2.0, 3.5]]]]
    """
    name = "DeformableConvolution"
    check_one_floating(name, data=data, offset=offset, weight=weight, bias=bias)
    check_choice(name, "layout", layout, (None, "NCHW"))
    check_bias(name, bias, no_bias)
    spec = _check(name, data, weight, kernel, num_filter, num_group)
    spec |= {"stride": stride, "pad": pad, "dilate": dilate}
    columns = _columns(name, data, offset, num_deformable_group, "deform", spec)
    return _convolved(columns, weight, bias, num_group, (len(data), *offset.shape[2:]))


@public
def ModulatedDeformableConvolution(
    data: A,
    offset: A,
    mask: A,
    weight: A,
    bias: A | None = None,
    kernel: Shape = None,
    stride: Shape = None,
    dilate: Shape = None,
    pad: Shape = None,
    num_filter: int | None = None,
    num_group: int = 1,
    num_deformable_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    im2col_step: int = 64,
    layout: str | None = None,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Deformable convolution with a weight for each sampling point.

    The data is padded with zeros, which are used to interpolate points near an edge.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, height, width)
    offset : NDArray of shape (batch, num_deformable_group * elements * 2, rows, columns)
        For each element of the kernel how far to move it down, and right.
    mask : NDArray of shape (batch, num_deformable_group * elements, rows, columns)
        What to multiply the element by.
    weight : NDArray of shape (filters, channels / num_group, *kernel)
    bias : NDArray of shape (filters,), optional
        Leave it out only with ``no_bias=True``.
    kernel : tuple of int, optional
        Checked against the weight, as is `num_filter`.
    stride, dilate : tuple of int, default 1
    pad : tuple of int, default 0
    num_filter : int, optional
    num_group : int, default 1
    num_deformable_group : int, default 1
        The number of groups of channels; each group has its own offsets and masks.
    workspace, im2col_step
        Ignored.
    no_bias : bool, default False
    layout : {'NCHW'}, optional

    Returns
    -------
    NDArray of shape (batch, filters, rows, columns)

    Raises
    ------
    ArgumentError
        If the shapes do not go together.
    DTypeError
        If the dtypes differ or are not floating.

    Examples
    --------
    >>> from gluon import nd
    >>> x, weight = nd.array([[[[1, 2, 3, 4]]]]), nd.ones((1, 1, 1, 1))
    >>> offset, mask = nd.zeros((1, 2, 1, 4)), nd.array([[[[1, 0.5, 0, 2]]]])
    >>> y = nd.contrib.ModulatedDeformableConvolution(x, offset, mask, weight, no_bias=True)
    >>> y.asnumpy().tolist()
    [[[[1.0, 1.0, 0.0, 8.0]]]]
    """
    name = "ModulatedDeformableConvolution"
    check_one_floating(name, data=data, offset=offset, mask=mask, weight=weight, bias=bias)
    check_choice(name, "layout", layout, (None, "NCHW"))
    check_bias(name, bias, no_bias)
    spec = _check(name, data, weight, kernel, num_filter, num_group)
    spec |= {"stride": stride, "pad": pad, "dilate": dilate}
    columns = _columns(name, data, offset, num_deformable_group, "zero", spec)
    wanted = (offset.shape[0], offset.shape[1] // 2, *offset.shape[2:])
    if mask.shape != wanted:
        raise ArgumentError(
            f"{name}: mask has shape {mask.shape}; for offset {offset.shape} it needs {wanted}"
        )
    shape = (len(data) * num_deformable_group, 1, columns.shape[2])
    columns = ops.multiply(columns, ops.reshape(mask, shape=shape))
    return _convolved(columns, weight, bias, num_group, (len(data), *offset.shape[2:]))


def _check(
    name: str,
    data: DeviceArray,
    weight: DeviceArray,
    kernel: Shape,
    num_filter: int | None,
    num_group: int,
) -> dict[str, Any]:
    """Raise unless the arguments of a convolution match; return the shape and the kernel."""
    check_pictures(name, "data", data)
    check_integers(name, num_group=num_group)
    if weight.ndim != 4 or data.shape[1] != num_group * weight.shape[1]:
        raise ArgumentError(
            f"{name}: weight has shape {weight.shape}; for data {data.shape} in"
            f" num_group={num_group} groups it needs (filters, channels / groups, height, width)"
        )
    check_size(name, "num_filter", num_filter, weight, weight.shape[0])
    check_kernel(name, kernel, weight, weight.shape[2:])
    return {"shape": data.shape[2:], "kernel": weight.shape[2:]}


def _columns(name: str, data: A, offset: A, groups: int, border: str, spec: dict[str, Any]) -> A:
    """Sample data at moved points: (batch * groups, channels / groups, elements * positions)."""
    batch, channels, height, width = data.shape
    elements = spec["kernel"][0] * spec["kernel"][1]
    check_integers(name, num_deformable_group=groups)
    if groups < 1 or channels % groups or offset.shape[:2] != (batch, groups * elements * 2):
        raise ArgumentError(
            f"{name}: offset has shape {offset.shape}; for data {data.shape} in"
            f" num_deformable_group={groups} groups it needs"
            f" {(batch, groups * elements * 2)} and the positions"
        )
    moved = ops.add(offset, ops.kernel_points(offset, **spec))
    positions = offset.shape[2] * offset.shape[3]
    moved = ops.reshape(moved, shape=(batch * groups, elements, 2, positions))
    rows, columns = (
        ops.reshape(part, shape=(batch * groups, elements * positions))
        for part in ops.split(moved, sections=2, axis=2)
    )
    grouped = ops.reshape(data, shape=(batch * groups, channels // groups, height, width))
    return ops.sample(grouped, rows, columns, None, border=border, slope=(0, 0))


def _convolved(columns: A, weight: A, bias: A | None, groups: int, out: tuple[int, ...]) -> A:
    """Multiply the weight and the columns, as a convolution with one element over the positions.

    `out` is the batch with the shape of the positions.
    """
    filters, inner, *kernel = weight.shape
    elements, (batch, *positions) = kernel[0] * kernel[1], out
    length = positions[0] * positions[1]
    columns = ops.reshape(columns, shape=(batch, inner * groups * elements, length))
    flat = ops.reshape(weight, shape=(filters, inner * elements, 1))
    y = ops.convolution(columns, flat, bias, stride=None, pad=None, dilate=None, num_group=groups)
    return ops.reshape(y, shape=(batch, filters, *positions))


@public
def DeformablePSROIPooling(
    data: A,
    rois: A,
    trans: A | None = None,
    spatial_scale: float | None = None,
    output_dim: int = 0,
    group_size: int = 0,
    pooled_size: int = 0,
    part_size: int = 0,
    sample_per_part: int = 1,
    trans_std: float = 0.0,
    no_trans: bool = False,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Position-sensitive pooling with learned offsets of the bins.

    The value of a bin is the average of its sampling points that lie inside the image.

    Parameters
    ----------
    data : NDArray of shape (batch, output_dim * group_size * group_size, height, width)
        Further channels are ignored.
    rois : NDArray of shape (regions, 5)
        Rows of image index, left, top, right and bottom; rows with a negative index are padding,
        whose result is 0.
    trans : NDArray of shape (regions, 2 * classes, part_size, part_size), optional
        How far to move the parts, right and down, relative to the size of the region. Leave it out
        only with ``no_trans=True``. The channels of the result are divided evenly among the
        classes.
    spatial_scale : float
        The factor from the coordinates of `rois` to pixels of `data`, from 0 to 1.
    output_dim : int
        The channels of the result.
    group_size : int
        The groups of channels along each axis.
    pooled_size : int
        The bins along each axis.
    part_size : int, optional
        The parts along each axis; `pooled_size` by default.
    sample_per_part : int, default 1
        The points of a bin along each axis.
    trans_std : float, default 0
        What `trans` is multiplied by.
    no_trans : bool, default False

    Returns
    -------
    NDArray of shape (regions, output_dim, pooled_size, pooled_size)

    Raises
    ------
    ArgumentError
        If the shapes do not go together, or `rois` has NaN or infinity.
    IndexRangeError
        If `rois` names an image that does not exist.
    DTypeError
        If the dtypes differ or are not floating.

    Examples
    --------
    >>> from gluon import nd
    >>> x, rois = nd.arange(16).reshape((1, 1, 4, 4)), nd.array([[0, 1, 1, 2, 2]])
    >>> spec = {'output_dim': 1, 'group_size': 1, 'pooled_size': 1, 'sample_per_part': 2}
    >>> y = nd.contrib.DeformablePSROIPooling(x, rois, None, 1, no_trans=True, **spec)
    >>> y.asnumpy().tolist()
    [[[[5.0]]]]
    """
    name = "DeformablePSROIPooling"
    check_regions(name, data, rois, spatial_scale)
    sizes = (pooled_size, sample_per_part)
    pooled, samples = two_sizes(name, "pooled_size and sample_per_part", sizes)
    data = first_channels(name, data, output_dim, group_size)
    check_integers(name, part_size=part_size)
    parts = part_size or pooled
    classes = _classes(name, trans, bool(no_trans), len(rois), parts, output_dim)
    spec = {"classes": classes, "groups": group_size, "pooled": pooled, "samples": samples}
    rows, columns, heights, widths, images = ops.part_points(
        data, rois, scale=spatial_scale, **spec
    )
    if trans is not None:
        check_one_floating(name, data=data, trans=trans)
        right, down = _moves(trans, classes, parts, pooled)
        rows = ops.add(rows, ops.multiply(ops.multiply(down, trans_std), heights))
        columns = ops.add(columns, ops.multiply(ops.multiply(right, trans_std), widths))
    flat = (images.size, samples * samples)
    rows, columns = ops.reshape(rows, shape=flat), ops.reshape(columns, shape=flat)
    images = ops.reshape(images, shape=flat[:1])
    pictures = _grouped(data, classes, output_dim // classes, group_size)
    values = ops.sample(pictures, rows, columns, images, border="part", slope=(0, 0))
    count = ops.inside_count(rows, columns, size=data.shape[2:], border="part")
    y = ops.divide(ops.sum(values, axis=2), ops.expand_dims(count, axis=1))
    y = ops.reshape(y, shape=(len(rois), classes, pooled, pooled, output_dim // classes))
    y = ops.transpose(y, axes=(0, 1, 4, 2, 3))
    return ops.reshape(y, shape=(len(rois), output_dim, pooled, pooled))


def _classes(
    name: str, trans: DeviceArray | None, without: bool, regions: int, parts: int, output_dim: int
) -> int:
    """Return the number of classes that `trans` moves; raise if its shape is wrong."""
    if (trans is None) != without:
        raise ArgumentError(f"{name}: pass either trans or no_trans=True")
    if trans is None:
        return 1
    classes = trans.shape[1] // 2 if trans.ndim == 4 else 0
    if trans.shape != (regions, 2 * classes, parts, parts) or not classes or output_dim % classes:
        raise ArgumentError(
            f"{name}: trans has shape {trans.shape}; it needs ({regions}, 2 * classes, {parts},"
            f" {parts}), with a number of classes that divides output_dim={output_dim}"
        )
    return classes


def _moves(trans: A, classes: int, parts: int, pooled: int) -> list[A]:
    """Return how far each bin moves right and down, both (regions, classes, bins, bins, 1)."""
    part = [k * parts // pooled for k in range(pooled)]
    bins = ops.getitem(trans, key=(slice(None), slice(None), [[k] for k in part], part))
    bins = ops.reshape(bins, shape=(len(trans), classes, 2, pooled, pooled, 1))
    return [ops.squeeze(move, axis=2) for move in ops.split(bins, sections=2, axis=2)]


def _grouped(data: A, classes: int, each: int, groups: int) -> A:
    """Return an image with `each` channels per class and group: (images, each, height, width)."""
    batch, _, height, width = data.shape
    y = ops.reshape(data, shape=(batch, classes, each, groups, groups, height, width))
    y = ops.transpose(y, axes=(0, 1, 3, 4, 2, 5, 6))
    return ops.reshape(y, shape=(batch * classes * groups * groups, each, height, width))
