"""`Optimizer`: learning rates, weight decay and the count of updates."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypedDict, TypeVar

import numpy as np

from .._core.engine.array import wrap
from .._core.engine.inplace import write
from .._core.errors import ArgumentError, DTypeError, a_type, warn_caller
from .._core.hints.called import Hinted
from .._core.hints.lookup import refuse
from .._core.hints.synonyms import OPTIMIZER
from .._core.journal import again, watcher
from .._core.ops.optimizer import Step
from .._core.printing import with_settings
from ..nd import NDArray
from .exchange import from_mxnet

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._core.hints.lookup import Nothing

K = TypeVar("K", bound="type[Optimizer]")
#: A step and its settings.
Chosen = tuple[Step, dict[str, Any]]
#: A step, its arrays and its settings.
Call = tuple[Step, tuple[NDArray, ...], dict[str, Any]]


def zeros_like(weight: NDArray) -> NDArray:
    """Zeros of the shape, the dtype and the context of a weight."""
    return wrap(NDArray, np.zeros_like(weight.raw), weight._ctx)


def _check(owner: Optimizer, schedule: Any, wd: Any) -> None:
    check_sizes(owner, wd=wd)
    if schedule is not None and (not callable(schedule) or isinstance(schedule, type)):
        found = "a class" if isinstance(schedule, type) else a_type(schedule)
        raise DTypeError(
            f"{type(owner).__name__}: lr_scheduler is {found}; pass a schedule, such as"
            " lr_scheduler.FactorScheduler(step=100, factor=0.5)"
        )


def _warn_if_negative(lr: Any) -> None:
    if lr is not None and np.ndim(lr) == 0 and lr < 0:
        warn_caller(f"learning_rate={lr} is negative: steps raise the loss")


def check_shares(owner: Optimizer, **given: Any) -> None:
    """Warn if an argument, the share of an average that each step keeps, is not from 0 to 1."""
    for name, value in given.items():
        if isinstance(value, (int, float)) and not 0 <= value < 1:
            warn_caller(
                f"{type(owner).__name__}: {name}={value} is the share of an average that each step"
                " keeps; give a number from 0 to below 1, or steps diverge"
            )


def check_sizes(owner: Optimizer, **given: Any) -> None:
    """Warn if an argument, a number that is added or multiplied, is negative."""
    for name, value in given.items():
        if isinstance(value, (int, float)) and value < 0:
            warn_caller(
                f"{type(owner).__name__}: {name}={value} is negative; give 0 or a positive number"
            )


def for_each(update: Callable[..., Any]) -> Callable[..., Any]:
    """`update`, of one weight, also for lists of indices, weights, gradients and states."""

    @functools.wraps(update)
    def call(self: Any, index: Any, weight: Any, grad: Any, state: Any) -> None:
        if not isinstance(index, (list, tuple)):
            update(self, index, weight, grad, state)
            return
        for one in zip(index, weight, grad, state):
            update(self, *one)

    return call


class Common(TypedDict, total=False):
    """What every optimizer passes on to `Optimizer`."""

    rescale_grad: float
    param_idx2name: dict[int, str] | None
    clip_gradient: float | None
    lr_scheduler: Callable[[int], float] | None
    sym: Any
    begin_num_update: int
    param_dict: dict[int, Any] | None


class WithoutDecay(Common, total=False):
    """The same of one that has an argument for the decay, and one for the learning rate."""

    multi_precision: bool


class WithoutRate(WithoutDecay, total=False):
    """The same of one that has an argument for the learning rate."""

    wd: float


class WithoutPrecision(Common, total=False):
    """The same of one that has an argument for `multi_precision`."""

    wd: float
    learning_rate: float | None


class Settings(WithoutRate, total=False):
    """The arguments of `Optimizer`."""

    learning_rate: float | None


class ScheduledError(ArgumentError, UserWarning):
    """The learning rate was set while a schedule is in use; MXNet raises this `UserWarning`."""


def _of_variables(symbol: Any) -> dict[str, dict[str, str]]:
    """The attributes of the arguments of a symbol, without those of its operators."""
    given = symbol.attr_dict()
    return {name: given.get(name, {}) for name in symbol.list_arguments()}


class Optimizer(Hinted):
    """Base of all optimizers.

    Subclasses define `update`, and `create_state` if they keep a state for each weight.

    Parameters
    ----------
    rescale_grad : float, default 1
        A factor of the gradients; a trainer sets it to divide by the batch size.
    param_idx2name : dict of int to str, optional
        The names of the weights by index, for `set_lr_mult` and `set_wd_mult`.
    wd : float, default 0
        Weight decay: the factor of a weight that is added to its gradient.
    clip_gradient : float, optional
        Limits gradients, after `rescale_grad`, to ``[-clip_gradient, clip_gradient]``.
    learning_rate : float, optional
        0.01 by default, or the initial learning rate of the scheduler.
    lr_scheduler : callable, optional
        ``lr_scheduler(number_of_updates)`` is the learning rate.
    sym : Symbol, optional
        A symbol whose variables have ``lr_mult`` and ``wd_mult`` to use.
    begin_num_update : int, default 0
        The count of updates to start from.
    multi_precision : bool, default False
        Keep a float32 copy of float16 weights and update that.
    param_dict : dict of int to Parameter, optional
        Parameters whose ``lr_mult`` and ``wd_mult`` to use.

    Raises
    ------
    DTypeError
        If an argument is unknown; the message suggests the right name.

    Attributes
    ----------
    aggregate_num : int
        How many weights an `Updater` passes to `update_multi_precision` at once, in lists; 0 for
        one weight, not in a list.
    mixes : bool
        Whether `update` takes a float16 gradient of a float32 weight without a cast.
    copy_last : bool
        Whether the float32 copy of a float16 weight comes after the state.
    decayed : tuple of str
        The endings of the names of weights that decay.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> class Sign(optimizer.Optimizer):
    ...     def update(self, index, weight, grad, state):
    ...         weight -= self.learning_rate * nd.sign(grad)
    >>> weight = nd.array([1, 2])
    >>> Sign(learning_rate=0.5).update(0, weight, nd.array([3, -4]), None)
    >>> weight.asnumpy()
    array([0.5, 2.5], dtype=float32)
    """

    _elsewhere = OPTIMIZER
    _expected = ("learning_rate", "lr_scheduler")
    _instead = "a Trainer takes the parameters, as in Trainer(net.collect_params(), 'adam')"
    clip_gradient: float | None
    idx2name: dict[int, str]
    num_update: int
    param_dict: dict[int, Any]
    rescale_grad: float
    wd: float

    #: Every optimizer by the name that `create` takes, in lower case.
    opt_registry: dict[str, type[Optimizer]] = {}  # noqa: RUF012  (one table for all)
    aggregate_num: int = 0
    mixes: bool = False
    copy_last: bool = False
    decayed: tuple[str, ...] = ("_weight", "_gamma")

    def __init__(
        self,
        rescale_grad: float = 1.0,
        param_idx2name: dict[int, str] | None = None,
        wd: float = 0.0,
        clip_gradient: float | None = None,
        learning_rate: float | None = None,
        lr_scheduler: Callable[[int], float] | None = None,
        sym: Any = None,
        begin_num_update: int = 0,
        multi_precision: bool = False,
        param_dict: dict[int, Any] | None = None,
        **_: Unpack[Nothing],
    ) -> None:
        refuse(type(self), _)
        _check(self, lr_scheduler, wd)
        self.rescale_grad, self.wd, self.clip_gradient = rescale_grad, wd, clip_gradient
        self.lr_scheduler = lr_scheduler
        base_lr = getattr(lr_scheduler, "base_lr", 0.01)
        self.lr = base_lr if learning_rate is None else learning_rate
        _warn_if_negative(self.lr)
        if lr_scheduler is not None and base_lr != self.lr and hasattr(lr_scheduler, "base_lr"):
            warn_caller(
                f"lr_scheduler.base_lr={base_lr} is set to learning_rate={learning_rate}; pass the"
                " one that you mean to both"
            )
            lr_scheduler.base_lr = learning_rate
        self.multi_precision = multi_precision
        self.begin_num_update = self.num_update = begin_num_update
        self.idx2name = dict(param_idx2name or {})
        self.param_dict = dict(param_dict or {})
        self._counts: dict[int, dict[Any, int]] = {}
        self._memories: dict[int, dict[Any, Any]] = {}
        self._set_current_context(0)
        self._attributes = {} if sym is None else _of_variables(sym)
        self.lr_mult: dict[Any, float] = {}
        self.wd_mult: dict[Any, float] = {}
        self.set_lr_mult({})
        self.set_wd_mult({})

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "param_dict": {}}  # parameters are saved separately

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "_counts" in state:
            vars(self).update(state)
        else:
            from_mxnet(self, state)

    def __repr__(self) -> str:
        return with_settings(self, learning_rate=self.lr_scheduler or self.lr)

    @staticmethod
    def register(klass: K) -> K:
        """Register an optimizer class for `create`; a class decorator.

        Parameters
        ----------
        klass : subclass of Optimizer

        Returns
        -------
        type
            `klass` itself.

        Examples
        --------
        >>> from gluon import optimizer
        >>> @optimizer.Optimizer.register
        ... class Still(optimizer.Optimizer):
        ...     def update(self, index, weight, grad, state):
        ...         pass
        >>> type(optimizer.create("still")).__name__
        'Still'
        >>> _ = optimizer.Optimizer.opt_registry.pop("still")
        """
        Optimizer.opt_registry[klass.__name__.lower()] = klass
        return klass

    @staticmethod
    def create_optimizer(name: str, **kwargs: Any) -> Optimizer:
        """An optimizer from its name; see `create`.

        Parameters
        ----------
        name : str
            Such as ``'sgd'``; case does not matter.
        **kwargs
            The settings of the optimizer.

        Returns
        -------
        Optimizer

        Raises
        ------
        ArgumentError
            If no optimizer has that name.

        Examples
        --------
        >>> from gluon import optimizer
        >>> optimizer.Optimizer.create_optimizer("Adam").learning_rate
        0.001
        """
        return create(name, **kwargs)

    # ------------------------------------------------------------------------------ updates

    def create_state(self, index: Any, weight: NDArray) -> Any:
        """Create the state of a weight: None, an array, or a tuple of arrays.

        Parameters
        ----------
        index : int
            The index of the weight.
        weight : NDArray of any shape and floating dtype

        Returns
        -------
        None, NDArray or tuple of NDArray
            Of the shape of `weight`; most optimizers begin with zeros.

        Examples
        --------
        >>> from gluon import nd, optimizer
        >>> optimizer.SGD(momentum=0.9).create_state(0, nd.ones((2,))).asnumpy()
        array([0., 0.], dtype=float32)
        """
        return None

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        """Change `weight` and `state` in place.

        Parameters
        ----------
        index : int
            The index of the weight.
        weight, grad : NDArray of one shape and floating dtype
        state : object
            The result of `create_state`.

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} must define update()")

    def _is_doubled(self, weight: NDArray) -> bool:
        return self.multi_precision and weight.form.dtype.itemsize < 4

    def create_state_multi_precision(self, index: Any, weight: NDArray) -> Any:
        """As `create_state`; for float16 with `multi_precision`, a float32 copy as well.

        Parameters
        ----------
        index : int
            The index of the weight.
        weight : NDArray of any shape and floating dtype

        Returns
        -------
        object
            The result of `create_state`, or a tuple of that and the float32 copy of the weight.

        Examples
        --------
        >>> from gluon import nd, optimizer
        >>> sgd = optimizer.SGD(momentum=0.9, multi_precision=True)
        >>> state = sgd.create_state_multi_precision(0, nd.ones((2,), dtype="float16"))
        >>> [one.dtype for one in state]
        [<class 'numpy.float32'>, <class 'numpy.float32'>]
        """
        if not self._is_doubled(weight):
            return self.create_state(index, weight)
        copy = wrap(NDArray, weight.raw.astype("float32"), weight._ctx)
        state = self.create_state(index, copy)
        return (state, copy) if self.copy_last else (copy, state)

    @for_each
    def update_multi_precision(
        self, index: Any, weight: NDArray, grad: NDArray, state: Any
    ) -> None:
        """As `update`; for float16 with `multi_precision`, through the float32 copy.

        Also takes lists of all four, for several weights.

        Parameters
        ----------
        index : int or list of int
            The index of the weight.
        weight, grad : NDArray or list of NDArray
            Of one shape and dtype.
        state : object or list
            The result of `create_state_multi_precision`.

        Raises
        ------
        ArgumentError
            If the weight is sparse and of float16, with `multi_precision`.

        Examples
        --------
        >>> from gluon import nd, optimizer
        >>> sgd = optimizer.SGD(learning_rate=0.5, multi_precision=True)
        >>> weight, grad = nd.ones((2,), dtype="float16"), nd.ones((2,), dtype="float16")
        >>> sgd.update_multi_precision(0, weight, grad, sgd.create_state_multi_precision(0, weight))
        >>> weight.asnumpy()
        array([0.5, 0.5], dtype=float16)
        """
        if not self._is_doubled(weight):
            self.update(index, weight, grad, state)
            return
        copy, state = reversed(state) if self.copy_last else state
        self.update(index, copy, grad if self.mixes else grad.astype("float32"), state)
        write(weight, ..., copy.raw)

    def _set_current_context(self, device_id: int) -> None:
        """Use the update counts of one device."""
        self._index_update_count = self._counts.setdefault(device_id, {})
        self._memory = self._memories.setdefault(device_id, {})

    def _update_count(self, index: Any) -> None:
        """Count an update of the weight `index`, or of each in a list."""
        if (watching := watcher()) is not None:
            watching.fail(f"{type(self).__name__} counts an update outside of a Trainer")
        counts = self._index_update_count
        for one in index if isinstance(index, (list, tuple)) else (index,):
            counts[one] = count = counts.get(one, self.begin_num_update) + 1
            if count > self.num_update:
                self.num_update = count

    # -------------------------------------------------------------- learning rates and decay

    @property
    def learning_rate(self) -> float:
        """The current learning rate."""
        return self.lr if self.lr_scheduler is None else self.lr_scheduler(self.num_update)

    def set_learning_rate(self, lr: float) -> None:
        """Change the learning rate.

        Parameters
        ----------
        lr : float

        Raises
        ------
        ArgumentError
            If a scheduler sets the learning rate.
        DTypeError
            If `lr` is text.

        Examples
        --------
        >>> from gluon import optimizer
        >>> sgd = optimizer.SGD(learning_rate=0.5)
        >>> sgd.set_learning_rate(0.1)
        >>> sgd.learning_rate
        0.1
        """
        if self.lr_scheduler is not None:
            raise ScheduledError(
                "the learning rate is decided by lr_scheduler; change its base_lr, or make the"
                " optimizer without one"
            )
        if isinstance(lr, (str, bytes)):
            raise DTypeError(f"set_learning_rate: lr={lr!r} is {a_type(lr)}; pass a number")
        _warn_if_negative(lr)
        self.lr = lr

    def set_lr_scale(self, args_lrscale: dict[Any, float]) -> None:
        """Raise an error: use `set_lr_mult`.

        Parameters
        ----------
        args_lrscale : dict
            Ignored.

        Raises
        ------
        ArgumentError
            Always.

        Examples
        --------
        >>> from gluon import GluonError, optimizer
        >>> try:
        ...     optimizer.SGD().set_lr_scale({0: 2})
        ... except GluonError as error:
        ...     print(error)
        set_lr_scale was removed; use set_lr_mult
        """
        raise ArgumentError("set_lr_scale was removed; use set_lr_mult")

    def set_lr_mult(self, args_lr_mult: dict[Any, float]) -> None:
        """Set factors on the learning rate, by the index or the name of weights.

        Parameters
        ----------
        args_lr_mult : dict of int or str to float

        Examples
        --------
        >>> from gluon import nd, optimizer
        >>> sgd = optimizer.SGD(learning_rate=0.5)
        >>> sgd.set_lr_mult({1: 0.1})
        >>> for index in range(2):
        ...     weight = nd.zeros((1,))
        ...     sgd.update(index, weight, nd.ones((1,)), None)
        ...     print(weight.asscalar())
        -0.5
        -0.05
        """
        self.lr_mult = {**self._attributed("__lr_mult__"), **args_lr_mult}

    def set_wd_mult(self, args_wd_mult: dict[Any, float]) -> None:
        """Set factors on the weight decay, by the index or the name of weights.

        Weights whose name does not end with one of `decayed` have the factor 0.

        Parameters
        ----------
        args_wd_mult : dict of int or str to float

        Examples
        --------
        >>> from gluon import optimizer
        >>> sgd = optimizer.SGD(wd=0.1, param_idx2name={0: "out_weight", 1: "out_bias"})
        >>> sgd.set_wd_mult({"out_weight": 2})
        >>> sgd.wd_mult
        {'out_bias': 0.0, 'out_weight': 2}
        """
        names = self.idx2name.values()
        self.wd_mult = {name: 0.0 for name in names if not name.endswith(self.decayed)}
        self.wd_mult |= {**self._attributed("__wd_mult__"), **args_wd_mult}

    def _attributed(self, key: str) -> dict[str, float]:
        """Return the factors given as attributes of the symbol's variables."""
        known = self._attributes.items()
        return {name: float(attrs[key]) for name, attrs in known if key in attrs}

    def _factor(self, index: Any, factors: dict[Any, float]) -> float:
        if index in factors:
            return factors[index]
        return factors.get(self.idx2name.get(index), 1.0)

    def _get_lr(self, index: Any) -> float:
        """Return the learning rate of the weight `index`."""
        lr = self.lr if self.lr_scheduler is None else self.lr_scheduler(self.num_update)
        one = self.param_dict.get(index)
        return lr * (self._factor(index, self.lr_mult) if one is None else one.lr_mult)

    def _get_wd(self, index: Any) -> float:
        """Return the weight decay of the weight `index`."""
        one = self.param_dict.get(index)
        return self.wd * (self._factor(index, self.wd_mult) if one is None else one.wd_mult)

    def _get_lrs(self, indices: Any) -> list[float]:
        """Return the learning rates of several weights."""
        return [self._get_lr(index) for index in indices]

    def _get_wds(self, indices: Any) -> list[float]:
        """Return the weight decays of several weights."""
        return [self._get_wd(index) for index in indices]

    def _step(self, index: Any) -> dict[str, Any]:
        """Count an update of the weight `index`, and return the settings of all steps."""
        self._update_count(index)
        return self._common(self._get_lr(index), self._get_wd(index))

    def _common(self, lr: float, wd: float) -> dict[str, Any]:
        """The settings of all steps."""
        return {
            "lr": float(lr),
            "wd": float(wd),
            "rescale_grad": float(self.rescale_grad),
            "clip_gradient": self.clip_gradient or -1,
        }


