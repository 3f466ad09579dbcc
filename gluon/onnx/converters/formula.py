"""Formulas and loops, written with Python's operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ..files import package
from .builder import Graph, described


class Value:
    """A value of a graph; operators of Python add nodes.

    Parameters
    ----------
    g : Graph
    name : str
    dtype : dtype
    """

    dtype: Any
    g: Graph
    name: str

    def __init__(self, g: Graph, name: str, dtype: Any) -> None:
        self.g, self.name, self.dtype = g, name, numpy.dtype(dtype)

    def call(self, kind: str, *others: Any, to: Any = None, **attrs: Any) -> Value:
        """A node of this value and others, in the innermost of their graphs.

        Parameters
        ----------
        kind : str
            ONNX's operator.
        *others : Value or number
            Numbers are of the dtype of this value.
        to : dtype, optional
            That of the result, if it is another.
        **attrs
            The attributes of the node.
        """
        graphs = [self.g, *(one.g for one in others if isinstance(one, Value))]
        g = max(graphs, key=lambda one: one.depth)
        names = [
            one.name if isinstance(one, Value) else g.constant(one, self.dtype) for one in others
        ]
        dtype = self.dtype if to is None else to
        return Value(g, g.add(kind, self.name, *names, **attrs), dtype)

    def __add__(self, other: Any) -> Value:
        return self.call("Add", other)

    def __radd__(self, other: Any) -> Value:
        return self.call("Add", other)

    def __mul__(self, other: Any) -> Value:
        return self.call("Mul", other)

    def __rmul__(self, other: Any) -> Value:
        return self.call("Mul", other)

    def __sub__(self, other: Any) -> Value:
        return self.call("Sub", other)

    def __rsub__(self, other: Any) -> Value:
        return self.like(other).call("Sub", self)

    def __truediv__(self, other: Any) -> Value:
        return self.call("Div", other)

    def __rtruediv__(self, other: Any) -> Value:
        return self.like(other).call("Div", self)

    def __pow__(self, other: Any) -> Value:
        return self.call("Pow", other)

    def __neg__(self) -> Value:
        return self.call("Neg")

    def __lt__(self, other: Any) -> Value:
        return self.call("Less", other, to=bool)

    def __le__(self, other: Any) -> Value:
        return self.call("LessOrEqual", other, to=bool)

    def __gt__(self, other: Any) -> Value:
        return self.call("Greater", other, to=bool)

    def __ge__(self, other: Any) -> Value:
        return self.call("GreaterOrEqual", other, to=bool)

    def __and__(self, other: Any) -> Value:
        return self.call("And", other)

    def __or__(self, other: Any) -> Value:
        return self.call("Or", other)

    def __invert__(self) -> Value:
        return self.call("Not")

    def equals(self, other: Any) -> Value:
        """Whether values are equal."""
        return self.call("Equal", other, to=bool)

    def like(self, number: Any) -> Value:
        """A constant of the same dtype."""
        return Value(self.g, self.g.constant(number, self.dtype), self.dtype)

    def cast(self, dtype: Any) -> Value:
        """The value in another dtype."""
        dtype = numpy.dtype(dtype)
        return self if dtype == self.dtype else Value(self.g, self.g.cast(self.name, dtype), dtype)

    def where(self, x: Any, y: Any) -> Value:
        """`x` where this is true, `y` elsewhere; one of them may be a number."""
        x = x if isinstance(x, Value) else y.like(x)
        y = y if isinstance(y, Value) else x.like(y)
        return self.call("Where", x, y, to=x.dtype)

    def rounded(self) -> Value:
        """The nearest integer, of two the one away from 0: exact for every value."""
        size = self.call("Abs")
        high = size.call("Ceil")
        return self.call("Sign") * (size < high - 0.5).where(high - 1, high)

    def reduce(self, kind: str, axes: Sequence[int], keepdims: bool = True) -> Value:
        """A reduction over axes."""
        return Value(self.g, self.g.reduce(kind, self.name, axes, keepdims), self.dtype)

    def unsqueeze(self, *axes: int) -> Value:
        """The value with new axes of length 1."""
        return Value(self.g, self.g.unsqueeze(self.name, *axes), self.dtype)

    def all(self, axis: int, keepdims: bool) -> Value:
        """Whether all values along an axis are true."""
        return self.cast("int32").reduce("ReduceMin", [axis], keepdims).cast(bool)

    def any(self, axis: int, keepdims: bool) -> Value:
        """Whether a value along an axis is true."""
        return self.cast("int32").reduce("ReduceMax", [axis], keepdims).cast(bool)

    def somewhere(self) -> Value:
        """Whether any value is true, as a single value."""
        return Value(self.g, self.g.reshape(self.name, -1), bool).any(0, False)


Step = Callable[[Graph, Value, list[Value]], "tuple[Value | None, list[Value]]"]


def repeated(
    most: int | Value | None, states: Sequence[Value], step: Step, go: Value | None = None
) -> list[Value]:
    """The states after a loop.

    Parameters
    ----------
    most : int or Value or None
        The number of turns, if there is a limit.
    states : list of Value
    step : callable
        ``step(graph, turn, states)``, with the graph inside the loop, gives whether it goes on, or
        None, and the new states.
    go : Value, optional
        Whether the first turn is made.
    """
    g = max((one.g for one in states), key=lambda one: one.depth)
    return _loop(g, g.body(), most, list(states), step, go)


def _loop(
    g: Graph, inner: Graph, most: Any, states: list[Value], step: Step, go: Any
) -> list[Value]:
    turn = Value(inner, inner.fresh("turn"), "int64")
    goes = inner.fresh("goes")
    own = [Value(inner, inner.fresh("state"), one.dtype) for one in states]
    again, found = step(inner, turn, own)
    on = inner.add("Identity", goes) if again is None else inner.reshape(again.name)
    results = [inner.add("Identity", one.name) for one in found]
    body = package().helper.make_graph(
        inner.nodes,
        inner.fresh("body"),
        [described(turn.name, "int64", ()), described(goes, bool, ())]
        + [described(one.name, one.dtype, None) for one in own],
        [described(on, bool, ())]
        + [described(name, one.dtype, None) for name, one in zip(results, own)],
    )
    limit = ""
    if most is not None:
        limit = most.name if isinstance(most, Value) else g.constant(most, "int64")
    first = g.constant(True) if go is None else g.reshape(go.name)
    names = g.several("Loop", len(own), limit, first, *(one.name for one in states), body=body)
    return [Value(g, name, one.dtype) for name, one in zip(names, own)]
