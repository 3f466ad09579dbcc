"""Losses for similarity of vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._core.arrays.interfaces import Symbolic
from .._core.errors import ArgumentError
from .base import Loss, _apply_weighting, _reshape_like, tiny
from .classification import KLDivLoss

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..block.naming import Naming


class TripletLoss(Loss):
    """Triplet loss: predictions must be nearer to positive than to negative examples, by a margin.

    ``max(0, |positive - pred|**2 - |negative - pred|**2 + margin)``, the squares summed over all
    axes but that of the batch.

    Parameters
    ----------
    margin : float, default 1
        The margin of the squared distances.
    weight : float, optional
        A factor of the loss.
    batch_axis : int, default 0
        The axis of the samples.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import loss, nd
    >>> pred, positive, negative = nd.array([[0, 0]]), nd.array([[1, 1]]), nd.array([[0, 2]])
    >>> loss.TripletLoss(margin=3)(pred, positive, negative).asnumpy()
    array([1.], dtype=float32)
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

    def hybrid_forward(self, F: Any, pred: Any, positive: Any, negative: Any) -> Any:
        """The loss of each sample.

        Parameters
        ----------
        F : module
        pred : NDArray of any shape and floating dtype
        positive, negative : NDArray of as many values, in any shape and dtype

        Returns
        -------
        NDArray of shape (batch,)
        """
        near = F.square(_reshape_like(F, positive, pred) - pred)
        far = F.square(_reshape_like(F, negative, pred) - pred)
        gap = F.sum(near - far, axis=self._batch_axis, exclude=True)
        return _apply_weighting(F, F.relu(gap + self._margin), self._weight)


class CosineEmbeddingLoss(Loss):
    """Cosine loss: 1 minus the cosine for similar pairs, the cosine above a margin for others.

    ``1 - cos`` for the label 1, ``max(0, cos - margin)`` for the label -1, 0 for others.

    Parameters
    ----------
    weight : float, optional
        A factor of the loss.
    batch_axis : int, default 0
        Ignored: the vectors are along the last axis.
    margin : float, default 0
        Pairs with the label -1 have no loss up to this cosine.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import loss, nd
    >>> one, other = nd.array([[3, 4], [3, 4]]), nd.array([[1, 0], [0, 1]])
    >>> loss.CosineEmbeddingLoss()(one, other, nd.array([1, -1])).asnumpy().round(3)
    array([[0.4],
           [0.8]], dtype=float32)
    """

    def __init__(
        self,
        weight: float | None = None,
        batch_axis: int = 0,
        margin: float = 0,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(
        self, F: Any, input1: Any, input2: Any, label: Any, sample_weight: Any = None
    ) -> Any:
        """The loss of each pair of vectors.

        Parameters
        ----------
        F : module
        input1, input2 : NDArray of shape (..., channels), with as many values, floating
        label : NDArray of any shape and dtype, with one value, 1 or -1, for each pair
        sample_weight : NDArray of a shape that broadcasts to (pairs, 1), of any dtype, optional

        Returns
        -------
        NDArray of shape (pairs, 1)
        """
        one, other = _reshape_like(F, input1, input2), input2
        if sample_weight is None:
            self._expect_signs(label, "each label is 1 or -1, and others give the loss 0")
        label = F.reshape(label, shape=(-1, 1))
        product = F.reshape(F.sum(one * other, axis=-1), shape=(-1, 1))
        lengths = _length(F, one) * _length(F, other)
        cosine = product / F.maximum(lengths, tiny(lengths)) * (lengths > 0)
        alike = F.broadcast_mul(1 - cosine, label == 1)
        different = F.broadcast_mul(F.relu(cosine - self._margin), label == -1)
        return _apply_weighting(F, alike + different, self._weight, sample_weight)


def _length(F: Any, x: Any) -> Any:
    """Return the norms of the rows of `x`; the gradient at 0 is 0."""
    square = F.reshape(F.sum(F.square(x), axis=-1), shape=(-1, 1))
    positive = square > 0
    return F.sqrt(F.where(positive, square, F.ones_like(square))) * positive


class SDMLLoss(Loss):
    """Smoothed deep metric learning loss for batches of aligned pairs.

    Row i of one array belongs to row i of the other. The loss is the Kullback-Leibler divergence
    between the softmax of the negative squared distances from a row to all rows of the other
    array, and the target: ``1 - smoothing_parameter`` for its own row, with the rest spread evenly
    over the others. See "Large scale question paraphrase retrieval with smoothed deep metric
    learning", 2019.

    Parameters
    ----------
    smoothing_parameter : float, default 0.3
        At least 0 and below 1.
    weight : float, default 1
        A factor of the loss.
    batch_axis : int, default 0
        Ignored: the samples are rows.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `smoothing_parameter` is below 0, or not below 1.

    Examples
    --------
    >>> from gluon import loss, nd
    >>> one, other = nd.array([[0, 0], [4, 4]]), nd.array([[0, 1], [4, 3]])
    >>> loss.SDMLLoss(smoothing_parameter=0)(one, other).asnumpy().round(3)
    array([0., 0.], dtype=float32)
    """

    kl_loss: KLDivLoss

    def __init__(
        self,
        smoothing_parameter: float = 0.3,
        weight: float | None = 1.0,
        batch_axis: int = 0,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        if not 0 <= smoothing_parameter < 1:
            raise ArgumentError(
                f"SDMLLoss: smoothing_parameter is at least 0 and below 1, not"
                f" {smoothing_parameter}"
            )
        self.smoothing_parameter = smoothing_parameter
        self.kl_loss = KLDivLoss(from_logits=True)

    def hybrid_forward(self, F: Any, x1: Any, x2: Any) -> Any:
        """The loss of each row of `x1`.

        Parameters
        ----------
        F : module
        x1, x2 : NDArray of shape (batch, channels), of a floating dtype
            At least two rows.

        Returns
        -------
        NDArray of shape (batch,)

        Raises
        ------
        ArgumentError
            If there is only one row.
        """
        is_symbol = isinstance(x1, Symbolic)
        if not is_symbol and x1.shape[0] < 2:
            raise ArgumentError(
                f"SDMLLoss needs at least 2 pairs of vectors; x1 has shape {x1.shape}"
            )
        dtype = "float32" if is_symbol else x1.dtype
        # |a - b|^2 = |a|^2 + |b|^2 - 2 a b, in float64 because the terms cancel.
        one, other = (F.cast(x, dtype="float64") for x in (x1, x2))
        lengths = [F.sum(F.square(x), axis=1, keepdims=True) for x in (one, other)]
        apart = F.broadcast_add(lengths[0], F.transpose(lengths[1]))
        apart = apart - 2 * F.dot(one, other, transpose_b=True)
        logits = F.log_softmax(-F.cast(apart, dtype=dtype), axis=1)
        rows = F.contrib.arange_like(F.cast(x1, dtype="float32"), axis=0)
        pairs = F.broadcast_equal(F.reshape(rows, shape=(-1, 1)), F.reshape(rows, shape=(1, -1)))
        own = F.cast(pairs, dtype=dtype)
        rest = self.smoothing_parameter / (F.sum(own, axis=(0, 1), keepdims=True) - 1)
        labels = own * (1 - self.smoothing_parameter) + F.broadcast_mul(1 - own, rest)
        return _apply_weighting(F, self.kl_loss(logits, labels), self._weight)
