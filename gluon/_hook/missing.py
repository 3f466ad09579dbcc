"""Reasons why names are missing, and stand-ins for names that can be imported but not used."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from .._core.errors import GluonError, MissingNameError
from .._core.hints.lookup import meant


def explain(what: str, reason: str | None, names: Iterable[str], page: str) -> str:
    """One line: that gluon does not have `what`, and the reason or the name that was meant."""
    message = f"gluon has no {what}"
    if reason:
        return f"{message}: {reason}; see {page}"
    name = what.rpartition(".")[2]
    public = [one for one in names if one[0] != "_"]
    return message + (meant(name, public) or f"; {page} lists what there is")


def refuse(name: str, reason: str, page: str) -> NoReturn:
    """Raise the error for the use of a stand-in."""
    raise GluonError(f"{name} cannot be used: {reason}; see {page}")


class Later:
    """Stands for a function or value that can be imported and compared, and fails when used.

    Parameters
    ----------
    name : str
        What it is in the other library: ``'mxnet.symbol.Variable'``.
    reason : str
    page : str
        The page of the documentation that has more.
    """

    __name__: str

    def __init__(self, name: str, reason: str, page: str) -> None:
        self.__name__ = name.rpartition(".")[2]
        self.__qualname__ = name
        self._reason = reason
        self._page = page

    def __repr__(self) -> str:
        return f"<{self.__qualname__}, which cannot be used: {self._reason}>"

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise the error, for any arguments."""
        refuse(self.__qualname__, self._reason, self._page)

    def __getattr__(self, name: str) -> NoReturn:
        if name[:2] == "__":
            raise AttributeError(name)
        what = f"{self.__qualname__}.{name}"
        raise MissingNameError(f"{what} cannot be used: {self._reason}; see {self._page}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Later, (self.__qualname__, self._reason, self._page)


def later_class(
    name: str, reason: str, page: str, bases: tuple[type, ...], members: Iterable[str]
) -> type:
    """A class that can be imported, compared and derived from, while its objects are an error.

    Parameters
    ----------
    name : str
        What it is in the other library: ``'mxnet.module.module.Module'``.
    reason : str
    page : str
        The page of the documentation that has more.
    bases : tuple of type
    members : iterable of str
        What it has there beside that of its bases.

    Returns
    -------
    type
    """
    module, _, own = name.rpartition(".")

    def __new__(cls: type, *args: Any, **kwargs: Any) -> NoReturn:
        refuse(name, reason, page)

    inside: dict[str, Any] = {one: Later(f"{name}.{one}", reason, page) for one in members}
    inside |= {"__new__": __new__, "__module__": module, "__doc__": f"Planned: {reason}."}
    inside["_reason"] = reason
    return type(own, bases, inside)
