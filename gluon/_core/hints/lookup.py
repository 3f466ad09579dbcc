"""Translations of names of PyTorch and NumPy to those of gluon, for error messages."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypedDict, TypeVar, cast

from ..arrays import interfaces
from ..errors import (
    CAUSES,
    ArgumentError,
    DTypeError,
    GluonError,
    MissingNameError,
    a_type,
    translated,
)
from ..printing import stated_by
from .arguments import ARGUMENTS, KEYWORDS, MISSING, OPTIONS, VALUES
from .names import ALIASES, HOMES, NAMES, NP_HOMES, NP_NAMES
from .names_keras import OF_MODULES
from .synonyms import ATTRIBUTES, IN_PLACE

if TYPE_CHECKING:
    from typing_extensions import Self

_UNEXPECTED = re.compile(r"got an unexpected keyword argument '(\w+)'")
_MISSING = re.compile(r"missing \d+ required positional arguments?: '(\w+)'")
F = TypeVar("F", bound=Callable[..., Any])
#: Parameters that nobody gives by name.
NAMELESS = ("self", "args", "kwargs", "_")


def meant(name: str, names: Collection[str]) -> str:
    """Which of `names` may have been meant, to append to a message; nothing if none is close."""
    if name.startswith("__"):  # a special name of Python
        return ""
    same = [one for one in names if one.lower() == name.lower()]
    close = same or _close(name, tuple(names))
    return f"; did you mean {close[0]!r}?" if close else ""


@functools.lru_cache
def _close(name: str, names: tuple[str, ...]) -> list[str]:
    """The name that is most alike; kept, since tools ask modules for the same names many times."""
    from difflib import get_close_matches

    return get_close_matches(name, names, 1)


def keyword_meant(reason: str, names: Collection[str]) -> str:
    """Which of `names` the keyword that Python refused may mean, to append to its `reason`."""
    found = _UNEXPECTED.search(reason)
    if found is None:
        return ""
    given = found[1]
    ours = [one for one in KEYWORDS.get(given, ()) if one in names]
    if ours == ["optimizer_params"]:
        return f"; pass it as in optimizer_params={{{OPTIONS.get(given, given)!r}: value}}"
    if ours and given in VALUES:
        return f"; use {VALUES[given]}"
    if ours:
        return f"; did you mean {' and '.join(map(repr, ours))}?"
    return f"; {ARGUMENTS[given]}" if given in ARGUMENTS else meant(given, names)


class Nothing(TypedDict):
    """No arguments: type checkers report each that is given, as a call does."""


def refuse(called: Callable[..., Any], unknown: Collection[str]) -> None:
    """Raise if there are `unknown` keyword arguments, none of which a function or class takes."""
    for name in unknown:
        reason = f"got an unexpected keyword argument {name!r}"
        taken = [one for one in dict.fromkeys(parameters(called)) if one not in NAMELESS]
        found = keyword_meant(reason, taken) or f"; it takes {', '.join(taken)}"
        raise DTypeError(f"{called.__name__}: {reason}{found}")


def parameters(called: Callable[..., Any]) -> list[str]:
    """The keyword arguments of a function or class; of a class, those of its bases too."""
    if isinstance(called, type):
        found = stated_by(called)
    else:
        found = [dict(inspect.signature(called).parameters)]
    return [
        name for each in found for name, one in each.items() if one.kind is not one.POSITIONAL_ONLY
    ]


def hinted(function: F) -> F:
    """`function`, whose error for an unknown keyword says which one was meant."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            if error.__traceback__.tb_next is not None:  # type: ignore[union-attr]
                raise
            reason = str(error)
        refuse(function, [name for name in kwargs if name not in parameters(function)])
        if found := _MISSING.search(reason):  # no match: Python rejected it for another reason
            taken = [name for name in parameters(function) if name not in NAMELESS]
            names = f"{function.__name__}.{found[1]}", found[1]
            ways = [MISSING[name] for name in names if name in MISSING]
            reason += f"; {ways[0] if ways else 'it takes ' + ', '.join(taken)}"
        elif "were given" in reason:
            taken = [name for name in parameters(function) if name not in NAMELESS]
            reason += f"; it takes {', '.join(taken) or 'nothing'}{example(function)}"
        raise DTypeError(reason)

    return cast(F, call)


