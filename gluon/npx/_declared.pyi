# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon._core.arrays.base import A
from gluon.nd._array import NDArray
from typing import Any

def to_dlpack_for_write(data: NDArray) -> Any:
    """The memory of an array, as a DLPack capsule."""
def activation(data: A, act_type: str, out: A | None=None, name: str | None=None) -> A:
    """Apply an activation function by name."""
def arange_like(data: A, start: float=0.0, step: float=1.0, repeat: int=1, ctx: Any=None, axis: int | None=None, out: A | None=None, name: str | None=None) -> A:
    """Evenly spaced values in the shape of `data`, or of the length of `axis`."""
def batch_dot(lhs: A, rhs: A, transpose_a: bool=False, transpose_b: bool=False, forward_stype: str | None=None, out: A | None=None, name: str | None=None) -> A:
    """The products of two stacks of matrices."""
def batch_flatten(data: A, out: A | None=None, name: str | None=None) -> A:
    """Flatten all axes except the first."""
def batch_norm(data: A, gamma: A, beta: A, moving_mean: A, moving_var: A, eps: float=0.001, momentum: float=0.9, fix_gamma: bool=True, use_global_stats: bool=False, output_mean_var: bool=False, axis: int=1, cudnn_off: bool=False, min_calib_range: float | None=None, max_calib_range: float | None=None, out: A | Sequence[A] | None=None, name: str | None=None) -> A | Any:
    """Normalize each channel over the batch: ``gamma * (data - mean) / sqrt(var + eps) + beta``."""
def bipartite_matching(data: A, is_ascend: bool=False, threshold: float | None=None, topk: int=-1, out: Sequence[A] | None=None, name: str | None=None) -> list[A]:
    """Greedy bipartite matching of rows and columns by score."""
def box_decode(data: A, anchors: A, std0: float=1.0, std1: float=1.0, std2: float=1.0, std3: float=1.0, clip: float=-1.0, format: str='center', out: A | None=None, name: str | None=None) -> A:
    """Decode boxes predicted relative to anchors; the inverse of `box_encode`."""
def box_encode(samples: A, matches: A, anchors: A, refs: A, means: A, stds: A, out: Sequence[A] | None=None, name: str | None=None) -> list[A]:
    """Encode true boxes relative to anchors."""
def box_iou(lhs: A, rhs: A, format: str='corner', out: A | None=None, name: str | None=None) -> A:
    """Intersection over union (IoU) of each pair of boxes."""
def box_nms(data: A, overlap_thresh: float=0.5, valid_thresh: float=0.0, topk: int=-1, coord_start: int=2, score_index: int=1, id_index: int=-1, background_id: int=-1, force_suppress: bool=False, in_format: str='corner', out_format: str='corner', out: A | None=None, name: str | None=None) -> A:
    """Non-maximum suppression: keep the best of overlapping boxes."""
def broadcast_like(lhs: A, rhs: A, lhs_axes: int | Sequence[int] | None=None, rhs_axes: int | Sequence[int] | None=None, out: A | None=None, name: str | None=None) -> A:
    """Broadcast `lhs` to the shape of `rhs`."""
def cast(data: A, dtype: Any, out: A | None=None, name: str | None=None) -> A:
    """Cast to another dtype; gradients are cast back."""
def convolution(data: A, weight: A, bias: A | None=None, kernel: tuple[int, ...] | int | None=None, stride: tuple[int, ...] | int | None=None, dilate: tuple[int, ...] | int | None=None, pad: tuple[int, ...] | int | None=None, num_filter: int | None=None, num_group: int=1, workspace: int=1024, no_bias: bool=False, cudnn_tune: Any=None, cudnn_off: bool=False, layout: str | None=None, out: A | None=None, name: str | None=None) -> A:
    """Convolution of images with filters, in 1, 2, 3 or more dimensions."""
def ctc_loss(data: A, label: A, data_lengths: A | None=None, label_lengths: A | None=None, use_data_lengths: bool=False, use_label_lengths: bool=False, blank_label: str='first', out: A | None=None, name: str | None=None) -> A:
    """Connectionist temporal classification: the negative log-likelihood of labels."""
def deconvolution(data: A, weight: A, bias: A | None=None, kernel: tuple[int, ...] | int | None=None, stride: tuple[int, ...] | int | None=None, dilate: tuple[int, ...] | int | None=None, pad: tuple[int, ...] | int | None=None, adj: tuple[int, ...] | int | None=None, target_shape: tuple[int, ...] | int | None=None, num_filter: int | None=None, num_group: int=1, workspace: int=512, no_bias: bool=True, cudnn_tune: Any=None, cudnn_off: bool=False, layout: str | None=None, out: A | None=None, name: str | None=None) -> A:
    """Transposed convolution of images with filters."""
