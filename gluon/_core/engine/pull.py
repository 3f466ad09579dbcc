"""How a cotangent is pulled back through one node: on raw arrays, or watched.

*Raw* when nobody watches the backward pass: the rules run over raw arrays and raw kernels.
*Watched* when somebody does: the same rules run over arrays and the recorded operators, with
what they kept lifted to arrays that carry their history, so that any order of gradient follows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from ..kernels.memory import zeros
from ..kernels.reduce import sum_to
from .array import Array, new, wrap
from .mode import mode
from .node import UNTRACKED, Node, next_number
from .operators import RECORDED
from .tape import AMBIENT

if TYPE_CHECKING:
    from .op import Op, Rule


def make_pull(op: Op) -> Callable[..., Any]:
    """``pull(node, g, wants)``: the raw cotangents of a node's inputs, None where unwanted.

    `wants` says of an edge whether its cotangent is wanted; None stands for all edges.
    For an operator of one input the sweep mostly calls the one rule itself.
    """
    if op.joint:
        return _pull_joint
    if op.binary:
        return _pull_two(op)
    return pull_one if len(op.inputs) == 1 and not op.variadic else _pull_each


def pull_one(node: Node, g: Any, wants: Any) -> tuple[Any, ...]:
    """The pull of every operator of one input."""
    unwanted = wants is not None and not wants(node.edges[0])
    return () if unwanted else (node.op.rules[0].raw(g, node.kept),)


def _pull_two(op: Op) -> Callable:
    rule1, rule2 = op.rules
    raw1, raw2 = rule1 and rule1.raw, rule2 and rule2.raw
    passes = [rule and rule.function is same for rule in op.rules]

    def pull(node: Node, g: Any, wants: Any) -> tuple:
        node1, node2 = node.edges
        kept = node.kept
        if wants is None and node1 and node2 and len(kept) == 2:
            return raw1(g, kept[0]), raw2(g, kept[1])
        g1 = raw1(g, kept[0]) if node1 is not None and (wants is None or wants(node1)) else None
        g2 = raw2(g, kept[1]) if node2 is not None and (wants is None or wants(node2)) else None
        if len(kept) == 4:
            return _unstretched(g1, kept[2]), _unstretched(g2, kept[3])
        return g1, g2

    def pull_same(node: Node, g: Any, wants: Any) -> tuple:
        if len(node.kept) == 4 or wants is not None:
            return pull(node, g, wants)
        return g, g

    return pull_same if all(passes) else pull


def same(g: Any) -> Any:
    """The rule of an input that the operator passes on as it is; known to the engine by name."""
    return g


def _unstretched(g: Any, shape: tuple[int, ...]) -> Any:
    return None if g is None else sum_to(g, shape=shape)


def _pull_each(node: Node, g: Any, wants: Any) -> list:
    """Call one rule per input; if inputs broadcast, their shapes follow the kept values."""
    grads = []
    count = len(node.edges)
    for place, edge in enumerate(node.edges):
        grad = None
        if edge is not None and (wants is None or wants(edge)):
            grad = node.op.rules[place].raw(g, node.kept[place])
            if node.op.broadcasts:
                grad = _unstretched(grad, node.kept[count + place])
        grads.append(grad)
    return grads


def _pull_joint(node: Node, g: Any, wants: Any) -> Any:
    return only_wanted(node, node.op.joint.raw(g, node.kept), wants)


def only_wanted(node: Node, grads: Any, wants: Any) -> list[Any]:
    """Of the cotangents of all inputs those that are wanted, None for the others."""
    edges = node.edges or ()
    if wants is None and None not in edges:
        return grads
    return [
        grad if edge is not None and (wants is None or wants(edge)) else None
        for edge, grad in zip(edges, grads)
    ]


# ---------------------------------------------------------------------------- watched


def pull_watched(node: Node, g: Any, wants: Any) -> Any:
    """As an operator's raw pull, with `g` and the results recorded arrays."""
    op, edges, kept = node.op, node.edges, node.kept
    if op.joint:
        grads = op.joint.watched(g, lift(op.joint, node, kept))
        return only_wanted(node, grads, wants)
    if op.single:
        kept = (kept,)
    grads = []
    for place, edge in enumerate(edges):
        grad = None
        if edge is not None and (wants is None or wants(edge)):
            rule = op.rules[place]
            grad = rule.watched(g, lift(rule, node, kept[place]))
            if len(kept) > len(edges) and grad is not None:
                shape = kept[len(edges) + place]
                grad = grad if grad.shape == shape else RECORDED.sum_to(grad, shape=shape)
        grads.append(grad)
    return grads


