"""The namespace ``F`` for blocks with operator hooks: it calls the hooks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .. import nd
from ..nd import NDArray

if TYPE_CHECKING:
    from .hybrid import HybridBlock


class Watched:
    """`gluon.nd` for one call of `hybrid_forward`, with the block's operator hooks.

    Parameters
    ----------
    block : HybridBlock
    module : module
        `gluon.nd`, or a module inside it.
    calls : Counter, optional
        How many times each operator was called, by name.
    """

    def __init__(
        self, block: HybridBlock, module: ModuleType = nd, calls: Counter[str] | None = None
    ) -> None:
        self._block, self._module = block, module
        self._calls = Counter() if calls is None else calls

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._module, name)
        if isinstance(found, ModuleType):
            return Watched(self._block, found, self._calls)
        return self._told(found, name) if callable(found) else found

    def _told(self, function: Callable, op: str) -> Callable:
        def call(*args: Any, **kwargs: Any) -> Any:
            result = function(*args, **kwargs)
            node = f"{self._block.prefix}{op.lower()}{self._calls[op]}"
            self._calls[op] += 1
            for callback, monitor_all in list(self._block._op_hooks.values()):
                if monitor_all:
                    tell(callback, f"{node}_input", op, (*args, *kwargs.values()))
                tell(callback, f"{node}_output", op, (result,))
            return result

        return call


def tell(callback: Callable[..., Any], name: str, op: str, values: tuple[Any, ...]) -> None:
    """Call `callback` for every array in `values`, numbered if there are several."""
    found = list(arrays(values))
    for k, one in enumerate(found):
        callback(f"{name}{k}" if len(found) > 1 else name, op, one)


def arrays(values: Any) -> Iterator[NDArray]:
    """The arrays in nested lists and tuples."""
    for one in values:
        if isinstance(one, NDArray):
            yield one
        elif isinstance(one, (list, tuple)):
            yield from arrays(one)
