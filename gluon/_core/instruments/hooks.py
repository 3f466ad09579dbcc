"""Hooks on arrays: functions that receive the gradient of an array, and may replace it.

A hook is noted at the node of the array. Backward passes look for such notes only while there are
any; the pass itself knows nothing of them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from ..engine.array import Array, alias, wrap
from ..engine.backward import why_not
from ..engine.node import Node
from ..errors import ArgumentError, AutogradError, DTypeError, a_type
from ..kernels.sparse import as_dense
from . import base

if TYPE_CHECKING:
    from typing_extensions import Self

Hook = Callable[[Any], Any]
_number = count().__next__


class Hooks:
    """The hooks on one array, and what they are given: arrays of its class and device."""

    __slots__ = ("__weakref__", "cls", "ctx", "functions")
    cls: type[Array]
    ctx: Any
    functions: dict[int, Hook]

    def __init__(self, array: Array) -> None:
        self.cls, self.ctx, self.functions = type(array), array._ctx, {}

    def applied(self, g: Any) -> Any:
        """The cotangent `g`, raw or recorded, after the hooks."""
        g = g if isinstance(g, Array) else as_dense(g)
        for function in list(self.functions.values()):
            recorded = isinstance(g, Array)
            given = alias(g, self.cls) if recorded else wrap(self.cls, g.copy(), self.ctx)
            found = function(given)
            if found is None:
                continue
            name = getattr(function, "__qualname__", repr(function))
            if not isinstance(found, Array):
                raise DTypeError(
                    f"hook {name} returned {a_type(found)}; it must return an array or None"
                )
            if found.shape != g.shape:
                raise ArgumentError(
                    f"hook {name} returned a gradient of shape {found.shape} for an array of"
                    f" shape {g.shape}; they must be equal"
                )
            g = alias(found, type(g)) if recorded else found.raw.astype(g.dtype)
        return g


#: The hooks of all live nodes.
LIVE: WeakSet[Hooks] = WeakSet()


class RemovableHandle:
    """Handle returned by `register_hook`, to remove the hook.

    In a ``with`` block it does so at the end.

    Parameters
    ----------
    hooks : Hooks
        Those on the array.
    hook : callable

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x = nd.array([1, 2])
    >>> x.attach_grad()
    >>> handle = x.register_hook(lambda grad: 10 * grad)
    >>> handle.remove()
    >>> with autograd.record():
    ...     y = 3 * x
    >>> y.backward()
    >>> x.grad.asnumpy()
    array([3., 3.], dtype=float32)
    """

    _hooks: Hooks
    _key: int

    def __init__(self, hooks: Hooks, hook: Hook) -> None:
        self._hooks, self._key = hooks, _number()
        hooks.functions[self._key] = hook

    def remove(self) -> None:
        """Remove the hook."""
        self._hooks.functions.pop(self._key, None)
        if not self._hooks.functions:
            LIVE.discard(self._hooks)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()


def register(array: Array, hook: Hook) -> RemovableHandle:
    """Have `hook` called with each gradient of `array`; see `DeviceArray.register_hook`."""
    node = array._node
    if not callable(hook):
        raise DTypeError(f"register_hook: give a function of a gradient, not {hook!r}")
    if not node.tapes:
        raise AutogradError(
            f"register_hook: an array of shape {array.shape} has no gradient: {why_not(array)}"
        )
    if not hasattr(node, "notes"):
        node.notes = {}
    hooks = node.notes.setdefault("hooks", Hooks(array))
    handle = RemovableHandle(hooks, hook)
    LIVE.add(hooks)
    base.wrap_walks(LIVE, _walk)
    return handle


def _walk(walk: Callable, *args: Any, around: Callable | None = None) -> dict[Node, Any]:
    """Run `walk`, and apply the hooks to the cotangents."""
    applied: dict[Node, Any] = {}

    def after(node: Node, g: Any) -> Any:
        hooks = getattr(node, "notes", {}).get("hooks")
        if hooks is None:
            return g
        if node not in applied:
            applied[node] = hooks.applied(g)
        return applied[node]

    def pulled(op: Any, pull: Callable) -> Callable:
        inner = pull if around is None else around(op, pull)
        return lambda node, g, wants: inner(node, after(node, g), wants)

    received = walk(*args, around=pulled)
    return {node: after(node, g) for node, g in received.items()}
