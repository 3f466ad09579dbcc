"""Functions of NumPy on device buffers: shapes, joins, choices."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

from .buffer import FUNCTIONS, DeviceBuffer, like, tensor, view
from .common import Unimplemented, number, place_of
from .indexing import inside
from .tensors import kind_of, scalar, up
from .ufuncs import axes_of, cast, normalize, reduce, write


def implements(*functions: Any) -> Callable[[Callable], Callable]:
    """Let a function be what NumPy's `functions` do on devices."""

    def register(own: Callable) -> Callable:
        FUNCTIONS.update(dict.fromkeys(functions, own))
        return own

    return register


def refuse(name: str, **given: Any) -> None:
    """Raise for keywords that are not implemented, if they are given."""
    used = [key for key, value in given.items() if value is not None]
    if used:
        raise Unimplemented(f"numpy.{name}: {', '.join(used)} on devices")


def common(xs: Any) -> np.dtype:
    """The dtype that NumPy promotes values to; numbers of Python are weak."""
    kinds = [x if type(x) in (int, float, complex) else getattr(x, "dtype", None) for x in xs]
    kinds = [np.asarray(x).dtype if kind is None else kind for x, kind in zip(xs, kinds)]
    return np.result_type(*kinds)


def as_tensor(x: Any, dtype: Any, beside: DeviceBuffer) -> torch.Tensor:
    """A tensor of `dtype` of a buffer, an array or a number."""
    if np.ndim(x) == 0 and not isinstance(x, DeviceBuffer):
        return scalar(number(x), dtype, beside.t.device)
    return cast(tensor(x, beside), np.dtype(dtype))


# --------------------------------------------------------------------------- new arrays


def _like(fill: Any) -> Callable[..., DeviceBuffer]:
    def made(
        x: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None
    ) -> DeviceBuffer:
        if order not in "KCA":
            raise Unimplemented(f"numpy.empty_like: order={order!r} on devices")
        beside = place_of((x,))
        kind = x.t.dtype if dtype is None else kind_of(dtype)
        size = x.t.shape if shape is None else shape
        size = (size,) if isinstance(size, (int, np.integer)) else tuple(size)
        if fill is None:
            return like(beside, torch.empty(size, dtype=kind, device=x.t.device))
        return like(beside, torch.full(size, fill, dtype=kind, device=x.t.device))

    return made


FUNCTIONS[np.empty_like] = _like(None)
FUNCTIONS[np.zeros_like] = _like(0)
FUNCTIONS[np.ones_like] = _like(1)


@implements(np.full_like)
def _full_like(
    x: Any, value: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None
) -> Any:
    made = FUNCTIONS[np.empty_like](
        x if type(x) is DeviceBuffer else place_of((x, value)),
        dtype or x.dtype,
        order,
        subok,
        x.shape if shape is None else shape,
    )
    made[...] = value
    return made


@implements(np.result_type)
def _result_type(*xs: Any) -> np.dtype:
    return np.result_type(*[x.dtype if isinstance(x, DeviceBuffer) else x for x in xs])


@implements(np.can_cast)
def _can_cast(x: Any, to: Any, casting: str = "safe") -> bool:
    return np.can_cast(x.dtype, to, casting)  # type: ignore[arg-type]


@implements(np.may_share_memory, np.shares_memory)
def _shares(a: Any, b: Any, max_work: Any = None) -> bool:
    both = type(a) is type(b) is DeviceBuffer and a.place == b.place
    return both and np.shares_memory(_laid(a), _laid(b), max_work)


def _laid(x: DeviceBuffer) -> np.ndarray:
    """An array of NumPy that says where the values are, and of which none may be read."""
    kind = np.dtype(f"V{x.itemsize}").str
    form = {"shape": x.shape, "strides": x.strides, "typestr": kind, "version": 3}
    address = {"data": (x.t.data_ptr(), False)}
    return np.asarray(SimpleNamespace(__array_interface__=form | address))


