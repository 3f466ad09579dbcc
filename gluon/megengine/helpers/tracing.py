"""``megengine.jit`` and profilers: settings without effect."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ContextDecorator, contextmanager
from typing import Any

from ..._core.errors import GluonError
from ..._hook.errors import CheckError
from .. import functional


class TraceError(GluonError):
    """MegEngine's error while tracing; gluon never raises it."""


def nothing() -> None:
    """Return None: no manager is in its backward pass."""


def is_tracing() -> bool:
    """Return False: gluon does not trace."""
    return False


class _Settings:
    """Named numbers, each with a minimum."""

    def _keep(self, least: dict[str, float], given: dict[str, Any]) -> None:
        for name, value in given.items():
            if value < least.get(name, value):
                kind = type(self).__name__
                raise CheckError(f"{kind}: {name}={value!r} is less than {least[name]}")
            setattr(self, name, value)


class SublinearMemoryConfig(_Settings):
    """Settings of MegEngine's sublinear memory; without effect."""

    def __init__(
        self,
        thresh_nr_try: int = 10,
        genetic_nr_iter: int = 0,
        genetic_pool_size: int = 20,
        lb_memory_mb: int = 0,
        num_worker: int = 1,
    ) -> None:
        given = {name: value for name, value in locals().items() if name != "self"}
        counts = {"thresh_nr_try": 0, "genetic_nr_iter": 0, "genetic_pool_size": 0}
        self._keep({**counts, "num_worker": 1}, given)


class DTRConfig(_Settings):
    """Settings of MegEngine's rematerialization; without effect."""

    def __init__(
        self,
        eviction_threshold: int = 0,
        evictee_minimum_size: int = 1 << 20,
        recomp_memory_factor: float = 1,
        recomp_time_factor: float = 1,
    ) -> None:
        given = {name: value for name, value in locals().items() if name != "self"}
        least = dict.fromkeys(given, 0)
        self._keep({**least, "eviction_threshold": 1}, given)


class GraphOptimizationConfig:
    """Settings of MegEngine's graph optimization; without effect."""

    jit_fuse_dimshuffle: None
    jit_fuse_reduce: None

    def __init__(self) -> None:
        self.jit_fuse_dimshuffle = self.jit_fuse_reduce = None

    def __repr__(self) -> str:
        words = {None: "UNSET", False: "OFF", True: "ON"}
        texts = (f" {name} = {words[value]}" for name, value in vars(self).items())
        return f"GraphOptimizationConfig {{{','.join(texts)} }}"


# ------------------------------------------------------------------------------ profiling


def is_profiling() -> bool:
    """Return False; see `gluon.profiler`."""
    return False


@contextmanager
def scope(name: str) -> Iterator[None]:
    """Context manager without effect."""
    yield


class profile(ContextDecorator):
    """Context manager and decorator without effect; see `gluon.profiler`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args = args

    def __enter__(self) -> profile:
        return self

    def __exit__(self, *exc: object) -> None:
        """Do nothing."""


# ----------------------------------------------------------------------- choice of kernels

_strategy = ["HEURISTIC"]


def get_execution_strategy() -> str:
    """Return the strategy that `set_execution_strategy` stored."""
    return _strategy[0]


def set_execution_strategy(option: Any) -> None:
    """Store how to choose kernels, without effect."""
    _strategy[0] = str(option)


get_conv_execution_strategy, set_conv_execution_strategy = (
    get_execution_strategy,
    set_execution_strategy,
)


def _assert_equal(
    expect: Any, actual: Any, *, maxerr: float = 0.0001, verbose: bool = False
) -> Any:
    """Return `actual` if it is close to `expect`, relative to the larger one or to 1."""
    size = functional.maximum(
        functional.maximum(functional.abs(expect), functional.abs(actual)), functional.ones(())
    )
    error = functional.max(functional.abs(expect - actual) / size).item()
    if error >= maxerr:
        raise CheckError(f"the values differ by {error}, more than maxerr={maxerr}")
    return actual


def _simulate_error() -> None:
    """Raise an error."""
    raise GluonError("a simulated error")
