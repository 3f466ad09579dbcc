"""Loading by processes and threads."""

from __future__ import annotations

import gc
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import gluon
from gluon import GluonError, autograd, data, nd
from gluon.data import shared, workers
from tests.data import samples
from tests.data.samples import Acting, Noise, Pictures, Surroundings

ROOT = Path(__file__).resolve().parent.parent.parent
LINUX = pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="looks into /proc")


#: Ways of starting a process. A spawned one imports everything anew, which takes a second.
METHODS = ["fork", pytest.param("spawn", marks=pytest.mark.slow)]


@pytest.fixture(params=METHODS)
def start_method(request):
    """Each way of starting a process."""
    if request.param not in multiprocessing.get_all_start_methods():
        pytest.skip(f"there is no {request.param} here")
    before = multiprocessing.get_start_method()
    multiprocessing.set_start_method(request.param, force=True)
    yield request.param
    multiprocessing.set_start_method(before, force=True)


@pytest.fixture(autouse=True)
def nothing_is_left():
    """Fail if a process outlives a test."""
    yield
    gc.collect()
    assert multiprocessing.active_children() == []


def labels(loader) -> list[list[int]]:
    return [batch[-1].asnumpy().tolist() for batch in loader]


KINDS = [{}, {"prefetch": 0}, {"prefetch": 30}, {"thread_pool": True}]


# ---------------------------------------------------------------------------------- the batches


@pytest.mark.parametrize("settings", KINDS, ids=str)
@pytest.mark.parametrize("last", ["keep", "discard", "rollover"])
def test_batches_come_in_order_as_without_workers(settings, last):
    same = data.DataLoader(Pictures(11), 3, last_batch=last)
    loader = data.DataLoader(Pictures(11), 3, last_batch=last, num_workers=3, **settings)
    for _ in range(3):
        assert len(loader) == len(same)
        assert labels(loader) == labels(same)


def test_batches_under_each_start_method(start_method):
    loader = data.DataLoader(Pictures(), 5, num_workers=2)
    for k, (x, y, z) in enumerate(loader):
        numbers = np.arange(12)[5 * k : 5 * k + 5]
        assert (x.dtype, y.dtype, z.dtype) == (np.float32, np.float64, np.int64)
        assert (x.shape[1:], y.shape[1:]) == ((3, 64, 64), (90, 90))
        assert x.context == gluon.cpu()
        for one in (x, y, z):
            wide = numbers.reshape(-1, *[1] * (one.ndim - 1))
            np.testing.assert_array_equal(one.asnumpy(), np.broadcast_to(wide, one.shape))


def test_the_order_is_numpys_and_the_same_without_workers():
    def order(**settings):
        np.random.seed(3)  # noqa: NPY002
        loader = data.DataLoader(Pictures(), 4, shuffle=True, **settings)
        return [labels(loader) for _ in range(3)]

    assert order(num_workers=2) == order()
    assert order(num_workers=2, thread_pool=True) == order()


def test_processes_stay_for_all_rounds_and_serve_several_at_once():
    loader = data.DataLoader(Surroundings(), 2, num_workers=2)
    ids = {int(one) for _ in range(3) for batch in loader for one in batch[4].asnumpy()}
    assert len(ids) == 2
    assert os.getpid() not in ids
    loader = data.DataLoader(Pictures(), 5, num_workers=2)
    pairs = [(a[-1].asnumpy().tolist(), b[-1].asnumpy().tolist()) for a, b in zip(loader, loader)]
    assert pairs == [(one, one) for one in labels(data.DataLoader(Pictures(), 5))]


def test_all_kinds_of_batches(start_method):
    loader = data.DataLoader(
        Pictures(6), 3, num_workers=1, batchify_fn=samples.everything, prefetch=1
    )
    want = [samples.everything([Pictures()[3 * k + j] for j in range(3)]) for k in range(2)]
    for batch, same in zip(loader, want):
        assert batch.keys() == same.keys()
        for name, value in same.items():
            got = batch[name]
            if isinstance(value, nd.NDArray):
                assert type(got) is nd.NDArray
                got, value = got.asnumpy(), value.asnumpy()
            np.testing.assert_array_equal(got, value, name)
            assert type(got) is type(value)
        assert batch["twice"][0] is batch["twice"][1]


