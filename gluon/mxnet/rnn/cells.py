"""`RNNCell`, `LSTMCell` and `GRUCell`, written out in operators."""

from __future__ import annotations

from typing import Any

from ... import symbol as sym
from ...initializer import LSTMBias
from ...symbol import Symbol
from .base import BaseRNNCell, RNNParams


class _Gated(BaseRNNCell):
    """A cell whose gates are linear in the input and in the state."""

    _gates: tuple[str, ...] = ("",)
    _activation: Any = "tanh"

    def __init__(
        self, num_hidden: int, prefix: str, params: RNNParams | None, bias: Any = None
    ) -> None:
        super().__init__(prefix, params)
        self._num_hidden = num_hidden
        self._i2h = self.params.get("i2h_weight"), self.params.get("i2h_bias", init=bias)
        self._h2h = self.params.get("h2h_weight"), self.params.get("h2h_bias")
        self._own_params = params is None

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """One state."""
        return [{"shape": (0, self._num_hidden), "__layout__": "NC"}]

    @property
    def _gate_names(self) -> tuple[str, ...]:
        return self._gates

    def _linear(self, x: Symbol, variables: tuple[Symbol, Symbol], name: str) -> Symbol:
        weight, bias = variables
        size = self._num_hidden * len(self._gates)
        return sym.FullyConnected(data=x, weight=weight, bias=bias, num_hidden=size, name=name)

    def _parts(self, total: Symbol, name: str) -> list[Symbol]:
        """What belongs to each gate."""
        return list(sym.SliceChannel(total, num_outputs=len(self._gates), name=name))


class RNNCell(_Gated):
    """``h = activation(W x + b + R h + c)``."""

    def __init__(
        self,
        num_hidden: int,
        activation: Any = "tanh",
        prefix: str = "rnn_",
        params: RNNParams | None = None,
    ) -> None:
        super().__init__(num_hidden, prefix, params)
        self._activation = activation

    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """The output, which is the state, and the state."""
        name = self._step()
        total = self._linear(inputs, self._i2h, f"{name}i2h") + self._linear(
            states[0], self._h2h, f"{name}h2h"
        )
        output = self._get_activation(total, self._activation, name=f"{name}out")
        return output, [output]


class LSTMCell(_Gated):
    """Long short-term memory, with gates for input, forgetting, candidates and output."""

    _gates = ("_i", "_f", "_c", "_o")

    def __init__(
        self,
        num_hidden: int,
        prefix: str = "lstm_",
        params: RNNParams | None = None,
        forget_bias: float = 1.0,
    ) -> None:
        super().__init__(num_hidden, prefix, params, LSTMBias(forget_bias=forget_bias))

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """The output, and the memory."""
        return super().state_info * 2

    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """The output; the output and the memory."""
        name = self._step()
        total = self._linear(inputs, self._i2h, f"{name}i2h") + self._linear(
            states[0], self._h2h, f"{name}h2h"
        )
        kinds = zip(("sigmoid", "sigmoid", self._activation, "sigmoid"), "ifco")
        enter, keep, new, leave = (
            self._get_activation(part, kind, name=name + letter)
            for part, (kind, letter) in zip(self._parts(total, f"{name}slice"), kinds)
        )
        memory = sym.elemwise_add(keep * states[1], enter * new, name=f"{name}state")
        shown = self._get_activation(memory, self._activation)
        output = sym.elemwise_mul(leave, shown, name=f"{name}out")
        return output, [output, memory]


class GRUCell(_Gated):
    """A gated recurrent unit, with gates for resetting, updating and candidates."""

    _gates = ("_r", "_z", "_o")
    _joint = "_"

    def __init__(
        self, num_hidden: int, prefix: str = "gru_", params: RNNParams | None = None
    ) -> None:
        super().__init__(num_hidden, prefix, params)

    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """The output, which is the state, and the state."""
        name, before = self._step(), states[0]
        x, h = (
            self._parts(total, f"{name}_{kind}_slice")
            for kind, total in (
                ("i2h", self._linear(inputs, self._i2h, f"{name}{self._joint}i2h")),
                ("h2h", self._linear(before, self._h2h, f"{name}{self._joint}h2h")),
            )
        )
        reset = sym.Activation(x[0] + h[0], act_type="sigmoid", name=f"{name}_r_act")
        update = sym.Activation(x[1] + h[1], act_type="sigmoid", name=f"{name}_z_act")
        new = self._get_activation(x[2] + reset * h[2], self._activation, name=f"{name}_h_act")
        output = sym.elemwise_add((1.0 - update) * new, update * before, name=f"{name}out")
        return output, [output]
