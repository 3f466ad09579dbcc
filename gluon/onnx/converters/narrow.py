"""Bytes, booleans and other integers, where ONNX's operators take wider numbers or floats only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

import numpy

from ...nd import array
from .builder import CONVERTERS, Call, Graph, converts
from .np_values import result_dtype

BYTES = ("bool", "int8", "uint8", "int16")
INTEGERS = (*BYTES, "int32", "int64")
#: Those of an array and a number.
SCALARS = [name for name in CONVERTERS if name.startswith("_") and name.endswith("_scalar")]
SCALARS = [name for name in SCALARS if not name.startswith("_np")]
PAIRS = ("broadcast_div", "broadcast_mod", "broadcast_power", "elemwise_div")
#: Products of matrices, of NumPy's interface.
PRODUCTS = ("_np_dot", "_npi_einsum", "_npi_matmul", "_npi_tensordot", "_npi_tensordot_int_axes")
#: Operators, the dtypes that ONNX lacks there, and the one that is computed with instead; where it
#: is None, that of the result.
WIDER: list[tuple[Sequence[str], Sequence[str], str | None]] = [
    (("batch_dot", "dot", "nansum", "sum", *PRODUCTS), BYTES, "int32"),
    (("add_n", "argsort", "max", "min", "sort", "topk"), ("bool", "int16"), "int32"),
    (("broadcast_power", "nanprod", "prod", "_np_prod", "_np_sum"), BYTES, "int64"),
    ((*SCALARS, *PAIRS), ("bool",), None),
    (("broadcast_hypot", "_contrib_quadratic", "smooth_l1"), INTEGERS, "float64"),
    (("mean", "moments"), BYTES, "float64"),
    (("log_softmax", "softmax", "softmin", "SoftmaxActivation"), INTEGERS, "float32"),
]


def _narrowed(g: Graph, y: str, dtype: Any) -> str:
    """A result in the dtype that it has outside of ONNX."""
    if dtype is None:
        return y
    if numpy.dtype(dtype).kind in "iu" and numpy.dtype(dtype).itemsize < 4:
        y = g.cast(y, "int64")  # what is too large wraps around
    return g.cast(y, dtype)


def _wider(
    convert: Callable[[Graph, Call], Any], lacking: Sequence[str], wide: str | None
) -> Callable[[Graph, Call], Any]:
    """A converter that computes with `wide` instead of the dtypes that ONNX lacks."""

    def converted(g: Graph, call: Call) -> Any:
        if call.dtype().name not in lacking:
            return convert(g, call)
        own, to = copy(call), numpy.dtype(wide or "float64")
        if call.operator.startswith("_np"):
            result_dtype(call)  # which the call keeps
        elif wide is None and numpy.dtype(result_dtype(call, array)).kind != "b":
            to = call.out_dtypes[0]
        own.inputs, own.dtypes = list(call.inputs), list(call.dtypes)
        own.out_dtypes = list(call.out_dtypes)
        for k, name in enumerate(call.inputs):
            if call.dtype(k).name in lacking:
                own.inputs[k], own.dtypes[k] = g.cast(name, to), to
        found = convert(g, own)
        if isinstance(found, str):
            return _narrowed(g, found, call.out_dtypes[0])
        return [_narrowed(g, y, dtype) for y, dtype in zip(found, call.out_dtypes)]

    return converted


for _names, _lacking, _wide in WIDER:
    CONVERTERS.update({name: _wider(CONVERTERS[name], _lacking, _wide) for name in _names})


@converts("_np_cumsum")
def _cumsum(g: Graph, call: Call) -> str:
    x, axis, dtype = call.inputs[0], call["axis"], numpy.dtype(call["dtype"] or call.dtype())
    if axis is None:
        x, axis = g.reshape(x, -1), 0
    dtype = numpy.dtype("int64") if dtype.kind == "b" else dtype
    x = x if call["dtype"] is None else g.cast(x, dtype)
    wide = {"int8": "int32", "uint8": "int32", "float16": "float32"}.get(dtype.name, dtype)
    y = g.add("CumSum", g.cast(x, wide), g.constant(axis, "int64"))
    call.out_dtypes[0] = dtype
    return _narrowed(g, y, dtype)
