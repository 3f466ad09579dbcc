"""Attention of several heads."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError
from ..._core.kernels.generator import generator
from ..interfaces import as_tensor, cast, operands
from ._checked import checked

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..tensor import Tensor

__all__ = ["multi_head_attention"]

#: Added to what a mask of bool rules out.
NEVER = -np.inf


@checked
def multi_head_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: Any,
    embed_dim: int,
    num_heads: int,
    attn_drop: float,
    out_drop: float,
    io_weight_bias: Any,
    qproj_size: int | None = None,
    kproj_size: int | None = None,
    vproj_size: int | None = None,
    oproj_size: int | None = None,
    qbias: bool = False,
    kbias: bool = False,
    vbias: bool = False,
    obias: bool = False,
    bias_k: Any = None,
    bias_v: Any = None,
    add_zero_attn: bool = False,
    key_padding_mask: Any = None,
    attn_mask: Any = None,
    need_weights: bool = False,
    average_attn_weights: bool = False,
    is_causal: bool = False,
    maybe_cudnn_style_mask: bool = False,
    reslink: bool = False,
    training: bool = True,
) -> tuple[Tensor, Any]:
    """Multi-head attention.

    See "Attention is all you need", 2017.

    Parameters
    ----------
    query, key, value : Tensor of shape (batch, length, size)
        Keys and values have the same length.
    embed_dim, num_heads : int
        The size of the queries and of the result, and the number of heads that divide it.
    attn_drop, out_drop : float
        The probabilities of dropping a weight, and a value of the result.
    io_weight_bias : Tensor
        All matrices in one vector, (size, projection) each, for queries, keys, values and the
        result; then the biases.
    qproj_size, kproj_size, vproj_size, oproj_size : int, optional
        The sizes of the projections, `embed_dim` by default; 0 for none.
    qbias, kbias, vbias, obias : bool, default False
        Which projections have a bias.
    bias_k, bias_v, add_zero_attn, maybe_cudnn_style_mask, reslink
        Not supported, as in MegEngine on a CPU.
    key_padding_mask : Tensor of shape (batch, keys), optional
        True for keys to ignore, or floats to add.
    attn_mask : Tensor of shape (queries, keys) or (batch * heads, queries, keys), optional
        True for pairs to ignore, or floats to add.
    need_weights : bool, default False
        Whether to return the weights too.
    average_attn_weights : bool, default False
        Whether to return their mean over the heads.
    is_causal : bool, default False
        Whether a query sees only keys up to its own position, if `attn_mask` is None.
    training : bool, default True
        Whether to apply dropout.

    Returns
    -------
    tuple of the result, a Tensor of shape (batch, queries, embed_dim), and the weights or None
        Weights are of shape (batch * heads, queries, keys), their mean of (batch, queries, keys).

    Examples
    --------
    >>> from gluon.megengine.functional import ones
    >>> x = ones((1, 2, 4))
    >>> y, weights = multi_head_attention(x, x, x, 4, 2, 0.0, 0.0, ones((64,)), need_weights=True)
    >>> y.shape, weights.tolist()[0]
    ((1, 2, 4), [[0.5, 0.5], [0.5, 0.5]])
    """
    refused = {"bias_k": bias_k, "bias_v": bias_v, "add_zero_attn": add_zero_attn or None}
    refused |= {
        "reslink": reslink or None,
        "maybe_cudnn_style_mask": maybe_cudnn_style_mask or None,
    }
    if wrong := [name for name, given in refused.items() if given is not None]:
        raise ArgumentError(f"multi_head_attention: {wrong[0]} is not supported; leave it out")
    query, key, value, flat = operands(query, key, value, io_weight_bias, floats=True)
    if query.ndim != 3 or key.ndim != 3 or value.shape[:2] != key.shape[:2]:
        raise ArgumentError(
            f"multi_head_attention: query, key and value of shapes {query.shape}, {key.shape} and"
            f" {value.shape}; give (batch, length, size), keys and values of one length"
        )
    given = (qproj_size, kproj_size, vproj_size, oproj_size)
    sizes = [embed_dim if size is None else size for size in given]
    inner = sizes[2] or value.shape[2]
    rows = [query.shape[2], key.shape[2], value.shape[2], inner]
    layers = _layers(flat, rows, sizes, (qbias, kbias, vbias, obias))
    heads = [
        _cut(_projected(x, *layer), num_heads) for x, layer in zip((query, key, value), layers[:3])
    ]
    scale = (embed_dim if not sizes[0] else embed_dim // num_heads) ** -0.5
    scores = ops.matmul(heads[0], ops.transpose(heads[1], axes=(0, 1, 3, 2))) * scale
    for mask in _masks(scores, key_padding_mask, attn_mask, is_causal):
        scores = scores + mask
    weights = ops.softmax(scores, axis=-1)
    used = _dropped(weights, attn_drop, training)
    mixed = ops.transpose(ops.matmul(used, heads[2]), axes=(0, 2, 1, 3))
    out = _projected(ops.reshape(mixed, shape=(*query.shape[:2], inner)), *layers[3])
    if not need_weights:
        shown = None
    elif average_attn_weights:
        shown = ops.mean(weights, axis=1)
    else:
        shown = ops.reshape(weights, shape=(-1, *weights.shape[2:]))
    return _dropped(out, out_drop, training), shown


def _layers(flat: Tensor, rows: list, sizes: list, biases: tuple) -> list[tuple[Any, Any]]:
    """The matrix and the bias of each projection, None for none, out of one vector."""
    lengths = [r * n for r, n in zip(rows, sizes)]
    lengths += [n * has for n, has in zip(sizes, biases)]
    if flat.size != sum(lengths):
        raise ArgumentError(
            f"multi_head_attention: io_weight_bias has {flat.size} values; these sizes and biases"
            f" need {sum(lengths)}"
        )
    ends = list(accumulate(lengths))
    vector = ops.reshape(flat, shape=(-1,))
    parts = [vector[end - n : end] if n else None for n, end in zip(lengths, ends)]
    matrices = [
        None if part is None else ops.reshape(part, shape=(r, n))
        for part, r, n in zip(parts, rows, sizes)
    ]
    return list(zip(matrices, parts[4:]))


def _projected(x: Tensor, matrix: Any, bias: Any) -> Tensor:
    y = x if matrix is None else ops.matmul(x, matrix)
    return y if bias is None else y + bias


def _cut(x: Tensor, heads: int) -> Tensor:
    """(batch, heads, length, size of a head)."""
    batch, length, size = x.shape
    if size % heads:
        raise ArgumentError(f"multi_head_attention: {size} cannot be divided into {heads} heads")
    parts = ops.reshape(x, shape=(batch, length, heads, size // heads))
    return ops.transpose(parts, axes=(0, 2, 1, 3))


def _masks(scores: Tensor, padding: Any, pairs: Any, causal: bool) -> list[Tensor]:
    """What to add to the scores (batch, heads, queries, keys)."""
    batch, heads, queries, keys = scores.shape
    masks = []
    if padding is not None:
        masks.append(ops.reshape(_added(padding, scores), shape=(batch, 1, 1, keys)))
    if pairs is not None:
        mask = _added(pairs, scores)
        if mask.ndim == 3:
            mask = ops.reshape(mask, shape=(batch, heads, queries, keys))
        masks.append(mask)
    elif causal:
        later = np.triu(np.ones((queries, keys), bool), 1)
        masks.append(_added(later, scores))
    return masks


def _added(mask: Any, like: Tensor) -> Tensor:
    """A mask as floats."""
    mask = as_tensor(mask)
    if mask.dtype == bool:
        values = np.where(mask.raw, like.dtype.type(NEVER), like.dtype.type(0))
        return as_tensor(values)
    return cast(mask, like.dtype)


def _dropped(x: Tensor, share: float, training: bool) -> Tensor:
    if not training or not share:
        return x
    return x * ops.dropout_mask(x, p=share, rng=generator())
