"""Errors of public functions: those of gluon, begun with the name that the user called."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ..engine.array import Array
from ..errors import DTypeError, GluonError, translated
from ..hints.lookup import keyword_meant
from ..refusals import instead_of


def named(error: GluonError, name: str) -> GluonError:
    """`error`, its message begun with `name`, the function that the user called.

    It takes the place of the operator's name where they differ by case and underscores only.
    """
    text = str(error)
    inner, bracket, rest = text.partition("(")
    if _plain(inner) == _plain(name) and bracket:
        error.args = (f"{name}({rest}",)
    elif not text.startswith(f"{name}:"):  # the operator behind the function has another name
        error.args = (f"{name}: {text}",)
    return error


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def rejected(
    error: Exception, function: str, name: str, keys: Collection[str], otherwise: str = ""
) -> Exception:
    """The error to raise for what Python or NumPy say of a call of `function`, called `name`.

    Where Python rejects the call itself, one of `keys` may be meant, the arguments that are taken.
    """
    reason = str(error).removeprefix(f"{function}() ")
    if reason != str(error):
        reason += keyword_meant(reason, keys) or otherwise
    return translated(error, f"{name}: {reason}")


def about(error: Exception, name: str) -> Exception:
    """The error to raise for `error` from the function `name`."""
    if isinstance(error, GluonError):
        return named(error, name)
    return translated(error, f"{name}: {error}")


def renamed(error: GluonError, inner: str, name: str) -> GluonError:
    """`error`, begun with `name` in place of `inner`, the function that `name` stands for."""
    text = str(error)
    if text.startswith((f"{inner}:", f"{inner}(")):
        error.args = (name + text[len(inner) :],)
    return named(error, name)


#: What NumPy says of values that are no array -> what it means, and the way out.
UNMADE = {
    "inhomogeneous": "its rows have different lengths; make them equal, for instance by padding",
    "could not convert string": "it holds text; encode it first, as in"
    " [vocabulary[word] for word in words]",
}


def unmade(error: Exception, source: Any, what: str) -> DTypeError:
    """The error to raise where NumPy finds no array, `what`, in the `source` of a user."""
    ways = [way for words, way in UNMADE.items() if words in str(error)]
    reason = ways[0] if ways else str(error)
    return DTypeError(f"array: cannot make an {what} from {type(source).__name__}: {reason}")


def not_an_array(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any], error: AttributeError
) -> Exception:
    """The error to raise for `error`: a `DTypeError` where an argument should be an array."""
    culprit = getattr(error, "obj", None)
    for x in (*args, *kwargs.values()):
        # Python says of a method that its function lacks the attribute
        if culprit is getattr(x, "__func__", x) and not isinstance(x, Array):
            return DTypeError(
                f"{name}: got {type(x).__name__} where an NDArray is needed; use {instead_of(x)}"
            )
    return error
