"""`nd.contrib`: object detection. Boxes are (left, top, right, bottom) by default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from .._core.arrays.base import A, DeviceArray
from .._core.engine.array import wrap
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, IndexRangeError
from .._core.kernels.indexing import outside
from ._checks import check_choice, check_floating, check_one_floating, check_pictures, check_shape
from ._public import alias, public, several, with_zero_gradients

FORMATS = ("corner", "center")
Floats = float | tuple[float, ...]


def _check_boxes(name: str, **arrays: DeviceArray) -> None:
    """Raise unless the last axis of the `arrays` holds boxes."""
    for argument, array in arrays.items():
        if array.shape[-1:] != (4,):
            raise ArgumentError(f"{name}: {argument} has shape {array.shape}; it needs (..., 4)")


def _four(name: str, variances: Floats) -> tuple[float, ...]:
    """Check the variances, which must be four numbers."""
    four = several(variances)
    if len(four) != 4:
        raise ArgumentError(f"{name}: variances={variances}; pass four, one for each number")
    return four


@public
def box_iou(
    lhs: A, rhs: A, format: str = "corner", out: A | None = None, name: str | None = None
) -> A:
    """Intersection over union (IoU) of each pair of boxes.

    Parameters
    ----------
    lhs, rhs : NDArray of shape (..., 4)
        Of one floating dtype.
    format : {'corner', 'center'}
        Of the boxes: (left, top, right, bottom) or (x, y, width, height).

    Returns
    -------
    NDArray of shape lhs.shape[:-1] + rhs.shape[:-1] and the same dtype
        0 where both boxes are empty. Where edges are equal, the gradient flows to `lhs`.

    Raises
    ------
    ArgumentError
        If a last axis is not of length 4, or `format` is neither of these.
    DTypeError
        If `lhs` and `rhs` are not of one floating dtype.

    Examples
    --------
    >>> from gluon import nd
    >>> boxes = nd.array([[0, 0, 2, 2], [1, 0, 3, 2]])
    >>> nd.contrib.box_iou(boxes, nd.array([[0, 0, 2, 1]])).asnumpy().tolist()
    [[0.5], [0.20000000298023224]]
    """
    check_one_floating("box_iou", lhs=lhs, rhs=rhs)
    _check_boxes("box_iou", lhs=lhs, rhs=rhs)
    check_choice("box_iou", "format", format, FORMATS)
    return ops.box_iou(lhs, rhs, form=format)


@public
def box_nms(
    data: A,
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
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Non-maximum suppression: keep the best of overlapping boxes.

    Parameters
    ----------
    data : NDArray of shape (..., boxes, width)
        Rows of a class, a score and a box, in any order; of a floating dtype.
    overlap_thresh : float, default 0.5
        Removes the worse of two boxes that overlap by at least this.
    valid_thresh : float, default 0
        Removes boxes with a score of this or less.
    topk : int, default -1
        How many of the best boxes to keep as candidates; all if negative. 0 returns `data`
        unchanged.
    coord_start, score_index : int
        The columns where the box begins, and of the score.
    id_index : int, default -1
        The column of the class; boxes of different classes do not suppress each other. -1 for no
        classes.
    background_id : int, default -1
        The class whose boxes are removed.
    force_suppress : bool, default False
        Let boxes of different classes compete.
    in_format, out_format : {'corner', 'center'}
        Of the boxes in `data` and in the result.

    Returns
    -------
    NDArray of the same shape and dtype
        The rows that are kept, the best first, then rows of -1.

    Raises
    ------
    ArgumentError
        If `data` has less than two axes, a column is out of range, or a format is neither of
        these.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[0, 0.5, 0, 0, 2, 2], [0, 0.75, 0, 0, 2, 3], [0, 0.25, 5, 5, 6, 6]])
    >>> nd.contrib.box_nms(x)[:, 1].asnumpy().tolist()
    [0.75, 0.25, -1.0]
    """
    check_floating("box_nms", data)
    check_choice("box_nms", "in_format", in_format, FORMATS)
    check_choice("box_nms", "out_format", out_format, FORMATS)
    if topk == 0:
        return ops.copy(data)
    order = ops.nms_order(
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
    order = ops.broadcast_to(ops.expand_dims(order, axis=-1), shape=data.shape)
    rows = ops.take_along(data, ops.maximum(order, 0), axis=-2)
    if in_format != out_format:
        rows = _converted(rows, coord_start, out_format)
    return ops.where(ops.less(order, 0), -1, rows)


box_non_maximum_suppression: Final = alias("box_non_maximum_suppression", box_nms)


def _converted(rows: A, start: int, form: str) -> A:
    """Convert the boxes in `rows` that begin at `start` to the other format."""
    parts = ops.split(rows, sections=[start, start + 2, start + 4], axis=-1)
    before, one, two, after = parts
    if form == "corner":
        half = ops.multiply(two, 0.5)
        one, two = ops.subtract(one, half), ops.add(one, half)
    else:
        one, two = ops.multiply(ops.add(one, two), 0.5), ops.subtract(two, one)
    return ops.concat(before, one, two, after, axis=-1)


@public
def MultiBoxPrior(
    data: A,
    sizes: Floats = (1.0,),
    ratios: Floats = (1.0,),
    clip: bool = False,
    steps: Floats = (-1.0, -1.0),
    offsets: Floats = (0.5, 0.5),
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Anchor boxes around each pixel: all sizes at the first ratio, then all other ratios.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, height, width)
        Of a floating dtype; only its shape is used.
    sizes : tuple of float, default 1
        As shares of the height; one or more.
    ratios : tuple of float, default 1
        Of width to height; one or more, above 0.
    clip : bool, default False
        Keep the boxes within the image.
    steps : tuple of float, optional
        The distance between centres, (y, x), as a share of the image; by default the anchors fill
        it.
    offsets : tuple of float, default (0.5, 0.5)
        Of the centres, (y, x), in pixels.

    Returns
    -------
    NDArray of shape (1, height * width * (sizes + ratios - 1), 4) and the dtype of `data`
        Boxes (left, top, right, bottom) in coordinates from 0 to 1. Without gradient.

    Raises
    ------
    ArgumentError
        If `data` has other axes, `sizes` or `ratios` is empty, a ratio is not above 0, `steps` or
        `offsets` does not have two numbers, or one step alone is positive.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.contrib.MultiBoxPrior(nd.zeros((1, 1, 1, 2)), sizes=0.5).asnumpy().tolist()
    [[[0.125, 0.25, 0.375, 0.75], [0.625, 0.25, 0.875, 0.75]]]
    """
    name = "MultiBoxPrior"
    check_floating(name, data)
    check_pictures(name, "data", data)
    sizes, ratios = several(sizes), several(ratios)
    if not sizes or not ratios or min(ratios) <= 0:
        raise ArgumentError(
            f"{name}: sizes={sizes} and ratios={ratios}; pass at least one of each, ratios above 0"
        )
    for argument, value in (("steps", steps), ("offsets", offsets)):
        if len(several(value)) != 2:
            raise ArgumentError(f"{name}: {argument}={value}; pass two numbers, along y and x")
    return ops.prior_boxes(
        data,
        sizes=sizes,
        ratios=ratios,
        clip=bool(clip),
        steps=steps,
        offsets=offsets,
    )


@public
def MultiBoxTarget(
    anchor: A,
    label: A,
    cls_pred: A,
    overlap_threshold: float = 0.5,
    ignore_label: float = -1.0,
    negative_mining_ratio: float = -1.0,
    negative_mining_thresh: float = 0.5,
    minimum_negative_samples: int = 0,
    variances: Floats = (0.1, 0.1, 0.2, 0.2),
    out: Sequence[A] | None = None,
    name: str | None = None,
) -> list[A]:
    """Compute training targets for the anchor boxes of a detector.

    Parameters
    ----------
    anchor : NDArray of shape (1, anchors, 4)
        The three arrays are of one floating dtype.
    label : NDArray of shape (batch, objects, 5 or more)
        Rows of class and box; class -1 ends the list.
    cls_pred : NDArray of shape (batch, classes + 1, anchors)
        Scores before the softmax, background first.
    overlap_threshold : float, default 0.5
        An anchor with at least this overlap with an object belongs to it. With 0 each object has
        only one anchor.
    ignore_label : float, default -1
        The class to give anchors that the loss should ignore.
    negative_mining_ratio : float, default -1
        How many background anchors to use for each anchor of an object; -1 for all.
    negative_mining_thresh : float, default 0.5
        Only background anchors that overlap less than this are used.
    minimum_negative_samples : int, default 0
        The least number of background anchors to use, with `negative_mining_ratio`.
    variances : tuple of four float, default (0.1, 0.1, 0.2, 0.2)
        What the locations are divided by.

    Returns
    -------
    list of three NDArrays
        Locations and their mask, (batch, anchors * 4), and classes, (batch, anchors), 0 for
        background. Without gradient.

    Raises
    ------
    ArgumentError
        If a shape does not fit, or there are not four `variances`.
    DTypeError
        If the arrays are not of one floating dtype.

    Examples
    --------
    >>> from gluon import nd
    >>> anchors = nd.array([[[0, 0, 2, 2], [4, 4, 5, 5]]])
    >>> label, scores = nd.array([[[1, 1, 0, 3, 2]]]), nd.zeros((1, 3, 2))
    >>> at, mask, classes = nd.contrib.MultiBoxTarget(anchors, label, scores, variances=(1,) * 4)
    >>> at.asnumpy().tolist(), classes.asnumpy().tolist()
    ([[0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], [[2.0, 0.0]])
    """
    name = "MultiBoxTarget"
    check_one_floating(name, anchor=anchor, label=label, cls_pred=cls_pred)
    if label.ndim != 3 or label.shape[2] < 5 or cls_pred.ndim != 3:
        raise ArgumentError(
            f"{name}: label (batch, objects, 5 or more) has shape {label.shape} and cls_pred"
            f" (batch, classes + 1, anchors) has shape {cls_pred.shape}"
        )
    batch, classes, count = len(label), *cls_pred.shape[1:]
    check_shape(name, "cls_pred", cls_pred, (batch, classes, count))
    check_shape(name, "anchor", anchor, (1, count, 4))
    return ops.box_target(
        anchor,
        label,
        cls_pred,
        overlap_threshold=overlap_threshold,
        ignore_label=ignore_label,
        negative_mining_ratio=negative_mining_ratio,
        negative_mining_thresh=negative_mining_thresh,
        minimum_negative_samples=minimum_negative_samples,
        variances=_four(name, variances),
    )


@public
def MultiBoxDetection(
    cls_prob: A,
    loc_pred: A,
    anchor: A,
    clip: bool = True,
    threshold: float = 0.01,
    background_id: int = 0,
    nms_threshold: float = 0.5,
    force_suppress: bool = False,
    variances: Floats = (0.1, 0.1, 0.2, 0.2),
    nms_topk: int = -1,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Convert the predictions of a detector to detections.

    Parameters
    ----------
    cls_prob : NDArray of shape (batch, classes + 1, anchors)
        The probabilities of the classes; the three arrays are of one floating dtype.
    loc_pred : NDArray of shape (batch, anchors * 4)
    anchor : NDArray of shape (1, anchors, 4)
    clip : bool, default True
        Keep the boxes within the image.
    threshold : float, default 0.01
        Boxes with a lower probability are removed.
    background_id : int, default 0
        The class that is background, which is not counted among the classes found.
    nms_threshold : float, default 0.5
        Suppresses the worse of two boxes that overlap by at least this. 0 or less, and more than
        1, suppress none and keep the boxes in the order of the anchors.
    force_suppress : bool, default False
        Let boxes of different classes compete.
    variances : tuple of four float, default (0.1, 0.1, 0.2, 0.2)
        What the predicted locations are multiplied by.
    nms_topk : int, default -1
        How many of the best boxes to keep as candidates; -1 for all.

    Returns
    -------
    NDArray of shape (batch, anchors, 6)
        Rows of class, probability and box, the best first; class -1 where suppressed. Without
        gradient.

    Raises
    ------
    ArgumentError
        If a shape does not fit, or there are not four `variances`.
    DTypeError
        If the arrays are not of one floating dtype.

    Examples
    --------
    >>> from gluon import nd
    >>> anchors = nd.array([[[0, 0, 0.5, 0.5], [0, 0, 0.5, 0.75]]])
    >>> probabilities = nd.array([[[0.5, 0.25], [0.5, 0.75]]])  # the background, a class
    >>> nd.contrib.MultiBoxDetection(probabilities, nd.zeros((1, 8)), anchors).asnumpy().tolist()
    [[[0.0, 0.75, 0.0, 0.0, 0.5, 0.75], [-1.0, 0.5, 0.0, 0.0, 0.5, 0.5]]]
    """
    name = "MultiBoxDetection"
    check_one_floating(name, cls_prob=cls_prob, loc_pred=loc_pred, anchor=anchor)
    if cls_prob.ndim != 3:
        raise ArgumentError(
            f"{name}: cls_prob has shape {cls_prob.shape}; it needs (batch, classes + 1, anchors)"
        )
    batch, _, count = cls_prob.shape
    check_shape(name, "loc_pred", loc_pred, (batch, count * 4))
    check_shape(name, "anchor", anchor, (1, count, 4))
    arguments: dict[str, Any] = {
        "clip": bool(clip),
        "threshold": threshold,
        "background_id": background_id,
        "nms_threshold": nms_threshold,
        "force_suppress": bool(force_suppress),
        "variances": _four(name, variances),
        "nms_topk": nms_topk,
    }
    return ops.box_detection(cls_prob, loc_pred, anchor, **arguments)


@public
def bipartite_matching(
    data: A,
    is_ascend: bool = False,
    threshold: float | None = None,
    topk: int = -1,
    out: Sequence[A] | None = None,
    name: str | None = None,
) -> list[A]:
    """Greedy bipartite matching of rows and columns by score.

    Parameters
    ----------
    data : NDArray of shape (..., rows, columns)
        Floating scores; NaN is the worst.
    is_ascend : bool, default False
        Whether small scores are the best.
    threshold : float
        Pairs must be better than this. Required.
    topk : int, default -1
        The largest number of pairs; no limit if 0 or less.

    Returns
    -------
    list of two NDArrays of shapes (..., rows) and (..., columns)
        The column of each row and the row of each column, -1 for none. Without gradient.

    Raises
    ------
    ArgumentError
        If `data` has less than two axes, or there is no `threshold`.
    DTypeError
        If `data` holds integers.

    Examples
    --------
    >>> from gluon import nd
    >>> scores = nd.array([[0.5, 0.6], [0.1, 0.2], [0.3, 0.4]])
    >>> [x.asnumpy().tolist() for x in nd.contrib.bipartite_matching(scores, threshold=0.1)]
    [[1.0, -1.0, 0.0], [2.0, 0.0]]
    """
    if threshold is None:
        raise ArgumentError("bipartite_matching: pass a threshold, such as 1e-12")
    return ops.bipartite(data, threshold=threshold, is_ascend=bool(is_ascend), topk=topk)


def _parts(boxes: Any, form: str) -> tuple[Any, Any]:
    """Return the centres and the sizes of boxes (..., 4)."""
    one, two = ops.split(boxes, sections=[2], axis=-1)
    return (one, two) if form == "center" else ((one + two) * 0.5, two - one)


@public
def box_encode(
    samples: A,
    matches: A,
    anchors: A,
    refs: A,
    means: A,
    stds: A,
    out: Sequence[A] | None = None,
    name: str | None = None,
) -> list[A]:
    """Encode true boxes relative to anchors.

    With centres m and sizes s, ``((m - m_anchor) / s_anchor, log(s / s_anchor))``, less `means`
    and divided by `stds`. Boxes are (left, top, right, bottom).

    Parameters
    ----------
    samples : NDArray of shape (batch, anchors)
        Above 0.5 for anchors that have a true box.
    matches : NDArray of shape (batch, anchors)
        The index of the true box of each anchor.
    anchors : NDArray of shape (batch, anchors, 4)
    refs : NDArray of shape (batch, objects, 4)
        The true boxes.
    means, stds : NDArray of shape (4,)

    Returns
    -------
    list of two NDArrays of shape (batch, anchors, 4)
        The targets, differentiable in the last four inputs, and a mask that is 1 for valid
        targets; both are 0 for anchors without a true box.

    Raises
    ------
    ArgumentError
        If a shape does not fit.
    IndexRangeError
        If `matches` names a true box that does not exist.
    DTypeError
        If the inputs are not of one floating dtype.

    Examples
    --------
    >>> from gluon import nd
    >>> box, anchor = nd.array([[[1, 1, 3, 3]]]), nd.array([[[0, 0, 2, 2]]])
    >>> one, zero = nd.ones((1, 1)), nd.zeros((1, 1))
    >>> targets, mask = nd.contrib.box_encode(one, zero, anchor, box, nd.zeros(4), nd.ones(4))
    >>> targets.asnumpy().tolist(), mask.asnumpy().tolist()
    ([[[0.5, 0.5, 0.0, 0.0]]], [[[1.0, 1.0, 1.0, 1.0]]])
    """
    name = "box_encode"
    if samples.ndim != 2 or refs.ndim != 3:
        raise ArgumentError(
            f"{name}: samples (batch, anchors) has shape {samples.shape} and refs (batch,"
            f" objects, 4) has shape {refs.shape}"
        )
    n, count = samples.shape
    check_shape(name, "matches", matches, (n, count))
    check_shape(name, "anchors", anchors, (n, count, 4))
    check_shape(name, "refs", refs, (n, refs.shape[1], 4))
    check_shape(name, "means", means, (4,))
    check_shape(name, "stds", stds, (4,))
    check_one_floating(name, samples=samples, anchors=anchors, refs=refs, means=means, stds=stds)
    positive = samples.raw > 0.5
    places = np.where(positive, matches.raw, 0).astype(np.intp)
    if places.size and not 0 <= places.min() <= places.max() < max(refs.shape[1], 1):
        raise IndexRangeError(
            f"{name}: match {outside(places, refs.shape[1])} is out of range for"
            f" {refs.shape[1]} refs (0 to {refs.shape[1] - 1})"
        )
    counts = wrap(type(anchors), np.broadcast_to(positive[..., None], (n, count, 4)), samples._ctx)
    # Ignored anchors get the box (0, 0, 1, 1), because a size of 0 would break the gradient.
    unit = wrap(type(anchors), np.array([0, 0, 1, 1], anchors.form.dtype), anchors._ctx)
    if refs.shape[1]:
        true = ops.getitem(refs, key=(np.arange(n)[:, None], places))
    else:
        true = ops.zeros_like(anchors)
    middle, size = _parts(ops.where(counts, anchors, unit), "corner")
    at, extent = _parts(ops.where(counts, true, unit), "corner")
    codes = ops.concat((at - middle) / size, ops.log(extent / size), axis=-1)
    targets = ops.where(counts, ops.divide(ops.subtract(codes, means), stds), 0.0)
    mask = ops.cast(counts, dtype=anchors.form.dtype)
    return [with_zero_gradients(y, anchors, refs, samples, matches) for y in (targets, mask)]


@public
def box_decode(
    data: A,
    anchors: A,
    std0: float = 1.0,
    std1: float = 1.0,
    std2: float = 1.0,
    std3: float = 1.0,
    clip: float = -1.0,
    format: str = "center",
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Decode boxes predicted relative to anchors; the inverse of `box_encode`.

    Parameters
    ----------
    data : NDArray of shape (batch, anchors, 4)
    anchors : NDArray of shape (1, anchors, 4)
    std0, std1, std2, std3 : float, default 1
        What the four predictions are multiplied by.
    clip : float, default -1
        The upper limit of the predicted logs of sizes; no limit if 0 or less.
    format : {'center', 'corner'}
        Of the anchors: (x, y, width, height) or (left, top, right, bottom).

    Returns
    -------
    NDArray of shape (batch, anchors, 4)
        (left, top, right, bottom).

    Raises
    ------
    ArgumentError
        If a shape does not fit, or `format` is neither of these.
    DTypeError
        If `data` and `anchors` are not of one floating dtype.

    Examples
    --------
    >>> from gluon import nd
    >>> anchor = nd.array([[[1, 1, 2, 2]]])
    >>> nd.contrib.box_decode(nd.array([[[0.5, 0.5, 0, 0]]]), anchor)
    <BLANKLINE>
    [[[1. 1. 3. 3.]]]
    <NDArray 1x1x4 @cpu(0)>
    """
    check_choice("box_decode", "format", format, FORMATS)
    if data.ndim != 3 or data.shape[2] != 4:
        raise ArgumentError(
            f"box_decode: data has shape {data.shape}; it needs (batch, anchors, 4)"
        )
    check_shape("box_decode", "anchors", anchors, (1, data.shape[1], 4))
    check_one_floating("box_decode", data=data, anchors=anchors)
    middle, size = _parts(anchors, format)
    stds = wrap(type(data), np.array([std0, std1, std2, std3], data.form.dtype), data._ctx)
    move, growth = ops.split(ops.multiply(data, stds), sections=[2], axis=-1)
    if clip > 0:
        growth = ops.minimum(growth, clip)
    middle, half = middle + move * size, ops.exp(growth) * size * 0.5
    return ops.concat(middle - half, middle + half, axis=-1)
