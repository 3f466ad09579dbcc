"""Signals: Fourier transforms, and windows for them."""

from __future__ import annotations

from typing import Any

import numpy

from ... import np
from .table import FUNCTIONS, axes_of, dtype_of, implements, made, number, room


def _window(*shares: float) -> Any:
    """Return a cosine window: `shares` of each multiple of the period, with alternating signs."""

    def window(size: Any, *, output_datatype: int = 1, periodic: int = 1) -> Any:
        (count,) = room(int(number(size)))
        angle = 2 * numpy.pi * numpy.arange(count) / max(count - (not periodic), 1)
        y: Any = sum(share * (-1) ** k * numpy.cos(k * angle) for k, share in enumerate(shares))
        return made(y.astype(dtype_of(output_datatype)))

    return window


FUNCTIONS |= {
    "BlackmanWindow": _window(0.42, 0.5, 0.08),
    "HammingWindow": _window(25 / 46, 21 / 46),
    "HannWindow": _window(0.5, 0.5),
}


@implements
def DFT(
    input: Any,
    dft_length: Any = None,
    axis: Any = None,
    *,
    inverse: int = 0,
    onesided: int = 0,
    **older: int,
) -> Any:
    (place,) = axes_of(input, int(number(axis, older.get("axis", -2))))
    x = np.moveaxis(input, place, -2)
    if inverse and onesided:
        length = int(number(dft_length, 2 * (x.shape[-2] - 1)))
        y = _real(x, length)
    else:
        length = int(number(dft_length, x.shape[-2]))
        y = _transformed(x, length, length // 2 + 1 if onesided else length, -1 if inverse else 1)
        y = y / length if inverse else y
    return np.moveaxis(y, -2, place)


def _turns(rows: int, columns: int, length: int, dtype: Any) -> tuple[Any, Any]:
    """Return cosines and sines of ``2 pi row column / length``."""
    room(rows, columns)
    angle = (
        numpy.outer(numpy.arange(rows), numpy.arange(columns)) % length * (2 * numpy.pi / length)
    )
    return made(numpy.cos(angle).astype(dtype)), made(numpy.sin(angle).astype(dtype))


def _transformed(x: Any, length: int, count: int, sign: int) -> Any:
    """Return the first `count` frequencies of ``(..., values, 1 or 2)`` as ``(..., count, 2)``."""
    x = x[..., :length, :]
    cos, sin = _turns(count, x.shape[-2], length, x.dtype)
    real = x[..., 0]
    of_real = [np.matmul(real, cos.T), np.matmul(real, sin.T) * -sign]
    if x.shape[-1] == 2:
        imaginary = x[..., 1]
        of_real[0] = of_real[0] + np.matmul(imaginary, sin.T) * sign
        of_real[1] = of_real[1] + np.matmul(imaginary, cos.T)
    return np.stack(of_real, -1)


def _real(x: Any, length: int) -> Any:
    """Return the real values with the first half of frequencies `x`, as ``(..., length, 1)``."""
    x = x[..., : length // 2 + 1, :]
    count = x.shape[-2]
    cos, sin = _turns(length, count, length, x.dtype)
    twice = numpy.full(count, 2.0)
    twice[numpy.arange(count) * 2 % length == 0] = 1
    share = made((twice / length).astype(x.dtype))
    y = np.matmul(x[..., 0] * share, cos.T) - np.matmul(x[..., 1] * share, sin.T)
    return np.expand_dims(y, -1)


@implements
def STFT(
    signal: Any,
    frame_step: Any,
    window: Any = None,
    frame_length: Any = None,
    *,
    onesided: int = 1,
) -> Any:
    length = len(window) if frame_length is None else int(number(frame_length))
    step = int(number(frame_step))
    count = (signal.shape[1] - length) // step + 1
    room(*signal.shape[:1], count, length)
    places = numpy.arange(count)[:, None] * step + numpy.arange(length)
    x = signal if signal.ndim == 3 else np.expand_dims(signal, -1)
    frames = np.take(x, made(places), axis=1)
    if window is not None:
        frames = frames * np.expand_dims(window, -1)
    return _transformed(frames, length, length // 2 + 1 if onesided else length, 1)


@implements
def MelWeightMatrix(
    num_mel_bins: Any,
    dft_length: Any,
    sample_rate: Any,
    lower_edge_hertz: Any,
    upper_edge_hertz: Any,
    *,
    output_datatype: int = 1,
) -> Any:
    count, length = int(number(num_mel_bins)), int(number(dft_length))
    room(length // 2 + 1, count + 2)
    edges = [2595 * numpy.log10(1 + number(x) / 700) for x in (lower_edge_hertz, upper_edge_hertz)]
    mels = edges[0] + numpy.arange(count + 2) * (edges[1] - edges[0]) / (count + 2)
    hertz = 700 * (10 ** (mels / 2595) - 1)
    places = ((length + 1) * hertz // number(sample_rate)).astype("int64")
    first, middle, last = places[:-2], places[1:-1], places[2:]
    at = numpy.arange(length // 2 + 1)[:, None]
    rising = (at - first) / numpy.maximum(middle - first, 1)
    falling = (last - at) / numpy.maximum(last - middle, 1)
    y = numpy.where(at < middle, rising, numpy.where(last > middle, falling, at == middle))
    y = numpy.where(at == middle, 1, y) * ((at >= first) & ((at < last) | (at == middle)))
    return made(y.astype(dtype_of(output_datatype)))
