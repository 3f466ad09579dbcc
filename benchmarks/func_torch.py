"""The names of PyTorch and torch.func for the rows of `func.py`."""

from __future__ import annotations

from typing import Any

import torch
from torch import func
from torch.nn import functional

from .func_rows import Library, drawn, rows
from .processes import Maker

Array = Any


def makers(threads: int) -> dict[str, Maker]:
    """Return the rows, by name."""
    torch.set_num_threads(threads)
    gamma, beta = torch.tensor(drawn(512)), torch.tensor(drawn(512, seed=2))
    layers = {
        "convolved": lambda x, w: functional.max_pool2d(torch.relu(functional.conv2d(x, w)), 2),
        "softmax": lambda x: torch.softmax(x, -1),
        "log_softmax": lambda x: torch.log_softmax(x, -1),
        "layer_norm": lambda x: functional.layer_norm(x, (512,), gamma, beta),
        "amax": lambda x: x.amax(1),
    }
    return rows(Library(torch.tensor, torch, func, lambda f, x, v: func.jvp(f, (x,), (v,)), layers))
