"""`Module`: a symbol with its parameters and optimizer, on one context or several."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from typing import Any

from .. import optimizer as optimizers
from .._core.arrays import Context, cpu
from .._core.errors import ArgumentError, DTypeError, GluonError
from .._core.faces.files import opened
from ..callback import save_checkpoint
from ..initializer import InitDesc, Uniform
from ..io import DataDesc
from ..nd import NDArray
from ..symbol import load as load_symbol
from .base import SGD, BaseModule, _as_list, _check_input_names, _parse_data_desc, read_params
from .group import DataParallelExecutorGroup, groups_of
from .store import (
    _create_kvstore,
    _initialize_kvstore,
    _update_params,
    _update_params_on_kvstore,
    ungiven,
)

__all__ = ["Module"]


class Module(BaseModule):
    """Trains, evaluates and saves a symbol.

    The arguments of the symbol that are not data, labels or states are its parameters.

    Parameters
    ----------
    symbol : Symbol
    data_names, label_names : list of str
        ``('data',)`` and ``('softmax_label',)`` by default.
    logger : module or Logger, default logging
    context : Context or list of Context, default cpu()
        Batches are divided among several contexts.
    work_load_list : list of float, optional
        The share of each context.
    fixed_param_names : list of str, optional
        Parameters that are not trained.
    state_names : list of str, optional
        Arguments that `set_states` sets.
    group2ctxs : dict or list of dict, optional
        The contexts of variables and operators with an attribute ``ctx_group``: for each group one,
        or a list with one for each of `context`; or a list with a dict for each of them.
    compression_params : dict, optional
        Ignored within one process.

    Raises
    ------
    ArgumentError
        If a name is not an argument of the symbol.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import io, module, sym
    >>> net = sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc")
    >>> model = module.Module(sym.SoftmaxOutput(net, name="softmax"))
    >>> x = np.array([[-1.0], [1], [-2], [2]])
    >>> batches = io.NDArrayIter(x, x[:, 0] > 0, batch_size=2)
    >>> model.fit(batches, num_epoch=20, optimizer_params={"learning_rate": 0.5})
    >>> model.score(batches, "acc")
    [('accuracy', 1.0)]
    """

    optimizer_initialized: bool

    def __init__(
        self,
        symbol: Any,
        data_names: Any = ("data",),
        label_names: Any = ("softmax_label",),
        logger: Any = logging,
        context: Any = None,
        work_load_list: Sequence[float] | None = None,
        fixed_param_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        group2ctxs: Any = None,
        compression_params: Any = None,
    ) -> None:
        super().__init__(logger)
        self._context: list[Context] = _as_list(cpu() if context is None else context)
        self._work_load_list = list(work_load_list or [1] * len(self._context))
        if len(self._work_load_list) != len(self._context):
            raise ArgumentError(
                f"work_load_list={work_load_list} must have one share for each of {self._context}"
            )
        self._groups = groups_of(group2ctxs, len(self._context))
        self._symbol = symbol
        self._data_names, self._label_names = list(data_names), list(label_names or [])
        self._state_names = list(state_names or [])
        self._fixed_param_names = list(fixed_param_names or [])
        for names, what, throw in (
            (self._data_names, "data", True),
            (self._label_names, "label", False),
            (self._state_names, "state", True),
            (self._fixed_param_names, "fixed_param", True),
        ):
            _check_input_names(symbol, names, what, throw)
        self._inputs = [*self._data_names, *self._label_names, *self._state_names]
        arguments = symbol.list_arguments()
        self._param_names = [name for name in arguments if name not in self._inputs]
        self._aux_names = symbol.list_auxiliary_states()
        self._output_names = symbol.list_outputs()
        self._arg_params: Any = None
        self._aux_params: Any = None
        self._params_dirty = False
        self._optimizer: Any = None
        self._kvstore: Any = None
        self._update_on_kvstore = False
        self._updater: Any = None
        self._preload_opt_states: str | None = None
        self._grad_req: Any = "write"
        self._by_rows: set[str] = set()  # the parameters whose rows `prepare` pulls
        self._reset_bind()

    @staticmethod
    def load(prefix: str, epoch: int, load_optimizer_states: bool = False, **kwargs: Any) -> Module:
        """Load a module from a checkpoint.

        Parameters
        ----------
        prefix : str
        epoch : int
        load_optimizer_states : bool, default False
            Whether to load the optimizer's states from the file of `save_optimizer_states`.
        **kwargs
            Arguments of `Module` besides the symbol.

        Returns
        -------
        Module

        Raises
        ------
        ArgumentError
            If a name in the file starts neither with ``arg:`` nor with ``aux:``.
        MissingFileError
            If a file does not exist.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import module, sym
        >>> prefix = f"{tempfile.mkdtemp()}/net"
        >>> net = sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc")
        >>> model = module.Module(net, label_names=None)
        >>> model.bind([("data", (1, 3))])
        >>> model.init_params()
        >>> model.save_checkpoint(prefix, 1)
        >>> sorted(module.Module.load(prefix, 1, label_names=None).get_params()[0])
        ['fc_bias', 'fc_weight']
        """
        made = Module(load_symbol(f"{prefix}-symbol.json"), **kwargs)
        made._arg_params, made._aux_params = read_params(f"{prefix}-{epoch:04d}.params")
        made.params_initialized = True
        if load_optimizer_states:
            made._preload_opt_states = f"{prefix}-{epoch:04d}.states"
        return made

    def save_checkpoint(
        self,
        prefix: str,
        epoch: int,
        save_optimizer_states: bool = False,
        remove_amp_cast: bool = True,
    ) -> None:
        """Write the symbol, the parameters, and optionally the states of the optimizer.

        Parameters
        ----------
        prefix : str
            The start of the names of the files; see `model.save_checkpoint`.
        epoch : int
        save_optimizer_states : bool, default False
        remove_amp_cast : bool, default True
            Ignored.

        Raises
        ------
        GluonError
            If the module is not bound, or has no parameters.

        Examples
        --------
        >>> import os, tempfile
        >>> from gluon import module, sym
        >>> folder = tempfile.mkdtemp()
        >>> model = module.Module(sym.exp(sym.var("data"), name="y"), label_names=None)
        >>> model.bind([("data", (1, 3))], for_training=False)
        >>> model.init_params()
        >>> model.save_checkpoint(f"{folder}/net", 1)
        >>> sorted(os.listdir(folder))
        ['net-0001.params', 'net-symbol.json']
        """
        save_checkpoint(prefix, epoch, self.symbol, *self.get_params())
        if save_optimizer_states:
            path = f"{prefix}-{epoch:04d}.states"
            self.save_optimizer_states(path)
            logging.info('Saved optimizer state to "%s"', path)

    # --------------------------------------------------------------------------- what it has

    @property
    def data_names(self) -> list[str]:
        """The names of the data."""
        return self._data_names

    @property
    def label_names(self) -> list[str]:
        """The names of the labels."""
        return self._label_names

    @property
    def output_names(self) -> list[str]:
        """The names of the outputs."""
        return self._output_names

    @property
    def data_shapes(self) -> list[DataDesc]:
        """The descriptions of the data."""
        self._needs("data_shapes", "binded")
        return self._data_shapes

    @property
    def label_shapes(self) -> list[DataDesc] | None:
        """The descriptions of the labels."""
        self._needs("label_shapes", "binded")
        return self._label_shapes

    @property
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """The names and shapes of the outputs."""
        self._needs("output_shapes", "binded")
        shapes = {one.name: one.shape for one in [*self._data_shapes, *(self._label_shapes or [])]}
        known = self._symbol.list_arguments()
        _, found, _ = self._symbol.infer_shape(**{n: s for n, s in shapes.items() if n in known})
        if found is None:  # of a network from an ONNX file
            found = [one.shape for one in self._exec_group.get_outputs()]
        return list(zip(self._output_names, found))

    # ---------------------------------------------------------------------------- parameters

    def get_params(self) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
        """Copies of the parameters and of the auxiliary states, by their names."""
        self._needs("get_params", "params_initialized")
        if self._params_dirty:
            self._exec_group.get_params(self._arg_params, self._aux_params)
            if self._update_on_kvstore:  # arrays of devices may have only some rows
                for name in self._by_rows:
                    self._kvstore.pull(name, self._arg_params[name], ignore_sparse=False)
            self._params_dirty = False
        return self._arg_params, self._aux_params

    def init_params(
        self,
        initializer: Any = Uniform(0.01),  # noqa: B008
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Initialize the parameters; see `BaseModule.init_params`."""
        if self.params_initialized and not force_init:
            if arg_params is not None or aux_params is not None:
                warnings.warn(
                    "the parameters keep their values; pass force_init=True to replace them",
                    stacklevel=2,
                )
            return
        self._needs("init_params", "binded")
        if not self.params_initialized:
            self._arg_params, self._aux_params = {}, {}
            self._exec_group.get_params(self._arg_params, self._aux_params)
        else:
            self.get_params()
        attributes = self._symbol.attr_dict()
        for own, given in ((self._arg_params, arg_params), (self._aux_params, aux_params)):
            for name in sorted(own):
                if given is not None and name in given:
                    self._filled(own[name], name, given[name])
                elif given is not None and not allow_missing:
                    raise ungiven(name, own, given)
                elif initializer is not None:
                    initializer(InitDesc(name, attributes.get(name)), own[name])
        given_names = {*(arg_params or ()), *(aux_params or ())}
        extra = given_names - {*self._arg_params, *self._aux_params, *self._inputs}
        # Parameters of a larger network are allowed, as in MXNet: if none is missing, an extra name
        # cannot be a misspelling.
        if extra and allow_missing and initializer is None and not allow_extra:
            raise ArgumentError(
                f"set_params: the symbol has no parameters {sorted(extra)}; pass allow_extra=True"
            )
        self.params_initialized, self._params_dirty = True, False
        self._exec_group.set_params(self._arg_params, self._aux_params)

    @staticmethod
    def _filled(own: NDArray, name: str, value: NDArray) -> None:
        if value is own:
            return
        if value.shape != own.shape:
            raise ArgumentError(
                f"the value of {name!r} has shape {value.shape}, but the network needs {own.shape}"
            )
        own[:] = value

    def get_states(self, merge_multi_context: bool = True) -> list[Any]:
        """The values of the states; see `BaseModule.get_states`."""
        self._needs("get_states", "binded", "params_initialized")
        return self._exec_group.get_states(self._state_names, merge_multi_context)

    def set_states(self, states: Any = None, value: Any = None) -> None:
        """Set the states; see `BaseModule.set_states`."""
        self._needs("set_states", "binded", "params_initialized")
        self._exec_group.set_states(self._state_names, states, value)

    # --------------------------------------------------------------------------------- binding

    def _reset_bind(self) -> None:
        self.binded = False
        self._exec_group: Any = None
        self._data_shapes: list[DataDesc] = []
        self._label_shapes: list[DataDesc] | None = None

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
        """Allocate the arrays for given shapes; see `BaseModule.bind`."""
        if self.binded and not force_rebind:
            self.logger.warning("Already bound, ignoring bind()")
            return
        if inputs_need_grad and not for_training:
            raise ArgumentError("bind: inputs_need_grad=True needs for_training=True")
        if shared_module is not None and not shared_module.binded:
            raise GluonError("bind: the shared_module must be bound first")
        if self.binded and self.params_initialized:
            self.get_params()
        self._reset_bind()
        self.for_training, self.inputs_need_grad = for_training, inputs_need_grad
        self._grad_req = grad_req
        self._bind_group(data_shapes, label_shapes, shared_module and shared_module._exec_group)
        if shared_module is not None and shared_module.params_initialized:
            self._arg_params, self._aux_params = (
                shared_module._arg_params,
                shared_module._aux_params,
            )
            self.params_initialized = True
        elif self.params_initialized:
            self._exec_group.set_params(self._arg_params, self._aux_params, allow_extra=True)
        if shared_module is not None and shared_module.optimizer_initialized:
            self.borrow_optimizer(shared_module)

    def _bind_group(self, data_shapes: Any, label_shapes: Any, shared: Any) -> None:
        self._data_shapes, self._label_shapes = _parse_data_desc(
            self._data_names, self._label_names, data_shapes, label_shapes
        )
        self._exec_group = DataParallelExecutorGroup(
            self._symbol,
            self._context,
            self._work_load_list,
            self._data_shapes,
            self._label_shapes or [],
            self._requests(),
            shared,
            self._inputs,
            self._groups,
        )
        self.binded = True

    def _requests(self) -> dict[str, str]:
        """Return the `grad_req` of each argument."""
        names, given = self._symbol.list_arguments(), self._grad_req
        if isinstance(given, str):
            found = dict.fromkeys(names, given)
        elif isinstance(given, dict):
            found = {name: given.get(name, "write") for name in names}
        else:
            found = dict(zip(names, given))
        data = () if self.inputs_need_grad else self._data_names
        for name in [*data, *self._label_names, *self._state_names, *self._fixed_param_names]:
            found[name] = "null"
        return {name: found[name] if self.for_training else "null" for name in names}

    def reshape(self, data_shapes: Any, label_shapes: Any = None) -> None:
        """Bind to other shapes with the same parameters; `forward` does it when needed.

        Parameters
        ----------
        data_shapes, label_shapes : list of DataDesc or of (str, tuple of int)

        Raises
        ------
        ArgumentError
            If a parameter would need another shape.

        Examples
        --------
        >>> from gluon import module, sym
        >>> model = module.Module(sym.exp(sym.var("data"), name="y"), label_names=None)
        >>> model.bind([("data", (1, 3))])
        >>> model.reshape([("data", (2, 3))])
        >>> model.output_shapes
        [('y_output', (2, 3))]
        """
        self._needs("reshape", "binded")
        old, shapes = self._exec_group, (self._data_shapes, self._label_shapes)
        self._bind_group(data_shapes, label_shapes, old)
        try:
            self._exec_group.check_kept(old, self._param_names)
        except ArgumentError:
            self._exec_group, (self._data_shapes, self._label_shapes) = old, shapes
            raise
        self._exec_group.take_monitors(old)

    def install_monitor(self, mon: Any) -> None:
        """Install a monitor on the outputs of all operators."""
        self._needs("install_monitor", "binded")
        self._exec_group.install_monitor(mon)

    # ----------------------------------------------------------------------------- computing

    def prepare(self, data_batch: Any, sparse_row_id_fn: Any = None) -> None:
        """Pull the rows that a batch needs; see `BaseModule.prepare`."""
        self._needs("prepare", "binded")
        if sparse_row_id_fn is None or not self._update_on_kvstore:
            return  # each device has all rows
        for name, rows in sparse_row_id_fn(data_batch).items():
            if name not in self._param_names:
                raise ArgumentError(
                    f"prepare: sparse_row_id_fn gives rows of {name!r}; there are the parameters"
                    f" {', '.join(self._param_names)}"
                )
            arrays = self._exec_group.param_arrays[self._param_names.index(name)]
            if arrays[0].stype == "row_sparse":
                self._by_rows.add(name)
                self._kvstore.row_sparse_pull(name, arrays, row_ids=rows)

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Compute the outputs; see `BaseModule.forward`."""
        self._needs("forward", "binded", "params_initialized")
        if isinstance(data_batch, NDArray):
            raise DTypeError("forward: an NDArray is no batch; give io.DataBatch([data], [label])")
        several = isinstance(data_batch, list)
        self._fit_shapes(self._exec_group.joined(data_batch) if several else data_batch)
        self._exec_group.forward(data_batch, self.for_training if is_train is None else is_train)

    def _fit_shapes(self, batch: Any) -> None:
        """Rebind if a batch has other shapes."""
        shapes = [one.shape for one in batch.data]
        if shapes == [one.shape for one in self._data_shapes]:
            return

        def of_batch(old: Any, what: str) -> Any:
            provided = getattr(batch, f"provide_{what}", None)
            arrays = getattr(batch, what, None)  # any tuple with data is a batch without labels
            if provided or not arrays:
                return provided
            return [
                DataDesc(one.name, array.shape, one.dtype, one.layout)
                for one, array in zip(old, arrays)
            ]

        self.reshape(
            of_batch(self._data_shapes, "data"), of_batch(self._label_shapes or [], "label")
        )

    def backward(self, out_grads: Any = None) -> None:
        """Compute the gradients; see `BaseModule.backward`."""
        self._needs("backward", "binded", "params_initialized")
        if not self.for_training:
            raise GluonError("Module.backward: bind the module with for_training=True")
        self._exec_group.backward(out_grads)

    def get_outputs(self, merge_multi_context: bool = True) -> list[Any]:
        """The outputs of the last batch; see `BaseModule.get_outputs`."""
        self._needs("get_outputs", "binded", "params_initialized")
        return self._exec_group.get_outputs(merge_multi_context)

    def get_input_grads(self, merge_multi_context: bool = True) -> list[Any]:
        """The gradients of the data; see `BaseModule.get_input_grads`."""
        self._needs("get_input_grads", "binded", "params_initialized")
        if not self.inputs_need_grad:
            raise GluonError("Module.get_input_grads: bind the module with inputs_need_grad=True")
        return self._exec_group.get_input_grads(merge_multi_context)

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Update a metric with the outputs of the last batch; see `BaseModule.update_metric`."""
        self._needs("update_metric", "binded", "params_initialized")
        self._exec_group.update_metric(eval_metric, labels, pre_sliced)

    # ------------------------------------------------------------------------------ training

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = SGD,
        force_init: bool = False,
    ) -> None:
        """Create the optimizer; see `BaseModule.init_optimizer`."""
        self._needs("init_optimizer", "binded", "params_initialized")
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring...")
            return
        self.get_params()
        count, group = len(self._context), self._exec_group
        store, on_store = _create_kvstore(kvstore, count, self._arg_params)
        batch_size = group.batch_size
        if store is not None and "dist" in store.type and "_async" not in store.type:
            batch_size *= store.num_workers
        self._optimizer = self._optimizer_for(optimizer, optimizer_params, 1 / batch_size, on_store)
        self._kvstore, self._update_on_kvstore = store, on_store
        self._updater = None
        if store is not None:
            if on_store:
                store.set_optimizer(self._optimizer)
            _initialize_kvstore(
                store, group.param_arrays, self._arg_params, self._param_names, on_store
            )
        if not on_store:
            self._updater = optimizers.get_updater(self._optimizer)
        self.optimizer_initialized = True
        if self._preload_opt_states is not None:
            self.load_optimizer_states(self._preload_opt_states)
            self._preload_opt_states = None

    def _optimizer_for(self, optimizer: Any, settings: Any, scale: float, on_store: bool) -> Any:
        """Return an optimizer, created by name or given, that knows the names of the parameters."""
        count = len(self._context)
        names: dict[Any, str] = {
            k * count + device: name
            for k, name in enumerate(self._param_names)
            for device in range(count)
        }
        if on_store:  # which knows the weights by their names
            names = dict(enumerate(self._param_names))
        if isinstance(optimizer, str):
            settings = {"rescale_grad": scale, **dict(settings)}
            return optimizers.create(optimizer, sym=self._symbol, param_idx2name=names, **settings)
        if optimizer.rescale_grad != scale:
            warnings.warn(
                f"the optimizer has rescale_grad={optimizer.rescale_grad}, and 1/batch_size is"
                f" {scale}: is this intended?",
                stacklevel=3,
            )
        if not optimizer.idx2name:
            optimizer.idx2name = names
        return optimizer

    def borrow_optimizer(self, shared_module: Any) -> None:
        """Train with the optimizer of another module.

        Parameters
        ----------
        shared_module : Module
            A module with an optimizer.

        Examples
        --------
        >>> from gluon import module, sym
        >>> net = sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc")
        >>> first, second = (module.Module(net, label_names=None) for _ in range(2))
        >>> first.bind([("data", (4, 3))])
        >>> first.init_params()
        >>> first.init_optimizer()
        >>> second.bind([("data", (2, 3))], shared_module=first)  # borrows
        >>> second.optimizer_initialized
        True
        """
        shared_module._needs("borrow_optimizer", "optimizer_initialized")
        self._optimizer, self._kvstore = shared_module._optimizer, shared_module._kvstore
        self._update_on_kvstore = shared_module._update_on_kvstore
        self._updater = shared_module._updater
        self.optimizer_initialized = True

    def update(self) -> None:
        """Update the parameters with the optimizer."""
        self._needs("update", "binded", "params_initialized", "optimizer_initialized")
        self._params_dirty = True
        group, store = self._exec_group, self._kvstore
        arrays = group.param_arrays, group.grad_arrays
        if self._update_on_kvstore:
            _update_params_on_kvstore(*arrays, store, self._param_names, self._by_rows)
        else:
            _update_params(*arrays, self._updater, len(self._context), store, self._param_names)

    def save_optimizer_states(self, fname: str) -> None:
        """Write the state of the optimizer to a file.

        Parameters
        ----------
        fname : str

        Raises
        ------
        MissingFileError
            If its folder is missing.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import module, sym
        >>> net = sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc")
        >>> model = module.Module(net, label_names=None)
        >>> model.bind([("data", (4, 3))])
        >>> model.init_params()
        >>> model.init_optimizer(optimizer="adam")
        >>> path = f"{tempfile.mkdtemp()}/net.states"
        >>> model.save_optimizer_states(path)
        >>> model.load_optimizer_states(path)
        """
        self._needs("save_optimizer_states", "optimizer_initialized")
        if self._update_on_kvstore:
            self._kvstore.save_optimizer_states(fname)
        else:
            with opened("save_optimizer_states", fname, "wb") as file:
                file.write(self._updater.get_states())

    def load_optimizer_states(self, fname: str) -> None:
        """Read the state of the optimizer from a file; see `save_optimizer_states`.

        Parameters
        ----------
        fname : str

        Raises
        ------
        MissingFileError
            If there is no such file.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import module, sym
        >>> net = sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc")
        >>> model = module.Module(net, label_names=None)
        >>> model.bind([("data", (4, 3))])
        >>> model.init_params()
        >>> model.init_optimizer(optimizer="adam")
        >>> path = f"{tempfile.mkdtemp()}/net.states"
        >>> model.save_optimizer_states(path)
        >>> model.load_optimizer_states(path)
        """
        self._needs("load_optimizer_states", "optimizer_initialized")
        if self._update_on_kvstore:
            self._kvstore.load_optimizer_states(fname)
        else:
            with opened("load_optimizer_states", fname) as file:
                self._updater.set_states(file.read())
