"""Object detection."""

from __future__ import annotations

from tests.ops.sample import s

BOXES = "[[0.1, 0.1, 0.5, 0.6], [0.15, 0.1, 0.5, 0.55], [0.6, 0.5, 0.9, 0.9], [0, 0, 1, 1]]"
#: The class, the score and the corners of each box.
SCORED = (
    "[[0, 0.9, 0.1, 0.1, 0.5, 0.6], [0, 0.8, 0.15, 0.1, 0.5, 0.55],"
    " [1, 0.7, 0.1, 0.1, 0.5, 0.5], [1, 0.05, 0.6, 0.5, 0.9, 0.9]]"
)
ANCHORS = f"[{BOXES}]"
SAMPLES = [
    s("contrib.box_iou", BOXES, BOXES).but(wrt=()),
    s("contrib.box_iou", BOXES, "[[0.3, 0.3, 0.2, 0.4]]", format="center").but(wrt=()),
    s("contrib.box_nms", SCORED).but(wrt=(0,), kink=True),
    s("contrib.box_nms", SCORED, overlap_thresh=0.3, valid_thresh=0.1, id_index=0).but(kink=True),
    s("contrib.box_nms", SCORED, topk=2, id_index=0, force_suppress=True, out_format="center").but(
        differs_grad="MXNet forgets that the format changed"
    ),
    s("contrib.MultiBoxPrior", "1x3x2x3", sizes=(0.5, 0.25), ratios=(1, 2)).but(wrt=()),
    s("contrib.MultiBoxPrior", "1x3x2x2", sizes=(0.9,), ratios=(1,), clip=True).but(wrt=()),
    s(
        "contrib.MultiBoxTarget",
        ANCHORS,
        "[[[0, 0.1, 0.1, 0.4, 0.5], [1, 0.6, 0.6, 0.9, 1]]]",
        "1x3x4",
    ).but(wrt=()),
    s("contrib.MultiBoxDetection", "1x3x4 positive", "1x16 unit", ANCHORS).but(wrt=()),
]
