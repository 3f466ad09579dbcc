"""Networks from ONNX files: every node becomes a call of the function of the same name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

import numpy

from .._core.errors import CAUSES, ArgumentError, GluonError, translated
from ..nd import NDArray, array
from ..symbol import Symbol
from ..symbol.node import Entry, GraphNode
from ..symbol.operator import OPERATORS
from . import attributes
from .files import dimensions, graphs, package, read_model, value_of
from .functions.control import BODIES, nested
from .functions.table import DTYPES
from .operator import COUNT, GIVEN, NAMES, OPSET, OWN_INPUTS, PREFIX, OnnxOperator
from .sizes import check_sizes

#: Old meanings of operators: name -> (the first opset with the new meaning, function).
OLDER = {
    "Hardmax": (13, "Hardmax_1"),
    "LogSoftmax": (13, "LogSoftmax_1"),
    "Resize": (11, "Upsample"),
    "Scan": (9, "Scan_1"),
    "Softmax": (13, "Softmax_1"),
}
#: From this opset on, all operators have their final meaning.
ALIKE = 13
#: The positions of inputs without a gradient, whose values are not parameters.
SETTINGS = {"NonMaxSuppression": (3, 4), "Pad": (2,), "Resize": (1, 2), "Upsample": (1,)}
#: The maximum number of nodes.
MOST_NODES = 2**20
#: The key of the main graph among functions, whose names contain a dot.
MAIN = "main"
#: Attributes that only concern other runtimes.
IGNORED = ("consumed_inputs", "type")


class Network:
    """A graph of a file as entries of a symbol.

    Parameters
    ----------
    graph : GraphProto
    opsets : dict of str to int
        The versions of the operators by their domains; ``''`` is ONNX's own.
    around : dict of str to Entry, optional
        The values of the surrounding graph.
    """

    inputs: list[GraphNode]
    params: dict[str, NDArray]
    values: dict[str, Entry]

    def __init__(
        self, graph: Any, opsets: Mapping[str, int], around: Mapping[str, Entry] | None = None
    ) -> None:
        self.opsets, self.around = opsets, around or {}
        self.inputs, self.params, self.values = [], {}, {}
        self.captured: dict[str, GraphNode] = {}
        settings = _settings(graph)
        for one in graph.initializer:
            self._initializer(one, one.name in settings)
        for one in graph.sparse_initializer:
            raise ArgumentError(
                f"import_model: {one.values.name!r} is sparse, which is unsupported"
            )
        for one in graph.input:
            if one.name not in self.values:
                self.inputs.append(_variable(one))
                self.values[one.name] = Entry(self.inputs[-1], 0)
        for one in graph.node:
            self._node(one)
        self.heads = [self.value(one.name) for one in graph.output]

    def _initializer(self, tensor: Any, is_setting: bool) -> None:
        value = value_of(tensor)
        trains = (value.dtype.kind == "f" and value.ndim) or value.dtype == "bfloat16"
        if trains and not is_setting:
            node = GraphNode(None, tensor.name, {"__shape__": str(value.shape)})
            self.params[tensor.name] = array(value, dtype=value.dtype)
        else:
            node = _constant(tensor.name, value)
        self.values[tensor.name] = Entry(node, 0)

    def value(self, name: str) -> Entry:
        """The value with that name, here or in the surrounding graph."""
        if name in self.values:
            return self.values[name]
        if name not in self.around:
            raise ArgumentError(
                f"import_model: {name!r} is used before it is computed; the file is damaged"
            )
        outer = self.around[name].node
        if outer.op is not None and outer.op.name == PREFIX + "Constant":
            self.values[name] = Entry(_constant(name, outer.values["value"]), 0)
        else:
            self.captured[name] = GraphNode(None, name, {})
            self.values[name] = Entry(self.captured[name], 0)
        return self.values[name]

    def _node(self, one: Any) -> None:
        kind = kind_of(one)
        if kind in OLDER and self.opsets.get("", 1) < OLDER[kind][0]:
            kind = OLDER[kind][1]
        outputs = list(one.output)
        while outputs and not outputs[-1]:
            outputs.pop()
        if kind == "Constant":
            self.values[outputs[0]] = Entry(_constant(outputs[0], _constant_value(one)), 0)
            return
        operator = OPERATORS[PREFIX + kind]
        assert isinstance(operator, OnnxOperator)
        node = self._call(one, operator, outputs)
        self.values |= {name: Entry(node, k) for k, name in enumerate(outputs) if name}

    def _call(self, one: Any, operator: OnnxOperator, outputs: list[str]) -> GraphNode:
        name = next(filter(None, outputs))
        given = [k for k, source in enumerate(one.input) if source]
        inputs = [self.value(one.input[k]) for k in given]
        attrs = {}
        captures: list[Entry] = []
        for each in sorted(one.attribute, key=lambda each: each.name):
            if each.name in IGNORED:
                continue
            if not operator.takes(each.name):
                raise ArgumentError(
                    f"import_model: {operator.kind} {name!r} has an attribute {each.name!r},"
                    " which is unsupported"
                )
            if each.name in BODIES:
                body, captured = self._body(each.g)
                attrs[each.name] = attributes.text(body)
                captures += captured
            else:
                attrs[each.name] = attributes.text(attribute_value(each))
        given += range(len(one.input), len(one.input) + len(captures))
        inputs += captures
        if operator.kind == "DequantizeLinear" and self._is_rounded(inputs):
            given.append(OWN_INPUTS[operator.kind])
            inputs.append(inputs[0].node.inputs[0])
        if given != list(range(len(given))):
            attrs[GIVEN] = attributes.text(given)
        if len(outputs) > 1:
            attrs[COUNT] = attributes.text(len(outputs))
            attrs[NAMES] = attributes.text(outputs)
        attrs[OPSET] = str(self.opsets.get(own_domain(one.domain), 1))
        return GraphNode(operator, name, attrs, inputs)

    def _is_rounded(self, inputs: list[Entry]) -> bool:
        """Whether values to dequantize were quantized with the same scale and zero point."""
        source = inputs[0].node
        if source.op is None or source.op.name != PREFIX + "QuantizeLinear":
            return False
        pairs = list(zip(source.inputs[1:], inputs[1:]))
        return len(source.inputs) == len(inputs) and all(
            one == other or one.node.attrs.get("value", 0) == other.node.attrs.get("value", 1)
            for one, other in pairs
        )

    def _body(self, graph: Any) -> tuple[dict[str, Any], list[Entry]]:
        """Return a graph inside a node, and the outer values that it reads."""
        inner = Network(graph, self.opsets, {**self.around, **self.values})
        captured = list(inner.captured)
        body = {
            "symbol": nested(Symbol(inner.heads).tojson()),
            "inputs": [node.name for node in inner.inputs],
            "captured": captured,
            "params": {name: one.asnumpy() for name, one in inner.params.items()},
        }
        return body, [self.value(name) for name in captured]


def _settings(graph: Any) -> set[str]:
    """Return the names of values that only configure operators."""
    found: set[str] = set()
    others: set[str] = set()
    for node in graph.node:
        for place, name in enumerate(node.input):
            (found if place in SETTINGS.get(kind_of(node), ()) else others).add(name)
    return found - others


def own_domain(domain: str) -> str:
    """The name of a domain; ONNX's own has two."""
    return "" if domain == "ai.onnx" else domain


