"""`Loss`, the base class of losses."""

from __future__ import annotations

from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.arrays.interfaces import Symbolic
from .._core.errors import ArgumentError, DTypeError, a_type
from ..block import HybridBlock

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..block.naming import Naming


class Loss(HybridBlock):
    """Base of all losses; a subclass defines `hybrid_forward`.

    Parameters
    ----------
    weight : float or None
        A factor of the loss.
    batch_axis : int
        The axis of the samples; the loss is the mean over the others.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    DTypeError
        If `weight` is not a number.

    Examples
    --------
    >>> from gluon import loss, nd
    >>> class Cubed(loss.Loss):
    ...     def hybrid_forward(self, F, pred, label):
    ...         return F.mean(F.abs(pred - label) ** 3, axis=self._batch_axis, exclude=True)
    >>> Cubed(weight=None, batch_axis=0)(nd.array([[1, 2]]), nd.array([[3, 2]])).asnumpy()
    array([4.], dtype=float32)
    """

    def __init__(self, weight: float | None, batch_axis: int, **kwargs: Unpack[Naming]) -> None:
        super().__init__(**kwargs)
        if weight is not None and not isinstance(weight, Number):
            raise DTypeError(
                f"{type(self).__name__}: weight is a number or None, not"
                f" {a_type(weight)}; weights of single samples are the last argument of a"
                " call, sample_weight"
            )
        self._weight, self._batch_axis = weight, batch_axis

    def __repr__(self) -> str:
        return f"{type(self).__name__}(batch_axis={self._batch_axis}, w={self._weight})"

    def _mean(self, F: Any, loss: Any, sample_weight: Any) -> Any:
        """Return the weighted `loss`, averaged over all axes except the batch axis."""
        weighted = _apply_weighting(F, loss, self._weight, sample_weight)
        return F.mean(weighted, axis=self._batch_axis, exclude=True)


def _apply_weighting(F: Any, loss: Any, weight: Any = None, sample_weight: Any = None) -> Any:
    """Multiply `loss` by an array that broadcasts and by a number, if they are given."""
    if sample_weight is not None:
        loss = F.broadcast_mul(loss, sample_weight)
    return loss if weight is None else loss * weight


def _reshape_like(
    F: Any, x: Any, y: Any, way_out: str = "give one for each; class numbers are for SoftmaxCELoss"
) -> Any:
    """Reshape `x`, the label, to the shape of `y`, the prediction; an error says the way out."""
    if isinstance(x, Symbolic):
        return F.reshape_like(x, y)
    if x.size != y.size:
        raise ArgumentError(
            f"a label of shape {x.shape} for predictions of shape {y.shape}: the numbers of values"
            f" differ; {way_out}"
        )
    return x if x.shape == y.shape else F.reshape_like(x, y)


def tiny(x: Any) -> float:
    """A number that keeps logarithms and quotients finite: 1e-12, or the smallest float16."""
    return 6e-8 if not isinstance(x, Symbolic) and x.dtype == np.float16 else 1e-12
