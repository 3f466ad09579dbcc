"""Operators of object detection. The overlap of boxes has a gradient; what picks boxes has none."""

from __future__ import annotations

from math import prod
from typing import Any, Final

from ..engine.op import define
from ..kernels import boxes as kernels


def _corners(F: Any, boxes: Any, form: str) -> tuple[Any, Any]:
    first, last = boxes[..., :2], boxes[..., 2:]
    return (first, last) if form == "corner" else (first - last / 2, first + last / 2)


def _overlap(F: Any, g: Any, own: Any, other: Any, form: str, is_first: bool) -> Any:
    """The gradient of `box_iou` for the boxes `own`, the first input or the second.

    The overlap is s / t, where s is the area shared and t = a + b - s with the areas a and b of
    both; an area is the product of two sides. Of equal edges the gradient reaches the first input.
    """
    shape = own.shape
    own = F.reshape(own, shape=(_count(own), 1, 4))
    other = F.reshape(other, shape=(1, _count(other), 4))
    (low, high), (left, right) = _corners(F, own, form), _corners(F, other, form)
    sides = F.maximum(F.minimum(high, right) - F.maximum(low, left), 0)
    own_sides, other_sides = F.maximum(high - low, 0), F.maximum(right - left, 0)
    shared = sides[..., 0] * sides[..., 1]
    total = (
        own_sides[..., 0] * own_sides[..., 1] + other_sides[..., 0] * other_sides[..., 1] - shared
    )
    g = F.where(total > 0, g, 0.0) / F.square(F.where(total > 0, total, 1.0))
    to_sides = F.expand_dims(g * (total + shared), axis=-1) * sides[..., ::-1] * (sides > 0)
    to_own = F.expand_dims(-g * shared, axis=-1) * own_sides[..., ::-1] * (own_sides > 0)
    inner = (low >= left, high <= right) if is_first else (low > left, high < right)
    g_low = F.sum(-to_sides * inner[0] - to_own, axis=1)
    g_high = F.sum(to_sides * inner[1] + to_own, axis=1)
    if form == "center":
        g_low, g_high = g_low + g_high, (g_high - g_low) / 2
    return F.reshape(F.concat(g_low, g_high, axis=1), shape=shape)


def _for_lhs(F: Any, g: Any, lhs: Any, rhs: Any, form: str) -> Any:
    return _overlap(F, F.reshape(g, shape=(_count(lhs), _count(rhs))), lhs, rhs, form, True)


def _for_rhs(F: Any, g: Any, lhs: Any, rhs: Any, form: str) -> Any:
    pairs = F.transpose(F.reshape(g, shape=(_count(lhs), _count(rhs))), axes=None)
    return _overlap(F, pairs, rhs, lhs, form, False)


def _count(boxes: Any) -> int:
    return prod(boxes.shape[:-1])


box_iou: Final = define(
    "box_iou",
    kernels.box_iou,
    "The overlap of each box of lhs with each of rhs",
    lhs=_for_lhs,
    rhs=_for_rhs,
)
prior_boxes: Final = define("prior_boxes", kernels.prior_boxes, "Anchor boxes around each pixel")
nms_order: Final = define(
    "nms_order", kernels.nms_order, "The rows of the boxes that overlap no better one, then -1"
)
box_detection: Final = define(
    "box_detection", kernels.box_detection, "Detected boxes as rows (class, score, box)"
)
box_target: Final = define(
    "box_target",
    kernels.box_target,
    "The locations, their mask and the classes a detector should predict",
    many=True,
)
bipartite: Final = define(
    "bipartite",
    kernels.bipartite,
    "The columns of the rows and the rows of the columns in pairs, the best scores first",
    many=True,
)
