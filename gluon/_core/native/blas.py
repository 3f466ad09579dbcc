"""The matrix products of NumPy's OpenBLAS on the threads of the compiled kernels; see blas.c.

Kernels also call the products themselves (linalg.c).

``GLUON_SHARE_THREADS=0`` leaves them to OpenBLAS's own threads.
"""

from __future__ import annotations

import ctypes
import os
import re
from typing import Any

import numpy as np

#: The first version of OpenBLAS whose threads are known to work as blas.c says.
FIRST = (0, 3, 29)
#: What NumPy's own builds put around the names of functions, and what others do.
NAMES = ("scipy_{}64_", "scipy_{}", "{}64_", "{}")
#: The functions that are called, and what sets the number of threads.
FUNCTIONS = (
    "openblas_set_threads_callback_function",
    "openblas_get_config",
    "openblas_get_parallel",
    "openblas_get_num_threads",
    "openblas_get_num_procs",
    "openblas_set_num_threads",
    "cblas_sgemm",
    "cblas_dgemm",
)
#: What `openblas_get_parallel` says of a build with threads, not OpenMP.
THREADS = 1


def share(library: Any) -> bool:
    """Let NumPy's OpenBLAS compute with the threads of `library`; whether it does."""
    if os.environ.get("GLUON_SHARE_THREADS") == "0":
        return False
    found = _functions()
    if found is None or found["openblas_get_parallel"]() != THREADS:
        return False
    found["openblas_get_config"].restype = ctypes.c_char_p
    config = found["openblas_get_config"]().decode()
    version = re.search(r"OpenBLAS (\d+)\.(\d+)\.(\d+)", config)
    slots = re.search(r"MAX_THREADS=(\d+)", config)
    if not version or not slots or tuple(map(int, version.groups())) < FIRST:
        return False
    own = max(found["openblas_get_num_threads"](), found["openblas_get_num_procs"]())
    setter, *products = (
        ctypes.cast(found[name], ctypes.c_void_p).value
        for name in (
            "openblas_set_threads_callback_function",
            "cblas_sgemm",
            "cblas_dgemm",
            "openblas_get_num_threads",
            "openblas_set_num_threads",
        )
    )
    if not library.share_threads(setter, int(slots[1]), own):
        return False
    library.set_products(*products, "USE64BITINT" in config)
    return True


def _functions() -> dict[str, Any] | None:
    """Return functions of the OpenBLAS that NumPy is linked with; None where it is another one."""
    module: Any = getattr(np, "_core", None) or np.core
    try:
        linked = ctypes.CDLL(module._multiarray_umath.__file__)
    except (AttributeError, OSError):
        return None
    for name in NAMES:
        found = {key: getattr(linked, name.format(key), None) for key in FUNCTIONS}
        if all(found.values()):
            return found
    return None
