"""Picking values, and sums along an axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError, IndexRangeError
from .. import interfaces
from ..interfaces import as_tensor, cast, operands, tensors
from ._axes import check_axis
from ._checked import checked

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..tensor import Tensor

__all__ = [
    "cond_take",
    "cumsum",
    "gather",
    "indexing_one_hot",
    "scatter",
    "where",
]


@checked
def where(mask: ArrayLike, x: Any, y: Any) -> Tensor:
    """`x` where the mask is true, `y` elsewhere.

    Parameters
    ----------
    x, y : Tensor or number
        Of shapes that broadcast with that of `mask`.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> where(Tensor([True, False]), Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    Tensor([1. 4.], device=xpux:0)
    """
    return ops.where(_flags("where", mask), *tensors(*operands(x, y)))


def _flags(name: str, mask: Any) -> Tensor:
    """A mask, of dtype bool."""
    mask = as_tensor(mask)
    if mask.dtype.kind != "b":
        raise ArgumentError(f"{name}: mask has dtype {mask.dtype}; compare first, as in x > 0")
    return mask


@checked
def gather(inp: ArrayLike, axis: int, index: Any) -> Tensor:
    """Gather values along `axis` by index.

    Parameters
    ----------
    index : Tensor of int32, of as many axes as `inp`
        Along other axes than `axis` it may be shorter; the first values are taken then.

    Returns
    -------
    Tensor of the shape of `index`

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> gather(Tensor([[1.0, 2.0]]), 1, Tensor([[1]]))
    Tensor([[2.]], device=xpux:0)
    """
    inp = as_tensor(inp)
    index = as_tensor(index)
    return ops.take_along(_fitting("gather", inp, axis, index), index, axis=axis)


def _fitting(name: str, inp: Any, axis: Any, index: Any) -> Any:
    """The part of `inp` that `index` picks from along `axis`."""
    axis = check_axis(name, inp, axis) % max(inp.ndim, 1) if inp.ndim == index.ndim else 0
    others = [k for k in range(inp.ndim) if k != axis]
    if inp.ndim != index.ndim or any(index.shape[k] > inp.shape[k] for k in others):
        raise ArgumentError(
            f"{name}: index has shape {index.shape} and inp {inp.shape}; give as many axes, and"
            f" along others than axis {axis} at most the lengths of inp"
        )
    if all(index.shape[k] == inp.shape[k] for k in others):
        return inp
    own = tuple(slice(None) if k == axis else slice(n) for k, n in enumerate(index.shape))
    return ops.getitem(inp, key=own)


@checked
def indexing_one_hot(src: ArrayLike, index: Any, axis: int = 1, keepdims: bool = False) -> Any:
    """Pick one element along `axis` by index.

    Parameters
    ----------
    index : Tensor of int32, of any shape
        Shaped like `src` without `axis`.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> indexing_one_hot(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1, 0]))
    Tensor([2. 3.], device=xpux:0)
    """
    src = as_tensor(src)
    index = as_tensor(index)
    axis = check_axis("indexing_one_hot", src, axis) % max(src.ndim, 1)
    if index.shape != (*src.shape[:axis], *src.shape[axis + 1 :]):
        raise ArgumentError(
            f"indexing_one_hot: index of shape {index.shape} for src of shape {src.shape} and"
            f" axis={axis}; give one index for each row along that axis"
        )
    if index.size and index.raw.min() < 0:
        raise IndexRangeError(f"indexing_one_hot: index has {index.raw.min()}, which is below 0")
    places = ops.expand_dims(cast(index, np.int32), axis=axis)
    picked = ops.take_along(src, places, axis=axis)
    return picked if keepdims else ops.squeeze(picked, axis=axis)


@checked
def scatter(inp: ArrayLike, axis: int, index: Any, source: Any) -> Tensor:
    """Scatter the values of `source` into a copy of `inp` along `axis` by index.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> scatter(Tensor([[0.0, 0.0]]), 1, Tensor([[1]]), Tensor([[5.0]]))
    Tensor([[0. 5.]], device=xpux:0)
    """
    inp = as_tensor(inp)
    index, source = as_tensor(index), as_tensor(source)
    source = cast(source, inp.dtype)
    _fitting("scatter", inp, axis, index)
    if source.shape != index.shape or index.shape[axis] > inp.shape[axis]:
        raise ArgumentError(
            f"scatter: inp has shape {inp.shape}, index {index.shape} and source {source.shape};"
            " give as many indices as values, along axis at most the length of inp"
        )
    key = [*np.ogrid[tuple(slice(n) for n in index.shape)]]
    key[axis] = index.raw
    return ops.setitem(inp, source, key=tuple(key))


@checked
def cond_take(mask: ArrayLike, x: Any) -> tuple[Tensor, Tensor]:
    """The values where a mask is true, and their flat indices.

    Returns
    -------
    tuple of Tensor of shape (n,)
        The values, and their indices of dtype int32.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> cond_take(Tensor([False, True]), Tensor([3.0, 4.0]))[0]
    Tensor([4.], device=xpux:0)
    """
    x, mask = as_tensor(x), _flags("cond_take", mask)
    if x.shape != mask.shape:
        raise ArgumentError(f"cond_take: mask has shape {mask.shape} and x {x.shape}")
    places = np.flatnonzero(mask.raw)
    return ops.getitem(ops.reshape(x, shape=(-1,)), key=places), interfaces.Tensor(
        places, device=x.device
    )


@checked
def cumsum(inp: ArrayLike, axis: int) -> Tensor:
    """The cumulative sum along `axis`.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> cumsum(Tensor([1.0, 2.0, 3.0]), 0)
    Tensor([1. 3. 6.], device=xpux:0)
    """
    inp = as_tensor(inp)
    axis = check_axis("cumsum", inp, axis)
    if inp.dtype.kind == "b" or axis is None:
        raise ArgumentError(f"cumsum: give an axis and numbers; got {axis} and {inp.dtype}")
    return cast(ops.cumsum(inp, axis=axis), inp.dtype)
