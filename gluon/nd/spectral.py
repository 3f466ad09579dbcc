"""`nd.contrib`: Fourier transforms and random projection."""

from __future__ import annotations

from .._core.arrays.base import A
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from ._public import public


@public
def fft(data: A, compute_size: int = 128, out: A | None = None, name: str | None = None) -> A:
    """The Fourier transform of real numbers along the last axis.

    Parameters
    ----------
    data : NDArray of shape (..., d)
        Floating.
    compute_size : int, default 128
        Ignored: everything is computed at once.

    Returns
    -------
    NDArray of shape (..., 2 * d)
        Alternating real and imaginary parts, in the dtype of `data`. Its gradient is `ifft`.

    Raises
    ------
    ArgumentError
        If `data` has an empty last axis.
    DTypeError
        If `data` holds integers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.contrib.fft(nd.array([[1, 0, 1, 0]]))
    <BLANKLINE>
    [[2. 0. 0. 0. 2. 0. 0. 0.]]
    <NDArray 1x8 @cpu(0)>
    """
    return ops.fft(data)


@public
def ifft(data: A, compute_size: int = 128, out: A | None = None, name: str | None = None) -> A:
    """The real part of the inverse Fourier transform, times its length `d`.

    Parameters
    ----------
    data : NDArray of shape (..., 2 * d)
        Alternating real and imaginary parts; floating.
    compute_size : int, default 128
        Ignored: everything is computed at once.

    Returns
    -------
    NDArray of shape (..., d)
        In the dtype of `data`: ``ifft(fft(x))`` is ``d * x``. Its gradient is `fft`.

    Raises
    ------
    ArgumentError
        If the last axis of `data` is odd or empty.
    DTypeError
        If `data` holds integers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.contrib.ifft(nd.contrib.fft(nd.array([[1, 2]]))) / 2
    <BLANKLINE>
    [[1. 2.]]
    <NDArray 1x2 @cpu(0)>
    """
    return ops.ifft(data)


@public
def count_sketch(
    data: A,
    h: A,
    s: A,
    out_dim: int,
    processing_batch_size: int = 32,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Random projection: element ``h[i]`` is the sum of ``data[i] * s[i]``.

    The Fourier transform of the sketch of an outer product is the product of the Fourier
    transforms of the sketches of its factors (Gao and others, "Compact bilinear pooling", 2016).

    Parameters
    ----------
    data : NDArray of shape (..., d)
    h : NDArray of shape (1, d) or (d,)
        Positions from 0 to `out_dim` - 1.
    s : NDArray of shape (1, d) or (d,)
        Signs, 1 and -1.
    out_dim : int
    processing_batch_size : int, default 32
        Ignored: everything is computed at once.

    Returns
    -------
    NDArray of shape (..., out_dim)
        Differentiable in `data` and `s`.

    Raises
    ------
    ArgumentError
        If `h` or `s` has another shape, or `out_dim` is not positive.
    IndexRangeError
        If a position is out of range.

    Examples
    --------
    >>> from gluon import nd
    >>> x, h, s = nd.array([[1, 2, 3]]), nd.array([[0, 3, 0]]), nd.array([[1, -1, 1]])
    >>> nd.contrib.count_sketch(x, h, s, out_dim=4)
    <BLANKLINE>
    [[ 4.  0.  0. -2.]]
    <NDArray 1x4 @cpu(0)>
    """
    wanted = data.shape[-1:]
    for name, array in (("h", h), ("s", s)):
        if array.shape not in (wanted, (1, *wanted)) or not wanted:
            raise ArgumentError(
                f"count_sketch: {name} has shape {array.shape}; data of shape {data.shape} needs"
                f" {(1, *wanted)}"
            )
    if out_dim < 1:
        raise ArgumentError(f"count_sketch: out_dim={out_dim} must be positive")
    signed = ops.multiply(data, ops.reshape(s, shape=wanted))
    places = ops.reshape(h, shape=wanted)
    return ops.take_grad(signed, places, axis=-1, mode="raise", size=out_dim)
