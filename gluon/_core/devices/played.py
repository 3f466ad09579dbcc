"""``GLUON_DEVICE=torch:cpu``: tensors in host memory play two GPUs, for tests."""

from __future__ import annotations

import os

#: Tensors in host memory, named as two GPUs and as the default device.
ON_CPU = "torch:cpu"


def played() -> bool:
    """Whether tensors in host memory play the GPUs."""
    return os.environ.get("GLUON_DEVICE") == ON_CPU
