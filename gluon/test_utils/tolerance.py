"""Tolerances of comparisons, by dtype."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Number
from typing import Any, Final

import numpy as np

from .._core.errors import DTypeError, a_type

EXACT = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
Tolerance = float | Mapping[Any, float] | None


def default_dtype() -> type:
    """The dtype of random test data: float32.

    Examples
    --------
    >>> from gluon import test_utils
    >>> test_utils.default_dtype()
    <class 'numpy.float32'>
    """
    return np.float32


def _by_dtype(half: float, single: float, double: float, exact: Any = EXACT) -> dict:
    """Return tolerances for floating dtypes, and 0 for those in `exact`."""
    floats = {"float16": half, "float32": single, "float64": double}
    return {np.dtype(name): value for name, value in {**floats, **dict.fromkeys(exact, 0)}.items()}


RELATIVE: Final = _by_dtype(1e-2, 1e-4, 1e-5)
ABSOLUTE: Final = _by_dtype(1e-1, 1e-3, 1e-20)


def default_rtols() -> dict[np.dtype, float]:
    """The relative tolerance for each dtype.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import test_utils
    >>> test_utils.default_rtols()[np.dtype("float32")]
    0.0001
    """
    return dict(RELATIVE)


def default_atols() -> dict[np.dtype, float]:
    """The absolute tolerance for each dtype.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import test_utils
    >>> test_utils.default_atols()[np.dtype(np.float32)]
    0.001
    """
    return dict(ABSOLUTE)


def default_numeric_eps() -> dict[np.dtype, float]:
    """The step of finite differences for each dtype: a power of 2, so that no bit is lost.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import test_utils
    >>> test_utils.default_numeric_eps()[np.dtype(np.float64)] == 2**-14
    True
    """
    return _by_dtype(2**-6, 2**-9, 2**-14, exact=())


def effective_dtype(dat: Any) -> np.dtype:
    """The dtype that determines the precision of an array.

    Examples
    --------
    >>> from gluon import nd, test_utils
    >>> test_utils.effective_dtype(nd.ones((2,)))
    dtype('float32')
    """
    return np.dtype(dat.dtype)


def get_tolerance(dat: Any, tol: Tolerance, default_tol: Mapping[Any, float]) -> float:
    """The tolerance for an array.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import test_utils
    >>> test_utils.get_tolerance(np.ones(2), None, test_utils.default_atols())
    1e-20
    """
    if isinstance(tol, Number):
        return tol
    if not isinstance(tol, Mapping | None):
        raise DTypeError(f"a tolerance is {a_type(tol)}; give a number or a dict of them")
    return _of_dtype(effective_dtype(dat), {**default_tol, **(tol or {})})


def get_tols(x: Any, y: Any, rtol: Tolerance, atol: Tolerance) -> tuple[float, float]:
    """The tolerances for comparing two arrays: those of the less precise one.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import test_utils
    >>> test_utils.get_tols(np.float16([1]), np.float32([1]), None, 0.5)
    (0.01, 0.5)
    """
    pair = [one if hasattr(one, "dtype") else np.asarray(one) for one in (x, y)]
    return (
        max(get_tolerance(one, rtol, RELATIVE) for one in pair),
        max(get_tolerance(one, atol, ABSOLUTE) for one in pair),
    )


def get_rtol(rtol: float | None = None, dtype: Any = np.float64) -> float:
    """The relative tolerance: `rtol`, or that of `dtype` if it is None.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import test_utils
    >>> test_utils.get_rtol(0.5), test_utils.get_rtol(dtype=np.dtype(np.float16))
    (0.5, 0.01)
    """
    return _of_dtype(np.dtype(dtype), RELATIVE) if rtol is None else rtol


def get_atol(atol: float | None = None, dtype: Any = np.float64) -> float:
    """The absolute tolerance: `atol`, or that of `dtype` if it is None.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import test_utils
    >>> test_utils.get_atol(0.5), test_utils.get_atol(dtype=np.dtype(np.float16))
    (0.5, 0.1)
    """
    return _of_dtype(np.dtype(dtype), ABSOLUTE) if atol is None else atol


def get_etol(etol: float | None = None) -> float:
    """The share of elements that may differ: `etol`, or 0 if it is None.

    Examples
    --------
    >>> from gluon import test_utils
    >>> test_utils.get_etol(), test_utils.get_etol(0.1)
    (0, 0.1)
    """
    return 0 if etol is None else etol


def _of_dtype(dtype: np.dtype, known: Mapping[Any, float]) -> float:
    if dtype not in known:
        raise DTypeError(f"no tolerance is known for dtype {dtype}; pass rtol= and atol=")
    return known[dtype]
