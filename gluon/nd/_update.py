"""Shared parts of the optimizer steps among `nd` functions: ``out=``, and forms for many weights.

Each takes its arrays and settings by place or by name. It works on ``out`` where that is the
weight itself, and else on a copy of the weight.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from .._core.arrays.rebind import is_recorded
from .._core.arrays.storage import seat
from .._core.engine import inplace
from .._core.engine.array import Array, wrap
from .._core.errors import ArgumentError, DTypeError, a_type
from .._core.faces.docs import entry, in_source
from .._core.faces.kinds import KINDS, Kind
from .._core.faces.parameters import OF_STEPS
from .._core.faces.prototype import T
from .._core.faces.text import readers
from .._core.ops.optimizer import Step
from ._public import INTS, public, write


class Required:
    """The default of a required argument that follows an optional one in MXNet's order."""

    def __repr__(self) -> str:
        return "required"


REQUIRED: Any = Required()
#: Maps the name of a list to the name of the argument for its items.
LISTS = {
    "weights": "weight",
    "grads": "grad",
    "mean": "mean",
    "var": "var",
    "weights32": "weight32",
    "step_count": "t",
    "lrs": "lr",
    "wds": "wd",
    "etas": "eta",
}
PLURALS = {one: many for many, one in LISTS.items()}
#: The types that `public` converts to numbers or rejects.
PLAIN = (float, int, str, type(None), np.generic)
LIST = "list of NDArray of the shapes and dtypes of the weights"
END = """
    out : NDArray of the shape and dtype of `weight`, optional
        Where to write the result; usually `weight` itself.
    name : str, optional
        Ignored; symbols use it in MXNet.

    Returns
    -------
    {returns}

    Raises
    ------
    ArgumentError
        If shapes differ, or a setting is out of range.
    DTypeError
        If an argument is missing or unknown, or an array is not an NDArray of a floating dtype.
"""


def operator(
    function: Callable[..., Any],
    returns: str = "NDArray of the shape and dtype of `weight`",
    kind: Kind = "",
) -> Callable[[T], T]:
    """Let `function` do the work of the operator that is defined below.

    Its signature and its docstring, a summary and examples, are those of the definition; one has
    no default, or `REQUIRED`, where an argument must be given.

    Parameters
    ----------
    function : callable
        Gets all arguments but ``name`` by name, and ``out`` as ``into``.
    returns : str, optional
        For the docstring.
    kind : str, optional
        See `Kind`.
    """

    def made(like: T) -> T:
        signature = inspect.signature(like)
        shown = inspect.Signature(
            [p.replace(annotation=p.empty) for p in signature.parameters.values()]
        )
        name = function.__name__ = like.__name__
        named = public(function, like)  # errors name the operator

        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                given = signature.bind(*args, **kwargs)
            except TypeError as error:
                raise DTypeError(f"{name}: {error}; it takes {shown}") from None
            given.apply_defaults()
            found = readers(like)
            for key, value in given.arguments.items():
                if value is REQUIRED:
                    raise DTypeError(f"{name}: {key} is missing; it takes {shown}")
                if key in found and not isinstance(value, PLAIN) and not found[key].accepts(value):
                    kind = a_type(value)  # raised before any write
                    raise DTypeError(f"{name}: {key} is {kind}; it must be {found[key].kind}")
            del given.arguments["name"]
            return named(into=given.arguments.pop("out"), **given.arguments)

        functools.update_wrapper(call, like)
        call.__doc__ = _documented(name, signature, in_source(like), returns)
        KINDS[call] = kind
        return cast(T, call)

    return made


def _documented(name: str, signature: inspect.Signature, doc: str, returns: str) -> str:
    text, _, examples = doc.partition("Examples\n")
    lines = [text.rstrip(), "", "    Parameters", "    ----------"]
    for key, one in signature.parameters.items():
        if key in ("out", "name"):
            continue  # described at the end
        stars = "*" if one.kind is one.VAR_POSITIONAL else ""
        text = OF_STEPS.get(f"{name}.{stars}{key}") or OF_STEPS[stars + key]
        kind, _, meaning = text.partition("\n")
        if "weights" in signature.parameters and kind.startswith("NDArray"):
            kind, meaning = f"list of {kind}", f"One for each weight. {meaning}"
        if one.default not in (one.empty, REQUIRED):
            kind += f", default {one.default}"
        lines.append(entry(stars + key, f"{kind}\n{meaning}".rstrip()))
    return "\n".join(lines) + f"{END.format(returns=returns)}\n    Examples\n{examples}\n    "


# -------------------------------------------------------------------- where the result goes