def kind_of(node: Any) -> str:
    """The operator of a node, with its domain if that is not ONNX's own."""
    domain = own_domain(node.domain)
    return f"{domain}.{node.op_type}" if domain else node.op_type


def _check_operators(model: Any) -> None:
    """Raise one error for all unsupported operators."""
    known = {kind.removeprefix(PREFIX) for kind in OPERATORS if kind.startswith(PREFIX)}
    known |= {f"{own_domain(one.domain)}.{one.name}" for one in model.functions}
    unknown: dict[str, str] = {}
    for outer in (model.graph, *model.functions):
        for graph in graphs(outer):
            for node in graph.node:
                if kind_of(node) not in known:
                    unknown.setdefault(kind_of(node), node.name or ", ".join(node.output))
    if unknown:
        listed = ", ".join(f"{kind} (node {name!r})" for kind, name in unknown.items())
        raise ArgumentError(f"import_model: unsupported operators: {listed}")


def _check_growth(model: Any) -> None:
    """Raise if functions call themselves, or expand to too many nodes."""
    outers: dict[str, Any] = {f"{own_domain(f.domain)}.{f.name}": f for f in model.functions}
    calls = {
        name: [f"{own_domain(node.domain)}.{node.op_type}" for g in graphs(f) for node in g.node]
        for name, f in (*outers.items(), (MAIN, model.graph))
    }
    sizes: dict[str, int] = {}
    waiting, entered = [MAIN], set()
    while waiting:
        name = waiting[-1]
        missing = [one for one in calls[name] if one in outers and one not in sizes]
        if missing and name in entered:
            raise ArgumentError(f"import_model: function {name} calls itself")
        entered.add(name)
        waiting += missing
        if not missing:
            sizes[name] = sum(sizes.get(one, 1) for one in calls[name])
            waiting.pop()
    if sizes[MAIN] > MOST_NODES:
        raise ArgumentError(
            f"import_model: the model has more than {MOST_NODES} nodes once its functions are"
            " replaced by their nodes"
        )


