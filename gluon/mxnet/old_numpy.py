"""Names that NumPy has removed since MXNet's release."""

from __future__ import annotations

import builtins
import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

#: Aliases of Python's types, removed in NumPy 1.24.
TYPES = {name: getattr(builtins, name) for name in "bool int float complex object str".split()} | {
    "long": int,
    "unicode": str,
}
#: removed name -> the name in `numpy` now
RENAMED = {
    "Inf": "inf",
    "Infinity": "inf",
    "NAN": "nan",
    "NaN": "nan",
    "PINF": "inf",
    "infty": "inf",
    "alltrue": "all",
    "bool8": "bool_",
    "cfloat": "complex128",
    "clongfloat": "clongdouble",
    "complex_": "complex128",
    "cumproduct": "cumprod",
    "float_": "float64",
    "int0": "intp",
    "issubsctype": "issubdtype",
    "longcomplex": "clongdouble",
    "longfloat": "longdouble",
    "mat": "asmatrix",
    "object0": "object_",
    "product": "prod",
    "rank": "ndim",
    "round_": "round",
    "row_stack": "vstack",
    "singlecomplex": "complex64",
    "sometrue": "any",
    "str0": "str_",
    "string_": "bytes_",
    "trapz": "trapezoid",
    "uint0": "uintp",
    "unicode_": "str_",
}


def asfarray(a: Any, dtype: Any = np.float64) -> np.ndarray:
    """Convert to an array of floats; float64 if `dtype` is not floating."""
    return np.asarray(a, dtype if np.issubdtype(dtype, np.inexact) else np.float64)


def asscalar(a: Any) -> Any:
    """Return the only value of an array as a Python number."""
    return np.asarray(a).item()


#: NumPy's function, which now reads text only.
_fromstring = np.fromstring


def fromstring(
    string: Any, dtype: Any = float, count: int = -1, *, sep: str = "", **options: Any
) -> np.ndarray:
    """Read numbers from bytes, or from text with `sep`."""
    if sep:
        return _fromstring(string, dtype, count, sep=sep, **options)
    memory = string.encode() if isinstance(string, str) else string
    return np.frombuffer(memory, dtype, count).copy()


def in1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False, **options: Any
) -> np.ndarray:
    """Return for each value of the flat `ar1` whether it is in `ar2`."""
    return np.isin(np.ravel(ar1), ar2, assume_unique, invert, **options)


def msort(a: Any) -> np.ndarray:
    """Return a copy, sorted along the first axis."""
    return np.sort(a, axis=0)


def taking_ragged(make: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function to accept ragged lists, which become arrays of objects, with a warning."""

    @functools.wraps(make)
    def made(a: Any, *args: Any, **options: Any) -> np.ndarray:
        try:
            return make(a, *args, **options)
        except ValueError as error:
            if args or options.get("dtype") is not None or "inhomogeneous" not in str(error):
                raise
        kind = np.exceptions.VisibleDeprecationWarning
        warnings.warn("an array of lists of several lengths holds objects", kind, stacklevel=2)
        return make(a, **{**options, "dtype": object})

    return made


#: Functions that made arrays of objects from lists of several lengths until NumPy 1.24.
RAGGED = {name: taking_ragged(getattr(np, name)) for name in ("array", "asarray", "asanyarray")}
#: Whether `numpy.fromstring` refuses bytes.
NO_BINARY = tuple(map(int, np.__version__.split(".")[:2])) >= (2, 3)
#: Warnings and errors that NumPy 2 keeps in `numpy.exceptions` alone.
EXCEPTIONS = (
    "AxisError ComplexWarning ModuleDeprecationWarning RankWarning TooHardError"
    " VisibleDeprecationWarning"
)
OTHERS = {
    "asfarray": asfarray,
    "alen": len,
    "asscalar": asscalar,
    "in1d": in1d,
    "msort": msort,
    "warnings": warnings,
}


def offer() -> Callable[[], None]:
    """Add the removed names to `numpy`, where they are missing, and arrays of ragged lists."""
    found: dict[str, Any] = {"NINF": -np.inf, "NZERO": -0.0, "PZERO": 0.0, **TYPES, **OTHERS}
    found |= {old: getattr(np, new) for old, new in RENAMED.items() if hasattr(np, new)}
    found |= {
        name: getattr(np.exceptions, name)
        for name in EXCEPTIONS.split()
        if hasattr(np.exceptions, name)
    }
    present = vars(np)
    added = {name: value for name, value in found.items() if name not in present}
    replaced = RAGGED | ({"fromstring": fromstring} if NO_BINARY else {})
    before = {name: present[name] for name in replaced}
    present.update(added | replaced)

    def take_back() -> None:
        for name in added:
            del present[name]
        present.update(before)

    return take_back
