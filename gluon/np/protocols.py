"""NumPy's protocols: what ``numpy.mean(x)`` and ``numpy.add(x, y)`` do with arrays of gluon.

A function of NumPy's that `gluon.np` has runs here and is recorded. Any other one gets the values
as NumPy arrays, unless that would lose a gradient.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays import interfaces
from .._core.arrays.dtypes import is_supported
from .._core.arrays.history import arrays_in, converted
from .._core.arrays.indexing import as_numpy_key
from .._core.arrays.rebind import is_recorded
from .._core.engine.array import Array
from .._core.engine.inplace import writable
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError
from ._public import as_array, made

if TYPE_CHECKING:
    from ._array import ndarray

#: The supported versions of the Python array API standard.
VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12")
#: The functions for methods of ufuncs: ``numpy.add.reduce`` is a sum.
METHODS = {
    "reduce": {
        **{"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min"},
        **{"logical_and": "all", "logical_or": "any"},
    },
    "accumulate": {"add": "cumsum", "multiply": "cumprod"},
}
#: Functions that write into their first argument, which may be a NumPy array.
WRITERS: set[Any] = {
    *(numpy.copyto, numpy.put, numpy.place, numpy.putmask, numpy.fill_diagonal),
    numpy.put_along_axis,
}
#: Arguments that have other names in `gluon.np`.
RENAMED = {
    **{name: {"a": "x"} for name in ("round", "around")},
    **{name: {"tup": "arrays"} for name in ("hstack", "vstack", "dstack", "column_stack")},
    **{"row_stack": {"tup": "arrays"}, "pad": {"array": "x"}, "empty_like": {"prototype": "a"}},
}
#: What to do with a function that is not recorded.
WAYS_OUT = "call it inside autograd.pause(), or on x.detach() or x.asnumpy()"


@cache
def functions() -> dict[Any, Callable[..., Any]]:
    """NumPy's functions, and those of `gluon.np` in their place."""
    ours = sys.modules[__package__]
    found: dict[Any, Callable] = {}
    for mine, theirs in ((ours, numpy), (ours.linalg, numpy.linalg)):
        for name in mine.__all__:
            function, replaced = getattr(mine, name), vars(theirs).get(name)
            if callable(function) and callable(replaced) and not isinstance(function, type):
                found.setdefault(replaced, function)
    return found


