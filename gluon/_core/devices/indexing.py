"""``x[key]``, ``x[key] = value`` and ``add.at`` of device buffers, as NumPy has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from .buffer import INDEXING, DeviceBuffer, like, tensor, view
from .common import COUNTS, find, number
from .tensors import scalar

BOOL = np.dtype(bool)


def _is_array(part: Any) -> bool:
    return isinstance(part, (DeviceBuffer, np.ndarray, list)) or type(part) in (bool, np.bool_)


def _expanded(key: Any, ndim: int) -> list[Any]:
    """The parts of a key, one for each axis or new axis, without an ellipsis."""
    parts = list(key) if type(key) is tuple else [key]
    used = 0
    for part in parts:
        if part is None or part is Ellipsis:
            continue
        is_mask = getattr(part, "dtype", None) == BOOL or type(part) is bool
        used += np.ndim(part) if is_mask else 1
    if used > ndim:
        raise IndexError(f"too many indices: {used} for {ndim} axes")
    gap = [slice(None)] * (ndim - used)
    for k, part in enumerate(parts):
        if part is Ellipsis:
            return parts[:k] + gap + parts[k + 1 :]
    return parts + gap


def _checked(i: int, n: int) -> int:
    if not -n <= i < n:
        raise IndexError(f"index {i} is out of bounds for an axis of length {n}")
    return i % n


def inside(i: torch.Tensor, n: int) -> torch.Tensor:
    """Indices of an axis of length `n`, all of which exist: on a GPU, others would end its use."""
    if i.numel():
        COUNTS["waits"] += 1
        low, high = torch.stack(torch.aminmax(i)).tolist()
        _checked(low, n)
        _checked(high, n)
    return i


def take(x: DeviceBuffer, key: Any) -> tuple[torch.Tensor, bool]:
    """``x[key]`` as a tensor, and whether it is a view of `x`."""
    t, is_view, arrays = _located(x, key)
    return (t, is_view) if arrays is None else (t[arrays], False)


def _located(x: DeviceBuffer, key: Any) -> tuple[torch.Tensor, bool, tuple | None]:
    """What the slices and numbers of a key leave, if it is a view of `x`, and the other parts."""
    t = x.t
    parts = _expanded(key, t.ndim)
    is_view, axis = True, 0
    advanced: dict[int, Any] = {}
    for part in parts:
        if part is None:
            t = t.unsqueeze(axis)
            axis += 1
        elif isinstance(part, slice):
            t, kept = _sliced(t, axis, part)
            is_view = is_view and kept
            axis += 1
        elif _is_array(part):
            advanced[axis] = part
            mask = getattr(part, "dtype", None) == BOOL or type(part) is bool
            axis += part.ndim if mask and hasattr(part, "ndim") else 0 if mask else 1
        elif advanced or any(map(_is_array, parts)):
            advanced[axis] = _checked(int(part), t.shape[axis])  # NumPy broadcasts it with arrays
            axis += 1
        else:
            t = t.select(axis, _checked(int(part), t.shape[axis]))
    return t, is_view, _with_arrays(x, t, advanced) if advanced else None


def _index(x: DeviceBuffer, part: Any, lengths: torch.Size) -> torch.Tensor:
    """An index array as a tensor of places that exist, or of booleans."""
    on_device = find(part) is not None
    if not on_device:
        part = np.asarray(part, None if np.size(part) else np.intp)
        if part.dtype != BOOL and part.size:  # to look at these values waits for no GPU
            _checked(int(part.min()), lengths[0])
            _checked(int(part.max()), lengths[0])
    index = tensor(part, x)
    if index.dtype is torch.bool:
        return index
    index = index.to(torch.int64)
    return inside(index, lengths[0]) if on_device else index


def _with_arrays(x: DeviceBuffer, t: torch.Tensor, advanced: dict[int, Any]) -> tuple:
    """The key of PyTorch with index arrays at their axes."""
    full: list[Any] = []
    axis = 0
    # For PyTorch an index without axes is a number, which does not move the axes of arrays.
    least = (1,) if any(map(np.ndim, advanced.values())) else ()
    while axis < t.ndim or axis in advanced:
        if axis not in advanced:
            full.append(slice(None))
            axis += 1
            continue
        part = advanced[axis]
        if type(part) is int:
            full.append(torch.full(least, part, dtype=torch.int64, device=t.device))
            axis += 1
            continue
        index = _index(x, part, t.shape[axis:])
        if index.dtype is not torch.bool and not index.ndim:
            index = index.expand(least)
        full.append(index)
        if index.dtype is torch.bool and not index.ndim:
            break
        axis += index.ndim if index.dtype is torch.bool else 1
    return tuple(full)


def _sliced(t: torch.Tensor, axis: int, part: slice) -> tuple[torch.Tensor, bool]:
    """A slice of one axis, and whether it is a view: PyTorch has no negative steps."""
    start, stop, step = part.indices(t.shape[axis])
    if step > 0:
        full = start == 0 and stop == t.shape[axis] and step == 1
        if full:
            return t, True
        index = [slice(None)] * axis + [slice(start, max(start, stop), step)]
        return t[tuple(index)], True
    count = len(range(start, stop, step))
    places = torch.arange(count, device=t.device) * step + start
    return t.index_select(axis, places), False


def get(x: DeviceBuffer, key: Any) -> DeviceBuffer:
    """``x[key]``."""
    t, is_view = take(x, key)
    return view(x, t) if is_view else like(x, t)


def _value(x: DeviceBuffer, value: Any) -> torch.Tensor:
    if type(value) is DeviceBuffer:
        t = value.t.to(x.t.device)
    elif isinstance(value, (bool, int, float, complex, np.generic)) or (
        isinstance(value, np.ndarray) and not value.ndim
    ):
        v = number(value)
        if isinstance(v, complex) and x.dtype.kind != "c":
            v = v.real
        if x.dtype.kind in "iub" and isinstance(v, float):
            v = np.asarray(value).astype(x.dtype).item()
        return scalar(v, x.dtype, x.t.device)
    else:
        t = tensor(value, x)
    if t.is_complex() and not x.t.is_complex():
        t = t.real
    return t if t.dtype is x.t.dtype else t.to(x.t.dtype)


def _fitted(v: torch.Tensor, shape: Any) -> torch.Tensor:
    """A value without the leading axes of length 1 that its target lacks, broadcast."""
    while v.ndim > len(shape) and v.shape[0] == 1:
        v = v[0]
    if v.ndim > len(shape) or any(
        a not in (1, b) for a, b in zip(v.shape[::-1], tuple(shape)[::-1])
    ):
        raise ValueError(
            f"could not broadcast input array from shape {tuple(v.shape)} into shape {tuple(shape)}"
        )
    return v.expand(shape)


def put(x: DeviceBuffer, key: Any, value: Any) -> None:
    """``x[key] = value``."""
    v = _value(x, value)
    target, is_view, arrays = _located(x, key) if key is not Ellipsis else (x.t, True, None)
    if type(value) is DeviceBuffer and overlap(v, x.t):
        v = v.clone()
    if is_view and arrays is None:
        target.copy_(_fitted(v, target.shape))
    elif is_view:
        try:
            target[arrays] = v
        except RuntimeError:
            _fitted(v, target[arrays].shape)  # raises what NumPy raises
            raise
    else:
        places = take(like(x, numbers(x.t)), key)[0]
        values = _fitted(v, places.shape).reshape(-1)
        _flat(x, lambda flat: flat.index_put_((places.reshape(-1),), values))


def overlap(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()


def numbers(t: torch.Tensor) -> torch.Tensor:
    """The number of each place, in the shape of a tensor."""
    return torch.arange(t.numel(), device=t.device).reshape(t.shape)


def _flat(x: DeviceBuffer, change: Any) -> None:
    """Change the values of a buffer in one row."""
    if x.t.is_contiguous():
        change(x.t.view(-1))
    else:
        flat = x.t.reshape(-1).clone()
        change(flat)
        x.t.copy_(flat.view(x.t.shape))


def add_at(x: DeviceBuffer, key: Any, v: torch.Tensor) -> None:
    """Add values at places, which may be the same ones several times."""
    t, is_view, arrays = _located(x, key)
    rows, *rest = arrays or (None,)
    is_rows = isinstance(rows, torch.Tensor) and rows.dtype is torch.int64
    if is_view and is_rows and all(type(part) is slice for part in rest):
        t.index_put_((rows,), _fitted(v, (*rows.shape, *t.shape[1:])), accumulate=True)
        return
    places = take(like(x, numbers(x.t)), key)[0]
    v = _fitted(v, places.shape).reshape(-1)
    _flat(x, lambda flat: flat.index_put_((places.reshape(-1),), v, accumulate=True))


INDEXING.update({"get": get, "set": put})
