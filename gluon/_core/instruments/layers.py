"""What runs in place of the kernels of operators, in layers around each kernel.

The innermost one is the trace of a step, which hears of calls with NumPy's arrays. Around it is
`vmap`, which takes its arrays apart. Both are there for the kernels that gradient rules call, too.
The open instruments are outermost, and see what an operator was given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import RLock
from typing import Any, Literal

from ..engine.op import KERNELS, TABLE, Op

Layer = Literal["trace", "vmap", "instruments"]
#: ``variant(op, kernel)`` is what runs in place of `kernel`.
Variant = Callable[[Op, Callable[..., Any]], Callable[..., Any]]

ORDER: tuple[Layer, ...] = ("trace", "vmap", "instruments")
_lock = RLock()
_variants: dict[Layer, Variant] = {}
_plain: dict[Op, Callable[..., Any]] = {}


def operators() -> Iterator[Op]:
    """Every operator, and each with a number in place of an input."""
    for op in list(TABLE.values()):
        yield op
        yield from op.fixes


def put(layer: Layer, variant: Variant | None) -> None:
    """Let this layer be there from now on, in all threads; None takes it away."""
    with _lock:
        if variant is None:
            _variants.pop(layer, None)
        else:
            _variants[layer] = variant
        _build(lambda op, plain: plain)


def change_plain(change: Variant) -> None:
    """Let ``change(op, kernel)`` be the kernel of each operator itself, from now on."""
    with _lock:
        _build(change)


def _build(change: Variant) -> None:
    """Put the kernels, changed, and all layers around them."""
    present = [(name, _variants[name]) for name in ORDER if name in _variants]
    for op in operators():
        kernel = of_rules = _plain[op] = change(op, _plain.get(op, op.kernel))
        for name, variant in present:
            kernel = variant(op, kernel)
            of_rules = kernel if name != "instruments" else of_rules
        op.kernel = kernel
        if TABLE[op.name] is op:
            setattr(KERNELS, op.name, of_rules)
    if not present:
        _plain.clear()


def is_there(layer: Layer) -> bool:
    """Whether this layer is around the kernels."""
    return layer in _variants
