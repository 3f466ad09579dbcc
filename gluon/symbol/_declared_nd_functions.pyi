# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon.symbol.symbol import Symbol
from typing import Any, overload

@overload
def Activation(data: Symbol, act_type: str, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Apply an activation function by name."""
@overload
def Activation(*, data: Symbol | None = None, act_type: str, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Apply an activation function by name."""
def BatchNorm(data: Symbol | None = None, gamma: Symbol | None = None, beta: Symbol | None = None, moving_mean: Symbol | None = None, moving_var: Symbol | None = None, eps: float = 0.001, momentum: float = 0.9, fix_gamma: bool = True, use_global_stats: bool = False, output_mean_var: bool = False, axis: int = 1, cudnn_off: bool = False, min_calib_range: float | None = None, max_calib_range: float | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Normalize each channel over the batch: ``gamma * (data - mean) / sqrt(var + eps) + beta``."""
def BatchNormWithReLU(data: Symbol | None = None, gamma: Symbol | None = None, beta: Symbol | None = None, moving_mean: Symbol | None = None, moving_var: Symbol | None = None, eps: float = 0.001, momentum: float = 0.9, fix_gamma: bool = True, use_global_stats: bool = False, output_mean_var: bool = False, axis: int = 1, cudnn_off: bool = False, min_calib_range: float | None = None, max_calib_range: float | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """`BatchNorm` followed by ReLU: ``max(BatchNorm(...), 0)``."""
def BatchNorm_v1(data: Symbol | None = None, gamma: Symbol | None = None, beta: Symbol | None = None, moving_mean: Symbol | None = None, moving_var: Symbol | None = None, eps: float = 0.001, momentum: float = 0.9, fix_gamma: bool = True, use_global_stats: bool = False, output_mean_var: bool = False, axis: int = 1, cudnn_off: bool = False, min_calib_range: float | None = None, max_calib_range: float | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Normalize each channel over the batch: ``gamma * (data - mean) / sqrt(var + eps) + beta``."""
def BilinearSampler(data: Symbol | None = None, grid: Symbol | None = None, cudnn_off: bool | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Sample images at the points of a grid by bilinear interpolation; 0 outside the image."""
def BlockGrad(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Return a copy without gradient."""
def CTCLoss(data: Symbol | None = None, label: Symbol | None = None, data_lengths: Symbol | None = None, label_lengths: Symbol | None = None, use_data_lengths: bool = False, use_label_lengths: bool = False, blank_label: str = 'first', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Connectionist temporal classification: the negative log-likelihood of labels."""
@overload
def Cast(data: Symbol, dtype: Any, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Cast to another dtype; gradients are cast back."""
@overload
def Cast(*, data: Symbol | None = None, dtype: Any, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Cast to another dtype; gradients are cast back."""
def Concat(*data: Symbol | Sequence[Symbol], num_args: int | None = None, dim: int = 1, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Join arrays along an axis."""
def Convolution(data: Symbol | None = None, weight: Symbol | None = None, bias: Symbol | None = None, kernel: tuple[int, ...] | int | None = None, stride: tuple[int, ...] | int | None = None, dilate: tuple[int, ...] | int | None = None, pad: tuple[int, ...] | int | None = None, num_filter: int | None = None, num_group: int = 1, workspace: int = 1024, no_bias: bool = False, cudnn_tune: Any = None, cudnn_off: bool = False, layout: str | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Convolution of images with filters, in 1, 2, 3 or more dimensions."""
def Convolution_v1(data: Symbol | None = None, weight: Symbol | None = None, bias: Symbol | None = None, kernel: tuple[int, ...] | int | None = None, stride: tuple[int, ...] | int | None = None, dilate: tuple[int, ...] | int | None = None, pad: tuple[int, ...] | int | None = None, num_filter: int | None = None, num_group: int = 1, workspace: int = 1024, no_bias: bool = False, cudnn_tune: Any = None, cudnn_off: bool = False, layout: str | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Convolution of images with filters, in 1, 2, 3 or more dimensions."""
def Correlation(data1: Symbol | None = None, data2: Symbol | None = None, kernel_size: int = 1, max_displacement: int = 1, stride1: int = 1, stride2: int = 1, pad_size: int = 0, is_multiply: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Correlate each patch of one image with the patches around it in another."""
def Crop(*data: Symbol | Sequence[Symbol], num_args: int | None = None, offset: tuple[int, int] = (0, 0), h_w: tuple[int, int] = (0, 0), center_crop: bool = False, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Crop images."""
def Custom(*data: Symbol | Sequence[Symbol], num_args: int | None = None, op_type: str | None = None, name: str | None = None, attr: dict[str, str] | None = None, **kwargs: Any) -> Symbol:
    """Call a custom operator; `gluon.operator.CustomOpProp` has an example."""
def Deconvolution(data: Symbol | None = None, weight: Symbol | None = None, bias: Symbol | None = None, kernel: tuple[int, ...] | int | None = None, stride: tuple[int, ...] | int | None = None, dilate: tuple[int, ...] | int | None = None, pad: tuple[int, ...] | int | None = None, adj: tuple[int, ...] | int | None = None, target_shape: tuple[int, ...] | int | None = None, num_filter: int | None = None, num_group: int = 1, workspace: int = 512, no_bias: bool = True, cudnn_tune: Any = None, cudnn_off: bool = False, layout: str | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Transposed convolution of images with filters."""
def Dropout(data: Symbol | None = None, p: float = 0.5, mode: str = 'training', axes: int | tuple[int, ...] | None = (), cudnn_off: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """In training, set values to 0 with probability `p` and scale the others by ``1 / (1 - p)``."""
def ElementWiseSum(*args: Symbol | Sequence[Symbol], num_args: int | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The sum of arrays of equal shape."""
def Embedding(data: Symbol | None = None, weight: Symbol | None = None, input_dim: int | None = None, output_dim: int | None = None, dtype: Any = None, sparse_grad: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Look up rows of `weight` by the indices in `data`."""
def Flatten(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Flatten all axes except the first."""
def FullyConnected(data: Symbol | None = None, weight: Symbol | None = None, bias: Symbol | None = None, num_hidden: int | None = None, no_bias: bool = False, flatten: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Fully connected layer: ``data @ weight.T + bias``."""
@overload
def GridGenerator(data: Symbol, transform_type: str, target_shape: tuple[int, int] = (0, 0), *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Compute the sampling grid for `BilinearSampler`, from affine maps or a flow."""
@overload
def GridGenerator(*, data: Symbol | None = None, transform_type: str, target_shape: tuple[int, int] = (0, 0), name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Compute the sampling grid for `BilinearSampler`, from affine maps or a flow."""
def GroupNorm(data: Symbol | None = None, gamma: Symbol | None = None, beta: Symbol | None = None, num_groups: int = 1, eps: float = 1e-05, output_mean_var: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Normalize each group of channels of each sample."""
def IdentityAttachKLSparseReg(data: Symbol | None = None, moving_avg: Symbol | None = None, sparseness_target: float = 0.1, penalty: float = 0.001, momentum: float = 0.9, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Return the data, and add the gradient of a sparsity penalty to its own."""
def InstanceNorm(data: Symbol | None = None, gamma: Symbol | None = None, beta: Symbol | None = None, eps: float = 0.001, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Normalize each channel of each sample: ``gamma * (data - mean) / sqrt(var + eps) + beta``."""
def L2Normalization(data: Symbol | None = None, eps: float = 1e-10, mode: str = 'instance', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Divide by a 2-norm: ``data / sqrt(sum(data**2) + eps)``."""
def LRN(data: Symbol | None = None, alpha: float = 0.0001, beta: float = 0.75, knorm: float = 2.0, nsize: int | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Normalize over nearby channels: ``data / (knorm + alpha / nsize * squares) ** beta``."""
def LayerNorm(data: Symbol | None = None, gamma: Symbol | None = None, beta: Symbol | None = None, axis: int = -1, eps: float = 1e-05, output_mean_var: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Normalize along one axis: ``gamma * (data - mean) / sqrt(var + eps) + beta``."""
def LeakyReLU(data: Symbol | None = None, gamma: Symbol | None = None, act_type: str = 'leaky', slope: float = 0.25, lower_bound: float = 0.125, upper_bound: float = 0.334, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Leaky rectified linear units: x if x > 0, otherwise a small or smooth value."""
def LinearRegressionOutput(data: Symbol | None = None, label: Symbol | None = None, grad_scale: float = 1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Return the data, with the gradient of half the squared error instead of its own."""
def LogisticRegressionOutput(data: Symbol | None = None, label: Symbol | None = None, grad_scale: float = 1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Return the sigmoid, with the gradient of the binary cross-entropy instead of its own."""
def MAERegressionOutput(data: Symbol | None = None, label: Symbol | None = None, grad_scale: float = 1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Return the data, with the gradient of the absolute error instead of its own."""
def MakeLoss(data: Symbol | None = None, grad_scale: float = 1.0, valid_thresh: float = 0.0, normalization: str = 'null', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Return the data; its gradient is `grad_scale`, whatever the head gradient."""
def Pad(data: Symbol | None = None, mode: str = 'constant', pad_width: Sequence[int] = (), constant_value: float = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Pad an array."""
def Pooling(data: Symbol | None = None, kernel: tuple[int, ...] | int | None = None, pool_type: str = 'max', global_pool: bool = False, cudnn_off: bool = False, pooling_convention: str = 'valid', stride: tuple[int, ...] | int | None = None, pad: tuple[int, ...] | int | None = None, p_value: int | None = None, count_include_pad: bool | None = None, layout: str | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Pool over moving windows: maximum, average, sum or p-norm."""
def Pooling_v1(data: Symbol | None = None, kernel: tuple[int, ...] | int | None = None, pool_type: str = 'max', global_pool: bool = False, pooling_convention: str = 'valid', stride: tuple[int, ...] | int | None = None, pad: tuple[int, ...] | int | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The former `Pooling`: the maximum and the average include the zeros of the padding."""
def RNN(data: Symbol | None = None, parameters: Symbol | None = None, state: Symbol | None = None, state_cell: Symbol | None = None, sequence_length: Symbol | None = None, state_size: int | None = None, num_layers: int | None = None, bidirectional: bool = False, mode: str | None = None, p: float = 0.0, state_outputs: bool = False, projection_size: int | None = None, lstm_state_clip_min: float | None = None, lstm_state_clip_max: float | None = None, lstm_state_clip_nan: bool = False, use_sequence_length: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Apply stacked recurrent layers to a sequence."""
@overload
def ROIPooling(data: Symbol, rois: Symbol, pooled_size: tuple[int, int], spatial_scale: float, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Region-of-interest pooling: the maximum over each bin of a region."""
@overload
def ROIPooling(*, data: Symbol | None = None, rois: Symbol | None = None, pooled_size: tuple[int, int], spatial_scale: float, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Region-of-interest pooling: the maximum over each bin of a region."""
def Reshape(data: Symbol | None = None, shape: int | Sequence[int] = (), reverse: bool = False, target_shape: int | Sequence[int] = (), keep_highest: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Change the shape of an array, in row-major order."""
def SVMOutput(data: Symbol | None = None, label: Symbol | None = None, margin: float = 1.0, regularization_coefficient: float = 1.0, use_linear: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Return the data; its gradient is that of the hinge loss."""
def SequenceLast(data: Symbol | None = None, sequence_length: Symbol | None = None, use_sequence_length: bool = False, axis: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Return the last step of each sequence."""
def SequenceMask(data: Symbol | None = None, sequence_length: Symbol | None = None, use_sequence_length: bool = False, value: float = 0.0, axis: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Set elements beyond the length of each sequence to `value`."""
def SequenceReverse(data: Symbol | None = None, sequence_length: Symbol | None = None, use_sequence_length: bool = False, axis: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Reverse the steps of each sequence; steps beyond its length keep their positions."""
@overload
def SliceChannel(data: Symbol, num_outputs: int, axis: int = 1, squeeze_axis: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Split an array into equal parts along an axis."""
@overload
def SliceChannel(*, data: Symbol | None = None, num_outputs: int, axis: int = 1, squeeze_axis: bool = False, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Split an array into equal parts along an axis."""
def Softmax(data: Symbol | None = None, label: Symbol | None = None, grad_scale: float = 1.0, ignore_label: float = -1.0, multi_output: bool = False, use_ignore: bool = False, preserve_shape: bool = False, normalization: str = 'null', out_grad: bool = False, smooth_alpha: float = 0.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Return the softmax; its gradient is that of the cross-entropy with `label`."""
def SoftmaxActivation(data: Symbol | None = None, mode: str = 'instance', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The softmax over the last axis, or over the channels."""
def SoftmaxOutput(data: Symbol | None = None, label: Symbol | None = None, grad_scale: float = 1.0, ignore_label: float = -1.0, multi_output: bool = False, use_ignore: bool = False, preserve_shape: bool = False, normalization: str = 'null', out_grad: bool = False, smooth_alpha: float = 0.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Return the softmax; its gradient is that of the cross-entropy with `label`."""
def SpatialTransformer(data: Symbol | None = None, loc: Symbol | None = None, target_shape: tuple[int, int] = (0, 0), transform_type: str | None = None, sampler_type: str | None = None, cudnn_off: bool | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Apply affine transformations to images: `GridGenerator` and `BilinearSampler`."""
def SwapAxis(data: Symbol | None = None, dim1: int = 0, dim2: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Swap two axes."""
def UpSampling(*data: Symbol | Sequence[Symbol], num_args: int | None = None, scale: int, sample_type: str, num_filter: int = 0, multi_input_mode: str = 'concat', workspace: int = 512, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Enlarge images `scale` times."""
def abs(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """|x|; the subgradient at 0 is 0."""
@overload
def adam_update(weight: Symbol, grad: Symbol, mean: Symbol, var: Symbol, lr: float, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, lazy_update: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Adam: the running mean of the gradient, divided by the root of that of its square."""
@overload
def adam_update(*, weight: Symbol | None = None, grad: Symbol | None = None, mean: Symbol | None = None, var: Symbol | None = None, lr: float, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, lazy_update: bool = True, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Adam: the running mean of the gradient, divided by the root of that of its square."""
def add_n(*args: Symbol | Sequence[Symbol], num_args: int | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The sum of arrays of equal shape."""
def all_finite(data: Symbol | None = None, init_output: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """1 when no value is infinite or NaN, else 0."""
@overload
def amp_cast(data: Symbol, dtype: Any, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Cast arrays of float16, bfloat16 or float32; copy others."""
@overload
def amp_cast(*, data: Symbol | None = None, dtype: Any, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Cast arrays of float16, bfloat16 or float32; copy others."""
def amp_multicast(*data: Symbol | Sequence[Symbol], num_args: int | None = None, num_outputs: int | None = None, cast_narrow: bool = False, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Bring arrays of float16, bfloat16 and float32 to one dtype; copy all others."""
def arccos(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The inverse cosine."""
def arccosh(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The inverse hyperbolic cosine."""
def arcsin(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The inverse sine."""
def arcsinh(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The inverse hyperbolic sine."""
def arctan(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The inverse tangent."""
def arctanh(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The inverse hyperbolic tangent."""
def argmax(data: Symbol | None = None, axis: int | None = None, keepdims: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The index of the largest value along `axis`."""
def argmax_channel(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The index of the largest value along axis 1; see `argmax`."""
def argmin(data: Symbol | None = None, axis: int | None = None, keepdims: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The index of the smallest value along `axis`."""
def argsort(data: Symbol | None = None, axis: int | None = -1, is_ascend: bool = True, dtype: Any = 'float32', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The indices that sort an array; equal values keep their order."""
def batch_dot(lhs: Symbol | None = None, rhs: Symbol | None = None, transpose_a: bool = False, transpose_b: bool = False, forward_stype: str | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The products of two stacks of matrices."""
def batch_take(a: Symbol | None = None, indices: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Pick one element of each row of a matrix; `pick` takes any axis."""
def broadcast_add(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """lhs + rhs."""
def broadcast_axes(data: Symbol | None = None, axis: int | Sequence[int] = (), size: int | Sequence[int] = (), *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Broadcast given axes of length 1 to new lengths."""
def broadcast_axis(data: Symbol | None = None, axis: int | Sequence[int] = (), size: int | Sequence[int] = (), *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Broadcast given axes of length 1 to new lengths."""
def broadcast_div(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """lhs / rhs; of integers, an integer."""
def broadcast_equal(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """1 where lhs == rhs, else 0."""
def broadcast_greater(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """1 where lhs > rhs, else 0."""
def broadcast_greater_equal(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """1 where lhs >= rhs, else 0."""
def broadcast_hypot(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """sqrt(lhs**2 + rhs**2)."""
def broadcast_lesser(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """1 where lhs < rhs, else 0."""
def broadcast_lesser_equal(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """1 where lhs <= rhs, else 0."""
def broadcast_like(lhs: Symbol | None = None, rhs: Symbol | None = None, lhs_axes: int | Sequence[int] | None = None, rhs_axes: int | Sequence[int] | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Broadcast `lhs` to the shape of `rhs`."""
def broadcast_logical_and(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """1 where neither is 0, else 0."""
def broadcast_logical_or(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """1 where one is not 0, else 0."""
def broadcast_logical_xor(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """1 where exactly one of them is 0, else 0."""
def broadcast_maximum(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The larger of both; at a tie lhs gets the gradient."""
def broadcast_minimum(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The smaller of both; at a tie lhs gets the gradient."""
def broadcast_minus(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """lhs - rhs."""
def broadcast_mod(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The remainder of lhs / rhs, with the sign of rhs."""
def broadcast_mul(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """lhs * rhs."""
def broadcast_not_equal(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """1 where lhs != rhs, else 0."""
def broadcast_plus(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """lhs + rhs."""
def broadcast_power(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """lhs ** rhs."""
def broadcast_sub(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """lhs - rhs."""
@overload
def broadcast_to(data: Symbol, shape: int | Sequence[int], *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Broadcast an array to a shape."""
@overload
def broadcast_to(*, data: Symbol | None = None, shape: int | Sequence[int], name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Broadcast an array to a shape."""
@overload
def cast(data: Symbol, dtype: Any, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Cast to another dtype; gradients are cast back."""
@overload
def cast(*, data: Symbol | None = None, dtype: Any, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Cast to another dtype; gradients are cast back."""
@overload
def cast_storage(data: Symbol, stype: str, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Return a copy in another storage type; see `NDArray.tostype`."""
@overload
def cast_storage(*, data: Symbol | None = None, stype: str, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Return a copy in another storage type; see `NDArray.tostype`."""
def cbrt(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The cube root."""
def ceil(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The smallest integer not below x; its gradient is 0."""
def choose_element_0index(data: Symbol | None = None, index: Symbol | None = None, axis: int = -1, keepdims: bool = False, mode: str = 'clip', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Pick one element along `axis` by index."""
@overload
def clip(data: Symbol, a_min: float, a_max: float, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Limit the values to ``[a_min, a_max]``; the gradient is 0 outside."""
@overload
def clip(*, data: Symbol | None = None, a_min: float, a_max: float, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Limit the values to ``[a_min, a_max]``; the gradient is 0 outside."""
@overload
def col2im(data: Symbol, output_size: tuple[int, ...] | int | None, kernel: tuple[int, ...] | int | None, stride: tuple[int, ...] | int | None = (), dilate: tuple[int, ...] | int | None = (), pad: tuple[int, ...] | int | None = (), *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Sum columns back into images: the gradient of `im2col`."""
@overload
def col2im(*, data: Symbol | None = None, output_size: tuple[int, ...] | int | None, kernel: tuple[int, ...] | int | None, stride: tuple[int, ...] | int | None = (), dilate: tuple[int, ...] | int | None = (), pad: tuple[int, ...] | int | None = (), name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Sum columns back into images: the gradient of `im2col`."""
def concat(*data: Symbol | Sequence[Symbol], num_args: int | None = None, dim: int = 1, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Join arrays along an axis."""
def cos(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The cosine."""
def cosh(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The hyperbolic cosine."""
@overload
def crop(data: Symbol, begin: Sequence[int], end: Sequence[int], step: Sequence[int] = (), *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Slice several axes: a copy of ``data[b0:e0:s0, b1:e1:s1, …]``."""
@overload
def crop(*, data: Symbol | None = None, begin: Sequence[int], end: Sequence[int], step: Sequence[int] = (), name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Slice several axes: a copy of ``data[b0:e0:s0, b1:e1:s1, …]``."""
def ctc_loss(data: Symbol | None = None, label: Symbol | None = None, data_lengths: Symbol | None = None, label_lengths: Symbol | None = None, use_data_lengths: bool = False, use_label_lengths: bool = False, blank_label: str = 'first', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Connectionist temporal classification: the negative log-likelihood of labels."""
def cumsum(a: Symbol | None = None, axis: int | None = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Cumulative sum along `axis`; of the flattened array by default."""
def degrees(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Radians to degrees."""
@overload
def depth_to_space(data: Symbol, block_size: int, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Rearrange channels into blocks of pixels; the inverse of `space_to_depth`."""
@overload
def depth_to_space(*, data: Symbol | None = None, block_size: int, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Rearrange channels into blocks of pixels; the inverse of `space_to_depth`."""
def diag(data: Symbol | None = None, k: int = 0, axis1: int = 0, axis2: int = 1, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Extract the `k`-th diagonal, or create a matrix with a vector on that diagonal."""
def digamma(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The derivative of gammaln."""
def dot(lhs: Symbol | None = None, rhs: Symbol | None = None, transpose_a: bool = False, transpose_b: bool = False, forward_stype: str | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The sum of products over the last axis of `lhs` and the first of `rhs`."""
def elemwise_add(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """lhs + rhs."""
def elemwise_div(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """lhs / rhs; of integers, an integer."""
def elemwise_mul(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """lhs * rhs."""
def elemwise_sub(lhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """lhs - rhs."""
def erf(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The error function."""
def erfinv(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The inverse of the error function."""
def exp(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """e ** x."""
@overload
def expand_dims(data: Symbol, axis: int, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Insert a new axis of length 1."""
@overload
def expand_dims(*, data: Symbol | None = None, axis: int, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Insert a new axis of length 1."""
def expm1(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """exp(x) - 1, exact near 0."""
def fill_element_0index(lhs: Symbol | None = None, mhs: Symbol | None = None, rhs: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Replace one element of each row of `lhs`."""
def fix(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """x rounded towards 0; its gradient is 0."""
def flatten(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Flatten all axes except the first."""
@overload
def flip(data: Symbol, axis: int | Sequence[int], *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Reverse the order along one or more axes."""
@overload
def flip(*, data: Symbol | None = None, axis: int | Sequence[int], name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Reverse the order along one or more axes."""
def floor(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The largest integer not above x; its gradient is 0."""
@overload
def ftml_update(weight: Symbol, grad: Symbol, d: Symbol, v: Symbol, z: Symbol, lr: float, t: int, beta1: float = 0.6, beta2: float = 0.999, epsilon: float = 1e-08, wd: float = 0.0, rescale_grad: float = 1.0, clip_grad: float = -1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Follow the moving leader ("Follow the moving leader in deep learning", 2017)."""
@overload
def ftml_update(*, weight: Symbol | None = None, grad: Symbol | None = None, d: Symbol | None = None, v: Symbol | None = None, z: Symbol | None = None, lr: float, t: int, beta1: float = 0.6, beta2: float = 0.999, epsilon: float = 1e-08, wd: float = 0.0, rescale_grad: float = 1.0, clip_grad: float = -1.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Follow the moving leader ("Follow the moving leader in deep learning", 2017)."""
@overload
def ftrl_update(weight: Symbol, grad: Symbol, z: Symbol, n: Symbol, lr: float, lamda1: float = 0.01, beta: float = 1.0, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Follow the regularized leader ("Ad click prediction: a view from the trenches", 2013)."""
@overload
def ftrl_update(*, weight: Symbol | None = None, grad: Symbol | None = None, z: Symbol | None = None, n: Symbol | None = None, lr: float, lamda1: float = 0.01, beta: float = 1.0, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Follow the regularized leader ("Ad click prediction: a view from the trenches", 2013)."""
def gamma(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The gamma function."""
def gammaln(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The logarithm of |gamma(x)|."""
def gather_nd(data: Symbol | None = None, indices: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Gather values by index: ``data[indices[0], indices[1], ...]``."""
def hard_sigmoid(data: Symbol | None = None, alpha: float = 0.2, beta: float = 0.5, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """``alpha * data + beta`` limited to [0, 1]."""
def identity(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Return a copy; gradients flow through it."""
@overload
def im2col(data: Symbol, kernel: tuple[int, ...] | int | None, stride: tuple[int, ...] | int | None = (), dilate: tuple[int, ...] | int | None = (), pad: tuple[int, ...] | int | None = (), *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Rearrange windows of an image, or of N-d data, into columns."""
@overload
def im2col(*, data: Symbol | None = None, kernel: tuple[int, ...] | int | None, stride: tuple[int, ...] | int | None = (), dilate: tuple[int, ...] | int | None = (), pad: tuple[int, ...] | int | None = (), name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Rearrange windows of an image, or of N-d data, into columns."""
def khatri_rao(*args: Symbol | Sequence[Symbol], num_args: int | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Khatri-Rao product: the Kronecker product of each column of the matrices."""
@overload
def lamb_update_phase1(weight: Symbol, grad: Symbol, mean: Symbol, var: Symbol, t: int, wd: float, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-06, bias_correction: bool = True, rescale_grad: float = 1.0, clip_gradient: float = -1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The first half of LAMB ("Large batch optimization", 2020): the direction of the step."""
@overload
def lamb_update_phase1(*, weight: Symbol | None = None, grad: Symbol | None = None, mean: Symbol | None = None, var: Symbol | None = None, t: int, wd: float, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-06, bias_correction: bool = True, rescale_grad: float = 1.0, clip_gradient: float = -1.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The first half of LAMB ("Large batch optimization", 2020): the direction of the step."""
@overload
def lamb_update_phase2(weight: Symbol, g: Symbol, r1: Symbol, r2: Symbol, lr: float, lower_bound: float = -1.0, upper_bound: float = -1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The second half of LAMB: ``weight -= lr * r1 / r2 * g``; without the ratio if one is 0."""
@overload
def lamb_update_phase2(*, weight: Symbol | None = None, g: Symbol | None = None, r1: Symbol | None = None, r2: Symbol | None = None, lr: float, lower_bound: float = -1.0, upper_bound: float = -1.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The second half of LAMB: ``weight -= lr * r1 / r2 * g``; without the ratio if one is 0."""
def linalg_det(A: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The determinant of each matrix."""
def linalg_extractdiag(A: Symbol | None = None, offset: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Extract a diagonal of each matrix."""
def linalg_extracttrian(A: Symbol | None = None, offset: int = 0, lower: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Extract a triangle of each matrix as a vector (the upper one column by column)."""
def linalg_gelqf(A: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The factors Q and L of ``A = L @ Q``, L lower triangular and the rows of Q orthonormal."""
def linalg_gemm(A: Symbol | None = None, B: Symbol | None = None, C: Symbol | None = None, transpose_a: bool = False, transpose_b: bool = False, alpha: float = 1.0, beta: float = 1.0, axis: int = -2, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The products of two stacks of matrices and a third one, ``alpha * A @ B + beta * C``."""
def linalg_gemm2(A: Symbol | None = None, B: Symbol | None = None, transpose_a: bool = False, transpose_b: bool = False, alpha: float = 1.0, axis: int = -2, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The products of two stacks of matrices, ``alpha * A @ B``."""
def linalg_inverse(A: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The inverse of each matrix."""
def linalg_makediag(A: Symbol | None = None, offset: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Create matrices with given diagonals; the inverse of `extractdiag`."""
def linalg_maketrian(A: Symbol | None = None, offset: int = 0, lower: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Create triangular matrices from vectors; the inverse of `extracttrian`."""
def linalg_potrf(A: Symbol | None = None, *, lower: bool = True, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The lower triangular L of the Cholesky factorization ``A = L @ L.T``."""
def linalg_potri(A: Symbol | None = None, *, lower: bool = True, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The inverse of ``A @ A.T``, `A` a lower triangular factor from `potrf`."""
def linalg_slogdet(A: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The sign of the determinant of each matrix, and the logarithm of its absolute value."""
def linalg_sumlogdiag(A: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The sum of the logarithms of the diagonal of each matrix."""
def linalg_syevd(A: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The eigenvectors U and eigenvalues w of symmetric matrices, ``A = U.T @ diag(w) @ U``."""
def linalg_syrk(A: Symbol | None = None, transpose: bool = False, alpha: float = 1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Matrices times their own transposes, ``alpha * A @ A.T``."""
def linalg_trmm(A: Symbol | None = None, B: Symbol | None = None, transpose: bool = False, rightside: bool = False, lower: bool = True, alpha: float = 1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The products of triangular matrices with others, ``alpha * A @ B``."""
def linalg_trsm(A: Symbol | None = None, B: Symbol | None = None, transpose: bool = False, rightside: bool = False, lower: bool = True, alpha: float = 1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Solve ``A @ X = alpha * B`` for triangular matrices A; the inverse of `trmm`."""
def log(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The natural logarithm."""
def log10(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The base-10 logarithm."""
def log1p(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """log(1 + x), exact near 0."""
def log2(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The base-2 logarithm."""
def log_softmax(data: Symbol | None = None, axis: int = -1, temperature: float | None = None, dtype: Any = None, use_length: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The logarithm of the softmax, computed stably."""
def logical_not(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """1 where a value is 0, 0 elsewhere."""
def make_loss(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Return the data; its gradient is 1. The same as `MakeLoss` without options."""
def max(data: Symbol | None = None, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, exclude: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The maximum over `axis`; the whole gradient goes to each element that has this value."""
def max_axis(data: Symbol | None = None, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, exclude: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The maximum over `axis`; the whole gradient goes to each element that has this value."""
def mean(data: Symbol | None = None, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, exclude: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The mean over `axis`."""
def min(data: Symbol | None = None, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, exclude: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The minimum over `axis`; the whole gradient goes to each element that has this value."""
def min_axis(data: Symbol | None = None, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, exclude: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The minimum over `axis`; the whole gradient goes to each element that has this value."""
def moments(data: Symbol | None = None, axes: int | Sequence[int] | None = None, keepdims: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The mean and the population variance over `axes`."""
@overload
def moveaxis(tensor: Symbol, source: int | Sequence[int], destination: int | Sequence[int], *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Move axes to new positions; the other axes keep their order."""
@overload
def moveaxis(*, tensor: Symbol | None = None, source: int | Sequence[int], destination: int | Sequence[int], name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Move axes to new positions; the other axes keep their order."""
@overload
def mp_lamb_update_phase1(weight: Symbol, grad: Symbol, mean: Symbol, var: Symbol, weight32: Symbol, t: int, wd: float, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-06, bias_correction: bool = True, rescale_grad: float = 1.0, clip_gradient: float = -1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `lamb_update_phase1`, on a float32 copy of a float16 weight."""
@overload
def mp_lamb_update_phase1(*, weight: Symbol | None = None, grad: Symbol | None = None, mean: Symbol | None = None, var: Symbol | None = None, weight32: Symbol | None = None, t: int, wd: float, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-06, bias_correction: bool = True, rescale_grad: float = 1.0, clip_gradient: float = -1.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `lamb_update_phase1`, on a float32 copy of a float16 weight."""
@overload
def mp_lamb_update_phase2(weight: Symbol, g: Symbol, r1: Symbol, r2: Symbol, weight32: Symbol, lr: float, lower_bound: float = -1.0, upper_bound: float = -1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `lamb_update_phase2`, on a float32 copy of a float16 weight."""
@overload
def mp_lamb_update_phase2(*, weight: Symbol | None = None, g: Symbol | None = None, r1: Symbol | None = None, r2: Symbol | None = None, weight32: Symbol | None = None, lr: float, lower_bound: float = -1.0, upper_bound: float = -1.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `lamb_update_phase2`, on a float32 copy of a float16 weight."""
@overload
def mp_nag_mom_update(weight: Symbol, grad: Symbol, mom: Symbol, weight32: Symbol, lr: float, momentum: float = 0.0, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `nag_mom_update`, on a float32 copy of a float16 weight, with float32 momentum."""
@overload
def mp_nag_mom_update(*, weight: Symbol | None = None, grad: Symbol | None = None, mom: Symbol | None = None, weight32: Symbol | None = None, lr: float, momentum: float = 0.0, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `nag_mom_update`, on a float32 copy of a float16 weight, with float32 momentum."""
@overload
def mp_sgd_mom_update(weight: Symbol, grad: Symbol, mom: Symbol, weight32: Symbol, lr: float, momentum: float = 0.0, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, lazy_update: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `sgd_mom_update`, on a float32 copy of a float16 weight, with float32 momentum."""
@overload
def mp_sgd_mom_update(*, weight: Symbol | None = None, grad: Symbol | None = None, mom: Symbol | None = None, weight32: Symbol | None = None, lr: float, momentum: float = 0.0, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, lazy_update: bool = True, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `sgd_mom_update`, on a float32 copy of a float16 weight, with float32 momentum."""
@overload
def mp_sgd_update(weight: Symbol, grad: Symbol, weight32: Symbol, lr: float, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, lazy_update: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `sgd_update`, on a float32 copy of a float16 weight."""
@overload
def mp_sgd_update(*, weight: Symbol | None = None, grad: Symbol | None = None, weight32: Symbol | None = None, lr: float, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, lazy_update: bool = True, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `sgd_update`, on a float32 copy of a float16 weight."""
def multi_all_finite(*data: Symbol | Sequence[Symbol], num_args: int | None = None, num_arrays: int | None = None, init_output: bool = True, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """1 when no value of any array is infinite or NaN, else 0."""
@overload
def multi_lars(lrs: Symbol, weights_sum_sq: Symbol, grads_sum_sq: Symbol, wds: Symbol, eta: float, eps: float, rescale_grad: float = 1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Learning rates scaled by the norms of the weights and their gradients, layer by layer."""
@overload
def multi_lars(*, lrs: Symbol | None = None, weights_sum_sq: Symbol | None = None, grads_sum_sq: Symbol | None = None, wds: Symbol | None = None, eta: float, eps: float, rescale_grad: float = 1.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Learning rates scaled by the norms of the weights and their gradients, layer by layer."""
def multi_mp_sgd_mom_update(*data: Symbol | Sequence[Symbol], num_args: int | None = None, lrs: Sequence[float], wds: Sequence[float], momentum: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, num_weights: int = 1, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `mp_sgd_mom_update`, for many weights."""
def multi_mp_sgd_update(*data: Symbol | Sequence[Symbol], num_args: int | None = None, lrs: Sequence[float], wds: Sequence[float], rescale_grad: float = 1.0, clip_gradient: float = -1.0, num_weights: int = 1, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `mp_sgd_update`, for many weights: weight, gradient and float32 weight of each in turn."""
def multi_sgd_mom_update(*data: Symbol | Sequence[Symbol], num_args: int | None = None, lrs: Sequence[float], wds: Sequence[float], momentum: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, num_weights: int = 1, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `sgd_mom_update`, for many weights: weight, gradient and momentum of each in turn."""
def multi_sgd_update(*data: Symbol | Sequence[Symbol], num_args: int | None = None, lrs: Sequence[float], wds: Sequence[float], rescale_grad: float = 1.0, clip_gradient: float = -1.0, num_weights: int = 1, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `sgd_update`, for many weights: weight and gradient of each in turn."""
def multi_sum_sq(*data: Symbol | Sequence[Symbol], num_args: int | None = None, num_arrays: int | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The sum of the squares of each array."""
@overload
def nag_mom_update(weight: Symbol, grad: Symbol, mom: Symbol, lr: float, momentum: float = 0.0, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Gradient descent with Nesterov's momentum."""
@overload
def nag_mom_update(*, weight: Symbol | None = None, grad: Symbol | None = None, mom: Symbol | None = None, lr: float, momentum: float = 0.0, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Gradient descent with Nesterov's momentum."""
def nanprod(data: Symbol | None = None, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, exclude: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The product over `axis`, NaN counted as 1."""
def nansum(data: Symbol | None = None, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, exclude: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The sum over `axis`, NaN counted as 0."""
def negative(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """-x."""
def norm(data: Symbol | None = None, ord: int = 2, axis: int | tuple[int, ...] | None = None, out_dtype: Any = None, keepdims: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The norm: `ord` 1 sums ``abs(x)``, and 2 is the square root of the sum of squares."""
def normal(loc: float = 0, scale: float = 1, shape: int | tuple[int, ...] | None = None, ctx: Any = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the normal distribution."""
@overload
def one_hot(indices: Symbol, depth: int, on_value: float = 1.0, off_value: float = 0.0, dtype: Any = 'float32', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """One-hot encoding along a new last axis: `on_value` at each index, `off_value` elsewhere."""
@overload
def one_hot(*, indices: Symbol | None = None, depth: int, on_value: float = 1.0, off_value: float = 0.0, dtype: Any = 'float32', name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """One-hot encoding along a new last axis: `on_value` at each index, `off_value` elsewhere."""
def ones_like(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Ones of the shape, dtype and device of `data`."""
def pad(data: Symbol | None = None, mode: str = 'constant', pad_width: Sequence[int] = (), constant_value: float = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Pad an array."""
def pick(data: Symbol | None = None, index: Symbol | None = None, axis: int = -1, keepdims: bool = False, mode: str = 'clip', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Pick one element along `axis` by index."""
def preloaded_multi_mp_sgd_mom_update(*data: Symbol | Sequence[Symbol], num_args: int | None = None, momentum: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, num_weights: int = 1, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `multi_mp_sgd_mom_update`; the last two arrays are the learning rates and weight decays."""
def preloaded_multi_mp_sgd_update(*data: Symbol | Sequence[Symbol], num_args: int | None = None, rescale_grad: float = 1.0, clip_gradient: float = -1.0, num_weights: int = 1, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `multi_mp_sgd_update`; the last two arrays are the learning rates and weight decays."""
def preloaded_multi_sgd_mom_update(*data: Symbol | Sequence[Symbol], num_args: int | None = None, momentum: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, num_weights: int = 1, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `multi_sgd_mom_update`; the last two arrays are the learning rates and weight decays."""
def preloaded_multi_sgd_update(*data: Symbol | Sequence[Symbol], num_args: int | None = None, rescale_grad: float = 1.0, clip_gradient: float = -1.0, num_weights: int = 1, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """As `multi_sgd_update`; the last two arrays are the learning rates and the weight decays."""
def prod(data: Symbol | None = None, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, exclude: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The product over `axis`."""
def radians(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Degrees to radians."""
def random_exponential(lam: float = 1, shape: int | tuple[int, ...] | None = None, ctx: Any = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the exponential distribution, whose mean is ``1 / lam``."""
def random_gamma(alpha: float = 1, beta: float = 1, shape: int | tuple[int, ...] | None = None, ctx: Any = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the gamma distribution, whose mean is ``alpha * beta``."""
def random_generalized_negative_binomial(mu: float = 1, alpha: float = 1, shape: int | tuple[int, ...] | None = None, ctx: Any = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the negative binomial distribution with the variance ``mu + alpha * mu**2``."""
def random_negative_binomial(k: float = 1, p: float = 1, shape: int | tuple[int, ...] | None = None, ctx: Any = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the negative binomial distribution: how many successes come before failure k."""
def random_normal(loc: float = 0, scale: float = 1, shape: int | tuple[int, ...] | None = None, ctx: Any = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the normal distribution."""
def random_pdf_dirichlet(sample: Symbol | None = None, alpha: Symbol | None = None, is_log: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Probability density of Dirichlet distributions."""
def random_pdf_exponential(sample: Symbol | None = None, lam: Symbol | None = None, is_log: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Probability density of exponential distributions."""
def random_pdf_gamma(sample: Symbol | None = None, alpha: Symbol | None = None, beta: Symbol | None = None, is_log: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Probability density of gamma distributions."""
def random_pdf_generalized_negative_binomial(sample: Symbol | None = None, mu: Symbol | None = None, alpha: Symbol | None = None, is_log: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Probability mass of generalized negative binomial distributions."""
def random_pdf_negative_binomial(sample: Symbol | None = None, k: Symbol | None = None, p: Symbol | None = None, is_log: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Probability mass of negative binomial distributions."""
def random_pdf_normal(sample: Symbol | None = None, mu: Symbol | None = None, sigma: Symbol | None = None, is_log: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Probability density of normal distributions."""
def random_pdf_poisson(sample: Symbol | None = None, lam: Symbol | None = None, is_log: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Probability mass of Poisson distributions."""
def random_pdf_uniform(sample: Symbol | None = None, low: Symbol | None = None, high: Symbol | None = None, is_log: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Probability density of uniform distributions."""
def random_poisson(lam: float = 1, shape: int | tuple[int, ...] | None = None, ctx: Any = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the Poisson distribution."""
def random_randint(low: int, high: int, shape: int | tuple[int, ...] | None = None, ctx: Any = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the discrete uniform distribution on ``[low, high)``."""
def random_uniform(low: float = 0, high: float = 1, shape: int | tuple[int, ...] | None = None, ctx: Any = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the uniform distribution on ``[low, high)``."""
@overload
def ravel_multi_index(data: Symbol, shape: Sequence[int], *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Convert multi-dimensional indices to flat indices into an array of `shape`."""
@overload
def ravel_multi_index(*, data: Symbol | None = None, shape: Sequence[int], name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Convert multi-dimensional indices to flat indices into an array of `shape`."""
def rcbrt(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """1 / cbrt(x)."""
def reciprocal(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """1 / x."""
def relu(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """max(x, 0); the subgradient at 0 is 0."""
@overload
def repeat(data: Symbol, repeats: int, axis: int | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Repeat each element."""
@overload
def repeat(*, data: Symbol | None = None, repeats: int, axis: int | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Repeat each element."""
def reset_arrays(*data: Symbol | Sequence[Symbol], num_args: int | None = None, num_arrays: int | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Set all values of some arrays to 0."""
def reshape(data: Symbol | None = None, shape: int | Sequence[int] = (), reverse: bool = False, target_shape: int | Sequence[int] = (), keep_highest: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Change the shape of an array, in row-major order."""
def reshape_like(lhs: Symbol | None = None, rhs: Symbol | None = None, lhs_begin: int | None = None, lhs_end: int | None = None, rhs_begin: int | None = None, rhs_end: int | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Reshape `lhs` to the shape of `rhs`, or some of its axes to those of `rhs`."""
@overload
def reverse(data: Symbol, axis: int | Sequence[int], *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Reverse the order along one or more axes."""
@overload
def reverse(*, data: Symbol | None = None, axis: int | Sequence[int], name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Reverse the order along one or more axes."""
def rint(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The nearest integer, ties to the lower one; its gradient is 0."""
@overload
def rmsprop_update(weight: Symbol, grad: Symbol, n: Symbol, lr: float, gamma1: float = 0.95, epsilon: float = 1e-08, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, clip_weights: float = -1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """RMSProp: the gradient over the root of the running mean of its square."""
@overload
def rmsprop_update(*, weight: Symbol | None = None, grad: Symbol | None = None, n: Symbol | None = None, lr: float, gamma1: float = 0.95, epsilon: float = 1e-08, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, clip_weights: float = -1.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """RMSProp: the gradient over the root of the running mean of its square."""
@overload
def rmspropalex_update(weight: Symbol, grad: Symbol, n: Symbol, g: Symbol, delta: Symbol, lr: float, gamma1: float = 0.95, gamma2: float = 0.9, epsilon: float = 1e-08, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, clip_weights: float = -1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """RMSProp with the variance of the gradient, and momentum."""
@overload
def rmspropalex_update(*, weight: Symbol | None = None, grad: Symbol | None = None, n: Symbol | None = None, g: Symbol | None = None, delta: Symbol | None = None, lr: float, gamma1: float = 0.95, gamma2: float = 0.9, epsilon: float = 1e-08, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, clip_weights: float = -1.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """RMSProp with the variance of the gradient, and momentum."""
def round(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The nearest integer, ties away from 0; its gradient is 0."""
def rsqrt(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """1 / sqrt(x)."""
def sample_exponential(lam: Symbol | None = None, shape: int | tuple[int, ...] | None = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the exponential distribution, for each of many parameters."""
def sample_gamma(alpha: Symbol | None = None, beta: Symbol | None = None, shape: int | tuple[int, ...] | None = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the gamma distribution, for each of many parameters."""
def sample_generalized_negative_binomial(mu: Symbol | None = None, alpha: Symbol | None = None, shape: int | tuple[int, ...] | None = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the generalized negative binomial distribution, for each of many parameters."""
def sample_multinomial(data: Symbol | None = None, shape: Any = None, get_prob: bool = False, dtype: Any = 'int32', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of categorical distributions: indices drawn with the probabilities in `data`."""
def sample_negative_binomial(k: Symbol | None = None, p: Symbol | None = None, shape: int | tuple[int, ...] | None = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the negative binomial distribution, for each of many parameters."""
def sample_normal(mu: Symbol | None = None, sigma: Symbol | None = None, shape: int | tuple[int, ...] | None = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the normal distribution, for each of many parameters."""
def sample_poisson(lam: Symbol | None = None, shape: int | tuple[int, ...] | None = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the Poisson distribution, for each of many parameters."""
def sample_uniform(low: Symbol | None = None, high: Symbol | None = None, shape: int | tuple[int, ...] | None = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the uniform distribution on ``[low, high)``, for each of many parameters."""
@overload
def scatter_nd(data: Symbol, indices: Symbol, shape: Sequence[int], *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Write `data` into zeros at ``[indices[0], indices[1], ...]``; the last duplicate wins."""
@overload
def scatter_nd(*, data: Symbol | None = None, indices: Symbol | None = None, shape: Sequence[int], name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Write `data` into zeros at ``[indices[0], indices[1], ...]``; the last duplicate wins."""
@overload
def sgd_mom_update(weight: Symbol, grad: Symbol, mom: Symbol, lr: float, momentum: float = 0.0, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, lazy_update: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Gradient descent with momentum."""
@overload
def sgd_mom_update(*, weight: Symbol | None = None, grad: Symbol | None = None, mom: Symbol | None = None, lr: float, momentum: float = 0.0, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, lazy_update: bool = True, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Gradient descent with momentum."""
@overload
def sgd_update(weight: Symbol, grad: Symbol, lr: float, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, lazy_update: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Gradient descent: ``weight -= lr * (grad + wd * weight)``."""
@overload
def sgd_update(*, weight: Symbol | None = None, grad: Symbol | None = None, lr: float, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, lazy_update: bool = True, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Gradient descent: ``weight -= lr * (grad + wd * weight)``."""
def shape_array(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The shape, as an array."""
def shuffle(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Shuffle the rows of `data`."""
def sigmoid(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """1 / (1 + exp(-x))."""
def sign(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """-1, 0 or 1; its gradient is 0."""
@overload
def signsgd_update(weight: Symbol, grad: Symbol, lr: float, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """signSGD: ``weight = (1 - lr * wd) * weight - lr * sign(grad)``."""
@overload
def signsgd_update(*, weight: Symbol | None = None, grad: Symbol | None = None, lr: float, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """signSGD: ``weight = (1 - lr * wd) * weight - lr * sign(grad)``."""
@overload
def signum_update(weight: Symbol, grad: Symbol, mom: Symbol, lr: float, momentum: float = 0.0, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, wd_lh: float = 0.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Signum: steps by the sign of the momentum."""
@overload
def signum_update(*, weight: Symbol | None = None, grad: Symbol | None = None, mom: Symbol | None = None, lr: float, momentum: float = 0.0, wd: float = 0.0, rescale_grad: float = 1.0, clip_gradient: float = -1.0, wd_lh: float = 0.0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Signum: steps by the sign of the momentum."""
def sin(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The sine."""
def sinh(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The hyperbolic sine."""
def size_array(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The number of values, as an array."""
@overload
def slice(data: Symbol, begin: Sequence[int], end: Sequence[int], step: Sequence[int] = (), *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Slice several axes: a copy of ``data[b0:e0:s0, b1:e1:s1, …]``."""
@overload
def slice(*, data: Symbol | None = None, begin: Sequence[int], end: Sequence[int], step: Sequence[int] = (), name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Slice several axes: a copy of ``data[b0:e0:s0, b1:e1:s1, …]``."""
@overload
def slice_axis(data: Symbol, axis: int, begin: int, end: int | None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Slice one axis: a copy of ``begin:end``."""
@overload
def slice_axis(*, data: Symbol | None = None, axis: int, begin: int, end: int | None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Slice one axis: a copy of ``begin:end``."""
def slice_like(data: Symbol | None = None, shape_like: Symbol | None = None, axes: int | Sequence[int] = (), *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Slice an array to the shape of another one."""
def smooth_l1(data: Symbol | None = None, scalar: float = 1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Smooth L1: the absolute value, quadratic near 0."""
def softmax(data: Symbol | None = None, length: Symbol | None = None, axis: int = -1, temperature: float | None = None, dtype: Any = None, use_length: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """``exp(data / temperature)`` divided by its sum along `axis`."""
def softmax_cross_entropy(data: Symbol | None = None, label: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The sum over the batch of the cross-entropy of the softmax with the labels."""
def softmin(data: Symbol | None = None, axis: int = -1, temperature: float | None = None, dtype: Any = None, use_length: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The softmax of ``-data``."""
def softsign(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """x / (1 + |x|)."""
def sort(data: Symbol | None = None, axis: int | None = -1, is_ascend: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Sort along `axis`."""
@overload
def space_to_depth(data: Symbol, block_size: int, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Rearrange blocks of pixels into channels; the inverse of `depth_to_space`."""
@overload
def space_to_depth(*, data: Symbol | None = None, block_size: int, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Rearrange blocks of pixels into channels; the inverse of `depth_to_space`."""
@overload
def split(data: Symbol, num_outputs: int, axis: int = 1, squeeze_axis: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Split an array into equal parts along an axis."""
@overload
def split(*, data: Symbol | None = None, num_outputs: int, axis: int = 1, squeeze_axis: bool = False, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Split an array into equal parts along an axis."""
def sqrt(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The square root."""
def square(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """x ** 2."""
def squeeze(data: Symbol | None = None, axis: int | Sequence[int] | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Remove axes of length 1; at least one axis remains."""
def stack(*data: Symbol | Sequence[Symbol], num_args: int | None = None, axis: int = 0, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Join arrays of equal shape along a new axis."""
def stop_gradient(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Return a copy without gradient."""
def sum(data: Symbol | None = None, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, exclude: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The sum over `axis`."""
def sum_axis(data: Symbol | None = None, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, exclude: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The sum over `axis`."""
def swapaxes(data: Symbol | None = None, dim1: int = 0, dim2: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Swap two axes."""
def take(a: Symbol | None = None, indices: Symbol | None = None, axis: int = 0, mode: str = 'clip', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Take slices of `a` along `axis` by index."""
def tan(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The tangent."""
def tanh(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The hyperbolic tangent."""
@overload
def tile(data: Symbol, reps: int | Sequence[int], *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Repeat the whole array along each axis."""
@overload
def tile(*, data: Symbol | None = None, reps: int | Sequence[int], name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Repeat the whole array along each axis."""
def topk(data: Symbol | None = None, axis: int | None = -1, k: int = 1, ret_typ: str = 'indices', is_ascend: bool = False, dtype: Any = 'float32', *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The `k` largest values along `axis`, in descending order; ties go to the lower index."""
def transpose(data: Symbol | None = None, axes: Sequence[int] = (), *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Permute the axes."""
def trunc(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """x without its fraction; its gradient is 0."""
def uniform(low: float = 0, high: float = 1, shape: int | tuple[int, ...] | None = None, ctx: Any = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the uniform distribution on ``[low, high)``."""
@overload
def unravel_index(data: Symbol, shape: Sequence[int], *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Convert flat indices into an array of `shape` to multi-dimensional indices."""
@overload
def unravel_index(*, data: Symbol | None = None, shape: Sequence[int], name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Convert flat indices into an array of `shape` to multi-dimensional indices."""
def where(condition: Symbol | None = None, x: Symbol | None = None, y: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """`x` where the condition is not 0, `y` elsewhere."""
def zeros_like(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Zeros of the shape, dtype and device of `data`."""
