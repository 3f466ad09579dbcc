"""Operators that pick and place values by index."""

from __future__ import annotations

from typing import Any, Final

from ..engine.op import define
from ..kernels import indexing as kernels
from ..kernels.memory import BUFFERS, beside
from ..kernels.reduce import surely

getitem: Final = define(
    "getitem",
    kernels.getitem,
    "x[key], NumPy's indexing",
    x=lambda F, g, key, x_shape: F.scatter_add(g, key=key, shape=x_shape),
)
scatter_add: Final = define(
    "scatter_add",
    kernels.scatter_add,
    "Zeros of `shape` with x added at [key]",
    x=lambda F, g, key: F.getitem(g, key=key),
)


def _setitem_value(F: Any, g: Any, key: Any, value_shape: Any) -> Any:
    """Return the cotangent at [key], without values that a repeated index overwrote."""
    picked = F.getitem(g, key=key)
    parts = key if isinstance(key, tuple) else (key,)
    rows = all(isinstance(part, BUFFERS) and part.dtype.kind in "iu" for part in parts)
    lost = kernels.overwritten(key, g.shape[: len(parts)] if rows else g.shape)
    if lost is not None and surely(~lost.any()):
        lost = None
    if lost is not None:
        lost = beside(g, lost.reshape(lost.shape + (1,) * (len(picked.shape) - lost.ndim)))
        picked = F.where(lost, 0.0, picked)
    return F.sum_to(picked, shape=value_shape)


setitem: Final = define(
    "setitem",
    kernels.setitem,
    "x with [key] replaced by the value, which is broadcast",
    x=lambda F, g, key: F.setitem(g, 0, key=key),
    value=_setitem_value,
)

# ------------------------------------------------------------------------------ take, pick

take: Final = define(
    "take",
    kernels.take,
    "x[indices] along `axis`; indices outside are clipped, wrapped or an error",
    x=lambda F, g, x_shape, indices, axis, mode: F.take_grad(
        g, indices, axis=axis, mode=mode, size=x_shape[axis]
    ),
)
take_grad: Final = define(
    "take_grad",
    kernels.take_grad,
    "The gradient of take: each slice added at its index of an axis of length `size`",
    x=lambda F, g, indices, axis, mode: F.take(g, indices, axis=axis, mode=mode),
)


def _pick_grad_x(F: Any, g: Any, x_shape: Any, index: Any, axis: int, mode: str) -> Any:
    return F.reshape(F.pick(g, index, axis=axis, mode=mode), shape=x_shape)


pick: Final = define(
    "pick",
    kernels.pick,
    "The element of each line along `axis` that the index says",
    x=lambda F, g, x_shape, index, axis, mode: F.pick_grad(
        g, index, axis=axis, mode=mode, shape=x_shape
    ),
)
pick_grad: Final = define(
    "pick_grad",
    kernels.pick_grad,
    "The gradient of pick: each value put at its index in zeros of `shape`",
    x=_pick_grad_x,
)
take_along: Final = define(
    "take_along",
    kernels.take_along,
    "The elements of each line along `axis` that the same line of the indices says",
    x=lambda F, g, x_shape, indices, axis, unique: F.put_along(
        g, indices, axis=axis, size=x_shape[axis], unique=unique
    ),
)
put_along: Final = define(
    "put_along",
    kernels.put_along,
    "The gradient of take_along: each value added at its index of a line of length `size`",
    x=lambda F, g, indices, axis, unique: F.take_along(g, indices, axis=axis, unique=unique),
)


def _fill_values(F: Any, g: Any, places: Any) -> Any:
    whole = F.trunc(places)
    inside = F.logical_and(whole >= 0, whole < g.shape[1])
    return F.where(inside, F.pick(g, F.where(inside, whole, 0), axis=1), 0.0)


fill_places: Final = define(
    "fill_places",
    kernels.fill_places,
    "x with a value for each row at its place",
    x=lambda F, g, values, places: F.fill_places(g, F.zeros_like(values), places),
    values=_fill_values,
)


def _choose(F: Any, g: Any, xs_shape: Any, places: Any) -> list:
    return [F.where(beside(g, places == k), g, 0.0) for k in range(len(xs_shape))]


choose: Final = define(
    "choose",
    kernels.choose,
    "At each place the value of that one of the arrays that `places` says",
    joint=_choose,
)

# ------------------------------------------------------------------------- gather, scatter

gather_nd: Final = define(
    "gather_nd",
    kernels.gather_nd,
    "x[indices[0], indices[1], ...]",
    x=lambda F, g, x_shape, indices: F.gather_nd_grad(g, indices, shape=x_shape),
)
gather_nd_grad: Final = define(
    "gather_nd_grad",
    kernels.gather_nd_grad,
    "The gradient of gather_nd: x added at [indices[0], indices[1], ...] of zeros of `shape`",
    x=lambda F, g, indices: F.gather_nd(g, indices),
)
scatter_nd: Final = define(
    "scatter_nd",
    kernels.scatter_nd,
    "Zeros of `shape` with x at [indices[0], indices[1], ...]; of several values the last",
    x=lambda F, g, indices: F.scatter_nd_grad(g, indices),
)
scatter_nd_grad: Final = define(
    "scatter_nd_grad",
    kernels.scatter_nd_grad,
    "The gradient of scatter_nd: that of a value that was overwritten is 0",
    x=lambda F, g, x_shape, indices: F.scatter_nd(g, indices, shape=x_shape),
)

# ------------------------------------------------------------------------- one-hot, diagonal

one_hot: Final = define("one_hot", kernels.one_hot, "on_value at place x of a new last axis")
diagonal: Final = define(
    "diagonal",
    kernels.diagonal,
    "The k-th diagonal of two axes, as the last axis",
    x=lambda F, g, x_shape, k, axis1, axis2: F.place_diagonal(
        g, shape=x_shape, k=k, axis1=axis1, axis2=axis2
    ),
)
place_diagonal: Final = define(
    "place_diagonal",
    kernels.place_diagonal,
    "Zeros of `shape` but for the k-th diagonal of two axes",
    x=lambda F, g, k, axis1, axis2: F.diagonal(g, k=k, axis1=axis1, axis2=axis2),
)

# ----------------------------------------------------------------------- indices themselves

arange_like: Final = define(
    "arange_like", kernels.arange_like, "Evenly spaced values shaped like x"
)
diagonal_places: Final = define(
    "diagonal_places",
    kernels.diagonal_places,
    "The places on the diagonal of all axes, along each axis",
    many=True,
)
index_array: Final = define("index_array", kernels.index_array, "The indices of each place of x")
ravel_multi_index: Final = define(
    "ravel_multi_index", kernels.ravel_multi_index, "The flat index of each column of indices"
)
unravel_index: Final = define(
    "unravel_index", kernels.unravel_index, "The index in `shape` of each flat index"
)
histogram: Final = define(
    "histogram", kernels.histogram, "The number of values in each bin, and the edges", many=True
)
