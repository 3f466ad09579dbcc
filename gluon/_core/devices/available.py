"""Which devices there are: what contexts ask, without an import of PyTorch before it is needed."""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import find_spec
from typing import Any

from ..errors import GluonError
from ..kernels import random as kernels
from .played import played


def count() -> int:
    """How many GPUs arrays can be put on; imports PyTorch where it is installed."""
    return 2 if played() else _found()


@cache
def _found() -> int:
    if find_spec("torch") is None:
        return 0
    import torch

    return torch.cuda.device_count() if torch.cuda.is_available() else 0


def put(raw: Any, device_id: int) -> Any:
    """A raw array in the memory of the GPU `device_id`."""
    from .start import start

    return start(played()).put(raw, device_id)


def sample(
    ctx: Any, distribution: str, parameters: dict[str, Any], size: tuple, dtype: Any, rng: Any
) -> Any:
    """Samples of a distribution: drawn by the GPU `ctx`, if it is one and draws them."""
    found = None
    numbers = not any(getattr(value, "ndim", 0) for value in parameters.values())
    if ctx is not None and ctx.device_type == "gpu" and numbers and ctx.device_id < count():
        from .start import start

        backend = start(played())
        found = backend.sample(distribution, parameters, size, dtype, ctx.device_id, rng)
    if found is not None:
        return found
    return kernels.sample(distribution, parameters, size=size, dtype=dtype, rng=rng)


def memory(device_id: int) -> tuple[int, int]:
    """Free and total bytes of a GPU."""
    if played():
        raise GluonError(f"gpu({device_id}) is host memory here, of which nothing is counted")
    import torch

    return torch.cuda.mem_get_info(device_id)


def empty_cache() -> None:
    """Give the memory that PyTorch keeps for later arrays back to the GPUs."""
    if (torch := sys.modules.get("torch")) is not None:
        torch.cuda.empty_cache()


def wait() -> None:
    """Return when all that was queued on GPUs is computed."""
    torch = sys.modules.get("torch")
    if torch and torch.cuda.is_available() and torch.cuda.is_initialized():
        for k in range(torch.cuda.device_count()):
            if torch.cuda.memory_reserved(k):  # to wait for another GPU would begin its use
                torch.cuda.synchronize(k)
