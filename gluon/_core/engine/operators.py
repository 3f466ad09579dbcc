"""Python's operators on the bare array: what gradient rules are written with."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

#: The recorded operators, by name, as `op.define` adds them.
RECORDED = SimpleNamespace()


def _forward(name: str) -> Callable[[Any, Any], Any]:
    return lambda self, other: getattr(RECORDED, name)(self, other)


def _both(name: str) -> tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]:
    return _forward(name), lambda self, other: getattr(RECORDED, name)(other, self)


class Operators:
    """The operators as methods; arrays of users have their own, which take more."""

    __slots__ = ()
    if not TYPE_CHECKING:  # NDArray and ndarray declare their own types
        __add__, __radd__ = _both("add")
        __sub__, __rsub__ = _both("subtract")
        __mul__, __rmul__ = _both("multiply")
        __truediv__, __rtruediv__ = _both("divide")
        __mod__, __rmod__ = _both("mod")
        __pow__, __rpow__ = _both("power")
        __and__, __rand__ = _both("bitwise_and")
        __or__, __ror__ = _both("bitwise_or")
        __eq__ = _forward("equal")
        __ne__ = _forward("not_equal")
        __gt__, __ge__ = _forward("greater"), _forward("greater_equal")
        __lt__, __le__ = _forward("less"), _forward("less_equal")
        __hash__ = object.__hash__

        def __neg__(self) -> Any:
            return RECORDED.negative(self)

        def __getitem__(self, key: Any) -> Any:
            return RECORDED.getitem(self, key=key)
