"""``mxnet.name``: how the blocks made in a ``with`` block are named."""

from __future__ import annotations

from ..block.naming import NameScope
from ..parameter import ParameterDict

__all__ = ["NameManager", "Prefix"]


class NameManager:
    """Counts names anew in its ``with`` block.

    Examples
    --------
    >>> from gluon import nn
    >>> from gluon.mxnet.name import NameManager
    >>> with NameManager():
    ...     [nn.Dense(2).name, nn.Dense(2).name]
    ['dense0', 'dense1']
    """

    _prefix = ""

    def __init__(self) -> None:
        self._scope = NameScope(self._prefix, ParameterDict(self._prefix))

    def get(self, name: str | None, hint: str) -> str:
        """`name`, or one made of `hint` and a number, with the prefix of the manager.

        Parameters
        ----------
        name : str or None
        hint : str
        """
        return self._prefix + (name or self._scope.number(hint)[:-1])

    def __enter__(self) -> NameManager:
        self._scope.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self._scope.__exit__(*exc)


class Prefix(NameManager):
    """Puts a prefix before the names in its ``with`` block.

    Parameters
    ----------
    prefix : str

    Examples
    --------
    >>> from gluon import nn
    >>> from gluon.mxnet.name import Prefix
    >>> with Prefix("left_"):
    ...     nn.Dense(2).name
    'left_dense0'
    """

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        super().__init__()
