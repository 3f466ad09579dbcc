"""Object detection."""

from __future__ import annotations

import numpy as np

from tests._core.ops.sample import Sample, s

BOXES = "[[0.1, 0.1, 0.5, 0.6], [0.15, 0.1, 0.5, 0.55], [0.6, 0.5, 0.9, 0.9], [0, 0, 1, 1]]"
#: The class, the score and the corners of each box.
SCORED = (
    "[[0, 0.9, 0.1, 0.1, 0.5, 0.6], [0, 0.8, 0.15, 0.1, 0.5, 0.55],"
    " [1, 0.7, 0.1, 0.1, 0.5, 0.5], [1, 0.05, 0.6, 0.5, 0.9, 0.9]]"
)
ANCHORS = f"[{BOXES}]"
#: Boxes on a grid with equal scores, so that overlaps and scores tie; classes -1 to 2.
TIED = (
    "[[1, 0.5, 0, 0, 2, 2], [0, 0.5, 1, 0, 3, 2], [1, 0.75, 0, 1, 2, 3], [2, 0.5, 0, 0, 2, 2],"
    " [-1, 0.75, 0, 0, 2, 2], [0, 0.25, 1, 1, 3, 3], [1, 0.25, 5, 5, 6, 6]]"
)
BATCH = f"[{TIED}, {TIED[:-1].replace('0.75', '0.1')}]]"
LABELS = "[[[0, 0.1, 0.1, 0.4, 0.5], [1, 0.6, 0.6, 0.9, 1]]]"
#: Two images: one object that is an anchor, and none.
TWO_LABELS = (
    "[[[1, 0.6, 0.5, 0.9, 0.9], [-1, -1, -1, -1, -1]],"
    " [[-1, -1, -1, -1, -1], [-1, -1, -1, -1, -1]]]"
)
#: Three anchors on an object, five with a little of it.
MANY = (
    "[[[0, 0, 4, 4], [1, 0, 5, 4], [0, 1, 4, 5], [3, 3, 7, 7], [3, 0, 7, 4], [0, 3, 4, 7],"
    " [6, 6, 9, 9], [4, 4, 5, 5]]]"
)
OBJECTS = "[[[2, 0, 0, 4, 4], [0, 4, 4, 5, 5]]]"
CLIP = "[[[-0.2, -0.1, 0.5, 0.6], [0.4, 0.5, 1.2, 1.3], [0.1, 0.1, 0.5, 0.5]]]"


def nms(*inputs: str, **attrs) -> Sample:
    return s("contrib.box_nms", *inputs, **attrs).but(kink=True)


def target(anchors: str, labels: str, scores: str, **attrs) -> Sample:
    return s("contrib.MultiBoxTarget", anchors, labels, scores, **attrs).but(wrt=())


def detection(*inputs: str, **attrs) -> Sample:
    return s("contrib.MultiBoxDetection", *inputs, **attrs).but(wrt=())


# ------------------------------------------------------------- matching, encoding, decoding

SCORES = "[[0.5, 0.6], [0.1, 0.2], [0.3, 0.4]]"
ZERO = "MXNet's gradient is 0"


def matching(scores: str, **attrs) -> Sample:
    return s("contrib.bipartite_matching", scores, **attrs).but(wrt=())


ENCODED: tuple = (
    "[[1, -1, 0, 0.6], [0.5, 0.51, 2, 1]]",
    "[[0, 1, 1, 1], [1, 0, 1, 0]]",
    "[[[0, 0, 2, 2], [1, 1, 3, 4], [0, 0, 1, 1], [2, 2, 5, 5]],"
    " [[0, 0, 2, 2], [1, 1, 3, 4], [0, 0, 1, 1], [2, 2, 5, 5]]]",
    "[[[0, 0, 1, 1], [2, 2, 4, 5]], [[1, 0, 2, 4], [2, 3, 4, 5]]]",
    "[0.1, 0.2, 0.3, 0.4]",
    "[1, 2, 3, 4]",
)


