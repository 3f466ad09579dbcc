"""``mxnet.executor_manager``: training on several contexts, from the time before modules."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from .._core.arrays import cpu
from .._core.errors import ArgumentError
from ..module.base import described
from ..module.group import DataParallelExecutorGroup, split_input_slice
from ..nd import NDArray

__all__ = ["DataParallelExecutorManager"]

_split_input_slice = split_input_slice


def _check_arguments(symbol: Any) -> None:
    """Raise ValueError if a symbol has a name twice."""
    for what, names in (
        ("argument", symbol.list_arguments()),
        ("auxiliary state", symbol.list_auxiliary_states()),
    ):
        for name in names:
            if names.count(name) > 1:
                raise ArgumentError(f"two {what}s have the name {name!r}")


def _load_general(data: Sequence[NDArray], targets: Sequence[Any]) -> None:
    """Copy each array into its target, or parts of it into those of a list of slices."""
    for source, into in zip(data, targets):
        if isinstance(into, NDArray):
            into[:] = source
        else:
            for where, target in into:
                target[:] = source[where]


def _load_data(batch: Any, targets: Sequence[Any]) -> None:
    """Copy the data of a batch."""
    _load_general(batch.data, targets)


def _load_label(batch: Any, targets: Sequence[Any]) -> None:
    """Copy the labels of a batch."""
    _load_general(batch.label, targets)


class DataParallelExecutorManager:
    """A network on several contexts, for loops of training that are written by hand."""

    def __init__(
        self,
        symbol: Any,
        ctx: Any,
        train_data: Any,
        arg_names: Any = None,
        param_names: Any = None,
        aux_names: Any = None,
        work_load_list: Any = None,
        logger: Any = logging,
        sym_gen: Any = None,
    ) -> None:
        _check_arguments(symbol)
        self.symbol, self.sym_gen, self.logger = symbol, sym_gen, logger
        self.ctx = list(ctx) if isinstance(ctx, (list, tuple)) else [ctx or cpu()]
        self._loads = work_load_list or [1] * len(self.ctx)
        inputs = [one[0] for one in [*train_data.provide_data, *train_data.provide_label]]
        arguments = symbol.list_arguments()
        given = param_names or [name for name in arguments if name not in inputs]
        self.param_names = list(given)
        self.aux_names = symbol.list_auxiliary_states()
        self.execgrp = self._group(symbol, train_data, None)
        self.curr_execgrp = self.execgrp
        self._buckets = {getattr(train_data, "default_bucket_key", None): self.execgrp}
        self._batch: Any = None

    def _group(self, symbol: Any, batch: Any, shared: Any) -> DataParallelExecutorGroup:
        names = symbol.list_arguments()
        wanted = {name: "write" if name in self.param_names else "null" for name in names}
        return DataParallelExecutorGroup(
            symbol,
            self.ctx,
            self._loads,
            described(batch.provide_data),
            described(batch.provide_label),
            wanted,
            shared,
            [name for name in names if name not in self.param_names],
        )

    @property
    def param_arrays(self) -> Any:
        """For each parameter its arrays, one on each context."""
        return self.execgrp.param_arrays

    @property
    def grad_arrays(self) -> Any:
        """For each parameter its gradients, one on each context."""
        return self.execgrp.grad_arrays

    @property
    def aux_arrays(self) -> Any:
        """For each auxiliary state its arrays, one on each context."""
        return self.execgrp.aux_arrays

    def install_monitor(self, monitor: Any) -> None:
        """Install a monitor on the outputs of all operators."""
        self.execgrp.install_monitor(monitor)

    def set_params(self, arg_params: Any, aux_params: Any) -> None:
        """Copy values into the arrays of all contexts."""
        self.execgrp.set_params(arg_params, aux_params, allow_extra=True)

    def copy_to(self, arg_params: Any, aux_params: Any) -> None:
        """Copy the parameters, the means over the contexts, into the arrays of two dicts."""
        found: tuple[dict, dict] = ({}, {})
        self.execgrp.get_params(*found)
        for into, values in zip((arg_params, aux_params), found):
            for name, value in values.items():
                into[name][:] = value

    def load_data_batch(self, data_batch: Any) -> None:
        """Take a batch to compute with; one of another bucket makes that bucket's network."""
        self._batch = data_batch
        if self.sym_gen is None:
            return
        key = data_batch.bucket_key
        if key not in self._buckets:
            self._buckets[key] = self._group(self.sym_gen(key), data_batch, self.execgrp)
        self.curr_execgrp = self._buckets[key]

    def forward(self, is_train: bool = False) -> None:
        """Compute the outputs of the batch."""
        self.curr_execgrp.forward(self._batch, is_train)

    def backward(self) -> None:
        """Compute the gradients."""
        self.curr_execgrp.backward()

    def update_metric(self, metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Tell a metric the outputs and the labels."""
        self.curr_execgrp.update_metric(metric, labels, pre_sliced)
