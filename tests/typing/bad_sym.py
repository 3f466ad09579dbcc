"""Mistakes with symbols: type checkers report each line that is marked, and no other."""

from __future__ import annotations

from gluon import nd, sym

x = sym.Variable("x")
a = x.as_np_ndarray()

sym.exq(x)  # error
sym.exp(2)  # error
sym.exp(nd.ones((1,)))  # error
sym.exp(x, axis=0)  # error
sym.exp(x, x)  # error
sym.Activation(x)  # error
sym.Activation(x, act="relu")  # error
sym.Convolution(x, kernel="3")  # error
sym.Convolution(x, kernel_size=(3, 3), num_filter=8)  # error
sym.FullyConnected(x, num_hidden="10")  # error
sym.FullyConnected(x, hidden=10)  # error
sym.FullyConnected(x, num_hidden=10, name=3)  # error
sym.BatchNorm(x, epsilon=1e-3)  # error
sym.clip(x, 0)  # error
sym.clip(x, "0", 1)  # error
sym.sum(x, axis="first")  # error
sym.concat(x, "x")  # error
sym.concat(x, x, axis=1)  # error
sym.add(x, "1")  # error
sym.add(x)  # error
sym.maximum(x, None)  # error
sym.zeros("2")  # error
sym.linalg.gemm2(x, x, alpha="2")  # error
sym.linalg.inverze(x)  # error
sym.contrib.ROIAlign(x, x)  # error
sym.contrib.box_nmz(x)  # error
sym.random.uniform_like(x, lo=1)  # error
sym.random.unifrom()  # error
sym.image.normalize(x, average=0)  # error
sym.sgd_update(x, x, lr="fast")  # error
number: int = sym.sum(x)  # error
text: str = sym.np.exp(a)  # error
sym.np.exq(a)  # error
sym.np.exp()  # error
sym.np.exp("a")  # error
sym.np.sum(a, axes=0)  # error
sym.np.sum(a, axis="rows")  # error
sym.np.add(a)  # error
sym.np.concatenate(3)  # error
sym.np.where(a)  # error
sym.np.split(a, 2).sum()  # error
sym.np.linalg.norms(a)  # error
sym.np.linalg.svd()  # error
sym.npx.softmax(a, dim=1)  # error
sym.npx.topk(a, k="2")  # error
sym.npx.one_hot(a)  # error
x.exq()  # error
x.exp(1)  # error
x.sum(axes=0)  # error
x.clip(0)  # error
x.astype()  # error
x + "1"  # error
x - None  # error
a.mean(axes=0)  # error
a.sum(axis="rows")  # error
print(a > "1")  # error
x.list_argument()  # error
