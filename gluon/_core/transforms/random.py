"""Random draws inside `vmap`: a generator that draws for each example, for all, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..errors import AutogradError
from ..kernels.generator import drawing_from
from .batched import Level, each, levels_of, wrapped


class Draws:
    """Stands for the generator inside `vmap`; it has its methods."""

    def __init__(self, level: Level, inner: Any) -> None:
        self.level, self.inner = level, inner

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_") or name == "bit_generator":  # whose absence says what this is
            raise AttributeError(name)

        def draw(*args: Any, **options: Any) -> Any:
            level, method = self.level, getattr(self.inner, name)
            if level.randomness == "error":
                raise AutogradError(
                    f"vmap: {level.name} draws random numbers; pass randomness='different' to vmap"
                    " to draw for each example, or 'same' to draw once for all"
                )
            if levels_of([*args, *options.values()]):
                return each(method, args, options)
            if level.randomness == "same":
                return method(*args, **options)
            drawn = [np.asarray(method(*args, **options)) for _ in range(level.size)]
            return wrapped(np.stack(drawn), level)

        return draw


@contextmanager
def drawing(level: Level) -> Iterator[None]:
    """Let all draws of this thread or task follow `randomness`."""
    with drawing_from(lambda outer: Draws(level, outer)):
        yield
