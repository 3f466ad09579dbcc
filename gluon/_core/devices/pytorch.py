"""GPUs, or what plays them, through tensors of PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from ..kernels.elementwise import move
from . import numeric as numeric  # fills the tables
from . import random
from .buffer import DeviceBuffer, at
from .common import Backend
from .layers import standardize_grad
from .scans import gru_scan_grad, lstm_scan_grad
from .steps import STEPS
from .tensors import on, up
from .values import LAYERS


def put(raw: Any, place: int) -> Any:
    """An array of NumPy, or a buffer, on device number `place`."""
    if type(raw) is DeviceBuffer:
        return raw if raw.place == place else at(raw.t.to(on(place), copy=True), place)
    return at(up(raw, on(place)), place) if type(raw) is np.ndarray else raw


BACKEND = Backend(
    kind=DeviceBuffer,
    put=put,
    kernels={**LAYERS, "move": move},
    steps=STEPS,
    rules={
        "standardize_grad": standardize_grad,
        "lstm_scan_grad": lstm_scan_grad,
        "gru_scan_grad": gru_scan_grad,
    },
    sample=random.sample,
    full=(torch.OutOfMemoryError,),
)
