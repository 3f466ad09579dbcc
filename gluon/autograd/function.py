"""`Function`: an operator with a forward and a backward method that the user writes."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.arrays.interfaces import Symbolic
from .._core.engine.array import Array, alias, wrap
from .._core.engine.call import NO_ATTRIBUTES, ports, report
from .._core.engine.mode import Mode, mode, new_tuple, under
from .._core.engine.node import InFunction, Node, next_number
from .._core.engine.op import RECORDED as ops
from .._core.engine.pull import only_wanted
from .._core.engine.tape import Tape, common, union
from .._core.errors import ArgumentError, AutogradError, DTypeError, GluonError, warn_caller
from .._core.hints.lookup import RefusedOfClass
from .._core.instruments.base import OBSERVED
from .._core.kernels import foreign
from .._core.kernels.memory import own
from .._core.transforms.crossing import for_each, level_of

#: The tapes during `forward`: a closed one, so that results know their sources.
NOBODY = (Tape(),)
NOBODY[0].open = False


class _Unsaved:
    """What `Function.saved_tensors` is before `save_for_backward`: nothing, with a warning."""

    def __get__(self, owner: Any, kind: type) -> tuple[Any, ...]:
        if owner is not None:
            warn_caller(
                f"{kind.__name__}: saved_tensors is empty; forward saves what backward needs by"
                " self.save_for_backward(x)"
            )
        return ()


class Function:
    """Base class of functions with a custom gradient.

    Write ``forward(*inputs)`` and ``backward(*output_grads)`` with NDArray operations, and call
    each instance once. Nothing is recorded during forward: for autograd the whole call is one
    operator. For gradients of higher order, gluon records backward, and differentiates what it
    computes from the inputs, the outputs and the output gradients. Other arrays that forward
    computed from the inputs have no history: the first derivative may use them, but
    differentiating through them again raises an error. Return them as outputs, or compute them
    again in backward. Values that leave the arrays, as with ``asnumpy()``, are constants.

    Raises
    ------
    AutogradError
        If an instance is called a second time.
    DTypeError
        If none of the inputs is an array.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> class Sigmoid(autograd.Function):
    ...     def forward(self, x):
    ...         y = 1 / (1 + nd.exp(-x))
    ...         self.save_for_backward(y)
    ...         return y
    ...     def backward(self, dy):
    ...         (y,) = self.saved_tensors
    ...         return dy * y * (1 - y)
    >>> x = nd.array([0])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = Sigmoid()(x)
    >>> y.backward()
    >>> float(x.grad.asscalar())
    0.25
    """

    _called = False
    #: The arrays passed to `save_for_backward`, or assigned by `forward`.
    saved_tensors: Any = _Unsaved()
    #: Whether it takes arrays of one example inside `vmap`; otherwise it runs for each of them.
    _batches = False
    #: Whether `backward` receives None instead of zeros for outputs that nothing depends on.
    _keeps_none = False
    #: The operators of its calls: for a single output, and for a list of outputs.
    _operators: tuple[_FunctionOp, _FunctionOp]
    #: The operator of the arrays between inputs and outputs, which have no history.
    _between: _Between

    def __init__(self, *inputs: Any) -> None:
        if inputs:
            name = type(self).__name__
            raise DTypeError(
                f"{name} takes no arguments; create an instance, and call it with the arrays, as in"
                f" {name}()(x)"
            )

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._operators = _FunctionOp(cls.__name__, False), _FunctionOp(cls.__name__, True)
        cls._between = _Between(cls)

    if not TYPE_CHECKING:  # so that type checkers report its use
        saved_variables = saved_values = RefusedOfClass("saved_variables", "use self.saved_tensors")
        apply = RefusedOfClass(
            "apply",
            "create an instance and call it, as in Square()(x); its forward and backward take self"
            " in place of ctx",
        )

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Compute the outputs.

        Parameters
        ----------
        *inputs : NDArray
            The arguments of the call, of any shape and dtype.
        **kwargs
            Unused; it tells type checkers that a subclass may take any arguments.

        Returns
        -------
        NDArray, or list or tuple of NDArray, of any shape and dtype

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} has no forward(self, *inputs)")

    def backward(self, *output_grads: Any, **kwargs: Any) -> Any:
        """Compute the gradients of the inputs.

        Parameters
        ----------
        *output_grads : NDArray
            The cotangent of each output, of its shape and dtype.
        **kwargs
            Unused, as in `forward`.

        Returns
        -------
        NDArray, or list or tuple of (NDArray or None)
            One for each input, of its shape; None where there is no gradient.

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} has no backward(self, *output_grads)")

    def save_for_backward(self, *args: Any) -> None:
        """Save arrays for `saved_tensors` in backward.

        Parameters
        ----------
        *args : NDArray
            Inputs and outputs, of any shape and dtype. Other arrays that forward computed work
            only for the first derivative, unless they are constants. NumPy arrays and lists are
            copied.
        """
        self.saved_tensors = foreign.own(args)

    def __call__(self, *inputs: Any) -> Any:
        """Run `forward` on the inputs and record the call as one operator."""
        if self._called:
            name = type(self).__name__
            raise AutogradError(f"{name}: an instance can be called once; make another one")
        if not self._batches and (level := level_of(inputs)) is not None:
            return for_each(type(self).__name__, lambda *x: copy(self)(*x), inputs, level)
        self._called = True
        now = mode()
        tapes = now.tapes
        seen: tuple = ()
        handles: list = []
        like: list = []
        edges: list = []
        for x in inputs:
            edge = form = None
            if isinstance(x, Array):
                if by := x._node.tapes and common(tapes, x._node.tapes):
                    edge, seen = x._node, union(tapes, seen, by) if seen else by
                form = x.form.shape, x.form.dtype
                # so that a later in-place write to the caller's array does not change this one
                x = alias(x)
            like.append(form)
            handles.append(x)
            edges.append(edge)
        if not any(like):
            raise _without_arrays(self, inputs)
        between = InFunction(self._between) if seen else None
        if between:
            state = new_tuple(Mode, (NOBODY, now[1], between, tapes or now[3], now[4], now[5]))
        else:
            state = now.paused()
        try:
            returned = under(state, self.forward, *handles)
        except TypeError as error:
            _check_called(self, "forward", error, len(handles), 2)
            raise
        many = isinstance(returned, (list, tuple))
        outputs = list(returned) if many else [returned]
        for out in outputs:
            if not isinstance(out, Array):
                name = type(self).__name__
                raise DTypeError(f"{name}.forward returned {type(out).__name__}; return NDArrays")
        saved = vars(self).get("saved_tensors")
        if saved and isinstance(saved, tuple):
            known = {*map(id, handles), *map(id, outputs)}
            # Arrays that `forward` took from elsewhere must not change when somebody writes to
            # them.
            self.saved_tensors = tuple(
                alias(x) if isinstance(x, Array) and id(x) not in known else x for x in saved
            )
        node: Node = now.blank
        if between:
            node = _record(self, handles, like, outputs, many, seen, edges, between)
        untracked = zip(inputs, edges) if None in edges else ()
        rest = [x for x, edge in untracked if edge is None and isinstance(x, Array)]
        nodes = ports(node, len(outputs), rest) if rest or many else [node]
        if not many:
            return wrap(type(returned), returned.raw, returned._ctx, nodes[0])
        results = [wrap(type(out), out.raw, out._ctx, one) for out, one in zip(outputs, nodes)]
        return tuple(results) if isinstance(returned, tuple) else results


