"""Rules for compiled kernels whose Python side computes too: places to pick from, scales, masks.

What it computes becomes elementwise instructions, and the rest a call of the library.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ..native import loading
from ..native.copy import KNOWN
from ..native.indexing import MODES
from ..native.random import MORE
from . import loops
from .compiled import Noted
from .listing import Entry
from .lower import RULES, Lowering, numbered
from .probe import Unknown
from .values import Instruction, View, new

INT64 = np.dtype(np.int64)
FLOAT32 = np.dtype(np.float32)


def computed(self: Lowering, ufunc: Any, *views: View) -> View:
    """Add ``ufunc(*views)``, of one dtype."""
    shape = np.broadcast_shapes(*[v.shape for v in views])
    y = new(shape, views[0].dtype)
    loop = loops.numpys(ufunc, (y.dtype,) * (len(views) + 1))
    if loop is None and loops.READABLE:
        raise Unknown(f"{ufunc.__name__} of {y.dtype}")
    self.each(ufunc.__name__, ufunc, loop, list(views), y)
    return y


def call(self: Lowering, entry: Entry, name: str, arrays: list, integers: tuple) -> bool:
    """Add one call of the library; its last array is the result."""
    if not loading.SHARES_THREADS or name not in loading.KERNEL_NUMBERS:
        raise Unknown("no compiled kernel")
    reads: list[View] = []
    form = numbered([entry.inputs, entry.attrs], reads)
    places = tuple(range(len(reads), len(reads) + len(arrays)))
    noted = Noted(name, (*places, -1), integers, ())
    op, kernel = entry.event.op, entry.event.kernel
    more = {"form": form, "op": op, "kernel": kernel, "chains": [[noted]]}
    self.nodes.append(Instruction("kernel", [*reads, *arrays], list(entry.outs), op.name, **more))
    return True


def is_computed_there(self: Lowering, size: int) -> None:
    """Check that the library computes arrays of this size, if no bit may differ."""
    if self.exact and size < loading.LEAST:
        raise Unknown("a small array, where every bit counts")


def _places(self: Lowering, index: Any, n: int, mode: str) -> View:
    """Indices as integers in ``[0, n)``."""
    if not isinstance(index, View) or mode not in ("clip", "wrap"):
        raise Unknown("indices that are checked")
    v = self.converted(index, INT64)
    if mode == "wrap":
        return computed(self, np.remainder, v, self.constant(n, INT64))
    v = computed(self, np.maximum, v, self.constant(0, INT64))
    return computed(self, np.minimum, v, self.constant(n - 1, INT64))


def _are_rows(x: Any, axis: int) -> bool:
    """Whether these are contiguous floats whose last axis is `axis`."""
    return isinstance(x, View) and x.dtype == FLOAT32 and x.contiguous and _is_last(x, axis)


def _is_last(x: View, axis: int) -> bool:
    return len(x.shape) > 0 and axis in (-1, len(x.shape) - 1) and x.size > 0


def _cross_entropy(self: Lowering, entry: Entry) -> bool:
    x, label = entry.inputs
    if not _are_rows(x, entry.attrs.get("axis", -1)) or not entry.outs[0].contiguous:
        return False
    is_computed_there(self, x.size)
    width = x.shape[-1]
    if label.size * width != x.size:
        return False
    places = _places(self, label, width, "clip")
    return call(self, entry, "cross_entropy", [x, places], (x.size // width, width))


def _cross_entropy_grad(self: Lowering, entry: Entry) -> bool:
    g, x, label = entry.inputs
    if not _are_rows(x, entry.attrs["axis"]) or not entry.outs[0].contiguous:
        return False
    width, rows = x.shape[-1], x.size // x.shape[-1]
    if not isinstance(g, View) or g.dtype != x.dtype or not g.size == label.size == rows:
        return False
    is_computed_there(self, x.size)
    places = _places(self, label, width, "clip")
    given = [self.contiguous(g), x, places]
    return call(self, entry, "cross_entropy_grad", given, (rows, width))


def _take(self: Lowering, entry: Entry) -> bool:
    x, index = entry.inputs
    axis, mode = entry.attrs.get("axis", 0), entry.attrs.get("mode", "clip")
    if not isinstance(x, View) or not x.contiguous or axis not in (0, -len(x.shape)):
        return False
    if x.dtype not in KNOWN or not x.size or not entry.outs[0].contiguous:
        return False
    places = _places(self, index, x.shape[0], mode)
    return call(self, entry, "take_rows", [x, places], (prod(x.shape[1:]),))


def _take_grad(self: Lowering, entry: Entry) -> bool:
    x, index = entry.inputs
    size, axis, y = entry.attrs["size"], entry.attrs["axis"], entry.outs[0]
    if not all(isinstance(v, View) for v in (x, index)) or x.dtype not in loops.FLOATS:
        return False
    if not y.contiguous or not x.size or not size:
        return False
    is_computed_there(self, x.size)
    first = axis % (len(x.shape) - len(index.shape) + 1)
    outer, width = prod(x.shape[:first]), prod(x.shape[first + len(index.shape) :])
    places = _places(self, index, size, entry.attrs["mode"])
    given = [self.contiguous(x), places]
    return call(self, entry, "add_rows", given, (outer, index.size, width, size, 0))


def _picked(name: str, shape_of: Any) -> Any:
    def rule(self: Lowering, entry: Entry) -> bool:
        x, index = entry.inputs
        mode, y = entry.attrs.get("mode", "clip"), entry.outs[0]
        if not all(isinstance(v, View) and v.contiguous for v in (x, index, y)):
            return False
        if mode not in ("clip", "wrap") or x.dtype not in KNOWN or not x.size:
            return False
        shape = shape_of(entry)
        axis = entry.attrs.get("axis", -1) % len(shape)
        lines = prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :])
        if index.size != lines[0] * lines[2]:
            return False
        places = self.converted(index, INT64)
        return call(self, entry, name, [x, places], (*lines, MODES[mode]))

    return rule


def _dropout_mask(self: Lowering, entry: Entry) -> bool:
    """The mask of dropout; the threads of its own kernel share out large ones."""
    p, (y,) = entry.attrs["p"], entry.outs
    is_large = y.size >= MORE * loading.LEAST
    if is_large or not 0 <= p < 1 or y.dtype not in loops.FLOATS or not y.contiguous:
        return False
    reads: list[View] = []
    more = {"op": entry.event.op, "kernel": entry.event.kernel, "p": float(p)}
    form = numbered([entry.inputs, entry.attrs], reads)
    node = Instruction("mask", reads, [y], "dropout_mask", form=form, **more)
    node.draws = True
    self.nodes.append(node)
    return True


def _batch_norm_inference(self: Lowering, entry: Entry) -> bool:
    x, *vectors = entry.inputs
    given = (x, *vectors)
    axis, y = entry.attrs.get("axis", 1), entry.outs[0]
    if not all(isinstance(v, View) and v.dtype == x.dtype and v.contiguous for v in given):
        return False
    axis %= len(x.shape)
    channels, places = x.shape[axis], prod(x.shape[axis + 1 :])
    alike = all(v.shape == (channels,) for v in vectors)
    if not alike or places < 2 or x.dtype not in loops.FLOATS or not y.contiguous or not x.size:
        return False
    is_computed_there(self, x.size)
    gamma, beta, mean, var = vectors
    eps = self.constant(entry.attrs.get("eps", 1e-3), x.dtype)
    scale = computed(
        self, np.divide, gamma, computed(self, np.sqrt, computed(self, np.add, var, eps))
    )
    shift = computed(self, np.subtract, beta, computed(self, np.multiply, mean, scale))
    rows = prod(x.shape[:axis]) * channels
    return call(self, entry, "scale_channels", [x, scale, shift], (rows, channels, places))


RULES.update(
    {
        "cross_entropy": _cross_entropy,
        "cross_entropy_grad": _cross_entropy_grad,
        "take": _take,
        "take_grad": _take_grad,
        "pick": _picked("pick", lambda entry: entry.inputs[0].shape),
        "pick_grad": _picked("pick_grad", lambda entry: entry.attrs["shape"]),
        "batch_norm_inference": _batch_norm_inference,
        "dropout_mask": _dropout_mask,
    }
)
