"""A key-value store with an updater and an optimizer, and checkpoints of what it holds."""

import os
import tempfile

import mxnet as mx

kv = mx.kv.create("local")
print(kv.type, kv.rank, kv.num_workers)
shape = (2, 3)
kv.init(3, mx.nd.ones(shape) * 2)
a = mx.nd.zeros(shape)
kv.pull(3, out=a)
print(a.asnumpy())
contexts = [mx.cpu(i) for i in range(4)]
b = [mx.nd.ones(shape, ctx) for ctx in contexts]
kv.push(3, b)
kv.pull(3, out=a)
print(a.asnumpy())


def update(key, input, stored):
    print("update on key: %d" % key)
    stored += input * 2


kv._set_updater(update)
kv.push(3, mx.nd.ones(shape))
kv.pull(3, out=a)
print(a.asnumpy())

kv = mx.kvstore.create("device")
kv.set_optimizer(mx.optimizer.create("sgd", learning_rate=0.1, momentum=0.9))
kv.init("w", mx.nd.ones(shape))
for step in range(3):
    kv.push("w", [mx.nd.ones(shape, ctx) for ctx in contexts])
    kv.pull("w", out=a)
    print("%.4f" % a[0, 0].asscalar())

prefix = os.path.join(tempfile.mkdtemp(), "model")
mx.model.save_checkpoint(prefix, 7, None, {"w": a}, {"mean": mx.nd.zeros((2,))})
print(sorted(os.listdir(os.path.dirname(prefix))))
arg_params, aux_params = mx.model.load_params(prefix, 7)
print(arg_params["w"].shape, aux_params["mean"].asnumpy())
