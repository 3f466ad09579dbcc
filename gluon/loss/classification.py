"""Losses for classification."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.arrays.interfaces import Symbolic
from .._core.arrays.laxness import out_of_range, outside
from .._core.errors import ArgumentError, IndexRangeError
from .._core.kernels.memory import on_host
from .._core.kernels.reduce import kept_shape, surely
from .._core.ops.outputs import cross_entropy
from .base import Loss, _apply_weighting, _reshape_like, check_arrays, tiny

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..block.naming import Naming


class SoftmaxCrossEntropyLoss(Loss):
    """Cross entropy between labels and the softmax of predictions.

    A label that is not a class raises an error, unless its `sample_weight` is 0 (padding). With
    `util.set_clip_indices` it is clipped to the nearest class, as in MXNet.

    Parameters
    ----------
    axis : int, default -1
        The axis of the classes.
    sparse_label : bool, default True
        Whether labels are class indices; otherwise they are probabilities.
    from_logits : bool, default False
        Whether predictions are log-probabilities, such as the result of `nd.log_softmax`.
    weight : float, optional
        A factor of the loss.
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
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._axis, self._sparse_label, self._from_logits = axis, sparse_label, from_logits

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The loss of each sample.

        Parameters
        ----------
        F : module
        pred : NDArray of shape (batch, ..., classes), of a floating dtype
        label : NDArray of shape (batch, ...), or of the shape of `pred`, of any dtype
            Class indices, or probabilities for ``sparse_label=False``.
        sample_weight : NDArray of any dtype, optional
            Of a shape that broadcasts to (batch, ..., 1).

        Returns
        -------
        NDArray of shape (batch,)

        Raises
        ------
        IndexRangeError
            If a label whose weight is not 0 is not a class.
        """
        is_symbol = isinstance(pred, Symbolic)
        if self._from_logits:
            self._expect_logarithms(pred, self._axis)
        elif "pred" in self._unseen:
            self._expect_scores(pred, self._axis)
        if self._sparse_label and not is_symbol:
            _check_classes(label, pred.shape, self._axis, sample_weight)
        elif not self._from_logits:
            pred = F.log_softmax(pred, axis=self._axis)
        if self._sparse_label and (self._from_logits or is_symbol):
            loss = -F.pick(pred, label, axis=self._axis, keepdims=True)
        elif self._sparse_label:
            loss = cross_entropy(pred, label, axis=self._axis)
        else:
            label = _reshape_like(F, label, pred, "class numbers need sparse_label=True")
            loss = -F.sum(pred * label, axis=self._axis, keepdims=True)
        return self._mean(F, loss, sample_weight)


def _check_classes(label: Any, shape: tuple[int, ...], axis: int, sample_weight: Any) -> None:
    """Raise if a label with nonzero weight is not a class of predictions of `shape`."""
    if not -len(shape) <= axis < len(shape):
        raise IndexRangeError(f"axis={axis} is out of range for pred of shape {shape}")
    if len(getattr(label, "shape", ())) > len(shape):
        raise ArgumentError(
            f"label has shape {label.shape} and pred {shape}: pred comes first, as in"
            " loss(pred, label), and has one more axis, that of the classes"
        )
    classes = shape[axis]
    if classes > 1 and getattr(label, "shape", None) == shape:
        raise ArgumentError(
            f"label has the shape {shape} of pred, and is read as class numbers, which have no axis"
            " of classes; for probabilities and one-hot labels make the loss with"
            " sparse_label=False"
        )
    if len(shape) > 2 and _is_of_axis_1(getattr(label, "shape", None), shape, axis):
        raise ArgumentError(
            f"label of shape {label.shape} does not fit pred of shape {shape} with the classes on"
            f" axis {axis}; if they are on axis 1, make the loss with axis=1"
        )
    places = outside(label, classes)
    if places is None:
        return
    if sample_weight is not None:
        weight = on_host(getattr(sample_weight, "raw", sample_weight))
        try:
            counts = np.broadcast_to(weight != 0, kept_shape(axis, shape))
            places &= counts.reshape(places.shape)
        except ValueError:  # the operators will raise the error about the shapes
            return
    if not surely(~places.any()):
        raise out_of_range(
            *("label", label, classes, "classes"),
            "classes count from 0, and labels that pad need sample_weight 0",
            places,
        )


def _is_of_axis_1(label: Any, shape: tuple[int, ...], axis: int) -> bool:
    """Whether labels of this shape fit classes on the axis 1, and not on `axis`."""
    place = axis % len(shape)
    return bool(label == shape[:1] + shape[2:] != shape[:place] + shape[place + 1 :])


#: What to do with scores that are given as probabilities.
SIGMOID = (
    "with from_sigmoid=True it takes probabilities, from 0 to 1: give nd.sigmoid(pred), or make the"
    " loss with from_sigmoid=False"
)


class SigmoidBinaryCrossEntropyLoss(Loss):
    """Binary cross entropy between labels in [0, 1] and the sigmoid of predictions.

    Parameters
    ----------
    from_sigmoid : bool, default False
        Whether predictions are probabilities; otherwise the sigmoid is part of the loss, computed
        stably.
    weight : float, optional
        A factor of the loss.
    batch_axis : int, default 0
        The axis of the samples; the loss is the mean over the others.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import loss, nd
    >>> bce = loss.SigmoidBinaryCrossEntropyLoss()
    >>> bce(nd.array([[0], [-99]]), nd.array([[1], [1]])).asnumpy().round(3)
    array([ 0.693, 99.   ], dtype=float32)
    """

    def __init__(
        self,
        from_sigmoid: bool = False,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Unpack[Naming],
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
        pred : NDArray of any shape and floating dtype
        label : NDArray of the shape of `pred`, or with as many values, of any dtype
        sample_weight : NDArray of a shape that broadcasts to that of `pred`, of any dtype, optional
        pos_weight : NDArray of a shape that broadcasts to that of `pred`, of any dtype, optional
            A factor of the loss of positive labels.

        Returns
        -------
        NDArray of shape (batch,)
        """
        label = _reshape_like(F, label, pred)
        if sample_weight is None:
            self._expect("label", label, "each label is 0, 1 or a probability")
        if self._from_sigmoid:
            self._expect("pred", pred, SIGMOID)
            least = tiny(pred)
            positive = F.log(pred + least) * label
            if pos_weight is not None:
                positive = F.broadcast_mul(positive, pos_weight)
            loss = -(positive + F.log(1 - pred + least) * (1 - label))
        else:
            loss = _surprise(F, pred, label, pos_weight)
        return self._mean(F, loss, sample_weight)


