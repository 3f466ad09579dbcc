"""The functions of `nd` that are methods of `NDArray`."""

from __future__ import annotations

from typing import Final

from .._core.arrays.base import DeviceArray
from . import (
    activation,
    elementwise,
    indexing,
    matrix,
    methods,
    reduce,
    sequence,
    shape,
)
from . import (
    join as joining,
)


class Methods(DeviceArray):
    """Base of `NDArray`."""

    __slots__ = ()

    abs: Final = elementwise.abs
    arccos: Final = elementwise.arccos
    arccosh: Final = elementwise.arccosh
    arcsin: Final = elementwise.arcsin
    arcsinh: Final = elementwise.arcsinh
    arctan: Final = elementwise.arctan
    arctanh: Final = elementwise.arctanh
    cbrt: Final = elementwise.cbrt
    ceil: Final = elementwise.ceil
    clip: Final = elementwise.clip
    cos: Final = elementwise.cos
    cosh: Final = elementwise.cosh
    degrees: Final = elementwise.degrees
    exp: Final = elementwise.exp
    expm1: Final = elementwise.expm1
    fix: Final = elementwise.fix
    floor: Final = elementwise.floor
    log: Final = elementwise.log
    log10: Final = elementwise.log10
    log1p: Final = elementwise.log1p
    log2: Final = elementwise.log2
    ones_like: Final = elementwise.ones_like
    radians: Final = elementwise.radians
    rcbrt: Final = elementwise.rcbrt
    reciprocal: Final = elementwise.reciprocal
    relu: Final = elementwise.relu
    rint: Final = elementwise.rint
    round: Final = elementwise.round
    rsqrt: Final = elementwise.rsqrt
    sigmoid: Final = elementwise.sigmoid
    sign: Final = elementwise.sign
    sin: Final = elementwise.sin
    sinh: Final = elementwise.sinh
    sqrt: Final = elementwise.sqrt
    square: Final = elementwise.square
    tan: Final = elementwise.tan
    tanh: Final = elementwise.tanh
    trunc: Final = elementwise.trunc
    zeros_like: Final = elementwise.zeros_like

    argmax: Final = reduce.argmax
    argmax_channel: Final = reduce.argmax_channel
    argmin: Final = reduce.argmin
    max: Final = reduce.max
    mean: Final = reduce.mean
    min: Final = reduce.min
    nanprod: Final = reduce.nanprod
    nansum: Final = reduce.nansum
    norm: Final = reduce.norm
    prod: Final = reduce.prod
    sum: Final = reduce.sum

    broadcast_axes: Final = shape.broadcast_axes
    broadcast_to: Final = shape.broadcast_to
    flip: Final = shape.flip
    reshape_like: Final = shape.reshape_like
    shape_array: Final = shape.shape_array
    size_array: Final = shape.size_array
    swapaxes: Final = shape.swapaxes
    transpose: Final = shape.transpose

    pad: Final = joining.pad
    repeat: Final = joining.repeat
    slice: Final = joining.slice
    slice_axis: Final = joining.slice_axis
    slice_like: Final = joining.slice_like
    split: Final = joining.split
    split_v2: Final = joining.split_v2
    tile: Final = joining.tile

    depth_to_space: Final = indexing.depth_to_space
    diag: Final = indexing.diag
    one_hot: Final = indexing.one_hot
    pick: Final = indexing.pick
    space_to_depth: Final = indexing.space_to_depth
    take: Final = indexing.take

    argsort: Final = sequence.argsort
    sort: Final = sequence.sort
    topk: Final = sequence.topk

    dot: Final = matrix.dot

    log_softmax: Final = activation.log_softmax
    softmax: Final = activation.softmax
    softmin: Final = activation.softmin

    slice_assign: Final = methods.slice_assign
    slice_assign_scalar: Final = methods.slice_assign_scalar
    to_dlpack_for_read: Final = methods.to_dlpack_for_read
    to_dlpack_for_write: Final = methods.to_dlpack_for_write
    expand_dims: Final = methods.expand_dims
    flatten: Final = methods.flatten
    squeeze: Final = methods.squeeze
    broadcast_like: Final = methods.broadcast_like

    as_in_ctx: Final = DeviceArray.as_in_context
    to_device: Final = DeviceArray.as_in_context
    wait_to_write: Final = DeviceArray.wait_to_read
