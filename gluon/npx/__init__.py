"""`gluon.npx`: what MXNet adds to NumPy's functions, and the switch to the NumPy interface."""

from importlib import import_module as _import_module
from typing import Any as _Any

from ..nd.absent import missing as _missing
from ..nd.contrib import cond, foreach, while_loop
from ..nd.creation import waitall
from ..nd.methods import to_dlpack_for_read, to_dlpack_for_write
from ..ndarray import Context, cpu, cpu_pinned, current_context, gpu, gpu_memory_info, num_gpus
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
from ..np import from_dlpack
from ..np._public import functions as _functions
from . import arrays as _arrays
from . import files as _files
from . import operators as _operators
from . import random

_FAMILIES = (_operators, _arrays, _files)
_found = {name: value for family in _FAMILIES for name, value in _functions(family).items()}
for _value in _found.values():
    _value.__module__ = __name__
globals().update(_found)

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
    "cond",
    "foreach",
    "from_dlpack",
    "image",
    "random",
    "to_dlpack_for_read",
    "to_dlpack_for_write",
    "while_loop",
    *_found,
]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> _Any:
    if name == "image":  # it stands on a higher floor
        return _import_module(f"{__name__}.image")
    raise _missing("npx", name, __all__)
