"""`FusedRNNCell`: whole layers in one operator, with all parameters in one vector."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ... import nd
from ... import symbol as sym
from ..._core.errors import GluonError
from ...initializer import FusedRNN
from ...nd import NDArray
from ...symbol import Symbol
from .base import Arrays, BaseRNNCell, RNNParams
from .cells import GRUCell, LSTMCell, RNNCell
from .containers import BidirectionalCell, DropoutCell, SequentialRNNCell
from .sequences import _normalize_sequence

GATES = {
    "rnn_relu": ("",),
    "rnn_tanh": ("",),
    "lstm": LSTMCell._gates,
    "gru": GRUCell._gates,
}


class FusedRNNCell(BaseRNNCell):
    """Layers of cells in one operator, `sym.RNN`."""

    def __init__(
        self,
        num_hidden: int,
        num_layers: int = 1,
        mode: str = "lstm",
        bidirectional: bool = False,
        dropout: float = 0.0,
        get_next_state: bool = False,
        forget_bias: float = 1.0,
        prefix: str | None = None,
        params: RNNParams | None = None,
    ) -> None:
        super().__init__(f"{mode}_" if prefix is None else prefix, params)
        self._num_hidden, self._num_layers, self._mode = num_hidden, num_layers, mode
        self._bidirectional, self._dropout = bidirectional, dropout
        self._get_next_state = get_next_state
        self._directions = "lr" if bidirectional else "l"
        filled = FusedRNN(None, num_hidden, num_layers, mode, bidirectional, forget_bias)
        self._parameter = self._params.get("parameters", init=filled)

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """The output, and with an LSTM the memory."""
        shape = (len(self._directions) * self._num_layers, 0, self._num_hidden)
        return [{"shape": shape, "__layout__": "LNC"} for _ in range(1 + (self._mode == "lstm"))]

    @property
    def _gate_names(self) -> tuple[str, ...]:
        return GATES[self._mode]

    @property
    def _num_gates(self) -> int:
        return len(self._gate_names)

    def _pieces(self, features: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The names and shapes of the parts of the vector."""
        size, wide = self._num_hidden, self._num_hidden * len(self._directions)
        runs = [(k, side) for k in range(self._num_layers) for side in self._directions]
        for kind in ("weight", "bias"):
            for layer, side in runs:
                for group in ("i2h", "h2h"):
                    width = size if group == "h2h" else wide if layer else features
                    shape = (size, width) if kind == "weight" else (size,)
                    for gate in self._gate_names:
                        yield f"{self._prefix}{side}{layer}_{group}{gate}_{kind}", shape

    def _slice_weights(self, arr: NDArray, li: int) -> Iterator[tuple[str, NDArray]]:
        """The parts of a vector by their names; writing to them writes to it."""
        start = 0
        for name, shape in self._pieces(li):
            stop = start + shape[0] * (shape[1] if len(shape) == 2 else 1)
            yield name, arr[start:stop].reshape(shape)
            start = stop

    def unpack_weights(self, args: Arrays) -> Arrays:
        """The same parameters, with an array for each gate of each layer."""
        args = dict(args)
        vector = args.pop(f"{self._prefix}parameters")
        sides, size = len(self._directions), self._num_hidden
        features = vector.size // sides // size // self._num_gates
        features -= (self._num_layers - 1) * (size + sides * size + 2) + size + 2
        for name, one in self._slice_weights(vector, features):
            args[name] = one.copy()
        return args

    def pack_weights(self, args: Arrays) -> Arrays:
        """The same parameters in one vector; undoes `unpack_weights`."""
        args = dict(args)
        first = args[f"{self._prefix}l0_i2h{self._gate_names[0]}_weight"]
        parts = [args.pop(name).reshape((-1,)) for name, _ in self._pieces(first.shape[1])]
        args[f"{self._prefix}parameters"] = nd.concat(*parts, dim=0)
        return args

    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """Raise: there are no single steps."""
        raise GluonError("FusedRNNCell has no single steps; call unroll, or unfuse it first")

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: list[Symbol] | None = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, list[Symbol]]:
        """The outputs of `length` steps, and the states after the last if they are asked for."""
        self.reset()
        x, axis = _normalize_sequence(length, inputs, layout, True)
        if axis == 1:
            x = sym.swapaxes(x, dim1=0, dim2=1)
        begin = self.begin_state() if begin_state is None else begin_state
        found = sym.RNN(
            data=x,
            parameters=self._parameter,
            state_size=self._num_hidden,
            num_layers=self._num_layers,
            bidirectional=self._bidirectional,
            p=self._dropout,
            state_outputs=self._get_next_state,
            mode=self._mode,
            name=f"{self._prefix}rnn",
            **dict[str, Any](zip(("state", "state_cell"), begin)),
        )
        outputs, states = found, []
        if self._get_next_state:
            outputs, *states = list(found)
        if axis == 1:
            outputs = sym.swapaxes(outputs, dim1=0, dim2=1)
        return _normalize_sequence(length, outputs, layout, merge_outputs)[0], states

    def unfuse(self) -> SequentialRNNCell:
        """The same network, as cells that are written out in operators."""
        stack = SequentialRNNCell()
        made = {
            "rnn_relu": lambda prefix: RNNCell(self._num_hidden, "relu", prefix),
            "rnn_tanh": lambda prefix: RNNCell(self._num_hidden, "tanh", prefix),
            "lstm": lambda prefix: LSTMCell(self._num_hidden, prefix),
            "gru": lambda prefix: GRUCell(self._num_hidden, prefix),
        }[self._mode]
        for k in range(self._num_layers):
            sides = [made(f"{self._prefix}{side}{k}_") for side in self._directions]
            prefix = f"{self._prefix}bi_l{k}_"
            two = self._bidirectional
            stack.add(BidirectionalCell(sides[0], sides[1], None, prefix) if two else sides[0])
            if self._dropout > 0 and k + 1 < self._num_layers:
                stack.add(DropoutCell(self._dropout, prefix=f"{self._prefix}_dropout{k}_"))
        return stack
