"""Shapes and dtypes of a graph, inferred forwards and backwards without computing values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .._core.arrays.dtypes import as_dtype
from .._core.arrays.switch import is_np_shape
from .._core.errors import CAUSES, ArgumentError, DTypeError
from .._core.faces.kinds import KINDS
from .._core.faces.text import WHOLES, read
from .dtypes import dtype_rule
from .layer_shapes import LAYERS
from .move_shapes import MOVES
from .naming import by_name
from .node import GraphNode, ordered, variables
from .np_shapes import NP_SHAPES
from .rare_shapes import RARE_SHAPES
from .shapes import BY_KIND, SHAPES, Misfit, Rule, Shape, full, merged

#: The rules for shapes that do not follow from the kind of a function, by operator name.
RULES: dict[str, Rule] = MOVES | LAYERS | SHAPES | NP_SHAPES | RARE_SHAPES
#: The codes of dtypes in MXNet's files.
NUMBERED = ("float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool")
CODES = {**{str(code): name for code, name in enumerate(NUMBERED)}, "12": "bfloat16"}


class Inference:
    """What is known about the outputs of every node, and what can be inferred from it.

    Parameters
    ----------
    order : list of GraphNode
    known : dict of GraphNode to object
        What is known about variables.
    merge : callable
        ``merge(one, other)`` combines both; it raises `Misfit` if they contradict each other.
    rule : callable
        ``rule(node)`` is the rule of a node: it takes the node's arguments and what is known about
        its inputs and outputs, and returns both with what can be inferred.
    done : callable
        Whether everything is known.
    """

    def __init__(
        self,
        order: list[GraphNode],
        known: Mapping[GraphNode, Any],
        merge: Callable[[Any, Any], Any],
        rule: Callable[[GraphNode], Callable[..., Any]],
        done: Callable[[Any], bool],
    ) -> None:
        self.order: list[GraphNode] = order
        self.merge: Callable[[Any, Any], Any] = merge
        self.rule: Callable[[GraphNode], Callable[..., Any]] = rule
        self.done: Callable[[Any], bool] = done
        self.found: dict[GraphNode, list[Any]] = {
            node: [known.get(node)] * len(node.outputs) for node in order
        }
        self.settled: set[GraphNode] = set()

    def run(self) -> dict[GraphNode, list[Any]]:
        """Go forwards and backwards until nothing more follows."""
        steps = [node for node in self.order if node.op]
        while True:
            changed = [self.visit(node) for node in steps]
            if not any(changed) or len(self.settled) == len(steps):
                return self.found
            changed = [self.visit(node) for node in reversed(steps)]
            if not any(changed):
                return self.found

    def visit(self, node: GraphNode) -> bool:
        """Apply the rule of one node; return whether it inferred anything."""
        if node in self.settled:
            return False
        before = [self.found[source][k] for source, k in node.inputs], self.found[node]
        try:
            ins, outs = self.rule(node)(node, *before)
        except Misfit as error:
            raise ArgumentError(f"{_called(node)}: {error}") from None
        except CAUSES as error:
            raise ArgumentError(
                f"{_called(node)}: {error}, of inputs {_listed(before[0])}"
            ) from error
        changed = False
        for place, (entry, new) in enumerate(zip(node.inputs, ins)):
            own = self.found[entry.node]
            changed |= self.put(node, own, entry.index, new, place)
        for place, new in enumerate(outs):
            changed |= self.put(node, self.found[node], place, new)
        around = [*(self.found[source][k] for source, k in node.inputs), *self.found[node]]
        if not changed and all(map(self.done, around)):
            # Nothing to do: everything was known in the last run, which found no contradiction.
            self.settled.add(node)
        return changed

    def put(
        self, node: GraphNode, own: list[Any], place: int, new: Any, which: int | None = None
    ) -> bool:
        """Keep new facts about one array, input `which` or an output; return whether any are."""
        old = own[place]
        # NumPy treats float64 and None as equal dtypes.
        if new is None or (old is not None and new == old):
            return False
        try:
            both = self.merge(old, new)
        except Misfit:
            whose = "the output" if which is None else f"input {node.input_names[which]}"
            raise ArgumentError(
                f"{_called(node)}: {whose} is {_shown(old)}, where {_shown(new)} is expected"
                + ", by the shapes of the other inputs" * (which is not None)
            ) from None
        if old is not None and both == old:
            return False
        own[place] = both
        return True


def shape_rule(node: GraphNode) -> Rule:
    """The rule for a node: that of its operator, by name, or of functions of its kind."""
    assert node.op is not None
    own = getattr(node.op, "shapes", None) or RULES.get(node.op.name)
    return own or BY_KIND[KINDS.get(node.op.function, "")]


def _called(node: GraphNode) -> str:
    return f"{node.op.name if node.op else 'variable'} {node.name!r}"


def _shown(what: Any) -> str:
    if isinstance(what, tuple):
        inner = ", ".join("?" if one < 0 else str(one) for one in what)
        return f"of shape ({inner}{',' if len(what) == 1 else ''})"
    return f"of dtype {what}"


def _listed(whats: Sequence[Any]) -> str:
    return ", ".join("unknown" if what is None else _shown(what) for what in whats) or "none"


def _given(symbol: Any, what: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict:
    """Return the shapes and dtypes given by the caller, by variable name."""
    if args and kwargs:
        raise DTypeError(f"{what}: give what is known by place or by name, not both")
    names = symbol.list_arguments()
    if len(args) > len(names):
        raise ArgumentError(f"{what}: {len(args)} given for {len(names)} arguments")
    return by_name(what, names, args) if args else dict(kwargs)


def infer_shapes(symbol: Any, args: Any, kwargs: Any, partial: bool) -> tuple[Any, Any, Any]:
    """The result of `Symbol.infer_shape`."""
    given = _given(symbol, "infer_shape", args, kwargs)
    order = ordered(symbol._heads)
    if unknown := given.keys() - {node.name for node in order if node.op is None}:
        raise ArgumentError(
            f"infer_shape: no argument {min(unknown)!r}; there are"
            f" {', '.join(symbol.list_inputs()[:20])}"
        )
    found = node_shapes(order, given)
    return _results(symbol, found, order, full, partial, _public)


def node_shapes(
    order: list[GraphNode], given: Mapping[str, Any]
) -> dict[GraphNode, list[Shape | None]]:
    """The shapes of the outputs of all nodes, from those of variables by name."""
    known = {
        node: _inside(node, given.get(node.name), node.attrs.get("__shape__"))
        for node in order
        if node.op is None
    }
    return graph_shapes(order, known)


def graph_shapes(
    order: list[GraphNode], known: Mapping[GraphNode, Any]
) -> dict[GraphNode, list[Shape | None]]:
    """The shapes of the outputs of all nodes, from those of variables."""
    return Inference(order, known, merged, shape_rule, full).run()


def _inside(node: GraphNode, shape: Any, own: str | None) -> Shape | None:
    """Convert a shape for the rules: -1 for an unknown length, None for an unknown shape.

    The caller's word counts more than the attribute of the variable, if it leaves nothing open.
    """
    known = _read(node, shape)
    if own is None or full(known):
        return known
    said = _read(node, shape_from(node.name, own))
    try:
        return merged(known, said)
    except Misfit:
        raise ArgumentError(
            f"infer_shape: {node.name} is {_shown(known)}, and its attribute says {own}"
        ) from None


def _read(node: GraphNode, given: Any) -> Shape | None:
    if given is None or (given == () and not is_np_shape()):
        return None
    given = (given,) if isinstance(given, (int, np.integer)) else tuple(given)
    if not all(isinstance(one, (int, np.integer)) for one in given):
        raise DTypeError(f"infer_shape: the shape {given!r} of {node.name} holds no integers")
    unknown = -1 if is_np_shape() else 0
    return tuple(-1 if one == unknown or one < 0 else int(one) for one in given)


def shape_from(name: str, text: str) -> Shape | None:
    """The shape in an attribute of a variable; None if it is unknown."""
    found = read(WHOLES, name, "shape", text)
    return found if found is None or isinstance(found, tuple) else (found,)


def with_unknown(shape: Shape | None) -> str:
    """The text, as MXNet writes it, of a shape without ``np_shape`` for use under it."""
    lengths = ",".join(str(n or -1) for n in shape or ())
    return f"[{lengths}]" if lengths else "None"


def _public(shape: Shape | None) -> Any:
    """Convert a shape for users."""
    if is_np_shape():
        return shape
    return () if shape is None else tuple(0 if one < 0 else one for one in shape)


def _results(
    symbol: Any,
    found: Mapping[GraphNode, list[Any]],
    order: list[GraphNode],
    done: Callable[[Any], bool],
    partial: bool,
    public: Callable[[Any], Any],
) -> tuple[Any, Any, Any]:
    arguments, states = variables(order)
    groups = (
        [found[node][0] for node in arguments],
        [found[node][k] for node, k in symbol._heads],
        [found[node][0] for node in states],
    )
    if not partial and not all(done(one) for group in groups for one in group):
        return None, None, None
    arguments_, outputs, states_ = ([public(one) for one in group] for group in groups)
    return arguments_, outputs, states_


def infer_dtypes(symbol: Any, args: Any, kwargs: Any, partial: bool) -> tuple[Any, Any, Any]:
    """The result of `Symbol.infer_type`."""
    given = _given(symbol, "infer_type", args, kwargs)
    order = ordered(symbol._heads)
    found = node_dtypes(order, given)
    known = lambda one: one is not None  # noqa: E731
    return _results(symbol, found, order, known, partial, lambda one: one and one.type)


def node_dtypes(order: list[GraphNode], given: Mapping[str, Any]) -> dict[GraphNode, list[Any]]:
    """The dtypes of the outputs of all nodes, from those of variables by name."""
    known = {}
    for node in order:
        if node.op is None:
            own = node.attrs.get("__dtype__")
            dtype = given.get(node.name)
            if dtype is None and own is not None and own != "-1":
                dtype = CODES.get(own, own)
            known[node] = None if dtype is None else np.dtype(as_dtype(dtype))
    return graph_dtypes(order, known)


def graph_dtypes(
    order: list[GraphNode], known: Mapping[GraphNode, Any]
) -> dict[GraphNode, list[Any]]:
    """The dtypes of the outputs of all nodes, from those of variables."""
    return Inference(order, known, same_dtype, dtype_rule, lambda one: one is not None).run()


def same_dtype(one: Any, other: Any) -> Any:
    """Combine two pieces of information about one dtype."""
    if one is not None and other is not None and one != other:
        raise Misfit(f"dtypes {one} and {other} differ")
    return other if one is None else one
