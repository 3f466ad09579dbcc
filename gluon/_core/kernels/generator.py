"""The random generator that all sampling shares.

Each of several processes that MPI started has its own stream of numbers, and draws parameters from
a second one, which is the same in all of them. Under the hooks all have one stream, as in the other
libraries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from ..mpi import groups as mpi

if TYPE_CHECKING:  # lazy: the first draw imports `numpy.random`, which takes 10 ms
    from numpy.random import Generator

F = TypeVar("F", bound="Callable[..., Any]")
#: Whether processes that seed alike draw different numbers.
by_rank = True
_state: Generator | None = None
#: The second generator of several processes, for parameters, once they are seeded.
_alike: Generator | None = None
#: The generator of this thread or task, inside `replaying`.
_own: ContextVar[Generator | None] = ContextVar("gluon_generator", default=None)


#: What makes another generator of the one in use, in this thread or task, the first one first.
_variants: ContextVar[tuple[Callable[[Any], Any], ...]] = ContextVar("gluon_draws", default=())


def generator() -> Generator:
    """The generator in use; its methods may be called from several threads."""
    own = _shared()
    for variant in _variants.get():
        own = variant(own)
    return own


def is_varied() -> bool:
    """Whether draws are several at once in this thread or task, as inside `vmap`."""
    return bool(_variants.get())


def _shared() -> Generator:
    """Return the generator in use, without variants."""
    global _state
    if (own := _own.get()) is not None:
        return own
    if _state is None:
        _state = np.random.default_rng()
    return _state


def draws(kernel: F) -> F:
    """A kernel that draws from `rng`; a variant may call it several times instead."""

    @wraps(kernel)
    def run(*args: Any, rng: Any, **options: Any) -> Any:
        if (several := getattr(rng, "several", None)) is not None:
            return several(kernel, args, options)
        return kernel(*args, rng=rng, **options)

    return cast("F", run)


def seed(value: int | None) -> None:
    """Restart the generator from `value`; None takes fresh entropy."""
    global _alike, _state
    # NumPy rejects negative seeds.
    value = None if value is None else value % 2**64
    fresh, rank = np.random.default_rng(value), mpi.launched_rank()
    _alike = None
    if by_rank and rank is not None and value is not None:
        _alike, fresh = fresh, np.random.default_rng([rank + 1, value])
    if (own := _own.get()) is not None:
        own.bit_generator.state = fresh.bit_generator.state
    else:
        _state = fresh


@contextmanager
def drawing_alike() -> Iterator[None]:
    """Draw inside what is to be equal in all processes that were given the same seed."""
    before = _own.get()
    try:
        _own.set(before or _alike)
        yield
    finally:
        _own.set(before)


@contextmanager
def drawing_from(variant: Callable[[Any], Any]) -> Iterator[None]:
    """Draw inside, in this thread or task, from what `variant` makes of the generator."""
    token = _variants.set((*_variants.get(), variant))
    try:
        yield
    finally:
        _variants.reset(token)


@contextmanager
def replaying(state: Any) -> Iterator[Generator]:
    """Draw inside, in this thread or task, from a generator of its own that begins in `state`."""
    own = np.random.default_rng(0)
    own.bit_generator.state = state
    before = _own.get()
    try:
        _own.set(own)
        yield own
    finally:
        _own.set(before)


@contextmanager
def remembered() -> Iterator[Any]:
    """Give the state of the generator, from which `replaying` draws the same as what is inside.

    Other threads cannot come in between: the draws inside are from a copy of the generator, to
    whose state the generator is set at the end.
    """
    shared = _shared()
    state = shared.bit_generator.state  # read once: another thread may change it at any time
    with replaying(state) as own:
        try:
            yield state
        finally:
            shared.bit_generator.state = own.bit_generator.state
