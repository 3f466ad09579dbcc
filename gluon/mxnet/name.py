"""`mx.name`: default names of operators and blocks."""

from __future__ import annotations

from .._core.scopes import MANAGERS
from ..block import naming
from ..block.naming import NAME_SCOPES, NameScope
from ..parameter import ParameterDict
from .scope import Scope


class _Blocks(NameScope):
    """The names that a manager gives to blocks outside of all blocks, and its counters."""

    def __init__(self, manager: NameManager) -> None:
        super().__init__("", ParameterDict())
        self._manager = manager

    def number(self, hint: str) -> str:
        """The name that the manager gives, as a prefix."""
        return self._manager.get(None, hint) + "_"


class NameManager(Scope):
    """Names operators and blocks that are created in its ``with`` block, with counters."""

    _stack = MANAGERS

    def __init__(self) -> None:
        self._blocks: NameScope = _Blocks(self)

    @classmethod
    def _outside(cls) -> NameManager:
        """The manager outside of all ``with`` blocks: it counts together with the blocks there."""
        manager = cls()
        manager._blocks = naming.ROOT
        return manager

    @property
    def _counter(self) -> dict[str, int]:
        """The number of names with each prefix."""
        return self._blocks._counts

    @_counter.setter
    def _counter(self, counts: dict[str, int]) -> None:
        self._blocks._counts = counts

    def _replaced(self) -> None:
        naming.set_scope(self._blocks)

    def get(self, name: str | None, hint: str) -> str:
        """Return the name, or for None the next one that begins with `hint`."""
        return name or NameScope.number(self._blocks, hint).removesuffix("_")

    def __enter__(self) -> NameManager:
        super().__enter__()
        outer = naming.current_scope()
        if outer is naming.ROOT or isinstance(outer, _Blocks):  # else the block around names them
            NAME_SCOPES.enter(self._blocks)
        return self

    def __exit__(self, *exc: object) -> None:
        NAME_SCOPES.leave(self._blocks)
        super().__exit__(*exc)


class Prefix(NameManager):
    """A `NameManager` that adds a prefix to all names."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        super().__init__()

    def get(self, name: str | None, hint: str) -> str:
        """As `NameManager.get`, with the prefix; given names get it too."""
        return self._prefix + super().get(name, hint)
