"""`nd.contrib`: region proposals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from .._core.arrays.base import A
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError
from ._public import ND, public, several
from .boxes import Floats


def _proposals(
    name: str, arrays: tuple[A, ...], output_score: bool, **arguments: Any
) -> A | list[A]:
    for key in ("scales", "ratios"):
        arguments[key] = several(arguments[key])
        if not arguments[key] or min(arguments[key]) <= 0:
            raise ArgumentError(f"{name}: {key}={arguments[key]} must be positive numbers")
    for key, least in (("feature_stride", 1), ("rpn_post_nms_top_n", 0), ("rpn_min_size", 0)):
        if arguments[key] < least:
            raise ArgumentError(f"{name}: {key}={arguments[key]} must be {least} or more")
    for array in arrays:
        if array.form.dtype != "float32":
            raise DTypeError(f"{name}: it takes float32, not {array.form.dtype}; cast the arrays")
    rows, scores = ops.proposals(*arrays, **arguments)
    return [rows, scores] if output_score else rows


def _suggests(operator: str, doc: str) -> Any:
    """Create a public function that proposes boxes; `Proposal` takes only one image."""

    def call(
        cls_prob: A,
        bbox_pred: A,
        im_info: A,
        rpn_pre_nms_top_n: int = 6000,
        rpn_post_nms_top_n: int = 300,
        threshold: float = 0.7,
        rpn_min_size: int = 16,
        scales: Floats = (4.0, 8.0, 16.0, 32.0),
        ratios: Floats = (0.5, 1.0, 2.0),
        feature_stride: int = 16,
        output_score: bool = False,
        iou_loss: bool = False,
        out: A | Sequence[A] | None = None,
        name: str | None = None,
    ) -> A | list[A]:
        if operator == "Proposal" and cls_prob.shape[:1] != (1,):
            raise ArgumentError(
                f"Proposal: cls_prob has shape {cls_prob.shape}, and Proposal takes one image;"
                " use MultiProposal"
            )
        return _proposals(
            operator,
            (cls_prob, bbox_pred, im_info),
            output_score,
            rpn_pre_nms_top_n=rpn_pre_nms_top_n,
            rpn_post_nms_top_n=rpn_post_nms_top_n,
            threshold=threshold,
            rpn_min_size=rpn_min_size,
            scales=scales,
            ratios=ratios,
            feature_stride=feature_stride,
            iou_loss=bool(iou_loss),
        )

    return public(ND.named(call, operator, doc + DOC.replace("NAME", operator)))


DOC = """

    Each cell has one anchor for each ratio and scale. The predictions of the network move the
    anchors; the resulting boxes are clipped to the image and thinned out by non-maximum
    suppression. See "Faster R-CNN", 2015.

    Parameters
    ----------
    cls_prob : NDArray of shape (batch, 2 * anchors, height, width)
        float32. For all anchors the probability of background, then that of an object.
    bbox_pred : NDArray of shape (batch, 4 * anchors, height, width)
        float32. The shift of the centre, relative to the size, and the log of the factor of the
        size.
    im_info : NDArray of shape (batch, 3)
        float32. The height, the width and the scale of each image.
    rpn_pre_nms_top_n : int, default 6000
        How many of the best boxes to keep before the suppression; all if 0 or less.
    rpn_post_nms_top_n : int, default 300
        The number of boxes for each image. If fewer are left they are repeated.
    threshold : float, default 0.7
        Removes the worse of two boxes that overlap by at least this.
    rpn_min_size : int, default 16
        Boxes smaller than this times the scale are enlarged and ranked last.
    scales, ratios : tuple of float
        The sizes of the anchors in strides, and the ratios of height to width.
    feature_stride : int, default 16
        The distance between neighbouring cells, in pixels.
    output_score : bool, default False
        Also return the scores.
    iou_loss : bool, default False
        Whether `bbox_pred` moves the corners, in pixels.

    Returns
    -------
    NDArray of shape (batch * rpn_post_nms_top_n, 5), or a list of it and the scores
        Rows of image index, left, top, right and bottom, the best first; scores
        of shape (batch * rpn_post_nms_top_n, 1), -1 for boxes that are too small or of cells
        outside of the image. Without gradient.

    Raises
    ------
    ArgumentError
        If a shape or a number does not fit.
    DTypeError
        If an array is not of float32.

    Examples
    --------
    >>> from gluon import nd
    >>> scores, deltas = nd.array([[[[0.2]], [[0.8]]]]), nd.zeros((1, 4, 1, 1))
    >>> size = {"scales": (1,), "ratios": (1,), "rpn_post_nms_top_n": 1}
    >>> nd.contrib.NAME(scores, deltas, nd.array([[16, 16, 1]]), **size)
    <BLANKLINE>
    [[ 0.  0.  0. 15. 15.]]
    <NDArray 1x5 @cpu(0)>
    """


MultiProposal: Final = _suggests(
    "MultiProposal", "The boxes that a region proposal network suggests."
)
Proposal: Final = _suggests("Proposal", "`MultiProposal` for one image, a batch of 1.")
