"""`np`: array creation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Literal, overload

import numpy

from .._core.arrays import Context, interfaces
from .._core.arrays.context import device as at
from .._core.arrays.dtypes import as_numpy_dtype, check_order
from .._core.arrays.history import parts
from .._core.arrays.rebind import is_recorded
from .._core.arrays.switch import default_float, is_np_default_dtype
from .._core.engine.array import Array, alias, wrap
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from .._core.faces.prototype import T
from .._core.journal import taken
from .._core.kernels.indexing import arange as counted
from ..nd import creation as classic
from ..nd._public import made_like
from ._promote import common, fractions
from ._public import as_array, as_shape, cast, into, made, new_shape, plain, public, public_like

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    from ._array import ndarray

Shape = int | tuple[int, ...]


def _where(ctx: Any, device: Any) -> Any:
    """Return the context given as `ctx` or `device`, two names for one argument."""
    return at(device if ctx is None else ctx)


def _numbers(dtype: Any, *given: Any) -> numpy.dtype:
    """Return the dtype of new numbers: `dtype`, or the default one that can hold `given`."""
    if dtype is not None:
        return as_numpy_dtype(dtype)
    if not is_np_default_dtype():
        return numpy.dtype("float32")
    found = numpy.result_type(*given)
    return found if found.kind in "biu" else default_float()


def _between(dtype: Any, *given: Any) -> numpy.dtype:
    """Return the dtype of values between `given`: `dtype`, that of float arrays, or the default."""
    if dtype is not None:
        return as_numpy_dtype(dtype)
    dtypes = [getattr(x, "raw", x).dtype for x in given if isinstance(x, (Array, numpy.ndarray))]
    floats = [one for one in dtypes if one.kind in "fV"]
    return common(*floats) if floats else default_float()


@public
def array(
    object: Any,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    *,
    copy: bool | None = True,
    order: str = "K",
    subok: bool = False,
    ndmin: int = 0,
    device: Context | None = None,
) -> ndarray:
    """A new array with the values of `object`.

    Parameters
    ----------
    object : ndarray, NDArray, numpy.ndarray, number, or nested sequence of these
        Of any shape and dtype.
    dtype : str or numpy type, optional
        By default that of an array; float32 for numbers and sequences, or what NumPy makes of
        them with NumPy's default dtypes.
    ctx : Context, optional
        The current context by default.
    copy : bool or None, default True
        Whether to copy an array of gluon; otherwise it is returned unchanged if it fits.
    order, subok
        Ignored.
    ndmin : int, default 0
        The smallest number of axes; new axes come first.
    device : Context, optional
        Another name of `ctx`.

    Returns
    -------
    ndarray of the shape of `object`, of `dtype`

    Raises
    ------
    DTypeError
        If `object` holds no numbers.

    Examples
    --------
    >>> from gluon import np
    >>> np.array([1, 2, 3])
    array([1., 2., 3.])
    >>> np.array([[1, 2], [3, 4]], dtype="int32")
    array([[1, 2],
           [3, 4]], dtype=int32)
    """
    if isinstance(object, Array) and not copy:
        result = as_array(object, dtype)
    else:
        result = made(object, dtype, ctx if ctx is not None else device)
    if result.ndim < ndmin:
        result = ops.reshape(result, shape=(1,) * (ndmin - result.ndim) + result.shape)
    return result


@public
def asarray(
    a: Any,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    *,
    copy: bool | None = None,
    order: str = "K",
    device: Context | None = None,
) -> ndarray:
    """Convert to an array; returns `a` itself if it is an array of that dtype.

    Parameters
    ----------
    a : ndarray, NDArray, numpy.ndarray, number, or nested sequence of these
        Of any shape and dtype.
    dtype : str or numpy type, optional
        As in `array`.
    ctx : Context, optional
        By default the device of `a`, or the current one.
    copy : bool, optional
        True always copies; False raises an error if a copy is needed.
    order
        Ignored.
    device : Context, optional
        Another name of `ctx`.

    Returns
    -------
    ndarray of the shape of `a`, of `dtype`

    Raises
    ------
    DTypeError
        If `a` holds no numbers.
    ArgumentError
        If `copy` is False and a copy is needed.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.ones(2)
    >>> np.asarray(x) is x, np.asarray([1, 2])
    (True, array([1., 2.]))
    """
    if not isinstance(a, Array):
        if copy is False:
            raise ArgumentError("values that are not an array of gluon yet need a copy")
        return made(a, dtype, ctx if ctx is not None else device)
    x = as_array(a, dtype)
    if copy is False and x.dtype != a.dtype:
        raise ArgumentError(f"{a.dtype} as {x.dtype} needs a copy")
    where = ctx if ctx is not None else device
    x = x if where is None else x.as_in_ctx(Context(where))
    return ops.copy(x) if copy and x is a else x


def filled(
    shape: Shape,
    dtype: DTypeLike | None = None,
    order: str = "C",
    ctx: Context | None = None,
    *,
    device: Context | None = None,
) -> ndarray:
    """An array of one value.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : str or numpy type, optional
        float32 by default; float64 with NumPy's default dtypes.
    order : {'C'}
        The layout.
    ctx : Context, optional
        The current context by default.
    device : Context, optional
        Another name of `ctx`.

    Returns
    -------
    ndarray of shape `shape`, of `dtype`

    Raises
    ------
    ArgumentError
        If a length is negative.
    DTypeError
        If arrays cannot have that dtype.
    """
    raise NotImplementedError


def _filled(like: T, name: str, make: Callable, title: str) -> T:
    def call(
        shape: Any, dtype: Any = None, order: str = "C", ctx: Any = None, *, device: Any = None
    ) -> ndarray:
        check_order("order", order)
        dtype = default_float() if dtype is None else as_numpy_dtype(dtype)
        return wrap(interfaces.ndarray, make(new_shape(name, shape), dtype), _where(ctx, device))

    code = f'np.{name}(2).shape, np.{name}((2, 3), dtype="int32").dtype'
    return public_like(like, call, name, title, code, "((2,), dtype('int32'))")


zeros: Final = _filled(filled, "zeros", numpy.zeros, "An array of zeros.")
ones: Final = _filled(filled, "ones", numpy.ones, "An array of ones.")
empty: Final = _filled(filled, "empty", numpy.empty, "An uninitialized array.")


asanyarray = asarray


@public
def full(
    shape: Shape,
    fill_value: Any,
    dtype: DTypeLike | None = None,
    order: str = "C",
    ctx: Context | None = None,
    out: ndarray | None = None,
    *,
    device: Context | None = None,
) -> ndarray:
    """An array filled with one value.

    Parameters
    ----------
    shape : int or tuple of int
    fill_value : number, bool or array_like of any dtype
        It broadcasts to `shape`; an array is recorded.
    dtype : str or numpy type, optional
        By default bool for a bool, the dtype of an array, and else float32.
    order : {'C'}
        The layout.
    ctx : Context, optional
        The current context by default.
    out : ndarray of that shape, optional
        Where to write the result; its dtype must allow a 'same_kind' cast.
    device : Context, optional
        Another name of `ctx`.

    Returns
    -------
    ndarray of shape `shape`, of `dtype`

    Raises
    ------
    ArgumentError
        If `fill_value` does not broadcast to `shape`.

    Examples
    --------
    >>> from gluon import np
    >>> np.full(2, 3), np.full(2, True)
    (array([3., 3.]), array([ True,  True]))
    """
    check_order("order", order)
    shape = as_shape(shape)
    if isinstance(fill_value, Array):
        stretched = ops.broadcast_to(as_array(fill_value, dtype), shape=shape)
        return into(out, ops.copy(stretched))
    if dtype is None:
        found = getattr(fill_value, "dtype", None)
        is_bool = isinstance(fill_value, bool)
        dtype = found or (bool if is_bool else _numbers(None, numpy.asarray(fill_value)))
    raw = numpy.full(shape, plain(fill_value), as_numpy_dtype(dtype))
    return into(out, wrap(interfaces.ndarray, raw, _where(ctx, device)))


def filled_like(
    a: ArrayLike,
    dtype: DTypeLike | None = None,
    order: str = "C",
    ctx: Context | None = None,
    out: ndarray | None = None,
    *,
    subok: bool = False,
    shape: Shape | None = None,
    device: Context | None = None,
) -> ndarray:
    """An array of one value, like another one.

    Parameters
    ----------
    a : array_like of any shape and dtype
        Its shape, dtype and device are the defaults.
    dtype : str or numpy type, optional
    order : {'C'}
        The layout.
    ctx : Context, optional
    out : ndarray of that shape, optional
        Where to write the result; its dtype must allow a 'same_kind' cast.
    subok : bool
        Ignored.
    shape : int or tuple of int, optional
    device : Context, optional
        Another name of `ctx`.

    Returns
    -------
    ndarray of the shape and dtype of `a`, or of `shape` and `dtype`

    Raises
    ------
    DTypeError
        If arrays cannot have that dtype.
    """
    raise NotImplementedError


def _filled_like(like: T, name: str, make: Callable, title: str) -> T:
    def call(
        a: Any,
        dtype: Any = None,
        order: str = "C",
        ctx: Any = None,
        out: Any = None,
        *,
        subok: bool = False,
        shape: Any = None,
        device: Any = None,
    ) -> ndarray:
        a = as_array(a)
        where = a._ctx if ctx is None and device is None else ctx or device
        shape = a.shape if shape is None else shape
        return into(out, made_like(make(shape, dtype or a.dtype, order, where), a))

    code = f'np.{name}(np.array([[1, 2]]), dtype="int8").shape'
    return public_like(like, call, name, title, code, "(1, 2)")


@public
def full_like(
    a: ArrayLike,
    fill_value: Any,
    dtype: DTypeLike | None = None,
    order: str = "C",
    ctx: Context | None = None,
    out: ndarray | None = None,
    *,
    subok: bool = False,
    shape: Shape | None = None,
    device: Context | None = None,
) -> ndarray:
    """An array filled with one value, like another one.

    Parameters
    ----------
    a : array_like of any shape and dtype
        Its shape, dtype and device are the defaults.
    fill_value : number, bool or array_like of any dtype
        Of a shape that broadcasts.
    dtype : str or numpy type, optional
    order : {'C'}
        The layout.
    ctx : Context, optional
    out : ndarray of that shape, optional
        Where to write the result; its dtype must allow a 'same_kind' cast.
    subok : bool
        Ignored.
    shape : int or tuple of int, optional
    device : Context, optional
        Another name of `ctx`.

    Returns
    -------
    ndarray of the shape and dtype of `a`, or of `shape` and `dtype`

    Raises
    ------
    DTypeError
        If arrays cannot have that dtype.

    Examples
    --------
    >>> from gluon import np
    >>> np.full_like(np.array([1, 2], "int32"), 3)
    array([3, 3], dtype=int32)
    """
    a = as_array(a)
    where = a._ctx if ctx is None and device is None else ctx or device
    shape = a.shape if shape is None else shape
    return into(out, made_like(full(shape, fill_value, dtype or a.dtype, order, where), a))


zeros_like: Final = _filled_like(
    filled_like, "zeros_like", zeros, "An array of zeros, like another one."
)
ones_like: Final = _filled_like(
    filled_like, "ones_like", ones, "An array of ones, like another one."
)
empty_like: Final = _filled_like(
    filled_like, "empty_like", empty, "An uninitialized array, like another one."
)


@public
def arange(
    start: Any,
    stop: Any = None,
    step: Any = 1,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    *,
    device: Context | None = None,
) -> ndarray:
    """Evenly spaced values from `start` to `stop`, which is excluded.

    Parameters
    ----------
    start : number
        Without `stop` this is the end, and the values start at 0.
    stop : number, optional
    step : number, default 1
    dtype : str or numpy type, optional
        float32 by default, or that of floating arrays given; with NumPy's default dtypes int64
        for integers. Integers drop the fractions of `start` and `step`, as in MXNet.
    ctx : Context, optional
        The current context by default.
    device : Context, optional
        Another name of `ctx`.

    Returns
    -------
    ndarray of one axis, of `dtype`

    Raises
    ------
    ArgumentError
        If `step` is 0.

    Examples
    --------
    >>> from gluon import np
    >>> np.arange(3), np.arange(1, 2, 0.5)
    (array([0., 1., 2.]), array([1. , 1.5]))
    """
    if step == 0:
        raise ArgumentError("step must not be 0")
    given = [start, step] if stop is None else [start, stop, step]
    if any(isinstance(x, Array) and x.form.dtype.kind in "fV" for x in given):
        dtype = _between(dtype, *given)
    given = [taken(x).item() if isinstance(x, Array) else x for x in given]
    first, end, gap = [0, *given][-3:]
    raw = counted(first, end, gap, _numbers(dtype, *given))
    values = wrap(interfaces.ndarray, raw, _where(ctx, device))
    if not is_recorded(step, *([] if stop is None else [start])):
        return values
    steps = wrap(interfaces.ndarray, numpy.arange(raw.size).astype(values.dtype), values._ctx)
    return cast((0 if stop is None else start) + step * steps, values.dtype)


@overload
def linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    retstep: Literal[False] = False,
    dtype: DTypeLike | None = None,
    axis: int = 0,
    ctx: Context | None = None,
    *,
    device: Context | None = None,
) -> ndarray: ...
@overload
def linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    *,
    retstep: Literal[True],
    dtype: DTypeLike | None = None,
    axis: int = 0,
    ctx: Context | None = None,
    device: Context | None = None,
) -> tuple[ndarray, Any]: ...
@public
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DTypeLike | None = None,
    axis: int = 0,
    ctx: Context | None = None,
    *,
    device: Context | None = None,
) -> Any:
    """Evenly spaced values from `start` to `stop`.

    Parameters
    ----------
    start, stop : number, or array_like of shapes that broadcast, of any dtype
        Arrays are recorded.
    num : int, default 50
        The number of values.
    endpoint : bool, default True
        Whether `stop` is one of them.
    retstep : bool, default False
        Return the step as well.
    dtype : str or numpy type, optional
        By default that of array arguments, or the default floating dtype.
    axis : int, default 0
        The axis of the values, where `start` or `stop` is an array.
    ctx : Context, optional
        The current context by default.
    device : Context, optional
        Another name of `ctx`.

    Returns
    -------
    ndarray of shape (num,), with the axes of array arguments around it, of `dtype`
        With `retstep` a tuple of it and of the step.

    Raises
    ------
    ArgumentError
        If `num` is negative.

    Examples
    --------
    >>> from gluon import np
    >>> np.linspace(0, 1, 5)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    wanted = _between(dtype, start, stop)
    if isinstance(start, Array) or isinstance(stop, Array):
        given = (as_array(x, _between(None, start, stop)) for x in (start, stop))
        start, stop = (cast(x, fractions(x.dtype)) for x in given)
        gap = stop - start
        parts = numpy.linspace(0, 1, num, endpoint).astype(gap.dtype)
        weights = wrap(interfaces.ndarray, parts.reshape(-1, *(1,) * gap.ndim), gap._ctx)
        values = start + weights * gap
        if axis:
            values = ops.transpose(values, axes=_moved(values.ndim, axis))
        step = gap / (num - 1 if endpoint else num)
        return (cast(values, wanted), step) if retstep else cast(values, wanted)
    raw, step = numpy.linspace(start, stop, num, endpoint, retstep=True, axis=axis)
    values = wrap(interfaces.ndarray, raw.astype(wanted), _where(ctx, device))
    return (values, float(step)) if retstep else values


