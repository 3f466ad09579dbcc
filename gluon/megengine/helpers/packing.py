"""MegEngine's helpers that pack tensors into one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from math import prod
from typing import Any

from ..._core.engine.op import RECORDED as ops
from ..functional.distributed import all_reduce_sum
from ..interfaces import as_tensor


def get_offsets(shapes: Iterable[Sequence[int]]) -> list[int]:
    """Return the start and the end of each tensor of these shapes in the packed values."""
    ends = [0, *accumulate(map(prod, shapes))]
    return [place for pair in pairwise(ends) for place in pair]


def param_pack_split(inp: Any, offsets: list[int], shapes: Iterable[Sequence[int]]) -> list[Any]:
    """Unpack one tensor into tensors of these shapes."""
    x = as_tensor(inp)
    pairs = zip(offsets[::2], offsets[1::2], shapes)
    return [ops.reshape(x[begin:end], shape=tuple(shape) or (1,)) for begin, end, shape in pairs]


def param_pack_concat(inps: Iterable[Any], offsets: Any, offsets_val: list[int]) -> Any:
    """Pack tensors into one tensor with one axis."""
    return ops.concat(*(ops.reshape(as_tensor(x), shape=(-1,)) for x in inps), axis=0)


def pack_allreduce_split(
    pack_list: Iterable[Any], shapes: Any, group: Any, reduce_method: str
) -> list[Any]:
    """Sum or average tensors over the processes of a group, in one message."""
    offsets = get_offsets(shapes)
    total = all_reduce_sum(param_pack_concat(pack_list, None, offsets), group)
    return param_pack_split(
        total / group.size if reduce_method == "mean" else total, offsets, shapes
    )
