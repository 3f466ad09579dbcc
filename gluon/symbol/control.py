"""Operators whose bodies and conditions are graphs; see `loops` for the functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .. import nd
from .._core.arrays.switch import is_np_shape
from .._core.engine.array import wrap
from .._core.errors import ArgumentError
from .._core.faces.text import WHOLE, WHOLES
from .families import numbered
from .infer import graph_dtypes, graph_shapes, same_dtype
from .node import Entry, GraphNode, ordered
from .operator import OPERATORS, Operator
from .program import Program
from .shapes import Both, Shape, Shapes, merged, tupled

Places = Sequence[int]
#: How many inferred shapes and dtypes a loop caches.
MOST_KNOWN = 100


class Body:
    """A graph inside of an operator.

    Parameters
    ----------
    heads : list of Entry

    Attributes
    ----------
    inputs : list of GraphNode
        Its variables, in the order of `Symbol.list_inputs`.
    """

    def __init__(self, heads: list[Entry]) -> None:
        self.heads: list[Entry] = heads
        self.order: list[GraphNode] = ordered(heads)
        self.inputs: list[GraphNode] = [node for node in self.order if node.op is None]

    def moved(self) -> list[int]:
        """The indices of the inputs that are auxiliary states of operators in the body."""
        states = {
            node.inputs[k].node
            for node in self.order
            if node.op
            for k in node.op.moved(node.input_names)
        }
        return [k for k, node in enumerate(self.inputs) if node in states]


class Control(Operator):
    """Base of the operators with graphs inside; one object for each node.

    Attributes
    ----------
    bodies : tuple of Body
    places : tuple of sequence of int
        For each body, the index of each of its inputs among the inputs of the node.
    """

    bodies: tuple[Body, ...] = ()
    places: tuple[Places, ...] = ()
    #: The arguments that are numbers, and those that are sequences.
    numbers: tuple[str, ...] = ()
    several: tuple[str, ...] = ()
    #: The number of bodies.
    count: int

    def __init__(self, name: str) -> None:
        super().__init__(name, getattr(nd.contrib, name.removeprefix("_")))
        self.arrays, self.optional, self.variadic, self.counted = (), frozenset(), "data", None
        self.attributes = dict.fromkeys(self.numbers, 0) | dict.fromkeys(self.several, ())
        self.readers = dict.fromkeys(self.numbers, WHOLE) | dict.fromkeys(self.several, WHOLES)
        self.open = False
        self.known: dict[Any, Any] = {}

    def specialised(
        self, given: Mapping[str, Any], subgraphs: Sequence[list[Entry]] = ()
    ) -> Operator:
        """The operator with graphs, whose outputs are given."""
        one = type(self)(self.name)
        one.bodies = tuple(map(Body, subgraphs))
        one.subgraphs = tuple(subgraphs)
        if len(one.bodies) != self.count:
            raise ArgumentError(f"{self.name}: {len(one.bodies)} subgraphs, not {self.count}")
        values = self.attributes | one.read(given)
        for key in (*self.numbers, *self.several):
            if None in (values[key], *tupled(values[key])):
                raise ArgumentError(f"{self.name}: {key}={given[key][:200]!r} must be integers")
        one.locate({key: tupled(values[key]) for key in self.several}, values)
        widths = [len(body.heads) for body in one.bodies]
        if widths != one.widths(values["num_outputs"]):
            raise ArgumentError(
                f"{self.name}: subgraphs with {widths} outputs for num_outputs="
                f"{values['num_outputs']}"
            )
        for body, places in zip(one.bodies, one.places):
            if len(places) != len(body.inputs) or any(not 0 <= k < 10_000 for k in places):
                raise ArgumentError(
                    f"{self.name}: the places {list(places)[:20]} for the {len(body.inputs)} inputs"
                    " of a subgraph"
                )
        return one

    def locate(self, several: dict[str, Places], values: dict[str, Any]) -> None:
        """Set `places` and further attributes from the arguments."""
        raise NotImplementedError

    def widths(self, outputs: int) -> list[int]:
        """The numbers of outputs of the bodies."""
        raise NotImplementedError

    def input_names(self, values: Any, given: int | None = None) -> list[str]:
        """A name for each input."""
        count = 1 + max((k for places in self.places for k in places), default=-1)
        return [f"data{k}" for k in range(count)]

    def outputs(self, values: Mapping[str, Any]) -> tuple[str, ...]:
        """The names of the results."""
        return numbered(values["num_outputs"])

    def moved(self, names: list[str]) -> set[int]:
        """The indices of the inputs that are auxiliary states in a body: here, arguments."""
        return {places[k] for body, places in zip(self.bodies, self.places) for k in body.moved()}

    def shapes(self, node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
        """Infer shapes from those in the bodies."""
        return self._remembered(graph_shapes, merged, ins, outs, _cut, _grown)

    def dtypes(self, node: GraphNode, ins: Any, outs: Any) -> tuple[list[Any], list[Any]]:
        """Infer dtypes from those in the bodies."""
        keep = lambda one, *rest: one  # noqa: E731
        return self._remembered(graph_dtypes, same_dtype, ins, outs, keep, keep)

    def _remembered(self, how: Any, merge: Any, ins: Any, outs: Any, cut: Any, grow: Any) -> Any:
        """Cache the result of `infer`: each enclosing graph requests it several times."""
        key = (how, *ins, None, *outs, is_np_shape())
        if key not in self.known:
            if len(self.known) > MOST_KNOWN:
                self.known.clear()
            self.known[key] = self.infer(how, merge, list(ins), list(outs), cut, grow)
        return self.known[key]

    def infer(
        self, how: Any, merge: Any, ins: list[Any], outs: list[Any], cut: Any, grow: Any
    ) -> tuple[list[Any], list[Any]]:
        """Infer what is known of inputs and outputs.

        Parameters
        ----------
        how : callable
            `graph_shapes` or `graph_dtypes`.
        merge : callable
            Combines two pieces of information.
        ins, outs : list
        cut, grow : callable
            The information on a slice from that on the array, and the reverse.
        """
        raise NotImplementedError

    def through(self, which: int, how: Any, ins: list[Any]) -> list[Any]:
        """Infer the outputs of a body; shapes that follow for its inputs are stored in `ins`."""
        body, places = self.bodies[which], self.places[which]
        found = how(body.order, {node: ins[k] for node, k in zip(body.inputs, places)})
        for node, k in zip(body.inputs, places):
            ins[k] = found[node][0]
        return [found[node][k] for node, k in body.heads]

    def runner(self, which: int) -> Any:
        """A function that runs a body on the arrays that are the inputs of the node."""
        program, places = Program(self.bodies[which].heads), self.places[which]
        return lambda arrays: program.run([arrays[k] for k in places])


def _cut(shape: Shape | None) -> Shape | None:
    """Return the shape of a slice along the first axis."""
    if shape is None or len(shape) == 0:
        return None
    return shape[1:] if len(shape) > 1 or is_np_shape() else (1,)


def _grown(shape: Shape | None, count: int, whole: Shape | None) -> Shape | None:
    """Return the shape of `count` slices, whose shape is known."""
    if shape is None or (whole is not None and len(whole) == 1):
        return whole
    return merged((count, *shape), whole)


class Foreach(Control):
    """``_foreach``: the inputs are the sliced ones, the states, and the others."""

    count = 1
    numbers = ("num_outputs", "num_out_data")
    several = ("in_data_locs", "in_state_locs", "remain_locs")

    def locate(self, several: dict[str, Places], values: dict[str, Any]) -> None:
        """Set the numbers of sliced inputs, of these and states together, and of outputs."""
        locs = [k for key in self.several for k in several[key]]
        self.sliced = len(several["in_data_locs"])
        self.held = self.sliced + len(several["in_state_locs"])
        self.results = values["num_out_data"]
        self.places = ([locs.index(k) if k in locs else -1 for k in range(len(locs))],)
        if values["num_outputs"] - self.results != self.held - self.sliced or not self.sliced:
            raise ArgumentError(f"{self.name}: the numbers of outputs and states do not fit")

    def widths(self, outputs: int) -> list[int]:
        """The number of outputs of each graph."""
        return [outputs]

    def infer(self, how: Any, merge: Any, ins: Any, outs: Any, cut: Any, grow: Any) -> Any:
        """Infer what is known of inputs and outputs."""
        sliced, held, results = self.sliced, self.held, self.results
        stacked = [*ins[:sliced], *outs[:results]]
        count = max((one[0] for one in stacked if isinstance(one, tuple) and one), default=-1)
        inner = [
            *map(cut, ins[:sliced]),
            *map(merge, ins[sliced:held], outs[results:]),
            *ins[held:],
        ]
        found = self.through(0, how, inner)
        inner[sliced:held] = map(merge, inner[sliced:held], found[results:])
        data = [grow(one, count, whole) for one, whole in zip(inner[:sliced], ins)]
        made = [grow(one, count, None) for one in found[:results]]
        return [*data, *inner[sliced:]], [*made, *inner[sliced:held]]

    def bound(self, node: GraphNode) -> Callable[..., Any]:
        """The loop over the slices."""
        run, sliced, held, results = self.runner(0), self.sliced, self.held, self.results

        def call(*arrays: Any) -> list[Any]:
            def body(parts: list[Any], states: list[Any]) -> tuple[list[Any], list[Any]]:
                found = run((*parts, *states, *arrays[held:]))
                return found[:results], found[results:]

            data, states = list(arrays[:sliced]), list(arrays[sliced:held])
            outputs, states = nd.contrib.foreach(body, data, states)
            return [*outputs, *states]

        return call


class WhileLoop(Control):
    """``_while_loop``: a condition, and a body."""

    count = 2
    numbers = ("num_outputs", "num_out_data", "max_iterations")
    several = ("cond_input_locs", "func_input_locs", "func_var_locs")

    def locate(self, several: dict[str, Places], values: dict[str, Any]) -> None:
        """Set the indices of the loop variables, and the numbers of outputs and steps."""
        self.places = (several["cond_input_locs"], several["func_input_locs"])
        self.results, self.most = values["num_out_data"], values["max_iterations"]
        places, loops = self.places[1], several["func_var_locs"]
        if any(not 0 <= k < len(places) for k in loops) or not loops:
            raise ArgumentError(f"{self.name}: func_var_locs={loops} for {len(places)} inputs")
        self.loops = [places[k] for k in loops]
        if values["num_outputs"] - self.results != len(loops):
            raise ArgumentError(f"{self.name}: the numbers of outputs and variables do not fit")

    def widths(self, outputs: int) -> list[int]:
        """The number of outputs of each graph."""
        return [1, outputs]

    def infer(self, how: Any, merge: Any, ins: Any, outs: Any, cut: Any, grow: Any) -> Any:
        """Infer what is known of inputs and outputs."""
        for k, one in zip(self.loops, outs[self.results :]):
            ins[k] = merge(ins[k], one)
        self.through(0, how, ins)
        found = self.through(1, how, ins)
        for k, one in zip(self.loops, found[self.results :]):
            ins[k] = merge(ins[k], one)
        made = [grow(one, self.most, None) for one in found[: self.results]]
        return ins, [*made, *(ins[k] for k in self.loops)]

    def bound(self, node: GraphNode) -> Callable[..., Any]:
        """The loop while the condition holds."""
        holds, step, loops, results = self.runner(0), self.runner(1), self.loops, self.results

        def call(*arrays: Any) -> list[Any]:
            now = list(arrays)

            def put(given: Sequence[Any]) -> list[Any]:
                for k, one in zip(loops, given):
                    now[k] = one
                return now

            def func(*given: Any) -> tuple[list[Any], list[Any]]:
                found = step(put(given))
                return found[:results], found[results:]

            outputs, after = nd.contrib.while_loop(
                lambda *given: holds(put(given))[0], func, [now[k] for k in loops], self.most
            )
            return [*(outputs or self.no_steps(node, arrays)), *after]

        return call

    def no_steps(self, node: GraphNode, arrays: Sequence[Any]) -> list[Any]:
        """The outputs of a loop without a step: zeros."""
        nothing = [None] * len(node.outputs)
        shapes = self.shapes(node, [one.shape for one in arrays], nothing)[1]
        dtypes = self.dtypes(node, [one.form.dtype for one in arrays], nothing)[1]
        kind, ctx = type(arrays[0]), arrays[0]._ctx
        made = list(zip(shapes, dtypes))[: self.results]
        return [wrap(kind, np.zeros(shape, dtype), ctx) for shape, dtype in made]


class Cond(Control):
    """``_cond``: a condition, and a graph for each branch."""

    count = 3
    numbers = ("num_outputs",)
    several = ("cond_input_locs", "then_input_locs", "else_input_locs")

    def locate(self, several: dict[str, Places], values: dict[str, Any]) -> None:
        """Set the indices of the inputs of the three graphs."""
        self.places = tuple(several.values())

    def widths(self, outputs: int) -> list[int]:
        """The number of outputs of each graph."""
        return [1, outputs, outputs]

    def infer(self, how: Any, merge: Any, ins: Any, outs: Any, cut: Any, grow: Any) -> Any:
        """Infer what is known of inputs and outputs."""
        _, one, other = (self.through(k, how, ins) for k in range(3))
        return ins, list(map(merge, one, other))

    def bound(self, node: GraphNode) -> Callable[..., Any]:
        """The branch that the condition selects."""
        holds, one, other = map(self.runner, range(3))
        return lambda *arrays: nd.contrib.cond(
            holds(arrays)[0], lambda: one(arrays), lambda: other(arrays)
        )


OPERATORS.update(
    {one.name: one for one in (Foreach("_foreach"), WhileLoop("_while_loop"), Cond("_cond"))}
)