def placed(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make `function`, which writes to ``weight``, accept ``into``, another target."""

    def call(into: Any, weight: Any, **given: Any) -> Any:
        if not isinstance(weight, Array):
            raise DTypeError(f"weight is {a_type(weight)}, it must be an NDArray")
        if into is weight and not is_recorded(weight):
            function(weight=weight, **given)
            return weight
        if weight._is_sparse:  # type: ignore[attr-defined]
            target: Any = seat(weight.held.copy(), weight._ctx)
        else:
            target = wrap(type(weight), weight.raw.copy(), weight._ctx)
        function(weight=target, **given)
        return target if into is None else write(into, target, call.__name__)

    return call


def returned(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make `function`, which returns a result, accept ``into``, an array to write it to."""

    def call(into: Any, **given: Any) -> Any:
        result = function(**given)
        return result if into is None else write(into, result, call.__name__)

    return call


def each(
    base: Callable[..., Any], into: Any, lists: dict[str, Any], settings: dict[str, Any]
) -> Any:
    """Call `base` for each weight.

    Parameters
    ----------
    base : callable
        An operator made here.
    into : list of NDArray, NDArray or None
        Where to write the new weights.
    lists : dict
        By the name of the argument, what each weight has its own of; the weights first.
    settings : dict
        The arguments that all weights share.
    """
    count = len(next(iter(lists.values())))
    outs = into if isinstance(into, (list, tuple)) else [into] * (count if into is None else 1)
    lists = {**lists, "out": outs}
    for name, values in lists.items():
        shown = PLURALS.get(name, name)
        if not isinstance(values, (list, tuple)):
            raise DTypeError(f"{shown} must be a list, not {a_type(values)}")
        if len(values) != count:
            raise ArgumentError(f"got {len(values)} {shown} for {count} weights")
    found = [base(**dict(zip(lists, one)), **settings) for one in zip(*lists.values())]
    return found if into is None else into


def number(name: str, value: Any) -> float:
    """Return `value`, a number or an array of one, as a number."""
    if not isinstance(value, Array):
        return float(value)
    if value.form.size != 1:
        raise ArgumentError(f"{name} has shape {value.shape}; it must be one number")
    return float(value.raw.item())


# ---------------------------------------------------------------------- kinds of operators


def update(step: Step, renamed: dict[str, str] | None = None) -> Callable[[T], T]:
    """Create the operator for `step`; MXNet renames some settings and adds others."""
    adapted = (returned if "weight" in step.reads else placed)(taking(step, renamed or {}))
    return operator(adapted, kind="alike")


def taking(step: Step, renamed: dict[str, str]) -> Callable[..., Any]:
    """Call `step` with its arrays and settings by name; ignore others."""

    def function(**given: Any) -> Any:
        settings = {key: given[renamed.get(key, key)] for key in step.settings}
        arrays = tuple([given[key] for key in step.arrays])
        if any(getattr(x, "_is_sparse", False) for x in arrays):
            lazy = given.get("lazy_update", True)
            return step.stored(arrays, settings, lazy, arrays[0].stype)
        return step(*arrays, **settings)

    return function


def halved(base: Callable[..., Any]) -> Callable[..., Any]:
    """Run `base` on ``weight32``, and copy the result to ``weight``, of lower precision."""

    def function(weight: Any, weight32: Any, **given: Any) -> None:
        same_shape(weight, weight32)
        base(weight=weight32, out=weight32, **given)
        inplace.write(weight, ..., weight32.raw)

    return function


def same_shape(weight: Any, weight32: Any) -> None:
    """Raise unless both have the same shape."""
    if weight.shape != weight32.shape:
        raise ArgumentError(
            f"weight32 has shape {weight32.shape}, the weight {weight.shape}; they must be equal"
        )


def mixed(base: Callable[..., Any]) -> Callable[[T], T]:
    """Create the float16 form of `base`: it updates ``weight32``, and copies that to the weight."""
    return operator(placed(halved(base)), kind="alike")


def over_many(base: Callable[..., Any]) -> Callable[[T], T]:
    """Create the form of `base` for many weights: their arrays in turn, and lists of numbers."""
    names = list(inspect.signature(base).parameters)
    names = names[: names.index("lr")]

    def function(
        into: Any, data: tuple[Any, ...], lrs: Any, wds: Any, num_weights: int, **given: Any
    ) -> Any:
        width = len(names)
        if len(data) != width * num_weights:
            raise ArgumentError(
                f"takes {', '.join(names)} for each of num_weights={num_weights} weights,"
                f" {width * num_weights} arrays; got {len(data)}"
            )
        arrays = {key: data[k::width] for k, key in enumerate(names)}
        return each(base, into, {**arrays, "lr": lrs, "wd": wds}, given)

    return operator(function, LIST)


def preloaded(base: Callable[..., Any]) -> Callable[[T], T]:
    """Change `base`, made by `over_many`, to take the lists of numbers as the last two arrays."""

    def function(into: Any, data: tuple[Any, ...], **given: Any) -> Any:
        if len(data) < 2:
            raise ArgumentError("the last two arrays are the learning rates and the decays")
        lrs, wds = (one.raw.ravel().tolist() for one in data[-2:])
        return base(*data[:-2], lrs=lrs, wds=wds, out=into, **given)

    return operator(function, LIST)


def listed(base: Callable[..., Any], count: str) -> Callable[[T], T]:
    """Create the form of `base` for many weights, with lists of arrays and numbers.

    Parameters
    ----------
    base : callable
    count : str
        The argument that says how many weights there are, 0 for all.
    """

    def function(into: Any, **given: Any) -> Any:
        found = {LISTS[key]: given.pop(key) for key in [*given] if key in LISTS}
        declared = given.pop(count)
        if not isinstance(declared, INTS):
            raise DTypeError(f"{count} must be an integer, not {a_type(declared)}")
        if declared and declared != len(found["weight"]):
            raise ArgumentError(f"{count}={declared}, but got {len(found['weight'])} weights")
        return each(base, into, found, given)

    return operator(function, LIST)
