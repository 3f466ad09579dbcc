"""The table that `Block.summary` prints."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from ..nd import NDArray
from ..utils import shape_is_known

if TYPE_CHECKING:
    from .base import Block

WIDTH = 80


class Counts(NamedTuple):
    """The numbers of a block's own parameters: all, trained ones, and those counted before."""

    all: int
    trained: int
    shared: int


def summarize(block: Block, inputs: tuple[Any, ...]) -> str:
    """Call `block` with `inputs`; return a table of the inner blocks that were called.

    Parameters
    ----------
    block : Block
    inputs : tuple

    Returns
    -------
    str
    """
    rows = [("Input", shapes_text(inputs), Counts(0, 0, 0))]
    seen: set[int] = set()

    def note(one: Block, _: Any, output: Any) -> None:
        name = f"{type(one).__name__}-{len(rows)}"
        rows.append((name, shapes_text(output), count(one, seen)))

    handles = {}

    def watch(one: Block) -> None:
        if one._in_summary and id(one) not in handles:
            handles[id(one)] = one.register_forward_hook(note)

    block.apply(watch)
    try:
        block(*inputs)
    finally:
        for handle in handles.values():
            handle.detach()
    return table(rows)


def count(block: Block, seen: set[int]) -> Counts:
    """The numbers of the parameters of a block itself; `seen` are those counted before."""
    params = list(block.params.values())
    sizes = {id(one): prod(one.shape) if shape_is_known(one.shape) else 0 for one in params}
    shared = sum(size for key, size in sizes.items() if key in seen)
    seen.update(sizes)
    trained = sum(sizes[id(one)] for one in params if one.grad_req != "null")
    return Counts(sum(sizes.values()), trained, shared)


def shapes_text(arrays: Any) -> str:
    """The shapes of arrays in nested lists and tuples; other objects are shown unchanged."""
    found = shapes(arrays)
    return str(found)[1:-1] if isinstance(found, list) else str(found)


def shapes(arrays: Any) -> Any:
    """`arrays` with shapes in place of arrays, and lists in place of tuples."""
    if isinstance(arrays, NDArray):
        return arrays.shape
    return [shapes(one) for one in arrays] if isinstance(arrays, (list, tuple)) else arrays


def table(rows: list[tuple[str, str, Counts]]) -> str:
    """The text for `rows` of a name, a shape and counts, with the totals below."""
    total, trained, shared = (sum(column) for column in zip(*(counts for *_, counts in rows)))
    line = "{:>20}  {:>42} {:>15}"
    return "\n".join(
        (
            "-" * WIDTH,
            line.format("Layer (type)", "Output Shape", "Param #"),
            "=" * WIDTH,
            *(line.format(name, shape, counts.all) for name, shape, counts in rows),
            "=" * WIDTH,
            "Parameters in forward computation graph, duplicate included",
            f"   Total params: {total}",
            f"   Trainable params: {trained}",
            f"   Non-trainable params: {total - trained}",
            f"Shared params in forward computation graph: {shared}",
            f"Unique parameters in model: {total - shared}",
            "-" * WIDTH,
        )
    )
