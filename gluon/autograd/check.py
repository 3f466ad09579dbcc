"""`gradcheck`: compare gradients with finite differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from functools import partial
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from .._core.engine.array import Array, wrap
from .._core.engine.inplace import writable
from .._core.engine.mark import unwatch, watch
from .._core.engine.tape import Tape
from .._core.errors import ArgumentError, DTypeError, GradcheckError
from .._core.hints.lookup import hinted
from .._core.kernels import generator
from .._core.kernels.memory import on_host
from .._core.progress import tracked
from .._core.scopes import restored_writes, scope
from ._derivatives import Argnums, vjp
from .arguments import Arrays, Inputs
from .function import Function
from .point import Point, outputs_of, rows

Params = Mapping[str, Any] | None
NO_PATH = "; no gradient reaches it: detach(), asnumpy() and the like cut the path"
FEW_DIGITS = (
    "; the outputs have no more digits than float32: if the function computes in that dtype"
    " somewhere, finite differences are too coarse, and it should keep to x.dtype"
)


@hinted
def gradcheck(
    function: Callable[..., Any],
    inputs: Arrays,
    eps: float = 1e-6,
    rtol: float = 1e-3,
    atol: float = 1e-5,
    argnums: Argnums = None,
    params: Params = None,
) -> bool:
    """Check the gradients of a function against central differences.

    It checks every derivative of every output value, so choose small inputs. At a kink, such as
    that of relu at 0, there is no derivative to compare with. It calls the function once in
    predict mode, where a block may infer its shapes, then many times in the current mode. These
    calls draw the same random numbers, and their writes to other arrays are undone.

    Parameters
    ----------
    function : callable
        ``function(*inputs)`` returns an array, or a tuple or list of arrays, of float64: a block,
        a subclass or an instance of `autograd.Function`, or any function made of operators.
    inputs : NDArray, or tuple or list of NDArrays, of any shape
        Where to check; those that `argnums` selects must be float64.
    eps : float, default 1e-6
        The step of the differences.
    rtol, atol : float, default 1e-3 and 1e-5
        A derivative may differ by ``atol + rtol * abs(difference quotient)``.
    argnums : int or sequence of int, optional
        Which inputs to check; all by default.
    params : dict of str to NDArray, optional
        Arrays of any shape that the function captures, to check as well; by default the
        parameters of a block.

    Returns
    -------
    bool
        True.

    Raises
    ------
    GradcheckError
        If a derivative differs, or the function returns different values for the same inputs. The
        message names the input and the element with the largest difference, and both values. It is
        an AssertionError too.
    DTypeError
        If an input or an output is not an array of float64.
    ArgumentError
        If `argnums` does not fit the inputs, or `eps` is not above 0.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> autograd.gradcheck(nd.sin, nd.array([0.5, 1], dtype="float64"))
    True
    >>> class Wrong(autograd.Function):
    ...     def forward(self, x):
    ...         self.save_for_backward(x)
    ...         return x * x
    ...     def backward(self, dy):
    ...         return dy * self.saved_tensors[0]
    >>> autograd.gradcheck(Wrong, nd.array([0, 3], dtype="float64"))
    ... # doctest: +ELLIPSIS
    Traceback (most recent call last):
    gluon.errors.GradcheckError: gradcheck: input 0 of shape (2,), element [1]: backward ...
    """
    names = _Names("input {}".format, params)
    return _check("gradcheck", function, inputs, argnums, _Steps(eps, rtol, atol), names)


@hinted
def gradgradcheck(
    function: Callable[..., Any],
    inputs: Arrays,
    eps: float = 1e-6,
    rtol: float = 1e-3,
    atol: float = 1e-5,
    argnums: Argnums = None,
    params: Params = None,
) -> bool:
    """Check second-order gradients of a function against central differences; see `gradcheck`.

    It checks ``vᵀ J`` as a function of the inputs, the parameters and the cotangents ``v``, which
    it draws from a normal distribution.

    Parameters
    ----------
    function : callable
        As for `gradcheck`.
    inputs : NDArray, or tuple or list of NDArrays, of any shape
        Where to check; those that `argnums` selects must be float64.
    eps : float, default 1e-6
        The step of the differences.
    rtol, atol : float, default 1e-3 and 1e-5
        A derivative may differ by ``atol + rtol * abs(difference quotient)``.
    argnums : int or sequence of int, optional
        Which inputs to check; all by default.
    params : dict of str to NDArray, optional
        Arrays of any shape that the function captures, to check as well; by default the
        parameters of a block.

    Returns
    -------
    bool
        True.

    Raises
    ------
    GradcheckError
        If a derivative differs, or the function returns different values for the same inputs.
    DTypeError
        If an input or an output is not an array of float64.
    ArgumentError
        If `argnums` does not fit the inputs, or `eps` is not above 0.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> autograd.gradgradcheck(nd.tanh, nd.array([0.5, 1], dtype="float64"))
    True
    """
    form = Inputs("gradgradcheck", inputs, argnums)
    places, arguments = form.places, form.arguments
    count = len(arguments)
    function = _made_anew(function)
    value = _prepared("gradgradcheck", function, arguments)
    rng = np.random.default_rng(0)
    heads = [
        wrap(type(y), rng.normal(size=y.shape).astype(y.form.dtype), y._ctx)
        for y in outputs_of("gradgradcheck", value)
    ]
    many = isinstance(value, (tuple, list))

    def first(*both: Any) -> tuple:
        cotangents = both[count:] if many else both[count]
        return vjp(function, both[:count], cotangents, places)[1]

    def name(place: int) -> str:
        return f"input {place}" if place < count else f"cotangent {place - count}"

    chosen = [*places, *range(count, count + len(heads))]
    names = _Names(name, _params(function) if params is None else params)
    steps = _Steps(eps, rtol, atol)
    return _check("gradgradcheck", first, [*arguments, *heads], chosen, steps, names)


class _Steps(NamedTuple):
    """The settings for finite differences and for comparing them."""

    eps: float
    rtol: float
    atol: float


class _Names(NamedTuple):
    """The names of the inputs by position, and the parameters to check as well."""

    of: Callable[[int], str]
    params: Params


def _check(
    what: str, function: Callable, inputs: Arrays, argnums: Argnums, steps: _Steps, names: _Names
) -> bool:
    if not (isinstance(steps.eps, Real) and steps.eps > 0):
        raise ArgumentError(f"{what}: eps={steps.eps}; give a step above 0, such as 1e-6")
    function, form = _made_anew(function), Inputs(what, inputs, argnums)
    places, arguments = form.places, form.arguments
    with Point(form) as point:
        tape, variables = point.tape, list(point.variables)
        for place, x in zip(places, variables):
            _check_double(what, names.of(place), x)
        _prepared(what, function, arguments)
        repeat = _repeatable()
        with repeat():
            values = _values(what, point.call(function))
        params = _params(function) if names.params is None else names.params
        for name, array in params.items():
            _check_double(what, name, array)
        variables += params.values()
        with repeat(), _watched([*params.values()], tape):
            heads = outputs_of(what, point.call(function))
            found = [_matrices(tape, head, variables) for head in heads]
        _check_same(what, values, [on_host(y.raw) for y in heads])

    def values_at(k: int, raw: np.ndarray) -> list:
        with repeat(), scope(lambda now, entry: now.recorded_by((), entry=entry)):
            moved = list(arguments)
            if k < len(places):
                moved[places[k]] = wrap(type(variables[k]), raw, variables[k]._ctx)
            else:
                writable(variables[k])[...] = raw
            return _values(what, function(*moved))

    for k, label in enumerate([*map(names.of, places), *params]):
        about, of_one, x = f"{what}: {label}", partial(values_at, k), variables[k]
        slopes = _slopes(about, of_one, on_host(x.raw), steps.eps)
        try:
            _compare(about, x, heads, [J[k] for J in found], slopes, steps)
        except GradcheckError as error:
            error.args = (f"{error}{_coarse(of_one(on_host(x.raw) + steps.eps))}",)
            raise
    return True


def _made_anew(function: Any) -> Callable:
    """Return `function`, or for a `Function` a callable that creates a new instance per call."""
    if isinstance(function, Function):
        return lambda *inputs: copy(function)(*inputs)
    if isinstance(function, type) and issubclass(function, Function):
        return lambda *inputs: function()(*inputs)
    return function


def _prepared(what: str, function: Callable, arguments: list) -> Any:
    """Call the function in predict mode, which also initializes deferred parameters of a block."""
    if not callable(function):
        raise DTypeError(f"{what}: give a function, then its inputs; got {type(function).__name__}")
    with scope(lambda now, entry: now.recorded_by((), training=False, entry=entry)):
        return function(*arguments)


def _params(function: Callable) -> dict[str, Any]:
    """The parameters of a block that have a gradient, by name."""
    collect = getattr(function, "collect_params", None)
    found = collect().items() if collect is not None else ()
    return {f"parameter {name}": one.data() for name, one in found if one.grad_req != "null"}


def _check_double(what: str, name: str, x: Array) -> None:
    if x.form.dtype != np.float64:
        raise DTypeError(
            f"{what}: {name} has dtype {x.form.dtype}, too few digits for finite differences; give"
            " x.astype('float64'), and a block after block.cast('float64')"
        )


def _values(what: str, value: Any) -> list[np.ndarray]:
    """Copies of the values of the outputs."""
    outputs = outputs_of(what, value)
    for place, y in enumerate(outputs):
        if y.form.dtype != np.float64:
            raise DTypeError(
                f"{what}: output {place} has dtype {y.form.dtype}, too few digits for finite"
                " differences, though the inputs are of float64: the function computes in"
                f" {y.form.dtype} somewhere. nd.array(values) and nd.zeros(shape) are of float32;"
                " give them dtype='float64', and cast a block by block.cast('float64')"
            )
    return [np.array(on_host(y.raw)) for y in outputs]


def _check_same(what: str, values: list, others: list) -> None:
    pairs = zip(values, others)
    if len(values) != len(others) or not all(
        a.shape == b.shape and np.array_equal(a, b, equal_nan=True) for a, b in pairs
    ):
        raise GradcheckError(
            f"{what}: the function gives different values for the same inputs; it must depend on"
            " nothing that changes"
        )


def _coarse(values: list[np.ndarray]) -> str:
    """Return a note for the message if all `values` are exactly representable in float32."""
    return FEW_DIGITS if all(np.array_equal(y, y.astype(np.float32)) for y in values) else ""


def _repeatable() -> Callable[[], AbstractContextManager]:
    """Return a context in which each call draws the same random numbers, restored afterwards."""
    state = generator.generator().bit_generator.state

    @contextmanager
    def repeat() -> Iterator[None]:
        with generator.replaying(state), restored_writes():
            yield

    return repeat


@contextmanager
def _watched(arrays: list, tape: Tape) -> Iterator[None]:
    """Let `tape` track arrays that a function captures."""
    variables = [(array, watch(array, tape)) for array in arrays]
    try:
        yield
    finally:
        for array, variable in variables:
            unwatch(array, variable, tape)


def _matrices(tape: Tape, head: Array, variables: list) -> list[np.ndarray]:
    """Return the Jacobian of `head` for each variable, of shape ``(head.size, variable.size)``."""
    found = rows(tape, head, variables)
    return [on_host(J.raw).reshape(head.form.size, x.form.size) for J, x in zip(found, variables)]


def _slopes(what: str, values_at: Callable, raw: np.ndarray, eps: float) -> list[np.ndarray]:
    """Return the difference quotients per output, of shape ``(output.size, raw.size)``."""
    columns = []
    for place in tracked(np.ndindex(raw.shape), raw.size, what, "element"):
        ends = []
        for step in (eps, -eps):
            moved = raw.copy()
            moved[place] += step
            ends.append((moved[place], values_at(moved)))
        (high, above), (low, below) = ends
        columns.append([(a - b).reshape(-1) / (high - low) for a, b in zip(above, below)])
    return [np.stack(column, axis=1) for column in zip(*columns)]


def _compare(what: str, x: Array, heads: list, found: list, slopes: list, steps: _Steps) -> None:
    """Raise the error for the input whose derivative differs most, if any exceeds the tolerance."""
    worst: tuple = (0.0,)
    count: Any = 0
    for k, (ours, slope) in enumerate(zip(found, slopes)):
        excess = np.abs(ours - slope) - (steps.atol + steps.rtol * np.abs(slope))
        excess[np.isnan(excess)] = np.inf
        count += np.count_nonzero(excess > 0)
        if excess.max(initial=0.0) > worst[0]:
            at = np.unravel_index(np.argmax(excess), excess.shape)
            worst = excess[at], k, at, ours[at], slope[at]
    if not count:
        return
    _, k, at, ours, slope = worst
    output, element = (
        [int(n) for n in np.unravel_index(place, one.shape)]
        for place, one in zip(at, (heads[k], x))
    )
    raise GradcheckError(
        f"{what} of shape {x.shape}, element {element}: backward gives {ours:.6g} for the"
        f" derivative of output {k}, element {output}, where finite differences give {slope:.6g},"
        f" off by {abs(ours - slope):.3g}; {count} of its {sum(J.size for J in found)} derivatives"
        f" differ{'' if any(J.any() for J in found) else NO_PATH}"
    )
