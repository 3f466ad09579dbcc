"""`np`: functions that apply other functions to arrays, and choose among arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays.history import with_history
from .._core.arrays.switch import default_float
from .._core.engine.array import Array
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError, IndexRangeError
from .._core.kernels.indexing import outside
from ._explained import explained
from ._promote import alike, common
from ._public import as_array, as_shape, cast, into
from .creation import indices
from .sorting import lined

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    from ._array import ndarray


@explained
def apply_along_axis(
    func1d: Callable[..., Any], axis: int, arr: ArrayLike, *args: Any, **kwargs: Any
) -> ndarray:
    """Apply a function to 1-d slices along an axis; recorded.

    Parameters
    ----------
    func1d : callable
        ``func1d(line, *args, **kwargs)``, made of functions of `gluon.np`.
    axis : int
    *args : object
        Further arguments of the function.
    **kwargs : object
        Further arguments of the function.

    Returns
    -------
    ndarray of the other axes, of the dtype that the function returns
        The axes of its results replace `axis`.

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.apply_along_axis(lambda line: line.max() - line.min(), 1, np.array([[1, 5], [2, 2]]))
    array([4., 0.])
    """
    arr, axis = lined(arr, axis)
    axis %= arr.ndim
    order = [k for k in range(arr.ndim) if k != axis] + [axis]
    rest = tuple([arr.shape[k] for k in order[:-1]])
    lines = ops.reshape(ops.transpose(arr, axes=order), shape=(int(numpy.prod(rest)), -1))
    if not len(lines.raw):
        raise ArgumentError(f"shape {arr.shape} has no slices along axis {axis}")
    results = [
        as_array(func1d(ops.getitem(lines, key=k), *args, **kwargs)) for k in range(len(lines.raw))
    ]
    found = ops.stack(*alike(results), axis=0)
    inner = found.shape[1:]
    found = ops.reshape(found, shape=(*rest, *inner))
    n, new = len(rest), len(inner)
    places = [*range(axis), *range(n, n + new), *range(axis, n)]
    return ops.transpose(found, axes=places) if places else found


@explained
def apply_over_axes(func: Callable[..., Any], a: ArrayLike, axes: int | Sequence[int]) -> ndarray:
    """Apply a reduction over several axes in turn, keeping the axes.

    Parameters
    ----------
    func : callable
        ``func(a, axis)``, made of functions of `gluon.np`.
    axes : int or sequence of int

    Returns
    -------
    ndarray with the same number of axes, of the dtype that the function returns

    Raises
    ------
    ArgumentError
        If the function returns another number of axes.

    Examples
    --------
    >>> from gluon import np
    >>> np.apply_over_axes(np.sum, np.ones((2, 3)), [0, 1])
    array([[6.]])
    """
    a = as_array(a)
    for axis in as_shape(axes):
        found = as_array(func(a, axis))
        if found.ndim == a.ndim - 1:
            found = ops.expand_dims(found, axis=axis % a.ndim)
        if found.ndim != a.ndim:
            raise ArgumentError(
                f"func returned shape {found.shape} for shape {a.shape} and axis={axis}"
            )
        a = found
    return a


@explained
def vectorize(
    pyfunc: Callable[..., Any],
    otypes: Any = None,
    doc: str | None = None,
    excluded: Any = None,
    cache: bool = False,
    signature: None = None,
) -> Callable[..., Any]:
    """Make a function of numbers work on arrays, element by element; recorded.

    This is a loop in Python.

    Parameters
    ----------
    pyfunc : callable
        ``pyfunc(*elements)``, made of functions of `gluon.np`.
    otypes : sequence of dtype, optional
        The dtypes of the results.
    doc : str, optional
        The docstring; that of the function by default.
    excluded : set of int or str, optional
        The arguments to pass unchanged.
    cache : bool
        Ignored.
    signature : None
        Unsupported.

    Returns
    -------
    callable
        It broadcasts its arguments and returns an ndarray of the broadcast shape, or a tuple of
        them, of `otypes` or the dtypes of the first results.

    Raises
    ------
    ArgumentError
        If `signature` is given, or there is no element to call the function on.

    Examples
    --------
    >>> from gluon import np
    >>> larger = np.vectorize(lambda a, b: a if a > b else b)
    >>> larger(np.array([1, 5]), 3)
    array([3., 5.])
    """
    if signature is not None:
        raise ArgumentError("signature is unsupported; use np.apply_along_axis")
    kept = set(excluded or ())

    @wraps(pyfunc)
    def call(*args: Any, **kwargs: Any) -> Any:
        given: dict[Any, Any] = {**dict(enumerate(args)), **kwargs}
        arrays = {key: as_array(one) for key, one in given.items() if key not in kept}
        shape = numpy.broadcast_shapes(*[one.shape for one in arrays.values()])
        spread = {key: ops.broadcast_to(one, shape=shape) for key, one in arrays.items()}
        rows = []
        for place in numpy.ndindex(*shape):
            now = {**given, **{key: ops.getitem(one, key=place) for key, one in spread.items()}}
            rows.append(
                pyfunc(*[now[k] for k in range(len(args))], **{key: now[key] for key in kwargs})
            )
        if not rows:
            raise ArgumentError(f"vectorize: no elements to call the function on in shape {shape}")
        many = isinstance(rows[0], tuple)
        columns = list(zip(*rows)) if many else [rows]
        found = [ops.reshape(ops.stack(*alike(column), axis=0), shape=shape) for column in columns]
        for k, dtype in enumerate(otypes or ()):
            found[k] = cast(found[k], numpy.dtype(dtype))
        return tuple(found) if many else found[0]

    call.__doc__ = pyfunc.__doc__ if doc is None else doc
    return call


@explained
def fromfunction(
    function: Callable[..., Any],
    shape: Sequence[int],
    *,
    dtype: DTypeLike | None = None,
    like: Any = None,
    **kwargs: Any,
) -> Any:
    """Create an array by calling a function with the index arrays of its axes.

    Parameters
    ----------
    function : callable
        ``function(*indices, **kwargs)``, made of functions of `gluon.np`.
    shape : tuple of int
    dtype : str or numpy type, optional
        The dtype of the indices; the default floating dtype by default.
    like : None
        Ignored.
    **kwargs : object
        Further arguments of the function.

    Returns
    -------
    ndarray
        The result of the function, of any shape and dtype.

    Raises
    ------
    ArgumentError
        If the shapes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.fromfunction(lambda i, j: i + j, (2, 2))
    array([[0., 1.],
           [1., 2.]])
    """
    places = indices(as_shape(shape), default_float() if dtype is None else dtype)
    return function(*[ops.getitem(places, key=k) for k in range(len(as_shape(shape)))], **kwargs)


@explained
def fromiter(iter: Any, dtype: DTypeLike, count: int = -1, *, like: Any = None) -> ndarray:
    """Create an array from an iterable.

    Parameters
    ----------
    iter : iterable of numbers, or of 0-d arrays of any dtype, which are recorded
    count : int, default -1
        How many to take; all by default.
    like : None
        Ignored.

    Returns
    -------
    ndarray of one axis, of `dtype`

    Raises
    ------
    ArgumentError
        If there are fewer than `count` values.

    Examples
    --------
    >>> from gluon import np
    >>> np.fromiter((k * k for k in range(3)), "float32")
    array([0., 1., 4.])
    """
    given = list(iter if count < 0 else islice(iter, count))
    raw = numpy.fromiter(
        (one.raw.item() if isinstance(one, Array) else one for one in given), dtype, count
    )
    return with_history(given, as_array(raw))


# -------------------------------------------------------------------------------- choices


@explained
def piecewise(
    x: ArrayLike, condlist: Sequence[ArrayLike], funclist: Any, *args: Any, **kw: Any
) -> ndarray:
    """Evaluate a piecewise function: each function is called on the values of its condition.

    Parameters
    ----------
    condlist : sequence of array_like of bool, of the shape of `x`
        Where to use each function; the last of several wins.
    funclist : sequence of callable or number
        One for each condition, and optionally one for all other values.
    *args : object
        Further arguments of the function.
    **kw : object
        Further arguments of the function.

    Returns
    -------
    ndarray of the shape and dtype of `x`

    Raises
    ------
    ArgumentError
        If the number of functions is neither that of conditions nor one more.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.array([-2, 3])
    >>> np.piecewise(x, [x < 0, x >= 0], [lambda x: -x, 10])
    array([ 2., 10.])
    """
    x = as_array(x)
    is_one = isinstance(condlist, (Array, numpy.ndarray)) and condlist.ndim == x.ndim
    is_one = is_one or (not numpy.ndim(condlist[0]) and bool(x.ndim))
    masks = [as_array(one, "bool").raw for one in ([condlist] if is_one else condlist)]
    if len(funclist) == len(masks) + 1:
        masks.append(~numpy.logical_or.reduce(masks))
    elif len(funclist) != len(masks):
        raise ArgumentError(f"{len(funclist)} functions for {len(masks)} conditions")
    y = ops.zeros_like(x)
    for mask, function in zip(masks, funclist):
        if callable(function):
            if not mask.any():
                continue
            value = cast(as_array(function(ops.getitem(x, key=mask), *args, **kw)), x.dtype)
        else:
            value = cast(as_array(function), x.dtype)
        y = ops.setitem(y, value, key=mask)
    return y


@explained
def select(
    condlist: Sequence[ArrayLike], choicelist: Sequence[ArrayLike], default: ArrayLike = 0
) -> ndarray:
    """Choose values from several arrays by the first condition that holds.

    Parameters
    ----------
    condlist : sequence of array_like of bool, of shapes that broadcast
        The first condition that holds decides.
    choicelist : sequence of array_like of any dtype, of shapes that broadcast
        The values for each condition.
    default : array_like of any dtype, of a shape that broadcasts
        The values where no condition holds.

    Returns
    -------
    ndarray of the broadcast shape, of the dtype that the choices promote to

    Raises
    ------
    ArgumentError
        If the numbers of choices and conditions differ.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.arange(5)
    >>> np.select([x < 2, x > 2], [x, x * 10], default=-1)
    array([ 0.,  1., -1., 30., 40.])
    """
    if len(condlist) != len(choicelist) or not len(condlist):
        raise ArgumentError(f"{len(choicelist)} choices for {len(condlist)} conditions")
    masks = [as_array(one) for one in condlist]
    if any(mask.dtype != bool for mask in masks):
        raise DTypeError("conditions must be of booleans; compare, as in x > 0")
    choices = alike(choicelist)
    if not isinstance(default, (int, float)) or isinstance(default, float):
        dtype = common(choices[0].dtype, as_array(default).dtype)
        choices = [cast(one, dtype) for one in choices]
    y = cast(as_array(default), choices[0].dtype)
    for mask, choice in zip(masks[::-1], choices[::-1]):
        y = ops.where(mask, choice, y)
    return y


@explained
def choose(
    a: ArrayLike, choices: Sequence[ArrayLike], out: ndarray | None = None, mode: str = "raise"
) -> ndarray:
    """Choose each value from several arrays by index.

    Parameters
    ----------
    a : array_like of int, of any shape
        The index of the array to choose from, for each position.
    choices : sequence of array_like of any dtype, of shapes that broadcast
    mode : {'raise', 'wrap', 'clip'}
        Indices out of range raise an error, wrap around, or are clipped.

    Returns
    -------
    ndarray of the broadcast shape, of the dtype that the choices promote to

    Raises
    ------
    IndexRangeError
        If an index is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.choose(np.array([0, 1, 0]), [np.array([1, 2, 3]), np.array([10, 20, 30])])
    array([ 1., 20.,  3.])
    """
    a, arrays = as_array(a), alike(choices)
    places = a.raw.astype("int64")
    n = len(arrays)
    if mode == "raise" and ((places < 0) | (places >= n)).any():
        raise IndexRangeError(f"index {outside(places, n)} is out of range for {n} choices")
    if mode not in ("raise", "wrap", "clip"):
        raise ArgumentError(f"mode={mode!r} is not one of 'raise', 'wrap' and 'clip'")
    places = places % n if mode == "wrap" else places.clip(0, n - 1)
    shape = numpy.broadcast_shapes(places.shape, *[one.shape for one in arrays])
    stretched = [ops.broadcast_to(one, shape=shape) for one in arrays]
    return into(out, ops.choose(*stretched, places=numpy.broadcast_to(places, shape)))


@explained
def block(arrays: Any) -> ndarray:
    """Assemble an array from nested lists of blocks.

    Parameters
    ----------
    arrays : nested list of array_like of any dtype, of shapes that fit
        The innermost are joined along the last axis.

    Returns
    -------
    ndarray of the joined shape, of the dtype that the blocks promote to

    Raises
    ------
    ArgumentError
        If the shapes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.block([[np.eye(2), np.zeros((2, 1))], [np.ones((1, 3))]])
    array([[1., 0., 0.],
           [0., 1., 0.],
           [1., 1., 1.]])
    """
    depth = _depth(arrays)
    parts = list(_leaves(arrays))
    ndim = max([depth, *(part.ndim for part in parts)])
    dtype = common(*[part.dtype for part in parts])

    def joined(one: Any, level: int) -> ndarray:
        if not isinstance(one, list):
            one = cast(as_array(one), dtype)
            return ops.reshape(one, shape=(1,) * (ndim - one.ndim) + one.shape)
        inner = [joined(each, level + 1) for each in one]
        return ops.concat(*inner, axis=ndim - depth + level)

    found = joined(arrays, 0)
    return ops.copy(found) if found is arrays else found


def _depth(one: Any) -> int:
    if not isinstance(one, list):
        return 0
    if not one:
        raise ArgumentError("a list of blocks is empty")
    depths = {_depth(each) for each in one}
    if len(depths) > 1:
        raise ArgumentError("blocks must be in lists of the same depth")
    return depths.pop() + 1


def _leaves(one: Any) -> Any:
    if isinstance(one, list):
        for each in one:
            yield from _leaves(each)
    else:
        yield as_array(one)
