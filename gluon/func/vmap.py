"""vmap: a function of one example, as a function of all of them at once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from functools import wraps
from threading import Lock
from typing import Any, ParamSpec, TypeVar

import numpy as np

from .._core import tree
from .._core.arrays import interfaces
from .._core.arrays.context import device
from .._core.arrays.silence import silence_numpy
from .._core.engine.array import Array, alias, wrap
from .._core.engine.mode import mode
from .._core.errors import ArgumentError, DTypeError, article
from .._core.hints.lookup import hinted
from .._core.transforms import crossing
from .._core.transforms.batched import LEVELS, Level, is_at, levels_of
from .._core.transforms.random import drawing
from ..autograd.arguments import class_of, labels
from .reverse import check_function

P = ParamSpec("P")
R = TypeVar("R")
RANDOMNESS = ("error", "different", "same")


def _axes(what: str, axes: Any, value: Any) -> list[Any]:
    """The axis of each leaf of `value`, where `axes` may stand for whole branches."""
    found: list[Any] = []

    def fill(given: Any, node: Any, path: str) -> None:
        if given is None or (isinstance(given, (int, np.integer)) and not isinstance(given, bool)):
            found.extend([given] * tree.structure(node).num_leaves)
            return
        kind = tree.kind_of(node)
        same = type(given) is type(node) or (
            isinstance(given, (tuple, list)) and isinstance(node, (tuple, list))
        )
        if kind is None or not same:
            raise ArgumentError(
                f"vmap: {what}{path}={given!r} does not fit {_shown(node)}; give an axis, None, or"
                " these in the form of the value"
            )
        pairs, _ = kind.apart(node)
        others = dict(tree.kind_of(given).apart(given)[0])  # type: ignore[union-attr]
        if others.keys() != {step for step, _ in pairs}:
            raise ArgumentError(
                f"vmap: {what}{path} has {len(others)} entries for {len(pairs)}; give one for each"
            )
        for step, child in pairs:
            fill(others[step], child, path + step)

    fill(axes, value, "")
    return found


def _shown(value: Any) -> str:
    shape = getattr(value, "shape", None)
    return f"an array of shape {shape}" if shape is not None else article(class_of(value))


def _as_array(value: Any) -> Any:
    if isinstance(value, (bool, int, float, np.generic, np.ndarray)):
        silence_numpy()
        raw = np.array(value)
        return wrap(interfaces.ndarray, raw, device()) if raw.dtype.kind in "biufc" else value
    return value


def _of_arguments(
    function: Callable[..., Any], name: str, arguments: Any, keywords: Any, in_axes: Any
) -> tuple[list[Any], list[str]]:
    """The axis and the path of each leaf of the arguments, first those given by position."""
    called, axes, paths = labels(function, len(arguments)), [], []
    alike = in_axes is None or isinstance(in_axes, (int, np.integer))
    if not alike and (not isinstance(in_axes, (tuple, list)) or len(in_axes) != len(arguments)):
        raise ArgumentError(
            f"vmap: in_axes={in_axes!r} for {len(arguments)} arguments of {name}; give an axis, or"
            " a tuple with one for each argument"
        )
    for k, one in enumerate(arguments):
        axes += _axes(f"in_axes for {called[k]}", in_axes if alike else in_axes[k], one)
        paths += [called[k] + path for path in tree.structure(one).paths]
    for key, one in keywords.items():
        found = tree.structure(one).paths
        axes += [0] * len(found)
        paths += [key + path for path in found]
    return axes, paths


def _length(
    name: str, leaves: list[Any], paths: list[str], axes: list[Any], size: Any, options: int
) -> int:
    """The length of the mapped axis, which all have; a wrong axis is an error.

    The last leaves, as many as `options`, are of keyword arguments.
    """
    known = [] if size is None else [(size, "axis_size")]
    for k, (x, path, axis) in enumerate(zip(leaves, paths, axes)):
        if axis is None:
            continue
        by_name = k >= len(leaves) - options
        if not isinstance(x, Array):
            way = "bind it with functools.partial" if by_name else "None for it in in_axes"
            raise DTypeError(
                f"vmap: {path} of {name} is {class_of(x)}, which has no axis {axis}; give an array,"
                f" or {way}"
            )
        if not -x.ndim <= axis < x.ndim:
            way = (
                "keyword arguments are mapped along it, so bind what all examples share with"
                " functools.partial"
                if by_name
                else "give another one in in_axes, or None for what all examples share"
            )
            raise ArgumentError(
                f"vmap: {path} of {name} has shape {x.shape}, without axis {axis}; {way}"
            )
        known.append((x.shape[axis], path))
    if not known:
        raise ArgumentError(
            f"vmap: no argument of {name} has an axis to map over; give one in in_axes, or"
            " axis_size"
        )
    other = next((one for one in known if one[0] != known[0][0]), None)
    if other:
        raise ArgumentError(
            f"vmap: the mapped axes of {name} have different lengths: {known[0][0]} in"
            f" {known[0][1]}, {other[0]} in {other[1]}; give as many examples in both, or None in"
            " in_axes for what all examples share"
        )
    return int(known[0][0])


def _enter(x: Any, axis: int | None, level: Level) -> Any:
    """A leaf as the function sees it."""
    if not isinstance(x, Array):
        return x
    if axis is not None:
        return crossing.batch(x, axis=int(axis), level=level)
    return alias(x)


def _leave(x: Any, axis: Any, path: str, level: Level) -> Any:
    """A leaf of the result, with the axis of the examples."""
    name = level.name
    x = _as_array(x)
    if not isinstance(x, Array):
        raise DTypeError(
            f"vmap: output{path} of {name} is {class_of(x)}; return arrays, or trees of them"
        )
    if axis is None:
        if is_at(x.raw, level):
            raise ArgumentError(
                f"vmap: output{path} of {name} differs from example to example; give an axis in"
                " out_axes in place of None"
            )
        return x
    if not -x.ndim - 1 <= axis <= x.ndim:
        raise ArgumentError(
            f"vmap: output{path} of {name} has shape {x.shape} for one example; out_axes"
            f" cannot put the others along axis {axis}"
        )
    return crossing.unbatch(x, axis=int(axis), level=level)


_lock = Lock()
_running: list[Level] = []


@contextmanager
def _inside(level: Level) -> Any:
    """Run a function at `level`."""
    with _lock:
        _running.append(level)
        crossing.listen(True)
    token = LEVELS.set((*LEVELS.get(), level))
    try:
        with drawing(level):
            yield
    finally:
        LEVELS.reset(token)
        with _lock:
            _running.remove(level)
            crossing.listen(bool(_running))


@hinted
def vmap(
    function: Callable[P, R],
    in_axes: Any = 0,
    out_axes: Any = 0,
    randomness: str = "error",
    *,
    axis_size: int | None = None,
) -> Callable[P, R]:
    """Return a function of all examples at once, made from a function of one.

    Operators run once on the arrays of all examples. An operator without a rule for this runs in a
    loop, and warns once. The function may compute gradients, and you may use it inside `grad` and
    `vmap`. Its writes to arguments do not change the arrays of the caller.

    Parameters
    ----------
    function : callable
        Takes and returns arrays of one example, of any shape and dtype, or trees of them.
    in_axes : int, None or tree of these, default 0
        The axis of the examples in each positional argument; None for an argument that all
        examples share. A tuple has an entry for each argument, which may be a tree for the leaves
        of a tree.
    out_axes : int, None or tree of these, default 0
        The axis of the examples in each output; None for an output that does not depend on the
        example.
    randomness : {'error', 'different', 'same'}
        What random draws do inside: raise an error, draw for each example, or once for all.
    axis_size : int, optional
        The number of examples; needed only if no argument is mapped.

    Returns
    -------
    callable
        Takes the arguments of `function`, each with one more axis; keyword arguments are mapped
        along axis 0.

    Raises
    ------
    ArgumentError
        From the returned function, if axes do not fit the arguments or the outputs.
    AutogradError
        From the returned function, if `function` reads values of an example, as `if`, ``float()``
        and ``asnumpy()`` do, or lets an array of one example escape.
    DTypeError
        If `function` is not callable; from the returned function, if what is mapped is no array.

    Examples
    --------
    >>> from gluon import func, np
    >>> func.vmap(lambda x, y: (x * y).sum())(np.ones((3, 2)), np.array([[1, 2], [3, 4], [5, 6]]))
    array([ 3.,  7., 11.])

    The gradient for each example, of weights that all of them share:

    >>> def loss(w, x):
    ...     return (w * x).sum() ** 2
    >>> w, xs = np.array([1, 2]), np.array([[1, 0], [0, 1], [1, 1]])
    >>> func.vmap(func.grad(loss), in_axes=(None, 0))(w, xs)
    array([[2., 0.],
           [0., 4.],
           [6., 6.]])
    """
    check_function("vmap", function)
    if randomness not in RANDOMNESS:
        raise ArgumentError(
            f"vmap: randomness={randomness!r}; give one of {', '.join(map(repr, RANDOMNESS))}"
        )
    name = getattr(function, "__name__", type(function).__name__)

    @wraps(function, updated=())
    def mapped(*arguments: P.args, **keywords: P.kwargs) -> R:
        leaves, structure = tree.flatten((*arguments, keywords))
        axes, paths = _of_arguments(function, name, arguments, keywords, in_axes)
        leaves = [x if axis is None else _as_array(x) for x, axis in zip(leaves, axes)]
        by_name = tree.structure(keywords).num_leaves
        size = _length(name, leaves, paths, axes, axis_size, by_name)
        # A rule of a gradient may be called on arrays of a run that is over.
        inside = [x.raw for x in leaves if isinstance(x, Array)] if mode().walked else []
        level = Level(name, size, randomness, levels_of(inside))
        try:
            with _inside(level):
                inside = [_enter(x, axis, level) for x, axis in zip(leaves, axes)]
                *given, options = structure.unflatten(inside)
                result = function(*given, **options)
                outputs, form = tree.flatten(result)
                places = zip(outputs, _axes("out_axes", out_axes, result), form.paths)
                found = [_leave(y, axis, path, level) for y, axis, path in places]
        finally:
            level.open = False
        return form.unflatten(found)

    return mapped
