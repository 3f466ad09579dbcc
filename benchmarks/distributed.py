"""Training on two processes with one thread each, and what is sent between them.

Run it from the root of the repository, on a machine with two cores and nothing else to do::

    python -m benchmarks.distributed [--torch PATH_TO_PYTHON] [--only WHAT ...] [--quick]
    python -m benchmarks.distributed --trace FILE

gluon runs under ``mpiexec``, PyTorch's DistributedDataParallel over Gloo; they take turns. Each
process has a batch of its own, so that in theory two take as long for a step as one; how long two
take that exchange nothing tells what the machine itself allows. ``--torch``
names an interpreter that has PyTorch, by default this one. ``--trace`` writes the profile of a step
in which gradients leave while the backward pass goes on.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import numpy as np

from . import common
from .processes import Maker, Worker, can_import
from .steps import drawn, labels

#: The number of processes, and the duration of a library's turn, in seconds.
SIZE, TURN = 2, 0.4
#: The modes of two processes: working independently, or averaging their gradients.
HOW = ("apart", "Trainer", "GradManager")
#: The goals: shares of perfect scaling, and of the bandwidth of mpi4py alone.
SCALING, BANDWIDTH = 0.9, 0.95
#: Networks of `steps.py` and a deeper one: units and batch.
STEPS: dict[str, tuple[tuple[int, ...], int]] = {
    "mlp": ((256, 256), 128),
    "mlp_wide": ((1024, 1024), 256),
    "mlp_deep": ((1024,) * 6, 256),
    "lenet": ((), 64),
}
BYTES = (4, 4096, 1 << 18, 1 << 22, 1 << 26)
#: Latency in seconds and bandwidth in bytes per second of the networks in `predicted`.
NETWORKS = {"10 Gb/s Ethernet": (25e-6, 1.1e9), "200 Gb/s InfiniBand": (2e-6, 22e9)}
RANKS = (8, 64, 1024)
#: Options of Open MPI for one machine, by environment variable: no copies by the kernel, which are
#: slow in a virtual machine, and Rabenseifner's algorithm for sums.
MPI_OPTIONS = {
    "OMPI_MCA_smsc": "^cma",
    "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
    "OMPI_MCA_coll_tuned_allreduce_algorithm": "6",
}
#: The input that ends a worker: mpiexec does not report the end of its input.
END = "end\n"
#: Seconds by library and row.
Results = dict[tuple[str, str], float]

# -------------------------------------------------------------------------- what is measured


def gluon_step(name: str, how: str) -> Callable[[], Any]:
    """Return a step of `name` without communication, or with a `Trainer` or `GradManager`."""
    import gluon
    from gluon import autograd, distributed, nd
    from gluon.autodiff import GradManager

    from .steps_gluon import dense, lenet_layers, sequential

    units, batch = STEPS[name]
    gluon.random.seed(1)
    library = SimpleNamespace(gluon=gluon)
    net = sequential(library, *dense(library, *units)) if units else lenet_layers(library)
    net.initialize()
    x = nd.array(drawn(batch, 784) if units else drawn(batch, 1, 28, 28))
    y, loss_of = nd.array(labels(batch)), gluon.loss.SoftmaxCrossEntropyLoss()
    net(x)
    store = "dist_sync" if how == "Trainer" else None
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01}, kvstore=store)
    weights = [one.data() for one in net.collect_params().values()]
    manager = GradManager().attach(weights, callbacks=distributed.GradientAverager())

    def recorded() -> None:
        with autograd.record():
            loss = loss_of(net(x), y)
        loss.backward()
        trainer.step(batch * (SIZE if store else 1))

    def managed() -> None:
        for weight in weights:
            weight.grad = None
        with manager:
            manager.backward(loss_of(net(x), y))
        trainer.step(batch)

    return managed if how == "GradManager" else recorded


def summed(size: int, by: str) -> Callable[[], Any]:
    """Sum arrays of `size` bytes over both processes, in place."""
    from gluon import distributed, nd
    from gluon._core.mpi import groups as mpi

    x = nd.zeros((size // 4,))
    if by == "gluon":
        return lambda: distributed.allreduce_(x)
    raw, comm, library = np.zeros(size // 4, np.float32), mpi.world().comm, mpi.library()
    return lambda: comm.Allreduce(library.IN_PLACE, raw)


def torch_step(name: str, size: int) -> Callable[[], Any]:
    """Return a step of `name` in one process or in both."""
    import torch
    from torch import nn
    from torch.nn.parallel import DistributedDataParallel

    from .steps_torch import dense, lenet_layers

    units, batch = STEPS[name]
    net: Any = nn.Sequential(*dense(784, *units)) if units else lenet_layers()
    net = net if size == 1 else DistributedDataParallel(net)
    x = torch.tensor(drawn(batch, 784) if units else drawn(batch, 1, 28, 28))
    y, loss_of = torch.tensor(labels(batch)), nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)

    def step() -> None:
        optimizer.zero_grad()
        loss_of(net(x), y).backward()
        optimizer.step()

    return step


# ------------------------------------------------------------------------------- the processes


def work_together(makers: dict[str, Maker], rank: int, shared: Callable[[Any], Any]) -> None:
    """Run the loop of a process, as `processes.work`; ``shared(value)`` returns that of rank 0.

    Rows that end with "alone" run on rank 0 only.
    """
    made: dict[str, Callable[[], Any]] = {}
    if rank == 0:
        print("ready", flush=True)
    while (line := shared(sys.stdin.readline() if rank == 0 else None)) not in ("", END):
        name, seconds = line.rstrip("\n").split("\t")
        alone = name.endswith("alone")
        if alone and rank:
            continue
        run = made.get(name) or made.setdefault(name, makers[name]())
        run()
        first = timed(run, 1)
        count = max(1, round(float(seconds) / 4 / first))
        best = min(timed(run, n) for n in [count if alone else shared(count)] * 4)
        if rank == 0:
            print(best, flush=True)


def timed(run: Callable[[], Any], count: int) -> float:
    """Return the average seconds of one of `count` runs."""
    start = perf_counter()
    for _ in range(count):
        run()
    return (perf_counter() - start) / count


def gluon_worker() -> None:
    from gluon import distributed

    makers: dict[str, Maker] = {}
    for name in STEPS:
        makers[f"{name}, alone"] = partial(gluon_step, name, "alone")
        for how in HOW:
            makers[f"{name}, {how}"] = partial(gluon_step, name, how)
    for size in BYTES:
        for by in ("gluon", "mpi4py"):
            makers[f"{size} bytes, {by}"] = partial(summed, size, by)
    work_together(makers, distributed.get_rank(), distributed.broadcast_object)


def torch_worker(folder: str, rank: int) -> None:
    import torch
    import torch.distributed as group

    torch.set_num_threads(1)
    other = None
    if rank == 0:
        me = [sys.executable, "-m", "benchmarks.distributed", "--worker", "PyTorch"]
        other = subprocess.Popen([*me, "--rank", "1", "--folder", folder], stdout=sys.stderr)
    group.init_process_group("gloo", f"file://{folder}/group", rank=rank, world_size=SIZE)

    def shared(value: Any) -> Any:
        values = [value]
        group.broadcast_object_list(values)
        return values[0]

    makers = {f"{name}, alone": partial(torch_step, name, 1) for name in STEPS}
    makers |= {f"{name}, DDP": partial(torch_step, name, SIZE) for name in STEPS}
    work_together(makers, rank, shared)
    group.destroy_process_group()
    if other:
        other.wait()


# ------------------------------------------------------------------------------------ reports


def scaling(best: Results) -> str:
    """Report steps on one process and on two, and the share of perfect scaling."""
    has_torch = any(who == "PyTorch" for who, _ in best)
    header = ["ms", "gluon, 1", *(part for how in HOW for part in (f"{how}, 2", "share"))]
    rows = []
    for name in STEPS:
        one = best["gluon", f"{name}, alone"]
        row = [name, f"{one * 1e3:.3f}"]
        for how in HOW:
            two = best["gluon", f"{name}, {how}"]
            missed = one / two < SCALING and how != "apart"
            row += [f"{two * 1e3:.3f}", f"{one / two:.2f}" + "!" * missed]
        if has_torch:
            alone, both = (best["PyTorch", f"{name}, {how}"] for how in ("alone", "DDP"))
            ours = best["gluon", f"{name}, GradManager"]
            row += [f"{alone * 1e3:.3f}", f"{both * 1e3:.3f}", f"{alone / both:.2f}"]
            row.append(common.ratio(ours, both, 1.0))
        rows.append(row)
    if has_torch:
        header += ["PyTorch, 1", "DDP, 2", "share", "GradManager / DDP"]
    return common.table(header, rows)


def bandwidth(best: Results) -> str:
    """Report sums over both processes compared with those of mpi4py alone."""
    rows = []
    for size in BYTES:
        ours, bare = (best["gluon", f"{size} bytes, {by}"] for by in ("gluon", "mpi4py"))
        share = f"{bare / ours:.2f}" + "!" * (size >= 1 << 22 and bare / ours < BANDWIDTH)
        rates = [f"{size / t / 1e6:.1f}" for t in (ours, bare)]
        rows.append([str(size), f"{ours * 1e6:.1f}", f"{bare * 1e6:.1f}", *rates, share])
    header = ["bytes", "gluon µs", "mpi4py µs", "gluon MB/s", "mpi4py MB/s", "share"]
    return common.table(header, rows)


def exchanged(ranks: int, size: int, latency: float, rate: float, bucket: int = 4 << 20) -> float:
    """Return the seconds in which ranks agree on a sum, and sum gradients of `size` bytes."""
    buckets = -(-size // bucket)
    rounds = np.ceil(np.log2(ranks))
    agreed = rounds * latency + ranks * 256 / rate
    ring = 2 * (ranks - 1) * (latency + size / buckets / ranks / rate)
    tree = 2 * rounds * (latency + size / buckets / rate)
    return float(buckets * (agreed + min(ring, tree)))


def predicted(step: float, size: int) -> str:
    """Return the share of perfect scaling on networks, given the time of a step in one process."""
    rows = []
    for network, (latency, rate) in NETWORKS.items():
        for ranks in RANKS:
            sent = exchanged(ranks, size, latency, rate)
            after, during = step / (step + sent), step / max(step, step / 3 + sent)
            rows.append([network, str(ranks), f"{sent * 1e3:.2f}", f"{after:.2f}", f"{during:.2f}"])
    return common.table(["network", "ranks", "exchange ms", "after", "during backward"], rows)


def trace(path: str) -> None:
    """Write the profile of a step on rank 0, and report how much communication was hidden."""
    from gluon import distributed, profiler

    step = gluon_step("mlp_deep", "GradManager")
    for _ in range(5):
        step()
    distributed.barrier()
    with profiler.profile() as profile:
        step()
    distributed.barrier()
    if distributed.get_rank() == 0:
        profile.save(path)
        sent = [one for one in profile.events if one.kind == "communication"]
        (sweep,) = (one for one in profile.events if one.kind == "sweep")
        hidden = sum(max(0, min(one.end, sweep.end) - one.start) for one in sent)
        total = sum(one.end - one.start for one in sent)
        print(
            f"{len(sent)} buckets, {total / 1e6:.2f} ms, of which {hidden / 1e6:.2f} ms during the"
            f" backward pass of {(sweep.end - sweep.start) / 1e6:.2f} ms; see {path}"
        )


def under_mpiexec(*command: str) -> list[str]:
    from gluon.distributed.launch import mpiexec

    one_thread = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
    for name, value in MPI_OPTIONS.items():
        os.environ.setdefault(name, value)
    os.environ.update(one_thread, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    return [*mpiexec(), "-n", str(SIZE), sys.executable, *command]


def measured(torch: str | None, what: list[str], turns: int, seconds: float) -> Results:
    """Return the minimum seconds of each row for each library; libraries take turns."""
    from gluon.progress import tracked

    commands: dict[str, list[str]] = {"gluon": under_mpiexec()}
    ends = {"gluon": ["alone", *HOW]}
    if torch and "steps" in what:
        commands["PyTorch"], ends["PyTorch"] = [torch], ["alone", "DDP"]
    names = [(who, f"{name}, {how}") for name in STEPS for who in ends for how in ends[who]]
    names = names if "steps" in what else []
    if "sums" in what:
        names += [("gluon", f"{size} bytes, {by}") for size in BYTES for by in ("gluon", "mpi4py")]
    best = dict.fromkeys(names, float("inf"))
    workers = {who: Worker(one, "benchmarks.distributed", who, 1) for who, one in commands.items()}
    try:
        for _ in tracked(range(turns), turns, "benchmarks.distributed", "turn"):
            for who, name in names:
                best[who, name] = min(best[who, name], workers[who].best(name, seconds))
    finally:
        for worker in workers.values():
            if worker.process.stdin:
                worker.process.stdin.write(END)
            worker.close()
    return best


def report(best: Results, what: list[str]) -> None:
    if "steps" in what:
        print(f"\n{scaling(best)}\n\n{predicted(best['gluon', 'mlp_wide, alone'], 7_454_760)}")
    if "sums" in what:
        print(f"\n{bandwidth(best)}")


def main(argv: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="What training on two processes costs.")
    parser.add_argument("--torch", default=sys.executable, metavar="PYTHON")
    parser.add_argument("--only", nargs="+", default=["steps", "sums"], choices=["steps", "sums"])
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--quick", action="store_true", help="once, to see that it works")
    parser.add_argument("--trace", metavar="FILE")
    for name in ("worker", "threads", "rank", "folder"):
        parser.add_argument(f"--{name}", help=argparse.SUPPRESS)
    options = parser.parse_args(None if argv is None else list(argv))
    with tempfile.TemporaryDirectory() as folder:
        if options.worker == "PyTorch":
            torch_worker(options.folder or folder, int(options.rank or 0))
        elif options.worker == "gluon":
            gluon_worker()
        elif options.worker == "trace":
            trace(options.trace)
        elif options.trace:
            worker = ("-m", "benchmarks.distributed", "--worker", "trace", "--trace", options.trace)
            subprocess.run(under_mpiexec(*worker), check=True)
        else:
            torch = options.torch if can_import(options.torch, "torch") else None
            turns = (1, 0.0) if options.quick else (options.turns, TURN)
            report(measured(torch, options.only, *turns), options.only)


if __name__ == "__main__":
    main()
