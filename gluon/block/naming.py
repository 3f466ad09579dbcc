"""The names of blocks and their parameters."""

from __future__ import annotations

from collections import Counter
from threading import Lock
from typing import TypedDict

from .._core.errors import DTypeError, a_type
from .._core.scopes import COUNTS, MANAGERS, Stack
from ..parameter import ParameterDict

#: The name scopes of the enclosing ``with`` blocks.
NAME_SCOPES = Stack("gluon_name_scope")


class Naming(TypedDict, total=False):
    """What a layer passes on to `Block`."""

    prefix: str | None
    params: ParameterDict | None


class SymbolNames:
    """Names the symbols that are made in a name scope: each name has the prefix of the scope."""

    def __init__(self, prefix: str) -> None:
        self._prefix, self._counts = prefix, Counter[str]()

    def get(self, name: str | None, hint: str) -> str:
        """Return the full name of a new symbol."""
        if name is None:
            name = f"{hint}{self._counts[hint]}"
            self._counts[hint] += 1
        return self._prefix + name


class NameScope:
    """The names inside one block, and the ``with`` block that assigns them.

    Attributes
    ----------
    prefix : str
        The start of every name in this scope.
    params : ParameterDict
        The parameters of the block; they name, and may share, those of blocks created here.
    """

    params: ParameterDict
    prefix: str

    def __init__(self, prefix: str, params: ParameterDict, silent: bool = False) -> None:
        self.prefix, self.params = prefix, params
        self._silent = silent
        self._counts: dict[str, int] = {}

    def number(self, hint: str) -> str:
        """The next unused prefix of this scope, such as ``dense2_``."""
        with _numbering:
            number = self._counts.get(hint, 0)
            self._counts[hint] = number + 1
        return f"{hint}{number}_"

    def __enter__(self) -> NameScope:
        if not self._silent:
            NAME_SCOPES.enter(self)
            MANAGERS.enter(self, SymbolNames(self.prefix))
        return self

    def __exit__(self, *exc: object) -> None:
        MANAGERS.leave(self)
        NAME_SCOPES.leave(self)


_numbering = Lock()
#: Creates names outside of all blocks.
ROOT = NameScope("", ParameterDict())
ROOT._counts = COUNTS  # symbols are numbered together with blocks


def current_scope() -> NameScope:
    """The innermost scope that is entered."""
    return NAME_SCOPES.current(ROOT)


def set_scope(scope: NameScope | None) -> None:
    """Make `scope` the innermost one; None is the scope outside every block."""
    NAME_SCOPES.replace(scope or ROOT)


def named(prefix: str | None, params: ParameterDict | None, hint: str) -> NameScope:
    """The name scope of a new block.

    Parameters
    ----------
    prefix : str or None
        The user's choice, or None for `hint` and a number.
    params : ParameterDict or None
        The parameters to share, if any.
    hint : str
    """
    if not isinstance(prefix, str | None):
        kind = type(prefix).__name__
        way_out = "pass blocks to net.add(...)"
        if isinstance(prefix, (int, float)):
            way_out = "it begins the names of parameters; the layer takes no number here"
        raise DTypeError(f"{hint}: prefix is of type {kind}, not a str; {way_out}")
    outer = NAME_SCOPES.current(ROOT)
    own = outer.number(hint) if prefix is None else prefix
    if params is None:
        params = ParameterDict(outer.params.prefix + own, outer.params._shared)
    elif isinstance(params, ParameterDict):
        params = ParameterDict(params.prefix, params)
    else:
        raise DTypeError(
            f"{hint}: params is {a_type(params)}; give a ParameterDict, such as block.params"
        )
    return NameScope(outer.prefix + own, params, silent=prefix == "")
