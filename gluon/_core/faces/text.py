"""Values written as text, as configuration files have them: MXNet's operators take both."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cache
from numbers import Integral, Real
from types import UnionType
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from ..arrays import interfaces
from ..arrays.base import DeviceArray
from ..engine.array import Array
from ..errors import ArgumentError, DTypeError, a_type

FLAGS = {"true": True, "1": True, "false": False, "0": False}


def _whole(text: str) -> int:
    return int(text.strip().removesuffix("L"))  # Python 2 wrote shapes such as (2L, 3L)


def _real(text: str) -> float:
    return int(text) if re.fullmatch(r"\s*[-+]?\d+\s*", text) else float(text)


def _one_or_several(one: Callable[..., Any]) -> Callable[..., Any]:
    def read(text: str) -> Any:
        several = re.fullmatch(r"\s*(?:\((.*)\)|\[(.*)\])\s*", text)
        if several is None:
            return one(text)
        parts = (several[1] or several[2] or "").strip().removesuffix(",").split(",")
        if parts == [""]:
            return ()
        return tuple([None if part.strip() == "None" else one(part) for part in parts])

    return read


class Reader(NamedTuple):
    """What an argument takes.

    Attributes
    ----------
    kind : str
        Its values in words, for messages.
    parse : callable
        Makes one of text; raises `KeyError` or `ValueError`.
    accepts : callable
        Whether something is one.
    """

    kind: str
    parse: Callable[[str], Any]
    accepts: Callable[[Any], bool]


def _several(kind: str, parse: Callable[..., Any], one: type) -> Reader:
    def accepts(value: Any) -> bool:
        parts = value if isinstance(value, (tuple, list)) else [value]
        return all(part is None or isinstance(part, one) for part in parts)

    return Reader(f"{kind} or several, such as (1, 2)", _one_or_several(parse), accepts)


FLAG = Reader(
    "True or False",
    lambda text: FLAGS[text.lower()],
    lambda x: isinstance(x, (Real, np.bool_)),
)
WHOLE = Reader("an integer", _whole, lambda x: isinstance(x, Integral))
REAL = Reader("a number", _real, lambda x: isinstance(x, Real))
WHOLES = _several("an integer", _whole, Integral)
REALS = _several("a number", _real, Real)
TEXT = Reader("text", str, lambda x: isinstance(x, str))


def reader(annotation: Any) -> Reader | None:
    """How text is read for an argument of this type; None where text stays text."""
    found = set(kinds(annotation))
    if found == {str, type(None)}:
        return TEXT
    if any(isinstance(kind, type) and issubclass(kind, Array) for kind in found):
        return None
    if bool in found:
        return FLAG
    several = not found.isdisjoint((tuple, list, Sequence))
    if int in found:
        return WHOLES if several else WHOLE
    if float in found:
        return REALS if several else REAL
    return None


def kinds(annotation: Any) -> Iterator[Any]:
    """The types that an annotation is made of, those of containers included."""
    origin = get_origin(annotation)
    if isinstance(annotation, TypeVar):
        yield from kinds(annotation.__bound__)
    elif origin is None or origin is Callable:
        yield origin or annotation
    elif origin is Literal:
        yield from map(type, get_args(annotation))
    else:
        if origin not in (Union, UnionType):
            yield origin
        for part in get_args(annotation):
            yield from kinds(part)


def hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The types of the parameters of a function."""
    classes = {
        name: vars(interfaces).get(name, DeviceArray) for name in ("NDArray", "ndarray", "A")
    }
    loose = {"ArrayLike": Any, "DTypeLike": Any, "Tensor": Any, "Sequence": Sequence}
    found = get_type_hints(function, localns={**classes, **loose})
    found.pop("return", None)
    return found


@cache
def readers(function: Callable[..., Any]) -> dict[str, Reader]:
    """How text is read for each parameter of a function that is annotated so."""
    return {key: how for key, kind in hints(function).items() if (how := reader(kind))}


def misfit(
    given: Mapping[str, Any], readers: Mapping[str, Reader], optional: Container[str] = ()
) -> str | None:
    """The first of the given arguments that is not what its reader accepts; None may be omitted."""
    for key, value in given.items():
        how = readers.get(key)
        if how and not (value is None and key in optional) and not how.accepts(value):
            return key
    return None


def read(how: Reader, function: str, argument: str, text: str) -> Any:
    """The value that `text` stands for; raise where it is none for that argument."""
    if text == "None":
        return None
    try:
        return how.parse(text)
    except (KeyError, ValueError):
        shown = repr(text) if len(text) < 200 else f"{text[:200]!r}..."
        raise ArgumentError(f"{function}: {argument}={shown} must be {how.kind}") from None


def written(value: Any) -> str:
    """The text of an argument, which its reader takes.

    NumPy's numbers are written as Python's, also within tuples, where NumPy 2 has ``np.int64(3)``.
    """
    if isinstance(value, (type, np.dtype)):
        return np.dtype(value).name
    if not isinstance(value, (list, tuple)):
        return str(value)
    parts = [_part(one) for one in value]
    if isinstance(value, list):
        return f"[{', '.join(parts)}]"
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _part(value: Any) -> str:
    if isinstance(value, str):
        return repr(str(value))
    return written(value) if isinstance(value, (np.generic, list, tuple)) else repr(value)


def flag(function: str, argument: str, value: Any) -> bool:
    """`value` as True or False, which it may be written as."""
    if value is True or value is False:
        return value
    if isinstance(value, str):
        return bool(read(FLAG, function, argument, value))
    if not FLAG.accepts(value):
        raise DTypeError(f"{function}: {argument} is {a_type(value)}; it must be {FLAG.kind}")
    return bool(value)
