"""Drawn shapes for the tests of the compiled kernels."""

from __future__ import annotations

from math import prod

from hypothesis import strategies as st

#: Most elements of a drawn array: enough for several blocks of every kernel.
MOST = 100_000


def shapes(
    lengths: list[int], least_axes: int = 0, most_axes: int = 4
) -> st.SearchStrategy[tuple[int, ...]]:
    """Shapes whose axes have some of `lengths`, of at most `MOST` elements."""
    axes = st.lists(st.sampled_from(lengths), min_size=least_axes, max_size=most_axes)
    return axes.map(tuple).filter(lambda shape: prod(shape) <= MOST)
