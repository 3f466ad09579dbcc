"""Write nodes of symbols as ONNX nodes: converted, or copied if they come from an ONNX file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy

from ..._core.errors import ArgumentError
from ...symbol.files import from_json
from ...symbol.node import GraphNode, ordered
from .. import attributes
from ..files import package
from ..functions.control import BODIES
from ..operator import COUNT, GIVEN, NAMES, OPSET, OWN_INPUTS, OnnxOperator
from .builder import CONVERTERS, IR_VERSION, OLDEST, Call, Graph


def _check_copied(g: Graph, node: Any) -> None:
    """Raise if a node from a file has another version than the one to write."""
    checker = package().checker
    context = type(checker.DEFAULT_CONTEXT)()
    context.ir_version = IR_VERSION
    context.opset_imports = {"": g.opset, **g.domains}
    alone = type(node)()
    alone.CopyFrom(node)
    for each in alone.attribute:
        if each.HasField("g"):  # its nodes are checked one by one, and may use outer values
            each.g.Clear()
            each.g.name = each.name
    try:
        checker.check_node(alone, context)
    except checker.ValidationError as error:
        raise ArgumentError(
            f"export_model: {node.op_type} {node.name!r} of an ONNX file does not fit opset"
            f" {g.opset}: {str(error).strip().splitlines()[0]}; convert the file first, with"
            " onnx.version_converter"
        ) from None


def written(
    g: Graph,
    order: list[GraphNode],
    shapes: Any,
    dtypes: Any,
    given: Mapping[GraphNode, str] | None = None,
) -> dict[GraphNode, list[str]]:
    """Write nodes to a graph; the names of their outputs there.

    Parameters
    ----------
    g : Graph
    order : list of GraphNode
    shapes, dtypes : dict of GraphNode to list
        Those of the outputs.
    given : dict of GraphNode to str, optional
        What variables are called; by default as in the symbol.
    """
    given = given or {}
    names = {
        node: [given[node] if node in given else g.reserve(node.name)]
        for node in order
        if node.op is None
    }
    before = g.begin("")
    calls = [node for node in order if node.op is not None]
    names |= {node: [g.fresh(name) for name in _names(node)] for node in calls}
    for node in calls:
        inputs = [names[source][k] for source, k in node.inputs]
        g.begin(node.name)
        if isinstance(node.op, OnnxOperator):
            _copy(g, node, node.op, inputs, names[node])
        else:
            _convert(g, Call(node, inputs, shapes, dtypes), names[node])
    g.begin(before)
    return names


def _convert(g: Graph, call: Call, names: list[str]) -> None:
    """Write a node with the converter of its operator; its outputs get `names`."""
    first = len(g.nodes)
    found = CONVERTERS[call.operator](g, call)
    found = [found] if isinstance(found, str) else list(found)
    fresh = {name for each in g.nodes[first:] for name in each.output}
    for old, new in zip(found, names):
        if old in fresh:
            g.rename(first, old, new)
            fresh.discard(old)
        else:
            g.nodes.append(package().helper.make_node("Identity", [old], [new], new))


def _names(node: GraphNode) -> list[str]:
    """Return the names of a node's outputs: as in its ONNX file, if any."""
    if NAMES in node.attrs:
        return attributes.read(node.attrs[NAMES])
    count = len(node.outputs)
    return [node.name] if count == 1 else [f"{node.name}{k}" for k in range(count)]


def _copy(
    g: Graph, node: GraphNode, op: OnnxOperator, inputs: list[str], outputs: list[str]
) -> None:
    """Copy a node of an ONNX file."""
    onnx = package()
    values = dict(node.values)
    given = values.pop(GIVEN, range(len(inputs)))
    values.pop(COUNT, None)
    bodies = {name: values.pop(name) for name in BODIES if name in values}
    captured = sum(len(body["captured"]) for body in bodies.values())
    limit = OWN_INPUTS.get(op.kind, len(inputs) + len(given))
    places = [place for place in list(given)[: len(inputs) - captured] if place < limit]
    listed = [""] * (places[-1] + 1 if places else 0)
    for place, name in zip(places, inputs):
        listed[place] = name
    domain, _, kind = op.kind.rpartition(".")
    if domain:
        g.domains[domain] = max(g.domains.get(domain, 1), int(node.attrs.get(OPSET, 1)))
    if kind.endswith("_1") and g.opset >= OLDEST:
        raise ArgumentError(
            f"export_model: {op.name} {node.name!r} is of an opset before {OLDEST}; convert the"
            " file first, with onnx.version_converter"
        )
    attrs = {
        key: onnx.numpy_helper.from_array(value) if isinstance(value, numpy.ndarray) else value
        for key, value in values.items()
        if value is not None
    }
    place = len(places)
    for name, body in bodies.items():
        outer = inputs[place : place + len(body["captured"])]
        place += len(outer)
        attrs[name] = _body(g, node.name + name, body, outer)
    kind = kind.removesuffix("_1")
    made = onnx.helper.make_node(kind, listed, outputs, node.name, domain=domain, **attrs)
    _check_copied(g, made)
    g.nodes.append(made)


def _body(g: Graph, name: str, body: Mapping[str, Any], outer: list[str]) -> Any:
    """Return the graph inside a node from a file; `outer` has the names that it captures."""
    onnx = package()
    heads = from_json(body["symbol"])
    order = ordered(heads)
    inner = g.inner()
    own = {key: inner.fresh(key) for key in (*body["inputs"], *body["params"])}
    called = {**own, **dict(zip(body["captured"], outer))}
    given = {node: called[node.name] for node in order if node.op is None}
    names = written(inner, order, {}, {}, given)
    untyped = onnx.helper.make_empty_tensor_value_info
    return onnx.helper.make_graph(
        inner.nodes,
        name,
        [untyped(own[key]) for key in body["inputs"]],
        [untyped(names[node][k]) for node, k in heads],
        [onnx.numpy_helper.from_array(array, own[key]) for key, array in body["params"].items()],
    )
