"""Mark variables, and differentiate computations that ``autograd.record()`` recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._core.arrays.base import A, as_list, check_marked
from .._core.arrays.laxness import lax
from .._core.engine import backward as engine
from .._core.engine.array import Array
from .._core.engine.mark import as_gradient, mark
from .._core.engine.node import UNTRACKED, Blank, Variable
from .._core.engine.sweep import sweep
from .._core.engine.tape import AMBIENT
from .._core.errors import ArgumentError, AutogradError, DTypeError, warn_caller
from .._core.hints.lookup import hinted


def _way_out(given: Any) -> str:
    """How to differentiate what is no array, to append to an error."""
    if hasattr(given, "list_data"):
        return "; give its data()"
    if hasattr(given, "items"):
        return "; give arrays, such as [p.data() for p in net.collect_params().values()]"
    return "; func.grad(function) differentiates functions" if callable(given) else ""


def _arrays(value: Any, what: str) -> list:
    arrays = list(value) if isinstance(value, (list, tuple)) else [value]
    for array in arrays:
        if not isinstance(array, Array):
            raise DTypeError(
                f"{what} must be an NDArray or a list of NDArrays; got {type(array).__name__}"
                + _way_out(array)
            )
    return arrays


def _warn_of_loss(given: Any) -> None:
    """Warn if the gradient of a single number was recorded: it may be another loss."""
    if isinstance(given, Array) and given._node.tapes:
        if given._mark is not None:
            warn_caller(
                "backward: head_grads is an array x that attach_grad() marked; backward(y) writes"
                " its gradient to x.grad"
            )
            return
        warn_caller(
            "backward: head_grads was recorded, like a loss; several losses are one list, as in"
            " backward([a, b])"
        )


def _head_grads(head_grads: Any, count: int) -> list:
    return [None] * count if head_grads is None else as_list(head_grads)


@hinted
def mark_variables(
    variables: Any, gradients: Any, grad_reqs: str | Sequence[str] = "write"
) -> None:
    """Mark arrays as variables, with buffers for their gradients.

    Parameters
    ----------
    variables : NDArray or list of NDArray, of any shape and floating dtype
    gradients : NDArray or list of NDArray
        One for each variable, of the same shape.
    grad_reqs : {'write', 'add', 'null'}, or a list of one for each variable
        Replace the gradient, add to it, or do not compute it.

    Raises
    ------
    ValueError
        If the counts or shapes differ, or a request is unknown.
    TypeError
        If something is not an array, or a variable is an integer array of `gluon.np`; an integer
        NDArray warns instead.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x, dx = nd.array([3]), nd.zeros((1,))
    >>> autograd.mark_variables([x], [dx], "add")
    >>> for _ in range(2):
    ...     with autograd.record():
    ...         y = x * x
    ...     y.backward()
    >>> dx.item()
    12.0
    """
    arrays = _arrays(variables, "mark_variables: variables")
    grads = _arrays(gradients, "mark_variables: gradients")
    one = not isinstance(grad_reqs, (list, tuple))
    reqs: Sequence[Any] = [grad_reqs] * len(arrays) if one else grad_reqs
    if not len(arrays) == len(grads) == len(reqs):
        raise ArgumentError(
            f"mark_variables: {len(arrays)} variables, {len(grads)} gradients and {len(reqs)}"
            " requests; give one of each for every variable"
        )
    for array, grad, req in zip(arrays, grads, reqs):
        check_marked("mark_variables: a variable", array, req)
        mark(array, grad, req)


@hinted
def backward(
    heads: Any, head_grads: Any = None, retain_graph: bool = False, train_mode: bool = True
) -> None:
    """Compute the gradients of `heads` and store them in the marked variables.

    Parameters
    ----------
    heads : NDArray or list of NDArray, of any shape and floating dtype
    head_grads : NDArray, list of (NDArray or None), or None
        The cotangent of each head, of its shape; ones where None.
    retain_graph : bool, default False
        Keep the graph for another backward pass; otherwise it is freed.
    train_mode : bool, default True
        The training mode during the backward pass; see `is_training`.

    Raises
    ------
    AutogradError
        If a head has no recorded history; the message says why and what to do.
    ValueError
        If a head gradient does not have the shape of its head.
    TypeError
        If a head or head gradient is not an array.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x = nd.array([1, 2])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y, z = x * x, 3 * x
    >>> autograd.backward([y, z], [nd.array([1, 10]), None])
    >>> x.grad.asnumpy().tolist()
    [5.0, 43.0]
    """
    arrays = _arrays(heads, "backward: heads")
    if not arrays:
        raise ArgumentError("backward: give at least one head")
    given = _head_grads(head_grads, len(arrays))
    if head_grads is not None and len(arrays) == len(given) == 1 == arrays[0].size:
        _warn_of_loss(given[0])
    engine.backward(arrays, given, retain_graph, train_mode, lax.zero_heads)


@hinted
def grad(
    heads: Any,
    variables: A | Sequence[A],
    head_grads: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    train_mode: bool = True,
) -> list[A]:
    """Return the gradients of `heads` with respect to `variables` as new arrays.

    Parameters
    ----------
    heads : NDArray or list of NDArray, of any shape and floating dtype
    variables : NDArray or list of NDArray, of any shape and floating dtype
        Marked arrays, or any recorded array between them and the heads.
    head_grads : NDArray, list of (NDArray or None), or None
        The cotangent of each head, of its shape; ones where None.
    retain_graph : bool, optional
        Keep the graph for another backward pass; by default the value of `create_graph`.
    create_graph : bool, default False
        Record the computation of the gradients, so that they can be differentiated again.
    train_mode : bool, default True
        The training mode during the backward pass; see `is_training`.

    Returns
    -------
    list of NDArray
        One for each variable, of its shape and dtype; a list for a single variable too.

    Raises
    ------
    AutogradError
        If a head or a variable has no history, or a variable does not reach the heads.
    ValueError
        If a head gradient does not have the shape of its head, or no variable is given.
    TypeError
        If something is not an array.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x = nd.array([2])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = x * x * x
    ...     dy = autograd.grad(y, x, create_graph=True)[0]
    >>> dy.backward()
    >>> dy.item(), x.grad.item()
    (12.0, 12.0)
    """
    arrays = _arrays(heads, "grad: heads")
    targets = _arrays(variables, "grad: variables")
    if not arrays or not targets:
        raise ArgumentError("grad: give at least one head and one variable")
    for k, target in enumerate(targets):
        if AMBIENT not in target._node.tapes:
            raise AutogradError(
                f"cannot differentiate with respect to variable {k} of shape"
                f" {target.form.shape}: {engine.why_not(target)}"
            )
    received, _ = sweep(
        AMBIENT,
        engine.seeds(arrays, _head_grads(head_grads, len(arrays)), lax.zero_heads),
        receivers=[target._node for target in targets],
        retain=create_graph if retain_graph is None else retain_graph,
        create_graph=create_graph,
        training=train_mode,
    )
    for k, target in enumerate(targets):
        if target._node not in received:
            if all(isinstance(head._node, Variable) for head in arrays):
                raise AutogradError(
                    "grad: the heads are variables, from which nothing is computed; the heads come"
                    " first, as in grad(loss, [x])"
                )
            raise AutogradError(
                f"variable {k} of shape {target.form.shape} does not reach the heads of shape"
                f" {', '.join(str(head.form.shape) for head in arrays)}: compute the heads from"
                " it, after attach_grad() and while recording. detach(), attach_grad() on an"
                " array in between, and operators without gradient cut the path"
            )
    return [_gradient(target, received[target._node], create_graph) for target in targets]


def _gradient(target: Any, g: Any, create_graph: bool) -> Any:
    """The cotangent `g` as the gradient with respect to `target`."""
    result = as_gradient(g, target.form.dtype, type(target), target._ctx)
    if create_graph and isinstance(result._node, Blank):  # linear, so its derivatives are zeros
        form = target.form.shape, target.form.dtype
        result._node = Blank(UNTRACKED.reason, True, {target._node: form}, head=True)
    return result
