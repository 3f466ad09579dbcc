"""Matrix products of NumPy on the threads of the compiled kernels."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace

import pytest

from gluon.native import blas
from gluon.native.loading import library, status
from tests.native.test_threads import run

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")
CONFIG = b"OpenBLAS 0.3.34.237.2  USE64BITINT DYNAMIC_ARCH Zen MAX_THREADS=64"


def can_share() -> bool:
    """Whether NumPy's library of linear algebra is an OpenBLAS with enough slots to share."""
    return blas.share(SimpleNamespace(share_threads=lambda _, slots, own: own <= slots - own))


@pytest.fixture
def variables(monkeypatch):
    monkeypatch.delenv("GLUON_SHARE_THREADS", raising=False)
    return monkeypatch


def test_products_and_kernels_share_threads(variables):
    if not can_share():
        pytest.skip("NumPy's linear algebra is not an OpenBLAS that shares its jobs")
    count = {"OMP_NUM_THREADS": "3", "OPENBLAS_NUM_THREADS": "3"}
    assert run("products", GLUON_SHARE_THREADS="1", **count) == ""


@pytest.mark.slow
def test_more_jobs_than_slots(variables):
    if not can_share():
        pytest.skip("NumPy's linear algebra is not an OpenBLAS that shares its jobs")
    count = {"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}
    assert run("many_jobs", GLUON_SHARE_THREADS="1", **count) == ""


class Function:
    """A function of OpenBLAS, whose result type ctypes lets callers set."""

    def __init__(self, result):
        self.result, self.restype = result, ctypes.c_int

    def __call__(self):
        return self.result


def openblas(config=CONFIG, parallel=1, threads=2, procs=4):
    return {
        "set_threads_callback_function": ctypes.c_void_p(64),
        "get_config": Function(config),
        "get_parallel": Function(parallel),
        "get_num_threads": Function(threads),
        "get_num_procs": Function(procs),
    }


def test_what_the_library_is_told(variables):
    variables.setattr(blas, "_functions", openblas)
    told = []
    assert blas.share(SimpleNamespace(share_threads=lambda *a: told.append(a) or True))
    assert told == [(64, 64, 4)]


@pytest.mark.parametrize(
    "found",
    [
        None,
        openblas(config=CONFIG.replace(b"0.3.34", b"0.3.28")),
        openblas(config=b"MKL 2024"),
        openblas(config=CONFIG.replace(b"MAX_THREADS", b"MAX")),
        openblas(parallel=0),
        openblas(parallel=2),
    ],
)
def test_other_libraries_keep_their_threads(found, variables):
    variables.setattr(blas, "_functions", lambda: found)
    assert not blas.share(library)


def test_a_variable_leaves_products_to_openblas(variables):
    variables.setattr(blas, "_functions", openblas)
    variables.setenv("GLUON_SHARE_THREADS", "0")
    assert not blas.share(library)


@pytest.mark.parametrize(("slots", "own"), [(64, 33), (64, 0), (2, 2), (257, 2), (-1, 1)])
def test_too_few_slots_are_refused(slots, own):
    """The address is never called."""
    assert not library.share_threads(0, slots, own)


def test_a_numpy_without_the_functions(variables):
    variables.setattr(blas.ctypes, "CDLL", lambda path: SimpleNamespace())
    assert blas._functions() is None
    variables.setattr(blas.ctypes, "CDLL", lambda path: (_ for _ in ()).throw(OSError(path)))
    assert blas._functions() is None
