"""`mx.util`: environment variables, GPUs, and helpers of MXNet's modules."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np

from ._core.arrays import Context, gpu_memory_info, num_gpus
from ._core.arrays.laxness import lax
from ._core.arrays.switch import (
    is_np_array,
    is_np_default_dtype,
    is_np_shape,
    np_array,
    np_default_dtype,
    np_shape,
    reset_np,
    set_np,
    set_np_default_dtype,
    set_np_shape,
    use_np,
    use_np_array,
    use_np_default_dtype,
    use_np_shape,
)
from ._core.errors import ArgumentError, DTypeError, GluonError
from ._core.hints.lookup import hinting

__all__ = [
    "get_cuda_compute_capability",
    "get_gpu_count",
    "get_gpu_memory",
    "getenv",
    "is_np_array",
    "is_np_default_dtype",
    "is_np_shape",
    "makedirs",
    "np_array",
    "np_default_dtype",
    "np_shape",
    "np_ufunc_legal_option",
    "reset_np",
    "set_clip_indices",
    "set_module",
    "set_np",
    "set_np_default_dtype",
    "set_np_shape",
    "setenv",
    "use_np",
    "use_np_array",
    "use_np_default_dtype",
    "use_np_shape",
    "wrap_np_binary_func",
    "wrap_np_unary_func",
]

T = TypeVar("T")
CASTING = ("no", "equiv", "safe", "same_kind", "unsafe")
DTYPES = ("int8", "uint8", "int32", "int64", "float16", "float32", "float64")
#: The arguments of NumPy's ufuncs that MXNet accepts only with these values.
DEFAULTS = {"where": True, "casting": "same_kind", "order": "K", "dtype": None, "subok": True}


def getenv(name: str) -> str | None:
    """An environment variable; None if it is not set.

    Parameters
    ----------
    name : str

    Returns
    -------
    str or None

    Examples
    --------
    >>> from gluon import util
    >>> util.setenv("GREETING", "hello")
    >>> util.getenv("GREETING")
    'hello'
    >>> util.setenv("GREETING", None)
    >>> util.getenv("GREETING") is None
    True
    """
    return os.environ.get(name)


def setenv(name: str, value: str | None) -> None:
    """Set an environment variable; None unsets it.

    Parameters
    ----------
    name : str
    value : str or None

    Examples
    --------
    >>> from gluon import util
    >>> util.setenv("GREETING", "hello")
    >>> util.getenv("GREETING")
    'hello'
    >>> util.setenv("GREETING", None)
    """
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


def set_clip_indices(active: bool) -> bool:
    """Set whether labels and indices out of range are clipped, or raise an error.

    It applies to `loss.SoftmaxCrossEntropyLoss` and `nn.Embedding`, in all threads. MXNet clips,
    and so does gluon under the hook for MXNet's scripts; otherwise gluon raises.

    Parameters
    ----------
    active : bool

    Returns
    -------
    bool
        The state before.

    Examples
    --------
    >>> from gluon import loss, nd, util
    >>> pred, label = nd.zeros((1, 3)), nd.array([3])
    >>> before = util.set_clip_indices(True)
    >>> loss.SoftmaxCrossEntropyLoss()(pred, label).asnumpy().round(3)  # as of class 2
    array([1.099], dtype=float32)
    >>> util.set_clip_indices(before)
    True
    """
    before, lax.clip_indices = lax.clip_indices, bool(active)
    return before


def makedirs(d: str) -> None:
    """Create a folder and its parents, unless it exists.

    Parameters
    ----------
    d : str

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon import util
    >>> path = f"{tempfile.mkdtemp()}/a/b"
    >>> util.makedirs(path)
    >>> util.makedirs(path)
    >>> os.path.isdir(path)
    True
    """
    os.makedirs(os.path.expanduser(d), exist_ok=True)


def get_gpu_count() -> int:
    """The number of GPUs that arrays can be put on: 0.

    Returns
    -------
    int

    Examples
    --------
    >>> from gluon import util
    >>> util.get_gpu_count()
    0
    """
    return num_gpus()


def get_gpu_memory(gpu_dev_id: int) -> tuple[int, int]:
    """Free and total bytes of a GPU; raises `GluonError` since there is none.

    Parameters
    ----------
    gpu_dev_id : int

    Returns
    -------
    tuple of int
        Never.

    Raises
    ------
    GluonError
        Always.

    Examples
    --------
    >>> from gluon import GluonError, util
    >>> try:
    ...     util.get_gpu_memory(0)
    ... except GluonError as error:
    ...     print(error)
    gpu(0) is not available: num_gpus() is 0
    """
    return gpu_memory_info(gpu_dev_id)


def get_cuda_compute_capability(ctx: Context) -> NoReturn:
    """Raise `ArgumentError` for a context that is not a GPU, and `GluonError` for one that is.

    Parameters
    ----------
    ctx : Context

    Raises
    ------
    ArgumentError
        If `ctx` is not a GPU.
    GluonError
        If it is one.

    Examples
    --------
    >>> from gluon import GluonError, util, gpu
    >>> try:
    ...     util.get_cuda_compute_capability(gpu())
    ... except GluonError as error:
    ...     print(error)
    gpu(0) is not available: num_gpus() is 0
    """
    if ctx.device_type != "gpu":
        raise ArgumentError(
            f"Expecting a gpu context to get cuda compute capability, while received ctx {ctx}"
        )
    raise GluonError(f"{ctx} is not available: num_gpus() is 0")


def set_module(module: str | None) -> Callable[[T], T]:
    """A decorator that sets the ``__module__`` of a function or class.

    Parameters
    ----------
    module : str or None
        None to change nothing.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> from gluon import util
    >>> @util.set_module("mxnet.numpy")
    ... def example(): pass
    >>> example.__module__
    'mxnet.numpy'
    """

    def decorator(thing: T) -> T:
        if module is not None:
            thing.__module__ = module
        return thing

    return decorator


def np_ufunc_legal_option(key: str, value: Any) -> bool:
    """Whether NumPy's universal functions take an argument with a value.

    Parameters
    ----------
    key : {'where', 'casting', 'order', 'dtype', 'subok'}
        Any other is False.
    value : object

    Returns
    -------
    bool

    Examples
    --------
    >>> from gluon import util
    >>> util.np_ufunc_legal_option("dtype", "float32"), util.np_ufunc_legal_option("dtype", "no")
    (True, False)
    """
    if key == "where":
        return True
    if key == "casting":
        return value in CASTING
    if key == "order":
        return isinstance(value, str)
    if key == "subok":
        return isinstance(value, bool)
    return key == "dtype" and value in (*DTYPES, *(getattr(np, name) for name in DTYPES))


def wrap_np_unary_func(func: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function of one array take the arguments of NumPy's, if they change nothing.

    Parameters
    ----------
    func : callable
        ``func(x, out=None)``

    Returns
    -------
    callable
        It raises `DTypeError` for arguments and values that NumPy does not know either, and
        `NotImplementedError` for those that change the result.

    Raises
    ------
    DTypeError
        From a call, for an argument or a value that NumPy does not know.
    NotImplementedError
        From a call, for an argument that changes the result.

    Examples
    --------
    >>> from gluon import nd, util
    >>> @util.wrap_np_unary_func
    ... def double(x, out=None):
    ...     return 2 * x
    >>> double(nd.array([1, 2]), where=True, casting="same_kind").asnumpy()
    array([2., 4.], dtype=float32)
    """

    @wraps(func)
    def wrapped(x: Any, out: Any = None, **kwargs: Any) -> Any:
        _refuse(func, kwargs)
        return func(x, out=out)

    return wrapped