def _check_called(
    function: Function, method: str, error: TypeError, count: int, depth: int
) -> None:
    """Raise if `error` says that the `method` cannot be called so.

    Then it has passed through no more than `depth` frames, none of them of the method.
    """
    trace = error.__traceback__
    for _ in range(depth):
        trace = trace and trace.tb_next
    if trace is not None:
        return
    given = "inputs" if method == "forward" else "outputs, as their gradients"
    message = f"{error}; it gets the instance, self, and one array for each of the {count} {given}"
    if isinstance(vars(type(function)).get(method), staticmethod):
        message += f"; write def {method}(self, ...), without @staticmethod and without ctx"
    raise DTypeError(message) from None


def _without_arrays(function: Function, inputs: tuple[Any, ...]) -> DTypeError:
    """Return the error for a call with no array among its inputs."""
    name = type(function).__name__
    if any(isinstance(x, Symbolic) for x in inputs):
        return DTypeError(
            f"{name}: symbols and export() cannot contain an autograd.Function, which runs in"
            " Python; write it as an operator.CustomOp, which nd.Custom and sym.Custom call, or of"
            " operators"
        )
    return DTypeError(f"{name}: none of the {len(inputs)} inputs is an array")


OBSERVED.append((Function, "__call__", "function", lambda function: type(function).__name__))


