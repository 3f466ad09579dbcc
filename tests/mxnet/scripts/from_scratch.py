"""The first chapters of a course: models on bare arrays, and the algorithms that train them."""

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import data as gdata
from mxnet.gluon import loss as gloss
from mxnet.gluon import nn

rng = np.random.RandomState(7)
features = nd.array(rng.normal(size=(200, 2)))
true_w, true_b = [2, -3.4], 4.2
labels = true_w[0] * features[:, 0] + true_w[1] * features[:, 1] + true_b
labels += nd.array(rng.normal(scale=0.01, size=labels.shape))


def data_iter(batch_size, features, labels):
    for i in range(0, len(features), batch_size):
        j = nd.array(list(range(i, min(i + batch_size, len(features)))))
        yield features.take(j), labels.take(j)


def linreg(X, w, b):
    return nd.dot(X, w) + b


def squared_loss(y_hat, y):
    return (y_hat - y.reshape(y_hat.shape)) ** 2 / 2


def sgd(params, lr, batch_size):
    for param in params:
        param[:] = param - lr * param.grad / batch_size


print("linear regression from scratch")
w, b = nd.array(rng.normal(scale=0.01, size=(2, 1))), nd.zeros(shape=(1,))
for param in (w, b):
    param.attach_grad()
for epoch in range(3):
    for X, y in data_iter(10, features, labels):
        with autograd.record():
            l = squared_loss(linreg(X, w, b), y)
        l.backward()
        sgd([w, b], 0.05, 10)
    train_l = squared_loss(linreg(features, w, b), labels)
    print("epoch %d, loss %f" % (epoch + 1, train_l.mean().asscalar()))
print(w.T, b)

print("softmax regression and a perceptron from scratch")
images = nd.array(rng.uniform(size=(120, 1, 6, 6)))
classes = nd.array(images.asnumpy()[:, 0].reshape(120, 3, 12).mean(axis=2).argmax(axis=1))


def softmax(X):
    X_exp = X.exp()
    return X_exp / X_exp.sum(axis=1, keepdims=True)


def cross_entropy(y_hat, y):
    return -nd.pick(y_hat, y).log()


def accuracy(y_hat, y):
    return (y_hat.argmax(axis=1) == y.astype("float32")).mean().asscalar()


def dropout(X, mask, keep_prob=0.8):
    return mask * X / keep_prob


def mlp(X):
    X = X.reshape((-1, 36))
    H = nd.relu(nd.dot(X, W1) + b1)
    if autograd.is_training():
        H = dropout(H, (noise[: len(H)] < 0.8).astype("float32"))
    return softmax(nd.dot(H, W2) + b2)


noise = nd.array(rng.uniform(size=(120, 16)))
W1, W2 = (
    nd.array(rng.normal(scale=0.3, size=(36, 16))),
    nd.array(rng.normal(scale=0.3, size=(16, 3))),
)
b1, b2 = nd.zeros(16), nd.zeros(3)
params = [W1, b1, W2, b2]
for param in params:
    param.attach_grad()
for epoch in range(4):
    total, right, n = 0.0, 0.0, 0
    for X, y in data_iter(20, images, classes):
        with autograd.record():
            y_hat = mlp(X)
            l = cross_entropy(y_hat, y).sum() + 0.01 * (W1**2).sum() / 2
        l.backward()
        sgd(params, 0.5, 20)
        total += l.asscalar()
        right += (y_hat.argmax(axis=1) == y).sum().asscalar()
        n += y.size
    test_acc = accuracy(mlp(images), classes)
    print(
        "epoch %d, loss %.4f, train acc %.3f, test acc %.3f"
        % (epoch + 1, total / n, right / n, test_acc)
    )


def train_algorithm(name, trainer_fn, states, hyperparams):
    w, b = nd.array([[0.01], [-0.02]]), nd.zeros(1)
    w.attach_grad()
    b.attach_grad()
    ls = []
    for _ in range(2):
        for X, y in data_iter(10, features, labels):
            with autograd.record():
                l = squared_loss(linreg(X, w, b), y).mean()
            l.backward()
            trainer_fn([w, b], states, hyperparams)
        ls.append(squared_loss(linreg(features, w, b), labels).mean().asscalar())
    print("%s: %s" % (name, " ".join("%.4f" % l for l in ls)))


def pairs():
    return [(nd.zeros((2, 1)), nd.zeros((2, 1))), (nd.zeros(1), nd.zeros(1))]


def momentum(params, states, hp):
    for p, (v, _) in zip(params, states):
        v[:] = hp["momentum"] * v + hp["lr"] * p.grad
        p[:] -= v


def adagrad(params, states, hp):
    for p, (s, _) in zip(params, states):
        s[:] += p.grad.square()
        p[:] -= hp["lr"] * p.grad / (s + 1e-6).sqrt()


def rmsprop(params, states, hp):
    for p, (s, _) in zip(params, states):
        s[:] = hp["gamma"] * s + (1 - hp["gamma"]) * p.grad.square()
        p[:] -= hp["lr"] * p.grad / (s + 1e-6).sqrt()


def adadelta(params, states, hp):
    for p, (s, delta) in zip(params, states):
        s[:] = hp["rho"] * s + (1 - hp["rho"]) * p.grad.square()
        g = ((delta + 1e-5).sqrt() / (s + 1e-5).sqrt()) * p.grad
        p[:] -= g
        delta[:] = hp["rho"] * delta + (1 - hp["rho"]) * g * g


def adam(params, states, hp):
    for p, (v, s) in zip(params, states):
        v[:] = 0.9 * v + 0.1 * p.grad
        s[:] = 0.999 * s + 0.001 * p.grad.square()
        v_bias_corr = v / (1 - 0.9 ** hp["t"])
        s_bias_corr = s / (1 - 0.999 ** hp["t"])
        p[:] -= hp["lr"] * v_bias_corr / (s_bias_corr.sqrt() + 1e-6)
    hp["t"] += 1


print("algorithms")
train_algorithm("momentum", momentum, pairs(), {"lr": 0.02, "momentum": 0.5})
train_algorithm("adagrad", adagrad, pairs(), {"lr": 0.5})
train_algorithm("rmsprop", rmsprop, pairs(), {"lr": 0.1, "gamma": 0.9})
train_algorithm("adadelta", adadelta, pairs(), {"rho": 0.9})
train_algorithm("adam", adam, pairs(), {"lr": 0.1, "t": 1})

print("the same with gluon")
for name, settings in (
    ("sgd", {"learning_rate": 0.05, "wd": 0.001}),
    ("adagrad", {"learning_rate": 0.5}),
    ("rmsprop", {"learning_rate": 0.1, "gamma1": 0.9}),
    ("adadelta", {"rho": 0.9}),
    ("adam", {"learning_rate": 0.1}),
):
    dataset = gdata.ArrayDataset(features, labels)
    loader = gdata.DataLoader(dataset, 10, shuffle=False)
    net = nn.Sequential()
    net.add(nn.Dense(1))
    net.initialize(mx.init.Constant(0.01))
    trainer = gluon.Trainer(net.collect_params(), name, settings)
    loss = gloss.L2Loss()
    for epoch in range(2):
        for X, y in loader:
            with autograd.record():
                l = loss(net(X), y)
            l.backward()
            trainer.step(10)
    print("%s: %.4f" % (name, loss(net(features), labels).mean().asscalar()), net[0].weight.data())