def lift(rule: Rule, node: Node, kept: Any) -> Any:
    """Return the kept raw values as arrays with their history."""
    alone = len(rule.sources) == 1
    pairs = zip(rule.sources, (kept,) if alone else kept)
    lifted = [LIFT[kind](v, key, node) if kind in LIFT else v for (kind, key), v in pairs]
    return lifted[0] if alone else lifted


def _lift_input(value: Any, place: int, node: Node) -> Any:
    if not hasattr(value, "shape"):
        return value
    return wrap(Array, value, None, node.edges[place] or UNTRACKED)


def _lift_inputs(values: tuple, _: Any, node: Node) -> tuple:
    return tuple(_lift_input(value, place, node) for place, value in enumerate(values))


def _lift_output(value: Any, _: Any, node: Node) -> Any:
    if not node.op.many:
        return wrap(Array, value, None, node)
    return tuple(wrap(Array, raw, None, output(node, k)) for k, raw in enumerate(value))


def _lift_attribute(_: Any, item: tuple[str, Any], node: Node) -> Any:
    return node.attrs.get(*item)  # the caller's value: a number is kept as a raw array


LIFT: dict[str, Callable[..., Any]] = {
    "input": _lift_input,
    "inputs": _lift_inputs,
    "output": _lift_output,
    "attribute": _lift_attribute,
    "loose": _lift_attribute,
}


# ---------------------------------------------------------------------------- plain nodes


def _pass(node: Node, g: Any, wants: Any) -> tuple:
    return tuple(g if wants(edge) else None for edge in node.edges) if node.edges else ()


#: The operator of a variable: a cotangent passes through.
PASS = SimpleNamespace(name="variable", single=None, pull=_pass, pull_watched=_pass)


def passing(node: Node) -> Node:
    """A node that stands for the value of `node` and passes its cotangent on."""
    return standing(PASS, node.tapes, (node,))


def standing(op: Any, tapes: tuple, edges: tuple, kept: tuple = (), place: int = 0) -> Node:
    """Return a node that stands for the value of its first edge, or for one of its outputs."""
    one = new(Node)
    one.op, one.tapes, one.edges, one.kept = op, tapes, edges, kept
    one.attrs, one.number = place, next_number()
    return one


def _zero_sources(node: Node, g: Any, wants: Any) -> list:
    grads = [g]
    leads = mode().walked is AMBIENT
    for edge, form in zip(node.edges[1:], node.kept[1:]):
        wanted = leads and not edge.released_by(AMBIENT) and (wants is None or wants(edge))
        found = zeros(*form) if wanted else None
        grads.append(wrap(Array, found) if wanted and isinstance(g, Array) else found)
    return grads


#: The operator of a node that passes its cotangent on and sends zeros to others.
ZERO_SOURCES = SimpleNamespace(
    name="zeros", single=None, pull=_zero_sources, pull_watched=_zero_sources
)


def zeros_to(node: Node, tapes: tuple[Any, ...], sources: dict[Node, tuple[Any, ...]]) -> Node:
    """A node that stands for the value of `node` and leads to `sources` with zeros."""
    return standing(ZERO_SOURCES, tapes, (node, *sources), (None, *sources.values()))


class Bundle(Sequence):
    """The cotangents of all outputs of one node, None where there is none.

    ``+`` takes in those of another one, which costs as much as that one holds.
    """

    def __init__(self, width: int, place: int, g: Any) -> None:
        self.width, self.parts = width, {place: g}

    def __len__(self) -> int:
        return self.width

    def __getitem__(self, place: Any) -> Any:
        return self.parts.get(range(self.width)[place])

    def __add__(self, other: Bundle) -> Bundle:
        for place, g in other.parts.items():
            self.parts[place] = self.parts[place] + g if place in self.parts else g
        return self


def _bundle(node: Node, g: Any, wants: Any) -> tuple[Bundle]:
    (source,) = node.edges
    return (Bundle(source.width, node.attrs, g),)


#: The operator of a node that stands for one output of a multi-output node.
OUTPUT = SimpleNamespace(name="output", single=None, pull=_bundle, pull_watched=_bundle)


def output(node: Node, place: int) -> Node:
    """A node for output number `place` of `node`."""
    return standing(OUTPUT, node.tapes, (node,), place=place)
