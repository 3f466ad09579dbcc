"""``megengine.core.autodiff.grad``: gradients by callback."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakValueDictionary

from ..._core.engine.mark import as_gradient
from ..._core.engine.mode import mode
from ..._core.engine.sweep import sweep
from ..._core.errors import AutogradError
from ..._core.scopes import scope
from ..._hook.errors import CheckError
from ...autodiff.session import Session, silence_closed
from ..autodiff import Function as Function

#: The living `Grad` objects by name.
_grad_manager_dict: WeakValueDictionary = WeakValueDictionary()


def get_grad_managers() -> list[Grad]:
    """Return all living `Grad` objects."""
    return list(_grad_manager_dict.values())


class Grad:
    """Records computations and passes the gradients of tensors to callbacks.

    Objects entered between `begin_group` and `end_group` do not record each other.
    """

    stack: list[Any] = []  # noqa: RUF012  (of the class, as in MegEngine)
    grouping = False
    _count = 0

    def __init__(self, name: str | None = None) -> None:
        if name is None:
            name, Grad._count = f"grad_{Grad._count}", Grad._count + 1
        self._name = name
        self._callbacks: list[tuple[Any, Callable | None]] = []
        self._session: Session | None = None
        _grad_manager_dict[name] = self

    def wrt(self, *tensors: Any, callback: Callable[..., Any] | None = None) -> Grad:
        """Track tensors, whose gradients are passed to `callback`."""
        for one in tensors:
            self._callbacks.append((one, callback))
            if self._session is not None:
                self._session.watch(one)
        return self

    def _is_attached_to(self, tensor: Any) -> bool:
        return any(one is tensor for one, _ in self._callbacks)

    def __enter__(self) -> Grad:
        self._first = not (Grad.grouping and Grad.stack)
        if self._first:
            Grad.stack.append(mode())
        self._session = Session(Grad.stack[-1])
        self._session.open()
        for tensor, _ in self._callbacks:
            self._session.watch(tensor)
        return self

    def __exit__(self, *exc: object) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.close()
            silence_closed(session.idle)
            if self._first:
                Grad.stack.pop()

    def __call__(self, ys: Any, dys: Any) -> None:
        """Compute the gradients, and pass them to the callbacks of the tensors they reach."""
        session = self._session
        if session is None:
            raise AutogradError("this Grad is not recording; enter it with a `with` statement")
        ys, dys = (list(v) if isinstance(v, Sequence) else [v] for v in (ys, dys))
        with scope(lambda now, entry: now.recorded_by(session.tape.audience(), entry=entry)):
            received, _ = sweep(session.tape, session.seeds(ys, dys), training=mode().training)
            for (tensor, variable), (_, callback) in zip(session.watched, self._callbacks):
                if callback is not None and variable in received:
                    value = received[variable]
                    callback(as_gradient(value, variable.dtype, tensor._plain, tensor._ctx))

    @staticmethod
    def begin_group() -> None:
        """Begin a group of objects that do not record each other."""
        if Grad.grouping:
            raise CheckError("Grad.begin_group: a group is open already; call end_group() first")
        Grad.grouping = True

    @staticmethod
    def end_group() -> None:
        """End the group."""
        if not Grad.grouping:
            raise CheckError("Grad.end_group: no group is open; call begin_group() first")
        Grad.grouping = False