def told(function: F) -> F:
    """`function`, whose errors of Python's are those of gluon: they name it and what it takes."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except GluonError:
            raise
        except CAUSES as error:
            cause: Any = error
        name = function.__name__
        if cause.__traceback__.tb_next is None:
            refuse(function, [key for key in kwargs if key not in parameters(function)])
        reason = str(cause).removeprefix(f"{name}() ") + _sequence(function, args)
        taken = ", ".join(one for one in parameters(function) if one not in NAMELESS)
        raise translated(cause, f"{name}: {reason}; it takes {taken}{example(function)}") from cause

    return cast(F, call)


def compiled(function: str, argument: str, pattern: Any) -> re.Pattern[str]:
    """The regular expression that an argument of a function is."""
    try:
        return re.compile(pattern)
    except (re.error, TypeError) as error:
        raise ArgumentError(
            f"{function}: {argument}={pattern!r} is not a regular expression ({error})"
        ) from None


def as_stated(method: Callable[..., Any], stated: str, *args: Any) -> Any:
    """What a `method` of a user's class returns; an error if it cannot be called as is `stated`."""
    try:
        return method(*args)
    except TypeError as error:
        if error.__traceback__.tb_next is not None:  # type: ignore[union-attr]
            raise
        reason = str(error)
    raise DTypeError(f"{reason}; it is called as {stated}")


def _sequence(function: Callable[..., Any], args: Sequence[Any]) -> str:
    """Which of `args` is several numbers in place of one, to append to a message."""
    for (name, one), value in zip(inspect.signature(function).parameters.items(), args):
        if one.annotation in ("int", "float") and isinstance(value, (tuple, list)):
            return f"; {name}={value} is {a_type(value)}, and {name} is one number"
    return ""


def example(made: Any) -> str:
    """The call in the docstring of a function or class, to append to a message; nothing if none."""
    for line in re.findall(r"^\s*>>> (.+)", made.__doc__ or "", re.M):
        if found := re.search(rf"[\w.]*\b{made.__name__}\(.+", line):
            text, depth = found[0], 0
            for place, letter in enumerate(text):
                depth += (letter in "([{") - (letter in ")]}")
                if not depth and letter == ")":
                    return f", as in {text[: place + 1]}"
    return ""


class Refused:
    """An attribute of other libraries that gluon lacks: reading and writing raise errors."""

    def __init__(self, name: str, reason: str) -> None:
        self._name, self._reason = name, reason

    def __get__(self, owner: Any, kind: type) -> Self:
        if owner is None:
            return self
        raise missing_attribute(owner, self._name, self._reason)

    def __set__(self, owner: Any, value: Any) -> NoReturn:
        raise missing_attribute(owner, self._name, self._reason)


class RefusedOfClass(Refused):
    """The same, where others read it from the class."""

    def __get__(self, owner: Any, kind: type) -> NoReturn:
        message = f"{kind.__name__} has no attribute {self._name!r}; {self._reason}"
        raise error_for(message, self._name)


def unassignable(attribute: property, written: str, way_out: str) -> property:
    """The property `attribute`, to which others assign: that is an error with the way out."""

    def refuse(owner: Any, value: Any) -> NoReturn:
        raise MissingNameError(f"{written} of an {type(owner).__name__} cannot be set; {way_out}")

    return attribute.setter(refuse)


def lacking(written: str, way_out: str) -> Callable[..., Any]:
    """The method of an operator, `written` so, that NumPy's arrays have and a class here lacks."""

    def method(self: Any, other: Any = 0) -> Any:
        if type(other) is not type(self) and not isinstance(other, (int, float)):
            return NotImplemented  # `other` may support the operator
        raise DTypeError(f"{written}: an {type(self).__name__} lacks this operator; {way_out}")

    return method


def missing_attribute(owner: Any, name: str, reason: str) -> MissingNameError:
    """The error for an attribute that others have, with the way out."""
    return error_for(f"{type(owner).__name__!r} object has no attribute {name!r}; {reason}", name)


