"""Key-value stores of each name: what a process gets is computed from all processes."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np
import pytest

from gluon import (
    GluonError,
    distributed,
    init,
    io,
    kvstore,
    module,
    nd,
    optimizer,
    random,
    sym,
)

RANK, SIZE = distributed.get_rank(), distributed.get_size()
TOTAL = SIZE * (SIZE + 1) / 2  # of rank + 1 over all ranks
MINE = nd.full((3, 2), RANK + 1)


def same(x: nd.NDArray, right: object) -> None:
    np.testing.assert_allclose(x.asnumpy(), np.broadcast_to(right, x.shape), rtol=1e-6)


for name in ("dist", "dist_sync", "dist_device_sync", "dist_sync_device"):
    store, out = kvstore.create(name), nd.zeros((3, 2))
    assert (store.type, store.rank, store.num_workers) == (name, RANK, SIZE)
    assert store.is_capable("optimizer")
    store.init(["w", "v"], [MINE, MINE * 2])
    store.pull("w", out=out)
    same(out, 1)  # of rank 0
    store.push(["w", "v"], [[MINE, MINE], [MINE]])
    store.pull("w", out=out)
    same(out, 2 * TOTAL)
    store.pushpull("v", MINE, out=out)
    same(out, TOTAL)
    store.row_sparse_pull("v", out=out, row_ids=nd.array([2]))
    same(out, [[0], [0], [TOTAL]])
    store.broadcast("u", MINE, out=[out])
    same(out, 1)
    store._barrier()

    # An optimizer updates all copies alike, and its states go through a file.
    store = kvstore.create(name)
    store.set_optimizer(optimizer.SGD(learning_rate=0.5, momentum=0.5))
    store.init(0, nd.ones((2,)))
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            store.push(0, nd.full((2,), RANK + 1))
            path = str(Path(folder, f"states{RANK}"))
            store.save_optimizer_states(path)
            store.load_optimizer_states(path)
    out = nd.zeros((2,))
    store.pull(0, out=out)
    same(out, 1 - 0.5 * TOTAL - (0.5 * TOTAL + 0.25 * TOTAL))

# Two bits: what is not sent is kept for the next push. Half precision: nearly everything.
store, out = kvstore.create("dist_sync"), nd.array([0.3, 0.7, -0.2, -5.0, 0.0])
store.set_gradient_compression({"type": "2bit", "threshold": 0.5})
store.init("w", out)
kept = np.zeros((SIZE, 5))
for _ in range(4):
    values = nd.array([0.3, 0.7, -0.2, -5.0, 0.0]) * (RANK + 1)
    kept += np.array([0.3, 0.7, -0.2, -5.0, 0.0]) * (np.arange(SIZE)[:, None] + 1)
    sent = np.where(kept >= 0.5, 0.5, 0) - np.where(kept <= -0.5, 0.5, 0)
    kept -= sent
    store.pushpull("w", values, out=out)
    same(out, sent.sum(0))
store = kvstore.create("dist_device_sync")
store.set_gradient_compression({"type": "fp16"})
store.init("w", out)
store.pushpull("w", nd.full((5,), 0.1), out=out)
assert np.allclose(out.asnumpy(), 0.1 * SIZE, rtol=1e-3)
assert (out.asnumpy() != np.float32(0.1) * SIZE).all()

# Horovod's keeps no values.
store, grads, out = kvstore.create("horovod"), [nd.full((2,), RANK + 1)] * 2, nd.zeros((2,))
assert (store.type, store.rank, store.num_workers) == ("horovod", RANK, SIZE)
assert not store.is_capable("optimizer")
store.broadcast(0, nd.full((2,), RANK + 5), out=[out])
same(out, 5)
store.pushpull(0, grads, out=out)
same(out, 2 * TOTAL)
store.pushpull(0, grads[0])
same(grads[0], TOTAL)

# The keys of one call may be in any order; calls with different keys raise.
OTHER = "ab"[RANK % 2]
for given in ({}, {"type": "2bit", "threshold": 1.0}, {"type": "fp16"}):
    store, outs = kvstore.create("dist_sync"), [nd.zeros((3, 2)), nd.zeros((3, 2))]
    if given:
        store.set_gradient_compression(given)
    keys, values = ["a", "b"], [nd.ones((3, 2)), nd.full((3, 2), -1)]
    turned = slice(None, None, -1 if RANK else None)
    store.init(keys[turned], values[turned])
    store.push(keys[turned], values[turned])
    store.pull(keys, outs)
    same(outs[0], SIZE)
    same(outs[1], -SIZE)
    with pytest.raises(GluonError, match=r"rank 0 calls .* key.? 'a', but rank 1 calls .* 'b'"):
        store.push(OTHER, values[0])
with pytest.raises(GluonError, match=r"of the key 0, but rank 1 .* of the key 1"):
    kvstore.create("dist_sync").init(np.int64(RANK), values[0])
for call in (kvstore.create("horovod").pushpull, kvstore.create("horovod").broadcast):
    with pytest.raises(GluonError, match=r"of the key 'a', but rank 1 .* of the key 'b'"):
        call(OTHER, nd.ones(2), nd.ones(2))

# A module: with parameters that differ at first, and an optimizer here or in the store.
INPUT = np.random.RandomState(2).normal(size=(8, 3)).astype("float32")
DATA, RIGHT = (np.split(one, SIZE) for one in (INPUT, INPUT.sum(1)))
data = sym.FullyConnected(sym.var("data"), num_hidden=1, name="fc")
network = sym.LinearRegressionOutput(data, name="out")


def fitted(store: str, parts: list[int]) -> np.ndarray:
    x, y = (np.concatenate([one[k] for k in parts]) for one in (DATA, RIGHT))
    made = module.Module(network, label_names=["out_label"])
    made.fit(
        io.NDArrayIter(x, y, len(x), label_name="out_label"),
        kvstore=store,
        initializer=init.Uniform(0.5),
        optimizer_params={"learning_rate": 0.5},
        num_epoch=3,
    )
    return made.get_params()[0]["fc_weight"].asnumpy()


random.seed(0)
alone = fitted("local", [*range(SIZE)])
for place in ("0", "1"):
    os.environ["MXNET_UPDATE_ON_KVSTORE"] = place
    random.seed(RANK)
    np.testing.assert_allclose(fitted("dist_sync", [RANK]), alone, rtol=1e-4)

for name in ("dist_async", "byteps"):
    with pytest.raises(GluonError, match="Use 'dist_sync'"):
        kvstore.create(name)
print("fine")
