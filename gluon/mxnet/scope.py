"""A class whose current object a ``with`` block replaces: for `mx.name` and `mx.attribute`."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, TypeVar

S = TypeVar("S", bound="Scope")

#: For each class that derives from `Scope` itself, its current objects, outermost first.
_entered: ContextVar[dict[type, tuple]] = ContextVar("gluon_mxnet_scopes")


class _HasCurrent(type):
    """Gives a class the attribute ``current``."""

    @property
    def current(cls) -> Any:
        """The object of the innermost ``with`` block in this thread, or one of no influence."""
        stack = cls._stack()
        if not stack:
            stack = (cls._root()(),)
            cls._push(stack)
        return stack[-1]

    @current.setter
    def current(cls, value: Any) -> None:
        cls._push((*cls._stack()[:-1], value))

    def _root(cls) -> Any:
        """The class that derives from `Scope` itself."""
        return next(one for one in cls.__mro__ if Scope in one.__bases__)

    def _stack(cls) -> tuple:
        return _entered.get({}).get(cls._root(), ())

    def _push(cls, stack: tuple) -> None:
        _entered.set({**_entered.get({}), cls._root(): stack})


class Scope(metaclass=_HasCurrent):
    """Base of a class whose objects are current within their ``with`` block."""

    def __enter__(self: S) -> S:
        cls = type(self)
        cls._push((cls.current, self) if not cls._stack() else (*cls._stack(), self))
        return self

    def __exit__(self, *exc: object) -> None:
        cls = type(self)
        cls._push(cls._stack()[:-1])
