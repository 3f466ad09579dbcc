"""Learning rate schedules and gradient clipping."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Any

from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError, DTypeError, MissingKeyError
from ..functional.math import norm
from ..tensor import Tensor
from .optimizer import Optimizer

__all__ = ["LRScheduler", "MultiStepLR", "clip_grad_norm", "clip_grad_value"]


class LRScheduler:
    """Base class of learning rate schedules; subclasses define `get_lr`.

    Parameters
    ----------
    current_epoch : int, default -1
        The last epoch that ended; -1 at the start.

    Examples
    --------
    >>> from gluon.megengine import Parameter, optimizer
    >>> class Harmonic(optimizer.LRScheduler):
    ...     def get_lr(self):
    ...         return [lr / (1 + self.current_epoch) for lr in self.base_lrs]
    >>> sgd = optimizer.SGD([Parameter([1.0])], lr=1.0)
    >>> schedule = Harmonic(sgd)
    >>> schedule.step()
    >>> sgd.param_groups[0]["lr"]
    0.5
    >>> other = Harmonic(optimizer.SGD([Parameter([1.0])], lr=1.0))
    >>> other.load_state_dict(schedule.state_dict())
    >>> other.current_epoch
    1
    """

    base_lrs: list[Any]
    current_epoch: int
    optimizer: Optimizer

    def __init__(self, optimizer: Optimizer, current_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise DTypeError(f"{type(self).__name__}: give an Optimizer, not {optimizer!r}")
        self.optimizer, self.current_epoch = optimizer, current_epoch
        for group in optimizer.param_groups:
            if current_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise MissingKeyError(
                    f"{type(self).__name__}: current_epoch={current_epoch} continues a training,"
                    " but the optimizer's groups have no 'initial_lr'; load its state_dict first"
                )
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.step()

    def get_lr(self) -> list[float]:
        """The learning rate of each group in `current_epoch`."""
        raise NotImplementedError(f"{type(self).__name__} has no get_lr(self)")

    def step(self, epoch: int | None = None) -> None:
        """Advance to the next epoch, or to a given one."""
        self.current_epoch = self.current_epoch + 1 if epoch is None else epoch
        for group, rate in zip(self.optimizer.param_groups, self.get_lr()):
            group["lr"] = rate

    def state_dict(self) -> dict[str, Any]:
        """The state, for `load_state_dict`."""
        left_out = ("optimizer", "base_lrs")
        return {key: value for key, value in vars(self).items() if key not in left_out}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load the state of another scheduler."""
        vars(self).update({key: state_dict[key] for key in self.state_dict()})


class MultiStepLR(LRScheduler):
    """Multiplies the learning rates by `gamma` at each milestone.

    Parameters
    ----------
    milestones : iterable of int
        Epochs, in order.
    current_epoch : int, default -1
        The last epoch that ended.

    Examples
    --------
    >>> from gluon.megengine import Parameter
    >>> from gluon.megengine.optimizer import SGD
    >>> scheduler = MultiStepLR(SGD([Parameter([1.0])], lr=1.0), [1], gamma=0.5)
    >>> scheduler.step()
    >>> scheduler.get_lr()
    [0.5]
    """

    gamma: float
    milestones: list[int]

    def __init__(
        self,
        optimizer: Optimizer,
        milestones: Iterable[int],
        gamma: float = 0.1,
        current_epoch: int = -1,
    ) -> None:
        self.milestones, self.gamma = list(milestones), gamma
        if self.milestones != sorted(self.milestones):
            raise ArgumentError(f"MultiStepLR: milestones {self.milestones} are not in order")
        super().__init__(optimizer, current_epoch)

    def get_lr(self) -> list[float]:
        """The learning rate of each group in `current_epoch`."""
        factor = self.gamma ** bisect_right(self.milestones, self.current_epoch)
        return [rate * factor for rate in self.base_lrs]


def _with_gradients(tensors: Any) -> list[Tensor]:
    found = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    return [x for x in found if x.grad is not None]


def clip_grad_norm(tensors: Any, max_norm: float, ord: float = 2.0) -> Any:
    """Scale gradients so that the norm of all of them together is at most `max_norm`.

    Parameters
    ----------
    ord : float, default 2.0
        Of the norm.

    Returns
    -------
    Tensor of shape ()
        The norm before.

    Examples
    --------
    >>> x = Tensor([0.0, 0.0])
    >>> x.grad = Tensor([3.0, 4.0])
    >>> clip_grad_norm(x, 1.0), x.grad
    (Tensor(5.0, device=xpux:0), Tensor([0.6 0.8], device=xpux:0))
    """
    clipped = _with_gradients(tensors)
    if not clipped:
        return Tensor(0.0)
    norms = [norm(ops.reshape(x.grad.detach(), shape=(-1,)), ord) for x in clipped]
    total: Any = norm(ops.stack(*norms), ord)
    factor = ops.minimum(max_norm / (total + 1e-6), 1.0)
    for x in clipped:
        x.grad = x.grad.detach() * factor
    return total


def clip_grad_value(tensors: Any, lower: float, upper: float) -> None:
    """Limit each value of gradients.

    Examples
    --------
    >>> x = Tensor([0.0, 0.0])
    >>> x.grad = Tensor([3.0, -4.0])
    >>> clip_grad_value(x, -1, 2)
    >>> x.grad
    Tensor([ 2. -1.], device=xpux:0)
    """
    for x in _with_gradients(tensors):
        x.grad = ops.clip(x.grad.detach(), a_min=lower, a_max=upper)
