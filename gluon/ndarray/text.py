"""Values written as text, as configuration files have them: MXNet's operators take both."""

from __future__ import annotations

import re
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np

from ..engine.errors import ArgumentError, DTypeError

FLAGS = {"true": True, "1": True, "false": False, "0": False}


def _whole(text: str) -> int:
    return int(text.strip().removesuffix("L"))  # Python 2 wrote shapes such as (2L, 3L)


def _real(text: str) -> float:
    return int(text) if re.fullmatch(r"\s*[-+]?\d+\s*", text) else float(text)


def _one_or_several(one: Callable) -> Callable:
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


def _several(kind: str, parse: Callable, one: type) -> Reader:
    def accepts(value: Any) -> bool:
        parts = value if isinstance(value, (tuple, list)) else [value]
        return all(part is None or isinstance(part, one) for part in parts)

    return Reader(f"{kind} or several, such as (1, 2)", _one_or_several(parse), accepts)


FLAG = Reader(
    "True or False",
    lambda text: FLAGS[text.lower()],
    lambda x: isinstance(x, (Real, np.bool_)),
)
WHOLE = Reader("a whole number", _whole, lambda x: isinstance(x, Integral))
REAL = Reader("a number", _real, lambda x: isinstance(x, Real))
WHOLES = _several("a whole number", _whole, Integral)
REALS = _several("a number", _real, Real)
TEXT = Reader("text", str, lambda x: isinstance(x, str))
#: The words in the annotation of an argument: of whole numbers, of numbers, of more than one.
INTEGRAL = {"int", "Shape", "Axis", "Size"}
REALLY = {"float", "Floats"}
MANY = {"Shape", "Axis", "Size", "Floats", "Sequence", "tuple", "list"}


def reader(annotation: Any) -> Reader | None:
    """How text is read for an argument that is annotated so; None where text stays text."""
    words = set(re.findall(r"\w+", str(annotation)))
    if words == {"str", "None"}:
        return TEXT
    if "NDArray" in words:
        return None
    if "bool" in words:
        return FLAG
    if words & INTEGRAL:
        return WHOLES if words & MANY else WHOLE
    if words & REALLY:
        return REALS if words & MANY else REAL
    return None


def read(how: Reader, function: str, argument: str, text: str) -> Any:
    """The value that `text` stands for; raise where it is none for that argument."""
    if text == "None":
        return None
    try:
        return how.parse(text)
    except (KeyError, ValueError):
        raise ArgumentError(f"{function}: {argument}={text!r} must be {how.kind}") from None


def flag(function: str, argument: str, value: Any) -> bool:
    """`value` as True or False, which it may be written as."""
    if value is True or value is False:
        return value
    if isinstance(value, str):
        return bool(read(FLAG, function, argument, value))
    if not FLAG.accepts(value):
        raise DTypeError(
            f"{function}: {argument} is a {type(value).__name__}; it must be {FLAG.kind}"
        )
    return bool(value)
