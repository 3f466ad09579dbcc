"""`BatchProcessor`: the processing of one batch in an estimator."""

from __future__ import annotations

from typing import Any

from ... import autograd
from ..._core.arrays import Context
from ...utils import split_and_load

Parts = list[Any]


class BatchProcessor:
    """Processes one batch for an `Estimator`; override the methods for other kinds of batches.

    Examples
    --------
    >>> from gluon.contrib.estimator import BatchProcessor
    >>> class Autoencoding(BatchProcessor):
    ...     def _get_data_and_label(self, batch, ctx, batch_axis=0):
    ...         return super()._get_data_and_label([batch, batch], ctx, batch_axis)
    >>> from gluon import Trainer, loss, nd, nn
    >>> from gluon.contrib.estimator import Estimator
    >>> net = nn.Dense(3)
    >>> net.initialize()
    >>> processor, trainer = Autoencoding(), Trainer(net.collect_params(), "sgd")
    >>> estimator = Estimator(net, loss.L2Loss(), trainer=trainer, batch_processor=processor)
    >>> data, labels, outputs, losses = processor.fit_batch(estimator, nd.ones((2, 3)))
    >>> outputs[0].shape, labels[0].shape, losses[0].shape
    ((2, 3), (2, 3), (2,))
    >>> parts = processor.evaluate_batch(estimator, nd.ones((2, 3)))
    >>> [part[0].shape for part in parts]
    [(2, 3), (2, 3), (2, 3), (2,)]
    """

    def _get_data_and_label(
        self, batch: Any, ctx: list[Context], batch_axis: int = 0
    ) -> tuple[Parts, Parts]:
        """Split the data and the labels of a batch among the contexts."""
        data, label = (split_and_load(one, ctx, batch_axis) for one in (batch[0], batch[1]))
        return data, label

    def evaluate_batch(
        self, estimator: Any, val_batch: Any, batch_axis: int = 0
    ) -> tuple[Parts, Parts, Parts, Parts]:
        """Compute the outputs and losses of a batch.

        Parameters
        ----------
        estimator : Estimator
        val_batch : sequence of NDArray of shape (batch, ...), of any dtype
            The data and the labels.
        batch_axis : int, default 0
            The axis along which to split batches among several contexts.

        Returns
        -------
        tuple of four lists of NDArray
            Data, labels, predictions and losses, with one array of shape (batch, ...) for each
            context.
        """
        data, label = self._get_data_and_label(val_batch, estimator.context, batch_axis)
        pred = [estimator.val_net(x) for x in data]
        loss = [estimator.val_loss(y_hat, y) for y_hat, y in zip(pred, label)]
        return data, label, pred, loss

    def fit_batch(
        self, estimator: Any, train_batch: Any, batch_axis: int = 0
    ) -> tuple[Parts, Parts, Parts, Parts]:
        """Compute the outputs, losses and gradients of a batch.

        Parameters
        ----------
        estimator : Estimator
        train_batch : sequence of NDArray of shape (batch, ...), of any dtype
            The data and the labels.
        batch_axis : int, default 0
            The axis along which to split batches among several contexts.

        Returns
        -------
        tuple of four lists of NDArray
            Data, labels, predictions and losses, with one array of shape (batch, ...) for each
            context.
        """
        data, label = self._get_data_and_label(train_batch, estimator.context, batch_axis)
        with autograd.record():
            pred = [estimator.net(x) for x in data]
            loss = [estimator.loss(y_hat, y) for y_hat, y in zip(pred, label)]
        for one in loss:
            one.backward()
        return data, label, pred, loss
