"""Attention, and rotary position embedding."""

from __future__ import annotations

from typing import Any

import numpy

from ... import np, npx
from .control import apart, run
from .table import FUNCTIONS, dtype_of, implements, made


@implements
def Attention(
    Q: Any,
    K: Any,
    V: Any,
    attn_mask: Any = None,
    past_key: Any = None,
    past_value: Any = None,
    nonpad_kv_seqlen: Any = None,
    *,
    is_causal: int = 0,
    q_num_heads: int = 0,
    kv_num_heads: int = 0,
    scale: float | None = None,
    softcap: float = 0.0,
    softmax_precision: int | None = None,
    qk_matmul_output_mode: int = 0,
    left_window_size: int = -1,
    right_window_size: int = -1,
    outputs: int = 1,
) -> Any:
    flat = Q.ndim == 3
    if flat:
        Q = _heads(Q, q_num_heads)
        K, V = _heads(K, kv_num_heads), _heads(V, kv_num_heads)
    if past_key is not None:
        K, V = np.concatenate([past_key, K], 2), np.concatenate([past_value, V], 2)
    present = (K, V)
    groups = Q.shape[1] // K.shape[1]
    if groups > 1:
        K, V = np.repeat(K, groups, 1), np.repeat(V, groups, 1)
    root = (Q.shape[-1] ** -0.5 if scale is None else scale) ** 0.5
    raw = np.matmul(Q * root, np.swapaxes(K, -1, -2) * root)
    capped = np.tanh(raw / softcap) * softcap if softcap else raw
    past = 0 if past_key is None else past_key.shape[2]
    window = (left_window_size, right_window_size)
    blocked = _blocked(capped.shape[-2:], is_causal, window, past, nonpad_kv_seqlen)
    scores = _masked(capped, attn_mask, blocked)
    weights = npx.softmax(scores, axis=-1)
    # The weights of a fully masked row are zero.
    none = numpy.isneginf(scores.raw).all(-1, keepdims=True)
    if none.any():
        weights = np.where(made(none), np.zeros_like(weights), weights)
    y = np.matmul(weights, V)
    if flat:
        y = np.swapaxes(y, 1, 2).reshape((y.shape[0], y.shape[2], -1))
    shown = (raw, capped, scores, weights)[qk_matmul_output_mode]
    return (y, *present, shown)[:outputs] if outputs > 1 else y


def _flex_attention(
    *arrays: Any,
    prob_mod: Any = None,
    score_mod: Any = None,
    scale: float | None = None,
    softmax_precision: int | None = None,
) -> Any:
    (Q, K, V), (of_weights, of_scores) = apart(arrays, prob_mod, score_mod)
    groups = Q.shape[1] // K.shape[1]
    if groups > 1:
        K, V = np.repeat(K, groups, 1), np.repeat(V, groups, 1)
    root = (Q.shape[-1] ** -0.5 if scale is None else scale) ** 0.5
    scores = np.matmul(Q * root, np.swapaxes(K, -1, -2) * root)
    wide = "float32" if scores.dtype.itemsize < 4 else scores.dtype
    kind = wide if softmax_precision is None else dtype_of(softmax_precision)
    scores = _changed(score_mod, scores.astype(kind, copy=False), of_scores)
    weights = _changed(prob_mod, npx.softmax(scores, axis=-1), of_weights)
    return np.matmul(weights, V.astype(weights.dtype, copy=False)).astype(V.dtype, copy=False)


def _changed(body: Any, x: Any, captured: Any) -> Any:
    """Apply a body to an array; return the array itself if there is none."""
    return x if body is None else run(body, [x], captured)[0].astype(x.dtype, copy=False)