class _FunctionOp:
    """The operator of a node made by a `Function`; the node keeps the function itself."""

    single = None
    inputs, variadic = ("inputs",), True

    def __init__(self, name: str, many: bool) -> None:
        self.name, self.many = name, many

    def pull(self, node: Node, g: Any, wants: Any) -> list[Any]:
        grads = _backward(node, g)
        if len(grads) == 1 and wants is None and grads[0] is not None:  # the common case, quickly
            return [own(grads[0].raw)]
        return [None if grad is None else own(grad.raw) for grad in only_wanted(node, grads, wants)]

    def pull_watched(self, node: Node, g: Any, wants: Any) -> list[Any]:
        outputs, between = node.kept[2:]
        between.tapes, between.edges = node.tapes, node.edges
        before = [out._node for out in outputs]
        # During `backward`, the outputs that the function saved have a history.
        for out, port in zip(outputs, ports(node, len(outputs), ())):
            out._node = port
        try:
            grads = _backward(node, g)
        finally:
            for out, was in zip(outputs, before):
                out._node = was
        return [
            None if grad is None else wrap(Array, own(grad.raw), grad._ctx, grad._node)
            for grad in only_wanted(node, grads, wants)
        ]


class _Between:
    """The operator of other arrays computed in `forward`: it has no derivative."""

    single = None

    def __init__(self, function: type[Function]) -> None:
        self.function = function

    @property
    def name(self) -> str:
        return f"{self.function.__name__}.forward"

    @property
    def reason(self) -> str:
        return f"computed in {self.name}, of which nothing but the outputs is recorded"

    def refuse(self) -> None:
        """Raise for who differentiates it, in either mode."""
        raise AutogradError(
            f"{self.function.__name__}: its gradient cannot be differentiated again, because"
            " backward uses an array that forward computed from the inputs but did not return;"
            " compute it again in backward, return it from forward as another output, or keep its"
            " detach() if it counts as a constant"
        )

    def pull(self, node: Node, g: Any, wants: Any) -> list[Any]:
        self.refuse()
        return []

    pull_watched = pull


def _record(
    function: Function,
    handles: list,
    like: list,
    outputs: list,
    many: bool,
    seen: tuple,
    edges: list,
    between: InFunction,
) -> Node:
    """Create the node of a call that the tapes `seen` track."""
    node = Node()
    node.op, node.tapes, node.edges = function._operators[many], seen, tuple(edges)
    node.attrs, node.width, node.number = NO_ATTRIBUTES, len(outputs), next_number()
    # An input that is returned unchanged keeps its own history in `backward`.
    given = {*map(id, handles)}
    if not given.isdisjoint(map(id, outputs)):
        outputs = [alias(out) if id(out) in given else out for out in outputs]
    node.kept = (function, like, outputs, between)
    report(node, handles, NO_ATTRIBUTES, outputs)
    return node


def _asked(function: Function, cotangents: list) -> Any:
    """What the user's `backward` returns."""
    try:
        return function.backward(*cotangents)
    except TypeError as error:
        _check_called(function, "backward", error, len(cotangents), 1)
        raise
    except GluonError as error:
        if not str(error).startswith("in "):  # a block or another function says where
            error.args = (f"in {type(function).__name__}.backward: {error}",)
        raise


def _backward(node: Node, g: Any) -> list:
    """Call the user's `backward` and check what it returns."""
    function, like, outputs, _ = node.kept
    blank = mode().blank
    arguments = []
    for one, out in zip(g if node.op.many else (g,), outputs):
        if isinstance(one, Array):
            arguments.append(wrap(type(out), one.raw, out._ctx, one._node))
        elif one is None and function._keeps_none:
            arguments.append(None)
        else:
            raw = np.zeros_like(out.raw) if one is None else one
            arguments.append(wrap(type(out), raw, out._ctx, blank))
    returned = _asked(function, arguments)
    grads = returned if isinstance(returned, (list, tuple)) else (returned,)
    if returned is None:
        raise DTypeError(
            f"{type(function).__name__}.backward returned None; end it with `return` and one"
            " gradient for each input, (None,) for a single one without"
        )
    if len(grads) != len(like):
        name = type(function).__name__
        raise ArgumentError(
            f"{name}.backward returned {len(grads)} gradients for {len(like)} inputs; return one"
            " for each, None where there is none"
        )
    checked: list = []
    for grad, want in zip(grads, like):
        if grad is None or want is None:
            checked.append(None)
        elif isinstance(grad, Array) and (grad.form.shape, grad.form.dtype) == want:
            checked.append(grad)
        else:
            checked.append(_checked(type(function).__name__, len(checked), grad, *want))
    return checked


def _checked(name: str, place: int, grad: Any, shape: tuple, dtype: Any) -> Any:
    """Cast a gradient to `dtype`; raise an error if its type or shape is wrong."""
    if not isinstance(grad, Array):
        raise DTypeError(
            f"{name}.backward: gradient {place} is {type(grad).__name__}; return an NDArray of"
            f" shape {shape}, or None"
        )
    if grad.form.shape != shape:
        raise ArgumentError(
            f"{name}.backward: gradient {place} has shape {grad.shape}, its input {shape}"
        )
    return ops.cast(grad, dtype=dtype)
