"""The recorded history of an array as a symbol: `get_symbol`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .._core.arrays.base import as_list
from .._core.engine.array import Array
from .._core.engine.backward import why_not
from .._core.engine.mode import mode, under
from .._core.engine.node import Blank, Node
from .._core.engine.op import Op
from .._core.engine.pull import OUTPUT, PASS, ZERO_SOURCES
from .._core.engine.tape import RECORDING
from .._core.errors import AutogradError, DTypeError
from .._core.faces.text import written
from .._core.program.pair import Pair
from .._core.refusals import released
from ..nd import zeros
from .node import Entry
from .node import GraphNode as Made
from .operator import Operator
from .shapes import full
from .symbol import Symbol

#: Operators with another name in MXNet's JSON; those with a number have a name per side.
JSON_NAMES = {
    "add": "broadcast_add",
    "subtract": "broadcast_sub",
    "multiply": "broadcast_mul",
    "divide": "broadcast_div",
    "power": "broadcast_power",
    "mod": "broadcast_mod",
    "maximum": "broadcast_maximum",
    "minimum": "broadcast_minimum",
    "hypot": "broadcast_hypot",
    "cast": "Cast",
    "reshape": "Reshape",
    "concat": "Concat",
    "split": "SliceChannel",
    "fully_connected": "FullyConnected",
    "convolution": "Convolution",
    "deconvolution": "Deconvolution",
    "pooling": "Pooling",
    "batch_norm": "BatchNorm",
    "layer_norm": "LayerNorm",
}
NUMBER_NAMES = {
    "add": ("_plus_scalar", "_plus_scalar"),
    "subtract": ("_rminus_scalar", "_minus_scalar"),
    "multiply": ("_mul_scalar", "_mul_scalar"),
    "divide": ("_rdiv_scalar", "_div_scalar"),
    "power": ("_rpower_scalar", "_power_scalar"),
    "mod": ("_rmod_scalar", "_mod_scalar"),
    "maximum": ("_maximum_scalar", "_maximum_scalar"),
    "minimum": ("_minimum_scalar", "_minimum_scalar"),
    "hypot": ("_hypot_scalar", "_hypot_scalar"),
}
#: Attributes with another name in MXNet's JSON.
JSON_ATTRIBUTES = {
    "Concat": {"axis": "dim"},
    "SliceChannel": {"sections": "num_outputs"},
}


class Recorded(Operator):
    """A recorded operator, as the operator of a node.

    Parameters
    ----------
    name : str
        Its name in MXNet's JSON.
    attrs : dict of str to object
    inputs : list of str
        The names of the inputs.
    width : int
        The number of outputs.
    run : callable
        ``run(*inputs)`` computes the step again.
    """

    def __init__(
        self,
        name: str,
        attrs: dict[str, Any],
        inputs: list[str],
        width: int,
        run: Callable[..., Any],
    ) -> None:
        super().__init__(name, run)
        self.auxiliary, self.variadic, self.attributes = (), "args", attrs
        self._inputs, self._width = inputs, width

    def read(self, attrs: Any) -> dict[str, Any]:
        """The arguments, as they were recorded."""
        return self.attributes

    def input_names(self, values: Any, given: int | None = None) -> list[str]:
        """A name for each input."""
        return self._inputs

    def outputs(self, values: Any) -> tuple[str, ...]:
        """The names of the outputs."""
        if self._width == 1:
            return ("output",)
        return tuple(f"output{k}" for k in range(self._width))

    def width(self, values: Any) -> int:
        """The number of outputs."""
        return self._width

    def bound(self, node: Any) -> Callable[..., Any]:
        """The call that computes the step again."""
        return self.function

    def shapes(self, node: Any, ins: Any, outs: Any) -> tuple[Any, Any]:
        """Infer shapes by computing the step again with zeros."""
        if not all(map(full, ins)):
            return ins, outs
        with np.errstate(all="ignore"):
            found = under(mode().paused(False), self.function, *map(zeros, ins))
        return ins, [one.shape for one in as_list(found)][: self._width]


def get_symbol(x: Any) -> Symbol:
    """The recorded history of an array.

    Parameters
    ----------
    x : NDArray of any shape and dtype
        A recorded array whose graph no backward pass has released.

    Returns
    -------
    Symbol

    Raises
    ------
    AutogradError
        If `x` has no recorded history, or it was released; the message says why.
    TypeError
        If `x` is not an array.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x = nd.array([1, 2])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = nd.exp(x) * 2
    >>> autograd.get_symbol(y).list_arguments()
    ['var0']
    """
    if not isinstance(x, Array):
        raise DTypeError(f"get_symbol: give an NDArray, not {type(x).__name__}")
    if isinstance(x._node, Blank):
        raise AutogradError(f"no history of an array of shape {x.shape}: {why_not(x)}")
    return _Reader(x.shape).read(x._node)


class _Reader:
    """Converts a graph of nodes to steps, inputs first, without recursion."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        self.found: dict[Any, Made] = {}
        self.called: dict[Node, list[Node]] = {}  # by a program, what its calls are one by one
        self.arguments = self.operators = 0

    def read(self, head: Node) -> Symbol:
        maker, output = self.maker(head)
        stack: list[Any] = [maker]
        while stack:
            one = stack[-1]
            if one in self.found:
                stack.pop()
            elif isinstance(one, tuple):
                self.found[one] = self.argument()
            elif one.edges is None:
                raise released(one, self.shape)
            elif waiting := [one for _, one, _ in self.inputs(one) if one not in self.found]:
                stack += reversed(waiting)
            else:
                self.found[one] = self.add(one)
        return Symbol([Entry(self.found[maker], output)])

    def add(self, node: Node) -> Made:
        if node.op is PASS and not node.edges:
            return self.argument(getattr(node, "shape", None))
        given = self.inputs(node)
        inputs = [Entry(self.found[source], output) for _, source, output in given]
        json_name, attrs, run = _describe(node)
        width = node.width if getattr(node.op, "many", False) else 1
        shown = _json_attributes(json_name, attrs, len(inputs))
        name = f"node_{self.operators}"
        self.operators += 1
        called = [name for name, _, _ in given]
        return Made(Recorded(json_name, attrs, called, width, run), name, shown, inputs)

    def maker(self, node: Node) -> tuple[Node, int]:
        """The node of the operator, and which of its outputs `node` stands for.

        The calls of a program are done again one by one.
        """
        if node.op is ZERO_SOURCES and node.edges:
            node = node.edges[0]
        output = 0
        if node.op is OUTPUT:
            (node,), output = node.edges or (node,), node.attrs  # itself if it was released
        if isinstance(node.op, Pair) and node.edges is not None:
            if node not in self.called:
                self.called[node] = node.kept.again.run(node.op, node.kept.arrays, RECORDING)
            return self.maker(self.called[node][output])
        return node, output

    def inputs(self, node: Node) -> list[tuple[str, Any, int]]:
        """For each input array: its name, the node that computed it, and the number of the output.

        In the place of a node, an array that nobody tracked has its own place among the inputs.
        """
        attrs = getattr(node, "attrs", ())
        return [
            (name, (node, place), 0) if edge is None else (name, *self.maker(edge))
            for place, (name, edge) in enumerate(zip(_names(node), node.edges or ()))
            if name not in attrs
        ]

    def argument(self, shape: tuple[int, ...] | None = None) -> Made:
        attrs = {} if shape is None else {"__shape__": written(shape)}
        self.arguments += 1
        return Made(None, f"var{self.arguments - 1}", attrs)


