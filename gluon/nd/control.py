"""`nd.contrib`: control flow. Python's own loops and conditions do as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..engine.errors import ArgumentError
from ..engine.op import RECORDED as F
from ..ndarray import NDArray

Arrays = NDArray | Sequence[NDArray]


def _listed(value: Any) -> list:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _stacked(steps: list) -> Any:
    """The outputs of all steps, each stacked along a new first axis."""
    if not isinstance(steps[0], (list, tuple)):
        return F.stack(*steps, axis=0)
    return [F.stack(*parts, axis=0) for parts in zip(*steps)]


def foreach(body: Callable, data: Arrays, init_states: Arrays) -> tuple[Any, Any]:
    """Run `body` over the slices of `data` along the first axis, with states handed on.

    Parameters
    ----------
    body : callable
        ``body(slice, states)`` returns the output, an array or a list, and the new states.
    data : NDArray, or list of NDArrays of equal length
    init_states : NDArray, or list of NDArrays

    Returns
    -------
    NDArray, or list
        The outputs, stacked along a new first axis.
    NDArray, or list
        The last states.

    Raises
    ------
    ArgumentError
        If there is no slice.

    Examples
    --------
    >>> from gluon import nd
    >>> sums, last = nd.contrib.foreach(
    ...     lambda x, total: (total + x, total + x), nd.array([1, 2, 3]), nd.zeros((1,)))
    >>> sums.asnumpy().tolist()
    [[1.0], [3.0], [6.0]]
    """
    arrays, states, outputs = _listed(data), init_states, []
    many = isinstance(data, (list, tuple))
    for k in range(len(arrays[0])):
        part = [array[k] for array in arrays]
        output, states = body(part if many else part[0], states)
        outputs.append(output)
    if not outputs:
        raise ArgumentError("foreach: the first axis of data has length 0; give at least one slice")
    return _stacked(outputs), states


def while_loop(
    cond: Callable, func: Callable, loop_vars: Arrays, max_iterations: int | None = None
) -> tuple[Any, Any]:
    """Run `func` while `cond` holds, both called with the loop variables.

    Parameters
    ----------
    cond : callable
        Returns an array of one value, or a bool.
    func : callable
        Returns the output, an array, a list or an empty list, and the new loop variables.
    loop_vars : NDArray, or list of NDArrays
    max_iterations : int
        To be given; the outputs are padded with zeros to as many.

    Returns
    -------
    NDArray, or list
        The outputs, stacked along a new first axis.
    list of NDArray
        The last loop variables.

    Raises
    ------
    ArgumentError
        If `max_iterations` is not given.

    Examples
    --------
    >>> from gluon import nd
    >>> outputs, state = nd.contrib.while_loop(
    ...     lambda x: x < 10, lambda x: (x, [x * 2]), [nd.array([3])], max_iterations=3)
    >>> outputs.asnumpy().tolist(), state[0].asnumpy().tolist()
    ([[3.0], [6.0], [0.0]], [12.0])
    """
    if max_iterations is None:
        raise ArgumentError("while_loop: pass max_iterations, an upper bound")
    state, steps = _listed(loop_vars), list[Any]()
    while len(steps) < max_iterations and bool(cond(*state)):
        output, state = func(*state)
        state = _listed(state)
        steps.append(output)
    if not steps:
        return [], state
    blank = [F.zeros_like(part) for part in _listed(steps[0])]
    missing = max_iterations - len(steps)
    steps += [blank if isinstance(steps[0], (list, tuple)) else blank[0]] * missing
    return _stacked(steps), state


def cond(pred: Any, then_func: Callable, else_func: Callable) -> Any:
    """What `then_func` returns if `pred` is not 0, else what `else_func` does.

    Parameters
    ----------
    pred : NDArray of one value, or bool
    then_func, else_func : callable
        Without arguments; only one of them is called.

    Returns
    -------
    object
        Whatever the function returns.

    Raises
    ------
    ValueError
        If `pred` has more than one value.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([2])
    >>> nd.contrib.cond(x > 1, lambda: x * 10, lambda: x).asnumpy().tolist()
    [20.0]
    """
    return then_func() if bool(pred) else else_func()
