"""`Symbol`: the recorded history of an array, to look at, save as JSON, or compute again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .engine.array import Array, as_list
from .engine.backward import why_not
from .engine.errors import ArgumentError, AutogradError, DTypeError
from .engine.node import Blank, Node
from .engine.op import Op
from .engine.pull import BESIDE, OUTPUT, PASS
from .engine.sweep import released
from .scopes import scope

#: Operators with another name in MXNet's JSON; those of a number have a name for each side.
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
#: The version that MXNet's loader reads from its JSON files.
JSON_VERSION = 10901


class Step(NamedTuple):
    """One line of a history.

    Attributes
    ----------
    op : str
        The operator's name in MXNet's JSON; ``'null'`` for an argument.
    name : str
    attrs : dict of str to object
    inputs : tuple of (int, int)
        For each input, the step it comes from and which of its outputs it is.
    width : int
        The number of outputs.
    run : callable
        ``run(*inputs)`` computes the step again.
    shape : tuple of int, optional
        Of an argument that was a variable.
    """

    op: str
    name: str
    attrs: dict[str, Any]
    inputs: tuple[tuple[int, int], ...]
    width: int
    run: Callable[..., Any]
    shape: tuple[int, ...] | None = None


class Symbol:
    """A recorded computation, as steps from its arguments to its outputs.

    The arguments are the variables and the arrays without history, in the order in which the
    computation meets them. Made by `get_symbol`.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x = nd.array([1, 2])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = nd.exp(x * 2)
    >>> symbol = autograd.get_symbol(y)
    >>> symbol
    <Symbol node_1: exp(_mul_scalar(var0, scalar=2.0))>
    >>> symbol.eval(var0=nd.array([0]))[0].item()
    1.0
    """

    def __init__(self, steps: Sequence[Step], heads: Sequence[tuple[int, int]]) -> None:
        self._steps = steps
        self._heads = tuple(heads)

    @property
    def name(self) -> str | None:
        """The name of the step that gives the output; None when there are several."""
        names = {self._steps[step].name for step, _ in self._heads}
        return names.pop() if len(names) == 1 else None

    def list_arguments(self) -> list[str]:
        """The names of the arguments, in the order of computation."""
        return [self._steps[k].name for k in self._reached() if self._steps[k].op == "null"]

    def argument_shapes(self) -> dict[str, tuple[int, ...] | None]:
        """The shapes of the arguments that were variables, by name; None for the others."""
        steps = [self._steps[k] for k in self._reached()]
        return {step.name: step.shape for step in steps if step.op == "null"}

    def list_inputs(self) -> list[str]:
        """As `list_arguments`: a recorded history has no auxiliary states."""
        return self.list_arguments()

    def list_auxiliary_states(self) -> list[str]:
        """An empty list: a recorded history has no auxiliary states."""
        return []

    def list_outputs(self) -> list[str]:
        """The names of the outputs."""
        return [self._output_name(step, place) for step, place in self._heads]

    def get_internals(self) -> Symbol:
        """A symbol of which the output of every step is an output."""
        heads = [(k, n) for k in self._reached() for n in range(self._steps[k].width)]
        return Symbol(self._steps, heads)

    def __len__(self) -> int:
        return len(self._heads)

    def __getitem__(self, key: int | str) -> Symbol:
        """One output, by place or by name."""
        if isinstance(key, str):
            names = self.list_outputs()
            if key not in names:
                raise ArgumentError(f"Symbol: no output {key!r}; there are {', '.join(names)}")
            key = names.index(key)
        return Symbol(self._steps, [self._heads[key]])

    def eval(self, ctx: Any = None, **arrays: Any) -> list[Any]:
        """Compute the outputs from new arguments; nothing is recorded.

        Parameters
        ----------
        ctx : Context, optional
            Accepted for MXNet's sake: results are where the arguments are.
        **arrays : NDArray
            One for each name in `list_arguments`.

        Returns
        -------
        list of NDArray
            One for each output.

        Raises
        ------
        ValueError
            If an argument is missing or unknown.
        TypeError
            If one is not an array.
        """
        with scope(lambda now, entry: now.paused(entry=entry)):
            return self._compute(**arrays)

    def _compute(self, **arrays: Any) -> list:
        """As `eval`, recorded where a tape records."""
        names = self.list_arguments()
        if set(names) != set(arrays):
            raise ArgumentError(
                f"Symbol.eval: the arguments are {', '.join(names)}; got {', '.join(arrays)}"
            )
        for name, array in arrays.items():
            if not isinstance(array, Array):
                raise DTypeError(f"Symbol.eval: {name} is {type(array).__name__}; give an NDArray")
        results: dict[int, list] = {}
        for k in self._reached():
            step = self._steps[k]
            if step.op == "null":
                results[k] = [arrays[step.name]]
                continue
            out = step.run(*[results[source][place] for source, place in step.inputs])
            results[k] = as_list(out)
        return [results[step][place] for step, place in self._heads]

    def tojson(self) -> str:
        """The history in the form of MXNet's symbol files."""
        order = self._reached()
        number = {k: n for n, k in enumerate(order)}
        steps = [self._steps[k] for k in order]
        nodes = []
        for step in steps:
            node: dict[str, Any] = {"op": step.op, "name": step.name}
            if attrs := _json_attributes(step):
                node["attrs"] = attrs
            node["inputs"] = [[number[source], place, 0] for source, place in step.inputs]
            nodes.append(node)
        rows = [0]
        for step in steps:
            rows.append(rows[-1] + step.width)
        graph = {
            "nodes": nodes,
            "arg_nodes": [n for n, step in enumerate(steps) if step.op == "null"],
            "node_row_ptr": rows,
            "heads": [[number[step], place, 0] for step, place in self._heads],
            "attrs": {"mxnet_version": ["int", JSON_VERSION]},
        }
        return json.dumps(graph, indent=2)

    def __repr__(self) -> str:
        if len(self._heads) > 1:
            return f"<Symbol group [{', '.join(self.list_outputs())}]>"
        return f"<Symbol {self.name}: {self._expression(self._heads[0][0], depth=4)}>"

    def _expression(self, place: int, depth: int) -> str:
        step = self._steps[place]
        if step.op == "null":
            return step.name
        if not depth:
            return "…"
        parts = [self._expression(source, depth - 1) for source, _ in step.inputs]
        parts += [f"{key}={value}" for key, value in step.attrs.items()]
        return f"{step.op}({', '.join(parts)})"

    def _output_name(self, step: int, place: int) -> str:
        one = self._steps[step]
        if one.op == "null":
            return one.name
        return f"{one.name}_output" + (str(place) if one.width > 1 else "")

    def _reached(self) -> list[int]:
        """The steps that the outputs need, in the order of computation."""
        seen: set[int] = set()
        stack = [step for step, _ in self._heads]
        while stack:
            k = stack.pop()
            if k not in seen:
                seen.add(k)
                stack.extend(source for source, _ in self._steps[k].inputs)
        return sorted(seen)


