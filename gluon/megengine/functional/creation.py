"""Creating tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..._core.errors import ArgumentError
from .. import interfaces
from ..interfaces import as_tensor
from ._axes import shape_of, whole
from ._checked import checked

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..tensor import Tensor

__all__ = [
    "arange",
    "eye",
    "full",
    "full_like",
    "linspace",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
]


@checked
def full(shape: Any, value: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor of one value.

    Parameters
    ----------
    dtype : str or numpy dtype, optional
        That of `value` by default.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> full((2,), 3)
    Tensor([3 3], dtype=int32, device=xpux:0)
    """
    value = value.item() if isinstance(value, interfaces.Tensor) else value
    return interfaces.Tensor(np.full(shape_of(shape), value), dtype, device)


@checked
def zeros(shape: Any, *, dtype: Any = "float32", device: Any = None) -> Tensor:
    """A tensor of zeros.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> zeros((2,))
    Tensor([0. 0.], device=xpux:0)
    """
    return full(shape, 0, dtype=dtype, device=device)


@checked
def ones(shape: Any, *, dtype: Any = "float32", device: Any = None) -> Tensor:
    """A tensor of ones.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> ones((2,), dtype="int32")
    Tensor([1 1], dtype=int32, device=xpux:0)
    """
    return full(shape, 1, dtype=dtype, device=device)


@checked
def full_like(inp: ArrayLike, value: Any) -> Tensor:
    """A tensor of one value with the shape and dtype of another.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> full_like(Tensor([1.0, 2.0]), 7)
    Tensor([7. 7.], device=xpux:0)
    """
    inp = as_tensor(inp)
    return full(inp.shape, value, dtype=inp.dtype, device=inp.device)


@checked
def zeros_like(inp: ArrayLike) -> Tensor:
    """Zeros with the shape and dtype of another tensor.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> zeros_like(Tensor([1, 2]))
    Tensor([0 0], dtype=int32, device=xpux:0)
    """
    return full_like(inp, 0)


@checked
def ones_like(inp: ArrayLike) -> Tensor:
    """Ones with the shape and dtype of another tensor.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> ones_like(Tensor([1, 2]))
    Tensor([1 1], dtype=int32, device=xpux:0)
    """
    return full_like(inp, 1)


@checked
def arange(
    start: Any = 0, stop: Any = None, step: Any = 1, *, dtype: Any = "float32", device: Any = None
) -> Tensor:
    """Evenly spaced values from `start` to `stop`, which is excluded.

    Parameters
    ----------
    start : number, default 0
        The end, if `stop` is not given.

    Returns
    -------
    Tensor of shape (n,)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> arange(3), arange(1, 5, 2, dtype="int32")
    (Tensor([0. 1. 2.], device=xpux:0), Tensor([1 3], dtype=int32, device=xpux:0))
    """
    start, stop = (0, start) if stop is None else (start, stop)
    return interfaces.Tensor(np.arange(*(_number(v) for v in (start, stop, step))), dtype, device)


def _number(value: Any) -> Any:
    return value.item() if isinstance(value, interfaces.Tensor) else value


@checked
def linspace(
    start: Any, stop: Any, num: Any, *, dtype: Any = "float32", device: Any = None
) -> Tensor:
    """`num` evenly spaced values from `start` to `stop`, both included.

    Returns
    -------
    Tensor of shape (num,)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> linspace(0, 1, 3)
    Tensor([0.  0.5 1. ], device=xpux:0)
    """
    start, stop, num = (_number(v) for v in (start, stop, num))
    return interfaces.Tensor(np.linspace(start, stop, whole(num)), dtype, device)


@checked
def eye(N: Any, M: Any = None, *, dtype: Any = "float32", device: Any = None) -> Tensor:
    """A matrix with ones on the diagonal and zeros elsewhere.

    Parameters
    ----------
    N : int or sequence of int
        The rows; or one or both lengths.
    M : int, optional
        `N` by default.

    Returns
    -------
    Tensor of shape (N, M)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> eye(1, 2)
    Tensor([[1. 0.]], device=xpux:0)
    """
    lengths = shape_of(N)
    if len(lengths) + (M is not None) not in (1, 2):
        raise ArgumentError(f"eye: N={N!r} and M={M!r} must be two lengths")
    rows, columns = [*lengths, *([] if M is None else [int(M)]), lengths[0]][:2]
    return interfaces.Tensor(np.eye(rows, columns), dtype, device)
