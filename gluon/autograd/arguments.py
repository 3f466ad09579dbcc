"""The chosen arguments of a function as a list of arrays: of trees, or of arrays alone."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from operator import index
from typing import Any, Final

import numpy as np

from .._core import tree
from .._core.arrays import Context, interfaces
from .._core.arrays.context import device
from .._core.arrays.silence import silence_numpy
from .._core.engine.array import Array, wrap
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError, a_type, article

Arrays = Any  # an array, or a tuple or list of arrays
#: Stands for the positions of all arguments.
EVERY: Final = range(0)


def as_array(value: Any, ctx: Context | None = None) -> Any:
    """A number or NumPy array as an array of `gluon.np` on `ctx`; other values as they are."""
    if isinstance(value, (float, np.floating, np.ndarray)):
        silence_numpy()
        raw = np.array(value)
        if raw.dtype.kind not in "OUSMm":
            return wrap(interfaces.ndarray, raw, device(ctx))
    return value


def class_of(value: Any) -> str:
    """The class of a value that is not an array of gluon, for messages."""
    found = type(value)
    return "numpy.ndarray" if found is np.ndarray else found.__name__


def shown(value: Any) -> str:
    """A value that is not an array of gluon, for messages."""
    if isinstance(value, (str, int)):
        return f"{type(value).__name__} {value!r}"
    return class_of(value)


def check_variable(name: str, x: Any, what: str, give: str, whole: str) -> None:
    """Raise unless `what`, which is `whole` or stands in it, is an array of floats.

    `give` says what is taken.
    """
    if not isinstance(x, Array):
        give = "its data()" if hasattr(x, "list_data") else give
        raise DTypeError(
            f"{name}: {what} is {shown(x)}; give {give}, or leave {whole} out of argnums"
        )
    if x.form.dtype.kind in "biu":  # bfloat16 is of kind "V"
        raise DTypeError(
            f"{name}: {what}, of shape {x.shape}, has dtype {x.form.dtype}, which has no"
            f" derivative; leave {whole} out of argnums, or convert it with astype()"
        )


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


def places(
    name: str, argnums: Any, count: int, kind: str, hint: str = ""
) -> tuple[list[int], bool]:
    """The positions of the arguments to differentiate, and whether several were asked for.

    `kind` is what messages call an argument.
    """
    if argnums is EVERY and count:
        return list(range(count)), True
    single = hasattr(argnums, "__index__") and not isinstance(argnums, Array)
    try:
        chosen = [index(place) for place in ([argnums] if single else argnums)]
    except TypeError:
        raise DTypeError(
            f"{name}: argnums={argnums!r}; give the number of an {kind}, or several, as in"
            " argnums=(0, 1)"
        ) from None
    if not all(-count <= place < count for place in chosen):
        raise ArgumentError(
            f"{name}: argnums={argnums}, but the number of {hint and 'positional '}{kind}s is"
            f" {count}{hint}"
        )
    chosen = [place % count for place in chosen]
    if not chosen or len(set(chosen)) < len(chosen):
        found = f"got argnums={argnums}" if count else f"give them, as in {name}(function, x)"
        raise ArgumentError(f"{name}: choose at least one {kind}, and each only once; {found}")
    return chosen, not single


class Inputs:
    """The chosen inputs of a function, arrays; other inputs may be anything.

    Attributes
    ----------
    name : str
        The public function at work, for messages.
    arguments : list
        Of the function.
    places : list of int
        Which of them are chosen.
    many : bool
        Whether there is one result for each of these, or a single one.
    arrays : list of Array
        These.
    """

    def __init__(self, name: str, inputs: Arrays, argnums: Any = None) -> None:
        listed = isinstance(inputs, (tuple, list))
        self.name, self.arguments = name, list(inputs) if listed else [inputs]
        count = len(self.arguments)
        given = range(count) if argnums is None else argnums
        self.places, several = places(name, given, count, "input")
        self.many = listed if argnums is None else several
        self.arrays = [self.arguments[place] for place in self.places]
        for place, x in zip(self.places, self.arrays):
            check_variable(name, x, f"input {place}", "an array", "it")

    def filled(self, arrays: Sequence[Any]) -> list[Any]:
        """The arguments of the function with `arrays` in place of the chosen ones."""
        arguments = list(self.arguments)
        for place, x in zip(self.places, arrays):
            arguments[place] = x
        return arguments

    def shaped(self, results: Sequence[Any]) -> Any:
        """One result for each array, in the form in which the arrays were given."""
        return tuple(results) if self.many else results[0]

    def matched(self, given: Any, what: str) -> list[Any]:
        """`given` as a list of arrays, one like each of the chosen inputs."""
        return alike(f"{self.name}: {what}", given, self.arrays, self.many, "input")


def alike(what: str, given: Any, models: list[Any], many: bool, kind: str) -> list[Any]:
    """`given` as a list of arrays with the shapes and dtypes of `models`."""
    listed = isinstance(given, (tuple, list))
    arrays = list(given) if listed else [given]
    if len(arrays) != len(models) or (listed and not many):
        form = f"a tuple of {len(models)} arrays" if many else "one array"
        got = f"{len(arrays)} in {a_type(given)}" if listed else type(given).__name__
        raise ArgumentError(f"{what} must be {form}, one for each {kind}; got {got}")
    for place, (one, model) in enumerate(zip(arrays, models)):
        which = f"{what}[{place}]" if many else what
        if not isinstance(one, Array):
            raise DTypeError(f"{which} is {class_of(one)}; give an array")
        if one.shape != model.shape:
            raise ArgumentError(
                f"{which} has shape {one.shape}, but {kind} {place} has {model.shape}"
            )
    return [of_dtype(one, model.form.dtype) for one, model in zip(arrays, models)]


def of_dtype(x: Any, dtype: Any) -> Any:
    """An array, cast if it is of another dtype."""
    return x if x.form.dtype == dtype else ops.cast(x, dtype=dtype)


class Form:
    """The chosen arguments of a function of trees; `Inputs` is the same for arrays.

    Attributes
    ----------
    arrays : list of Array
        The leaves, arrays of floats.
    structures : list of Structure
        Of each chosen argument.
    """

    def __init__(
        self, name: str, function: Callable[..., Any], arguments: Sequence[Any], argnums: Any
    ) -> None:
        self.name, self.arguments = name, list(arguments)
        count, hint = len(self.arguments), "; they count from 0, without those given by name"
        self.places, self.many = places(name, argnums, count, "argument", hint)
        self.function = function
        self.structures: list[tree.Structure] = []
        self.arrays: list[Any] = []
        for place in self.places:
            leaves, structure = tree.flatten(self.arguments[place])
            self.structures.append(structure)
            self.arrays += leaves
        for x in self.arrays:
            if not isinstance(x, Array) or x.form.dtype.kind in "biu":
                self._convert()
                break
        if not self.arrays:
            first = labels(function, count)[self.places[0]]
            raise DTypeError(f"{name}: {first} has no leaf; give an array, or a tree of arrays")

    def _convert(self) -> None:
        """Take numbers and arrays of NumPy as arrays; raise for what has no derivative."""
        self.arrays = [as_array(one) for one in self.arrays]
        for x, path in zip(self.arrays, self.paths):
            check_variable(self.name, x, path, "a float or an array", "the argument")

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
            arguments[place] = structure._filled(given)
        return arguments

    def shaped(self, results: Sequence[Any]) -> Any:
        """One result for each leaf, in the form of the chosen argument or arguments."""
        given = iter(results)
        parts = [one._filled(given) for one in self.structures]
        return tuple(parts) if self.many else parts[0]

    def matched(self, given: Any, what: str) -> list[Any]:
        """The leaves of `given`, which is like the chosen argument or arguments: one array each."""
        parts = given if self.many else (given,)
        if not isinstance(parts, (tuple, list)) or len(parts) != len(self.structures):
            got = (
                f"{len(parts)} in {article(class_of(parts))}"
                if hasattr(parts, "__len__")
                else parts
            )
            raise ArgumentError(
                f"{self.name}: {what} must be a tuple of {len(self.structures)}, one for each"
                f" argument; got {got}"
            )
        found: list[Any] = []
        for place, (structure, part) in enumerate(zip(self.structures, parts)):
            if structure is tree.LEAF and isinstance(part, Array):
                found.append(part)
                continue
            label = f"{what}[{place}]" if self.many else what
            found += tree.matched(f"{self.name}: {label}", structure, part, "the argument")
        for x, y in zip(found, self.arrays):
            if not isinstance(x, Array) or x.shape != y.shape or x.form.dtype != y.form.dtype:
                break
        else:
            return found
        return [
            fitting(self.name, one, model, f"{what} for {path}")
            for one, model, path in zip(found, self.arrays, self.paths)
        ]


def fitting(name: str, value: Any, model: Any, what: str) -> Any:
    """`value` as an array of the shape and dtype of `model`."""
    x = as_array(float(value) if isinstance(value, int) else value, model.context)
    if not isinstance(x, Array):
        raise DTypeError(f"{name}: {what} is {shown(value)}; give an array")
    if x.shape != model.shape:
        raise ArgumentError(
            f"{name}: {what} has shape {x.shape}; it must have that of the value, {model.shape}"
        )
    return of_dtype(x, model.form.dtype)
