"""MXNet's `mx.engine`: the bulk size, the number of operators run together; here always 1."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_size = 0


def set_bulk_size(size: int) -> int:
    """Set the bulk size; it has no effect.

    Parameters
    ----------
    size : int

    Returns
    -------
    int
        The size before; 0 at first.
    """
    global _size
    before, _size = _size, int(size)
    return before


@contextmanager
def bulk(size: int) -> Iterator[None]:
    """Context manager that sets the bulk size.

    Parameters
    ----------
    size : int

    Yields
    ------
    None

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.mxnet import engine
    >>> with engine.bulk(10):
    ...     x = nd.zeros((1,)) + 1
    """
    before = _size
    try:
        set_bulk_size(size)
        yield
    finally:
        set_bulk_size(before)
