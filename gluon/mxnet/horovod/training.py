"""Horovod's trainer and optimizer, and how they compress gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import distributed
from ..._core.engine.array import wrap
from ..._core.kernels import collective
from ..._core.mpi import groups as mpi
from ...distributed.collective import naming
from ...optimizer import Optimizer
from ...trainer import Trainer
from .collectives import Sum, allreduce_, called, into, scaled
from .processes import global_process_set, members


class Compressor:
    """Base class of gradient compression."""

    @staticmethod
    def compress(tensor: Any) -> tuple[Any, Any]:
        """Return the tensor to send, and the context for `decompress`."""
        return tensor, None

    @staticmethod
    def decompress(tensor: Any, ctx: Any) -> Any:
        """Restore a tensor."""
        return tensor


class NoneCompressor(Compressor):
    """Sends gradients as they are."""


class FP16Compressor(Compressor):
    """Sends floating gradients in half precision."""

    @staticmethod
    def compress(tensor: Any) -> tuple[Any, Any]:
        """The tensor in half precision, and its dtype."""
        is_float = tensor.form.dtype.kind == "f"
        return (tensor.astype("float16") if is_float else tensor), tensor.dtype

    @staticmethod
    def decompress(tensor: Any, ctx: Any) -> Any:
        """The tensor in its own dtype."""
        return tensor.astype(ctx)


class Compression:
    """The compressors."""

    none = NoneCompressor
    fp16 = FP16Compressor


class DistributedTrainer(Trainer):
    """A `Trainer` that averages gradients over all processes."""

    def __init__(
        self,
        params: Any,
        optimizer: Any,
        optimizer_params: dict[str, Any] | None = None,
        compression: type[Compressor] = Compression.none,
        gradient_predivide_factor: float = 1.0,
        prefix: str | None = None,
        num_groups: int = 0,
        process_set: Any = global_process_set,
    ) -> None:
        if isinstance(optimizer, DistributedOptimizer):
            share, optimizer = optimizer._share, optimizer._optimizer
            optimizer.rescale_grad /= share  # the trainer applies its own
        super().__init__(params, optimizer, optimizer_params, kvstore=None)
        self._compression, self._process_set = compression, process_set
        self._prefix = prefix or ""
        # The mean is a sum with two factors: one applies before, the optimizer applies the other.
        self._factor = 1 / gradient_predivide_factor
        self._scale *= gradient_predivide_factor / process_set.size()

    def _allreduce_grads(self) -> None:
        ranks = members(self._process_set)
        if len(ranks) == 1 or not self._process_set.included():
            return
        trained = [(index, grad) for index, one in self._trained() for grad in one.list_grad()]
        compress = self._compression.compress
        pairs = [compress(scaled(grad.detach(), self._factor)) for _, grad in trained]
        with called("DistributedTrainer", prefix=self._prefix or None):
            totals = _sums([sent.raw for sent, _ in pairs], [k for k, _ in trained], ranks)
        for (_, grad), (sent, ctx), total in zip(trained, pairs, totals):
            into(grad, self._compression.decompress(wrap(type(sent), total, sent._ctx), ctx))


def _sums(raws: list[np.ndarray], indices: list[int], ranks: tuple[int, ...]) -> list[np.ndarray]:
    if len(ranks) == distributed.get_size():
        return distributed.sums(raws, indices)  # in large pieces
    sums = []
    for raw, index in zip(raws, indices):
        with naming("DistributedTrainer"), mpi.called(f" of the gradient {index}"):
            sums.append(collective.allreduce(raw, ranks=ranks))
    return sums


class DistributedOptimizer(Optimizer):
    """An optimizer that averages each gradient over all processes before it uses it."""

    def __init__(
        self,
        optimizer: Optimizer,
        gradient_predivide_factor: float = 1.0,
        num_groups: int = 0,
        process_set: Any = global_process_set,
    ) -> None:
        vars(self).update(_optimizer=optimizer, _process_set=process_set)
        # As in the trainer; outside of the set the optimizer uses its share of its own gradient.
        vars(self).update(_share=gradient_predivide_factor / process_set.size())
        vars(self).update(_factor=1 / gradient_predivide_factor)
        optimizer.rescale_grad *= self._share

    def __getattr__(self, name: str) -> Any:
        if name == "_optimizer":
            raise AttributeError(name)
        return getattr(self._optimizer, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._optimizer, name, value)

    def _add_up(self, index: Any, grad: Any) -> None:
        """Replace gradients by their sums over the process set, if it has this process."""
        if self._process_set.size() == 1 or not self._process_set.included():
            return
        several = isinstance(index, (list, tuple))
        how = {"op": Sum, "prescale_factor": self._factor, "process_set": self._process_set}
        for key, one in zip(index, grad) if several else [(index, grad)]:
            allreduce_(one, name=str(key), **how)

    def create_state(self, index: Any, weight: Any) -> Any:
        """The state of the optimizer for a weight."""
        return self._optimizer.create_state(index, weight)

    def create_state_multi_precision(self, index: Any, weight: Any) -> Any:
        """The state of the optimizer for a weight, in float32."""
        return self._optimizer.create_state_multi_precision(index, weight)

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Update a weight by the mean gradient."""
        self._add_up(index, grad)
        self._optimizer.update(index, weight, grad, state)

    def update_multi_precision(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Update a weight by the mean gradient, in float32."""
        self._add_up(index, grad)
        self._optimizer.update_multi_precision(index, weight, grad, state)

    def set_learning_rate(self, lr: float) -> None:
        """Set the learning rate."""
        self._optimizer.set_learning_rate(lr)

    def set_lr_mult(self, args_lr_mult: dict[Any, float]) -> None:
        """Set factors of the learning rate."""
        self._optimizer.set_lr_mult(args_lr_mult)

    def set_wd_mult(self, args_wd_mult: dict[Any, float]) -> None:
        """Set factors of the weight decay."""
        self._optimizer.set_wd_mult(args_wd_mult)
