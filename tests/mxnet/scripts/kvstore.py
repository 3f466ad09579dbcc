"""Key-value stores, trainers on them, and data split among devices."""

import os
import tempfile

import mxnet as mx
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import loss as gloss, nn, utils as gutils

kv = mx.kv.create("local")
kv.init(3, nd.ones((2, 3)) * 2)
a = nd.zeros((2, 3))
kv.pull(3, out=a)
print(a)
kv.push(3, nd.ones((2, 3)) * 8)
kv.pull(3, out=a)
print(a.asnumpy())
kv.push(3, [nd.ones((2, 3))] * 4)
kv.pull(3, out=[a])
print(a.asnumpy(), kv.type, kv.rank, kv.num_workers)


def update(key, input, stored):
    print("update on key: %s" % key)
    stored += input * 2


kv._set_updater(update)
kv.push(3, nd.ones((2, 3)))
kv.pull(3, out=a)
print(a.asnumpy())
kv.init([4, 5], [nd.ones((2,))] * 2)
b = [nd.zeros((2,)), nd.zeros((2,))]
kv.push([4, 5], [nd.ones((2,))] * 2)
kv.pull([4, 5], out=b)
print([v.asnumpy().tolist() for v in b])
kv2 = mx.kv.create("device")
kv2.set_optimizer(mx.optimizer.create("sgd", learning_rate=0.1))
kv2.init("w", nd.ones((2,)))
kv2.push("w", nd.ones((2,)))
o = nd.zeros((2,))
kv2.pull("w", o)
print(o.asnumpy())
kv2.pushpull("w", nd.ones((2,)), out=o)
print(o.asnumpy())
kv2.save_optimizer_states(os.path.join(tempfile.gettempdir(), "kv.states"))
kv2.load_optimizer_states(os.path.join(tempfile.gettempdir(), "kv.states"))
c = mx.kv.create()
c.init(9, nd.zeros((2,)))
c.broadcast(10, nd.ones((2,)), out=o)
print(o.asnumpy(), c.is_capable("optimizer"))
net = nn.Dense(2, in_units=2)
net.initialize(init.One())
tr = gluon.Trainer(
    net.collect_params(),
    "sgd",
    {"learning_rate": 0.5},
    kvstore=mx.kv.create("device"),
    update_on_kvstore=False,
)
with autograd.record():
    l = net(nd.ones((1, 2)))
l.backward()
tr.allreduce_grads()
tr.update(1)
print(net.weight.data().asnumpy())
data, label = nd.arange(12).reshape((6, 2)), nd.arange(6)
ctx = [mx.cpu(0), mx.cpu(1)]
parts = gutils.split_and_load(data, ctx)
print([(p.context, p.shape) for p in parts])
net = nn.Dense(1)
net.initialize(init.One(), ctx=ctx)
tr = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
with autograd.record():
    ls = [gloss.L2Loss()(net(X), y) for X, y in zip(parts, gutils.split_and_load(label, ctx))]
for l in ls:
    l.backward()
tr.step(6)
print([w.asnumpy().tolist() for w in net.weight.list_data()], net.weight.list_ctx())
print(gutils.split_data(data, 4, even_split=False)[3].shape)
try:
    gutils.split_data(data, 4)
except ValueError:
    print("uneven")
