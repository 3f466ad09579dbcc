"""Programs of key-value stores and trainers, that run on MXNet 1.9.1 and on gluon alike."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable

import numpy as np


def arrays(mx, *seeds, ctx=None):
    random = [np.random.RandomState(seed).normal(size=(2, 3)) for seed in seeds]
    return [mx.nd.array(one, ctx=ctx) for one in random]


def pulled(mx, store, *keys):
    found = []
    for key in keys:
        out = mx.nd.zeros((2, 3))
        store.pull(key, out=out)
        found.append(out)
    return found


def values(mx, name: str) -> list:
    """Values that are pushed, pulled, both and broadcast, singly and in lists."""
    store = mx.kv.create(name)
    a, b, c, d = arrays(mx, 0, 1, 2, 3)
    store.init(3, a)
    found = [store.type, str(store.rank), str(store.num_workers), *pulled(mx, store, 3)]
    store.push(3, b)
    found += pulled(mx, store, 3)
    store.push(3, [a, b, c])
    found += pulled(mx, store, 3)
    store.init([5, 7], [c, d])
    store.push([5, 7], [[a, b], [c, d]])
    found += pulled(mx, store, 5, 7)
    store.push([5, 5, 7], [a, b, c])
    found += pulled(mx, store, 5, 7)
    outs = arrays(mx, 4, 5, 6, 7)
    store.pull([3, 5], out=[outs[:2], outs[2:]])
    found += outs
    store.pull([3, 5], out=outs[1:3])
    store.pushpull(3, [a, d], out=outs[0])
    found += outs
    several = arrays(mx, 8, 9)
    store.pushpull(5, several)
    found += several
    one = arrays(mx, 10)[0]
    store.pushpull(7, one)
    store.broadcast(9, b, out=outs[:2])
    store.broadcast([11, 13], [c, d], out=outs[2:])
    return [*found, one, *outs, *pulled(mx, store, 3, 5, 7, 9, 11)]


def contexts(mx) -> list:
    """Arrays of several contexts."""
    store = mx.kv.create("device")
    one, two = arrays(mx, 0)[0], arrays(mx, 1, ctx=mx.cpu(1))[0]
    store.init("w", one)
    store.push("w", [one, two])
    outs = [mx.nd.zeros((2, 3), ctx=mx.cpu(k)) for k in (1, 0)]
    store.pull("w", out=outs)
    return [*outs, *(str(out.context) for out in outs)]


def updated(mx) -> list:
    """The arguments of an updater, and the resulting values."""
    found = []

    def update(key, pushed, value):
        found.extend([f"{key!r}", pushed.copy(), value.copy()])
        value += 2 * pushed

    store = mx.kv.create("local")
    a, b, c, d = arrays(mx, 0, 1, 2, 3)
    store.init([1, 2], [a.copy(), b.copy()])
    store._set_updater(update)
    store.push(1, [c, d])
    store.push([1, 2], [a, [b, c]])
    several = arrays(mx, 4, 5)
    store.pushpull(2, several)
    return [*found, *several, *pulled(mx, store, 1, 2)]


def optimized(mx) -> list:
    """Gradients that an optimizer applies, with its states saved and loaded on the way."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "states")
        for names in ((0, 1), ("a", "b")):
            for dump in (False, True):
                store = mx.kv.create("local")
                store.init(list(names), [one.copy() for one in arrays(mx, 0, 1)])
                store.set_optimizer(mx.optimizer.SGD(learning_rate=0.1, momentum=0.9, wd=0.1))
                for step in range(3):
                    store.push(names[0], arrays(mx, step, step + 1))
                    store.push(list(names), arrays(mx, step, step + 2))
                    found += pulled(mx, store, *names)
                    if step == 1:
                        store.save_optimizer_states(path, dump_optimizer=dump)
                store.load_optimizer_states(path)
                store.push(names[1], arrays(mx, 7)[0])
                found += pulled(mx, store, *names)
    return found


