"""Activations, layers' functions and dropout."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError, DTypeError, IndexRangeError
from ..._core.kernels.generator import generator
from ..interfaces import as_tensor, cast, operands, tensors
from ._axes import whole
from ._checked import checked
from ._faces import of_inp, of_x, unary
from .attention import multi_head_attention
from .conv import conv1d, conv2d, conv3d, conv_transpose2d, conv_transpose3d, sliding_window
from .indexing import indexing_one_hot
from .loss import (
    binary_cross_entropy,
    cross_entropy,
    ctc_loss,
    hinge_loss,
    l1_loss,
    square_loss,
)
from .normalization import (
    batch_norm,
    general_norm,
    group_norm,
    instance_norm,
    layer_norm,
    local_response_norm,
    sync_batch_norm,
)
from .pool import adaptive_avg_pool2d, adaptive_max_pool2d, avg_pool2d, max_pool2d
from .vision import (
    correlation,
    cvt_color,
    interpolate,
    nms,
    remap,
    roi_align,
    roi_pooling,
    warp_affine,
    warp_perspective,
)
from .windows import (
    deformable_conv2d,
    deformable_psroi_pooling,
    local_conv2d,
    sliding_window_transpose,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..tensor import Tensor

__all__ = [
    "adaptive_avg_pool2d",
    "adaptive_max_pool2d",
    "avg_pool2d",
    "batch_norm",
    "binary_cross_entropy",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose2d",
    "conv_transpose3d",
    "correlation",
    "cross_entropy",
    "ctc_loss",
    "cvt_color",
    "deformable_conv2d",
    "deformable_psroi_pooling",
    "dropout",
    "embedding",
    "gelu",
    "general_norm",
    "group_norm",
    "hinge_loss",
    "hsigmoid",
    "hswish",
    "indexing_one_hot",
    "instance_norm",
    "interpolate",
    "l1_loss",
    "layer_norm",
    "leaky_relu",
    "linear",
    "local_conv2d",
    "local_response_norm",
    "logsigmoid",
    "logsoftmax",
    "max_pool2d",
    "multi_head_attention",
    "nms",
    "one_hot",
    "pad",
    "pixel_shuffle",
    "prelu",
    "relu",
    "relu6",
    "remap",
    "roi_align",
    "roi_pooling",
    "sigmoid",
    "silu",
    "sliding_window",
    "sliding_window_transpose",
    "softmax",
    "softplus",
    "square_loss",
    "sync_batch_norm",
    "warp_affine",
    "warp_perspective",
]

#: A slope of this at 0 and 0.5 in between make the hard sigmoid.
SIXTH = 1 / 6


def _hsigmoid(x: Any) -> Any:
    return ops.hard_sigmoid(x, alpha=SIXTH, beta=0.5)


relu: Final = unary("relu", of_x, ops.relu, "numbers", "Tensor([-1.0, 2.0])", "[0. 2.]")
sigmoid: Final = unary(
    "sigmoid", of_x, ops.sigmoid, "floats", "Tensor([-1.0, 2.0])", "[0.2689 0.8808]"
)
relu6: Final = unary(
    "relu6",
    of_x,
    lambda x: ops.clip(x, a_min=0, a_max=6),
    "numbers",
    "Tensor([-1.0, 8.0])",
    "[0. 6.]",
    "x between 0 and 6",
)
hsigmoid: Final = unary(
    "hsigmoid",
    of_x,
    _hsigmoid,
    "floats",
    "Tensor([-1.0, 2.0])",
    "[0.3333 0.8333]",
    "x / 6 + 1 / 2 between 0 and 1",
)
hswish: Final = unary(
    "hswish",
    of_x,
    lambda x: x * _hsigmoid(x),
    "floats",
    "Tensor([-1.0, 2.0])",
    "[-0.3333  1.6667]",
    "x times its hard sigmoid",
)
silu: Final = unary(
    "silu",
    of_x,
    lambda x: x * ops.sigmoid(x),
    "floats",
    "Tensor([-1.0, 2.0])",
    "[-0.2689  1.7616]",
    "x times its sigmoid",
)
gelu: Final = unary("gelu", of_x, ops.gelu, "floats", "Tensor([-1.0, 2.0])", "[-0.1587  1.9545]")
softplus: Final = unary(
    "softplus", of_inp, ops.softrelu, "floats", "Tensor([-1.0, 2.0])", "[0.3133 2.1269]"
)
logsigmoid: Final = unary(
    "logsigmoid",
    of_inp,
    lambda x: -ops.softrelu(-x),
    "floats",
    "Tensor([-1.0, 2.0])",
    "[-1.3133 -0.1269]",
    "The logarithm of the sigmoid",
)


@checked
def leaky_relu(inp: ArrayLike, negative_slope: float = 0.01) -> Tensor:
    """Leaky ReLU: x if x > 0, otherwise ``negative_slope * x``.

    Parameters
    ----------
    inp : Tensor of any shape
        Of any dtype; integers count as float32.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> leaky_relu(Tensor([1.0, -1.0]))
    Tensor([ 1.   -0.01], device=xpux:0)
    """
    (inp,) = operands(inp, floats=True)
    return ops.leaky_relu(inp, slope=negative_slope)


@checked
def prelu(x: ArrayLike, y: Any) -> Tensor:
    """Parametric ReLU: x if x > 0, otherwise ``x * y``.

    Parameters
    ----------
    x : Tensor of shape (n, channels, ...)
        Of any dtype; integers count as float32.
    y : Tensor of shape (1,) or (1, channels, 1, 1)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> prelu(Tensor([1.0, -1.0]), Tensor([0.5]))
    Tensor([ 1.  -0.5], device=xpux:0)
    """
    x, y = tensors(x, y, floats=True)
    return ops.where(x > 0, x, x * y)


@checked
def softmax(inp: ArrayLike, axis: Any = None) -> Tensor:
    """The softmax.

    Parameters
    ----------
    inp : Tensor of any shape
        Of any dtype; integers count as float32.
    axis : int or sequence of int, optional
        By default 0 for a tensor of 0, 1 or 3 axes, else 1.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> softmax(Tensor([0.0, 0.0]))
    Tensor([0.5 0.5], device=xpux:0)
    """
    (inp,) = operands(inp, floats=True)
    if axis is None:
        axis = 0 if inp.ndim in (0, 1, 3) else 1
    if isinstance(axis, (list, tuple)):
        return ops.exp(_log_softmax_over(inp, tuple(axis)))
    return ops.softmax(inp, axis=axis)


@checked
def logsoftmax(inp: ArrayLike, axis: Any) -> Tensor:
    """The logarithm of `softmax`.

    Parameters
    ----------
    inp : Tensor of any shape
        Of any dtype; integers count as float32.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> logsoftmax(Tensor([0.0, 0.0]), 0)
    Tensor([-0.6931 -0.6931], device=xpux:0)
    """
    (inp,) = operands(inp, floats=True)
    if isinstance(axis, (list, tuple)):
        return _log_softmax_over(inp, tuple(axis))
    return ops.log_softmax(inp, axis=axis)


def _log_softmax_over(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    shifted = x - ops.max(x, axis=axes, keepdims=True).detach()
    return shifted - ops.log(ops.sum(ops.exp(shifted), axis=axes, keepdims=True))


@checked
def linear(inp: ArrayLike, weight: Any, bias: Any = None, compute_mode: str = "default") -> Tensor:
    """Linear transformation: ``inp @ weight.T + bias``.

    Parameters
    ----------
    inp : Tensor of shape (..., features), of any dtype
    weight : Tensor of shape (units, features)
    bias : Tensor of shape (units,), optional
    compute_mode : str
        Ignored.

    Returns
    -------
    Tensor of shape (..., units)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> linear(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]]))
    Tensor([[11.]], device=xpux:0)
    """
    inp, weight = tensors(inp, weight)
    bias = None if bias is None else cast(as_tensor(bias), inp.dtype)
    return ops.fully_connected(inp, weight, bias, flatten=False)


@checked
def dropout(inp: ArrayLike, drop_prob: float, training: bool = True) -> Tensor:
    """Set random values to 0 and scale the others up.

    Parameters
    ----------
    inp : Tensor of any shape
        Of any dtype; integers count as float32.
    drop_prob : float
        From 0 to below 1.
    training : bool, default True
        Whether to apply dropout.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> dropout(Tensor([1.0, 2.0]), 0.5, training=False)
    Tensor([1. 2.], device=xpux:0)
    """
    if not 0 <= drop_prob < 1:
        raise ArgumentError(f"dropout: drop_prob={drop_prob} must be from 0 to below 1")
    if not training or not drop_prob:
        return as_tensor(inp)
    (inp,) = operands(inp, floats=True)
    return inp * ops.dropout_mask(inp, p=drop_prob, rng=generator())


@checked
def embedding(
    inp: ArrayLike,
    weight: ArrayLike,
    padding_idx: Any = None,
    max_norm: Any = None,
    norm_type: Any = None,
) -> Tensor:
    """Look up rows of a weight by index.

    Parameters
    ----------
    inp : Tensor of int32, of any shape
        The indices of rows; negative ones count from the end.
    weight : Tensor of shape (rows, size)
    padding_idx, max_norm, norm_type
        Not supported, as in MegEngine.

    Returns
    -------
    Tensor of shape (*inp.shape, size)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> embedding(Tensor([1]), Tensor([[1.0], [2.0]]))
    Tensor([[2.]], device=xpux:0)
    """
    if (padding_idx, max_norm, norm_type) != (None, None, None):
        raise ArgumentError(
            "embedding: padding_idx, max_norm and norm_type are not supported; leave them out"
        )
    inp = as_tensor(inp)
    weight = as_tensor(weight)
    if weight.ndim != 2:
        raise ArgumentError(f"embedding: weight of shape {weight.shape} is not a table of rows")
    places = _indices("embedding", inp)
    below = places.raw < 0
    if below.any():
        places = as_tensor(np.where(below, places.raw + len(weight), places.raw))
    return ops.take(weight, places, axis=0, mode="raise")


def _indices(name: str, inp: Tensor) -> Tensor:
    """Numbers of rows or of classes, which are integers."""
    if inp.dtype.kind not in "iu":
        raise DTypeError(f"{name}: inp has dtype {inp.dtype}; call astype('int32') first")
    return inp


@checked
def one_hot(inp: ArrayLike, num_classes: int) -> Tensor:
    """One-hot encoding along a new last axis.

    Returns
    -------
    Tensor of int32 and shape (*inp.shape, num_classes)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> one_hot(Tensor([1]), 3)
    Tensor([[0 1 0]], dtype=int32, device=xpux:0)
    """
    inp, classes = _indices("one_hot", as_tensor(inp)), int(num_classes)
    if inp.size and classes and not 0 <= inp.raw.min() <= inp.raw.max() < classes:
        raise IndexRangeError(
            f"one_hot: inp has values from {inp.raw.min()} to {inp.raw.max()}; they must be below"
            f" num_classes={classes}, and 0 or more"
        )
    return ops.one_hot(inp, depth=classes, dtype=np.dtype(np.int32))


#: MegEngine's name of a way to pad -> NumPy's.
PADDING = {"constant": "constant", "edge": "edge", "replicate": "edge", "reflect": "reflect"}


@checked
def pad(
    src: ArrayLike, pad_width: Any, mode: str = "constant", constant_value: float = 0.0
) -> Tensor:
    """Pad a tensor.

    Parameters
    ----------
    pad_width : sequence of (int, int)
        The widths before and after the first axes; 0 for the others.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> pad(Tensor([1.0, 2.0]), ((1, 0),))
    Tensor([0. 1. 2.], device=xpux:0)
    """
    src = as_tensor(src)
    if mode.lower() not in PADDING:
        raise ArgumentError(f"pad: mode {mode!r} is not one of {', '.join(PADDING)}")
    width = [tuple(map(int, pair)) for pair in pad_width]
    width += [(0, 0)] * (src.ndim - len(width))
    return ops.pad(src, width=width, mode=PADDING[mode.lower()], value=constant_value)


@checked
def pixel_shuffle(inp: ArrayLike, upscale_factor: int) -> Tensor:
    """Rearrange channels into pixels.

    Parameters
    ----------
    inp : Tensor of shape (..., channels * r**2, h, w), of any dtype
    upscale_factor : int
        The factor r.

    Returns
    -------
    Tensor of shape (..., channels, h * r, w * r)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> pixel_shuffle(Tensor([[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]]), 2).shape
    (1, 1, 2, 2)
    """
    inp, r = as_tensor(inp), whole(upscale_factor)
    *batch, channels, h, w = inp.shape
    if channels % r**2:
        raise ArgumentError(
            f"pixel_shuffle: {channels} channels must be a multiple of upscale_factor² = {r * r}"
        )
    parts = ops.reshape(inp, shape=(prod(batch), channels // r**2, r, r, h, w))
    turned = ops.transpose(parts, axes=(0, 1, 4, 2, 5, 3))
    return ops.reshape(turned, shape=(*batch, channels // r**2, h * r, w * r))
