"""Rules for output layers: the softmax, and its gradient as that of a loss."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ..engine.op import TABLE
from ..native import loading
from . import loops
from .compiled import Noted
from .listing import Entry
from .lower import RULES, Lowering, Place
from .prepared import FLOAT32, INT64, computed, is_computed_there
from .probe import Unknown
from .values import Buffer, Instruction, View, new, steps_of

BOOL = np.dtype(bool)


def _flat(x: Any, shape: tuple, preserve_shape: bool) -> View:
    """Values of `shape` as (samples, classes)."""
    if not isinstance(x, View) or x.dtype != FLOAT32 or not x.contiguous or not x.size:
        raise Unknown("not contiguous arrays of float32")
    rows = prod(shape[:-1]) if preserve_shape else shape[0]
    form = rows, x.size // rows
    return x.part(0, form, steps_of(form, x.dtype.itemsize))


def _softmax(self: Lowering, x: View, y: View) -> None:
    """Add the softmax along the last axis."""
    if not loading.SHARES_THREADS or "softmax" not in loading.KERNEL_NUMBERS:
        raise Unknown("no compiled kernel")
    is_computed_there(self, x.size)
    op = TABLE["softmax"]
    more = {"form": [[Place(0)], {"axis": 1}], "op": op, "kernel": op.fallback}
    noted = Noted("softmax", (0, -1), x.shape, ())
    self.nodes.append(Instruction("kernel", [x], [y], op.name, chains=[[noted]], **more))


def _of_labels(attrs: dict, x: View | tuple, label: Any) -> None:
    """Check that there is one label for each sample, and classes along the last axis."""
    shape = x.shape if isinstance(x, View) else x
    if attrs["multi_output"] or not isinstance(label, View) or label.shape == shape:
        raise Unknown("classes along another axis, or probabilities as labels")
    if not label.contiguous or label.dtype.kind == "b" or not label.size:
        raise Unknown("labels that do not lie one after the other")


def _softmax_output(self: Lowering, entry: Entry) -> bool:
    (x, label), (y,), attrs = entry.inputs, entry.outs, {"multi_output": False, **entry.attrs}
    _of_labels(attrs, x, label)
    kept = attrs.get("preserve_shape", False)
    _softmax(self, _flat(x, x.shape, kept), _flat(y, x.shape, kept))
    return True


def _softmax_weight(self: Lowering, entry: Entry) -> bool:
    (label,), (y,), attrs = entry.inputs, entry.outs, entry.attrs
    shape, ignored = attrs["shape"], attrs["use_ignore"]
    _of_labels(attrs, shape, label)
    if attrs["normalization"] == "valid" or not y.contiguous:
        raise Unknown("a value is read")
    count = label.size if attrs["normalization"] == "batch" else 1
    scale = self.constant(attrs["grad_scale"] / count, y.dtype)
    if not ignored:
        self.add_copy(scale, y)
        return True
    kept = new((label.size, 1), BOOL)
    loop = _loop(loops.numpys(np.not_equal, (label.dtype, label.dtype, BOOL)))
    given = [_column(label), self.constant(attrs["ignore_label"], label.dtype)]
    self.each("not_equal", np.not_equal, loop, given, kept)
    flat = _flat(y, shape, attrs["preserve_shape"])
    _where(self, kept, scale, self.constant(0, y.dtype), flat)
    return True


def _softmax_output_grad(self: Lowering, entry: Entry) -> bool:
    (x, label, weight), (y,), attrs = entry.inputs, entry.outs, entry.attrs
    _of_labels(attrs, x, label)
    kept = attrs["preserve_shape"]
    flat, to = _flat(x, x.shape, kept), _flat(y, x.shape, kept)
    p = new(flat.shape, flat.dtype)
    _softmax(self, flat, p)
    is_class = new(flat.shape, BOOL)
    loop = _loop(loops.numpys(np.equal, (INT64, INT64, BOOL)))
    given = [self.converted(_column(label), INT64), _counted(flat.shape[1])]
    self.each("equal", np.equal, loop, given, is_class)
    smooth = attrs["smooth_alpha"]
    target = new(flat.shape, flat.dtype)
    some, rest = 1 - smooth, smooth / max(flat.shape[1] - 1, 1)
    one, other = [self.constant(value, flat.dtype) for value in (some, rest)]
    _where(self, is_class, one, other, target)
    if isinstance(weight, View) and weight.shape:
        weight = _flat(weight, weight.shape, kept) if weight.contiguous else None
    if not isinstance(weight, View):
        raise Unknown("weights of another form")
    self.add_copy(computed(self, np.multiply, computed(self, np.subtract, p, target), weight), to)
    return True


def _where(self: Lowering, kept: View, one: View, other: View, y: View) -> None:
    self.each("where", np.where, _loop(loops.where(y.dtype)), [kept, one, other], y)


def _loop(found: Any) -> Any:
    if found is None and loops.READABLE:
        raise Unknown("no loop for these types")
    return found


def _column(label: View) -> View:
    """Labels as (samples, 1)."""
    return label.part(0, (label.size, 1), (label.dtype.itemsize, 0))


def _counted(n: int) -> View:
    """The numbers from 0 to `n` as one row."""
    raw = np.arange(n, dtype=INT64)
    return View(Buffer("constant", raw.nbytes, raw), 0, (1, n), (0, INT64.itemsize), INT64)


RULES.update(
    {
        "softmax_output": _softmax_output,
        "softmax_weight": _softmax_weight,
        "softmax_output_grad": _softmax_output_grad,
    }
)
