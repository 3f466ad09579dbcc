"""Shared parts of `nd` and `np` arrays: devices, dtypes, indices, files of bytes, protocols."""

from .. import ops  # noqa: F401  (fills the operator table)
from .context import Context, cpu, cpu_pinned, current_context, gpu, gpu_memory_info, num_gpus

__all__ = [
    "Context",
    "cpu",
    "cpu_pinned",
    "current_context",
    "gpu",
    "gpu_memory_info",
    "num_gpus",
]
