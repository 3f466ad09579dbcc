"""`Loss`, the base class of losses."""

from __future__ import annotations

from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.arrays.interfaces import Symbolic
from .._core.engine.array import Array
from .._core.errors import ArgumentError, DTypeError, a_type, warn_caller
from .._core.journal import watcher
from .._core.kernels.memory import on_host
from .._core.kernels.reduce import of_all
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
        self._unseen = frozenset({"pred", "label"})

    #: The arguments whose values no call has looked at; none in pickles of version 0.2.
    _unseen: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(batch_axis={self._batch_axis}, w={self._weight})"

    def _expect(self, name: str, x: Any, way_out: str) -> None:
        """Warn if values of the argument `name` are not from 0 to 1 in the first call."""
        raw = self._first(name, x)
        if raw is not None and (raw.min() < -0.01 or raw.max() > 1.01):
            value = raw.min() if raw.min() < -0.01 else raw.max()
            warn_caller(f"{type(self).__name__}: {name} has the value {value:.4g}; {way_out}")

    def _expect_logarithms(self, pred: Any, axis: int) -> None:
        """Warn if `pred` are no logarithms of probabilities in the first call."""
        raw = self._first("pred", pred)
        if raw is None or not -raw.ndim <= axis < raw.ndim:
            return
        total = np.exp(np.minimum(raw, 80), dtype="float64").sum(axis).max()
        if total > 1.1:
            warn_caller(
                f"{type(self).__name__}: exp(pred) has the sum {total:.4g} over the classes, not 1;"
                " with from_logits=True it takes logarithms of probabilities: give"
                " nd.log_softmax(pred), or make the loss with from_logits=False"
            )

    def _expect_scores(self, pred: Any, axis: int) -> None:
        """Warn if `pred` are probabilities in the first call."""
        raw = self._first("pred", pred)
        if raw is None or not -raw.ndim <= axis < raw.ndim:
            return
        if raw.shape[axis] == 1:
            warn_caller(
                f"{type(self).__name__}: pred of shape {raw.shape} has the scores of one class,"
                " whose softmax is always 1, and the loss is 0; for one score of two classes use"
                " SigmoidBCELoss"
            )
        if raw.shape[axis] < 2:
            return
        sums, shares = raw.sum(axis, dtype="float64"), (raw > 0) & (raw < 1)
        if shares.any() and raw.min() >= 0 and abs(sums - 1).max() < 1e-3:
            warn_caller(
                f"{type(self).__name__}: pred seem to be probabilities, whose sum over the classes"
                " is 1, and the loss applies softmax again: give the scores, or nd.log(pred) to a"
                " loss made with from_logits=True"
            )

    def _expect_signs(self, label: Any, way_out: str) -> None:
        """Warn if labels are 0 and none is -1, or one is beyond -1 or 1, in the first call."""
        raw = self._first("label", label)
        if raw is None or (raw.min() < 0 and abs(raw).max() <= 1):
            return
        if (wrong := raw[(raw == 0) | (abs(raw) > 1)]).size:
            warn_caller(f"{type(self).__name__}: label has the value {wrong[0]:.4g}; {way_out}")

    def _first(self, name: str, x: Any) -> Any:
        """The values of the argument `name` in the first call whose values are known, or None."""
        if name not in self._unseen or not isinstance(x, Array) or watcher() is not None:
            return None
        self._unseen -= {name}
        raw = on_host(of_all(x.raw))
        return raw if isinstance(raw, np.ndarray) and raw.size else None

    def _mean(self, F: Any, loss: Any, sample_weight: Any) -> Any:
        """Return the weighted `loss`, averaged over all axes except the batch axis."""
        weighted = _apply_weighting(F, loss, self._weight, sample_weight)
        return F.mean(weighted, axis=self._batch_axis, exclude=True)


def _apply_weighting(F: Any, loss: Any, weight: Any = None, sample_weight: Any = None) -> Any:
    """Multiply `loss` by an array that broadcasts and by a number, if they are given."""
    if sample_weight is not None:
        if not isinstance(loss, Symbolic):
            _check_weight(loss.shape, getattr(sample_weight, "shape", ()))
        loss = F.broadcast_mul(loss, sample_weight)
    return loss if weight is None else loss * weight


def _check_weight(shape: tuple[int, ...], given: tuple[int, ...]) -> None:
    """Warn if one weight for each sample is read as one for each place of the last axis.

    Of other lengths, such weights make the loss larger where its last axis has the length 1.
    """
    pairs = [*zip(given[::-1], shape[::-1])]
    is_larger = len(given) > len(shape) or any(m == 1 < n for n, m in pairs)
    if is_larger and all(m == n or 1 in (m, n) for n, m in pairs):
        warn_caller(
            f"sample_weight of shape {given} repeats a loss of shape {shape}; for a weight of each"
            f" sample give one of shape {(shape[0], *[1] * (len(shape) - 1)) if shape else ()}"
        )
    elif len(shape) > 1 and given == shape[:1] == shape[-1:] and given != (1,):
        column = (-1, *[1] * (len(shape) - 1))
        warn_caller(
            f"sample_weight of shape {given} multiplies the last axis of a loss of shape {shape};"
            f" for a weight of each sample give sample_weight.reshape({column})"
        )


def check_arrays(**given: Any) -> None:
    """Raise if an argument is no array."""
    for name, one in given.items():
        if not isinstance(one, (Array, Symbolic)):
            raise DTypeError(f"{name} is {a_type(one)}; pass an array, such as nd.array(...)")


def _reshape_like(
    F: Any, x: Any, y: Any, way_out: str = "give one for each; class numbers are for SoftmaxCELoss"
) -> Any:
    """Reshape `x`, the label, to the shape of `y`, the prediction; an error says the way out."""
    if isinstance(x, Symbolic):
        return F.reshape_like(x, y)
    check_arrays(label=x, pred=y)
    if x.size != y.size:
        raise ArgumentError(
            f"a label of shape {x.shape} for predictions of shape {y.shape}: the numbers of values"
            f" differ; {way_out}"
        )
    return x if x.shape == y.shape else F.reshape_like(x, y)


def tiny(x: Any) -> float:
    """A number that keeps logarithms and quotients finite: 1e-12, or the smallest float16."""
    return 6e-8 if not isinstance(x, Symbolic) and x.dtype == np.float16 else 1e-12
