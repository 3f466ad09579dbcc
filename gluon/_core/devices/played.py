"""``GLUON_DEVICE``: arrays in host memory play two GPUs, for tests."""

from __future__ import annotations

import os
from importlib.util import find_spec

from ..errors import GluonError

#: Tensors of PyTorch, or arrays of NumPy that nothing reads unasked, named as two GPUs.
ON_CPU, STRICT = "torch:cpu", "numpy:strict"


def played() -> str | None:
    """What plays the GPUs, if anything does; it is the default device then."""
    name = os.environ.get("GLUON_DEVICE") or None
    if name not in (ON_CPU, STRICT, None):
        raise GluonError(f"GLUON_DEVICE={name} is not known; use {ON_CPU} or {STRICT}")
    if name == ON_CPU and find_spec("torch") is None:
        raise GluonError(f"GLUON_DEVICE={ON_CPU} needs PyTorch; install gluon-autograd[gpu]")
    return name
