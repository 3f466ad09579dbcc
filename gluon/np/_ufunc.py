"""NumPy's ufuncs, created from an operator and a rule for dtypes."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

import numpy

from .._core.arrays import interfaces
from .._core.arrays.dtypes import as_numpy_dtype, check_casting, check_order
from .._core.engine.array import Array, wrap
from .._core.engine.op import KERNELS
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from .._core.faces.errors import about
from .._core.faces.face import Face
from .._core.faces.prototype import T
from ._promote import any_dtype, compared, constant, fractions, mixed
from ._public import NUMBERS, as_array, cast, into, selected

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    from ._array import ndarray

#: The methods of NumPy's ufuncs of two arrays.
METHODS = ("accumulate", "at", "outer", "reduce", "reduceat")
#: The dtype of most arrays.
FLOAT = numpy.dtype("float32")


class Kind(NamedTuple):
    """How functions treat dtypes.

    Attributes
    ----------
    prepared : callable
        For one input, the dtype to cast it to, from its own; for two, the inputs to pass.
    taken, given : str
        The dtypes of the inputs and of the result, in words.
    shown : str
        The dtype of the arrays in examples.
    """

    prepared: Callable[..., Any]
    taken: str
    given: str
    shown: str = "float32"


ANY, NUMERIC = (
    "any dtype",
    "a floating or an integer dtype, or of booleans where NumPy's takes them",
)
INTEGRAL = "integers, or of booleans where NumPy's takes them"
KEPT, TOGETHER = "the dtype of the input", "the dtype that the inputs promote to"
#: Kinds of functions of one array.
FLOATS = Kind(fractions, ANY, f"{KEPT}; integers and booleans return the default dtype")
SAME = Kind(any_dtype, NUMERIC, KEPT)
COPIED = Kind(any_dtype, ANY, KEPT)
TRUTH = Kind(any_dtype, ANY, "booleans")
BITS = Kind(any_dtype, INTEGRAL, KEPT, "int32")
#: Kinds of functions of two arrays.
MET = Kind(mixed(any_dtype), NUMERIC, TOGETHER)
MET_AS_FLOATS = Kind(mixed(fractions), ANY, f"{TOGETHER}; integers return the default dtype")
MET_AS_BITS = Kind(constant, INTEGRAL, TOGETHER, "int32")
QUOTIENT = Kind(constant, NUMERIC, TOGETHER, "int32")
COMPARED = Kind(compared, ANY, "booleans")


UFUNC = Face("gluon.np", "from gluon import np", "np.{name}({given})", "array({result})")
#: The options that all docstrings describe.
OPTIONS = """
    out : ndarray of the shape of the result, optional
        Where to write it; `casting` must allow its dtype.
    where : array_like of bool, default True
        Where to compute; it broadcasts. Elsewhere `out` is unchanged, or the result is 0.
    dtype : str or numpy type, optional
        The dtype to compute in.
    casting : {'same_kind', 'no', 'equiv', 'safe', 'unsafe'}
        Which casts to `out` and `dtype` are allowed, as in `numpy.can_cast`.
    order, subok
        Ignored.
""".strip()
RAISES = """
    DTypeError
        If the function does not take the dtype, or `casting` rules it out.
    ArgumentError
        If shapes do not fit.
