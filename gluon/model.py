"""Checkpoints in MXNet's format, and `FeedForward`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import io
from . import optimizer as optimizers
from ._core.arrays import cpu
from ._core.errors import ArgumentError, DTypeError, a_type
from ._core.hints.called import Called
from ._core.hints.lookup import hinting
from .callback import LogValidationMetricsCallback, save_checkpoint
from .initializer import Uniform
from .module import BatchEndParam, Module
from .module.base import read_params
from .nd import NDArray
from .symbol import load as load_symbol

__all__ = ["BatchEndParam", "FeedForward", "load_checkpoint", "load_params", "save_checkpoint"]

Arrays = dict[str, NDArray]


def load_params(prefix: str, epoch: int) -> tuple[Arrays, Arrays]:
    """Load the parameters of a checkpoint.

    Parameters
    ----------
    prefix : str
    epoch : int

    Returns
    -------
    arg_params, aux_params : dict of str to NDArray of any shape and dtype

    Raises
    ------
    ArgumentError
        If a name in the file starts neither with ``arg:`` nor with ``aux:``.
    MissingFileError
        If the file does not exist.

    Examples
    --------
    >>> import tempfile
    >>> from gluon import model, nd
    >>> prefix = f"{tempfile.mkdtemp()}/net"
    >>> model.save_checkpoint(prefix, 3, None, {"w": nd.ones((2,))}, {"mean": nd.zeros((2,))})
    >>> arg_params, aux_params = model.load_params(prefix, 3)
    >>> arg_params["w"].asnumpy(), list(aux_params)
    (array([1., 1.], dtype=float32), ['mean'])
    """
    return read_params(f"{prefix}-{epoch:04d}.params")


def load_checkpoint(prefix: str, epoch: int) -> tuple[Any, Arrays, Arrays]:
    """Load a network and its parameters from ``prefix-symbol.json`` and ``prefix-0001.params``.

    Parameters
    ----------
    prefix : str
    epoch : int
        The number in the name of the second file.

    Returns
    -------
    symbol : Symbol
    arg_params, aux_params : dict of str to NDArray of any shape and dtype

    Raises
    ------
    ArgumentError
        If a file does not hold a network or its parameters.
    MissingFileError
        If one of the two files is missing.

    Examples
    --------
    >>> import tempfile
    >>> from gluon import model, nd, sym
    >>> prefix = f"{tempfile.mkdtemp()}/net"
    >>> net = sym.FullyConnected(sym.var("data"), num_hidden=1, no_bias=True, name="fc")
    >>> model.save_checkpoint(prefix, 3, net, {"fc_weight": nd.ones((1, 2))}, {})
    >>> symbol, arg_params, aux_params = model.load_checkpoint(prefix, 3)
    >>> symbol.eval(data=nd.array([[1, 2]]), **arg_params)[0].item()
    3.0
    """
    return load_symbol(f"{prefix}-symbol.json"), *load_params(prefix, epoch)


class FeedForward(Called):
    """Trains a symbol on arrays; `Module` has more features.

    Parameters
    ----------
    symbol : Symbol
    ctx : Context or list of Context, default cpu()
    num_epoch : int, optional
        The number of epochs to train.
    epoch_size : int, optional
        The number of batches per epoch; all by default.
    optimizer : str or Optimizer, default 'sgd'
    initializer : Initializer, default Uniform(0.01)
    numpy_batch_size : int, default 128
        The batch size for arrays.
    arg_params, aux_params : dict of str to NDArray of any shape and dtype, optional
        Parameters to start from.
    allow_extra_params : bool, default False
        Whether to skip parameters that the symbol does not have; False raises an error.
    begin_epoch : int, default 0
    **kwargs
        The settings of the optimizer.

    Raises
    ------
    ArgumentError
        If parameters are given that the symbol does not have.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import io, model, sym
    >>> net = sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc")
    >>> net = sym.SoftmaxOutput(net, name="softmax")
    >>> x = np.array([[-1.0], [1], [-2], [2]])
    >>> trained = model.FeedForward(net, num_epoch=20, numpy_batch_size=2, learning_rate=0.5)
    >>> trained.fit(x, x[:, 0] > 0)
    >>> trained.predict(x).argmax(axis=1)
    array([0, 1, 0, 1])
    >>> trained.score(io.NDArrayIter(x, x[:, 0] > 0, batch_size=2))
    1.0
    """

    symbol: Any
    ctx: Any
    kwargs: dict[str, Any]
    num_epoch: int | None
    epoch_size: int | None
    begin_epoch: int
    optimizer: Any
    initializer: Any

    def __init__(
        self,
        symbol: Any,
        ctx: Any = None,
        num_epoch: int | None = None,
        epoch_size: int | None = None,
        optimizer: Any = "sgd",
        initializer: Any = Uniform(0.01),  # noqa: B008
        numpy_batch_size: int = 128,
        arg_params: Arrays | None = None,
        aux_params: Arrays | None = None,
        allow_extra_params: bool = False,
        begin_epoch: int = 0,
        **kwargs: Any,
    ) -> None:
        self.symbol, self.ctx, self.kwargs = symbol, ctx or cpu(), dict(kwargs)
        self.num_epoch, self.epoch_size, self.begin_epoch = num_epoch, epoch_size, begin_epoch
        self.optimizer, self.initializer = optimizer, initializer
        self.numpy_batch_size = numpy_batch_size
        self.arg_params, self.aux_params = arg_params, aux_params
        self.allow_extra_params = allow_extra_params
        known = {*symbol.list_arguments(), *symbol.list_auxiliary_states()}
        unknown = {*(arg_params or ()), *(aux_params or ())} - known
        if unknown and not allow_extra_params:
            raise ArgumentError(
                f"FeedForward: the symbol has no parameters {sorted(unknown)}; pass"
                " allow_extra_params=True"
            )

    def _batches(self, X: Any, y: Any, training: bool) -> Any:
        """Return an iterator over arrays; return an iterator unchanged."""
        if not isinstance(X, (np.ndarray, NDArray)):
            if not hasattr(X, "provide_data"):
                raise DTypeError(f"FeedForward takes arrays or a DataIter, not {a_type(X)}")
            return X
        if y is None:
            if training:
                raise ArgumentError("FeedForward.fit: arrays need labels, y=")
            y = np.zeros(X.shape[0], "float32")
        labels = y if isinstance(y, NDArray) else np.asarray(y)
        if len(labels.shape) == 2 and labels.shape[1] == 1:
            labels = labels.reshape((-1,))
        if len(labels) != X.shape[0]:
            raise ArgumentError(f"FeedForward: {X.shape[0]} samples but {len(labels)} labels")
        size = min(X.shape[0], self.numpy_batch_size)
        rest = "roll_over" if training else "pad"
        return io.NDArrayIter(X, labels, size, shuffle=training, last_batch_handle=rest)

    def _module(
        self, data: Any, logger: Any = logging, absent: Sequence[str] = (), **kwargs: Any
    ) -> Module:
        """Return a module for the arrays of an iterator, which leaves the labels `absent` out."""
        known = self.symbol.list_arguments()
        labels = [one[0] for one in data.provide_label or () if one[0] in known]
        names = [one[0] for one in data.provide_data]
        return Module(self.symbol, names, [*labels, *absent], logger, self.ctx, **kwargs)

    def _labels(self) -> set[str]:
        """The arguments that are labels, by their names or as inputs of losses."""
        found = {name for name in self.symbol.list_arguments() if name.endswith("label")}
        for node, _ in self.symbol._heads:
            found |= {
                entry.node.name
                for name, entry in zip(node.input_names, node.inputs)
                if name == "label" and entry.node.op is None
            }
        return found

    def _predictor(self, data: Any) -> Module:
        given = {one[0] for one in [*data.provide_data, *(data.provide_label or ())]}
        absent = self._labels() - given - {*(self.arg_params or ())}
        made = self._module(data, absent=sorted(absent))
        labels = [one for one in data.provide_label or () if one[0] in made.label_names]
        made.bind(data.provide_data, labels, for_training=False)
        made.init_params(None, self.arg_params or {}, self.aux_params or {}, allow_extra=True)
        return made

    def fit(
        self,
        X: Any,
        y: Any = None,
        eval_data: Any = None,
        eval_metric: Any = "acc",
        epoch_end_callback: Any = None,
        batch_end_callback: Any = None,
        kvstore: Any = "local",
        logger: Any = None,
        work_load_list: Any = None,
        monitor: Any = None,
        eval_end_callback: Any = LogValidationMetricsCallback(),  # noqa: B008
        eval_batch_end_callback: Any = None,
    ) -> None:
        """Train the network.

        Parameters
        ----------
        X : DataIter, or NDArray or numpy.ndarray of shape (samples, ...) and any dtype
        y : NDArray or numpy.ndarray of shape (samples,) and any dtype
            The labels, if `X` is an array.
        eval_data : DataIter, or (X, y), optional
            The data for the evaluation after each epoch.
        eval_metric, epoch_end_callback, batch_end_callback, kvstore, monitor
            See `BaseModule.fit`.
        logger : module or Logger, optional
        work_load_list : list of float, optional
            See `Module`.
        eval_end_callback, eval_batch_end_callback : callable or list of callable
            See `BaseModule.fit`.
        """
        data, held_out = self._batches(X, y, training=True), eval_data
        data.reset()
        if isinstance(eval_data, (tuple, list)):
            held_out = self._batches(eval_data[0], eval_data[1], training=False)
        if self.epoch_size is not None:
            data = io.ResizeIter(data, self.epoch_size, reset_internal=False)
        made = self._module(data, logger or logging, work_load_list=work_load_list)
        rule = self.optimizer
        created = isinstance(rule, type) and optimizers.create(rule.__name__, **self.kwargs)
        if isinstance(eval_end_callback, LogValidationMetricsCallback):
            eval_end_callback = None  # `Module.fit` logs them
        made.fit(
            data,
            held_out,
            eval_metric,
            epoch_end_callback,
            batch_end_callback,
            kvstore,
            created or rule,
            self.kwargs,
            eval_end_callback,
            eval_batch_end_callback,
            self.initializer,
            self.arg_params or {},
            self.aux_params or {},
            allow_missing=True,
            begin_epoch=self.begin_epoch,
            num_epoch=self.num_epoch,
            monitor=monitor,
        )
        self.arg_params, self.aux_params = made.get_params()

    def predict(
        self, X: Any, num_batch: int | None = None, return_data: bool = False, reset: bool = True
    ) -> Any:
        """The outputs for all samples.

        Parameters
        ----------
        X : DataIter, or NDArray or numpy.ndarray of shape (samples, ...) and any dtype
        num_batch : int, optional
            The number of batches; all by default.
        return_data : bool, default False
            Whether to return the data and labels too.
        reset : bool, default True
            Whether to start from the first batch.

        Returns
        -------
        numpy.ndarray of shape (samples, ...), or list of them
            With `return_data`, a tuple of the outputs, the data and the labels.
        """
        data = self._batches(X, None, training=False)
        columns: tuple[list, list, list] = ([], [], [])
        # No batch is taken from the iterator that is not used: with reset=False it goes on there.
        for outputs, nbatch, batch in self._predictor(data).iter_predict(data, None, reset):
            columns[0].append([one.asnumpy() for one in outputs])
            if return_data:
                for into, arrays in zip(columns[1:], (batch.data, batch.label)):
                    into.append([one[: one.shape[0] - batch.pad].asnumpy() for one in arrays])
            if nbatch + 1 == num_batch:
                break
        joined = []
        for batches in columns[: 3 if return_data else 1]:
            each = [np.concatenate(one) for one in zip(*batches)]
            joined.append(each[0] if len(each) == 1 else each)
        return tuple(joined) if return_data else joined[0]

    def score(
        self,
        X: Any,
        eval_metric: Any = "acc",
        num_batch: int | None = None,
        batch_end_callback: Any = None,
        reset: bool = True,
    ) -> float:
        """The value of a metric.

        Parameters
        ----------
        X : DataIter
        eval_metric, num_batch, batch_end_callback, reset
            See `BaseModule.score`.

        Returns
        -------
        float
        """
        data = self._batches(X, None, training=False)
        found = self._predictor(data).score(
            data, eval_metric, num_batch, batch_end_callback, reset=reset
        )
        return found[0][1]

    def save(self, prefix: str, epoch: int | None = None, remove_amp_cast: bool = True) -> None:
        """Write a checkpoint; see `save_checkpoint`.

        Parameters
        ----------
        prefix : str
        epoch : int, optional
            `num_epoch` by default.
        remove_amp_cast : bool, default True
            Ignored.

        Raises
        ------
        ArgumentError
            If neither `epoch` nor `num_epoch` is given.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import model, nd, sym
        >>> net = sym.FullyConnected(sym.var("data"), num_hidden=1, no_bias=True, name="fc")
        >>> trained = model.FeedForward(net, arg_params={"fc_weight": nd.ones((1, 2))})
        >>> prefix = f"{tempfile.mkdtemp()}/net"
        >>> trained.save(prefix, 1)
        >>> model.FeedForward.load(prefix, 1).predict(nd.array([[1, 2]]))
        array([[3.]], dtype=float32)
        """
        number = self.num_epoch if epoch is None else epoch
        if number is None:
            raise ArgumentError("FeedForward.save: give the epoch, with epoch=")
        save_checkpoint(prefix, number, self.symbol, self.arg_params or {}, self.aux_params or {})

    @staticmethod
    def load(prefix: str, epoch: int, ctx: Any = None, **kwargs: Any) -> FeedForward:
        """A network from a checkpoint; see `save`.

        Parameters
        ----------
        prefix : str
        epoch : int
        ctx, **kwargs
            Arguments of `FeedForward`.

        Returns
        -------
        FeedForward

        Examples
        --------
        See `save`.
        """
        symbol, arg_params, aux_params = load_checkpoint(prefix, epoch)
        given = {"begin_epoch": epoch, **kwargs}
        return FeedForward(symbol, ctx, arg_params=arg_params, aux_params=aux_params, **given)

    @staticmethod
    def create(
        symbol: Any,
        X: Any,
        y: Any = None,
        ctx: Any = None,
        num_epoch: int | None = None,
        epoch_size: int | None = None,
        optimizer: Any = "sgd",
        initializer: Any = Uniform(0.01),  # noqa: B008
        eval_data: Any = None,
        eval_metric: Any = "acc",
        epoch_end_callback: Callable[..., Any] | None = None,
        batch_end_callback: Callable[..., Any] | None = None,
        kvstore: Any = "local",
        logger: Any = None,
        work_load_list: Any = None,
        eval_end_callback: Any = LogValidationMetricsCallback(),  # noqa: B008
        eval_batch_end_callback: Any = None,
        **kwargs: Any,
    ) -> FeedForward:
        """Create a network and train it; see `FeedForward` and `fit`.

        Parameters
        ----------
        symbol, ctx, num_epoch, epoch_size, optimizer, initializer, **kwargs
            Arguments of `FeedForward`.
        X, y, eval_data, eval_metric, epoch_end_callback, batch_end_callback, kvstore, logger
            Arguments of `fit`.
        work_load_list, eval_end_callback, eval_batch_end_callback
            Arguments of `fit`.

        Returns
        -------
        FeedForward

        Examples
        --------
        >>> import numpy as np
        >>> from gluon import model, sym
        >>> net = sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc")
        >>> net = sym.SoftmaxOutput(net, name="softmax")
        >>> x = np.array([[-1.0], [1], [-2], [2]])
        >>> trained = model.FeedForward.create(net, x, x[:, 0] > 0, num_epoch=1)
        >>> trained.predict(x).shape
        (4, 2)
        """
        made = FeedForward(symbol, ctx, num_epoch, epoch_size, optimizer, initializer, **kwargs)
        made.fit(
            X,
            y,
            eval_data,
            eval_metric,
            epoch_end_callback,
            batch_end_callback,
            kvstore,
            logger,
            work_load_list,
            eval_end_callback=eval_end_callback,
            eval_batch_end_callback=eval_batch_end_callback,
        )
        return made


if not TYPE_CHECKING:  # where a wrong name is to be reported
    __getattr__ = hinting(__name__, __all__)
