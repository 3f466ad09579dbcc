"""`nd.contrib`: object detection. Boxes are (left, top, right, bottom) by default."""

from __future__ import annotations

from typing import Any

from ..engine.op import RECORDED as F
from ..ndarray import NDArray
from ._public import choice, public

FORMATS = ("corner", "center")
Floats = float | tuple[float, ...]


def _floats(value: Floats) -> tuple[float, ...]:
    return (float(value),) if isinstance(value, (int, float)) else tuple(value)


@public
def box_iou(lhs: NDArray, rhs: NDArray, format: str = "corner") -> NDArray:
    """The area that two boxes share over that which they cover, for each pair.

    Parameters
    ----------
    lhs, rhs : NDArray of shape (..., 4)
    format : {'corner', 'center'}
        ``'center'`` boxes are (x, y, width, height).

    Returns
    -------
    NDArray of shape lhs.shape[:-1] + rhs.shape[:-1]
        Without gradient.
    """
    choice("box_iou", "format", format, FORMATS)
    return F.box_iou(lhs, rhs, form=format)


@public
def box_nms(
    data: NDArray,
    overlap_thresh: float = 0.5,
    valid_thresh: float = 0.0,
    topk: int = -1,
    coord_start: int = 2,
    score_index: int = 1,
    id_index: int = -1,
    background_id: int = -1,
    force_suppress: bool = False,
    in_format: str = "corner",
    out_format: str = "corner",
) -> NDArray:
    """Of the boxes that overlap keep the best: non-maximum suppression.

    Parameters
    ----------
    data : NDArray of shape (..., boxes, width)
    overlap_thresh : float, default 0.5
        From which overlap on the worse box goes.
    valid_thresh : float, default 0
        Boxes with a score up to this go.
    topk : int, default -1
        How many of the best boxes take part; all for -1.
    coord_start, score_index : int
        Where in a row the box begins and the score is.
    id_index : int, default -1
        Where the class is; boxes of different classes do not compete. -1 for no classes.
    background_id : int, default -1
        The class whose boxes go.
    force_suppress : bool, default False
        Let boxes of different classes compete.
    in_format, out_format : {'corner', 'center'}

    Returns
    -------
    NDArray of the same shape
        The rows that are kept, the best first, then rows of -1.
    """
    choice("box_nms", "in_format", in_format, FORMATS)
    choice("box_nms", "out_format", out_format, FORMATS)
    order = F.nms_order(
        data,
        overlap_thresh=overlap_thresh,
        valid_thresh=valid_thresh,
        topk=topk,
        coord_start=coord_start,
        score_index=score_index,
        id_index=id_index,
        background_id=background_id,
        force_suppress=bool(force_suppress),
        form=in_format,
    )
    order = F.broadcast_to(F.expand_dims(order, axis=-1), shape=data.shape)
    rows = F.take_along(data, F.maximum(order, 0), axis=-2)
    if in_format != out_format:
        rows = _converted(rows, coord_start, out_format)
    return F.where(F.less(order, 0), -1, rows)


box_non_maximum_suppression = box_nms


def _converted(rows: NDArray, start: int, form: str) -> NDArray:
    """`rows` with the boxes that begin at `start` in the other format."""
    parts = F.split(rows, sections=[start, start + 2, start + 4], axis=-1)
    before, one, two, after = parts
    if form == "corner":
        half = F.multiply(two, 0.5)
        one, two = F.subtract(one, half), F.add(one, half)
    else:
        one, two = F.multiply(F.add(one, two), 0.5), F.subtract(two, one)
    return F.concat(before, one, two, after, axis=-1)


