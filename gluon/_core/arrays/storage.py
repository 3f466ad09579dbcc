"""What operators make of sparse arrays: in their own storage, or, with a warning, as dense ones.

Operators come here when their kernel refuses a `Sparse` value, so calls with dense arrays never do.
`SPARSE` has a kernel for some operators, which says None where it does not fit. What is recorded is
computed as dense and then cast, by recorded operators: so gradients of every order follow from
those of the operator.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any

import numpy

from ..engine import call
from ..engine.array import Array, wrap
from ..engine.op import RECORDED as ops
from ..engine.op import Op
from ..errors import ArgumentError, warn_caller
from ..kernels import sparse as kernels
from ..kernels.sparse import CASTS, Csr, Rows, Sparse, is_sparse
from ..ops.sparse import takes_rows
from . import interfaces
from .context import has_device
from .rebind import is_recorded

_SAID: set[tuple[str, ...]] = set()
STYPES = tuple(CASTS)
#: The variable of MXNet that switches the warning off.
VARIABLE = "MXNET_STORAGE_FALLBACK_LOG_VERBOSE"


def compute(op: Op, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    """The result of an operator whose kernel refused sparse inputs."""
    if op.name in PRODUCTS and (product := PRODUCTS[op.name](*inputs, **attrs)) is not None:
        return product
    stored = [x.held if isinstance(x, Array) else x for x in inputs]
    classic = not any(getattr(x, "_of_numpy", False) for x in inputs)
    kernel = SPARSE.get(op.name) if classic else None
    found = kernel(op, stored, attrs) if kernel else None
    if found is None:
        warn_fallback(op.name, inputs)
        return _dense_call(op, inputs, attrs)
    if is_recorded(*inputs):
        return cast(_dense_call(op, inputs, attrs), found.stype)
    like = next(x for x in inputs if isinstance(x, Array))
    return seat(found, like._ctx, _dense_node(inputs))


def _dense_node(inputs: tuple[Any, ...]) -> Any:
    """The node of a result that no tape tracks."""
    return call.with_zeros(call.mode().blank, [x for x in inputs if isinstance(x, Array)])


def _dense_call(op: Op, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    plain = [dense(x) if isinstance(x, Array) else x for x in inputs]
    return op.call(plain[0], *attrs.values()) if op.fixed is not None else op.call(*plain, **attrs)


def dense(x: Any) -> Any:
    """An array as a dense one; recorded."""
    return _spread(x) if is_sparse(x.held) else x


def _spread(x: Any) -> Any:
    """A sparse array, whose values are on the host, as a dense one on its device; recorded."""
    made, ctx = ops.cast_storage(x, stype="default"), x._ctx
    if ctx is not None and has_device(ctx):
        made = ops.move(made, to=ctx, back=None)
        made._ctx = ctx
    return made


def cast(x: Any, stype: str) -> Any:
    """A copy of an array in the storage `stype`; recorded."""
    if stype not in STYPES:
        raise ArgumentError(f"the storage type {stype!r} is unknown; use one of {STYPES}")
    back = stype == "default" and is_sparse(x.held)
    made = _spread(x) if back else ops.cast_storage(x, stype=stype)
    made.__class__ = class_of(made)
    return made


def class_of(x: Any) -> type:
    """The class that fits what an array holds."""
    held = x.held
    return interfaces.SPARSE[held.stype] if isinstance(held, Sparse) else interfaces.NDArray


def seat(value: Any, ctx: Any = None, *node: Any) -> Any:
    """An NDArray, or one of its sparse classes, on a raw value."""
    made: Any = wrap(interfaces.NDArray, value, ctx, *node)
    made.__class__ = class_of(made)
    return made


def zeros_in(name: str, stype: str, shape: tuple[int, ...], dtype: Any, ctx: Any = None) -> Any:
    """Zeros in a storage type; errors begin with `name`."""
    if stype not in STYPES:
        raise ArgumentError(f"{name}: stype={stype!r} is unknown; use one of {STYPES}")
    if stype == "csr" and len(shape) != 2:
        raise ArgumentError(f"{name}: a csr array has two axes; the shape is {shape}")
    dense = stype == "default"
    value = numpy.zeros(shape, dtype) if dense else kernels.empty(stype, shape, dtype)
    return seat(value, ctx)


def stype_of(x: Any) -> str:
    """The storage type of an array."""
    held = x.held
    return held.stype if isinstance(held, Sparse) else "default"


def warn_fallback(name: str, inputs: Any) -> None:
    """Warn, once for each operator and storage types, that sparse inputs are made dense."""
    given = tuple(stype_of(x) for x in inputs if isinstance(x, Array))
    if (name, *given) in _SAID or os.environ.get(VARIABLE) == "0":
        return
    _SAID.add((name, *given))
    warn_caller(
        f"Storage type fallback detected: operator = {name}, input storage types ="
        f" [{', '.join(given)}]. It has no kernel for them, so the sparse ones are converted to"
        f" dense arrays, which may be slow and large. {VARIABLE}=0 turns this warning off"
    )


def warn_dense(what: str) -> None:
    """Warn, once in a process, that `what` has a dense gradient.

    With momentum or weight decay the results differ from those of MXNet, whose lazy updates skip
    the rows that a batch does not use.
    """
    if (what,) in _SAID:
        return
    _SAID.add((what,))
    warnings.warn(
        f"{what}: the gradient is dense, so an optimizer with momentum or weight decay moves all"
        " rows, not only those of the batch; leave the argument out to accept this",
        stacklevel=4,
    )


# ------------------------------------------------------------------------------- kernels


def _on_values(op: Op, stored: list[Any], attrs: dict[str, Any]) -> Any:
    """A function that is zero at zero, of each stored value."""
    (x,) = stored
    return x.with_data(numpy.asarray(op.kernel(x.data, **attrs)))


def _clip(op: Op, stored: list[Any], attrs: dict[str, Any]) -> Any:
    low, high = attrs.get("a_min"), attrs.get("a_max")
    keeps_zero = (low is None or low <= 0) and (high is None or high >= 0)
    return _on_values(op, stored, attrs) if keeps_zero else None


def _zeros(op: Op, stored: list[Any], attrs: dict[str, Any]) -> Any:
    x = stored[0]
    return kernels.empty(x.stype, x.shape, x.dtype)


def _with_number(op: Op, x: Any, number: Any) -> Any:
    """An operation with a number; None unless it leaves zeros zero."""
    value = numpy.asarray(number, x.dtype) if x.dtype.kind == "f" else number
    with numpy.errstate(all="ignore"):
        if numpy.ndim(value) or op.kernel(numpy.zeros(1, x.dtype), value)[0]:
            return None
    return x.with_data(numpy.asarray(op.kernel(x.data, value)))


def _of_two(merge: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel for two arrays of one shape, or for one and a number."""

    def kernel(op: Op, stored: list[Any], attrs: dict[str, Any]) -> Any:
        if op.fixed is not None:
            return _with_number(op, *stored, *attrs.values())
        x, y = stored
        fits = isinstance(x, Sparse | numpy.ndarray) and isinstance(y, Sparse | numpy.ndarray)
        return merge(op, x, y) if fits else None

    return kernel


