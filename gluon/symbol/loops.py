"""`foreach`, `while_loop` and `cond` on symbols."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from .._core.errors import ArgumentError, DTypeError, a_type
from .._core.faces.text import written
from . import naming
from .calls import node_outputs
from .node import Entry, GraphNode, ordered
from .operator import OPERATORS
from .symbol import Group, Symbol
from .variable import var

#: The attribute of a body's nodes that holds its name.
MARK = "__subgraph_name__"
#: The number of bodies with each name.
COUNTS: Counter[str] = Counter()


class _Inside:
    """An attribute scope whose nodes belong to a body."""

    def __init__(self, name: str) -> None:
        self._attr = {**getattr(naming.ATTRIBUTES.current(None), "_attr", {}), MARK: name}

    def get(self, attr: Mapping[str, str] | None) -> dict[str, str]:
        """Return the attributes of a node."""
        return {**self._attr, **(attr or {})}


@contextlib.contextmanager
def _body(name: str) -> Iterator[str]:
    """Assign the nodes created in the ``with`` block to a body; yield its full name."""
    outside = getattr(naming.ATTRIBUTES.current(None), "_attr", {}).get(MARK)
    name = f"{outside}${name}" if outside else name
    COUNTS[name] += 1
    scope = _Inside(f"{name}{COUNTS[name] - 1}")
    naming.ATTRIBUTES.enter(scope)
    try:
        yield scope._attr[MARK]
    finally:
        naming.ATTRIBUTES.leave(scope)


class _Graph:
    """A composed body.

    Parameters
    ----------
    heads : list of Entry
    name : str

    Attributes
    ----------
    heads : list of Entry
        Without what was computed outside of the body: variables stand there instead.
    outer : dict of GraphNode to Entry
        What each of these variables stands for.
    """

    def __init__(self, heads: list[Entry], name: str) -> None:
        self.heads: list[Entry] = heads
        self.outer: dict[GraphNode, Entry] = {}
        outside: dict[Entry, Entry] = {}

        def past(entry: Entry) -> Entry:
            node = entry.node
            if node.op is None or node.attrs.get(MARK) == name:
                return entry
            if entry not in outside:
                stand_in = GraphNode(None, node.output_name(entry.index), {})
                outside[entry], self.outer[stand_in] = Entry(stand_in, 0), entry
            return outside[entry]

        for node in ordered(heads, past):
            if node.op is not None:
                node.inputs = [past(entry) for entry in node.inputs]
        self.inputs: list[GraphNode] = [node for node in ordered(heads) if node.op is None]
        names = [node.name for node in self.inputs]
        if twice := {one for one in names if names.count(one) > 1}:
            raise ArgumentError(f"{name}: two variables of the body are called {min(twice)!r}")

    def source(self, node: GraphNode) -> Entry:
        """Return the outer symbol that a variable of the body replaces."""
        return self.outer.get(node, Entry(node, 0))


def _flat(value: Any, what: str) -> list[Symbol]:
    """Return the outputs in a nested list of symbols."""
    if isinstance(value, Symbol):
        return list(value)
    if not isinstance(value, (list, tuple)):
        raise DTypeError(f"{what} is {a_type(value)}; give a Symbol or a (nested) list of symbols")
    return [one for part in value for one in _flat(part, what)]


def _like(value: Any, found: Iterator[Symbol]) -> Any:
    """Arrange symbols in nested lists with the structure of `value`."""
    if isinstance(value, Symbol):
        return next(found) if len(value) == 1 else [next(found) for _ in value]
    return [_like(part, found) for part in value]


def _stand_ins(values: Iterable[Symbol]) -> list[Symbol]:
    """Return the variables of a body for these symbols."""
    return [var(f"{one.name}-{one._heads[0].index}") for one in values]


def _closed(name: str, symbols: list[Symbol], again: int = 0) -> list[Entry]:
    """Return the outputs of a body, with copies of passed-through and repeated ones.

    Parameters
    ----------
    name : str
    symbols : list of Symbol
    again : int, default 0
        From which place on names of earlier outputs count as well.
    """
    inputs = set(Group(symbols).list_inputs()) if symbols else set()
    earlier = {one.name for one in symbols[:again]}
    heads = []
    for place, one in enumerate(symbols):
        ours = one._heads[0].node.attrs.get(MARK) == name
        if one.name in inputs or not ours or (again and place >= again and one.name in earlier):
            one = one._call("_copy", "identity", one)
        heads += one._heads
    return heads


def _node(name: str, graphs: list[_Graph], inputs: list[Entry], **values: Any) -> list[Symbol]:
    """Return the outputs of a new node that contains graphs."""
    attrs = {key: written(value) for key, value in values.items()}
    operator = OPERATORS[name].specialised(attrs, [one.heads for one in graphs])
    attrs = {**naming.attributes(None), **attrs, "num_args": str(len(inputs) + len(graphs))}
    return [
        Symbol([one]) for one in node_outputs(operator, naming.named(None, name), attrs, inputs)
    ]


def _places(names: list[str], variables: list[Symbol], what: str) -> list[int]:
    """Return the positions of a body's variables among its inputs."""
    for one in variables:
        if one.name not in names:
            raise ArgumentError(
                f"{what}: the body does not use {(one.name or '').rpartition('-')[0]!r}; a loop of"
                " symbols uses all of its data and states"
            )
    return [names.index(one.name) for one in variables]  # type: ignore[arg-type]


