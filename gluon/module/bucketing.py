"""`BucketingModule`: a module for each length of sequences, with the same parameters."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .._core.errors import ArgumentError
from ..block.naming import NameScope
from ..initializer import Uniform
from ..nd import NDArray, array, save
from ..parameter import ParameterDict
from ..symbol.naming import MANAGERS
from .base import SGD, BaseModule, read_params
from .module import Module

__all__ = ["BucketingModule"]


class _Names(NameScope):
    """Names symbols and blocks, and counts from 0."""

    def get(self, name: str | None, hint: str) -> str:
        """Return the name of a new symbol: `name`, or the next one that begins with `hint`."""
        return name or self.number(hint).removesuffix("_")


@contextmanager
def _names_anew() -> Iterator[None]:
    """In the ``with`` block, automatic names start from 0 again."""
    names = _Names("", ParameterDict())
    with names:
        MANAGERS.enter(names)
        try:
            yield
        finally:
            MANAGERS.leave(names)


class BucketingModule(BaseModule):
    """A module per bucket (such as a sequence length), which share parameters.

    Parameters
    ----------
    sym_gen : callable
        ``sym_gen(bucket_key)`` returns a symbol, the names of its data, and those of its labels.
        Automatic names start from 0 in each call: layers without names share parameters too.
    default_bucket_key : object
        The bucket with all parameters, usually that of the longest sequences.
    logger : module or Logger, default logging
    context, work_load_list, fixed_param_names, state_names, group2ctxs, compression_params
        See `Module`.

    Raises
    ------
    ArgumentError
        If there is no `default_bucket_key`.

    Examples
    --------
    >>> from gluon import io, module, nd, sym
    >>> def sym_gen(length):
    ...     words = sym.Embedding(sym.var("data"), input_dim=9, output_dim=4, name="embedding")
    ...     net = sym.FullyConnected(sym.mean(words, axis=1), num_hidden=2, name="fc")
    ...     return sym.SoftmaxOutput(net, name="softmax"), ["data"], ["softmax_label"]
    >>> model = module.BucketingModule(sym_gen, default_bucket_key=10)
    >>> model.bind([("data", (2, 10))], [("softmax_label", (2,))])
    >>> model.init_params()
    >>> short = io.DataBatch([nd.ones((2, 5))], [nd.zeros((2,))], bucket_key=5)
    >>> short.provide_data, short.provide_label = [("data", (2, 5))], [("softmax_label", (2,))]
    >>> model.forward(short)
    >>> model.get_outputs()[0].shape
    (2, 2)
    """

    _params_dirty: bool

    binded: bool
    for_training: bool
    inputs_need_grad: bool
    optimizer_initialized: bool
    params_initialized: bool

    def __init__(
        self,
        sym_gen: Callable[[Any], Any],
        default_bucket_key: Any = None,
        logger: Any = logging,
        context: Any = None,
        work_load_list: Sequence[float] | None = None,
        fixed_param_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        group2ctxs: Any = None,
        compression_params: Any = None,
    ) -> None:
        super().__init__(logger)
        if default_bucket_key is None:
            raise ArgumentError(
                "BucketingModule: give the bucket that has all the parameters, with"
                " default_bucket_key="
            )
        self._sym_gen, self._default_bucket_key = sym_gen, default_bucket_key
        self._settings = {
            "context": context,
            "work_load_list": work_load_list,
            "fixed_param_names": fixed_param_names,
            "state_names": state_names,
            "group2ctxs": group2ctxs,
            "compression_params": compression_params,
        }
        self._monitor: Any = None
        self._grad_req: Any = "write"
        self._loaded: Any = None
        self._reset_bind()
        self._made(default_bucket_key)  # raises early if names are wrong

    @staticmethod
    def load(
        prefix: str, epoch: int, sym_gen: Any = None, default_bucket_key: Any = None, **kwargs: Any
    ) -> BucketingModule:
        """Load a module from a checkpoint; `bind` then sets the loaded parameters.

        Parameters
        ----------
        prefix : str
        epoch : int
        sym_gen, default_bucket_key, **kwargs
            Arguments of `BucketingModule`.

        Returns
        -------
        BucketingModule

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
        >>> def sym_gen(length):
        ...     return sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc"), ["data"], None
        >>> prefix = f"{tempfile.mkdtemp()}/net"
        >>> model = module.BucketingModule(sym_gen, 10)
        >>> model.bind([("data", (1, 3))])
        >>> model.init_params()
        >>> model.save_checkpoint(prefix, 1)
        >>> loaded = module.BucketingModule.load(prefix, 1, sym_gen, 10)
        >>> loaded.bind([("data", (1, 3))])
        >>> sorted(loaded.get_params()[0])
        ['fc_bias', 'fc_weight']
        """
        made = BucketingModule(sym_gen, default_bucket_key, **kwargs)
        made._loaded = read_params(f"{prefix}-{epoch:04d}.params")
        made.params_initialized = True
        return made

    @staticmethod
    def load_dict(
        sym_dict: dict[Any, Any] | None = None,
        sym_gen: Any = None,
        default_bucket_key: Any = None,
        arg_params: dict[str, NDArray] | None = None,
        aux_params: dict[str, NDArray] | None = None,
        **kwargs: Any,
    ) -> BucketingModule:
        """Create a module with given parameters.

        Parameters
        ----------
        sym_dict : dict of Symbol, optional
            Ignored: `sym_gen` creates the symbols.
        sym_gen, default_bucket_key, **kwargs
            Arguments of `BucketingModule`.
        arg_params, aux_params : dict of str to NDArray of any shape and dtype

        Returns
        -------
        BucketingModule

        Examples
        --------
        >>> from gluon import module, nd, sym
        >>> def sym_gen(length):
        ...     return sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc"), ["data"], None
        >>> values = {"fc_weight": nd.ones((2, 3)), "fc_bias": nd.zeros((2,))}
        >>> model = module.BucketingModule.load_dict(
        ...     sym_gen=sym_gen, default_bucket_key=10, arg_params=values
        ... )
        >>> model.bind([("data", (1, 3))])
        >>> model.get_params()[0]["fc_weight"].sum().item()
        6.0
        """
        made = BucketingModule(sym_gen, default_bucket_key, **kwargs)
        made._loaded = (arg_params or {}, aux_params or {})
        made.params_initialized = True
        return made

    def save_checkpoint(self, prefix: str, epoch: int, remove_amp_cast: bool = False) -> None:
        """Write the symbol of each bucket, and the parameters.

        Parameters
        ----------
        prefix : str
            The start of the names: ``<prefix>-<epoch>.params``, ``<prefix>-<key>-symbol.json``
            for each bucket, and ``<prefix>.buckets`` with the keys.
        epoch : int
        remove_amp_cast : bool, default False
            Ignored.

        Raises
        ------
        GluonError
            If the module is not bound, or has no parameters.
        ArgumentError
            If a key is neither an int nor a tuple of ints.

        Examples
        --------
        >>> import os, tempfile
        >>> from gluon import module, sym
        >>> def sym_gen(length):
        ...     return sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc"), ["data"], None
        >>> model = module.BucketingModule(sym_gen, 10)
        >>> model.bind([("data", (1, 3))])
        >>> model.init_params()
        >>> folder = tempfile.mkdtemp()
        >>> model.save_checkpoint(f"{folder}/net", 1)
        >>> sorted(os.listdir(folder))
        ['net-0001.params', 'net-10-symbol.json', 'net.buckets']
        """
        self._needs("save_checkpoint", "binded")
        try:
            keys = array(list(self._buckets), dtype="int32")
        except (TypeError, ValueError) as error:
            raise ArgumentError(
                "save_checkpoint: the file of buckets holds ints, and the keys are"
                f" {list(self._buckets)}; write save_params(), and each symbol by save()"
            ) from error
        self.save_params(f"{prefix}-{epoch:04d}.params")
        for key, one in self._buckets.items():
            one.symbol.save(f"{prefix}-{key}-symbol.json")
        save(f"{prefix}.buckets", keys)

    # --------------------------------------------------------------------------- what it has

    def _generated(self, key: Any) -> Any:
        with _names_anew():
            return self._sym_gen(key)

    def _made(self, key: Any) -> Module:
        symbol, data_names, label_names = self._generated(key)
        return Module(symbol, data_names, label_names, self.logger, **self._settings)

    @property
    def data_names(self) -> list[str]:
        """The names of the data."""
        current = self._curr_module
        return current.data_names if current else self._generated(self._default_bucket_key)[1]

    @property
    def output_names(self) -> list[str]:
        """The names of the outputs."""
        current = self._curr_module
        if current:
            return current.output_names
        return self._generated(self._default_bucket_key)[0].list_outputs()

    @property
    def data_shapes(self) -> Any:
        """The descriptions of the data in the bucket of the last batch."""
        self._needs("data_shapes", "binded")
        return self._curr_module.data_shapes

    @property
    def label_shapes(self) -> Any:
        """The descriptions of the labels, in the bucket of the last batch."""
        self._needs("label_shapes", "binded")
        return self._curr_module.label_shapes

    @property
    def output_shapes(self) -> Any:
        """The names and shapes of the outputs, in the bucket of the last batch."""
        self._needs("output_shapes", "binded")
        return self._curr_module.output_shapes

    @property
    def symbol(self) -> Any:
        """The symbol of the bucket of the last batch."""
        self._needs("symbol", "binded")
        return self._curr_module.symbol

    # ---------------------------------------------------------------------------- parameters

    def get_params(self) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
        """Copies of the parameters and of the auxiliary states, by their names."""
        self._needs("get_params", "binded", "params_initialized")
        self._curr_module._params_dirty = self._params_dirty
        found = self._curr_module.get_params()
        self._params_dirty = False
        return found

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
            return
        self._needs("init_params", "binded")
        self._curr_module.init_params(
            initializer, arg_params, aux_params, allow_missing, force_init, allow_extra
        )
        self._params_dirty, self.params_initialized = False, True

    def get_states(self, merge_multi_context: bool = True) -> list[Any]:
        """The values of the states; see `BaseModule.get_states`."""
        self._needs("get_states", "binded", "params_initialized")
        return self._curr_module.get_states(merge_multi_context)

    def set_states(self, states: Any = None, value: Any = None) -> None:
        """Set the states; see `BaseModule.set_states`."""
        self._needs("set_states", "binded", "params_initialized")
        self._curr_module.set_states(states, value)

    # --------------------------------------------------------------------------------- binding

    def _reset_bind(self) -> None:
        self.binded = False
        self._buckets: dict[Any, Module] = {}
        self._curr_module: Any = None
        self._curr_bucket_key: Any = None
        self._params_dirty = False

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
        """Bind the default bucket; others are bound when needed. See `BaseModule.bind`."""
        if shared_module is not None:
            raise ArgumentError("BucketingModule.bind: shared_module is unsupported; leave it out")
        if self.binded and not force_rebind:
            self.logger.warning("Already bound, ignoring bind()")
            return
        kept = self._loaded
        if self.binded and self.params_initialized:
            kept = self.get_params()
        self._reset_bind()
        self.for_training, self.inputs_need_grad = for_training, inputs_need_grad
        self._grad_req = grad_req
        made = self._made(self._default_bucket_key)
        made.bind(data_shapes, label_shapes, for_training, inputs_need_grad, grad_req=grad_req)
        self._buckets[self._default_bucket_key] = self._curr_module = made
        self._curr_bucket_key, self.binded = self._default_bucket_key, True
        if self.params_initialized:
            made.init_params(None, *kept)

    def switch_bucket(self, bucket_key: Any, data_shapes: Any, label_shapes: Any = None) -> None:
        """Switch to another bucket.

        Parameters
        ----------
        bucket_key : object
        data_shapes, label_shapes : list of DataDesc or of (str, tuple of int)

        Examples
        --------
        >>> from gluon import module, sym
        >>> def sym_gen(length):
        ...     return sym.mean(sym.var("data"), axis=1), ["data"], None
        >>> model = module.BucketingModule(sym_gen, default_bucket_key=10)
        >>> model.bind([("data", (2, 10))])
        >>> model.switch_bucket(5, [("data", (2, 5))])
        >>> model.data_shapes[0].shape
        (2, 5)
        """
        self._needs("switch_bucket", "binded")
        if bucket_key not in self._buckets:
            made = self._made(bucket_key)
            made.bind(
                data_shapes,
                label_shapes,
                self.for_training,
                self.inputs_need_grad,
                shared_module=self._buckets[self._default_bucket_key],
                grad_req=self._grad_req,
            )
            if self._monitor is not None:
                made.install_monitor(self._monitor)
            self._buckets[bucket_key] = made
        self._curr_module, self._curr_bucket_key = self._buckets[bucket_key], bucket_key

    def install_monitor(self, mon: Any) -> None:
        """Install a monitor on the outputs of all operators, in all buckets."""
        self._needs("install_monitor", "binded")
        self._monitor = mon
        for one in self._buckets.values():
            one.install_monitor(mon)

    # ----------------------------------------------------------------------------- computing

    def prepare(self, data_batch: Any, sparse_row_id_fn: Any = None) -> None:
        """Create the module for the bucket of a batch; see `BaseModule.prepare`."""
        self._needs("prepare", "binded", "params_initialized")
        before = self._curr_bucket_key
        self._switch_for(data_batch)
        self._curr_module.prepare(data_batch, sparse_row_id_fn)
        self._curr_module, self._curr_bucket_key = self._buckets[before], before

    def _switch_for(self, batch: Any) -> None:
        self.switch_bucket(batch.bucket_key, batch.provide_data, batch.provide_label)

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Compute the outputs, in the bucket of the batch; see `BaseModule.forward`."""
        self._needs("forward", "binded", "params_initialized")
        self._switch_for(data_batch)
        self._curr_module.forward(data_batch, is_train)

    def backward(self, out_grads: Any = None) -> None:
        """Compute the gradients; see `BaseModule.backward`."""
        self._needs("backward", "binded", "params_initialized")
        self._curr_module.backward(out_grads)

    def get_outputs(self, merge_multi_context: bool = True) -> list[Any]:
        """The outputs of the last batch; see `BaseModule.get_outputs`."""
        self._needs("get_outputs", "binded", "params_initialized")
        return self._curr_module.get_outputs(merge_multi_context)

    def get_input_grads(self, merge_multi_context: bool = True) -> list[Any]:
        """The gradients of the data; see `BaseModule.get_input_grads`."""
        self._needs("get_input_grads", "binded", "params_initialized")
        return self._curr_module.get_input_grads(merge_multi_context)

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Update a metric with the outputs of the last batch; see `BaseModule.update_metric`."""
        self._needs("update_metric", "binded", "params_initialized")
        self._curr_module.update_metric(eval_metric, labels, pre_sliced)

    # ------------------------------------------------------------------------------ training

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = SGD,
        force_init: bool = False,
    ) -> None:
        """Create the optimizer of all buckets; see `BaseModule.init_optimizer`."""
        self._needs("init_optimizer", "binded", "params_initialized")
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring.")
            return
        default = self._buckets[self._default_bucket_key]
        default.init_optimizer(kvstore, optimizer, optimizer_params, force_init)
        for one in self._buckets.values():
            if one is not default:
                one.borrow_optimizer(default)
        self.optimizer_initialized = True

    def update(self) -> None:
        """Update the parameters with the optimizer."""
        self._needs("update", "binded", "params_initialized", "optimizer_initialized")
        self._params_dirty = True
        self._curr_module.update()
