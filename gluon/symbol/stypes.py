"""Storage types of the arrays of a graph, and of their gradients, as MXNet infers them.

What an operator computes finds its own storage when it runs: these rules only say which arrays
`Symbol.simple_bind` and modules allocate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .._core.arrays.storage import ON_VALUES
from .._core.errors import ArgumentError
from .node import Entry, GraphNode

STORAGE = ("default", "row_sparse", "csr")
DENSE, ROWS, CSR = STORAGE
Types = Sequence[str]
#: MXNet's names of operators of one array that are zero at zero, where they differ from gluon's.
ALIASES = {
    **{"stop_gradient": "BlockGrad", "copy": "_copy"},
    **{"round_ste": "_contrib_round_ste", "sign_ste": "_contrib_sign_ste"},
}
ZERO_AT_ZERO = (*(ALIASES.get(name, name) for name in ON_VALUES.split()), "zeros_like")
COMPARED = "equal not_equal greater greater_equal lesser lesser_equal"
#: Operators through which a gradient goes in the storage that it has.
LINEAR = (
    *("_copy", "negative", "_mul_scalar", "_div_scalar", "cast_storage"),
    *("elemwise_add", "elemwise_sub", "_plus", "_minus", "add_n", "_contrib_round_ste"),
    "_contrib_sign_ste",
)
#: Operators whose gradient is zero: it is stored like the input.
CONSTANT = (
    *("round", "rint", "fix", "floor", "ceil", "trunc", "BlockGrad", "zeros_like", "ones_like"),
    *(f"_{name}_scalar" for name in COMPARED.split()),
)


def _alike(node: GraphNode, ins: Types) -> str:
    """The type that all inputs share."""
    return ins[0] if len(set(ins)) == 1 else DENSE


def _rows_alike(node: GraphNode, ins: Types) -> str:
    return ROWS if set(ins) == {ROWS} else DENSE


def _factor(node: GraphNode, ins: Types) -> str:
    """The type of a product of each value: that of the sparse factor."""
    sparse = {one for one in ins if one != DENSE}
    return sparse.pop() if len(sparse) == 1 else DENSE


def _dot(node: GraphNode, ins: Types) -> str:
    wanted = node.values.get("forward_stype")
    if wanted:
        return str(wanted)
    if ins[0] == CSR and ins[1] != CSR and node.values.get("transpose_a"):
        return ROWS
    return CSR if tuple(ins) == (DENSE, CSR) and not node.values.get("transpose_a") else DENSE


def _clipped(node: GraphNode, ins: Types) -> str:
    low, high = (float(node.values[key]) for key in ("a_min", "a_max"))
    return ins[0] if low <= 0 <= high else DENSE


def _first(node: GraphNode, ins: Types) -> str:
    """Csr, where the first input is."""
    return CSR if ins[0] == CSR else DENSE


def _joined(node: GraphNode, ins: Types) -> str:
    return CSR if set(ins) == {CSR} and node.values.get("dim") == 0 else DENSE


def _column(node: GraphNode, ins: Types) -> str:
    of_rows = node.values.get("axis") in (1, (1,)) and node.values.get("keepdims")
    return ROWS if of_rows and ins[0] == ROWS else DENSE


#: Maps an operator to ``rule(node, types of its inputs)``: the type of its output.
FORWARD: dict[str, Callable[[GraphNode, Types], str]] = {
    **dict.fromkeys((*ZERO_AT_ZERO, "_mul_scalar", "_div_scalar"), _alike),
    **dict.fromkeys(("elemwise_add", "elemwise_sub", "_plus", "_minus"), _alike),
    **dict.fromkeys(("elemwise_mul", "_mul"), _factor),
    "clip": _clipped,
    **dict.fromkeys(("slice", "broadcast_mul", "broadcast_div"), _first),
    "take": lambda node, ins: DENSE if node.values.get("axis") else _first(node, ins),
    "Concat": _joined,
    "add_n": _rows_alike,
    "dot": _dot,
    "_square_sum": _column,
    **dict.fromkeys(("_sparse_retain", "_sparse_adagrad_update"), lambda node, ins: ins[0]),
    "cast_storage": lambda node, ins: node.values["stype"],
}


def _pass(node: GraphNode, ins: Types, grad: str) -> list[str]:
    """The gradient as it is, where the inputs are stored alike."""
    return [grad if len(set(ins)) == 1 else DENSE] * len(ins)


def _like_input(node: GraphNode, ins: Types, grad: str) -> list[str]:
    return [grad if grad == ins[0] else DENSE]


def _dot_grads(node: GraphNode, ins: Types, grad: str) -> list[str]:
    transposed = node.values.get("transpose_a") or node.values.get("transpose_b")
    by_rows = ins[0] == CSR and grad != CSR and not transposed
    return [DENSE, ROWS if by_rows else DENSE]


def _embedding_grads(node: GraphNode, ins: Types, grad: str) -> list[str]:
    return [DENSE, ROWS if node.values.get("sparse_grad") else DENSE]


#: Maps an operator to ``rule(node, types of its inputs, type of the gradient of its output)``: the
#: types of the gradients of its inputs.
BACKWARD: dict[str, Callable[[GraphNode, Types, str], list[str]]] = {
    **dict.fromkeys(LINEAR, _pass),
    **dict.fromkeys(("abs", "sign", "square", "relu"), _like_input),
    **dict.fromkeys(CONSTANT, lambda node, ins, grad: list(ins)),
    "where": lambda node, ins, grad: [ins[0], DENSE, DENSE],
    "dot": _dot_grads,
    "Embedding": _embedding_grads,
    "_contrib_SparseEmbedding": lambda node, ins, grad: [DENSE, ROWS],
    "_sparse_retain": lambda node, ins, grad: [ins[0], DENSE],
    "_square_sum": lambda node, ins, grad: [ROWS if ins[0] == ROWS else DENSE],
}


def storage_types(
    order: Sequence[GraphNode], heads: Sequence[Entry], given: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    """The storage types of the variables of a graph by name, and those of their gradients.

    Parameters
    ----------
    order : list of GraphNode
    heads : list of Entry
    given : dict of str to str
        Types of variables that replace those in their attributes.
    """
    found: dict[GraphNode, str] = {}
    for node in order:
        if node.op is None:
            found[node] = _of_variable(node, given.get(node.name))
        elif node.op.name in FORWARD:
            found[node] = FORWARD[node.op.name](node, [found[one.node] for one in node.inputs])
        else:
            found[node] = DENSE
    grads: dict[GraphNode, list[str]] = {node: [] for node in order}
    for head in heads:
        grads[head.node].append(found[head.node])
    for node in reversed(order):
        if node.op is not None and node.op.name in BACKWARD:
            ins = [found[one.node] for one in node.inputs]
            sent = BACKWARD[node.op.name](node, ins, _total(grads[node]))
        else:
            sent = [DENSE] * len(node.inputs)
        for one, stype in zip(node.inputs, sent):
            grads[one.node].append(stype)
    free = [node for node in order if node.op is None]
    return (
        {node.name: found[node] for node in free},
        {node.name: _total(grads[node]) for node in free},
    )


def _total(types: Types) -> str:
    """The type of a sum of gradients."""
    if len(types) == 1:
        return types[0]
    return ROWS if set(types) == {ROWS} else DENSE


def _of_variable(node: GraphNode, given: str | None) -> str:
    if given is not None:
        if given not in STORAGE:
            raise ArgumentError(
                f"simple_bind: the storage type {given!r} of {node.name} must be one of"
                f" {', '.join(STORAGE)}"
            )
        return given
    code = node.attrs.get("__storage_type__", "0")
    return STORAGE[int(code)] if code in ("0", "1", "2") else DENSE
