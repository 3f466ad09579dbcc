"""Steps within kernels that compiled code may take over."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

#: The name of a step -> ``stand_in(plain, *inputs)``, which computes it where arrays suit it.
STAND_INS: dict[str, Callable[..., Any]] = {}


def step(plain: Callable[..., Any]) -> Callable[..., Any]:
    """`plain`, a step of a kernel, or what stands in for it."""

    @wraps(plain)
    def run(*inputs: Any) -> Any:
        stand_in = STAND_INS.get(plain.__name__)
        return stand_in(plain, *inputs) if stand_in else plain(*inputs)

    return run
