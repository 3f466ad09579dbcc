"""Parameters of layers."""

from .collection import ParameterDict
from .parameter import Constant, DeferredInitializationError, Parameter

__all__ = ["Constant", "DeferredInitializationError", "Parameter", "ParameterDict"]
