"""How much memory threads leave that compute a convolution and end."""

import os
import threading

from gluon import nd

x, weight = nd.ones((4, 32, 40, 40)), nd.ones((32, 32, 5, 5))


def pages():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])


def compute():
    nd.Convolution(x, weight, kernel=(5, 5), num_filter=32, no_bias=True).asnumpy()


def threads(count):
    for _ in range(count):
        one = threading.Thread(target=compute)
        one.start()
        one.join()


threads(5)
before = pages()
threads(120)
print((pages() - before) * os.sysconf("SC_PAGESIZE"))
