"""Operators that pick and place values by index."""

from __future__ import annotations

from ..engine.op import define
from ..kernels import indexing as kernels

getitem = define(
    "getitem",
    kernels.getitem,
    "x[key], NumPy's indexing",
    x=lambda F, g, key, x_shape: F.scatter_add(g, key=key, shape=x_shape),
)
scatter_add = define(
    "scatter_add",
    kernels.scatter_add,
    "Zeros of `shape` with x added at [key]",
    x=lambda F, g, key: F.getitem(g, key=key),
)
setitem = define(
    "setitem",
    kernels.setitem,
    "x with [key] replaced by the value, which is broadcast",
    x=lambda F, g, key: F.setitem(g, 0, key=key),
    value=lambda F, g, key, value_shape: F.sum_to(F.getitem(g, key=key), shape=value_shape),
)
