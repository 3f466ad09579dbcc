"""Stacks of products beside other products: how many threads OpenBLAS uses is left as it was."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from gluon._core.kernels import parallel
from gluon._core.native import blas
from gluon._core.native.linalg import _multiply
from gluon._core.native.loading import SHARES_THREADS

assert SHARES_THREADS
parallel.set_threads(3)
count = blas._functions()["openblas_get_num_threads"]
assert count() == 2
rng = np.random.default_rng(0)
a, b = rng.normal(size=(2, 24, 90, 90))
one = rng.normal(size=(300, 300))
exact, square = np.einsum("sij,sjk->sik", a, b), np.einsum("ij,jk->ik", one, one)
together = threading.Barrier(3, timeout=60)


def work(_: int) -> bool:
    together.wait()
    right = True
    for _ in range(20):
        y = np.full(a.shape, np.nan)
        right &= _multiply((a, b, y)) and np.allclose(y, exact) and np.allclose(one @ one, square)
    return right


with ThreadPoolExecutor(3) as pool:
    assert all(pool.map(work, range(3)))
assert count() == 2
assert np.allclose(one @ one, square)
