"""`nd.Custom`: call an operator that was registered with `gluon.operator`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .._core.engine.array import Array, wrap
from .._core.engine.mode import mode
from .._core.errors import ArgumentError, DTypeError, a_type
from .._core.faces.kinds import KINDS
from .._core.faces.text import written
from .._core.hints.lookup import as_stated, parameters, refuse
from ..autograd.function import Function
from ._array import NDArray
from ._public import write

#: The subclass of `gluon.operator.CustomOpProp` that describes each operator, by name.
REGISTERED: dict[str, type] = {}


def described(op_type: str | None, arguments: Mapping[str, Any]) -> Any:
    """The `CustomOpProp` registered as `op_type`, made with the arguments of a call as text."""
    known = find(op_type)
    texts = {key: written(value) for key, value in arguments.items()}
    try:
        return known(**texts)
    except TypeError as error:
        if error.__traceback__.tb_next is not None:  # type: ignore[union-attr]
            raise
        reason = str(error)
    refuse(known, [name for name in texts if name not in parameters(known)])
    way_out = f"; give it as in Custom(x, op_type={op_type!r}, name=value)" * ("missing" in reason)
    raise DTypeError(f"Custom(op_type={op_type!r}): {reason}{way_out}")


def find(op_type: str | None) -> Callable[..., Any]:
    """The class registered as `op_type`."""
    if op_type is None:
        raise ArgumentError("Custom: op_type is missing; give the name of a registered operator")
    if op_type not in REGISTERED:
        known = ", ".join(sorted(REGISTERED)) or "none"
        raise ArgumentError(
            f"Custom: no operator op_type={op_type!r} is registered (registered: {known}); decorate"
            " its CustomOpProp with operator.register(...)"
        )
    return REGISTERED[op_type]


def Custom(
    *data: NDArray, op_type: str | None = None, out: Any = None, name: Any = None, **kwargs: Any
) -> Any:
    """Call a custom operator; `gluon.operator.CustomOpProp` has an example.

    It runs at once in the caller's thread, and its exceptions reach the caller unchanged.

    Parameters
    ----------
    *data : NDArray of the shapes and dtypes that `infer_shape` and `infer_type` ask for
        The inputs, then the auxiliary states.
    op_type : str
        The name that the operator was registered under.
    out : NDArray of the shape and dtype of the result, optional
        Where to write it.
    name : str, optional
        Ignored; symbols use it in MXNet.
    **kwargs : object
        For the ``__init__`` of the `CustomOpProp`, each as a string.

    Returns
    -------
    NDArray, or list of NDArrays
        The outputs, of the shapes and dtypes that the `CustomOpProp` infers.

    Raises
    ------
    ArgumentError
        If no such operator is registered, or the number of inputs or an inferred shape does not
        fit.
    DTypeError
        If an input is not an array, or an argument given by name is one.

    Examples
    --------
    >>> from gluon import nd, operator
    >>> class Double(operator.CustomOp):
    ...     def forward(self, is_train, req, in_data, out_data, aux):
    ...         self.assign(out_data[0], req[0], in_data[0] * 2)
    >>> @operator.register("double")
    ... class DoubleProp(operator.CustomOpProp):
    ...     def create_operator(self, ctx, in_shapes, in_dtypes):
    ...         return Double()
    >>> nd.Custom(nd.array([1, 2]), op_type="double").asnumpy().tolist()
    [2.0, 4.0]
    """
    if arrays := [key for key, value in kwargs.items() if isinstance(value, Array)]:
        raise DTypeError(f"Custom: {arrays[0]} is an array; pass arrays by position")
    prop = described(op_type, kwargs)
    outputs = _outputs(prop, data, f"Custom(op_type={op_type!r})")
    shapes, dtypes = [list(x.shape) for x in data], [x.dtype for x in data]
    made = "create_operator(self, ctx, in_shapes, in_dtypes)"
    op = as_stated(prop.create_operator, made, data[0].context, shapes, dtypes)
    if not hasattr(op, "forward"):
        raise DTypeError(
            f"Custom(op_type={op_type!r}): create_operator returned {a_type(op)}; return a CustomOp"
        )
    count = len(prop.list_arguments())
    _, used, _ = read_backwards(prop, count, len(outputs))
    try:
        results = _Call(op, outputs, list(data[count:]), used)(*data[:count])
    except DTypeError as error:
        if not kwargs or "str" not in str(error):
            raise
        raise DTypeError(
            f"Custom(op_type={op_type!r}): {error}. Arguments by name, such as"
            f" {next(iter(kwargs))}, arrive at the CustomOpProp as text; convert them there, as in"
            " float(text)"
        ) from error
    result = results[0] if len(results) == 1 else results
    return result if out is None else write(out, result, "Custom")


KINDS[Custom] = ""


#: How the methods of a `CustomOp` are called.
STATED = {
    "forward": "forward(self, is_train, req, in_data, out_data, aux)",
    "backward": "backward(self, req, out_grad, in_data, out_data, in_grad, aux)",
}


class _Call(Function):
    """One call of a custom operator: its `CustomOp` with the arrays that it works on."""

    def __init__(self, op: Any, outputs: list[Any], aux: list[Any], used: list[bool]) -> None:
        self.op, self.out_data, self.aux, self.used = op, outputs, aux, used

    def forward(self, *inputs: Any) -> list[Any]:
        """Let the operator write its outputs."""
        written = [*self.out_data]
        lists = [list(inputs), written, list(self.aux)]
        self.known: list[Any] = [state._node for state in self.aux]
        self._keeping_states("forward", mode().training, ["write"] * len(written), *lists)
        _check_kept("Custom: forward", "out_data", written, self.out_data)
        self.req = ["write" if x._node.tapes else "null" for x in inputs]
        self.like = [(type(x), x.shape, x.form.dtype, x._ctx) for x in inputs]
        self.in_data = [x if used else None for x, used in zip(inputs, self.used)]
        return self.out_data

    def backward(self, *output_grads: Any) -> list[Any]:
        """Let the operator write the gradients of its inputs."""
        in_grad = [wrap(cls, np.zeros(shape, dtype), ctx) for cls, shape, dtype, ctx in self.like]
        written = [*in_grad]
        lists = [*map(list, (output_grads, self.in_data, self.out_data)), written, list(self.aux)]
        self._keeping_states("backward", list(self.req), *lists)
        _check_kept("it", "in_grad", written, in_grad)
        return [None if req == "null" else grad for req, grad in zip(self.req, in_grad)]

    def _keeping_states(self, method: str, *arguments: Any) -> None:
        """Run forward or backward; changes of the states are seen only within the call."""
        outside = [state._node for state in self.aux]
        for state, node in zip(self.aux, self.known):
            state._node = node
        try:
            as_stated(getattr(self.op, method), STATED[method], *arguments)
        finally:
            self.known = [state._node for state in self.aux]
            for state, node in zip(self.aux, outside):
                state._node = node


def _check_kept(who: str, name: str, found: list[Any], given: list[Any]) -> None:
    """Raise if a method put another array into its list, where the values would be lost."""
    if len(found) != len(given) or any(one is not other for one, other in zip(found, given)):
        raise ArgumentError(
            f"{who} replaced an array of the list {name}; write into the array, as in"
            f" self.assign({name}[0], req[0], values)"
        )


_Call.__name__ = "Custom"  # so that messages name the public function


def read_backwards(prop: Any, inputs: int, outputs: int) -> list[list[bool]]:
    """Which gradients of outputs, which inputs and which outputs the backward pass uses."""
    numbers = iter(range(2 * outputs + inputs))
    parts = [[next(numbers) for _ in range(count)] for count in (outputs, inputs, outputs)]
    used = set(prop.declare_backward_dependency(*parts))
    return [[number in used for number in part] for part in parts]


def _outputs(prop: Any, data: tuple[Any, ...], called: str) -> list[NDArray]:
    """Check the inputs, and return zeros as arrays for the outputs."""
    names, aux = list(prop.list_arguments()), list(prop.list_auxiliary_states())
    if len(data) != len(names) + len(aux) or not names:
        raise ArgumentError(
            f"{called} takes the inputs {names} and the auxiliary states {aux}; got {len(data)}"
            " arrays. list_arguments() of its CustomOpProp gives the names of the inputs"
        )
    for key, x in zip(names + aux, data):
        if not isinstance(x, Array):
            raise DTypeError(f"{called}: {key} is {type(x).__name__}; pass an NDArray")
    counts = [len(names), len(prop.list_outputs()), len(aux)]
    given = [list(x.shape) for x in data[: len(names)]]
    found = as_stated(prop.infer_shape, "infer_shape(self, in_shape)", given)
    shapes = _inferred(found, tuple, [x.shape for x in data], counts, f"{called}: infer_shape")
    kinds = [x.dtype for x in data[: len(names)]]
    found = as_stated(prop.infer_type, "infer_type(self, in_type)", kinds)
    dtypes = _inferred(
        found, np.dtype, [x.form.dtype for x in data], counts, f"{called}: infer_type"
    )
    cls, ctx = type(data[0]), data[0]._ctx
    return [wrap(cls, np.zeros(shape, dtype), ctx) for shape, dtype in zip(shapes, dtypes)]


def _inferred(
    found: Any, kind: Callable[..., Any], given: list[Any], counts: list[int], what: str
) -> list[Any]:
    """Return what was inferred for the outputs; raise if the rest differs from `given`."""
    try:
        parts = [[kind(one) for one in part] for part in found]
    except TypeError:
        raise DTypeError(
            f"{what} returned {found!r}; return a list for the inputs, one for the outputs and one"
            " for the auxiliary states, as in `return in_shape, [in_shape[0]], []`"
        ) from None
    parts += [[]] * (3 - len(parts))
    if [len(part) for part in parts] != counts:
        raise ArgumentError(
            f"{what} returned lists of {[len(part) for part in parts]}; return one entry for each"
            f" of the {counts[0]} inputs, {counts[1]} outputs and {counts[2]} auxiliary states"
        )
    inputs, outputs, aux = parts
    if inputs + aux != given:
        raise ArgumentError(f"{what} returned {inputs + aux} for inputs that have {given}")
    return outputs
