"""Where a function of trees is differentiated: its arguments, some leaves of them variables."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from operator import index
from typing import Any

import numpy as np

from .._core import tree
from .._core.arrays import interfaces
from .._core.engine.array import Array, alias, wrap
from .._core.engine.mode import mode
from .._core.engine.op import RECORDED as ops
from .._core.engine.tape import Tape
from .._core.errors import ArgumentError, DTypeError
from .._core.scopes import scope
from .._core.transforms.forward import variable
from ._derivatives import class_of, outputs_of, pull


def as_array(value: Any) -> Any:
    """A number or NumPy array as an array of `gluon.np`; other values as they are."""
    if isinstance(value, (float, np.floating, np.ndarray)):
        raw = np.array(value)
        return wrap(interfaces.ndarray, raw) if raw.dtype.kind not in "OUSMm" else value
    return value


def check_leaf(name: str, x: Any, path: str) -> None:
    """Raise unless the leaf at `path` is an array of floats."""
    if not isinstance(x, Array):
        raise DTypeError(
            f"{name}: {path} is {_shown(x)}, which has no derivative; give an array of floats,"
            " or leave the argument out of argnums"
        )
    if x.raw.dtype.kind in "biu":
        raise DTypeError(
            f"{name}: {path}, of shape {x.raw.shape}, has dtype {x.raw.dtype}, which has no"
            " derivative; leave the argument out of argnums, or convert it with astype()"
        )


def _shown(value: Any) -> str:
    if isinstance(value, (str, int)):
        return f"{type(value).__name__} {value!r}"
    return class_of(value)


def labels(function: Callable[..., Any], count: int) -> list[str]:
    """What the positional arguments of a function are called, for paths."""
    try:
        given = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # of C, without a signature
        given = []
    found = [
        one.name for one in given if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    return [found[k] if k < len(found) else f"argument {k}" for k in range(count)]


def places(name: str, argnums: Any, count: int) -> tuple[list[int], bool]:
    """The positions of the arguments to differentiate, and whether several were asked for."""
    single = hasattr(argnums, "__index__") and not isinstance(argnums, Array)
    try:
        chosen = [index(place) for place in ([argnums] if single else argnums)]
    except TypeError:
        raise DTypeError(
            f"{name}: argnums={argnums!r}; give the number of an argument, or several"
        ) from None
    if not all(-count <= place < count for place in chosen):
        raise ArgumentError(
            f"{name}: argnums={argnums}, but the number of positional arguments is {count}; pass"
            " those to differentiate by position"
        )
    chosen = [place % count for place in chosen]
    if not chosen or len(set(chosen)) < len(chosen):
        raise ArgumentError(
            f"{name}: choose at least one argument, and each only once; got argnums={argnums}"
        )
    return chosen, not single


class Form:
    """The chosen arguments of a function as a list of leaves.

    Attributes
    ----------
    arrays : list of Array
        The leaves, arrays of floats.
    structure : Structure
        Of the chosen argument, or of a tuple of the chosen ones.
    """

    def __init__(
        self, name: str, function: Callable[..., Any], arguments: Sequence[Any], argnums: Any
    ) -> None:
        if not callable(function):
            raise DTypeError(f"{name}: give a function, not {type(function).__name__}")
        self.name, self.arguments = name, list(arguments)
        self.places, self.many = places(name, argnums, len(self.arguments))
        self.function = function
        self.structures: list[tree.Structure] = []
        self.arrays: list[Any] = []
        for place in self.places:
            leaves, structure = tree.flatten(self.arguments[place])
            self.structures.append(structure)
            self.arrays += [as_array(one) for one in leaves]
        if not all(isinstance(x, Array) and x.raw.dtype.kind not in "biu" for x in self.arrays):
            for x, path in zip(self.arrays, self.paths):
                check_leaf(name, x, path)
        if not self.arrays:
            first = labels(function, len(self.arguments))[self.places[0]]
            raise DTypeError(f"{name}: {first} has no leaf; give an array, or a tree of arrays")

    @property
    def paths(self) -> list[str]:
        """Where each leaf stands, such as ``params['w'][0]``."""
        called = labels(self.function, len(self.arguments))  # slow, and for messages alone
        return [
            called[place] + path
            for place, structure in zip(self.places, self.structures)
            for path in structure.paths
        ]

    def filled(self, leaves: Sequence[Any]) -> list[Any]:
        """The arguments of the function with `leaves` in place of those of the chosen ones."""
        arguments = list(self.arguments)
        given = iter(leaves)
        for place, structure in zip(self.places, self.structures):
            arguments[place] = structure.unflatten([next(given) for _ in structure.paths])
        return arguments

    def shaped(self, results: Sequence[Any]) -> Any:
        """One result for each leaf, in the form of the chosen argument or arguments."""
        given = iter(results)
        parts = [one.unflatten([next(given) for _ in one.paths]) for one in self.structures]
        return tuple(parts) if self.many else parts[0]

    def matched(self, given: Any, what: str) -> list[Any]:
        """The leaves of `given`, which is like the chosen argument or arguments: one array each."""
        parts = given if self.many else (given,)
        if not isinstance(parts, (tuple, list)) or len(parts) != len(self.structures):
            got = f"{len(parts)} in a {class_of(parts)}" if hasattr(parts, "__len__") else parts
            raise ArgumentError(
                f"{self.name}: {what} must be a tuple of {len(self.structures)}, one for each"
                f" argument; got {got}"
            )
        found: list[Any] = []
        for place, (structure, part) in enumerate(zip(self.structures, parts)):
            label = f"{what}[{place}]" if self.many else what
            found += tree.matched(f"{self.name}: {label}", structure, part, "the argument")
        if all(
            isinstance(x, Array) and x.raw.shape == y.raw.shape and x.raw.dtype == y.raw.dtype
            for x, y in zip(found, self.arrays)
        ):
            return found
        return [
            fitting(self.name, one, model, f"{what} for {path}")
            for one, model, path in zip(found, self.arrays, self.paths)
        ]


def fitting(name: str, value: Any, model: Array, what: str) -> Any:
    """`value` as an array of the shape and dtype of `model`."""
    x = as_array(float(value) if isinstance(value, int) else value)
    if not isinstance(x, Array):
        raise DTypeError(f"{name}: {what} is {_shown(value)}; give an array")
    if x.raw.shape != model.raw.shape:
        raise ArgumentError(
            f"{name}: {what} has shape {x.raw.shape}; it must have that of the value,"
            f" {model.raw.shape}"
        )
    return x if x.raw.dtype == model.raw.dtype else ops.cast(x, dtype=model.raw.dtype)


def without(tape: Tape, x: Any) -> Any:
    """An array without history that only `tape` or closed tapes recorded."""
    tapes = x._node.tapes
    if not tapes or any(one.open and one is not tape for one in tapes):
        return x
    return wrap(type(x), x.raw, x._ctx, mode().blank)


class Outputs:
    """What a function returned, as a list of arrays that can have a derivative."""

    def __init__(self, name: str, value: Any, has_aux: bool) -> None:
        self.aux: Any = None
        if has_aux:
            if not isinstance(value, (tuple, list)) or len(value) != 2:
                raise DTypeError(
                    f"{name}: with has_aux=True the function must return a pair, its value and"
                    f" anything else; it returned {class_of(value)}"
                )
            value, self.aux = value
        leaves, self.structure = tree.flatten(value)
        for path, one in zip(self.structure.paths, leaves):
            if not isinstance(one, Array) and path:
                raise DTypeError(
                    f"{name}: output{path} of the function is {class_of(one)}; return arrays"
                    " computed from the inputs, and anything else with has_aux=True"
                )
        self.name, self.heads = name, outputs_of(name, leaves)

    def value(self, tape: Tape) -> Any:
        """The function's result, without history that only `tape` or closed tapes recorded."""
        return self.structure.unflatten([without(tape, one) for one in self.heads])

    def rest(self, tape: Tape) -> Any:
        """The additional result of the function (`has_aux`), without the same history."""
        return tree.map(lambda one: without(tape, one) if isinstance(one, Array) else one, self.aux)

    def scalar(self) -> Array:
        """The only head, which has one value."""
        if len(self.heads) == 1 and self.heads[0].raw.size == 1:
            return self.heads[0]
        shapes = ", ".join(str(y.raw.shape) for y in self.heads) or "no array"
        raise ArgumentError(
            f"{self.name}: the function returned shape {shapes}; it must return a single value, so"
            " sum it, or use jacrev()"
        )

    def matched(self, given: Any, what: str) -> list[Any]:
        """The leaves of `given`, one like each head."""
        leaves = tree.matched(f"{self.name}: {what}", self.structure, given, "the output")
        return [
            fitting(self.name, one, head, f"{what}{path}")
            for one, head, path in zip(leaves, self.heads, self.structure.paths)
        ]


