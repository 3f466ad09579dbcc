# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon.symbol.symbol import Symbol
from typing import Any, overload

def AdaptiveAvgPooling2D(data: Symbol | None = None, output_size: int | Sequence[int] = (), *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Adaptive average pooling to a given output size."""
def BatchNormWithReLU(data: Symbol | None = None, gamma: Symbol | None = None, beta: Symbol | None = None, moving_mean: Symbol | None = None, moving_var: Symbol | None = None, eps: float = 0.001, momentum: float = 0.9, fix_gamma: bool = True, use_global_stats: bool = False, output_mean_var: bool = False, axis: int = 1, cudnn_off: bool = False, min_calib_range: float | None = None, max_calib_range: float | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """`BatchNorm` followed by ReLU: ``max(BatchNorm(...), 0)``."""
def BilinearResize2D(data: Symbol | None = None, like: Symbol | None = None, height: int = 1, width: int = 1, scale_height: float | None = None, scale_width: float | None = None, mode: str = 'size', align_corners: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Resize images by bilinear interpolation."""
def CTCLoss(data: Symbol | None = None, label: Symbol | None = None, data_lengths: Symbol | None = None, label_lengths: Symbol | None = None, use_data_lengths: bool = False, use_label_lengths: bool = False, blank_label: str = 'first', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Connectionist temporal classification: the negative log-likelihood of labels."""
def DeformableConvolution(data: Symbol | None = None, offset: Symbol | None = None, weight: Symbol | None = None, bias: Symbol | None = None, kernel: tuple[int, ...] | int | None = None, stride: tuple[int, ...] | int | None = None, dilate: tuple[int, ...] | int | None = None, pad: tuple[int, ...] | int | None = None, num_filter: int | None = None, num_group: int = 1, num_deformable_group: int = 1, workspace: int = 1024, no_bias: bool = False, layout: str | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Convolution whose sampling points are moved by `offset`."""
def DeformablePSROIPooling(data: Symbol | None = None, rois: Symbol | None = None, trans: Symbol | None = None, spatial_scale: float | None = None, output_dim: int = 0, group_size: int = 0, pooled_size: int = 0, part_size: int = 0, sample_per_part: int = 1, trans_std: float = 0.0, no_trans: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Position-sensitive pooling with learned offsets of the bins."""
def ModulatedDeformableConvolution(data: Symbol | None = None, offset: Symbol | None = None, mask: Symbol | None = None, weight: Symbol | None = None, bias: Symbol | None = None, kernel: tuple[int, ...] | int | None = None, stride: tuple[int, ...] | int | None = None, dilate: tuple[int, ...] | int | None = None, pad: tuple[int, ...] | int | None = None, num_filter: int | None = None, num_group: int = 1, num_deformable_group: int = 1, workspace: int = 1024, no_bias: bool = False, im2col_step: int = 64, layout: str | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Deformable convolution with a weight for each sampling point."""
def MultiBoxDetection(cls_prob: Symbol | None = None, loc_pred: Symbol | None = None, anchor: Symbol | None = None, clip: bool = True, threshold: float = 0.01, background_id: int = 0, nms_threshold: float = 0.5, force_suppress: bool = False, variances: float | tuple[float, ...] = (0.1, 0.1, 0.2, 0.2), nms_topk: int = -1, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Convert the predictions of a detector to detections."""
def MultiBoxPrior(data: Symbol | None = None, sizes: float | tuple[float, ...] = (1.0,), ratios: float | tuple[float, ...] = (1.0,), clip: bool = False, steps: float | tuple[float, ...] = (-1.0, -1.0), offsets: float | tuple[float, ...] = (0.5, 0.5), *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Anchor boxes around each pixel: all sizes at the first ratio, then all other ratios."""
def MultiBoxTarget(anchor: Symbol | None = None, label: Symbol | None = None, cls_pred: Symbol | None = None, overlap_threshold: float = 0.5, ignore_label: float = -1.0, negative_mining_ratio: float = -1.0, negative_mining_thresh: float = 0.5, minimum_negative_samples: int = 0, variances: float | tuple[float, ...] = (0.1, 0.1, 0.2, 0.2), *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Compute training targets for the anchor boxes of a detector."""
def MultiProposal(cls_prob: Symbol | None = None, bbox_pred: Symbol | None = None, im_info: Symbol | None = None, rpn_pre_nms_top_n: int = 6000, rpn_post_nms_top_n: int = 300, threshold: float = 0.7, rpn_min_size: int = 16, scales: float | tuple[float, ...] = (4.0, 8.0, 16.0, 32.0), ratios: float | tuple[float, ...] = (0.5, 1.0, 2.0), feature_stride: int = 16, output_score: bool = False, iou_loss: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The boxes that a region proposal network suggests."""
@overload
def PSROIPooling(data: Symbol, rois: Symbol, spatial_scale: float, output_dim: int, pooled_size: int, group_size: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Position-sensitive pooling: the average over each bin, from the bin's own channels."""
@overload
def PSROIPooling(*, data: Symbol | None = None, rois: Symbol | None = None, spatial_scale: float, output_dim: int, pooled_size: int, group_size: int = 0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Position-sensitive pooling: the average over each bin, from the bin's own channels."""
def Proposal(cls_prob: Symbol | None = None, bbox_pred: Symbol | None = None, im_info: Symbol | None = None, rpn_pre_nms_top_n: int = 6000, rpn_post_nms_top_n: int = 300, threshold: float = 0.7, rpn_min_size: int = 16, scales: float | tuple[float, ...] = (4.0, 8.0, 16.0, 32.0), ratios: float | tuple[float, ...] = (0.5, 1.0, 2.0), feature_stride: int = 16, output_score: bool = False, iou_loss: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """`MultiProposal` for one image, a batch of 1."""
@overload
def ROIAlign(data: Symbol, rois: Symbol, pooled_size: tuple[int, int], spatial_scale: float, sample_ratio: int = -1, position_sensitive: bool = False, aligned: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Region-of-interest pooling: the average of interpolated points in each bin of a region."""
@overload
def ROIAlign(*, data: Symbol | None = None, rois: Symbol | None = None, pooled_size: tuple[int, int], spatial_scale: float, sample_ratio: int = -1, position_sensitive: bool = False, aligned: bool = False, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Region-of-interest pooling: the average of interpolated points in each bin of a region."""
@overload
def RROIAlign(data: Symbol, rois: Symbol, pooled_size: tuple[int, int], spatial_scale: float, sampling_ratio: int = -1, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """`ROIAlign` for rotated regions."""
@overload
def RROIAlign(*, data: Symbol | None = None, rois: Symbol | None = None, pooled_size: tuple[int, int], spatial_scale: float, sampling_ratio: int = -1, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """`ROIAlign` for rotated regions."""
def SparseEmbedding(data: Symbol | None = None, weight: Symbol | None = None, input_dim: int | None = None, output_dim: int | None = None, dtype: Any = None, sparse_grad: bool = True, deterministic: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Look up rows of `weight` by the indices in `data`; as `Embedding`."""
def SyncBatchNorm(data: Symbol | None = None, gamma: Symbol | None = None, beta: Symbol | None = None, moving_mean: Symbol | None = None, moving_var: Symbol | None = None, eps: float = 0.001, momentum: float = 0.9, fix_gamma: bool = True, use_global_stats: bool = False, output_mean_var: bool = False, ndev: int = 1, key: str = '', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """`nd.BatchNorm` over the batches of all processes, which all must call it."""
@overload
def adamw_update(weight: Symbol, grad: Symbol, mean: Symbol, var: Symbol, rescale_grad: Symbol, lr: float, eta: float, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08, wd: float = 0.0, clip_gradient: float = -1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """AdamW: Adam with decoupled weight decay ("Decoupled weight decay", 2019)."""
@overload
def adamw_update(*, weight: Symbol | None = None, grad: Symbol | None = None, mean: Symbol | None = None, var: Symbol | None = None, rescale_grad: Symbol | None = None, lr: float, eta: float, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08, wd: float = 0.0, clip_gradient: float = -1.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """AdamW: Adam with decoupled weight decay ("Decoupled weight decay", 2019)."""
def allclose(a: Symbol | None = None, b: Symbol | None = None, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """1 when ``abs(a - b) <= atol + rtol * abs(b)`` everywhere, else 0."""
def arange_like(data: Symbol | None = None, start: float = 0.0, step: float = 1.0, repeat: int = 1, ctx: Any = None, axis: int | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Evenly spaced values in the shape of `data`, or of the length of `axis`."""
def bipartite_matching(data: Symbol | None = None, is_ascend: bool = False, threshold: float | None = None, topk: int = -1, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Greedy bipartite matching of rows and columns by score."""
def boolean_mask(data: Symbol | None = None, index: Symbol | None = None, axis: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The rows of `data` where `index` is not 0."""
def box_decode(data: Symbol | None = None, anchors: Symbol | None = None, std0: float = 1.0, std1: float = 1.0, std2: float = 1.0, std3: float = 1.0, clip: float = -1.0, format: str = 'center', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Decode boxes predicted relative to anchors; the inverse of `box_encode`."""
def box_encode(samples: Symbol | None = None, matches: Symbol | None = None, anchors: Symbol | None = None, refs: Symbol | None = None, means: Symbol | None = None, stds: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Encode true boxes relative to anchors."""
def box_iou(lhs: Symbol | None = None, rhs: Symbol | None = None, format: str = 'corner', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Intersection over union (IoU) of each pair of boxes."""
def box_nms(data: Symbol | None = None, overlap_thresh: float = 0.5, valid_thresh: float = 0.0, topk: int = -1, coord_start: int = 2, score_index: int = 1, id_index: int = -1, background_id: int = -1, force_suppress: bool = False, in_format: str = 'corner', out_format: str = 'corner', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Non-maximum suppression: keep the best of overlapping boxes."""
def box_non_maximum_suppression(data: Symbol | None = None, overlap_thresh: float = 0.5, valid_thresh: float = 0.0, topk: int = -1, coord_start: int = 2, score_index: int = 1, id_index: int = -1, background_id: int = -1, force_suppress: bool = False, in_format: str = 'corner', out_format: str = 'corner', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Non-maximum suppression: keep the best of overlapping boxes."""
@overload
def count_sketch(data: Symbol, h: Symbol, s: Symbol, out_dim: int, processing_batch_size: int = 32, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Random projection: element ``h[i]`` is the sum of ``data[i] * s[i]``."""
@overload
def count_sketch(*, data: Symbol | None = None, h: Symbol | None = None, s: Symbol | None = None, out_dim: int, processing_batch_size: int = 32, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Random projection: element ``h[i]`` is the sum of ``data[i] * s[i]``."""
def ctc_loss(data: Symbol | None = None, label: Symbol | None = None, data_lengths: Symbol | None = None, label_lengths: Symbol | None = None, use_data_lengths: bool = False, use_label_lengths: bool = False, blank_label: str = 'first', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Connectionist temporal classification: the negative log-likelihood of labels."""
def div_sqrt_dim(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """`data` divided by the square root of the length of its last axis."""
def fft(data: Symbol | None = None, compute_size: int = 128, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The Fourier transform of real numbers along the last axis."""
def gradientmultiplier(data: Symbol | None = None, scalar: float = 1.0, is_int: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Return `data`, and multiply its gradient by `scalar`."""
@overload
def group_adagrad_update(weight: Symbol, grad: Symbol, history: Symbol, lr: float, rescale_grad: float = 1.0, clip_gradient: float = -1.0, epsilon: float = 1e-05, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """AdaGrad with one rate for each row."""
@overload
def group_adagrad_update(*, weight: Symbol | None = None, grad: Symbol | None = None, history: Symbol | None = None, lr: float, rescale_grad: float = 1.0, clip_gradient: float = -1.0, epsilon: float = 1e-05, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """AdaGrad with one rate for each row."""
def hawkesll(lda: Symbol | None = None, alpha: Symbol | None = None, beta: Symbol | None = None, state: Symbol | None = None, lags: Symbol | None = None, marks: Symbol | None = None, valid_length: Symbol | None = None, max_time: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The log-likelihood of Hawkes processes, in which every event makes others likelier."""
def ifft(data: Symbol | None = None, compute_size: int = 128, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The real part of the inverse Fourier transform, times its length `d`."""
def index_array(data: Symbol | None = None, axes: Sequence[int] | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The multi-dimensional index of each element, along a new last axis."""
def index_copy(old_tensor: Symbol | None = None, index_vector: Symbol | None = None, new_tensor: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Replace some rows of `old_tensor`; of duplicates, the last one wins."""
@overload
def interleaved_matmul_encdec_qk(queries: Symbol, keys_values: Symbol, heads: int, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Scaled dot products of queries and keys, for encoder-decoder attention."""
@overload
def interleaved_matmul_encdec_qk(*, queries: Symbol | None = None, keys_values: Symbol | None = None, heads: int, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Scaled dot products of queries and keys, for encoder-decoder attention."""
@overload
def interleaved_matmul_encdec_valatt(keys_values: Symbol, attention: Symbol, heads: int, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The values of each head weighted by its attention."""
@overload
def interleaved_matmul_encdec_valatt(*, keys_values: Symbol | None = None, attention: Symbol | None = None, heads: int, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The values of each head weighted by its attention."""
@overload
def interleaved_matmul_selfatt_qk(queries_keys_values: Symbol, heads: int, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Scaled dot products of queries and keys, for self-attention."""
@overload
def interleaved_matmul_selfatt_qk(*, queries_keys_values: Symbol | None = None, heads: int, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Scaled dot products of queries and keys, for self-attention."""
@overload
def interleaved_matmul_selfatt_valatt(queries_keys_values: Symbol, attention: Symbol, heads: int, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The values of each head weighted by its attention."""
@overload
def interleaved_matmul_selfatt_valatt(*, queries_keys_values: Symbol | None = None, attention: Symbol | None = None, heads: int, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The values of each head weighted by its attention."""
def isfinite(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Which values are neither NaN nor infinite: 1 for yes, 0 for no."""
def isinf(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Which values are infinite: 1 for yes, 0 for no."""
def isnan(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Which values are NaN: 1 for yes, 0 for no."""
@overload
def mp_adamw_update(weight: Symbol, grad: Symbol, mean: Symbol, var: Symbol, weight32: Symbol, rescale_grad: Symbol, lr: float, eta: float, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08, wd: float = 0.0, clip_gradient: float = -1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `adamw_update`, on a float32 copy of a float16 weight, with float32 means."""
@overload
def mp_adamw_update(*, weight: Symbol | None = None, grad: Symbol | None = None, mean: Symbol | None = None, var: Symbol | None = None, weight32: Symbol | None = None, rescale_grad: Symbol | None = None, lr: float, eta: float, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08, wd: float = 0.0, clip_gradient: float = -1.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `adamw_update`, on a float32 copy of a float16 weight, with float32 means."""
@overload
def multi_adamw_update(weights: Symbol, grads: Symbol, mean: Symbol, var: Symbol, rescale_grad: Symbol, lrs: Sequence[float], wds: Sequence[float], etas: Sequence[float], size: int = 0, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08, clip_gradient: float = -1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `adamw_update`, for many weights."""
@overload
def multi_adamw_update(*, weights: Symbol | None = None, grads: Symbol | None = None, mean: Symbol | None = None, var: Symbol | None = None, rescale_grad: Symbol | None = None, lrs: Sequence[float], wds: Sequence[float], etas: Sequence[float], size: int = 0, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08, clip_gradient: float = -1.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `adamw_update`, for many weights."""
@overload
def multi_lamb_update(weights: Symbol, grads: Symbol, mean: Symbol, var: Symbol, step_count: Sequence[int], lrs: Sequence[float], wds: Sequence[float], num_tensors: int = 0, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-06, lower_bound: float = -1.0, upper_bound: float = -1.0, bias_correction: bool = True, rescale_grad: float = 1.0, clip_gradient: float = -1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """LAMB, both halves, for many weights; see `lamb_update_phase1`."""
@overload
def multi_lamb_update(*, weights: Symbol | None = None, grads: Symbol | None = None, mean: Symbol | None = None, var: Symbol | None = None, step_count: Sequence[int], lrs: Sequence[float], wds: Sequence[float], num_tensors: int = 0, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-06, lower_bound: float = -1.0, upper_bound: float = -1.0, bias_correction: bool = True, rescale_grad: float = 1.0, clip_gradient: float = -1.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """LAMB, both halves, for many weights; see `lamb_update_phase1`."""
@overload
def multi_mp_adamw_update(weights: Symbol, grads: Symbol, mean: Symbol, var: Symbol, weights32: Symbol, rescale_grad: Symbol, lrs: Sequence[float], wds: Sequence[float], etas: Sequence[float], size: int = 0, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08, clip_gradient: float = -1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `mp_adamw_update`, for many weights."""
@overload
def multi_mp_adamw_update(*, weights: Symbol | None = None, grads: Symbol | None = None, mean: Symbol | None = None, var: Symbol | None = None, weights32: Symbol | None = None, rescale_grad: Symbol | None = None, lrs: Sequence[float], wds: Sequence[float], etas: Sequence[float], size: int = 0, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08, clip_gradient: float = -1.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `mp_adamw_update`, for many weights."""
@overload
def multi_mp_lamb_update(weights: Symbol, grads: Symbol, mean: Symbol, var: Symbol, weights32: Symbol, step_count: Sequence[int], lrs: Sequence[float], wds: Sequence[float], num_tensors: int = 0, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-06, lower_bound: float = -1.0, upper_bound: float = -1.0, bias_correction: bool = True, rescale_grad: float = 1.0, clip_gradient: float = -1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `multi_lamb_update`, on float32 copies of float16 weights."""
@overload
def multi_mp_lamb_update(*, weights: Symbol | None = None, grads: Symbol | None = None, mean: Symbol | None = None, var: Symbol | None = None, weights32: Symbol | None = None, step_count: Sequence[int], lrs: Sequence[float], wds: Sequence[float], num_tensors: int = 0, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-06, lower_bound: float = -1.0, upper_bound: float = -1.0, bias_correction: bool = True, rescale_grad: float = 1.0, clip_gradient: float = -1.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `multi_lamb_update`, on float32 copies of float16 weights."""
def quadratic(data: Symbol | None = None, a: float = 0.0, b: float = 0.0, c: float = 0.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """``a * data**2 + b * data + c``."""
def round_ste(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """`nd.round` with a straight-through gradient."""
def sign_ste(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """`nd.sign` with a straight-through gradient."""
