"""Averaging gradients over ranks, in few large pieces."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ..autodiff.checks import Awaited
from ..engine.array import Array, wrap
from ..engine.errors import ArgumentError
from ..engine.mode import mode
from ..kernels import collective as kernels
from .collective import allreduce
from .group import Members, ranks_of
from .handle import Handle, start

#: Bytes of gradients that leave together.
BUCKET = 4 << 20


class Bucket:
    """Gradients of one dtype that are sent as one array.

    Attributes
    ----------
    raws : list of numpy.ndarray
    size : int
        Their bytes.
    handle : Handle or None
        Once they are on their way; gives the list of reduced arrays.
    """

    size: int

    def __init__(self) -> None:
        self.raws: list[Any] = []
        self.size = 0
        self.handle: Handle | None = None

    def add(self, raw: Any) -> int:
        """Add an array; gives its place."""
        self.raws.append(raw)
        self.size += raw.nbytes
        return len(self.raws) - 1

    def leave(self, op: str, ranks: tuple[int, ...] | None) -> Handle:
        """Send what is there; nothing can be added any more."""
        raws = self.raws
        if self.handle is None:
            self.handle = start(
                "allreduce of gradients",
                lambda: kernels.allreduce(
                    np.concatenate([x.ravel() for x in raws]), reduction=op, ranks=ranks
                ),
                lambda y: _split(y, raws),
            )
        return self.handle


def _split(y: np.ndarray, like: list[Any]) -> list[Any]:
    ends = np.cumsum([x.size for x in like])
    return [part.reshape(x.shape) for part, x in zip(np.split(y, ends[:-1]), like)]


def sums(raws: list[Any]) -> list[Any]:
    """The sums of raw arrays over all ranks, sent in large pieces."""
    buckets: dict[Any, Bucket] = {}
    places = []
    for raw in raws:
        bucket = buckets.setdefault(raw.dtype, Bucket())
        places.append((bucket, bucket.add(raw)))
        if bucket.size >= BUCKET:
            buckets.pop(raw.dtype).leave("sum", None)
    for bucket in buckets.values():
        bucket.leave("sum", None)
    return [bucket.leave("sum", None).wait()[place] for bucket, place in places]


class Pending(Awaited):
    """A gradient that is on its way; `GradManager.backward` waits for it."""

    def __init__(self, averager: GradientAverager, bucket: Bucket, place: int, grad: Array) -> None:
        self._averager, self._bucket, self._place, self._like = averager, bucket, place, grad

    def wait(self) -> Array:
        """The gradient, reduced over all ranks."""
        raw = self._averager._results(self._bucket)[self._place]
        return wrap(type(self._like), raw, self._like._ctx)


class GradientAverager:
    """A callback of `GradManager.attach` that gives each gradient's mean or sum over all ranks.

    Gradients are packed into arrays of about 4 MB, of which each leaves while the next is packed.
    If an outer manager records, each gradient is an `allreduce` of its own, which has a gradient.

    Parameters
    ----------
    op : {'mean', 'sum'}, default 'mean'
    group : Group or sequence of int, optional

    Raises
    ------
    ArgumentError
        If `op` is neither.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.autodiff import GradManager
    >>> from gluon.distributed import GradientAverager
    >>> w = nd.array([1.0, 2.0])
    >>> with GradManager().attach(w, callbacks=GradientAverager()) as manager:
    ...     grad = manager.backward((w * w).sum())
    >>> grad.asnumpy()
    array([2., 4.], dtype=float32)
    """

    def __init__(self, op: Literal["mean", "sum"] = "mean", group: Members = None) -> None:
        if op not in ("mean", "sum"):
            raise ArgumentError(f"GradientAverager: op={op!r}; use 'mean' or 'sum'")
        self._op, self._group = op, group
        self._buckets: dict[Any, Bucket] = {}

    def __call__(self, tensor: Array, grad: Array) -> Any:
        """The reduced gradient, or what gives it when it is waited for."""
        if mode().tapes:
            return allreduce(grad, self._op, self._group)
        bucket = self._buckets.setdefault(grad.raw.dtype, Bucket())
        place = bucket.add(grad.raw)
        if bucket.size >= BUCKET:
            self._send(grad.raw.dtype)
        return Pending(self, bucket, place, grad)

    def _send(self, dtype: Any) -> None:
        self._buckets.pop(dtype).leave(self._op, ranks_of(self._group))

    def _results(self, bucket: Bucket) -> list[Any]:
        """The reduced arrays of a bucket; sends all that is left, in one order on all ranks."""
        for dtype in list(self._buckets):
            self._send(dtype)
        handle = bucket.leave(self._op, ranks_of(self._group))
        return handle.wait()
