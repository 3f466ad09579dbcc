"""The rule for the shapes of `reshape`, with MXNet's codes; see `shapes`."""

from __future__ import annotations

from math import prod

from .._core.arrays.indexing import matched
from .._core.errors import ArgumentError
from .node import GraphNode
from .shapes import Both, Misfit, Shape, Shapes, arguments, check_axes, full, merged, tupled

#: A prime that divides no other length, and a length that stands for an unknown one: it has many
#: divisors, and its remaining factor is unknown as well.
PRIME = 2**61 - 1
UNKNOWN = PRIME * 2**24 * 3**12 * 5**6 * 7**4 * 11**2 * 13**2


def reshape(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """MXNet's codes; an axis of unknown length may be copied, or follow from the output."""
    a, data = arguments(node), ins[0]
    codes = tupled(a["shape"])
    if not codes and tupled(a.get("target_shape")):
        first, *rest = tupled(a["target_shape"])
        keeps = a["keep_highest"] and data is not None
        codes = (data[0] if keeps and data else first or -1, *(n or -1 for n in rest))
    if not codes or data is None:
        return ins, outs
    check_axes(codes)
    found = _coded(data, codes, bool(a["reverse"]))
    out = merged(found, outs[0])
    if out is not None and full(out) and data.count(-1) == 1:
        missing, over = divmod(prod(out), prod([n for n in data if n >= 0]) or 1)
        if over:
            raise Misfit(f"data of shape {data} does not fit {out}")
        data = tuple(missing if n < 0 else n for n in data)
    return [data], [out]


def _coded(data: Shape, codes: Shape, reverse: bool) -> Shape | None:
    """Return the lengths for codes; None if not even their number follows."""
    stood_for = tuple(UNKNOWN if n < 0 else n for n in data)
    try:
        lengths = matched(stood_for, codes, reverse)
    except ArgumentError as error:
        if -4 in codes and not full(data):
            return None  # the length to split may divide once it is known
        raise Misfit(str(error).replace(str(UNKNOWN), "?")) from None
    if lengths.count(-1) > 1:
        raise Misfit(f"shape={codes} leaves more than one length to infer")
    total, rest = prod(stood_for), prod([n for n in lengths if n != -1])
    if -1 in lengths and rest and total % rest == 0:
        lengths[lengths.index(-1)] = total // rest
    elif full(data) and (-1 in lengths or total != rest):
        raise Misfit(f"data of shape {data} does not fit shape={codes}")
    return tuple(-1 if n >= PRIME else n for n in lengths)
