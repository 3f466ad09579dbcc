"""Adversarial examples by the sign of the gradient, for a linear classifier."""

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon

ctx = mx.cpu()
rng = np.random.RandomState(7)
data = rng.randn(200, 20).astype(np.float32)
truth = rng.randn(20, 3)
labels = (data.dot(truth)).argmax(axis=1)

net = gluon.nn.HybridSequential()
with net.name_scope():
    net.add(gluon.nn.Dense(3, in_units=20))
net.initialize(mx.init.Zero(), ctx=ctx)
net.hybridize()
loss_fn = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.05})
for epoch in range(30):
    with autograd.record():
        loss = loss_fn(net(mx.nd.array(data, ctx)), mx.nd.array(labels, ctx))
    loss.backward()
    trainer.step(data.shape[0])
print("loss %.4f" % loss.mean().asscalar())

x = mx.nd.array(data).as_in_context(ctx)
y = mx.nd.array(labels).as_in_context(ctx)
x.attach_grad()
with autograd.record():
    loss = loss_fn(net(x), y)
loss.backward()
for eps in (0.0, 0.1, 0.3):
    attacked = x + eps * mx.nd.sign(x.grad)
    accuracy = (net(attacked).argmax(axis=1) == y.astype("float32")).mean().asscalar()
    print("eps %.1f accuracy %.3f" % (eps, accuracy))