def test_arrays_that_cannot_be_shared_are_sent(monkeypatch):
    monkeypatch.setattr(shared, "AVAILABLE", False)
    assert labels(data.DataLoader(Pictures(), 5, num_workers=2))[2] == [10, 11]


def test_batches_stay_on_the_context_of_their_samples():
    loader = data.DataLoader(
        [nd.ones((2,), ctx=gluon.cpu(1))], 1, num_workers=1, batchify_fn=samples.as_it_is
    )
    ((x,),) = loader
    assert x.context == gluon.cpu(1)


@pytest.mark.parametrize("count", [0, 1])
def test_pinned_memory_is_accepted(count):
    (batch,) = data.DataLoader(Pictures(2), 2, num_workers=count, pin_memory=True)
    assert batch[0].context == gluon.cpu()


def test_batches_can_be_written_to_and_outlive_the_loader():
    loader = data.DataLoader(Pictures(4), 2, num_workers=1)
    first, second = loader
    del loader
    x, y, _ = first
    memory = x.raw.__array_interface__["data"][0]
    x += 1
    x[0] = 7
    assert x.raw.__array_interface__["data"][0] == memory  # in place, without a copy
    assert x[0, 0, 0].asnumpy().max() == 7
    assert x[1].asnumpy().min() == 2
    assert second[0].asnumpy().min() == 2
    y.attach_grad()
    with autograd.record():
        z = (y * y).sum()
    z.backward()
    np.testing.assert_array_equal(y.grad.asnumpy(), 2 * y.asnumpy())


def test_the_memory_of_a_batch_is_not_copied():
    (batch, *_) = data.DataLoader(Pictures(2), 2, num_workers=1)
    owners = []
    for one in batch:
        base = one.raw
        while isinstance(base, np.ndarray):
            base = base.base
        owners.append(type(getattr(base, "obj", None)).__name__)
    assert owners[:2] == ["mmap", "mmap"]  # the third one is small


@LINUX
def test_many_batches_may_be_kept(monkeypatch):
    monkeypatch.setattr(shared, "OPEN_FILES", 6)
    loader = data.DataLoader(Pictures(20), 1, num_workers=2)
    before = len(os.listdir("/proc/self/fd"))
    kept = list(loader)
    assert len(os.listdir("/proc/self/fd")) < before + 20
    assert [batch[0].asnumpy().max() for batch in kept] == list(range(20))
    assert [batch[1].asnumpy().max() for batch in kept] == list(range(20))


@pytest.fixture
def serving(monkeypatch):
    """Mark this process as a worker."""
    monkeypatch.setattr(shared, "serving", True)


def test_memory_is_handed_over_once_and_as_a_whole(serving):
    x = shared.empty((100, 100), "float64")
    x[:] = 3
    one, two = shared.pack(x), shared.pack(x)
    assert one.memory[0] is x.base
    assert two.memory[0] is not x.base
    assert (shared.unpack(two) == 3).all()
    z = shared.empty((100, 100), "float64")
    assert shared.pack(z[1:]).memory[0] is not z.base


@LINUX
def test_memory_has_no_name_that_could_be_left_behind(serving):
    x = shared.empty((100, 100), "float64")
    assert os.readlink(f"/proc/self/fd/{x.base.file}").endswith("(deleted)")


def test_default_batchify_functions(monkeypatch):
    parts = [(nd.ones((64, 64)) * k, np.full((3,), k), k) for k in range(4)]
    one = data.dataloader.default_batchify_fn(parts)
    two = data.dataloader.default_mp_batchify_fn(parts)
    monkeypatch.setattr(shared, "serving", True)
    three = data.dataloader.default_mp_batchify_fn(parts)
    for a, *others in zip(one, two, three):
        for b in others:
            np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())
            assert a.dtype == b.dtype
    assert isinstance(three[0].raw.base, shared.Memory)
    assert not isinstance(two[0].raw.base, shared.Memory)  # files are for workers alone


