"""Arrays on ``mx.gpu(i)`` while the hook is installed: gluon computes them on the CPU.

Most scripts name a GPU as a default, others try one and take the CPU when that fails. Both run if
the arrays are computed on the host, with one warning; the variable ``GLUON_GPU`` makes them errors.
"""

from __future__ import annotations

import os
import sys
import warnings

from .._core.arrays.context import Context
from .._core.errors import GluonError

#: ``host``, the default, or ``error``.
VARIABLE = "GLUON_GPU"
#: As many as a large machine has: scripts count GPUs until one is missing.
COUNT = 8
PACKAGE = __name__.partition(".")[0]

_warned = False


def host_or_error(ctx: Context) -> None:
    """Compute an array on `ctx` on the host, with one warning, or raise an error.

    Parameters
    ----------
    ctx : Context
        A GPU.

    Raises
    ------
    GluonError
        If the variable ``GLUON_GPU`` is ``error``, or the number of the GPU is too large.
    """
    global _warned
    if os.environ.get(VARIABLE) == "error":
        raise GluonError(
            f"{ctx} is not available: num_gpus() is 0; use cpu(), or set {VARIABLE}=host to compute"
            " on the host all that names a GPU"
        )
    if ctx.device_id >= COUNT:
        raise GluonError(
            f"{ctx} is not available: gpu(0) to gpu({COUNT - 1}) are computed on the host; use one"
            " of them, or cpu()"
        )
    if not _warned:
        _warned = True
        warnings.warn(
            f"no GPU is available: arrays on {ctx} are computed on the host;"
            f" set {VARIABLE}=error to make this an error, so that scripts that try a GPU take the"
            " CPU",
            stacklevel=depth(),
        )


def depth() -> int:
    """Return the stack level of the innermost frame outside gluon, for `warnings.warn`."""
    count, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == PACKAGE:
        count, frame = count + 1, frame.f_back
    return count
