"""A product of more jobs than there are slots for: OpenBLAS gets its own threads back."""

import numpy as np

from gluon._core.native import blas, loading

assert loading.SHARES_THREADS
found = blas._functions()
y = np.random.default_rng(0).normal(size=200_000)
found["openblas_set_num_threads"](64)
for _ in range(2):
    assert np.allclose(y @ y, (y * y).sum())
found["openblas_set_num_threads"](2)
assert np.allclose(y @ y, (y * y).sum())