@pytest.mark.filterwarnings("ignore:DataLoader. num_workers=-1")
def test_rounds_begin_when_they_are_asked_for():
    loader = data.DataLoader(Pictures(4), 2, num_workers=1, auto_reload=True)
    assert loader._iter is not None
    first = labels(loader)
    assert loader._iter is not None
    loader.clean()
    assert loader._iter is None
    loader.refresh()
    assert loader._iter is not None
    assert labels(loader) == first == [[0, 1], [2, 3]]
    assert data.DataLoader(Pictures(4), 2, num_workers=-1)._num_workers == 0


def test_record_files(tmp_path, start_method):
    paths = [str(tmp_path / name) for name in ("a.idx", "a.rec")]
    file = gluon.recordio.MXIndexedRecordIO(*paths, "w")
    for k in range(30):
        file.write_idx(k, b"record %d" % k * (k + 1))
    file.close()
    records = data.RecordFileDataset(paths[1])
    want = [b"record %d" % k * (k + 1) for k in range(30)]
    for settings in ({}, {"thread_pool": True}):
        loader = data.DataLoader(
            records, 4, num_workers=3, batchify_fn=samples.as_it_is, **settings
        )
        assert [one for batch in loader for one in batch] == want


# ------------------------------------------------------------------------- what must not leak in


@pytest.mark.parametrize("settings", [{}, {"thread_pool": True}], ids=str)
def test_workers_do_not_record_and_are_on_the_default_context(settings):
    with autograd.record(), gluon.cpu(1):
        loader = data.DataLoader(Surroundings(), 2, num_workers=2, **settings)
        batches = list(loader)
    for batch in batches:
        assert [one.asnumpy().tolist() for one in batch[:4]] == [[0, 0]] * 4


def noise(workers: int, rounds: int = 2, seed: int | None = 5, **settings) -> np.ndarray:
    if seed is not None:
        gluon.random.seed(seed)
    loader = data.DataLoader(Noise(), 2, num_workers=workers, **settings)
    return np.array([[batch.asnumpy() for batch in loader] for _ in range(rounds)])


def test_random_numbers_differ_from_batch_to_batch_and_from_the_parent(start_method):
    drawn = noise(3, seed=None).reshape(-1, 3)
    here = [nd.random.uniform(shape=(1,)).asscalar(), np.random.random(), random.random()]  # noqa: NPY002
    for column, own in zip(drawn.T, here):
        assert len({*column.tolist(), own}) == drawn.shape[0] + 1


def test_random_numbers_follow_from_the_seed():
    once = noise(1)
    np.testing.assert_array_equal(noise(3), once)
    np.testing.assert_array_equal(noise(2, prefetch=9), once)
    assert (noise(1, seed=6) != once).all()
    assert (once[0] != once[1]).all()


def test_the_random_numbers_of_numpy_and_python_here_are_left_alone():
    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    want = np.random.random(), random.random()  # noqa: NPY002
    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    noise(2)
    assert (np.random.random(), random.random()) == want  # noqa: NPY002


# --------------------------------------------------------------------------------------- failures


def until_error(loader, kind) -> tuple[list, BaseException]:
    """Return the results before an error, and the error."""
    found = []
    try:
        for batch in loader:
            found.append(batch.asnumpy().tolist())
    except kind as error:
        return found, error
    pytest.fail(f"no {kind.__name__} was raised")


def test_an_error_comes_with_its_traceback_when_its_batch_is_due(start_method):
    loader = data.DataLoader(Acting("wrong"), 2, num_workers=2)
    found, error = until_error(loader, KeyError)
    assert found == [[0, 1], [2, 3]]
    assert error.args == ("number five",)
    assert isinstance(error.__cause__, workers.WorkerTraceback)
    assert 'raise KeyError("number five")' in str(error.__cause__)
    assert "samples.py" in str(error.__cause__)
    assert multiprocessing.active_children() == []  # while the loader is still alive
    assert until_error(loader, KeyError)[0] == found  # and it can be used again


