"""The cost of sparse products and of lazy updates, compared with MXNet, SciPy and PyTorch.

MXNet 1.9.1 runs the very source that gluon runs. Run it from the root of the repository::

    python -m benchmarks.sparse [--mxnet PYTHON] [--torch PYTHON] [--only ROW ...] [--quick]

Every library works in a process of its own with one thread, and the processes take turns. The
tables have a million rows, so each process takes up to 2 GB of memory.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import warnings
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from . import common
from .processes import Maker, can_import, measure, work

#: A matrix of a batch has BATCH rows and COLUMNS columns, and VALUES values in each row.
COLUMNS, BATCH, VALUES = 1_000_000, 512, 39
#: The width of the wide tables, the rows of the text, and the shape of the dense matrix.
WIDTH, LINES, DENSE = 64, 2048, (4096, 1024)
#: Maps a row to the maximum ratio of gluon to a library.
GOALS: dict[str, dict[str, float]] = {
    "csr dot, 64 columns": {"SciPy": 1.0},
    "csr dot, 1 column": {},
    "csr.T dot to rows, 64 columns": {"SciPy": 1.0},
    "csr.T dot to rows, 1 column": {"SciPy": 1.0},
    "csr.T dot to dense, 64 columns": {},
    "embedding, lazy adam": {"PyTorch": 1.3, "MXNet": 0.25},
    "linear model, ftrl": {"MXNet": 0.25},
    "dense to csr": {"MXNet": 1.0},
    "csr slice": {"MXNet": 1.0},
    "LibSVM text": {"MXNet": 0.8},
}
#: The duration of a library's turn, in seconds.
TURN = 0.3


# ------------------------------------------------------------------------------------ inputs


def matrix(rows: int = BATCH) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the values, columns and `indptr` of a csr matrix."""
    rng = np.random.RandomState(0)
    room = COLUMNS // VALUES
    columns = np.arange(VALUES) * room + rng.randint(room, size=(rows, VALUES))
    indptr = np.arange(rows + 1) * VALUES
    return rng.rand(rows * VALUES).astype("float32"), columns.ravel(), indptr


def drawn(*shape: int) -> np.ndarray:
    return np.random.default_rng(1).random(shape, np.float32)


def mostly_zero() -> np.ndarray:
    x = drawn(*DENSE)
    x[x > 0.05] = 0
    return x


def batches() -> list[np.ndarray]:
    """Return the rows of a table that each of several batches looks up."""
    rng = np.random.RandomState(2)
    return [rng.randint(COLUMNS, size=BATCH) for _ in range(16)]


def libsvm(folder: str) -> str:
    """Write a text in the format of LibSVM, and return its path."""
    values, columns, _ = matrix(LINES)
    path = Path(folder, "data.libsvm")
    with path.open("w", encoding="ascii") as file:
        for k in range(LINES):
            places = range(k * VALUES, (k + 1) * VALUES)
            row = " ".join(f"{columns[place]}:{values[place]:.6f}" for place in places)
            file.write(f"{k % 2} {row}\n")
    return str(path)


# ------------------------------------------------------------------ gluon and MXNet, one source


def csr_of(library: Any, rows: int = BATCH) -> Any:
    return library.nd.sparse.csr_matrix(matrix(rows), shape=(rows, COLUMNS))


def product(library: Any, width: int, **how: Any) -> Callable[[], Any]:
    x = csr_of(library)
    w = library.nd.array(drawn(BATCH if how else COLUMNS, width))
    return lambda: library.nd.sparse.dot(x, w, **how).wait_to_read()


def embedding(library: Any) -> Callable[[], Any]:
    nd, autograd, gluon = library.nd, library.autograd, library.gluon
    layer = gluon.nn.Embedding(COLUMNS, WIDTH, sparse_grad=True)
    layer.initialize()
    trainer = gluon.Trainer(layer.collect_params(), "adam", {"learning_rate": 0.001})
    turns = cycle([nd.array(ids, dtype="int64") for ids in batches()])

    def step() -> float:
        with autograd.record():
            loss = layer(next(turns)).square().sum()
        loss.backward()
        trainer.step(BATCH)
        nd.waitall()
        return loss.asscalar()

    return step


