"""Why names are missing, and stand-ins for those that can be named but not used."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from ..engine.errors import GluonError, MissingNameError
from ..nd.absent import meant
from .table import PAGE


def explain(what: str, reason: str | None, names: Iterable[str]) -> str:
    """One line: that gluon has not `what`, and the reason or the name that was meant."""
    message = f"gluon has no {what}"
    if reason:
        return f"{message}: {reason}; see {PAGE}"
    name = what.rpartition(".")[2]
    public = [one for one in names if one[0] != "_"]
    return message + (meant(name, public) or f"; {PAGE} lists what there is")


class Later:
    """Stands for a function or class that can be imported and compared, and fails when used.

    Parameters
    ----------
    name : str
        What it is in MXNet: ``'mxnet.symbol.Variable'``.
    reason : str
    """

    def __init__(self, name: str, reason: str) -> None:
        self.__name__ = self.__qualname__ = name
        self._reason = reason

    def __repr__(self) -> str:
        return f"<{self.__name__}, which cannot be used: {self._reason}>"

    def _fail(self) -> NoReturn:
        raise GluonError(f"{self.__name__} cannot be used: {self._reason}; see {PAGE}")

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Fail, whatever the arguments."""
        self._fail()

    def __mro_entries__(self, bases: tuple) -> NoReturn:
        self._fail()

    def __instancecheck__(self, instance: object) -> bool:
        return False

    def __subclasscheck__(self, subclass: type) -> bool:
        return False

    def __getattr__(self, name: str) -> NoReturn:
        if name[:2] == "__":
            raise AttributeError(name)
        raise MissingNameError(f"{self.__name__}.{name} cannot be used: {self._reason}; see {PAGE}")

    def __reduce__(self) -> tuple:
        return Later, (self.__name__, self._reason)