def _variable(one: Any) -> GraphNode:
    kind = one.type.tensor_type
    attrs = {}
    if kind.HasField("shape"):
        shape = tuple(n if isinstance(n, int) else 0 for n in dimensions(kind.shape))
        attrs["__shape__"] = str(shape)
    if kind.elem_type in DTYPES:
        attrs["__dtype__"] = DTYPES[kind.elem_type]
    return GraphNode(None, one.name, attrs)


def _constant(name: str, value: Any) -> GraphNode:
    return GraphNode(OPERATORS[PREFIX + "Constant"], name, {"value": attributes.text(value)})


def attribute_value(one: Any) -> Any:
    """The value of an attribute of a node."""
    found = package().helper.get_attribute_value(one)
    if one.type == one.TENSOR:
        return value_of(found)
    if one.type == one.STRING:
        return found.decode()
    if one.type == one.STRINGS:
        return [each.decode() for each in found]
    return list(found) if isinstance(found, Iterable) else found


def _constant_value(one: Any) -> Any:
    """Return the value of the node `Constant`, which has an attribute for each kind of value."""
    (each,) = one.attribute
    value = attribute_value(each)
    if each.name in ("value_float", "value_floats"):
        return numpy.array(value, "float32")
    if each.name in ("value_int", "value_ints"):
        return numpy.array(value, "int64")
    if each.name != "value":
        raise ArgumentError(f"import_model: Constant {one.output[0]!r}: {each.name} is unsupported")
    return value


def _inlined(model: Any, opsets: Mapping[str, int]) -> Any:
    """Return the model with its functions inlined."""
    for function in model.functions:
        for one in function.opset_import:
            wanted = opsets.get(own_domain(one.domain), 0)
            if min(one.version, wanted) >= ALIKE:  # otherwise the inliner skips the function
                one.version = wanted
    _check_growth(model)
    try:
        found = import_module("onnx.inliner").inline_local_functions(model)
    except RuntimeError as error:
        raise ArgumentError(f"import_model: functions of the model do not fit: {error}") from None
    del found.functions[:]
    _check_operators(found)
    return found


def network(file: Any) -> Network:
    """The main graph of a file.

    Raises
    ------
    MissingFileError
        If there is no such file.
    ArgumentError
        If the file is damaged, or has operators that gluon does not have: all are listed.
    """
    model = read_model(file, _check_operators)
    opsets = {own_domain(one.domain): one.version for one in model.opset_import}
    if model.functions:
        model = _inlined(model, opsets)
    try:
        check_sizes(model.graph)
        return Network(model.graph, opsets)
    except GluonError:
        raise
    except CAUSES as error:  # invalid text, or a constant without a value
        raise translated(error, f"import_model: the model is damaged: {error}") from error