# -------------------------------------------------------------------------------- shape


@implements(np.reshape)
def _reshape(x: Any, shape: Any = None, order: str = "C", *, copy: Any = None) -> Any:
    return x.reshape(shape, order=order)


@implements(np.transpose)
def _transpose(x: Any, axes: Any = None) -> Any:
    return x.transpose() if axes is None else x.transpose(tuple(axes))


@implements(np.moveaxis)
def _moveaxis(x: Any, source: Any, destination: Any) -> Any:
    return view(x, torch.movedim(x.t, source, destination))


@implements(np.rollaxis)
def _rollaxis(x: Any, axis: int, start: int = 0) -> Any:
    axis = normalize(axis, x.ndim)
    start = start + x.ndim if start < 0 else start
    return _moveaxis(x, axis, start - 1 if axis < start else start)


@implements(np.expand_dims)
def _expand_dims(x: Any, axis: Any) -> Any:
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    t = x.t
    for a in sorted([normalize(a, t.ndim + len(axes)) for a in axes]):
        t = t.unsqueeze(a)
    return view(x, t)


@implements(np.broadcast_to)
def _broadcast_to(x: Any, shape: Any, subok: bool = False) -> Any:
    shape = (shape,) if isinstance(shape, (int, np.integer)) else tuple(map(int, shape))
    if min(shape, default=0) < 0 or np.broadcast_shapes(x.shape, shape) != shape:
        raise Unimplemented(f"could not broadcast an array of shape {x.shape} to {shape}")
    return view(x, x.t.expand(shape))


@implements(np.broadcast_arrays)
def _broadcast_arrays(*xs: Any, subok: bool = False) -> Any:
    beside = place_of(xs)
    ts = torch.broadcast_tensors(*[tensor(x, beside) for x in xs])
    return tuple(
        [view(x, t) if isinstance(x, DeviceBuffer) else like(beside, t) for x, t in zip(xs, ts)]
    )


@implements(np.atleast_2d)
def _atleast_2d(x: Any) -> Any:
    return x if x.ndim > 1 else x.reshape(1, -1)


@implements(np.diagonal)
def _diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return view(x, torch.diagonal(x.t, offset, axis1, axis2))


@implements(np.trace)
def _trace(
    x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None
) -> Any:
    return reduce(np.add, _diagonal(x, offset, axis1, axis2), -1, dtype, out)


@implements(np.tile)
def _tile(x: Any, reps: Any) -> Any:
    reps = (reps,) if isinstance(reps, (int, np.integer)) else tuple(map(int, reps))
    return like(x, torch.tile(x.t, reps).clone())


@implements(np.repeat)
def _repeat(x: Any, repeats: Any, axis: Any = None) -> Any:
    beside = place_of((x, repeats))
    t = tensor(x, beside)
    t, axis = (t.reshape(-1), 0) if axis is None else (t, normalize(axis, t.ndim))
    if isinstance(repeats, (int, np.integer)):
        return like(beside, t.repeat_interleave(int(repeats), axis))
    counts = tensor(repeats, beside).to(torch.int64)
    if bool((counts < 0).any()):
        raise Unimplemented("negative repeats")
    return like(beside, t.repeat_interleave(counts, axis))


