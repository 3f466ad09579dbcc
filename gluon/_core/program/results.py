"""What a step gives, and the handles that it uses besides its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..engine.array import Array, wrap
from ..engine.node import CREATED, Node, Variable
from ..engine.pull import output
from .listing import Failed, Listing
from .trace import Trace
from .values import Source


class Result(NamedTuple):
    """A result: a handle from before the step, or a new one of class `cls`.

    A new one has the node `node`, or is output number `place` of the node of its call.
    """

    source: Source | None
    cls: Any = None
    ctx: Any = None
    node: Any = CREATED
    place: int = -1


def wrapped(results: list[Result], made: list, node: Any, leaves: list) -> list:
    """The results of a run, which take their arrays from `made`."""
    found, arrays = [], iter(made)
    for source, cls, ctx, blank, place in results:
        if source is not None:
            found.append(source.find(leaves))
        elif place < 0:
            found.append(wrap(cls, next(arrays), ctx, blank))
        else:
            of = output(node, place) if node.op.many else node
            found.append(wrap(cls, next(arrays), ctx, of))
    return found


def results_of(
    listing: Listing, results: list, made: list, node_of: Callable[[Node], Node | None]
) -> list[Result]:
    """How a run gives `results`, of which the step made those in `made`.

    ``node_of(node)`` is the node of such a result, None for an output of the node of its call.
    """
    found, place = [], -1
    for y in results:
        if not any(y is one for one in made):
            found.append(Result(listing.source(y)))
            continue
        node = node_of(y._node)
        place += node is None
        found.append(Result(None, type(y), y._ctx, node, place if node is None else -1))
    return found


def once(results: list) -> list:
    """Each of the results once."""
    return list({id(y): y for y in results}.values())


def keeps(trace: Trace, results: list) -> None:
    """Fail where there are arrays that the step made, besides its `results`."""
    known = {id(x) for x in results}
    for reference in trace.created.values():
        handle = reference()
        if handle is not None and id(handle) not in known:
            raise Failed("the step keeps an array that it made; return it instead")


def is_made(trace: Trace, x: Array) -> bool:
    """Whether the step made the result `x`; otherwise it was there before."""
    if not trace.made(x):
        trace.note(x, x.raw)
        return False
    if x._group is not None and any(m() is not None and m() is not x for m in x._group):
        raise Failed("the step returns a view of an array")
    return True


def used(trace: Trace, leaves: list) -> list:
    """The living handles from before the step, without its arguments."""
    found = []
    for seen in trace.first.values():
        handle = seen.handle()
        if handle is None:
            continue
        _stays_marked(seen, handle)
        if not any(handle is x for x in leaves):
            found.append(handle)
    return found


def _stays_marked(seen: Any, handle: Any) -> None:
    """Fail where the step marked `handle`."""
    node = handle._node
    same = type(seen.node) is type(node) and handle._mark is seen.mark
    if not same or (type(node) is Variable and node is not seen.node):
        raise Failed("the step marks an array, as attach_grad does")
