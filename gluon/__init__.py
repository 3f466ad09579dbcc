"""gluon: imperative automatic differentiation on NumPy, with the API of MXNet Gluon."""

from . import autograd, nd, random
from .engine.errors import GluonError
from .ndarray import Context, cpu, cpu_pinned, current_context, gpu, gpu_memory_info, num_gpus

__version__ = "0.1.0"
