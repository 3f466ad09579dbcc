"""`BaseModule`: the loops of training, scoring and predicting, built on the methods of modules."""

from __future__ import annotations

import logging
import time
import warnings
from collections import namedtuple
from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np

from .. import metric, nd
from .._core.errors import ArgumentError, DTypeError, GluonError, a_type
from .._core.hints.called import Called
from ..initializer import Uniform
from ..io import DataBatch, DataDesc
from ..nd import NDArray
from .store import _multiple_callbacks

__all__ = ["BaseModule", "BatchEndParam"]

#: The argument of batch-end callbacks.
BatchEndParam: Final = namedtuple("BatchEndParam", ["epoch", "nbatch", "eval_metric", "locals"])
BatchEndParam.__doc__ = """What a callback is given after a batch.

    Parameters
    ----------
    epoch, nbatch : int
        The numbers of the epoch and of the batch, from 0.
    eval_metric : EvalMetric or None
    locals : dict or None
        The variables of the loop.

    Examples
    --------
    >>> from gluon.model import BatchEndParam
    >>> BatchEndParam(epoch=0, nbatch=10, eval_metric=None, locals=None).nbatch
    10
"""

SGD: Final = (("learning_rate", 0.01),)


def _as_list(obj: Any) -> list[Any]:
    """Return a list or tuple as a list, and anything else as a list of one."""
    return list(obj) if isinstance(obj, (list, tuple)) else [obj]


def _check_fit(train_data: Any, num_epoch: int | None) -> int:
    if num_epoch is None:
        raise ArgumentError("fit: give the number of epochs, with num_epoch=")
    if not hasattr(train_data, "provide_data"):
        raise DTypeError(
            f"fit: train_data is {a_type(train_data)}; give a DataIter, such as"
            " io.NDArrayIter(data, label, batch_size)"
        )
    return num_epoch


def _check_input_names(symbol: Any, names: Iterable[str], typename: str, throw: bool) -> None:
    """Raise or warn if a name is not an argument of a symbol."""
    if not hasattr(symbol, "list_arguments"):
        raise DTypeError(
            f"Module: symbol is {a_type(symbol)}; give a Symbol, such as"
            " net(symbol.var('data')) of a block"
        )
    known = symbol.list_arguments()
    for name in names:
        if name in known:
            continue
        parameters = ("_weight", "_bias", "_gamma", "_beta")
        open_ones = ", ".join(one for one in known if not one.endswith(parameters))
        text = (
            f"{typename}_names={list(names)}: the symbol has no argument {name!r}; those that are"
            f" no parameters are: {open_ones}"
        )
        if throw:
            raise ArgumentError(text)
        warnings.warn(text, stacklevel=4)


def described(given: Any) -> list[DataDesc]:
    """Names and shapes as `DataDesc`."""
    pairs = list(given or ())
    if not all(isinstance(one, (tuple, list)) for one in pairs):
        such = list(given.items()) if isinstance(given, dict) else [("data", tuple(pairs))]
        raise DTypeError(
            f"bind: the shapes {given!r} are no pairs of a name and a shape; give a list of them,"
            f" such as {such}"
        )
    return [one if isinstance(one, DataDesc) else DataDesc(*one) for one in pairs]


def _parse_data_desc(
    data_names: list[str], label_names: list[str], data_shapes: Any, label_shapes: Any
) -> tuple[list[DataDesc], list[DataDesc] | None]:
    """Return the descriptions of data and labels in their own order, which is that of batches."""

    def checked(names: list[str], given: Any, what: str) -> list[DataDesc]:
        found = described(given)
        if sorted(one.name for one in found) != sorted(names):
            raise ArgumentError(
                f"{what}_shapes={list(given)} do not match the {what}_names={names} of the module"
            )
        return found

    data = checked(data_names, data_shapes, "data")
    return data, checked(label_names, label_shapes, "label") if label_shapes else None


