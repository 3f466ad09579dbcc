"""``megengine.device``: questions about hardware, all of which have one answer here."""

from __future__ import annotations

from typing import Any

from ..device import NAME


def is_rocm_available() -> bool:
    """Whether there is hardware of this kind: never."""
    return False


is_atlas_available = is_cambricon_available = is_rocm_available


def what_is_xpu() -> str:
    """The kind of the default device."""
    return "cpu"


def coalesce_free_memory() -> None:
    """Do nothing: NumPy gives memory back by itself."""


def set_prealloc_config(*args: Any, **kwargs: Any) -> None:
    """Do nothing: memory is not allocated ahead."""


def _valid_device(inp: str) -> bool:
    """Whether a text names a device."""
    return isinstance(inp, str) and NAME.fullmatch(inp) is not None