class Stepping(Optimizer):
    """Optimizers that update a weight in one call; an `Updater` updates all weights in one call.

    Subclasses define `_chosen`, or `_call` if settings depend on more than that is told; those that
    define `update` instead get one weight at a time.
    """

    mixes = True

    def _chosen(self, settings: dict[str, Any], count: int, stateless: bool) -> Chosen:
        """The step and its settings, from those of all steps, for update number `count`."""
        raise NotImplementedError(f"{type(self).__name__} must define _chosen()")

    def _call(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> Call:
        """Count an update; return the step, its arrays and its settings."""
        settings = self._step(index)
        step, settings = self._chosen(settings, self._index_update_count[index], state is None)
        return step, _arrays(weight, grad, state), settings

    def _calls(self, items: list[tuple]) -> list[Call]:
        """The same for several weights; equal settings are one dictionary."""
        if type(self)._call is not Stepping._call:
            return [self._call(*item) for item in items]
        known: dict[tuple, Chosen] = {}
        found = []
        of, counts, plain = self.param_dict.get, self._index_update_count, self._has_plain_rates()
        for index, weight, grad, state in items:
            if plain and (one := of(index)) is not None and index in counts:
                counts[index] = count = counts[index] + 1
                if count > self.num_update:
                    self.num_update = count
                lr, wd = self.lr * one.lr_mult, self.wd * one.wd_mult
            else:
                self._update_count(index)
                lr, wd = self._get_lr(index), self._get_wd(index)
                count = counts[index]
            key = lr, wd, count, state is None
            if key not in known:
                known[key] = self._chosen(self._common(lr, wd), count, state is None)
            step, settings = known[key]
            arrays = (
                (weight, grad, *state) if type(state) is tuple else _arrays(weight, grad, state)
            )
            found.append((step, arrays, settings))
        return found

    @again
    @for_each
    def update(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        """Change `weight` and `state` in place; also takes lists of all four."""
        if grad._is_sparse or weight._is_sparse:
            self._update_rows(index, weight, grad, state)
            return
        step, arrays, settings = self._call(index, weight, grad, state)
        step(*arrays, **settings)

    def _update_rows(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        """As `update`, where the weight or its gradient is sparse."""
        step, arrays, settings = self._call(index, weight, grad, state)
        lazy = bool(getattr(self, "lazy_update", True))
        stype = getattr(self.param_dict.get(index), "_stype", weight.stype)
        step.stored(arrays, settings, lazy, stype)

    def _has_plain_rates(self) -> bool:
        """Whether rates are products of numbers, which `_calls` computes without calls."""
        kind, base = type(self), Optimizer
        return (
            self.lr_scheduler is None
            and watcher() is None
            and kind._get_lr is base._get_lr
            and kind._get_wd is base._get_wd
            and kind._update_count is base._update_count
        )

    def _takes_all(self) -> bool:
        """Whether `_update_all` is correct for a subclass, which may override methods."""
        kind = type(self)
        return (
            kind.update is Stepping.update
            and kind.update_multi_precision is Optimizer.update_multi_precision
        )

    def _update_all(self, items: list[tuple]) -> None:
        """Run `update_multi_precision` for several weights, each with index, gradient and state."""
        calls: dict[Step, list] = {}
        copies, dense = [], []
        for index, weight, grad, state in items:
            target = weight
            if self.multi_precision and self._is_doubled(weight):
                target, state = reversed(state) if self.copy_last else state
                copies.append((weight, target))
            if grad._is_sparse or target._is_sparse:
                self._update_rows(index, target, grad, state)
                continue
            dense.append((index, target, grad, state))
        for step, arrays, settings in self._calls(dense):
            calls.setdefault(step, []).append((arrays, settings))
        for step, rows in calls.items():
            step.each(rows)
        for weight, target in copies:
            write(weight, ..., target.raw)


def _arrays(weight: NDArray, grad: NDArray, state: Any) -> tuple[NDArray, ...]:
    if state is None:
        return weight, grad
    many = isinstance(state, (tuple, list))
    return (weight, grad, *state) if many else (weight, grad, state)


register: Final = Optimizer.register


def create(name: Any, **kwargs: Any) -> Optimizer:
    """Create an optimizer by name.

    Parameters
    ----------
    name : str
        Such as ``'sgd'``; case does not matter.
    **kwargs
        The settings of the optimizer.

    Returns
    -------
    Optimizer

    Raises
    ------
    ArgumentError
        If no optimizer has that name.
    DTypeError
        If `name` is not a string.

    Examples
    --------
    >>> from gluon import optimizer
    >>> optimizer.create("sgd", learning_rate=0.1).learning_rate
    0.1
    """
    if not isinstance(name, str):
        raise DTypeError(
            "an optimizer is an instance of a class such as SGD, or a name such as 'sgd', not"
            f" {name!r}"
        )
    found = Optimizer.opt_registry.get(name.lower())
    if found is None:
        known = ", ".join(sorted(Optimizer.opt_registry))
        raise ArgumentError(f"unknown optimizer {name!r}; choose one of {known}")
    return found(**kwargs)
