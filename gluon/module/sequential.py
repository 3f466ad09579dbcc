"""`SequentialModule`: a chain of modules; the outputs of each are the data of the next."""

from __future__ import annotations

import logging
from typing import Any

from .._core.errors import ArgumentError
from ..initializer import Uniform
from ..io import DataBatch, DataDesc
from ..nd import NDArray
from .base import SGD, BaseModule

__all__ = ["SequentialModule"]


class SequentialModule(BaseModule):
    """Chains modules: the outputs of each are the data of the next.

    Parameters
    ----------
    logger : module or Logger, default logging

    Examples
    --------
    >>> from gluon import io, module, nd, sym
    >>> features = sym.FullyConnected(sym.var("data"), num_hidden=4, name="fc1")
    >>> scores = sym.SoftmaxOutput(sym.var("data"), name="softmax")
    >>> model = module.SequentialModule()
    >>> _ = model.add(module.Module(features, label_names=None))
    >>> _ = model.add(module.Module(scores), take_labels=True, auto_wiring=True)
    >>> model.bind([("data", (2, 3))], [("softmax_label", (2,))])
    >>> model.init_params()
    >>> model.forward(io.DataBatch([nd.ones((2, 3))], [nd.zeros((2,))]))
    >>> model.get_outputs()[0].shape
    (2, 4)
    """

    META_TAKE_LABELS = "take_labels"
    META_AUTO_WIRING = "auto_wiring"

    binded: bool
    for_training: bool
    inputs_need_grad: bool
    optimizer_initialized: bool
    params_initialized: bool

    def __init__(self, logger: Any = logging) -> None:
        super().__init__(logger)
        self._modules: list[Any] = []
        self._metas: list[dict[str, Any]] = []
        self._label_shapes: Any = None

    def add(self, module: Any, **kwargs: Any) -> SequentialModule:
        """Append a module.

        Parameters
        ----------
        module : BaseModule
        **kwargs
            ``take_labels=True`` passes it the labels; ``auto_wiring=True`` uses the outputs of the
            module before as its data, whatever their names.

        Returns
        -------
        SequentialModule
            The module itself, so that calls can be chained.

        Raises
        ------
        ArgumentError
            If there is an unknown keyword.
        """
        unknown = set(kwargs) - {self.META_TAKE_LABELS, self.META_AUTO_WIRING}
        if unknown:
            raise ArgumentError(
                f"SequentialModule.add: unknown arguments {sorted(unknown)}; choose from"
                " take_labels and auto_wiring"
            )
        self._modules.append(module)
        self._metas.append(kwargs)
        self.binded = self.params_initialized = self.optimizer_initialized = False
        return self

    def _takes_labels(self, place: int) -> bool:
        return bool(self._metas[place].get(self.META_TAKE_LABELS))

    @property
    def data_names(self) -> list[str]:
        """The names of the data, of the first module."""
        return self._modules[0].data_names if self._modules else []

    @property
    def output_names(self) -> list[str]:
        """The names of the outputs, of the last module."""
        return self._modules[-1].output_names if self._modules else []

    @property
    def data_shapes(self) -> Any:
        """The descriptions of the data."""
        self._needs("data_shapes", "binded")
        return self._modules[0].data_shapes

    @property
    def label_shapes(self) -> Any:
        """The descriptions of the labels; None if no module takes them."""
        self._needs("label_shapes", "binded")
        return self._label_shapes

    @property
    def output_shapes(self) -> Any:
        """The names and shapes of the outputs."""
        self._needs("output_shapes", "binded")
        return self._modules[-1].output_shapes

    def get_params(self) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
        """Copies of the parameters and of the auxiliary states of all modules."""
        self._needs("get_params", "binded", "params_initialized")
        arg_params: dict[str, NDArray] = {}
        aux_params: dict[str, NDArray] = {}
        for one in self._modules:
            args, auxes = one.get_params()
            arg_params.update(args)
            aux_params.update(auxes)
        return arg_params, aux_params

    def init_params(
        self,
        initializer: Any = Uniform(0.01),  # noqa: B008
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Initialize the parameters of all modules; see `BaseModule.init_params`."""
        if self.params_initialized and not force_init:
            return
        self._needs("init_params", "binded")
        owner: dict[str, int] = {}
        for place, one in enumerate(self._modules):
            one.init_params(initializer, arg_params, aux_params, allow_missing, force_init)
            for name in (name for names in one.get_params() for name in names):
                if name in owner:
                    raise ArgumentError(
                        f"SequentialModule: the modules {owner[name]} and {place} both have a"
                        f" parameter {name!r}; give the operators other names"
                    )
                owner[name] = place
        self.params_initialized = True

    def _wired(self, place: int, shapes: Any) -> Any:
        """Return the shapes under the names of a module's data, if it is wired automatically."""
        if not self._metas[place].get(self.META_AUTO_WIRING):
            return shapes
        names = self._modules[place].data_names
        if len(names) != len(shapes):
            raise ArgumentError(
                f"SequentialModule: module {place} takes {names}, but gets {len(shapes)} arrays"
            )
        return [
            DataDesc(name, each.shape, each.dtype, each.layout)
            if isinstance(each, DataDesc)
            else (name, each[1])
            for name, each in zip(names, shapes)
        ]

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
        """Bind all modules; see `BaseModule.bind`."""
        if self.binded and not force_rebind:
            self.logger.warning("Already bound, ignoring bind()")
            return
        if shared_module is not None:
            raise ArgumentError("SequentialModule.bind: shared_module is unsupported; leave it out")
        if not self._modules:
            raise ArgumentError("SequentialModule.bind: add modules first, with add()")
        if inputs_need_grad and not for_training:
            raise ArgumentError("bind: inputs_need_grad=True needs for_training=True")
        self.for_training, self.inputs_need_grad = for_training, inputs_need_grad
        shapes = data_shapes
        for place, one in enumerate(self._modules):
            one.bind(
                self._wired(place, shapes),
                label_shapes if self._takes_labels(place) else None,
                for_training,
                inputs_need_grad or (for_training and place > 0),
                force_rebind,
                grad_req=grad_req,
            )
            shapes = one.output_shapes
        takes = any(map(self._takes_labels, range(len(self._modules))))
        self._label_shapes = label_shapes if takes else None
        self.binded = True

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = SGD,
        force_init: bool = False,
    ) -> None:
        """Create an optimizer for each module; see `BaseModule.init_optimizer`."""
        self._needs("init_optimizer", "binded", "params_initialized")
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring.")
            return
        for one in self._modules:
            one.init_optimizer(kvstore, optimizer, optimizer_params, force_init)
        self.optimizer_initialized = True

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Compute the outputs of each module in turn; see `BaseModule.forward`."""
        self._needs("forward", "binded", "params_initialized")
        batch = data_batch
        for place, one in enumerate(self._modules):
            one.forward(batch, is_train)
            if place + 1 < len(self._modules):
                outputs = one.get_outputs()
                batch = DataBatch(
                    outputs,
                    getattr(data_batch, "label", None),  # any tuple with data is a batch
                    getattr(data_batch, "pad", None),
                    getattr(data_batch, "index", None),
                    getattr(data_batch, "bucket_key", None),
                    [
                        DataDesc(name, x.shape, x.dtype)
                        for name, x in zip(self._modules[place + 1].data_names, outputs)
                    ],
                    getattr(data_batch, "provide_label", None),
                )

    def backward(self, out_grads: Any = None) -> None:
        """Compute the gradients, from the last module to the first; see `BaseModule.backward`."""
        self._needs("backward", "binded", "params_initialized")
        for place, one in reversed(list(enumerate(self._modules))):
            one.backward(out_grads)
            if place:
                out_grads = one.get_input_grads()

    def update(self) -> None:
        """Update the parameters of each module with its optimizer."""
        self._needs("update", "binded", "params_initialized", "optimizer_initialized")
        for one in self._modules:
            one.update()

    def get_outputs(self, merge_multi_context: bool = True) -> list[Any]:
        """The outputs of the last module; see `BaseModule.get_outputs`."""
        self._needs("get_outputs", "binded", "params_initialized")
        return self._modules[-1].get_outputs(merge_multi_context)

    def get_input_grads(self, merge_multi_context: bool = True) -> list[Any]:
        """The gradients of the data of the first module; see `BaseModule.get_input_grads`."""
        self._needs("get_input_grads", "binded", "params_initialized")
        return self._modules[0].get_input_grads(merge_multi_context)

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Update a metric with the outputs of the modules that take labels."""
        self._needs("update_metric", "binded", "params_initialized")
        for place, one in enumerate(self._modules):
            if self._takes_labels(place):
                one.update_metric(eval_metric, labels, pre_sliced)

    def install_monitor(self, mon: Any) -> None:
        """Install a monitor on the outputs of all operators."""
        self._needs("install_monitor", "binded")
        for one in self._modules:
            one.install_monitor(mon)
