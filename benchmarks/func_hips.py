"""The names of HIPS autograd for the rows of `func.py`; it has neither vmap nor networks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import autograd
import numpy
from autograd import numpy as np

from .func_rows import Library, rows
from .processes import Maker


def makers(threads: int) -> dict[str, Maker]:
    """Return the rows that HIPS autograd has, by name."""
    transforms: Any = SimpleNamespace(
        grad=autograd.grad, jacrev=autograd.jacobian, hessian=autograd.hessian
    )
    layers = {"amax": lambda x: np.max(x, 1)}

    def jvp(f: Any, x: Any, v: Any) -> Any:
        return autograd.make_jvp(f)(x)(v)

    return rows(Library(numpy.asarray, np, transforms, jvp, layers))
