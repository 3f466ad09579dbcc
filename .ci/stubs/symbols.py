"""The signatures of functions of symbols, read from the operators that they call."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

#: The arguments of every function of symbols.
NAMING = ["name: str | None = None", "attr: dict[str, str] | None = None"]


class Symbol:
    """What stands for an array in an annotation."""


class DTypeLike:
    """What stands for numpy.typing.DTypeLike in one."""


def typed(annotation: Any) -> str:
    """The text of an annotation; of one that is not plain, ``Any``."""
    origin = get_origin(annotation)
    if annotation in (None, type(None)):
        return "None"
    if isinstance(annotation, TypeVar):
        return typed(annotation.__bound__)
    if origin in (Union, UnionType):
        parts = dict.fromkeys(map(typed, get_args(annotation)))
        return "Any" if "Any" in parts else " | ".join(parts)
    if origin is Literal:
        return f"Literal[{', '.join(map(repr, get_args(annotation)))}]"
    if origin in (tuple, list) or getattr(origin, "__name__", "") == "Sequence":
        inner = ["..." if one is ... else typed(one) for one in get_args(annotation)]
        return f"{origin.__name__}[{', '.join(inner)}]"
    if annotation in (int, float, str, bool, tuple, list, Symbol, DTypeLike):
        return annotation.__name__
    return "Any"


def written(default: Any) -> str:
    """The text of a default value; of one that is not plain, ``...``."""
    plain = (int, float, str, bool, type(None))
    parts = default if isinstance(default, tuple) else (default,)
    return repr(default) if all(type(one) in plain for one in parts) else "..."


def hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The types of the arguments of a function of arrays, with `Symbol` for its arrays."""
    arrays = dict.fromkeys(("NDArray", "ndarray", "A", "Tensor"), Symbol)
    names = {**arrays, "ArrayLike": Any, "DTypeLike": DTypeLike}
    return get_type_hints(inspect.unwrap(function), localns=names)


def is_required(parameter: inspect.Parameter) -> bool:
    """Whether a call without it is an error."""
    from gluon.nd._update import REQUIRED

    return parameter.default is parameter.empty or parameter.default is REQUIRED


def of_operator(operator: Any, result: str, strict: bool = True, bound: bool = False) -> list[str]:
    """The signatures of a function that calls `operator`.

    Parameters
    ----------
    operator : gluon.symbol.operator.Operator
    result : str
        The type that it returns.
    strict : bool
        Whether arrays must be given; otherwise variables are created for those that are not.
    bound : bool
        Whether it is a method: its first array is the symbol itself.
    """
    types, known = hints(operator.function), operator._parameters
    first, data, needed, named, others = [], [], [], [], []
    for key in operator.arrays[bound:]:
        missing = not strict or key in operator.optional
        data.append((key, "Symbol | None" if missing else "Symbol", missing))
    for key in operator.attributes:
        parameter = known[key]
        text = f"{key}: {typed(types.get(key, Any))}"
        if operator.variadic or parameter.kind is parameter.KEYWORD_ONLY:
            named.append(
                text if is_required(parameter) else f"{text} = {written(parameter.default)}"
            )
        elif is_required(parameter):
            needed.append(text)
        else:
            others.append(f"{text} = {written(parameter.default)}")
    if bound:
        first = ["self: S"] if result == "S" else ["self"]
    if operator.variadic:
        named.insert(0, "num_args: int | None = None")
        forms = [[*first, f"*{operator.variadic}: Symbol | Sequence[Symbol]", *named]]
    else:
        free = [f"{key}: {kind}{' = None' * missing}" for key, kind, missing in data]
        forms = [[*first, *free, *others, "*", *named]]
        if needed:
            given = [f"{key}: Symbol" for key, *_ in data]
            forms = [[*first, *given, *needed, *others, "*", *named]]
            if free and not strict:
                forms.append([*first, "*", *free, *needed, *others, *named])
    more = ["**kwargs: Any"] if operator.open else []
    return [f"({', '.join([*form, *NAMING, *more])}) -> {result}" for form in forms]


def forms(value: Callable[..., Any], owner: str) -> list[str] | None:
    """The signatures of a function that was made, or of a method of `owner`.

    None if it is a function of the source under another name.
    """
    if not value.__closure__:
        return None
    from gluon.symbol.calls import operator as found

    inside = inspect.getclosurevars(value).nonlocals
    result = "S" if owner == "Methods" else "NpSymbol"
    if "operator" in inside:  # by `compose`
        return of_operator(inside["operator"], "Symbol", strict=False)
    if "own" in inside:  # by `function`
        return of_operator(inside["own"], result, bound=bool(owner))
    if {*inside} == {"name", "hint"}:  # by `_method`
        return of_operator(found(inside["name"]), result, bound=True)
    if owner and not inside.keys().isdisjoint(("both", "hints", "how")):  # an operator of Python
        own = "self: S" if result == "S" else "self"
        return [f"({own}, other: Symbol | float) -> {result}"]
    if "both" in inside:  # by `pair`
        values = [f"{key}: Symbol | float" for key in ("x1", "x2")]
        return [f"({', '.join([*values, 'out: None = None', '*', *NAMING])}) -> NpSymbol"]
    if "of_two" in inside:  # by `_broadcast`
        values = [f"{key}: Symbol | float" for key in ("lhs", "rhs")]
        return [f"({', '.join([*values, NAMING[0]])}) -> Symbol"]
    return None
