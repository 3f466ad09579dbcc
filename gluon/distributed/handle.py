"""Collective operations that run while the program computes.

One thread of this process runs them in the order of the calls; other collective operations wait
for them, so that all ranks make the same calls in the same order.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from .._core.engine.array import Array, wrap
from .._core.kernels import collective as kernels
from .._core.mpi import groups as mpi
from .collective import Reduction, check_plain, in_place, naming
from .group import Members, ranks_of


class Handle:
    """The result of an operation that may still be running.

    Parameters
    ----------
    name : str
        The operation, for errors.
    future : concurrent.futures.Future
    finish : callable
        Converts the result of the future to the return value of `wait`.

    Examples
    --------
    >>> from gluon import distributed, nd
    >>> handle = distributed.iallreduce(nd.array([1.0, 2.0]))
    >>> handle.wait().asnumpy()
    array([1., 2.], dtype=float32)
    >>> handle.done()
    True
    """

    def __init__(self, name: str, future: Future[Any], finish: Callable[[Any], Any]) -> None:
        self._name, self._future, self._finish = name, future, finish

    def done(self) -> bool:
        """Whether the operation has finished.

        Examples
        --------
        >>> from gluon import distributed, nd
        >>> handle = distributed.iallreduce(nd.ones((2,)))
        >>> handle.wait(), handle.done()
        (
        [1. 1.]
        <NDArray 2 @cpu(0)>, True)
        """
        return self._future.done()

    def wait(self) -> Any:
        """Wait for the result, and return it.

        Returns
        -------
        NDArray, of the shape and dtype of the operation's result

        Raises
        ------
        DistributedError
            If the ranks made different calls, or a rank has ended.

        Examples
        --------
        >>> from gluon import distributed, nd
        >>> distributed.iallgather(nd.ones((2, 3))).wait().shape
        (2, 3)
        """
        with naming(self._name):
            return self._finish(mpi.finished(self._future).result())


def start(name: str, work: Callable[..., Any], finish: Callable[[Any], Any]) -> Handle:
    """Run ``work()`` in the thread; `finish` converts its result for `Handle.wait`."""
    return Handle(name, mpi.submit(work), finish)


def _started(name: str, x: Any, work: Callable[[Any], Any]) -> Handle:
    """Start an operation on the values of `x`; its result has the class and device of `x`."""
    check_plain(name, x)
    kind, raw, ctx = type(x), x.raw, x._ctx
    return start(name, lambda: work(raw), lambda y: wrap(kind, y, ctx))


def iallreduce(x: Array, op: Reduction = "sum", group: Members = None) -> Handle:
    """Start `allreduce` without waiting; the result is not recorded.

    Parameters
    ----------
    x : NDArray of any shape and dtype
        Not recorded.
    op : {'sum', 'mean', 'max', 'min', 'product'}, default 'sum'
    group : Group or sequence of int, optional

    Returns
    -------
    Handle

    Raises
    ------
    ArgumentError
        If `x` is recorded.

    Examples
    --------
    >>> from gluon import distributed, nd
    >>> distributed.iallreduce(nd.array([1.0, 2.0]), "max").wait().asnumpy()
    array([1., 2.], dtype=float32)
    """
    ranks = ranks_of(group)
    return _started("iallreduce", x, lambda raw: kernels.allreduce(raw, reduction=op, ranks=ranks))


def iallreduce_(x: Array, op: Reduction = "sum", group: Members = None) -> Handle:
    """Start `allreduce_` without waiting. Do not use `x` before `Handle.wait`, which returns it.

    Parameters
    ----------
    x : NDArray of any shape and dtype
        Not recorded.
    op : {'sum', 'mean', 'max', 'min', 'product'}, default 'sum'
    group : Group or sequence of int, optional

    Returns
    -------
    Handle

    Raises
    ------
    ArgumentError
        If `x` is recorded.

    Examples
    --------
    >>> from gluon import distributed, nd
    >>> x = nd.array([1.0, 2.0])
    >>> distributed.iallreduce_(x).wait() is x
    True
    """
    buffer, ranks = in_place("iallreduce_", x), ranks_of(group)
    return start("iallreduce_", lambda: kernels.allreduce_into(buffer, op, ranks), lambda _: x)


def ibroadcast(x: Array, root: int = 0, group: Members = None) -> Handle:
    """Start `broadcast` without waiting; the result is not recorded.

    Parameters
    ----------
    x : NDArray of any shape and dtype
        Not recorded.
    root : int, default 0
    group : Group or sequence of int, optional

    Returns
    -------
    Handle

    Raises
    ------
    ArgumentError
        If `x` is recorded.

    Examples
    --------
    >>> from gluon import distributed, nd
    >>> distributed.ibroadcast(nd.array([1.0, 2.0])).wait().asnumpy()
    array([1., 2.], dtype=float32)
    """
    ranks = ranks_of(group)
    return _started("ibroadcast", x, lambda raw: kernels.broadcast(raw, root=root, ranks=ranks))


def iallgather(x: Array, group: Members = None) -> Handle:
    """Start `allgather` without waiting; the result is not recorded.

    Parameters
    ----------
    x : NDArray of shape (n, ...) and any dtype
        Not recorded.
    group : Group or sequence of int, optional

    Returns
    -------
    Handle

    Raises
    ------
    ArgumentError
        If `x` is recorded.

    Examples
    --------
    >>> from gluon import distributed, nd
    >>> distributed.iallgather(nd.array([1.0, 2.0])).wait().asnumpy()
    array([1., 2.], dtype=float32)
    """
    ranks = ranks_of(group)
    return _started("iallgather", x, lambda raw: kernels.allgather(raw, ranks=ranks))