def linear(library: Any) -> Callable[[], Any]:
    nd, autograd = library.nd, library.autograd
    x, y = csr_of(library), nd.array(np.arange(BATCH) % 2).reshape((-1, 1))
    w = nd.full((COLUMNS, 1), 0.01).tostype("row_sparse")  # MXNet needs a value in each row
    w.attach_grad(stype="row_sparse")
    update = library.optimizer.get_updater(library.optimizer.Ftrl(learning_rate=0.1))

    def step() -> float:
        with autograd.record():
            loss = ((nd.sparse.dot(x, w) - y) ** 2).mean()
        loss.backward()
        update(0, w.grad, w)
        nd.waitall()
        return loss.asscalar()

    return step


def from_dense(library: Any) -> Callable[[], Any]:
    x = library.nd.array(mostly_zero())
    return lambda: x.tostype("csr").wait_to_read()


def sliced(library: Any) -> Callable[[], Any]:
    x = csr_of(library, LINES)
    return lambda: x[BATCH : 2 * BATCH].wait_to_read()


def read(library: Any, folder: str) -> Callable[[], Any]:
    path = libsvm(folder)

    def run() -> None:
        batches = library.io.LibSVMIter(data_libsvm=path, data_shape=(COLUMNS,), batch_size=BATCH)
        for batch in batches:
            batch.data[0].wait_to_read()

    return run


def shared(library: Any, folder: str) -> dict[str, Maker]:
    made: dict[str, Maker] = {
        "embedding, lazy adam": partial(embedding, library),
        "linear model, ftrl": partial(linear, library),
        "dense to csr": partial(from_dense, library),
        "csr slice": partial(sliced, library),
        "LibSVM text": partial(read, library, folder),
    }
    for width, columns in ((WIDTH, "64 columns"), (1, "1 column")):
        made[f"csr dot, {columns}"] = partial(product, library, width)
        made[f"csr.T dot to rows, {columns}"] = partial(product, library, width, transpose_a=True)
    made["csr.T dot to dense, 64 columns"] = partial(
        product, library, WIDTH, transpose_a=True, forward_stype="default"
    )
    return made


def with_gluon(folder: str) -> dict[str, Maker]:
    import gluon

    names = ("nd", "autograd", "optimizer", "io")
    parts = {name: getattr(gluon, name) for name in names}
    made = shared(SimpleNamespace(gluon=gluon, **parts), folder)
    return made


def with_mxnet(folder: str) -> dict[str, Maker]:
    import mxnet

    made = shared(mxnet, folder)
    del made["csr.T dot to dense, 64 columns"]  # takes seconds
    return made


# ------------------------------------------------------------------------------ SciPy, PyTorch


def with_scipy(folder: str) -> dict[str, Maker]:
    from scipy import sparse

    def of(rows: int = BATCH) -> Any:
        return sparse.csr_matrix(matrix(rows), shape=(rows, COLUMNS))

    def times(width: int) -> Callable[[], Any]:
        x, w = of(), drawn(COLUMNS, width)
        return lambda: x @ w

    def to_rows(width: int) -> Callable[[], Any]:
        x, g = of(), drawn(BATCH, width)

        def run() -> Any:
            rows, places = np.unique(x.indices, return_inverse=True)
            small = sparse.csr_matrix((x.data, places, x.indptr), shape=(BATCH, len(rows)))
            return rows, small.T @ g

        return run

    def to_dense() -> Callable[[], Any]:
        x, g = of(), drawn(BATCH, WIDTH)
        return lambda: x.T @ g

    def from_dense() -> Callable[[], Any]:
        x = mostly_zero()
        return lambda: sparse.csr_matrix(x)

    def sliced() -> Callable[[], Any]:
        x = of(LINES)
        return lambda: x[BATCH : 2 * BATCH]

    return {
        "csr dot, 64 columns": partial(times, WIDTH),
        "csr dot, 1 column": partial(times, 1),
        "csr.T dot to rows, 64 columns": partial(to_rows, WIDTH),
        "csr.T dot to rows, 1 column": partial(to_rows, 1),
        "csr.T dot to dense, 64 columns": to_dense,
        "dense to csr": from_dense,
        "csr slice": sliced,
    }


