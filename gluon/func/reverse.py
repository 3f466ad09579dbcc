"""Reverse mode: gradients, products with the transposed Jacobian, and Jacobians by rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Literal, ParamSpec, TypeVar, overload

import numpy as np

from .._core.arrays.unpacking import alone
from .._core.engine.array import Array
from .._core.errors import ArgumentError, DTypeError, a_type
from .._core.hints.lookup import hinted
from .._core.transforms.forward import Standing
from ..autograd.arguments import EVERY
from ..autograd.point import Recorded, ones, only_value

P = ParamSpec("P")
R = TypeVar("R")
Aux = TypeVar("Aux")
Argnums = int | Sequence[int]


def check_function(name: str, function: Any, argnums: Any = 0) -> None:
    """Raise unless the first argument is a function, or if the second one is an array."""
    if isinstance(argnums, (Array, np.ndarray)):
        raise DTypeError(
            f"{name}: argnums is {a_type(argnums)}; {name} returns a function, so call it as in"
            f" {name}(function)(x)"
        )
    if not callable(function):
        raise DTypeError(
            f"{name}: give a function, not {type(function).__name__}; {name} returns another one,"
            " which takes the arguments"
        )


@hinted
def grad(
    function: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False
) -> Callable[P, Any]:
    """Return a function that computes the gradient of a scalar function.

    Parameters
    ----------
    function : callable
        Returns an array of one floating value, of any shape.
    argnums : int or sequence of int, default 0
        Which positional arguments to differentiate: arrays of floats of any shape, or trees of
        them.
    has_aux : bool, default False
        Whether `function` returns a pair: the value, and anything else, which is passed on.

    Returns
    -------
    callable
        Takes the arguments of `function` and returns the gradient, in the form of the chosen
        argument: a tree of arrays of its shapes and dtypes. If `argnums` is a sequence, returns a
        tuple of gradients. With `has_aux`, returns a pair of the gradient and the rest.

    Raises
    ------
    ArgumentError
        From the returned function, if the value is not a single one, or `argnums` does not fit.
    DTypeError
        If `function` is not callable; from the returned function, if a leaf is not an array of
        floats.

    Examples
    --------
    >>> from gluon import func, np
    >>> func.grad(lambda x: x**3)(2.0)
    array(12., dtype=float64)

    Calls can be nested, and arguments can be trees:

    >>> func.grad(func.grad(lambda x: x**3))(2.0)
    array(12., dtype=float64)
    >>> func.grad(lambda p: (p["w"] * p["b"]).sum())({"w": np.array([1, 2]), "b": np.array([3])})
    {'w': array([3., 3.]), 'b': array([3.])}
    """
    check_function("grad", function, argnums)

    @wraps(function, updated=())
    def slope(*arguments: P.args, **keywords: P.kwargs) -> Any:
        with Recorded("grad", function, arguments, keywords, argnums, has_aux) as point:
            found = _slope(point)
            return point.with_rest(found if has_aux else alone(found, VALUE_TOO, two=False))

    return slope


#: Why a gradient is not to be unpacked.
VALUE_TOO = "grad(f)(x) returns the gradient alone; value_and_grad(f)(x) returns the value too"


def _slope(point: Recorded) -> Any:
    """The gradient of a scalar function at a point."""
    head = only_value(point.form.name, point.heads, "jacrev()")
    return point.pull([head], [ones(head)])


@hinted
def value_and_grad(
    function: Callable[P, R], argnums: Argnums = 0, has_aux: bool = False
) -> Callable[P, tuple[R, Any]]:
    """Return a function that computes the value and the gradient of a scalar function.

    Parameters
    ----------
    function : callable
        Returns an array of one floating value, of any shape.
    argnums : int or sequence of int, default 0
        Which positional arguments to differentiate; see `grad`.
    has_aux : bool, default False
        Whether `function` returns a pair: the value, and anything else.

    Returns
    -------
    callable
        Returns the result of `function`, and the gradient as `grad` returns it.

    Raises
    ------
    ArgumentError
        From the returned function, if the value is not a single one, or `argnums` does not fit.
    DTypeError
        If `function` is not callable; from the returned function, if a leaf is not an array of
        floats.

    Examples
    --------
    >>> from gluon import func
    >>> func.value_and_grad(lambda x, y: x * y, argnums=(0, 1))(2.0, 5.0)
    (array(10., dtype=float64), (array(5., dtype=float64), array(2., dtype=float64)))
    """
    check_function("value_and_grad", function, argnums)

    @wraps(function, updated=())
    def both(*arguments: P.args, **keywords: P.kwargs) -> Any:
        name = "value_and_grad"
        with Recorded(name, function, arguments, keywords, argnums, has_aux) as point:
            grads = _slope(point)
            return point.with_rest(point.value), grads

    return both


@overload
def vjp(
    function: Callable[..., R], *primals: Any, has_aux: Literal[False] = ...
) -> tuple[R, Callable[[Any], tuple[Any, ...]]]: ...
@overload
def vjp(
    function: Callable[..., tuple[R, Aux]], *primals: Any, has_aux: Literal[True]
) -> tuple[R, Callable[[Any], tuple[Any, ...]], Aux]: ...
@overload
def vjp(function: Callable[..., Any], *primals: Any, has_aux: bool) -> Any: ...
@hinted
def vjp(function: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """Evaluate a function, and return its value and a function of cotangents.

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
    pull : callable
        ``pull(cotangent)`` takes a tree like `value` and returns a tuple of ``cotangentᵀ J`` for
        each of `primals`. You can call it often, and differentiate it.
    aux : object
        The second part of the pair; only with `has_aux`.

    Raises
    ------
    ArgumentError
        If there are no `primals`; from `pull`, if the cotangent does not fit the value.
    DTypeError
        If `function` is not callable, or a leaf of `primals` or of the value has no derivative.

    Examples
    --------
    >>> from gluon import func, np
    >>> value, pull = func.vjp(lambda x: x * x, np.array([1, 2, 3]))
    >>> value, pull(np.array([1, 0, 10]))
    (array([1., 4., 9.]), (array([ 2.,  0., 60.]),))
    """
    point = Recorded("vjp", function, primals, {}, EVERY, has_aux, Standing)
    point.run()

    def pull(cotangent: Any, *others: Any) -> tuple[Any, ...]:
        if others:
            raise ArgumentError(
                f"vjp: the cotangent is one tree, like the value; got {1 + len(others)} arguments,"
                " so put them in a tuple"
            )
        return point.pull(point.heads, point.cotangents(cotangent))

    return point.with_rest(point.value, pull)


@hinted
def jacrev(
    function: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False
) -> Callable[P, Any]:
    """Return a function that computes the Jacobian, a reverse pass for each value of the output.

    Use it for functions with fewer outputs than inputs, and `jacfwd` for others.

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
        Returns a tree like the value. Each array of the value is replaced by its derivative, in
        the form that `grad` returns, with arrays of shape ``output.shape + input.shape``. With
        `has_aux`, returns a pair of this tree and the rest.

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
    >>> func.jacrev(lambda x: x * x.sum())(np.array([1, 2]))
    array([[4., 1.],
           [2., 5.]])
    """
    check_function("jacrev", function, argnums)

    @wraps(function, updated=())
    def jacobian(*arguments: P.args, **keywords: P.kwargs) -> Any:
        with Recorded("jacrev", function, arguments, keywords, argnums, has_aux) as point:
            return point.with_rest(point.structure.unflatten(point.rows(point.heads)))

    return jacobian


@hinted
def elementwise_grad(function: Callable[P, Any], argnums: Argnums = 0) -> Callable[P, Any]:
    """Return a function that computes the derivative of each value of an elementwise function.

    It returns the gradient of the sum of the values. Use it for functions where each value of the
    output depends on only one value of the input.

    Parameters
    ----------
    function : callable
        Returns an array of floats of any shape, or a tree of them.
    argnums : int or sequence of int, default 0
        Which positional arguments to differentiate; see `grad`.

    Returns
    -------
    callable
        Returns the derivative in the form that `grad` gives.

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
    >>> func.elementwise_grad(lambda x: x**3)(np.array([1, 2, 3]))
    array([ 3., 12., 27.])
    """
    check_function("elementwise_grad", function, argnums)

    @wraps(function, updated=())
    def slope(*arguments: P.args, **keywords: P.kwargs) -> Any:
        with Recorded("elementwise_grad", function, arguments, keywords, argnums) as point:
            return point.pull(point.heads, [ones(y) for y in point.heads])

    return slope


@hinted
def make_vjp(
    function: Callable[P, R], argnums: Argnums = 0
) -> Callable[P, tuple[Callable[[Any], Any], R]]:
    """Return a function that evaluates `function`, like `make_vjp` of HIPS autograd.

    Parameters
    ----------
    function : callable
        Returns an array of floats of any shape, or a tree of them.
    argnums : int or sequence of int, default 0
        Which positional arguments to differentiate; see `grad`.

    Returns
    -------
    callable
        Takes the arguments of `function`, and returns ``pull`` and the value: ``pull(cotangent)``
        gives ``cotangentᵀ J`` in the form that `grad` gives.

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
    >>> pull, value = func.make_vjp(lambda x: x * x)(np.array([1, 2, 3]))
    >>> value, pull(np.array([1, 0, 10]))
    (array([1., 4., 9.]), array([ 2.,  0., 60.]))
    """
    check_function("make_vjp", function, argnums)

    @wraps(function, updated=())
    def made(*arguments: P.args, **keywords: P.kwargs) -> tuple[Callable[[Any], Any], R]:
        point = Recorded("make_vjp", function, arguments, keywords, argnums, kind=Standing)
        point.run()

        def pull(cotangent: Any) -> Any:
            return point.pull(point.heads, point.cotangents(cotangent))

        return pull, point.value

    return made
