"""Sequences as one symbol or as a list with one for each step."""

from __future__ import annotations

from typing import Any

from ... import symbol as sym
from ..._core.errors import ArgumentError
from ...symbol import Symbol


def _normalize_sequence(
    length: int | None, inputs: Any, layout: str, merge: bool | None, in_layout: str | None = None
) -> tuple[Any, int]:
    """A sequence in the form that `merge` asks for, and its axis of steps."""
    axis = layout.find("T")
    in_axis = (in_layout or layout).find("T")
    if isinstance(inputs, Symbol):
        if merge is False:
            if len(inputs.list_outputs()) != 1:
                raise ArgumentError(
                    "unroll: the inputs are one symbol with several outputs; pass list(inputs)"
                )
            given: Any = {"axis": in_axis, "num_outputs": length, "squeeze_axis": 1}
            inputs = list(sym.split(inputs, **given))
    else:
        if length is not None and len(inputs) != length:
            raise ArgumentError(f"unroll: {len(inputs)} inputs for a length of {length}")
        if merge:
            inputs = sym.Concat(*(sym.expand_dims(one, axis=axis) for one in inputs), dim=axis)
            in_axis = axis
    if isinstance(inputs, Symbol) and axis != in_axis:
        inputs = sym.swapaxes(inputs, dim1=axis, dim2=in_axis)
    return inputs, axis
