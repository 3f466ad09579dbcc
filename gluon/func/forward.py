"""Forward mode: products with the Jacobian, which keep no graph, and Jacobians by columns."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Literal, ParamSpec, TypeVar, overload

import numpy as np

from .._core.engine.array import Array, wrap
from .._core.engine.op import RECORDED as ops
from .._core.errors import DTypeError
from .._core.hints.lookup import hinted
from .._core.transforms.forward import Forward, Linear, listen
from ..autograd.arguments import EVERY, class_of
from ..autograd.point import Recorded, pushed, tangent_like, zeros
from .reverse import Argnums, check_function, jacrev

P = ParamSpec("P")
R = TypeVar("R")
Aux = TypeVar("Aux")


def _as_tuple(name: str, what: str, value: Any) -> tuple[Any, ...]:
    if isinstance(value, (tuple, list)):
        return tuple(value)
    raise DTypeError(
        f"{name}: {what} must be a tuple, with one for each argument of the function; got"
        f" {class_of(value)}"
    )


@overload
def jvp(
    function: Callable[..., R], primals: Any, tangents: Any, *, has_aux: Literal[False] = ...
) -> tuple[R, R]: ...
@overload
def jvp(
    function: Callable[..., tuple[R, Aux]], primals: Any, tangents: Any, *, has_aux: Literal[True]
) -> tuple[R, R, Aux]: ...
@overload
def jvp(function: Callable[..., Any], primals: Any, tangents: Any, *, has_aux: bool) -> Any: ...
@hinted
def jvp(function: Callable[..., Any], primals: Any, tangents: Any, *, has_aux: bool = False) -> Any:
    """Evaluate a function and its derivative in one direction, in one pass that keeps no graph.

    Parameters
    ----------
    function : callable
        Returns an array of floats of any shape, or a tree of them.
    primals : tuple of arrays of floats of any shape, or of trees of them
        The arguments at which to differentiate, all of them.
    tangents : tuple
        The direction: of the form of `primals`, with arrays of the same shapes.
    has_aux : bool, default False
        Whether `function` returns a pair: the value, and anything else.

    Returns
    -------
    value : object
        What `function` returned.
    tangent : object
        ``J`` times the direction, like the value.
    aux : object
        The second part of the pair; only with `has_aux`.

    Raises
    ------
    ArgumentError
        If `tangents` does not fit `primals`.
    DTypeError
        If `function` is not callable, `primals` or `tangents` is not a tuple, or a leaf of
        `primals` or of the value has no derivative.

    Examples
    --------
    >>> from gluon import func, np
    >>> func.jvp(lambda x: x * x, (np.array([1, 2, 3]),), (np.array([1, 0, 10]),))
    (array([1., 4., 9.]), array([ 2.,  0., 60.]))
    """
    given = _as_tuple("jvp", "primals", primals)
    point = Recorded("jvp", function, given, {}, EVERY, has_aux, Forward)
    direction = point.form.matched(_as_tuple("jvp", "tangents", tangents), "tangents")
    found = pushed(point, direction, point.run)
    return point.with_rest(point.value, point.structure.unflatten(found))


@hinted
def make_jvp(
    function: Callable[P, R], argnums: Argnums = 0
) -> Callable[P, Callable[[Any], tuple[R, R]]]:
    """Return a function that differentiates in directions, like `make_jvp` of HIPS autograd.

    Parameters
    ----------
    function : callable
        Returns an array of floats of any shape, or a tree of them.
    argnums : int or sequence of int, default 0
        Which positional arguments to differentiate; see `grad`.

    Returns
    -------
    callable
        Takes the arguments of `function`, and returns ``push``: ``push(tangent)``, of the form of
        the chosen argument, evaluates `function` and returns its value and ``J`` times the tangent.

    Raises
    ------
    ArgumentError
        From the returned functions, if `argnums` or a tangent does not fit.
    DTypeError
        If `function` is not callable; from the returned functions, if a leaf is not an array of
        floats.

    Examples
    --------
    >>> from gluon import func, np
    >>> push = func.make_jvp(lambda x: x * x)(np.array([1, 2, 3]))
    >>> push(np.array([1, 0, 10]))
    (array([1., 4., 9.]), array([ 2.,  0., 60.]))
    """
    check_function("make_jvp", function, argnums)

    @wraps(function, updated=())
    def made(*arguments: P.args, **keywords: P.kwargs) -> Callable[[Any], tuple[R, R]]:
        def push(tangent: Any) -> tuple[R, R]:
            point = Recorded("make_jvp", function, arguments, keywords, argnums, kind=Forward)
            found = pushed(point, point.form.matched(tangent, "the tangent"), point.run)
            return point.value, point.structure.unflatten(found)

        return push

    return made


def _linear(
    name: str,
    function: Callable[..., Any],
    arguments: Any,
    keywords: dict[str, Any],
    argnums: Any,
    has_aux: bool,
) -> tuple[Recorded, Callable[[list[Any]], list[Any]]]:
    """Run a function, and keep its calls to push tangents through them."""
    point = Recorded(name, function, arguments, keywords, argnums, has_aux, Linear)
    tape: Any = point.tape
    listen(True)
    try:
        point.run()
    finally:
        listen(False)
        calls = tape.taken()

    def push(tangents: list[Any]) -> list[Any]:
        seeds = {x._node: t for x, t in zip(point.variables, tangents) if t is not None}
        tangent = tape.push(calls, seeds)
        return [tangent_like(tangent(y._node), y) for y in point.heads]

    return point, push


@overload
def linearize(
    function: Callable[..., R], *primals: Any, has_aux: Literal[False] = ...
) -> tuple[R, Callable[..., R]]: ...
@overload
def linearize(
    function: Callable[..., tuple[R, Aux]], *primals: Any, has_aux: Literal[True]
) -> tuple[R, Callable[..., R], Aux]: ...
@overload
def linearize(function: Callable[..., Any], *primals: Any, has_aux: bool) -> Any: ...
@hinted
def linearize(function: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """Evaluate a function, and return its value and its derivative as a function of directions.

    Use it for several directions: `function` runs only once.

    Parameters
    ----------
    function : callable
        Returns an array of floats of any shape, or a tree of them.
    *primals : arrays of floats of any shape, or trees of them
        The arguments at which to differentiate, all of them.
    has_aux : bool, default False
        Whether `function` returns a pair: the value, and anything else.

    Returns
    -------
    value : object
        What `function` returned.
    push : callable
        ``push(*tangents)`` takes trees like `primals` and returns ``J`` times these, in the form of
        the value. You can call it often, and differentiate it.
    aux : object
        The second part of the pair; only with `has_aux`.

    Raises
    ------
    ArgumentError
        If there are no `primals`; from `push`, if the tangents do not fit them.
    DTypeError
        If `function` is not callable, or a leaf of `primals` or of the value has no derivative.

    Examples
    --------
    >>> from gluon import func, np
    >>> value, push = func.linearize(lambda x: x * x, np.array([1, 2, 3]))
    >>> value, push(np.array([1, 0, 10]))
    (array([1., 4., 9.]), array([ 2.,  0., 60.]))
    """
    point, push_leaves = _linear("linearize", function, primals, {}, EVERY, has_aux)

    def push(*tangents: Any) -> Any:
        return point.structure.unflatten(push_leaves(point.form.matched(tangents, "tangents")))

    return point.with_rest(point.value, push)


@hinted
def jacfwd(
    function: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False
) -> Callable[P, Any]:
    """Return a function that computes the Jacobian, a forward pass for each value of the input.

    Use it for functions with fewer inputs than outputs, and `jacrev` for others.

    Parameters
    ----------
    function : callable
        Returns an array of floats of any shape, or a tree of them.
    argnums : int or sequence of int, default 0
        Which positional arguments to differentiate; see `grad`.
    has_aux : bool, default False
        Whether `function` returns a pair: the value, and anything else.

    Returns
    -------
    callable
        Returns the Jacobian in the form of `jacrev`.

    Raises
    ------
    ArgumentError
        From the returned function, if `argnums` does not fit.
    DTypeError
        If `function` is not callable; from the returned function, if a leaf is not an array of
        floats.

    Examples
    --------
    >>> from gluon import func, np
    >>> func.jacfwd(lambda x: x * x.sum())(np.array([1, 2]))
    array([[4., 1.],
           [2., 5.]])
    """
    check_function("jacfwd", function, argnums)
    return _jacfwd("jacfwd", function, argnums, has_aux)


def _jacfwd(
    name: str, function: Callable[P, Any], argnums: Argnums, has_aux: bool = False
) -> Callable[P, Any]:
    """The function that `jacfwd` returns; `name` begins its errors."""

    @wraps(function, updated=())
    def jacobian(*arguments: P.args, **keywords: P.kwargs) -> Any:
        point, push = _linear(name, function, arguments, keywords, argnums, has_aux)
        columns = [_columns(point, push, place) for place in range(len(point.variables))]
        blocks = [point.form.shaped(row) for row in zip(*columns)]
        return point.with_rest(point.structure.unflatten(blocks))

    return jacobian


def _columns(point: Recorded, push: Callable[[list[Any]], list[Any]], place: int) -> list[Any]:
    """The Jacobian of each head for the variable at `place`."""
    x = point.variables[place]
    heads = point.heads
    tangents: list[Any] = [None] * len(point.variables)
    found = []
    for k in range(x.form.size):
        one = np.zeros(x.form.size, x.form.dtype)
        one[k] = 1
        tangents[place] = wrap(Array, one.reshape(x.shape), x._ctx)
        found.append(push(tangents))
    if not found:
        return [zeros(y, y.shape + x.shape) for y in heads]
    return [
        ops.reshape(ops.stack(*parts, axis=y.ndim), shape=y.shape + x.shape)
        for y, parts in zip(heads, zip(*found))
    ]


@hinted
def hessian(function: Callable[P, Any], argnums: Argnums = 0) -> Callable[P, Any]:
    """Return a function that computes the Hessian: forward over reverse mode.

    Parameters
    ----------
    function : callable
        Returns an array of floats of any shape, or a tree of them.
    argnums : int or sequence of int, default 0
        Which positional arguments to differentiate; see `grad`.

    Returns
    -------
    callable
        Returns ``jacfwd(jacrev(function))``: for a scalar value, an array of shape
        ``input.shape + input.shape``.

    Raises
    ------
    ArgumentError
        From the returned function, if `argnums` does not fit.
    DTypeError
        If `function` is not callable; from the returned function, if a leaf is not an array of
        floats.

    Examples
    --------
    >>> from gluon import func, np
    >>> func.hessian(lambda x: x[0] * x[1] ** 2)(np.array([3, 5]))
    array([[ 0., 10.],
           [10.,  6.]])
    """
    check_function("hessian", function, argnums)
    return _jacfwd("hessian", jacrev(function, argnums), argnums)
