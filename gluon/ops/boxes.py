"""Operators of object detection; none has a gradient."""

from __future__ import annotations

from ..engine.op import define
from ..kernels import boxes as kernels

box_iou = define("box_iou", kernels.box_iou, "The overlap of each box of lhs with each of rhs")
prior_boxes = define("prior_boxes", kernels.prior_boxes, "Anchor boxes around each pixel")
nms_order = define(
    "nms_order", kernels.nms_order, "The rows of the boxes that overlap no better one, then -1"
)
box_detection = define(
    "box_detection", kernels.box_detection, "Detected boxes as rows (class, score, box)"
)
box_target = define(
    "box_target",
    kernels.box_target,
    "The locations, their mask and the classes a detector should predict",
    many=True,
)
bipartite = define(
    "bipartite",
    kernels.bipartite,
    "The columns of the rows and the rows of the columns in pairs, the best scores first",
    many=True,
)
