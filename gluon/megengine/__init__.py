"""Running scripts written for MegEngine: its tensors, functions and modules over gluon."""

from typing import TYPE_CHECKING, Final

from . import amp, autodiff, data, device, distributed, functional, jit, module, optimizer, random
from .absent import missing as _missing
from .device import get_default_device, get_device_count, is_cuda_available, set_default_device
from .hook import install, installed, uninstall
from .notebook import load_ipython_extension, unload_ipython_extension
from .serialization import load, save
from .tensor import Parameter, Tensor

tensor: Final = Tensor  # as in MegEngine, over the module of that name
__version__ = "1.13.0+gluon"
__all__ = [
    "Parameter",
    "Tensor",
    "amp",
    "autodiff",
    "data",
    "device",
    "distributed",
    "functional",
    "get_default_device",
    "get_device_count",
    "install",
    "installed",
    "is_cuda_available",
    "jit",
    "load",
    "load_ipython_extension",
    "module",
    "optimizer",
    "random",
    "save",
    "set_default_device",
    "tensor",
    "uninstall",
    "unload_ipython_extension",
]
if not TYPE_CHECKING:  # which looks missing names up itself
    __getattr__ = _missing("", __all__)
