"""Derivatives of functions at a point: products with the Jacobian, and full matrices.

Each call records the function on its own tape, and surrounding tapes record the backward pass. So
nothing here touches a ``.grad`` or needs ``record()``; inside ``record()`` results can be
differentiated again, and these functions can be nested.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from operator import index
from typing import Any

import numpy as np

from .._core.engine.array import Array, alias, wrap
from .._core.engine.mark import as_gradient
from .._core.engine.mode import mode
from .._core.engine.node import CREATED, UNTRACKED, Blank
from .._core.engine.op import RECORDED as ops
from .._core.engine.sweep import sweep
from .._core.engine.tape import Tape
from .._core.errors import ArgumentError, AutogradError, DTypeError
from .._core.hints.lookup import hinted
from .._core.scopes import scope
from .._core.transforms.forward import variable

Arrays = Any  # an array, or a tuple or list of arrays
Argnums = int | Sequence[int] | None


class Point:
    """Where a function is differentiated: its arguments, some of them variables of a tape.

    Used in a ``with`` block, which closes the tape at its end.

    Attributes
    ----------
    name : str
        The public function at work, for messages.
    tape : Tape
        What `call` records on.
    arguments : list
        Of the function, variables among them.
    places : list of int
        Which arguments are variables.
    variables : list of Array
        These.
    many : bool
        Whether there is one result for each variable, or a single one.
    """

    arguments: list[Any] | list[Arrays]
    many: bool
    places: list[int]
    tape: Tape
    variables: list[Any]

    def __init__(self, name: str, inputs: Arrays, argnums: Argnums = None) -> None:
        self.name = name
        listed = isinstance(inputs, (tuple, list))
        self.arguments = list(inputs) if listed else [inputs]
        self.many = not _is_index(argnums) and (listed or argnums is not None)
        self.places = _places(name, self.arguments, argnums)
        self.tape = Tape(mode().tapes)
        self.variables = [variable(self.arguments[place], self.tape) for place in self.places]
        for place, x in zip(self.places, self.variables):
            self.arguments[place] = alias(x)  # because the function may write to it

    def __enter__(self) -> Point:
        return self

    def __exit__(self, *exc: object) -> None:
        self.tape.open = False

    def call(self, function: Callable[..., Any], **keywords: Any) -> Any:
        """What the function returns at this point, recorded."""
        if not callable(function):
            raise DTypeError(
                f"{self.name}: give a function, then its inputs; got {type(function).__name__}"
            )
        with scope(lambda now, entry: now.recorded_by((*now.tapes, self.tape), entry=entry)):
            return function(*self.arguments, **keywords)

    def pull(self, heads: list[Any], cotangents: list[Any]) -> list[Any]:
        """The gradients of the variables, given those of `heads`."""
        return pull(self.tape, heads, cotangents, self.variables)

    def shaped(self, results: list[Any]) -> Any:
        """One result for each variable, in the form in which the variables were given."""
        return tuple(results) if self.many else results[0]

    def like_variables(self, given: Any, what: str) -> list[Any]:
        """`given` as a list of arrays, one like each of the variables."""
        return _like(f"{self.name}: {what}", given, self.variables, self.many, "input")


def pull(tape: Tape, heads: list[Any], cotangents: list[Any], variables: list[Any]) -> list[Any]:
    """The cotangents of `variables`, zeros for those that do not reach a head; keeps the graph."""
    seeds = [(y._node, g) for y, g in zip(heads, cotangents) if tape in y._node.tapes]
    nodes = [x._node for x in variables]
    received, _ = sweep(tape, seeds, receivers=nodes, retain=True, training=mode().training)
    return [
        as_gradient(received[node], x.raw.dtype, type(x), x._ctx)
        if node in received
        else zeros(x, x.raw.shape)
        for x, node in zip(variables, nodes)
    ]


def rows(tape: Tape, head: Array, variables: list[Any]) -> list[Any]:
    """The Jacobian of `head` for each variable: a reverse pass for each value of `head`."""
    shape, size = head.raw.shape, head.raw.size
    found = []
    for place in range(size):
        one = np.zeros(size, head.raw.dtype)
        one[place] = 1
        found.append(pull(tape, [head], [wrap(Array, one.reshape(shape))], variables))
    if not size:
        return [zeros(x, shape + x.raw.shape) for x in variables]
    return [
        ops.reshape(ops.stack(*column, axis=0), shape=shape + x.raw.shape)
        for x, column in zip(variables, zip(*found))
    ]


def zeros(like: Array, shape: tuple[int, ...]) -> Any:
    """Zeros of the class, dtype and context of an array."""
    return wrap(type(like), np.zeros(shape, like.raw.dtype), like._ctx)


def ones(like: Array) -> Any:
    """Ones of the shape, class, dtype and context of an array."""
    return wrap(type(like), np.ones_like(like.raw), like._ctx)


def class_of(value: Any) -> str:
    """The class of a value that is not an array of gluon, for messages."""
    found = type(value)
    return "numpy.ndarray" if found is np.ndarray else found.__name__


def outputs_of(name: str, value: Any) -> list[Any]:
    """The return value of a function, as a list of arrays that can have a derivative."""
    outputs = list(value) if isinstance(value, (tuple, list)) else [value]
    for place, y in enumerate(outputs):
        if not isinstance(y, Array):
            raise DTypeError(
                f"{name}: output {place} of the function is {class_of(y)}; return an array,"
                " or a tuple of arrays, computed from the inputs"
            )
        if y.raw.dtype.kind in "biu":
            raise DTypeError(
                f"{name}: output {place} of the function has dtype {y.raw.dtype}, which has no"
                " derivative; return floating arrays"
            )
        node = y._node
        if isinstance(node, Blank) and node not in (CREATED, UNTRACKED) and not node.head:
            raise AutogradError(f"{name}: output {place} of the function was {node.reason}")
    return outputs


def settled(value: Any) -> Any:
    """The return value of a function, without history that only closed tapes recorded."""
    if isinstance(value, (tuple, list)):
        parts = [settled(one) for one in value]
        return parts if isinstance(value, list) else tuple(parts)
    tapes = value._node.tapes
    if not tapes or any(tape.open for tape in tapes):
        return value
    return wrap(type(value), value.raw, value._ctx, mode().blank)


def _is_index(argnums: Any) -> bool:
    return hasattr(argnums, "__index__") and not isinstance(argnums, Array)


def _places(name: str, arguments: list, argnums: Argnums) -> list[int]:
    """Return the checked positions of the arguments to differentiate."""
    if argnums is None:
        chosen = list(range(len(arguments)))
    else:
        try:
            given: Any = [argnums] if _is_index(argnums) else argnums
            chosen = [index(place) for place in given]
        except TypeError:
            raise DTypeError(
                f"{name}: argnums={argnums!r}; give the number of an input, or several"
            ) from None
    count = len(arguments)
    if not all(-count <= place < count for place in chosen):
        raise ArgumentError(f"{name}: argnums={argnums}, but the number of inputs is {count}")
    chosen = [place % count for place in chosen]
    if not chosen or len(set(chosen)) < len(chosen):
        raise ArgumentError(f"{name}: choose at least one input, and each only once; got {argnums}")
    for place in chosen:
        x = arguments[place]
        if not isinstance(x, Array):
            raise DTypeError(
                f"{name}: input {place} is {class_of(x)}; give an array, or leave it out of argnums"
            )
        if x.raw.dtype.kind in "biu":  # bfloat16 is of kind "V"
            raise DTypeError(
                f"{name}: input {place}, of shape {x.raw.shape}, has dtype {x.raw.dtype}, which"
                " has no derivative; leave it out of argnums, or convert it with astype()"
            )
    return chosen


def _like(what: str, given: Any, models: list, many: bool, kind: str) -> list:
    """Return `given` as a list of arrays with the shapes and dtypes of `models`."""
    listed = isinstance(given, (tuple, list))
    arrays = list(given) if listed else [given]
    if len(arrays) != len(models) or (listed and not many):
        form = f"a tuple of {len(models)} arrays" if many else "one array"
        got = f"{len(arrays)} in a {type(given).__name__}" if listed else type(given).__name__
        raise ArgumentError(f"{what} must be {form}, one for each {kind}; got {got}")
    for place, (one, model) in enumerate(zip(arrays, models)):
        which = f"{what}[{place}]" if many else what
        if not isinstance(one, Array):
            raise DTypeError(f"{which} is {class_of(one)}; give an array")
        if one.raw.shape != model.raw.shape:
            raise ArgumentError(
                f"{which} has shape {one.raw.shape}, but {kind} {place} has {model.raw.shape}"
            )
    pairs = zip(arrays, models)
    return [
        one if one.raw.dtype == model.raw.dtype else ops.cast(one, dtype=model.raw.dtype)
        for one, model in pairs
    ]


def _scalar(name: str, value: Any) -> list:
    heads = outputs_of(name, value)
    if len(heads) > 1 or heads[0].raw.size != 1:
        shapes = ", ".join(str(y.raw.shape) for y in heads)
        raise ArgumentError(
            f"{name}: the function returned shape {shapes}; it must return a single value, so sum"
            " it, or use jacobian()"
        )
    return heads


# ------------------------------------------------------------------------------- products


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
    with Point("vjp", inputs, argnums) as point:
        value = point.call(function)
        heads = outputs_of("vjp", value)
        if v is None:
            cotangents = [ones(y) for y in heads]
        else:
            cotangents = _like("vjp: v", v, heads, isinstance(value, (tuple, list)), "output")
        products = point.pull(heads, cotangents)
    return settled(value), point.shaped(products)


@hinted
def jvp(
    function: Callable[..., Any], inputs: Arrays, v: Arrays, argnums: Argnums = None
) -> tuple[Any, Any]:
    """Return the value of a function and its Jacobian-vector product (forward mode).

    It takes two reverse passes: ``vᵀ J`` is linear in ``v``, and the transpose of that linear
    function is ``J v``.

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
    with Point("jvp", inputs, argnums) as outer:
        tangents = outer.like_variables(v, "v")
        # `outer` records how the products depend on `cotangents`.
        recorded = scope(lambda now, entry: now.recorded_by((*now.tapes, outer.tape), entry=entry))
        with recorded, Point("jvp", inputs, argnums) as point:
            value = point.call(function)
            heads = outputs_of("jvp", value)
            cotangents = [variable(zeros(y, y.raw.shape), outer.tape) for y in heads]
            pulled = point.pull(heads, cotangents)
        products = pull(outer.tape, pulled, tangents, cotangents)
    if not isinstance(value, (tuple, list)):
        return settled(value), products[0]
    return settled(value), products if isinstance(value, list) else tuple(products)


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
    with Point("hvp", inputs, argnums) as point:
        direction = point.like_variables(v, "v")
        slopes = point.call(_slope("hvp", function, point.places, values))
        products = point.pull(slopes, direction)
    return settled(values[0]), point.shaped(products)


def _slope(name: str, function: Callable, places: list[int], values: list) -> Callable:
    """Return the gradient function of a scalar function; `values` receives what that returned."""

    def slope(*arguments: Any) -> list:
        with Point(name, arguments, places) as point:
            value = point.call(function)
            values[:] = [value]
            heads = _scalar(name, value)
            return point.pull(heads, [ones(heads[0])])

    return slope


# ------------------------------------------------------------------------------- matrices


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
    with Point("jacobian", inputs, argnums) as point:
        value = point.call(function)
        heads = outputs_of("jacobian", value)
        blocks = [point.shaped(rows(point.tape, head, point.variables)) for head in heads]
    return tuple(blocks) if isinstance(value, (tuple, list)) else blocks[0]


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
    with Point("hessian", inputs, argnums) as point:
        slopes = point.call(_slope("hessian", function, point.places, []))
        return point.shaped(
            [point.shaped(rows(point.tape, slope, point.variables)) for slope in slopes]
        )


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
        with Point("value_and_grad", arguments, argnums) as point:
            value = point.call(function, **keywords)
            heads = outputs_of("value_and_grad", value)
            slopes = point.pull(heads, [ones(y) for y in heads])
        return settled(value), point.shaped(slopes)

    return both