def _union(graphs: list[_Graph], loops: Mapping[Any, Entry]) -> tuple[list[Entry], list[list[int]]]:
    """Return the inputs of several bodies, and for each body the positions of its own.

    Bodies share what a variable in `loops` stands for; where there is none, all of one name.
    """
    inputs: list[Entry] = []
    seen: dict[Any, int] = {}
    locs = []
    for graph in graphs:
        known, places = dict(seen), []
        for node in graph.inputs:
            places.append(known.get(node.name, len(inputs)))
            if node.name in known:
                continue
            entry = loops.get(node.name) or graph.source(node)
            if not loops or node.name in loops:
                seen[node.name if loops else entry.node.name] = len(inputs)
            inputs.append(entry)
        locs.append(places)
    return inputs, locs


def foreach(
    body: Callable[..., Any], data: Any, init_states: Any, name: str = "foreach"
) -> tuple[Any, Any]:
    """Run `body` over the slices of `data` along the first axis; see `nd.contrib.foreach`.

    Parameters
    ----------
    body : callable
        ``body(slice, states)`` returns the output, a symbol or a (nested) list of symbols, and
        the new states. It is called only once.
    data : Symbol, or list of symbols, of shape (steps, ...)
    init_states : Symbol, or (nested) list of symbols
    name : str, default 'foreach'

    Returns
    -------
    Symbol, or (nested) list
        The outputs, stacked along a new first axis.
    Symbol, or (nested) list
        The last states.

    Raises
    ------
    DTypeError
        If something is not a symbol.
    ArgumentError
        If the body leaves data or states unused, or returns another number of states.

    Examples
    --------
    >>> from gluon import nd, sym
    >>> sums, last = sym.contrib.foreach(
    ...     lambda x, total: (total + x, total + x), sym.var("x"), sym.var("start"))
    >>> sums.eval(x=nd.array([1, 2, 3]), start=nd.zeros((1,)))[0].asnumpy().tolist()
    [[1.0], [3.0], [6.0]]
    """
    sliced, held = _flat(data, "foreach: data"), _flat(init_states, "foreach: init_states")
    with _body(name) as full:
        slices, states = _stand_ins(sliced), _stand_ins(held)
        made, after = body(_like(data, iter(slices)), _like(init_states, iter(states)))
        outputs = _flat(made, "foreach: the output of the body")
        last = _flat(after, "foreach: what the body returned for the states")
        if len(last) != len(held):
            raise ArgumentError(f"foreach: the body returned {len(last)} states for {len(held)}")
        graph = _Graph(_closed(full, [*outputs, *last], len(outputs)), full)
    names = [node.name for node in graph.inputs]
    own = _places(names, [*slices, *states], "foreach")
    rest = [k for k in range(len(names)) if k not in own]
    found = _node(
        "_foreach",
        [graph],
        [one._heads[0] for one in (*sliced, *held)] + [graph.source(graph.inputs[k]) for k in rest],
        num_outputs=len(graph.heads),
        num_out_data=len(outputs),
        in_state_locs=own[len(slices) :],
        in_data_locs=own[: len(slices)],
        remain_locs=rest,
    )
    count = len(outputs)
    return _like(made, iter(found[:count])), _like(after, iter(found[count:]))


def _listed(loop_vars: Any, own: list[Symbol]) -> list[Any]:
    """Return the variables of a body as arguments, nested like those of the loop."""
    found = _like(loop_vars, iter(own))
    return [found] if isinstance(found, Symbol) else found


def _stepped(returned: Any, count: int) -> tuple[Any, list[Symbol]]:
    """Return the output of the body of a `while_loop`, and everything it returned."""
    made, after = (([] if one is None else one) for one in returned)
    outputs = _flat(made, "while_loop: the output of func")
    last = _flat(after, "while_loop: what func returned")
    if len(last) != count:
        raise ArgumentError(
            f"while_loop: func returned {len(last)} loop variables for {count}; return as many as"
            " it takes"
        )
    return made, [*outputs, *last]


