"""Functions of NumPy on device buffers: sums, products, decompositions; and the methods."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from .buffer import FUNCTIONS, DeviceBuffer, like, maybe_view, tensor, view
from .common import Unimplemented, place_of
from .functions import as_tensor, common, implements, refuse
from .ufuncs import accumulate, axes_of, cast, matmul, multiplied, reduce, write


def _reduction(ufunc: Any) -> Callable[..., Any]:
    def run(
        x: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = None,
        where: Any = True,
    ) -> Any:
        keep = keepdims is not np._NoValue and bool(keepdims)
        where = True if where is np._NoValue else where
        return reduce(ufunc, x, axis, dtype, out, keep, initial, where)

    return run


def _without_dtype(run: Callable[..., Any]) -> Callable[..., Any]:
    def shorter(
        x: Any,
        axis: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = None,
        where: Any = True,
    ) -> Any:
        return run(x, axis, None, out, keepdims, initial, where)

    return shorter


def _test(run: Callable[..., Any]) -> Callable[..., Any]:
    def shorter(
        x: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True
    ) -> Any:
        return run(x, axis, None, out, keepdims, None, where)

    return shorter


_sum, _prod = _reduction(np.add), _reduction(np.multiply)
_max, _min = (_without_dtype(_reduction(f)) for f in (np.maximum, np.minimum))
_all, _any = (_test(_reduction(f)) for f in (np.logical_and, np.logical_or))
FUNCTIONS.update(
    {np.sum: _sum, np.prod: _prod, np.max: _max, np.min: _min, np.all: _all, np.any: _any}
)
FUNCTIONS.update({np.amax: _max, np.amin: _min})


@implements(np.mean)
def _mean(
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    *,
    where: Any = True,
) -> Any:
    if where is not True and where is not np._NoValue:
        raise Unimplemented("numpy.mean: where on devices")
    n = int(np.prod([x.shape[a] for a in axes_of(axis, x.ndim)], dtype=np.int64))
    if dtype is None and x.dtype.kind in "iub":
        dtype = np.float64
    wide = np.float32 if dtype is None and x.dtype.itemsize == 2 else dtype
    total = _sum(x, axis, wide, None, keepdims)
    found = total / n
    kind = x.dtype if dtype is None else np.dtype(dtype)
    return write(out, cast(found.t, kind), place_of((x, out)))


def _spread(root: bool) -> Callable[..., Any]:
    def run(
        x: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: Any = False,
        **more: Any,
    ) -> Any:
        if more or dtype is not None or not x.size:
            raise Unimplemented("numpy.var: these keywords on devices")
        keep = keepdims is not np._NoValue and bool(keepdims)
        t = x.t if x.t.dtype.is_floating_point else x.t.double()
        f = torch.std if root else torch.var
        return write(
            out, f(t, axes_of(axis, x.ndim), correction=ddof, keepdim=keep), place_of((x, out))
        )

    return run


FUNCTIONS.update({np.var: _spread(False), np.std: _spread(True)})


def _running(ufunc: Any) -> Callable[..., Any]:
    def run(x: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        x, axis = (x.ravel(), 0) if axis is None else (x, axis)
        return accumulate(ufunc, x, axis, dtype, out)

    return run


FUNCTIONS.update({np.cumsum: _running(np.add), np.cumprod: _running(np.multiply)})


@implements(np.count_nonzero)
def _count_nonzero(x: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    found = reduce(np.add, x != 0, axis, np.int64, None, keepdims)
    return int(found) if axis is None and not keepdims else found


@implements(np.round)
def _round(x: Any, decimals: int = 0, out: Any = None) -> Any:
    if decimals and x.dtype.kind != "f":
        raise Unimplemented("numpy.round: decimals of integers on devices")
    if decimals:
        power = 10 ** abs(decimals)
        found = np.rint(x * power) / power if decimals > 0 else np.rint(x / power) * power
    else:
        found = x.copy() if x.dtype.kind in "iu" else np.rint(x)
    return found if out is None else write(out, found.t, x)


FUNCTIONS[np.isneginf] = lambda x, out=None: write(out, torch.isneginf(x.t), x)
FUNCTIONS[np.isposinf] = lambda x, out=None: write(out, torch.isposinf(x.t), x)
FUNCTIONS[np.sinc] = lambda x: like(x, torch.sinc(_floating(x)))


# ----------------------------------------------------------------------------- products


def _pair(a: Any, b: Any) -> tuple[DeviceBuffer, torch.Tensor, torch.Tensor]:
    beside = place_of((a, b))
    dtype = common((a, b))
    return beside, cast(tensor(a, beside), dtype), cast(tensor(b, beside), dtype)


@implements(np.dot)
def _dot(a: Any, b: Any, out: Any = None) -> Any:
    if not np.ndim(a) or not np.ndim(b):
        return np.multiply(a, b, out=out)
    beside, x, y = _pair(a, b)
    if x.ndim > 2 or y.ndim > 2:
        axes = [-1], [max(y.ndim - 2, 0)]
        return write(out, torch.tensordot(multiplied(x), y, dims=axes), beside)
    return write(out, matmul(x, y), beside)


@implements(np.tensordot)
def _tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    beside, x, y = _pair(a, b)
    if not isinstance(axes, (int, np.integer)):
        axes = [[one] if isinstance(one, (int, np.integer)) else list(one) for one in axes]
    return like(beside, torch.tensordot(multiplied(x), y, dims=axes))


def _of_pair(function: Callable[..., torch.Tensor]) -> Callable[..., Any]:
    def run(a: Any, b: Any, out: Any = None) -> Any:
        beside, x, y = _pair(a, b)
        return write(out, function(x, y), beside)

    return run


FUNCTIONS[np.inner] = _of_pair(lambda x, y: torch.inner(multiplied(x), y))
FUNCTIONS[np.vdot] = _of_pair(lambda x, y: torch.vdot(multiplied(x).reshape(-1), y.reshape(-1)))
FUNCTIONS[np.outer] = _of_pair(lambda x, y: torch.outer(x.reshape(-1), y.reshape(-1)))


@implements(np.einsum)
def _einsum(subscripts: Any, *xs: Any, out: Any = None, optimize: Any = False, **more: Any) -> Any:
    if more or not isinstance(subscripts, str) or not subscripts.isascii():
        raise Unimplemented("numpy.einsum: these arguments on devices")
    beside = place_of((xs, out))
    dtype = common(xs)
    if dtype.kind == "b":
        raise Unimplemented("numpy.einsum of booleans on devices")
    ts = [cast(tensor(x, beside), dtype) for x in xs]
    if len(ts) > 1:
        multiplied(ts[0])
    found = torch.einsum(subscripts, *ts)
    if out is not None:
        return write(out, found, beside)
    return maybe_view(xs[0], found) if type(xs[0]) is DeviceBuffer else like(beside, found)


# ------------------------------------------------------------------------ linear algebra


def _floating(x: DeviceBuffer) -> torch.Tensor:
    return x.t if x.t.dtype.is_floating_point or x.t.is_complex() else x.t.double()


FUNCTIONS[np.linalg.inv] = lambda x: like(x, torch.linalg.inv(_floating(x)))
FUNCTIONS[np.linalg.det] = lambda x: like(x, torch.linalg.det(_floating(x)))


@implements(np.linalg.cholesky)
def _cholesky(x: Any, /, *, upper: bool = False) -> Any:
    return like(x, torch.linalg.cholesky(_floating(x), upper=upper))


@implements(np.linalg.solve)
def _solve(a: Any, b: Any) -> Any:
    beside, x, y = _pair(a, b)
    return like(beside, torch.linalg.solve(x, y))


@implements(np.linalg.slogdet)
def _slogdet(x: Any) -> Any:
    return tuple([like(x, t) for t in torch.linalg.slogdet(_floating(x))])


def _transform(function: Callable[..., torch.Tensor]) -> Callable[..., Any]:
    return lambda x, n=None, axis=-1, norm=None: like(x, function(x.t, n, axis, norm))


FUNCTIONS.update({np.fft.fft: _transform(torch.fft.fft), np.fft.ifft: _transform(torch.fft.ifft)})


# ----------------------------------------------------------------------- other functions


@implements(np.searchsorted)
def _searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    refuse("searchsorted", sorter=sorter)
    beside = place_of((a, v))
    dtype = common((a, v))
    rows, values = (as_tensor(x, dtype, beside) for x in (a, v))
    return like(beside, torch.searchsorted(rows.contiguous(), values.contiguous(), side=side))


@implements(np.isin)
def _isin(
    x: Any, values: Any, assume_unique: bool = False, invert: bool = False, *, kind: Any = None
) -> Any:
    beside = place_of((x, values))
    one, other = (tensor(given, beside) for given in (x, values))
    kind = torch.promote_types(one.dtype, other.dtype)
    kind = torch.uint8 if kind is torch.bool else kind  # PyTorch refuses booleans
    return like(beside, torch.isin(one.to(kind), other.to(kind), invert=invert))


@implements(np.bincount)
def _bincount(x: Any, weights: Any = None, minlength: int = 0) -> Any:
    beside = place_of((x, weights))
    w = None if weights is None else tensor(weights, beside).to(torch.float64)
    return like(beside, torch.bincount(tensor(x, beside), w, minlength))


@implements(np.meshgrid)
def _meshgrid(*xs: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> list:
    if sparse:
        raise Unimplemented("numpy.meshgrid: sparse on devices")
    beside = place_of(xs)
    return [
        like(beside, t) for t in torch.meshgrid(*[tensor(x, beside) for x in xs], indexing=indexing)
    ]


@implements(np.ravel_multi_index)
def _ravel_multi_index(indices: Any, dims: Any, mode: Any = "raise", order: str = "C") -> Any:
    if mode != "raise" or order != "C":
        raise Unimplemented("numpy.ravel_multi_index: mode or order on devices")
    beside = place_of(indices)
    total = torch.zeros((), dtype=torch.int64, device=beside.t.device)
    for index, n in zip(indices, dims):
        i = tensor(index, beside).to(torch.int64)
        if bool(((i < 0) | (i >= n)).any()):
            raise Unimplemented("invalid entry in coordinates array")
        total = total * n + i
    return like(beside, total)


@implements(np.unravel_index)
def _unravel_index(indices: Any, shape: Any, order: str = "C") -> tuple:
    if order != "C":
        raise Unimplemented("numpy.unravel_index: order on devices")
    if bool(((indices.t < 0) | (indices.t >= math.prod(shape))).any()):
        raise ValueError(f"an index is out of bounds for an array of shape {shape}")
    return tuple([like(indices, t) for t in torch.unravel_index(indices.t.to(torch.int64), shape)])


def sliding_window_view(
    x: Any, window_shape: Any, axis: Any = None, *, subok: bool = False, writeable: bool = False
) -> Any:
    """NumPy's function of this name, which has the protocol."""
    window = (window_shape,) if isinstance(window_shape, (int, np.integer)) else tuple(window_shape)
    t = x.t
    for a, n in zip(axes_of(axis, x.ndim), window):
        t = t.unfold(a, n, 1)
    return view(x, t)


FUNCTIONS[np.lib.stride_tricks.sliding_window_view] = sliding_window_view


def _method(function: Any) -> Callable[..., Any]:
    return lambda self, *args, **options: function(self, *args, **options)


for _name in (
    "sum prod max min mean var std all any argmax argmin argsort cumsum cumprod clip dot repeat"
    " argpartition take nonzero diagonal trace round searchsorted"
).split():
    setattr(DeviceBuffer, _name, _method(FUNCTIONS[getattr(np, _name)]))
