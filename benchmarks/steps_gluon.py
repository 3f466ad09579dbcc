"""The steps of `steps.py`, as users of gluon and MXNet write them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

from .processes import Maker
from .steps import drawn, labels

Step = Callable[[], Any]


def dense(library: Any, *units: int, last: int = 10) -> list:
    """Return layers with relu, then one without."""
    nn = library.gluon.nn
    return [*(nn.Dense(n, activation="relu") for n in units), nn.Dense(last)]


def sequential(library: Any, *layers: Any) -> Any:
    net = library.gluon.nn.HybridSequential()
    net.add(*layers)
    return net


def lenet_layers(library: Any) -> Any:
    nn = library.gluon.nn
    layers = []
    for channels in (20, 50):
        layers += [nn.Conv2D(channels, 5, activation="relu"), nn.MaxPool2D(2, 2)]
    return sequential(library, *layers, *dense(library, 500))


def resblock_layers(library: Any) -> Any:
    nn = library.gluon.nn
    layers = []
    for _ in range(2):
        layers += [nn.Conv2D(64, 3, padding=1), nn.BatchNorm(), nn.Activation("relu")]
    return sequential(library, *layers, nn.GlobalAvgPool2D(), nn.Dense(10))


def trained(
    library: Any, net: Any, x: Any, optimizer: str = "sgd", rate: float = 0.01, classes: Any = None
) -> Step:
    """Run one step on the cross entropy of `net`; `library.compiled` may make a program of it."""
    nd, autograd, gluon = library.nd, library.autograd, library.gluon
    net.initialize()
    library.hybridize(net)
    x, y = nd.array(x), nd.array(labels(len(x)) if classes is None else classes)
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    library.hybridize(loss_of)
    net(x)
    trainer = gluon.Trainer(net.collect_params(), optimizer, {"learning_rate": rate})

    def step(x: Any, y: Any) -> Any:
        with autograd.record():
            loss = loss_of(net(x), y)
        loss.backward()
        trainer.step(len(x))
        return loss.mean()

    run = library.compiled(step)
    return lambda: run(x, y).asscalar()


def perceptron(library: Any, batch: int, inputs: int, *units: int, **optimizer: Any) -> Step:
    net = sequential(library, *dense(library, *units))
    return trained(library, net, drawn(batch, inputs), **optimizer)


def lenet(library: Any) -> Step:
    return trained(library, lenet_layers(library), drawn(64, 1, 28, 28))


def resblock(library: Any) -> Step:
    return trained(library, resblock_layers(library), drawn(32, 64, 32, 32))


def fgsm(library: Any) -> Step:
    nd, autograd, net = library.nd, library.autograd, lenet_layers(library)
    net.initialize()
    library.hybridize(net)
    x, y = nd.array(drawn(64, 1, 28, 28)), nd.array(labels(64))
    x.attach_grad()
    loss_of = library.gluon.loss.SoftmaxCrossEntropyLoss()
    library.hybridize(loss_of)

    def step(x: Any, y: Any) -> Any:
        with autograd.record(train_mode=False):
            loss = loss_of(net(x), y)
        return autograd.grad(loss, [x], train_mode=False)[0]

    run = library.compiled(step)
    return lambda: run(x, y).asnumpy()


def linreg(library: Any) -> Step:
    nd, autograd = library.nd, library.autograd
    features, targets = nd.array(drawn(10, 2)), nd.array(drawn(10, 1))
    w, b = nd.array(drawn(2, 1)), nd.zeros((1,))
    w.attach_grad()
    b.attach_grad()

    def step(features: Any, targets: Any) -> Any:
        with autograd.record():
            loss = ((nd.dot(features, w) + b - targets) ** 2 / 2).sum()
        loss.backward()
        for parameter in (w, b):
            parameter -= 0.03 * parameter.grad / 10
        return loss

    run = library.compiled(step)
    return lambda: run(features, targets).asscalar()


def elementwise(library: Any) -> Step:
    nd, autograd = library.nd, library.autograd
    x = nd.array(drawn(4_000_000))
    x.attach_grad()

    def step(x: Any) -> Any:
        with autograd.record():
            y = (nd.tanh(x) * nd.exp(-x * x) + x).sum()
        y.backward()
        return y

    run = library.compiled(step)
    return lambda: run(x).asscalar()


def hvp(library: Any) -> Step:
    nd, autograd = library.nd, library.autograd
    x, w, v = nd.array(drawn(64, 100)), nd.array(drawn(100, 100) / 10), nd.array(drawn(100, 100))
    w.attach_grad()

    def step(x: Any, v: Any) -> Any:
        with autograd.record():
            y = nd.dot(nd.sigmoid(nd.dot(x, w)), w).sum()
            slope = autograd.grad(y, [w], create_graph=True, retain_graph=True)[0]
            along = (slope * v).sum()
        along.backward()
        return w.grad

    run = library.compiled(step)
    return lambda: run(x, v).asnumpy()


def lstm(library: Any) -> Step:
    nd, autograd, gluon = library.nd, library.autograd, library.gluon
    net = gluon.rnn.LSTM(256, input_size=128)
    net.initialize()
    library.hybridize(net)
    x = nd.array(drawn(35, 32, 128))
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})

    def step(x: Any) -> Any:
        with autograd.record():
            loss = net(x).square().mean()
        loss.backward()
        trainer.step(1)
        return loss

    run = library.compiled(step)
    return lambda: run(x).asscalar()


def lm(library: Any) -> Step:
    nn = library.gluon.nn
    net = sequential(library, nn.Embedding(10000, 128), nn.Dense(10000, flatten=False))
    words = labels(8 * 36, 9973).reshape(8, 36)
    return trained(library, net, words[:, :-1], classes=words[:, 1:])


def transformer(library: Any) -> Step:
    """Return a post-norm encoder layer: 256 units, 8 heads, on 16 sequences of 64."""
    nd, gluon = library.nd, library.gluon
    contrib = nd.contrib

    class Encoder(gluon.nn.Block):
        def __init__(self) -> None:
            super().__init__()
            self.attend = gluon.nn.Dense(3 * 256, flatten=False)
            self.join = gluon.nn.Dense(256, flatten=False)
            self.norms = [gluon.nn.LayerNorm() for _ in range(2)]
            self.widen = gluon.nn.Dense(1024, flatten=False, activation="relu")
            self.narrow = gluon.nn.Dense(256, flatten=False)
            self.classify = gluon.nn.Dense(10)
            for k, norm in enumerate(self.norms):
                self.register_child(norm, f"norm{k}")

        def forward(self, x: Any) -> Any:  # (steps, batch, units)
            mixed = self.attend(x)
            scores = nd.softmax(contrib.interleaved_matmul_selfatt_qk(mixed, heads=8))
            found = contrib.interleaved_matmul_selfatt_valatt(mixed, scores, heads=8)
            x = self.norms[0](x + self.join(found))
            x = self.norms[1](x + self.narrow(self.widen(x)))
            return self.classify(x.mean(axis=0))

    return trained(library, Encoder(), drawn(64, 16, 256), classes=labels(16))


def network(library: Any, name: str, what: str, batch: int) -> Step:
    nd, net = library.nd, getattr(library.gluon.model_zoo.vision, name)(classes=10)
    x = drawn(batch, 3, 224, 224)
    if what == "training":
        return trained(library, net, x)
    net.initialize()
    pictures = nd.array(x)
    return lambda: net(pictures).asnumpy()


def library_of(nd: Any, autograd: Any, gluon: Any, **how: Any) -> Any:
    """Return what steps are written with.

    ``compiled(step)`` may make something faster of a function of arrays, and ``hybridize(block)``
    of a block.
    """
    as_written = {"compiled": lambda step: step, "hybridize": lambda block: None}
    return SimpleNamespace(nd=nd, autograd=autograd, gluon=gluon, **{**as_written, **how})


def steps(nd: Any, autograd: Any, gluon: Any, **how: Any) -> dict[str, Maker]:
    """Return the steps, by name; see `library_of`."""
    library = library_of(nd, autograd, gluon, **how)
    adam = {"optimizer": "adam", "rate": 0.001}
    made = {
        "mlp": partial(perceptron, library, 128, 784, 256, 256),
        "mlp_wide": partial(perceptron, library, 256, 784, 1024, 1024),
        "small_adam": partial(perceptron, library, 32, 20, 64, 64, **adam),
    }
    for make in (linreg, hvp, elementwise, lm, lstm, transformer, lenet, fgsm, resblock):
        made[make.__name__] = partial(make, library)
    for name, of in (("resnet18", "resnet18_v1"), ("mobilenet", "mobilenet1_0")):
        for what in ("inference", "training"):
            for batch in (1, 32):
                made[f"{name} {what} {batch}"] = partial(network, library, of, what, batch)
    return made
