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
    """Arrays of one dtype that are sent as one.

    Attributes
    ----------
    raws : list of numpy.ndarray
    size : int
        Their bytes.
    handle : Handle or None
        Once they are on their way; gives the list of reduced arrays.
    """

    raws: list[Any]
    size: int
    handle: Handle | None

    def __init__(self) -> None:
        self.raws, self.size, self.handle = [], 0, None


class Packing:
    """Packs arrays into buckets, each of which leaves when it is full.

    Parameters
    ----------
    op : {'mean', 'sum'}
    ranks : tuple of int or None
    """

    def __init__(self, op: str, ranks: tuple[int, ...] | None) -> None:
        self._op, self._ranks = op, ranks
        self._open: dict[Any, Bucket] = {}

    def add(self, raw: Any) -> tuple[Bucket, int]:
        """Add an array; gives what `result` asks for."""
        bucket = self._open.setdefault(raw.dtype, Bucket())
        bucket.raws.append(raw)
        bucket.size += raw.nbytes
        if bucket.size >= BUCKET:
            self._send(raw.dtype)
        return bucket, len(bucket.raws) - 1

    def _send(self, dtype: Any) -> None:
        bucket = self._open.pop(dtype)
        raws = bucket.raws
        bucket.handle = start(
            "allreduce of gradients",
            lambda: kernels.allreduce(
                np.concatenate([x.ravel() for x in raws]), reduction=self._op, ranks=self._ranks
            ),
            lambda y: _split(y, raws),
        )

    def result(self, bucket: Bucket, place: int) -> Any:
        """A reduced array; sends all that is left, in one order on all ranks."""
        for dtype in list(self._open):
            self._send(dtype)
        assert bucket.handle is not None  # it was open until now, or left before
        return bucket.handle.wait()[place]


def _split(y: np.ndarray, like: list[Any]) -> list[Any]:
    ends = np.cumsum([x.size for x in like])
    return [part.reshape(x.shape) for part, x in zip(np.split(y, ends[:-1]), like)]


def sums(raws: list[Any]) -> list[Any]:
    """The sums of raw arrays over all ranks, sent in large pieces."""
    packing = Packing("sum", None)
    return [packing.result(*place) for place in [packing.add(raw) for raw in raws]]


class Pending(Awaited):
    """A gradient that is on its way; `GradManager.backward` waits for it."""

    def __init__(self, packing: Packing, grad: Array) -> None:
        self._packing, self._like, self._place = packing, grad, packing.add(grad.raw)

    def wait(self) -> Array:
        """The gradient, reduced over all ranks."""
        return wrap(type(self._like), self._packing.result(*self._place), self._like._ctx)


class GradientAverager:
    """Callback of `GradManager.attach` that averages or sums each gradient over all ranks.

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
        self._packing = Packing(op, ranks_of(group))

    def __call__(self, tensor: Array, grad: Array) -> Any:
        """The reduced gradient, or what gives it when it is waited for."""
        if mode().tapes:
            return allreduce(grad, self._op, self._group)
        return Pending(self._packing, grad)
