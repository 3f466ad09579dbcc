"""`plot_graph`: a picture of the recorded history of an array."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._core.engine.array import Array
from .._core.engine.node import Node
from .._core.errors import ArgumentError, a_type
from .._core.html import bytes_text
from .._core.instruments.recorder import buffer
from ..block import Block
from ..parameter import Parameter
from .dot import Drawing, Writer
from .history import (
    heads_of,
    history,
    inputs_kept,
    is_leaf,
    kept_arrays,
    kept_bytes,
    maker,
    shapes,
)

#: Longer attribute values are shortened.
LONGEST = 36


def plot_graph(
    y: Any,
    names: Any = None,
    *,
    title: str | None = None,
    depth: int | None = None,
    limit: int = 200,
    show_shapes: bool = True,
) -> Drawing:
    """A picture of the recorded graph of an array: operators, variables and kept values.

    To find shapes it runs a backward pass, which stores no gradients and keeps the graph.

    Parameters
    ----------
    y : NDArray, or list of NDArray, of any shape and dtype
        Recorded arrays whose graph no backward pass has released.
    names : Block, or dict of str to NDArray or Parameter, of any shape, optional
        The names of variables; a network names those that are its parameters.
    title : str, optional
    depth : int, optional
        The largest distance from `y`, in operators; no limit by default.
    limit : int, default 200
        The largest number of boxes, those next to `y` first; one more box counts the rest.
    show_shapes : bool, default True
        Whether to find shapes and dtypes.

    Returns
    -------
    Drawing
        Notebooks display it, and ``save("graph.svg")`` writes it. Graphviz arranges the boxes if
        it is installed; otherwise they are one column. ``source`` is the text in the DOT language.

    Raises
    ------
    AutogradError
        If `y` has no recorded history, or it was released; the message says why. Also if the
        backward pass fails.
    DTypeError
        If something is not an array.
    ArgumentError
        If `depth` or `limit` is less than 1.

    Examples
    --------
    >>> from gluon import autograd, nd, viz
    >>> x = nd.ones((2, 3))
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = nd.exp(x).sum()
    >>> drawing = viz.plot_graph(y, names={"x": x})
    >>> drawing
    <Drawing of 2 arrows; save('graph.svg') draws it>
    """
    if limit < 1 or (depth is not None and depth < 1):
        raise ArgumentError(f"plot_graph: depth={depth} and limit={limit} must be at least 1")
    heads = heads_of(y, "plot_graph")
    nodes = history(heads)
    found = shapes(heads) if show_shapes else {}
    count = sum(not is_leaf(node) for node in nodes)
    kept = {id(one): one.nbytes for node in nodes for one in map(buffer, kept_arrays(node))}
    counts = f"{count} operators, {bytes_text(sum(kept.values()))} kept"
    writer = Writer(
        f"{title}: {counts}" if title else counts,
        {"variable": "variable", "operator": "operator", "constant": "constant", "output": "y"},
    )
    drawn = _nearest(heads, depth, limit)
    _draw(writer, [node for node in nodes if node in drawn], heads, _names(names), found)
    if left := len(nodes) - len(drawn):
        writer.box("more", "more", f"… {left} more", "a greater depth or limit shows them")
    return writer.drawing()


def _draw(
    writer: Writer, nodes: list[Node], heads: list[Array], named: dict[Node, str], found: dict
) -> None:
    """Draw the boxes of `nodes` and the arrows to them; a box "more" stands for all others."""
    key = {node: f"n{place}" for place, node in enumerate(nodes)}
    ends = {maker(head._node) for head in heads}
    for node in nodes:
        _box(writer, key[node], node, node in ends, named, found)
        for edge in node.edges or ():
            if edge is not None:
                writer.arrow(key.get(maker(edge), "more"), key[node])
        for place, raw in () if is_leaf(node) else inputs_kept(node):
            if node.edges[place] is None:
                constant = f"{key[node]}c{place}"
                writer.box(constant, "constant", "constant", _size(raw.shape, raw.dtype))
                writer.arrow(constant, key[node])


def _box(
    writer: Writer, key: str, node: Node, is_end: bool, named: dict[Node, str], found: dict
) -> None:
    sizes = [_size(*one) for one in found.get(node, ())]
    if is_leaf(node):
        writer.box(key, "variable", named.get(node, "variable"), *sizes)
        return
    attrs = getattr(node, "attrs", None) or {}
    said = ", ".join(
        f"{name}={value}"
        for name, value in attrs.items()
        if value is not None
        and name != "at_least_1d"
        and not isinstance(value, Array)
        and len(f"{value}") < LONGEST
    )
    said = said if len(said) <= LONGEST else said[: LONGEST - 1] + "…"
    bytes = kept_bytes(node)
    keeps = f"keeps {bytes_text(bytes)}" if bytes else ""
    writer.box(key, "output" if is_end else "operator", node.op.name, said, *sizes, keeps)


def _size(shape: tuple[int, ...], dtype: Any) -> str:
    return f"{'x'.join(map(str, shape)) or 'scalar'} {dtype}"


def _nearest(heads: list[Array], depth: int | None, limit: int) -> set[Node]:
    """Return the nodes closest to the heads, limited by steps and number."""
    drawn: dict[Node, None] = {}
    step = [maker(head._node) for head in heads]
    while step and (depth is None or depth >= 0):
        following = []
        for node in step:
            if node in drawn or len(drawn) >= limit:
                continue
            drawn[node] = None
            following += [maker(edge) for edge in node.edges or () if edge is not None]
        step = following
        depth = None if depth is None else depth - 1
    return set(drawn)


def _names(given: Any) -> dict[Node, str]:
    """Return the nodes of variables with their names."""
    if given is None:
        return {}
    named = given.collect_params() if isinstance(given, Block) else given
    if not isinstance(named, Mapping) and not hasattr(named, "items"):
        raise ArgumentError(
            f"plot_graph: names is {a_type(given)}; give a Block, or a dict of arrays"
        )
    found = {}
    for name, one in named.items():
        for array in one.list_data() if isinstance(one, Parameter) else [one]:
            found[array._node] = name
    return found
