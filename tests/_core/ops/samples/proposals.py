"""Region proposals."""

from __future__ import annotations

from typing import Any

from tests._core.ops.sample import Sample, s

SMALL: dict[str, Any] = {"scales": (1.0, 2.0), "ratios": (0.5, 1.0, 2.0), "feature_stride": 8}


def proposals(op: str, batch: int, sizes: str, cells: str = "3x4", **attrs: Any) -> Sample:
    """Six anchors for each cell."""
    settings = {**SMALL, "rpn_pre_nms_top_n": 50, "rpn_post_nms_top_n": 6, **attrs}
    inputs = (f"{batch}x12x{cells} positive", f"{batch}x24x{cells} unit", sizes)
    return s(f"contrib.{op}", *inputs, **settings).but(wrt=())


ONE, TWO = "[[24, 32, 1]]", "[[24, 32, 1], [20, 17, 1.6]]"
SAMPLES = [
    proposals(op, batch, sizes, **attrs)
    for op, batch, sizes in (("Proposal", 1, ONE), ("MultiProposal", 2, TWO))
    for attrs in (
        {},
        {"output_score": True, "rpn_min_size": 4},
        {"iou_loss": True, "rpn_min_size": 0},
        {"threshold": 0.2, "rpn_min_size": 4, "output_score": True},
        {"threshold": 1.0, "rpn_min_size": 0, "rpn_post_nms_top_n": 40},
        {"rpn_pre_nms_top_n": 3, "rpn_post_nms_top_n": 9, "output_score": True},
        {"rpn_pre_nms_top_n": 0, "rpn_min_size": 1000, "output_score": True},
        {"rpn_pre_nms_top_n": -1, "rpn_min_size": 12, "threshold": 0.5},
    )
]
SAMPLES += [
    proposals("Proposal", 1, ONE, rpn_post_nms_top_n=0),
    proposals("Proposal", 1, "[[1, 1, 1]]", cells="1x1", rpn_min_size=1),
    s("contrib.Proposal", "1x24x2x3 positive", "1x48x2x3 unit", "[[32, 48, 1]]").but(wrt=()),
    s(
        "contrib.MultiProposal",
        "2x2x2x2 positive",
        "2x4x2x2",
        "[[9, 9, 1], [20, 20, 1]]",
        scales=(3.3,),
        ratios=(0.1,),
        feature_stride=10,
    ).but(wrt=()),
    proposals("Proposal", 2, TWO),
    proposals("Proposal", 1, ONE, scales=(1.0,)),
    proposals("MultiProposal", 2, ONE),
    s("contrib.Proposal", "1x12x3x4", "1x24x3x3", ONE, **SMALL).but(wrt=()),
    s("contrib.Proposal", "1x12x3x4", "1x20x3x4", ONE, **SMALL).but(wrt=()),
    s("contrib.Proposal", "1x12x3x4 float64", "1x24x3x4 float64", ONE, **SMALL).but(wrt=()),
    proposals("MultiProposal", 1, ONE, feature_stride=0).but(
        differs="an error, since the stride must be positive", refused=True
    ),
    proposals("MultiProposal", 1, ONE, scales=(0.0, 1.0)).but(
        differs="an error, since boxes must not be empty", refused=True
    ),
]
