"""Recurrent layers and their cells."""

from __future__ import annotations

import math
from typing import Any

from ..._core.errors import ArgumentError
from .. import functional
from ..functional.creation import zeros
from ..functional.recurrent import scan
from ..interfaces import operands
from ..tensor import Parameter, Tensor
from . import init
from .module import Module

__all__ = ["LSTM", "RNN", "LSTMCell", "RNNCell"]

NONLINEARITIES = ("tanh", "relu")


class _Cell(Module):
    """What the cells have in common: their parameters, and a step."""

    bias: bool
    bias_hh: Parameter | Tensor
    bias_ih: Parameter | Tensor
    gate_hidden_size: int
    hidden_size: int
    input_size: int
    weight_hh: Parameter
    weight_ih: Parameter

    gates = 1
    kind: str = "tanh"

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        self.gate_hidden_size = rows = self.gates * hidden_size
        self.weight_ih = Parameter(zeros((rows, input_size)))
        self.weight_hh = Parameter(zeros((rows, hidden_size)))
        make = Parameter if bias else Tensor
        self.bias_ih, self.bias_hh = make(zeros(rows)), make(zeros(rows))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all parameters anew."""
        _draw(self)

    def _step(self, input: Any, start: tuple) -> list[Tensor]:
        x, *states = operands(input, *start, floats=True)
        weights = (self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return [
            one[0] for one in scan(self.kind, functional.expand_dims(x, 0), weights, tuple(states))
        ]

    def _zeros(self, input: Any) -> Tensor:
        return zeros((input.shape[0], self.hidden_size))


def _draw(module: Any) -> None:
    bound = 1 / math.sqrt(module.hidden_size)
    for parameter in module.parameters():
        init.uniform_(parameter, -bound, bound)


class RNNCell(_Cell):
    """Elman RNN cell: ``act(x @ w_ih.T + b_ih + h @ w_hh.T + b_hh)``.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> RNNCell(3, 2)(F.ones((4, 3)), F.zeros((4, 2))).shape
    (4, 2)
    """

    kind: str
    nonlinearity: str

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh"
    ) -> None:
        self.nonlinearity = self.kind = _known("RNNCell", nonlinearity)
        super().__init__(input_size, hidden_size, bias)

    def forward(self, input: Any, hx: Any = None) -> Tensor:
        """Compute the next state."""
        return self._step(input, (self._zeros(input) if hx is None else hx,))[0]


class LSTMCell(_Cell):
    """LSTM cell ("Long short-term memory", 1997).

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> h, c = LSTMCell(3, 2)(F.ones((4, 3)))
    >>> h.shape, c.shape
    ((4, 2), (4, 2))
    """

    gates = 4
    kind: str = "lstm"

    def forward(self, input: Any, hx: Any = None) -> tuple[Tensor, Tensor]:
        """Compute the next state and cell."""
        start = (self._zeros(input), self._zeros(input)) if hx is None else tuple(hx)
        h, c = self._step(input, start)
        return h, c


def _known(name: str, nonlinearity: str) -> str:
    if nonlinearity not in NONLINEARITIES:
        raise ArgumentError(f"{name}: nonlinearity={nonlinearity!r} is not one of 'tanh', 'relu'")
    return nonlinearity


class _Layers(Module):
    """What `RNN` and `LSTM` have in common."""

    batch_first: bool
    bias: bool
    bidirectional: bool
    cells: list[list[Any]]
    dropout: float
    hidden_size: int
    input_size: int
    num_layers: int

    kind: str = "tanh"

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0,
        bidirectional: bool = False,
        proj_size: int = 0,
    ) -> None:
        super().__init__()
        if isinstance(dropout, bool) or not 0 <= dropout <= 1:
            raise ArgumentError(f"{type(self).__name__}: dropout={dropout} must be from 0 to 1")
        if proj_size:
            raise ArgumentError(f"{type(self).__name__}: proj_size is not supported; leave it out")
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout = bias, batch_first, float(dropout)
        self.bidirectional, self.num_directions = bidirectional, 2 if bidirectional else 1
        self.proj_size = proj_size
        self.cells = [
            [
                self._cell(hidden_size * self.num_directions if layer else input_size)
                for _ in range(self.num_directions)
            ]
            for layer in range(num_layers)
        ]
        one = self.cells[0][0]
        columns = sum(
            cell.input_size + hidden_size + 2 * bool(bias) for row in self.cells for cell in row
        )
        self._flatten_weights = Parameter(zeros((one.gate_hidden_size, columns)))
        self.reset_parameters()

    def _cell(self, input_size: int) -> Any:
        raise NotImplementedError

    def reset_parameters(self) -> None:
        """Draw all parameters anew."""
        _draw(self)

    def _weights(self) -> list[tuple]:
        """Those of each cell, which lie one after the other in one parameter."""
        flat = functional.flatten(self._flatten_weights)
        found, at = [], 0
        for row in self.cells:
            for cell in row:
                rows = cell.gate_hidden_size
                shapes: list[tuple] = [(rows, cell.input_size), (rows, cell.hidden_size)]
                shapes += [(rows,), (rows,)] if self.bias else []
                parts = []
                for shape in shapes:
                    parts.append(functional.reshape(flat[at : at + math.prod(shape)], shape))
                    at += math.prod(shape)
                found.append(tuple(parts) if self.bias else (*parts, zeros(rows), zeros(rows)))
        return found

    def _run(self, input: Any, start: tuple | None) -> tuple[Tensor, list[Tensor]]:
        """The output of the last layer, and the last state (and cell) of all layers."""
        (x,) = operands(input, floats=True)
        if self.batch_first:
            x = functional.transpose(x, (1, 0, 2))
        if start is None:
            shape = (self.num_layers * self.num_directions, x.shape[1], self.hidden_size)
            start = (zeros(shape),) * (2 if self.kind == "lstm" else 1)
        weights, lasts = self._weights(), []
        for layer in range(self.num_layers):
            if layer and self.training and self.dropout:
                x = functional.dropout(x, self.dropout)
            outputs = []
            for direction in range(self.num_directions):
                k = layer * self.num_directions + direction
                begin = tuple(one[k] for one in start)
                found = scan(self.kind, x, weights[k], begin, backwards=direction == 1)
                outputs.append(found[0])
                lasts.append([one[0 if direction else -1] for one in found])
            x = functional.concat(outputs, axis=2) if len(outputs) > 1 else outputs[0]
        if self.batch_first:
            x = functional.transpose(x, (1, 0, 2))
        return x, [functional.stack(list(column)) for column in zip(*lasts)]


class RNN(_Layers):
    """Multi-layer Elman RNN.

    Parameters
    ----------
    batch_first : bool, default False
        Whether sequences are (batch, steps, features) instead of (steps, batch, features).
    dropout : float, default 0
        The dropout probability between layers.
    bidirectional : bool, default False
        Whether each layer also reads the sequence backwards.
    proj_size : int, default 0
        Only its default is supported.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> y, h = RNN(3, 2, num_layers=2)(F.ones((5, 4, 3)))
    >>> y.shape, h.shape
    ((5, 4, 2), (2, 4, 2))
    """

    kind: str
    nonlinearity: str

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0,
        bidirectional: bool = False,
        proj_size: int = 0,
        nonlinearity: str = "tanh",
    ) -> None:
        self.nonlinearity = self.kind = _known("RNN", nonlinearity)
        super().__init__(
            input_size,
            hidden_size,
            num_layers,
            bias,
            batch_first,
            dropout,
            bidirectional,
            proj_size,
        )

    def _cell(self, input_size: int) -> RNNCell:
        return RNNCell(input_size, self.hidden_size, self.bias, self.nonlinearity)

    def forward(self, input: Any, hx: Any = None) -> tuple[Tensor, Tensor]:
        """Compute the output of the last layer, and the last state of all."""
        y, (h,) = self._run(input, None if hx is None else (hx,))
        return y, h


class LSTM(_Layers):
    """Multi-layer LSTM.

    Parameters
    ----------
    batch_first : bool, default False
        Whether sequences are (batch, steps, features) instead of (steps, batch, features).
    dropout : float, default 0
        The dropout probability between layers.
    bidirectional : bool, default False
        Whether each layer also reads the sequence backwards.
    proj_size : int, default 0
        Only its default is supported.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> y, (h, c) = LSTM(3, 2, bidirectional=True)(F.ones((5, 4, 3)))
    >>> y.shape, h.shape, c.shape
    ((5, 4, 4), (2, 4, 2), (2, 4, 2))
    """

    kind: str = "lstm"

    def _cell(self, input_size: int) -> LSTMCell:
        return LSTMCell(input_size, self.hidden_size, self.bias)

    def forward(self, input: Any, hx: Any = None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Compute the output of the last layer, and the last states and cells of all."""
        y, (h, c) = self._run(input, None if hx is None else tuple(hx))
        return y, (h, c)
