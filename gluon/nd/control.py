"""`nd.contrib`: control flow. Python's loops and conditions work too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .._core.arrays.base import as_list
from .._core.engine.array import Array
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError
from .._core.hints.lookup import as_stated
from ._array import NDArray

Arrays = NDArray | Sequence[Any]


def foreach(
    body: Callable[..., Any], data: Arrays, init_states: Arrays, name: str | None = None
) -> tuple[Any, Any]:
    """Run `body` over the slices of `data` along the first axis, passing states from step to step.

    Parameters
    ----------
    body : callable
        ``body(slice, states)`` returns the output, an array or a (nested) list of arrays, and
        the new states. For a list of data, `slice` is a list.
    data : NDArray of shape (steps, ...), or list of such NDArrays of any dtype
    init_states : NDArray, or (nested) list of NDArrays, of any shape and dtype
    name : str, optional
        Ignored; MXNet's function of symbols has it.

    Returns
    -------
    NDArray, or (nested) list
        The outputs, stacked along a new first axis: of shape (steps, ...).
    NDArray, or (nested) list
        The last states, of the shape and dtype in which `body` returned them.

    Raises
    ------
    DTypeError
        If `data`, `init_states` or an output is neither an array nor a list of arrays.
    ArgumentError
        If `data` has no slice, or arrays of different lengths, or the steps have outputs of
        different number or shape.

    Examples
    --------
    >>> from gluon import nd
    >>> sums, last = nd.contrib.foreach(
    ...     lambda x, total: (total + x, total + x), nd.array([1, 2, 3]), nd.zeros((1,)))
    >>> sums.asnumpy().tolist()
    [[1.0], [3.0], [6.0]]
    """
    many = isinstance(data, (list, tuple))
    arrays: list[Any] = list(data) if many else [data]
    if not all(isinstance(array, Array) for array in arrays):
        raise DTypeError(f"foreach: data is {_kinds(data)}; give an NDArray or a list of NDArrays")
    lengths = {len(array) for array in arrays}
    if len(lengths) != 1 or 0 in lengths:
        raise ArgumentError(
            f"foreach: data of shapes {[array.shape for array in arrays]}; give arrays of the same"
            " first axis, of at least one slice"
        )
    _leaves(init_states, "foreach: init_states")
    states, steps = init_states, []
    for parts in zip(*map(_slices, arrays)):
        found = as_stated(body, "body(data, states)", list(parts) if many else parts[0], states)
        output, states = _two("foreach: body", "the states", found)
        steps.append(output)
    return _stacked("foreach", steps, 0), states


def while_loop(
    cond: Callable[..., Any],
    func: Callable[..., Any],
    loop_vars: Arrays,
    max_iterations: int | None = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Run `func` while `cond` holds, both called with the loop variables.

    Parameters
    ----------
    cond : callable
        ``cond(*loop_vars)`` returns an array of one value, or a bool.
    func : callable
        ``func(*loop_vars)`` returns the output, an array, a (nested) list of arrays or None, and
        the new loop variables, as many as before.
    loop_vars : NDArray, or list of NDArrays, of any shape and dtype
    max_iterations : int
        Required; the outputs are padded with zeros to this length.
    name : str, optional
        Ignored; MXNet's function of symbols has it.

    Returns
    -------
    NDArray, or (nested) list
        The outputs, stacked along a new first axis: of shape (max_iterations, ...); an empty list
        if there was no step.
    NDArray, or list
        The last loop variables, of the shape and dtype in which `func` returned them; an array if
        `loop_vars` is one.

    Raises
    ------
    ArgumentError
        If there are no loop variables or no `max_iterations`, if `cond` does not return a single
        value, or if the number of variables, or the number or the shape of the outputs, changes.
    DTypeError
        If an output is neither an array nor a list of arrays.

    Examples
    --------
    >>> from gluon import nd
    >>> powers, last = nd.contrib.while_loop(
    ...     lambda x: x < 10, lambda x: (x, x * 3), nd.array([2]), max_iterations=4)
    >>> powers.asnumpy().tolist(), last.item()
    ([[2.0], [6.0], [0.0], [0.0]], 18.0)
    """
    limit = _limit(max_iterations)
    many = isinstance(loop_vars, (list, tuple))
    state: list[Any] = list(loop_vars) if many else [loop_vars]
    if not state:
        raise ArgumentError("while_loop: loop_vars is empty; give at least one array")
    count, steps = len(state), list[Any]()
    asked = f"cond of the {count} loop variables"
    while len(steps) < limit and _holds(
        as_stated(cond, asked, *state), "while_loop: what cond returned"
    ):
        found = as_stated(func, f"func of the {count} loop variables", *state)
        output, after = _two("while_loop: func", "the loop variables", found)
        steps.append([] if output is None else output)
        state = as_list(after)
        if len(state) != count:
            raise ArgumentError(
                f"while_loop: func returned {len(state)} loop variables for {count}; return as"
                " many as it takes"
            )
    padding = limit - len(steps)
    return _stacked("while_loop", steps, padding) if steps else [], state if many else state[0]


