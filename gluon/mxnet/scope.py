"""A class whose current object a ``with`` block replaces: for `mx.name` and `mx.attribute`."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from .._core.scopes import Stack

S = TypeVar("S", bound="Scope")


class _HasCurrent(type):
    """Gives a class the attribute ``current``."""

    #: The direct subclass of `Scope`, and its default object.
    _stack: Stack
    _root: Any

    @property
    def current(cls) -> Any:
        """The object of the innermost ``with`` block in this thread, or a neutral one."""
        if cls._stack.current(None) is None:
            cls._stack.replace(cls._root._outside())
        return cls._stack.current(None)

    @current.setter
    def current(cls, value: Any) -> None:
        cls._stack.replace(value)
        value._replaced()

    @property
    def _current(cls) -> _Current:
        """Holds the current object of each thread as ``value``, as in MXNet."""
        return _Current(cls)


class _Current:
    """Has the current object of a class as ``value``."""

    def __init__(self, cls: _HasCurrent) -> None:
        self._cls = cls

    @property
    def value(self) -> Any:
        """The current object, which can be replaced."""
        return self._cls.current

    @value.setter
    def value(self, value: Any) -> None:
        self._cls.current = value


class Scope(metaclass=_HasCurrent):
    """Base of a class whose objects are current within their ``with`` block."""

    _stack: ClassVar[Stack]
    _root: ClassVar[type]

    def __init_subclass__(cls) -> None:
        if Scope in cls.__bases__:
            cls._root = cls

    @classmethod
    def _outside(cls) -> Any:
        """The current object outside of all ``with`` blocks."""
        return cls()

    def _replaced(self) -> None:
        """Called on an object that becomes current without a ``with`` block."""

    def __enter__(self: S) -> S:
        type(self).current  # noqa: B018  (there is one outside all blocks, to return to)
        self._stack.enter(self)
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.leave(self)
