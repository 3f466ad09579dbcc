"""A graph ready to run: its calls in order, and the last use of each value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

from .._core.arrays.base import as_list
from .._core.arrays.switch import is_np_shape
from .._core.engine.array import Array
from .._core.errors import ArgumentError, DTypeError
from .._core.journal import Journal, watcher
from .infer import node_shapes
from .node import Entry, GraphNode, ordered
from .shapes import full, is_open, tupled

#: Operators that create an array of the shape in their arguments.
CREATORS = ("_full", "_ones", "_zeros", "_zeros_without_dtype")
#: Hears of the parts of a run that nobody watches.
UNWATCHED = Journal()


class Step(NamedTuple):
    """One call.

    Attributes
    ----------
    call : callable
        Takes the input arrays.
    inputs, outputs : tuple of int
        The slots of the arrays. Outputs reuse the slots of inputs that are read for the last time.
    free : tuple of int
        Further slots that no later step reads.
    node : GraphNode
    """

    call: Callable[..., Any]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    free: tuple[int, ...]
    node: GraphNode


#: Runs a step: reads inputs from the slots, and writes outputs there.
Run = Callable[[list[Any]], None]
#: A function called with a node, its inputs and its results.
Watch = Callable[[GraphNode, list[Any], list[Any]], Any]
#: A function from a node and its inputs to what the node is given instead.
Tap = Callable[[GraphNode, list[Any]], list[Any]]


class Program:
    """The calls of a graph in order.

    Parameters
    ----------
    heads : sequence of Entry

    Attributes
    ----------
    inputs : list of str
        The names of the variables, in the order in which `run` takes them.
    """

    inputs: list[str]
    steps: list[Step]

    def __init__(self, heads: Sequence[Entry]) -> None:
        order = ordered(heads)
        free = [node for node in order if node.op is None]
        self.inputs = [node.name for node in free]
        slots = {Entry(node, 0): place for place, node in enumerate(free)}
        self.steps = list(_steps([node for node in order if node.op], slots, heads))
        self._runs = [*map(_run, self.steps)]
        self._heads = [slots[head] for head in heads]
        self._blank = [None] * (max(slots.values(), default=-1) + 1 - len(free))
        self._order = order
        self._open = any(map(_is_open, order))
        self._filled: tuple[list[tuple[int, ...]], list[Step], list[Run]] | None = None

    def run(
        self, arrays: Sequence[Any], watch: Watch | None = None, tap: Tap | None = None
    ) -> list[Any]:
        """The outputs, from arrays in the order of `inputs`.

        Parameters
        ----------
        arrays : sequence of NDArray
        watch : callable, optional
            Called with each node, its inputs and its results.
        tap : callable, optional
            Called with each node and its inputs before it runs; returns the inputs to use.
        """
        slots = [*arrays, *self._blank]
        steps, runs = self.steps, self._runs
        if self._open:
            steps, runs = self._filled_in([one.shape for one in arrays])
        told = watcher()
        if watch is tap is told is None:
            for run in runs:
                run(slots)
        else:
            told = UNWATCHED if told is None else told
            for step in steps:
                with told.part(step.node.name):
                    _run_watched(step, slots, watch, tap)
        return [slots[k] for k in self._heads]

    def _filled_in(self, shapes: list[tuple[int, ...]]) -> tuple[list[Step], list[Run]]:
        """Return the steps, with unknown lengths of created arrays filled in from `shapes`."""
        if self._filled is None or self._filled[0] != shapes:
            found = node_shapes(self._order, dict(zip(self.inputs, shapes)))
            steps = [
                _filled(step, found[step.node][0]) if _is_open(step.node) else step
                for step in self.steps
            ]
            self._filled = shapes, steps, [*map(_run, steps)]
        return self._filled[1:]


def _filled(step: Step, shape: Any) -> Step:
    """Return a step that creates an array of `shape`."""
    node = step.node
    if not full(shape):
        raise ArgumentError(
            f"{node.op.name if node.op else ''} {node.name!r}: its shape does not follow from the"
            " other shapes; give it as shape=..."
        )
    call = partial(node.op.function, **{**node.values, "shape": shape})  # type: ignore[union-attr]
    return step._replace(call=call)


def _is_open(node: GraphNode) -> bool:
    """Whether a node creates an array with a length to infer, such as an initial state."""
    if node.op is None or node.op.name not in CREATORS:
        return False
    shape = tupled(node.values.get("shape"))
    return any(map(is_open, shape)) or not (shape or is_np_shape())


def _steps(
    nodes: list[GraphNode], slots: dict[Entry, int], heads: Sequence[Entry]
) -> Iterator[Step]:
    """Yield the calls of nodes, and add slots for their outputs to those of the variables."""
    kept = {*slots, *heads}  # given values keep their slots: releasing them would free nothing
    last = {entry: node for node in nodes for entry in node.inputs}
    idle: list[int] = []
    count = len(slots)
    for node in nodes:
        assert node.op is not None
        inputs = tuple(slots[entry] for entry in node.inputs)
        ends = {entry for entry in node.inputs if last[entry] is node} - kept
        ended = {slots[entry] for entry in ends}
        idle += ended  # slots at the end of `idle` are taken first
        made = [Entry(node, k) for k in range(len(node.outputs))]
        for entry in made:
            if not idle:
                idle, count = [count], count + 1
            slots[entry] = idle.pop()
        outputs = tuple(slots[entry] for entry in made)
        unread = [slots[entry] for entry in made if entry not in last and entry not in kept]
        idle += unread
        free = tuple(ended.difference(outputs)) + tuple(unread)
        yield Step(node.op.bound(node), inputs, outputs, free, node)


def _run(step: Step) -> Run:
    """Return a runnable step; most have one output and free nothing, and fit in one line."""
    call, inputs, outputs, free, _ = step
    values: dict[str, Any] = {}
    if isinstance(call, partial) and not call.args:
        values, call = call.keywords, call.func
    (out, *more), (first, *rest) = outputs, inputs or (0,)
    read = itemgetter(*inputs) if rest else tuple

    def of_one(slots: list[Any]) -> None:
        result = call(slots[first], **values)
        slots[out] = result if isinstance(result, Array) else result[0]

    def of_several(slots: list[Any]) -> None:
        result = call(*read(slots), **values)
        slots[out] = result if isinstance(result, Array) else result[0]

    def general(slots: list[Any]) -> None:
        _write(step, slots, call(*[slots[k] for k in inputs], **values))

    if more or free or not inputs:
        return general
    return of_several if rest else of_one


def _run_watched(step: Step, slots: list[Any], watch: Watch | None, tap: Tap | None) -> None:
    """Run a step and report it."""
    given = [slots[k] for k in step.inputs]
    result = step.call(*(tap(step.node, given) if tap else given))
    _write(step, slots, result)
    if watch:
        watch(step.node, given, as_list(result))


def _write(step: Step, slots: list[Any], result: Any) -> None:
    """Write results to their slots, and clear those that are not read again."""
    for place, one in zip(step.outputs, as_list(result)):
        slots[place] = one
    for place in step.free:
        slots[place] = None


def evaluated(heads: Sequence[Entry], arrays: Mapping[str, Any]) -> list[Any]:
    """The outputs computed from arrays by name."""
    program = Program(heads)
    missing, unknown = set(program.inputs) - set(arrays), set(arrays) - set(program.inputs)
    if missing or unknown:
        raise ArgumentError(
            f"Symbol.eval: the arguments are {', '.join(program.inputs)};"
            f" got {', '.join(arrays) or 'none'}"
        )
    for name, array in arrays.items():
        if not isinstance(array, Array):
            raise DTypeError(f"Symbol.eval: {name} is {type(array).__name__}; give an NDArray")
    return program.run([arrays[name] for name in program.inputs])
