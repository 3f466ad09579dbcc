"""Compare before a program is used: two traces with each other, and a run on copies with a step."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..instruments.recorder import buffer as owner_of
from .listing import Entry, Listing
from .trace import Action, Call, Write
from .values import Buffer, View

#: How far the values of a program may lie from the step's, relative to the largest, by item size.
BOUND = {2: 2e-2, 4: 2e-5, 8: 1e-10}
#: How many values are compared at once.
PIECE = 1 << 16
#: Operators whose terms may cancel.
SUMS = frozenset({"sum", "sum_to", "mean"})


def difference(a: Listing, b: Listing) -> str:
    """What differs between two traces of one step; empty if they do the same."""
    if len(a.entries) != len(b.entries):
        return f"{len(a.entries)} operations in one call, {len(b.entries)} in the next"
    for one, two in zip(a.entries, b.entries):
        if not _Same(a, b).entry(one, two):
            return f"{_named(one)} is not the same in two calls{_at(one)}"
    if not _same_buffers(a, b):
        return "the arrays that the step uses are not the same in two calls"
    pairs = zip([*a.outputs, *a.results], [*b.outputs, *b.results])
    if len(a.outputs) != len(b.outputs) or not all(_Same(a, b).ends(*pair) for pair in pairs):
        return "the results are not the same in two calls"
    return ""


def _named(entry: Entry) -> str:
    event = entry.event
    if isinstance(event, Call):
        return event.op.name
    return event.call.__qualname__ if isinstance(event, Action) else "x[...] = y"


def _at(entry: Entry) -> str:
    line = getattr(entry.event, "line", "")
    return f", {line}" if line else ""


class _Same:
    """Whether parts of two listings are the same."""

    def __init__(self, a: Listing, b: Listing) -> None:
        self.a, self.b = a, b

    def entry(self, one: Entry, two: Entry) -> bool:
        x, y = one.event, two.event
        if type(x) is not type(y) or one.segment != two.segment:
            return False
        if isinstance(x, Call) and x.op is not y.op:
            return False
        if isinstance(x, Write) and (x.ufunc is not y.ufunc or not self.value(x.key, y.key)):
            return False
        if isinstance(x, Action):
            alike = x.call is y.call and self.value(x.kwargs, y.kwargs)
            return alike and self.value(x.args, y.args)
        return all(
            self.value(p, q)
            for p, q in ((one.inputs, two.inputs), (one.outs, two.outs), (one.attrs, two.attrs))
        )

    def ends(self, one: Any, two: Any) -> bool:
        if isinstance(one, View) or isinstance(two, View):
            return self.value(one, two)
        same = one.source[:2] == two.source[:2] and one.segment == two.segment
        return same and self.value(one.view, two.view)

    def value(self, x: Any, y: Any) -> bool:
        if type(x) is not type(y):
            return False
        if isinstance(x, View):
            return self.a.order[x.buffer] == self.b.order[y.buffer] and x.key[1:] == y.key[1:]
        if isinstance(x, np.ndarray):
            return _equal(x, y)
        if isinstance(x, np.random.Generator):
            return True  # the one of its call; `seed` makes another
        if isinstance(x, dict):
            return list(x) == list(y) and all(self.value(x[k], y[k]) for k in x)
        if isinstance(x, (list, tuple)):
            return len(x) == len(y) and all(map(self.value, x, y))
        if isinstance(x, slice):
            return self.value((x.start, x.stop, x.step), (y.start, y.stop, y.step))
        return x is y or bool(x == y)


def _equal(x: Any, y: Any) -> bool:
    return x.shape == y.shape and x.dtype == y.dtype and x.tobytes() == y.tobytes()


def _same_buffers(a: Listing, b: Listing) -> bool:
    if len(a.order) != len(b.order):
        return False
    return all(_same_buffer(x, y) for x, y in zip(a.order, b.order))


def _same_buffer(x: Buffer, y: Buffer) -> bool:
    kind = "temporary" if x.kind == "made" else x.kind  # which the plan made of it
    if kind != y.kind or x.nbytes != y.nbytes or x.like != y.like:
        return False
    if x.kind == "constant":
        return _equal(x.source, y.source)
    if x.kind == "given":
        same = x.source.handle is None or x.source.handle() is y.source.handle()
        return x.source[:2] == y.source[:2] and same
    return True


def close(found: Any, right: Any) -> bool:
    """Whether a run gives what the step gave."""
    if found.shape != right.shape or found.dtype != right.dtype:
        return False
    if right.dtype.kind != "f" or not right.size:
        return bool(np.array_equal(found, right))
    bound = BOUND.get(right.itemsize, 1e-10)
    if right.itemsize > 2:  # the usual case without masks; float16 would overflow
        worst, most = _worst(found.reshape(-1), right.reshape(-1))
        if np.isfinite(worst) and np.isfinite(most):
            return bool(worst <= bound * (most + right.dtype.type(1e-30)))
    finite = np.isfinite(right)
    if not np.array_equal(finite, np.isfinite(found)):
        return False
    if not np.array_equal(found[~finite], right[~finite], equal_nan=True):
        return False
    x, y = found[finite].astype(np.float64), right[finite].astype(np.float64)
    return not x.size or float(np.abs(x - y).max()) <= bound * float(np.abs(y).max() + 1e-30)


def _worst(found: Any, right: Any) -> tuple:
    """The largest difference and the largest value, found in pieces to need no memory."""
    pieces = [slice(k, k + PIECE) for k in range(0, right.size, PIECE)]
    with np.errstate(all="ignore"):
        worst = _largest([np.abs(found[k] - right[k]).max() for k in pieces])
        return worst, _largest([np.abs(right[k]).max() for k in pieces])


def _largest(values: list) -> Any:
    """The largest value; NaN if there is one."""
    return np.max(np.array(values))


def bounded(listing: Listing, entry: Entry) -> None:
    """Note of a sum what its terms would add up to if none cancelled."""
    event = entry.event
    if not isinstance(event, Call) or event.op.name not in SUMS:
        return
    if event.out.size and event.out.dtype.kind == "f":
        with np.errstate(all="ignore"):
            terms = event.kernel(np.abs(event.inputs[0]), **event.attrs)
        listing.trace.known.of(owner_of(event.out)).bound = float(np.max(terms))


def cancels(found: Any, right: Any, listing: Listing) -> bool:
    """Whether `right` is a sum, and `found` that sum within the rounding of its terms.

    So it is with the gradient of a bias before a norm, whose terms cancel: both are only rounding.
    """
    known = listing.trace.known.get(owner_of(right))
    if known is None or known.bound < 0:
        return False
    bound = BOUND.get(right.itemsize, 1e-10) * known.bound
    same = found.shape == right.shape and found.dtype == right.dtype
    return same and float(np.abs(found - right).max()) <= bound
