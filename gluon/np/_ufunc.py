"""Functions that NumPy has as ufuncs, made from an operator and a rule for dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from ..engine.array import Array, wrap
from ..engine.errors import ArgumentError
from ..engine.op import KERNELS
from ..engine.op import RECORDED as F
from ..face.errors import about
from ..ndarray.dtypes import as_numpy_dtype, check_casting, check_order
from ._array import ndarray
from ._promote import Rule
from ._public import NUMBERS, as_array, cast, documented, into, selected, shown

#: The dtype of most arrays.
FLOAT = numpy.dtype("float32")
OPTIONS = """
    out : ndarray of the shape of the result, optional
        Where to write it: of a dtype that `casting` allows.
    where : array_like of bool, default True
        Where to compute, of a shape that broadcasts; elsewhere `out` stays, or the result is 0.
    dtype : str or numpy type, optional
        The dtype to compute in.
    casting : {'same_kind', 'no', 'equiv', 'safe', 'unsafe'}
        What `out` and `dtype` may not do to values.
    order, subok
        Ignored."""
RAISES = """
    DTypeError
        If the function does not take the dtype, or `casting` rules it out.
    ArgumentError
        If shapes do not fit."""


def unary(
    op: Callable,
    name: str,
    rule: Rule,
    doc: str,
    given: str,
    result: str,
    dtypes: tuple[str, str],
) -> Callable:
    """A function of one array, elementwise, and in words of what dtype that and the result are."""
    kernel = getattr(KERNELS, op.__name__)

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
            wanted = rule(x._raw.dtype) if dtype is None else as_numpy_dtype(dtype)
            if wanted != x._raw.dtype:
                if dtype is not None:
                    check_casting(name, x._raw.dtype, wanted, casting)
                x = cast(x, wanted)
            if out is None and where is True:
                return op(x)
            return finished(op, (x,), out, where, casting, order)
        except Exception as error:
            raise about(error, name) from error

    sections = {
        "Parameters": f"x : array_like of any shape\n        Of {dtypes[0]}." + OPTIONS,
        "Returns": f"ndarray of the same shape\n        Of {dtypes[1]}."
        " Of a number it is a NumPy scalar.",
        "Raises": RAISES,
        "Examples": shown(f"np.{name}({given})", result),
    }
    return documented(call, name, doc, sections)


def binary(
    op: Callable,
    name: str,
    inputs: Callable,
    doc: str,
    given: str,
    result: str,
    dtypes: tuple[str, str],
) -> Callable:
    """A function of two arrays, elementwise; they broadcast.

    `inputs` is what the operator gets, and `dtypes` says of what dtype they and the result are.
    """
    kernel = getattr(KERNELS, op.__name__)

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
            alike = type(x1) is type(x2) is ndarray and x1._raw.dtype is x2._raw.dtype is FLOAT
            if not alike or dtype is not None:  # else the common case, which needs no preparation
                x1, x2 = inputs(x1, x2, None if dtype is None else as_numpy_dtype(dtype))
            if plain:
                return op(x1, x2)
            return finished(op, (x1, x2), out, where, casting, order)
        except Exception as error:
            raise about(error, name) from error

    sections = {
        "Parameters": f"x1, x2 : array_like of shapes that broadcast\n        Of {dtypes[0]}."
        + OPTIONS,
        "Returns": f"ndarray of the broadcast shape\n        Of {dtypes[1]}."
        " Of two numbers it is a NumPy scalar.",
        "Raises": RAISES,
        "Examples": shown(f"np.{name}({given})", result),
    }
    return documented(call, name, doc, sections)


def finished(
    op: Callable, inputs: tuple, out: Any, where: Any, casting: str, order: str
) -> ndarray:
    """`op` of the inputs where the mask says so, written to `out`, or else to zeros.

    Only what the mask lets through is computed, so that the rest can do a gradient no harm.
    """
    check_order("order", order)
    if isinstance(out, tuple) and len(out) == 1:
        (out,) = out
    if where is True:
        return into(out, op(*inputs), casting)
    mask = as_array(where, "bool")._raw
    given = [x._raw.shape for x in (*inputs, out) if isinstance(x, Array)]
    shape = numpy.broadcast_shapes(mask.shape, *given)
    mask = numpy.broadcast_to(mask, shape)
    y = op(
        *[
            F.getitem(F.broadcast_to(x, shape=shape), key=mask) if isinstance(x, Array) else x
            for x in inputs
        ]
    )
    if out is None:
        return F.setitem(wrap(ndarray, numpy.zeros(shape, y._raw.dtype), y._ctx), y, key=mask)
    check_casting("out", y._raw.dtype, out._raw.dtype, casting)
    rest = F.broadcast_to(as_array(out), shape=shape)
    return into(out, F.setitem(rest, cast(y, out._raw.dtype), key=mask))


def both(
    results: tuple[Any, Any], out: Any, where: Any, casting: str = "same_kind"
) -> tuple[ndarray, ndarray]:
    """The two results of a function where the mask says so, written to the pair `out`."""
    targets = (None, None) if out is None else out
    if not isinstance(targets, tuple) or len(targets) != 2:
        raise ArgumentError(f"out={out!r}: give a pair of arrays, either of which may be None")
    first, second = [
        into(target, selected(where, as_array(y), target), casting)
        for y, target in zip(results, targets)
    ]
    return first, second


def operator(op: Callable, name: str, inputs: Callable) -> Callable:
    """``x1 <op> x2`` of arrays, for Python's operators: without options."""

    def call(x1: Any, x2: Any) -> Any:
        try:
            return op(*inputs(x1, x2))
        except Exception as error:
            raise about(error, name) from error

    return call