def array_ufunc(self: ndarray, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """Run ``ufunc(*inputs)`` or one of its methods on arrays of gluon."""
    if method == "at":
        return _at(ufunc, *inputs)
    out = kwargs.pop("out", None)
    is_call = method == "__call__"
    known = METHODS.get(method, {}).get(ufunc.__name__)
    if is_call:
        function = functions().get(ufunc)
    elif method == "outer" and ufunc in functions():
        function = _outer(functions()[ufunc])
    else:
        function = functions().get(getattr(numpy, known, None)) if known else None
        kwargs.setdefault("axis", 0)
    if function is None:
        called = ufunc if is_call else getattr(ufunc, method)
        result = _with_numpy(called, f"{ufunc.__name__}.{method}", inputs, kwargs)
    elif is_call and out and all(x is None or isinstance(x, Array) for x in out):
        return function(*inputs, out=out[0] if len(out) == 1 else out, **kwargs)
    else:
        result = function(*inputs, **kwargs)
    if out is None:
        return result
    # The mask of a call selects what is written, that of a reduction what is read.
    where = kwargs.get("where", True) if is_call else True
    _check_kept(f"numpy.{ufunc.__name__}", out, result)
    return _written(out, result, where, kwargs.get("casting", "same_kind"))


def _at(ufunc: Any, target: Any, places: Any, *values: Any) -> None:
    """Compute ``ufunc.at``: change elements in place, each as often as it is indexed."""
    key = as_numpy_key(places)
    if not isinstance(target, interfaces.ndarray):
        _check_kept(f"numpy.{ufunc.__name__}.at", (target,), values)
        ufunc.at(target, key, *_plain(values))
    elif not is_recorded(target, *arrays_in(values)):
        ufunc.at(writable(target), key, *_plain(values))
    elif ufunc in (numpy.add, numpy.subtract):
        value = as_array(values[0], target.dtype)
        value = ops.broadcast_to(value, shape=target.raw[key].shape)
        change = ops.scatter_add(value, key=key, shape=target.shape)
        target[...] = functions()[ufunc](target, change)
    else:
        raise _unrecorded(f"{ufunc.__name__}.at")


def _outer(function: Callable) -> Callable:
    def call(x1: Any, x2: Any, **kwargs: Any) -> Any:
        x1, x2 = as_array(x1), as_array(x2)
        return function(x1.reshape(*x1.shape, *(1,) * x2.ndim), x2, **kwargs)

    return call


def _written(out: tuple, result: Any, where: Any, casting: str) -> Any:
    """Write `result` where the mask holds to the arrays of `out`, of gluon or NumPy."""
    results = result if isinstance(result, tuple) else (result,)
    for target, value in zip(out, results):
        if isinstance(target, Array):
            functions()[numpy.positive](value, out=target, where=where, casting=casting)
        elif target is not None:
            numpy.copyto(target, _plain(value), casting, numpy.asarray(_plain(where), bool))  # type: ignore[arg-type]
    kept = tuple(value if one is None else one for one, value in zip(out, results))
    return kept if isinstance(result, tuple) else kept[0]


def array_function(
    self: ndarray, func: Any, types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Run ``func(*args, **kwargs)`` of NumPy's on arrays of gluon."""
    name = f"{func.__module__}.{func.__name__}"
    if func in WRITERS and args and isinstance(args[0], numpy.ndarray):
        _check_kept(name, args[:1], (args, kwargs))
        return func(*_plain(args), **_plain(kwargs))
    function = functions().get(func)
    if function is None:
        return _with_numpy(func, name, args, kwargs)
    names = RENAMED.get(func.__name__, {})
    kwargs = {names.get(key, key): value for key, value in kwargs.items()}
    try:
        return function(*args, **kwargs)
    except DTypeError as error:
        if not is_recorded(*arrays_in((args, kwargs))) or _fits(function, args, kwargs):
            raise
        raise DTypeError(f"{error}; {name}, which has it, is not recorded; {WAYS_OUT}") from None


def _fits(function: Callable, args: tuple, kwargs: dict) -> bool:
    """Whether `function` has such arguments."""
    try:
        inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def _with_numpy(func: Callable, name: str, args: tuple, kwargs: dict) -> Any:
    """Run `func` on NumPy arrays, and return gluon's arrays if possible."""
    if is_recorded(*arrays_in((args, kwargs))):
        raise _unrecorded(name)
    result = func(*_plain(args), **_plain(kwargs))
    return _ours(result)


def _check_kept(name: str, targets: tuple, values: Any) -> None:
    """Raise if recorded `values` are to be written into arrays of NumPy's, without a history."""
    if any(isinstance(x, numpy.ndarray) for x in targets) and is_recorded(*arrays_in(values)):
        raise DTypeError(
            f"{name}: a recorded array cannot be written into an array of NumPy's, which has no"
            " history; write x.asnumpy() into it, or use an array of gluon"
        )


def _unrecorded(name: str) -> DTypeError:
    return DTypeError(
        f"{name}: gluon.np has no such function, and that of NumPy is not recorded; {WAYS_OUT}"
    )


def _plain(value: Any) -> Any:
    """Replace gluon's arrays in arguments by NumPy's."""
    return converted(value, lambda x: x.raw.copy())


def _ours(value: Any) -> Any:
    """Replace NumPy's arrays in a result by gluon's, if gluon supports the dtype."""
    if isinstance(value, numpy.ndarray) and is_supported(value.dtype):
        return made(value)
    return type(value)(map(_ours, value)) if type(value) in (tuple, list) else value


def array_namespace(self: ndarray, *, api_version: str | None = None) -> ModuleType:
    """The module of the functions that the Python array API standard names: `gluon.np`."""
    if api_version not in (None, *VERSIONS):
        raise ArgumentError(f"api_version={api_version!r} is not one of {', '.join(VERSIONS)}")
    return sys.modules[__package__]
