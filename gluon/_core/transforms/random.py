"""Random draws inside `vmap`: a generator that draws for each example, for all, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..engine.array import as_raw
from ..engine.op import KERNELS
from ..errors import AutogradError
from ..kernels.generator import drawing_from, draws
from .batched import Level, each, levels_of, wrapped


class Draws:
    """Stands for the generator inside `vmap`; it has its methods."""

    def __init__(self, level: Level, inner: Any) -> None:
        self.level, self.inner = level, inner

    def several(self, kernel: Callable[..., Any], args: Any, options: dict[str, Any]) -> Any:
        """What ``kernel(*args, rng=..., **options)`` draws for each example, or for all."""
        level = self.level
        if level.randomness == "error":
            raise AutogradError(
                f"vmap: {level.name} draws random numbers; pass randomness='different' to vmap to"
                " draw for each example, or 'same' to draw once for all"
            )

        def draw(*args: Any, **options: Any) -> Any:
            return draws(kernel)(*args, rng=self.inner, **options)

        if levels_of([*args, *options.values()]):
            if level.randomness == "same" and hasattr(self.inner, "bit_generator"):
                return each(_repeated(kernel, self.inner), args, options)
            return each(draw, args, options)
        if level.randomness == "same":
            return draw(*args, **options)
        drawn = [as_raw(draw(*args, **options)) for _ in range(level.size)]
        return wrapped(KERNELS.stack(*drawn), level)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_") or name == "bit_generator":  # whose absence says what this is
            raise AttributeError(name)

        def method(*args: Any, rng: Any, **options: Any) -> Any:
            return getattr(rng, name)(*args, **options)

        return lambda *args, **options: self.several(method, args, options)


def _repeated(kernel: Callable[..., Any], inner: Any) -> Callable[..., Any]:
    """``kernel``, which draws the same numbers in each call."""
    state = inner.bit_generator.state

    def draw(*args: Any, **options: Any) -> Any:
        inner.bit_generator.state = state
        return draws(kernel)(*args, rng=inner, **options)

    return draw


@contextmanager
def drawing(level: Level) -> Iterator[None]:
    """Let all draws of this thread or task follow `randomness`."""
    with drawing_from(lambda outer: Draws(level, outer)):
        yield
