"""What computes where: kernels in PyTorch, and the operators that the host computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..kernels.elementwise import move

#: Maps an operator to its kernel in PyTorch.
TORCH: dict[str, Callable[..., Any]] = {"move": move}

#: Operators that the host computes: their kernels loop over values, or end in a list of places.
ON_HOST: frozenset[str] = frozenset()
