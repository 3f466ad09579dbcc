"""Losses: one number for each sample of a batch."""

from __future__ import annotations

from numbers import Number
from typing import Any

from .block import HybridBlock
from .engine.errors import DTypeError

__all__ = [
    "L1Loss",
    "L2Loss",
    "Loss",
    "SigmoidBCELoss",
    "SigmoidBinaryCrossEntropyLoss",
    "SoftmaxCELoss",
    "SoftmaxCrossEntropyLoss",
]


class Loss(HybridBlock):
    """Base of all losses.

    Parameters
    ----------
    weight : float or None
        A factor on the loss.
    batch_axis : int
        The axis of the samples; the loss is the mean over the others.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    DTypeError
        If `weight` is not a number.
    """

    def __init__(self, weight: float | None, batch_axis: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if weight is not None and not isinstance(weight, Number):
            raise DTypeError(
                f"{type(self).__name__}: weight is a number or None, not a"
                f" {type(weight).__name__}; weights of single samples are the last argument of a"
                " call, sample_weight"
            )
        self._weight, self._batch_axis = weight, batch_axis

    def __repr__(self) -> str:
        return f"{type(self).__name__}(batch_axis={self._batch_axis}, w={self._weight})"


def _mean(F: Any, function: Loss, loss: Any, weight: Any, sample_weight: Any) -> Any:
    """The weighted `loss`, averaged over all axes but that of the batch."""
    if sample_weight is not None:
        loss = F.broadcast_mul(loss, sample_weight)
    if weight is not None:
        loss = loss * weight
    return F.mean(loss, axis=function._batch_axis, exclude=True)


def _like(F: Any, label: Any, pred: Any) -> Any:
    return label if label.shape == pred.shape else F.reshape_like(label, pred)


class L2Loss(Loss):
    """Half the squared difference.

    Parameters
    ----------
    weight : float, default 1
        A factor on the loss.
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

    def __init__(self, weight: float | None = 1.0, batch_axis: int = 0, **kwargs: Any) -> None:
        super().__init__(weight, batch_axis, **kwargs)

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The loss of each sample.

        Parameters
        ----------
        F : module
        pred : NDArray
        label : NDArray with as many values
        sample_weight : NDArray that broadcasts to `pred`, optional

        Returns
        -------
        NDArray of shape (batch,)
        """
        loss = F.square(_like(F, label, pred) - pred)
        weight = None if self._weight is None else self._weight / 2
        return _mean(F, self, loss, weight, sample_weight)


class L1Loss(Loss):
    """The absolute difference.

    Parameters
    ----------
    weight : float, optional
        A factor on the loss.
    batch_axis : int, default 0
        The axis of the samples; the loss is the mean over the others.
    **kwargs
        ``prefix`` and ``params``; see `Block`.
    """

    def __init__(self, weight: float | None = None, batch_axis: int = 0, **kwargs: Any) -> None:
        super().__init__(weight, batch_axis, **kwargs)

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The loss of each sample; the arguments are those of `L2Loss`."""
        loss = F.abs(_like(F, label, pred) - pred)
        return _mean(F, self, loss, self._weight, sample_weight)


class SoftmaxCrossEntropyLoss(Loss):
    """The cross entropy between labels and the softmax of predictions.

    Parameters
    ----------
    axis : int, default -1
        The axis of the classes.
    sparse_label : bool, default True
        Whether labels are the numbers of the classes; otherwise they are probabilities.
    from_logits : bool, default False
        Whether predictions are logarithms of probabilities already.
    weight : float, optional
        A factor on the loss.
    batch_axis : int, default 0
        The axis of the samples; the loss is the mean over the others.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import loss, nd
    >>> pred = nd.array([[10, 0], [0, 0]])
    >>> loss.SoftmaxCrossEntropyLoss()(pred, nd.array([0, 1])).asnumpy().round(3)
    array([0.   , 0.693], dtype=float32)
    """

    def __init__(
        self,
        axis: int = -1,
        sparse_label: bool = True,
        from_logits: bool = False,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._axis, self._sparse_label, self._from_logits = axis, sparse_label, from_logits

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The loss of each sample.

        Parameters
        ----------
        F : module
        pred : NDArray of shape (batch, ..., classes)
        label : NDArray of shape (batch, ...), or of the shape of `pred`
            Numbers, or probabilities for ``sparse_label=False``.
        sample_weight : NDArray that broadcasts to (batch, ..., 1), optional

        Returns
        -------
        NDArray of shape (batch,)
        """
        if not self._from_logits:
            pred = F.log_softmax(pred, axis=self._axis)
        if self._sparse_label:
            loss = -F.pick(pred, label, axis=self._axis, keepdims=True)
        else:
            loss = -F.sum(pred * _like(F, label, pred), axis=self._axis, keepdims=True)
        return _mean(F, self, loss, self._weight, sample_weight)


class SigmoidBinaryCrossEntropyLoss(Loss):
    """The cross entropy between labels from 0 to 1 and the sigmoid of predictions.

    Parameters
    ----------
    from_sigmoid : bool, default False
        Whether predictions are probabilities already; otherwise a stable formula is used.
    weight : float, optional
        A factor on the loss.
    batch_axis : int, default 0
        The axis of the samples; the loss is the mean over the others.
    **kwargs
        ``prefix`` and ``params``; see `Block`.
    """

    def __init__(
        self,
        from_sigmoid: bool = False,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._from_sigmoid = from_sigmoid

    def hybrid_forward(
        self, F: Any, pred: Any, label: Any, sample_weight: Any = None, pos_weight: Any = None
    ) -> Any:
        """The loss of each sample.

        Parameters
        ----------
        F : module
        pred : NDArray
        label : NDArray with as many values
        sample_weight : NDArray that broadcasts to `pred`, optional
        pos_weight : NDArray that broadcasts to `pred`, optional
            A factor on what positive labels contribute.

        Returns
        -------
        NDArray of shape (batch,)
        """
        label = _like(F, label, pred)
        if self._from_sigmoid:
            tiny = 1e-12
            positive = F.log(pred + tiny) * label
            if pos_weight is not None:
                positive = F.broadcast_mul(positive, pos_weight)
            loss = -(positive + F.log(1 - pred + tiny) * (1 - label))
        else:
            tail = F.Activation(-F.abs(pred), act_type="softrelu")
            if pos_weight is None:
                loss = F.relu(pred) - pred * label + tail
            else:
                factor = 1 + F.broadcast_mul(pos_weight - 1, label)
                loss = pred - pred * label + factor * (tail + F.relu(-pred))
        return _mean(F, self, loss, self._weight, sample_weight)


SoftmaxCELoss = SoftmaxCrossEntropyLoss
SigmoidBCELoss = SigmoidBinaryCrossEntropyLoss