def _moved(ndim: int, axis: int) -> tuple[int, ...]:
    """Return the axes in the order that moves the first one to position `axis`."""
    axes = list(range(1, ndim))
    axes.insert(axis % ndim, 0)
    return tuple(axes)


def _powers(start: Any, stop: Any, base: Any, parts: tuple[int, bool], axis: int) -> ndarray:
    """Compute `logspace`, recorded."""
    return base ** linspace(start, stop, *parts, axis=axis)


def _multiples(start: Any, stop: Any, base: Any, parts: tuple[int, bool], axis: int) -> ndarray:
    """Compute `geomspace`, recorded."""
    ratio = stop / start
    powers = ratio ** ops.reshape(linspace(0, 1, *parts), shape=(-1,) + (1,) * ratio.ndim)
    values = start * powers
    return ops.transpose(values, axes=_moved(values.ndim, axis)) if axis else values


def spaced(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    base: ArrayLike = 10.0,
    dtype: DTypeLike | None = None,
    axis: int = 0,
    ctx: Context | None = None,
    *,
    device: Context | None = None,
) -> ndarray:
    """Values between two others, evenly spaced by some measure.

    Parameters
    ----------
    start, stop : number, or array_like of shapes that broadcast, of any dtype
        Arrays are recorded.
    num : int, default 50
        The number of values.
    endpoint : bool, default True
        Whether `stop` is the last value.
    base : float, default 10
        {more}
    dtype : str or numpy type, optional
        By default that of array arguments, or the default floating dtype.
    axis : int, default 0
        The axis of the values, where `start` or `stop` is an array.
    ctx : Context, optional
        The current context by default.
    device : Context, optional
        Another name of `ctx`.

    Returns
    -------
    ndarray of shape (num,), with the axes of array arguments around it, of `dtype`

    Raises
    ------
    ArgumentError
        If `num` is negative.
    """
    raise NotImplementedError


