"""Functions of regions of images: choosing boxes, and pooling what is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import nd
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError
from .. import interfaces
from ..interfaces import as_tensor, tensors
from ._checked import checked
from .conv import _pair

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..tensor import Tensor

__all__ = ["nms", "roi_align", "roi_pooling"]


@checked
def nms(
    boxes: ArrayLike, scores: ArrayLike, iou_thresh: float, max_output: int | None = None
) -> Tensor:
    """Non-maximum suppression: the indices of the boxes to keep, best first.

    Parameters
    ----------
    boxes : Tensor of shape (n, 4), of any dtype
        Rows of left, top, right and bottom.
    scores : Tensor of shape (n,)
    iou_thresh : float
        The intersection over union above which two boxes overlap.
    max_output : int, optional
        The maximum number of boxes to keep.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> boxes = Tensor([[0.0, 0.0, 9.0, 9.0], [1.0, 1.0, 9.0, 9.0], [20.0, 0.0, 29.0, 9.0]])
    >>> nms(boxes, Tensor([0.5, 0.9, 0.3]), 0.5)
    Tensor([1 2], dtype=int32, device=xpux:0)
    """
    boxes, scores = tensors(boxes, scores, floats=True)
    if boxes.ndim != 2 or boxes.shape[1] != 4 or scores.shape != boxes.shape[:1]:
        raise ArgumentError(
            f"nms: boxes has shape {boxes.shape} and scores {scores.shape}; give (n, 4) and (n,)"
        )
    order = ops.nms_order(
        ops.concat(ops.expand_dims(scores, axis=1), boxes, axis=1),
        overlap_thresh=iou_thresh,
        valid_thresh=-np.inf,
        topk=-1,
        coord_start=1,
        score_index=0,
        id_index=-1,
        background_id=-1,
        force_suppress=True,
        form="corner",
    ).raw
    return interfaces.Tensor(order[order >= 0][:max_output], device=boxes.device)


@checked
def roi_pooling(
    inp: ArrayLike, rois: ArrayLike, output_shape: Any, mode: str = "max", scale: float = 1.0
) -> Tensor:
    """The maximum or the average over whole pixels of each bin of regions.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width)
        Of any dtype; integers count as float32.
    rois : Tensor of shape (regions, 5)
        Rows of image index, left, top, right and bottom, the last two included.
    output_shape : int or (int, int)
        The bins along the height and the width.
    scale : float, default 1.0
        The factor from the coordinates of `rois` to pixels of `inp`.

    Returns
    -------
    Tensor of shape (regions, channels, *output_shape)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> x = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> roi_pooling(x, Tensor([[0.0, 0.0, 0.0, 1.0, 1.0]]), 1, "average").item()
    2.5
    """
    inp, rois = tensors(inp, rois, floats=True)
    size = _pair(output_shape, 2)
    _known("roi_pooling", mode)
    if mode.lower() == "max":
        return nd.ROIPooling(inp, rois, pooled_size=(size[0], size[1]), spatial_scale=scale)  # type: ignore[type-var]
    return ops.roi_average(
        inp, rois, pooled=size, scale=scale, method="pixels", samples=-1, groups=(1, 1)
    )


@checked
def roi_align(
    inp: ArrayLike,
    rois: ArrayLike,
    output_shape: Any,
    mode: str = "average",
    spatial_scale: float = 1.0,
    sample_points: Any = 2,
    aligned: bool = True,
) -> Tensor:
    """The maximum or the average over points between the pixels of each bin of regions.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width)
        Of any dtype; integers count as float32.
    rois : Tensor of shape (regions, 5)
        Rows of image index, left, top, right and bottom.
    output_shape : int or (int, int)
        The bins along the height and the width.
    spatial_scale : float, default 1.0
        The factor from the coordinates of `rois` to pixels of `inp`.
    sample_points : int or (int, int), default 2
        The points of a bin along the height and the width.
    aligned : bool, default True
        Whether the value of a pixel is at its center, half a pixel from its corner.

    Returns
    -------
    Tensor of shape (regions, channels, *output_shape)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> x = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> roi_align(x, Tensor([[0.0, 0.0, 0.0, 2.0, 2.0]]), 1).item()
    2.5
    """
    inp, rois = tensors(inp, rois, floats=True)
    _known("roi_align", mode)
    if inp.ndim != 4 or rois.ndim != 2 or rois.shape[1] != 5:
        raise ArgumentError(
            f"roi_align: inp has shape {inp.shape} and rois {rois.shape}; give (batch, channels,"
            " height, width) and (regions, 5)"
        )
    bins, points = _pair(output_shape, 2), _pair(sample_points, 2)
    boxes = rois.raw[:, 1:] * spatial_scale - (0.5 if aligned else 0.0)
    rows, columns = (_places(boxes[:, 1 - k], boxes[:, 3 - k], bins[k] * points[k]) for k in (0, 1))
    down, along = np.broadcast_arrays(rows[:, :, None], columns[:, None, :])
    count = bins[0] * points[0] * bins[1] * points[1]
    flat = [as_tensor(at.reshape(len(boxes), count)) for at in (down, along)]
    images = as_tensor(rois.raw[:, 0].astype(np.int32))
    y = ops.sample(inp, *flat, images, border="zero", slope=(0, 0))
    parts = ops.reshape(y, shape=(len(boxes), inp.shape[1], bins[0], points[0], bins[1], points[1]))
    if mode.lower() == "average":
        return ops.mean(parts, axis=(3, 5))
    listed = ops.reshape(
        ops.transpose(parts, axes=(0, 1, 2, 4, 3, 5)),
        shape=(*parts.shape[:3], bins[1], points[0] * points[1]),
    )
    first = as_tensor(np.argmax(listed.raw, axis=-1)[..., None])
    return ops.squeeze(ops.take_along(listed, first, axis=-1), axis=-1)


def _known(name: str, mode: str) -> None:
    if mode.lower() not in ("max", "average"):
        raise ArgumentError(f"{name}: mode {mode!r} is not one of 'max' and 'average'")


def _places(start: Any, stop: Any, count: int) -> Any:
    """(regions, count): the middles of equal parts from `start` to `stop`, none backwards."""
    length = np.maximum(stop - start, 0)
    return (start[:, None] + (np.arange(count) + 0.5) / count * length[:, None]).astype(start.dtype)
