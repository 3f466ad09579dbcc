"""Compiled kernels in threads and processes: same results, no deadlock, no leak."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from gluon import nd
from gluon._core.kernels import parallel
from gluon._core.native.loading import library, status

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")
ROOT = Path(__file__).resolve().parents[3]
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")


@pytest.fixture
def threads():
    before = parallel.threads()
    yield parallel.set_threads
    parallel.set_threads(before)


def results() -> list[np.ndarray]:
    """What a few kernels of different kinds give, each cut into several parts."""
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(8, 6, 40, 60)), rng.normal(size=(5, 6, 3, 3))
    x, w = nd.array(x, dtype="float32"), nd.array(w, dtype="float32")
    y = nd.Convolution(x, w, kernel=(3, 3), num_filter=5, no_bias=True)
    return [z.asnumpy() for z in (x + x, nd.exp(x), nd.softmax(x), nd.log_softmax(x), x * 2, y)]


def same(found: list, wanted: list) -> bool:
    return all(map(np.array_equal, found, wanted))


@pytest.mark.parametrize("count", [2, 3, 8])
def test_results_do_not_depend_on_the_number_of_threads(count, threads):
    threads(1)
    wanted = results()
    threads(count)
    assert same(results(), wanted)


def test_many_python_threads_compute_at_once(threads):
    threads(3)
    wanted = results()
    together = threading.Barrier(6, timeout=60)

    def work(_: int) -> bool:
        together.wait()
        return all(same(results(), wanted) for _ in range(5))

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(6)))


def test_the_number_of_threads_may_change_while_others_compute(threads):
    wanted, done = results(), threading.Event()

    def change() -> None:
        while not done.is_set():
            for count in (1, 4, 2):
                parallel.set_threads(count)

    other = threading.Thread(target=change)
    other.start()
    try:
        assert all(same(results(), wanted) for _ in range(20))
    finally:
        done.set()
        other.join()


@forks
def test_a_child_computes_after_a_fork():
    """In a separate process, because the threads of the test runner must not be forked."""
    run("forked")


@forks
def test_a_fork_while_another_thread_computes():
    run("forked_amid")


def run(program: str, **variables: str) -> str:
    """Return what a program prints; it must succeed, print no errors, and end in time."""
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "ignore::DeprecationWarning",
            "-m",
            f"tests._core.native.programs.{program}",
        ],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def _total(x: np.ndarray) -> float:
    return float(nd.softmax(nd.array(x)).sum().asscalar())


def test_a_spawned_process_computes():
    x = np.ones((300, 300), "float32")
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(_total, [x, x]) == [_total(x)] * 2


def test_the_interpreter_ends_cleanly():
    printed = run("at_exit", OMP_NUM_THREADS="3")
    assert printed.splitlines() == ["at exit (600, 1000)", "at the end (600, 1000)"]
    assert run("at_work", OMP_NUM_THREADS="3") == ""


@pytest.mark.skipif(not hasattr(signal, "sigwait"), reason="this system has no sigwait")
def test_threads_leave_signals_to_the_program():
    """OpenBLAS has threads of its own, which take any signal: one thread leaves it with none."""
    assert run("signals", OMP_NUM_THREADS="3", OPENBLAS_NUM_THREADS="1") == ""


says_memory = pytest.mark.skipif(
    not os.path.exists("/proc/self/statm"), reason="this system does not say"
)


@says_memory
@pytest.mark.parametrize("keep", ["0", "1"])
def test_threads_leave_no_memory_when_they_end(keep):
    left = int(run("ended_threads", GLUON_KEEP_MEMORY=keep, OMP_NUM_THREADS="1"))
    assert left < 32 << 20  # each has used more than half a megabyte


@pytest.mark.slow
@says_memory
@pytest.mark.parametrize("keep", ["0", "1"])
def test_memory_does_not_grow_from_step_to_step(keep):
    grown = int(run("steps", GLUON_KEEP_MEMORY=keep, OMP_NUM_THREADS="2"))
    assert grown < 4 << 20  # a single step has 2 MB of results
