"""Derivatives of functions at a point: products with the Jacobian, and full matrices.

They are the functions of `gluon.func` for arrays in place of trees: what both do is in `point`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Literal, ParamSpec, Protocol, TypeVar, final, overload

from .._core.arrays.base import A, DeviceArray
from .._core.errors import DTypeError
from .._core.hints.lookup import hinted
from .._core.transforms.forward import Forward
from .arguments import Arrays, Inputs, alike
from .point import Point, ones, only_value, outputs_of, pushed

Argnums = int | Sequence[int] | None
P = ParamSpec("P")
R = TypeVar("R")


# ------------------------------------------------------------------------------- products


@overload
def vjp(
    function: Callable[..., R], inputs: A, v: Arrays = None, argnums: int | None = None
) -> tuple[R, A]: ...
@overload
def vjp(
    function: Callable[..., R], inputs: Sequence[A], v: Arrays = None, argnums: None = None
) -> tuple[R, tuple[A, ...]]: ...
@overload
def vjp(
    function: Callable[..., R], inputs: Sequence[A], v: Arrays = None, *, argnums: int
) -> tuple[R, A]: ...
@overload
def vjp(
    function: Callable[..., R], inputs: A | Sequence[A], v: Arrays = None, *, argnums: Sequence[int]
) -> tuple[R, tuple[A, ...]]: ...
@overload
def vjp(
    function: Callable[..., R], inputs: Arrays, v: Arrays = None, argnums: Argnums = None
) -> tuple[R, Any]: ...
@hinted
def vjp(
    function: Callable[..., Any], inputs: Arrays, v: Arrays = None, argnums: Argnums = None
) -> tuple[Any, Any]:
    """Return the value of a function and its vector-Jacobian product (reverse mode).

    Parameters
    ----------
    function : callable
        ``function(*inputs)`` returns an array, or a tuple or list of arrays, of floats.
    inputs : NDArray, or tuple or list of NDArrays, of any shape and floating dtype
        Where to differentiate. Arguments that `argnums` does not select may be any objects.
    v : NDArray, or tuple or list of NDArrays, optional
        The cotangent of each output, of its shape; ones by default.
    argnums : int or sequence of int, optional
        Which inputs to differentiate; all by default.

    Returns
    -------
    value : NDArray, or tuple or list of NDArrays
        The return value of the function, of its shape and dtype.
    product : NDArray, or tuple of NDArrays
        ``vᵀ J`` for each chosen input, of its shape and dtype; zeros where no output depends on
        it. A single array if `inputs` is one or `argnums` is an int.

    Raises
    ------
    ArgumentError
        If `v` does not fit the outputs, or `argnums` the inputs.
    AutogradError
        If an output comes from an operator without gradient, or from `detach`.
    DTypeError
        If a chosen input or an output is not an array of floats.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x = nd.array([1, 2, 3])
    >>> value, product = autograd.vjp(lambda x: x * x, x, nd.array([1, 10, 100]))
    >>> value.asnumpy().tolist(), product.asnumpy().tolist()
    ([1.0, 4.0, 9.0], [2.0, 40.0, 600.0])
    """
    with Point(Inputs("vjp", inputs, argnums)) as point:
        value = point.call(function)
        heads = outputs_of("vjp", value)
        if v is None:
            cotangents = [ones(y) for y in heads]
        else:
            cotangents = alike("vjp: v", v, heads, isinstance(value, (tuple, list)), "output")
        products = point.pull(heads, cotangents)
    return point.settled(value), products


@hinted
def jvp(
    function: Callable[..., R], inputs: Arrays, v: Arrays, argnums: Argnums = None
) -> tuple[R, R]:
    """Return the value of a function and its Jacobian-vector product (forward mode).

    It takes one pass, which keeps no graph.

    Parameters
    ----------
    function : callable
        ``function(*inputs)`` returns an array, or a tuple or list of arrays, of floats.
    inputs : NDArray, or tuple or list of NDArrays, of any shape and floating dtype
        Where to differentiate. Arguments that `argnums` does not select may be any objects.
    v : NDArray, or tuple or list of NDArrays
        The direction: an array of the shape of each chosen input.
    argnums : int or sequence of int, optional
        Which inputs to differentiate; all by default.

    Returns
    -------
    value : NDArray, or tuple or list of NDArrays
        The return value of the function, of its shape and dtype.
    product : NDArray, or tuple or list of NDArrays
        ``J v`` for each output, of its shape and dtype: its directional derivative along `v`.

    Raises
    ------
    ArgumentError
        If `v` or `argnums` does not fit the inputs.
    AutogradError
        If an output comes from an operator without gradient, or from `detach`.
    DTypeError
        If a chosen input or an output is not an array of floats.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x, v = nd.array([1, 2, 3]), nd.array([1, 0, 1])
    >>> value, product = autograd.jvp(lambda x: (x * x).sum(), x, v)
    >>> value.asnumpy().tolist(), product.asnumpy().tolist()
    ([14.0], [8.0])
    """
    form = Inputs("jvp", inputs, argnums)
    tangents = form.matched(v, "v")
    point = Point(form, Forward)
    value: Any = None

    def run() -> list[Any]:
        nonlocal value
        value = point.call(function)
        return outputs_of("jvp", value)

    products = pushed(point, tangents, run)
    if not isinstance(value, (tuple, list)):
        return point.settled(value), products[0]
    same: Any = products if isinstance(value, list) else tuple(products)
    return point.settled(value), same


@overload
def hvp(
    function: Callable[..., Any], inputs: A, v: Arrays, argnums: int | None = None
) -> tuple[A, A]: ...
@overload
def hvp(
    function: Callable[..., Any], inputs: Sequence[A], v: Arrays, argnums: None = None
) -> tuple[A, tuple[A, ...]]: ...
@overload
def hvp(
    function: Callable[..., Any], inputs: Sequence[A], v: Arrays, argnums: int
) -> tuple[A, A]: ...
@overload
def hvp(
    function: Callable[..., Any], inputs: A | Sequence[A], v: Arrays, argnums: Sequence[int]
) -> tuple[A, tuple[A, ...]]: ...
@overload
def hvp(
    function: Callable[..., Any], inputs: Arrays, v: Arrays, argnums: Argnums = None
) -> tuple[A, Any]: ...
@hinted
def hvp(
    function: Callable[..., Any], inputs: Arrays, v: Arrays, argnums: Argnums = None
) -> tuple[Any, Any]:
    """Return the value of a scalar function and its Hessian-vector product.

    It costs as much as a few calls of the function, whatever the size of the inputs.

    Parameters
    ----------
    function : callable
        ``function(*inputs)`` returns an array of one floating value.
    inputs : NDArray, or tuple or list of NDArrays, of any shape and floating dtype
        Where to differentiate. Arguments that `argnums` does not select may be any objects.
    v : NDArray, or tuple or list of NDArrays
        The direction: an array of the shape of each chosen input.
    argnums : int or sequence of int, optional
        Which inputs to differentiate; all by default.

    Returns
    -------
    value : NDArray
        The return value of the function, of its shape and dtype.
    product : NDArray, or tuple of NDArrays
        ``H v`` for each chosen input, of its shape and dtype.

    Raises
    ------
    ArgumentError
        If the function returns more than one value, or `v` or `argnums` does not fit the inputs.
    AutogradError
        If the output comes from an operator without gradient, or from `detach`.
    DTypeError
        If a chosen input or the output is not an array of floats.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x, v = nd.array([1, 2]), nd.array([1, 10])
    >>> value, product = autograd.hvp(lambda x: (x ** 3).sum(), x, v)
    >>> value.asnumpy().tolist(), product.asnumpy().tolist()
    ([9.0], [6.0, 120.0])
    """
    values: list = []
    form = Inputs("hvp", inputs, argnums)
    with Point(form) as point:
        direction = form.matched(v, "v")
        slopes = point.call(_slope("hvp", function, form.places, values))
        products = point.pull(slopes, direction)
    return point.settled(values[0]), products


def _slope(name: str, function: Callable, places: list[int], values: list) -> Callable:
    """Return the gradient function of a scalar function; `values` receives what that returned."""

    def slope(*arguments: Any) -> tuple[Any, ...]:
        with Point(Inputs(name, arguments, places)) as point:
            value = point.call(function)
            values[:] = [value]
            head = only_value(name, outputs_of(name, value), "jacobian()")
            found: tuple[Any, ...] = point.pull([head], [ones(head)])
            return found

    return slope


# ------------------------------------------------------------------------------- matrices


@overload
def jacobian(function: Callable[..., DeviceArray], inputs: A, argnums: int | None = None) -> A: ...
@overload
def jacobian(
    function: Callable[..., DeviceArray], inputs: Sequence[A], argnums: None = None
) -> tuple[A, ...]: ...
@overload
def jacobian(function: Callable[..., DeviceArray], inputs: Sequence[A], argnums: int) -> A: ...
@overload
def jacobian(
    function: Callable[..., DeviceArray], inputs: A | Sequence[A], argnums: Sequence[int]
) -> tuple[A, ...]: ...
@overload
def jacobian(function: Callable[..., Any], inputs: Arrays, argnums: Argnums = None) -> Any: ...
@hinted
def jacobian(function: Callable[..., Any], inputs: Arrays, argnums: Argnums = None) -> Any:
    """Return the Jacobian of a function.

    Parameters
    ----------
    function : callable
        ``function(*inputs)`` returns an array, or a tuple or list of arrays, of floats.
    inputs : NDArray, or tuple or list of NDArrays, of any shape and floating dtype
        Where to differentiate. Arguments that `argnums` does not select may be any objects.
    argnums : int or sequence of int, optional
        Which inputs to differentiate; all by default.

    Returns
    -------
    NDArray, or nested tuples of NDArrays
        Of shape ``output.shape + input.shape`` and the dtype of the input. If `inputs` is a tuple
        and `argnums` is not an int, a tuple with an entry for each chosen input; if the function
        returns several outputs, a tuple of such results, one for each output.

    Raises
    ------
    ArgumentError
        If `argnums` does not fit the inputs.
    AutogradError
        If an output comes from an operator without gradient, or from `detach`.
    DTypeError
        If a chosen input or an output is not an array of floats.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> autograd.jacobian(lambda x: x * x.sum(), nd.array([1, 2])).asnumpy().tolist()
    [[4.0, 1.0], [2.0, 5.0]]

    Nested calls compute higher derivatives:

    >>> x = nd.array([1, 2])
    >>> third = autograd.jacobian(lambda x: autograd.hessian(lambda x: (x ** 4).sum(), x), x)
    >>> third.shape, third[1, 1, 1].asscalar().item()
    ((2, 2, 2), 48.0)
    """
    with Point(Inputs("jacobian", inputs, argnums)) as point:
        value = point.call(function)
        blocks = point.rows(outputs_of("jacobian", value))
    return tuple(blocks) if isinstance(value, (tuple, list)) else blocks[0]


@overload
def hessian(function: Callable[..., Any], inputs: A, argnums: int | None = None) -> A: ...
@overload
def hessian(
    function: Callable[..., Any], inputs: Sequence[A], argnums: None = None
) -> tuple[tuple[A, ...], ...]: ...
@overload
def hessian(function: Callable[..., Any], inputs: Sequence[A], argnums: int) -> A: ...
@overload
def hessian(
    function: Callable[..., Any], inputs: A | Sequence[A], argnums: Sequence[int]
) -> tuple[tuple[A, ...], ...]: ...
@overload
def hessian(function: Callable[..., Any], inputs: Arrays, argnums: Argnums = None) -> Any: ...
@hinted
def hessian(function: Callable[..., Any], inputs: Arrays, argnums: Argnums = None) -> Any:
    """Return the Hessian of a scalar function.

    Parameters
    ----------
    function : callable
        ``function(*inputs)`` returns an array of one floating value.
    inputs : NDArray, or tuple or list of NDArrays, of any shape and floating dtype
        Where to differentiate. Arguments that `argnums` does not select may be any objects.
    argnums : int or sequence of int, optional
        Which inputs to differentiate; all by default.

    Returns
    -------
    NDArray, or tuple of tuples of NDArrays
        Of shape ``input.shape + input.shape``; if `inputs` is a tuple and `argnums` is not an int,
        ``hessian[i][j]`` has the derivatives for inputs ``i`` and ``j``.

    Raises
    ------
    ArgumentError
        If the function returns more than one value, or `argnums` does not fit the inputs.
    AutogradError
        If the output comes from an operator without gradient, or from `detach`.
    DTypeError
        If a chosen input or the output is not an array of floats.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> autograd.hessian(lambda x: x[0] * x[1] ** 2, nd.array([3, 5])).asnumpy().tolist()
    [[0.0, 10.0], [10.0, 6.0]]
    """
    form = Inputs("hessian", inputs, argnums)
    with Point(form) as point:
        return form.shaped(point.rows(point.call(_slope("hessian", function, form.places, []))))


@final
class Unseen:
    """A class without objects: a function fits ``Callable[..., Unseen]`` if its type is unknown."""


class WithGradient(Protocol):
    """What `value_and_grad` makes of a function without annotations."""

    @overload
    def __call__(self, x: A, /, *args: Any, **kwargs: Any) -> tuple[A, A]: ...
    @overload
    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Any, Any]: ...


class WithGradients(Protocol):
    """The same for several arguments."""

    @overload
    def __call__(self, x: A, /, *args: Any, **kwargs: Any) -> tuple[A, tuple[A, ...]]: ...
    @overload
    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Any, tuple[Any, ...]]: ...


@overload
def value_and_grad(function: Callable[..., Unseen], argnums: Literal[0] = 0) -> WithGradient: ...
@overload
def value_and_grad(function: Callable[..., Unseen], argnums: Sequence[int]) -> WithGradients: ...
@overload
def value_and_grad(function: Callable[P, A], argnums: int = 0) -> Callable[P, tuple[A, A]]: ...
@overload
def value_and_grad(
    function: Callable[P, A], argnums: Sequence[int]
) -> Callable[P, tuple[A, tuple[A, ...]]]: ...
@overload
def value_and_grad(
    function: Callable[P, R], argnums: int | Sequence[int] = 0
) -> Callable[P, tuple[R, Any]]: ...
@hinted
def value_and_grad(
    function: Callable[..., Any], argnums: int | Sequence[int] = 0
) -> Callable[..., Any]:
    """Return a function that computes the value and the gradient of `function`.

    Parameters
    ----------
    function : callable
        Returns an array of floats, or a tuple or list of them. For more than one value, the
        gradient is that of their sum, as in `backward`.
    argnums : int or sequence of int, default 0
        Which positional arguments to differentiate.

    Returns
    -------
    callable
        Takes the arguments of `function` and returns its value and the gradient with respect to
        the chosen argument, or a tuple of gradients if `argnums` is a sequence.

    Raises
    ------
    ArgumentError
        From the returned function, if it gets no arguments with these numbers.
    DTypeError
        From the returned function, if a chosen argument or an output is not an array of floats.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> @autograd.value_and_grad
    ... def loss(w, x, y):
    ...     return ((nd.dot(x, w) - y) ** 2).mean()
    >>> w, x, y = nd.zeros(2), nd.array([[1, 2], [3, 4]]), nd.array([1, 3])
    >>> value, slope = loss(w, x, y)
    >>> value.asnumpy().tolist(), slope.asnumpy().tolist()
    ([5.0], [-10.0, -14.0])
    """
    if not callable(function):
        raise DTypeError(
            f"value_and_grad: give a function, not {type(function).__name__}; it returns another"
            " one, which takes the arguments"
        )

    @wraps(function, updated=())
    def both(*arguments: Any, **keywords: Any) -> tuple[Any, Any]:
        with Point(Inputs("value_and_grad", arguments, argnums)) as point:
            value = point.call(function, **keywords)
            heads = outputs_of("value_and_grad", value)
            slopes = point.pull(heads, [ones(y) for y in heads])
        return point.settled(value), slopes

    return both
