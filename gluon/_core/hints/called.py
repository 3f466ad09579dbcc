"""Classes whose errors say which arguments they take: `Called`, and `Hinted` with more checks."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..arrays.laxness import lax
from ..errors import DTypeError, a_type, warn_caller
from ..printing import stated_by
from .lookup import example, missing_attribute, parameters, refuse

INTEGER, FLAG = "an integer", "True or False"
#: Annotations of arguments that are numbers or flags, and what to pass there.
NUMBER_FORMS = {"int": INTEGER, "float": "a number", "bool": FLAG}
#: How an annotation ends if the argument may be None.
OPTIONAL = " | None"
FRACTIONS = (float, np.floating)
#: Types of arguments that need no further check.
SETTLED = frozenset({int, bool})
ANY_NUMBER = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
#: The start of the modules whose classes say what they lack.
OURS = f"{__name__.partition('.')[0]}."


class _OfInit:
    """What ``inspect.signature`` finds on Python 3.10, which prefers an inherited `__new__`."""

    def __get__(self, owner: Any, kind: Any) -> inspect.Signature:
        if owner is not None:  # a block is called otherwise than its class
            raise AttributeError("__signature__")
        signature = inspect.signature(kind.__init__)
        return signature.replace(parameters=list(signature.parameters.values())[1:])


def _needs_arguments(init: Any) -> bool:
    """Whether a function has arguments without default, besides `self`."""
    code = getattr(init, "__code__", None)
    if code is None:
        return False
    by_place = code.co_argcount - len(init.__defaults__ or ()) > 1
    return by_place or code.co_kwonlyargcount > len(init.__kwdefaults__ or ())


def _telling(init: Callable[..., None]) -> Callable[..., None]:
    """The function `init` of a class, which says what is missing if it is called with nothing.

    `Called.__new__` cannot know: copies and pickles are made without arguments too.
    """

    @functools.wraps(init)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if not args and not kwargs:
            kinds: Any = type(self).__mro__
            _check_call(next(one for one in kinds if one.__init__ is told), (), {})
        init(self, *args, **kwargs)

    told: Any = __init__
    told._plain = init
    return told


class Called:
    """A class whose errors for missing, unknown and too many arguments say what it takes."""

    if sys.version_info < (3, 11):
        __signature__ = _OfInit()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        own: Any = vars(cls).get("__init__")
        if cls.__module__.startswith(OURS) and _needs_arguments(own):
            # An assignment to `cls.__init__` would hide the arguments from editors.
            type.__setattr__(cls, "__init__", _telling(own))

    if not TYPE_CHECKING:  # so that type checkers report wrong names

        def __new__(cls, *args: Any, **kwargs: Any) -> Any:
            # Copies and pickles are made without arguments.
            if kwargs or (args and not _fits(cls, len(args))):
                _check_call(cls, args, kwargs)
            return super().__new__(cls)


class Hinted(Called):
    """A class whose errors for unknown attributes and for wrong numbers say what was meant too."""

    #: Maps attributes of other libraries to the alternative.
    _elsewhere: ClassVar[dict[str, str]] = {}
    #: What to do with an object that is given in place of a number.
    _instead: ClassVar[str] = ""
    #: Arguments one of which is expected, so that a lone one by position may be meant for it.
    _expected: ClassVar[tuple[str, ...]] = ()

    if not TYPE_CHECKING:  # so that type checkers report wrong names

        def __new__(cls, *args: Any, **kwargs: Any) -> Any:
            made = super().__new__(cls, *args, **kwargs)
            if not SETTLED.issuperset(map(type, (*args, *kwargs.values()))):
                _check_numbers(cls, args, kwargs)
            return made

        def __getattr__(self, name: str) -> Any:
            if name in type(self)._elsewhere:
                raise missing_attribute(self, name, self._elsewhere[name])
            return super().__getattribute__(name)  # raises again the error of a property


@functools.lru_cache(512)
def _fits(cls: Any, count: int) -> bool:
    """Whether a class can be given so many arguments, all by position."""
    if cls.__init__ is object.__init__:
        return False
    try:
        _own_signature(cls).bind(*range(count + 1))
    except TypeError:
        return False
    return True


def _check_numbers(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise if an argument whose annotation is a number or a flag got text, or a fraction.

    Flags take what has one truth value; what else numbers may be, a class says itself.
    """
    names, kinds, optional, required = _annotated(cls)
    if cls._expected and len(args) == 1 and isinstance(args[0], (int, float)) and names[0] in kinds:
        _check_first(cls, names[0], args[0], kwargs)
    for name, value in (*zip(names, args), *kwargs.items()):
        kind = kinds.get(name)
        if kind is None or type(value) in SETTLED or (kind == FLAG and lax.late_checks):
            continue
        if value is None:
            if name in optional or kind == FLAG or lax.late_checks:
                continue
            way_out = "" if name in required else ", or leave it out"
            raise DTypeError(f"{cls.__name__}: {name} is None; pass {kind}{way_out}")
        found, way_out = f"{name} is {a_type(value)}", f"pass {kind}"
        if isinstance(value, (str, bytes)):
            found = f"{name}={value!r} is {a_type(value)}"
            if kind == FLAG and "activation" in names:
                way_out += f", or activation={value!r}"
        elif kind == INTEGER and isinstance(value, FRACTIONS):
            found = f"{name}={value} is {a_type(value)}"
            way_out += f", such as {value:.0f}" if isfinite(value) and round(value) else ""
        elif kind == FLAG:
            if getattr(value, "shape", ()) == () and hasattr(value, "__bool__"):
                continue
        elif not cls._instead or hasattr(value, "__float__") or hasattr(value, "__index__"):
            continue
        else:
            way_out = cls._instead
        raise DTypeError(f"{cls.__name__}: {found}; {way_out}")


