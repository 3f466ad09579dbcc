"""`mx.name`: what names operators get when they are given none."""

from __future__ import annotations

from collections import Counter

from .scope import Scope


class NameManager(Scope):
    """Counts names; in a ``with`` block it is the current one.

    Examples
    --------
    >>> from gluon.mxnet.name import NameManager
    >>> names = NameManager()
    >>> names.get(None, "dot"), names.get(None, "dot"), names.get("mine", "dot")
    ('dot0', 'dot1', 'mine')
    """

    def __init__(self) -> None:
        self._counter: Counter[str] = Counter()

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
        if name:
            return name
        self._counter[hint] += 1
        return f"{hint}{self._counter[hint] - 1}"


class Prefix(NameManager):
    """A `NameManager` that puts something before all names.

    Parameters
    ----------
    prefix : str

    Examples
    --------
    >>> from gluon.mxnet.name import NameManager, Prefix
    >>> with Prefix("net_"):
    ...     NameManager.current.get(None, "dot")
    'net_dot0'
    """

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix

    def get(self, name: str | None, hint: str) -> str:
        """As `NameManager.get`, with the prefix; also before a name that is given."""
        return self._prefix + super().get(name, hint)
