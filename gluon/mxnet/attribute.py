"""`mx.attribute`: attributes for all symbols that are made in a ``with`` block."""

from __future__ import annotations

from collections.abc import Mapping

from ..engine.errors import ArgumentError
from ..symbol.naming import ATTRIBUTES
from .scope import Scope


class AttrScope(Scope):
    """Attributes; those of the ``with`` blocks around are added on entering.

    Parameters
    ----------
    **kwargs : str

    Raises
    ------
    ArgumentError
        If a value is not a string.

    Examples
    --------
    >>> from gluon.mxnet.attribute import AttrScope
    >>> with AttrScope(ctx_group="dev1"), AttrScope(lr_mult="2"):
    ...     AttrScope.current.get({"lr_mult": "3"})
    {'ctx_group': 'dev1', 'lr_mult': '3'}
    """

    _stack = ATTRIBUTES

    def __init__(self, **kwargs: str) -> None:
        for name, value in kwargs.items():
            if not isinstance(value, str):
                raise ArgumentError(
                    f"Attributes need to be string: {name} is a {type(value).__name__}"
                )
        self._attr = kwargs

    def get(self, attr: Mapping[str, str] | None) -> dict[str, str]:
        """The attributes together with others, which win.

        Parameters
        ----------
        attr : dict of str to str, or None

        Returns
        -------
        dict of str to str
        """
        return {**self._attr, **(attr or {})}

    def __enter__(self) -> AttrScope:
        self._attr = {**AttrScope.current._attr, **self._attr}
        return super().__enter__()
