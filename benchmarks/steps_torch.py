"""The steps of `steps.py`, as users of PyTorch write them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import nn

from .processes import Maker
from .steps import drawn, labels

Step = Callable[[], Any]


def dense(inputs: int, *units: int, last: int = 10) -> list:
    layers: list = []
    for n in units:
        layers += [nn.Linear(inputs, n), nn.ReLU()]
        inputs = n
    return [*layers, nn.Linear(inputs, last)]


def lenet_layers() -> Any:
    layers: list = []
    for before, channels in ((1, 20), (20, 50)):
        layers += [nn.Conv2d(before, channels, 5), nn.ReLU(), nn.MaxPool2d(2, 2)]
    return nn.Sequential(*layers, nn.Flatten(), *dense(800, 500))


def resblock_layers() -> Any:
    layers: list = []
    for _ in range(2):
        layers += [nn.Conv2d(64, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU()]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))


def trained(
    net: Any, x: Any, optimizer: Any = torch.optim.SGD, rate: float = 0.01, classes: Any = None
) -> Step:
    x = torch.tensor(x)
    y = torch.tensor(labels(len(x)) if classes is None else classes).reshape(-1)
    loss_of = nn.CrossEntropyLoss()
    trainer = optimizer(net.parameters(), lr=rate)

    def step() -> float:
        trainer.zero_grad()
        loss = loss_of(net(x).flatten(0, -2), y)
        loss.backward()
        trainer.step()
        return loss.item()

    return step


def perceptron(batch: int, inputs: int, *units: int, **optimizer: Any) -> Step:
    return trained(nn.Sequential(*dense(inputs, *units)), drawn(batch, inputs), **optimizer)


def lenet() -> Step:
    return trained(lenet_layers(), drawn(64, 1, 28, 28))


def resblock() -> Step:
    return trained(resblock_layers(), drawn(32, 64, 32, 32))


def fgsm() -> Step:
    net = lenet_layers().eval()
    x, y = torch.tensor(drawn(64, 1, 28, 28), requires_grad=True), torch.tensor(labels(64))
    loss_of = nn.CrossEntropyLoss(reduction="sum")
    return lambda: torch.autograd.grad(loss_of(net(x), y), [x])[0].numpy()


def linreg() -> Step:
    features, targets = torch.tensor(drawn(10, 2)), torch.tensor(drawn(10, 1))
    w = torch.tensor(drawn(2, 1), requires_grad=True)
    b = torch.zeros(1, requires_grad=True)

    def step() -> float:
        loss = ((torch.mm(features, w) + b - targets) ** 2 / 2).sum()
        loss.backward()
        with torch.no_grad():
            for parameter in (w, b):
                parameter -= 0.03 * parameter.grad / 10
                parameter.grad = None
        return loss.item()

    return step


def elementwise() -> Step:
    x = torch.tensor(drawn(4_000_000), requires_grad=True)

    def step() -> float:
        x.grad = None
        y = (torch.tanh(x) * torch.exp(-x * x) + x).sum()
        y.backward()
        return y.item()

    return step


def hvp() -> Step:
    x, v = torch.tensor(drawn(64, 100)), torch.tensor(drawn(100, 100))
    w = torch.tensor(drawn(100, 100) / 10, requires_grad=True)

    def step() -> Any:
        w.grad = None
        y = torch.mm(torch.sigmoid(torch.mm(x, w)), w).sum()
        slope = torch.autograd.grad(y, [w], create_graph=True)[0]
        (slope * v).sum().backward()
        return w.grad.numpy()

    return step


def lstm() -> Step:
    net, x = nn.LSTM(128, 256), torch.tensor(drawn(35, 32, 128))
    trainer = torch.optim.SGD(net.parameters(), lr=0.01)

    def step() -> float:
        trainer.zero_grad()
        loss = net(x)[0].square().mean()
        loss.backward()
        trainer.step()
        return loss.item()

    return step


def lm() -> Step:
    words = labels(8 * 36, 9973).reshape(8, 36)
    net = nn.Sequential(nn.Embedding(10000, 128), nn.Linear(128, 10000))
    return trained(net, words[:, :-1], classes=words[:, 1:])


class Encoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(256, 8, 1024, dropout=0.0)
        self.classify = nn.Linear(256, 10)

    def forward(self, x: Any) -> Any:
        return self.classify(self.layer(x).mean(0))


def transformer() -> Step:
    return trained(Encoder(), drawn(64, 16, 256), classes=labels(16))


# --------------------------------------------------------- networks, as in gluon's model zoo


def normed(inputs: int, outputs: int, size: int, stride: int, groups: int = 1) -> list:
    pad = size // 2
    conv = nn.Conv2d(inputs, outputs, size, stride, pad, groups=groups, bias=False)
    return [conv, nn.BatchNorm2d(outputs)]


class Residual(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        first, second = normed(inputs, outputs, 3, stride), normed(outputs, outputs, 3, 1)
        self.body = nn.Sequential(*first, nn.ReLU(), *second)
        direct = stride == 1 and inputs == outputs
        self.short = (
            nn.Sequential() if direct else nn.Sequential(*normed(inputs, outputs, 1, stride))
        )

    def forward(self, x: Any) -> Any:
        return torch.relu(self.body(x) + self.short(x))


def ended(layers: list, channels: int) -> Any:
    end = [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 10)]
    return nn.Sequential(*layers, *end)


def resnet18() -> Any:
    layers: list = [*normed(3, 64, 7, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    before = 64
    for channels in (64, 128, 256, 512):
        stride = 1 if channels == before else 2
        layers += [Residual(before, channels, stride), Residual(channels, channels, 1)]
        before = channels
    return ended(layers, before)


def mobilenet() -> Any:
    layers: list = [*normed(3, 32, 3, 2), nn.ReLU()]
    before, wide = 32, (64, 128, 128, 256, 256, *[512] * 6, 1024, 1024)
    for channels, stride in zip(wide, (1, 2, 1, 2, 1, 2, *[1] * 5, 2, 1)):
        layers += [*normed(before, before, 3, stride, before), nn.ReLU()]
        layers += [*normed(before, channels, 1, 1), nn.ReLU()]
        before = channels
    return ended(layers, before)


def network(make: Callable[[], Any], what: str, batch: int) -> Step:
    net, x = make(), drawn(batch, 3, 224, 224)
    if what == "training":
        return trained(net, x)
    net.eval()
    pictures = torch.tensor(x)

    def step() -> Any:
        with torch.no_grad():
            return net(pictures).numpy()

    return step


def steps() -> dict[str, Maker]:
    """Return the steps, by name."""
    adam = {"optimizer": torch.optim.Adam, "rate": 0.001}
    made: dict[str, Maker] = {
        "mlp": partial(perceptron, 128, 784, 256, 256),
        "mlp_wide": partial(perceptron, 256, 784, 1024, 1024),
        "small_adam": partial(perceptron, 32, 20, 64, 64, **adam),
    }
    for make in (linreg, hvp, elementwise, lm, lstm, transformer, lenet, fgsm, resblock):
        made[make.__name__] = make
    for net in (resnet18, mobilenet):
        for what in ("inference", "training"):
            for batch in (1, 32):
                made[f"{net.__name__} {what} {batch}"] = partial(network, net, what, batch)
    return made
