"""Visualize networks and recorded graphs, as tables and plots."""

from .dot import Drawing
from .graph import plot_graph
from .memory import Memory, memory
from .summary import plot_network, print_summary

__all__ = ["Drawing", "Memory", "memory", "plot_graph", "plot_network", "print_summary"]
