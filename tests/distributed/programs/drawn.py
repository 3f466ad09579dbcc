"""Sequences of collectives, drawn alike on all ranks, against NumPy."""

from __future__ import annotations

import sys

import numpy as np

from gluon import distributed, nd

RANK, SIZE = distributed.get_rank(), distributed.get_size()
draws = np.random.RandomState(int(sys.argv[1]))
reductions = {"sum": np.sum, "max": np.max, "min": np.min, "product": np.prod, "mean": np.mean}
for _ in range(200):
    shape = (int(draws.randint(0, 4)) * SIZE, *draws.randint(0, 5, draws.randint(0, 3)).tolist())
    everyone = draws.randint(-3, 4, (SIZE, *shape)).astype(draws.choice(["float32", "float64"]))
    mine, kind = nd.array(everyone[RANK], dtype=everyone.dtype), draws.randint(6)
    if kind == 0:
        op = str(draws.choice(list(reductions)))
        found, right = distributed.allreduce(mine, op), reductions[op](everyone, axis=0)
    elif kind == 1:
        root = int(draws.randint(SIZE))
        found, right = distributed.broadcast(mine, root), everyone[root]
    elif kind == 2:
        found, right = distributed.allgather(mine), np.concatenate(everyone)
    elif kind == 3:
        found = distributed.reduce_scatter(mine)
        right = np.split(everyone.sum(0), SIZE)[RANK]
    elif kind == 4:
        found = distributed.alltoall(mine)
        right = np.concatenate([np.split(part, SIZE)[RANK] for part in everyone])
    else:
        found, right = distributed.iallreduce(mine).wait(), everyone.sum(0)
    np.testing.assert_allclose(found.asnumpy(), right, rtol=1e-6)
    assert found.dtype == everyone.dtype
print("fine")
