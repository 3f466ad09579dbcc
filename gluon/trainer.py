"""`Trainer`: applies an optimizer to parameters."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Real
from typing import TYPE_CHECKING, Any

from . import kvstore as stores
from . import optimizer as optimizers
from ._core.arrays import Context
from ._core.errors import ArgumentError, DTypeError, GluonError, a_type, warn_caller
from ._core.faces.files import opened
from ._core.hints.called import Hinted
from ._core.hints.lookup import Refused, hinted
from ._core.hints.synonyms import TRAINER
from ._core.instruments.base import OBSERVED
from ._core.journal import again
from .block import Block
from .kvstore import KVStore, KVStoreBase
from .nd import NDArray
from .optimizer import Optimizer
from .parameter import Parameter, ParameterDict

__all__ = ["StaleGradientError", "Trainer"]


class StaleGradientError(GluonError, UserWarning):
    """A parameter has a stale gradient, from before the last step.

    Examples
    --------
    >>> from gluon import Trainer, nn
    >>> from gluon.trainer import StaleGradientError
    >>> net = nn.Dense(1, in_units=2)
    >>> net.initialize()
    >>> try:
    ...     Trainer(net.collect_params(), "sgd").step(1)
    ... except StaleGradientError:
    ...     print("call backward first")
    call backward first
    """


class Trainer(Hinted):
    """Updates parameters from their gradients.

    Call `step` after ``backward``. For parameters on several contexts it sums the gradients of the
    replicas.

    Parameters
    ----------
    params : ParameterDict, dict or list of Parameter
        Usually ``net.collect_params()``.
    optimizer : str or Optimizer
    optimizer_params : dict, optional
        The settings of an optimizer given by name.
    kvstore : str, KVStoreBase or None, default 'device'
        The store that sums the gradients of the replicas, or its name for `kvstore.create`. With
        one context, only the names of stores of several processes, such as ``'dist_sync'``, create
        a store. None updates each replica from its own gradient.
    compression_params : dict, optional
        How a store of several processes compresses gradients: ``{'type': 'fp16'}``, or
        ``{'type': '2bit', 'threshold': 0.5}``. Other stores raise an error.
    update_on_kvstore : bool, optional
        Whether the store applies the optimizer to the sum, and does not change the gradients. By
        default, the store does so if it can; `allreduce_grads` and `update` are then unavailable.

    Raises
    ------
    ArgumentError
        If a setting is unknown, there are no parameters, or they are on different contexts.
    DTypeError
        If `kvstore` is neither a store nor its name.
    GluonError
        If a parameter has not been initialized.

    Examples
    --------
    >>> from gluon import Trainer, autograd, nd, nn
    >>> net = nn.Dense(1, use_bias=False, in_units=2, weight_initializer="ones")
    >>> net.initialize()
    >>> trainer = Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    >>> with autograd.record():
    ...     loss = net(nd.array([[1, 2]]))
    >>> loss.backward()
    >>> trainer.step(batch_size=1)
    >>> net.weight.data().asnumpy()
    array([[0.5, 0. ]], dtype=float32)
    """

    _elsewhere = TRAINER
    if not TYPE_CHECKING:
        lr = Refused("lr", TRAINER["lr"])

    def __init__(
        self,
        params: ParameterDict | dict[str, Parameter] | Iterable[Parameter],
        optimizer: str | Optimizer,
        optimizer_params: dict[str, Any] | None = None,
        kvstore: str | KVStoreBase | None = "device",
        compression_params: dict[str, Any] | None = None,
        update_on_kvstore: bool | None = None,
    ) -> None:
        if isinstance(params, (dict, ParameterDict)):
            params = [params[name] for name in sorted(params.keys())]
        self._params = _checked(params)
        self._contexts = self._common_contexts()
        self._kvstore = self._store(kvstore)
        if compression_params is not None:
            self._compress(compression_params)
        self._update_on_kvstore = self._updates(update_on_kvstore)
        self._kv_initialized = False
        self._optimizer = self._created(optimizer, optimizer_params or {})
        self._scale = self._optimizer.rescale_grad
        self._updaters = [optimizers.get_updater(self._optimizer) for _ in self._contexts]
        if self._update_on_kvstore:
            self._kvstore.set_optimizer(self._optimizer)

    def __repr__(self) -> str:
        count = len(self._params)
        return f"Trainer({count} parameter{'s' * (count != 1)}, {self._optimizer!r})"

    def _store(self, kvstore: Any) -> Any:
        """Return the store that sums gradients; None if one context needs no sum."""
        if kvstore is None or isinstance(kvstore, KVStoreBase):
            return kvstore
        if not isinstance(kvstore, str):
            raise DTypeError(f"kvstore is a KVStore, its name or None, not {a_type(kvstore)}")
        store = stores.create(kvstore)
        alone = len(self._contexts) == 1 and not kvstore.lower().startswith(("dist", "horovod"))
        return None if alone else store

    def _compress(self, parameters: dict[str, Any]) -> None:
        if not hasattr(self._kvstore, "set_gradient_compression"):
            raise ArgumentError(
                "compression_params: gradients that stay in this process are not compressed; leave"
                " it out, or use kvstore='dist_sync'"
            )
        self._kvstore.set_gradient_compression(parameters)

    def _updates(self, wanted: bool | None) -> bool:
        """Whether the store itself updates parameters."""
        if self._kvstore is None:
            return False
        able = self._kvstore.is_capable(KVStoreBase.OPTIMIZER)
        if wanted and not able:
            raise ArgumentError(
                f"the kvstore {self._kvstore.type!r} cannot update parameters; pass"
                " update_on_kvstore=False"
            )
        return able if wanted is None else bool(wanted)

    def _common_contexts(self) -> list[Context]:
        contexts: list[Context] = []
        for one in self._params:
            found = one.list_ctx()
            if contexts and found != contexts:
                raise ArgumentError(
                    f"all parameters must be on the same contexts: {one.whose} is on {found},"
                    f" others on {contexts}. Initialize the whole network at once"
                )
            contexts = found
        return contexts

    def _created(self, optimizer: Any, settings: dict[str, Any]) -> optimizers.Optimizer:
        if not isinstance(settings, dict):
            raise DTypeError(
                f"optimizer_params is a dict, such as {{'learning_rate': 0.1}}, not {settings!r}"
            )
        param_dict = dict(enumerate(self._params))
        if not isinstance(optimizer, optimizers.Optimizer):
            return optimizers.create(optimizer, param_dict=param_dict, **settings)
        if settings:
            raise ArgumentError(
                f"optimizer_params {sorted(settings)} go with an optimizer given by name; set"
                f" them where {type(optimizer).__name__} is made"
            )
        optimizer.param_dict = param_dict
        return optimizer

    @property
    def optimizer(self) -> optimizers.Optimizer:
        """The optimizer."""
        return self._optimizer

    @property
    def learning_rate(self) -> float:
        """The current learning rate."""
        return self._optimizer.learning_rate

    @learning_rate.setter
    def learning_rate(self, lr: float) -> None:
        self.set_learning_rate(lr)

    def set_learning_rate(self, lr: float) -> None:
        """Change the learning rate.

        Parameters
        ----------
        lr : float

        Raises
        ------
        ArgumentError
            If a scheduler sets the learning rate.

        Examples
        --------
        >>> from gluon import Trainer, nn
        >>> net = nn.Dense(1, in_units=2)
        >>> net.initialize()
        >>> trainer = Trainer(net.collect_params(), "sgd")
        >>> trainer.set_learning_rate(0.5)
        >>> trainer.learning_rate
        0.5
        """
        self._optimizer.set_learning_rate(lr)

    # ------------------------------------------------------------------------------- steps

    @again
    @hinted
    def step(self, batch_size: float, ignore_stale_grad: bool = False) -> None:
        """Update all parameters once.

        Parameters
        ----------
        batch_size : int
            The step divides the gradients by this number.
        ignore_stale_grad : bool, default False
            Skip parameters whose gradient is stale, that is from before the last step; otherwise
            they raise an error.

        Raises
        ------
        StaleGradientError
            If no ``backward`` has written the gradient of a parameter since the last step.
            The step then updates no parameter.
        """
        self._prepare(batch_size, ignore_stale_grad)
        self._allreduce_grads()
        self._update(ignore_stale_grad)

    def _prepare(self, batch_size: float, ignore_stale_grad: bool) -> None:
        is_number = type(batch_size) is int or isinstance(batch_size, Real)
        if not is_number or not batch_size > 0:
            got = batch_size if is_number else a_type(batch_size)
            raise ArgumentError(
                f"batch_size must be positive, such as the number of samples; got {got}"
            )
        self._optimizer.rescale_grad = self._scale / batch_size
        if not ignore_stale_grad:
            self._check_fresh()
        self._begin()

    def _begin(self) -> None:
        if not self._kv_initialized:
            self._init_params()
            self._kv_initialized = True

    @again
    def allreduce_grads(self) -> None:
        """Replace the gradients on all contexts by their sum; `update` applies them.

        Raises
        ------
        ArgumentError
            If the trainer applies the sum itself (``update_on_kvstore``).

        Examples
        --------
        >>> from gluon import Trainer, autograd, cpu, nd, nn
        >>> net = nn.Dense(1, in_units=1, use_bias=False)
        >>> net.initialize(ctx=[cpu(0), cpu(1)])
        >>> trainer = Trainer(net.collect_params(), "sgd", update_on_kvstore=False)
        >>> for n, ctx in enumerate([cpu(0), cpu(1)]):
        ...     with autograd.record():
        ...         y = net(nd.full((1, 1), n + 1, ctx=ctx))
        ...     y.backward()
        >>> trainer.allreduce_grads()
        >>> [one.asnumpy().tolist() for one in net.weight.list_grad()]
        [[[3.0]], [[3.0]]]
        """
        self._needs_own_update("allreduce_grads")
        self._begin()
        self._allreduce_grads()

    @again
    @hinted
    def update(self, batch_size: float, ignore_stale_grad: bool = False) -> None:
        """Update all parameters without summing gradients over contexts; see `step`.

        Parameters
        ----------
        batch_size : int
            The step divides the gradients by this number.
        ignore_stale_grad : bool, default False
            Skip parameters whose gradient is stale.

        Raises
        ------
        StaleGradientError
            If no ``backward`` has written the gradient of a parameter since the last step.

        Examples
        --------
        >>> from gluon import Trainer, autograd, nd, nn
        >>> net = nn.Dense(1, in_units=2, use_bias=False, weight_initializer="ones")
        >>> net.initialize()
        >>> settings = {"learning_rate": 0.5}
        >>> trainer = Trainer(net.collect_params(), "sgd", settings, update_on_kvstore=False)
        >>> with autograd.record():
        ...     y = net(nd.array([[1, 2]]))
        >>> y.backward()
        >>> trainer.allreduce_grads()
        >>> trainer.update(1)
        >>> net.weight.data().asnumpy()
        array([[0.5, 0. ]], dtype=float32)
        """
        self._needs_own_update("update")
        self._prepare(batch_size, ignore_stale_grad)
        self._update(ignore_stale_grad)

    def _needs_own_update(self, name: str) -> None:
        if self._update_on_kvstore:
            raise ArgumentError(
                f"{name}() is not for a trainer with update_on_kvstore; pass"
                " update_on_kvstore=False when it is made, or call step()"
            )

    def _trained(self) -> list[tuple[int, Parameter]]:
        """Return the parameters with gradients, and their positions."""
        return [(i, one) for i, one in enumerate(self._params) if one.grad_req != "null"]

    def _init_params(self) -> None:
        """Copy the values of the first replica of each parameter to all replicas and workers."""
        if self._kvstore is None:
            return
        for index, one in enumerate(self._params):
            first, *others = replicas = one._check(one._data)
            if isinstance(self._kvstore, KVStore):
                self._kvstore._share(first)
                for replica in others:
                    replica[:] = first
            else:
                self._kvstore.broadcast(index, first, replicas)

    def _allreduce_grads(self) -> None:
        """Replace the gradients on all contexts by their sum, unless the store updates."""
        if self._kvstore is None or self._update_on_kvstore:
            return
        grads = {index: one.list_grad() for index, one in self._trained()}
        self._push(grads, None)

    def _push(self, grads: dict[int, list[NDArray]], out: dict[int, list[NDArray]] | None) -> None:
        """Let the store sum gradients; the results go to `out`, or replace the gradients."""
        if isinstance(self._kvstore, KVStore):
            # The store works on the first replicas, so it needs no values of its own. It receives
            # all gradients at once, which several processes send in a few large messages.
            for index in grads:
                self._kvstore._hold(index, self._params[index]._check(self._params[index]._data)[0])
            replaced = grads if out is None else out
            self._kvstore.pushpull(list(grads), list(grads.values()), list(replaced.values()))
            return
        for index, given in grads.items():
            where = None if out is None else out[index]
            self._kvstore.pushpull(index, given, out=where, priority=-index)

    def _update(self, ignore_stale_grad: bool = False) -> None:
        """Update the replicas whose gradient is fresh, and mark it as used."""
        fresh = self._fresh()
        if self._update_on_kvstore:
            grads: dict[int, list[NDArray]] = {}
            for indices, given, _ in fresh:
                for index, grad in zip(indices, given):
                    grads.setdefault(index, []).append(grad)
            grads = dict(sorted(grads.items()))
            self._push(grads, {index: self._params[index]._data or [] for index in grads})
        else:
            for updater, (indices, given, replicas) in zip(self._updaters, fresh):
                if indices:
                    updater(indices, given, replicas)
        for *_, replicas in fresh:
            for replica in replicas:
                replica._mark.fresh = False

    def _fresh(self) -> list[tuple[list[int], list[NDArray], list[NDArray]]]:
        """For each context the replicas whose gradient is fresh: indices, gradients, replicas."""
        found: list[tuple] = [([], [], []) for _ in self._contexts]
        for index, one in enumerate(self._params):
            if one._grad_req == "null":
                continue
            for (indices, grads, replicas), replica in zip(found, one._data or one._check(None)):
                mark = replica._mark
                if mark.fresh:
                    grad = mark.grad
                    indices.append(index)
                    grads.append(grad if type(grad) is type(replica) else replica.grad)
                    replicas.append(replica)
        return found

    # ---------------------------------------------------------------------- stale gradients

    def _check_fresh(self) -> None:
        for one in self._params:
            if one._grad_req != "null":
                for replica in one._data or one._check(None):
                    if not replica._mark.fresh:
                        raise self._stale(one)

    def _stale(self, parameter: Parameter) -> StaleGradientError:
        """Return the error for a stale gradient: which one, and the probable cause."""
        trained = [one for one in self._params if one.grad_req != "null"]
        replicas = [(one, replica) for one in trained for replica in one._check(one._data)]
        stale = [pair for pair in replicas if not pair[1].fresh_grad]
        missing = [r.context for one, r in stale if one is parameter]
        names = list(dict.fromkeys(one.name for one, _ in stale))
        first = self._optimizer.num_update == self._optimizer.begin_num_update
        if len(stale) == len(replicas):
            cause = (
                f"So {'have' if first else 'are'} all others: no backward() has reached them"
                f"{'' if first else ' since the last step()'}. Compute the loss inside `with"
                " autograd.record():` and call its backward() before step(); it must depend on the"
                " parameters that this Trainer got, and not on those of another network"
            )
        elif len(missing) < len(parameter.list_ctx()):
            cause = (
                "Elsewhere it is up to date: that context got no batch. Call backward() on the"
                " losses of all contexts, as in autograd.backward(losses)"
            )
        else:
            cause = (
                f"{len(names)} of {len(trained)} parameters are so: {', '.join(names[:5])}"
                f"{', ...' if len(names) > 5 else ''}. Probably the recorded forward pass did not"
                " call that layer, or detach() or asnumpy() cut it off from the loss. If that is"
                " meant, pass ignore_stale_grad=True to leave such parameters alone, or set"
                " their grad_req to 'null'"
            )
        where = ", ".join(str(ctx) for ctx in missing)
        if first:
            return StaleGradientError(f"{parameter.whose} on {where} has no gradient yet. {cause}")
        return StaleGradientError(
            f"the gradient of {parameter.whose} on {where} is left over from before the last"
            f" step. {cause}"
        )

    # ------------------------------------------------------------------------------- states

    @hinted
    def save_states(self, fname: str) -> None:
        """Save the optimizer and its states to a file.

        Parameters
        ----------
        fname : str

        Raises
        ------
        MissingFileError
            If its folder is missing.

        Examples
        --------
        >>> import os, tempfile
        >>> from gluon import Trainer, nn
        >>> net = nn.Dense(1, in_units=2)
        >>> net.initialize()
        >>> trainer = Trainer(net.collect_params(), "adam", {"learning_rate": 0.5})
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     trainer.save_states(f"{folder}/adam.states")
        ...     os.listdir(folder)
        ['adam.states']
        """
        if self._update_on_kvstore:
            self._kvstore.save_optimizer_states(fname, dump_optimizer=True)
            return
        with opened("save_states", fname, "wb") as file:
            file.write(self._updaters[0].get_states(dump_optimizer=True))

    @hinted
    def load_states(self, fname: str) -> None:
        """Load a file of `save_states`, of gluon or MXNet, without running code in it.

        Parameters
        ----------
        fname : str

        Raises
        ------
        GluonError
            If the file is damaged, or contains something else. The trainer is then unchanged.
        FileNotFoundError
            If the file does not exist.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import Trainer, nn
        >>> net = nn.Dense(1, in_units=2)
        >>> net.initialize()
        >>> trainer = Trainer(net.collect_params(), "adam", {"learning_rate": 0.5})
        >>> other = Trainer(net.collect_params(), "adam")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     trainer.save_states(f"{folder}/adam.states")
        ...     other.load_states(f"{folder}/adam.states")
        >>> other.learning_rate
        0.5
        """
        before = type(self._optimizer)
        if self._update_on_kvstore:
            self._kvstore.load_optimizer_states(fname)
            updater = getattr(self._kvstore, "_updater", None)
            self._optimizer = getattr(updater, "optimizer", self._optimizer)
        else:
            with opened("load_states", fname) as file:
                states = file.read()
            for updater in self._updaters:
                updater.set_states(states)
                updater.optimizer = self._updaters[0].optimizer
            self._optimizer = self._updaters[0].optimizer
        if type(self._optimizer) is not before:
            warn_caller(
                f"load_states: {fname} has the states of {type(self._optimizer).__name__}, which"
                f" the trainer uses from now on in place of {before.__name__}"
            )
        self._optimizer.param_dict = dict(enumerate(self._params))


OBSERVED.append((Trainer, "step", "step", lambda trainer: "Trainer.step"))


def _checked(params: Any) -> list[Parameter]:
    """Return `params` as a list of parameters."""
    if isinstance(params, (Block, Parameter)) or not isinstance(params, Iterable):
        raise ArgumentError(
            f"a Trainer takes a list or dict of Parameters, such as net.collect_params(), not"
            f" {a_type(params)}"
        )
    if isinstance(params, str):
        raise ArgumentError(
            f"a Trainer takes the parameters first, and then the optimizer, as in"
            f" Trainer(net.collect_params(), {params!r})"
        )
    params = list(params)
    for one in params:
        if not isinstance(one, Parameter):
            way_out = ""
            if isinstance(one, Block):
                way_out = "; pass net.collect_params()"
            elif isinstance(one, NDArray):
                way_out = (
                    "; for plain arrays, make updater = optimizer.get_updater(optimizer.SGD()) and"
                    " call updater(index, x.grad, x) for each"
                )
            raise ArgumentError(f"a Trainer takes Parameters; the list has {a_type(one)}{way_out}")
    if not params:
        raise ArgumentError(
            "a Trainer was given no parameters; pass net.collect_params(), which has those of all"
            " layers, where net.params has those of the outermost alone. An array that is an"
            " attribute of a block is no parameter; self.params.get(name, shape=...) makes one"
        )
    return params
