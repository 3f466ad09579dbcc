"""Networks written as ONNX models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy

from ..engine.errors import ArgumentError
from ..symbol import Symbol
from ..symbol.files import from_json
from ..symbol.infer import node_dtypes, node_shapes
from ..symbol.node import Node, ordered
from . import attributes
from .converters import CONVERTERS, Call, Graph
from .converters.builder import CODES
from .files import package
from .functions.control import BODIES
from .operator import COUNT, GIVEN, NAMES, OPSET, OWN_INPUTS, OnnxOperator

#: The newest version of the format that runtimes are sure to read.
IR_VERSION = 8
#: The oldest version of ONNX's operators that converters write.
OLDEST = 13
#: The version that is written if the user names none: runtimes of 2022 read it.
USUAL = 17


def model_of(
    sym: Symbol,
    params: Mapping[str, Any],
    shapes: Mapping[str, Sequence[int | None]],
    dtypes: Mapping[str, Any],
    opset: int | None,
    dynamic: Mapping[str, Sequence[Any]],
) -> Any:
    """The ONNX model of a symbol.

    Parameters
    ----------
    sym : Symbol
    params : dict of str to numpy.ndarray
    shapes, dtypes : dict
        Of the inputs; a length of None is open.
    opset : int or None
    dynamic : dict of str to sequence
        The lengths of inputs as they are written: numbers, names or None.

    Raises
    ------
    ArgumentError
        If an operator has no counterpart in ONNX (the error lists all such operators), or one
        from a file is not in the version that is to be written.
    """
    onnx = package()
    order = ordered(sym._heads)
    _check_all(order)
    known = {name: tuple(n or 0 for n in shape) for name, shape in shapes.items()}
    known |= {name: one.shape for name, one in params.items()}
    kinds = {**{name: one.dtype for name, one in params.items()}, **dtypes}
    found_shapes = node_shapes(order, known)
    found_dtypes = node_dtypes(order, kinds)
    g = Graph(_version(order, opset))
    names = _written(g, order, found_shapes, found_dtypes)
    needed = {name for node in g.nodes for name in node.input}
    heads = [names[node][k] for node, k in sym._heads]
    values = {
        name: one for name, one in {**params, **g.values}.items() if name in {*needed, *heads}
    }
    inputs = [_described(name, kinds[name], dynamic.get(name, shapes[name])) for name in shapes]
    kept = [
        onnx.numpy_helper.from_array(array, name)
        for name, array in values.items()
        if name in g.values
    ]
    free = [
        _described(name, values[name].dtype, values[name].shape)
        for name in values
        if name in params
    ]
    model = _model(g, sym.name, [*inputs, *free], heads, kept)
    # What the outputs are is inferred without the parameters, which may be large.
    outputs = onnx.shape_inference.infer_shapes(model).graph.output
    for output, (node, k) in zip(outputs, sym._heads):
        if not output.type.tensor_type.HasField("shape") and found_shapes[node][k] is not None:
            lengths = [n if n >= 0 else None for n in found_shapes[node][k] or ()]
            output.CopyFrom(_described(output.name, found_dtypes[node][k] or "float32", lengths))
    del model.graph.input[len(inputs) :]
    del model.graph.output[:]
    model.graph.output.extend(outputs)
    model.graph.initializer.extend(
        onnx.numpy_helper.from_array(array, name)
        for name, array in values.items()
        if name in params
    )
    return model


def _model(g: Graph, name: str | None, inputs: list[Any], heads: list[str], kept: list[Any]) -> Any:
    helper = package().helper
    outputs = [helper.make_empty_tensor_value_info(head) for head in heads]
    graph = helper.make_graph(g.nodes, name or "gluon", inputs, outputs, kept)
    imports = [helper.make_opsetid("", g.opset)]
    imports += [helper.make_opsetid(domain, g.domains[domain]) for domain in sorted(g.domains)]
    version = max(IR_VERSION, helper.find_min_ir_version_for(imports))
    return helper.make_model(
        graph, opset_imports=imports, ir_version=version, producer_name="gluon"
    )


def _check_all(order: list[Node]) -> None:
    """Raise for all operators that cannot be written, at once."""
    missing = [
        f"{node.op.name} (node {node.name!r})"
        for node in order
        if node.op and not isinstance(node.op, OnnxOperator) and node.op.name not in CONVERTERS
    ]
    if missing:
        raise ArgumentError(
            f"export_model: ONNX has no counterpart of {', '.join(missing)};"
            " compute this part outside of the network, or of other operators"
        )


def _version(order: list[Node], asked: int | None) -> int:
    """The version of ONNX's operators to write: that of the file that nodes come from, if any."""
    own = [
        int(node.attrs.get(OPSET, 1))
        for node in order
        if isinstance(node.op, OnnxOperator) and "." not in node.op.kind
    ]
    if not own:
        return asked or USUAL
    copied = all(node.op is None or isinstance(node.op, OnnxOperator) for node in order)
    return max(*own, asked or 1, 1 if copied else OLDEST)