def _check_first(cls: Any, name: str, value: Any, kwargs: dict[str, Any]) -> None:
    """Warn if the only argument by position may be meant for another one, which is not given."""
    if name not in cls._expected and not any(one in kwargs for one in cls._expected):
        warn_caller(
            f"{cls.__name__}({value!r}): the first argument is {name}; write {name}={value!r}, or"
            f" {cls._expected[0]}={value!r}"
        )


@functools.lru_cache(512)
def _annotated(cls: Any) -> tuple[list[str], dict[str, str], set[str], set[str]]:
    """The arguments of a class in order, the kinds of numbers, the optional and required ones."""
    stated = {name: one for each in reversed(stated_by(cls)) for name, one in each.items()}
    names = list(_own_signature(cls).parameters)[1:]
    forms = {name: one.annotation for name, one in stated.items() if type(one.annotation) is str}
    plain = {name: form.removesuffix(OPTIONAL) for name, form in forms.items()}
    kinds = {name: NUMBER_FORMS[form] for name, form in plain.items() if form in NUMBER_FORMS}
    optional = {name for name, form in forms.items() if form != plain[name]}
    required = {name for name, one in stated.items() if one.default is one.empty}
    return names, kinds, optional, required


def _own_signature(cls: Any) -> inspect.Signature:
    """What a class takes after `self`, whatever is wrapped around by others."""
    init = cls.__init__
    return inspect.signature(getattr(init, "_plain", init), follow_wrapped=False)


def _check_call(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise if ``cls(*args, **kwargs)`` lacks an argument, repeats one or has too many."""
    if cls.__init__ is object.__init__:  # object.__init__ leaves the check to our `__new__`
        raise DTypeError(f"{cls.__name__} takes no arguments")
    signature = _own_signature(cls)
    try:
        signature.bind(None, *args, **kwargs)
        return
    except TypeError as error:
        reason = str(error)
    taken = parameters(cls)
    refuse(cls, [name for name in kwargs if name not in taken])
    own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD][1:]
    names = [one.name for one in own]
    given = {*names[: len(args)], *kwargs}
    needed = [
        one.name for one in own if one.default is one.empty and one.kind != one.VAR_POSITIONAL
    ]
    if missing := [name for name in needed if name not in given]:
        reason = f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    raise DTypeError(
        f"{cls.__name__}: {reason}; it takes {', '.join(names) or 'no arguments'}{example(cls)}"
    )
