"""`Updater`: an optimizer with the states of its weights."""

from __future__ import annotations

from typing import Any

from .._core.arrays.laxness import lax
from .._core.errors import DTypeError, a_type
from .._core.hints.called import Called
from .._core.journal import again
from ..nd import NDArray
from .base import Optimizer, Stepping
from .states import dumps, loads


class Updater(Called):
    """Callable that updates a weight in place, given its index and gradient.

    Parameters
    ----------
    optimizer : Optimizer

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> update = optimizer.get_updater(optimizer.SGD(learning_rate=0.5))
    >>> weight = nd.ones((2,))
    >>> update(0, nd.array([1, 2]), weight)
    >>> weight.asnumpy()
    array([0.5, 0. ], dtype=float32)
    """

    optimizer: Optimizer
    #: The keys whose states `set_states` read, and no step has used.
    _read: frozenset[Any] = frozenset()

    def __init__(self, optimizer: Optimizer) -> None:
        self.optimizer = optimizer
        self.states: dict[Any, Any] = {}

    @again
    def __call__(self, index: Any, grad: Any, weight: Any) -> None:
        """Update one weight, or each of a list.

        Parameters
        ----------
        index : int or list of int
        grad, weight : NDArray or list of NDArray, of one shape and floating dtype
        """
        many = isinstance(index, (list, tuple))
        items = list(zip(index, weight, grad)) if many else [(index, weight, grad)]
        optimizer, states = self.optimizer, self.states
        if items:
            optimizer._set_current_context(items[0][1].context.device_id)
        for key, one, _ in items:
            if key not in states:
                states[key] = optimizer.create_state_multi_precision(key, one)
            elif key in self._read:  # from a file, on the device where they were saved
                states[key] = self.sync_state_context(states[key], one.context)
                self._read -= {key}
        if isinstance(optimizer, Stepping) and optimizer._takes_all():
            optimizer._update_all([(*item, states[item[0]]) for item in items])
            return
        size = optimizer.aggregate_num
        if not size:
            for key, *arrays in items:
                optimizer.update_multi_precision(key, *arrays, states[key])
            return
        alike: dict[Any, list] = {}
        for item in items:
            alike.setdefault(item[1].dtype, []).append((*item, states[item[0]]))
        for group in alike.values():
            for start in range(0, len(group), size):
                lists = map(list, zip(*group[start : start + size]))
                optimizer.update_multi_precision(*lists)

    def sync_state_context(self, state: Any, context: Any) -> Any:
        """A state, or a tuple or list of states, moved to a context.

        Parameters
        ----------
        state : None, NDArray, tuple or list, of any shape and dtype
        context : Context

        Returns
        -------
        object
            Of the kind of `state`.

        Examples
        --------
        >>> from gluon import cpu, nd, optimizer
        >>> updater = optimizer.get_updater(optimizer.SGD())
        >>> first, second = updater.sync_state_context((nd.ones((2,)), None), cpu(1))
        >>> first.ctx, second
        (cpu(1), None)
        """
        if isinstance(state, NDArray):
            return state.as_in_context(context)
        if isinstance(state, (tuple, list)):
            return type(state)(self.sync_state_context(one, context) for one in state)
        return state

    def get_states(self, dump_optimizer: bool = False) -> bytes:
        """Serialize the states, and optionally the optimizer, to bytes.

        Parameters
        ----------
        dump_optimizer : bool, default False

        Returns
        -------
        bytes

        Examples
        --------
        >>> from gluon import nd, optimizer
        >>> step, other = (optimizer.get_updater(optimizer.SGD(momentum=0.9)) for _ in range(2))
        >>> step(0, nd.ones((2,)), nd.ones((2,)))
        >>> other.set_states(step.get_states())
        >>> other.states[0].asnumpy()
        array([-0.01, -0.01], dtype=float32)
        """
        content = (self.states, self.optimizer) if dump_optimizer else self.states
        return dumps(content, lax.mxnet_states)

    def set_states(self, states: bytes) -> None:
        """Load states from the result of `get_states`, of gluon or of MXNet; no code in it runs.

        Parameters
        ----------
        states : bytes

        Raises
        ------
        GluonError
            If they are damaged, or something else; nothing is changed then.

        Examples
        --------
        >>> from gluon import optimizer
        >>> step = optimizer.get_updater(optimizer.SGD())
        >>> other = optimizer.get_updater(optimizer.SGD(learning_rate=0.5))
        >>> step.set_states(other.get_states(dump_optimizer=True))
        >>> step.optimizer.learning_rate
        0.5
        """
        found, optimizer = loads(states, self.optimizer.lr_scheduler)
        self.states, self.optimizer = found, optimizer or self.optimizer
        self._read = frozenset(found)


def get_updater(optimizer: Optimizer) -> Updater:
    """Return an `Updater` for `optimizer`.

    Parameters
    ----------
    optimizer : Optimizer

    Returns
    -------
    Updater

    Raises
    ------
    DTypeError
        If `optimizer` is not an `Optimizer`.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> update = optimizer.get_updater(optimizer.SGD(learning_rate=0.5))
    >>> weight = nd.ones((2,))
    >>> update(0, nd.array([1, 2]), weight)
    >>> weight.asnumpy()
    array([0.5, 0. ], dtype=float32)
    """
    if not isinstance(optimizer, Optimizer):
        raise DTypeError(
            f"get_updater: optimizer is {a_type(optimizer)}; give an Optimizer, such as"
            " optimizer.create('sgd')"
        )
    return Updater(optimizer)
