"""`np`: weighted averages, covariances and correlations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from .._core.kernels.linalg import wide
from ._explained import explained
from ._promote import alike, fractions
from ._public import as_array, as_axis, cast, into
from .reduce import single

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    from ._array import ndarray


@explained
def average(
    a: ArrayLike,
    axis: int | Sequence[int] | None = None,
    weights: ArrayLike | None = None,
    returned: bool = False,
    *,
    keepdims: bool = False,
    out: ndarray | None = None,
) -> Any:
    """The weighted mean over axes.

    Parameters
    ----------
    axis : int or tuple of int, optional
        All axes by default.
    weights : array_like of any dtype, optional
        In the shape of `a`, or in that of its axes `axis`.
    returned : bool, default False
        Also return the sum of the weights.

    Returns
    -------
    ndarray of the shape without `axis`, floating
        With `returned` a tuple of it and of the sum of the weights, of the same shape.

    Raises
    ------
    ArgumentError
        If the weights fit neither the values nor the axis, or their sum is 0.

    Examples
    --------
    >>> from gluon import np
    >>> np.average(np.array([1, 2, 6]), weights=np.array([1, 1, 2]))
    array(3.75)
    """
    a, axis = as_array(a), as_axis(axis)
    a = cast(a, fractions(a.dtype))
    scale: Any
    if weights is None:
        found = ops.mean(a, axis=axis, keepdims=bool(keepdims))
        scale = ops.ones_like(found) * (a.size / max(found.size, 1))
    else:
        values, weights = alike([a, weights])
        dtype = values.dtype
        values, weights = single(values), _weights(single(weights), a, axis)
        scale = ops.sum(weights, axis=axis, keepdims=bool(keepdims))
        if not scale.raw.all():
            raise ArgumentError("the weights add up to 0, so they cannot be divided by")
        found = ops.sum(ops.multiply(values, weights), axis=axis, keepdims=bool(keepdims)) / scale
        found = cast(found, dtype)
    found = into(out, found)
    return (found, cast(scale, found.dtype)) if returned else found


def _weights(weights: Any, a: ndarray, axis: Any) -> Any:
    """Return weights in the shape of `a`."""
    if weights.shape == a.shape:
        return weights
    axes = (axis,) if isinstance(axis, int) else axis or ()
    axes = tuple([k % a.ndim for k in axes])
    if weights.shape != tuple([a.shape[k] for k in axes]):
        raise ArgumentError(
            f"weights of shape {weights.shape} fit neither values of shape {a.shape} nor"
            f" axis={axis}"
        )
    ordered = ops.transpose(weights, axes=numpy.argsort(axes).tolist())
    shape = [n if k in axes else 1 for k, n in enumerate(a.shape)]
    return ops.broadcast_to(ops.reshape(ordered, shape=shape), shape=a.shape)


@explained
def cov(
    m: ArrayLike,
    y: ArrayLike | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: ArrayLike | None = None,
    aweights: ArrayLike | None = None,
    *,
    dtype: DTypeLike | None = None,
) -> ndarray:
    """The covariance matrix of variables.

    Parameters
    ----------
    m : array_like of one or two axes, of any dtype
        Variables in rows, observations in columns.
    y : array_like of one or two axes, of any dtype, optional
        More variables.
    rowvar : bool, default True
        Whether rows are variables; columns otherwise.
    bias : bool, default False
        Divide by the number of observations instead of one less.
    ddof : int, optional
        What to subtract from that number; overrides `bias`.
    fweights : array_like of int, of shape (observations,), optional
        How many times each observation occurs.
    aweights : array_like of shape (observations,), of any dtype, optional
        The weight of each observation.

    Returns
    -------
    ndarray of shape (variables, variables), or () of one variable
        Of `dtype`, else of the dtype of floating inputs, else of the default one.

    Raises
    ------
    ArgumentError
        If the shapes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.cov(np.array([[1, 2, 3], [3, 2, 1]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    if ddof is not None and ddof != int(ddof):
        raise ArgumentError(f"ddof={ddof} is not an integer")
    given = [_variables(x, rowvar) for x in alike([m] if y is None else [m, y])]
    values: Any = given[0] if len(given) == 1 else ops.concat(*given, axis=0)
    kind = numpy.dtype(dtype or fractions(values.dtype))
    values = ops.cast(values, dtype=wide(kind))
    ddof = int(not bias) if ddof is None else int(ddof)
    n = values.shape[1]
    weights = _observations(fweights, aweights, n)
    if weights is None:
        total: Any = n
        middle = ops.mean(values, axis=1, keepdims=True)
        scale: Any = n - ddof
    else:
        weights = ops.cast(weights, dtype=values.dtype)
        total = ops.sum(weights)
        middle = ops.sum(values * weights, axis=1, keepdims=True) / total
        scale = total - ddof
        if ddof and aweights is not None:
            scale = total - ops.sum(weights * as_array(aweights)) * ddof / total
    centred = values - middle
    right = centred if weights is None else centred * weights
    found = ops.dot(centred, right, transpose_b=True) / _positive(scale, values.dtype)
    found = cast(found, kind)
    return ops.reshape(found, shape=()) if found.shape == (1, 1) else found


def _positive(scale: Any, dtype: numpy.dtype) -> Any:
    """Return the divisor; 0 if no degrees of freedom are left, as in NumPy."""
    return scale if float(scale) > 0 else as_array(0, dtype)


def _variables(x: ndarray, rowvar: bool) -> ndarray:
    if x.ndim > 2:
        raise ArgumentError(f"variables of shape {x.shape} have more than two axes")
    if x.ndim < 2:
        return ops.reshape(x, shape=(1, x.size))
    return x if rowvar else ops.transpose(x)


def _observations(fweights: Any, aweights: Any, n: int) -> Any:
    """Return the weights of the observations; None if all are 1."""
    found: Any = None
    for name, given in (("fweights", fweights), ("aweights", aweights)):
        if given is None:
            continue
        weights = as_array(given)
        if weights.shape != (n,):
            raise ArgumentError(f"{name} of shape {weights.shape} for {n} observations")
        if (weights.raw < 0).any():
            raise ArgumentError(f"{name} must not be negative")
        if name == "fweights" and (weights.raw != numpy.round(weights.raw)).any():
            raise ArgumentError("fweights must be integers")
        found = weights if found is None else found * weights
    return found


@explained
def corrcoef(
    x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True, *, dtype: DTypeLike | None = None
) -> ndarray:
    """The correlation coefficients of variables, between -1 and 1.

    Parameters
    ----------
    x : array_like of one or two axes, of any dtype
        Variables in rows, observations in columns.
    y : array_like of one or two axes, of any dtype, optional
        More variables.
    rowvar : bool, default True
        Whether rows are variables; columns otherwise.

    Returns
    -------
    ndarray of shape (variables, variables), or () of one variable
        Of `dtype`, else of the dtype of floating inputs, else of the default one.

    Raises
    ------
    ArgumentError
        If the shapes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.corrcoef(np.array([[1, 2, 3], [3, 2, 1]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    c = cov(x, y, rowvar, dtype=dtype)
    if not c.ndim:
        return c / c
    spread = ops.sqrt(ops.diagonal(c, k=0, axis1=0, axis2=1))
    scaled = c / ops.reshape(spread, shape=(-1, 1)) / spread
    return ops.clip(scaled, a_min=-1.0, a_max=1.0)
