"""Losses for regression."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .._core.errors import ArgumentError, warn_caller
from .base import Loss, _apply_weighting, _reshape_like

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..block.naming import Naming


class L2Loss(Loss):
    """Half the squared error.

    Parameters
    ----------
    weight : float, default 1
        A factor of the loss.
    batch_axis : int, default 0
        The axis of the samples; the loss is the mean over the others.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import loss, nd
    >>> loss.L2Loss()(nd.array([1, 2]), nd.array([1, 4])).asnumpy()
    array([0., 2.], dtype=float32)
    """

    def __init__(
        self, weight: float | None = 1.0, batch_axis: int = 0, **kwargs: Unpack[Naming]
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The loss of each sample.

        Parameters
        ----------
        F : module
        pred : NDArray of any shape and floating dtype
        label : NDArray of the shape of `pred`, or with as many values, of any dtype
        sample_weight : NDArray of a shape that broadcasts to that of `pred`, of any dtype, optional

        Returns
        -------
        NDArray of shape (batch,)
        """
        return self._mean(F, F.square(_reshape_like(F, label, pred) - pred) / 2, sample_weight)


class L1Loss(Loss):
    """Absolute error.

    Parameters
    ----------
    weight : float, optional
        A factor of the loss.
    batch_axis : int, default 0
        The axis of the samples; the loss is the mean over the others.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import loss, nd
    >>> loss.L1Loss()(nd.array([[1, 2]]), nd.array([[1, 4]])).asnumpy()
    array([1.], dtype=float32)
    """

    def __init__(
        self, weight: float | None = None, batch_axis: int = 0, **kwargs: Unpack[Naming]
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The loss of each sample; the arguments are those of `L2Loss`."""
        return self._mean(F, F.abs(_reshape_like(F, label, pred) - pred), sample_weight)


class HuberLoss(Loss):
    """Huber loss: quadratic for small differences, linear for large ones.

    With ``d = |label - pred|``: ``d**2 / (2 * rho)`` up to `rho`, and ``d - rho / 2`` beyond.

    Parameters
    ----------
    rho : float, default 1
        The difference where the loss changes from quadratic to linear; positive.
    weight : float, optional
        A factor of the loss.
    batch_axis : int, default 0
        The axis of the samples; the loss is the mean over the others.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `rho` is not positive.

    Examples
    --------
    >>> from gluon import loss, nd
    >>> loss.HuberLoss()(nd.array([0, 0]), nd.array([0.5, 4])).asnumpy()
    array([0.125, 3.5  ], dtype=float32)
    """

    def __init__(
        self,
        rho: float = 1,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        if not rho > 0:
            raise ArgumentError(f"HuberLoss: rho must be positive, got {rho}; L1Loss is its limit")
        self._rho = rho

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The loss of each sample; the arguments are those of `L2Loss`."""
        away = _reshape_like(F, label, pred) - pred
        near = F.clip(away, -self._rho, self._rho)  # avoids the square of a large number
        return self._mean(F, (away - near / 2) * near / self._rho, sample_weight)


class PoissonNLLLoss(Loss):
    """Negative log-likelihood of counts under Poisson distributions.

    With the rate ``r`` it is ``r - target * log(r)``, and with `compute_full` also
    ``log(target!)`` in Stirling's approximation, for targets above 1:
    ``target * log(target) - target + log(2 * pi * target) / 2``.

    Parameters
    ----------
    weight : float, optional
        A factor of the loss.
    from_logits : bool, default True
        Whether predictions are logarithms of the rates; otherwise they are the rates.
    batch_axis : int, default 0
        Ignored: the loss is the mean over all axes.
    compute_full : bool, default False
        Whether to add the term that does not depend on predictions.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import loss, nd
    >>> loss.PoissonNLLLoss(from_logits=False)(nd.array([1, 1]), nd.array([0, 3])).asnumpy()
    array([1.], dtype=float32)
    """

    def __init__(
        self,
        weight: float | None = None,
        from_logits: bool = True,
        batch_axis: int = 0,
        compute_full: bool = False,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._from_logits, self._compute_full = from_logits, compute_full

    def hybrid_forward(
        self, F: Any, pred: Any, target: Any, sample_weight: Any = None, epsilon: float = 1e-8
    ) -> Any:
        """The mean loss of all predictions.

        Parameters
        ----------
        F : module
        pred : NDArray of any shape and floating dtype
        target : NDArray of the shape of `pred`, or with as many values, of any dtype
        sample_weight : NDArray of a shape that broadcasts to that of `pred`, of any dtype, optional
        epsilon : float, default 1e-8
            Added to the rates before taking the logarithm.

        Returns
        -------
        NDArray of shape (1,)
        """
        target = _reshape_like(F, target, pred)
        counts = self._first("label", target) if sample_weight is None else None
        if counts is not None and counts.min() < 0:
            warn_caller(
                f"PoissonNLLLoss: target has the value {counts.min():.4g}; targets are counts, 0 or"
                " more"
            )
        if self._from_logits:
            loss = F.exp(pred) - target * pred
        else:
            loss = pred - target * F.log(pred + epsilon)
        if self._compute_full:
            many = F.maximum(target, 1)
            factorial = many * F.log(many) - many + F.log(many * (2 * math.pi)) / 2
            loss = loss + F.where(target > 1, factorial, F.zeros_like(factorial))
        return F.mean(_apply_weighting(F, loss, self._weight, sample_weight))
