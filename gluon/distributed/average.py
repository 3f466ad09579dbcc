"""Averaging gradients over ranks, in a few large pieces."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np

from .._core.engine.array import Array, wrap
from .._core.errors import ArgumentError
from .._core.instruments.base import OBSERVED
from .._core.kernels import collective as kernels
from ..autodiff.checks import Awaited, Beginning, Callback
from .collective import allreduce, naming
from .group import Members, get_size, ranks_of
from .handle import Handle, start

#: The size in bytes of gradients that are sent together, and its name in messages.
BUCKET, CALLED = 4 << 20, "allreduce of gradients"


class Bucket:
    """Arrays of one dtype that are sent together.

    Attributes
    ----------
    raws : list of numpy.ndarray
    numbers : list of int or str
        Their indices among all gradients, or their keys in a store.
    size : int
        Their size in bytes.
    handle : Handle or None
        Set once they are being sent; its result is the list of reduced arrays.
    reduced : list of numpy.ndarray or None
        The reduced arrays, once there is nothing to compute while they are on their way.
    """

    raws: list[Any]
    numbers: list[Any]
    size: int
    handle: Handle | None
    reduced: list[Any] | None

    def __init__(self) -> None:
        self.raws, self.numbers, self.size = [], [], 0
        self.handle = self.reduced = None

    def reduce(self, op: str, ranks: tuple[int, ...] | None, of: str) -> list[Any]:
        """The arrays, reduced over ranks that have the same ones, such as gradients, in theirs."""
        y = np.concatenate([x.ravel() for x in self.raws])
        kernels.allreduce_into(y, op, ranks, f" of the {of} {_runs(self.numbers)}")
        parts = np.split(y, np.cumsum([x.size for x in self.raws])[:-1])
        return [part.reshape(x.shape) for part, x in zip(parts, self.raws)]


OBSERVED.append((Bucket, "reduce", "communication", lambda bucket: "allreduce of gradients"))


class Packing:
    """Packs arrays into buckets, and sends each bucket when it is full.

    Parameters
    ----------
    op : {'mean', 'sum'}
    ranks : tuple of int or None
    tensors : list of Array, optional
        The tensors whose gradients the instance is called with.
    uses_thread : bool, default True
        Whether the program computes meanwhile, so that a thread sends full buckets.
    of : str, default 'gradients'
        What errors call the arrays.
    """

    def __init__(
        self,
        op: str,
        ranks: tuple[int, ...] | None,
        tensors: Sequence[Array] = (),
        uses_thread: bool = True,
        of: str = "gradients",
    ) -> None:
        self._op, self._ranks, self._uses_thread, self._of = op, ranks, uses_thread, of
        self._numbers = {id(tensor): number for number, tensor in enumerate(tensors)}
        self._open: dict[Any, Bucket] = {}

    def add(self, number: int | str, raw: Any) -> tuple[Bucket, int]:
        """Add an array; return the arguments of `result` for it."""
        bucket = self._open.setdefault(raw.dtype, Bucket())
        bucket.raws.append(raw)
        bucket.numbers.append(number)
        bucket.size += raw.nbytes
        if bucket.size >= BUCKET:
            del self._open[raw.dtype]
            if self._uses_thread:
                reduce = partial(bucket.reduce, self._op, self._ranks, self._of)
                bucket.handle = start(CALLED, reduce, lambda parts: parts)
            else:
                self._reduce(bucket)
        return bucket, len(bucket.raws) - 1

    def result(self, bucket: Bucket, place: int) -> Any:
        """A reduced array; sends all that is left, in one order on all ranks."""
        while self._open:
            self._reduce(self._open.popitem()[1])
        if bucket.reduced is None:
            assert bucket.handle is not None  # sent during the backward pass
            bucket.reduced = bucket.handle.wait()
        return bucket.reduced[place]

    def _reduce(self, bucket: Bucket) -> None:
        with naming(CALLED):
            bucket.reduced = bucket.reduce(self._op, self._ranks, self._of)

    def __call__(self, tensor: Array, grad: Array) -> Awaited:
        """The gradient that is being reduced, by a `GradientAverager` in one backward pass."""
        return Pending(self, grad, self._numbers[id(tensor)])


def _runs(numbers: list[Any]) -> str:
    """Return `numbers` as text, in order: ``'5-2, 7'`` for 5, 4, 3, 2, 7; keys as Python does."""
    if isinstance(numbers[0], str):
        return ", ".join(map(repr, numbers))
    runs: list[list[int]] = []
    for number in numbers:
        if runs and abs(number - runs[-1][-1]) == 1 and abs(number - runs[-1][0]) == len(runs[-1]):
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) + f"-{run[-1]}" * (len(run) > 1) for run in runs)


def sums(raws: list[Any], numbers: Sequence[Any], of: str = "gradients") -> list[Any]:
    """The sums of raw arrays over all ranks, sent in large pieces.

    Ranks agree on the numbers or keys of the arrays, which errors call `of`.
    """
    packing = Packing("sum", None, uses_thread=False, of=of)
    places = [packing.add(number, raw) for number, raw in zip(numbers, raws)]
    return [packing.result(*place) for place in places]


class Pending(Awaited):
    """A gradient that is being reduced; `GradManager.backward` waits for it."""

    def __init__(self, packing: Packing, grad: Array, number: int) -> None:
        self._packing, self._like = packing, grad
        self._place = packing.add(number, grad.raw)

    def wait(self) -> Array:
        """The gradient, reduced over all ranks."""
        return wrap(type(self._like), self._packing.result(*self._place), self._like._ctx)


class GradientAverager(Beginning):
    """Callback of `GradManager.attach` that averages or sums each gradient over all ranks.

    Gradients are packed into arrays of about 4 MB, each of which is sent as soon as its gradients
    are final, during the backward pass. If an outer manager records, each gradient gets its own
    `allreduce`, which is differentiable.

    Parameters
    ----------
    op : {'mean', 'sum'}, default 'mean'
    group : Group or sequence of int, optional

    Raises
    ------
    ArgumentError
        If `op` is neither of these.

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

    def begin(self, tensors: list[Array]) -> Callback | None:
        """The packing of the gradients of `tensors` in one backward pass."""
        return Packing(self._op, ranks_of(self._group), tensors) if self._is_needed() else None

    def _is_needed(self) -> bool:
        return get_size(self._group) > 1

    def __call__(self, tensor: Array, grad: Array) -> Array:
        """Return the reduced gradient."""
        return allreduce(grad, self._op, self._group) if self._is_needed() else grad
