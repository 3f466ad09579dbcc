"""The initializer of all parameters of a recurrent network in one array."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .._core.engine.array import wrap
from .._core.engine.inplace import writable
from .._core.errors import ArgumentError
from ..nd import NDArray
from .base import InitDesc, Initializer, create, register

#: The suffixes of a cell's gates in the names of weights and biases.
GATES = {
    "rnn_relu": ("",),
    "rnn_tanh": ("",),
    "lstm": ("_i", "_f", "_c", "_o"),
    "gru": ("_r", "_z", "_o"),
}


@register
class FusedRNN(Initializer):
    """Initializes the weights and biases in the flat ``parameters`` array of `nd.RNN`.

    Parameters
    ----------
    init : Initializer, str or None
        The initializer of the single weights and biases, named like ``l0_i2h_f_weight``; by
        default the `global_init` of the array's description.
    num_hidden, num_layers : int
    mode : {'rnn_relu', 'rnn_tanh', 'lstm', 'gru'}
    bidirectional : bool, default False
    forget_bias : float, default 1
        The bias of the forget gate of an LSTM.

    Raises
    ------
    ArgumentError
        If `mode` is not one of these.

    Examples
    --------
    >>> from gluon import init, nd
    >>> parameters = nd.zeros((4 * 2 * (3 + 2 + 2),))
    >>> init.FusedRNN(init.Xavier(), 2, 1, "lstm")(init.InitDesc("lstm_weight"), parameters)
    >>> parameters.asnumpy()[-16:]
    array([0., 0., 1., 1., 0., 0., 0., 0., 0., 0., 1., 1., 0., 0., 0., 0.],
          dtype=float32)
    """

    def __init__(
        self,
        init: Any,
        num_hidden: int,
        num_layers: int,
        mode: str,
        bidirectional: bool = False,
        forget_bias: float = 1.0,
    ) -> None:
        if mode not in GATES:
            raise ArgumentError(f"FusedRNN: mode {mode!r} is not one of {', '.join(GATES)}")
        self._init = None if init is None else create(init)
        super().__init__(
            init=None if self._init is None else self._init.dumps(),
            num_hidden=num_hidden,
            num_layers=num_layers,
            mode=mode,
            bidirectional=bidirectional,
            forget_bias=forget_bias,
        )
        self._num_hidden, self._num_layers, self._mode = num_hidden, num_layers, mode
        self._bidirectional, self._forget_bias = bidirectional, forget_bias

    def _init_weight(self, desc: str, arr: NDArray) -> None:
        """Fill every weight and bias.

        Raises
        ------
        ArgumentError
            If `arr` has another size than such a network needs, or there is no initializer.
        """
        around = getattr(desc, "global_init", None)
        init = around if self._init is None else self._init
        if init is None or init is self:
            raise ArgumentError("FusedRNN: give init, for the single weights and biases")
        start, whole = 0, writable(arr)
        for name, shape in self._pieces(arr):
            stop = start + int(np.prod(shape))
            piece = wrap(NDArray, np.zeros(shape, whole.dtype), arr._ctx)
            if self._mode == "lstm" and name.endswith("_f_bias"):
                piece[:] = self._forget_bias
            else:
                init(InitDesc(name, global_init=around), piece)
            whole[start:stop] = piece.raw.ravel()
            start = stop

    def _pieces(self, arr: NDArray) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield the names and shapes of weights and biases, in memory order."""
        hidden, gates = self._num_hidden, GATES[self._mode]
        sides = ("l", "r") if self._bidirectional else ("l",)
        later = (self._num_layers - 1) * (hidden + len(sides) * hidden + 2)
        width, rest = divmod(arr.size, len(sides) * len(gates) * hidden)
        inputs = width - later - hidden - 2
        if arr.ndim != 1 or rest or inputs < 1:
            raise ArgumentError(
                f"FusedRNN: {arr.shape} is not the shape of the parameters of {self.dumps()}"
            )
        parts = [
            (f"{side}{layer}_{part}", width)
            for layer in range(self._num_layers)
            for side in sides
            for part, width in (
                ("i2h", len(sides) * hidden if layer else inputs),
                ("h2h", hidden),
            )
        ]
        for part, width in parts:
            yield from ((f"{part}{gate}_weight", (hidden, width)) for gate in gates)
        for part, _ in parts:
            yield from ((f"{part}{gate}_bias", (hidden,)) for gate in gates)
