"""What a check computes: a recorded symbol, a block or a function, with names for its arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .. import nd
from ..block import Block
from ..engine.errors import ArgumentError, DTypeError
from ..nd import NDArray
from ..ndarray import Context
from ..symbol import Symbol

FLOATS = (np.float16, np.float32, np.float64)
POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Computation:
    """A function of named arrays that gives a list of arrays."""

    arguments: list[str]

    def __init__(
        self,
        arguments: Sequence[str],
        outputs: Sequence[str] | None,
        run: Callable[[dict[Any, Any]], Any],
    ) -> None:
        self.arguments, self._outputs, self._run = list(arguments), outputs, run

    def __call__(self, arrays: Mapping[str, NDArray]) -> list[NDArray]:
        """The outputs, from arrays by the names of the arguments."""
        results = self._run({name: arrays[name] for name in self.arguments})
        return list(results) if isinstance(results, (list, tuple)) else [results]

    def output_names(self, count: int) -> list[str]:
        """What the outputs are called, when there are `count`."""
        if self._outputs is not None:
            return list(self._outputs)
        return ["output"] if count == 1 else [f"output{k}" for k in range(count)]


def computation(sym: Any, location: Any) -> Computation:
    """What a check was given, as a `Computation`."""
    if not isinstance(location, (Mapping, list, tuple)):
        raise DTypeError(
            f"location is a {type(location).__name__}; give a list of arrays, or a dict of them"
            " by the names of the arguments"
        )
    if isinstance(sym, Computation):
        return sym
    if isinstance(sym, Symbol):
        return Computation(
            sym.list_arguments(), sym.list_outputs(), lambda arrays: sym._compute(**arrays)
        )
    names = list(location) if isinstance(location, Mapping) else None
    if isinstance(sym, Block):
        count = len(location)
        names = names or (["data"] if count == 1 else [f"data{k}" for k in range(count)])
        return Computation(names, None, lambda arrays: sym(*arrays.values()))
    if callable(sym):
        if names is not None:
            return Computation(names, None, lambda arrays: sym(**arrays))
        return Computation(
            _parameters(sym, len(location)), None, lambda arrays: sym(*arrays.values())
        )
    raise DTypeError(
        f"a check was given a {type(sym).__name__}; give what autograd.get_symbol returned, a"
        " Block, or a function of NDArrays such as lambda a, b: nd.dot(a, b). Symbols that are"
        " composed with mx.sym are planned"
    )


def _parameters(function: Callable, count: int) -> list[str]:
    """The names of the first `count` arguments of a function."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        parameters = ()  # type: ignore[assignment]
    names = [one.name for one in parameters if one.kind in POSITIONAL][:count]
    return names + [f"arg{k}" for k in range(len(names), count)]


def as_arrays(
    one: Computation, location: Any, ctx: Context | None, dtype: Any
) -> dict[str, NDArray]:
    """The arguments as NDArrays by name: those that are NumPy arrays get `dtype`."""
    if dtype != "asnumpy" and dtype not in FLOATS:
        raise DTypeError(
            f"dtype={dtype!r}: give numpy.float16, float32 or float64, or for the forward and"
            " backward checks 'asnumpy'"
        )
    if not isinstance(location, Mapping):
        if len(location) != len(one.arguments):
            raise ArgumentError(
                f"location has {len(location)} arrays; the arguments are {one.arguments}"
            )
        location = dict(zip(one.arguments, location))
    if set(location) != set(one.arguments):
        raise ArgumentError(
            "Symbol arguments and keys of the given location do not match: the arguments are"
            f" {sorted(one.arguments)}, the keys {sorted(location)}"
        )
    return {name: as_array(location[name], ctx, dtype) for name in one.arguments}


def as_array(value: Any, ctx: Context | None, dtype: Any) -> NDArray:
    """A copy of an NDArray, or an array of `dtype` with the values of anything else."""
    if isinstance(value, NDArray):
        return value.detach().copy()
    value = np.asarray(value)
    return nd.array(value, ctx=ctx, dtype=value.dtype if dtype == "asnumpy" else dtype)


def no_states(aux_states: Any) -> None:
    """Refuse auxiliary states: a recorded history, a block and a function have none to bind."""
    if aux_states:
        raise ArgumentError(
            "aux_states: recorded symbols, blocks and functions have no auxiliary states; a"
            " function gets such arrays as arguments, a Block keeps them as parameters"
        )