def _spaced(
    like: T, name: str, function: Callable, recorded: Callable, title: str, code: str, more: str
) -> T:
    def call(
        start: Any,
        stop: Any,
        num: int = 50,
        endpoint: bool = True,
        base: Any = 10.0,
        dtype: Any = None,
        axis: int = 0,
        ctx: Context | None = None,
        *,
        device: Any = None,
    ) -> ndarray:
        wanted = _between(dtype, start, stop)
        if is_recorded(*parts([start, stop, base])):
            start, stop, base = (as_array(x, default_float()) for x in (start, stop, base))
            return cast(recorded(start, stop, base, (num, endpoint), axis), wanted)
        options = {"base": plain(base)} if "base" in more else {}
        raw = function(plain(start), plain(stop), num, endpoint, axis=axis, **options)
        return wrap(interfaces.ndarray, raw.astype(wanted), _where(ctx, device))

    printed = "array([  1.,  10., 100.])"
    return public_like(like, call, name, title, f"np.{name}({code})", printed, more=more)


logspace: Final = _spaced(
    spaced,
    "logspace",
    numpy.logspace,
    _powers,
    "Values from base ** start to base ** stop, evenly spaced in their logarithm.",
    "0, 2, 3",
    "The base of the powers.",
)
geomspace: Final = _spaced(
    spaced,
    "geomspace",
    numpy.geomspace,
    _multiples,
    "Values from start to stop, each the same multiple of the one before.",
    "1, 100, 3",
    "Ignored.",
)


