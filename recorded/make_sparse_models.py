"""Record what MXNet gives for the models of ``tests/nd/sparse/models.py``.

    MXNET_STORAGE_FALLBACK_LOG_VERBOSE=0 python recorded/make_sparse_models.py

Run with an installation of MXNet 1.9.1, from anywhere. It writes ``sparse_models.npz``, and, with
two workers, a server and a scheduler of its own, ``sparse_models_dist.npz``.
"""

from __future__ import annotations

import os
import pickle
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from make import HERE, Pack
from make_gluon import evaluate, write

WORKERS = 2


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def started(role: str, port: int, *arguments: str) -> subprocess.Popen:
    """A process of a job of MXNet."""
    variables = {
        "DMLC_ROLE": role,
        "DMLC_PS_ROOT_URI": "127.0.0.1",
        "DMLC_PS_ROOT_PORT": str(port),
        "DMLC_NUM_WORKER": str(WORKERS),
        "DMLC_NUM_SERVER": "1",
    }
    command = [sys.executable, __file__, *arguments] if arguments else IDLE
    return subprocess.Popen(command, env={**os.environ, **variables})


#: What servers and schedulers run: they work in the import.
IDLE = [sys.executable, "-c", "import mxnet"]


def together(name: str, folder: str) -> dict:
    """What the first worker of a job gets."""
    port = free_port()
    others = [started("scheduler", port), started("server", port)]
    workers = [started("worker", port, name, str(Path(folder, str(k)))) for k in range(WORKERS)]
    assert [one.wait(300) for one in workers] == [0] * WORKERS, name
    for one in others:
        one.wait(60)
    found = [pickle.loads(Path(folder, str(k)).read_bytes()) for k in range(WORKERS)]
    return next(record for rank, record in found if rank == 0)


def work(program: object, path: str) -> None:
    """Run a program as a worker, and write its rank and what it gets."""
    import mxnet as mx

    store = mx.kv.create("dist_sync")
    mx.kv.create = lambda name: store  # a process has one
    Path(path).write_bytes(pickle.dumps((store.rank, evaluate(mx, program))))


def main() -> None:
    """Record the programs of one process, then those of several."""
    write(programs(), "sparse_models.npz")
    pack, index = Pack(), {}
    for name in programs(several=True):
        with tempfile.TemporaryDirectory() as folder:
            record = together(name, folder)
        record["outputs"] = [pack.add(array) for array in record.get("outputs", ())]
        index[name] = record
        print(name, record.get("error", "fine"))
    pack.save(HERE / "sparse_models_dist.npz", index)


if __name__ == "__main__":
    from tests.nd.sparse.models import programs

    if len(sys.argv) == 1:
        main()
    else:
        work(programs(several=True)[sys.argv[1]], sys.argv[2])