def _sum(op: Op, x: Any, y: Any) -> Any:
    """Sums and differences, of two csr or of two row_sparse arrays."""
    if type(x) is not type(y) or x.shape != y.shape:
        return None
    add = kernels.add_rows if type(x) is Rows else kernels.add_csr
    return add(x, y if op.name == "add" else y.with_data(-y.data))


def _product(op: Op, x: Any, y: Any) -> Any:
    """Products of each value, stored like the sparse factor; None of csr and row_sparse."""
    x, y = (x, y) if is_sparse(x) else (y, x)
    if is_sparse(y) and type(x) is not type(y):
        return None
    if type(x) is Csr and _is_line(x, y):
        y = numpy.broadcast_to(y, x.shape)
    if x.shape != y.shape:
        return None
    if type(x) is Rows:
        return kernels.multiply_rows(x, y)
    return kernels.multiply_csr(x, y)


def _is_line(x: Any, y: Any) -> bool:
    """Whether `y` is a dense row, a column, or one value, for all rows or columns of `x`."""
    if is_sparse(y) or y.ndim not in (1, 2) or not (y.ndim == 1 or 1 in y.shape):
        return False
    return all(n in (1, m) for m, n in zip(x.shape[::-1], y.shape[::-1]))


def _quotient(op: Op, x: Any, y: Any) -> Any:
    """The values of a csr matrix divided by those of a dense row or column without zeros."""
    if type(x) is not Csr or not _is_line(x, y) or not numpy.all(y):
        return None
    divisors = numpy.broadcast_to(y, x.shape)[kernels.row_numbers(x), x.indices]
    return x.with_data(numpy.asarray(op.kernel(x.data, divisors)))


