"""An operator for symbols: a public function of `gluon.nd` with the facts in its signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from .._core.engine.array import Array
from .._core.errors import ArgumentError
from .._core.faces.errors import named
from .._core.faces.text import Reader, hints, kinds, read, reader
from ..nd._update import REQUIRED
from .families import (
    AUXILIARY,
    LOSSES,
    MORE,
    MOST,
    NEEDED,
    OUTPUTS,
    TAKE_ANY,
    VALUES,
    WIDTHS,
    WITHOUT,
    hidden_outputs,
)
from .naming import is_hidden

#: Arguments of every function that do not belong to the operator.
NOT_ATTRIBUTES = ("out", "name", "num_args")
#: Required arguments that are neither arrays nor parsed from text.
NO_ARRAYS = (
    *("dtype", "stype", "indices_or_sections", "op_type"),
    *("eta", "etas", "lr", "lrs", "t", "wd", "wds"),
)


class Operator:
    """A function of arrays, with its name in MXNet's files.

    Parameters
    ----------
    name : str
    function : callable
        A function such as those of `gluon.nd`, whose annotations tell which arguments are arrays.
    """

    auxiliary: tuple[str, ...]
    #: The outputs of inner graphs: see `control`.
    subgraphs: tuple[list[Any], ...] = ()
    function: Callable[..., Any]
    name: str

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.name, self.function = name, function
        self.auxiliary = AUXILIARY.get(name, ())

    def needs_gradient(self) -> bool:
        """Whether a backward pass needs the gradient of the results; a loss does not need it."""
        return self.name not in LOSSES

    @cached_property
    def _parameters(self) -> dict[str, inspect.Parameter]:
        found = inspect.signature(self.function).parameters
        return {key: one for key, one in found.items() if key not in NOT_ATTRIBUTES}

    @cached_property
    def _hints(self) -> dict[str, Any]:
        return hints(inspect.unwrap(self.function))

    @cached_property
    def variadic(self) -> str | None:
        """The name of the argument that takes any number of arrays."""
        return next((k for k, p in self._parameters.items() if p.kind is p.VAR_POSITIONAL), None)

    @cached_property
    def arrays(self) -> tuple[str, ...]:
        """The names of the arguments that are arrays, in order."""
        return tuple(
            key
            for key, one in self._parameters.items()
            if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD) and self._is_array(key, one)
        )

    def _is_array(self, key: str, one: inspect.Parameter) -> bool:
        found = set(kinds(self._hints.get(key, Any)))
        if any(isinstance(kind, type) and issubclass(kind, Array) for kind in found):
            return True
        needed = one.default in (one.empty, REQUIRED) and key not in NO_ARRAYS
        return needed and reader(self._hints.get(key, Any)) is None and found == {Any}

    @cached_property
    def optional(self) -> frozenset[str]:
        """The arrays that may be left out of a call."""
        free = (key for key in self.arrays if self._parameters[key].default is None)
        return frozenset(free) - set(self.auxiliary)

    @cached_property
    def attributes(self) -> dict[str, Any]:
        """The other arguments with their defaults."""
        return {
            key: None if one.default is one.empty else one.default
            for key, one in self._parameters.items()
            if key not in self.arrays and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
        }

    @cached_property
    def counted(self) -> str | None:
        """The argument with the number of arrays, if any number is taken."""
        found = inspect.signature(self.function).parameters
        return "num_args" if self.variadic and "num_args" in found else None

    @cached_property
    def open(self) -> bool:
        """Whether it takes arguments of any name."""
        return any(one.kind is one.VAR_KEYWORD for one in self._parameters.values())

    @cached_property
    def takes_any(self) -> bool:
        """Whether MXNet ignores further arguments, which it still writes to files."""
        return not (self.attributes or self.variadic or self.open) or self.name in TAKE_ANY

    @cached_property
    def readers(self) -> dict[str, Reader]:
        """The readers of attributes that are not strings."""
        found = {key: reader(self._hints.get(key, Any)) for key in self.attributes}
        return {key: how for key, how in found.items() if how}

    def read(self, attrs: Mapping[str, str]) -> dict[str, Any]:
        """The arguments other than arrays, from their text; hidden attributes are skipped.

        Raises
        ------
        ArgumentError
            If the operator has no such argument, or the text is not a valid value.
        """
        values = {}
        for key, text in attrs.items():
            if is_hidden(key) or key in ("ctx", "num_args"):
                continue  # results are on the device of the inputs
            if key not in self.attributes and not self.open:
                if self.takes_any:
                    continue
                taken = ", ".join(self.attributes) or "none"
                raise ArgumentError(f"{self.name}: no argument {key!r}; there are {taken}")
            if key in self.readers:
                values[key] = found = read(self.readers[key], self.name, key, text)
                if isinstance(found, tuple) and len(found) > MOST:
                    raise ArgumentError(f"{self.name}: {key} has {len(found)} numbers, not {MOST}")
            elif self.name in VALUES and key in VALUES[self.name]:
                try:
                    values[key] = VALUES[self.name][key](text)
                except (ValueError, IndexError) as error:
                    reason = str(error) or "it is no value"
                    raise ArgumentError(f"{self.name}: {key}={text[:200]!r}: {reason}") from None
            else:
                values[key] = None if text == "None" else text
            if text == "None" and key in self._not_none:
                raise ArgumentError(f"{self.name}: {key} must not be None")
        return values

    @cached_property
    def _not_none(self) -> frozenset[str]:
        """The single values that have a type and a default, neither of which is None."""
        one = {key: set(kinds(self._hints.get(key, Any))) for key in self.attributes}
        others = (Any, type(None), tuple, list, Sequence)
        typed = {key for key, found in one.items() if found.isdisjoint(others)}
        return frozenset(key for key in typed if self.attributes[key] is not None)

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The arguments other than arrays that have no default."""
        found = self._parameters
        empty = (inspect.Parameter.empty, REQUIRED)
        needed = NEEDED.get(self.name, ())
        return tuple(
            k for k in self.attributes if k in needed or (k in found and found[k].default in empty)
        )

    def check_complete(self, values: Mapping[str, Any]) -> None:
        """Raise unless `values` has all required arguments."""
        if missing := [key for key in self.required if key not in values]:
            raise ArgumentError(f"{self.name}: the argument {missing[0]!r} is missing")

    def input_names(self, values: Mapping[str, Any], given: int | None = None) -> list[str]:
        """The names of the arrays that a call with these `values` takes.

        Parameters
        ----------
        values : dict
        given : int, optional
            Their number, if any number is taken.
        """
        if self.variadic:
            more = list(MORE[self.name](values)) if self.name in MORE else []
            count = given or 0
            return [f"arg{k}" for k in range(count - len(more))] + more
        rule = WITHOUT.get(self.name)
        left_out = rule({**self.attributes, **values}) if rule else self.optional
        return [key for key in self.arrays if key not in left_out]

    def outputs(self, values: Mapping[str, Any]) -> tuple[str, ...]:
        """The names of the results of a call with these `values`."""
        rule = OUTPUTS.get(self.name)
        if rule is None:
            return ("output",)
        try:
            return rule({**self.attributes, **values})
        except ArgumentError as error:
            raise named(error, self.name) from None

    def width(self, values: Mapping[str, Any]) -> int:
        """The number of results in MXNet, including hidden ones."""
        shown = len(self.outputs(values))
        hidden = hidden_outputs(self.name, {**self.attributes, **values})
        return max(shown, WIDTHS.get(self.name, hidden))

    def specialised(self, given: Mapping[str, Any], subgraphs: Any = ()) -> Operator:
        """The operator for a call with these arguments: for most operators, itself."""
        return self

    def moved(self, names: list[str]) -> set[int]:
        """The indices of the inputs that files mark as updated in training."""
        return {k for k, name in enumerate(names) if name in self.auxiliary}

    def bound(self, node: Any) -> Callable[..., Any]:
        """The call of a node, as a function of arrays only."""
        values, names = node.values, tuple(node.input_names)
        function = self.function
        if not self.variadic and names != self.arrays[: len(names)]:
            return lambda *arrays: function(**dict(zip(names, arrays)), **values)
        leading = list(self._parameters)[: len(names)]
        if not self.variadic and tuple(leading) != names:
            return lambda *arrays: function(**dict(zip(names, arrays)), **values)
        return partial(function, **values) if values else function

    def __repr__(self) -> str:
        return f"<Operator {self.name}>"


#: The operators by their names in files.
OPERATORS: dict[str, Operator] = {}
