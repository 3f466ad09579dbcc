"""Rules for dtypes: by default all arrays of a call have the same one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .._core.arrays.dtypes import as_dtype
from .node import GraphNode

Known = Sequence[Any]
#: The dtypes that automatic mixed precision casts.
CASTABLE = (np.dtype("float16"), np.dtype("float32"))
FLOAT32, INT32, INT64 = np.dtype("float32"), np.dtype("int32"), np.dtype("int64")


def same(node: GraphNode, ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
    """One dtype for all."""
    found = next((one for one in (*ins, *outs) if one is not None), None)
    return [found] * len(ins), [found] * len(outs)


def _of(attribute: str, default: Any = FLOAT32) -> Callable[..., Any]:
    """The results have the dtype in an attribute."""

    def rule(node: GraphNode, ins: Known, outs: Known) -> tuple[Known, list[Any]]:
        given = node.values.get(attribute, node.op.attributes.get(attribute) if node.op else None)
        dtype = default if given in (None, "None") else np.dtype(as_dtype(given))
        return ins, [dtype] * len(outs)

    return rule


def _fraction(ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
    """Return the dtype of fractions: float32 for integers."""
    found = next((one for one in (*ins[:1], *outs) if one is not None), None)
    own = FLOAT32 if found is not None and found.kind in "biu" else found
    return [found, *ins[1:]], [own] * len(outs)


def _asked(attribute: str, sums: bool = False) -> Callable[..., Any]:
    """The result has the dtype in an attribute, otherwise that of the first input.

    Except for `sums`, it is float32 for whole numbers.
    """

    def rule(node: GraphNode, ins: Known, outs: Known) -> tuple[Known, list[Any]]:
        given = node.values.get(attribute)
        if given in (None, "None"):
            return _first()(node, ins, outs) if sums else _fraction(ins, outs)
        return ins, [np.dtype(as_dtype(given))] * len(outs)

    return rule


def _first(rest: Any = None) -> Callable[..., Any]:
    """The first input and the results share a dtype; the others have any dtype, or `rest`."""

    def rule(node: GraphNode, ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
        found = next((one for one in (*ins[:1], *outs) if one is not None), None)
        return [found, *[rest or one for one in ins[1:]]][: len(ins)], [found] * len(outs)

    return rule


def _last(node: GraphNode, ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
    """The last input and the results share a dtype; the others have any dtype."""
    found = next((one for one in (*ins[-1:], *outs) if one is not None), None)
    return [*ins[:-1], found], [found] * len(outs)


def _fixed(dtype: Any) -> Callable[..., Any]:
    return lambda node, ins, outs: (ins, [dtype] * len(outs))


def _divided(node: GraphNode, ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
    """The dtype of quotients: float32 for integers."""
    found = next((one for one in (*ins, *outs) if one is not None), None)
    own = FLOAT32 if found is not None and found.kind in "biu" else found
    return [found] * len(ins), [own] * len(outs)


def _percentile(node: GraphNode, ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
    """The dtype of quotients where values are interpolated; the second input has any dtype."""
    picks = node.values.get("interpolation", "linear") in ("lower", "higher", "nearest")
    return _first()(node, ins, outs) if picks else _fraction(ins, outs)


def _promoted(node: GraphNode, ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
    """Promote two dtypes: a float wins over integers, and the wider one of the same kind."""
    if any(one is None for one in ins) or ins[0] == ins[1]:
        return same(node, ins, outs)
    floats = [one for one in ins if one.kind == "f"]
    return list(ins), [floats[0] if len(floats) == 1 else np.result_type(*ins)]


def _embedding(node: GraphNode, ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
    given = node.values.get("dtype")
    found = next((one for one in (ins[1], *outs) if one is not None), None)
    found = found or np.dtype(as_dtype(given or "float32"))
    return [ins[0], found], [found]


def _norm(node: GraphNode, ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
    """The statistics of normalization in half precision have single precision."""
    found = next((one for one in (*ins[:1], *outs[:1]) if one is not None), None)
    own = FLOAT32 if found == np.float16 else found
    return [found, *[own] * (len(ins) - 1)], [found, *[own] * (len(outs) - 1)]


def _topk(node: GraphNode, ins: Known, outs: Known) -> tuple[Known, list[Any]]:
    number = np.dtype(as_dtype(node.values.get("dtype") or "float32"))
    kind = node.values.get("ret_typ", "indices")
    return ins, {"indices": [number], "both": [ins[0], number]}.get(kind, [ins[0]])


def _marked(node: GraphNode, ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
    """The marks of Hawkes processes are integers, beside floats of one dtype."""
    floats, found = same(node, [*ins[:5], *ins[6:]], outs)
    return [*floats[:5], ins[5] or INT32, *floats[5:]], found


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
    "SoftmaxActivation": lambda node, ins, outs: _fraction(ins, outs),
    "_ones": _of("dtype"),
    "_zeros": _of("dtype"),
    "_contrib_allclose": _fixed(np.dtype("uint8")),
    "_contrib_count_sketch": _first(),
    "_contrib_hawkesll": _marked,
    "_contrib_index_array": _fixed(INT64),
    "_contrib_index_copy": lambda node, ins, outs: _copied(ins, outs),
    "_histogram": lambda node, ins, outs: (ins, [INT64, ins[0]]),
    "_image_to_tensor": _fixed(FLOAT32),
    "_np_cumsum": _asked("dtype", sums=True),
    "amp_cast": lambda node, ins, outs: _cast_by_amp(node, ins, outs),
    "_sparse_retain": _first(),
    "all_finite": _fixed(FLOAT32),
    "amp_multicast": lambda node, ins, outs: _widest(node, ins, outs),
    "argsort": _of("dtype"),
    "batch_take": _first(INT32),
    "broadcast_like": _first(),
    "gather_nd": _first(),
    "log_softmax": _asked("dtype"),
    "multi_all_finite": _fixed(FLOAT32),
    "multi_sum_sq": _fixed(FLOAT32),
    "norm": _asked("out_dtype", sums=True),
    "one_hot": _of("dtype"),
    "pick": _first(),
    "reshape_like": _first(),
    "scatter_nd": _first(),
    "shape_array": _fixed(INT64),
    "size_array": _fixed(INT64),
    "softmax": _asked("dtype"),
    "softmin": _asked("dtype"),
    "slice_like": _first(),
    "take": _first(),
    "topk": _topk,
    "where": lambda node, ins, outs: _where(ins, outs),
    **dict.fromkeys(
        (
            "_random_exponential _random_gamma _random_generalized_negative_binomial"
            " _random_negative_binomial _random_normal _random_poisson _random_uniform"
            " _sample_exponential _sample_gamma _sample_generalized_negative_binomial"
            " _sample_negative_binomial _sample_normal _sample_poisson _sample_uniform"
        ).split(),
        _of("dtype"),
    ),
    "_random_randint": _of("dtype", INT32),
    "_sample_multinomial": lambda node, ins, outs: _drawn_classes(node, ins, outs),
}


DTYPES.update(
    {
        **dict.fromkeys(
            (
                "_np_all _np_any _npi_equal _npi_greater _npi_greater_equal _npi_isfinite"
                " _npi_isinf _npi_isnan _npi_isneginf _npi_isposinf _npi_less _npi_less_equal"
                " _npi_logical_not _npi_not_equal _npi_equal_scalar _npi_greater_scalar"
                " _npi_greater_equal_scalar _npi_less_scalar _npi_less_equal_scalar"
                " _npi_not_equal_scalar"
            ).split(),
            lambda node, ins, outs: (same(node, ins, ())[0], [np.dtype(bool)] * len(outs)),
        ),
        **dict.fromkeys(("_npi_argmax", "_npi_argmin", "_npi_bincount", "_npx_nonzero"),
                        _fixed(INT64)),
        **dict.fromkeys(
            (
                "_npi_arange _npi_blackman _npi_exponential _npi_eye _npi_gamma _npi_gumbel"
                " _npi_hamming _npi_hanning _npi_identity _npi_logistic _npi_logspace _npi_normal"
                " _npi_ones _npi_pareto _npi_rayleigh _npi_uniform _npi_weibull _npi_zeros"
            ).split(),
            _of("dtype"),
        ),
        **dict.fromkeys(
            (
                "_npi_add _npi_arctan2 _npi_copysign _npi_hypot _npi_mod _npi_multiply _npi_power"
                " _npi_subtract"
            ).split(),
            _promoted,
        ),
        "_npi_indices": _of("dtype", INT32),
        "_npi_percentile": _percentile,
        **dict.fromkeys(
            (
                "_npi_mean _npi_std _npi_var _npi_average _npi_true_divide"
                " _npi_true_divide_scalar _npi_rtrue_divide_scalar"
            ).split(),
            _divided,
        ),
        **dict.fromkeys(("_npi_where", "_npi_where_lscalar", "_npi_where_rscalar"),
                        lambda node, ins, outs: _chosen(ins, outs)),
    }
)  # fmt: skip


def _chosen(ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
    found = next((one for one in (*ins[1:], *outs) if one is not None), None)
    return [ins[0], *[found] * (len(ins) - 1)], [found]


def _widest(node: GraphNode, ins: Known, outs: Known) -> tuple[Known, Known]:
    """Cast floats to the widest of them, or the narrowest."""
    if any(one is None for one in ins):
        return ins, outs
    half, single = CASTABLE
    narrow = bool(node.values.get("cast_narrow"))
    wide = half if half in ins and (narrow or single not in ins) else single
    return ins, [wide if one in CASTABLE else one for one in ins]


def _cast_by_amp(node: GraphNode, ins: Known, outs: Known) -> tuple[Known, list[Any]]:
    """Cast only floats of single and half precision."""
    if ins[0] is not None and ins[0] not in CASTABLE:
        return ins, [ins[0]]
    return _of("dtype")(node, ins, outs)


def _copied(ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
    found = next((one for one in (ins[0], ins[2], *outs) if one is not None), None)
    return [found, ins[1], found], [found]


def _drawn_classes(node: GraphNode, ins: Known, outs: Known) -> tuple[Known, list[Any]]:
    """The dtypes of the drawn classes, and of the logarithms of their probabilities."""
    return ins, [*_of("dtype", INT32)(node, ins, outs[:1])[1], ins[0]][: len(outs)]


def _where(ins: Known, outs: Known) -> tuple[list[Any], list[Any]]:
    found = next((one for one in (*ins[1:], *outs) if one is not None), None)
    return [ins[0], found, found], [found]


def dtype_rule(node: GraphNode) -> Callable[..., Any]:
    """The rule for a node: that of its operator, or one dtype for all."""
    assert node.op is not None
    return getattr(node.op, "dtypes", None) or DTYPES.get(node.op.name, same)