def with_torch(folder: str) -> dict[str, Maker]:
    import torch

    torch.set_num_threads(1)

    def times(width: int) -> Callable[[], Any]:
        values, columns, indptr = map(torch.tensor, matrix())
        x = torch.sparse_csr_tensor(indptr.int(), columns.int(), values, (BATCH, COLUMNS))
        w = torch.tensor(drawn(COLUMNS, width))
        return lambda: x @ w

    def embedding() -> Callable[[], Any]:
        layer = torch.nn.Embedding(COLUMNS, WIDTH, sparse=True)
        trainer = torch.optim.SparseAdam(list(layer.parameters()), lr=0.001)
        turns = cycle([torch.tensor(ids) for ids in batches()])

        def step() -> float:
            trainer.zero_grad()
            loss = layer(next(turns)).square().sum()
            (loss / BATCH).backward()
            trainer.step()
            return loss.item()

        return step

    return {
        "csr dot, 64 columns": partial(times, WIDTH),
        "csr dot, 1 column": partial(times, 1),
        "embedding, lazy adam": embedding,
    }


LIBRARIES = {
    "gluon": with_gluon,
    "MXNet": with_mxnet,
    "SciPy": with_scipy,
    "PyTorch": with_torch,
}


# ----------------------------------------------------------------------------------- program


def report(results: dict[str, dict[str, float]]) -> str:
    """Return the table: milliseconds, and the ratios of gluon to each library that has the row."""
    first, *others = libraries = list(next(iter(results.values())))
    rows = []
    for name, times in results.items():
        found = {who: time for who, time in times.items() if time < float("inf")}
        absolute = [f"{found[who] * 1e3:.3f}" if who in found else "-" for who in libraries]
        goals = GOALS[name]
        theirs = [found.get(who) if first in found else None for who in others]
        ratios = [
            common.ratio(times[first], time, goals.get(who)) for who, time in zip(others, theirs)
        ]
        wanted = ", ".join(f"{goal} of {who}" for who, goal in goals.items())
        rows.append([name, *absolute, *ratios, wanted or "-"])
    return common.table(["ms", *libraries, *(f"/ {who}" for who in others), "at most"], rows)


def pythons(options: Any) -> dict[str, str]:
    """Return the interpreter of each library; print a note on each that is left out."""
    asked = {"gluon": sys.executable, "MXNet": options.mxnet, "SciPy": sys.executable}
    modules = {"gluon": "gluon", "MXNet": "mxnet", "SciPy": "scipy", "PyTorch": "torch"}
    found = {}
    for who, python in {**asked, "PyTorch": options.torch}.items():
        if python and can_import(python, modules[who]):
            found[who] = python
        else:
            print(f"{who} is left out: no Python that has it was named.")
    return found


def main() -> None:
    """Measure and print, or work as a worker process."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--mxnet", metavar="PYTHON", help="the Python of an MXNet 1.9.1 to run too")
    parser.add_argument("--torch", metavar="PYTHON", default=sys.executable, help="of a PyTorch")
    parser.add_argument("--turns", type=int, default=15, help="of each library, for each row")
    parser.add_argument("--quick", action="store_true", help="one short turn, to see that it runs")
    parser.add_argument("--only", nargs="+", default=GOALS, choices=GOALS, help="rows to measure")
    parser.add_argument("--worker", choices=LIBRARIES, help=argparse.SUPPRESS)
    parser.add_argument("--threads", help=argparse.SUPPRESS)
    options: Any = parser.parse_args()
    if options.worker:
        warnings.simplefilter("ignore")  # PyTorch's warning that sparse matrices are new
        with tempfile.TemporaryDirectory() as folder:
            return work(LIBRARIES[options.worker](folder))

    turns = (1, 0) if options.quick else (options.turns, TURN)
    results = measure(pythons(options), "benchmarks.sparse", 1, list(options.only), *turns)
    print(f"\n{common.machine(())}, 1 thread\n")
    print(report(results))
    return None


if __name__ == "__main__":
    main()