def dropout(data: A, p: float=0.5, mode: str='training', axes: int | tuple[int, ...] | None=(), cudnn_off: bool=False, out: A | None=None, name: str | None=None) -> A:
    """In training, set values to 0 with probability `p` and scale the others by ``1 / (1 - p)``."""
def embedding(data: A, weight: A, input_dim: int | None=None, output_dim: int | None=None, dtype: Any=None, sparse_grad: bool=False, out: A | None=None, name: str | None=None) -> A:
    """Look up rows of `weight` by the indices in `data`."""
def erf(data: A, out: A | None=None, name: str | None=None) -> A:
    """The error function."""
def erfinv(data: A, out: A | None=None, name: str | None=None) -> A:
    """The inverse of the error function."""
def fully_connected(data: A, weight: A, bias: A | None=None, num_hidden: int | None=None, no_bias: bool=False, flatten: bool=True, out: A | None=None, name: str | None=None) -> A:
    """Fully connected layer: ``data @ weight.T + bias``."""
def gamma(data: A, out: A | None=None, name: str | None=None) -> A:
    """The gamma function."""
def gammaln(data: A, out: A | None=None, name: str | None=None) -> A:
    """The logarithm of |gamma(x)|."""
def gather_nd(data: A, indices: A, out: A | None=None, name: str | None=None) -> A:
    """Gather values by index: ``data[indices[0], indices[1], ...]``."""
def group_norm(data: A, gamma: A, beta: A, num_groups: int=1, eps: float=1e-05, output_mean_var: bool=False, out: A | Sequence[A] | None=None, name: str | None=None) -> A | Any:
    """Normalize each group of channels of each sample."""
def hard_sigmoid(data: A, alpha: float=0.2, beta: float=0.5, out: A | None=None, name: str | None=None) -> A:
    """``alpha * data + beta`` limited to [0, 1]."""
def instance_norm(data: A, gamma: A, beta: A, eps: float=0.001, out: A | None=None, name: str | None=None) -> A:
    """Normalize each channel of each sample: ``gamma * (data - mean) / sqrt(var + eps) + beta``."""
def l2_normalization(data: A, eps: float=1e-10, mode: str='instance', out: A | None=None, name: str | None=None) -> A:
    """Divide by a 2-norm: ``data / sqrt(sum(data**2) + eps)``."""
def layer_norm(data: A, gamma: A, beta: A, axis: int=-1, eps: float=1e-05, output_mean_var: bool=False, out: A | Sequence[A] | None=None, name: str | None=None) -> A | Any:
    """Normalize along one axis: ``gamma * (data - mean) / sqrt(var + eps) + beta``."""
def leaky_relu(data: A, gamma: A | None=None, act_type: str='leaky', slope: float=0.25, lower_bound: float=0.125, upper_bound: float=0.334, out: A | None=None, name: str | None=None) -> A:
    """Leaky rectified linear units: x if x > 0, otherwise a small or smooth value."""
def log_softmax(data: A, axis: int=-1, temperature: float | None=None, dtype: Any=None, use_length: bool=False, out: A | None=None, name: str | None=None) -> A:
    """The logarithm of the softmax, computed stably."""
def lrn(data: A, alpha: float=0.0001, beta: float=0.75, knorm: float=2.0, nsize: int | None=None, out: A | None=None, name: str | None=None) -> A:
    """Normalize over nearby channels: ``data / (knorm + alpha / nsize * squares) ** beta``."""
def multibox_detection(cls_prob: A, loc_pred: A, anchor: A, clip: bool=True, threshold: float=0.01, background_id: int=0, nms_threshold: float=0.5, force_suppress: bool=False, variances: float | tuple[float, ...]=(0.1, 0.1, 0.2, 0.2), nms_topk: int=-1, out: A | None=None, name: str | None=None) -> A:
    """Convert the predictions of a detector to detections."""
def multibox_prior(data: A, sizes: float | tuple[float, ...]=(1.0,), ratios: float | tuple[float, ...]=(1.0,), clip: bool=False, steps: float | tuple[float, ...]=(-1.0, -1.0), offsets: float | tuple[float, ...]=(0.5, 0.5), out: A | None=None, name: str | None=None) -> A:
    """Anchor boxes around each pixel: all sizes at the first ratio, then all other ratios."""
def multibox_target(anchor: A, label: A, cls_pred: A, overlap_threshold: float=0.5, ignore_label: float=-1.0, negative_mining_ratio: float=-1.0, negative_mining_thresh: float=0.5, minimum_negative_samples: int=0, variances: float | tuple[float, ...]=(0.1, 0.1, 0.2, 0.2), out: Sequence[A] | None=None, name: str | None=None) -> list[A]:
    """Compute training targets for the anchor boxes of a detector."""
