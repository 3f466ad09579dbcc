"""How much memory many steps of training add."""

import os

from gluon import autograd, nd
from gluon.nn import Conv2D, Dense


def pages():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])


net = Conv2D(8, 3, activation="relu"), Dense(10)
for layer in net:
    layer.initialize()
x = nd.random.normal(shape=(16, 3, 32, 32))


def steps(count):
    for _ in range(count):
        with autograd.record():
            y = nd.log_softmax(net[1](net[0](x))).sum()
        y.backward()


steps(40)
before = pages()
steps(400)
print((pages() - before) * os.sysconf("SC_PAGESIZE"))
