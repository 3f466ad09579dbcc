"""Products of multi-head attention."""

from __future__ import annotations

import numpy as np

from tests._core.ops.sample import Sample, s


def _scores(qkv, heads=2):
    length, batch = qkv.shape[:2]
    parts = qkv.reshape(length, batch, heads, 3, -1)
    q, k = (parts[..., part, :].transpose(1, 2, 0, 3) for part in (0, 1))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    return scores.reshape(batch * heads, length, length).astype(qkv.dtype)


def _self_qk(data: str, heads: int) -> Sample:
    return s("contrib.interleaved_matmul_selfatt_qk", data, heads=heads)


def _self_valatt(data: str, attention: str, heads: int) -> Sample:
    return s("contrib.interleaved_matmul_selfatt_valatt", data, attention, heads=heads)


def _cross_qk(queries: str, data: str, heads: int) -> Sample:
    return s("contrib.interleaved_matmul_encdec_qk", queries, data, heads=heads)


def _cross_valatt(data: str, attention: str, heads: int) -> Sample:
    return s("contrib.interleaved_matmul_encdec_valatt", data, attention, heads=heads)


SAMPLES = [
    _self_qk("3x2x24", 2),
    _self_qk("4x1x15", 1),
    _self_qk("1x2x12", 4),
    _self_qk("3x2x12 float64", 2).but(differs="MXNet takes float32 only", right=_scores),
    _self_qk("3x2x12 float16", 2).but(differs="MXNet takes float32 only", right=_scores, rtol=5e-3),
    _self_qk("3x24", 2),
    _self_qk("3x2x24", 5).but(differs="MXNet drops the remainder", refused=True),
    _self_qk("3x2x24", 0).but(differs="MXNet crashes", refused=True),
    _self_valatt("3x2x24", "4x3x3 prob", 2),
    _self_valatt("4x1x15", "1x4x4", 1),
    _self_valatt("1x2x12", "8x1x1", 4),
    _self_valatt("3x2x24", "2x3x3", 2),
    _self_valatt("3x2x24", "4x3x2", 2),
    _self_valatt("3x2x24", "4x3", 2),
    _cross_qk("5x2x8", "3x2x16", 2),
    _cross_qk("2x1x5", "4x1x10", 1),
    _cross_qk("5x2x8", "3x1x16", 2),
    _cross_qk("5x2x8", "3x2x12", 2),
    _cross_valatt("3x2x16", "4x5x3 prob", 2),
    _cross_valatt("4x1x10", "1x2x4", 1),
    _cross_valatt("3x2x16", "3x5x3", 2),
]
