"""Tensors of PyTorch and arrays of NumPy: dtypes, and copies from one memory to the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from ..errors import GluonError
from .common import COUNTS, Unimplemented
from .played import played

NAMES = (
    "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool"
    " complex64 complex128"
)
TO_TORCH: dict[np.dtype, torch.dtype] = {
    np.dtype(name): getattr(torch, name) for name in NAMES.split()
}
#: That no array has, where ml_dtypes is not installed. None would do worse: float64 equals it.
ABSENT = BFLOAT16 = np.dtype("V2")
try:
    import ml_dtypes

    BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
    TO_TORCH[BFLOAT16] = torch.bfloat16
except ImportError:
    pass
TO_NUMPY = {kind: dtype for dtype, kind in TO_TORCH.items()}


def on(device_id: int) -> torch.device:
    """The device of PyTorch that stands for ``gpu(device_id)``."""
    return torch.device("cpu") if played() else torch.device("cuda", device_id)


def kind_of(dtype: Any) -> torch.dtype:
    """The dtype of PyTorch for one of NumPy."""
    found = TO_TORCH.get(np.dtype(dtype))
    if found is None:
        raise Unimplemented(f"dtype {np.dtype(dtype)} is not available on devices")
    return found


def up(x: np.ndarray, device: torch.device) -> torch.Tensor:
    """A copy of a NumPy array on `device`."""
    COUNTS["uploads"] += 1
    kind = kind_of(x.dtype.newbyteorder("="))
    if x.dtype == BFLOAT16:
        return up(np.ascontiguousarray(x).view(np.int16), device).view(kind).reshape(x.shape)
    x = np.array(x, x.dtype.newbyteorder("="), order="C")
    return torch.from_numpy(x).to(device)


def down(t: torch.Tensor) -> np.ndarray:
    """A copy of a tensor as a NumPy array."""
    COUNTS["waits"] += 1
    t = t.detach().resolve_conj().resolve_neg()
    if t.dtype is torch.bfloat16:
        if BFLOAT16 is ABSENT:
            raise GluonError("bfloat16 values on the host need the package ml_dtypes; install it")
        return down(t.contiguous().view(torch.int16)).view(BFLOAT16)
    return np.array(t.cpu().numpy(), order="C")


def scalar(value: Any, dtype: Any, device: torch.device) -> torch.Tensor:
    """A 0-d tensor of a number, made on the device: nothing is copied there."""
    if np.dtype(dtype).kind in "iu":
        value = int(np.asarray(value, dtype))  # an OverflowError where it does not fit
    return torch.full((), value, dtype=kind_of(dtype), device=device)
