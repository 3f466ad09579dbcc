"""Rules for shapes: operators of a family share a few rules.

A shape is a tuple of lengths, with -1 for unknown ones, or None if not even the number of axes is
known. A rule takes a node and the shapes of its inputs and outputs, and returns both with what can
be inferred; shapes that do not fit raise `Misfit`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from .._core.arrays.switch import is_np_shape
from ..nd.custom import find
from .naming import is_hidden
from .node import GraphNode

Shape = tuple[int, ...]
Shapes = Sequence[Shape | None]
Both = tuple[Sequence[Shape | None], Sequence[Shape | None]]
Rule = Callable[[GraphNode, Shapes, Shapes], Both]


#: As in NumPy.
MOST_AXES = 64


class Misfit(Exception):
    """Shapes, or dtypes, contradict each other."""


def full(shape: Shape | None) -> bool:
    """Whether all of a shape is known."""
    return shape is not None and -1 not in shape


def merged(one: Shape | None, other: Shape | None) -> Shape | None:
    """Combine two pieces of information about one shape."""
    if one is None or other is None:
        return other if one is None else one
    if one == other:
        return one
    if len(one) != len(other):
        raise Misfit(f"shapes {one} and {other} differ")
    return tuple(map(length, one, other))


def length(a: int, b: int) -> int:
    """Combine two pieces of information about one length."""
    if a != b and a >= 0 and b >= 0:
        raise Misfit(f"lengths {a} and {b} differ")
    return max(a, b)


def size(shape: Shape | Sequence[int]) -> int:
    """The number of values; -1 if unknown."""
    return -1 if any(one < 0 for one in shape) else prod(shape)


def arguments(node: GraphNode) -> dict[str, Any]:
    """The arguments of a node, defaults included."""
    assert node.op is not None
    return {**node.op.attributes, **node.values}


def place(axis: int, ndim: int) -> int:
    """An axis counted from the front."""
    if not -ndim <= axis < ndim:
        raise Misfit(f"axis {axis} is out of range for {ndim} axes")
    return axis % ndim


def tupled(value: Any) -> tuple[Any, ...]:
    """One number, or several, as a tuple; None is empty."""
    if value is None:
        return ()
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def spread(value: Any, n: int, default: int) -> tuple[int, ...]:
    """One number for each of `n` axes."""
    given = tupled(value)
    return (given * n if len(given) == 1 else given) or (default,) * n


def one_value() -> Shape:
    """The shape of a single value: MXNet had no arrays without axes before its NumPy interface."""
    return () if is_np_shape() else (1,)


def check_axes(shape: Sequence[int]) -> None:
    """Raise if there are more axes than an array can have."""
    if len(shape) > MOST_AXES:
        raise Misfit(f"{len(shape)} axes, but at most {MOST_AXES} are supported")


def nothing(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """No shape can be inferred from another."""
    return ins, outs


def alike(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """All inputs and outputs have one shape."""
    found: Shape | None = None
    for one in (*ins, *outs):
        try:
            found = merged(found, one)
        except Misfit:
            break  # the caller adds the name of the node, and updates what is known so far
    return [found] * len(ins), [found] * len(outs)


def as_first(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """The outputs have the shape of the first input."""
    found = merged(ins[0], outs[0])
    return [found, *ins[1:]], [found] * len(outs)


def broadcast(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """The output has the shape that the inputs broadcast to."""
    if any(one is None for one in ins):
        return ins, outs
    shapes = [one for one in ins if one is not None]
    ndim = max(map(len, shapes))
    found = []
    for k in range(ndim):
        lengths = [s[k - ndim + len(s)] for s in shapes if k - ndim + len(s) >= 0]
        wide = {one for one in lengths if one not in (1, -1)}
        if len(wide) > 1:
            raise Misfit(f"shapes {' and '.join(map(str, shapes))} do not broadcast")
        found.append(wide.pop() if wide else -1 if -1 in lengths else 1)
    return ins, [tuple(found)]


def flag(*shape: int) -> Rule:
    """The output has a fixed shape."""
    return lambda node, ins, outs: (ins, [shape] * len(outs))


# --------------------------------------------------------------------------- reduce


def reduced(shape: Shape, axis: Any, keepdims: bool, exclude: bool = False) -> Shape:
    """A shape without some of its axes: all for None or ()."""
    ndim = len(shape)
    gone = {place(int(k), ndim) for k in tupled(axis)}
    if not gone:
        gone = set(range(ndim))
    elif exclude:
        gone = set(range(ndim)) - gone
    if keepdims:
        return tuple(1 if k in gone else one for k, one in enumerate(shape))
    return tuple(one for k, one in enumerate(shape) if k not in gone) or one_value()


def reduce(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """Sums and other reductions."""
    a = arguments(node)
    if ins[0] is None:
        return ins, outs
    axis = a.get("axis", a.get("axes"))
    found = reduced(ins[0], axis, bool(a.get("keepdims")), bool(a.get("exclude")))
    return ins, [found] * len(outs)


def picked(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """One value along an axis for each index."""
    a = arguments(node)
    if ins[0] is None:
        return ins, outs
    axis = a.get("axis", -1)
    gone = tuple(range(len(ins[0]))) if axis is None else axis
    index = ins[1] or reduced(ins[0], gone, False)
    return [ins[0], index], [reduced(ins[0], gone, bool(a.get("keepdims")))]


# --------------------------------------------------------------------------- contract


def dot(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """The last axis of one with the first of the other."""
    a = arguments(node)
    if ins[0] is None or ins[1] is None:
        return ins, outs
    lhs, rhs = ins[0], ins[1]
    if len(lhs) == len(rhs) == 1:
        length(lhs[0], rhs[0])
        return ins, [(1,)]
    lhs = (*lhs[1:], lhs[0]) if a["transpose_a"] else lhs
    rhs = (rhs[-1], *rhs[:-1]) if a["transpose_b"] else rhs
    length(lhs[-1], rhs[0])
    return ins, [(*lhs[:-1], *rhs[1:])]


def _rows_last(shape: Shape, axis: int) -> Shape:
    """Return a shape of matrices with the rows as the second to last axis."""
    at = place(axis, len(shape))
    return (*shape[:at], *shape[at + 1 : -1], shape[at], shape[-1])


def matrices(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """Products of matrices, whose other axes are those of a batch."""
    a = arguments(node)
    if ins[0] is None or ins[1] is None:
        return ins, outs
    axis = int(a.get("axis", -2))
    shapes = [_rows_last(one, axis) for one in (ins[0], ins[1])]
    lhs, rhs = shapes
    rows, inner = lhs[-2:][::-1] if a["transpose_a"] else lhs[-2:]
    other, columns = rhs[-2:][::-1] if a["transpose_b"] else rhs[-2:]
    length(inner, other)
    batch = merged(lhs[:-2], rhs[:-2]) or ()
    at = place(axis, len(lhs))
    found = (*batch[:at], rows, *batch[at:], columns)
    return [*ins[:2], *[found] * (len(ins) - 2)], [found]


# --------------------------------------------------------------------------- join


def concat(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """Arrays one after the other along an axis."""
    a = arguments(node)
    axis = int(a["dim"] if "dim" in a else a["axis"])
    known = [one for one in (*ins, *outs) if one is not None]
    if not known:
        return ins, outs
    ndim = len(known[0])
    axis = place(axis, ndim)
    rest: Shape | None = None
    for one in known:
        rest = merged(rest, tuple(-1 if k == axis else n for k, n in enumerate(one)))
    assert rest is not None
    lengths = [-1 if one is None else one[axis] for one in ins]
    total = outs[0][axis] if outs[0] is not None else -1
    if lengths.count(-1) == 1 and total >= 0:
        lengths[lengths.index(-1)] = total - (sum(lengths) + 1)
    total = -1 if -1 in lengths else sum(lengths)

    def along(n: int) -> Shape:
        return tuple(n if k == axis else one for k, one in enumerate(rest))

    return [along(n) for n in lengths], [along(total)]


def stack(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """Arrays of one shape along a new axis."""
    found: Shape | None = None
    for one in ins:
        found = merged(found, one)
    if found is None:
        return ins, outs
    axis = place(int(arguments(node)["axis"]), len(found) + 1)
    return [found] * len(ins), [(*found[:axis], len(ins), *found[axis:])]


def custom(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """The result of the operator's `CustomOpProp`, once the shape of the first input is known."""
    a = {key: value for key, value in node.attrs.items() if not is_hidden(key)}
    prop = find(a.pop("op_type"))(**a)
    count = len(prop.list_arguments())
    if not ins or not full(ins[0]):
        return ins, outs
    if any(one is None for one in ins[1:count]) and len(ins) > 1:
        ins = [ins[0], *(one or () for one in ins[1:])]
    given, made, *states = prop.infer_shape([list(one or ()) for one in ins[:count]])
    every = [tuple(one) for one in [*given, *(states[0] if states else ())]]
    return every, [tuple(one) for one in made]


