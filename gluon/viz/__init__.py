"""Visualize networks and recorded graphs, as tables and plots."""

import typing as _typing

from .._core.hints.lookup import hinting as _hinting
from .dot import Drawing
from .graph import plot_graph
from .memory import Memory, memory
from .summary import plot_network, print_summary

__all__ = ["Drawing", "Memory", "memory", "plot_graph", "plot_network", "print_summary"]

if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