def norm(data: A, ord: int=2, axis: int | tuple[int, ...] | None=None, out_dtype: Any=None, keepdims: bool=False, out: A | None=None, name: str | None=None) -> A:
    """The norm: `ord` 1 sums ``abs(x)``, and 2 is the square root of the sum of squares."""
def one_hot(indices: A, depth: int, on_value: float=1.0, off_value: float=0.0, dtype: Any='float32', out: A | None=None, name: str | None=None) -> A:
    """One-hot encoding along a new last axis: `on_value` at each index, `off_value` elsewhere."""
def pick(data: A, index: A, axis: int=-1, keepdims: bool=False, mode: str='clip', out: A | None=None, name: str | None=None) -> A:
    """Pick one element along `axis` by index."""
def pooling(data: A, kernel: tuple[int, ...] | int | None=None, pool_type: str='max', global_pool: bool=False, cudnn_off: bool=False, pooling_convention: str='valid', stride: tuple[int, ...] | int | None=None, pad: tuple[int, ...] | int | None=None, p_value: int | None=None, count_include_pad: bool | None=None, layout: str | None=None, out: A | None=None, name: str | None=None) -> A:
    """Pool over moving windows: maximum, average, sum or p-norm."""
def relu(data: A, out: A | None=None, name: str | None=None) -> A:
    """max(x, 0); the subgradient at 0 is 0."""
def reshape_like(lhs: A, rhs: A, lhs_begin: int | None=None, lhs_end: int | None=None, rhs_begin: int | None=None, rhs_end: int | None=None, out: A | None=None, name: str | None=None) -> A:
    """Reshape `lhs` to the shape of `rhs`, or some of its axes to those of `rhs`."""
def rnn(data: A, parameters: A, state: A, state_cell: A | None=None, sequence_length: A | None=None, state_size: int | None=None, num_layers: int | None=None, bidirectional: bool=False, mode: str | None=None, p: float=0.0, state_outputs: bool=False, projection_size: int | None=None, lstm_state_clip_min: float | None=None, lstm_state_clip_max: float | None=None, lstm_state_clip_nan: bool=False, use_sequence_length: bool=False, out: A | Sequence[A] | None=None, name: str | None=None) -> A | Any:
    """Apply stacked recurrent layers to a sequence."""
def roi_align(data: A, rois: A, pooled_size: tuple[int, int], spatial_scale: float, sample_ratio: int=-1, position_sensitive: bool=False, aligned: bool=False, out: A | None=None, name: str | None=None) -> A:
    """Region-of-interest pooling: the average of interpolated points in each bin of a region."""
def roi_pooling(data: A, rois: A, pooled_size: tuple[int, int], spatial_scale: float, out: A | None=None, name: str | None=None) -> A:
    """Region-of-interest pooling: the maximum over each bin of a region."""
def sequence_last(data: A, sequence_length: A | None=None, use_sequence_length: bool=False, axis: int=0, out: A | None=None, name: str | None=None) -> A:
    """Return the last step of each sequence."""
def sequence_mask(data: A, sequence_length: A | None=None, use_sequence_length: bool=False, value: float=0.0, axis: int=0, out: A | None=None, name: str | None=None) -> A:
    """Set elements beyond the length of each sequence to `value`."""
def sequence_reverse(data: A, sequence_length: A | None=None, use_sequence_length: bool=False, axis: int=0, out: A | None=None, name: str | None=None) -> A:
    """Reverse the steps of each sequence; steps beyond its length keep their positions."""
def shape_array(data: A, out: A | None=None, name: str | None=None) -> A:
    """The shape, as an array."""
def sigmoid(data: A, out: A | None=None, name: str | None=None) -> A:
    """1 / (1 + exp(-x))."""
def slice(data: A, begin: Sequence[int], end: Sequence[int], step: Sequence[int]=(), out: A | None=None, name: str | None=None) -> A:
    """Slice several axes: a copy of ``data[b0:e0:s0, b1:e1:s1, …]``."""
def smooth_l1(data: A, scalar: float=1.0, out: A | None=None, name: str | None=None) -> A:
    """Smooth L1: the absolute value, quadratic near 0."""
def softmax(data: A, length: A | None=None, axis: int=-1, temperature: float | None=None, dtype: Any=None, use_length: bool=False, out: A | None=None, name: str | None=None) -> A:
    """``exp(data / temperature)`` divided by its sum along `axis`."""
def stop_gradient(data: A, out: A | None=None, name: str | None=None) -> A:
    """Return a copy without gradient."""
def topk(data: A, axis: int | None=-1, k: int=1, ret_typ: str='indices', is_ascend: bool=False, dtype: Any='float32', out: A | Sequence[A] | None=None, name: str | None=None) -> A | Any:
    """The `k` largest values along `axis`, in descending order; ties go to the lower index."""