def _json_attributes(op: str, recorded: dict[str, Any], inputs: int) -> dict[str, str]:
    """Return the attributes as strings under MXNet's names, without those that are None."""
    names = JSON_ATTRIBUTES.get(op, {})
    attrs = {
        names.get(key, key): written(value)
        for key, value in recorded.items()
        if value is not None and key != "at_least_1d"
    }
    if op in ("Concat", "stack"):
        attrs["num_args"] = str(inputs)
    return attrs


def _names(node: Node) -> Sequence[str]:
    """Return the names of a node's inputs, if it has any."""
    names = getattr(node.op, "inputs", ())
    edges = node.edges or ()
    whole = len(names) >= len(edges) and names
    return names if whole else [f"arg{k}" for k in range(len(edges))]


def _describe(node: Node) -> tuple[str, dict[str, Any], Callable]:
    """Return the name in JSON, the attributes, and a function that repeats the step."""
    op = node.op
    attrs = dict(getattr(node, "attrs", None) or {})
    if op is PASS:
        return "_copy", {}, lambda x: x
    if not isinstance(op, Op):
        return op.name, {}, node.kept[0].forward
    if op.fixed is None:
        return JSON_NAMES.get(op.name, op.name), attrs, _rerun(op, attrs)
    (number,) = attrs.values()
    names = NUMBER_NAMES.get(op.name, (f"_r{op.name}_scalar", f"_{op.name}_scalar"))
    return names[op.fixed], {"scalar": float(number)}, lambda x: op.call(x, number)


def _rerun(op: Any, attrs: dict[str, Any]) -> Callable:
    """Return ``run(*arrays)``, which inserts the numbers that were between the arrays."""
    keywords = {key: value for key, value in attrs.items() if key in op.attributes}

    def run(*arrays: Any) -> Any:
        waiting = iter(arrays)
        given = [attrs[name] if name in attrs else next(waiting, None) for name in op.inputs]
        return op.call(*(arrays if op.variadic else given), **keywords)

    return run
