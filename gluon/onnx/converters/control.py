"""Control flow: `foreach` as ONNX's `Scan`, `while_loop` as `Loop`, `cond` as `If`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._core.arrays.switch import is_np_shape
from ...symbol.infer import graph_dtypes, graph_shapes
from ..files import package
from .builder import Call, Graph, converts, described
from .writing import written


def _inlined(
    g: Graph, call: Call, which: int, names: Sequence[str], shapes: Sequence[Any]
) -> list[str]:
    """Inline a body's nodes into a graph; return the names of its outputs.

    Parameters
    ----------
    g : Graph
    call : Call
    which : int
        Which of the bodies.
    names, shapes : sequence
        Of the inputs of the call, as the body sees them.
    """
    op: Any = call.node.op
    body = op.bodies[which]
    places = list(zip(body.inputs, op.places[which]))
    found = written(
        g,
        body.order,
        graph_shapes(body.order, {node: shapes[k] for node, k in places}),
        graph_dtypes(body.order, {node: call.dtypes[k] for node, k in places}),
        {node: names[k] for node, k in places},
    )
    heads: list[str] = []
    for node, k in body.heads:
        name = found[node][k]  # a graph must compute its outputs itself, each once
        again = node.op is None or name in heads
        heads.append(g.add("Identity", name) if again else name)
    return heads


def _holds(g: Graph, call: Call, names: Sequence[str]) -> str:
    """Return the condition, which is the first of the bodies."""
    (found,) = _inlined(g, call, 0, names, call.shapes)
    return g.reshape(g.cast(found, bool))


def _graph(g: Graph, call: Call, inputs: list[Any], outputs: list[Any]) -> Any:
    return package().helper.make_graph(g.nodes, f"{call.node.name}_body", inputs, outputs)


@converts("_foreach")
def _foreach(g: Graph, call: Call) -> list[str]:
    op: Any = call.node.op
    sliced, held, results = op.sliced, op.held, op.results
    inner = g.inner()
    own = [inner.fresh(call.node.input_names[k]) for k in range(held)]
    inputs = [described(name, dtype, None) for name, dtype in zip(own, call.dtypes)]
    names, shapes = [*own, *call.inputs[held:]], list(call.shapes)
    for k in range(sliced):
        shapes[k] = shapes[k] and shapes[k][1:]
        if shapes[k] == () and not is_np_shape():
            names[k], shapes[k] = inner.reshape(own[k], 1), (1,)
    found = _inlined(inner, call, 0, names, shapes)
    outputs = [described(name, dtype, None) for name, dtype in zip(found, call.out_dtypes)]
    body = _graph(
        inner,
        call,
        [*inputs[sliced:], *inputs[:sliced]],
        [*outputs[results:], *outputs[:results]],
    )
    scanned = [*call.inputs[sliced:held], *call.inputs[:sliced]]
    done = g.several("Scan", len(found), *scanned, body=body, num_scan_inputs=sliced)
    count = held - sliced
    return [*done[count:], *done[:count]]


@converts("_while_loop")
def _while(g: Graph, call: Call) -> list[str]:
    op: Any = call.node.op
    inner = g.inner()
    step, goes = inner.fresh("step"), inner.fresh("goes")
    own = {k: inner.fresh(call.node.input_names[k]) for k in op.loops}
    now = [own.get(k, name) for k, name in enumerate(call.inputs)]
    found = _inlined(inner, call, 1, now, call.shapes)
    results, states = found[: op.results], found[op.results :]
    for k, name in zip(op.loops, states):
        now[k] = name
    again = _holds(inner, call, now)
    inputs = [described(own[k], call.dtypes[k], None) for k in op.loops]
    made = list(zip(results, call.out_dtypes, call.out_shapes))
    body = _graph(
        inner,
        call,
        [described(step, "int64", ()), described(goes, bool, ()), *inputs],
        [
            described(again, bool, ()),
            *(described(name, call.dtypes[k], None) for name, k in zip(states, op.loops)),
            *(described(name, dtype, shape and shape[1:]) for name, dtype, shape in made),
        ],
    )
    start = [call.inputs[k] for k in op.loops]
    most, first = g.constant(op.most, "int64"), _holds(g, call, call.inputs)
    done = g.several("Loop", len(found), most, first, *start, body=body)
    count = len(op.loops)
    ranks = [shape and len(shape) for shape in call.out_shapes]
    padded = [_padded(g, call, y, rank) for y, rank in zip(done[count:], ranks)]
    return [*padded, *done[:count]]


def _padded(g: Graph, call: Call, y: str, rank: int | None) -> str:
    """Return the outputs of the steps, followed by zeros for steps that did not run."""
    if rank is None:
        raise call.unsupported("the shapes of its outputs must be known; pass in_shapes")
    op: Any = call.node.op
    missing = g.add("Sub", g.ints(op.most), g.length(y, 0))
    pads = g.add("Concat", g.ints(*[0] * rank), missing, g.ints(*[0] * (rank - 1)), axis=0)
    return g.add("Pad", y, pads)


@converts("_cond")
def _cond(g: Graph, call: Call) -> list[str]:
    branches = []
    for which in (1, 2):
        inner = g.inner()
        found = _inlined(inner, call, which, call.inputs, call.shapes)
        outputs = [described(*each, None) for each in zip(found, call.out_dtypes)]
        branches.append(_graph(inner, call, [], outputs))
    return g.several(
        "If",
        len(call.out_shapes),
        _holds(g, call, call.inputs),
        then_branch=branches[0],
        else_branch=branches[1],
    )
