"""One training step written twice: with autograd.record() and with a GradManager.

Both record the same network on the same batch, so their gradients, and the parameters after the
step, must be equal.

    python tutorials/grad_manager_step.py
"""

from __future__ import annotations

import sys

import numpy as np

import gluon
from gluon import autograd, nd, nn
from gluon.autodiff import GradManager

TOLERANCE = 1e-6


def build() -> nn.HybridSequential:
    """A small network whose parameters are the same every time."""
    gluon.random.seed(0)
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(8, kernel_size=3, in_channels=1),
        nn.BatchNorm(in_channels=8),
        nn.Activation("relu"),
        nn.MaxPool2D(),
        nn.Dense(10, in_units=72),
    )
    net.initialize(gluon.init.Xavier())
    return net


def gradients(net: nn.HybridSequential) -> list[np.ndarray]:
    params = net.collect_params().values()
    return [one.grad().asnumpy() for one in params if one.grad_req != "null"]


def step_with_autograd(net: nn.HybridSequential, x: nd.NDArray, label: nd.NDArray) -> float:
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    with autograd.record():
        loss = gluon.loss.SoftmaxCrossEntropyLoss()(net(x), label).mean()
    loss.backward()
    trainer.step(batch_size=1)
    return loss.asscalar()


def step_with_grad_manager(net: nn.HybridSequential, x: nd.NDArray, label: nd.NDArray) -> float:
    weights = [one.data() for one in net.collect_params().values() if one.grad_req != "null"]
    manager = GradManager().attach(weights)
    with manager, autograd.train_mode():
        loss = gluon.loss.SoftmaxCrossEntropyLoss()(net(x), label).mean()
        manager.backward(loss)
    for weight in weights:
        weight -= 0.1 * weight.grad
    return loss.asscalar()


def largest_difference(one: list[np.ndarray], two: list[np.ndarray]) -> float:
    return max(float(abs(a - b).max()) for a, b in zip(one, two))


def main() -> int:
    rng = np.random.default_rng(0)
    x = nd.array(rng.normal(size=(32, 1, 8, 8)))
    label = nd.array(rng.integers(0, 10, 32))

    one, two = build(), build()
    losses = step_with_autograd(one, x, label), step_with_grad_manager(two, x, label)
    after = [
        [param.data().asnumpy() for param in net.collect_params().values()] for net in (one, two)
    ]
    in_gradients = largest_difference(gradients(one), gradients(two))
    in_parameters = largest_difference(*after)
    print(f"loss:                              {losses[0]:.6f} and {losses[1]:.6f}")
    print(f"largest difference of gradients:   {in_gradients:.1e}")
    print(f"largest difference after the step: {in_parameters:.1e}")
    if max(in_gradients, in_parameters) > TOLERANCE:
        print(f"the two steps should agree to {TOLERANCE}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
