"""Parameters of layers: made by name, filled once their shape is known, kept per device."""

from .collection import ParameterDict
from .parameter import Constant, DeferredInitializationError, Parameter

__all__ = ["Constant", "DeferredInitializationError", "Parameter", "ParameterDict"]
