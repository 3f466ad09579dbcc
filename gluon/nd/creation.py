"""`nd`: array creation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._core.arrays.context import Context, device
from .._core.arrays.dtypes import as_dtype, as_numpy_dtype, castable
from .._core.arrays.history import constants, with_history
from .._core.arrays.rebind import is_recorded
from .._core.arrays.silence import silence_numpy
from .._core.arrays.storage import seat
from .._core.devices import available
from .._core.engine.array import Array, alias, wrap
from .._core.engine.op import KERNELS
from .._core.engine.op import RECORDED as ops
from .._core.errors import CAUSES, ArgumentError, DTypeError, translated
from .._core.faces.errors import unmade
from .._core.faces.text import REALS, read
from .._core.hints.lookup import hinted
from .._core.journal import taken
from .._core.kernels import indexing as kernels
from .._core.kernels.memory import foreign, on_host
from ._array import NDArray
from .sparse import creation as sparse

Shape = int | tuple[int, ...]


@hinted
def array(source_array: Any, ctx: Context | None = None, dtype: Any = None) -> NDArray:
    """A new array with the values of `source_array`.

    Parameters
    ----------
    source_array : NDArray, numpy.ndarray, number, or nested sequence of numbers and arrays
        Of any shape and dtype; a sequence of n arrays of one shape s has shape (n, *s). A sparse
        array gives one of its storage type, and so does a matrix of SciPy's.
    ctx : Context, optional
        The current context by default.
    dtype : str or numpy type, optional
        By default that of an NDArray source, float32 for anything else.

    Returns
    -------
    NDArray of the shape of `source_array`, () for a number

    Raises
    ------
    DTypeError
        If the source holds no numbers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.array([1, 2, 3])
    <BLANKLINE>
    [1. 2. 3.]
    <NDArray 3 @cpu(0)>
    """
    if sparse.is_sparse_source(source_array):
        return sparse.array(source_array, ctx, dtype)
    if isinstance(source_array, Array):
        dtype = source_array.raw.dtype if dtype is None else as_dtype(dtype)
        made = wrap(NDArray, KERNELS.cast(source_array.raw, dtype=dtype), device(ctx))
        return with_history(source_array, made)
    if source_array is None:
        raise DTypeError("array: source_array is None; give numbers, in lists or arrays")
    dtype = as_dtype(dtype)
    try:
        raw = np.array(castable(_plain(source_array), dtype), dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise unmade(error, source_array, f"array of {dtype.name}") from None
    return with_history(source_array, wrap(NDArray, raw, device(ctx)))


def _plain(source: Any) -> Any:
    """Replace NDArrays nested in sequences by raw arrays."""
    if isinstance(source, Array):
        return on_host(taken(source))
    if isinstance(source, (list, tuple)):
        return [_plain(part) for part in source]
    return source


def _write(name: str, out: Any, raw: np.ndarray) -> NDArray:
    """Write into `out`, which must have the same shape and dtype."""
    if not isinstance(out, NDArray):
        raise DTypeError(f"{name}: out must be an NDArray, not {type(out).__name__}")
    if out.held.shape != raw.shape:
        raise ArgumentError(f"{name}: out has shape {out.shape}, the result {raw.shape}")
    if out.held.dtype != raw.dtype:
        raise DTypeError(f"{name}: out has dtype {out.held.dtype}, the result {raw.dtype}")
    out[...] = seat(raw)
    return out


def _made(name: str, function: Callable[..., Any], *args: Any) -> np.ndarray:
    """Return ``function(*args)``, with its errors translated; numbers may be strings."""
    try:
        return function(*args)
    except CAUSES as error:
        if any(isinstance(one, str) for one in args):
            plain = [read(REALS, name, "the value", x) if isinstance(x, str) else x for x in args]
            return _made(name, function, *plain)
        got = f"; got shape={args[0]}" if "negative dim" in str(error) else ""
        raise translated(error, f"{name}: {error}{got}") from None


@hinted
def zeros(
    shape: Shape, ctx: Any = None, dtype: Any = None, stype: Any = None, out: Any = None
) -> NDArray:
    """An array of zeros.

    Parameters
    ----------
    shape : int or tuple of int
    ctx : Context, optional
        The current context by default.
    dtype : str or numpy type, optional
        float32 by default.
    stype : {'default', 'csr', 'row_sparse'}, optional
        The storage type; see `nd.sparse`.
    out : NDArray of that shape and dtype, optional
        Where to write the result.

    Returns
    -------
    NDArray of shape `shape`

    Raises
    ------
    ArgumentError
        If `shape` has a negative length, `out` does not fit, or `stype` is another.
    DTypeError
        If `shape` is not of integers, or arrays cannot have the dtype.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.zeros((1, 2))
    <BLANKLINE>
    [[0. 0.]]
    <NDArray 1x2 @cpu(0)>
    """
    if stype not in (None, "default"):
        made = sparse.zeros_in("zeros", stype, shape, ctx, dtype)
        return made if out is None else _write("zeros", out, made.held)
    raw = _made("zeros", np.zeros, shape, as_dtype(dtype))
    return wrap(NDArray, raw, device(ctx)) if out is None else _write("zeros", out, raw)


@hinted
def ones(shape: Shape, ctx: Any = None, dtype: Any = None, out: Any = None) -> NDArray:
    """An array of ones.

    Parameters
    ----------
    shape : int or tuple of int
    ctx : Context, optional
        The current context by default.
    dtype : str or numpy type, optional
        float32 by default.
    out : NDArray of that shape and dtype, optional
        Where to write the result.

    Returns
    -------
    NDArray of shape `shape`

    Raises
    ------
    ArgumentError
        If `shape` has a negative length, or `out` does not fit.
    DTypeError
        If `shape` is not of integers, or arrays cannot have the dtype.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.ones(2, dtype="int32")
    <BLANKLINE>
    [1 1]
    <NDArray 2 @cpu(0)>
    """
    raw = _made("ones", np.ones, shape, as_dtype(dtype))
    return wrap(NDArray, raw, device(ctx)) if out is None else _write("ones", out, raw)


@hinted
def full(shape: Shape, val: Any, ctx: Any = None, dtype: Any = None, out: Any = None) -> NDArray:
    """An array filled with one value.

    Parameters
    ----------
    shape : int or tuple of int
    val : number, or array that broadcasts to `shape`
    ctx : Context, optional
        The current context by default.
    dtype : str or numpy type, optional
        float32 by default.
    out : NDArray, optional
        An array of any shape and dtype to fill; the other arguments are then ignored.

    Returns
    -------
    NDArray of shape `shape`, or `out`

    Raises
    ------
    ArgumentError
        If `shape` has a negative length, or `val` is not a number.
    DTypeError
        If `shape` is not of integers, or arrays cannot have the dtype.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.full((1, 2), 7)
    <BLANKLINE>
    [[7. 7.]]
    <NDArray 1x2 @cpu(0)>
    """
    if out is None and is_recorded(val):
        value = ops.cast(alias(val, NDArray), dtype=as_dtype(dtype))
        return ops.broadcast_to(value, shape=(shape,) if isinstance(shape, int) else tuple(shape))
    if out is None:
        return wrap(NDArray, _made("full", _filled, shape, val, as_dtype(dtype)), device(ctx))
    if not isinstance(out, NDArray):
        raise DTypeError(f"full: out must be an NDArray, not {type(out).__name__}")
    out[...] = val
    return out


def _filled(shape: Shape, val: Any, dtype: np.dtype) -> np.ndarray:
    return np.full(shape, castable(val, dtype), dtype)


@hinted
def empty(shape: Shape, ctx: Any = None, dtype: Any = None, stype: Any = None) -> NDArray:
    """An uninitialized array.

    Parameters
    ----------
    shape : int or tuple of int
    ctx : Context, optional
        The current context by default.
    dtype : str or numpy type, optional
        float32 by default.
    stype : {'default', 'csr', 'row_sparse'}, optional
        The storage type; see `nd.sparse`.

    Returns
    -------
    NDArray of shape `shape`

    Raises
    ------
    ArgumentError
        If `shape` has a negative length, or `stype` is another.
    DTypeError
        If `shape` is not of integers, or arrays cannot have the dtype.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.empty((2, 3), dtype="float16").shape
    (2, 3)
    """
    if stype not in (None, "default"):
        return sparse.zeros_in("empty", stype, shape, ctx, dtype)
    return wrap(NDArray, _made("empty", np.empty, shape, as_dtype(dtype)), device(ctx))


@hinted
def arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: Any = None,
    ctx: Any = None,
    dtype: Any = None,
) -> NDArray:
    """Evenly spaced values from `start` to `stop`, which is excluded.

    Parameters
    ----------
    start : float
        Where to begin; the end if `stop` is left out.
    stop : float, optional
    step : float, default 1
    repeat : int, default 1
        How many times each value is repeated.
    infer_range
        Ignored.
    ctx : Context, optional
        The current context by default.
    dtype : str or numpy type, optional
        float32 by default. Integers drop the fractions of `start` and `step`, as in MXNet.

    Returns
    -------
    NDArray of shape (n * repeat,)
        With ``n = ceil((stop - start) / step)``, or 0 if that is negative.

    Raises
    ------
    ArgumentError
        If `step` is 0, or `repeat` is negative.
    DTypeError
        If an argument is not a number, or arrays cannot have the dtype.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.arange(1, 3, 0.5).asnumpy().tolist()
    [1.0, 1.5, 2.0, 2.5]
    >>> nd.arange(2, repeat=2).asnumpy().tolist()
    [0.0, 0.0, 1.0, 1.0]
    """
    if step == 0:
        raise ArgumentError("arange: step is 0; pass another number")
    constants("arange", start=start, stop=stop, step=step)
    dtype = as_dtype(dtype)
    if start is None:
        raise DTypeError("arange: start=None; pass a number")
    ends = (0, start) if stop is None else (start, stop)
    raw = _made("arange", kernels.arange, *ends, step, dtype)
    if repeat != 1:
        raw = _made("arange", np.repeat, raw, repeat)
    return wrap(NDArray, raw, device(ctx))


@hinted
def linspace(
    start: float, stop: float, num: int, endpoint: bool = True, ctx: Any = None, dtype: Any = None
) -> NDArray:
    """Evenly spaced values from `start` to `stop`.

    Parameters
    ----------
    start, stop : float
    num : int
        How many.
    endpoint : bool, default True
        Whether `stop` is the last of them.
    ctx : Context, optional
        The current context by default.
    dtype : str or numpy type, optional
        float32 by default.

    Returns
    -------
    NDArray of shape (num,)

    Raises
    ------
    ArgumentError
        If `num` is negative.
    DTypeError
        If an argument is not a number, or arrays cannot have the dtype.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.linspace(0, 1, 5).asnumpy().tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    constants("linspace", start=start, stop=stop)
    raw = _made("linspace", kernels.linspace, start, stop, num, endpoint, as_dtype(dtype))
    return wrap(NDArray, raw, device(ctx))