def get_symbol(x: Any) -> Symbol:
    """The recorded history of an array.

    Parameters
    ----------
    x : NDArray of any shape and dtype
        Recorded, and not yet released by a backward.

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
    """Turns a graph of nodes into steps, inputs first, without recursion."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        self.steps: list[Step] = []
        self.found: dict[Any, int] = {}
        self.arguments = self.operators = 0

    def read(self, head: Node) -> Symbol:
        maker, output = _maker(head)
        stack: list[Any] = [maker]
        while stack:
            one = stack[-1]
            if one in self.found:
                stack.pop()
            elif isinstance(one, tuple):
                self.found[one] = self.argument()
            elif one.edges is None:
                raise released(one, self.shape)
            elif waiting := [source for source, _ in _inputs(one) if source not in self.found]:
                stack += reversed(waiting)
            else:
                self.found[one] = self.add(one)
        return Symbol(self.steps, [(self.found[maker], output)])

    def add(self, node: Node) -> int:
        if node.op is PASS and not node.edges:
            return self.argument(getattr(node, "shape", None))
        inputs = tuple((self.found[source], output) for source, output in _inputs(node))
        json_name, attrs, run = _describe(node)
        width = node.width if getattr(node.op, "many", False) else 1
        self.steps.append(Step(json_name, f"node_{self.operators}", attrs, inputs, width, run))
        self.operators += 1
        return len(self.steps) - 1

    def argument(self, shape: tuple[int, ...] | None = None) -> int:
        self.steps.append(Step("null", f"var{self.arguments}", {}, (), 1, lambda: None, shape))
        self.arguments += 1
        return len(self.steps) - 1


def _json_attributes(step: Step) -> dict[str, str]:
    """The attributes as strings under MXNet's names; those that are None are left out."""
    names = JSON_ATTRIBUTES.get(step.op, {})
    attrs = {
        names.get(key, key): str(value)
        for key, value in step.attrs.items()
        if value is not None and key != "at_least_1d"
    }
    if step.op in ("Concat", "stack"):
        attrs["num_args"] = str(len(step.inputs))
    return attrs


def _maker(node: Node) -> tuple[Node, int]:
    """The node that computed, and which of its outputs `node` stands for."""
    if node.op is BESIDE and node.edges:
        node = node.edges[0]
    if node.op is OUTPUT:
        (source,) = node.edges or (node,)  # itself where it was released
        return source, node.attrs
    return node, 0


def _inputs(node: Node) -> list[tuple[Any, int]]:
    """For each array that went in: the node that gave it, and which output of that.

    In the place of a node, an array that nobody tracked has its own place among the inputs.
    """
    attrs = getattr(node, "attrs", ())
    return [
        ((node, place), 0) if edge is None else _maker(edge)
        for place, (name, edge) in enumerate(zip(_names(node), node.edges or ()))
        if name not in attrs
    ]


def _names(node: Node) -> Sequence[Any]:
    """The names of a node's inputs, where it has some."""
    names = getattr(node.op, "inputs", ())
    edges = node.edges or ()
    return names if len(names) >= len(edges) and names else range(len(edges))


def _describe(node: Node) -> tuple[str, dict[str, Any], Callable]:
    """The name in JSON, the attributes, and how to compute the step again."""
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
    """``run(*arrays)``, with the numbers that stood between the arrays put back."""
    keywords = {key: value for key, value in attrs.items() if key in op.attributes}

    def run(*arrays: Any) -> Any:
        waiting = iter(arrays)
        given = [attrs[name] if name in attrs else next(waiting, None) for name in op.inputs]
        return op.call(*(arrays if op.variadic else given), **keywords)

    return run