class BaseModule(Called):
    """Base class of modules: networks to bind to shapes and train.

    A subclass defines `bind`, `init_params`, `init_optimizer`, `forward`, `backward`, `update`,
    `get_outputs`, `get_input_grads`, `get_params`, `update_metric`, `install_monitor`, and the
    properties ``data_names``, ``output_names``, ``data_shapes``, ``label_shapes`` and
    ``output_shapes``.

    Parameters
    ----------
    logger : module or Logger, default logging
        The logger of `fit`.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import io, module, sym
    >>> net = sym.LinearRegressionOutput(
    ...     sym.FullyConnected(sym.var("data"), num_hidden=1, name="fc"), sym.var("label")
    ... )
    >>> x = np.arange(8.0).reshape(8, 1)
    >>> batches = io.NDArrayIter(x, 2 * x, batch_size=4, label_name="label")
    >>> model = module.Module(net, label_names=["label"])
    >>> model.fit(batches, num_epoch=200, eval_metric="mse")
    >>> model.score(batches, "mse")[0][1] < 0.01
    True
    >>> model.predict(batches).shape
    (8, 1)
    >>> [outputs[0].shape for outputs, nbatch, batch in model.iter_predict(batches)]
    [(4, 1), (4, 1)]

    `fit` consists of the steps below, which your own loops can use too:

    >>> import os, tempfile
    >>> from gluon import metric, monitor
    >>> model = module.Module(net, label_names=["label"])
    >>> model.bind(batches.provide_data, batches.provide_label, inputs_need_grad=True)
    >>> model.install_monitor(monitor.Monitor(100))
    >>> model.init_params()
    >>> model.init_optimizer(optimizer_params={"learning_rate": 0.1})
    >>> batches.reset()
    >>> mse = metric.MSE()
    >>> for batch in batches:
    ...     model.prepare(batch)
    ...     model.forward_backward(batch)  # or forward(batch, is_train=True), then backward()
    ...     model.update()
    ...     model.update_metric(mse, batch.label)
    >>> mse.num_inst
    2
    >>> model.get_outputs()[0].shape, model.get_input_grads()[0].shape
    ((4, 1), (4, 1))
    >>> arg_params, aux_params = model.get_params()
    >>> model.set_params(arg_params, aux_params)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save_params(os.path.join(folder, "net.params"))
    ...     model.load_params(os.path.join(folder, "net.params"))
    >>> model.get_states()  # `set_states` sets those that ``state_names`` lists
    []
    """

    binded: bool
    for_training: bool
    inputs_need_grad: bool
    optimizer_initialized: bool
    params_initialized: bool

    def __init__(self, logger: Any = logging) -> None:
        self.logger = logger
        self.binded = self.for_training = self.inputs_need_grad = False
        self.params_initialized = self.optimizer_initialized = False
        self._symbol: Any = None

    def _undefined(self, method: str) -> NotImplementedError:
        return NotImplementedError(f"{type(self).__name__} must define {method}")

    def _needs(self, method: str, *steps: str) -> None:
        """Raise if something must be called before `method`."""
        calls = {
            "binded": "bind",
            "params_initialized": "init_params",
            "optimizer_initialized": "init_optimizer",
        }
        for step in steps:
            if not getattr(self, step):
                kind = type(self).__name__
                raise GluonError(f"{kind}.{method}: call {calls[step]}() of this module first")

    # --------------------------------------------------------------------------------- loops

    def forward_backward(self, data_batch: Any) -> None:
        """Run the forward and the backward pass for a batch.

        Parameters
        ----------
        data_batch : DataBatch
        """
        self.forward(data_batch, is_train=True)
        self.backward()

    def score(
        self,
        eval_data: Any,
        eval_metric: Any,
        num_batch: int | None = None,
        batch_end_callback: Any = None,
        score_end_callback: Any = None,
        reset: bool = True,
        epoch: int = 0,
        sparse_row_id_fn: Any = None,
    ) -> list[tuple[str, float]]:
        """Evaluate the network by a metric.

        Parameters
        ----------
        eval_data : DataIter
        eval_metric : EvalMetric or str
            A metric, or an argument for `metric.create`.
        num_batch : int, optional
            The number of batches; all by default.
        batch_end_callback, score_end_callback : callable or list of callable, optional
            Called with a `BatchEndParam`.
        reset : bool, default True
            Whether to start from the first batch.
        epoch : int, default 0
            The epoch for callbacks.
        sparse_row_id_fn : callable, optional
            See `prepare`.

        Returns
        -------
        list of (str, float)
            The names and values of the metric.
        """
        self._needs("score", "binded", "params_initialized")
        eval_metric = metric.create(eval_metric)
        eval_metric.reset()
        if reset:
            eval_data.reset()
        nbatch = 0
        for eval_batch in eval_data:
            if nbatch == num_batch:
                break
            self.prepare(eval_batch, sparse_row_id_fn)
            self.forward(eval_batch, is_train=False)
            self._told(eval_metric, eval_batch)
            told = BatchEndParam(epoch, nbatch, eval_metric, locals())
            _multiple_callbacks(batch_end_callback, told)
            nbatch += 1
        told = BatchEndParam(epoch, nbatch, eval_metric, locals())
        _multiple_callbacks(score_end_callback, told)
        return eval_metric.get_name_value()

    def _told(self, eval_metric: Any, batch: Any) -> None:
        if isinstance(batch, list):
            self.update_metric(eval_metric, [one.label for one in batch], pre_sliced=True)
        else:
            self.update_metric(eval_metric, batch.label)

    def iter_predict(
        self,
        eval_data: Any,
        num_batch: int | None = None,
        reset: bool = True,
        sparse_row_id_fn: Any = None,
    ) -> Iterator[tuple[list[NDArray], int, Any]]:
        """Predict batch by batch.

        Parameters
        ----------
        eval_data : DataIter
        num_batch : int, optional
            The number of batches; all by default.
        reset : bool, default True
            Whether to start from the first batch.
        sparse_row_id_fn : callable, optional
            See `prepare`.

        Yields
        ------
        outputs : list of NDArray, each of shape ``(samples, ...)``
            Without the padding samples of the last batch.
        nbatch : int
        batch : DataBatch
        """
        self._needs("predict", "binded", "params_initialized")
        if reset:
            eval_data.reset()
        for nbatch, batch in enumerate(eval_data):
            if nbatch == num_batch:
                break
            self.prepare(batch, sparse_row_id_fn)
            self.forward(batch, is_train=False)
            pad = batch.pad or 0
            yield [one[: one.shape[0] - pad] for one in self.get_outputs()], nbatch, batch

    def predict(
        self,
        eval_data: Any,
        num_batch: int | None = None,
        merge_batches: bool = True,
        reset: bool = True,
        always_output_list: bool = False,
        sparse_row_id_fn: Any = None,
    ) -> Any:
        """Predict the outputs for all samples.

        Parameters
        ----------
        eval_data : DataIter, or NDArray or numpy.ndarray of any shape and dtype
            An array is one batch, whose first output is returned.
        num_batch : int, optional
            The number of batches; all by default.
        merge_batches : bool, default True
            Whether to concatenate the batches.
        reset : bool, default True
            Whether to start from the first batch.
        always_output_list : bool, default False
            Whether to return a list for a single output too.
        sparse_row_id_fn : callable, optional
            See `prepare`.

        Returns
        -------
        NDArray or list
            Of shape ``(samples, ...)`` for each output; with ``merge_batches=False`` a list of the
            outputs of each batch.

        Raises
        ------
        ArgumentError
            If `merge_batches` is True and batches differ in their number of outputs.
        """
        if isinstance(eval_data, (NDArray, np.ndarray)):
            self._needs("predict", "binded", "params_initialized")
            given = eval_data if isinstance(eval_data, NDArray) else nd.array(eval_data)
            self.forward(DataBatch([given]), is_train=False)
            return self.get_outputs()[0]
        if not hasattr(eval_data, "reset"):
            raise DTypeError(
                f"predict takes a DataIter or an array, not {a_type(eval_data)}; make one"
                " with io.NDArrayIter"
            )
        each = [
            [one.copy() for one in outputs]
            for outputs, _, _ in self.iter_predict(eval_data, num_batch, reset, sparse_row_id_fn)
        ]
        if not each or not merge_batches:
            return each
        if len({len(outputs) for outputs in each}) > 1:
            raise ArgumentError(
                "predict: the batches differ in their number of outputs, as buckets may; pass"
                " merge_batches=False"
            )
        joined = [nd.concat(*column, dim=0) for column in zip(*each)]
        return joined[0] if len(joined) == 1 and not always_output_list else joined

    def fit(
        self,
        train_data: Any,
        eval_data: Any = None,
        eval_metric: Any = "acc",
        epoch_end_callback: Any = None,
        batch_end_callback: Any = None,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = SGD,
        eval_end_callback: Any = None,
        eval_batch_end_callback: Any = None,
        initializer: Any = Uniform(0.01),  # noqa: B008  (as MXNet shows it)
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_rebind: bool = False,
        force_init: bool = False,
        begin_epoch: int = 0,
        num_epoch: int | None = None,
        validation_metric: Any = None,
        monitor: Any = None,
        sparse_row_id_fn: Any = None,
    ) -> None:
        """Train the network.

        Parameters
        ----------
        train_data, eval_data : DataIter
            Batches for training, and optionally for the evaluation after each epoch.
        eval_metric, validation_metric : EvalMetric or str
            The metrics of training and of the evaluation, by default the same.
        epoch_end_callback : callable or list of callable, optional
            Called after each epoch with its number, the symbol and the parameters.
        batch_end_callback, eval_end_callback, eval_batch_end_callback : callable, optional
            Or lists of them; called with a `BatchEndParam`.
        kvstore : str or KVStore, default 'local'
        optimizer : str or Optimizer, default 'sgd'
        optimizer_params : dict
            The settings of the optimizer.
        initializer : Initializer, default Uniform(0.01)
        arg_params, aux_params : dict of str to NDArray of any shape and dtype, optional
            Parameters to start from.
        allow_missing : bool, default False
            Whether to initialize parameters that are not given.
        force_rebind, force_init : bool, default False
            Whether to bind, or initialize, a module again that already is.
        begin_epoch : int, default 0
        num_epoch : int
            The epoch to stop before.
        monitor : Monitor, optional
        sparse_row_id_fn : callable, optional
            See `prepare`.

        Raises
        ------
        ArgumentError
            If `num_epoch` is not given.
        """
        epochs = range(begin_epoch, _check_fit(train_data, num_epoch))
        self.bind(
            train_data.provide_data,
            train_data.provide_label,
            for_training=True,
            force_rebind=force_rebind,
        )
        if monitor is not None:
            self.install_monitor(monitor)
        self.init_params(initializer, arg_params, aux_params, allow_missing, force_init)
        self.init_optimizer(kvstore, optimizer, optimizer_params)
        validation_metric = eval_metric if validation_metric is None else validation_metric
        eval_metric = metric.create(eval_metric)
        for epoch in epochs:
            self._begin_epoch(epoch, train_data)
            self._fit_epoch(
                epoch, train_data, eval_metric, batch_end_callback, monitor, sparse_row_id_fn
            )
            arg_now, aux_now = self.get_params()
            self.set_params(arg_now, aux_now)
            _multiple_callbacks(epoch_end_callback, epoch, self.symbol, arg_now, aux_now)
            if eval_data is not None:
                found = self.score(
                    eval_data,
                    validation_metric,
                    score_end_callback=eval_end_callback,
                    batch_end_callback=eval_batch_end_callback,
                    epoch=epoch,
                )
                for name, value in found:
                    self.logger.info("Epoch[%d] Validation-%s=%f", epoch, name, value)
            train_data.reset()

    def _begin_epoch(self, epoch: int, train_data: Any) -> None:
        """Hook for subclasses, called before each epoch of `fit`."""

    def _fit_epoch(
        self,
        epoch: int,
        train_data: Any,
        eval_metric: Any,
        batch_end_callback: Any,
        monitor: Any,
        sparse_row_id_fn: Any,
    ) -> None:
        """Train on each batch once."""
        started = time.time()
        eval_metric.reset()
        values: list[tuple[str, float]] = []
        source, nbatch = iter(train_data), 0
        following = next(source, None)
        while following is not None:
            data_batch = following
            if monitor is not None:
                monitor.tic()
            self.forward_backward(data_batch)
            self.update()
            self._told(eval_metric, data_batch)
            # Only now: the iterator may write the next batch into the arrays of this one. The end
            # must be known here, because a callback of the last batch may reset the metric.
            following = next(source, None)
            if following is not None:
                self.prepare(following, sparse_row_id_fn)
            if monitor is not None:
                monitor.toc_print()
            if following is None:
                values = eval_metric.get_global_name_value()
            told = BatchEndParam(epoch, nbatch, eval_metric, locals())
            _multiple_callbacks(batch_end_callback, told)
            nbatch += 1
        for name, value in values:
            self.logger.info("Epoch[%d] Train-%s=%f", epoch, name, value)
        self.logger.info("Epoch[%d] Time cost=%.3f", epoch, time.time() - started)

    # ---------------------------------------------------------------------------- parameters

    @property
    def symbol(self) -> Any:
        """The symbol, if the module has one."""
        return self._symbol

    def get_params(self) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
        """Copies of the parameters and of the auxiliary states, by their names.

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise self._undefined("get_params()")

    def init_params(
        self,
        initializer: Any = Uniform(0.01),  # noqa: B008
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Initialize the parameters.

        Parameters
        ----------
        initializer : Initializer, default Uniform(0.01)
        arg_params, aux_params : dict of str to NDArray of any shape and dtype, optional
            Values to start from.
        allow_missing : bool, default False
            Whether to initialize parameters that are not given; False raises an error.
        force_init : bool, default False
            Whether to do it again.
        allow_extra : bool, default False
            Ignored: names that the network does not have are skipped.

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise self._undefined("init_params()")

    def set_params(
        self,
        arg_params: Any,
        aux_params: Any,
        allow_missing: bool = False,
        force_init: bool = True,
        allow_extra: bool = False,
    ) -> None:
        """Set the parameters; see `init_params`.

        Parameters
        ----------
        arg_params, aux_params : dict of str to NDArray of any shape and dtype
        allow_missing : bool, default False
            Whether to keep parameters that are not given.
        force_init : bool, default True
            Whether to set parameters that are already initialized.
        allow_extra : bool, default False
            Whether to skip names that the network does not have; with `allow_missing`, False
            raises an error.
        """
        self.init_params(None, arg_params, aux_params, allow_missing, force_init, allow_extra)

    def save_params(self, fname: str) -> None:
        """Save the parameters to a file, in MXNet's format.

        Parameters
        ----------
        fname : str
        """
        arg_params, aux_params = self.get_params()
        named = {f"arg:{name}": one for name, one in arg_params.items()}
        nd.save(fname, named | {f"aux:{name}": one for name, one in aux_params.items()})

    def load_params(self, fname: str) -> None:
        """Load the parameters from a file.

        Parameters
        ----------
        fname : str

        Raises
        ------
        ArgumentError
            If a name in the file starts neither with ``arg:`` nor with ``aux:``.
        MissingFileError
            If the file does not exist.
        """
        self.set_params(*read_params(fname))

    def get_states(self, merge_multi_context: bool = True) -> list[Any]:
        """The values of the states, which subclasses list in ``state_names``.

        Parameters
        ----------
        merge_multi_context : bool, default True
            Whether to concatenate the arrays of several contexts.

        Returns
        -------
        list of NDArray of any shape and dtype
        """
        return []

    def set_states(self, states: Any = None, value: Any = None) -> None:
        """Set the states to arrays, or all of them to a number.

        Parameters
        ----------
        states : list of NDArray of any shape and dtype, optional
        value : float, optional

        Raises
        ------
        ArgumentError
            If states are given and the module has none.
        """
        if states or value is not None:
            raise ArgumentError(f"{type(self).__name__} has no states to set")

    # ----------------------------------------------------------------------------- computing

    def bind(
        self,
        data_shapes: Any,
        label_shapes: Any = None,
        for_training: bool = True,
        inputs_need_grad: bool = False,
        force_rebind: bool = False,
        shared_module: Any = None,
        grad_req: Any = "write",
    ) -> None:
        """Allocate the arrays for given shapes.

        Parameters
        ----------
        data_shapes, label_shapes : list of DataDesc or of (str, tuple of int)
        for_training : bool, default True
            Whether gradients are needed.
        inputs_need_grad : bool, default False
            Whether gradients of the data are needed too.
        force_rebind : bool, default False
            Whether to do it again.
        shared_module : BaseModule, optional
            The module to share parameters with.
        grad_req : str, list or dict, default 'write'
            How to store gradients: ``'write'``, ``'add'`` or ``'null'``.

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise self._undefined("bind()")

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = SGD,
        force_init: bool = False,
    ) -> None:
        """Create the optimizer.

        Parameters
        ----------
        kvstore : str or KVStore, default 'local'
        optimizer : str or Optimizer, default 'sgd'
        optimizer_params : dict
            The settings of the optimizer.
        force_init : bool, default False
            Whether to do it again.

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise self._undefined("init_optimizer()")

    def prepare(self, data_batch: Any, sparse_row_id_fn: Any = None) -> None:
        """Prepare for a batch; most modules do nothing.

        Parameters
        ----------
        data_batch : DataBatch
        sparse_row_id_fn : callable, optional
            See `prepare`.
        """

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Compute the outputs.

        Parameters
        ----------
        data_batch : DataBatch
        is_train : bool, optional
            Whether gradients are needed; by default the `for_training` of `bind`.

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise self._undefined("forward(data_batch, is_train)")

    def backward(self, out_grads: Any = None) -> None:
        """Compute the gradients.

        Parameters
        ----------
        out_grads : NDArray or list of NDArray, optional
            The gradients of the outputs, of their shapes and dtypes; losses need none.

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise self._undefined("backward(out_grads)")

    def update(self) -> None:
        """Update the parameters with the optimizer.

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise self._undefined("update()")

    def get_outputs(self, merge_multi_context: bool = True) -> list[Any]:
        """The outputs of the last batch.

        Parameters
        ----------
        merge_multi_context : bool, default True
            Whether to concatenate the arrays of several contexts.

        Returns
        -------
        list of NDArray of any shape and dtype

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise self._undefined("get_outputs()")

    def get_input_grads(self, merge_multi_context: bool = True) -> list[Any]:
        """The gradients of the data, after `bind` with ``inputs_need_grad=True``.

        Parameters
        ----------
        merge_multi_context : bool, default True
            Whether to concatenate the arrays of several contexts.

        Returns
        -------
        list of NDArray of the shapes and dtypes of the data

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise self._undefined("get_input_grads()")

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Update a metric with the outputs of the last batch.

        Parameters
        ----------
        eval_metric : EvalMetric
        labels : list of NDArray of any shape and dtype
        pre_sliced : bool, default False
            Whether `labels` has a list for each context.

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise self._undefined("update_metric(eval_metric, labels)")

    def install_monitor(self, mon: Any) -> None:
        """Install a monitor on the outputs of all operators.

        Parameters
        ----------
        mon : Monitor

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise self._undefined("install_monitor(mon)")


def read_params(path: str) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
    """The parameters and the auxiliary states in a file.

    Raises
    ------
    ArgumentError
        If a name in the file starts neither with ``arg:`` nor with ``aux:``.
    """
    loaded = nd.load(path)
    if isinstance(loaded, list):
        if not loaded:  # a network without parameters
            return {}, {}
        raise ArgumentError(f"load_params: the arrays in {path!r} have no names; use nd.load")
    found: dict[str, dict[str, NDArray]] = {"arg": {}, "aux": {}}
    for name, value in loaded.items():
        kind, _, own = name.partition(":")
        if kind not in found or not own:
            raise ArgumentError(
                f"load_params: {name!r} in {path!r} begins neither with 'arg:' nor with 'aux:';"
                " read the parameters of a block with its load_parameters"
            )
        found[kind][own] = value
    return found["arg"], found["aux"]
