# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon.symbol.np_symbol import NpSymbol
from gluon.symbol.symbol import Symbol
from typing import Any

def activation(data: Symbol, act_type: str, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Apply an activation function by name."""
def arange_like(data: Symbol, start: float = 0.0, step: float = 1.0, repeat: int = 1, ctx: Any = None, axis: int | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Evenly spaced values in the shape of `data`, or of the length of `axis`."""
def batch_dot(lhs: Symbol, rhs: Symbol, transpose_a: bool = False, transpose_b: bool = False, forward_stype: str | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The products of two stacks of matrices."""
def batch_flatten(data: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Flatten all axes except the first."""
def batch_norm(data: Symbol, gamma: Symbol, beta: Symbol, moving_mean: Symbol, moving_var: Symbol, eps: float = 0.001, momentum: float = 0.9, fix_gamma: bool = True, use_global_stats: bool = False, output_mean_var: bool = False, axis: int = 1, cudnn_off: bool = False, min_calib_range: float | None = None, max_calib_range: float | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Normalize each channel over the batch: ``gamma * (data - mean) / sqrt(var + eps) + beta``."""
def bipartite_matching(data: Symbol, is_ascend: bool = False, threshold: float | None = None, topk: int = -1, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Greedy bipartite matching of rows and columns by score."""
def box_decode(data: Symbol, anchors: Symbol, std0: float = 1.0, std1: float = 1.0, std2: float = 1.0, std3: float = 1.0, clip: float = -1.0, format: str = 'center', *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Decode boxes predicted relative to anchors; the inverse of `box_encode`."""
def box_encode(samples: Symbol, matches: Symbol, anchors: Symbol, refs: Symbol, means: Symbol, stds: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Encode true boxes relative to anchors."""
def box_iou(lhs: Symbol, rhs: Symbol, format: str = 'corner', *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Intersection over union (IoU) of each pair of boxes."""
def box_nms(data: Symbol, overlap_thresh: float = 0.5, valid_thresh: float = 0.0, topk: int = -1, coord_start: int = 2, score_index: int = 1, id_index: int = -1, background_id: int = -1, force_suppress: bool = False, in_format: str = 'corner', out_format: str = 'corner', *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Non-maximum suppression: keep the best of overlapping boxes."""
def broadcast_like(lhs: Symbol, rhs: Symbol, lhs_axes: int | Sequence[int] | None = None, rhs_axes: int | Sequence[int] | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Broadcast `lhs` to the shape of `rhs`."""
def cast(data: Symbol, dtype: Any, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Cast to another dtype; gradients are cast back."""
def convolution(data: Symbol, weight: Symbol, bias: Symbol | None = None, kernel: tuple[int, ...] | int | None = None, stride: tuple[int, ...] | int | None = None, dilate: tuple[int, ...] | int | None = None, pad: tuple[int, ...] | int | None = None, num_filter: int | None = None, num_group: int = 1, workspace: int = 1024, no_bias: bool = False, cudnn_tune: Any = None, cudnn_off: bool = False, layout: str | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Convolution of images with filters, in 1, 2, 3 or more dimensions."""
def ctc_loss(data: Symbol, label: Symbol, data_lengths: Symbol | None = None, label_lengths: Symbol | None = None, use_data_lengths: bool = False, use_label_lengths: bool = False, blank_label: str = 'first', *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Connectionist temporal classification: the negative log-likelihood of labels."""
def deconvolution(data: Symbol, weight: Symbol, bias: Symbol | None = None, kernel: tuple[int, ...] | int | None = None, stride: tuple[int, ...] | int | None = None, dilate: tuple[int, ...] | int | None = None, pad: tuple[int, ...] | int | None = None, adj: tuple[int, ...] | int | None = None, target_shape: tuple[int, ...] | int | None = None, num_filter: int | None = None, num_group: int = 1, workspace: int = 512, no_bias: bool = True, cudnn_tune: Any = None, cudnn_off: bool = False, layout: str | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Transposed convolution of images with filters."""
def dropout(data: Symbol, p: float = 0.5, mode: str = 'training', axes: int | tuple[int, ...] | None = (), cudnn_off: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """In training, set values to 0 with probability `p` and scale the others by ``1 / (1 - p)``."""
def embedding(data: Symbol, weight: Symbol, input_dim: int | None = None, output_dim: int | None = None, dtype: Any = None, sparse_grad: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Look up rows of `weight` by the indices in `data`."""
def erf(data: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The error function."""
def erfinv(data: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The inverse of the error function."""
def fully_connected(data: Symbol, weight: Symbol, bias: Symbol | None = None, num_hidden: int | None = None, no_bias: bool = False, flatten: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Fully connected layer: ``data @ weight.T + bias``."""
def gamma(data: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The gamma function."""
def gammaln(data: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The logarithm of |gamma(x)|."""
def gather_nd(data: Symbol, indices: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Gather values by index: ``data[indices[0], indices[1], ...]``."""
def group_norm(data: Symbol, gamma: Symbol, beta: Symbol, num_groups: int = 1, eps: float = 1e-05, output_mean_var: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Normalize each group of channels of each sample."""
def hard_sigmoid(data: Symbol, alpha: float = 0.2, beta: float = 0.5, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """``alpha * data + beta`` limited to [0, 1]."""
def instance_norm(data: Symbol, gamma: Symbol, beta: Symbol, eps: float = 0.001, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Normalize each channel of each sample: ``gamma * (data - mean) / sqrt(var + eps) + beta``."""
def l2_normalization(data: Symbol, eps: float = 1e-10, mode: str = 'instance', *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Divide by a 2-norm: ``data / sqrt(sum(data**2) + eps)``."""
def layer_norm(data: Symbol, gamma: Symbol, beta: Symbol, axis: int = -1, eps: float = 1e-05, output_mean_var: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Normalize along one axis: ``gamma * (data - mean) / sqrt(var + eps) + beta``."""
def leaky_relu(data: Symbol, gamma: Symbol | None = None, act_type: str = 'leaky', slope: float = 0.25, lower_bound: float = 0.125, upper_bound: float = 0.334, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Leaky rectified linear units: x if x > 0, otherwise a small or smooth value."""
def log_softmax(data: Symbol, axis: int = -1, temperature: float | None = None, dtype: Any = None, use_length: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The logarithm of the softmax, computed stably."""
def lrn(data: Symbol, alpha: float = 0.0001, beta: float = 0.75, knorm: float = 2.0, nsize: int | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Normalize over nearby channels: ``data / (knorm + alpha / nsize * squares) ** beta``."""
def multibox_detection(cls_prob: Symbol, loc_pred: Symbol, anchor: Symbol, clip: bool = True, threshold: float = 0.01, background_id: int = 0, nms_threshold: float = 0.5, force_suppress: bool = False, variances: float | tuple[float, ...] = (0.1, 0.1, 0.2, 0.2), nms_topk: int = -1, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Convert the predictions of a detector to detections."""
def multibox_prior(data: Symbol, sizes: float | tuple[float, ...] = (1.0,), ratios: float | tuple[float, ...] = (1.0,), clip: bool = False, steps: float | tuple[float, ...] = (-1.0, -1.0), offsets: float | tuple[float, ...] = (0.5, 0.5), *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Anchor boxes around each pixel: all sizes at the first ratio, then all other ratios."""
def multibox_target(anchor: Symbol, label: Symbol, cls_pred: Symbol, overlap_threshold: float = 0.5, ignore_label: float = -1.0, negative_mining_ratio: float = -1.0, negative_mining_thresh: float = 0.5, minimum_negative_samples: int = 0, variances: float | tuple[float, ...] = (0.1, 0.1, 0.2, 0.2), *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Compute training targets for the anchor boxes of a detector."""
def nonzero(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.nonzero``, of symbols."""
def norm(data: Symbol, ord: int = 2, axis: int | tuple[int, ...] | None = None, out_dtype: Any = None, keepdims: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The norm: `ord` 1 sums ``abs(x)``, and 2 is the square root of the sum of squares."""
def one_hot(indices: Symbol, depth: int, on_value: float = 1.0, off_value: float = 0.0, dtype: Any = 'float32', *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """One-hot encoding along a new last axis: `on_value` at each index, `off_value` elsewhere."""
def pick(data: Symbol, index: Symbol, axis: int = -1, keepdims: bool = False, mode: str = 'clip', *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Pick one element along `axis` by index."""
def pooling(data: Symbol, kernel: tuple[int, ...] | int | None = None, pool_type: str = 'max', global_pool: bool = False, cudnn_off: bool = False, pooling_convention: str = 'valid', stride: tuple[int, ...] | int | None = None, pad: tuple[int, ...] | int | None = None, p_value: int | None = None, count_include_pad: bool | None = None, layout: str | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Pool over moving windows: maximum, average, sum or p-norm."""
def relu(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.relu``, of symbols."""
def reshape(a: Symbol, newshape: int | Sequence[int] | None = (), reverse: bool = False, order: str = 'C', *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.reshape``, of symbols."""
def reshape_like(lhs: Symbol, rhs: Symbol, lhs_begin: int | None = None, lhs_end: int | None = None, rhs_begin: int | None = None, rhs_end: int | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Reshape `lhs` to the shape of `rhs`, or some of its axes to those of `rhs`."""
def rnn(data: Symbol, parameters: Symbol, state: Symbol, state_cell: Symbol | None = None, sequence_length: Symbol | None = None, state_size: int | None = None, num_layers: int | None = None, bidirectional: bool = False, mode: str | None = None, p: float = 0.0, state_outputs: bool = False, projection_size: int | None = None, lstm_state_clip_min: float | None = None, lstm_state_clip_max: float | None = None, lstm_state_clip_nan: bool = False, use_sequence_length: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Apply stacked recurrent layers to a sequence."""
def roi_align(data: Symbol, rois: Symbol, pooled_size: tuple[int, int], spatial_scale: float, sample_ratio: int = -1, position_sensitive: bool = False, aligned: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Region-of-interest pooling: the average of interpolated points in each bin of a region."""
def roi_pooling(data: Symbol, rois: Symbol, pooled_size: tuple[int, int], spatial_scale: float, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Region-of-interest pooling: the maximum over each bin of a region."""
def sequence_last(data: Symbol, sequence_length: Symbol | None = None, use_sequence_length: bool = False, axis: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Return the last step of each sequence."""
def sequence_mask(data: Symbol, sequence_length: Symbol | None = None, use_sequence_length: bool = False, value: float = 0.0, axis: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Set elements beyond the length of each sequence to `value`."""
def sequence_reverse(data: Symbol, sequence_length: Symbol | None = None, use_sequence_length: bool = False, axis: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Reverse the steps of each sequence; steps beyond its length keep their positions."""
def shape_array(data: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The shape, as an array."""
def sigmoid(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.sigmoid``, of symbols."""
def slice(data: Symbol, begin: Sequence[int], end: Sequence[int], step: Sequence[int] = (), *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Slice several axes: a copy of ``data[b0:e0:s0, b1:e1:s1, …]``."""
def smooth_l1(data: Symbol, scalar: float = 1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Smooth L1: the absolute value, quadratic near 0."""
def softmax(data: Symbol, length: Symbol | None = None, axis: int = -1, temperature: float | None = None, dtype: Any = None, use_length: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """``exp(data / temperature)`` divided by its sum along `axis`."""
def stop_gradient(data: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Return a copy without gradient."""
def topk(data: Symbol, axis: int | None = -1, k: int = 1, ret_typ: str = 'indices', is_ascend: bool = False, dtype: Any = 'float32', *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The `k` largest values along `axis`, in descending order; ties go to the lower index."""