@public
def MultiBoxPrior(
    data: NDArray,
    sizes: Floats = (1.0,),
    ratios: Floats = (1.0,),
    clip: bool = False,
    steps: Floats = (-1.0, -1.0),
    offsets: Floats = (0.5, 0.5),
) -> NDArray:
    """Anchor boxes around each pixel: all sizes at the first ratio, then all other ratios.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, height, width)
        Only its shape counts.
    sizes : tuple of float
        As shares of the height.
    ratios : tuple of float
        Of width to height.
    clip : bool, default False
        Keep the boxes within the picture.
    steps : tuple of float, optional
        Between pixels, (y, x); by default that which fills the picture.
    offsets : tuple of float, default (0.5, 0.5)
        Of the centres, (y, x), in pixels.

    Returns
    -------
    NDArray of shape (1, height * width * (sizes + ratios - 1), 4)
        Coordinates from 0 to 1.
    """
    return F.prior_boxes(
        data,
        sizes=_floats(sizes),
        ratios=_floats(ratios),
        clip=bool(clip),
        steps=_floats(steps),
        offsets=_floats(offsets),
    )


@public
def MultiBoxTarget(
    anchor: NDArray,
    label: NDArray,
    cls_pred: NDArray,
    overlap_threshold: float = 0.5,
    ignore_label: float = -1.0,
    negative_mining_ratio: float = -1.0,
    negative_mining_thresh: float = 0.5,
    minimum_negative_samples: int = 0,
    variances: Floats = (0.1, 0.1, 0.2, 0.2),
) -> list[NDArray]:
    """What a detector should predict for its anchor boxes.

    Parameters
    ----------
    anchor : NDArray of shape (1, anchors, 4)
    label : NDArray of shape (batch, objects, 5)
        Rows of class and box; class -1 ends the list.
    cls_pred : NDArray of shape (batch, classes + 1, anchors)
        Scores before the softmax, background first.
    overlap_threshold : float, default 0.5
        From which overlap with an object on an anchor belongs to it.
    ignore_label : float, default -1
        The class of anchors that do not count.
    negative_mining_ratio : float, default -1
        How many background anchors count for each object's; all for -1.
    negative_mining_thresh : float, default 0.5
        Background anchors that count overlap less.
    minimum_negative_samples : int, default 0
    variances : tuple of float
        What the locations are divided by.

    Returns
    -------
    list of three NDArrays
        Locations and their mask, (batch, anchors * 4), and classes, (batch, anchors), 0 for
        background.
    """
    return F.box_target(
        anchor,
        label,
        cls_pred,
        overlap_threshold=overlap_threshold,
        ignore_label=ignore_label,
        negative_mining_ratio=negative_mining_ratio,
        negative_mining_thresh=negative_mining_thresh,
        minimum_negative_samples=minimum_negative_samples,
        variances=_floats(variances),
    )


@public
def MultiBoxDetection(
    cls_prob: NDArray,
    loc_pred: NDArray,
    anchor: NDArray,
    clip: bool = True,
    threshold: float = 0.01,
    background_id: int = 0,
    nms_threshold: float = 0.5,
    force_suppress: bool = False,
    variances: Floats = (0.1, 0.1, 0.2, 0.2),
    nms_topk: int = -1,
) -> NDArray:
    """The boxes that a detector's predictions amount to.

    Parameters
    ----------
    cls_prob : NDArray of shape (batch, classes + 1, anchors)
    loc_pred : NDArray of shape (batch, anchors * 4)
    anchor : NDArray of shape (1, anchors, 4)
    clip : bool, default True
        Keep the boxes within the picture.
    threshold : float, default 0.01
        Boxes with a lower probability go.
    background_id : int, default 0
    nms_threshold : float, default 0.5
        From which overlap on the worse box is suppressed.
    force_suppress : bool, default False
        Let boxes of different classes compete.
    variances : tuple of float
    nms_topk : int, default -1
        How many of the best boxes take part; all for -1.

    Returns
    -------
    NDArray of shape (batch, anchors, 6)
        Rows of class, probability and box, the best first; class -1 where suppressed.
    """
    arguments: dict[str, Any] = {
        "clip": bool(clip),
        "threshold": threshold,
        "background_id": background_id,
        "nms_threshold": nms_threshold,
        "force_suppress": bool(force_suppress),
        "variances": _floats(variances),
        "nms_topk": nms_topk,
    }
    return F.box_detection(cls_prob, loc_pred, anchor, **arguments)
