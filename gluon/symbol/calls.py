"""Calls of operators on symbols: binding arguments, and creating variables for missing inputs."""

from __future__ import annotations

from typing import Any

from .._core.arrays.interfaces import Symbolic
from .._core.errors import ArgumentError, DTypeError, a_type
from .._core.faces.text import written
from . import naming
from .families import INITIALIZERS, MORE
from .node import Entry, GraphNode
from .operator import OPERATORS, Operator

#: Whether calls refuse arguments that MXNet ignores; the import hook sets it to False.
REFUSES: bool = True


class Outputs(Symbolic):
    """Outputs of nodes, which are the inputs of operators."""

    __slots__ = ("_heads",)
    _heads: list[Entry]


def called(operator: Operator, hint: str, args: Any, kwargs: dict[str, Any]) -> list[Entry]:
    """The outputs of a new node.

    Parameters
    ----------
    operator : Operator
    hint : str
        The start of its name if none is given.
    args : sequence
        Symbols and arguments in the order of the signature, arrays first.
    kwargs : dict
        Arguments by name, with ``name`` and ``attr``.
    """
    kwargs = dict(kwargs)
    name = naming.named(kwargs.pop("name", None), hint)
    attrs = naming.attributes(kwargs.pop("attr", None))
    kwargs.pop("out", None)
    operator = operator.specialised(kwargs)
    inputs, given = _sorted(operator, args, kwargs)
    for key, value in given.items():
        if REFUSES and key not in operator.attributes and operator.takes_any:
            taken = ", ".join((*operator.arrays, *operator.attributes)) or "none"
            raise ArgumentError(f"{operator.name}: no argument {key!r}; there are {taken}")
        attrs[naming.hidden(key)] = written(value)
    return node_outputs(operator, name, attrs, inputs)


def node_outputs(operator: Operator, name: str, attrs: dict[str, str], inputs: Any) -> list[Entry]:
    """The outputs of a new node, with variables for the inputs that are not given.

    `inputs` are entries by name, or a list of them for operators with any number of inputs.
    """
    operator.check_complete(operator.read(attrs))
    if operator.variadic:
        entries = list(inputs)
        if operator.counted:
            attrs.setdefault(operator.counted, str(len(entries)))
        node = GraphNode(operator, name, attrs, entries)
        for key in MORE[operator.name](node.values) if operator.name in MORE else ():
            if len(entries) == 1:
                node.inputs.append(Entry(_variable(node, key), 0))
    else:
        node = GraphNode(operator, name, attrs)
        names = node.input_names
        if unwanted := [key for key in inputs if key not in names]:
            raise ArgumentError(
                f"{operator.name}: no input {unwanted[0]!r} with these arguments;"
                f" there are {', '.join(names) or 'none'}"
            )
        node.inputs = [
            inputs[key] if key in inputs else Entry(_variable(node, key), 0) for key in names
        ]
    return [Entry(node, k) for k in range(len(node.outputs))]


def _variable(node: GraphNode, key: str) -> GraphNode:
    """Return the variable for a missing input of `node`; it has the node's attributes."""
    attrs = dict(node.attrs)
    if node.op and (node.op.name, key) in INITIALIZERS:
        attrs["__init__"] = INITIALIZERS[node.op.name, key]
    return GraphNode(None, f"{node.name}_{key}", attrs)


def _sorted(operator: Operator, args: Any, kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Separate the inputs from the other arguments of a call."""
    if operator.variadic:
        return _any_number(operator, args, kwargs)
    places = (*operator.arrays, *operator.attributes)
    if len(args) > len(places):
        raise DTypeError(f"{operator.name}: {len(args)} arguments; it takes {', '.join(places)}")
    given = dict(zip(places, args))
    if twice := given.keys() & kwargs.keys():
        raise DTypeError(f"{operator.name}: {twice.pop()} is given twice")
    inputs, others = {}, {}
    for key, value in {**given, **kwargs}.items():
        if isinstance(value, Outputs):
            inputs[key] = single(operator.name, key, value)
        elif key in operator.arrays:
            if value is not None:
                raise DTypeError(f"{operator.name}: {key} is {a_type(value)}; give a Symbol")
        elif key in kwargs or value is not None:
            others[key] = value
    return inputs, others


def _any_number(operator: Operator, args: Any, kwargs: dict[str, Any]) -> tuple[Any, Any]:
    if len(args) == 1 and isinstance(args[0], (list, tuple)):
        args = args[0]
    for one in args:
        if not isinstance(one, Outputs):
            raise DTypeError(
                f"{operator.name}: an input is {a_type(one)}; give symbols, and other"
                " arguments by name"
            )
    inputs = [single(operator.name, f"arg{k}", one) for k, one in enumerate(args)]
    others = {}
    for key, value in kwargs.items():
        if isinstance(value, Outputs):
            inputs.append(single(operator.name, key, value))
        else:
            others[key] = value
    return inputs, others


def single(name: str, key: str, symbol: Outputs) -> Entry:
    """The one output of a symbol that is an input."""
    heads = symbol._heads
    if len(heads) != 1:
        raise ArgumentError(
            f"{name}: {key} has {len(heads)} outputs; give one of them, such as x[0]"
        )
    return heads[0]


def operator(name: str) -> Operator:
    """The operator of that name in files."""
    found = OPERATORS.get(name)
    if found is None:
        raise ArgumentError(f"no operator {name!r} in gluon.symbol")
    return found
