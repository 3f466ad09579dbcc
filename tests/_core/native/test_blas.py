"""Matrix products of NumPy on the threads of the compiled kernels."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace

import pytest

from gluon._core.native import blas
from gluon._core.native.loading import library, status
from tests._core.native.test_threads import run

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")
CONFIG = b"OpenBLAS 0.3.34.237.2  USE64BITINT DYNAMIC_ARCH Zen MAX_THREADS=64"


def can_share() -> bool:
    """Whether NumPy's library of linear algebra is an OpenBLAS with enough slots to share."""
    return blas.share(
        SimpleNamespace(
            share_threads=lambda _, slots, own: own <= slots - own, set_products=lambda *_: None
        )
    )


@pytest.fixture
def variables(monkeypatch):
    monkeypatch.delenv("GLUON_SHARE_THREADS", raising=False)
    return monkeypatch


def runs_shared(program: str, threads: int) -> None:
    """Run a program in which NumPy's products use the threads of the kernels."""
    if not can_share():
        pytest.skip("NumPy's linear algebra is not an OpenBLAS that shares its jobs")
    count = {"OMP_NUM_THREADS": f"{threads}", "OPENBLAS_NUM_THREADS": f"{threads}"}
    assert run(program, GLUON_SHARE_THREADS="1", **count) == ""


def test_products_and_kernels_share_threads(variables):
    runs_shared("products", 3)


def test_stacks_of_products_beside_others(variables):
    runs_shared("stacks", 2)


@pytest.mark.slow
def test_more_jobs_than_slots(variables):
    runs_shared("many_jobs", 2)


class Config:
    """A function of OpenBLAS that returns a text; ctypes lets callers set its result type."""

    def __init__(self, result):
        self.result, self.restype = result, ctypes.c_int

    def __call__(self):
        return self.result


def number(result):
    return ctypes.CFUNCTYPE(ctypes.c_int)(lambda: result)


def address(function):
    return ctypes.cast(function, ctypes.c_void_p).value


def openblas(config=CONFIG, parallel=1, threads=2, procs=4):
    return {
        "openblas_set_threads_callback_function": ctypes.c_void_p(64),
        "openblas_get_config": Config(config),
        "openblas_get_parallel": number(parallel),
        "openblas_get_num_threads": number(threads),
        "openblas_get_num_procs": number(procs),
        "openblas_set_num_threads": ctypes.c_void_p(88),
        "cblas_sgemm": ctypes.c_void_p(72),
        "cblas_dgemm": ctypes.c_void_p(80),
    }


def test_what_the_library_is_told(variables):
    found, told = openblas(), []
    products = [72, 80, address(found["openblas_get_num_threads"]), 88]

    def note(*given):
        told.append(given)
        return True

    library = SimpleNamespace(share_threads=note, set_products=note)
    variables.setattr(blas, "_functions", lambda: found)
    assert blas.share(library)
    assert told == [(64, 64, 4), (*products, True)]
    found["openblas_get_config"] = Config(CONFIG.replace(b"USE64BITINT", b""))
    assert blas.share(library)
    assert told[2:] == [(64, 64, 4), (*products, False)]


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
