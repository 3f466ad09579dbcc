"""Comparisons of arrays within tolerances, and the `AssertionError` for differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from .._core.errors import ArgumentError, DTypeError
from ..nd import NDArray
from .tolerance import Tolerance, get_atol, get_etol, get_rtol, get_tols

#: The maximum number of lines of an array in a message.
LINES = 10


def host(x: Any) -> np.ndarray:
    """An NDArray, a NumPy array, a number or nested lists as a NumPy array."""
    return x.asnumpy() if isinstance(x, NDArray) else np.asarray(x)


def same(a: Any, b: Any) -> bool:
    """Whether two arrays have the same shape and the same elements.

    Examples
    --------
    >>> from gluon import nd, test_utils
    >>> test_utils.same(nd.ones((2,)), [1, 1])
    True
    """
    return np.array_equal(host(a), host(b))


def same_array(array1: NDArray, array2: NDArray) -> bool:
    """Whether a write to one of two arrays is visible in the other.

    Examples
    --------
    >>> from gluon import nd, test_utils
    >>> x = nd.zeros((3,))
    >>> test_utils.same_array(x, x.reshape((3,))), test_utils.same_array(x, x.copy())
    (True, False)
    """
    before = array1.copy()
    if not same(array1, array2):
        return False
    array1[:] += 1
    shared = same(array1, array2)
    array1[:] = before
    return shared and same(array1, array2)


def find_max_violation(
    a: Any, b: Any, rtol: float | None = None, atol: float | None = None
) -> tuple[tuple[Any, ...], float]:
    """The largest difference of two arrays in units of the tolerance, and its index.

    Examples
    --------
    >>> from gluon import test_utils
    >>> place, error = test_utils.find_max_violation([1.0, 2.0], [1.0, 2.5], 0.1, 0.0)
    >>> [int(k) for k in place], round(float(error), 6)
    ([1], 2.0)
    """
    error = _violations(host(a), host(b), get_rtol(rtol), get_atol(atol), False)
    return np.unravel_index(np.argmax(error), error.shape), np.max(error)


def _violations(
    a: np.ndarray, b: np.ndarray, rtol: float, atol: float, equal_nan: bool
) -> np.ndarray:
    """Return the differences as multiples of the tolerance; NaN if either or both are NaN."""
    a, b = (x.astype(np.float64) if x.dtype.kind in "biu" else x for x in (a, b))
    with np.errstate(all="ignore"):
        equal = (a == b) | (np.isnan(a) & np.isnan(b) if equal_nan else False)
        return np.where(equal, 0, np.abs(a - b)) / (atol + rtol * np.abs(b) + 1e-20)


def checkShapes(a: Any, b: Any) -> None:  # noqa: N802, RUF100
    """Raise `AssertionError` if two arrays differ in shape.

    Examples
    --------
    >>> from gluon import nd, test_utils
    >>> try:
    ...     test_utils.checkShapes(nd.ones((2,)), nd.ones((3,)))
    ... except AssertionError as error:
    ...     print("the shapes differ")
    the shapes differ
    """
    if a.shape != b.shape:
        raise AssertionError(
            _message(f" a.shape = {a.shape} and b.shape = {b.shape} are not equal", a, b)
        )


def almost_equal(
    a: Any,
    b: Any,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    use_broadcast: bool = True,
) -> bool:
    """Whether two arrays are equal up to ``atol + rtol * abs(b)``.

    Examples
    --------
    >>> from gluon import nd, test_utils
    >>> test_utils.almost_equal(nd.ones((2,)), [1, 1.1], rtol=0.2)
    True
    """
    a, b = host(a), host(b)
    if not use_broadcast:
        checkShapes(a, b)
    return np.allclose(a, b, rtol=get_rtol(rtol), atol=get_atol(atol), equal_nan=equal_nan)


def locationError(  # noqa: N802, RUF100
    a: Any, b: Any, index: tuple[Any, ...], names: Sequence[str], maxError: bool = False
) -> str:
    """The line of an error message with the index where two arrays differ.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import test_utils
    >>> test_utils.locationError(np.array([1, 2]), np.array([1, 3]), (1,), ("ours", "theirs"))
    'Location of error: (1,), ours=2.00000000, theirs=3.00000000'
    """
    place = tuple(int(k) for k in index)
    values = ", ".join(f"{name}={float(x[index]):.8f}" for name, x in zip(names, (a, b)))
    return f"Location of {'maximum ' if maxError else ''}error: {place}, {values}"


def assert_almost_equal(
    a: Any,
    b: Any,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    names: Sequence[str] = ("a", "b"),
    equal_nan: bool = False,
    use_broadcast: bool = True,
    mismatches: tuple[int, int] = (10, 10),
) -> None:
    """Raise `AssertionError` unless two arrays are equal up to ``atol + rtol * abs(b)``.

    The largest differences are printed, one element per line.

    Examples
    --------
    >>> from gluon import nd, test_utils
    >>> test_utils.assert_almost_equal(nd.ones((2,)), nd.ones((2,)) + 1e-6)
    >>> try:
    ...     test_utils.assert_almost_equal(nd.array([1, 2]), nd.array([1, 3]), mismatches=(0, 0))
    ... except AssertionError as error:
    ...     print(error)
    <BLANKLINE>
    Items are not equal:
    Error 769.230774 exceeds tolerance rtol=1.000000e-04, atol=1.000000e-03 (mismatch 50.000000%).
    Location of maximum error: (1,), a=2.00000000, b=3.00000000
     ACTUAL: array([1., 2.], dtype=float32)
     DESIRED: array([1., 3.], dtype=float32)
    """
    a, b = _comparable(a, b, use_broadcast)
    rtol, atol = get_tols(a, b, rtol, atol)
    if not almost_equal(a, b, rtol, atol, equal_nan):
        raise AssertionError(_report(a, b, rtol, atol, names, equal_nan, mismatches[0]))


def assert_allclose(
    a: Any, b: Any, rtol: Tolerance = 1e-07, atol: Tolerance = 0, equal_nan: bool = True
) -> None:
    """As `assert_almost_equal`, with stricter default tolerances, and NaN equal to NaN.

    Examples
    --------
    >>> from gluon import test_utils
    >>> test_utils.assert_allclose([1.0, float("nan")], [1.0, float("nan")])
    """
    assert_almost_equal(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)


def assert_almost_equal_with_err(
    a: Any,
    b: Any,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    etol: float | None = None,
    names: Sequence[str] = ("a", "b"),
    equal_nan: bool = False,
    mismatches: tuple[int, int] = (10, 10),
) -> None:
    """As `assert_almost_equal`, but a share of the elements may differ.

    Examples
    --------
    >>> from gluon import nd, test_utils
    >>> test_utils.assert_almost_equal_with_err(nd.array([1, 2]), nd.array([1, 3]), etol=0.5)
    """
    a, b = _comparable(a, b, True)
    rtol, atol = get_tols(a, b, rtol, atol)
    close = np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if 1 - np.count_nonzero(close) / max(close.size, 1) > get_etol(etol):
        raise AssertionError(_report(a, b, rtol, atol, names, equal_nan, mismatches[0]))


def assert_almost_equal_ignore_nan(
    a: Any,
    b: Any,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    names: Sequence[str] = ("a", "b"),
) -> None:
    """As `assert_almost_equal`, ignoring elements that are NaN in either array.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import test_utils
    >>> test_utils.assert_almost_equal_ignore_nan(np.array([1, np.nan]), np.array([1.0, 2.0]))
    """
    a, b = np.copy(host(a)), np.copy(host(b))
    unknown = np.isnan(a) | np.isnan(b)
    a[unknown], b[unknown] = 0, 0
    assert_almost_equal(a, b, rtol, atol, names)


def compare_ndarray_tuple(t1: Any, t2: Any, rtol: Tolerance = None, atol: Tolerance = None) -> None:
    """Raise `AssertionError` unless arrays in nested tuples are almost equal.

    Examples
    --------
    >>> from gluon import nd, test_utils
    >>> test_utils.compare_ndarray_tuple((nd.ones((2,)), None), (nd.ones((2,)), nd.ones((3,))))
    """
    if t1 is None or t2 is None:
        return
    if isinstance(t1, tuple):
        for one, other in zip(t1, t2):
            compare_ndarray_tuple(one, other, rtol, atol)
    else:
        assert_almost_equal(t1, t2, rtol=rtol, atol=atol)


def assert_exception(
    f: Callable[..., Any], exception_type: type[BaseException], *args: Any, **kwargs: Any
) -> None:
    """Raise `AssertionError` unless a call raises an exception of a given type.

    Examples
    --------
    >>> from gluon import nd, test_utils
    >>> test_utils.assert_exception(nd.reshape, ValueError, nd.ones((2,)), shape=(3,))
    """
    try:
        f(*args, **kwargs)
    except exception_type:
        return
    name = getattr(f, "__name__", repr(f))
    raise AssertionError(f"{name} raised no {exception_type.__name__}")


def retry(n: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator for random tests: they fail only if they fail `n` times.

    Examples
    --------
    >>> from gluon import test_utils
    >>> tries = []
    >>> @test_utils.retry(3)
    ... def test():
    ...     tries.append(1)
    ...     assert len(tries) > 1
    >>> test()
    >>> len(tries)
    2
    """
    if n < 1:
        raise ArgumentError(f"retry: n must be at least 1, got {n}")

    def decorate(test: Callable) -> Callable:
        @wraps(test)
        def wrapper(*args: Any, **kwargs: Any) -> None:
            for left in reversed(range(n)):
                try:
                    test(*args, **kwargs)
                    return
                except AssertionError:
                    if not left:
                        raise

        return wrapper

    return decorate