def _check_copied(g: Graph, node: Any) -> None:
    """Raise if a node of a file is not of the version that is written."""
    checker = package().checker
    context = type(checker.DEFAULT_CONTEXT)()
    context.ir_version = IR_VERSION
    context.opset_imports = {"": g.opset, **g.domains}
    try:
        checker.check_node(node, context)
    except checker.ValidationError as error:
        raise ArgumentError(
            f"export_model: {node.op_type} {node.name!r} of an ONNX file does not fit opset"
            f" {g.opset}: {str(error).strip().splitlines()[0]}; convert the file first, with"
            " onnx.version_converter"
        ) from None


def _written(g: Graph, order: list[Node], shapes: Any, dtypes: Any) -> dict[Node, list[str]]:
    """Write all nodes; the names of their outputs in the graph."""
    names: dict[Node, list[str]] = {}
    for node in order:
        names[node] = _names(node)
        g.reserve(names[node])
    for node in order:
        if node.op is None:
            continue
        inputs = [names[source][k] for source, k in node.inputs]
        if isinstance(node.op, OnnxOperator):
            _copy(g, node, node.op, inputs, names[node])
            continue
        g.begin(node.name)
        first = len(g.nodes)
        found = CONVERTERS[node.op.name](g, Call(node, inputs, shapes, dtypes))
        found = [found] if isinstance(found, str) else list(found)
        fresh = {name for each in g.nodes[first:] for name in each.output}
        for old, new in zip(found, names[node]):
            if old in fresh:
                g.rename(first, old, new)
                fresh.discard(old)
            else:
                g.nodes.append(package().helper.make_node("Identity", [old], [new], new))
    return names


def _names(node: Node) -> list[str]:
    """What the outputs of a node are called: as in the ONNX file that it comes from, if any."""
    if NAMES in node.attrs:
        return attributes.read(node.attrs[NAMES])
    count = len(node.outputs)
    return [node.name] if count == 1 else [f"{node.name}{k}" for k in range(count)]


def _copy(g: Graph, node: Node, op: OnnxOperator, inputs: list[str], outputs: list[str]) -> None:
    """Write a node of an ONNX file as it was."""
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
    """A graph inside a node, whose captured values have the names of the graph around it."""
    onnx = package()
    heads = from_json(body["symbol"])
    order = ordered(heads)
    inner = Graph(g.opset, g.domains)
    renamed = dict(zip(body["captured"], outer))
    for node in order:
        if node.op is None and node.name in renamed:
            node.name = renamed[node.name]
    names = _written(inner, order, {}, {})
    untyped = onnx.helper.make_empty_tensor_value_info
    return onnx.helper.make_graph(
        inner.nodes,
        name,
        [untyped(one) for one in body["inputs"]],
        [untyped(names[node][k]) for node, k in heads],
        [onnx.numpy_helper.from_array(array, key) for key, array in body["params"].items()],
    )


def _described(name: str, dtype: Any, shape: Any) -> Any:
    onnx = package()
    code = CODES[numpy.dtype(dtype).name]
    lengths = None
    if shape is not None:
        lengths = [f"{name}_{k}" if n is None else n for k, n in enumerate(shape)]
    return onnx.helper.make_tensor_value_info(name, code, lengths)
