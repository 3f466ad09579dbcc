"""The switch between the classic and the NumPy interface, set by `npx.set_np` and `use_np`.

It stands in a context variable: each thread begins with the classic interface, as in MXNet.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import ContextDecorator
from inspect import getattr_static
from types import FunctionType
from typing import Any, Final, NamedTuple, TypeVar

import numpy

from ..errors import ArgumentError, DTypeError
from ..scopes import Stack

#: What is decorated: a function or a class, which keeps its type.
D = TypeVar("D", bound=Callable[..., Any])


class Semantics(NamedTuple):
    """The switches of this thread or task."""

    shape: bool = False
    array: bool = False
    dtype: bool = False


CLASSIC = Semantics()
_stack = Stack("gluon_semantics")
_innermost = _stack._innermost.get
#: Switches to the interface of another thread or task.
adopt: Final = _stack.replace


def semantics() -> Semantics:
    """The switches of this thread or task."""
    entry = _innermost()
    return CLASSIC if entry is None else entry.value


def set_np(shape: bool = True, array: bool = True, dtype: bool = False) -> None:
    """Switch to the NumPy interface: Gluon makes arrays of `gluon.np` from here on.

    Parameters
    ----------
    shape : bool, default True
        Whether arrays may have no axes and no values. Arrays of `gluon.np` always may.
    array : bool, default True
        Whether parameters, layers, losses and data loaders return arrays of `gluon.np`.
    dtype : bool, default False
        Whether new arrays have the dtypes float64 and int64, as in NumPy, instead of float32.

    Raises
    ------
    ArgumentError
        If `array` is True and `shape` is False.

    Examples
    --------
    >>> from gluon import np, npx
    >>> npx.set_np(dtype=True)
    >>> np.array([1, 2]).dtype
    dtype('int64')
    >>> npx.reset_np()
    >>> np.array([1, 2]).dtype
    dtype('float32')
    """
    if array and not shape:
        raise ArgumentError("set_np: arrays of gluon.np need shape=True as well")
    adopt(Semantics(bool(shape), bool(array), bool(dtype)))


def reset_np() -> None:
    """Switch back to the classic interface.

    Examples
    --------
    >>> from gluon import npx
    >>> npx.set_np()
    >>> npx.reset_np()
    >>> npx.is_np_array()
    False
    """
    adopt(CLASSIC)


def is_np_shape() -> bool:
    """Whether arrays may have no axes and no values; see `set_np`.

    Returns
    -------
    bool

    Examples
    --------
    >>> from gluon import npx
    >>> npx.is_np_shape()
    False
    """
    return semantics().shape


def is_np_array() -> bool:
    """Whether Gluon makes arrays of `gluon.np`; see `set_np`.

    Returns
    -------
    bool

    Examples
    --------
    >>> from gluon import npx
    >>> with npx.np_array():
    ...     npx.is_np_array()
    True
    """
    return semantics().array


def is_np_default_dtype() -> bool:
    """Whether new arrays have NumPy's default dtypes; see `set_np`.

    Returns
    -------
    bool

    Examples
    --------
    >>> from gluon import npx
    >>> npx.is_np_default_dtype()
    False
    """
    return semantics().dtype


def set_np_shape(active: bool) -> bool:
    """Switch NumPy's shapes on or off; see `set_np`.

    Parameters
    ----------
    active : bool

    Returns
    -------
    bool
        The previous state.

    Examples
    --------
    >>> from gluon import npx
    >>> npx.set_np_shape(True), npx.set_np_shape(False)
    (False, True)
    """
    return _set(shape=active).shape


def set_np_default_dtype(active: bool) -> bool:
    """Switch NumPy's default dtypes on or off; see `set_np`.

    Parameters
    ----------
    active : bool

    Returns
    -------
    bool
        The previous state.

    Examples
    --------
    >>> from gluon import npx
    >>> npx.set_np_default_dtype(True), npx.set_np_default_dtype(False)
    (False, True)
    """
    return _set(dtype=active).dtype


def _changed(fields: dict[str, bool]) -> Semantics:
    """Return the semantics with other `fields`."""
    return semantics()._replace(**{name: bool(value) for name, value in fields.items()})


def _set(**fields: bool) -> Semantics:
    """Change `fields`; return the previous semantics."""
    before = semantics()
    adopt(_changed(fields))
    return before


class _within(ContextDecorator):
    """Set `fields` during a ``with`` block or a decorated call."""

    def __init__(self, **fields: bool) -> None:
        self.fields = fields

    def __enter__(self) -> None:
        _stack.enter(self, _changed(self.fields))

    def __exit__(self, *exc: object) -> None:
        _stack.leave(self)


def np_shape(active: bool = True) -> Any:
    """A ``with`` block in which `is_np_shape` is `active`.

    Parameters
    ----------
    active : bool, default True

    Returns
    -------
    context manager

    Examples
    --------
    >>> from gluon import npx
    >>> with npx.np_shape():
    ...     npx.is_np_shape()
    True
    """
    return _within(shape=active)


def np_array(active: bool = True) -> Any:
    """A ``with`` block in which `is_np_array` is `active`.

    Parameters
    ----------
    active : bool, default True

    Returns
    -------
    context manager

    Examples
    --------
    >>> from gluon import nn, np, npx
    >>> with npx.np_array():
    ...     layer = nn.Dense(2, weight_initializer="ones")
    ...     layer.initialize()
    ...     layer(np.ones((1, 3)))
    array([[3., 3.]])
    """
    return _within(array=active)


def np_default_dtype(active: bool = True) -> Any:
    """A ``with`` block in which `is_np_default_dtype` is `active`.

    Parameters
    ----------
    active : bool, default True

    Returns
    -------
    context manager

    Examples
    --------
    >>> from gluon import np, npx
    >>> with npx.np_default_dtype():
    ...     np.arange(3).dtype
    dtype('int64')
    """
    return _within(dtype=active)


def _switched(function: Callable[..., Any], fields: dict[str, bool]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with _within(**fields):
            return function(*args, **kwargs)

    return call


def _decorated(name: str, what: Any, **fields: bool) -> Any:
    """Decorate a function, or the functions and properties of a class, to run with `fields`."""
    if not isinstance(what, type):
        if not callable(what):
            raise DTypeError(f"{name} decorates classes and functions, not {type(what).__name__}")
        return _switched(what, fields)
    inherited = {key: getattr_static(what, key) for key in dir(what) if key[:2] != "__"}
    for key, value in {**inherited, **vars(what)}.items():
        if isinstance(value, FunctionType):
            setattr(what, key, _switched(value, fields))
        elif isinstance(value, (staticmethod, classmethod)):
            setattr(what, key, type(value)(_switched(value.__func__, fields)))
        elif isinstance(value, property):
            get, put = (one and _switched(one, fields) for one in (value.fget, value.fset))
            setattr(what, key, property(get, put, value.fdel, value.__doc__))
    return what


def use_np(func: D) -> D:
    """Decorate a function, or all methods of a class, to run with the NumPy interface.

    Parameters
    ----------
    func : function or class

    Returns
    -------
    function or class

    Raises
    ------
    DTypeError
        If it is neither of these.

    Examples
    --------
    >>> from gluon import npx
    >>> @npx.use_np
    ... def inside():
    ...     return npx.is_np_array(), npx.is_np_shape()
    >>> inside(), npx.is_np_array()
    ((True, True), False)
    """
    return _decorated("use_np", func, shape=True, array=True)


def use_np_shape(func: D) -> D:
    """Decorate a function, or all methods of a class, to run within `np_shape`.

    Parameters
    ----------
    func : function or class

    Returns
    -------
    function or class

    Raises
    ------
    DTypeError
        If it is neither of these.

    Examples
    --------
    >>> from gluon import npx
    >>> npx.use_np_shape(npx.is_np_shape)()
    True
    """
    return _decorated("use_np_shape", func, shape=True)


def use_np_array(func: D) -> D:
    """Decorate a function, or all methods of a class, to run within `np_array`.

    Parameters
    ----------
    func : function or class

    Returns
    -------
    function or class

    Raises
    ------
    DTypeError
        If it is neither of these.

    Examples
    --------
    >>> from gluon import npx
    >>> npx.use_np_array(npx.is_np_array)()
    True
    """
    return _decorated("use_np_array", func, array=True)


def use_np_default_dtype(func: D) -> D:
    """Decorate a function, or all methods of a class, to run within `np_default_dtype`.

    Parameters
    ----------
    func : function or class

    Returns
    -------
    function or class

    Raises
    ------
    DTypeError
        If it is neither of these.

    Examples
    --------
    >>> from gluon import npx
    >>> npx.use_np_default_dtype(npx.is_np_default_dtype)()
    True
    """
    return _decorated("use_np_default_dtype", func, dtype=True)


def default_float() -> numpy.dtype:
    """The dtype of new floating arrays: float32, or float64 with NumPy's default dtypes."""
    return numpy.dtype("float64" if semantics().dtype else "float32")
