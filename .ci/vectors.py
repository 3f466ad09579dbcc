"""Print the variables for `env` with which NumPy computes as on another processor.

    env $(python .ci/vectors.py avx2) python -m pytest ...

The levels are `none`, without the vector loops that NumPy chooses while it runs, and `avx2`, with
those up to AVX2. Nothing is printed where a level takes nothing away from this processor. NumPy
rounds differently with each set of loops; no test may notice.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterable

#: The names of features above AVX2, before and since NumPy 2.4.
ABOVE_AVX2 = ("AVX512", "X86_V4", "AMX", "AVX10")
#: The processor type for which NumPy's BLAS computes on x86.
BLAS = {"none": "Nehalem", "avx2": "Haswell"}


def disabled(level: str, dispatched: Iterable[str], present: dict[str, bool]) -> list[str]:
    """Return the features to disable, without those that NumPy has no loops for and warns about."""
    found = [name for name in dispatched if present.get(name)]
    return [name for name in found if level == "none" or name.startswith(ABOVE_AVX2)]


def variables(level: str) -> dict[str, str]:
    """Return the variables of a level on this processor, with the installed NumPy."""
    try:
        from numpy._core import _multiarray_umath as umath
    except ImportError:  # before NumPy 2
        from numpy.core import _multiarray_umath as umath

    names = disabled(level, umath.__cpu_dispatch__, umath.__cpu_features__)
    if not names:
        return {}
    is_x86 = platform.machine().lower() in ("x86_64", "amd64")
    blas = {"OPENBLAS_CORETYPE": BLAS[level]} if is_x86 else {}
    return {"NPY_DISABLE_CPU_FEATURES": ",".join(names), **blas}


if __name__ == "__main__":
    if sys.argv[1:] not in (["none"], ["avx2"]):
        sys.exit("usage: python .ci/vectors.py none|avx2")
    print(" ".join(f"{name}={value}" for name, value in variables(sys.argv[1]).items()))
