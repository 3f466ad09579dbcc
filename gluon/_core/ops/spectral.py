"""Fourier transforms; each is the gradient of the other."""

from __future__ import annotations

from typing import Final

from ..engine.op import define
from ..kernels import spectral as kernels

fft: Final = define(
    "fft",
    kernels.fft,
    "The Fourier transform along the last axis, real and imaginary parts by turns",
    x=lambda F, g: F.ifft(g),
)
ifft: Final = define(
    "ifft",
    kernels.ifft,
    "The real part of the inverse of fft, times the length",
    x=lambda F, g: F.fft(g),
)
