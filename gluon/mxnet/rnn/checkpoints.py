"""Checkpoints of networks with cells, whose files have an array for each gate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...model import load_checkpoint, save_checkpoint


def _cells(cells: Any) -> list[Any]:
    return list(cells) if isinstance(cells, (list, tuple)) else [cells]


def rnn_unroll(
    cell: Any,
    length: int,
    inputs: Any = None,
    begin_state: Any = None,
    input_prefix: str = "",
    layout: str = "NTC",
) -> Any:
    """The former way to call ``cell.unroll``."""
    return cell.unroll(length, inputs, begin_state, layout)


def save_rnn_checkpoint(
    cells: Any, prefix: str, epoch: int, symbol: Any, arg_params: Any, aux_params: Any
) -> None:
    """As `model.save_checkpoint`, with the parameters of cells unpacked."""
    for cell in _cells(cells):
        arg_params = cell.unpack_weights(arg_params)
    save_checkpoint(prefix, epoch, symbol, arg_params, aux_params)


def load_rnn_checkpoint(cells: Any, prefix: str, epoch: int) -> tuple[Any, Any, Any]:
    """As `model.load_checkpoint`, with the parameters of cells packed."""
    symbol, arg_params, aux_params = load_checkpoint(prefix, epoch)
    for cell in _cells(cells):
        arg_params = cell.pack_weights(arg_params)
    return symbol, arg_params, aux_params


def do_rnn_checkpoint(cells: Any, prefix: str, period: int = 1) -> Callable[..., None]:
    """A function for the end of epochs that calls `save_rnn_checkpoint`."""
    period = max(1, int(period))

    def checkpoint(iter_no: int, sym: Any = None, arg: Any = None, aux: Any = None) -> None:
        if (iter_no + 1) % period == 0:
            save_rnn_checkpoint(cells, prefix, iter_no + 1, sym, arg, aux)

    return checkpoint
