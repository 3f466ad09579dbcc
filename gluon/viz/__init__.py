"""Look at networks and at recorded graphs: tables and pictures."""

from .dot import Drawing
from .graph import plot_graph
from .memory import Memory, memory
from .summary import plot_network, print_summary

__all__ = ["Drawing", "Memory", "memory", "plot_graph", "plot_network", "print_summary"]
