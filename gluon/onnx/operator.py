"""ONNX's operators as operators of a symbol."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any

from .._core.arrays.base import DeviceArray
from .._core.arrays.context import current_context, standing_on
from .._core.arrays.through_host import through_host
from .._core.devices.common import Unimplemented
from .._core.engine.array import alias
from .._core.errors import CAUSES, ArgumentError, translated
from ..autograd import pause
from ..nd import NDArray
from ..symbol.naming import is_hidden
from ..symbol.node import GraphNode
from ..symbol.operator import OPERATORS, Operator
from . import attributes
from .functions import FUNCTIONS
from .functions.control import BODIES, flat
from .functions.table import Sequence, as_kind, as_np, made

#: The prefix of the names of these operators in symbol files.
PREFIX = "_onnx_"
#: Attributes that ONNX lacks: which inputs are given, and the number of outputs.
GIVEN, COUNT = "given", "outputs"
#: Operators whose result may be an optional value that is not there.
MAY_BE_EMPTY = ("Identity", "If", "Loop", "Optional", "Scan")
#: Inputs that ONNX lacks: their number.
OWN_INPUTS = {"DequantizeLinear": 3}
#: The names of several outputs; hidden, because no function takes them.
NAMES = "__names__"
#: The opset of the node's domain in the file that the node comes from.
OPSET = "__opset__"


class OnnxOperator(Operator):
    """An operator as ONNX defines it.

    Parameters
    ----------
    kind : str
        Its name in ONNX's files, with its domain if it has one.
    """

    kind: str

    def __init__(self, kind: str) -> None:
        super().__init__(PREFIX + kind, FUNCTIONS.get(kind, made))
        self.kind = kind
        self.auxiliary = ("input_mean", "input_var") if kind == "BatchNormalization" else ()

    @cached_property
    def signature(self) -> inspect.Signature:
        """The inputs by position, and the attributes by name."""
        return inspect.signature(self.function)

    @cached_property
    def places(self) -> tuple[str, ...] | None:
        """The names of the inputs; None if any number is taken."""
        found = self.signature.parameters.values()
        if any(one.kind is one.VAR_POSITIONAL for one in found):
            return None
        return tuple(one.name for one in found if one.kind is one.POSITIONAL_OR_KEYWORD)

    def takes(self, name: str) -> bool:
        """Whether there is an attribute of that name."""
        found = self.signature.parameters
        return name in found or any(one.kind is one.VAR_KEYWORD for one in found.values())

    @cached_property
    def variadic(self) -> str | None:
        """ONNX's operators are not called with keywords for arrays."""
        return "inputs"

    def read(self, attrs: Mapping[str, str]) -> dict[str, Any]:
        """The attributes, from their text."""
        found = {key: attributes.read(one) for key, one in attrs.items() if not is_hidden(key)}
        for key in found.keys() & BODIES:
            found[key]["symbol"] = flat(found[key]["symbol"])
        return found

    def input_names(self, values: Mapping[str, Any], given: int | None = None) -> list[str]:
        """The names of the given inputs."""
        places = values.get(GIVEN) or range(given or 0)
        if self.places is None or len(self.places) < len(places):
            return [f"x{k}" for k in places]
        return [self.places[k] for k in places]

    def outputs(self, values: Mapping[str, Any]) -> tuple[str, ...]:
        """The names of the results."""
        count = values.get(COUNT, 1)
        return ("output",) if count == 1 else tuple(f"output{k}" for k in range(count))

    def shapes(self, node: GraphNode, ins: Any, outs: Any) -> tuple[Any, Any]:
        """Infers nothing: ONNX's operators compute shapes from values when they run."""
        return ins, outs

    def dtypes(self, node: GraphNode, ins: Any, outs: Any) -> tuple[Any, Any]:
        """Infers nothing."""
        return ins, outs

    def bound(self, node: GraphNode) -> Callable[..., Any]:
        """The call of a node, as a function of arrays only."""
        values = dict(node.values)
        places, count = values.pop(GIVEN, None), values.get(COUNT, 1)
        if not self.takes(COUNT):
            values.pop(COUNT, None)
        function, name = self.function, f"{self.kind} {node.name!r}"
        asked = [k for k, one in enumerate(_output_names(node)) if one]
        may_be_empty = self.kind in MAY_BE_EMPTY
        states = [self.places.index(one) for one in self.auxiliary] if self.places else []

        def call(*arrays: Any) -> Any:
            kind = _kind(arrays)
            inputs = [as_np(one) for one in arrays]
            if places is not None:
                there = dict(zip(places, inputs))
                inputs = [there.get(k) for k in range(places[-1] + 1)] if places else []
            try:
                with _there(inputs):
                    found = function(*inputs, **values)
            except Unimplemented as error:
                found = through_host(name, function, inputs, values, error)
            except CAUSES as error:
                raise translated(error, f"{name}: {error}") from error
            except (AttributeError, KeyError) as error:  # None for an input, or a misspelled word
                raise ArgumentError(
                    f"{name}: an input or attribute is missing or unknown: {error}"
                ) from error
            for k in states:
                # the operator changed its argument, an alias
                if inputs[k].raw is not arrays[k].raw:
                    with pause():
                        arrays[k][...] = as_kind(kind, inputs[k])
            results = found[:count] if isinstance(found, tuple) else (found,)
            if len(results) < count:
                raise ArgumentError(f"{name}: {len(results)} results for {count} outputs")
            if not may_be_empty and any(results[k] is None for k in asked):
                raise ArgumentError(f"{name}: an output is empty, because an input is missing")
            return [as_kind(kind, one) for one in results]

        return call


def _output_names(node: GraphNode) -> list[str]:
    """Return the names of the outputs in the file, which are empty where nobody asks for one."""
    return attributes.read(node.attrs[NAMES]) if NAMES in node.attrs else [node.name]


def _there(inputs: list[Any]) -> AbstractContextManager[Any]:
    """What makes the device of the inputs the current one, where it is another."""
    ctx = next((one.context for one in inputs if isinstance(one, DeviceArray)), current_context())
    return standing_on(ctx)


def _kind(values: Iterable[Any]) -> type:
    """Return the class of the input arrays."""
    for one in values:
        if isinstance(one, Sequence):
            return _kind(one)
        if one is not None:
            return type(one)
    return NDArray


class Constant(OnnxOperator):
    """A value in a file that training does not change."""

    def __init__(self) -> None:
        super().__init__("Constant")

    def bound(self, node: GraphNode) -> Callable[..., Any]:
        """The value, made once."""
        value = as_kind(NDArray, made(node.values["value"]))
        is_text = value.form.dtype.kind in "OSU"

        def call() -> Any:
            here = value.context if is_text else current_context()
            return alias(value) if here == value.context else value.as_in_context(here)

        return call


def registered(kind: str) -> Operator:
    """The operator of that name in ONNX's files."""
    return OPERATORS[PREFIX + kind]


OPERATORS.update({PREFIX + kind: OnnxOperator(kind) for kind in FUNCTIONS})
OPERATORS[PREFIX + "Constant"] = Constant()
