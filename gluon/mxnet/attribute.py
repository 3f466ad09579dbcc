"""`mx.attribute`: attributes for all symbols created in a ``with`` block."""

from __future__ import annotations

from collections.abc import Mapping

from .._core.errors import ArgumentError, a_type
from ..symbol.naming import ATTRIBUTES
from .scope import Scope


class AttrScope(Scope):
    """Attributes of symbols; entering adds those of the surrounding ``with`` blocks."""

    _stack = ATTRIBUTES

    def __init__(self, **kwargs: str) -> None:
        for name, value in kwargs.items():
            if not isinstance(value, str):
                raise ArgumentError(f"Attributes need to be string: {name} is {a_type(value)}")
        self._attr = kwargs

    def get(self, attr: Mapping[str, str] | None) -> dict[str, str]:
        """Return the attributes, updated with others."""
        return {**self._attr, **(attr or {})}

    def __enter__(self) -> AttrScope:
        self._attr = {**AttrScope.current._attr, **self._attr}
        return super().__enter__()