def explained(
    message: str, reason: str | None, name: str, names: Collection[str]
) -> MissingNameError:
    """The error that says `message`, and the reason or the name that was meant."""
    return error_for(message + (f": {reason}" if reason else meant(name, names)), name)


def error_for(message: str, name: str) -> MissingNameError:
    """The error to raise for a missing attribute `name`, from a ``__getattr__``.

    In ``from module import name``, Python drops it and says "cannot import name".
    """
    error = MissingNameError(message)
    error.name = name  # otherwise Python adds its own suggestion
    return error


def elsewhere(module: str, name: str) -> str | None:
    """What a `name` of PyTorch, or of another module of gluon, is called; None if unknown."""
    numpy = module.startswith("np")
    own = OF_MODULES.get(module or "gluon") or OF_MODULES.get(module.rpartition(".")[2]) or {}
    if ours := own.get(name) or (NP_NAMES if numpy else NAMES).get(name):
        return ours
    return _found(name, (*NP_HOMES, "autograd", "func") if numpy else HOMES) or NAMES.get(name)


def _found(name: str, homes: tuple[str, ...]) -> str | None:
    """Return gluon's name for `name` of other libraries, with an optional ``_`` suffix, or None."""
    plain = name.rstrip("_")
    for home in homes:
        top, *inner = home.split(".")
        names = functools.reduce(getattr, inner, interfaces.public(top)).__all__
        for ours in (plain, ALIASES.get(plain)):
            if ours in names:
                return f"{home}.{ours}"
    return None


def elsewhere_as_method(kind: type, name: str) -> str | None:
    """The method or function for what an array of class `kind` lacks; None if unknown.

    NumPy and PyTorch have functions as methods, and PyTorch also those that write in place.
    """
    plain = name.rstrip("_")
    if not plain or name[0] == "_" or hasattr(kind, name):  # a property has an error of its own
        return None
    if plain != name and plain in ATTRIBUTES:
        return IN_PLACE
    numpy = issubclass(kind, interfaces.ndarray)
    if not numpy and not issubclass(kind, interfaces.NDArray):
        return None
    homes = ("np", "npx", "np.linalg") if numpy else ("nd", "nd.contrib")
    for ours in (plain, ALIASES.get(plain, plain)):
        if ours != name and hasattr(kind, ours):
            return f"assign, as in x[:] = x.{ours}()" if name != plain else f"use x.{ours}"
    if found := _function(name, homes):
        return f"assign, as in x[:] = {found}(x)" if name != plain else f"use the function {found}"
    ours = (NP_NAMES if numpy else NAMES).get(name, "")
    if re.search(r"\bx\b", ours):  # an expression of the array
        return f"use {ours}"
    if numpy:
        return None
    if hasattr(interfaces.ndarray, name):
        return f"use x.as_np_ndarray().{name}"
    found = _function(name, NP_HOMES)
    return f"use the function {found}, of x.as_np_ndarray()" if found else None


def _function(name: str, homes: tuple[str, ...]) -> str | None:
    """Like `_found`, for functions only."""
    found = _found(name, homes)
    if found is None:
        return None
    home, _, last = found.rpartition(".")
    function = getattr(sys.modules[f"gluon.{home}"], last)
    return found if callable(function) and not isinstance(function, type) else None


def missing_name(
    message: str, module: str, name: str, names: Collection[str], reason: str | None = None
) -> MissingNameError:
    """As `explained`, with what others' names in a module of gluon are called here."""
    # Python itself looks up names such as `__path__`, also while gluon is imported.
    ours = None if reason or name.startswith("__") else elsewhere(module, name)
    return explained(message, f"use {ours}" if ours else reason, name, names)


def hinting(module: str, names: Collection[str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module: an error that says which of its `names` was meant.

    Parameters
    ----------
    module : str
        Its ``__name__``.
    names : collection of str
        Its ``__all__``.

    Returns
    -------
    callable
    """
    own = module.partition(".")[2] or module

    def __getattr__(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        raise missing_name(f"module {module!r} has no attribute {name!r}", own, name, names)

    return __getattr__
