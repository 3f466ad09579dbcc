"""Networks written as ONNX models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .._core.arrays.switch import is_np_shape
from .._core.errors import ArgumentError, GluonError
from ..symbol import Symbol
from ..symbol.infer import node_dtypes, node_shapes
from ..symbol.node import GraphNode, ordered
from ..symbol.program import CREATORS
from .converters import CONVERTERS, Graph
from .converters.builder import IR_VERSION, OLDEST, described
from .converters.writing import written
from .files import package
from .operator import OPSET, OnnxOperator

#: A trial value for unknown lengths: divisible by common factors, and not used by networks.
TRIED = 2**12 * 3**4 * 5**2 * 7 * 10_007
#: The default opset, which runtimes since 2022 support.
USUAL = 17


def model_of(
    sym: Symbol,
    params: Mapping[str, Any],
    shapes: Mapping[str, Sequence[int | str | None]],
    dtypes: Mapping[str, Any],
    opset: int | None,
) -> Any:
    """The ONNX model of a symbol.

    Parameters
    ----------
    sym : Symbol
    params : dict of str to numpy.ndarray
    shapes, dtypes : dict
        Of the inputs; a length that is a name or None is open.
    opset : int or None

    Raises
    ------
    ArgumentError
        If an operator has no counterpart in ONNX (the error lists all such operators), or an
        operator from a file is not in the version to write.
    """
    onnx = package()
    order = ordered(sym._heads)
    _check_all(order)
    unknown = -1 if is_np_shape() else 0
    known = {
        name: tuple(n if isinstance(n, int) else unknown for n in shape)
        for name, shape in shapes.items()
    }
    known |= {name: one.shape for name, one in params.items()}
    kinds = {**{name: one.dtype for name, one in params.items()}, **dtypes}
    found_shapes = node_shapes(order, known)
    found_dtypes = node_dtypes(order, kinds)
    g = Graph(_version(order, opset))
    g.origins = _origins(order, known, shapes, found_shapes)
    names = written(g, order, found_shapes, found_dtypes)
    heads = [names[node][k] for node, k in sym._heads]
    needed = {*_read(g.nodes), *heads}
    inputs = [described(name, kinds[name], shape) for name, shape in shapes.items()]
    kept = [(name, one) for name, one in g.values.items() if name in needed]
    free = [(name, one) for name, one in params.items() if name in needed]
    declared = [described(name, one.dtype, one.shape) for name, one in free]
    model = _model(g, sym.name, [*inputs, *declared], heads, kept)
    # Intermediate shapes are inferred without the parameters, which may be large.
    try:
        inferred = onnx.shape_inference.infer_shapes(model, check_type=True).graph
    except onnx.shape_inference.InferenceError as error:
        raise ArgumentError(f"export_model: {error}; cast the inputs of this node before") from None
    for output, (node, k) in zip(inferred.output, sym._heads):
        if not output.type.tensor_type.HasField("shape") and found_shapes[node][k] is not None:
            output.CopyFrom(described(output.name, found_dtypes[node][k], found_shapes[node][k]))
    del model.graph.input[len(inputs) :]
    del model.graph.output[:]
    model.graph.output.extend(inferred.output)
    model.graph.value_info.extend(inferred.value_info)
    _add(model.graph.initializer, free)
    return model


def _origins(
    order: list[GraphNode],
    known: Mapping[str, Any],
    shapes: Mapping[str, Any],
    found: Mapping[GraphNode, Any],
) -> dict[GraphNode, list[int | tuple[str, int]]]:
    """Find the input and axis that unknown lengths of zeros etc. come from.

    Each open length of an input is tried with a number that nothing else has.
    """
    makers = [node for node in order if node.op and node.op.name in CREATORS]
    makers = [node for node in makers if -1 in (found[node][0] or ())]
    if not makers:
        return {}
    lengths = {node: list(found[node][0]) for node in makers}
    for name, shape in shapes.items():
        for axis in [k for k, n in enumerate(shape) if not isinstance(n, int)]:
            given = list(known[name])
            given[axis] = TRIED
            try:
                whole = node_shapes(order, {**known, name: tuple(given)})
            except GluonError:
                continue  # only one candidate fits
            for node in makers:
                own = whole[node][0] or ()
                lengths[node] = [
                    (name, axis) if new == TRIED else n for n, new in zip(lengths[node], own)
                ]
    return {node: own for node, own in lengths.items() if -1 not in own}


def _read(nodes: Any) -> Iterator[str]:
    """Yield the names that nodes read, and those that their inner graphs read."""
    for node in nodes:
        yield from node.input
        for each in node.attribute:
            yield from _read(each.g.node)


def _add(tensors: Any, values: list[tuple[str, Any]]) -> None:
    """Append values of any size; ``extend`` copies by a message of at most two gigabytes."""
    for name, array in values:
        tensor = tensors.add()
        tensor.name = name
        tensor.data_type = package().helper.np_dtype_to_tensor_dtype(array.dtype)
        tensor.dims.extend(array.shape)
        tensor.raw_data = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()


def _model(g: Graph, name: str | None, inputs: list[Any], heads: list[str], kept: list[Any]) -> Any:
    helper = package().helper
    outputs = [helper.make_empty_tensor_value_info(head) for head in heads]
    graph = helper.make_graph(g.nodes, name or "gluon", inputs, outputs)
    imports = [helper.make_opsetid("", g.opset)]
    imports += [helper.make_opsetid(domain, g.domains[domain]) for domain in sorted(g.domains)]
    version = max(IR_VERSION, helper.find_min_ir_version_for(imports))
    model = helper.make_model(
        graph, opset_imports=imports, ir_version=version, producer_name="gluon"
    )
    _add(model.graph.initializer, kept)
    return model


def _missing(order: list[GraphNode]) -> Iterator[str]:
    """Yield the unsupported nodes, including those in bodies of loops."""
    for node in order:
        if node.op is None or isinstance(node.op, OnnxOperator):
            continue
        if node.op.name not in CONVERTERS:
            yield f"{node.op.name} (node {node.name!r})"
        for heads in node.op.subgraphs:
            yield from _missing(ordered(heads))


def _check_all(order: list[GraphNode]) -> None:
    """Raise one error for all unsupported operators."""
    if missing := list(_missing(order)):
        raise ArgumentError(
            f"export_model: ONNX has no counterpart of {', '.join(missing)};"
            " compute this part outside of the network, or with other operators"
        )


def _version(order: list[GraphNode], asked: int | None) -> int:
    """Return the opset to write: that of the file that nodes come from, if any."""
    own = [
        int(node.attrs.get(OPSET, 1))
        for node in order
        if isinstance(node.op, OnnxOperator) and "." not in node.op.kind
    ]
    if not own:
        return asked or USUAL
    copied = all(node.op is None or isinstance(node.op, OnnxOperator) for node in order)
    return max(*own, asked or 1, 1 if copied else OLDEST)
