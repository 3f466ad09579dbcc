"""The steps of `compiled.py` under `torch.compile`: those of `steps_torch.py`, and two more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from .processes import Maker
from .steps import drawn
from .steps_torch import steps as eager


def chain() -> Callable[[], Any]:
    x = torch.tensor(drawn(16), requires_grad=True)

    def step() -> Any:
        x.grad = None
        y = x
        for _ in range(100):
            y = y * 1.01 + x
        y.sum().backward()
        return y.detach().numpy()

    return step


def cells() -> Callable[[], Any]:
    cell, x = nn.LSTMCell(32, 64), torch.tensor(drawn(20, 8, 32))
    trainer = torch.optim.SGD(cell.parameters(), lr=0.01)

    def step() -> float:
        trainer.zero_grad()
        h, c = torch.zeros(8, 64), torch.zeros(8, 64)
        outputs = []
        for one in x:
            h, c = cell(one, (h, c))
            outputs.append(h)
        loss = (torch.stack(outputs) ** 2).mean()
        loss.backward()
        trainer.step()
        return loss.item()

    return step


def steps(threads: int) -> dict[str, Maker]:
    """Return the compiled steps, by name."""
    torch.set_num_threads(threads)

    def compiled(make: Maker) -> Maker:
        return lambda: torch.compile(make())

    return {
        name: compiled(make) for name, make in {**eager(), "chain": chain, "cells": cells}.items()
    }