class Recorded:
    """A function recorded at a point, by a separate tape that tracks its variables.

    Used in a ``with`` block, which closes the tape at its end.
    """

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        arguments: Sequence[Any],
        keywords: dict[str, Any],
        argnums: Any,
        has_aux: bool = False,
        kind: Callable[[tuple[Tape, ...]], Tape] = Tape,
    ) -> None:
        self.form = Form(name, function, arguments, argnums)
        self.tape = kind(mode().tapes)
        self.variables = [variable(x, self.tape) for x in self.form.arrays]
        self.called = name, function, keywords, has_aux

    def run(self) -> None:
        """Call the function."""
        name, function, keywords, has_aux = self.called
        filled = self.form.filled([alias(x) for x in self.variables])  # it may write to them
        with scope(lambda now, entry: now.recorded_by((*now.tapes, self.tape), entry=entry)):
            value = function(*filled, **keywords)
        self.outputs = Outputs(name, value, has_aux)

    def __enter__(self) -> Recorded:
        try:
            self.run()
        except BaseException:
            self.tape.open = False
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        self.tape.open = False

    def pull(self, cotangents: list[Any]) -> list[Any]:
        """The gradient of each leaf, given those of the heads."""
        return pull(self.tape, self.outputs.heads, cotangents, self.variables)

    @property
    def value(self) -> Any:
        """The function's result, without history that only this tape recorded."""
        return self.outputs.value(self.tape)

    @property
    def rest(self) -> Any:
        """The additional result of the function (`has_aux`), without the same history."""
        return self.outputs.rest(self.tape)
