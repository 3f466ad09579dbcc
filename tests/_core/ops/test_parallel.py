"""Large arrays, computed in parts: the same bits and errors, and no more threads than allowed."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from gluon import nd
from gluon._core.kernels import activation, elementwise, linalg, normalization, parallel, sequence

ROOT = Path(__file__).resolve().parents[3]

LARGE = (600, 1000)


@pytest.fixture
def threads():
    """Set the number of threads, and restore it at the end."""
    before = parallel.set_threads(1)
    yield parallel.set_threads
    parallel.set_threads(before)


def normal(shape=LARGE, dtype="float32"):
    return np.random.default_rng(1).normal(size=shape).astype(dtype) * 20


def layer_norm(x):
    gamma, beta = np.linspace(1, 2, x.shape[1], dtype=x.dtype), np.ones(x.shape[1], x.dtype)
    return np.concatenate(normalization.layer_norm(x, gamma, beta), axis=1)


KERNELS = {
    "sigmoid": elementwise.sigmoid,
    "softrelu": elementwise.softrelu,
    "softmax": activation.softmax,
    "softmax over columns": lambda x: activation.softmax(x, axis=0),
    "softmax, one row": lambda x: activation.softmax(x.ravel()),
    "log_softmax": activation.log_softmax,
    "softmax_grad": lambda x: activation.softmax_grad(x, activation.softmax(x), axis=1),
    "log_softmax_grad": lambda x: activation.log_softmax_grad(x, -np.abs(x), axis=1),
    "layer_norm": layer_norm,
    "order": lambda x: sequence.order(np.round(x)),  # with ties
    "order downwards": lambda x: sequence.order(np.round(x), axis=0, is_ascend=False),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", KERNELS)
def test_the_number_of_threads_changes_no_bit(name, dtype, threads):
    layouts = normal(dtype=dtype), np.asfortranarray(normal(dtype=dtype))
    expected = [KERNELS[name](x) for x in layouts]
    for count in (2, 3):
        threads(count)
        for x, y in zip(layouts, expected):
            np.testing.assert_array_equal(KERNELS[name](x), y)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(67, 64, 64), (1001, 20, 30), (2, 300, 300)])
def test_stacks_of_products_are_those_of_their_matrices(shape, dtype, threads):
    a, b = normal(shape, dtype), normal((shape[0], 5, shape[2]), dtype)
    expected = np.array([x @ z.T for x, z in zip(a, b)])
    for count in (1, 2, 3):
        threads(count)
        found = linalg.batch_dot(a, b, transpose_b=True)
        assert found.dtype == dtype
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-2)
    one = linalg.batch_dot(a, a, transpose_a=True)
    threads(1)
    np.testing.assert_array_equal(linalg.batch_dot(a, a, transpose_a=True), one)


def test_every_number_is_worked_on_once_and_by_several_threads(threads):
    threads(3)
    seen, workers, meet = np.zeros(10, int), set(), threading.Barrier(3, timeout=30)

    def task(a, b):
        meet.wait()  # returns only if three parts run at the same time
        workers.add(threading.get_ident())
        seen[a:b] += 1

    parallel.in_parts(task, 10, 3 * parallel.PART)
    assert seen.tolist() == [1] * 10
    assert len(workers) == 3


def test_small_arrays_stay_with_the_caller(threads):
    threads(2)
    parts = []
    parallel.in_parts(lambda *part: parts.append((*part, threading.get_ident())), 10, 1000)
    assert parts == [(0, 10, threading.get_ident())]


@pytest.mark.parametrize("bad", [0, 1], ids=["the caller's part", "another's"])
def test_an_error_in_one_part_comes_when_all_have_ended(bad, threads):
    threads(2)
    ended = []

    def task(a, b):
        if a // 5 == bad:
            raise ValueError(f"part {bad}")
        ended.append(a)

    with pytest.raises(ValueError, match=f"part {bad}"):
        parallel.in_parts(task, 10, 2 * parallel.PART)
    assert ended == [5 - 5 * bad]


def test_what_numpy_does_about_errors_holds_in_all_parts(threads):
    threads(2)
    x = np.zeros(LARGE)
    x[-1, -1] = -1
    log = lambda x, y: np.log(x, out=y)  # noqa: E731
    with np.errstate(all="ignore"):
        assert np.isnan(parallel.elementwise(log, x)[-1, -1])
    x[:-1] = 1
    with np.errstate(all="raise", divide="ignore"), pytest.raises(FloatingPointError):
        parallel.elementwise(log, x)


def test_a_busy_pool_does_not_hold_up_the_caller(threads):
    threads(2)
    free, begun = threading.Event(), threading.Event()
    parallel.in_parts(lambda a, b: None, 2, 2 * parallel.PART)  # the pool is made
    blocked = parallel._pool.submit(lambda: (begun.set(), free.wait(30)))
    begun.wait(30)
    parts = []
    parallel.in_parts(lambda *part: parts.append(part), 10, 2 * parallel.PART)
    assert parts == [(0, 5), (5, 10)]
    free.set()
    blocked.result()


@pytest.mark.parametrize(
    ("variables", "count"),
    [
        ({"OMP_NUM_THREADS": "3"}, 3),
        ({"OMP_NUM_THREADS": "3", "MXNET_OMP_MAX_THREADS": "2"}, 2),
        ({"OMP_NUM_THREADS": "4,2"}, 4),
        ({"OMP_NUM_THREADS": "many"}, None),
        ({}, None),
    ],
)
def test_the_user_limits_the_threads(variables, count, monkeypatch):
    for name in ("OMP_NUM_THREADS", "MXNET_OMP_MAX_THREADS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    if count is None:
        assert 1 <= parallel.allowed() <= os.cpu_count()
    else:
        assert parallel.allowed() == count


#: The threads of compiled kernels are others; tests/_core/native/test_threads.py has theirs.
WITH_NUMPY = {**os.environ, "GLUON_NATIVE": "0"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_works_alone():
    command = [sys.executable, "-W", "ignore", "-m", "tests._core.ops.programs.forked"]
    subprocess.run(command, cwd=ROOT, check=True, timeout=60, env=WITH_NUMPY)


def test_the_end_of_the_interpreter_is_no_error():
    run = subprocess.run(
        [sys.executable, "-m", "tests._core.ops.programs.at_exit"],
        cwd=ROOT,
        check=True,
        timeout=60,
        capture_output=True,
        text=True,
        env=WITH_NUMPY,
    )
    assert run.stdout.split("\n")[:2] == ["at exit (600, 1000)", "at the end (600, 1000)"]
    assert not run.stderr


def test_rows_that_need_a_shift_do_not_touch_the_others():
    x = normal()
    x[3], x[5, 2], x[7], x[8, 1] = 200, np.inf, -300, np.nan
    y, one_by_one = nd.softmax(nd.array(x)).asnumpy(), [activation.softmax(row) for row in x]
    np.testing.assert_allclose(y, one_by_one, rtol=1e-4, atol=1e-30)
    np.testing.assert_allclose(y[3], 1e-3, rtol=1e-6)
    np.testing.assert_allclose(y[7], 1e-3, rtol=1e-6)
    assert np.isnan(y[5]).all() or y[5, 2] == 1
    assert np.isnan(y[8]).all()
