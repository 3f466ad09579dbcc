"""Reductions, sorting and products of matrices."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError, DTypeError
from ..._hook.errors import CheckError
from .. import interfaces
from ..interfaces import as_tensor, cast, operands, tensors
from ._axes import check_axis
from ._checked import checked
from ._faces import T, of_inp, over_axes, shown, unary

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..tensor import Tensor

__all__ = [
    "argmax",
    "argmin",
    "argsort",
    "dot",
    "isinf",
    "isnan",
    "logsumexp",
    "matinv",
    "matmul",
    "max",
    "mean",
    "min",
    "norm",
    "normalize",
    "prod",
    "sort",
    "std",
    "sum",
    "svd",
    "topk",
    "var",
]
#: What examples are given.
ROWS = "Tensor([[1.0, 2.0], [4.0, 3.0]]), axis=1"


def _axis(name: str, x: Tensor, axis: Any) -> Any:
    """An axis of `x`, or the tuple of several, each once."""
    if not isinstance(axis, (list, tuple)):
        return check_axis(name, x, axis)
    axes = [check_axis(name, x, one) % builtins.max(x.ndim, 1) for one in axis]
    if len(set(axes)) < len(axes):
        raise CheckError(f"{name}: axis={axis!r} names an axis twice")
    return tuple(axes)


def _none_of_scalar(x: Tensor, axis: Any) -> Any:
    """None for the first and last axis of a tensor without axes, which is its own reduction."""
    return None if not x.ndim and axis in (0, -1) else axis


def _reduction(
    name: str, like: T, op: Callable, title: str, given: str, result: str, floats: bool = False
) -> T:
    def call(inp: Any, axis: Any = None, keepdims: bool = False) -> Any:
        (inp,) = operands(inp, floats=floats)
        axis = _none_of_scalar(inp, axis)
        if floats and inp.form.dtype.itemsize == 2:
            inp = cast(inp, np.float32)
        if inp.form.dtype.kind == "b" and name in ("sum", "prod"):
            inp = cast(inp, np.int32)
        found = op(inp, axis=_axis(name, inp, axis), keepdims=bool(keepdims))
        return cast(found, inp.form.dtype)

    return shown(name, like, checked(call), title, given, result)


def _variance(x: Any, axis: Any, keepdims: bool) -> Any:
    return ops.mean(
        ops.square(x - ops.mean(x, axis=axis, keepdims=True)), axis=axis, keepdims=keepdims
    )


def _deviation(x: Any, axis: Any, keepdims: bool) -> Any:
    return ops.sqrt(_variance(x, axis, keepdims))


sum: Final = _reduction(
    "sum", over_axes, ops.sum, "The sum; of bool, how many hold", ROWS, "[3. 7.]"
)
prod: Final = _reduction("prod", over_axes, ops.prod, "The product", ROWS, "[ 2. 12.]")
mean: Final = _reduction(
    "mean",
    over_axes,
    ops.mean,
    "The mean; integers and float16 count as float32",
    ROWS,
    "[1.5 3.5]",
    floats=True,
)
max: Final = _reduction("max", over_axes, ops.max, "The largest value", ROWS, "[2. 4.]")
min: Final = _reduction("min", over_axes, ops.min, "The smallest value", ROWS, "[1. 3.]")
var: Final = _reduction(
    "var",
    over_axes,
    _variance,
    "The mean squared distance to the mean",
    "Tensor([[1.0, 2.0], [1.0, 5.0]]), axis=1",
    "[0.25 4.  ]",
    floats=True,
)
std: Final = _reduction(
    "std",
    over_axes,
    _deviation,
    "The root of `var`",
    "Tensor([[1.0, 2.0], [1.0, 5.0]]), axis=1",
    "[0.5 2. ]",
    floats=True,
)


def _place(name: str, like: T, op: Callable, title: str, given: str, result: str) -> T:
    def call(inp: Any, axis: Any = None, keepdims: bool = False) -> Any:
        inp = as_tensor(inp)
        if not isinstance(axis, (list, tuple)):
            axis = check_axis(name, inp, axis)
            return cast(op(inp, axis=axis, keepdims=keepdims), np.int32)
        axes = sorted(_axis(name, inp, axis))
        others = [k for k in range(inp.ndim) if k not in axes]
        lengths = tuple(inp.shape[k] for k in others)
        flat = ops.reshape(ops.transpose(inp, axes=(*others, *axes)), shape=(*lengths, -1))
        places = cast(op(flat, axis=-1, keepdims=False), np.int32)
        kept = (1 if k in axes else n for k, n in enumerate(inp.shape))
        return ops.reshape(places, shape=tuple(kept)) if keepdims else places

    return shown(name, like, checked(call), title, given, result)


argmax: Final = _place(
    "argmax",
    over_axes,
    ops.argmax,
    "The index of the largest value, of dtype int32",
    ROWS,
    "[1 0], dtype=int32",
)
argmin: Final = _place(
    "argmin",
    over_axes,
    ops.argmin,
    "The index of the smallest value, of dtype int32",
    ROWS,
    "[0 1], dtype=int32",
)
isnan: Final = unary(
    "isnan",
    of_inp,
    ops.isnan,
    "anything",
    'Tensor([1.0, float("nan")])',
    "[False  True], dtype=bool",
    "Whether each value is NaN",
)
isinf: Final = unary(
    "isinf",
    of_inp,
    ops.isinf,
    "anything",
    'Tensor([1.0, float("inf")])',
    "[False  True], dtype=bool",
    "Whether each value is infinite",
)


@checked
def logsumexp(inp: ArrayLike, axis: Any, keepdims: bool = False) -> Any:
    """The logarithm of the sum of exponentials.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> logsumexp(Tensor([[0.0, 0.0]]), 1)
    Tensor([0.6931], device=xpux:0)
    """
    (inp,) = operands(inp, floats=True)
    axis = _axis("logsumexp", inp, _none_of_scalar(inp, axis))
    top = ops.max(inp, axis=axis, keepdims=True).detach()
    top = ops.where(np.isneginf(top.raw), as_tensor(np.zeros((), top.form.dtype)), top)
    total = ops.log(ops.sum(ops.exp(inp - top), axis=axis, keepdims=True)) + top
    return total if keepdims else ops.squeeze(total, axis=axis)


@checked
def norm(
    inp: ArrayLike, ord: float | None = None, axis: Any = None, keepdims: bool = False
) -> Tensor:
    """The norm of a vector, or of those along `axis`.

    Parameters
    ----------
    inp : Tensor of any shape
        Of any dtype; integers count as float32.
    ord : float, default 2
        Any number, or plus or minus infinity.
    axis : int, optional
        Needed unless `inp` is a vector.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> norm(Tensor([3.0, 4.0])), norm(Tensor([3.0, 4.0]), ord=1)
    (Tensor(5.0, device=xpux:0), Tensor(7.0, device=xpux:0))
    """
    (inp,) = operands(inp, floats=True)
    if axis is None and inp.ndim != 1:
        raise DTypeError(f"norm: give axis for a tensor of shape {inp.shape}")
    axis = _axis("norm", inp, _none_of_scalar(inp, axis))
    where = {"axis": axis, "keepdims": bool(keepdims)}
    order = 2 if ord is None else ord
    if order in (1, 2):
        return ops.norm(inp, ord=int(order), **where)
    if order == 0:
        return ops.sum(cast(inp != 0, inp.form.dtype), **where)
    size = ops.abs(inp)
    if math.isinf(order):
        return (ops.max if order > 0 else ops.min)(size, **where)
    return ops.sum(size**order, **where) ** (1 / order)


@checked
def normalize(
    inp: ArrayLike, ord: float | None = None, axis: Any = None, eps: float = 1e-12
) -> Tensor:
    """Divide `inp` by its norm, which is at least `eps`.

    Parameters
    ----------
    inp : Tensor of any shape
        Of any dtype; integers count as float32.
    ord, axis
        As for `norm`.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> normalize(Tensor([3.0, 4.0]))
    Tensor([0.6 0.8], device=xpux:0)
    """
    (inp,) = operands(inp, floats=True)
    return inp / ops.maximum(norm(inp, ord, axis, keepdims=axis is not None), eps)


# ----------------------------------------------------------------------------------- sorting


def _order(x: Tensor, descending: bool) -> Tensor:
    raw = -x.raw.astype(np.int64) if descending and x.form.dtype.kind in "biu" else x.raw
    raw = -raw if descending and raw.dtype.kind not in "i" else raw
    return interfaces.Tensor(np.argsort(raw, axis=-1, kind="stable"), device=x.device)


@checked
def argsort(inp: ArrayLike, descending: bool = False) -> Tensor:
    """The indices that sort a tensor along the last axis.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> argsort(Tensor([3.0, 1.0, 2.0]))
    Tensor([1 2 0], dtype=int32, device=xpux:0)
    """
    return _order(as_tensor(inp), descending)


@checked
def sort(inp: ArrayLike, descending: bool = False) -> tuple[Tensor, Tensor]:
    """The sorted values along the last axis, and their indices.

    Returns
    -------
    tuple of Tensor of the shape of `inp`
        The values, and their indices of dtype int32.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> sort(Tensor([3.0, 1.0]))[0]
    Tensor([1. 3.], device=xpux:0)
    """
    inp = as_tensor(inp)
    places = _order(inp, descending)
    return ops.take_along(inp, places, axis=-1), places


@checked
def topk(
    inp: ArrayLike, k: int, descending: bool = True, kth_only: bool = False, no_sort: bool = False
) -> tuple[Tensor, Tensor]:
    """The first `k` sorted values along the last axis, and their indices.

    Parameters
    ----------
    k : int
        All values if there are fewer; a negative number takes that many from the other end.
    descending : bool, default True
        Whether to sort in descending order.
    kth_only : bool, default False
        Whether to return only the last of them.
    no_sort : bool, default False
        Whether their order may be arbitrary.

    Returns
    -------
    tuple of Tensor of the shape of `inp`, but that up to k values are left
        The values, and their indices of dtype int32.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> topk(Tensor([3.0, 1.0, 2.0]), 2)[0]
    Tensor([3. 2.], device=xpux:0)
    """
    inp = as_tensor(inp)
    if not k:
        raise ArgumentError("topk: k is 0; give the number of values wanted")
    places = _order(inp, descending != (k < 0))[..., : abs(int(k))]
    if kth_only:
        last = places[..., -1:]
        return ops.take_along(inp, last, axis=-1)[..., 0], last[..., 0]
    return ops.take_along(inp, places, axis=-1), places


# ---------------------------------------------------------------------------------- matrices


@checked
def matmul(
    inp1: ArrayLike,
    inp2: ArrayLike,
    transpose_a: bool = False,
    transpose_b: bool = False,
    compute_mode: str = "default",
) -> Tensor:
    """The product of matrices, or of stacks of them; of two vectors, a number.

    Parameters
    ----------
    inp1, inp2 : Tensor of shapes (..., n, k) and (..., k, m), of any dtype
    transpose_a, transpose_b : bool, default False
        Whether to transpose the last two axes of the first, of the second.
    compute_mode : str
        Ignored.

    Returns
    -------
    Tensor of shape (..., n, m)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> matmul(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]]), transpose_b=True)
    Tensor([[11.]], device=xpux:0)
    """
    a, b = tensors(inp1, inp2)
    return ops.matmul(_turned(a) if transpose_a else a, _turned(b) if transpose_b else b)


def _turned(x: Tensor) -> Tensor:
    if x.ndim < 2:
        return x
    return ops.transpose(x, axes=[*builtins.range(x.ndim - 2), x.ndim - 1, x.ndim - 2])


@checked
def dot(inp1: ArrayLike, inp2: Any) -> Tensor:
    """The sum of the products of two vectors.

    Parameters
    ----------
    inp1, inp2 : Tensor of floats or integers
        Of shape (n,), or numbers.

    Returns
    -------
    Tensor of shape ()

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> dot(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    Tensor(11.0, device=xpux:0)
    """
    a, b = tensors(inp1, inp2)
    if a.ndim > 1 or b.ndim > 1:
        raise ArgumentError(f"dot: shapes {a.shape} and {b.shape} are not vectors; use matmul")
    return ops.sum(a * b)


@checked
def matinv(inp: ArrayLike) -> Tensor:
    """The inverse of a matrix, or of each in a stack.

    Parameters
    ----------
    inp : Tensor of any shape, of any dtype but float16
        Of shape (..., n, n).

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> matinv(Tensor([[2.0, 0.0], [0.0, 4.0]]))
    Tensor([[0.5  0.  ]
     [0.   0.25]], device=xpux:0)
    """
    (inp,) = operands(inp, floats=True)
    return ops.inverse(inp)


@checked
def svd(inp: ArrayLike, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    """Singular value decomposition: ``inp = U @ diag(S) @ V``, with S in descending order.

    Parameters
    ----------
    inp : Tensor of shape (..., m, n), of any dtype but float16
    full_matrices : bool, default False
        Only its default is supported.
    compute_uv : bool, default True
        False returns only S.

    Returns
    -------
    tuple of Tensor
        U of shape (..., m, k), S of shape (..., k) and V of shape (..., k, n), k being the
        smaller of m and n.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> svd(Tensor([[3.0, 0.0], [0.0, 4.0]]), compute_uv=False)
    Tensor([4. 3.], device=xpux:0)
    """
    if full_matrices:
        raise ArgumentError("svd: full_matrices=True is not supported; leave it out")
    (inp,) = operands(inp, floats=True)
    u, s, v = ops.svd(inp)
    return (u, s, v) if compute_uv else s
