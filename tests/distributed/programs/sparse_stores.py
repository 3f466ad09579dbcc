"""Sparse arrays in stores of several processes: the rows of all processes are added."""

from __future__ import annotations

import numpy as np

import gluon.mxnet.horovod as hvd
from gluon import Trainer, autograd, distributed, kvstore, nd, nn

RANK, SIZE = distributed.get_rank(), distributed.get_size()
ROWS = 2 * SIZE + 1


def rows(*places: int) -> nd.NDArray:
    """Rows of rank + 1 at `places`."""
    values = nd.full((len(places), 2), RANK + 1)
    return nd.sparse.row_sparse_array((values, list(places)), shape=(ROWS, 2))


def total() -> np.ndarray:
    """What all processes push: each rank + 1 to a row of its own and to the last."""
    found = np.zeros((ROWS, 2))
    for rank in range(SIZE):
        found[[rank, ROWS - 1]] += rank + 1
    return found


store = kvstore.create("dist_sync")
start = nd.ones((ROWS, 2)) * (RANK + 3)
store.init("w", start.tostype("row_sparse"))
out = nd.sparse.zeros("row_sparse", (ROWS, 2))
store.row_sparse_pull("w", out=out, row_ids=nd.array([ROWS - 1, 0, 0]))
assert out.indices.asnumpy().tolist() == [0, ROWS - 1]
assert (out.data.asnumpy() == 3).all()  # of rank 0

# Several arrays of a process, then those of all processes.
store.push("w", [rows(RANK, ROWS - 1), rows(RANK)])
store.pull("w", out=out, ignore_sparse=False)
twice = total()
twice[:SIZE] *= 2
np.testing.assert_array_equal(out.asnumpy(), twice)
before = out.asnumpy()
store.pull("w", out=out)  # sparse arrays are left alone
np.testing.assert_array_equal(out.asnumpy(), before)
store.row_sparse_pull("w", out=out, row_ids=nd.array([SIZE]))  # a row that nobody pushed
assert out.indices.asnumpy().tolist() == [SIZE]
assert not out.asnumpy().any()


def trained(kind: str) -> np.ndarray:
    """An embedding after two steps; each process looks up a row of its own and the last one."""
    net = nn.Embedding(ROWS, 2, sparse_grad=True)
    net.initialize("ones")
    settings = {"learning_rate": 0.5, "momentum": 0.9}
    if kind == "horovod":
        trainer = hvd.DistributedTrainer(net.collect_params(), "sgd", settings)
    else:
        trainer = Trainer(net.collect_params(), "sgd", settings, kvstore=kind)
    for _ in range(2):
        with autograd.record():
            loss = (net(nd.array([RANK, ROWS - 1])) * (RANK + 1)).sum()
        loss.backward()
        assert net.weight.grad().stype == "row_sparse"
        trainer.step(1)
    return net.weight.data().asnumpy()


right = 1 - 0.5 * total() * (1 + 1.9)
np.testing.assert_allclose(trained("dist_sync"), right, rtol=1e-6)
np.testing.assert_allclose(trained("dist_device_sync"), right, rtol=1e-6)
hvd.init()
# Horovod takes the mean.
np.testing.assert_allclose(trained("horovod"), 1 - 0.5 * total() * (1 + 1.9) / SIZE, rtol=1e-6)
print("fine")
