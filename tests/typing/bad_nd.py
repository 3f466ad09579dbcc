"""Mistakes with `nd`: type checkers report each line that is marked, and no other."""

from __future__ import annotations

from gluon import nd

x = nd.array([1, 2])

nd.exq(x)  # error
nd.contrib.box_nmz(x)  # error
nd.linalg.inverze(x)  # error
nd.random.unifrom()  # error
nd.exp("x")  # error
nd.exp()  # error
nd.exp(x, axis=0)  # error
nd.exp(x, out="x")  # error
nd.add(x, "1")  # error
nd.broadcast_add(1, 2)  # error
nd.clip(x, 0)  # error
nd.sum(x, axis="first")  # error
nd.softmax(x, axes=0)  # error
nd.concat(x, "x")  # error
nd.concat(x, axis=0)  # error
nd.zeros("2x2")  # error
nd.zeros((2, 2), tdype="int32")  # error
nd.Convolution(x, kernel=(3, 3))  # error
nd.sgd_update(x, x)  # error
nd.sgd_update(x, x, lr="fast")  # error
nd.adam_update(x, x, x, x, lr=0.1, beta3=0.9)  # error
nd.contrib.adamw_update(x, x, x, x, "one", 0.1, 1)  # error
x.summ()  # error
x.sum(axes=0)  # error
x.clip(0)  # error
x.astype()  # error
x + "1"  # error
x - None  # error
print(-x.shape)  # error
number: int = x.sum()  # error
name: str = nd.relu(x)  # error
name = nd.random.uniform()  # error
