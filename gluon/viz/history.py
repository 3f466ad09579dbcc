"""The graph of an array: its nodes, the arrays they keep, and their shapes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from .._core.engine.array import Array, wrap
from .._core.engine.backward import why_not
from .._core.engine.node import Blank, Node, Variable
from .._core.engine.pull import OUTPUT, PASS
from .._core.engine.sweep import sweep
from .._core.errors import ArgumentError, AutogradError, DTypeError
from .._core.instruments.base import Instrument, switch_off, switch_on
from .._core.instruments.recorder import RAW, buffer
from .._core.refusals import released
from ..autograd.function import Function


def heads_of(y: Any, caller: str) -> list[Array]:
    """`y`, an array or a list of them, as a list of arrays with a history.

    Parameters
    ----------
    y : NDArray, or list of NDArray, of any shape and dtype
    caller : str
        The function that error messages name.

    Returns
    -------
    list of NDArray

    Raises
    ------
    AutogradError
        If an array has no recorded history, or it was released.
    DTypeError
        If something is not an array.
    ArgumentError
        If there is no array.
    """
    heads = list(y) if isinstance(y, (list, tuple)) else [y]
    if not heads:
        raise ArgumentError(f"{caller}: give at least one array")
    for head in heads:
        if not isinstance(head, Array):
            raise DTypeError(f"{caller}: give a recorded NDArray, not {type(head).__name__}")
        if isinstance(head._node, Blank):
            shape = head.shape
            raise AutogradError(
                f"{caller}: no history of an array of shape {shape}: {why_not(head)}"
            )
        if head._node.edges is None:
            raise released(head._node, head.shape)
    return heads


def behind(nodes: Iterable[Node]) -> set[Node]:
    """All nodes that the given ones were computed from, and these.

    Parameters
    ----------
    nodes : iterable of Node

    Returns
    -------
    set of Node
    """
    seen: set[Node] = set()
    stack = list(nodes)
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack.extend(edge for edge in node.edges or () if edge is not None)
    return seen


def history(heads: Iterable[Array]) -> list[Node]:
    """The nodes behind arrays, oldest first, without those that select one of several outputs.

    Parameters
    ----------
    heads : iterable of NDArray

    Returns
    -------
    list of Node
    """
    nodes = behind(head._node for head in heads)
    return sorted((one for one in nodes if one.op is not OUTPUT), key=lambda one: -one.number)


def maker(node: Node) -> Node:
    """The node that computed the value of `node`."""
    return node.edges[0] if node.op is OUTPUT and node.edges else node


def is_leaf(node: Node) -> bool:
    """Whether a node is a variable, or passes on the value of one."""
    return node.op is PASS


def kept_arrays(node: Node) -> Iterator[Any]:
    """The raw arrays that a node and a user's function keep for the backward pass."""
    yield from _raws(node.kept, set())


def _raws(values: Any, seen: set[int]) -> Iterator[Any]:
    if isinstance(values, RAW):
        yield values
    elif isinstance(values, Array):
        yield values.raw
    elif isinstance(values, (tuple, list, dict, Function)) and id(values) not in seen:
        seen.add(id(values))
        if isinstance(values, Function):
            values = vars(values)
        for one in values.values() if isinstance(values, dict) else values:
            yield from _raws(one, seen)


def kept_bytes(node: Node) -> int:
    """The size of the buffers that a node keeps, each counted once."""
    return sum({id(one): one.nbytes for one in map(buffer, kept_arrays(node))}.values())


def inputs_kept(node: Node) -> Iterator[tuple[int, np.ndarray]]:
    """The inputs that a node keeps: their indices and raw arrays."""
    op = node.op
    joint = getattr(op, "joint", None)
    rules = (joint,) if joint else getattr(op, "rules", ())
    kept: Any = (node.kept,) if len(rules) == 1 else node.kept or ()
    found: dict[int, Any] = {}
    for rule, values in zip(rules, kept):
        if rule is None or values is None:
            continue
        values = (values,) if len(rule.sources) == 1 else values
        for (kind, key), value in zip(rule.sources, values):
            many = kind == "inputs" and isinstance(value, tuple)
            for place, one in enumerate(value) if many else [(key, value)]:
                if kind in ("input", "inputs") and isinstance(one, RAW):
                    found.setdefault(place, one)
    yield from found.items()


class _Shapes(Instrument):
    """Records the shape and dtype of every cotangent, which are those of the value."""

    def __init__(self) -> None:
        self.found: dict[Node, list[tuple[tuple[int, ...], Any]]] = {}

    def pull(self, pull: Any) -> Any:
        def seen(node: Node, g: Any, wants: Any) -> Sequence:
            parts = [one for one in (g if isinstance(g, Sequence) else (g,)) if one is not None]
            raws = [one.raw if isinstance(one, Array) else one for one in parts]
            self.found[node] = [(raw.shape, raw.dtype) for raw in raws]
            return pull(node, g, wants)

        return seen


def shapes(heads: Sequence[Array]) -> dict[Node, list[tuple[tuple[int, ...], Any]]]:
    """The shapes and dtypes of the results of the nodes behind `heads`.

    Nodes do not keep them, but the cotangent of a value has its shape. So it runs a backward pass,
    which stores no gradients and keeps the graph.

    Parameters
    ----------
    heads : sequence of NDArray

    Returns
    -------
    dict of Node to list of (tuple of int, dtype)
        For each node, its used outputs.

    Raises
    ------
    AutogradError
        If the backward pass fails.
    """
    shapes = _Shapes()
    switch_on(shapes)
    try:
        with np.errstate(all="ignore"):
            for head in heads:
                tape = next(one for one in head._node.tapes if not head._node.released_by(one))
                sweep(tape, [(head._node, wrap(Array, np.ones_like(head.raw)))], retain=True)
    except Exception as error:
        raise AutogradError(
            f"plot_graph: the backward pass that finds the shapes failed: {error}; pass"
            " show_shapes=False"
        ) from error
    finally:
        switch_off(shapes)
    found = shapes.found
    for node in history(heads):
        if isinstance(node, Variable):
            found[node] = [(node.shape, node.dtype)]
    for head in heads:
        found.setdefault(maker(head._node), [(head.shape, head.form.dtype)])
    return found
