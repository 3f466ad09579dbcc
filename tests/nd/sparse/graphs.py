"""Symbols with sparse variables, for gluon and for MXNet: this file needs NumPy only."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

UNARY = """abs sign sqrt square cbrt sinh arcsin tanh arctan expm1 log1p round rint fix floor ceil
trunc degrees zeros_like BlockGrad identity ones_like cos sigmoid"""
GRAPHS = {
    "dot(x, w)": ((4, 5), (5, 2)),
    "sparse.dot(x, w)": ((4, 5), (5, 2)),
    "dot(x, w, transpose_a=True)": ((4, 5), (4, 2)),
    "dot(x, w, transpose_b=True)": ((4, 5), (2, 5)),
    "dot(x, w, forward_stype='row_sparse')": ((4, 5), (5, 2)),
    "dot(x, w * 2)": ((4, 5), (5, 2)),
    "dot(x, square(w))": ((4, 5), (5, 2)),
    "dot(x, _internal._square_sum(w, axis=1, keepdims=True))": ((4, 5), (5, 2)),
    "dot(square(x), w)": ((4, 5), (5, 2)),
    "broadcast_add(dot(x, w), var('b', shape=(1, 2)))": ((4, 5), (5, 2)),
    "FullyConnected(x, w, num_hidden=2, no_bias=True)": ((4, 5), (2, 5)),
    "Embedding(x, w, input_dim=5, output_dim=2)": ((4,), (5, 2)),
    "Embedding(x, w, input_dim=5, output_dim=2, sparse_grad=True)": ((4,), (5, 2)),
    "contrib.SparseEmbedding(x, w, input_dim=5, output_dim=2)": ((4,), (5, 2)),
    "Embedding(x, w, input_dim=5, output_dim=2, sparse_grad=True) * 2 +"
    " Embedding(x, w, input_dim=5, output_dim=2, sparse_grad=True)": ((4,), (5, 2)),
    "sum(Embedding(x, w, input_dim=5, output_dim=2, sparse_grad=True)) + sum(w)": ((4,), (5, 2)),
    "_internal._square_sum(w, axis=1, keepdims=True) + x": ((5, 1), (5, 2)),
    "x + w": ((5, 2), (5, 2)),
    "x - w": ((5, 2), (5, 2)),
    "x * w": ((5, 2), (5, 2)),
    "relu(w) + x": ((5, 2), (5, 2)),
    "sin(w) * 3": ((5, 2), (5, 2)),
    "exp(w) + x": ((5, 2), (5, 2)),
    "-w": ((5, 2), (5, 2)),
    "add_n(x, w, x)": ((5, 2), (5, 2)),
    "cast_storage(w, stype='row_sparse')": ((5, 2), (5, 2)),
    **{f"{name}(w) + x": ((5, 2), (5, 2)) for name in UNARY.split()},
    "clip(w, a_min=-1, a_max=1) + x": ((5, 2), (5, 2)),
    "contrib.round_ste(w) + x": ((5, 2), (5, 2)),
    "w / 2 + x": ((5, 2), (5, 2)),
    "(w + 0) * x": ((5, 2), (5, 2)),
    "(w > 1) * x": ((5, 2), (5, 2)),
    "x / w": ((5, 2), (5, 2)),
    "elemwise_mul(x, square(w))": ((5, 2), (5, 2)),
    "broadcast_mul(w, x)": ((1, 2), (5, 2)),
    "broadcast_div(w, x + 3)": ((5, 1), (5, 2)),
    "slice(w, begin=(1, 0), end=(3, 2)) * 2": ((5, 2), (5, 2)),
    "take(w, x)": ((2,), (5, 2)),
    "concat(x, w, dim=0)": ((4, 2), (5, 2)),
    "where(x, w, square(w))": ((5, 2), (5, 2)),
    "sum(w * w) + x": ((1,), (5, 2)),
    "norm(w) + x": ((1,), (5, 2)),
    "dot(square(x), _internal._square_sum(w, axis=1, keepdims=True))": ((4, 5), (5, 2)),
    "dot(x, w, forward_stype='csr')": ((4, 5), (5, 2)),
    "dot(x, abs(w))": ((4, 5), (5, 2)),
    "maximum(x, w)": ((5, 2), (5, 2)),
    "cast(w, dtype='float64')": ((5, 2), (5, 2)),
}
CASES = [
    f"{graph}; x={x} w={w}"
    for graph in GRAPHS
    for x, w in itertools.product(("default", "csr", "row_sparse"), repeat=2)
]


def bound(case: str, mx: Any) -> Any:
    """The executor of a case, with values in its arrays."""
    graph, given = case.split("; ")
    stypes = dict(one.split("=") for one in given.split())
    names = {name: mx.sym.var(name, stype=stype) for name, stype in stypes.items()}
    spaces = {name: getattr(mx.sym, name) for name in dir(mx.sym)}
    symbol = eval(graph, {**spaces, "_internal": mx.sym._internal, **names})
    known = symbol.list_arguments()
    shapes = {name: one for name, one in zip("xw", GRAPHS[graph]) if name in known}
    executor = symbol.simple_bind(mx.cpu(), **shapes)
    draw = np.random.RandomState(1)
    for name, array in sorted(executor.arg_dict.items()):
        raw = draw.uniform(-2, 2, array.shape) * (draw.rand(*array.shape) < 0.6)
        if "mbedding" in graph and name == "x":
            raw = np.array([1, 4, 1, 2])
        array[:] = mx.nd.array(raw).tostype(array.stype)
    return executor


def outcome(case: str, mx: Any) -> dict[str, Any]:
    """The storage types and values of the arrays of a case, or that it failed."""
    try:
        executor = bound(case, mx)
        (y,) = executor.forward(is_train=True)
        executor.backward(mx.nd.ones(y.shape))
        found = {name: [one.stype] for name, one in executor.arg_dict.items()}
        grads = {f"{name}'": shown(one) for name, one in executor.grad_dict.items()}
        for name, (stype,) in found.items():
            if stype == "csr":  # MXNet does not write all of them
                grads[f"{name}'"] = grads[f"{name}'"][:1]
        return {**found, **grads, "y": shown(y)}
    except Exception:
        return {"error": True}


def shown(x: Any) -> list:
    return [x.stype, x.asnumpy().astype(float).ravel().round(5).tolist()]
