"""The methods of `NDArray` that are functions of `nd` under the same name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ndarray import NDArray
from . import shape

NAMES = """abs arccos arccosh arcsin arcsinh arctan arctanh argmax argmax_channel argmin argsort
broadcast_axes broadcast_to cbrt ceil clip cos cosh degrees depth_to_space diag dot
exp expm1 fix flip floor log log10 log1p log2 log_softmax max mean min nanprod
nansum norm one_hot ones_like pad pick prod radians rcbrt reciprocal relu repeat reshape_like rint
round rsqrt shape_array sigmoid sign sin sinh size_array slice slice_axis slice_like softmax
softmin sort space_to_depth split split_v2 sqrt square sum swapaxes take tan tanh tile topk
transpose trunc zeros_like""".split()


def slice_assign(
    self: NDArray, rhs: Any, begin: Sequence, end: Sequence, step: Sequence = ()
) -> NDArray:
    """Write `rhs` into ``self[b0:e0:s0, b1:e1:s1, …]``; see `nd.slice`."""
    steps = [*step, *[None] * (len(begin) - len(step))]
    self[tuple(slice(*part) for part in zip(begin, end, steps))] = rhs
    return self


def slice_assign_scalar(
    self: NDArray, value: float, begin: Sequence, end: Sequence, step: Sequence = ()
) -> NDArray:
    """Write a number into ``self[b0:e0:s0, b1:e1:s1, …]``; see `nd.slice`."""
    return slice_assign(self, value, begin, end, step)


def to_dlpack_for_read(data: NDArray) -> Any:
    """The memory of an array, as a DLPack capsule.

    Parameters
    ----------
    data : NDArray

    Returns
    -------
    DLPack capsule
        To be used once.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.from_dlpack(nd.to_dlpack_for_read(nd.array([1, 2]))).asnumpy().tolist()
    [1.0, 2.0]
    """
    return data.__dlpack__()


to_dlpack_for_write = to_dlpack_for_read


def expand_dims(self: NDArray, axis: int, inplace: bool = False) -> NDArray:
    """A new axis of length 1 at `axis`; of the same memory for ``inplace=True``."""
    found = shape.expand_dims(self, axis)
    return self.reshape(found.shape) if inplace else found


def flatten(self: NDArray, inplace: bool = False) -> NDArray:
    """All axes but the first made one; of the same memory for ``inplace=True``."""
    found = shape.flatten(self)
    return self.reshape(found.shape) if inplace else found


def squeeze(self: NDArray, axis: Any = None, inplace: bool = False) -> NDArray:
    """Axes of length 1 dropped; of the same memory for ``inplace=True``; see `nd.squeeze`."""
    found = shape.squeeze(self, axis)
    return self.reshape(found.shape) if inplace else found


def broadcast_like(self: NDArray, other: NDArray) -> NDArray:
    """The array stretched to the shape of `other`."""
    return shape.broadcast_like(self, other)


OTHERS = (
    *(slice_assign, slice_assign_scalar, to_dlpack_for_read, expand_dims, flatten, squeeze),
    broadcast_like,
)


def attach(namespace: dict[str, Any]) -> None:
    """Give `NDArray` the functions of `namespace` that it has as methods, and `OTHERS`."""
    for name in NAMES:
        setattr(NDArray, name, namespace[name])
    for method in OTHERS:
        setattr(NDArray, method.__name__, method)
    NDArray.to_dlpack_for_write = to_dlpack_for_read  # type: ignore[attr-defined]
