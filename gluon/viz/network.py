"""The structure of a network or a symbol as rows, one for each operator or layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from math import prod
from typing import Any, NamedTuple

from .. import autograd, nd, nn
from .._core.arrays.interfaces import chosen_class
from .._core.engine.array import Array, wrap
from .._core.engine.node import Node, next_number
from .._core.errors import ArgumentError, DTypeError
from .._core.instruments.base import Instrument, switch_off, switch_on
from ..block import Block
from ..nn.conv_layers import _Conv
from ..nn.pool_layers import _Pooling
from ..symbol import Symbol
from ..symbol.history import JSON_NAMES
from ..symbol.infer import node_dtypes, node_shapes
from ..symbol.node import GraphNode, ordered
from ..symbol.shapes import full
from ..utils import shape_is_known
from .history import history, is_leaf, maker

#: Names of layers in MXNet's symbols that differ from the class name.
LAYERS: tuple[tuple[Any, str], ...] = (
    (_Conv, "Convolution"),
    (_Pooling, "Pooling"),
    (nn.Dense, "FullyConnected"),
    (nn.Activation, "Activation"),
    ((nn.LeakyReLU, nn.PReLU, nn.ELU, nn.SELU, nn.GELU), "LeakyReLU"),
)
#: MXNet's names of activations that are all ``LeakyReLU`` operators.
KINDS: dict[type, str] = {nn.LeakyReLU: "leaky"}
#: The trained inputs of operators, whose values are counted.
TRAINED = ("weight", "bias", "gamma", "beta", "parameters")
#: The suffixes of variables that pictures of symbols omit.
WEIGHTS = (
    *("_weight", "_bias", "_beta", "_gamma"),
    *("_moving_var", "_moving_mean", "_running_var", "_running_mean"),
)


class Row(NamedTuple):
    """One operator or layer.

    Attributes
    ----------
    name, op : str
        ``'null'`` is the operator of an input.
    attrs : dict
        The settings, under MXNet's names.
    shape : tuple of int, or None
        The shape of the output, if it is known.
    params : int
        The number of values of its parameters.
    inputs : tuple of str
        The names of the rows of its inputs.
    weights : tuple of Row
        Its parameters.
    dtype : str
        The dtype of the output, if it is to be shown.
    """

    name: str
    op: str
    attrs: Mapping[str, Any]
    shape: tuple[int, ...] | None
    params: int
    inputs: tuple[str, ...]
    weights: tuple[Row, ...] = ()
    dtype: str = ""


def rows_of(what: Any, shape: Any, caller: str, dtype: Any = None) -> list[Row]:
    """The rows of a symbol or a block, in the order of computation.

    Parameters
    ----------
    what : Block or Symbol
    shape : tuple, list of tuples, or dict of str to tuple
        The shapes of the inputs of a block, in order, or of the arguments of a symbol, by name.
    caller : str
        The function that error messages name.
    dtype : str, numpy type or dict of str to them, optional
        Of the inputs of a block, or of the arguments of a symbol, by name.

    Returns
    -------
    list of Row

    Raises
    ------
    DTypeError
        If `what` is neither of these.
    ArgumentError
        If shapes are missing.
    """
    if isinstance(what, Block):
        return _Trace(what, _inputs(shape, dtype, caller)).rows()
    if isinstance(what, Symbol):
        return _rows_of_symbol(what, shape, caller, dtype)
    raise DTypeError(f"{caller}: symbol must be a Symbol or a Block, not {type(what).__name__}")


def _inputs(shape: Any, dtype: Any, caller: str) -> dict[str, Any]:
    """Return arrays of zeros for the inputs of a block, by name."""
    if not shape:
        raise ArgumentError(
            f"{caller}: give the shapes of what the block is called with, such as"
            " shape=(1, 3, 224, 224), or a dict with a name for each input"
        )
    if isinstance(shape, Mapping):
        named = dict(shape)
    elif isinstance(shape[0], (tuple, list)):
        several = len(shape) > 1
        named = {f"data{k}" if several else "data": one for k, one in enumerate(shape)}
    else:
        named = {"data": shape}
    kinds = dtype if isinstance(dtype, Mapping) else dict.fromkeys(named, dtype)
    zeros = {name: nd.zeros(one, dtype=kinds.get(name)) for name, one in named.items()}
    return {name: wrap(chosen_class(), one.raw, one._ctx) for name, one in zeros.items()}


# ----------------------------------------------------------------------------------- blocks


class _Call:
    """A call of a block, in which the nodes `first` to `last` were created."""

    def __init__(self, block: Block, inputs: tuple[Any, ...], inside: _Call | None) -> None:
        self.block, self.inputs, self.inside = block, inputs, inside
        self.first, self.last = next_number(), 0
        self.output: Any = None
        self.is_leaf = True
        self.nodes: list[Node] = []


class _Shapes(Instrument):
    """Records the shapes of recorded results."""

    def __init__(self) -> None:
        self.found: dict[Node, tuple[int, ...]] = {}

    def recorded(self, node: Node, inputs: Sequence, attrs: Mapping[str, Any], out: Any) -> None:
        self.found[node] = (out[0] if isinstance(out, list) else out).shape


class _Trace:
    """A forward pass of a block, with the calls of inner blocks."""

    def __init__(self, block: Block, inputs: dict[str, Any]) -> None:
        self.block, self.inputs = block, inputs
        self.calls: list[_Call] = []
        self.shapes = _Shapes()
        self._open: list[_Call] = []
        for x in inputs.values():
            x.attach_grad()
        with self._watched(), autograd.record(train_mode=False):
            out = block(*inputs.values())
        self.nodes = [one for one in history(_arrays(out)) if not is_leaf(one)]
        self.sources: dict[int, str] = {id(x): name for name, x in inputs.items()}
        self.variables = {x._node: name for name, x in inputs.items()}
        self.names: dict[_Call, str] = {}
        self.owners: dict[Node, str] = {}
        self._taken: set[str] = set(inputs)

    @contextmanager
    def _watched(self) -> Any:
        handles: dict[int, tuple] = {}

        def hook(one: Block) -> None:
            if id(one) not in handles:
                before = one.register_forward_pre_hook(self._begin)
                handles[id(one)] = before, one.register_forward_hook(self._end)

        self.block.apply(hook)
        switch_on(self.shapes)
        try:
            yield
        finally:
            switch_off(self.shapes)
            for pair in handles.values():
                for handle in pair:
                    handle.detach()

    def _begin(self, block: Block, inputs: tuple) -> None:
        call = _Call(block, inputs, self._open[-1] if self._open else None)
        if call.inside:
            call.inside.is_leaf = False
        self.calls.append(call)
        self._open.append(call)

    def _end(self, block: Block, inputs: tuple, output: Any) -> None:
        call = self._open.pop()
        call.output, call.last = output, next_number()

    def rows(self) -> list[Row]:
        """Return one row per leaf block, and per operator outside of leaf blocks."""
        for node in self.nodes:
            if call := self._around(node):
                call.nodes.append(node)
        entries: list[tuple[int, Any, Any]] = []
        for call in self.calls:
            if call.is_leaf and (call.nodes or _passes(call)):
                entries.append((call.first, call, None))
            else:
                entries += [(node.number, call, node) for node in call.nodes]
        loose = [node for node in self.nodes if self._around(node) is None]
        entries += [(node.number, None, node) for node in loose]
        rows = [Row(n, "null", {}, x.shape, 0, ()) for n, x in self.inputs.items()]
        counted: set[int] = set()
        for _, call, node in sorted(entries, key=lambda entry: -entry[0]):
            rows.append(self._row(call, node, counted))
        return rows

    def _around(self, node: Node) -> _Call | None:
        """Return the innermost call that created a node."""
        around = [one for one in self.calls if one.first > node.number > one.last]
        return around[-1] if around else None

    def _row(self, call: _Call | None, node: Node | None, counted: set[int]) -> Row:
        """Return the row of a leaf (`node` is None) or of an operator, inside `call` or not."""
        nodes = [node] if node else call.nodes if call else []
        block = call.block if call else None
        inputs = self._given(call) if call and not node else ()
        inputs = inputs or self._sources_of(nodes)
        # Dense and others compute before their activation, a child block.
        is_main = not node or bool(call and call.block._reg_params and node is call.nodes[0])
        op = _layer_of(block) if block and is_main else ""
        if node and not op:
            op = JSON_NAMES.get(node.op.name, node.op.name)
        name = self._name(block if is_main else None, op, block or self.block)
        weights: tuple[Row, ...] = ()
        params = 0
        if block and is_main:
            own = [one for one in block._reg_params.values() if "running_" not in one.name]
            weights = tuple(Row(one.name, "null", {}, one.shape, 0, ()) for one in own)
            fresh = [one for one in own if id(one) not in counted]
            counted.update(map(id, fresh))
            params = sum(prod(one.shape) for one in fresh if shape_is_known(one.shape))
        shape = self.shapes.found.get(nodes[-1]) if nodes else None
        if call and not node:
            self.names[call] = name
            shape = _arrays(call.output)[0].shape
            self.sources.update((id(one), name) for one in _arrays(call.output))
        self.owners.update((one, name) for one in nodes)
        settings = _settings(block) if block and is_main else {}
        return Row(name, op, settings, shape, params, inputs, weights)

    def _given(self, call: _Call) -> tuple[str, ...]:
        """Return the rows before a leaf, if its inputs are their outputs."""
        names = [self.sources.get(id(x)) for x in _arrays(call.inputs)]
        return () if None in names else tuple(dict.fromkeys(one for one in names if one))

    def _sources_of(self, nodes: list[Node]) -> tuple[str, ...]:
        """Return the rows before nodes, along the edges."""
        found: dict[str, None] = {}
        for node in nodes:
            for source in [maker(edge) for edge in node.edges or () if edge is not None]:
                name = self.owners.get(source) or self.variables.get(source)
                if name and source not in nodes:
                    found[self._passed_on(source, node) or name] = None
        return tuple(found)

    def _passed_on(self, source: Node, user: Node) -> str | None:
        """Return the last layer that passed on the value of `source` before `user` took it."""
        for call in reversed(self.calls):
            is_before = call.is_leaf and not call.nodes and call.first > user.number
            if is_before and any(maker(one._node) is source for one in _arrays(call.output)):
                return self.names.get(call)
        return None

    def _name(self, layer: Block | None, op: str, around: Block) -> str:
        """Return a name as in MXNet: of a layer, or of an operator inside another block."""
        base = f"{layer.name}_fwd" if layer else f"{around.name}_{op.lower().strip('_')}"
        name, number = base if layer else f"{base}0", 0
        while name in self._taken:
            number += 1
            name = f"{base}{number}"
        self._taken.add(name)
        return name


def _passes(call: _Call) -> bool:
    """Whether a call returned an array; if so, it belongs to the network even without operators."""
    return bool(_arrays(call.output))


def _layer_of(block: Block) -> str:
    for kind, name in LAYERS:
        if isinstance(block, kind):
            return getattr(block, "_op", name)
    return type(block).__name__


def _settings(block: Block) -> dict[str, Any]:
    """Return the settings of a layer in MXNet's symbols."""
    found = dict(vars(block).get("_kwargs", {}))
    if isinstance(block, nn.Dense):
        found["num_hidden"] = block.weight.shape[0]
    if isinstance(block, nn.Activation):
        found["act_type"] = block._act_type
    elif _layer_of(block) == "LeakyReLU":
        found["act_type"] = KINDS.get(type(block), type(block).__name__.lower())
    return found


