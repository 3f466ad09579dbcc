"""`Updater`: an optimizer with the states of the weights it updates."""

from __future__ import annotations

import pickle
from typing import Any

from ..ndarray import NDArray
from .base import Optimizer


class Updater:
    """Called with the index, gradient and weight, updates the weight in place.

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

    def __init__(self, optimizer: Optimizer) -> None:
        self.optimizer = optimizer
        self.states: dict[Any, Any] = {}

    def __call__(self, index: Any, grad: Any, weight: Any) -> None:
        """Update one weight, or each of a list.

        Parameters
        ----------
        index : int or list of int
        grad, weight : NDArray or list of NDArray
        """
        if isinstance(index, (list, tuple)):
            for one in zip(index, grad, weight):
                self._update(*one)
        else:
            self._update(index, grad, weight)

    def _update(self, index: Any, grad: NDArray, weight: NDArray) -> None:
        optimizer, states = self.optimizer, self.states
        if index not in states:
            states[index] = optimizer.create_state_multi_precision(index, weight)
        optimizer.update_multi_precision(index, weight, grad, states[index])

    def get_states(self, dump_optimizer: bool = False) -> bytes:
        """The states, and if asked for the optimizer, as bytes."""
        return pickle.dumps((self.states, self.optimizer) if dump_optimizer else self.states)

    def set_states(self, states: bytes) -> None:
        """Take over what `get_states` gave; only from a source you trust: it is a pickle."""
        found = pickle.loads(states)
        if isinstance(found, tuple) and len(found) == 2:
            self.states, self.optimizer = found
        else:
            self.states = found


def get_updater(optimizer: Optimizer) -> Updater:
    """An `Updater` for `optimizer`."""
    return Updater(optimizer)
