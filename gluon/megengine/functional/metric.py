"""Metrics of predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError
from ..interfaces import as_tensor, cast
from ._checked import checked
from .math import topk as _topk

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["topk_accuracy"]


@checked
def topk_accuracy(logits: ArrayLike, target: Any, topk: Any = 1) -> Any:
    """The fraction of samples whose class is among the `topk` highest scores.

    Parameters
    ----------
    logits : Tensor of shape (n, classes)
    target : Tensor of int32 and shape (n,)

    Returns
    -------
    Tensor of shape (), or list of them
        A list with one for each `topk`, if there are several.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> topk_accuracy(Tensor([[1.0, 2.0], [2.0, 1.0]]), Tensor([1, 1]))
    Tensor(0.5, device=xpux:0)
    """
    logits = as_tensor(logits)
    target = as_tensor(target)
    wanted = topk if isinstance(topk, (list, tuple)) else [topk]
    if logits.ndim == 2 and not all(0 <= k <= logits.shape[1] for k in wanted):
        raise ArgumentError(f"topk_accuracy: topk={topk} for {logits.shape[1]} classes")
    if target.ndim != 1:
        raise ArgumentError(f"topk_accuracy: target of shape {target.shape} is not a vector")
    _, places = _topk(logits, max(wanted))
    right = cast(places == ops.expand_dims(target, axis=1), np.float32)
    shares = [ops.mean(ops.sum(right[:, :k], axis=1)) for k in wanted]
    return shares if len(shares) > 1 else shares[0]
