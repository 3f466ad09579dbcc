"""Rearranging and joining tensors."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._core.engine.array import Array
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError, DTypeError
from ..interfaces import as_tensor, operands, tensors
from ._axes import check_axis, integers, shape_of, whole
from ._checked import checked
from .creation import (
    arange,
    eye,
    full,
    full_like,
    linspace,
    ones,
    ones_like,
    zeros,
    zeros_like,
)
from .indexing import (
    cond_take,
    cumsum,
    gather,
    indexing_one_hot,
    scatter,
    where,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..tensor import Tensor

__all__ = [
    "arange",
    "broadcast_to",
    "concat",
    "cond_take",
    "copy",
    "cumsum",
    "diag",
    "expand_dims",
    "eye",
    "flatten",
    "full",
    "full_like",
    "gather",
    "indexing_one_hot",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "repeat",
    "reshape",
    "roll",
    "scatter",
    "split",
    "squeeze",
    "stack",
    "swapaxes",
    "tile",
    "transpose",
    "where",
    "zeros",
    "zeros_like",
]


@checked
def reshape(inp: ArrayLike, target_shape: Any) -> Tensor:
    """Change the shape of a tensor.

    Parameters
    ----------
    target_shape : sequence of int
        One of them may be -1.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> reshape(Tensor([1.0, 2.0]), (2, -1)).shape
    (2, 1)
    """
    inp = as_tensor(inp)
    shape = shape_of(target_shape)
    if min(shape, default=0) < -1:  # which have a meaning of their own in `nd`
        raise ArgumentError(f"reshape: target_shape={shape} has lengths below -1")
    return ops.reshape(inp, shape=shape)


@checked
def flatten(inp: ArrayLike, start_axis: int = 0, end_axis: int = -1) -> Tensor:
    """Join the axes from `start_axis` to `end_axis`.

    Parameters
    ----------
    end_axis : int, default -1
        Included.

    Examples
    --------
    >>> flatten(zeros((2, 3, 4)), 1).shape
    (2, 12)
    """
    inp = as_tensor(inp)
    ndim = max(inp.ndim, 1)
    new = 1 if start_axis == ndim else 0
    first = check_axis("flatten", inp, start_axis, new) if inp.ndim else 0
    first, last = (k + ndim if k < 0 else k for k in (first, end_axis))  # which may lie beyond
    if last < first - 1:
        raise ArgumentError(f"flatten: end_axis={end_axis} is before start_axis={start_axis}")
    middle = prod(inp.shape[first : last + 1])
    return ops.reshape(inp, shape=(*inp.shape[:first], middle, *inp.shape[last + 1 :]))


@checked
def transpose(inp: ArrayLike, pattern: Sequence[Any]) -> Tensor:
    """Permute the axes.

    Parameters
    ----------
    pattern : sequence of (int or 'x'), or Tensor
        The number of an axis, or ``'x'`` for a new one of length 1.

    Examples
    --------
    >>> transpose(zeros((2, 3)), (1, "x", 0)).shape
    (3, 1, 2)
    """
    inp = as_tensor(inp)
    pattern = [one if isinstance(one, str) else whole(one) for one in pattern]
    turned = ops.transpose(inp, axes=[one for one in pattern if one != "x"])
    for place, axis in enumerate(pattern):
        if axis == "x":
            turned = ops.expand_dims(turned, axis=place)
    return turned


@checked
def swapaxes(inp: ArrayLike, axis1: int, axis2: int) -> Tensor:
    """Exchange two axes.

    Examples
    --------
    >>> swapaxes(zeros((2, 3)), 0, 1).shape
    (3, 2)
    """
    inp = as_tensor(inp)
    order = [*builtins.range(inp.ndim)]
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return ops.transpose(inp, axes=order)


@checked
def expand_dims(inp: ArrayLike, axis: Any) -> Tensor:
    """Insert axes of length 1.

    Parameters
    ----------
    axis : int or sequence of int
        Their positions in the result.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> expand_dims(Tensor([1.0, 2.0]), (0, 2)).shape
    (1, 2, 1)
    """
    x = as_tensor(inp)
    places = shape_of(axis)
    for place in places:
        check_axis("expand_dims", x, place, len(places))
    for place in sorted(a % (x.ndim + len(places)) for a in places):
        x = ops.expand_dims(x, axis=place)
    return x


@checked
def squeeze(inp: ArrayLike, axis: Any = None) -> Tensor:
    """Remove axes of length 1.

    Parameters
    ----------
    axis : int or sequence of int, optional
        All of them by default.

    Examples
    --------
    >>> squeeze(zeros((1, 2, 1))).shape
    (2,)
    """
    return ops.squeeze(as_tensor(inp), axis=None if axis is None else shape_of(axis))


@checked
def broadcast_to(inp: ArrayLike, shape: Any) -> Tensor:
    """Broadcast a tensor to a shape.

    Parameters
    ----------
    shape : int or sequence of int
        None keeps a length.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> broadcast_to(Tensor([1.0, 2.0]), (2, 2)).shape
    (2, 2)
    """
    inp = as_tensor(inp)
    if isinstance(shape, (list, tuple)):
        own = (*(None,) * (len(shape) - inp.ndim), *inp.shape)
        shape = [length if n is None else n for n, length in zip(shape, own)]
        if any(n is None for n in shape):
            raise ArgumentError(f"broadcast_to: a new axis of {inp.shape} needs a length, not None")
    return ops.broadcast_to(inp, shape=shape_of(shape))


@checked
def tile(inp: ArrayLike, reps: Any) -> Tensor:
    """Repeat the whole tensor along each axis.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> tile(Tensor([1.0, 2.0]), (2,))
    Tensor([1. 2. 1. 2.], device=xpux:0)
    """
    return ops.tile(as_tensor(inp), reps=shape_of(reps))


@checked
def repeat(inp: ArrayLike, repeats: int, axis: int | None = None) -> Tensor:
    """Repeat each value.

    Parameters
    ----------
    axis : int, optional
        The flattened tensor by default.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> repeat(Tensor([1.0, 2.0]), 2)
    Tensor([1. 1. 2. 2.], device=xpux:0)
    """
    inp = as_tensor(inp)
    return ops.repeat(inp, repeats=whole(repeats), axis=check_axis("repeat", inp, axis))


@checked
def roll(inp: ArrayLike, shift: Any, axis: Any = None) -> Tensor:
    """Roll values along an axis, wrapping around at the ends.

    Parameters
    ----------
    axis : int or sequence of int, optional
        The flattened tensor by default.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> roll(Tensor([1.0, 2.0, 3.0]), 1)
    Tensor([3. 1. 2.], device=xpux:0)
    """
    x = as_tensor(inp)
    if axis is None:
        return ops.reshape(roll(ops.reshape(x, shape=(-1,)), shift, 0), shape=x.shape)
    shifts, axes = integers(shift), integers(axis)
    if len(shifts) != len(axes):
        raise ArgumentError(f"roll: {len(shifts)} shifts for {len(axes)} axes")
    for by, along in zip(shifts, axes):
        places = np.roll(np.arange(x.shape[check_axis("roll", x, along)]), by)
        x = ops.take(x, places, axis=along)
    return x


@checked
def copy(inp: ArrayLike, device: Any = None) -> Tensor:
    """Return a copy; recorded.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> copy(Tensor([1.0]), "cpu0")
    Tensor([1.], device=cpu0:0)
    """
    copied = ops.copy(as_tensor(inp))
    return copied if device is None else copied.to(device)


@checked
def diag(inp: ArrayLike, k: int = 0) -> Tensor:
    """The diagonal of a matrix, or a matrix with a given diagonal.

    Parameters
    ----------
    inp : Tensor of any shape and dtype
        A vector or a matrix.
    k : int, default 0
        The offset of the diagonal; positive is above the main one.

    Returns
    -------
    Tensor of shape (n, n) of a vector of n values, (n,) of a matrix

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> diag(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    Tensor([1. 4.], device=xpux:0)
    """
    inp = as_tensor(inp)
    k = whole(k)
    if inp.ndim > 2:
        raise ArgumentError(f"diag: inp of shape {inp.shape} is neither a vector nor a matrix")
    if inp.ndim == 1:
        n = len(inp) + abs(k)
        return ops.place_diagonal(inp, shape=(n, n), k=k)
    return ops.diagonal(inp, k=k)


# -------------------------------------------------------------------------- joining, cutting


@checked
def concat(inps: Sequence[Any], axis: int = 0, device: Any = None) -> Tensor:
    """Join tensors along an axis.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> concat([Tensor([1.0]), Tensor([2.0])])
    Tensor([1. 2.], device=xpux:0)
    """
    parts = [
        ops.reshape(x, shape=(1,)) if not x.ndim else x for x in tensors(*_several(inps, axis))
    ]
    joined = ops.concat(*parts, axis=axis)
    return joined if device is None else joined.to(device)


def _several(inps: Any, axis: Any) -> Any:
    """Return the argument of functions that join tensors."""
    if isinstance(inps, Array) and isinstance(axis, Array):
        raise DTypeError("inps is a Tensor; put the tensors into a list, as in [x, y]")
    return inps


@checked
def stack(inps: Sequence[Any], axis: int = 0, device: Any = None) -> Tensor:
    """Join tensors along a new axis.

    Parameters
    ----------
    inps : sequence of Tensor of equal shapes except for `axis`, of any dtype
        All of one shape.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> stack([Tensor([1.0]), Tensor([2.0])]).shape
    (2, 1)
    """
    joined = ops.stack(*operands(*_several(inps, axis)), axis=axis)
    return joined if device is None else joined.to(device)


@checked
def split(inp: ArrayLike, nsplits_or_sections: Any, axis: int = 0) -> tuple[Tensor, ...]:
    """Split a tensor along an axis.

    Parameters
    ----------
    nsplits_or_sections : int or sequence of int
        The number of parts, the first of which are longer by one if it does not divide the length;
        or the indices to split at, in ascending order.

    Examples
    --------
    >>> [len(part) for part in split(arange(5), 2)]
    [3, 2]
    """
    inp = as_tensor(inp)
    axis = whole(axis)
    length = inp.shape[axis]
    if isinstance(nsplits_or_sections, (list, tuple)):
        places = integers(nsplits_or_sections)
        if list(places) != sorted(places) or not all(0 <= one <= length for one in places):
            raise ArgumentError(
                f"split: {nsplits_or_sections} are not ascending indices into axis {axis} of"
                f" length {length}; give where to split, not the lengths of the parts"
            )
    else:
        parts = int(nsplits_or_sections)
        if not 1 <= parts <= length:
            raise ArgumentError(
                f"split: axis {axis} of length {length} cannot be split into {parts} parts"
            )
        size, longer = divmod(length, parts)
        places = tuple(k * size + min(k, longer) for k in builtins.range(1, parts))
    return tuple(ops.split(inp, sections=places, axis=axis))


@checked
def meshgrid(*inputs: Any, indexing: str = "xy") -> tuple[Tensor, ...]:
    """The coordinates of all points of a grid.

    Parameters
    ----------
    *inputs : Tensor of any shape and dtype
        The coordinates along each axis, vectors.
    indexing : {'xy', 'ij'}
        With ``'xy'`` the second coordinate is along the first axis.

    Returns
    -------
    tuple of Tensor, each with one axis for each input: of shape (n, m, ...)

    Examples
    --------
    >>> [g.shape for g in meshgrid(arange(2), arange(3))]
    [(3, 2), (3, 2)]
    """
    if indexing not in ("xy", "ij"):
        raise ArgumentError(f"meshgrid: indexing={indexing!r} is neither 'xy' nor 'ij'")
    vectors = [as_tensor(one) for one in inputs]
    if any(one.ndim > 1 for one in vectors):
        raise ArgumentError(f"meshgrid: shapes {[x.shape for x in vectors]} are not all vectors")
    order = [*builtins.range(len(vectors))]
    if indexing == "xy" and len(vectors) > 1:
        order[0], order[1] = 1, 0
    shape = tuple(vectors[k].size for k in order)
    grids = []
    for k, one in enumerate(vectors):
        along = tuple(-1 if place == k else 1 for place in order)
        grids.append(ops.broadcast_to(ops.reshape(one, shape=along), shape=shape))
    return tuple(grids)