def _surprise(F: Any, pred: Any, label: Any, pos_weight: Any = None) -> Any:
    """Return the cross entropy of `label` and the sigmoid of `pred`, stable for large `pred`."""
    tail = F.Activation(-F.abs(pred), act_type="softrelu")
    if pos_weight is None:
        return F.relu(pred) - pred * label + tail
    factor = 1 + F.broadcast_mul(pos_weight - 1, label)
    return pred - pred * label + factor * (tail + F.relu(-pred))


class KLDivLoss(Loss):
    """Kullback-Leibler divergence, ``label * (log(label) - pred)``.

    Parameters
    ----------
    from_logits : bool, default True
        Whether predictions are log-probabilities; otherwise their log-softmax is used.
    axis : int, default -1
        The axis of the classes, for the softmax.
    weight : float, optional
        A factor of the loss.
    batch_axis : int, default 0
        The axis of the samples; the loss is the sum over the others.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import loss, nd
    >>> label = nd.array([[0.5, 0.5], [1, 0]])
    >>> loss.KLDivLoss(from_logits=False)(nd.zeros((2, 2)), label).asnumpy().round(3)
    array([0.   , 0.693], dtype=float32)
    """

    def __init__(
        self,
        from_logits: bool = True,
        axis: int = -1,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._from_logits, self._axis = from_logits, axis

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The loss of each sample.

        Parameters
        ----------
        F : module
        pred : NDArray of any shape and floating dtype
        label : NDArray of the shape of `pred`, of any dtype
            Probabilities.
        sample_weight : NDArray of a shape that broadcasts to that of `pred`, of any dtype, optional

        Returns
        -------
        NDArray of shape (batch,)
        """
        if self._from_logits:
            self._expect_logarithms(pred, self._axis)
        else:
            pred = F.log_softmax(pred, axis=self._axis)
        check_arrays(label=label)
        if not isinstance(pred, Symbolic) and label.shape != pred.shape[-len(label.shape) :]:
            label = _reshape_like(F, label, pred)
        loss = label * (F.log(label + tiny(label)) - pred)
        loss = _apply_weighting(F, loss, self._weight, sample_weight)
        return F.sum(loss, axis=self._batch_axis, exclude=True)


class HingeLoss(Loss):
    """Hinge loss: ``max(0, margin - pred * label)``.

    Parameters
    ----------
    margin : float, default 1
    weight : float, optional
        A factor of the loss.
    batch_axis : int, default 0
        The axis of the samples; the loss is the mean over the others.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import loss, nd
    >>> loss.HingeLoss()(nd.array([0.25, -3, 2]), nd.array([1, 1, 1])).asnumpy()
    array([0.75, 4.  , 0.  ], dtype=float32)
    """

    def __init__(
        self,
        margin: float = 1,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The loss of each sample.

        Parameters
        ----------
        F : module
        pred : NDArray of any shape and floating dtype
        label : NDArray of the shape of `pred`, or with as many values, of any dtype
            Each 1 or -1.
        sample_weight : NDArray of a shape that broadcasts to that of `pred`, of any dtype, optional

        Returns
        -------
        NDArray of shape (batch,)
        """
        return self._mean(F, self._lack(F, pred, label, sample_weight), sample_weight)

    def _lack(self, F: Any, pred: Any, label: Any, sample_weight: Any) -> Any:
        if sample_weight is None:
            self._expect_signs(label, "each label is 1 or -1, as in 2 * label - 1")
        return F.relu(self._margin - pred * _reshape_like(F, label, pred))


class SquaredHingeLoss(HingeLoss):
    """Squared hinge loss: ``max(0, margin - pred * label) ** 2``.

    Parameters
    ----------
    margin : float, default 1
    weight : float, optional
        A factor of the loss.
    batch_axis : int, default 0
        The axis of the samples; the loss is the mean over the others.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import loss, nd
    >>> loss.SquaredHingeLoss()(nd.array([0.5, -3, 2]), nd.array([1, 1, 1])).asnumpy()
    array([ 0.25, 16.  ,  0.  ], dtype=float32)
    """

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The loss of each sample; the arguments are those of `HingeLoss`."""
        lack = self._lack(F, pred, label, sample_weight)
        return self._mean(F, F.square(lack), sample_weight)


class LogisticLoss(Loss):
    """Logistic loss: ``log(1 + exp(-pred * label))``, computed stably.

    Parameters
    ----------
    weight : float, optional
        A factor of the loss.
    batch_axis : int, default 0
        The axis of the samples; the loss is the mean over the others.
    label_format : {'signed', 'binary'}
        Whether labels are 1 and -1, or 1 and 0.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `label_format` is neither of these.

    Examples
    --------
    >>> from gluon import loss, nd
    >>> loss.LogisticLoss()(nd.array([0, 99]), nd.array([1, -1])).asnumpy().round(3)
    array([ 0.693, 99.   ], dtype=float32)
    """

    def __init__(
        self,
        weight: float | None = None,
        batch_axis: int = 0,
        label_format: str = "signed",
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        if label_format not in ("signed", "binary"):
            raise ArgumentError(
                f"LogisticLoss: label_format is 'signed' or 'binary', not {label_format!r}"
            )
        self._label_format = label_format

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The loss of each sample.

        Parameters
        ----------
        F : module
        pred : NDArray of any shape and floating dtype
        label : NDArray of the shape of `pred`, or with as many values, of any dtype
            Each 1 or -1; 1 or 0 if they are ``binary``.
        sample_weight : NDArray of a shape that broadcasts to that of `pred`, of any dtype, optional

        Returns
        -------
        NDArray of shape (batch,)
        """
        label = _reshape_like(F, label, pred)
        if sample_weight is None and self._label_format == "signed":
            self._expect_signs(label, "make the loss with label_format='binary'")
        elif sample_weight is None:
            self._expect("label", label, "each label is 0 or 1; signs need label_format='signed'")
        if self._label_format == "signed":
            label = (label + 1) / 2
        return self._mean(F, _surprise(F, pred, label), sample_weight)


SoftmaxCELoss = SoftmaxCrossEntropyLoss
SigmoidBCELoss = SigmoidBinaryCrossEntropyLoss
