"""``mxnet.numpy_dispatch_protocol``: the NumPy functions that take arrays of ``mx.np``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ... import np as mx_np
from ..._core.errors import ArgumentError, DTypeError, GluonError, a_type
from ...nd import NDArray
from .errors import of_other_type

_PAIRS = [(value, vars(np).get(name)) for name, value in vars(mx_np).items()]
#: NumPy functions -> those called instead if an argument is an array of ``mx.np``
_NUMPY_ARRAY_FUNCTION_DICT: dict[Callable, Callable] = {
    theirs: ours
    for ours, theirs in _PAIRS
    if callable(ours) and callable(theirs) and not isinstance(theirs, (type, np.ufunc))
}
#: names of NumPy's ufuncs -> the functions called instead
_NUMPY_ARRAY_UFUNC_DICT: dict[str, Callable] = {
    theirs.__name__: ours for ours, theirs in _PAIRS if isinstance(theirs, np.ufunc)
}
#: The names in NumPy -> in gluon, where they differ.
_STR_2_DTYPE_ = {
    name: getattr(np, name) for name in "float16 float32 float64 int8 int32 int64 uint8".split()
} | {"bool": np.bool_, "bool_": np.bool_, "float": np.float64, "int": np.int64}


#: The names of those functions.
_NUMPY_ARRAY_FUNCTION_LIST = [one.__name__ for one in _NUMPY_ARRAY_FUNCTION_DICT]
_NUMPY_ARRAY_UFUNC_LIST = list(_NUMPY_ARRAY_UFUNC_DICT)
_ONP_OP_MODULES = [np, np.linalg]


def _find_duplicate(strs: Iterable[str]) -> str | None:
    """Return the first duplicate string."""
    seen: set[str] = set()
    for one in strs:
        if one in seen:
            return one
        seen.add(one)
    return None


def _implements(numpy_function: Callable) -> Callable:
    """A decorator that registers a function to be called instead of one of NumPy."""

    def register(func: Callable) -> Callable:
        _NUMPY_ARRAY_FUNCTION_DICT[numpy_function] = func
        return func

    return register


def with_array_function_protocol(func: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator: errors of the function mention NumPy's protocol; it returns None."""

    @functools.wraps(func)
    def run(*args: Any, **kwargs: Any) -> None:
        try:
            func(*args, **kwargs)
        except Exception as error:
            raise GluonError(f"{func.__name__} failed with NumPy's protocols: {error}") from error

    return run


with_array_ufunc_protocol = with_array_function_protocol


def _register_array_function() -> None:
    """Do nothing: the functions are registered."""


_register_array_ufunc = _register_op_signatures = _register_array_function


def _get_builtin_op(op_name: str) -> Any:
    """Return the function of ``mx.np`` or ``mx.npx`` for an operator name."""
    from ... import npx

    for prefix, home in (("_np_", mx_np), ("_npx_", npx)):
        if op_name.startswith(prefix):
            name = op_name.removeprefix(prefix)
            for part in ("_random_", "_linalg_", "_image_"):
                if name.startswith(part):
                    home, name = getattr(home, part.strip("_")), name.removeprefix(part)
            if not hasattr(home, name):
                raise ArgumentError(f"unknown operator {op_name!r}")
            return getattr(home, name)
    return None


def _as_onp_array(object: Any) -> tuple[Any, Any]:  # noqa: A002, RUF100
    """Convert nested arrays of ``mx.np`` to NumPy, and return their context."""
    if isinstance(object, mx_np.ndarray):
        return object.asnumpy(), object.ctx
    if not isinstance(object, (list, tuple)):
        return object, None
    pairs = [_as_onp_array(one) for one in object]
    contexts = list(dict.fromkeys(ctx for _, ctx in pairs if ctx is not None))
    if len(contexts) > 1:
        raise ArgumentError(f"the arrays are on {contexts}; move them to one context")
    return type(object)([one for one, _ in pairs]), contexts[0] if contexts else None


def _as_mx_np_array(object: Any, ctx: Any = None) -> Any:  # noqa: A002, RUF100
    """Convert nested NumPy arrays to ``mx.np``; numbers stay."""
    if isinstance(object, (np.ndarray, np.bool_)):
        return mx_np.array(object, dtype=object.dtype, ctx=ctx)
    if isinstance(object, (list, tuple)):
        return type(object)([_as_mx_np_array(one, ctx) for one in object])
    if isinstance(object, (int, float, np.generic)):
        return object
    raise DTypeError(f"{a_type(object)} cannot be converted to an array of np")


def _reshape_view(a: Any, *shape: Any) -> Any:
    """Return the array in another shape."""
    return a.reshape(*shape)


def _get_np_op(name: str) -> Any:
    """Return the NumPy function of that name."""
    for home in (np, np.linalg):
        if hasattr(home, name):
            return getattr(home, name)
    raise ArgumentError(f"NumPy has no function {name!r}")


def _broadcast_shape(*args: Any) -> tuple[int, ...]:
    """Return the shape that arrays broadcast to."""
    return np.broadcast_shapes(*[one.shape for one in args])


def _ufunc_helper(
    lhs: Any,
    rhs: Any,
    fn_array: Callable,
    fn_scalar: Callable,
    lfn_scalar: Callable,
    rfn_scalar: Callable | None = None,
    out: Any = None,
) -> Any:
    """Call the one of four functions that fits arrays, numbers, or one of each."""
    numbers = (float, int, np.generic)
    if isinstance(lhs, numbers):
        if isinstance(rhs, numbers):
            return fn_scalar(lhs, rhs, out=out)
        return (rfn_scalar or lfn_scalar)(rhs, float(lhs), out=out)
    if isinstance(rhs, numbers):
        return lfn_scalar(lhs, float(rhs), out=out)
    for one in (lhs, rhs):
        if not isinstance(one, mx_np.ndarray):
            raise of_other_type("an operand", one, "an array of mx.np or a number")
    return fn_array(lhs, rhs, out=out)


def _unary_func_helper(
    x: Any, fn_array: Callable, fn_scalar: Callable, out: Any = None, **kwargs: Any
) -> Any:
    """Call the one of two functions that fits an array or a number."""
    if isinstance(x, (float, int, np.generic)):
        return fn_scalar(x, **kwargs)
    if isinstance(x, NDArray):
        return fn_array(x, out=out, **kwargs)
    raise of_other_type("x", x, "an array or a number")


def _verify_arrays(func_name: str, args: Any, out: Any, of_numpy: bool) -> None:
    kind = "np" if of_numpy else "nd"
    for one in [*args, *(out if isinstance(out, (list, tuple)) else [out])]:
        if one is not None and isinstance(one, mx_np.ndarray) is not of_numpy:
            raise DTypeError(
                f"{func_name}: an argument must be an array of mx.{kind}, not of another kind; call"
                f" as_{kind}_ndarray()"
            )


def _verify_all_np_ndarrays(op_name: str, func_name: str, args: Any, out: Any) -> None:
    """Raise a TypeError unless all are arrays of ``mx.np``, or None."""
    _verify_arrays(func_name, args, out, True)


def _verify_all_legacy_ndarrays(op_name: str, func_name: str, args: Any, out: Any) -> None:
    """Raise a TypeError if one is an array of ``mx.np``."""
    _verify_arrays(func_name, args, out, False)
