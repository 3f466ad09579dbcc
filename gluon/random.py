"""`gluon.random`: the seed, and the samplers of `nd.random`."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

from ._core.errors import DTypeError, a_type
from ._core.hints.lookup import hinted, hinting
from ._core.kernels import generator
from .nd.random import (
    exponential,
    gamma,
    generalized_negative_binomial,
    multinomial,
    negative_binomial,
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
    "generalized_negative_binomial",
    "multinomial",
    "negative_binomial",
    "normal",
    "poisson",
    "randint",
    "randn",
    "seed",
    "shuffle",
    "uniform",
]


@hinted
def seed(seed_state: int, ctx: Any = "all") -> None:
    """Seed the random number generator.

    One generator serves all samplers, initializers and dropout, in all contexts and threads.
    Threads that draw at the same time share its sequence: their numbers depend on the order of
    their draws.

    Each of several processes started by ``mpiexec`` has its own sequence, so that dropout and
    augmentation differ. Initializers draw from a sequence that is the same in all processes.

    Parameters
    ----------
    seed_state : int
        Any integer; it may be negative.
    ctx : Context or 'all'
        Ignored: all contexts share one generator.

    Raises
    ------
    DTypeError
        If the seed is not an integer.

    Examples
    --------
    >>> from gluon import nd, random
    >>> random.seed(7)
    >>> a = nd.random.uniform(shape=(3,))
    >>> random.seed(7)
    >>> bool((a == nd.random.uniform(shape=(3,))).min())
    True
    """
    try:
        generator.seed(index(seed_state))
    except TypeError:
        raise DTypeError(
            f"seed: seed_state={seed_state!r} is {a_type(seed_state)}; pass an integer"
        ) from None


if not TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = hinting(__name__, __all__)
