"""Parts of MXNet's estimators, optimizers, metrics, trainers and stores."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ..._core.errors import ArgumentError
from ..._core.kernels.large_batch import lars_rates, sum_of_squares
from ..._hook.members import Reading
from ...block.symbolic import graph
from ...contrib.estimator.estimator import METHODS, _checked, _contexts, _processor
from ...loss import Loss
from ...metric.confusion import _correlation
from ...nd import NDArray
from ...optimizer import get_updater
from ...utils import split_and_load
from ..helpers.errors import CheckError

# -------------------------------------------------------------------------------- estimators


def _categorize_handlers(self: Any, event_handlers: Any) -> tuple[list, ...]:
    """Return the handlers of each event, in the order of training."""
    return tuple([one for one in event_handlers if isinstance(one, event)] for event in METHODS)


def _get_data_and_label(self: Any, batch: Any, ctx: Any, batch_axis: int = 0) -> tuple:
    """Split the data and labels of a batch over the contexts."""
    data, label = batch[0], batch[1]
    return tuple(split_and_load(one, ctx_list=ctx, batch_axis=batch_axis) for one in (data, label))


def _find_max_iteration(
    self: Any, dir: str, prefix: str, start: str, end: str, saved_checkpoints: Any = None
) -> int:
    """The largest number between two words in the names of checkpoints, -1 without any."""
    names = [name for name in os.listdir(dir) if name.startswith(prefix) and ".params" in name]
    if saved_checkpoints:
        saved_checkpoints.extend(name.partition(".params")[0] for name in names)
    try:
        return max((int(name.partition(start)[2].partition(end)[0]) for name in names), default=-1)
    except ValueError:
        raise ArgumentError(
            f"CheckpointHandler: {names} in {dir} are not called"
            " <prefix>-epoch<number>batch<number>.params"
        ) from None


def _save_symbol(self: Any, estimator: Any) -> None:
    """Write the symbol of a network that was called after `hybridize`, or log the way out."""
    file = os.path.join(self.model_dir, f"{self.model_prefix}-symbol.json")
    if getattr(estimator.net, "_called_with", None) is not None:
        graph(estimator.net)[1].save(file)
    else:
        estimator.logger.info("No symbol in %s: call hybridize() before the training.", file)


# -------------------------------------------------------------------------------- optimizers


def _update_impl(
    self: Any, index: Any, weight: Any, grad: Any, state: Any, multi_precision: bool = False
) -> None:
    """Update one or several weights and states."""
    (self.update_multi_precision if multi_precision else self.update)(index, weight, grad, state)


def _lars_norm(self: Any, v: NDArray, rescale: bool = False) -> float:
    """The norm of an array, of a gradient times its factor."""
    factor = abs(self.rescale_grad) if rescale else 1
    return float(np.sqrt(sum_of_squares(v.astype("float32").raw))) * factor


def _lars(self: Any, i: Any, weight: NDArray, g: NDArray, lr: float, wd: float) -> float:
    """The learning rate of a weight."""
    if self.idx2name.get(i, str(i)).endswith(("gamma", "beta", "bias")):
        return lr
    of_weight, of_gradient = sum_of_squares(weight.raw), sum_of_squares(g.raw)
    settings = {"eta": self.eta, "eps": self.eps, "rescale_grad": self.rescale_grad}
    return float(lars_rates(lr, of_weight, of_gradient, wd, **settings))


def _cumgrads(self: Any) -> dict:
    """The sums of gradients by the number of the weight, and of how many batches they are."""
    return self.__dict__.setdefault("cumgrads", {})


def _cumulate_gradient(self: Any, grad: NDArray, index: Any) -> dict:
    """Add a gradient to the sum of a weight."""
    before = self._get_cum_gradient(index)
    found = {"cum_grad": grad, "num_cums": self.init_updates + 1}
    if before and before["num_cums"] > 0:
        found["cum_grad"] = before["cum_grad"] + grad
        found["num_cums"] = before["num_cums"] + 1
    self._put_cum_gradient(index, found)
    return found


# ----------------------------------------------------------------------------------- metrics


def _reset_micro(self: Any) -> None:
    """Reset the sums over all batches."""
    for name in "_sse_p _mean_p _sse_l _mean_l _pred_nums _label_nums _conv".split():
        setattr(self, name, 0)


def _update_variance(self: Any, new_values: Any, *aggregate: Any) -> tuple:
    """A count, mean and sum of squares with further values."""
    count, mean, squares = aggregate
    count += len(new_values)
    before = new_values - mean
    mean += np.sum(before / count)
    return count, mean, squares + np.sum(before * (new_values - mean))


def _update_cov(self: Any, label: Any, pred: Any) -> None:
    """Add to the sum of products of labels and predictions, both less their means."""
    self._conv = self._conv + np.sum((label - self._mean_l) * (pred - self._mean_p))


# ---------------------------------------------------------------------- trainers, operators


def _init_optimizer(self: Any, optimizer: Any, optimizer_params: Any) -> None:
    """Set another optimizer."""
    self._optimizer = self._created(optimizer, optimizer_params or {})
    self._updaters = [get_updater(self._optimizer) for _ in self._common_contexts()]


def _reset_kvstore(self: Any) -> None:
    """Give the replicas of parameters the same values again, before the next step."""
    self._kv_initialized = False


def _infer_storage_type(self: Any, in_stype: list) -> tuple[list, list, list]:
    """The storage types of inputs, outputs and auxiliary states: all arrays are dense."""
    _check_dense(in_stype)
    outputs, states = self.list_outputs(), self.list_auxiliary_states()
    return in_stype, ["default"] * len(outputs), ["default"] * len(states)


def _infer_storage_type_backward(
    self: Any,
    ograd_stype: list,
    in_stype: list,
    out_stype: list,
    igrad_stype: list,
    aux_stype: list,
) -> tuple[list, ...]:
    """The storage types of what a backward takes and gives: all arrays are dense."""
    _check_dense(ograd_stype)
    _check_dense([one for one in igrad_stype if one != "undefined"])
    every = ograd_stype, in_stype, out_stype, igrad_stype, aux_stype
    for types in every:
        types[:] = ["default"] * len(types)
    return every


def _check_dense(types: list) -> None:
    for one in types:
        if one != "default":
            raise CheckError(f"the storage type {one!r} is not 'default': all arrays are dense")


_UPDATE = {"_update_impl": _update_impl}
MEMBERS: dict[str, dict[str, Any]] = {
    "gluon.contrib.estimator.estimator.Estimator": {
        "_categorize_handlers": _categorize_handlers,
        "_check_batch_processor": lambda self, given: _processor(given),
        "_check_context": lambda self, context: _contexts(context),
        "_check_loss": lambda self, loss: _checked(loss, Loss, "loss"),
        "_get_data_and_label": _get_data_and_label,
        "logger": None,
    },
    "gluon.contrib.estimator.event_handler.CheckpointHandler": {
        "_find_max_iteration": _find_max_iteration,
        "_save_symbol": _save_symbol,
    },
    "gluon.trainer.Trainer": {
        "_init_optimizer": _init_optimizer,
        "_reset_kvstore": _reset_kvstore,
    },
    "metric.PCC": {"_calc_mcc": lambda self, cmat: _correlation(cmat)},
    "metric.PearsonCorrelation": {
        "reset_micro": _reset_micro,
        "update_cov": _update_cov,
        "update_variance": _update_variance,
    },
    "operator.CustomOpProp": {
        "infer_storage_type": _infer_storage_type,
        "infer_storage_type_backward": _infer_storage_type_backward,
    },
    "optimizer.optimizer.LAMB": _UPDATE,
    "optimizer.optimizer.LARS": {**_UPDATE, "_get_lars": _lars, "_l2norm": _lars_norm},
    "optimizer.optimizer.LBSGD": {
        "_cumulate_gradient": _cumulate_gradient,
        "_get_cum_gradient": lambda self, index: self.cumgrads.get(index, {}),
        "_put_cum_gradient": lambda self, index, cgrad: self.cumgrads.update({index: cgrad}),
        "_reset_cum_gradient": lambda self, index: self.cumgrads[index].update(cum_grad=0),
        "cumgrads": Reading(_cumgrads),
    },
    "optimizer.optimizer.NAG": _UPDATE,
    "optimizer.optimizer.SGD": _UPDATE,
    "optimizer.optimizer.Signum": _UPDATE,
}