def encoding(changes: dict | None = None, dtype: str = "") -> Sample:
    inputs = [(changes or {}).get(k, x) for k, x in enumerate(ENCODED)]
    typed = [f"{x} {dtype}".strip() for x in inputs]
    return s("contrib.box_encode", *typed).but(wrt=(2, 3, 4, 5), differs_grad=ZERO)


def decoding(data: str, anchors: str, **attrs) -> Sample:
    return s("contrib.box_decode", data, anchors, **attrs).but(differs_grad=ZERO)


def limited(x: np.ndarray) -> list:
    """The best of the three pairs in `SCORES`, alone."""
    return [np.array([1, -1, -1], x.dtype), np.array([-1, 0], x.dtype)]


def _detected(scores: np.ndarray, locations: np.ndarray, anchors: np.ndarray) -> np.ndarray:
    """What the kernel finds with the background first, whose classes MXNet counts as well."""
    from gluon._core.kernels.boxes import box_detection

    settings = {"clip": True, "threshold": 0.01, "background_id": 0, "nms_threshold": 0.5}
    settings |= {"force_suppress": False, "variances": (0.1, 0.1, 0.2, 0.2), "nms_topk": -1}
    return box_detection(scores, locations, anchors, **settings)


NO_SLOPE = "MXNet gives zeros"
FLOATING = "[[0.1, 0.1, 0.5, 0.6], [0.6, 0.4, 0.9, 0.95], [0, 0.2, 0.3, 0.1]]"
SAMPLES = [
    s("contrib.box_iou", "2x4 integers int32", "3x4 integers int32").but(wrt=()),
    s("contrib.box_iou", "2x4", "3x4 float64").but(wrt=()),
    s("contrib.MultiBoxPrior", "1x1x2x2 integers int32").but(wrt=()),
    s("contrib.MultiBoxPrior", "1x1x2x2", sizes=()).but(wrt=()),
    target("[[[0, 0, 1, 1], [0, 0, 2, 2]]]", LABELS, "1x3x3"),
    target("[[[0, 0, 1, 1], [0, 0, 2, 2]]]", LABELS, "1x3x2", variances=(1,)),
    detection("1x2x2", "1x8", "[[[0, 0, 1, 1], [0, 0, 2, 2]]]", variances=(1, 1)),
    nms("2x6 integers int32"),
    s("contrib.box_iou", BOXES, BOXES).but(kink=True, differs_grad=NO_SLOPE),
    *(
        s("contrib.box_iou", lhs, rhs, format=form).but(differs_grad=NO_SLOPE)
        for form, lhs, rhs in (
            ("corner", FLOATING, "[[0.2, 0.05, 0.45, 0.7], [0.51, 0.5, 0.72, 0.91]]"),
            ("corner", FLOATING + " float64", "[[[0.15, 0.3, 0.8, 0.77]]] float64"),
            ("center", "2x3x4 positive", "2x4 positive"),
            ("center", "[[0.3, 0.3, 0.2, 0.4], [5, 5, 1, 1]]", "[[0.3, 0.37, 0.25, 0.3]]"),
        )
    ),
    s("contrib.box_iou", BOXES, "[[0.3, 0.3, 0.2, 0.4]]", format="center").but(wrt=()),
    s("contrib.box_iou", "2x3x4", "3x1x4").but(wrt=()),
    s("contrib.box_iou", "[[0, 0, 1, 1], [2, 2, 1, 1], [0, 0, 0, 0]]", BOXES).but(wrt=()),
    s("contrib.box_iou", "2x4 float64", "3x4 float64").but(wrt=()),
    s("contrib.box_iou", "2x3", "3x4").but(wrt=()),
    *(
        s("contrib.box_iou", lhs, rhs).but(right=lambda x, y: x[:, None, 0] * y[None, :, 0])
        for lhs, rhs in (("0x4", "3x4"), ("3x4", "0x4"))
    ),
    *(nms(empty).but(right=np.copy) for empty in ("0x6", "2x0x6", "0x3x6")),
    *(
        s("contrib.bipartite_matching", shape, threshold=0.1).but(
            right=lambda x: [np.full(n, -1, x.dtype) for n in x.shape], wrt=()
        )
        for shape in ("0x2", "2x0")
    ),
    nms(SCORED).but(wrt=(0,)),
    nms(SCORED, overlap_thresh=0.3, valid_thresh=0.1, id_index=0),
    nms(SCORED, topk=2, id_index=0, force_suppress=True, out_format="center").but(
        differs_grad="MXNet's gradient ignores the change of format"
    ),
    nms(TIED),
    nms(TIED, id_index=0),
    nms(TIED, id_index=0, background_id=1),
    nms(TIED, id_index=0, background_id=0, force_suppress=True, overlap_thresh=0.3),
    nms(TIED, overlap_thresh=0.0),
    nms(TIED, overlap_thresh=1.0, valid_thresh=0.25),
    nms(TIED, topk=3, valid_thresh=-1),
    nms(TIED, topk=100, overlap_thresh=1 / 3),
    nms(TIED, topk=0),
    nms(TIED, topk=-5, in_format="center", out_format="center"),
    nms(TIED, valid_thresh=2),
    nms(BATCH, id_index=0, overlap_thresh=0.2),
    nms(BATCH, id_index=0, topk=2),
    nms(BATCH + " float64", in_format="center", overlap_thresh=0.4).but(
        differs_grad="MXNet's gradient ignores the change of format"
    ),
    nms("1x2x5x7", coord_start=1, score_index=0, id_index=6, valid_thresh=-9),
    nms("5x5", coord_start=0, score_index=4, valid_thresh=-9),
    nms("6"),
    nms(TIED, coord_start=3),
    nms(TIED, score_index=6),
    nms(TIED, id_index=6),
    s("contrib.MultiBoxPrior", "1x3x2x3", sizes=(0.5, 0.25), ratios=(1, 2)).but(wrt=()),
    s("contrib.MultiBoxPrior", "1x3x2x2", sizes=(0.9,), ratios=(1,), clip=True).but(wrt=()),
    s("contrib.MultiBoxPrior", "2x1x1x1").but(wrt=()),
    s("contrib.MultiBoxPrior", "1x1x3x2", sizes=(0.5,), ratios=(2, 1, 0.5)).but(wrt=()),
    s("contrib.MultiBoxPrior", "1x1x2x5", sizes=(0.3, 0.1, 1.5), clip=True).but(wrt=()),
    s("contrib.MultiBoxPrior", "1x1x2x3", steps=(0.25, 0.5), offsets=(0, 1)).but(wrt=()),
    s("contrib.MultiBoxPrior", "1x1x4x3", steps=(0.25, -1), offsets=(0.3, 0.7)).but(wrt=()),
    target(ANCHORS, LABELS, "1x3x4"),
    target(ANCHORS, TWO_LABELS, "2x3x4"),
    target(ANCHORS, TWO_LABELS, "2x3x4", ignore_label=7.0, variances=(1, 1, 1, 1)),
    target(ANCHORS, LABELS, "1x3x4", overlap_threshold=0.9),
    target(ANCHORS, LABELS, "1x3x4", overlap_threshold=0.0),
    target(MANY, OBJECTS, "1x4x8", overlap_threshold=0.3),
    target(MANY, OBJECTS, "1x4x8", overlap_threshold=0.6),
    target(MANY, OBJECTS, "1x4x8", negative_mining_ratio=1.0),
    target(MANY, OBJECTS, "1x4x8", negative_mining_ratio=2.5, negative_mining_thresh=0.3),
    target(MANY, OBJECTS, "1x4x8", negative_mining_ratio=0.5, ignore_label=-2.0),
    target(MANY, OBJECTS, "1x4x8", negative_mining_ratio=1, negative_mining_thresh=0.9),
    target(MANY, "[[[2, 0, 0, 4, 4, 9], [0, 4, 4, 5, 5, 8]]]", "1x4x8"),
    detection("1x3x4 positive", "1x16 unit", ANCHORS),
    detection("2x3x4 prob", "2x16 unit", ANCHORS, nms_threshold=0.1),
    detection("2x3x4 prob", "2x16 unit", ANCHORS, nms_threshold=0.1, force_suppress=True),
    detection("2x3x4 prob", "2x16 unit", ANCHORS, nms_topk=2),
    detection("2x3x4 prob", "2x16 unit", ANCHORS, nms_topk=2, threshold=0.3, nms_threshold=0.2),
    detection("2x3x4 prob", "2x16 unit", ANCHORS, nms_topk=100, clip=False),
    detection("2x3x4 prob", "2x16 unit", ANCHORS, threshold=0.9),
    detection("2x3x4 prob", "2x16 unit", ANCHORS, nms_threshold=0.0),
    detection("2x3x4 prob", "2x16 unit", ANCHORS, nms_threshold=1.5, nms_topk=1),
    detection("2x3x4 prob", "2x16", ANCHORS, variances=(1, 0.5, 0.2, 0.1), clip=False),
    detection("1x2x3 prob", "1x12", CLIP, variances=(0.1, 0.1, 0.1, 0.1)),
    detection("[[[0.1, 0.1, 0.1], [0.5, 0.5, 0.25], [0.5, 0.5, 0.5]]]", "1x12 unit", CLIP),
    detection("1x1x3 prob", "1x12", CLIP),
    detection("1x3x4 prob", "1x16 unit", ANCHORS, background_id=2).but(
        differs="MXNet always uses class 0 as the background",
        right=lambda scores, loc, anchors: _detected(scores[:, [2, 0, 1]], loc, anchors),
    ),
    matching(SCORES, threshold=1e-12),
    matching(SCORES, threshold=0.4),
    matching(SCORES, threshold=0.15, is_ascend=True),
    matching(SCORES, threshold=1, is_ascend=True),
    matching("[[0.5, 0.25]]", threshold=0.5),
    matching("[[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]", threshold=0.5),
    matching("[[1, 1], [1, 1], [1, 1]]", threshold=2, is_ascend=True),
    matching("2x1x4x3 unit", threshold=0.0),
    matching("3x4x4 float64", threshold=-9),
    matching("2x3 float16", threshold=-9, is_ascend=False, topk=5),
    matching("3", threshold=0.5),
    matching("2x3 integers int32", threshold=0.5),
    matching("2x3"),
    matching(SCORES, threshold=1e-12, topk=1).but(
        differs="MXNet returns one more pair than topk", right=limited
    ),
    encoding(),
    encoding(dtype="float64"),
    encoding(dtype="float16").but(rtol=2e-3),
    encoding({2: "2x4x4 natural", 3: "2x2x4 natural", 0: "[[0, 0, 0, 0], [0, 0, 0, 0]]"}),
    encoding({0: "[1, -1, 0, 1]"}),
    encoding({1: "[[0, 1, 1], [1, 0, 1]]"}),
    encoding({2: "1x4x4"}),
    encoding({4: "4x1"}),
    encoding({5: "3"}),
    encoding(dtype="int32"),
    encoding({1: "[[2, 1, 1, 1], [1, 0, 1, 0]]"}).but(
        differs="MXNet reads past the end", refused=True
    ),
    decoding("2x3x4", "1x3x4 positive"),
    decoding("2x3x4", "1x3x4 positive", format="corner"),
    decoding("2x3x4", "1x3x4 positive", std0=0.1, std1=0.2, std2=0.3, std3=0.4),
    decoding("2x3x4 large", "1x3x4 positive", clip=0.5),
    decoding("2x3x4", "1x3x4 positive", clip=0),
    decoding("1x2x4 float64", "1x2x4 float64", format="corner", clip=1),
    decoding("1x2x4 float16 unit", "1x2x4 float16 unit"),
    decoding("3x4", "3x4"),
    decoding("2x3x4", "2x3x4"),
    decoding("2x3x4", "1x2x4"),
    decoding("2x3x4 integers int32", "1x3x4 integers int32"),
    decoding("2x3x4", "1x3x4", format="middle"),
]