def while_loop(
    cond: Callable[..., Any],
    func: Callable[..., Any],
    loop_vars: Any,
    max_iterations: int | None = None,
    name: str = "while_loop",
) -> tuple[Any, Any]:
    """Run `func` while `cond` holds, both called with the variables; see `nd.contrib.while_loop`.

    Parameters
    ----------
    cond : callable
        ``cond(*loop_vars)`` returns a symbol of one value.
    func : callable
        ``func(*loop_vars)`` returns the output, a symbol, a (nested) list of symbols or None, and
        the new loop variables, as many as before. Both functions are called only once.
    loop_vars : Symbol, or list of symbols
    max_iterations : int
        Required; the outputs are padded with zeros to this length.
    name : str, default 'while_loop'

    Returns
    -------
    Symbol, or (nested) list
        The outputs, stacked along a new first axis, of length `max_iterations`.
    Symbol, or list
        The last loop variables.

    Raises
    ------
    DTypeError
        If something is not a symbol.
    ArgumentError
        If there is no loop variable or no `max_iterations`, or the number of variables changes.

    Examples
    --------
    >>> from gluon import nd, sym
    >>> powers, last = sym.contrib.while_loop(
    ...     lambda x: x < 10, lambda x: (x, x * 3), sym.var("x"), max_iterations=4)
    >>> powers.eval(x=nd.array([2]))[0].asnumpy().tolist()
    [[2.0], [6.0], [0.0], [0.0]]
    """
    if max_iterations is None:
        raise ArgumentError("while_loop: give max_iterations, an upper bound of the steps")
    loops = _flat(loop_vars, "while_loop: loop_vars")
    if not loops:
        raise ArgumentError("while_loop: loop_vars is empty; give at least one symbol")

    with _body(f"{name}_cond") as full:
        holds = _flat(
            cond(*_listed(loop_vars, _stand_ins(loops))), "while_loop: what cond returned"
        )
        if len(holds) != 1:
            raise ArgumentError(f"while_loop: cond returned {len(holds)} symbols; return one")
        condition = _Graph(_closed(full, holds), full)
    with _body(f"{name}_func") as full:
        own = _stand_ins(loops)
        made, heads = _stepped(func(*_listed(loop_vars, own)), len(loops))
        step = _Graph(_closed(full, heads), full)
    count = len(heads) - len(loops)
    own_places = _places([node.name for node in step.inputs], own, "while_loop")
    stands_for = dict(zip([one.name for one in own], [one._heads[0] for one in loops]))
    inputs, locs = _union([condition, step], stands_for)
    found = _node(
        "_while_loop",
        [condition, step],
        inputs,
        max_iterations=int(max_iterations),
        cond_input_locs=locs[0],
        func_input_locs=locs[1],
        func_var_locs=own_places,
        num_out_data=count,
        num_outputs=len(step.heads),
    )
    return _like(made, iter(found[:count])), _like(loop_vars, iter(found[count:]))


def cond(
    pred: Symbol,
    then_func: Callable[..., Any],
    else_func: Callable[..., Any],
    name: str = "cond",
) -> Any:
    """The result of `then_func` if `pred` is not 0, otherwise that of `else_func`.

    Parameters
    ----------
    pred : Symbol of one value
    then_func, else_func : callable
        Functions without arguments, which return the same number of symbols; both are called once.
    name : str, default 'cond'

    Returns
    -------
    Symbol, or (nested) list

    Raises
    ------
    DTypeError
        If something is not a symbol.
    ArgumentError
        If the branches return different numbers of symbols.

    Examples
    --------
    >>> from gluon import nd, sym
    >>> x = sym.var("x")
    >>> y = sym.contrib.cond(x > 2, lambda: x * 10, lambda: x)
    >>> y.eval(x=nd.array([3]))[0].asnumpy().tolist()
    [30.0]
    """
    results, graphs = [], []
    for part, branch in (("pred", lambda: pred), ("then", then_func), ("else", else_func)):
        with _body(f"{name}_{part}") as full:
            results.append(branch())
            graphs.append(_Graph(_closed(full, _flat(results[-1], f"cond: {part}")), full))
    counts = [len(graph.heads) for graph in graphs]
    if counts[0] != 1 or counts[1] != counts[2]:
        raise ArgumentError(
            f"cond: pred has {counts[0]} outputs, then_func {counts[1]} and else_func {counts[2]};"
            " give one, and as many from both functions"
        )
    inputs, locs = _union(graphs, {})
    found = _node(
        "_cond",
        graphs,
        inputs,
        cond_input_locs=locs[0],
        then_input_locs=locs[1],
        else_input_locs=locs[2],
        num_outputs=counts[1],
    )
    return _like(results[1], iter(found))
