"""How arrays enter and leave `vmap`, and what that means for gradients.

Three operators are transposes of each other: an array of all examples becomes one of an example
(`batch`), and the reverse (`unbatch`); an array that all examples share becomes one of each
(`spread`), whose gradient is the sum (`total`). An edge of the graph that leads out of a run of
`vmap`, to what all examples share, passes through a node that takes the sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np

from .. import tree
from ..engine import call
from ..engine.array import Array, wrap
from ..engine.node import Node, Variable, next_number
from ..engine.op import KERNELS, RECORDED, Op
from ..engine.pull import PASS, same, standing
from ..kernels.memory import beside
from . import batching  # noqa: F401, because it adds the rules
from .batched import LEVELS, Batched, Level, deepest, is_at, say_once, uneven
from .whole import full


def _batch(x: Any, *, axis: int, level: Level) -> Any:
    order = [axis % x.ndim, *[k for k in range(x.ndim) if k != axis % x.ndim]]
    return Batched(KERNELS.transpose(x, axes=order), level)


def _unbatch(x: Any, *, axis: int, level: Level) -> Any:
    data = full(x, level)
    order = list(range(1, data.ndim))
    order.insert(axis % data.ndim, 0)
    return KERNELS.transpose(data, axes=order)


def _spread(x: Any, *, level: Level) -> Any:
    if _is_deeper(x, level):
        return Batched(_spread(x.data, level=level), x.level)
    return Batched(full(x, level), level)


def _total(x: Any, *, level: Level) -> Any:
    if is_at(x, level):
        return KERNELS.sum(x.data, axis=(0,))
    if _is_deeper(x, level):
        return Batched(_total(x.data, level=level), x.level)
    return KERNELS.multiply(x, level.size)  # the same of each example


def _is_deeper(x: Any, level: Level) -> bool:
    """Whether an array is one of an example of a run inside `level`."""
    return type(x) is Batched and x.level.place > level.place


def _holds(x: Any, level: Level) -> bool:
    """Whether an array is one of an example of `level`, and maybe of others."""
    return type(x) is Batched and (x.level is level or _holds(x.data, level))


def _operator(name: str, kernel: Any, attributes: dict[str, Any], rule: Any) -> Any:
    op = Op(
        name,
        kernel,
        fallback=kernel,
        doc="",
        inputs=("x",),
        attributes=attributes,
        variadic=False,
        broadcasts=False,
        many=False,
        joint=None,
        constants=(),
        zero=False,
        rules={"x": rule},
    )
    setattr(KERNELS, name, kernel)
    setattr(RECORDED, name, op.call)
    return op.call


_places: dict[str, Any] = {"axis": 0, "level": None}
batch = _operator(
    "vmap_batch",
    _batch,
    _places,
    lambda F, g, axis, level: F.vmap_unbatch(g, axis=axis, level=level),
)
unbatch = _operator(
    "vmap_unbatch",
    _unbatch,
    _places,
    lambda F, g, axis, level: F.vmap_batch(g, axis=axis, level=level),
)
spread = _operator(
    "vmap_spread", _spread, {"level": None}, lambda F, g, level: F.vmap_total(g, level=level)
)
total = _operator(
    "vmap_total", _total, {"level": None}, lambda F, g, level: F.vmap_spread(g, level=level)
)


def _summed(node: Node, g: Any, wants: Any) -> tuple[Any, ...]:
    for level in node.attrs[::-1]:
        whole = not _holds(g.raw if isinstance(g, Array) else g, level)  # it has left the run
        if not whole:
            g = total(g, level=level) if isinstance(g, Array) else _total(g, level=level)
    return (g,)


#: The operators whose gradient is that of all examples already.
ENTERING = frozenset(["vmap_batch", "vmap_spread"])
#: The operator of a node between what is inside a run of vmap, and what is outside.
SHARED = SimpleNamespace(name="vmap", single=None, pull=_summed, pull_watched=_summed)


def crossed(edge: Node | None, number: float, own: Level | None = None) -> Node | None:
    """What an edge of a node with this number leads to: the sum, if that is outside of `vmap`.

    `own` is a level that the node itself leads out of.
    """
    if edge is None or not edge.tapes:
        return edge
    levels = [one for one in LEVELS.get() if edge.number > one.start and one is not own]
    if not levels:
        return edge
    between = standing(SHARED, edge.tapes, (edge,))
    between.attrs, between.number = tuple(levels), number + 0.5  # type: ignore[assignment]
    return between


@contextmanager
def outside_now(levels: Sequence[Level]) -> Iterator[None]:
    """What was recorded until now counts as outside of these runs of `vmap`."""
    starts = [(level, level.start) for level in levels]
    now = next_number()
    for level in levels:
        level.start = now
    try:
        yield
    finally:
        for level, start in starts:
            level.start = start


def variable(x: Array, tape: Any) -> Any:
    """A new handle on the value of `x` that `tape` tracks too; it keeps the history of `x`."""
    node = x._node
    one = Variable(PASS, x.raw, (*node.tapes, tape))
    one.edges = (crossed(node, one.number),) if node.tapes else ()
    return wrap(type(x), x.raw, x._ctx, one)


def told(node: Node, inputs: Sequence[Any], attrs: dict[str, Any], out: Any) -> None:
    """Look at the edges of a node that is recorded inside `vmap`."""
    levels = LEVELS.get()
    if levels and node.edges:
        start = levels[-1].start
        if any(edge is not None and edge.number > start for edge in node.edges):
            own = attrs["level"] if node.op.name in ENTERING else None
            node.edges = tuple([crossed(edge, node.number, own) for edge in node.edges])


def listen(on: bool) -> None:
    """Be told of recorded calls, or no longer."""
    call.tell(told, on)


# ------------------------------------------------------------------- loops of recorded calls


def _example(x: Any, *, place: int, level: Level) -> Any:
    if _is_deeper(x, level):
        return Batched(_example(x.data, place=place, level=level), x.level)
    return x.data[(place, ...)] if is_at(x, level) else x


def _at_example(x: Any, *, place: int, level: Level) -> Any:
    """Zeros for all examples but one."""
    if _is_deeper(x, level):
        return Batched(_at_example(x.data, place=place, level=level), x.level)
    zeros = KERNELS.zeros_like(full(x, level))
    return Batched(KERNELS.setitem(zeros, x, key=(place, ...)), level)


def _joined(*xs: Any, level: Level) -> Any:
    inner = deepest(xs) if any(_is_deeper(x, level) for x in xs) else None
    if inner is not None:  # tangents of a run of vmap inside this one
        return Batched(_joined(*[full(x, inner) for x in xs], level=level), inner)
    return Batched(KERNELS.stack(*xs, axis=0), level)


_taken: dict[str, Any] = {"place": 0, "level": None}
example_of = _operator(
    "vmap_example",
    _example,
    _taken,
    lambda F, g, place, level: F.vmap_at_example(g, place=place, level=level),
)
at_example = _operator(
    "vmap_at_example",
    _at_example,
    _taken,
    lambda F, g, place, level: F.vmap_example(g, place=place, level=level),
)
#: Unlike `spread`, it leaves the gradient of each example as it is.
each_alike = _operator("vmap_alike", _spread, {"level": None}, same)


def _parts(F: Any, g: Any, xs_shape: Any, level: Level) -> list[Any]:
    return [F.vmap_example(g, place=k, level=level) for k in range(len(xs_shape))]


_join = Op(
    "vmap_join",
    _joined,
    fallback=_joined,
    doc="",
    inputs=("xs",),
    attributes={"level": None},
    variadic=True,
    broadcasts=False,
    many=False,
    joint=_parts,
    constants=(),
    zero=False,
    rules={},
)
KERNELS.vmap_join = _joined
RECORDED.vmap_join = _join.call


def level_of(inputs: Sequence[Any]) -> Level | None:
    """The innermost level of arrays of one example among `inputs`; None if there is none."""
    raws = [x.raw for x in inputs if isinstance(x, Array) and type(x.raw) is Batched]
    return deepest(raws) if raws else None


def of_each(y: Any, like: Array) -> Any:
    """A new array, made like another one: one of each example, if that is one of an example.

    So values of each example can be written into it.
    """
    level = like.held.level if type(like.held) is Batched else None
    return y if level is None else each_alike(y, level=level)


def for_each(name: str, function: Callable[..., Any], inputs: Sequence[Any], level: Level) -> Any:
    """What ``function(*inputs)`` gives for each example, recorded; it may be a list."""
    level.check()
    say_once(name)
    whole = [
        each_alike(x, level=level) if isinstance(x, Array) and not is_at(x.raw, level) else x
        for x in inputs
    ]
    results = [
        function(
            *[example_of(x, place=k, level=level) if isinstance(x, Array) else x for x in whole]
        )
        for k in range(level.size)
    ]
    if not results:
        return _of_none(function, whole, level)

    def join(*parts: Any) -> Any:
        shapes = {x.shape for x in parts}
        if len(shapes) > 1:
            raise uneven(name, level, shapes)
        return _join.call(*parts, level=level)

    if not isinstance(results[0], (list, tuple)):
        return join(*results)
    return type(results[0])([join(*column) for column in zip(*results)])


def _of_none(function: Callable[..., Any], inputs: Sequence[Any], level: Level) -> Any:
    """What a function gives for no examples: of the shapes and dtypes that it gives for zeros."""
    zeros = [
        wrap(type(x), beside(x.raw, np.zeros(x.shape, x.raw.dtype)), x._ctx)
        if isinstance(x, Array)
        else x
        for x in inputs
    ]

    def emptied(y: Any) -> Any:
        none = beside(y.raw, np.zeros((0, *y.shape), y.raw.dtype))
        return wrap(type(y), Batched(none, level), y._ctx)

    found = function(*zeros)
    return type(found)(map(emptied, found)) if isinstance(found, (list, tuple)) else emptied(found)


def looped(
    error: Exception, name: str, function: Callable[..., Any], args: Any, options: dict[str, Any]
) -> Any:
    """What a public function gives for each example, which raised `error` for all of them."""
    leaves, form = tree.flatten((args, options))
    level = level_of(leaves)
    cls = next((type(x) for x in leaves if isinstance(x, Array)), Array)
    if level is None:
        raise error

    def one(*leaves: Any) -> Any:
        given, rest = form.unflatten(leaves)
        return tree.map(as_array, function(*given, **rest))

    def as_array(value: Any) -> Any:
        if isinstance(value, Array):
            return value
        raw = np.asarray(value)
        if raw.dtype.kind not in "biuf":
            raise error
        return wrap(cls, raw)

    return for_each(name, one, leaves, level)
