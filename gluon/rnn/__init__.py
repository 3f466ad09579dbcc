"""Recurrent cells and layers.

A layer, such as `LSTM`, runs over a whole sequence. A cell, such as `LSTMCell`, runs over one step;
its `unroll` runs it over a sequence.
"""

import typing as _typing

from .._core.hints.lookup import hinting as _hinting
from .base import HybridRecurrentCell, RecurrentCell
from .containers import BidirectionalCell, HybridSequentialRNNCell, SequentialRNNCell
from .modifiers import DropoutCell, ModifierCell, ResidualCell, ZoneoutCell
from .rnn_cell import GRUCell, LSTMCell, RNNCell
from .rnn_layer import GRU, LSTM, RNN

__all__ = [
    "GRU",
    "LSTM",
    "RNN",
    "BidirectionalCell",
    "DropoutCell",
    "GRUCell",
    "HybridRecurrentCell",
    "HybridSequentialRNNCell",
    "LSTMCell",
    "ModifierCell",
    "RNNCell",
    "RecurrentCell",
    "ResidualCell",
    "SequentialRNNCell",
    "ZoneoutCell",
]

if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