@public
def eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: DTypeLike | None = None,
    order: str = "C",
    ctx: Context | None = None,
    *,
    device: Context | None = None,
) -> ndarray:
    """A matrix with ones on a diagonal and zeros elsewhere.

    Parameters
    ----------
    N : int
        The number of rows.
    M : int, optional
        The number of columns, N by default.
    k : int, default 0
        Which diagonal: above the main one where k > 0.
    dtype : str or numpy type, optional
        The default floating dtype.
    order : {'C'}
        The layout.
    ctx : Context, optional
        The current context by default.
    device : Context, optional
        Another name of `ctx`.

    Returns
    -------
    ndarray of shape (N, M), of `dtype`

    Raises
    ------
    ArgumentError
        If a length is negative.

    Examples
    --------
    >>> from gluon import np
    >>> np.eye(2, 3, 1)
    array([[0., 1., 0.],
           [0., 0., 1.]])
    """
    wanted = default_float() if dtype is None else as_numpy_dtype(dtype)
    return wrap(interfaces.ndarray, numpy.eye(N, M, k, wanted), _where(ctx, device))


@public
def identity(
    n: int,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    *,
    device: Context | None = None,
) -> ndarray:
    """The identity matrix.

    Parameters
    ----------
    n : int
        Its size.
    dtype : str or numpy type, optional
        The default floating dtype.
    ctx : Context, optional
        The current context by default.
    device : Context, optional
        Another name of `ctx`.

    Returns
    -------
    ndarray of shape (n, n), of `dtype`

    Raises
    ------
    ArgumentError
        If `n` is negative.

    Examples
    --------
    >>> from gluon import np
    >>> np.identity(2)
    array([[1., 0.],
           [0., 1.]])
    """
    return eye(n, dtype=dtype, ctx=ctx, device=device)


