"""Products of gluon leave the threads of OpenBLAS as they were."""

import ctypes

import numpy as np

from gluon import nd
from gluon._core.native import blas

found = blas._functions()
used = []
count = found["openblas_get_num_threads"]
assert count() == 2
x = nd.ones((300, 300))
for threads in (2, 1, 2):
    found["openblas_set_num_threads"](ctypes.c_int(threads))
    assert nd.dot(x, x).asnumpy()[0, 0] == 300
    assert count() == threads
    assert (np.ones((300, 300)) @ np.ones((300, 300)) == 300).all()