@implements(np.concatenate)
def _concatenate(
    xs: Any, /, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    beside = place_of((xs, out))
    kind = np.dtype(dtype) if dtype is not None else common(xs)
    ts = [cast(tensor(x, beside), kind) for x in xs]
    if axis is None:
        ts, axis = [t.reshape(-1) for t in ts], 0
    if len({t.ndim for t in ts}) > 1:
        raise Unimplemented("all the input array dimensions must match to concatenate")
    return write(out, torch.cat(ts, axis), beside, True, casting)


@implements(np.stack)
def _stack(
    xs: Any, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    xs = list(xs)
    beside = place_of((xs, out))
    kind = np.dtype(dtype) if dtype is not None else common(xs)
    ts = [cast(tensor(x, beside), kind) for x in xs]
    return write(out, torch.stack(ts, axis), beside, True, casting)


@implements(np.vstack)
def _vstack(xs: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    return _concatenate([_atleast_2d(x) for x in xs], 0)


@implements(np.column_stack)
def _column_stack(xs: Any) -> Any:
    return _concatenate([x.reshape(-1, 1) if x.ndim < 2 else x for x in xs], 1)


@implements(np.split, np.array_split)
def _split(x: Any, places: Any, axis: int = 0) -> list:
    n = x.shape[axis]
    if isinstance(places, (int, np.integer)):
        if n % places:
            raise Unimplemented("numpy.split: parts of different lengths on devices")
        places = [n // places * k for k in range(1, places)]
    ends = [0, *[int(p) for p in places], n]
    at = normalize(axis, x.ndim)
    key = (slice(None),) * at
    return [x[(*key, slice(a, b))] for a, b in pairwise(ends)]


@implements(np.pad)
def _pad(x: Any, pad_width: Any, mode: Any = "constant", **options: Any) -> Any:
    pairs = np.broadcast_to(pad_width, (x.ndim, 2)).tolist()
    if mode in ("edge", "reflect", "symmetric", "wrap") and not options:
        t = x.t.clone()
        for axis, (before, after) in enumerate(pairs):
            if before or after:
                line = np.pad(np.arange(t.shape[axis]), (before, after), mode)
                t = t.index_select(axis, up(line, t.device))
        return like(x, t)
    if mode != "constant" or set(options) - {"constant_values"}:
        raise Unimplemented(f"numpy.pad: mode={mode!r} on devices")
    value = options.get("constant_values", 0)
    if np.ndim(value):
        raise Unimplemented("numpy.pad: several constant_values on devices")
    if x.dtype.kind == "b":
        value = bool(value)
    size = [a + n + b for (a, b), n in zip(pairs, x.shape)]
    out = like(x, torch.full(size, number(value), dtype=x.t.dtype, device=x.t.device))
    out[tuple([slice(a, a + n) for (a, _), n in zip(pairs, x.shape)])] = x
    return out


# ------------------------------------------------------------------------------ choices


@implements(np.where)
def _where(condition: Any, *two: Any) -> Any:
    if not two:
        return FUNCTIONS[np.nonzero](condition)
    beside = place_of((condition, two))
    mask = as_tensor(condition, condition.dtype if hasattr(condition, "dtype") else bool, beside)
    dtype = common(two)
    a, b = (as_tensor(x, dtype, beside) for x in two)
    return like(beside, torch.where(mask if mask.dtype is torch.bool else mask != 0, a, b))


@implements(np.clip)
def _clip(x: Any, a_min: Any = None, a_max: Any = None, out: Any = None, **options: Any) -> Any:
    given = {"min": a_min, "max": a_max} | {k: v for k, v in options.items() if k in ("min", "max")}
    if set(options) - {"min", "max"}:
        raise Unimplemented(f"numpy.clip: {', '.join(options)} on devices")
    found = x
    given = {key: None if value is np._NoValue else value for key, value in given.items()}
    if given["min"] is not None:
        found = np.maximum(found, given["min"])
    if given["max"] is not None:
        found = np.minimum(found, given["max"])
    beside = place_of((x, a_min, a_max, out))
    found = found if found is not x else x.copy()
    return found if out is None else write(out, found.t, beside)


@implements(np.take)
def _take(x: Any, indices: Any, axis: Any = None, out: Any = None, mode: str = "raise") -> Any:
    beside = place_of((x, indices, out))
    t = tensor(x, beside)
    t, axis = (t.reshape(-1), 0) if axis is None else (t, normalize(axis, t.ndim))
    i = as_tensor(indices, np.int64, beside)
    n = t.shape[axis]
    if not n and i.numel():
        raise Unimplemented("cannot do a non-empty take from an empty axis.")
    i = i % n if mode == "wrap" else i.clamp(0, n - 1) if mode == "clip" else _counted(i, n)
    rows = t.index_select(axis, i.reshape(-1))
    return write(out, rows.reshape((*t.shape[:axis], *i.shape, *t.shape[axis + 1 :])), beside)


def _counted(i: torch.Tensor, n: int) -> torch.Tensor:
    """Indices of an axis of length `n`, counted from its start."""
    return torch.where(inside(i, n) < 0, i + n, i)


def _aligned(x: torch.Tensor, i: torch.Tensor, axis: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Values and indices along an axis, with the other axes broadcast."""
    one = [1 if k == axis else n for k, n in enumerate(x.shape)]
    two = [1 if k == axis else n for k, n in enumerate(i.shape)]
    size = list(torch.broadcast_shapes(one, two))
    sizes = [[t.shape[k] if k == axis else n for k, n in enumerate(size)] for t in (x, i)]
    return x.expand(sizes[0]), i.expand(sizes[1])


@implements(np.take_along_axis)
def _take_along_axis(x: Any, indices: Any, axis: Any = -1) -> Any:
    beside = place_of((x, indices))
    t, i = tensor(x, beside), tensor(indices, beside).to(torch.int64)
    if axis is None:
        t, axis = t.reshape(-1), 0
    axis = normalize(axis, t.ndim)
    t, i = _aligned(t, i, axis)
    return like(beside, t.gather(axis, _counted(i, t.shape[axis])))


@implements(np.put_along_axis)
def _put_along_axis(x: Any, indices: Any, values: Any, axis: Any) -> None:
    axis = normalize(axis, x.ndim)
    i = tensor(indices, x).to(torch.int64)
    _, i = _aligned(x.t, i, axis)
    v = as_tensor(values, x.dtype, x).expand(i.shape)
    x.t.scatter_(axis, _counted(i, x.t.shape[axis]), v)


@implements(np.copyto)
def _copyto(target: Any, source: Any, casting: str = "same_kind", where: Any = True) -> None:
    if type(target) is not DeviceBuffer:
        raise Unimplemented("numpy.copyto: the target is on the host")
    is_number = type(source) in (int, float, complex, bool)
    if not is_number and not np.can_cast(common((source,)), target.dtype, casting):  # type: ignore[arg-type]
        raise Unimplemented(f"copyto: cannot cast to {target.dtype}")
    if where is True:
        target[...] = source
        return
    v = as_tensor(source, target.dtype, target)
    target.t.copy_(torch.where(tensor(where, target), v, target.t))


@implements(np.nonzero)
def _nonzero(x: Any) -> tuple:
    found = torch.nonzero(x.t.reshape(1) if not x.ndim else x.t, as_tuple=True)
    return tuple([like(x, t) for t in found])


def _order(name: str, function: Callable[..., torch.Tensor]) -> Callable[..., Any]:
    def run(
        x: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None
    ) -> Any:
        refuse(name, order=order)
        t, axis = (x.t.reshape(-1), 0) if axis is None else (x.t, axis)
        return like(x, function(t, dim=axis, stable=True))

    return run


_sort = FUNCTIONS[np.sort] = _order("sort", lambda t, **how: torch.sort(t, **how)[0])
_argsort = FUNCTIONS[np.argsort] = _order("argsort", torch.argsort)


def _arg(largest: bool) -> Callable[..., Any]:
    def run(x: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        refuse("argmax", out=out)
        if not (x.size if axis is None else x.shape[axis]):
            np.zeros(x.shape, bool).argmax(axis)  # raises NumPy's own error
        t = x.t.to(torch.uint8) if x.t.dtype is torch.bool else x.t
        keep = False if keepdims is np._NoValue else bool(keepdims)
        flat = axis is None
        line = t.reshape(-1) if flat else t
        best = (torch.amax if largest else torch.amin)(line, 0 if flat else axis, keepdim=True)
        hits = (line == best) | (line != line)
        found = hits.to(torch.uint8).argmax(0 if flat else axis, keepdim=keep)
        return like(x, found.reshape((1,) * x.ndim) if flat and keep else found)

    return run


FUNCTIONS[np.argmax] = _arg(True)
FUNCTIONS[np.argmin] = _arg(False)


@implements(np.diff)
def _diff(
    x: Any, n: int = 1, axis: int = -1, prepend: Any = np._NoValue, append: Any = np._NoValue
) -> Any:
    if n != 1 or prepend is not np._NoValue or append is not np._NoValue:
        raise Unimplemented("numpy.diff: n, prepend or append on devices")
    key = [slice(None)] * x.ndim
    later, earlier = list(key), list(key)
    later[axis], earlier[axis] = slice(1, None), slice(None, -1)
    subtract = np.not_equal if x.dtype.kind == "b" else np.subtract
    return subtract(x[tuple(later)], x[tuple(earlier)])


@implements(np.array_equal)
def _array_equal(a: Any, b: Any, equal_nan: bool = False) -> bool:
    if np.shape(a) != np.shape(b):
        return False
    same = a == b
    return bool((same | ((a != a) & (b != b)) if equal_nan else same).all())


@implements(np.nan_to_num)
def _nan_to_num(
    x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    if not copy:
        raise Unimplemented("numpy.nan_to_num: copy=False on devices")
    given = [one if np.ndim(one) else number(one) for one in (nan, posinf, neginf)]
    if not all(isinstance(one, (int, float, type(None))) for one in given):
        raise Unimplemented("numpy.nan_to_num: arrays or complex numbers on devices")
    return like(x, torch.nan_to_num(x.t, *given))


# ------------------------------------------------------------------ functions of one line

FUNCTIONS.update(
    {
        np.shape: lambda x: x.shape,
        np.ndim: lambda x: x.ndim,
        np.size: lambda x, axis=None: x.size if axis is None else x.shape[axis],
        np.real: lambda x: x.real,
        np.imag: lambda x: x.imag,
        np.iscomplexobj: lambda x: x.t.is_complex(),
        np.isrealobj: lambda x: not x.t.is_complex(),
        np.copy: lambda x, order="K": x.copy(order),
        np.ravel: lambda x, order="C": x.ravel(order),
        np.squeeze: lambda x, axis=None: x.squeeze(axis),
        np.swapaxes: lambda x, axis1, axis2: x.swapaxes(axis1, axis2),
        getattr(np, "matrix_transpose", None): lambda x: x.mT,  # NumPy 2
        np.atleast_1d: lambda x: x if x.ndim else x.reshape(1),
        np.append: lambda x, values, axis=None: _concatenate((x, values), axis),
        np.flip: lambda x, axis=None: like(x, torch.flip(x.t, axes_of(axis, x.ndim))),
        np.flipud: lambda x: like(x, torch.flip(x.t, [0])),
        np.fliplr: lambda x: like(x, torch.flip(x.t, [1])),
        np.rot90: lambda x, k=1, axes=(0, 1): like(x, torch.rot90(x.t, k, list(axes))),
        np.roll: lambda x, shift, axis=None: like(x, torch.roll(x.t, shift, axis)),
        np.diag: lambda x, k=0: like(x, torch.diag(x.t, k).clone()),
        np.tril: lambda x, k=0: like(x, torch.tril(x.t, k)),
        np.triu: lambda x, k=0: like(x, torch.triu(x.t, k)),
        np.argwhere: lambda x: like(x, torch.nonzero(x.t)),
        np.flatnonzero: lambda x: _nonzero(x.ravel())[0],
        np.partition: lambda x, kth, axis=-1, kind=None: _sort(x, axis),
        np.argpartition: lambda x, kth, axis=-1, kind=None: _argsort(x, axis),
    }
)
