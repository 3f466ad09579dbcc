"""``mxnet.attribute``: attributes for the symbols made in a ``with`` block."""

from __future__ import annotations

from contextvars import ContextVar, Token

from ..engine.errors import ArgumentError

__all__ = ["AttrScope"]


class AttrScope:
    """Gives attributes to what is made in its ``with`` block; outer blocks add theirs.

    Parameters
    ----------
    **kwargs : str

    Raises
    ------
    ArgumentError
        If a value is no string.

    Examples
    --------
    >>> from gluon.mxnet.attribute import AttrScope
    >>> with AttrScope(group="a"), AttrScope(lr_mult="2") as scope:
    ...     scope.get({"name": "x"})
    {'group': 'a', 'lr_mult': '2', 'name': 'x'}
    """

    def __init__(self, **kwargs: str) -> None:
        for name, value in kwargs.items():
            if not isinstance(value, str):
                raise ArgumentError(
                    f"AttrScope: {name}={value!r} is a {type(value).__name__}; give a string"
                )
        self._attr = kwargs
        self._entered: list[Token] = []

    def get(self, attr: dict[str, str] | None) -> dict[str, str]:
        """The attributes of the scope, with those of `attr` added or in their place."""
        return {**self._attr, **(attr or {})}

    def __enter__(self) -> AttrScope:
        outer = _current.get()
        if outer is not None:
            self._attr = outer.get(self._attr)
        self._entered.append(_current.set(self))
        return self

    def __exit__(self, *exc: object) -> None:
        _current.reset(self._entered.pop())


_current: ContextVar[AttrScope | None] = ContextVar("gluon_attributes", default=None)
