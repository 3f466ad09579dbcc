"""Rules for dtypes: by default all arrays of a call have one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..ndarray.dtypes import as_dtype
from .node import Node

Known = Sequence[Any]
FLOAT32, INT32, INT64 = np.dtype("float32"), np.dtype("int32"), np.dtype("int64")


def same(node: Node, ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
    """One dtype for all."""
    found = next((one for one in (*ins, *outs) if one is not None), None)
    return [found] * len(ins), [found] * len(outs)


def _of(attribute: str, default: Any = FLOAT32) -> Callable[..., Any]:
    """The results have the dtype that an attribute says."""

    def rule(node: Node, ins: Known, outs: Known) -> tuple[Known, list[Any]]:
        given = node.values.get(attribute, node.op.attributes.get(attribute) if node.op else None)
        dtype = default if given in (None, "None") else np.dtype(as_dtype(given))
        return ins, [dtype] * len(outs)

    return rule


def _first(rest: Any = None) -> Callable[..., Any]:
    """The first input and the results share a dtype; the other inputs have any, or `rest`."""

    def rule(node: Node, ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
        found = next((one for one in (*ins[:1], *outs) if one is not None), None)
        return [found, *[rest or one for one in ins[1:]]][: len(ins)], [found] * len(outs)

    return rule


def _last(node: Node, ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
    """The last input and the results share a dtype; the others have any."""
    found = next((one for one in (*ins[-1:], *outs) if one is not None), None)
    return [*ins[:-1], found], [found] * len(outs)


def _fixed(dtype: Any) -> Callable[..., Any]:
    return lambda node, ins, outs: (ins, [dtype] * len(outs))


def _embedding(node: Node, ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
    given = node.values.get("dtype")
    found = next((one for one in (ins[1], *outs) if one is not None), None)
    found = found or np.dtype(as_dtype(given or "float32"))
    return [ins[0], found], [found]


def _norm(node: Node, ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
    """The statistics of a normalization of half precision have single precision."""
    found = next((one for one in (*ins[:1], *outs[:1]) if one is not None), None)
    own = FLOAT32 if found == np.float16 else found
    return [found, *[own] * (len(ins) - 1)], [found, *[own] * (len(outs) - 1)]


def _topk(node: Node, ins: Known, outs: Known) -> tuple[Known, list[Any]]:
    number = np.dtype(as_dtype(node.values.get("dtype") or "float32"))
    kind = node.values.get("ret_typ", "indices")
    return ins, {"indices": [number], "both": [ins[0], number]}.get(kind, [ins[0]])


DTYPES: dict[str, Callable[..., Any]] = {
    "BatchNorm": _norm,
    "Cast": _of("dtype"),
    "Embedding": _embedding,
    "LinearRegressionOutput": same,
    "SequenceLast": _first(),
    "SequenceMask": _first(),
    "SequenceReverse": _first(),
    "SoftmaxOutput": same,
    "_arange": _of("dtype"),
    "_contrib_SyncBatchNorm": _norm,
    "_contrib_boolean_mask": _first(),
    "_eye": _of("dtype"),
    "_full": _of("dtype"),
    "_linspace": _of("dtype"),
    "_ones": _of("dtype"),
    "_zeros": _of("dtype"),
    "amp_cast": _of("dtype"),
    "argmax": _fixed(FLOAT32),
    "argmin": _fixed(FLOAT32),
    "argsort": _of("dtype"),
    "batch_take": _first(INT32),
    "broadcast_like": _first(),
    "gather_nd": _first(),
    "one_hot": _of("dtype"),
    "pick": _first(),
    "reshape_like": _first(),
    "scatter_nd": _first(),
    "shape_array": _fixed(INT64),
    "size_array": _fixed(INT64),
    "slice_like": _first(),
    "take": _first(),
    "topk": _topk,
    "where": lambda node, ins, outs: _where(ins, outs),
    **dict.fromkeys(
        (
            "_random_exponential _random_gamma _random_generalized_negative_binomial"
            " _random_negative_binomial _random_normal _random_poisson _random_uniform"
            " _sample_exponential _sample_gamma _sample_normal _sample_poisson _sample_uniform"
        ).split(),
        _of("dtype"),
    ),
    "_random_randint": _of("dtype", INT32),
    "_sample_multinomial": _of("dtype", INT32),
}


def _where(ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
    found = next((one for one in (*ins[1:], *outs) if one is not None), None)
    return [ins[0], found, found], [found]


def dtype_rule(node: Node) -> Callable[..., Any]:
    """The rule for a node: that of its operator, or one dtype for all."""
    assert node.op is not None
    return getattr(node.op, "dtypes", None) or DTYPES.get(node.op.name, same)
