"""A perceptron on synthetic digits, with the arguments that such scripts have."""

import argparse
import logging

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon
from mxnet.gluon import nn

parser = argparse.ArgumentParser(description="train a perceptron")
parser.add_argument("--batch-size", type=int, default=50)
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--lr", type=float, default=0.5)
parser.add_argument("--momentum", type=float, default=0.9)
parser.add_argument("--gpus", type=str, default="")
opt = parser.parse_args()

logging.basicConfig(level=logging.WARNING)
mx.random.seed(42)
np.random.seed(42)

net = nn.Sequential()
with net.name_scope():
    net.add(nn.Dense(32, activation="relu"))
    net.add(nn.Dense(16, activation="relu"))
    net.add(nn.Dense(4))


def synthetic(count):
    labels = np.arange(count) % 4
    images = np.random.rand(count, 8, 8) * 0.5
    for image, label in zip(images, labels):
        row, column = divmod(label, 2)
        image[row * 4 : row * 4 + 4, column * 4 : column * 4 + 4] += 0.7
    return images.astype(np.float32), labels.astype(np.float32)


def test(ctx, data):
    metric = mx.metric.Accuracy()
    for images, labels in data:
        images = gluon.utils.split_and_load(images, ctx_list=ctx, batch_axis=0)
        labels = gluon.utils.split_and_load(labels, ctx_list=ctx, batch_axis=0)
        metric.update(labels, [net(x) for x in images])
    return metric.get()


def train(epochs, ctx):
    net.initialize(mx.init.Zero(), ctx=ctx)
    train_set = gluon.data.ArrayDataset(*synthetic(400))
    val_set = gluon.data.ArrayDataset(*synthetic(100))
    train_data = gluon.data.DataLoader(train_set, opt.batch_size, last_batch="discard")
    val_data = gluon.data.DataLoader(val_set, opt.batch_size, shuffle=False)
    net(mx.nd.zeros((1, 8, 8), ctx=ctx[0]))
    for param in net.collect_params().values():
        param.set_data(mx.nd.array(np.random.uniform(-0.2, 0.2, param.shape)))
    trainer = gluon.Trainer(
        net.collect_params(), "sgd", {"learning_rate": opt.lr, "momentum": opt.momentum}
    )
    metric = mx.metric.Accuracy()
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    for epoch in range(epochs):
        metric.reset()
        total = 0.0
        for images, labels in train_data:
            images = gluon.utils.split_and_load(images, ctx_list=ctx, batch_axis=0)
            labels = gluon.utils.split_and_load(labels, ctx_list=ctx, batch_axis=0)
            with autograd.record():
                outputs = [net(x) for x in images]
                losses = [loss(z, y) for z, y in zip(outputs, labels)]
            for one in losses:
                one.backward()
                total += one.sum().asscalar()
            trainer.step(opt.batch_size)
            metric.update(labels, outputs)
        name, acc = metric.get()
        print("[Epoch %d] training: %s=%f loss=%.4f" % (epoch, name, acc, total / 400))
        name, val_acc = test(ctx, val_data)
        print("[Epoch %d] validation: %s=%f" % (epoch, name, val_acc))


if __name__ == "__main__":
    if opt.gpus:
        ctx = [mx.gpu(int(i)) for i in opt.gpus.split(",")]
    else:
        ctx = [mx.cpu()]
    train(opt.epochs, ctx)
    print(type(net).__name__, [p.shape for p in net.collect_params().values()])