@pytest.mark.parametrize(
    ("act", "message"),
    [
        ("odd", "a worker raised Odd: odd 1, 2"),
        ("local", "a worker raised Local: nobody knows it"),
        ("leave", "a worker raised SystemExit: 3"),
        ("nested", "a worker cannot have workers"),
    ],
)
def test_errors_that_cannot_be_sent(act, message):
    found, error = until_error(data.DataLoader(Acting(act), 2, num_workers=1), GluonError)
    assert found == [[0, 1], [2, 3]]
    assert message in str(error)
    assert f"in {act}" in str(error.__cause__)


def test_errors_in_threads():
    loader = data.DataLoader(Acting("odd"), 2, num_workers=2, thread_pool=True)
    found, _ = until_error(loader, samples.Odd)
    assert found == [[0, 1], [2, 3]]
    assert until_error(loader, samples.Odd)[0] == found


def test_errors_in_the_batchify_function():
    loader = data.DataLoader(Pictures(4), 2, num_workers=1, batchify_fn=samples.broken)
    with pytest.raises(ValueError, match="no batch of 2"):
        next(iter(loader))
    loader = data.DataLoader(Pictures(4), 2, num_workers=1, batchify_fn=samples.not_to_be_sent)
    with pytest.raises(Exception, match=r"pickle|local object"):
        next(iter(loader))


def test_errors_of_the_sampler():
    def numbers():
        yield [0]
        raise LookupError("no more")

    class Batches(data.Sampler):
        def __iter__(self):
            return numbers()

        def __len__(self):
            return 2

    loader = data.DataLoader(Pictures(), batch_sampler=Batches(), num_workers=1, prefetch=0)
    batches = iter(loader)
    next(batches)
    with pytest.raises(LookupError, match="no more"):
        next(batches)


@pytest.mark.parametrize(("act", "how"), [("killed", "SIGKILL"), ("gone", "exit code 7")])
def test_a_worker_that_dies_is_an_error(act, how, start_method):
    loader = data.DataLoader(Acting(act), 2, num_workers=2, prefetch=6)
    _, error = until_error(loader, GluonError)
    assert f"died ({how})" in str(error)
    assert multiprocessing.active_children() == []


def test_a_worker_that_is_killed_between_batches_is_an_error():
    loader = data.DataLoader(Pictures(), 1, num_workers=1, prefetch=0)
    batches = iter(loader)
    next(batches)
    (process,) = multiprocessing.active_children()
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    with pytest.raises(GluonError, match=r"died \(SIGKILL\)"):
        next(batches)
    with pytest.raises(StopIteration):
        next(batches)
    assert len(labels(loader)) == 12


@pytest.mark.parametrize("settings", [{}, {"thread_pool": True}], ids=str)
def test_a_slow_worker_is_an_error(settings, monkeypatch):
    if settings:
        ended = time.monotonic() + 1
        monkeypatch.setattr(time, "sleep", lambda _: time.monotonic() > ended or wait_until(ended))
    loader = data.DataLoader(Acting("slow"), 5, num_workers=2, timeout=0.4, **settings)
    found, error = until_error(loader, multiprocessing.TimeoutError)
    assert found == [[0, 1, 2, 3, 4]][: len(found)]  # it may start slowly
    assert isinstance(error, GluonError)
    assert "timeout=0.4 seconds" in str(error)


def wait_until(moment: float) -> None:
    while time.monotonic() < moment:
        pass


def test_a_worker_that_does_not_end_is_killed(monkeypatch):
    monkeypatch.setattr(workers, "GRACE", 0.3)
    loader = data.DataLoader(Acting("stubborn"), 5, num_workers=1, timeout=1)
    until_error(loader, workers.WorkerTimeout)
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("settings", [{}, {"thread_pool": True}], ids=str)
@pytest.mark.parametrize("prefetch", [0, 2])
def test_another_round_of_ended_workers_is_an_error(settings, prefetch):
    loader = data.DataLoader(Acting("wrong"), 2, num_workers=1, prefetch=prefetch, **settings)
    other = iter(loader)
    next(other)
    until_error(loader, KeyError)
    with pytest.raises(GluonError, match="stopped after an error; iterate over it again"):
        next(other)