def _heads(x: Any, heads: int) -> Any:
    """Reshape (batch, length, heads * size) to (batch, heads, length, size)."""
    return np.swapaxes(x.reshape((*x.shape[:2], heads, x.shape[2] // heads)), 1, 2)


def _blocked(
    shape: tuple[int, ...],
    causal: int,
    window: tuple[int, int],
    past: int,
    lengths: Any,
) -> Any:
    """Return where queries must not attend to keys; None if they may attend to all."""
    queries, keys = shape
    rows = numpy.arange(queries)[:, None] + past
    columns = numpy.arange(keys)
    found: Any = False
    if lengths is not None:
        each = lengths.raw.reshape(-1, 1, 1, 1)
        rows = rows - past + (each - queries)
        found = columns >= each
    if causal:
        found = found | (columns > rows)
    before, after = window
    if before >= 0:
        found = found | (columns < rows - before)
    if after >= 0:
        found = found | (columns > rows + after)
    return None if found is False else found


def _masked(scores: Any, mask: Any, blocked: Any) -> Any:
    """Add the mask to the scores, with minus infinity where blocked."""
    least = made(numpy.array(-numpy.inf, scores.dtype))
    if mask is not None:
        missing = scores.shape[-1] - mask.shape[-1]
        if missing > 0:
            width = [(0, 0)] * (mask.ndim - 1) + [(0, missing)]
            filling = False if mask.dtype == bool else -numpy.inf
            mask = np.pad(mask, width, constant_values=filling)
        scores = np.where(mask, scores, least) if mask.dtype == bool else scores + mask
    return scores if blocked is None else np.where(made(blocked), least, scores)


@implements
def LinearAttention(
    query: Any,
    key: Any,
    value: Any,
    past_state: Any = None,
    decay: Any = None,
    beta: Any = None,
    *,
    chunk_size: int = 0,
    kv_num_heads: int,
    q_num_heads: int,
    scale: float = 0.0,
    update_rule: str = "gated_delta",
    outputs: int = 1,
) -> Any:
    dtype, groups = query.dtype, q_num_heads // kv_num_heads
    queries, keys, values = (
        _heads(x.astype("float32", copy=False), heads)
        for x, heads in ((query, q_num_heads), (key, kv_num_heads), (value, kv_num_heads))
    )
    kept = decay if decay is None else np.exp(_heads(decay.astype("float32"), kv_num_heads))
    share = beta if beta is None else _heads(beta.astype("float32"), beta.shape[-1])
    if past_state is None:
        shape = (len(query), kv_num_heads, keys.shape[-1], values.shape[-1])
        state, kind = np.zeros(shape, dtype="float32"), dtype
    else:
        state, kind = past_state.astype("float32"), past_state.dtype
    found = []
    for t in range(query.shape[1]):
        v = values[:, :, t]
        if kept is not None:
            state = state * np.expand_dims(kept[:, :, t], -1)
        if share is not None:
            v = share[:, :, t] * (v - np.matmul(np.expand_dims(keys[:, :, t], -2), state)[:, :, 0])
        state = state + np.expand_dims(keys[:, :, t], -1) * np.expand_dims(v, -2)
        seen = np.repeat(state, groups, 1) if groups > 1 else state
        found.append(np.matmul(np.expand_dims(queries[:, :, t], -2), seen)[:, :, 0])
    y = np.stack(found, 1).reshape((*query.shape[:2], -1)) * (scale or queries.shape[-1] ** -0.5)
    y = y.astype(dtype, copy=False)
    return (y, state.astype(kind, copy=False))[:outputs]


@implements
def RotaryEmbedding(
    X: Any,
    cos_cache: Any,
    sin_cache: Any,
    position_ids: Any = None,
    *,
    interleaved: int = 0,
    num_heads: int = 0,
    rotary_embedding_dim: int = 0,
) -> Any:
    shape = X.shape
    x = np.swapaxes(_heads(X, num_heads), 1, 2) if X.ndim == 3 else np.swapaxes(X, 1, 2)
    size = rotary_embedding_dim or x.shape[-1]
    turned, rest = x[..., :size], x[..., size:]
    cos, sin = cos_cache, sin_cache
    if position_ids is not None:
        cos, sin = np.take(cos, position_ids, axis=0), np.take(sin, position_ids, axis=0)
    cos, sin = (np.expand_dims(one[..., : size // 2], 2) for one in (cos, sin))
    if interleaved:
        a, b = turned[..., 0::2], turned[..., 1::2]
    else:
        a, b = turned[..., : size // 2], turned[..., size // 2 :]
    parts = [a * cos - b * sin, a * sin + b * cos]
    joined = np.stack(parts, -1).reshape(turned.shape) if interleaved else np.concatenate(parts, -1)
    y = np.concatenate([joined, rest], -1)
    return y.reshape(shape) if len(shape) == 3 else np.swapaxes(y, 1, 2)


FUNCTIONS["ai.onnx.preview.FlexAttention"] = _flex_attention
