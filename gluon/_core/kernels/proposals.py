"""Kernels of region proposals: the boxes that a network suggests around its anchors.

Boxes are (left, top, right, bottom) in pixels, the last ones included: their width is
right - left + 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .boxes import edges_of, suppress

Floats = tuple[float, ...]
single = np.float32


def base_anchors(stride: int, scales: Floats, ratios: Floats) -> Any:
    """The anchors around the first cell: all scales of the first ratio, then of the next."""
    ratio = np.array(ratios, single)
    width = np.floor(np.sqrt(np.floor(single(stride * stride) / ratio)) + single(0.5))
    height = np.floor(width * ratio + single(0.5))
    sides = np.stack([width, height], -1)[:, None] * np.array(scales, single)[:, None]
    half = (sides.reshape(-1, 2) - 1) / 2
    middle = single((stride - 1) / 2)
    return np.concatenate([middle - half, middle + half], -1)


def all_anchors(height: int, width: int, stride: int, scales: Floats, ratios: Floats) -> Any:
    """The anchors around each cell, (height, width, anchors, 4)."""
    y, x = (np.indices((height, width)) * stride).astype(single)
    return np.stack([x, y, x, y], -1)[:, :, None] + base_anchors(stride, scales, ratios)


def moved(anchors: Any, deltas: Any, by_corners: bool) -> Any:
    """The boxes at `deltas` from the anchors: of the corners, or of the middles and sizes."""
    if by_corners:
        return anchors + deltas
    size = anchors[..., 2:] - anchors[..., :2] + 1
    middle = anchors[..., :2] + (size - 1) / 2 + deltas[..., :2] * size
    half = (np.exp(deltas[..., 2:]) * size - 1) / 2
    return np.concatenate([middle - half, middle + half], -1)


def _check(cls_prob: Any, bbox_pred: Any, im_info: Any, anchors: int) -> None:
    if cls_prob.ndim != 4 or cls_prob.shape[1] != 2 * anchors:
        raise ValueError(
            f"cls_prob has shape {cls_prob.shape}; for {anchors} anchors, one for each scale and"
            f" ratio, it needs (batch, {2 * anchors}, height, width)"
        )
    n, _, height, width = cls_prob.shape
    if bbox_pred.shape != (n, 4 * anchors, height, width) or im_info.shape != (n, 3):
        raise ValueError(
            f"bbox_pred has shape {bbox_pred.shape} and im_info {im_info.shape}; they need"
            f" {(n, 4 * anchors, height, width)} and {(n, 3)}"
        )


def proposals(
    cls_prob: Any,
    bbox_pred: Any,
    im_info: Any,
    *,
    rpn_pre_nms_top_n: int,
    rpn_post_nms_top_n: int,
    threshold: float,
    rpn_min_size: int,
    scales: Floats,
    ratios: Floats,
    feature_stride: int,
    iou_loss: bool,
) -> tuple[Any, Any]:
    """Rows (image, box) and their scores, the best first; too few of them come again."""
    count = len(scales) * len(ratios)
    _check(cls_prob, bbox_pred, im_info, count)
    n, _, height, width = cls_prob.shape
    anchors = all_anchors(height, width, feature_stride, scales, ratios)
    deltas = bbox_pred.reshape(n, count, 4, height, width).transpose(0, 3, 4, 1, 2)
    scores = cls_prob[:, count:].transpose(0, 2, 3, 1).copy()
    rows = np.zeros((n, rpn_post_nms_top_n, 5), cls_prob.dtype)
    best = np.zeros((n, rpn_post_nms_top_n, 1), cls_prob.dtype)
    for k, (high, wide, scale) in enumerate(im_info):
        limits = np.array([wide - 1, high - 1] * 2, single)
        boxes = np.maximum(np.minimum(moved(anchors, deltas[k], iou_loss), limits), 0)
        scores[k, int(high / feature_stride) :] = -1
        scores[k, :, int(wide / feature_stride) :] = -1
        boxes, flat = boxes.reshape(-1, 4), scores[k].reshape(-1)
        least = single(rpn_min_size * scale)
        small = (boxes[:, 2:] - boxes[:, :2] + 1 < least).any(-1)
        boxes[small] += np.array([-1, -1, 1, 1], single) * (least / 2)
        flat[small] = -1
        order = np.argsort(-flat, kind="stable")
        order = order[: rpn_pre_nms_top_n if rpn_pre_nms_top_n > 0 else None]
        edges = edges_of(boxes[order] + np.array([0, 0, 1, 1], single), "corner")
        kept = suppress(edges, np.zeros(len(order)), threshold, rpn_post_nms_top_n)
        order = np.resize(order[kept], rpn_post_nms_top_n)
        rows[k, :, 0] = k
        rows[k, :, 1:], best[k, :, 0] = boxes[order], flat[order]
    return rows.reshape(-1, 5), best.reshape(-1, 1)
