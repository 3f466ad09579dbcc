"""Every collective, its gradient and its second derivative, against NumPy on all ranks' values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gluon import autograd, distributed, nd
from gluon import np as gnp

RANK, SIZE = distributed.get_rank(), distributed.get_size()
DRAWN = np.random.RandomState(7)


def close(found: nd.NDArray, right: np.ndarray, error: float) -> None:
    np.testing.assert_allclose(found.asnumpy(), right, rtol=error, atol=error)


def slope_of(f: Callable, x: np.ndarray, rank: int, step: float) -> np.ndarray:
    """The slope of ``f(x)`` along the values of a rank."""
    slope = np.zeros_like(x[rank])
    for place in np.ndindex(slope.shape):
        ends = []
        for sign in (1, -1):
            moved = x.copy()
            moved[(rank, *place)] += sign * step
            ends.append(f(moved))
        slope[place] = (ends[0] - ends[1]) / (2 * step)
    return slope


class Total:
    """The function that all ranks differentiate: the weighted sum of all squared results."""

    def __init__(self, right: Callable, values: np.ndarray) -> None:
        self.right = right
        self.weights = [
            np.cos(np.arange(part.size)).reshape(part.shape) + k
            for k, part in enumerate(right(values))
        ]

    def __call__(self, values: np.ndarray) -> float:
        return sum((part**2 * w).sum() for part, w in zip(self.right(values), self.weights))

    def of_slopes(self, values: np.ndarray) -> float:
        """The sum of the squared slopes along the values of all ranks."""
        return sum((slope_of(self, values, rank, 1e-4) ** 2).sum() for rank in range(SIZE))


def check(collective: Callable, right: Callable, shape: tuple[int, ...]) -> None:
    """Check that `collective` of this rank's array is ``right(all)[RANK]``, and its gradients."""
    values = DRAWN.uniform(0.5, 2, (SIZE, *shape))
    total = Total(right, values)
    for make in (nd.array, gnp.array):
        x = make(values[RANK], dtype="float64")
        x.attach_grad()
        with autograd.record():
            y = collective(x)
            loss = (y * y * make(total.weights[RANK], dtype="float64")).sum()
            (slope,) = autograd.grad([loss], [x], create_graph=True, retain_graph=True)
            again = (slope * slope).sum()
        again.backward()
        close(y, right(values)[RANK], 1e-10)
        close(slope, slope_of(total, values, RANK, 1e-6), 1e-5)
        close(x.grad, slope_of(total.of_slopes, values, RANK, 1e-4), 2e-3)


def joined(values: np.ndarray) -> np.ndarray:
    return values.reshape(-1, *values.shape[2:])


check(distributed.allreduce, lambda v: [v.sum(0)] * SIZE, (2, 2))
check(lambda x: distributed.allreduce(x, "mean"), lambda v: [v.mean(0)] * SIZE, (3,))
check(lambda x: distributed.allreduce(x, "max"), lambda v: [v.max(0)] * SIZE, (3,))
check(lambda x: distributed.allreduce(x, "min"), lambda v: [v.min(0)] * SIZE, (3,))
check(lambda x: distributed.allreduce(x, "product"), lambda v: [v.prod(0)] * SIZE, (2,))
check(lambda x: distributed.broadcast(x, SIZE - 1), lambda v: [v[-1]] * SIZE, (3,))
check(distributed.reduce, lambda v: [v.sum(0)] + [v[0] * 0] * (SIZE - 1), (3,))
check(distributed.allgather, lambda v: [joined(v)] * SIZE, (2,))
check(distributed.reduce_scatter, lambda v: list(v.sum(0).reshape(SIZE, 1, 2)), (SIZE, 2))
check(distributed.alltoall, lambda v: list(v.swapaxes(0, 1)), (SIZE, 2))

# Lengths that differ, dtypes, arrays that are not contiguous, and empty ones.
long = np.arange(RANK + 1.0)
ranges = np.concatenate([np.arange(k + 1.0) for k in range(SIZE)])
close(distributed.allgather(nd.array(long)), ranges, 0)
splits = [k + RANK for k in range(SIZE)]
given = nd.full((sum(splits),), RANK, dtype="int32")
right = np.concatenate([np.full(RANK + k, k) for k in range(SIZE)])
assert (distributed.alltoall(given, splits).asnumpy() == right).all()
for dtype in ("float16", "float32", "float64", "int8", "uint8", "int32", "int64"):
    x = nd.arange(6, dtype=dtype).reshape((2, 3)).T
    assert (distributed.allreduce(x).asnumpy() == x.asnumpy() * SIZE).all()
    assert distributed.allreduce(x).dtype == x.dtype
large = nd.full((2,), 30000, dtype="float16")
assert (distributed.allreduce(large, "mean").asnumpy() == 30000).all()
assert distributed.allreduce(nd.ones((2,), dtype="bfloat16")).astype("float32").asnumpy()[0] == SIZE
assert distributed.allreduce(gnp.array([RANK == 0]), "max").item()
assert distributed.allreduce(gnp.zeros((0, 3))).shape == (0, 3)

# In place, later, in order.
x = nd.array([RANK, 1.0])
handles = [distributed.iallreduce(x * k) for k in range(5)]
distributed.barrier()
assert [h.wait().asnumpy()[1] for h in handles] == [k * SIZE for k in range(5)]
held = x[0:1]
distributed.allreduce_(x)
assert x.asnumpy()[1] == SIZE
assert held.asscalar() == x[0].asscalar()
distributed.iallreduce_(x, "max").wait()
distributed.broadcast_(x)
assert distributed.ibroadcast(x + RANK, 0).wait().asnumpy()[1] == x.asnumpy()[1]
assert distributed.iallgather(x).wait().shape == (2 * SIZE,)
assert distributed.allgather_object({"rank": RANK}) == [{"rank": k} for k in range(SIZE)]
assert distributed.broadcast_object(RANK, SIZE - 1) == SIZE - 1

# Groups.
for ranks in ([0], list(range(SIZE))[::-1], list(range(0, SIZE, 2))):
    if RANK in ranks:
        group = distributed.new_group(ranks)
        assert (group.rank, group.size) == (ranks.index(RANK), len(ranks))
        total = distributed.allreduce(nd.array([RANK]), group=group)
        assert total.asscalar() == sum(ranks)
        first = distributed.broadcast(nd.array([RANK]), 0, group)
        assert first.asscalar() == ranks[0]
print("fine")
