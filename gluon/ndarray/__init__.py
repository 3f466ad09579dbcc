"""`NDArray` with its operators, devices, dtypes and the functions that make arrays."""

from .. import ops  # noqa: F401  (fills the operator table)
from . import notebook, operators  # noqa: F401  (attach HTML and Python's operators)
from .array import NDArray
from .context import Context, cpu, cpu_pinned, current_context, gpu, gpu_memory_info, num_gpus
from .numpy_array import chosen_class as chosen_class
from .numpy_array import ndarray

__all__ = [
    "Context",
    "NDArray",
    "cpu",
    "cpu_pinned",
    "current_context",
    "gpu",
    "gpu_memory_info",
    "ndarray",
    "num_gpus",
]
