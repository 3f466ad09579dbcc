"""Quantized values: 8-bit integers with a scale and a zero point."""

from __future__ import annotations

from typing import Any

import numpy

from ... import autograd, np
from .layers import Conv
from .table import dtype_of, implements, made, over


def _along(x: Any, given: Any, axis: int, block_size: int) -> Any:
    """Reshape a scale or zero point to broadcast with `x`."""
    if given is None or given.size == 1:
        return given if given is None else given.reshape(())
    if block_size:
        wide = np.repeat(given, block_size, axis)
        return np.take(wide, made(numpy.arange(x.shape[axis])), axis=axis)
    return over(x, given, axis)


@implements
def QuantizeLinear(
    x: Any,
    y_scale: Any,
    y_zero_point: Any = None,
    *,
    axis: int = 1,
    block_size: int = 0,
    output_dtype: int = 0,
    precision: int = 0,
    saturate: int = 1,
) -> Any:
    dtype = numpy.dtype(dtype_of(output_dtype or 2)) if y_zero_point is None else y_zero_point.dtype
    limits = numpy.iinfo(dtype)
    zero = _along(x, y_zero_point, axis, block_size)
    y = np.rint(x / _along(x, y_scale, axis, block_size))
    if zero is not None:
        y = y + zero.astype(y.dtype)
    return np.clip(y, limits.min, limits.max).astype(dtype)


@implements
def DequantizeLinear(
    x: Any,
    x_scale: Any,
    x_zero_point: Any = None,
    source: Any = None,
    *,
    axis: int = 1,
    block_size: int = 0,
    output_dtype: int = 0,
) -> Any:
    """`source` has the values before they were quantized, and takes the gradient of the result."""
    zero = _along(x, x_zero_point, axis, block_size)
    y = x.astype("float32") if zero is None else x.astype("float32") - zero.astype("float32")
    y = y * _along(x, x_scale, axis, block_size).astype("float32")
    y = y.astype(dtype_of(output_dtype) if output_dtype else x_scale.dtype, copy=False)
    if source is None or not autograd.is_recording():
        return y
    limits = numpy.iinfo(x.dtype)
    places = np.rint(source.detach() / _along(x, x_scale, axis, block_size))
    places = places if zero is None else places + zero.astype(places.dtype)
    inside = np.logical_and(places >= limits.min, places <= limits.max)
    through = np.where(inside, source, np.zeros_like(source))
    return y + (through - through.detach())


@implements
def DynamicQuantizeLinear(x: Any) -> Any:
    low, high = min(0.0, float(x.raw.min())), max(0.0, float(x.raw.max()))
    scale = numpy.float32((high - low) / 255) or numpy.float32(1)
    zero = numpy.uint8(numpy.rint(numpy.clip(-low / scale, 0, 255)))
    y = QuantizeLinear(x, made(scale), made(zero))
    return y, made(scale), made(zero)


@implements
def MatMulInteger(A: Any, B: Any, a_zero_point: Any = None, b_zero_point: Any = None) -> Any:
    a, b = A.astype("int32"), B.astype("int32")
    if a_zero_point is not None:
        zero = a_zero_point.astype("int32")
        a = a - (zero if zero.ndim != 1 or zero.size == 1 else zero.reshape((-1, 1)))
    if b_zero_point is not None:
        b = b - b_zero_point.astype("int32")
    return np.matmul(a, b)


@implements
def QLinearMatMul(
    a: Any,
    a_scale: Any,
    a_zero_point: Any,
    b: Any,
    b_scale: Any,
    b_zero_point: Any,
    y_scale: Any,
    y_zero_point: Any,
) -> Any:
    y = np.matmul(
        DequantizeLinear(a, a_scale, a_zero_point, axis=-2),
        DequantizeLinear(b, b_scale, b_zero_point, axis=-1),
    )
    return QuantizeLinear(y, y_scale, y_zero_point, axis=-2)


@implements
def ConvInteger(
    x: Any, w: Any, x_zero_point: Any = None, w_zero_point: Any = None, **window: Any
) -> Any:
    # exact, because the products are small integers
    wide = x.astype("float64"), w.astype("float64")
    if x_zero_point is not None:
        wide = wide[0] - x_zero_point.astype("float64"), wide[1]
    if w_zero_point is not None:
        zero = w_zero_point.astype("float64")
        wide = wide[0], wide[1] - (zero if zero.size == 1 else over(w, zero, 0))
    return Conv(*wide, **window).astype("int32")


@implements
def QLinearConv(
    x: Any,
    x_scale: Any,
    x_zero_point: Any,
    w: Any,
    w_scale: Any,
    w_zero_point: Any,
    y_scale: Any,
    y_zero_point: Any,
    B: Any = None,
    **window: Any,
) -> Any:
    y = Conv(
        DequantizeLinear(x, x_scale, x_zero_point),
        DequantizeLinear(w, w_scale, w_zero_point, axis=0),
        None if B is None else B.astype("float32") * x_scale * w_scale,
        **window,
    )
    return QuantizeLinear(y, y_scale, y_zero_point)
