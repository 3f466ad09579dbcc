"""Running scripts written for MXNet: ``import mxnet`` finds gluon while the hook is installed."""

from .hook import VERSION, install, installed, uninstall
from .notebook import load_ipython_extension, unload_ipython_extension

__all__ = [
    "VERSION",
    "install",
    "installed",
    "load_ipython_extension",
    "uninstall",
    "unload_ipython_extension",
]
