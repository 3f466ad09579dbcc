"""Compute while the interpreter shuts down, without compiled kernels."""

import atexit

from gluon import nd
from gluon._core.kernels import parallel

parallel.set_threads(2)
x = nd.ones((600, 1000))


class Last:
    def __del__(self, softmax=nd.softmax, x=x):
        print("at the end", softmax(x).shape)


last = Last()
atexit.register(lambda: print("at exit", nd.softmax(x).shape))
nd.softmax(x)
