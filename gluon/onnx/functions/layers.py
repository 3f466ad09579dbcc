"""Layers: products, convolutions, normalization, dropout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ... import autograd, np, npx
from ..._core.engine.op import RECORDED as ops
from .table import FLOATS, FUNCTIONS, axis_of, implements, made, number, over, room
from .windows import geometry

FUNCTIONS |= {"Det": np.linalg.det, "MatMul": np.matmul}


@implements
def Gemm(
    A: Any,
    B: Any,
    C: Any = None,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    transA: int = 0,
    transB: int = 0,
) -> Any:
    is_dense = transB and not transA and alpha == 1 and beta == 1 and C is not None
    if is_dense and C.shape == B.shape[:1] and A.dtype.kind in FLOATS:
        return ops.fully_connected(A, B, C)
    y = np.matmul(A.T if transA else A, B.T if transB else B)
    y = y if alpha == 1 else (y * alpha).astype(y.dtype, copy=False)
    if C is None:
        return y
    return y + (C if beta == 1 else (C * beta).astype(y.dtype, copy=False))


@implements
def Einsum(*Inputs: Any, equation: str) -> Any:
    dtype = Inputs[0].dtype
    wide = Inputs if dtype.kind != "V" else [x.astype("float32") for x in Inputs]
    return np.einsum(equation.replace(" ", ""), *wide).astype(dtype, copy=False)


@implements
def Conv(
    X: Any,
    W: Any,
    B: Any = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Sequence[int] = (),
    group: int = 1,
    kernel_shape: Sequence[int] = (),
    pads: Sequence[int] = (),
    strides: Sequence[int] = (),
) -> Any:
    window = geometry(X, W.shape[2:], auto_pad, dilations, pads, strides)
    x, pad = window.symmetric(X)
    return ops.convolution(
        x, W, B, stride=window.strides, pad=pad, dilate=window.dilations, num_group=group
    )


@implements
def CausalConvWithState(
    input: Any,
    weight: Any,
    bias: Any = None,
    past_state: Any = None,
    *,
    activation: str = "none",
    outputs: int = 1,
) -> Any:
    before = weight.shape[2] - 1
    if past_state is None:
        x = np.pad(input, [(0, 0), (0, 0), (before, 0)])
    else:
        x = np.concatenate([past_state, input], 2)
    y = Conv(x, weight, bias, group=input.shape[1])
    y = y if activation == "none" else y * npx.sigmoid(y)
    return (y, x[:, :, x.shape[2] - before :])[:outputs]


@implements
def ConvTranspose(
    X: Any,
    W: Any,
    B: Any = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Sequence[int] = (),
    group: int = 1,
    kernel_shape: Sequence[int] = (),
    output_padding: Sequence[int] = (),
    output_shape: Sequence[int] = (),
    pads: Sequence[int] = (),
    strides: Sequence[int] = (),
) -> Any:
    rank = X.ndim - 2
    strides, dilations = tuple(strides or (1,) * rank), tuple(dilations or (1,) * rank)
    extra = tuple(output_padding or (0,) * rank)
    reach = [
        (n - 1) * s + (k - 1) * d + 1
        for n, k, s, d in zip(X.shape[2:], W.shape[2:], strides, dilations)
    ]
    room(*X.shape[:1], W.shape[1] * group, *(r + a for r, a in zip(reach, extra)))
    if output_shape or auto_pad in ("SAME_UPPER", "SAME_LOWER"):
        wanted = room(*output_shape) or [n * s for n, s in zip(X.shape[2:], strides)]
        total = [r + a - n for r, a, n in zip(reach, extra, wanted)]
        # Missing values are added at the end.
        odd = auto_pad != "SAME_UPPER"
        begin = [(max(n, 0) + odd) // 2 for n in total]
        pads = [*begin, *(n - b for n, b in zip(total, begin))]
    pads = list(pads or [0] * 2 * rank)
    whole = ops.deconvolution(
        X, W, B, stride=strides, dilate=dilations, num_group=group, pad=(0,) * rank
    )
    ends = [r + a - e for r, a, e in zip(reach, extra, pads[rank:])]
    width = [(max(-b, 0), max(e - r, 0)) for b, e, r in zip(pads, ends, reach)]
    if any(map(any, width)):
        edges = [(0, 0), (0, 0), *width]
        whole = np.pad(whole, edges) if B is None else _padded(whole, edges, B)
    cut = [slice(b + w, e + w) for b, e, (w, _) in zip(pads, ends, width)]
    return whole[(slice(None), slice(None), *cut)]


def _padded(y: Any, width: Any, bias: Any) -> Any:
    """Pad `y` with the bias where no filter reaches."""
    return np.pad(y - over(y, bias, 1), width) + over(y, bias, 1)


@implements
def BatchNormalization(
    X: Any,
    scale: Any,
    B: Any,
    input_mean: Any,
    input_var: Any,
    *,
    epsilon: float = 1e-5,
    momentum: float = 0.9,
    training_mode: int = 0,
    spatial: int = 1,
    outputs: int = 1,
) -> Any:
    if not training_mode:
        return npx.batch_norm(
            X, scale, B, input_mean, input_var, eps=epsilon, momentum=momentum, fix_gamma=False
        )
    axes = tuple(k for k in range(X.ndim) if k != 1)
    mean, var = np.mean(X, axes), np.var(X, axes)
    y = (X - over(X, mean, 1)) / np.sqrt(over(X, var, 1) + epsilon)
    y = y * over(X, scale, 1) + over(X, B, 1)
    kept = 1 - momentum
    moved = (input_mean * momentum + mean * kept, input_var * momentum + var * kept)
    return (y, *moved)[:outputs] if outputs > 1 else y


@implements
def LayerNormalization(
    X: Any,
    Scale: Any,
    B: Any = None,
    *,
    axis: int = -1,
    epsilon: float = 1e-5,
    stash_type: int = 1,
    outputs: int = 1,
) -> Any:
    axes = tuple(range(axis_of(axis, X.ndim), X.ndim))
    mean = np.mean(X, axes, keepdims=True)
    rest = X - mean
    inverse = 1 / np.sqrt(np.mean(rest * rest, axes, keepdims=True) + epsilon)
    y = rest * inverse * Scale
    y = y if B is None else y + B
    return (y, mean, inverse)[:outputs] if outputs > 1 else y


@implements
def RMSNormalization(
    X: Any, scale: Any, *, axis: int = -1, epsilon: float = 1e-5, stash_type: int = 1
) -> Any:
    axes = tuple(range(axis_of(axis, X.ndim), X.ndim))
    return X / np.sqrt(np.mean(X * X, axes, keepdims=True) + epsilon) * scale


@implements
def InstanceNormalization(input: Any, scale: Any, B: Any, *, epsilon: float = 1e-5) -> Any:
    return ops.instance_norm(input, scale, B, eps=epsilon)[0]


@implements
def GroupNormalization(
    X: Any, scale: Any, bias: Any, *, num_groups: int, epsilon: float = 1e-5, stash_type: int = 1
) -> Any:
    parts = X.reshape((X.shape[0], num_groups, -1))
    rest = parts - np.mean(parts, 2, keepdims=True)
    y = (rest / np.sqrt(np.mean(rest * rest, 2, keepdims=True) + epsilon)).reshape(X.shape)
    if len(scale) != X.shape[1]:  # before opset 21, there is one value per group
        each = X.shape[1] // num_groups
        scale, bias = np.repeat(scale, each), np.repeat(bias, each)
    return y * over(X, scale, 1) + over(X, bias, 1)


@implements
def MeanVarianceNormalization(X: Any, *, axes: Sequence[int] = (0, 2, 3)) -> Any:
    rest = X - np.mean(X, tuple(axes), keepdims=True)
    return rest / (np.sqrt(np.mean(rest * rest, tuple(axes), keepdims=True)) + 1e-9)


@implements
def LpNormalization(input: Any, *, axis: int = -1, p: int = 2) -> Any:
    size = np.abs(input) if p == 1 else input * input
    norm = np.sum(size, axis, keepdims=True)
    norm = norm if p == 1 else np.sqrt(norm)
    return np.where(
        np.equal(norm, 0),
        np.zeros_like(input),
        input / np.where(np.equal(norm, 0), np.ones_like(norm), norm),
    )


@implements
def LRN(X: Any, *, size: int, alpha: float = 1e-4, beta: float = 0.75, bias: float = 1.0) -> Any:
    before = (size - 1) // 2
    width = {1: (before, size - 1 - before)}
    squares = np.pad(X * X, [width.get(axis, (0, 0)) for axis in range(X.ndim)])
    channels = X.shape[1]
    total = sum(squares[:, k : k + channels] for k in range(size))
    return X / (total * (alpha / size) + bias) ** beta


@implements
def Dropout(
    data: Any,
    ratio: Any = None,
    training_mode: Any = None,
    *,
    seed: int | None = None,
    outputs: int = 1,
) -> Any:
    share = number(ratio, 0.5)
    trains = bool(number(training_mode, 0)) or autograd.is_training()
    y = npx.dropout(data, p=share, mode="always") if trains and share else data
    if outputs == 1:
        return y
    kept = numpy.ones(data.shape, bool) if y is data else (y.raw != 0) | (data.raw == 0)
    return y, made(kept)


@implements
def SoftmaxCrossEntropyLoss(
    scores: Any,
    labels: Any,
    weights: Any = None,
    *,
    ignore_index: int | None = None,
    reduction: str = "mean",
    outputs: int = 1,
) -> Any:
    logs = npx.log_softmax(scores, axis=1)
    loss = NegativeLogLikelihoodLoss(
        logs, labels, weights, ignore_index=ignore_index, reduction=reduction
    )
    return (loss, logs) if outputs > 1 else loss


@implements
def NegativeLogLikelihoodLoss(
    input: Any,
    target: Any,
    weight: Any = None,
    *,
    ignore_index: int | None = None,
    reduction: str = "mean",
) -> Any:
    labels = target.raw
    kept = numpy.ones(labels.shape, bool) if ignore_index is None else labels != ignore_index
    labels = numpy.where(kept, labels, 0)
    places: Any = numpy.indices(labels.shape, sparse=True)
    first, *rest = (made(one) for one in places)
    picked = input[(first, made(labels), *rest)]
    share = made(kept.astype(input.dtype))
    if weight is not None:
        share = share * np.take(weight, made(labels), axis=0)
    loss = -picked * share
    if reduction == "none":
        return loss
    return np.sum(loss) / np.sum(share) if reduction == "mean" else np.sum(loss)
