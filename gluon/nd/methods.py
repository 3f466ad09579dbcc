"""The methods of `NDArray` that are functions of `nd` under the same name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ndarray import NDArray

NAMES = """abs arccos arccosh arcsin arcsinh arctan arctanh argmax argmax_channel argmin argsort
broadcast_axes broadcast_like broadcast_to cbrt ceil clip cos cosh degrees depth_to_space diag dot
exp expand_dims expm1 fix flatten flip floor log log10 log1p log2 log_softmax max mean min nanprod
nansum norm one_hot ones_like pad pick prod radians rcbrt reciprocal relu repeat reshape_like rint
round rsqrt shape_array sigmoid sign sin sinh size_array slice slice_axis slice_like softmax
softmin sort space_to_depth split split_v2 sqrt square squeeze sum swapaxes take tan tanh tile topk
transpose trunc zeros_like""".split()


def slice_assign(
    self: NDArray, rhs: Any, begin: Sequence, end: Sequence, step: Sequence = ()
) -> NDArray:
    """Write `rhs` into ``self[b0:e0:s0, b1:e1:s1, …]``; see `nd.slice`."""
    steps = [*step, *[None] * (len(begin) - len(step))]
    self[tuple(slice(*part) for part in zip(begin, end, steps))] = rhs
    return self


def slice_assign_scalar(
    self: NDArray, value: float, begin: Sequence, end: Sequence, step: Sequence = ()
) -> NDArray:
    """Write a number into ``self[b0:e0:s0, b1:e1:s1, …]``; see `nd.slice`."""
    return slice_assign(self, value, begin, end, step)


def to_dlpack_for_read(self: NDArray) -> Any:
    """The memory, as a DLPack capsule."""
    return self.__dlpack__()


OTHERS = (slice_assign, slice_assign_scalar, to_dlpack_for_read)


def attach(namespace: dict[str, Any]) -> None:
    """Give `NDArray` the functions of `namespace` that it has as methods, and `OTHERS`."""
    for name in NAMES:
        setattr(NDArray, name, namespace[name])
    for method in OTHERS:
        setattr(NDArray, method.__name__, method)
    NDArray.to_dlpack_for_write = to_dlpack_for_read  # type: ignore[attr-defined]
