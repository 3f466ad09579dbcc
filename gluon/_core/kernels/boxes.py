"""Kernels of object detection: anchor boxes, their overlaps, their targets.

A box is (left, top, right, bottom), "corner", or (x, y, width, height), "center".
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from .steps import step

Floats = tuple[float, ...]


def corners(boxes: Any, form: str) -> Any:
    if form == "corner":
        return boxes
    middle, half = boxes[..., :2], boxes[..., 2:] / 2
    return np.concatenate([middle - half, middle + half], -1)


def areas(boxes: Any, form: str) -> Any:
    """How large boxes are, from the numbers that are given, so that nothing more is rounded."""
    sides = boxes[..., 2:] if form == "center" else boxes[..., 2:] - boxes[..., :2]
    return np.maximum(sides, 0).prod(-1)


def centers(boxes: Any) -> tuple[Any, Any]:
    """The middles and the sizes of boxes given by corners."""
    return (boxes[..., :2] + boxes[..., 2:]) / 2, boxes[..., 2:] - boxes[..., :2]


def box_iou(lhs: Any, rhs: Any, *, form: str = "corner") -> Any:
    """The area that each box of lhs shares with each of rhs, over that which both cover."""
    left, right = corners(lhs, form).reshape(-1, 1, 4), corners(rhs, form).reshape(-1, 4)
    low, high = np.maximum(left[..., :2], right[:, :2]), np.minimum(left[..., 2:], right[:, 2:])
    shared = np.maximum(high - low, 0).prod(-1)
    total = areas(lhs, form).reshape(-1, 1) + areas(rhs, form).reshape(-1) - shared
    safe = np.where(total > 0, total, total.dtype.type(1))
    return np.where(total > 0, shared / safe, 0).reshape(lhs.shape[:-1] + rhs.shape[:-1])


def prior_boxes(
    x: Any, *, sizes: Floats, ratios: Floats, clip: bool, steps: Floats, offsets: Floats
) -> Any:
    """Around each pixel of x (batch, channels, height, width), boxes of some sizes and ratios."""
    height, width = x.shape[2:]
    if (steps[0] > 0) != (steps[1] > 0):
        raise ValueError(f"steps={steps}: pass both of them, or neither")
    # Every step rounds as in MXNet, because that decides which of nearly equal overlaps is larger.
    single = np.promote_types(x.dtype, np.float32).type
    step_y, step_x = (single(1 / n if s <= 0 else s) for n, s in zip((height, width), steps))
    kinds = [(s, ratios[0]) for s in sizes] + [(sizes[0], r) for r in ratios[1:]]
    size, ratio = np.array(kinds, single).T
    root = np.sqrt(ratio)
    half = size * single(height) / single(width) * root / 2, size / root / 2
    across = ((np.arange(width, dtype=single) + single(offsets[1])) * step_x)[:, None]
    down = ((np.arange(height, dtype=single) + single(offsets[0])) * step_y)[:, None, None]
    boxes = np.empty((height, width, len(kinds), 4), x.dtype)
    edges = across - half[0], down - half[1], across + half[0], down + half[1]
    for place, edge in enumerate(edges):  # each depends on one axis only, which is cheap
        boxes[..., place] = edge.clip(0, 1) if clip else edge
    return boxes.reshape(1, -1, 4)


def edges_of(boxes: Any, form: str) -> Any:
    """Left, top, right, bottom and area of boxes, each in one piece."""
    return np.stack([*corners(boxes, form).T, areas(boxes, form)])


@step
def suppress(edges: Any, groups: Any, threshold: float, most: int | None = None) -> Any:
    """Which boxes, the best first, overlap none before them of their group that is kept.

    No more than the first `most` of them are wanted.
    """
    count = edges.shape[1]
    kept = np.zeros(count, bool)
    places = np.arange(count)  # the remaining boxes, as in groups and edges
    one_group = len(set(groups.tolist())) < 2
    alive = np.ones(count, bool)
    for turn in range(count if most is None else most):
        if turn % 16 == 0:  # removing the others in each turn would take longer than skipping them
            places, groups, edges = places[alive], groups[alive], edges[:, alive]
            alive = np.ones(len(places), bool)
        first = int(alive.argmax()) if len(alive) else 0
        if not alive[first : first + 1].any():
            break
        kept[places[first]] = True
        worse = _overlaps(edges[:, first:]) > threshold
        if not one_group:
            worse &= groups[first + 1 :] == groups[first]
        alive[: first + 1] = False
        alive[first + 1 :] &= ~worse
    return kept


def _overlaps(edges: Any) -> Any:
    """Return `box_iou` of the first box with the others, given by edges and areas, (5, boxes)."""
    left, top, right, bottom, area = edges[:, 1:]
    shared = np.maximum(np.minimum(right, edges[2, 0]) - np.maximum(left, edges[0, 0]), 0)
    shared *= np.maximum(np.minimum(bottom, edges[3, 0]) - np.maximum(top, edges[1, 0]), 0)
    total = area + edges[4, 0] - shared
    return np.divide(shared, total, out=np.zeros_like(total), where=total > 0)


def nms_order(
    x: Any,
    *,
    overlap_thresh: float,
    valid_thresh: float,
    topk: int,
    coord_start: int,
    score_index: int,
    id_index: int,
    background_id: int,
    force_suppress: bool,
    form: str,
) -> Any:
    """For each batch the rows of the boxes that are kept, the best first, then -1."""
    width = x.shape[-1]
    if x.ndim < 2 or not (0 <= coord_start <= width - 4 and 0 <= score_index < width > id_index):
        raise ValueError(
            f"coord_start={coord_start}, score_index={score_index} and id_index={id_index} are"
            f" places in rows of {width} numbers, and a box takes four; for rows of a score and a"
            " box give score_index=0, coord_start=1"
        )
    batches = x.reshape(prod(x.shape[:-2]), *x.shape[-2:])
    out = np.full(batches.shape[:2], -1)
    for rows, places in zip(batches, out):
        valid = rows[:, score_index] > valid_thresh
        groups = np.zeros(len(rows))
        if id_index >= 0:
            valid &= rows[:, id_index] != background_id
            groups = groups if force_suppress else rows[:, id_index]
        order = np.argsort(-rows[:, score_index], kind="stable")
        order = order[valid[order]][: topk if topk > 0 else None]
        edges = edges_of(rows[order, coord_start : coord_start + 4], form)
        order = order[suppress(edges, groups[order], overlap_thresh)]
        places[: len(order)] = order
    return out.reshape(x.shape[:-1])


def decode(locations: Any, anchors: Any, variances: Any) -> Any:
    """The boxes at predicted `locations` relative to the anchors."""
    middle, size = centers(anchors)
    moved = middle + locations[..., :2] * variances[:2] * size
    half = np.exp(locations[..., 2:] * variances[2:]) * size / 2
    return np.concatenate([moved - half, moved + half], -1)


def encode(boxes: Any, anchors: Any, variances: Any) -> Any:
    """The locations of `boxes` relative to the anchors; undoes `decode`."""
    (middle, size), (at, extent) = centers(anchors), centers(boxes)
    return np.concatenate([(at - middle) / size, np.log(extent / size)], -1) / variances


def box_detection(
    cls_prob: Any,
    loc_pred: Any,
    anchor: Any,
    *,
    clip: bool,
    threshold: float,
    background_id: int,
    nms_threshold: float,
    force_suppress: bool,
    variances: Floats,
    nms_topk: int,
) -> Any:
    """Rows (class, score, box), the best first; class -1 where suppressed or nothing."""
    n, classes, count = cls_prob.shape
    boxes = decode(loc_pred.reshape(n, count, 4), anchor, np.array(variances, anchor.dtype))
    boxes = np.clip(boxes, 0, 1) if clip else boxes
    out = np.full((n, count, 6), -1, cls_prob.dtype)
    foreground = [k for k in range(classes) if k != background_id]
    if not foreground:
        return out
    for scores, places, rows in zip(cls_prob[:, foreground], boxes, out):
        best, ids = scores.max(0), scores.argmax(0)
        valid = np.flatnonzero(best >= threshold)
        found = np.column_stack([ids.astype(out.dtype), best, places])[valid]
        rows[: len(found)] = found
        if not 0 < nms_threshold <= 1:
            continue
        order = np.argsort(-found[:, 1], kind="stable")[: nms_topk if nms_topk > 0 else None]
        groups = np.zeros(len(order)) if force_suppress else found[order, 0]
        kept = suppress(edges_of(found[order, 2:], "corner"), groups, nms_threshold)
        rows[: len(order)] = found[order]
        rows[: len(order), 0][~kept] = -1
        rows[len(order) :, 0] = -1
    return out


def match(overlaps: Any, threshold: float) -> Any:
    """For each anchor (row) the number of its true box (column), -1 for none.

    Each box first gets the anchor it overlaps best, the best pairs first; then each anchor left
    gets the box it overlaps most, if above the threshold; none for a threshold of 0.
    """
    best = overlaps.argmax(1)
    matched = np.where((overlaps.max(1) > threshold) & (threshold > 0), best, -1)
    left = overlaps.copy()
    for _ in range(min(left.shape)):
        anchor, box = np.unravel_index(left.argmax(), left.shape)
        if left[anchor, box] <= 1e-12:
            break
        matched[anchor] = box
        left[anchor], left[:, box] = -1, -1
    return matched


def bipartite(x: Any, *, threshold: float, is_ascend: bool, topk: int) -> tuple[Any, Any]:
    """Pairs of a row and a column, the best first, each in one pair at most.

    Returns the column of each row and the row of each column, -1 for none.
    """
    if x.ndim < 2 or x.dtype.kind in "iub":
        raise (ValueError if x.ndim < 2 else TypeError)(
            "x is a matrix of floating scores, or several: (..., rows, columns)"
        )
    sign = -1 if is_ascend else 1
    *batch, n, m = x.shape
    rows, columns = np.full((*batch, n), -1, x.dtype), np.full((*batch, m), -1, x.dtype)
    if not x.size:
        return rows, columns
    scores = np.where(np.isnan(x), -np.inf, sign * x).reshape(-1, n, m)
    pairs = min(n, m, topk) if topk > 0 else min(n, m)
    for left, of_row, of_column in zip(scores, rows.reshape(-1, n), columns.reshape(-1, m)):
        for _ in range(pairs):
            row, column = np.unravel_index(left.argmax(), left.shape)
            if not left[row, column] > sign * threshold:
                break
            of_row[row], of_column[column] = column, row
            left[row], left[:, column] = -np.inf, -np.inf
    return rows, columns


def _hardest(scores: Any, negatives: Any, count: int) -> Any:
    """Select the negatives whose background (class 0) is the least probable.

    Exponentials are rounded once, so that scores in another order are as probable.
    """
    weights = np.exp((scores - scores.max(0)).astype(np.float64)).astype(scores.dtype)
    background = weights[0] / weights.sum(0)
    places = np.flatnonzero(negatives)
    return places[np.argsort(background[places], kind="stable")[:count]]


def box_target(
    anchor: Any,
    label: Any,
    cls_pred: Any,
    *,
    overlap_threshold: float,
    ignore_label: float,
    negative_mining_ratio: float,
    negative_mining_thresh: float,
    minimum_negative_samples: int,
    variances: Floats,
) -> tuple[Any, Any, Any]:
    """What a detector should predict: locations, a mask of those that count, classes."""
    anchors = anchor.reshape(-1, 4)
    n, count = len(label), len(anchors)
    places, masks = np.zeros((n, count, 4), label.dtype), np.zeros((n, count, 4), label.dtype)
    classes = np.full((n, count), ignore_label, label.dtype)
    for k, rows in enumerate(label):
        rows = rows[: int(np.cumprod(rows[:, 0] != -1).sum())]
        if not len(rows):
            continue
        overlaps = box_iou(anchors, rows[:, 1:5])
        matched = match(overlaps, overlap_threshold)
        positive = matched >= 0
        true = rows[matched[positive]]
        places[k, positive] = encode(
            true[:, 1:5], anchors[positive], np.array(variances, anchors.dtype)
        )
        masks[k, positive] = 1
        if negative_mining_ratio > 0:
            wanted = int(positive.sum() * negative_mining_ratio)
            wanted = min(max(wanted, minimum_negative_samples), count - int(positive.sum()))
            negative = ~positive & (overlaps.max(1) < negative_mining_thresh)
            classes[k, _hardest(cls_pred[k], negative, wanted)] = 0
        else:
            classes[k] = 0
        classes[k, positive] = true[:, 0] + 1
    flat = (n, prod((count, 4)))
    return places.reshape(flat), masks.reshape(flat), classes