def test_what_cannot_be_received_is_explained(monkeypatch):
    def fails(pipe):
        raise OSError("no more files")

    monkeypatch.setattr(workers, "GRACE", 0.1)
    monkeypatch.setattr(shared, "receive", fails)
    with pytest.raises(GluonError, match=r"could not be received: OSError\('no more files'"):
        next(iter(data.DataLoader(Pictures(), 1, num_workers=1)))


def test_what_cannot_be_pickled_is_explained(monkeypatch):
    before = multiprocessing.get_start_method()
    multiprocessing.set_start_method("spawn", force=True)
    try:
        loader = data.DataLoader(Pictures().transform(lambda *x: x), 2, num_workers=1)
        with pytest.raises(TypeError, match="'spawn' of multiprocessing pickles the data set"):
            next(iter(loader))
    finally:
        multiprocessing.set_start_method(before, force=True)


def test_settings():
    with pytest.raises(ValueError, match="timeout=0 must be positive"):
        data.DataLoader([1], 1, timeout=0)


# ------------------------------------------------------------------------------- nothing remains


def descriptors() -> int:
    gc.collect()
    return len(os.listdir("/proc/self/fd"))


@LINUX
@pytest.mark.parametrize("settings", [{}, {"prefetch": 12}, {"thread_pool": True}], ids=str)
def test_a_loader_that_is_dropped_leaves_nothing(settings, no_cycle_collector):
    before = len(os.listdir("/proc/self/fd"))
    loader = data.DataLoader(Pictures(), 1, num_workers=2, **settings)
    for k, _ in enumerate(loader):
        if k == 3:
            break
    assert labels(loader)[4] == [4]  # another epoch after an unfinished one
    batches = iter(loader)
    next(batches)
    del loader
    next(batches)
    del batches, _
    assert multiprocessing.active_children() == []
    assert len(os.listdir("/proc/self/fd")) == before


@LINUX
def test_a_loader_that_failed_leaves_nothing():
    before = descriptors()
    loader = data.DataLoader(Acting("wrong"), 1, num_workers=2)
    until_error(loader, KeyError)
    assert descriptors() == before


def test_the_copy_of_a_loader_in_another_process_ends_nothing():
    loader = data.DataLoader(Pictures(), 1, num_workers=1)
    batches = iter(loader)
    next(batches)
    workers._stop(loader._pool._workers, os.getppid())
    assert len(list(batches)) == 11


def group(number: int) -> list[int]:
    """The living processes of a process group."""
    found = []
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                state, _, own = (path / "stat").read_text().rsplit(")", 1)[1].split()[:3]
            except OSError:
                continue
            if int(own) == number and state != "Z":
                found.append(int(path.name))
    return found


@LINUX
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("ending", "number"),
    [
        ("load", signal.SIGINT),
        ("sleep", signal.SIGINT),
        ("load", signal.SIGKILL),
        ("break", 0),
        ("exit", 0),
    ],
)
def test_a_program_that_ends_leaves_nothing(method, ending, number):
    program = subprocess.Popen(
        [sys.executable, "-m", "tests.data.scripts.interrupted", method, ending],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert program.stdout.readline() == "ready\n"
    if number == signal.SIGINT:  # to all of them, as a terminal sends it
        assert len(group(program.pid)) >= 3
        os.killpg(program.pid, number)
    elif number:
        program.send_signal(number)
    _, errors = program.communicate(timeout=60)
    assert program.returncode == -number
    interrupts = int(number == signal.SIGINT)
    assert errors.count("Traceback") == errors.count("KeyboardInterrupt") == interrupts
    assert interrupts or errors == ""
    end = time.monotonic() + 30
    while group(program.pid) and time.monotonic() < end:
        time.sleep(0.1)
    assert group(program.pid) == []