def wrap_np_binary_func(func: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function of two arrays take the arguments of NumPy's, if they change nothing.

    Parameters
    ----------
    func : callable
        ``func(x1, x2, out=None)``

    Returns
    -------
    callable
        It raises in the same cases as the result of `wrap_np_unary_func`.

    Raises
    ------
    DTypeError
        From a call, for an argument or a value that NumPy does not know.
    NotImplementedError
        From a call, for an argument that changes the result.

    Examples
    --------
    >>> from gluon import nd, util
    >>> @util.wrap_np_binary_func
    ... def add(x1, x2, out=None):
    ...     return x1 + x2
    >>> add(nd.array([1, 2]), nd.array([3, 4]), where=True).asnumpy()
    array([4., 6.], dtype=float32)
    """

    @wraps(func)
    def wrapped(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> Any:
        _refuse(func, kwargs)
        return func(x1, x2, out=out)

    return wrapped


class _NotImplemented(GluonError, NotImplementedError):
    """An operation that NumPy supports and gluon does not."""


def _refuse(func: Callable, kwargs: dict[str, Any]) -> None:
    for key, value in kwargs.items():
        if key not in DEFAULTS:
            raise DTypeError(f"{key} is an invalid keyword to function '{func.__name__}'")
        if value != DEFAULTS[key]:
            if np_ufunc_legal_option(key, value):
                raise _NotImplemented(
                    f"{key}={value} is not implemented yet for operator {func.__name__}"
                )
            raise DTypeError(f"{key}={value} not understood for operator {func.__name__}")


if not TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = hinting(__name__, __all__)