def _part(op: Op, stored: list[Any], attrs: dict[str, Any]) -> Any:
    """Rows and columns of a csr matrix, by slices without steps."""
    x, key = stored[0], attrs["key"]
    key = key if isinstance(key, tuple) else (key,)
    plain = all(isinstance(one, slice) and one.step in (None, 1) for one in key)
    if type(x) is not Csr or not plain or len(key) > 2:
        return None
    rows, columns = (one.indices(n)[:2] for one, n in zip((*key, slice(None)), x.shape))
    x = kernels.slice_rows(x, begin=rows[0], end=max(rows))
    if columns == (0, x.shape[1]):
        return x
    return kernels.slice_columns(x, begin=columns[0], end=max(columns))


def _take(op: Op, stored: list[Any], attrs: dict[str, Any]) -> Any:
    """Rows of a csr matrix, by their numbers."""
    x, indices = stored
    if type(x) is not Csr or attrs.get("axis", 0) or numpy.ndim(indices) != 1 or is_sparse(indices):
        return None
    return kernels.take_rows(x, op.kernel(numpy.arange(x.shape[0]), indices, **attrs))


def _concat(op: Op, stored: list[Any], attrs: dict[str, Any]) -> Any:
    """Csr matrices of one width and dtype, one below the other."""
    alike = len({(x.shape[1:], x.dtype) for x in stored}) == 1
    plain = alike and not attrs.get("axis", 0) and all(type(x) is Csr for x in stored)
    return kernels.concat_rows(stored) if plain else None


def _none(op: Op, stored: list[Any], attrs: dict[str, Any]) -> Any:
    """Compute only operations with a number."""
    x, *others = *stored, *attrs.values()
    plain = is_sparse(x) and len(others) == 1 and numpy.ndim(others[0]) == 0
    return _with_number(op, x, *others) if plain else None


def dot(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    gives_rows: bool = False,
) -> Any:
    """Products of matrices one of which is csr: dense, or `Rows` of a transposed csr matrix."""
    if a.held.ndim != 2 or b.held.ndim != 2:
        return None
    if type(a.held) is Csr:
        if type(b.held) is not Rows or transpose_a or transpose_b:
            b = dense(b)
        b = ops.transpose(b) if transpose_b else b
        by_rows = not transpose_a and not transpose_b and takes_rows(b)
        how = {"transpose_a": transpose_a, "by_rows": by_rows, "gives_rows": gives_rows}
        return _plain(ops.csr_dot(a, b, **how))
    if type(b.held) is Csr:
        a = dense(a)
        a = a if transpose_a else ops.transpose(a)
        product = ops.csr_dot(b, a, transpose_a=not transpose_b)
        return ops.transpose(_plain(product))
    return None


def _plain(x: Any) -> Any:
    """`x`, the result of a product, as an NDArray."""
    x.__class__ = class_of(x)
    return x


def _fully_connected(x: Any, weight: Any, bias: Any = None, flatten: bool = True) -> Any:
    if type(x.held) is not Csr or weight.held.ndim != 2:
        return None
    y = dot(x, weight, transpose_b=True)
    return y if bias is None else ops.add(y, dense(bias))


#: Maps an operator to products of csr matrices, which have gradients of their own.
PRODUCTS: dict[str, Callable[..., Any]] = {"dot": dot, "fully_connected": _fully_connected}
#: Functions that are zero at zero.
ON_VALUES = (
    "abs sign sqrt square cbrt relu sin sinh arcsin arcsinh tan tanh arctan arctanh expm1 log1p"
    " negative round rint fix floor ceil trunc degrees radians stop_gradient copy cast"
    " scale_gradient loss_output round_ste sign_ste"
)
#: Maps an operator to what computes it on sparse arrays: ``kernel(op, stored, attrs)``.
SPARSE: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(ON_VALUES.split(), _on_values),
    "clip": _clip,
    "zeros_like": _zeros,
    "add": _of_two(_sum),
    "subtract": _of_two(_sum),
    "multiply": _of_two(_product),
    "divide": _of_two(_quotient),
    "quotient": _none,
    "getitem": _part,
    "take": _take,
    "concat": _concat,
    **dict.fromkeys("greater greater_equal less less_equal equal not_equal".split(), _none),
}
call.let_recover(compute)
