"""`nd`: image warping: grids, bilinear sampling, spatial transformers."""

from __future__ import annotations

from .._core.arrays.base import A
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from ._checks import (
    Size,
    check_choice,
    check_floating,
    check_one_floating,
    check_pictures,
    two_sizes,
)
from ._public import public


@public
def GridGenerator(
    data: A,
    transform_type: str,
    target_shape: Size = (0, 0),
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Compute the sampling grid for `BilinearSampler`, from affine maps or a flow.

    Coordinates go from -1, the first pixel, to 1, the last one. With ``'affine'`` the value at (x,
    y) is sampled at ``A @ (x, y, 1)``; with ``'warp'`` the flow, in pixels, is added to (x, y).

    Parameters
    ----------
    data : NDArray of shape (batch, 6), or (batch, 2, height, width)
        For ``'affine'`` the matrices A, row by row; for ``'warp'`` the flow, along x and along y.
    transform_type : {'affine', 'warp'}
    target_shape : tuple of int, (height, width)
        Of the new image; ignored for ``'warp'``.

    Returns
    -------
    NDArray of shape (batch, 2, height, width)
        x and y, in the dtype of `data`. An axis of one pixel has the coordinate 0.

    Raises
    ------
    ArgumentError
        If the shape of `data` or `target_shape` does not fit, or a flow has an axis of one pixel.
    DTypeError
        If `data` is not floating.

    Examples
    --------
    >>> from gluon import nd
    >>> flip = nd.array([[-1, 0, 0, 0, 1, 0]])
    >>> nd.GridGenerator(flip, 'affine', target_shape=(2, 3))[0, 0].asnumpy().tolist()
    [[1.0, 0.0, -1.0], [1.0, 0.0, -1.0]]
    """
    check_choice("GridGenerator", "transform_type", transform_type, ("affine", "warp"))
    check_floating("GridGenerator", data)
    if transform_type == "warp":
        return ops.flow_grid(data)
    return ops.affine_grid(data, size=two_sizes("GridGenerator", "target_shape", target_shape))


@public
def BilinearSampler(
    data: A, grid: A, cudnn_off: bool | None = None, out: A | None = None, name: str | None = None
) -> A:
    """Sample images at the points of a grid by bilinear interpolation; 0 outside the image.

    With W pixels in a row, the coordinate x is at pixel ``(x + 1) * (W - 1) / 2``. For a grid
    point that hits a pixel exactly, the gradient is the one-sided derivative to the right and
    below.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, height, width)
    grid : NDArray of shape (batch, 2, new height, new width)
        x and y, from -1, the first pixel, to 1, the last; see `GridGenerator`.
    cudnn_off
        Ignored.

    Returns
    -------
    NDArray of shape (batch, channels, new height, new width)

    Raises
    ------
    ArgumentError
        If the shapes do not fit.
    DTypeError
        If the dtypes differ or are not floating.

    Examples
    --------
    >>> from gluon import nd
    >>> picture = nd.array([[[[1, 4, 3, 6]]]])
    >>> grid = nd.array([[[[-1, 0, 1, 1.5]], [[0, 0, 0, 0]]]])
    >>> nd.BilinearSampler(picture, grid).asnumpy().tolist()
    [[[[1.0, 3.5, 6.0, 1.5]]]]
    """
    check_one_floating("BilinearSampler", data=data, grid=grid)
    check_pictures("BilinearSampler", "data", data)
    if grid.ndim != 4 or grid.shape[:2] != (len(data), 2):
        raise ArgumentError(
            f"BilinearSampler: grid has shape {grid.shape}; for data {data.shape} it needs"
            f" ({len(data)}, 2, new height, new width)"
        )
    return _sampled(data, grid)


def _sampled(data: A, grid: A) -> A:
    batch, _, height, width = grid.shape
    flat = ops.reshape(ops.add(grid, 1), shape=(batch, 2, height * width))
    columns, rows = (
        ops.reshape(ops.multiply(part, (n - 1) / 2), shape=(batch, height * width))
        for part, n in zip(ops.split(flat, sections=2, axis=1), data.shape[:1:-1])
    )
    y = ops.sample(data, rows, columns, None, border="zero", slope=(0, 0))
    return ops.reshape(y, shape=(*data.shape[:2], height, width))


@public
def SpatialTransformer(
    data: A,
    loc: A,
    target_shape: Size = (0, 0),
    transform_type: str | None = None,
    sampler_type: str | None = None,
    cudnn_off: bool | None = None,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Apply affine transformations to images: `GridGenerator` and `BilinearSampler`.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, height, width)
    loc : NDArray of shape (batch, 6)
        The matrices of the maps, (2, 3) each.
    target_shape : tuple of int, (new height, new width)
    transform_type : {'affine'}
        Required, as is `sampler_type`.
    sampler_type : {'bilinear'}
    cudnn_off
        Ignored.

    Returns
    -------
    NDArray of shape (batch, channels, new height, new width)

    Raises
    ------
    ArgumentError
        If the shapes do not fit.
    DTypeError
        If the dtypes differ or are not floating.

    Examples
    --------
    >>> from gluon import nd
    >>> picture = nd.array([[[[1, 2], [3, 4]]]])
    >>> flip = nd.array([[-1, 0, 0, 0, 1, 0]])
    >>> nd.SpatialTransformer(picture, flip, (2, 2), 'affine', 'bilinear').asnumpy().tolist()
    [[[[2.0, 1.0], [4.0, 3.0]]]]
    """
    check_choice("SpatialTransformer", "transform_type", transform_type, ("affine",))
    check_choice("SpatialTransformer", "sampler_type", sampler_type, ("bilinear",))
    check_one_floating("SpatialTransformer", data=data, loc=loc)
    check_pictures("SpatialTransformer", "data", data)
    size = two_sizes("SpatialTransformer", "target_shape", target_shape)
    if loc.shape != (len(data), 6):
        raise ArgumentError(
            f"SpatialTransformer: loc has shape {loc.shape}; for data {data.shape} it needs"
            f" {(len(data), 6)}"
        )
    return _sampled(data, ops.affine_grid(loc, size=size))
