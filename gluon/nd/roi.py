"""`nd`: pooling of regions of interest. No gradient reaches the regions, as in MXNet."""

from __future__ import annotations

from numbers import Real

from .._core.arrays.base import A, DeviceArray
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from ._checks import (
    Size,
    check_floating,
    check_integers,
    check_pictures,
    two_sizes,
)
from ._public import public


def check_regions(
    name: str, data: DeviceArray, rois: DeviceArray, spatial_scale: float | None, width: int = 5
) -> None:
    """Raise unless there are images, a scale from 0 to 1 and regions of `width` numbers."""
    check_floating(name, data)
    check_pictures(name, "data", data)
    if rois.ndim != 2 or rois.shape[1] != width:
        raise ArgumentError(
            f"{name}: rois has shape {rois.shape}; it needs (regions, {width}): in"
            " each row the number of the image in the batch, and then the box"
        )
    if not (isinstance(spatial_scale, Real) and 0 <= spatial_scale <= 1):
        raise ArgumentError(f"{name}: spatial_scale={spatial_scale!r} must lie between 0 and 1")


@public
def ROIPooling(
    data: A,
    rois: A,
    pooled_size: Size,
    spatial_scale: float,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Region-of-interest pooling: the maximum over each bin of a region.

    Corners are scaled and rounded to pixels; those at the right and at the bottom are inside.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, height, width)
    rois : NDArray of shape (regions, 5)
        Rows of image index, left, top, right and bottom. The result is 0 for a region of an image
        that does not exist and for bins without pixels.
    pooled_size : tuple of int, (bins along y, bins along x)
    spatial_scale : float
        The factor from the coordinates of `rois` to pixels of `data`, from 0 to 1.

    Returns
    -------
    NDArray of shape (regions, channels, *pooled_size)
        The gradient flows to the first maximum of a bin.

    Raises
    ------
    ArgumentError
        If a shape does not fit, `spatial_scale` is not from 0 to 1, or `rois` has NaN or infinity.
    DTypeError
        If `data` is not floating.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.arange(16).reshape((1, 1, 4, 4))
    >>> rois = nd.array([[0, 0, 0, 3, 1]])
    >>> nd.ROIPooling(x, rois, pooled_size=(1, 2), spatial_scale=1).asnumpy().tolist()
    [[[[5.0, 7.0]]]]
    """
    check_regions("ROIPooling", data, rois, spatial_scale)
    pooled = two_sizes("ROIPooling", "pooled_size", pooled_size)
    places = ops.roi_places(data, rois, pooled=pooled, scale=spatial_scale)
    y = ops.take(ops.reshape(data, shape=(data.size,)), places, axis=0, mode="clip")
    return ops.where(ops.less(places, 0), 0, y)


@public
def ROIAlign(
    data: A,
    rois: A,
    pooled_size: Size,
    spatial_scale: float,
    sample_ratio: int = -1,
    position_sensitive: bool = False,
    aligned: bool = False,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Region-of-interest pooling: the average of interpolated points in each bin of a region.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, height, width)
    rois : NDArray of shape (regions, 5)
        Rows of image index, left, top, right and bottom; rows with a
        negative index are padding, whose result is 0.
    pooled_size : tuple of int, (bins along y, bins along x)
    spatial_scale : float
        The factor from the coordinates of `rois` to pixels of `data`, from 0 to 1.
    sample_ratio : int, default -1
        The sampling points of a bin along each axis; by default its size in pixels, rounded up.
    position_sensitive : bool, default False
        Whether each bin pools its own channels.
    aligned : bool, default False
        Shift the coordinates by half a pixel, so that they refer to the corners of pixels instead
        of their centres. Otherwise regions are at least a pixel large.

    Returns
    -------
    NDArray of shape (regions, channels, *pooled_size)
        With `position_sensitive` the channels are divided by the number of bins.

    Raises
    ------
    ArgumentError
        If a shape does not fit, `spatial_scale` is not from 0 to 1, `rois` has NaN or infinity, or
        a region is empty and `aligned` is set.
    IndexRangeError
        If `rois` names an image that does not exist.
    DTypeError
        If `data` is not floating.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.arange(16).reshape((1, 1, 4, 4))
    >>> rois = nd.array([[0, 0, 0, 2, 1]])
    >>> nd.contrib.ROIAlign(x, rois, pooled_size=(1, 2), spatial_scale=1).asnumpy().tolist()
    [[[[2.5, 3.5]]]]
    """
    check_regions("ROIAlign", data, rois, spatial_scale)
    check_integers("ROIAlign", sample_ratio=sample_ratio)
    pooled = two_sizes("ROIAlign", "pooled_size", pooled_size)
    if position_sensitive and data.shape[1] % (pooled[0] * pooled[1]):
        raise ArgumentError(
            f"ROIAlign: data has shape {data.shape}; with position_sensitive=True the channels"
            f" must be a multiple of {pooled[0]} * {pooled[1]}"
        )
    return ops.roi_average(
        data,
        rois,
        pooled=pooled,
        scale=spatial_scale,
        method="aligned" if aligned else "align",
        samples=sample_ratio,
        groups=pooled if position_sensitive else (1, 1),
    )


