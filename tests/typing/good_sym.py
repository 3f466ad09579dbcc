"""What users write with symbols: type checkers find nothing wrong with it."""

from __future__ import annotations

from gluon import nd, sym
from gluon.symbol import Symbol


def network(classes: int) -> Symbol:
    data = sym.Variable("data", shape=(0, 3, 32, 32))
    net = sym.Convolution(data, kernel=(3, 3), num_filter=8, pad=(1, 1), name="conv")
    net = sym.BatchNorm(net, fix_gamma=False, eps=1e-3)
    net = sym.Activation(net, act_type="relu", name="act")
    net = sym.Activation(net, "relu")
    net = sym.Pooling(data=net, kernel=(2, 2), stride=(2, 2), pool_type="max")
    net = sym.FullyConnected(sym.flatten(net), weight=sym.var("w"), num_hidden=classes, name="out")
    return sym.SoftmaxOutput(net, label=sym.var("label"), name="softmax")


def composed() -> Symbol:
    last = sym.FullyConnected(name="last", num_hidden=10)
    relu = sym.Activation(name="relu", act_type="relu", attr={"group": "a"})
    return last(last_data=relu(relu_data=sym.Variable("x")))


def arithmetic(x: Symbol, y: Symbol) -> Symbol:
    z: Symbol = -x * 2 + 1 / y - (x > y) ** 2 + 3 % x
    z = z + x.exp() + x.sum(axis=1, keepdims=True) + x.reshape((-1, 2)) + x.clip(0, 1)
    z = z + sym.exp(x) + sym.broadcast_add(x, y) + sym.add(x, 2) + sym.maximum(3, y)
    z = z + sym.clip(x, 0, 1) + sym.sum(x, axis=(0, 1)) + sym.one_hot(x, depth=3)
    z = z + sym.concat(x, y, dim=0) + sym.concat(*[x, y], dim=1) + sym.add_n(x, y)
    z = z + sym.zeros((2, 3)) + sym.arange(3) + sym.stack(x, y, axis=1) + sym.dot(x, y)
    z = z + sym.linalg.gemm2(x, y, alpha=2) + sym.linalg.potrf(x) + sym.contrib.div_sqrt_dim(x)
    z = z + sym.random.normal(0, 1, shape=(2, 3)) + sym.random.uniform_like(x, low=-1)
    z = z + sym.image.normalize(x, mean=(0, 0, 0)) + sym.contrib.ROIAlign(x, y, (2, 2), 0.5)
    parts: Symbol = sym.split(x, num_outputs=2, axis=1)
    mean, var = sym.BatchNorm(x, output_mean_var=True)
    return z + parts[0] + mean + var.mean()


def of_arrays(x: Symbol, y: Symbol) -> Symbol:
    a = x.as_np_ndarray()
    b = sym.np.exp(a) + sym.np.sum(a, axis=(0, 1), keepdims=True) + sym.np.add(a, 2) @ a
    b = b + sym.np.concatenate([a, b], axis=0) + sym.np.where(a > 0, a, 0) + a.mean(0).T
    b = b + sym.np.zeros((2, 3)) + sym.np.linalg.norm(a) + sym.np.random.uniform(size=(2, 3))
    c = sym.npx.softmax(b, axis=-1) + sym.npx.relu(a) + sym.npx.topk(a, k=2, ret_typ="value")
    c = c + sym.npx.fully_connected(a, y.as_np_ndarray(), num_hidden=3, no_bias=True)
    parts = sym.np.split(c, 2)
    return parts[0].reshape(-1, 2).as_nd_ndarray() + a[1:, 0]


def bound(net: Symbol) -> nd.NDArray:
    arguments, _, _ = net.infer_shape(data=(1, 3, 32, 32))
    names: list[str] = net.list_arguments() + net.get_internals().list_outputs()
    executor = net.simple_bind(data=(1, 3, 32, 32), grad_req="write")
    print(names, arguments, sym.load_json(net.tojson()).name, sym.Group([net, network(2)]))
    outputs: list[nd.NDArray] = executor.forward(is_train=True, data=nd.ones((1, 3, 32, 32)))
    executor.backward()
    return outputs[0]