@hinted
def eye(N: int, M: int = 0, k: int = 0, ctx: Any = None, dtype: Any = None) -> NDArray:
    """A matrix with ones on a diagonal and zeros elsewhere.

    Parameters
    ----------
    N : int
        The number of rows.
    M : int, default 0
        The number of columns; `N` for 0.
    k : int, default 0
        Which diagonal: above the main one if positive, below it if negative.
    ctx : Context, optional
        The current context by default.
    dtype : str or numpy type, optional
        float32 by default.

    Returns
    -------
    NDArray of shape (N, M or N)

    Raises
    ------
    ArgumentError
        If a length is negative.
    DTypeError
        If an argument is not an integer, or arrays cannot have the dtype.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.eye(2, 3, k=1).asnumpy().tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    return wrap(NDArray, _made("eye", np.eye, N, M or N, k, as_dtype(dtype)), device(ctx))


def from_numpy(
    ndarray: np.ndarray, zero_copy: bool = True, array_cls: type[NDArray] = NDArray
) -> NDArray:
    """Create an array that shares memory with a NumPy array.

    The NumPy array becomes read-only, since gluon cannot notice a write through it. A write through
    another view of its memory also changes the values that a recorded graph keeps.

    Parameters
    ----------
    ndarray : numpy.ndarray
        Of any shape and dtype; C-contiguous, and its memory writeable, for ``zero_copy=True``.
    zero_copy : bool, default True
        False copies, and leaves `ndarray` as it is.
    array_cls : type, optional
        The class of the result; NDArray by default.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If the memory cannot be shared.
    DTypeError
        If `ndarray` is not a NumPy array, or has an unsupported dtype.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import nd
    >>> raw = np.zeros(2)
    >>> x = nd.from_numpy(raw)
    >>> x[0] = 5
    >>> raw.tolist(), raw.flags.writeable
    ([5.0, 0.0], False)
    """
    if not isinstance(ndarray, np.ndarray):
        raise DTypeError(f"from_numpy: got {type(ndarray).__name__}, not a numpy.ndarray")
    as_dtype(ndarray.dtype)
    silence_numpy()
    if not zero_copy:
        return wrap(array_cls, ndarray.copy())
    if not (ndarray.flags.c_contiguous and _unlocked(ndarray)):
        raise ArgumentError(
            "from_numpy: only writeable C-contiguous arrays can be shared; pass zero_copy=False"
        )
    shared = foreign(ndarray.view(np.ndarray))
    ndarray.flags.writeable = False
    return wrap(array_cls, shared)


def _unlocked(raw: np.ndarray) -> bool:
    """Make an array writeable, such as one that was shared before, unless its memory is not."""
    try:
        raw.flags.writeable = True
    except ValueError:
        return False
    return True


def from_dlpack(dlpack: Any) -> NDArray:
    """Create an array that shares the memory of an object with ``__dlpack__``, or of a capsule.

    Memory that is read-only, not C-contiguous or on a GPU is copied.

    Parameters
    ----------
    dlpack : object with ``__dlpack__``, or DLPack capsule
        A capsule must be of host memory.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    DTypeError
        If it is neither, or has an unsupported dtype.
    ArgumentError
        If its memory is on a GPU and its library cannot copy it to the host.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import nd
    >>> nd.from_dlpack(np.arange(3)).asnumpy().tolist()
    [0, 1, 2]
    """
    silence_numpy()
    tells = not LACKS_WRITEABLE_DLPACK
    if not hasattr(dlpack, "__dlpack__"):
        if type(dlpack).__name__ != "PyCapsule":
            raise DTypeError(f"from_dlpack: got {type(dlpack).__name__}, not a DLPack capsule")
        tells = '"dltensor_versioned"' in repr(dlpack)  # the first form is for writeable memory
        dlpack = _Capsule(dlpack)
    raw = _on_host(dlpack)
    as_numpy_dtype(raw.dtype)
    if not raw.flags.writeable and not tells:
        raw = np.asarray(_Memory(raw))
    return wrap(NDArray, foreign(np.ascontiguousarray(raw) if raw.ndim else raw))


#: DLPack's codes of devices whose memory the host can read: the CPU, and pinned or managed memory
#: of CUDA and ROCm.
HOST = {1, 3, 11, 13}


def _on_host(source: Any) -> np.ndarray:
    """Return a NumPy array over the memory of `source`, or over a copy made by its library."""
    if source.__dlpack_device__()[0] in HOST:
        return np.from_dlpack(source)
    try:
        return np.from_dlpack(source, device="cpu")
    except (TypeError, ValueError, BufferError, RuntimeError) as error:
        raise ArgumentError(
            f"from_dlpack: {type(source).__name__} has its memory on a GPU; copy it to the host"
            f" first, as in x.cpu() or cupy.asnumpy(x) ({error})"
        ) from error


#: Before 2.1, NumPy marked all DLPack arrays as read-only.
LACKS_WRITEABLE_DLPACK = tuple(map(int, np.__version__.split(".")[:2])) < (2, 1)


class _Memory:
    """The memory of a raw array, exported as writeable."""

    def __init__(self, raw: np.ndarray) -> None:
        self.owner = raw
        interface = raw.__array_interface__
        self.__array_interface__ = {**interface, "data": (interface["data"][0], False)}


class _Capsule:
    """A bare DLPack capsule in host memory, in the form that NumPy accepts."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack__(self, **kwargs: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def waitall() -> None:
    """Return when all values are computed: at once, unless arrays are on a GPU.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.waitall()
    """
    available.wait()