def _arrays(values: Any) -> list[Any]:
    """Return the arrays in nested lists and tuples."""
    if isinstance(values, (list, tuple)):
        return [one for value in values for one in _arrays(value)]
    return [values] if isinstance(values, Array) else []


# ---------------------------------------------------------------------------------- symbols


def _rows_of_symbol(symbol: Symbol, shape: Any, caller: str, dtype: Any) -> list[Row]:
    for what, given in (("shape", shape), ("dtype", dtype)):
        if given is not None and not isinstance(given, Mapping):
            raise ArgumentError(
                f"{caller}: for a Symbol, {what} is a dict by the names of arguments"
            )
    order = ordered(symbol._heads)
    shapes = {} if shape is None else _known(node_shapes, order, shape, "shape", caller)
    dtypes = {} if dtype is None else _known(node_dtypes, order, dtype, "dtype", caller)
    variables = {node: _variable(node, shapes, dtypes) for node in order if node.op is None}
    counted: set[GraphNode] = set()
    rows: list[Row] = []
    for node in order:
        if node.op is None:
            rows += [] if node.name.endswith(WEIGHTS) else [variables[node]]
            continue
        before = [source for source, _ in node.inputs]
        own = {
            source
            for source, what in zip(before, node.input_names)
            if source in variables and what in TRAINED and source not in counted
        }
        counted |= own
        params = sum(prod(variables[one].shape or (0,)) for one in own)
        hidden = [one for one in before if one in variables and one.name.endswith(WEIGHTS)]
        rows.append(
            Row(
                node.name,
                node.op.name,
                node.attrs,
                shapes.get(node),
                params,
                tuple(one.name for one in before if one not in hidden),
                tuple(variables[one] for one in hidden),
                dtypes.get(node, ""),
            )
        )
    return rows


def _variable(node: GraphNode, shapes: Mapping, dtypes: Mapping) -> Row:
    return Row(node.name, "null", {}, shapes.get(node), 0, (), (), dtypes.get(node, ""))


def _known(
    infer: Any, order: list[GraphNode], given: Mapping, what: str, caller: str
) -> dict[GraphNode, Any]:
    """Return the inferred shape of each node's first output, which must be complete."""
    names = [node.name for node in order if node.op is None]
    if unknown := [name for name in given if name not in names]:
        raise ArgumentError(
            f"{caller}: no argument {unknown[0]!r}; the arguments are {', '.join(names[:20])}"
        )
    found = infer(order, given)
    done = full if what == "shape" else (lambda one: one is not None)
    if missing := [node for node in order if not done(found[node][0])]:
        asked = [node.name for node in missing if node.op is None] or [missing[0].name]
        raise ArgumentError(
            f"{caller}: Input {what} is incomplete; give those of {', '.join(asked[:20])} too"
        )
    return {node: one[0] if what == "shape" else one[0].name for node, one in found.items()}
