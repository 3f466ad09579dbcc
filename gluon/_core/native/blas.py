"""The matrix products of NumPy's OpenBLAS, which the compiled kernels call (linalg.c).

``GLUON_SHARE_THREADS=0`` leaves products to OpenBLAS's own threads.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any

import numpy as np

#: What NumPy's own builds put around the names of functions, and what others do.
NAMES = ("scipy_{}64_", "scipy_{}", "{}64_", "{}")
#: What the library calls: products, and what tells and sets the number of threads.
CALLED = ("cblas_sgemm", "cblas_dgemm", "openblas_get_num_threads", "openblas_set_num_threads")
FUNCTIONS = ("openblas_get_config", "openblas_get_parallel", *CALLED)
#: What `openblas_get_parallel` says of a build with threads, not OpenMP.
THREADS = 1


def share(library: Any) -> bool:
    """Let `library` call the products of NumPy's OpenBLAS; whether it does."""
    if os.environ.get("GLUON_SHARE_THREADS") == "0":
        return False
    found = _functions()
    if found is None or found["openblas_get_parallel"]() != THREADS:
        return False
    found["openblas_get_config"].restype = ctypes.c_char_p
    config = found["openblas_get_config"]().decode()
    addresses = (ctypes.cast(found[name], ctypes.c_void_p).value for name in CALLED)
    return library.set_products(*addresses, "USE64BITINT" in config)


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