@public
def RROIAlign(
    data: A,
    rois: A,
    pooled_size: Size,
    spatial_scale: float,
    sampling_ratio: int = -1,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """`ROIAlign` for rotated regions.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, height, width)
    rois : NDArray of shape (regions, 6)
        Rows of image index, centre x and y, width, height, and the angle in degrees,
        counterclockwise. Rows with a negative index are padding.
    pooled_size : tuple of int, (bins along the height, bins along the width)
    spatial_scale : float
        The factor from the coordinates of `rois` to pixels of `data`, from 0 to 1.
    sampling_ratio : int, default -1
        The sampling points of a bin along each axis; by default its size in pixels, rounded up.

    Returns
    -------
    NDArray of shape (regions, channels, *pooled_size)

    Raises
    ------
    ArgumentError
        If a shape does not fit, `spatial_scale` is not from 0 to 1, or `rois` has NaN or infinity.
    IndexRangeError
        If `rois` names an image that does not exist.
    DTypeError
        If `data` is not floating.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.arange(16).reshape((1, 1, 4, 4))
    >>> rois = nd.array([[0, 1.5, 1.5, 2, 2, 90]])
    >>> y = nd.contrib.RROIAlign(x, rois, pooled_size=(2, 2), spatial_scale=1)
    >>> y.asnumpy().round(4).tolist()
    [[[[9.0, 5.0], [10.0, 6.0]]]]
    """
    check_regions("RROIAlign", data, rois, spatial_scale, 6)
    check_integers("RROIAlign", sampling_ratio=sampling_ratio)
    pooled = two_sizes("RROIAlign", "pooled_size", pooled_size)
    spec = {"pooled": pooled, "scale": spatial_scale, "samples": sampling_ratio}
    return ops.rotated_average(data, rois, **spec)


@public
def PSROIPooling(
    data: A,
    rois: A,
    spatial_scale: float,
    output_dim: int,
    pooled_size: int,
    group_size: int = 0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Position-sensitive pooling: the average over each bin, from the bin's own channels.

    Parameters
    ----------
    data : NDArray of shape (batch, output_dim * groups * groups, height, width)
        Further channels are ignored.
    rois : NDArray of shape (regions, 5)
        Rows of image index, left, top, right and bottom; rows with a
        negative index are padding, whose result is 0.
    spatial_scale : float
        The factor from the coordinates of `rois` to pixels of `data`, from 0 to 1.
    output_dim : int
        The channels of the result.
    pooled_size : int
        The bins along each axis.
    group_size : int, optional
        The groups of channels along each axis; as many as bins by default.

    Returns
    -------
    NDArray of shape (regions, output_dim, pooled_size, pooled_size)

    Raises
    ------
    ArgumentError
        If a shape does not fit, `spatial_scale` is not from 0 to 1, or `rois` has NaN or infinity.
    IndexRangeError
        If `rois` names an image that does not exist.
    DTypeError
        If `data` is not floating.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.arange(16).reshape((1, 4, 2, 2))
    >>> rois = nd.array([[0, 0, 0, 1, 1]])
    >>> nd.contrib.PSROIPooling(x, rois, 1, output_dim=1, pooled_size=2).asnumpy().tolist()
    [[[[0.0, 5.0], [10.0, 15.0]]]]
    """
    check_regions("PSROIPooling", data, rois, spatial_scale)
    groups = group_size or pooled_size
    return ops.roi_average(
        first_channels("PSROIPooling", data, output_dim, groups),
        rois,
        pooled=two_sizes("PSROIPooling", "pooled_size", (pooled_size,) * 2),
        scale=spatial_scale,
        method="whole",
        samples=-1,
        groups=(groups, groups),
    )


def first_channels(name: str, data: A, output_dim: int, groups: int) -> A:
    """As many channels of `data` as position-sensitive pooling uses; raise if there are less."""
    two_sizes(name, "output_dim and group_size", (output_dim, groups))
    used = output_dim * groups * groups
    if data.shape[1] < used:
        raise ArgumentError(
            f"{name}: data has shape {data.shape}; output_dim={output_dim} with {groups} x {groups}"
            f" groups needs {used} channels"
        )
    if data.shape[1] == used:
        return data
    return ops.getitem(data, key=(slice(None), slice(used)))
