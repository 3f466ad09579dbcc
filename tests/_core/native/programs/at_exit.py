"""Compute while the interpreter shuts down."""

import atexit

from gluon import nd

x = nd.ones((600, 1000))


class Last:
    def __del__(self, exp=nd.exp, x=x):
        print("at the end", exp(x).shape)


last = Last()
atexit.register(lambda: print("at exit", nd.exp(x).shape))
nd.exp(x)
