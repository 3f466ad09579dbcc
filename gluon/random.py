"""`gluon.random`: the seed, and the samplers of `nd.random`."""

from __future__ import annotations

from typing import Any

from .kernels import generator
from .nd.random import (
    exponential,
    gamma,
    multinomial,
    normal,
    poisson,
    randint,
    randn,
    shuffle,
    uniform,
)

__all__ = [
    "exponential",
    "gamma",
    "multinomial",
    "normal",
    "poisson",
    "randint",
    "randn",
    "seed",
    "shuffle",
    "uniform",
]


def seed(seed_state: int, ctx: Any = "all") -> None:
    """Restart all random numbers from a seed.

    Parameters
    ----------
    seed_state : int
    ctx : Context or 'all'
        Accepted for MXNet's sake: all contexts share one generator.

    Examples
    --------
    >>> from gluon import nd, random
    >>> random.seed(7)
    >>> a = nd.random.uniform(shape=(3,))
    >>> random.seed(7)
    >>> bool((a == nd.random.uniform(shape=(3,))).min())
    True
    """
    generator.seed(int(seed_state))
