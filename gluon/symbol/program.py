"""A graph made ready to run: its calls in order, and when each value is read the last time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from ..engine.array import Array, as_list
from ..engine.errors import ArgumentError, DTypeError
from ..ndarray.switch import is_np_shape
from .infer import node_shapes
from .node import Entry, Node, ordered

#: Operators that make an array of the shape in their arguments.
CREATORS = ("_full", "_ones", "_zeros")


class Step(NamedTuple):
    """One call.

    Attributes
    ----------
    call : callable
        Takes the input arrays.
    inputs, outputs : tuple of int
        The slots of the arrays.
    free : tuple of int
        Slots that no later step reads.
    node : Node
    """

    call: Callable[..., Any]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    free: tuple[int, ...]
    node: Node


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
        slots: dict[Entry, int] = {}
        for node in order:
            for k in range(len(node.outputs)):
                slots[Entry(node, k)] = len(slots)
        free = [node for node in order if node.op is None]
        self.inputs = [node.name for node in free]
        self._first = [slots[Entry(node, 0)] for node in free]
        self._heads = [slots[head] for head in heads]
        self._order = order
        self._filled: tuple[list[tuple[int, ...]], list[Step]] | None = None
        self._open = any(map(_is_open, order))
        self._count = len(slots)
        self.steps = list(_steps([node for node in order if node.op], slots, set(self._heads)))

    def run(
        self,
        arrays: Sequence[Any],
        watch: Callable[[Node, list[Any], list[Any]], Any] | None = None,
    ) -> list[Any]:
        """The outputs, from arrays in the order of `inputs`.

        Parameters
        ----------
        arrays : sequence of NDArray
        watch : callable, optional
            Called with each node, its inputs and its results.
        """
        slots: list[Any] = [None] * self._count
        for place, array in zip(self._first, arrays):
            slots[place] = array
        steps = self._steps_for([one.shape for one in arrays]) if self._open else self.steps
        for call, inputs, outputs, free, node in steps:
            if watch is None:
                result = call(*[slots[k] for k in inputs])
            else:
                given = [slots[k] for k in inputs]
                result = call(*given)
                watch(node, given, as_list(result))
                del given
            if len(outputs) > 1:
                for place, one in zip(outputs, result):
                    slots[place] = one
            else:
                slots[outputs[0]] = result[0] if isinstance(result, (list, tuple)) else result
            for place in free:
                slots[place] = None
            result = None
        return [slots[k] for k in self._heads]

    def _steps_for(self, shapes: list[tuple[int, ...]]) -> list[Step]:
        """The steps, with the lengths that follow from `shapes` where arrays are made."""
        if self._filled is None or self._filled[0] != shapes:
            found = node_shapes(self._order, dict(zip(self.inputs, shapes)))
            steps = [
                step._replace(
                    call=partial(
                        step.node.op.function,  # type: ignore[union-attr]
                        **{**step.node.values, "shape": found[step.node][0]},
                    )
                )
                if _is_open(step.node)
                else step
                for step in self.steps
            ]
            self._filled = shapes, steps
        return self._filled[1]


def _is_open(node: Node) -> bool:
    """Whether a node makes an array of which a length is to be inferred, such as a first state."""
    if node.op is None or node.op.name not in CREATORS:
        return False
    shape = node.values["shape"]
    return not is_np_shape() and 0 in (shape if isinstance(shape, (list, tuple)) else (shape,))


def _steps(nodes: list[Node], slots: Mapping[Entry, int], kept: set[int]) -> list[Step]:
    """The calls, each with the slots that are read there for the last time."""
    found: list[Step] = []
    for node in reversed(nodes):
        assert node.op is not None
        inputs = tuple(slots[entry] for entry in node.inputs)
        outputs = tuple(slots[Entry(node, k)] for k in range(len(node.outputs)))
        free = tuple(k for k in dict.fromkeys((*inputs, *outputs)) if k not in kept)
        kept |= {*inputs, *outputs}
        found.append(Step(node.op.bound(node), inputs, outputs, free, node))
    return found[::-1]


def evaluated(heads: Sequence[Entry], arrays: Mapping[str, Any]) -> list[Any]:
    """The outputs computed from arrays by name."""
    program = Program(heads)
    missing, unknown = set(program.inputs) - set(arrays), set(arrays) - set(program.inputs)
    if missing or unknown:
        raise ArgumentError(
            f"Symbol.eval: the arguments are {', '.join(program.inputs)}; got {', '.join(arrays)}"
        )
    for name, array in arrays.items():
        if not isinstance(array, Array):
            raise DTypeError(f"Symbol.eval: {name} is {type(array).__name__}; give an NDArray")
    return program.run([arrays[name] for name in program.inputs])
