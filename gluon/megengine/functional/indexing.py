"""Picking values, and sums along an axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..._core.engine.op import RECORDED as ops
from .. import interfaces
from ..interfaces import as_tensor, cast, operands, tensors
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
    return ops.where(as_tensor(mask), *map(as_tensor, operands(x, y)))


@checked
def gather(inp: ArrayLike, axis: int, index: Any) -> Tensor:
    """Gather values along `axis` by index.

    Parameters
    ----------
    index : Tensor of int32, of any shape
        Shaped like `inp` but along `axis`.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> gather(Tensor([[1.0, 2.0]]), 1, Tensor([[1]]))
    Tensor([[2.]], device=xpux:0)
    """
    return ops.take_along(as_tensor(inp), as_tensor(index), axis=axis)


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
    places = ops.expand_dims(cast(as_tensor(index), np.int32), axis=axis)
    picked = ops.take_along(as_tensor(src), places, axis=axis)
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
    inp, source = tensors(inp, source)
    index = as_tensor(index)
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
    x, mask = as_tensor(x), as_tensor(mask)
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
    return cast(ops.cumsum(inp, axis=axis), inp.raw.dtype)
