"""Collectives and training on several processes, which ``mpiexec`` starts."""

from __future__ import annotations

import os
import re
import sys
import time

import pytest

from gluon import GluonError, autograd, distributed, kvstore, nd
from gluon._core.mpi import watch

from .jobs import job, needs_mpi, passes


@needs_mpi
@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2, 4])
def test_every_collective_and_its_gradients(size: int) -> None:
    passes("collectives", size)


@needs_mpi
@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 3, 4])
def test_drawn_sequences_of_collectives(size: int) -> None:
    passes("drawn", size, str(size))


@needs_mpi
@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2, 4])
def test_training_is_that_of_one_process(size: int) -> None:
    passes("training", size)


@needs_mpi
@pytest.mark.slow
@pytest.mark.parametrize("program", ["normalization", "data", "stores", "sparse_stores"])
def test_what_ranks_share_and_what_they_do_not(program: str) -> None:
    passes(program, 2)


@needs_mpi
@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2, 4])
@pytest.mark.parametrize("hook", ["mxnet", "megengine"])
def test_scripts_of_other_libraries(size: int, hook: str) -> None:
    passes({"mxnet": "horovod_script"}.get(hook, "megengine_script"), size, hook=hook)


@needs_mpi
@pytest.mark.slow
def test_tensors_and_values_sent_by_functions_of_megengine() -> None:
    passes("megengine_exchange", 2, hook="megengine")


@needs_mpi
@pytest.mark.slow
def test_process_sets_and_disagreement_by_names_of_horovod() -> None:
    passes("horovod_sets", 2, hook="mxnet")


FAULTS = {
    "shape": r"rank 0 calls allreduce\(float32\[3\].* rank 1 calls allreduce\(float32\[4\]",
    "dtype": r"rank 0 calls allreduce\(float32\[3\].* rank 1 calls allreduce\(float64\[3\]",
    "order": r"rank 0 calls broadcast\(float32\[3\].* rank 1 calls barrier",
    "number": r"rank 0 waits in allreduce\(float32\[3\].*: rank 1 has ended, rank 2 has ended",
    "groups": r"rank \d waits in barrier\(\) for ever: rank 0 waits in allreduce\(float32\[3\]",
    "gradients": r"rank 0 calls .* of the gradients 0, but rank 1 calls .* of the gradients 1",
    "raise": r"rank 1 of 3 failed with KeyError in or after barrier\(\)",
    "kill": r"rank [02] of 3 is ended by SIGTERM in or after barrier\(\)",
    "kill exchanging": r"rank [02] of 3 is ended by SIGTERM in or after allreduce\(float32\[41",
    "refused by MPI": r"rank \d fails in barrier\(\): MPI reports MPI_ERR_ROOT",
    "limit": r"rank [02] of 3 has been in allreduce\(float32\[4194304\].* for more than 1 seconds",
    "interrupt": r"rank 1 of 3 failed with KeyboardInterrupt in or after barrier\(\)",
    "interrupt all": "",  # mpiexec forwards no output any more, see the test with a terminal
}


@needs_mpi
@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_no_rank_hangs(fault: str) -> None:
    begun = time.monotonic()
    ended = job("faults", 3, fault)
    assert ended.returncode != 0
    assert re.search(FAULTS[fault], ended.stdout + ended.stderr), ended.stdout + ended.stderr
    assert time.monotonic() - begun < 120  # far more than the 10 s of a quiet machine


@needs_mpi
@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds the terminal in /proc")
def test_ranks_say_in_the_terminal_where_ctrl_c_ended_them() -> None:
    import pty

    ours, terminal = pty.openpty()
    try:
        ended = job("faults", 2, "interrupt all", stderr=terminal)
        shown = os.read(ours, 1 << 16).decode()
    finally:
        os.close(ours)
        os.close(terminal)
    assert ended.returncode != 0
    assert "rank 0 of 2 is ended by SIGTERM in or after barrier()" in shown, shown
    assert "rank 1 of 2 is ended by SIGTERM in or after barrier()" in shown, shown


@needs_mpi
@pytest.mark.slow
def test_functions_are_launched(capfd: pytest.CaptureFixture[str]) -> None:
    assert distributed.launch(pow, 2, 3, 4) == [81, 81]
    assert "Warning" not in capfd.readouterr().err
    with pytest.raises(GluonError, match=r"(?s)launch: rank \d failed:.*ZeroDivisionError"):
        distributed.launch(divmod, 2, 1, 0)


@pytest.mark.parametrize("given", ["0", "-1", "soon", "nan"])
def test_a_limit_is_a_number_of_seconds(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(watch.LIMIT, given)
    with pytest.raises(ValueError, match=f"{watch.LIMIT}='{given}'; give a positive number"):
        watch.limit()


def test_one_process_needs_no_mpi() -> None:
    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y = distributed.allreduce(x * x, "mean") + distributed.broadcast(x)
    y.backward()
    assert x.grad.asnumpy().tolist() == [3.0, 5.0]
    assert (distributed.get_rank(), distributed.get_size()) == (0, 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: distributed.allreduce([1.0]), "allreduce: x is a list; give an array of gluon"),
        (lambda: distributed.allreduce(nd.ones(2), "median"), "op='median'; use 'sum', 'mean'"),
        (
            lambda: distributed.allreduce(nd.ones(2, dtype="int32"), "mean"),
            "cast the data to a float",
        ),
        (lambda: distributed.broadcast(nd.ones(2), 1), "root=1; the group has the ranks 0 to 0"),
        (lambda: distributed.new_group([0, 1]), "give different ranks from 0 to 0"),
        (lambda: distributed.allreduce(nd.ones(2), group=3), "group=3: give a Group"),
        (lambda: distributed.alltoall(nd.ones(2), [1]), r"splits=\(1,\) do not split"),
        (lambda: distributed.alltoall(nd.ones(2), [2.0]), "splits of dtype float64; give integers"),
        (lambda: distributed.launch(max, 0), "size=0; give 1 or more"),
        (lambda: distributed.launch(lambda: 1, 2), "cannot be imported by other processes"),
        (lambda: kvstore.create("dist_async"), "'dist_async' is not supported.*mpiexec"),
    ],
)
def test_errors_say_what_to_do(call: object, message: str) -> None:
    with pytest.raises(GluonError, match=message):
        call()


def test_recorded_arrays_are_not_reduced_in_place() -> None:
    x = nd.ones(2)
    x.attach_grad()
    with autograd.record():
        y = x * 2
        for call in (distributed.allreduce_, distributed.broadcast_, distributed.iallreduce):
            with pytest.raises(GluonError, match="x is recorded; use"):
                call(y)
