"""Kernels of Fourier transforms of real numbers."""

from __future__ import annotations

from typing import Any

import numpy as np


def _wide(x: Any) -> Any:
    """Return `x` in a dtype that NumPy can transform."""
    if x.dtype.kind in "iub" or not x.ndim:
        raise TypeError(f"x must be a floating array (..., d), not {x.dtype} of shape {x.shape}")
    return x if x.dtype in (np.float32, np.float64) else x.astype(np.float32)


def fft(x: Any) -> Any:
    """The Fourier transform along the last axis, real and imaginary parts by turns."""
    y = np.fft.fft(_wide(x), axis=-1)
    return np.stack([y.real, y.imag], -1).reshape(*x.shape[:-1], 2 * x.shape[-1]).astype(x.dtype)


def ifft(x: Any) -> Any:
    """The transpose of `fft`: the real part of the inverse transform, times its length."""
    wide = _wide(x)
    if x.shape[-1] % 2:
        raise ValueError(f"the last axis of {x.shape} must be even: real and imaginary parts")
    y = np.fft.ifft(wide[..., ::2] + 1j * wide[..., 1::2], axis=-1, norm="forward")
    return y.real.astype(x.dtype)
