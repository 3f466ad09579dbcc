"""`gluon.npx`: what MXNet adds to NumPy's functions, and the switch to the NumPy interface."""

from ..ndarray import Context, cpu, cpu_pinned, current_context, gpu, gpu_memory_info, num_gpus
from ..ndarray.creation import waitall
from ..ndarray.switch import (
    is_np_array,
    is_np_default_dtype,
    is_np_shape,
    np_array,
    np_default_dtype,
    np_shape,
    reset_np,
    set_np,
    set_np_default_dtype,
    set_np_shape,
    use_np,
    use_np_array,
    use_np_default_dtype,
    use_np_shape,
)

__all__ = [
    "Context",
    "cpu",
    "cpu_pinned",
    "current_context",
    "gpu",
    "gpu_memory_info",
    "is_np_array",
    "is_np_default_dtype",
    "is_np_shape",
    "np_array",
    "np_default_dtype",
    "np_shape",
    "num_gpus",
    "reset_np",
    "set_np",
    "set_np_default_dtype",
    "set_np_shape",
    "use_np",
    "use_np_array",
    "use_np_default_dtype",
    "use_np_shape",
    "waitall",
]
