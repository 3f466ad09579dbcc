"""Computations to check: a symbol, a block or a function, with argument names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .. import autograd, nd
from .._core.arrays import Context
from .._core.errors import ArgumentError, DTypeError, a_type
from ..block import Block
from ..nd import NDArray
from ..symbol import Symbol
from ..symbol.executor import Executor
from ..symbol.program import Program

FLOATS = (np.float16, np.float32, np.float64)
POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Computation:
    """A function of named arrays that returns a list of arrays."""

    arguments: list[str]

    def __init__(
        self,
        arguments: Sequence[str],
        outputs: Sequence[str] | None,
        run: Callable[[dict[Any, Any]], Any],
    ) -> None:
        self.arguments, self._outputs, self._run = list(arguments), outputs, run

    def __call__(self, arrays: Mapping[str, NDArray]) -> list[NDArray]:
        """Return the outputs, given arrays by argument name."""
        results = self._run({name: arrays[name] for name in self.arguments})
        return list(results) if isinstance(results, (list, tuple)) else [results]

    def output_names(self, count: int) -> list[str]:
        """The names of `count` outputs."""
        if self._outputs is not None:
            return list(self._outputs)
        return ["output"] if count == 1 else [f"output{k}" for k in range(count)]


def computation(
    sym: Any, location: Any, aux_states: Any = None, ctx: Context | None = None, dtype: Any = None
) -> Computation:
    """The argument of a check as a `Computation`, and the values of its auxiliary states."""
    if not isinstance(location, (Mapping, list, tuple)):
        raise DTypeError(
            f"location is {a_type(location)}; give a list of arrays, or a dict of them"
            " by the names of the arguments"
        )
    if isinstance(sym, Symbol):
        return _of_symbol(sym, _states(sym, aux_states, ctx, dtype or np.float32))
    if isinstance(sym, Executor):
        return _of_executor(sym, location, aux_states or {})
    no_states(aux_states)
    if isinstance(sym, Computation):
        return sym
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
        f"a check was given {a_type(sym)}; give a Symbol, a Block, or a function of"
        " NDArrays such as lambda a, b: nd.dot(a, b)"
    )


def _of_symbol(sym: Symbol, states: dict[str, NDArray]) -> Computation:
    """A symbol; every call begins with the same auxiliary states."""
    program = Program(sym._heads)

    def run(arrays: dict[Any, Any]) -> list[Any]:
        given = {**arrays, **{name: one.copy() for name, one in states.items()}}
        return program.run([given[name] for name in program.inputs])

    return Computation(sym.list_arguments(), sym.list_outputs(), run)


def _of_executor(executor: Executor, location: Any, states: Mapping[str, Any]) -> Computation:
    def run(arrays: dict[Any, Any]) -> list[Any]:
        executor.copy_params_from({}, states)
        return executor.forward(autograd.is_training(), **arrays)

    return Computation(list(location), executor._symbol.list_outputs(), run)


def _states(sym: Symbol, aux_states: Any, ctx: Context | None, dtype: Any) -> dict[str, NDArray]:
    """Return the auxiliary states of a symbol by name."""
    names = sym.list_auxiliary_states()
    given = aux_states or {}
    if not isinstance(given, Mapping):
        given = dict(zip(names, given))
    if set(given) != set(names):
        raise ArgumentError(
            "Symbol aux_states names and given aux_states do not match: the states are"
            f" {names}, the keys {sorted(given)}"
        )
    return {name: as_array(given[name], ctx, dtype) for name in names}


def _parameters(function: Callable, count: int) -> list[str]:
    """Return the names of the first `count` arguments of a function."""
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
    """Refuse auxiliary states: a block and a function have none to bind."""
    if aux_states:
        raise ArgumentError(
            "aux_states: blocks and functions have no auxiliary states; a function gets such"
            " arrays as arguments, a Block keeps them as parameters"
        )
