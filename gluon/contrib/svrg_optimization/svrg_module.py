"""`SVRGModule`: gradients with a variance reduced by those at a snapshot of the weights."""

from __future__ import annotations

from typing import Any

from ..._core.errors import ArgumentError
from ...module import Module

__all__ = ["SVRGModule"]


class SVRGModule(Module):
    """A `Module` that trains with stochastic variance reduced gradients (Johnson and Zhang, 2013).

    Every `update_freq` epochs it saves the weights and their mean gradient over all batches.
    A step then uses ``gradient - gradient at those weights + mean gradient``.

    Parameters
    ----------
    symbol, data_names, label_names, *args, **kwargs
        See `Module`.
    update_freq : int
        Take a snapshot every this many epochs.

    Raises
    ------
    ArgumentError
        If `update_freq` is not a positive int.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import io, sym
    >>> from gluon.contrib.svrg_optimization import SVRGModule
    >>> net = sym.FullyConnected(sym.var("data"), num_hidden=1, name="fc")
    >>> net = sym.LinearRegressionOutput(net, sym.var("label"))
    >>> x = np.arange(8.0).reshape(8, 1) / 8
    >>> batches = io.NDArrayIter(x, 2 * x, batch_size=2, label_name="label")
    >>> model = SVRGModule(net, label_names=["label"], update_freq=2)
    >>> model.fit(batches, num_epoch=60, eval_metric="mse", optimizer_params={"learning_rate": 0.3})
    >>> model.score(batches, "mse")[0][1] < 0.01
    True
    """

    def __init__(
        self,
        symbol: Any,
        data_names: Any = ("data",),
        label_names: Any = ("softmax_label",),
        *args: Any,
        update_freq: int | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(symbol, data_names, label_names, *args, **kwargs)
        if isinstance(update_freq, bool) or not isinstance(update_freq, int) or update_freq < 1:
            raise ArgumentError(f"SVRGModule: update_freq={update_freq!r} must be a positive int")
        self.update_freq = update_freq
        self._mod_aux = Module(symbol, data_names, label_names, *args, **kwargs)
        #: The mean gradients at the snapshot: for each parameter, one per context.
        self._full: Any = None

    def bind(self, data_shapes: Any, label_shapes: Any = None, *args: Any, **kwargs: Any) -> None:
        """Bind the network, and a second time for the snapshot; see `BaseModule.bind`."""
        super().bind(data_shapes, label_shapes, *args, **kwargs)
        if self.for_training:
            kwargs = {**kwargs, "shared_module": None}
            self._mod_aux.bind(data_shapes, label_shapes, *args, **kwargs)

    def reshape(self, data_shapes: Any, label_shapes: Any = None) -> None:
        """Bind to other shapes, with the same parameters; see `Module.reshape`."""
        super().reshape(data_shapes, label_shapes)
        self._mod_aux.reshape(data_shapes, label_shapes)

    def _snapshot(self) -> None:
        self._mod_aux.init_params(None, *self.get_params(), force_init=True)

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Compute the outputs, and in training also those at the snapshot."""
        super().forward(data_batch, is_train)
        if (self.for_training if is_train is None else is_train) and self._full is not None:
            self._mod_aux.forward(data_batch, is_train)

    def backward(self, out_grads: Any = None) -> None:
        """Compute the gradients, with reduced variance once there is a snapshot."""
        super().backward(out_grads)
        if self._full is None:
            return
        self._mod_aux.backward(out_grads)
        there = self._mod_aux._exec_group.grad_arrays
        for grads, others, means in zip(self._exec_group.grad_arrays, there, self._full):
            for grad, other, mean in zip(grads, others, means):
                if grad is not None:
                    grad[:] = grad - other + mean

    def update_full_grads(self, train_data: Any) -> None:
        """Take a snapshot of the weights and their mean gradient over all batches.

        Parameters
        ----------
        train_data : DataIter

        Raises
        ------
        ArgumentError
            If the iterator has no batches.

        Examples
        --------
        >>> import numpy as np
        >>> from gluon import io, sym
        >>> from gluon.contrib.svrg_optimization import SVRGModule
        >>> net = sym.FullyConnected(sym.var("data"), num_hidden=1, name="fc")
        >>> net = sym.LinearRegressionOutput(net, sym.var("label"))
        >>> x = np.arange(8.0).reshape(8, 1)
        >>> batches = io.NDArrayIter(x, 2 * x, batch_size=4, label_name="label")
        >>> model = SVRGModule(net, label_names=["label"], update_freq=2)
        >>> model.bind(batches.provide_data, batches.provide_label)
        >>> model.init_params()
        >>> model.update_full_grads(batches)  # `fit` calls it every `update_freq` epochs
        """
        self._snapshot()
        train_data.reset()
        group, total, count = self._mod_aux, None, 0
        for batch in train_data:
            group.forward(batch, is_train=True)
            group.backward()
            grads = group._exec_group.grad_arrays
            now = [[None if one is None else one.copy() for one in each] for each in grads]
            if total is None:
                total = now
            else:
                for sums, each in zip(total, now):
                    for k, one in enumerate(each):
                        if one is not None:
                            sums[k] += one
            count += 1 - (batch.pad or 0) / train_data.batch_size
        if total is None:
            raise ArgumentError("SVRGModule.update_full_grads: the iterator has no batches")
        self._full = [[one if one is None else one / count for one in each] for each in total]
        train_data.reset()

    def _begin_epoch(self, epoch: int, train_data: Any) -> None:
        if epoch % self.update_freq == 0:
            self.update_full_grads(train_data)
