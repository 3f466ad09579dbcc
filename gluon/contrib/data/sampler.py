"""`IntervalSampler`: samples at regular intervals."""

from __future__ import annotations

from collections.abc import Iterator

from ..._core.errors import ArgumentError
from ...data.sampler import Sampler

__all__ = ["IntervalSampler"]


class IntervalSampler(Sampler):
    """Samples ``0, interval, 2 * interval, ...``, then the same starting at 1, and so on.

    Parameters
    ----------
    length : int
        All indices are below it.
    interval : int
    rollover : bool, default True
        Whether to continue from 1 after the first round.

    Raises
    ------
    ArgumentError
        If `interval` is less than 1 or more than `length`.

    Examples
    --------
    >>> from gluon.contrib import data
    >>> list(data.IntervalSampler(5, 2)), list(data.IntervalSampler(5, 2, rollover=False))
    ([0, 2, 4, 1, 3], [0, 2, 4])
    """

    def __init__(self, length: int, interval: int, rollover: bool = True) -> None:
        if not 1 <= interval <= length:
            raise ArgumentError(
                f"IntervalSampler: interval={interval} must lie between 1 and length={length}"
            )
        rounds = range(interval if rollover else 1)
        self._rounds = [range(start, length, interval) for start in rounds]

    def __iter__(self) -> Iterator[int]:
        for numbers in self._rounds:
            yield from numbers

    def __len__(self) -> int:
        return sum(map(len, self._rounds))
