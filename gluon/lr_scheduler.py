"""Learning rate schedules: the learning rate as a function of the number of updates."""

from __future__ import annotations

import logging
import math
from bisect import bisect_left
from numbers import Number, Real
from typing import TYPE_CHECKING, Any

from ._core.errors import ArgumentError, DTypeError, a_type
from ._core.hints.called import Hinted
from ._core.hints.lookup import hinting
from ._core.hints.synonyms import SCHEDULE
from ._core.printing import with_settings

__all__ = [
    "CosineScheduler",
    "FactorScheduler",
    "LRScheduler",
    "MultiFactorScheduler",
    "PolyScheduler",
]

WARMUPS = ("linear", "constant")


class LRScheduler(Hinted):
    """Base of all schedules: a warm-up, then the `after_warmup` of the subclass.

    An optimizer with its own learning rate sets `base_lr` to it. As in MXNet, this changes neither
    the end of the warm-up, nor `PolyScheduler` and `CosineScheduler`.

    Parameters
    ----------
    base_lr : float, default 0.01
        The learning rate at the end of the warm-up, where the schedule starts.
    warmup_steps : int, default 0
        The number of updates that warm-up takes.
    warmup_begin_lr : float, default 0
    warmup_mode : {'linear', 'constant'}
        Increase linearly to `base_lr`, or stay at `warmup_begin_lr`.

    Raises
    ------
    ArgumentError
        If the settings contradict each other.

    Examples
    --------
    >>> from gluon import lr_scheduler
    >>> class Harmonic(lr_scheduler.LRScheduler):
    ...     def after_warmup(self, num_update):
    ...         return self.base_lr / (1 + num_update)
    >>> schedule = Harmonic(base_lr=1, warmup_steps=2)
    >>> [schedule(n) for n in range(4)]
    [0.0, 0.5, 0.3333333333333333, 0.25]
    """

    _elsewhere = SCHEDULE
    warmup_begin_lr: float
    warmup_final_lr: float
    warmup_steps: int

    #: The number of logged reductions of the learning rate.
    _told = 0

    def __init__(
        self,
        base_lr: float = 0.01,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        if warmup_steps < 0 or warmup_begin_lr > base_lr or warmup_mode not in WARMUPS:
            raise ArgumentError(
                f"{type(self).__name__}: warm-up takes at least 0 steps (got {warmup_steps}) from"
                f" at most base_lr={base_lr} (got {warmup_begin_lr}), and its mode is one of"
                f" {', '.join(WARMUPS)} (got {warmup_mode!r})"
            )
        self.base_lr = self.warmup_final_lr = base_lr
        self.warmup_steps, self.warmup_begin_lr = warmup_steps, warmup_begin_lr
        self.warmup_mode = warmup_mode

    def __repr__(self) -> str:
        return with_settings(self, "base_lr", "step")

    def __call__(self, num_update: int) -> float:
        """Return the learning rate of update number `num_update`; the first is 1."""
        if num_update >= self.warmup_steps:
            return self.after_warmup(num_update)
        return self.get_warmup_lr(num_update)

    def get_warmup_lr(self, num_update: int) -> float:
        """The learning rate of update number `num_update` of warm-up.

        Parameters
        ----------
        num_update : int
            Less than ``warmup_steps``.

        Returns
        -------
        float

        Examples
        --------
        >>> from gluon import lr_scheduler
        >>> lr_scheduler.LRScheduler(base_lr=1, warmup_steps=4).get_warmup_lr(1)
        0.25
        """
        if self.warmup_mode == "constant":
            return self.warmup_begin_lr
        share = num_update / self.warmup_steps
        return self.warmup_begin_lr + (self.warmup_final_lr - self.warmup_begin_lr) * share

    def after_warmup(self, num_update: int) -> float:
        """The learning rate once warm-up is over; subclasses define it.

        Parameters
        ----------
        num_update : int
            At least ``warmup_steps``.

        Returns
        -------
        float

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} must define after_warmup(num_update)")

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        if type(self).__call__ is LRScheduler.__call__:
            self.base_lr /= self._fallen() or 1

    def _fallen(self) -> float:
        """The product of the factors by which MXNet has changed `base_lr`; forget their number."""
        return 1

    def _tell(self, num_update: int, falls: int, lr: float, last: bool = False) -> float:
        """Log the learning rate `lr` if it was reduced since the last log entry; return it."""
        if falls > self._told:
            self._told = falls
            text = "now learning rate arrived at %0.5e, will not change in the future"
            text = text if last else "Change learning rate to %0.5e"
            logging.getLogger().info("Update[%d]: " + text, num_update, lr)
        return lr


class FactorScheduler(LRScheduler):
    """Multiplies the learning rate by a factor every `step` updates.

    Parameters
    ----------
    step : int
        At least 1.
    factor : float, default 1
        At most 1.
    stop_factor_lr : float, default 1e-8
        The learning rate does not fall below this.
    base_lr, warmup_steps, warmup_begin_lr, warmup_mode
        See `LRScheduler`.

    Raises
    ------
    ArgumentError
        If `step` is less than 1, `factor` more than 1, or the settings of warm-up contradict each
        other.

    Examples
    --------
    >>> from gluon.lr_scheduler import FactorScheduler
    >>> schedule = FactorScheduler(step=2, factor=0.5, base_lr=1)
    >>> [schedule(n) for n in range(1, 6)]
    [1.0, 1.0, 0.5, 0.5, 0.25]
    """

    factor: float
    step: int
    stop_factor_lr: float

    def __init__(
        self,
        step: int,
        factor: float = 1,
        stop_factor_lr: float = 1e-8,
        base_lr: float = 0.01,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        if not isinstance(step, Real):
            raise DTypeError(
                f"FactorScheduler: step is {a_type(step)}, not a number of updates; a"
                " Trainer gets its schedule as {'lr_scheduler': schedule}"
            )
        if step < 1 or factor > 1:
            raise ArgumentError(
                f"FactorScheduler: step must be at least 1 and factor at most 1; got {step} and"
                f" {factor}"
            )
        self.step, self.factor, self.stop_factor_lr = step, factor, stop_factor_lr

    def _fallen(self) -> float:
        return self.factor ** (vars(self).pop("count", 0) // self.step)

    def after_warmup(self, num_update: int) -> float:
        """The learning rate once warm-up is over."""
        times = max(num_update - 1, 0) // self.step
        lr = self.base_lr * float(self.factor) ** times
        if not times:
            return lr
        return self._tell(num_update, times, max(lr, self.stop_factor_lr), lr < self.stop_factor_lr)


class MultiFactorScheduler(LRScheduler):
    """Multiplies the learning rate by a factor after given updates.

    Parameters
    ----------
    step : list of int
        The updates after which to multiply, in increasing order.
    factor : float, default 1
        At most 1.
    base_lr, warmup_steps, warmup_begin_lr, warmup_mode
        See `LRScheduler`.

    Raises
    ------
    ArgumentError
        If `step` does not increase or begins below 1, `factor` is more than 1, or the settings of
        warm-up contradict each other.

    Examples
    --------
    >>> from gluon import lr_scheduler
    >>> schedule = lr_scheduler.MultiFactorScheduler([2, 3], factor=0.1, base_lr=1)
    >>> [round(schedule(n), 3) for n in range(5)]
    [1.0, 1.0, 1.0, 0.1, 0.01]
    """

    factor: float
    step: list[int]

    def __init__(
        self,
        step: list[int],
        factor: float = 1,
        base_lr: float = 0.01,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        if isinstance(step, Number):
            raise DTypeError(
                f"MultiFactorScheduler: step is {step!r}; pass a list, such as [{step}]"
            )
        if not step or step[0] < 1 or sorted(set(step)) != list(step) or factor > 1:
            raise ArgumentError(
                f"MultiFactorScheduler: step must be a list of increasing numbers of at least 1,"
                f" and factor at most 1; got {step} and {factor}"
            )
        self.step, self.factor = list(step), factor

    def _fallen(self) -> float:
        vars(self).pop("count", None)
        return self.factor ** vars(self).pop("cur_step_ind", 0)

    def after_warmup(self, num_update: int) -> float:
        """The learning rate once warm-up is over."""
        times = bisect_left(self.step, num_update)
        return self._tell(num_update, times, self.base_lr * float(self.factor) ** times)


class _Falling(LRScheduler):
    """Decreases from `base_lr` to `final_lr`, which it reaches at update `max_update`."""

    base_lr_orig: float
    final_lr: float
    max_update: int

    def __init__(
        self,
        max_update: int,
        base_lr: float,
        final_lr: float,
        warmup_steps: int,
        warmup_begin_lr: float,
        warmup_mode: str,
    ) -> None:
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        if max_update < 1 or max_update <= warmup_steps:
            raise ArgumentError(
                f"{type(self).__name__}: max_update must be at least 1 and more than"
                f" warmup_steps={warmup_steps}; got {max_update}"
            )
        self.max_update, self.final_lr, self.base_lr_orig = max_update, final_lr, base_lr

    def _fallen(self) -> float:
        vars(self).pop("max_steps", None)
        return 1

    def after_warmup(self, num_update: int) -> float:
        """Return the learning rate after warmup."""
        done = (num_update - self.warmup_steps) / (self.max_update - self.warmup_steps)
        return self.final_lr + (self.base_lr_orig - self.final_lr) * self._left(min(done, 1.0))

    def _left(self, done: float) -> float:
        raise NotImplementedError


class PolyScheduler(_Falling):
    """Polynomial decay of the learning rate.

    Parameters
    ----------
    max_update : int
        The update at which `final_lr` is reached.
    base_lr : float, default 0.01
    pwr : int, default 2
        The power.
    final_lr : float, default 0
    warmup_steps, warmup_begin_lr, warmup_mode
        See `LRScheduler`.

    Raises
    ------
    ArgumentError
        If `max_update` is below 1 or not above `warmup_steps`, or the settings of warm-up
        contradict each other.

    Examples
    --------
    >>> from gluon import lr_scheduler
    >>> schedule = lr_scheduler.PolyScheduler(4, base_lr=1)
    >>> [schedule(n) for n in range(6)]
    [1.0, 0.5625, 0.25, 0.0625, 0.0, 0.0]
    """

    def __init__(
        self,
        max_update: int,
        base_lr: float = 0.01,
        pwr: int = 2,
        final_lr: float = 0,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(max_update, base_lr, final_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        if pwr < 0:
            raise ArgumentError(f"PolyScheduler: pwr must be at least 0, or rates grow; got {pwr}")
        self.power = pwr

    def _left(self, done: float) -> float:
        return (1 - done) ** self.power


class CosineScheduler(_Falling):
    """Cosine decay of the learning rate.

    Parameters
    ----------
    max_update : int
        The update at which `final_lr` is reached.
    base_lr : float, default 0.01
    final_lr : float, default 0
    warmup_steps, warmup_begin_lr, warmup_mode
        See `LRScheduler`.

    Raises
    ------
    ArgumentError
        If `max_update` is below 1 or not above `warmup_steps`, or the settings of warm-up
        contradict each other.

    Examples
    --------
    >>> from gluon import lr_scheduler
    >>> schedule = lr_scheduler.CosineScheduler(4, base_lr=1)
    >>> [round(schedule(n), 3) for n in range(6)]
    [1.0, 0.854, 0.5, 0.146, 0.0, 0.0]
    """

    def __init__(
        self,
        max_update: int,
        base_lr: float = 0.01,
        final_lr: float = 0,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(max_update, base_lr, final_lr, warmup_steps, warmup_begin_lr, warmup_mode)

    def _left(self, done: float) -> float:
        return (1 + math.cos(math.pi * done)) / 2


if not TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = hinting(__name__, __all__)
