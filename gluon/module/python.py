"""`PythonModule` and `PythonLossModule`: modules whose computation is written in Python."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from .. import nd
from .._core.errors import GluonError
from ..initializer import Uniform
from ..nd import NDArray
from .base import SGD, BaseModule, _parse_data_desc

__all__ = ["PythonLossModule", "PythonModule"]


class PythonModule(BaseModule):
    """Base of modules without parameters, whose computation is written in Python.

    A subclass defines `forward`, `backward`, `get_outputs`, `get_input_grads` and
    ``_compute_output_shapes()``, which returns names and shapes.

    Parameters
    ----------
    data_names, label_names, output_names : list of str
    logger : module or Logger, default logging

    Examples
    --------
    >>> from gluon import io, module, nd
    >>> class Double(module.PythonModule):
    ...     def __init__(self):
    ...         super().__init__(["data"], None, ["double_output"])
    ...     def _compute_output_shapes(self):
    ...         return [("double_output", self.data_shapes[0].shape)]
    ...     def forward(self, data_batch, is_train=None):
    ...         self.output = 2 * data_batch.data[0]
    ...     def get_outputs(self, merge_multi_context=True):
    ...         return [self.output]
    >>> model = Double()
    >>> model.bind([("data", (2, 3))])
    >>> model.forward(io.DataBatch([nd.ones((2, 3))]))
    >>> model.get_outputs()[0].shape, model.output_shapes
    ((2, 3), [('double_output', (2, 3))])
    """

    binded: bool
    for_training: bool
    inputs_need_grad: bool
    optimizer_initialized: bool
    params_initialized: bool

    def __init__(
        self, data_names: Any, label_names: Any, output_names: Any, logger: Any = logging
    ) -> None:
        super().__init__(logger)
        self._data_names, self._label_names = list(data_names), list(label_names or [])
        self._output_names = list(output_names)
        self._data_shapes: Any = None
        self._label_shapes: Any = None
        self._output_shapes: Any = None

    @property
    def data_names(self) -> list[str]:
        """The names of the data."""
        return self._data_names

    @property
    def output_names(self) -> list[str]:
        """The names of the outputs."""
        return self._output_names

    @property
    def data_shapes(self) -> Any:
        """The descriptions of the data."""
        return self._data_shapes

    @property
    def label_shapes(self) -> Any:
        """The descriptions of the labels."""
        return self._label_shapes

    @property
    def output_shapes(self) -> Any:
        """The names and shapes of the outputs."""
        return self._output_shapes

    def get_params(self) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
        """Return two empty dicts: the module has no parameters."""
        return {}, {}

    def init_params(
        self,
        initializer: Any = Uniform(0.01),  # noqa: B008
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Do nothing: the module has no parameters."""
        self.params_initialized = True

    def update(self) -> None:
        """Do nothing: the module has no parameters."""

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Update a metric with the outputs of the last batch, if the module has labels."""
        if self._label_shapes:
            if pre_sliced:
                raise GluonError("PythonModule.update_metric: it takes whole batches of labels")
            eval_metric.update(labels, self.get_outputs())

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
        """Set the shapes; see `BaseModule.bind`."""
        if self.binded and not force_rebind:
            self.logger.warning("Already bound, ignoring bind()")
            return
        self.for_training, self.inputs_need_grad = for_training, inputs_need_grad
        self._data_shapes, self._label_shapes = _parse_data_desc(
            self._data_names, self._label_names, data_shapes, label_shapes
        )
        self._output_shapes = self._compute_output_shapes()
        self.binded = True

    def _compute_output_shapes(self) -> Any:
        raise self._undefined("_compute_output_shapes()")

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = SGD,
        force_init: bool = False,
    ) -> None:
        """Do nothing: the module has no parameters."""
        self.optimizer_initialized = True

    def install_monitor(self, mon: Any) -> None:
        """Do nothing: the module has no operators to monitor."""


class PythonLossModule(PythonModule):
    """A loss after other modules: it returns its input, and a function computes the gradient.

    Parameters
    ----------
    name : str, default 'pyloss'
    data_names, label_names : list of str
        ``('data',)`` and ``('softmax_label',)`` by default; one each.
    logger : module or Logger, default logging
    grad_func : callable
        ``grad_func(scores, labels)`` returns the gradient of the scores.

    Raises
    ------
    GluonError
        If there is more than one name of data or labels.

    Examples
    --------
    >>> from gluon import io, module, nd
    >>> loss = module.PythonLossModule(grad_func=lambda scores, labels: scores - labels)
    >>> loss.bind([("data", (2, 1))], [("softmax_label", (2, 1))])
    >>> loss.forward(io.DataBatch([nd.ones((2, 1))], [nd.zeros((2, 1))]))
    >>> loss.backward()
    >>> loss.get_input_grads()[0].asnumpy().tolist()
    [[1.0], [1.0]]
    """

    def __init__(
        self,
        name: str = "pyloss",
        data_names: Any = ("data",),
        label_names: Any = ("softmax_label",),
        logger: Any = logging,
        grad_func: Callable[[Any, Any], Any] | None = None,
    ) -> None:
        super().__init__(data_names, label_names, [f"{name}_output"], logger)
        if len(self._data_names) != 1 or len(self._label_names) != 1:
            raise GluonError("PythonLossModule takes one array of data and one of labels")
        if grad_func is not None and not callable(grad_func):
            raise GluonError("PythonLossModule: grad_func must be a function or None")
        self._name, self._grad_func = name, grad_func
        self._scores: Any = None
        self._labels: Any = None
        self._scores_grad: Any = None

    def _compute_output_shapes(self) -> Any:
        return [(f"{self._name}_output", self._data_shapes[0].shape)]

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Keep the scores, and the labels for training; see `BaseModule.forward`."""
        self._scores = data_batch.data[0]
        if self.for_training if is_train is None else is_train:
            self._labels = data_batch.label[0]

    def get_outputs(self, merge_multi_context: bool = True) -> list[Any]:
        """The scores of the last batch; see `BaseModule.get_outputs`."""
        return [self._scores]

    def backward(self, out_grads: Any = None) -> None:
        """Call `grad_func`; a subclass may define ``_backward_impl`` instead."""
        if out_grads is not None:
            raise GluonError("PythonLossModule.backward: a loss takes no out_grads")
        if not self.for_training:
            raise GluonError("PythonLossModule.backward: bind the module with for_training=True")
        self._backward_impl()

    def _backward_impl(self) -> None:
        if self._grad_func is None:
            raise self._undefined("_backward_impl(), or be given a grad_func")
        grad = self._grad_func(self._scores, self._labels)
        self._scores_grad = grad if isinstance(grad, NDArray) else nd.array(grad)

    def get_input_grads(self, merge_multi_context: bool = True) -> list[Any]:
        """The gradient of the scores; see `BaseModule.get_input_grads`."""
        return [self._scores_grad]
