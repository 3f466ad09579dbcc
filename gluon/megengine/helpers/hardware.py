"""``megengine.device``: queries about hardware; gluon computes on the CPU."""

from __future__ import annotations

from typing import Any

from ..device import NAME


def is_rocm_available() -> bool:
    """Return False: gluon computes on the CPU."""
    return False


is_atlas_available = is_cambricon_available = is_rocm_available


def what_is_xpu() -> str:
    """Return the kind of the default device."""
    return "cpu"


def coalesce_free_memory() -> None:
    """Do nothing: NumPy frees memory itself."""


def set_prealloc_config(*args: Any, **kwargs: Any) -> None:
    """Do nothing: gluon does not preallocate memory."""


def _valid_device(inp: str) -> bool:
    """Whether a string names a device."""
    return isinstance(inp, str) and NAME.fullmatch(inp) is not None