def own(mx) -> list:
    """A store of the user's own: what a trainer asks of it, by its name and as an object."""
    found: list = []

    @mx.kv.KVStoreBase.register
    class Mine(mx.kv.KVStoreBase):
        type = "mine"
        rank = 0
        num_workers = 1

        @staticmethod
        def is_capable(capability):
            return False

        def broadcast(self, key, value, out, priority=0):
            found.append(f"broadcast {key} {value.shape} {len(out)} {priority}")

        def pushpull(self, key, value, out=None, priority=0):
            found.append(f"pushpull {key} {len(value)} {out} {priority}")
            for one in value:
                one *= 2

    for kvstore in ("mine", "Mine", Mine()):
        for count in (1, 2):
            places = [mx.cpu(k) for k in range(count)]
            net = mx.gluon.nn.Dense(1, in_units=2, prefix="net_")
            net.initialize(mx.init.One(), ctx=places)
            params = net.collect_params()
            trainer = mx.gluon.Trainer(params, "sgd", {"learning_rate": 0.5}, kvstore=kvstore)
            for _ in range(2):
                stepped(mx, net, trainer, places)
            found += net.weight.list_data()
    return found


def stepped(mx, net, trainer, places, batch_size=2):
    """One step with a batch on each context."""
    x = mx.nd.array([[1, 2], [3, 5]])
    with mx.autograd.record():
        losses = [(net(x.as_in_context(ctx) * (k + 1)) ** 2).sum() for k, ctx in enumerate(places)]
    mx.autograd.backward(losses)
    trainer.step(batch_size)


#: Settings of a trainer, and the number of contexts.
TRAINERS = [
    ("sgd", {"learning_rate": 0.01, "momentum": 0.9}, "'device'", None, 1),
    ("sgd", {"learning_rate": 0.01, "momentum": 0.9}, "'device'", None, 2),
    ("sgd", {"learning_rate": 0.01, "momentum": 0.9}, "'local'", None, 3),
    ("sgd", {"learning_rate": 0.01, "momentum": 0.9}, "None", None, 2),
    ("sgd", {"learning_rate": 0.01, "wd": 0.1}, "kv.create('device')", None, 1),
    ("sgd", {"learning_rate": 0.01, "wd": 0.1}, "kv.create('device')", False, 1),
    ("sgd", {"learning_rate": 0.01, "wd": 0.1}, "kv.create('local')", None, 2),
    ("sgd", {"learning_rate": 0.01, "wd": 0.1}, "kv.create('local')", True, 2),
    ("sgd", {"learning_rate": 0.01, "momentum": 0.9}, "kv.create('local')", False, 2),
    ("adam", {"learning_rate": 0.1}, "kv.create('device')", None, 1),
    ("adam", {"learning_rate": 0.1}, "'device'", False, 2),
]


def trained(mx, optimizer, settings, kvstore, update_on_kvstore, count) -> list:
    """Steps with several batch sizes, learning rates and factors; weights that are set between."""
    places = [mx.cpu(k) for k in range(count)]
    net = mx.gluon.nn.Dense(2, in_units=2, prefix="net_")
    net.initialize(mx.init.One(), ctx=places)
    net.bias.lr_mult = 0.5
    trainer = mx.gluon.Trainer(
        net.collect_params(),
        optimizer,
        settings,
        kvstore=eval(kvstore, {"kv": mx.kv}),
        update_on_kvstore=update_on_kvstore,
    )
    found = [str(trainer.learning_rate)]
    for step in range(4):
        stepped(mx, net, trainer, places, batch_size=2 + step)
        found += [one.copy() for one in [*net.weight.list_data(), *net.bias.list_data()]]
        if step == 1:
            trainer.set_learning_rate(0.02)
            if count == 1 and "create" not in kvstore:  # or MXNet forgets the momentum, or fails
                net.weight.set_data(mx.nd.array([[1, -1], [2, 0.5]]))
    return [*found, str(trainer.learning_rate)]


def programs() -> dict[str, Callable]:
    """Return all programs, by a descriptive name."""
    found: dict[str, Callable] = {}
    for name in ("local", "device", "local_allreduce_cpu"):
        found[f"store {name}"] = lambda mx, n=name: values(mx, n)
    for settings in TRAINERS:
        found[f"trainer {settings}"] = lambda mx, s=settings: trained(mx, *s)
    for one in (contexts, updated, optimized, own):
        found[f"store {one.__name__}"] = one
    return found