@public
def tri(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """A matrix with ones on and below a diagonal, and zeros elsewhere.

    Parameters
    ----------
    N : int
        The number of rows.
    M : int, optional
        The number of columns, N by default.
    k : int, default 0
        Which diagonal: above the main one where k > 0.
    dtype : str or numpy type, optional
        The default floating dtype.
    ctx : Context, optional
        The current context by default.

    Returns
    -------
    ndarray of shape (N, M), of `dtype`

    Raises
    ------
    ArgumentError
        If a length is negative.

    Examples
    --------
    >>> from gluon import np
    >>> np.tri(2)
    array([[1., 0.],
           [1., 1.]])
    """
    wanted = default_float() if dtype is None else as_numpy_dtype(dtype)
    return wrap(interfaces.ndarray, numpy.tri(N, M, k, wanted), at(ctx))


@public
def indices(
    dimensions: Shape, dtype: DTypeLike = "int64", ctx: Context | None = None, sparse: bool = False
) -> Any:
    """The indices of a grid, one array per axis.

    Parameters
    ----------
    dimensions : tuple of int
    dtype : str or numpy type, default 'int64'
    ctx : Context, optional
        The current context by default.
    sparse : bool, default False
        Return one array for each axis, of length 1 along the others.

    Returns
    -------
    ndarray of shape (len(dimensions), *dimensions), of `dtype`, or a tuple of them

    Raises
    ------
    ArgumentError
        If a length is negative.

    Examples
    --------
    >>> from gluon import np
    >>> np.indices((2, 2))[0]
    array([[0, 0],
           [1, 1]], dtype=int64)
    """
    lengths, wanted = as_shape(dimensions), as_numpy_dtype(dtype)
    if sparse:
        open_grid = numpy.indices(lengths, wanted, sparse=True)
        return tuple([wrap(interfaces.ndarray, raw, at(ctx)) for raw in open_grid])
    return wrap(interfaces.ndarray, numpy.indices(lengths, wanted), at(ctx))


@public
def meshgrid(
    *xi: ArrayLike, indexing: str = "xy", sparse: bool = False, copy: bool = True
) -> list[ndarray]:
    """Coordinate grids from coordinate vectors; recorded.

    Parameters
    ----------
    *xi : array_like of one axis, or of one value, of any dtype
        Vectors.
    indexing : {'xy', 'ij'}
        Whether the first vector runs along the columns or along the rows.
    sparse : bool, default False
        Keep length 1 along the axes where a grid is constant.
    copy : bool, default True
        Ignored: the grids never share memory with the vectors.

    Returns
    -------
    list of ndarray with an axis for each of `xi`, each of the dtype of its vector

    Raises
    ------
    ArgumentError
        If `indexing` is neither of these.

    Examples
    --------
    >>> from gluon import np
    >>> np.meshgrid(np.array([1, 2]), np.array([3, 4]))
    [array([[1., 2.],
           [1., 2.]]), array([[3., 3.],
           [4., 4.]])]
    """
    if indexing not in ("xy", "ij"):
        raise ArgumentError(f"indexing={indexing!r} is neither 'xy' nor 'ij'")
    arrays = [ops.reshape(as_array(x), shape=(-1,)) for x in xi]
    places = list(range(len(arrays)))
    if indexing == "xy" and len(arrays) > 1:
        places[:2] = 1, 0
    lengths = [0] * len(arrays)
    for place, x in zip(places, arrays):
        lengths[place] = x.size
    grids = []
    for place, x in zip(places, arrays):
        shape = [n if k == place else 1 for k, n in enumerate(lengths)]
        grid = ops.reshape(x, shape=tuple(shape))
        grids.append(ops.copy(grid if sparse else ops.broadcast_to(grid, shape=tuple(lengths))))
    return grids


@public
def copy(a: ArrayLike, order: str = "K", out: ndarray | None = None) -> ndarray:
    """Return a copy; recorded.

    Parameters
    ----------
    a : array_like of any shape and dtype
    order : {'K', 'C', 'A'}
        The layout.
    out : ndarray of the same shape, optional
        Where to write the result; its dtype must allow a 'same_kind' cast.

    Returns
    -------
    ndarray of the same shape and dtype

    Raises
    ------
    DTypeError
        If `a` holds no numbers.

    Examples
    --------
    >>> from gluon import np
    >>> np.copy(np.array([1, 2]))
    array([1., 2.])
    """
    check_order("order", order)
    return into(out, ops.copy(as_array(a)))


@public
def frombuffer(
    buffer: Any,
    dtype: DTypeLike | None = None,
    count: int = -1,
    offset: int = 0,
    *,
    ctx: Context | None = None,
) -> ndarray:
    """Interpret bytes as an array; copies.

    Parameters
    ----------
    buffer : bytes, or another object with a buffer
    dtype : str or numpy type, optional
        The default floating dtype by default.
    count : int, default -1
        How many numbers; by default all.
    offset : int, default 0
        How many bytes to skip at the start.
    ctx : Context, optional
        The current context by default.

    Returns
    -------
    ndarray of one axis, of `dtype`

    Raises
    ------
    ArgumentError
        If the bytes do not divide into such numbers.

    Examples
    --------
    >>> from gluon import np
    >>> np.frombuffer(bytes([1, 2, 3]), "uint8", offset=1)
    array([2, 3], dtype=uint8)
    """
    wanted = default_float() if dtype is None else as_numpy_dtype(dtype)
    raw = numpy.frombuffer(buffer, wanted, count, offset)
    return wrap(interfaces.ndarray, raw.copy(), at(ctx))


@public
def from_dlpack(x: Any, /, *, device: Context | None = None, copy: bool | None = None) -> ndarray:
    """Create an array from another library's array, sharing memory if the host can write to it.

    Parameters
    ----------
    x : object with ``__dlpack__``, such as a tensor of PyTorch
    device : Context, optional
        The context of the result.
    copy : bool, optional
        True copies the memory.

    Returns
    -------
    ndarray of the same shape and dtype

    Raises
    ------
    DTypeError
        If `x` is not such an array, or has an unsupported dtype.
    ArgumentError
        If its memory is on a GPU and its library cannot copy it to the host.

    Examples
    --------
    >>> import numpy
    >>> from gluon import np
    >>> a = numpy.zeros(2, "float32")
    >>> x = np.from_dlpack(a)
    >>> x[0] = 5
    >>> float(a[0])
    5.0
    """
    shared: Any = alias(classic.from_dlpack(x), interfaces.ndarray)
    shared._ctx = at(device)
    return ops.copy(shared) if copy else shared
