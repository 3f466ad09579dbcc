"""Recurrent layers: one direction of one layer over all steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._core.engine.op import RECORDED as ops

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__: list[str] = []


def scan(
    kind: str, x: Tensor, weights: tuple[Any, ...], start: tuple[Any, ...], backwards: bool = False
) -> list[Tensor]:
    """Run a recurrent layer over all steps.

    Parameters
    ----------
    x : Tensor of shape (steps, batch, features)
    weights : tuple of Tensor
        For the data and for the state, (gates * size, features) and (gates * size, size), then
        a bias for each. The gates of an LSTM are input, forget, cell, output.
    start : tuple of Tensor
        The state, and the cell of an LSTM, of shape (batch, size).
    backwards : bool, default False
        Whether to start with the last step.
    """
    w_x, w_h, b_x, b_h = weights
    turned = ops.flip(x, axis=0) if backwards else x
    gates = ops.fully_connected(turned, w_x, b_x + b_h, flatten=False)
    if kind == "lstm":
        found = ops.lstm_scan(gates, w_h, *start, None, clip=None, nan=False)[:2]
    else:
        found = [ops.rnn_scan(gates, w_h, *start, act=kind)]
    return [ops.flip(one, axis=0) for one in found] if backwards else list(found)