""".strip()

# For numbers, the results are NumPy scalars whose types depend on the function. Type checkers see
# Any, as in NumPy's stubs.


@overload
def one(
    x: float,
    out: None = None,
    where: Literal[True] = True,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
    order: str = "K",
    subok: bool = True,
) -> Any: ...


@overload
def one(
    x: ArrayLike,
    out: ndarray | None = None,
    where: ArrayLike = True,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
    order: str = "K",
    subok: bool = True,
) -> ndarray: ...


def one(
    x: ArrayLike,
    out: ndarray | None = None,
    where: ArrayLike = True,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
    order: str = "K",
    subok: bool = True,
) -> ndarray:
    """A function of one array, elementwise.

    Parameters
    ----------
    x : array_like of any shape
        Of {taken}.
    {options}

    Returns
    -------
    ndarray of the same shape
        Of {returned}. A number returns a NumPy scalar.

    Raises
    ------
    {raises}
    """
    raise NotImplementedError


@overload
def two(
    x1: float,
    x2: float,
    out: None = None,
    where: Literal[True] = True,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
    order: str = "K",
    subok: bool = True,
) -> Any: ...


@overload
def two(
    x1: ArrayLike,
    x2: ArrayLike,
    out: ndarray | None = None,
    where: ArrayLike = True,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
    order: str = "K",
    subok: bool = True,
) -> ndarray: ...


def two(
    x1: ArrayLike,
    x2: ArrayLike,
    out: ndarray | None = None,
    where: ArrayLike = True,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
    order: str = "K",
    subok: bool = True,
) -> ndarray:
    """A function of two arrays, elementwise; they broadcast.

    Parameters
    ----------
    x1, x2 : array_like of shapes that broadcast
        Of {taken}.
    {options}

    Returns
    -------
    ndarray of the broadcast shape
        Of {returned}. Two numbers return a NumPy scalar.

    Raises
    ------
    {raises}
    """
    raise NotImplementedError


def unary(
    like: T,
    op: Callable[..., Any],
    kind: Kind,
    given: str,
    result: str,
    doc: str = "",
    name: str = "",
) -> T:
    """A function of one array, elementwise; in its example `given` gives `result`."""
    name, rule, kernel = name or op.__name__, kind.prepared, getattr(KERNELS, op.__name__)

    def call(
        x: Any,
        out: Any = None,
        where: Any = True,
        *,
        dtype: Any = None,
        casting: str = "same_kind",
        order: str = "K",
        subok: bool = True,
    ) -> Any:
        try:
            if isinstance(x, NUMBERS) and out is None and where is True:
                return kernel(numpy.asarray(x, dtype))[()]
            x = as_array(x)
            wanted = rule(x.form.dtype) if dtype is None else as_numpy_dtype(dtype)
            if wanted != x.form.dtype:
                if dtype is not None:
                    check_casting(name, x.form.dtype, wanted, casting)
                x = cast(x, wanted)
            if out is None and where is True:
                return op(x)
            return finished(op, (x,), out, where, casting, order)
        except Exception as error:
            raise about(error, name) from None

    return _like(like, call, name, doc or op.__doc__, kind, given, result, "alike")


def binary(
    like: T,
    op: Callable[..., Any],
    kind: Kind,
    given: str,
    result: str,
    doc: str = "",
    name: str = "",
) -> T:
    """A function of two arrays, elementwise; in its example `given` gives `result`."""
    name, inputs, kernel = name or op.__name__, kind.prepared, getattr(KERNELS, op.__name__)

    def call(
        x1: Any,
        x2: Any,
        out: Any = None,
        where: Any = True,
        *,
        dtype: Any = None,
        casting: str = "same_kind",
        order: str = "K",
        subok: bool = True,
    ) -> Any:
        try:
            plain = out is None and where is True
            if plain and isinstance(x1, NUMBERS) and isinstance(x2, NUMBERS):
                return kernel(numpy.asarray(x1, dtype), numpy.asarray(x2, dtype))[()]
            array = interfaces.ndarray
            alike = type(x1) is type(x2) is array and x1.form.dtype is x2.form.dtype is FLOAT
            if not alike or dtype is not None:  # otherwise the common case, without preparation
                x1, x2 = inputs(x1, x2, None if dtype is None else as_numpy_dtype(dtype))
            if plain:
                return op(x1, x2)
            return finished(op, (x1, x2), out, where, casting, order)
        except Exception as error:
            raise about(error, name) from None

    made = _like(like, call, name, doc or op.__doc__, kind, given, result, "broadcast")
    return _with_methods(made, name)


def _with_methods(function: T, name: str) -> T:
    """`function` with the methods of NumPy's ufunc of this `name`, such as ``np.add.reduce``."""
    ufunc = getattr(numpy, name, None)
    if isinstance(ufunc, numpy.ufunc):
        for method in METHODS:
            setattr(function, method, partial(_method, ufunc, method))
    return function


def _method(ufunc: numpy.ufunc, method: str, x: Any, *args: Any, **kwargs: Any) -> Any:
    """Run a method of NumPy's ufunc, which leaves arrays of gluon to `protocols`."""
    return getattr(ufunc, method)(as_array(x), *args, **kwargs)


def _like(
    like: T,
    call: Callable,
    name: str,
    doc: Any,
    kind: Kind,
    given: str,
    result: str,
    shapes: Literal["alike", "broadcast"],
) -> T:
    """Return `call` as a public function, with an example."""
    is_usual = kind.shown == "float32"
    array = r"np.array(\1)" if is_usual else rf'np.array(\1, "{kind.shown}")'
    given = re.sub(r"(\[.*?\])", array, given)
    result = result if is_usual else f"{result}, dtype={kind.shown}"
    words = {"taken": kind.taken, "returned": kind.given, "options": OPTIONS, "raises": RAISES}
    return UFUNC.made(like, call, name, doc, given, result, shapes, words)


def finished(
    op: Callable[..., Any], inputs: tuple[Any, ...], out: Any, where: Any, casting: str, order: str
) -> ndarray:
    """Apply `op` to the inputs where the mask is True, and write to `out`, or to zeros.

    Only what the mask lets through is computed, so that the rest can do a gradient no harm.
    """
    check_order("order", order)
    if isinstance(out, tuple) and len(out) == 1:
        (out,) = out
    if where is True:
        return into(out, op(*inputs), casting)
    mask = as_array(where, "bool").raw
    given = [x.form.shape for x in (*inputs, out) if isinstance(x, Array)]
    shape = numpy.broadcast_shapes(mask.shape, *given)
    mask = numpy.broadcast_to(mask, shape)
    y = op(
        *[
            ops.getitem(ops.broadcast_to(x, shape=shape), key=mask) if isinstance(x, Array) else x
            for x in inputs
        ]
    )
    if out is None:
        return ops.setitem(
            wrap(interfaces.ndarray, numpy.zeros(shape, y.form.dtype), y._ctx), y, key=mask
        )
    check_casting("out", y.form.dtype, out.form.dtype, casting)
    rest = ops.broadcast_to(as_array(out), shape=shape)
    return into(out, ops.setitem(rest, cast(y, out.form.dtype), key=mask))


def both(
    results: tuple[Any, Any], out: Any, where: Any, casting: str = "same_kind"
) -> tuple[ndarray, ndarray]:
    """Return the two results of a function where the mask is True, written to the pair `out`."""
    targets = (None, None) if out is None else out
    if not isinstance(targets, tuple) or len(targets) != 2:
        raise ArgumentError(f"out={out!r}: give a pair of arrays, either of which may be None")
    first, second = [
        into(target, selected(where, as_array(y), target), casting)
        for y, target in zip(results, targets)
    ]
    return first, second


def operator(op: Callable[..., Any], name: str, inputs: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``x1 <op> x2`` of arrays, for Python's operators: without options."""

    def call(x1: Any, x2: Any) -> Any:
        try:
            return op(*inputs(x1, x2))
        except Exception as error:
            raise about(error, name) from None

    return call
