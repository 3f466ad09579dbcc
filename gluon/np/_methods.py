"""The functions of `np` that are methods of `ndarray`."""

from __future__ import annotations

from .._core.arrays.base import DeviceArray
from ..nd import methods as classic
from . import (
    calculus,
    complexes,
    functional,
    indexing,
    matrix,
    methods,
    reduce,
    shape,
    sorting,
    writing,
)


class Methods(DeviceArray):
    """Base of `ndarray`."""

    __slots__ = ()

    all = reduce.all
    any = reduce.any
    argmax = reduce.argmax
    argmin = reduce.argmin
    cumsum = reduce.cumsum
    max = reduce.max
    mean = reduce.mean
    min = reduce.min
    prod = reduce.prod
    std = reduce.std
    sum = reduce.sum
    var = reduce.var
    ravel = shape.ravel
    repeat = shape.repeat
    squeeze = shape.squeeze
    swapaxes = shape.swapaxes
    broadcast_to = shape.broadcast_to
    compress = methods.compress
    diagonal = indexing.diagonal
    nonzero = indexing.nonzero
    take = indexing.take
    dot = matrix.dot
    trace = matrix.trace
    argpartition = sorting.argpartition
    argsort = sorting.argsort
    searchsorted = sorting.searchsorted
    cumprod = calculus.cumprod
    choose = functional.choose
    put = writing.put
    conj = complexes.conjugate
    conjugate = complexes.conjugate
    reshape = methods.reshape
    reshape_view = methods.reshape_view
    transpose = methods.transpose
    flatten = methods.flatten
    clip = methods.clip
    round = methods.round
    sort = methods.sort
    partition = methods.partition
    to_dlpack_for_read = classic.to_dlpack_for_read
    to_dlpack_for_write = classic.to_dlpack_for_read

    as_in_ctx = DeviceArray.as_in_context
    wait_to_write = DeviceArray.wait_to_read
