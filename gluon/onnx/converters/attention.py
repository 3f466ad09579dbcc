"""The products of interleaved attention, of queries, keys and values in one array."""

from __future__ import annotations

from .builder import Call, Graph, converts


def _parts(g: Graph, call: Call, k: int, count: int) -> list[str]:
    """Split (length, batch, heads * count * size) into arrays (batch * heads, length, size)."""
    heads, x = int(call["heads"]), call.inputs[k]
    size = call.length(2, k) // (heads * count)
    lengths = g.add("Concat", g.ints(-1), g.length(x, 0), g.ints(size), axis=0)
    x = g.reshape(x, 0, 0, heads, count, size)
    parts = g.split(g.add("Transpose", x, perm=[1, 2, 3, 0, 4]), [1] * count, 2)
    return [g.add("Reshape", part, lengths) for part in parts]


def _scores(g: Graph, call: Call, queries: str, keys: str, size: int) -> str:
    scaled = g.add("Mul", queries, g.constant(size**-0.5, call.dtype()))
    return g.add("MatMul", scaled, g.add("Transpose", keys, perm=[0, 2, 1]))


def _together(g: Graph, call: Call, values: str) -> str:
    """Reshape weighted values (batch * heads, length, size) to (length, batch, heads * size)."""
    y = g.add("MatMul", call.inputs[1], values)
    rest = g.slice(g.add("Shape", y), [1], [3], [0])
    shape = g.add("Concat", g.ints(-1, int(call["heads"])), rest, axis=0)
    parts = g.add("Transpose", g.add("Reshape", y, shape), perm=[2, 0, 1, 3])
    return g.reshape(parts, 0, 0, -1)


@converts("_contrib_interleaved_matmul_selfatt_qk")
def _self_scores(g: Graph, call: Call) -> str:
    queries, keys, _ = _parts(g, call, 0, 3)
    return _scores(g, call, queries, keys, call.length(2) // (3 * int(call["heads"])))


@converts("_contrib_interleaved_matmul_selfatt_valatt")
def _self_values(g: Graph, call: Call) -> str:
    values = _parts(g, call, 0, 3)[2]
    return _together(g, call, values)


@converts("_contrib_interleaved_matmul_encdec_qk")
def _cross_scores(g: Graph, call: Call) -> str:
    (queries,), (keys, _) = _parts(g, call, 0, 1), _parts(g, call, 1, 2)
    return _scores(g, call, queries, keys, call.length(2) // int(call["heads"]))


@converts("_contrib_interleaved_matmul_encdec_valatt")
def _cross_values(g: Graph, call: Call) -> str:
    values = _parts(g, call, 0, 2)[1]
    return _together(g, call, values)
