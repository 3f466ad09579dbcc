"""Three ways of training, each with the gradients or parameters of one process on all data."""

from __future__ import annotations

import numpy as np

from gluon import Trainer, autograd, distributed, nd, nn, random
from gluon.autodiff import GradManager

RANK, SIZE = distributed.get_rank(), distributed.get_size()
DATA = np.random.RandomState(0).normal(size=(8, 4)).astype("float32")
MINE = nd.array(np.split(DATA, SIZE)[RANK])


def network() -> nn.HybridSequential:
    random.seed(3)
    net = nn.HybridSequential()
    net.add(nn.Dense(8, activation="tanh", in_units=4), nn.Dense(2, in_units=8))
    net.initialize()
    return net


def values(net: nn.HybridSequential) -> list[np.ndarray]:
    return [one.data().asnumpy() for one in net.collect_params().values()]


def trained(data: nd.NDArray, optimizer: str, **settings: object) -> list[np.ndarray]:
    net = network()
    trainer = Trainer(net.collect_params(), optimizer, {"learning_rate": 0.05}, **settings)
    for _ in range(4):
        with autograd.record():
            loss = (net(data) ** 2).sum()
        loss.backward()
        trainer.step(len(DATA))
    return values(net)


def agree(found: list[np.ndarray], right: list[np.ndarray]) -> None:
    for one, other in zip(found, right, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-6)


for optimizer in ("sgd", "nag", "adam", "rmsprop", "adagrad", "adadelta", "ftrl", "signum", "lamb"):
    right = trained(nd.array(DATA), optimizer, kvstore=None)
    for store, on_store in (("dist_sync", True), ("dist_device_sync", False), ("horovod", None)):
        agree(trained(MINE, optimizer, kvstore=store, update_on_kvstore=on_store), right)


class Fails(autograd.Function):
    """An operator with a gradient that raises."""

    def forward(self, x: nd.NDArray) -> nd.NDArray:
        return x * 1

    def backward(self, dy: nd.NDArray) -> nd.NDArray:
        raise KeyError("no gradient")


net = network()
weights = [one.data() for one in net.collect_params().values()]
manager = GradManager().attach(weights, callbacks=distributed.GradientAverager())
try:  # nothing of a pass that failed is left in the next one
    with manager:
        manager.backward((net[1](Fails()(net[0](MINE))) ** 2).mean())
except KeyError:
    failed = True
assert failed
with manager:
    found = manager.backward((net(MINE) ** 2).mean())
alone = network()
manager = GradManager().attach([one.data() for one in alone.collect_params().values()])
with manager:
    right = manager.backward((alone(nd.array(DATA)) ** 2).mean())
agree([g.asnumpy() for g in found], [g.asnumpy() for g in right])

# Half precision is near; two bits keep what they do not send, and copies stay equal.
near = trained(MINE, "sgd", kvstore="dist_sync", compression_params={"type": "fp16"})
for one, other in zip(near, trained(nd.array(DATA), "sgd", kvstore=None), strict=True):
    np.testing.assert_allclose(one, other, atol=1e-3)
bits = {"type": "2bit", "threshold": 0.1}
mine = trained(MINE, "sgd", kvstore="dist_sync", compression_params=bits)
for k, one in enumerate(mine):
    np.testing.assert_array_equal(distributed.broadcast(nd.array(one)).asnumpy(), one, str(k))
print("fine")