def split(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """Parts of equal length."""
    a = arguments(node)
    count, squeezed = int(a["num_outputs"]), bool(a["squeeze_axis"])
    part: Shape | None = None
    for one in outs:
        part = merged(part, one)
    if ins[0] is None and part is None:
        return ins, outs
    ndim = len(ins[0]) if ins[0] is not None else len(part or ()) + squeezed
    axis = place(int(a["axis"]), ndim)
    back: Shape | None = None
    if part is not None:
        own = 1 if squeezed else part[axis]
        rest = part[axis + (not squeezed) :]
        back = (*part[:axis], own * count if own >= 0 else -1, *rest)
    data = merged(ins[0], back)
    assert data is not None
    n = data[axis]
    if n >= 0 and (n % count or (squeezed and n != count)):
        raise Misfit(f"axis {axis} of length {n} does not divide into num_outputs={count}")
    each = () if squeezed else (n // count if n >= 0 else -1,)
    return [data], [(*data[:axis], *each, *data[axis + 1 :])] * count


def is_open(length: int) -> bool:
    """Whether a length of an array to create is inferred."""
    return length < 0 or (length == 0 and not is_np_shape())


def creation(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """An array of a given shape."""
    given = tupled(arguments(node)["shape"])
    found = tuple(-1 if is_open(one) else one for one in given) or (
        (1,) if not ins and node.op and node.op.name.startswith("_random") else None
    )
    return ins, [merged(found, out) for out in outs]


#: By the kind of a function, as what makes it declares.
BY_KIND: dict[str, Rule] = {
    "": nothing,
    "alike": alike,
    "broadcast": broadcast,
    "reduce": reduce,
}
#: Where that says nothing, by the name of the operator.
SHAPES: dict[str, Rule] = {
    "Concat": concat,
    "_rnn_param_concat": concat,
    "Custom": custom,
    "SliceChannel": split,
    "_full": creation,
    "_linalg_gemm": matrices,
    "_linalg_gemm2": matrices,
    "_ones": creation,
    "_zeros": creation,
    "_zeros_without_dtype": creation,
    "batch_dot": matrices,
    "dot": dot,
    "pick": picked,
    "softmax_cross_entropy": flag(1),
    "stack": stack,
    **dict.fromkeys(
        "softmax _contrib_box_nms IdentityAttachKLSparseReg _scatter_set_nd _slice_assign".split(),
        as_first,
    ),
}
