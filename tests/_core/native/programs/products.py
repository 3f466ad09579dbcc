"""Matrix products on the threads of the kernels: from many threads, beside kernels, after forks."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from gluon import nd
from gluon._core.kernels import parallel
from gluon._core.native import loading

assert loading.SHARES_THREADS
parallel.set_threads(3)
rng = np.random.default_rng(0)
a, b = rng.normal(size=(2, 150, 150))
x = nd.array(rng.normal(size=(300, 700)), dtype="float32")
exact = np.einsum("ij,jk->ik", a, b)  # without OpenBLAS
kernel = nd.exp(x).asnumpy()


def works() -> bool:
    """Whether products, factorizations and kernels are right; they use OpenBLAS in three ways."""
    return (
        np.allclose(a @ b, exact)
        and np.allclose(np.linalg.solve(a, exact), b)
        and np.allclose(a.ravel() @ b.ravel(), (a * b).sum())
        and np.array_equal(nd.exp(x).asnumpy(), kernel)
    )


def in_child() -> bool:
    child = os.fork()
    if not child:
        os._exit(0 if works() and works() else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def at_once(count: int) -> None:
    together = threading.Barrier(count, timeout=60)

    def work(_: int) -> bool:
        together.wait()
        return all(works() for _ in range(4))

    with ThreadPoolExecutor(count) as pool:
        assert all(pool.map(work, range(count)))


assert works()
at_once(3)
if hasattr(os, "fork"):
    assert in_child()
    assert works()
    at_once(2)
