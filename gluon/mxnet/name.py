"""`mx.name`: what names operators and blocks get when they are given none."""

from __future__ import annotations

from ..block.naming import NameScope
from ..parameter import ParameterDict
from .scope import Scope


class NameManager(Scope):
    """Counts names; in a ``with`` block it is the current one, and names the blocks made there.

    Examples
    --------
    >>> from gluon.mxnet.name import NameManager
    >>> names = NameManager()
    >>> names.get(None, "dot"), names.get(None, "dot"), names.get("mine", "dot")
    ('dot0', 'dot1', 'mine')
    """

    _prefix = ""

    def __init__(self) -> None:
        self._blocks = NameScope(self._prefix, ParameterDict(self._prefix))

    def get(self, name: str | None, hint: str) -> str:
        """A name, or if it is None the next one that begins with `hint`.

        Parameters
        ----------
        name : str or None
        hint : str

        Returns
        -------
        str
        """
        return name or self._blocks.number(hint).removesuffix("_")

    def __enter__(self) -> NameManager:
        self._blocks.__enter__()
        return super().__enter__()

    def __exit__(self, *exc: object) -> None:
        super().__exit__(*exc)
        self._blocks.__exit__(*exc)


class Prefix(NameManager):
    """A `NameManager` that puts something before all names.

    Parameters
    ----------
    prefix : str

    Examples
    --------
    >>> from gluon import nn
    >>> from gluon.mxnet.name import NameManager, Prefix
    >>> with Prefix("net_"):
    ...     NameManager.current.get(None, "dot"), nn.Dense(2).name
    ('net_dot0', 'net_dense0')
    """

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        super().__init__()

    def get(self, name: str | None, hint: str) -> str:
        """As `NameManager.get`, with the prefix; also before a name that is given."""
        return self._prefix + super().get(name, hint)
