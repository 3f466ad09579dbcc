"""Operators that are not elementwise, as instructions: products, sums, joins, broadcasts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..native.loading import SHARES_THREADS
from . import heads as heads  # which adds rules of its own
from . import loops
from . import prepared as prepared
from .listing import Entry
from .lower import RULES, Lowering
from .probe import Unknown
from .values import Instruction, View, new, steps_of

#: Sums of so many values are left to the compiled kernel, which shares them out to threads.
SHARED = 1 << 16


def all_alike(entry: Entry) -> bool:
    """Whether all inputs and the result are floats of one type, and the result contiguous."""
    views = [*entry.inputs, *entry.outs]
    return (
        all(isinstance(x, View) and x.dtype == views[0].dtype for x in views)
        and views[0].dtype in loops.FLOATS
        and entry.outs[0].contiguous
        and all(x.size for x in views)
    )


def matrix(v: View) -> tuple[int, int] | None:
    """The step between rows (or columns) of a matrix in values, and whether it lies by columns."""
    (rows, columns), (down, across), size = v.shape, v.strides, v.dtype.itemsize
    if (across == size or columns == 1) and down % size == 0:
        step = columns if rows == 1 else down // size
        if step >= columns:
            return step, 0
    if (down == size or rows == 1) and across % size == 0:
        step = rows if columns == 1 else across // size
        if step >= rows:
            return step, 1
    return None


def product(self: Lowering, a: View, b: View, y: View) -> None:
    """Add ``y = a b``."""
    a, b = [v if matrix(v) else self.contiguous(v) for v in (a, b)]
    self.nodes.append(Instruction("dot", [a, b], [y], "dot"))


def _dot(self: Lowering, entry: Entry) -> bool:
    if len(entry.inputs) != 2 or not all_alike(entry):
        return False
    (a, b), y = entry.inputs, entry.outs[0]
    if len(b.shape) != 2 or len(a.shape) < 2:
        return False
    b = b.turned() if entry.attrs.get("transpose_b") else b
    if len(a.shape) > 2:  # of rows with a matrix
        if entry.attrs.get("transpose_a") or a.shape[-1] != b.shape[0]:
            return False
        a, y = _rows(self, a, a.shape[-1]), _rows(self, y, b.shape[1])
    a = a.turned() if entry.attrs.get("transpose_a") else a
    product(self, a, b, y)
    return True


def _rows(self: Lowering, x: View, columns: int) -> View:
    """`x` as a matrix with so many columns."""
    x = self.contiguous(x)
    shape = x.size // columns, columns
    return x.part(0, shape, steps_of(shape, x.dtype.itemsize))


def _fully_connected(self: Lowering, entry: Entry) -> bool:
    given = [x for x in entry.inputs if x is not None]
    if not all_alike(entry._replace(inputs=given)):
        return False
    x, weight, *bias = given
    x = x if len(x.shape) == 2 else _rows(self, x, weight.shape[1])
    y = entry.outs[0]
    flat = _rows(self, y, weight.shape[0])
    if not bias:
        product(self, x, weight.turned(), flat)
        return True
    between = new(flat.shape, y.dtype)
    product(self, x, weight.turned(), between)
    loop = loops.own("add", y.dtype, y.size) or loops.numpys(np.add, (y.dtype,) * 3)
    return self.each("add", np.add, loop, [between, bias[0]], flat)


def _axes(axis: Any, ndim: int) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(ndim))
    return tuple(sorted(k % ndim for k in (axis if isinstance(axis, (tuple, list)) else (axis,))))


def total(self: Lowering, x: View, axes: tuple, y: View) -> None:
    """Add the sum over adjacent axes."""
    if self.exact:
        raise Unknown("sums in the order of the kernel")
    adjacent = not axes or axes[-1] - axes[0] < len(axes)
    if adjacent and x.size >= SHARED and y.size > 1 and SHARES_THREADS:
        raise Unknown("a sum that threads share")
    axes = tuple(k for k in axes if x.shape[k] != 1)
    x = self.contiguous(x)
    while axes and axes != tuple(range(axes[0], axes[-1] + 1)):  # the last adjacent ones first
        first = next(k for k in axes if {*range(k, axes[-1] + 1)} <= {*axes})
        shape = tuple([1 if first <= k <= axes[-1] else n for k, n in enumerate(x.shape)])
        between = new(shape, x.dtype)
        _add_sum(self, x, range(first, axes[-1] + 1), between)
        x, axes = between, axes[: axes.index(first)]
    _add_sum(self, x, axes, y)


def _add_sum(self: Lowering, x: View, axes: Any, y: View) -> None:
    first, last = (axes[0], axes[-1] + 1) if axes else (len(x.shape), len(x.shape))
    parts = [math.prod(x.shape[k]) for k in (slice(first), slice(first, last), slice(last, None))]
    self.nodes.append(Instruction("sum", [x], [y], "sum", parts=tuple(parts)))


def _sum(self: Lowering, entry: Entry) -> bool:
    if not all_alike(entry):
        return False
    (x,), (y,) = entry.inputs, entry.outs
    total(self, x, _axes(entry.attrs.get("axis"), len(x.shape)), y)
    return True


def _mean(self: Lowering, entry: Entry) -> bool:
    if not all_alike(entry):
        return False
    (x,), (y,) = entry.inputs, entry.outs
    between = new(y.shape, y.dtype)
    total(self, x, _axes(entry.attrs.get("axis"), len(x.shape)), between)
    count = self.constant(x.size // y.size, y.dtype)
    loop = loops.numpys(np.divide, (y.dtype,) * 3)
    return self.each("divide", np.divide, loop, [between, count], y)


def _sum_to(self: Lowering, entry: Entry) -> bool:
    if not all_alike(entry):
        return False
    (x,), shape = entry.inputs, entry.attrs["shape"]
    extra = len(x.shape) - len(shape)
    axes = tuple(k for k, n in enumerate(x.shape) if k < extra or n != shape[k - extra])
    total(self, x, axes, entry.outs[0])
    return True


def _restore(self: Lowering, entry: Entry) -> bool:
    """A broadcast is a copy with steps of 0, which groups read without making it."""
    (x,), (y,) = entry.inputs, entry.outs
    if not isinstance(x, View) or not x.size:
        return False
    shape = entry.attrs["shape"]
    if len(x.shape) != len(shape):
        reduced = _axes(entry.attrs["axis"], len(shape))
        x = self.contiguous(x)
        kept = tuple(1 if k in reduced else n for k, n in enumerate(shape))
        x = x.part(0, kept, steps_of(kept, x.dtype.itemsize))
    self.add_copy(x, y)
    return True


def _join(self: Lowering, entry: Entry) -> bool:
    (y,), axis = entry.outs, entry.attrs.get("axis", 0)
    if not all(isinstance(x, View) and x.dtype == y.dtype for x in entry.inputs):
        return False
    if not y.contiguous or axis is None:
        return False
    stacked, at = entry.event.op.name == "stack", 0
    axis %= len(y.shape)
    for x in entry.inputs:
        if stacked:
            shape = (*x.shape[:axis], 1, *x.shape[axis:])
            x = x.part(0, shape, (*x.strides[:axis], 0, *x.strides[axis:]))
        part = y.part(at * y.strides[axis], x.shape, y.strides)
        if part.size:
            self.nodes.append(Instruction("copy", [x], [part], entry.event.op.name))
        at += x.shape[axis]
    return True


def _reshape(self: Lowering, entry: Entry) -> bool:
    """A copy where it is no view."""
    (x,), (y,) = entry.inputs, entry.outs
    if not isinstance(x, View) or not y.contiguous or x.size != y.size or not x.size:
        return False
    self.add_copy(x, y.part(0, x.shape, steps_of(x.shape, y.dtype.itemsize)))
    return True


def _copy(self: Lowering, entry: Entry) -> bool:
    if not isinstance(entry.inputs[0], View) or not entry.outs[0].size:
        return False
    self.add_copy(entry.inputs[0], entry.outs[0])
    return True


def _filled(value: int) -> Any:
    def rule(self: Lowering, entry: Entry) -> bool:
        (y,) = entry.outs
        if y.size:
            self.add_copy(self.constant(value, y.dtype), y)
        return y.size > 0

    return rule


def _getitem(self: Lowering, entry: Entry) -> bool:
    if any(True for x in entry.inputs if not isinstance(x, View)):
        return False
    raise Unknown("an index of arrays")


RULES.update(
    {
        "dot": _dot,
        "matmul": _dot,
        "fully_connected": _fully_connected,
        "sum": _sum,
        "mean": _mean,
        "sum_to": _sum_to,
        "restore": _restore,
        "concat": _join,
        "stack": _join,
        "copy": _copy,
        "reshape": _reshape,
        "getitem": _getitem,
        "ones_like": _filled(1),
        "zeros_like": _filled(0),
    }
)
