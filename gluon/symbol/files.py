"""MXNet's symbol files: writes the JSON of 1.9.1, and reads that of 0.8 to 1.9."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from .._core.arrays.switch import is_np_shape
from .._core.errors import ArgumentError
from .._core.faces.loaders import load
from .infer import shape_from, with_unknown
from .naming import HIDDEN
from .node import Entry, GraphNode, ordered
from .old import CANONICAL, brought_up_to_date
from .operator import OPERATORS

#: The version that MXNet's loader expects in JSON files.
JSON_VERSION = 10901
#: The maximum depth of nested graphs.
DEEPEST = 50
#: Operators that automatic mixed precision inserts into a graph.
CASTS = ("amp_cast", "amp_multicast")


def to_json(heads: Iterable[Entry], remove_amp_cast: bool = False) -> str:
    """The graph as text.

    Parameters
    ----------
    heads : sequence of Entry
    remove_amp_cast : bool, default False
        Omit the casts of automatic mixed precision.
    """
    graph = _graph(list(heads), remove_amp_cast)
    attrs = {"mxnet_version": ["int", JSON_VERSION]}
    if is_np_shape():
        attrs["is_np_shape"] = ["int", 1]
    return json.dumps({**graph, "attrs": attrs}, indent=2)


def _graph(heads: list[Entry], remove_amp_cast: bool) -> dict[str, Any]:
    past = _past_casts if remove_amp_cast else (lambda entry: entry)
    order = _without_casts(heads) if remove_amp_cast else ordered(heads)
    number = {node: k for k, node in enumerate(order)}
    rows = [0]
    nodes = []
    for node in order:
        states = node.op.moved(node.input_names) if node.op else ()
        written: dict[str, Any] = {"op": node.op.name if node.op else "null", "name": node.name}
        if node.attrs:
            written["attrs"] = dict(sorted(node.attrs.items()))
        written["inputs"] = [
            [number[source], index, int(k in states)]
            for k, (source, index) in enumerate(map(past, node.inputs))
        ]
        if node.op and node.op.subgraphs:
            written["subgraphs"] = [_graph(one, remove_amp_cast) for one in node.op.subgraphs]
        nodes.append(written)
        rows.append(rows[-1] + (node.op.width(node.values) if node.op else 1))
    return {
        "nodes": nodes,
        "arg_nodes": [k for k, node in enumerate(order) if node.op is None],
        "node_row_ptr": rows,
        "heads": [[number[node], index, 0] for node, index in map(past, heads)],
    }


def _past_casts(entry: Entry) -> Entry:
    while entry.node.op and entry.node.op.name in CASTS:
        entry = entry.node.inputs[entry.index]
    return entry


def _without_casts(heads: list[Entry]) -> list[GraphNode]:
    return ordered(map(_past_casts, heads), _past_casts)


def from_json(text: str | bytes, what: str = "load_json") -> list[Entry]:
    """The outputs of the graph that `text` describes.

    Raises
    ------
    ArgumentError
        If the text is not JSON, or does not describe a graph; the message says where.
    """
    try:
        graph = json.loads(text)
    except UnicodeDecodeError:
        raise ArgumentError(
            f"{what}: the file is no text, as a symbol is; parameters have a file of their own, as"
            " in SymbolBlock.imports(symbol_file, input_names, param_file)"
        ) from None
    except (ValueError, RecursionError) as error:
        reason = str(error) or "it is nested too deeply"
        raise ArgumentError(f"{what}: the text is not the JSON of a symbol: {reason}") from None
    return _Reader(graph, what).heads()


class _Reader:
    """Reads the nodes of a graph in order: an input comes before its users."""

    #: Whether a length of 0 in the shape of a variable is unknown.
    classic: bool

    def __init__(self, graph: Any, what: str, outer: _Reader | None = None) -> None:
        self.what = what
        self.graph = self._is(graph, dict, "the graph")
        listed = self._is(graph.get("nodes"), list, "'nodes'")
        attrs = graph.get("attrs")
        self.version: int = outer.version if outer else self._version(attrs)
        self.classic = outer.classic if outer else not _has_np_shapes(attrs)
        self.depth: int = outer.depth + 1 if outer else 0
        if self.depth > DEEPEST:
            raise self._wrong(f"more than {DEEPEST} graphs inside of each other")
        self.nodes: list[GraphNode] = []
        for place, one in enumerate(listed):
            self.nodes.append(self._node(place, one))

    def _is(self, value: Any, kind: type, place: str) -> Any:
        if not isinstance(value, kind):
            names = {dict: "an object", list: "a list", str: "a text", int: "a whole number"}
            raise self._wrong(f"{place} is {_short(value)}, not {names[kind]}")
        return value

    def _wrong(self, reason: str) -> ArgumentError:
        return ArgumentError(f"{self.what}: {reason}; the file is damaged or not a symbol of MXNet")

    def _version(self, attrs: Any) -> int:
        found = attrs.get("mxnet_version") if isinstance(attrs, dict) else None
        if isinstance(found, list) and len(found) == 2 and isinstance(found[1], int):
            return found[1]
        return 800

    def heads(self) -> list[Entry]:
        """Return the outputs."""
        listed = self._is(self.graph.get("heads"), list, "'heads'")
        if not listed:
            raise self._wrong("'heads' is empty")
        return [self._entry(f"head {k}", one) for k, one in enumerate(listed)]

    def _node(self, place: int, one: Any) -> GraphNode:
        where = f"node {place}"
        one = self._is(one, dict, where)
        kind = self._is(one.get("op"), str, f"the 'op' of {where}")
        name = self._is(one.get("name"), str, f"the 'name' of {where}")
        where = f"node {place} ({_short(name)})"
        attrs = self._attrs(where, one)
        listed = self._is(one.get("inputs", []), list, f"the 'inputs' of {where}")
        inputs = [self._entry(where, entry) for entry in listed]
        if kind == "null":
            if inputs:
                raise self._wrong(f"{where} is a variable with {len(inputs)} inputs")
            if self.classic and is_np_shape() and "__shape__" in attrs:
                attrs["__shape__"] = with_unknown(shape_from(name, attrs["__shape__"]))
            return GraphNode(None, name, attrs)
        kind = CANONICAL.get(kind, kind)
        if kind not in OPERATORS:
            load(kind)
        operator = OPERATORS.get(kind)
        if operator is None:
            raise ArgumentError(f"{self.what}: {where}: no operator {_short(kind)} in gluon")
        operator = operator.specialised(attrs, self._subgraphs(where, one))
        brought_up_to_date(self.version, operator, name, attrs, inputs)
        node = GraphNode(operator, name, attrs, inputs)
        operator.check_complete(node.values)
        self._check(where, node)
        return node

    def _check(self, where: str, node: GraphNode) -> None:
        """Raise unless the operator has the right number of inputs."""
        names = node.input_names
        if len(names) != len(node.inputs):
            raise self._wrong(
                f"{where}: {node.op.name if node.op else ''} has {len(node.inputs)} inputs,"
                f" not the {len(names)} of {', '.join(names) or 'none'}"
            )

    def _subgraphs(self, where: str, one: dict[str, Any]) -> list[list[Entry]]:
        """Return the outputs of the graphs inside a node."""
        listed = self._is(one.get("subgraphs", []), list, f"the 'subgraphs' of {where}")
        return [_Reader(graph, self.what, self).heads() for graph in listed]

    def _attrs(self, where: str, one: dict[str, Any]) -> dict[str, str]:
        """Return the attributes, which MXNet's versions call ``param``, ``attr`` or ``attrs``."""
        found: dict[str, str] = {}
        for key in ("param", "attr", "attrs"):
            for name, value in self._is(
                one.get(key) or {}, dict, f"the {key!r} of {where}"
            ).items():
                value = self._is(value, str, f"the attribute {_short(name)} of {where}")
                found[f"__{name}__" if name in HIDDEN else name] = value
        return found

    def _entry(self, where: str, one: Any) -> Entry:
        """Parse an input or a head, ``[node, output]`` or ``[node, output, version]``."""
        one = self._is(one, list, f"an input of {where}")
        if not 2 <= len(one) <= 3 or any(type(k) is not int for k in one):
            raise self._wrong(f"an input of {where} is {_short(one)}, not [node, output, version]")
        node, index = one[:2]
        if not 0 <= node < len(self.nodes):
            raise self._wrong(
                f"an input of {where} is node {node}, which does not come before it: there are"
                f" {len(self.nodes)} so far, and a graph has no cycles"
            )
        width = len(self.nodes[node].outputs)
        if not 0 <= index < width:
            raise self._wrong(f"an input of {where} is output {index} of {width} of node {node}")
        return Entry(self.nodes[node], index)


def _has_np_shapes(attrs: Any) -> bool:
    """Whether a file was written under ``np_shape``, where a length of 0 is no unknown one."""
    return isinstance(attrs, dict) and attrs.get("is_np_shape") == ["int", 1]


def _short(value: Any) -> str:
    shown = repr(value) if isinstance(value, (str, int, float, type(None))) else str(type(value))
    return shown if len(shown) < 80 else shown[:77] + "..."