def _comparable(a: Any, b: Any, use_broadcast: bool) -> tuple[np.ndarray, np.ndarray]:
    a, b = host(a), host(b)
    if wrong := [x for x in (a, b) if x.dtype.kind not in "biufcV"]:
        raise DTypeError(f"cannot compare {wrong[0].dtype} as numbers; give arrays or numbers")
    if not use_broadcast:
        checkShapes(a, b)
    try:
        np.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        raise AssertionError(
            _message(f" shapes {a.shape} and {b.shape} do not match", a, b)
        ) from None
    return a, b


def _report(
    a: np.ndarray,
    b: np.ndarray,
    rtol: float,
    atol: float,
    names: Sequence[str],
    equal_nan: bool,
    lines: int,
) -> str:
    """Print the elements with the largest differences, at most `lines`; return the message."""
    error = _violations(a, b, rtol, atol, equal_nan)
    wrong = np.flatnonzero(~np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan))
    flat = error.ravel()[wrong]
    worst = wrong[np.argsort(np.where(np.isnan(flat), -np.inf, -flat), kind="stable")]
    text = f"\nError {error.flat[worst[0]]:f} exceeds tolerance rtol={rtol:e}, atol={atol:e}"
    if not error.ndim:
        return _message(text + ".\n", a, b)
    x, y = np.broadcast_arrays(a, b)
    places = [np.unravel_index(k, error.shape) for k in worst[: max(lines, 1)]]
    if lines:
        print(f"\n*** Maximum errors for vector of size {error.size}:  rtol={rtol}, atol={atol}\n")
    for k, place in enumerate(places[:lines], 1):
        print(f"{k:3d}: Error {error[place]:f}  {locationError(x, y, place, names)}")
    share = 100 * len(wrong) / error.size
    where = locationError(x, y, places[0], names, maxError=True)
    return _message(f"{text} (mismatch {share:f}%).\n{where}", a, b)


def _message(text: str, a: Any, b: Any) -> str:
    with np.printoptions(threshold=4, suppress=True):
        shown = [_start(repr(host(x))) if host(x).ndim else str(host(x)) for x in (a, b)]
    return f"\nItems are not equal:{text}\n ACTUAL: {shown[0]}\n DESIRED: {shown[1]}"


def _start(text: str) -> str:
    """Return the first lines of `text` that fit in a message."""
    lines = text.splitlines()
    return text if len(lines) <= LINES else "\n".join(lines[:LINES]) + "..."
