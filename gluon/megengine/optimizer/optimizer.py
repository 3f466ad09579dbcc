"""`Optimizer`: parameters in groups, with options and a state for each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from ..._core.errors import ArgumentError, DTypeError, a_type
from ..._hook.errors import CheckError
from ..functional.creation import full, zeros_like
from ..tensor import Parameter, Tensor


class Required:
    """Stands for an option without a default."""

    def __repr__(self) -> str:
        return "<required>"


required: Final = Required()


class Optimizer:
    """Base class of optimizers; subclasses define `_create_state` and `_updates`.

    Parameters
    ----------
    params : iterable of Parameter, or of dict
        A dict is a group: ``params`` and its own options.
    defaults : dict
        Options of groups that do not have them.

    Examples
    --------
    >>> from gluon.megengine import Parameter, autodiff, optimizer
    >>> weight = Parameter([1.0, 2.0])
    >>> sgd = optimizer.SGD([weight], lr=0.5, momentum=0.9)
    >>> manager = autodiff.GradManager().attach([weight])
    >>> with manager:
    ...     manager.backward((weight * weight).sum())
    Tensor([2. 4.], device=xpux:0)
    >>> _ = sgd.step().clear_grad()
    >>> weight
    Parameter([0. 0.], device=xpux:0)
    >>> bias = Parameter([0.0])
    >>> sgd.add_param_group({"params": [bias], "lr": 0.1})
    >>> [group["lr"] for group in sgd.param_groups]
    [0.5, 0.1]
    >>> other = optimizer.SGD([{"params": [weight]}, {"params": [bias]}], lr=0.2, momentum=0.9)
    >>> other.load_state_dict(sgd.state_dict())
    >>> [group["lr"] for group in other.param_groups]
    [0.5, 0.1]
    """

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        self._state: dict[Parameter, dict[str, Tensor]] = {}
        self._defaults = defaults
        self.param_groups: list[dict[str, Any]] = []
        if isinstance(params, (Tensor, dict)):
            params = [params]
        if not isinstance(params, Iterable):
            raise DTypeError(
                f"params: give parameters, not {type(params).__name__}"
                + "; pass model.parameters()" * hasattr(params, "parameters")
            )
        groups = list(params)
        if not groups:
            raise ArgumentError("params is empty; give model.parameters()")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)
        for group in self.param_groups:
            self._create_state(group)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters with their own options.

        Parameters
        ----------
        param_group : dict
            Its ``params`` and options.
        """
        if not isinstance(param_group, dict):
            raise CheckError(f"add_param_group: give a dict, not {type(param_group).__name__}")
        group = dict(param_group)
        given = group["params"]
        group["params"] = [given] if isinstance(given, Tensor) else list(given)
        for place, one in enumerate(group["params"]):
            if not isinstance(one, Parameter):
                raise DTypeError(f"params: item {place} is {a_type(one)}, not a Parameter")
        for name, value in self._defaults.items():
            if value is required and name not in group:
                raise ArgumentError(f"{type(self).__name__}: give {name}")
            group.setdefault(name, value)
        known = {id(one) for other in self.param_groups for one in other["params"]}
        if known & {id(one) for one in group["params"]}:
            raise ArgumentError("params: a parameter is in more than one group")
        self.param_groups.append(group)

    def _add_state(self, param: Parameter, state_name: str, initializer: Any = None) -> None:
        """Create a state of `param`: zeros like it, or one number."""
        value = zeros_like(param) if initializer is None else full((), initializer)
        self._state.setdefault(param, {})[state_name] = value

    def _create_state(self, param_group: dict[str, Any]) -> None:
        """Call `_add_state` for what `_updates` needs."""

    def _updates(self, param_group: dict[str, Any]) -> None:
        raise NotImplementedError(f"{type(self).__name__} has no _updates(self, param_group)")

    def _get_params(self) -> list[Parameter]:
        return [param for group in self.param_groups for param in group["params"]]

    def step(self) -> Optimizer:
        """Update the parameters that have gradients.

        Returns
        -------
        Optimizer
            Itself, so that ``clear_grad()`` can follow.
        """
        for group in self.param_groups:
            self._updates(group)
        return self

    def clear_grad(self) -> None:
        """Reset the gradients of the parameters."""
        for param in self._get_params():
            param.grad = None

    def zero_grad(self) -> None:
        """Write zeros to the gradients of the parameters."""
        for param in self._get_params():
            if param.grad is not None:
                param.grad = zeros_like(param.grad)

    def state_dict(self, keep_var: bool = False) -> dict[str, Any]:
        """The options of the groups and the states, parameters by number.

        Parameters
        ----------
        keep_var : bool, default False
            Whether to give tensors instead of arrays.
        """
        number = {id(param): k for k, param in enumerate(self._get_params())}
        groups = [
            {**group, "params": [number[id(param)] for param in group["params"]]}
            for group in self.param_groups
        ]
        state = {
            number[id(param)]: {k: v if keep_var else v.numpy() for k, v in values.items()}
            for param, values in self._state.items()
        }
        return {"param_groups": groups, "state": state}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Load options and states from a `state_dict`."""
        sizes = [
            [len(group["params"]) for group in of]
            for of in (self.param_groups, state["param_groups"])
        ]
        if sizes[0] != sizes[1]:
            raise ArgumentError(
                f"load_state_dict: groups of {sizes[1]} parameters; those here have {sizes[0]}"
            )
        numbers = [k for saved in state["param_groups"] for k in saved["params"]]
        states = {
            param: {key: Tensor(np.array(value)) for key, value in found.items()}
            for param, number in zip(self._get_params(), numbers)
            if (found := state["state"].get(number))
        }
        for group, saved in zip(self.param_groups, state["param_groups"]):
            group.update({key: value for key, value in saved.items() if key != "params"})
        for param, values in states.items():
            self._state.setdefault(param, {}).update(values)
