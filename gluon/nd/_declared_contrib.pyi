# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon._core.arrays.base import A

def box_non_maximum_suppression(data: A, overlap_thresh: float=0.5, valid_thresh: float=0.0, topk: int=-1, coord_start: int=2, score_index: int=1, id_index: int=-1, background_id: int=-1, force_suppress: bool=False, in_format: str='corner', out_format: str='corner', out: A | None=None, name: str | None=None) -> A:
    """Non-maximum suppression: keep the best of overlapping boxes."""
def ctc_loss(data: A, label: A, data_lengths: A | None=None, label_lengths: A | None=None, use_data_lengths: bool=False, use_label_lengths: bool=False, blank_label: str='first', out: A | None=None, name: str | None=None) -> A:
    """Connectionist temporal classification: the negative log-likelihood of labels."""
def MultiProposal(cls_prob: A, bbox_pred: A, im_info: A, rpn_pre_nms_top_n: int=6000, rpn_post_nms_top_n: int=300, threshold: float=0.7, rpn_min_size: int=16, scales: float | tuple[float, ...]=(4.0, 8.0, 16.0, 32.0), ratios: float | tuple[float, ...]=(0.5, 1.0, 2.0), feature_stride: int=16, output_score: bool=False, iou_loss: bool=False, out: A | Sequence[A] | None=None, name: str | None=None) -> A | list[A]:
    """The boxes that a region proposal network suggests."""
def Proposal(cls_prob: A, bbox_pred: A, im_info: A, rpn_pre_nms_top_n: int=6000, rpn_post_nms_top_n: int=300, threshold: float=0.7, rpn_min_size: int=16, scales: float | tuple[float, ...]=(4.0, 8.0, 16.0, 32.0), ratios: float | tuple[float, ...]=(0.5, 1.0, 2.0), feature_stride: int=16, output_score: bool=False, iou_loss: bool=False, out: A | Sequence[A] | None=None, name: str | None=None) -> A | list[A]:
    """`MultiProposal` for one image, a batch of 1."""
def isnan(data: A, out: A | None=None, name: str | None=None) -> A:
    """Which values are NaN: 1 for yes, 0 for no."""
def isinf(data: A, out: A | None=None, name: str | None=None) -> A:
    """Which values are infinite: 1 for yes, 0 for no."""
def isfinite(data: A, out: A | None=None, name: str | None=None) -> A:
    """Which values are neither NaN nor infinite: 1 for yes, 0 for no."""