def cond(
    pred: Any, then_func: Callable[..., Any], else_func: Callable[..., Any], name: str | None = None
) -> Any:
    """Call `then_func` if `pred` is not 0, otherwise `else_func`.

    Parameters
    ----------
    pred : NDArray of one value, or bool
    then_func, else_func : callable
        Functions without arguments; only one of them is called.
    name : str, optional
        Ignored; MXNet's function of symbols has it.

    Returns
    -------
    object
        What that function returned.

    Raises
    ------
    ArgumentError
        If `pred` is not a single value.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([3])
    >>> nd.contrib.cond(x > 2, lambda: x * 10, lambda: x).item()
    30.0
    """
    chosen = then_func if _holds(pred, "cond: pred") else else_func
    return as_stated(chosen, "a function without arguments, such as lambda: x")


def _slices(array: Any) -> list[Any]:
    """Return the slices of `array` along axis 0; one operator, whose gradient joins them once."""
    shape = array.shape[1:] or (1,)
    return [
        ops.reshape(part, shape=shape) for part in ops.split(array, sections=len(array), axis=0)
    ]


def _two(who: str, second: str, found: Any) -> Any:
    """Return the output and what follows it, which a function of the user returned."""
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        raise DTypeError(
            f"{who} returned {_kinds(found)}; it must return two things, the output and {second},"
            " as in `return output, states`"
        )
    return found


def _limit(value: Any) -> int:
    """Return `max_iterations` as an int."""
    try:
        return int(value.raw.item() if isinstance(value, Array) else value)
    except (TypeError, ValueError):
        raise ArgumentError(
            f"while_loop: max_iterations={value!r}; pass a number, an upper bound of the steps"
        ) from None


def _holds(value: Any, what: str) -> bool:
    """Return the truth value of `value`, an array of one value or any Python object."""
    try:
        if isinstance(value, Array) and value.form.size != 1:
            raise ValueError
        return bool(value)
    except ValueError:
        shape = getattr(value, "shape", "unknown")
        raise ArgumentError(f"{what} must be a single value; it has shape {shape}") from None


def _kinds(value: Any) -> str:
    """Describe the types in a nested list, for error messages."""
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_kinds(part) for part in value)}]"
    return type(value).__name__


def _leaves(value: Any, what: str) -> list[Any]:
    """Return the arrays in a nested list, in order."""
    if isinstance(value, Array):
        return [value]
    if not isinstance(value, (list, tuple)):
        raise DTypeError(f"{what} is {_kinds(value)}; give an NDArray or a list of NDArrays")
    return [leaf for part in value for leaf in _leaves(part, what)]


def _shaped(leaves: Iterator, like: Any) -> Any:
    """Arrange `leaves` in nested lists, with the structure of `like`."""
    return next(leaves) if isinstance(like, Array) else [_shaped(leaves, part) for part in like]


def _stacked(name: str, steps: list[Any], padding: int) -> Any:
    """Stack the outputs of all steps along a new first axis, and append `padding` zeros."""
    rows = [_leaves(step, f"{name}: the output of a step") for step in steps]
    counts = {len(row) for row in rows}
    if len(counts) > 1:
        raise ArgumentError(
            f"{name}: the steps have {sorted(counts)} outputs; return the same number in each step"
        )
    stacks = []
    for place, column in enumerate(zip(*rows)):
        shapes = {leaf.shape for leaf in column}
        if len(shapes) > 1:
            raise ArgumentError(
                f"{name}: output {place} has the shapes {sorted(shapes)} in different steps;"
                " return arrays of the same shape in each step"
            )
        stack = ops.stack(*column, axis=0)
        if padding:
            stack = ops.pad(stack, width=((0, padding), *((0, 0),) * (stack.ndim - 1)))
        stacks.append(stack)
    return _shaped(iter(stacks), steps[-1])
