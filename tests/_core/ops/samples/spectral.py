"""Fourier transforms and count sketches, which MXNet has for GPUs alone."""

from __future__ import annotations

import numpy as np

from tests._core.ops.sample import Sample, s

GPU = "MXNet supports GPUs only"


def transformed(x):
    """By the definition: the sums over all products with the roots of unity."""
    k = np.arange(x.shape[-1])
    y = x @ np.exp(-2j * np.pi * np.outer(k, k) / len(k))
    return np.stack([y.real, y.imag], -1).reshape(*x.shape[:-1], -1).astype(x.dtype)


def restored(x):
    z = x[..., ::2] + 1j * x[..., 1::2]
    k = np.arange(z.shape[-1])
    return (z @ np.exp(2j * np.pi * np.outer(k, k) / len(k))).real.astype(x.dtype)


def sketched(x, h, sign):
    out = np.zeros((*x.shape[:-1], 5), x.dtype)
    for k, (place, one) in enumerate(zip(h.ravel().astype(int), sign.ravel())):
        out[..., place] += x[..., k] * one
    return out


def fft(op: str, x: str, right=None, **attrs) -> Sample:
    right = right or {"fft": transformed, "ifft": restored}[op]
    return s(f"contrib.{op}", x, **attrs).but(differs=GPU, right=right)


def refused(op: str, *inputs: str, **attrs) -> Sample:
    return s(f"contrib.{op}", *inputs, **attrs).but(differs=GPU, refused=True)


SIGNS = "[[1, -1, 1, -1]]"
SAMPLES = [
    fft("fft", "2x4"),
    fft("fft", "3x5"),
    fft("fft", "2x1x3x7", compute_size=2),
    fft("fft", "1x1"),
    fft("fft", "4"),
    fft("fft", "2x3 float64"),
    fft("fft", "2x8 float16").but(rtol=2e-3),
    refused("fft", "2x4 integers int32"),
    refused("fft", "()"),
    refused("fft", "2x0"),
    fft("ifft", "2x4"),
    fft("ifft", "3x10"),
    fft("ifft", "2x1x3x6", compute_size=2),
    fft("ifft", "1x2"),
    fft("ifft", "2x6 float64"),
    fft("ifft", "2x8 float16").but(rtol=2e-3),
    refused("ifft", "2x3"),
    refused("ifft", "2x4 integers int32"),
    s("contrib.count_sketch", "2x4", "[[0, 3, 4, 0]]", SIGNS, out_dim=5).but(
        differs=GPU, right=sketched, wrt=(0, 2)
    ),
    s("contrib.count_sketch", "2x1x3x4", "[1, 1, 1, 1]", "[1, -1, 1, -1]", out_dim=5).but(
        differs=GPU, right=sketched, wrt=(0,)
    ),
    s(
        "contrib.count_sketch",
        "3x4 float64",
        "[[2, 0, 1, 2]] int32",
        SIGNS + " float64",
        out_dim=5,
        processing_batch_size=1,
    ).but(differs=GPU, right=sketched),
    refused("count_sketch", "2x4", "[[0, 3, 5, 0]]", SIGNS, out_dim=5),
    refused("count_sketch", "2x4", "[[0, 3, -1, 0]]", SIGNS, out_dim=5),
    refused("count_sketch", "2x4", "[[0, 3, 1]]", SIGNS, out_dim=5),
    refused("count_sketch", "2x4", "[[0, 0, 0, 0]]", "[[1, 1, 1]]", out_dim=5),
    refused("count_sketch", "2x4", "[[0, 0, 0, 0]]", SIGNS, out_dim=0),
]
