"""Each rank reads its part of the data and draws its own numbers; parameters are equal."""

from __future__ import annotations

import io
import logging
import struct
import tempfile
from itertools import chain
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from gluon import callback, data, distributed, image, kvstore, nd, nn, progress, random, recordio
from gluon import io as gio
from gluon.megengine import module as M
from gluon.megengine import random as mrandom

RANK, SIZE = distributed.get_rank(), distributed.get_size()


def all_equal(x: object) -> bool:
    everyone = distributed.allgather_object(x)
    return all(one == everyone[0] for one in everyone)


def together(x: list) -> list:
    return sorted(chain(*distributed.allgather_object(x)))


# The sampler: every sample, as many on each rank, in an order of each epoch.
samples = data.DistributedSampler(4 * SIZE + 1)
epochs = [list(samples) for _ in range(2)]
assert len(epochs[0]) == len(samples) == 5
assert set(together(epochs[0])) == set(range(4 * SIZE + 1))
assert epochs[0] != epochs[1]
kept = list(data.DistributedSampler(4 * SIZE + SIZE // 2, drop_last=True))
assert len(kept) == 4
assert len(set(together(kept))) == 4 * SIZE

# Own numbers on each rank, equal parameters, including those with deferred shapes.
for seed, number in ((random.seed, -3), (mrandom.seed, 3)):
    seed(number)
    draws = nd.random.uniform(shape=(4,)).asnumpy().tolist()
    net = nn.HybridSequential()
    net.add(nn.Dense(3), nn.Dropout(0.5), nn.Dense(2, weight_initializer="xavier"))
    net.initialize()
    net(nd.ones((1, 4)))
    layer = M.Linear(3, 2)
    values = [one.data().asnumpy().tolist() for one in net.collect_params().values()]
    assert all_equal([*values, layer.weight.tolist()])
    again = nd.random.uniform(shape=(4,)).asnumpy().tolist()
    assert len({tuple(one) for one in distributed.allgather_object(draws)}) == SIZE
    assert len({tuple(one) for one in distributed.allgather_object(again)}) == SIZE
    seed(number)
    assert nd.random.uniform(shape=(4,)).asnumpy().tolist() == draws

# Iterators that are given the rank by a script.
store = kvstore.create("dist_sync")
part = {"num_parts": store.num_workers, "part_index": store.rank}
assert (store.rank, store.num_workers) == (RANK, SIZE)
with tempfile.TemporaryDirectory() as folder:
    base = Path(folder, "pictures")
    record = recordio.MXIndexedRecordIO(f"{base}.idx", f"{base}.rec", "w")
    for k in range(2 * SIZE):
        header = recordio.IRHeader(0, float(k), k, 0)
        record.write_idx(
            k, recordio.pack_img(header, np.full((8, 8, 3), k, "uint8"), img_fmt=".png")
        )
    record.close()
    files = {"path_imgrec": f"{base}.rec", "path_imgidx": f"{base}.idx"}
    shape = {"data_shape": (3, 8, 8), "batch_size": 1}
    iterators = [
        gio.ImageRecordIter(**files, **shape, **part),
        gio.ImageRecordIter(path_imgrec=f"{base}.rec", **shape, **part),
        image.ImageIter(**files, **shape, **part),
    ]
    for one in iterators:
        labels = [int(batch.label[0].asnumpy().item()) for batch in one]
        assert together(labels) == list(range(2 * SIZE)), labels
        assert len(labels) == 2
    numbers = np.arange(2 * SIZE, dtype="uint8")
    Path(folder, "images").write_bytes(
        struct.pack(">4i", 2051, 2 * SIZE, 2, 2) + numbers.repeat(4).tobytes()
    )
    Path(folder, "labels").write_bytes(struct.pack(">2i", 2049, 2 * SIZE) + numbers.tobytes())
    digits = gio.MNISTIter(
        image=f"{folder}/images", label=f"{folder}/labels", batch_size=1, shuffle=False, **part
    )
    labels = [int(batch.label[0].asnumpy().item()) for batch in digits]
    assert together(labels) == list(range(2 * SIZE)), labels

# One rank shows progress.
text = io.StringIO()
with progress.bar(2, "reading", file=text, mininterval=0) as bar:
    bar.update(2)
assert bool(text.getvalue()) == (RANK == 0)
with progress.Lines(2, "reading", file=text, disable=True) as bar:
    bar.update(2)
log = io.StringIO()
logging.basicConfig(stream=log, level="INFO", force=True)
callback.ProgressBar(4)(SimpleNamespace(nbatch=1))
assert bool(log.getvalue()) == (RANK == 0)
print("fine")
