"""`BaseRNNCell`: one step of a recurrent network, as a function of symbols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import nd
from ... import symbol as sym
from ..._core.errors import GluonError
from ...nd import NDArray
from ...symbol import Symbol
from .sequences import _normalize_sequence

Arrays = dict[str, NDArray]


class RNNParams:
    """A container of variables, which cells can share."""

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._params: dict[str, Symbol] = {}

    def get(self, name: str, **kwargs: Any) -> Symbol:
        """The variable of that name, made if it is not there."""
        name = self._prefix + name
        if name not in self._params:
            self._params[name] = sym.Variable(name, **kwargs)
        return self._params[name]


class BaseRNNCell:
    """Base class of cells: a call with the inputs and states returns output and new states."""

    def __init__(self, prefix: str = "", params: RNNParams | None = None) -> None:
        self._own_params = params is None
        self._prefix = prefix
        self._params = RNNParams(prefix) if params is None else params
        self._modified = False
        self.reset()

    def reset(self) -> None:
        """Restart the numbers of steps at 0, for another `unroll`."""
        self._init_counter = self._counter = -1
        for cell in getattr(self, "_cells", ()):
            cell.reset()

    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """The output and the states after a step."""
        raise NotImplementedError(f"{type(self).__name__} must define __call__(inputs, states)")

    def _step(self) -> str:
        """Return the prefix of names in the next step."""
        self._counter += 1
        return f"{self._prefix}t{self._counter}_"

    @property
    def params(self) -> RNNParams:
        """The variables."""
        self._own_params = False
        return self._params

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """The shape and the layout of each state."""
        raise NotImplementedError(f"{type(self).__name__} must define state_info")

    @property
    def state_shape(self) -> list[tuple[int, ...]]:
        """The shape of each state."""
        return [one["shape"] for one in self.state_info]

    @property
    def _gate_names(self) -> tuple[str, ...]:
        return ()

    def begin_state(self, func: Callable[..., Any] = sym.zeros, **kwargs: Any) -> list[Symbol]:
        """The states before the first step: zeros, or the result of `func`."""
        if self._modified:
            raise GluonError(
                f"{type(self).__name__}.begin_state: the cell is inside another one, such as a"
                " ZoneoutCell; call begin_state of that"
            )
        states = []
        for info in self.state_info:
            self._init_counter += 1
            name = f"{self._prefix}begin_state_{self._init_counter}"
            states.append(func(name=name, **{**kwargs, **(info or {})}))
        return states

    def unpack_weights(self, args: Arrays) -> Arrays:
        """The same parameters, with an array for each gate."""
        args, size = dict(args), getattr(self, "_num_hidden", 0)
        for group in ("i2h", "h2h") if self._gate_names else ():
            for kind in ("weight", "bias"):
                whole = args.pop(f"{self._prefix}{group}_{kind}")
                for k, gate in enumerate(self._gate_names):
                    part = whole[k * size : (k + 1) * size].copy()
                    args[f"{self._prefix}{group}{gate}_{kind}"] = part
        return args

    def pack_weights(self, args: Arrays) -> Arrays:
        """The parameters with all gates of a layer in one array; undoes `unpack_weights`."""
        args = dict(args)
        for group in ("i2h", "h2h") if self._gate_names else ():
            for kind in ("weight", "bias"):
                parts = [
                    args.pop(f"{self._prefix}{group}{gate}_{kind}") for gate in self._gate_names
                ]
                args[f"{self._prefix}{group}_{kind}"] = nd.concat(*parts, dim=0)
        return args

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: list[Symbol] | None = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, list[Symbol]]:
        """The outputs of `length` steps, and the states after the last."""
        self.reset()
        steps, _ = _normalize_sequence(length, inputs, layout, False)
        states = self.begin_state() if begin_state is None else begin_state
        outputs = []
        for one in steps:
            output, states = self(one, states)
            outputs.append(output)
        return _normalize_sequence(length, outputs, layout, merge_outputs)[0], states

    def _get_activation(self, inputs: Symbol, activation: Any, **kwargs: Any) -> Symbol:
        if isinstance(activation, str):
            return sym.Activation(inputs, act_type=activation, **kwargs)
        return activation(inputs, **kwargs)
