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
    """Whether NumPy's library of linear algebra is an OpenBLAS whose products can be called."""
    return blas.share(SimpleNamespace(set_products=lambda *_: True))


@pytest.fixture
def variables(monkeypatch):
    monkeypatch.delenv("GLUON_SHARE_THREADS", raising=False)
    return monkeypatch


def runs_shared(program: str, threads: int) -> None:
    """Run a program in which NumPy's products use the threads of the kernels."""
    if not can_share():
        pytest.skip("NumPy's linear algebra is not an OpenBLAS with threads of its own")
    count = {"OMP_NUM_THREADS": f"{threads}", "OPENBLAS_NUM_THREADS": f"{threads}"}
    assert run(program, GLUON_SHARE_THREADS="1", **count) == ""


def test_products_and_kernels_share_threads(variables):
    runs_shared("products", 3)


def test_stacks_of_products_beside_others(variables):
    runs_shared("stacks", 2)


class Config:
    """A function of OpenBLAS that returns a text; ctypes lets callers set its result type."""

    def __init__(self, result):
        self.result, self.restype = result, ctypes.c_int

    def __call__(self):
        return self.result


def number(result):
    return ctypes.CFUNCTYPE(ctypes.c_int)(lambda: result)


def openblas(config=CONFIG, parallel=1):
    return {
        "openblas_get_config": Config(config),
        "openblas_get_parallel": number(parallel),
        "openblas_get_num_threads": ctypes.c_void_p(64),
        "openblas_set_num_threads": ctypes.c_void_p(88),
        "cblas_sgemm": ctypes.c_void_p(72),
        "cblas_dgemm": ctypes.c_void_p(80),
    }


def test_what_the_library_is_told(variables):
    found, told = openblas(), []
    library = SimpleNamespace(set_products=lambda *given: told.append(given) or True)
    variables.setattr(blas, "_functions", lambda: found)
    assert blas.share(library)
    found["openblas_get_config"] = Config(CONFIG.replace(b"USE64BITINT", b""))
    assert blas.share(library)
    assert told == [(72, 80, 64, 88, True), (72, 80, 64, 88, False)]


@pytest.mark.parametrize(
    "found",
    [
        None,
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


def test_a_numpy_without_the_functions(variables):
    variables.setattr(blas.ctypes, "CDLL", lambda path: SimpleNamespace())
    assert blas._functions() is None
    variables.setattr(blas.ctypes, "CDLL", lambda path: (_ for _ in ()).throw(OSError(path)))
    assert blas._functions() is None


def test_numpys_own_products_are_left_alone(variables):
    """gluon computes with OpenBLAS; what NumPy itself does with it stays as it was."""
    runs_shared("own_products", 2)
