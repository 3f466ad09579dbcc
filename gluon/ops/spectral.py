"""Fourier transforms; each is the gradient of the other."""

from __future__ import annotations

from ..engine.op import define
from ..kernels import spectral as kernels

fft = define(
    "fft",
    kernels.fft,
    "The Fourier transform along the last axis, real and imaginary parts by turns",
    x=lambda F, g: F.ifft(g),
)
ifft = define(
    "ifft",
    kernels.ifft,
    "The real part of the inverse of fft, times the length",
    x=lambda F, g: F.fft(g),
)
