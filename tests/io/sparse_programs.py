"""Programs on iterators over sparse data that run on MXNet 1.9.1 and on gluon alike.

As in ``programs.py``. MXNet stops the process where it is wrong, also in later epochs of a file
whose samples fill all batches, so they ask only for what works.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from functools import partial

import numpy as np

DATA = "1.0 0:0.5 2:1.2\n-2.0\n-3.0 0:0.6 1:2.4 2:1.2\n4 2:-1.2\n5 1:7\n"
LABELS = "1 0:0.5\n2 1:2\n3 0:1 1:3\n4 0:4\n5 1:5\n"
#: Texts that are read as they say, and not as lines of LibSVM usually look.
FORMS = {
    "comments": "# all\n1 0:1 # one\n\n  2 1:2\t2:3  \n\n",
    "ends of other systems": "1 0:1\r\n2 1:1e-2\r\n",
    "numbers": "1   0:1   2:+3.5 \n 2 1:.5 2:1.\n-3e1 0:-0.0625 1:2.5E+2\n0.5 1:123456789.5",
    "weights": "1:0.5 0:1 2:2\n2 1:1\n",
    "queries": "1 qid:3 0:1 2:2\n2 qid:4 1:1\n",
    "a mark": "\N{ZERO WIDTH NO-BREAK SPACE}1 0:1\n2 1:2\n",
}


def file(text: str, name: str = "a.svm", folder: str | None = None) -> str:
    path = os.path.join(folder or tempfile.mkdtemp(), name)
    with open(path, "w", encoding="utf-8", newline="") as opened:
        opened.write(text)
    return path


def parts(x) -> list:
    """The type of an array, and its values, those of a csr array with their places."""
    if x.stype != "csr":
        return [x.stype, x.asnumpy()]
    return [f"csr {x.shape}", *(one.asnumpy() for one in (x.data, x.indices, x.indptr))]


def seen(batches, epochs: int = 3) -> list:
    found = [repr(batches.provide_data), repr(batches.provide_label), str(batches.batch_size)]
    for epoch in range(epochs):
        if epoch:
            batches.reset()
        pads = []
        for batch in batches:
            for one in (*batch.data, *batch.label):
                found += parts(one)
            pads.append(batch.pad)
            assert len(pads) < 20
        found.append(str(pads))
    return found


def libsvm(mx, text: str = DATA, labels: bool = False, **settings) -> list:
    settings = {"data_shape": (3,), "batch_size": 2, **settings}
    if labels:
        settings |= {"label_libsvm": file(LABELS), "label_shape": (2,)}
    batches = mx.io.LibSVMIter(data_libsvm=file(text), **settings)
    return seen(
        batches, 3 if settings["batch_size"] in (2, 3) and "part_index" not in settings else 1
    )


def several(mx) -> list:
    folder = tempfile.mkdtemp()
    one, two = file(DATA, "a", folder), file("6 0:6\n7 0:7\n", "b", folder)
    found = []
    for path in (f"{one};{two}", f"{two};{one}"):
        found += seen(mx.io.LibSVMIter(data_libsvm=path, data_shape=3, batch_size=7), 1)
    for k in range(3):
        part = {"num_parts": 3, "part_index": k, "batch_size": 1}
        found += seen(mx.io.LibSVMIter(data_libsvm=f"{one};{two}", data_shape=3, **part), 1)
    return found


def matrix() -> np.ndarray:
    x = np.arange(21.0).reshape(7, 3)
    x[x % 3 != 1] = 0
    x[4] = 0
    return x


def csr_arrays(mx) -> list:
    x = mx.nd.array(matrix()).tostype("csr")
    data = {"a": x, "b": np.arange(7.0)}
    label = mx.nd.array(matrix() * 2, dtype="float64").tostype("csr")
    return seen(mx.io.NDArrayIter(data, label, 3, last_batch_handle="discard"))


def row_sparse_arrays(mx) -> list:
    x = mx.nd.array(matrix()).tostype("row_sparse")
    return seen(mx.io.NDArrayIter(x, x, 3))


def refused(mx) -> list:
    x = mx.nd.array(matrix()).tostype("csr")
    found = []
    for last in ("pad", "roll_over"):
        try:
            mx.io.NDArrayIter(x, batch_size=2, last_batch_handle=last)
        except NotImplementedError:
            found.append(f"{last} is not implemented")
    return found


def loaded(mx) -> list:
    x, y = mx.nd.array(matrix()).tostype("csr"), mx.nd.arange(7)
    data = mx.gluon.data
    samples = data.ArrayDataset(x, y)
    found = [str(len(samples)), *parts(samples[2][0]), str(samples[2][1])]
    for batch in data.DataLoader(samples, batch_size=3):
        found += [one.asnumpy() for one in batch]
    for batch in data.DataLoader(data.SimpleDataset(x), batch_size=4, last_batch="discard"):
        found += [batch.asnumpy()]
    return found


def features() -> str:
    """A file of 200 samples with a million columns, of which some occur often."""
    drawn = np.random.RandomState(0)
    lines = []
    for _ in range(200):
        columns = np.unique(np.minimum((drawn.pareto(0.5, 12) * 50).astype(int), 10**6 - 1))
        values = drawn.rand(len(columns)).round(4)
        label = int((values * (columns * 7919 % 13 - 6)).sum() > 0)
        pairs = (f"{column}:{value:.4f}" for column, value in zip(columns, values))
        lines.append(" ".join([str(label), *pairs]))
    return file("\n".join(lines) + "\n")


def linear(mx, name: str, factors: int = 0, **settings) -> list:
    """A linear model of a million features, with `factors` for pairs of them, after an epoch."""
    gluon, dot = mx.gluon, mx.nd.sparse.dot
    shapes = [(10**6, 1), (10**6, factors)] if factors else [(10**6, 1)]
    weights = [
        gluon.Parameter(f"w{k}", shape=s, grad_stype="row_sparse") for k, s in enumerate(shapes)
    ]
    for weight in weights:
        weight.initialize(mx.init.Constant(0.01), ctx=mx.cpu())
    trainer = gluon.Trainer(weights, name, settings)
    loss_of = gluon.loss.SigmoidBinaryCrossEntropyLoss()
    found = []
    for batch in mx.io.LibSVMIter(data_libsvm=features(), data_shape=(10**6,), batch_size=32):
        x = batch.data[0]
        with mx.autograd.record():
            y = dot(x, weights[0].data())
            if factors:
                y = y + dot(x, weights[1].data()).square().sum(axis=1, keepdims=True)
            loss = loss_of(y, batch.label[0])
        loss.backward()
        trainer.step(32)
        found.append(loss.asnumpy())
    for weight in weights:
        values = weight.data().asnumpy()
        moved = np.flatnonzero((values != np.float32(0.01)).any(axis=1))
        found += [moved, values[moved]]
    return found


def programs() -> dict[str, Callable]:
    settings: list[dict] = [
        {},
        {"batch_size": 3},
        {"batch_size": 5, "data_shape": (20,)},
        {"labels": True},
        {"data_name": "q", "label_name": "r", "ctx": "cpu", "prefetch_buffer": 1},
        *({"num_parts": 2, "part_index": k} for k in (0, 1)),
        *({"num_parts": 3, "part_index": k, "batch_size": 1} for k in (0, 1, 2)),
        *({"text": text, "batch_size": 1} for text in FORMS.values()),
    ]
    found: dict[str, Callable] = {f"libsvm {one}": partial(libsvm, **one) for one in settings}
    for one in (several, csr_arrays, row_sparse_arrays, refused, loaded):
        found[f"sparse {one.__name__}"] = one
    for name, rates in {
        "sgd": {"learning_rate": 0.1, "momentum": 0.9, "wd": 1e-3},
        "adam": {"learning_rate": 0.01},
        "adagrad": {"learning_rate": 0.1},
    }.items():
        found[f"linear {name}"] = partial(linear, name=name, **rates)
        found[f"factors {name}"] = partial(linear, name=name, factors=4, **rates)
    return found
