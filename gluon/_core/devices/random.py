"""Random numbers that a GPU draws: the generator of the host gives a seed for each draw.

So `gluon.random.seed` decides them, and a draw that is done again gives the same. Tensors that play
a GPU get the numbers of the host, the same as on the CPU.
"""

from __future__ import annotations

from typing import Any

import torch

from ..kernels import random as kernels
from .buffer import DeviceBuffer, at, like
from .layers import fit, kernel
from .played import played
from .tensors import kind_of, on


def draws_there(rng: Any) -> bool:
    """Whether GPUs draw, which the generator of several examples of `vmap` excludes."""
    return not played() and not hasattr(rng, "several")


def _stream(device: torch.device, rng: Any) -> torch.Generator:
    return torch.Generator(device).manual_seed(int(rng.integers(2**63)))


@kernel("dropout_mask")
def _dropout_mask(x: Any, *, p: float, axes: tuple[int, ...] = (), rng: Any) -> Any:
    if not fit(x) or not draws_there(rng):
        return NotImplemented
    mask = x.t.new_empty(kernels.mask_shape(x, p, axes))
    if p == 1:
        return like(x, mask.zero_())
    return like(x, mask.bernoulli_(1 - p, generator=_stream(x.t.device, rng)).div_(1 - p))


def sample(
    distribution: str, numbers: dict[str, Any], size: tuple, dtype: Any, place: int, rng: Any
) -> DeviceBuffer | None:
    """Samples on device number `place`, or None where the host draws them."""
    if distribution not in ("uniform", "normal") or not draws_there(rng):
        return None
    kernels.sample(distribution, numbers, size=(0,), dtype=dtype, rng=rng)  # checks the numbers
    made = torch.empty(size, dtype=kind_of(dtype), device=on(place))
    draw = made.uniform_ if distribution == "uniform" else made.normal_
    return at(draw(*map(float, numbers.values()), generator=_stream(made.device, rng)), place)
