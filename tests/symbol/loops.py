"""Symbols with control flow, the same in gluon and in MXNet; each case has names of its own."""

from __future__ import annotations

from typing import Any


def foreach(sym: Any) -> tuple[Any, dict[str, tuple[int, ...]]]:
    """Weights made inside, a variable and a result from outside, an output that is a state."""
    w, free = sym.var("w"), sym.exp(sym.var("q"), name="free")

    def body(x: Any, states: Any) -> Any:
        h = sym.FullyConnected(x, num_hidden=3, name="fc") + states[0] * w + free
        return [h, sym.tanh(h)], [h]

    outputs, states = sym.contrib.foreach(body, sym.var("data"), [sym.var("state")], name="one")
    return sym.Group([*outputs, *states]), {"data": (5, 2, 4), "state": (2, 3)}


def states_alone(sym: Any) -> Any:
    """No output, and a slice of one axis."""
    _, last = sym.contrib.foreach(
        lambda x, s: ([], x + s), sym.var("data"), sym.var("state"), name="alone"
    )
    return last, {"data": (3,), "state": (1,)}


def shared(sym: Any) -> Any:
    """A variable used inside and outside, and data that is one of several outputs."""
    w, parts = sym.var("w"), sym.split(sym.var("data"), num_outputs=2, name="parts")
    out, last = sym.contrib.foreach(lambda x, s: (x * w, s), parts[1], sym.var("s"), name="shared")
    return sym.Group([sym.broadcast_add(out, w), last]), {"data": (4, 6, 2), "s": (1,)}


def moved_states(sym: Any) -> Any:
    """A layer with auxiliary states, which are arguments of the loop."""
    out, _ = sym.contrib.foreach(
        lambda x, s: (sym.BatchNorm(x, name="bn"), s + 1), sym.var("data"), sym.var("s"), name="bn"
    )
    return out, {"data": (5, 2, 4), "s": (2, 3)}


def nested(sym: Any) -> Any:
    """A loop in a loop."""

    def body(x: Any, s: Any) -> Any:
        return sym.contrib.foreach(lambda y, t: (y * t, t + y), x, s, name="inner")

    out, last = sym.contrib.foreach(body, sym.var("data"), sym.var("s"), name="outer")
    return sym.Group([out, last]), {"data": (5, 2, 4), "s": (4,)}


def while_loop(sym: Any) -> Any:
    """Two outputs, and a variable of both graphs."""
    w = sym.var("w")
    outputs, last = sym.contrib.while_loop(
        lambda i, s: i <= w,
        lambda i, s: ([i + s, sym.exp(s) * w], [i + 1, s + i]),
        (sym.var("i"), sym.var("s")),
        max_iterations=10,
        name="while",
    )
    return sym.Group([*outputs, *last]), {"i": (1,), "s": (1,), "w": (1,)}


def cond(sym: Any) -> Any:
    """Branches of variables and results from outside."""
    a, b = sym.var("a"), sym.var("b")
    root = sym.sqrt(b, name="root")
    out = sym.contrib.cond(
        a * b < 5, lambda: (a + 5) * (root + 5), lambda: (a - 5) * (b - 5), name="if"
    )
    return out, {"a": (1,), "b": (1,)}


def cond_of_several(sym: Any) -> Any:
    """Variables made in the branches, of the same names."""
    found = sym.contrib.cond(
        sym.var("p"),
        lambda: [sym.var("x") * 2, sym.var("y")],
        lambda: [sym.var("y") + 1, sym.var("x")],
        name="several",
    )
    return sym.Group(found), {"p": (1,), "x": (2,), "y": (2,)}


CASES = (
    foreach,
    states_alone,
    shared,
    moved_states,
    nested,
    while_loop,
    cond,
    cond_of_several,
)
