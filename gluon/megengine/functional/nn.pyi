# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from gluon.megengine.functional._checked import checked
from gluon.megengine.tensor import Tensor
from numpy.typing import ArrayLike
from typing import Any

from ._declared_nn import conv1d as conv1d, conv2d as conv2d, conv3d as conv3d, conv_transpose2d as conv_transpose2d, conv_transpose3d as conv_transpose3d, gelu as gelu, hsigmoid as hsigmoid, hswish as hswish, logsigmoid as logsigmoid, relu as relu, relu6 as relu6, sigmoid as sigmoid, silu as silu, softplus as softplus
from gluon.megengine.functional.attention import multi_head_attention as multi_head_attention
from gluon.megengine.functional.conv import sliding_window as sliding_window
from gluon.megengine.functional.indexing import indexing_one_hot as indexing_one_hot
from gluon.megengine.functional.loss import binary_cross_entropy as binary_cross_entropy
from gluon.megengine.functional.loss import cross_entropy as cross_entropy
from gluon.megengine.functional.loss import ctc_loss as ctc_loss
from gluon.megengine.functional.loss import hinge_loss as hinge_loss
from gluon.megengine.functional.loss import l1_loss as l1_loss
from gluon.megengine.functional.loss import square_loss as square_loss
from gluon.megengine.functional.normalization import batch_norm as batch_norm
from gluon.megengine.functional.normalization import general_norm as general_norm
from gluon.megengine.functional.normalization import group_norm as group_norm
from gluon.megengine.functional.normalization import instance_norm as instance_norm
from gluon.megengine.functional.normalization import layer_norm as layer_norm
from gluon.megengine.functional.normalization import local_response_norm as local_response_norm
from gluon.megengine.functional.normalization import sync_batch_norm as sync_batch_norm
from gluon.megengine.functional.pool import adaptive_avg_pool2d as adaptive_avg_pool2d
from gluon.megengine.functional.pool import adaptive_max_pool2d as adaptive_max_pool2d
from gluon.megengine.functional.pool import avg_pool2d as avg_pool2d
from gluon.megengine.functional.pool import max_pool2d as max_pool2d
from gluon.megengine.functional.vision import correlation as correlation
from gluon.megengine.functional.vision import cvt_color as cvt_color
from gluon.megengine.functional.vision import interpolate as interpolate
from gluon.megengine.functional.vision import nms as nms
from gluon.megengine.functional.vision import remap as remap
from gluon.megengine.functional.vision import roi_align as roi_align
from gluon.megengine.functional.vision import roi_pooling as roi_pooling
from gluon.megengine.functional.vision import warp_affine as warp_affine
from gluon.megengine.functional.vision import warp_perspective as warp_perspective
from gluon.megengine.functional.windows import deformable_conv2d as deformable_conv2d
from gluon.megengine.functional.windows import deformable_psroi_pooling as deformable_psroi_pooling
from gluon.megengine.functional.windows import local_conv2d as local_conv2d
from gluon.megengine.functional.windows import sliding_window_transpose as sliding_window_transpose
__all__ = ['adaptive_avg_pool2d', 'adaptive_max_pool2d', 'avg_pool2d', 'batch_norm', 'binary_cross_entropy', 'conv1d', 'conv2d', 'conv3d', 'conv_transpose2d', 'conv_transpose3d', 'correlation', 'cross_entropy', 'ctc_loss', 'cvt_color', 'deformable_conv2d', 'deformable_psroi_pooling', 'dropout', 'embedding', 'gelu', 'general_norm', 'group_norm', 'hinge_loss', 'hsigmoid', 'hswish', 'indexing_one_hot', 'instance_norm', 'interpolate', 'l1_loss', 'layer_norm', 'leaky_relu', 'linear', 'local_conv2d', 'local_response_norm', 'logsigmoid', 'logsoftmax', 'max_pool2d', 'multi_head_attention', 'nms', 'one_hot', 'pad', 'pixel_shuffle', 'prelu', 'relu', 'relu6', 'remap', 'roi_align', 'roi_pooling', 'sigmoid', 'silu', 'sliding_window', 'sliding_window_transpose', 'softmax', 'softplus', 'square_loss', 'sync_batch_norm', 'warp_affine', 'warp_perspective']
@checked
def leaky_relu(inp: ArrayLike, negative_slope: float=0.01) -> Tensor: ...
@checked
def prelu(x: ArrayLike, y: Any) -> Tensor: ...
@checked
def softmax(inp: ArrayLike, axis: Any=None) -> Tensor: ...
@checked
def logsoftmax(inp: ArrayLike, axis: Any) -> Tensor: ...
@checked
def linear(inp: ArrayLike, weight: Any, bias: Any=None, compute_mode: str='default') -> Tensor: ...
@checked
def dropout(inp: ArrayLike, drop_prob: float, training: bool=True) -> Tensor: ...
@checked
def embedding(inp: ArrayLike, weight: ArrayLike, padding_idx: Any=None, max_norm: Any=None, norm_type: Any=None) -> Tensor: ...
@checked
def one_hot(inp: ArrayLike, num_classes: int) -> Tensor: ...
@checked
def pad(src: ArrayLike, pad_width: Any, mode: str='constant', constant_value: float=0.0) -> Tensor: ...
@checked
def pixel_shuffle(inp: ArrayLike, upscale_factor: int) -> Tensor: ...
