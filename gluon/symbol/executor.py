"""`Executor`: a symbol bound to arrays, run forwards and backwards."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

import numpy as np

from .._core.arrays.context import Context, has_device
from .._core.engine.array import Array, wrap
from .._core.engine.backward import cotangent
from .._core.engine.inplace import write
from .._core.engine.mark import REQUESTS, as_gradient, deliver, put
from .._core.engine.mode import mode, under
from .._core.engine.node import PAUSED, Variable
from .._core.engine.op import RECORDED as ops
from .._core.engine.pull import PASS
from .._core.engine.sweep import sweep
from .._core.engine.tape import AMBIENT, RECORDING
from .._core.errors import ArgumentError, AutogradError, DTypeError, a_type
from .._core.instruments.hooks import register
from .._core.kernels import generator
from ..nd import NDArray, identity, zeros
from .compiled import Bound, plain
from .infer import node_dtypes, node_shapes
from .naming import by_name
from .node import Entry, GraphNode, ordered, variables
from .program import Program, Tap
from .shapes import full
from .stypes import storage_types

Arrays = Sequence[Any] | Mapping[str, Any] | None
Groups = Mapping[str, Any] | None


class Executor:
    """A symbol with an array for each of its variables.

    `Symbol.bind` and `Symbol.simple_bind` create it.

    Parameters
    ----------
    symbol : Symbol
    ctx : Context
    args : dict of str to NDArray
    grads : dict of str to NDArray
        The arrays to store gradients in.
    requests : dict of str to {'write', 'add', 'null'}
        How to store each gradient.
    states : dict of str to NDArray
    groups : dict of str to Context, optional
        The contexts of nodes with the attribute ``ctx_group``.

    Attributes
    ----------
    arg_dict, grad_dict, aux_dict : dict of str to NDArray
    arg_arrays, grad_arrays, aux_arrays : list of NDArray
    """

    arg_dict: dict[str, Any]
    aux_dict: dict[str, Any]
    grad_dict: dict[str, Any]

    def __init__(
        self,
        symbol: Any,
        ctx: Any,
        args: dict[str, Any],
        grads: dict[str, Any],
        requests: dict[str, str],
        states: dict[str, Any],
        groups: Groups = None,
    ) -> None:
        self._symbol, self._ctx, self._groups = symbol, ctx, groups
        self.arg_dict, self.grad_dict, self.aux_dict = args, grads, states
        self._grad_req = requests
        self._program = Program(symbol._heads)
        self._bound = Bound(self._program, states, symbol.name or "group")
        self._wanted = {
            name for name, grad in grads.items() if grad is not None and requests[name] != "null"
        }
        self._outputs: list[Any] = []
        #: The outputs, and the nodes that lead to them, until a backward pass has used these.
        self._heads: list[Any] = []
        self._nodes: list[Any] = []
        # One variable per argument with a gradient, created in the first training pass.
        self._variables: dict[str, Variable] = {}
        self._recorded = False
        #: The values of the arguments that were recorded: a write to one gives it another buffer.
        self._values: dict[str, Any] = {}
        #: How the last forward pass ran: in training mode, and from this state of the generator.
        self._last: tuple[bool, Any] | None = None
        self._monitor: tuple[Callable[[str, Any], Any], bool] | None = None
        #: Where operators without inputs make their arrays.
        self._there: Any = ctx if isinstance(ctx, Context) else nullcontext()
        self._moves = any(map(has_device, (groups or {}).values()))

    @property
    def arg_arrays(self) -> list[Any]:
        """The arguments, in the order of `Symbol.list_arguments`."""
        return list(self.arg_dict.values())

    @property
    def grad_arrays(self) -> list[Any]:
        """The gradients; None for arguments without one."""
        return list(self.grad_dict.values())

    @property
    def aux_arrays(self) -> list[Any]:
        """The auxiliary states."""
        return list(self.aux_dict.values())

    @property
    def outputs(self) -> list[Any]:
        """The outputs of the last `forward`; zeros before the first."""
        if not self._outputs:
            arrays = {**self.arg_dict, **self.aux_dict}
            order = ordered(self._symbol._heads)
            shapes = node_shapes(order, {name: one.shape for name, one in arrays.items()})
            dtypes = node_dtypes(order, {name: one.dtype for name, one in arrays.items()})
            kinds = [(shapes[node][k], dtypes[node][k]) for node, k in self._symbol._heads]
            if not all(full(shape) for shape, _ in kinds):
                # Operators from ONNX files know their shapes only when they run.
                given = [arrays[name] for name in self._program.inputs]
                found = under(mode().paused(False), self._program.run, given)
                kinds = [(one.shape, one.dtype) for one in found]
            self._outputs = self._placed([zeros(shape, self._ctx, dtype) for shape, dtype in kinds])
        return list(self._outputs)

    @property
    def output_dict(self) -> dict[str, Any]:
        """The outputs by their names."""
        names = self._symbol.list_outputs()
        if len(set(names)) != len(names):
            raise ArgumentError(f"output_dict: two outputs have one name among {', '.join(names)}")
        return dict(zip(names, self._outputs))

    def forward(self, is_train: bool = False, **kwargs: Any) -> list[Any]:
        """Compute the outputs.

        Parameters
        ----------
        is_train : bool, default False
            Whether layers behave as in training, and `backward` may follow. False does not keep
            the values for a backward pass.
        **kwargs : NDArray or array_like
            New values of arguments.

        Returns
        -------
        list of NDArray

        Raises
        ------
        ArgumentError
            If there is no such argument, or a value has another shape.
        """
        for name, value in kwargs.items():
            self._write("forward", self.arg_dict, name, value)
        self._last = bool(is_train), generator.generator().bit_generator.state
        self._outputs = []
        self._run(bool(is_train) and bool(self._wanted), tells=True)
        self._outputs = self._heads
        return self.outputs

    def _run(self, records: bool, tells: bool = False) -> None:
        """Compute the outputs as `_last` says; with `records`, for a backward pass."""
        assert self._last is not None
        self._heads, self._nodes, self._recorded = [], [], False
        args, states = self.arg_dict, self.aux_dict
        arrays = [args[one] if one in args else states[one] for one in self._program.inputs]
        now = mode()
        how: tuple[Any, ...] = ()
        inside = now.paused(self._last[0])
        if records:
            inside = now.recorded_by(RECORDING, self._last[0])
            arrays = [*map(self._tracked, self._program.inputs, arrays)]
        run: Callable[..., list[Any]] = self._bound.run
        watch = self._watch if tells and self._monitor else None
        tap = self._moving(self._tap if records and self._monitor else None)
        if watch or tap:
            run, how = self._program.run, (watch, tap)
        with self._there:
            self._heads = self._placed(under(inside, run, arrays, *how))
        self._nodes = [one._node for one in self._heads]
        for one in self._heads:
            if AMBIENT in one._node.tapes:  # a user who records does not see the calls
                one._node = PAUSED
        self._recorded = records
        self._values = {name: one.held for name, one in args.items()} if records else {}

    def _placed(self, outputs: list[Any]) -> list[Any]:
        """Return the outputs with the contexts of their groups."""
        if not self._groups:
            return outputs
        return [
            wrap(type(one), one.held, context_of(node, one._ctx, self._groups), one._node)
            for (node, _), one in zip(self._symbol._heads, outputs)
        ]

    def _run_again(self) -> None:
        """Record the last forward pass once more: the same random numbers, states unchanged."""
        if self._last is None:
            raise AutogradError("backward: call forward(is_train=True) first")
        states = [(one, one.raw.copy()) for one in self.aux_dict.values()]
        with generator.replaying(self._last[1]):
            self._run(records=True)
        for one, before in states:
            write(one, ..., before)

    def _tracked(self, name: str, array: Any) -> Any:
        """Return a handle on an argument that needs a gradient; return other arrays unchanged."""
        if name not in self._wanted:
            known = plain(array) or name in self.aux_dict
            return array if known else wrap(type(array), array.held, array._ctx)
        variable = self._variables.get(name)
        if variable is None:
            variable = self._variables[name] = Variable(PASS, array.held, RECORDING)
            variable.grad, variable.req = self.grad_dict[name], self._grad_req[name]
        return wrap(type(array), array.held, array._ctx, variable)

    def backward(self, out_grads: Any = None, is_train: bool = True) -> None:
        """Compute the gradients of the arguments, and store them by their ``grad_req``.

        Parameters
        ----------
        out_grads : NDArray or list of NDArray, optional
            The gradients of the outputs. Losses, such as `SoftmaxOutput`, need none.
        is_train : bool, default True
            Whether the backward pass is in training mode.

        Raises
        ------
        ArgumentError
            If an output other than a loss has no gradient, or a gradient has another shape.
        AutogradError
            If `forward` was not called before.

        Notes
        -----
        The gradients are those at the values that the arguments have now: where one was written
        since ``forward(is_train=True)``, and in a second call, since the first frees the graph, the
        forward pass is recorded again. `outputs` stay those of `forward`.
        """
        if not self._wanted:
            return
        if not self._recorded or self._written():
            self._run_again()
        seeds, given = [], self._head_gradients(out_grads)
        for place, (head, node, g) in enumerate(zip(self._heads, self._nodes, given)):
            if AMBIENT in node.tapes:
                seeds.append((node, cotangent(head, g)))
            elif g is not None and g.shape != head.shape:
                raise ArgumentError(f"backward: out_grads[{place}] has shape {g.shape}")
        passed = partial(sweep, AMBIENT, seeds, training=bool(is_train))
        received, _ = under(mode().paused(), passed)
        for name, variable in self._variables.items():
            self._deliver(name, received.get(variable))
        self._heads, self._nodes, self._recorded, self._values = [], [], False, {}

    def _written(self) -> bool:
        """Whether an argument was written since the forward pass was recorded."""
        return any(one.held is not self._values[name] for name, one in self.arg_dict.items())

    def _head_gradients(self, given: Any) -> list[Any]:
        heads = self._symbol._heads
        if isinstance(given, Mapping):
            given = [given.get(name) for name in self._symbol.list_outputs()]
        grads = [given] if isinstance(given, Array) else list(given or [None] * len(heads))
        if len(grads) != len(heads):
            raise ArgumentError(f"backward: {len(grads)} out_grads for {len(heads)} outputs")
        for entry, g, node in zip(heads, grads, self._nodes):
            if AMBIENT not in node.tapes:  # none of its inputs has a gradient
                continue
            if g is None and _needs_gradient(entry):
                kind, name = entry.node.op and entry.node.op.name, entry.node.name
                raise ArgumentError(
                    f"backward: the output of {kind} {name!r} is not a loss; give its gradient in"
                    " out_grads, or end the network with make_loss"
                )
        pairs = zip(grads, self._heads)
        return [g.as_in_context(y.context) if isinstance(g, NDArray) else g for g, y in pairs]

    def _deliver(self, name: str, value: Any) -> None:
        """Write or add the gradient of one argument; zeros if nothing reached it."""
        grad, req = self.grad_dict[name], self._grad_req[name]
        if grad._is_sparse and (value is not None or req == "write"):
            value = grad._zeros("backward", None) if value is None else value
            deliver(self._variables[name], value, type(grad))
            return
        if value is None:
            if req == "write":
                grad[:] = 0
            return
        new = as_gradient(value, grad.form.dtype, type(grad), grad._ctx)
        put(grad, ops.add(grad, new) if req == "add" else new)

    def _write(self, what: str, arrays: dict[str, Any], name: str, value: Any) -> None:
        if name not in arrays:
            raise ArgumentError(f"{what}: no argument {name!r}; there are {', '.join(arrays)}")
        own = arrays[name]
        shape = np.shape(value.held if isinstance(value, Array) else value)
        if shape != own.shape:
            raise ArgumentError(
                f"{what}: {name} has shape {own.shape}, but the new value has {shape}; see reshape"
            )
        own[:] = value

    def copy_params_from(
        self,
        arg_params: Mapping[str, Any],
        aux_params: Mapping[str, Any] | None = None,
        allow_extra_params: bool = False,
    ) -> None:
        """Copy values into the arguments and auxiliary states.

        Parameters
        ----------
        arg_params, aux_params : dict of str to NDArray
        allow_extra_params : bool, default False
            Ignore names that the symbol does not have.

        Raises
        ------
        ArgumentError
            If there is no such name, or a value has another shape.
        """
        for params, arrays in ((arg_params, self.arg_dict), (aux_params or {}, self.aux_dict)):
            for name, value in params.items():
                if name in arrays or not allow_extra_params:
                    self._write("copy_params_from", arrays, name, value)

    def reshape(
        self, partial_shaping: bool = False, allow_up_sizing: bool = False, **kwargs: Any
    ) -> Executor:
        """Return an executor of the symbol for other input shapes, which shares the arrays.

        An array of another shape begins with the values of the old one, and shares its memory if it
        is not larger. The monitor watches the new executor too.

        Parameters
        ----------
        partial_shaping : bool, default False
            Whether arguments that are not named may change their shapes.
        allow_up_sizing : bool, default False
            Whether arrays may become larger.
        **kwargs : tuple of int
            The new shapes by name.

        Returns
        -------
        Executor

        Raises
        ------
        ArgumentError
            If another argument would change, or an array would grow, and it is not allowed.
        """
        shapes, _, states = self._symbol.infer_shape(**kwargs)
        if shapes is None:
            raise ArgumentError("reshape: not enough shapes are given to infer the others")
        found = dict(zip(self._symbol.list_arguments(), shapes))
        args, grads = {}, {}
        for name, shape in found.items():
            old, grad = self.arg_dict[name], self.grad_dict[name]
            args[name], grads[name] = old, grad
            if old.shape == shape:
                continue
            if not (partial_shaping or name in kwargs):
                raise ArgumentError(
                    f"reshape: {name} would change from {old.shape} to {shape}; pass"
                    " partial_shaping=True, or its shape"
                )
            if math.prod(old.shape) < math.prod(shape) and not allow_up_sizing:
                raise ArgumentError(
                    f"reshape: {name} would grow from {old.shape} to {shape}; pass"
                    " allow_up_sizing=True"
                )
            args[name] = _resized(old, shape)
            grads[name] = None if grad is None else _resized(grad, shape)
        aux = {
            name: _resized(old, shape) for (name, old), shape in zip(self.aux_dict.items(), states)
        }
        kept = self._grad_req, aux, self._groups
        made = Executor(self._symbol, self._ctx, args, grads, *kept)
        made._monitor = self._monitor
        return made

    def set_monitor_callback(
        self, callback: Callable[[str, Any], Any] | None, monitor_all: bool = False
    ) -> None:
        """Call a function with the name and the value of every output of every node.

        Parameters
        ----------
        callback : callable
            ``callback(name, array)``.
        monitor_all : bool, default False
            Whether to call it for inputs too.
        """
        self._monitor = None if callback is None else (callback, bool(monitor_all))

    def _moving(self, tap: Tap | None) -> Tap | None:
        """`tap`, after the inputs of nodes are copied to the GPUs of the groups of these nodes."""

        def moved(node: GraphNode, given: list[Any]) -> list[Any]:
            ctx = context_of(node, self._ctx, self._groups)
            there = given if ctx is None else [one.as_in_context(ctx) for one in given]
            return tap(node, there) if tap else there

        return moved if self._moves else tap

    def _tap(self, node: GraphNode, given: list[Any]) -> list[Any]:
        """Report the gradients of the inputs of a node, when they arrive."""
        assert self._monitor is not None
        callback, taken = self._monitor[0], list(given)
        count = len(node.inputs) - len(node.op.auxiliary)  # type: ignore[union-attr]
        for k in reversed(range(count)):  # the first is reported first
            if AMBIENT in given[k]._node.tapes:
                name = f"{node.name}_backward_output{k if count > 1 else ''}"
                taken[k] = identity(given[k])
                register(taken[k], partial(_told, callback, name))
        return taken

    def _watch(self, node: GraphNode, given: list[Any], results: list[Any]) -> None:
        assert self._monitor is not None
        callback, inputs = self._monitor
        if inputs:
            for name, entry, array in zip(node.input_names, node.inputs, given):
                if entry.node.op is None:
                    callback(entry.node.name, array)
                callback(f"{node.name}_{name}", array)
        for k, array in zip(range(len(node.outputs)), results):
            callback(node.output_name(k), array)

    def get_optimized_symbol(self) -> Any:
        """The symbol itself: it runs without changes."""
        return self._symbol

    def program(self) -> str:
        """The programs that the executor runs as text, and why calls ran one by one.

        See `HybridBlock.program`.
        """
        return self._bound.text()

    def debug_str(self) -> str:
        """The calls, one per line."""
        return self._symbol.debug_str()

    def __repr__(self) -> str:
        return f"<Executor of {self._symbol!r}>"


def _resized(old: Any, shape: tuple[int, ...]) -> Any:
    """An array of another shape: the first values of `old`, or zeros if it has too few.

    A sparse array has zeros.
    """
    size = math.prod(shape)
    if old.shape == shape:
        return old
    if old._is_sparse or size > old.size:
        return zeros(shape, old.context, old.dtype, stype=old.stype)
    return old.reshape((-1,))[:size].reshape(shape)


def _told(callback: Callable[[str, Any], Any], name: str, gradient: Any) -> None:
    """Hand a gradient to a monitor, which cannot replace it."""
    callback(name, gradient)


def _needs_gradient(head: Entry) -> bool:
    """Whether a backward pass needs the gradient of an output: that of a loss it does not."""
    while head.node.op is not None and head.node.op.name == "_copy":
        head = head.node.inputs[0]
    return head.node.op is not None and head.node.op.needs_gradient()


def _named(what: str, names: list[str], given: Arrays, needed: bool) -> dict[str, Any]:
    """Return arrays by name, from a list or a dict; None for missing ones."""
    if given is None:
        given = {}
    if isinstance(given, Mapping):
        found = {name: given.get(name) for name in names}
    else:
        if len(given) != len(names):
            raise ArgumentError(
                f"bind: {what} has {len(given)} entries; it needs one for each of the {len(names)}"
                f" arguments: {', '.join(names) or 'none'}"
            )
        found = by_name(f"bind: {what}", names, given)
    for name, array in found.items():
        if array is None and needed:
            raise ArgumentError(f"bind: {what} lacks {name!r}; it needs {', '.join(names)}")
        if array is not None and not isinstance(array, Array):
            raise DTypeError(f"bind: {what}: {name} is {a_type(array)}, not an NDArray")
    return found


def requests(names: list[str], given: Any) -> dict[str, str]:
    """How to store the gradient of each argument, from a string, a list or a dict."""
    if isinstance(given, str):
        found = dict.fromkeys(names, given)
    elif isinstance(given, Mapping):
        found = {name: given.get(name, "null") for name in names}
    elif isinstance(given, (list, tuple)):
        if len(given) != len(names):
            raise ArgumentError(f"bind: {len(given)} grad_req for {len(names)} arguments")
        found = dict(zip(names, given))
    else:
        raise DTypeError(f"bind: grad_req is {a_type(given)}; give a str, list or dict")
    for req in found.values():
        if req not in REQUESTS:
            raise ArgumentError(f"bind: grad_req must be one of {', '.join(REQUESTS)}; got {req!r}")
    return found


def context_of(node: GraphNode, ctx: Any, groups: Groups) -> Any:
    """The context of a node: that of its group, if it has one."""
    return (groups or {}).get(node.attrs.get("__ctx_group__", ""), ctx)


def bind(
    symbol: Any,
    ctx: Any,
    args: Arrays,
    args_grad: Arrays,
    grad_req: Any,
    aux_states: Arrays,
    groups: Groups = None,
) -> Executor:
    """See `Symbol.bind`."""
    names = symbol.list_arguments()
    states = _named("aux_states", symbol.list_auxiliary_states(), aux_states, True)
    grads = _named("args_grad", names, args_grad, False)
    arrays = _named("args", names, args, True)
    return Executor(symbol, ctx, arrays, grads, requests(names, grad_req), states, groups)


def like(array: Any, stype: str) -> Any:
    """Zeros like an array, in a storage type."""
    return zeros(array.shape, array._ctx, array.dtype, stype=stype)


def _unbound(name: str, names: Sequence[str], shapes: Mapping[str, Any]) -> ArgumentError:
    """The error for an argument whose shape `simple_bind` does not find."""
    others = [f". It has no argument {given!r}" for given in shapes if given not in names]
    return ArgumentError(
        f"simple_bind: the shape of {name} does not follow from {dict(shapes)}; give that of an"
        f" input, as in simple_bind(ctx, {names[0]}=(2, 3))" + "".join(others)
    )


def simple_bind(
    symbol: Any,
    ctx: Any,
    grad_req: Any,
    type_dict: Mapping[str, Any] | None,
    shared_names: Sequence[str] | None,
    shared_exec: Executor | None,
    shared_buffer: dict[str, Any] | None,
    shapes: Mapping[str, Any],
    groups: Groups = None,
    stype_dict: Mapping[str, str] | None = None,
) -> Executor:
    """See `Symbol.simple_bind`."""
    order = ordered(symbol._heads)
    arguments, states = variables(order)
    found = node_shapes(order, {k: v for k, v in shapes.items() if v is not None})
    for node in (*arguments, *states):
        if not full(found[node][0]):
            raise _unbound(node.name, [one.name for one in arguments], shapes)
    dtypes = node_dtypes(order, dict(type_dict or {}))
    stypes, grad_stypes = storage_types(order, symbol._heads, stype_dict or {})
    reqs = requests([node.name for node in arguments], grad_req)
    shared = {**shared_exec.arg_dict, **shared_exec.aux_dict} if shared_exec else {}

    def made(node: GraphNode, role: str) -> Any:
        shape, dtype = found[node][0] or (), dtypes[node][0] or np.dtype(np.float32)
        if role == "arg" and shared_names is not None and node.name not in shared_names:
            old = (shared_buffer or {}).get(node.name)
        else:
            old = shared.get(node.name)
        stype = stypes[node.name]
        if isinstance(old, NDArray) and (old.shape, old.dtype, old.stype) == (shape, dtype, stype):
            return old
        array = zeros(shape, context_of(node, ctx, groups), dtype, stype=stype)
        if role == "arg" and shared_buffer is not None:
            shared_buffer[node.name] = array
        return array

    args = {node.name: made(node, "arg") for node in arguments}
    grads = {
        name: None if reqs[name] == "null" else like(args[name], stype)
        for name, stype in grad_stypes.items()
        if name in args
    }
    aux = {node.name: made(node, "aux") for node in states}
    return Executor(symbol, ctx, args, grads, reqs, aux, groups)
