"""Networks and uses of them, drawn at random: a hybridized one does what it does as written."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import gluon
from gluon import HybridBlock, Trainer, autograd, loss, nd, nn, rnn

from .test_hybridize import assert_same, is_program


class Residual(HybridBlock):
    def __init__(self, inner, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.inner = inner

    def hybrid_forward(self, F, x):
        return F.tanh(x + self.inner(x))


class Parts(HybridBlock):
    def hybrid_forward(self, F, x):
        a = F.slice_axis(x, axis=1, begin=0, end=2)
        return F.concat(a * F.sigmoid(a), F.where(x > 0.1, x * 2, F.sin(x)), dim=1)


class Writes(HybridBlock):
    def forward(self, x):
        y = x * 1.5
        with autograd.pause():
            z = nd.zeros_like(y)
            z[:, 0] = 1
        return nd.concat(y + z, y[:, ::-1], dim=1)


class Centered(HybridBlock):
    def hybrid_forward(self, F, x):
        return F.broadcast_sub(x, F.mean(x, axis=0, keepdims=True)) + 0.1 * F.cumsum(x, axis=1)


class Unrolled(HybridBlock):
    def __init__(self, cell, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.cell = cell

    def hybrid_forward(self, F, x):
        steps = F.stack(*[x * (0.5 + k) for k in range(3)], axis=1)
        outputs, states = self.cell.unroll(3, steps, layout="NTC", merge_outputs=True)
        return F.concat(F.flatten(outputs), states[0], dim=1)


class Images(HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.first, self.conv = nn.Dense(72), nn.Conv2D(3, 3, padding=1, activation="relu")

    def hybrid_forward(self, F, x):
        y = self.conv(F.reshape(self.first(x), (-1, 2, 6, 6)))
        return F.flatten(F.Pooling(y, kernel=(2, 2), stride=(2, 2), pool_type="max"))


LAYERS = [
    lambda: nn.Dense(6, activation="tanh"),
    lambda: nn.Dense(9, use_bias=False),
    lambda: nn.LayerNorm(),
    lambda: nn.Dropout(0.3),
    lambda: nn.PReLU(),
    lambda: nn.GELU(),
    lambda: Residual(nn.Swish()),
    lambda: Residual(nn.LayerNorm()),
    Parts,
    Writes,
    Centered,
    lambda: Unrolled(rnn.LSTMCell(3)),
    lambda: Unrolled(rnn.GRUCell(4)),
    Images,
]


class Use:
    """A drawn network, written or hybridized, and what was seen of it."""

    def __init__(self, seed: int, hybrid: bool) -> None:
        gluon.random.seed(seed)
        self.draw, self.hybrid = np.random.RandomState(seed), hybrid
        self.net = nn.HybridSequential()
        for k in self.draw.randint(len(LAYERS), size=self.draw.randint(2, 7)):
            self.net.add(LAYERS[k]())
        self.net.add(nn.Dense(3))
        self.net.initialize("xavier")
        self.dtype = "float64" if self.draw.randint(2) else "float32"
        self.net.cast(self.dtype)
        self.loss = [loss.L2Loss(), loss.HuberLoss()][self.draw.randint(2)]
        if hybrid:
            self.net.hybridize()
            self.loss.hybridize()
        self.rows, self.seen, self.trainer, self.made = 4, [], None, False
        self.see(self.net(self.x()))

    def x(self):
        return nd.array(self.draw.uniform(-1, 1, (self.rows, 5)), dtype=self.dtype)

    def params(self) -> list:
        return [one for one in self.net.collect_params().values() if one.grad_req != "null"]

    def see(self, *arrays) -> None:
        self.seen += [one.asnumpy() for one in arrays]

    def see_all(self, *arrays) -> None:
        self.see(*arrays, *[one.grad() for one in self.params()], nd.random.uniform(shape=(1,)))

    def all(self, uses: list) -> Use:
        for use in uses:
            use(self)
            self.made = self.made or (self.hybrid and is_program(self.net))
        return self

    def train(self) -> None:
        self.trainer = self.trainer or Trainer(self.net.collect_params(), "sgd", {"wd": 0.01})
        for _ in range(4):
            with autograd.record():
                y = self.net(self.x())
                found = self.loss(y, y.detach() * 0.5)
            found.backward()
            self.see_all(y, found)
            self.trainer.step(self.rows)

    def predict(self) -> None:
        for _ in range(4):
            self.see(self.net(self.x()))

    def rows_change(self) -> None:
        self.rows = int(self.draw.randint(2, 6))

    def twice_before_backward(self) -> None:
        for _ in range(4):
            x = self.x()
            x.attach_grad()
            with autograd.record():
                a, b = self.net(x), self.net(x * 2)
                total = (a * b).sum()
            total.backward()
            self.see_all(total, x.grad)

    def retain_and_add(self) -> None:
        for _ in range(3):
            x = self.x()
            x.attach_grad("add")
            with autograd.record():
                y = self.net(x)
            y.backward(retain_graph=True)
            y.backward(y * 2)
            self.see_all(x.grad)

    def write_between(self) -> None:
        for _ in range(3):
            x = self.x()
            x.attach_grad()
            with autograd.record():
                y = self.net(x)
            for one in self.params():
                one.data()[:] = one.data() * 0.9
            x[:] = 5
            y.backward()
            self.see_all(x.grad)

    def views(self) -> None:
        whole = nd.array(self.draw.uniform(-1, 1, (5, 8)), dtype=self.dtype)
        for _ in range(4):
            self.see(self.net(whole.T[1:5]))
            whole[:] = whole * 0.9
            y = self.net(whole.T[1:5])
            y[0] = 1
            self.see(y)

    def other_requests(self) -> None:
        one = self.params()[0]
        one.grad_req = "add" if one.grad_req == "write" else "write"
        one.zero_grad()

    def modes(self) -> None:
        for _ in range(3):
            with autograd.record(train_mode=False):
                y = self.net(self.x())
            with autograd.train_mode():
                z = self.net(self.x())
            y.backward()
            self.see_all(y, z)

    def second_order(self) -> None:
        x = self.x()
        x.attach_grad()
        with autograd.record():
            y = self.net(x)
            (g,) = autograd.grad((y * y).sum(), [x], create_graph=True)
            z = (g * g).sum()
        z.backward()
        self.see_all(x.grad)

    def initialize(self) -> None:
        self.net.initialize(force_reinit=True)
        self.predict()

    def copied(self) -> None:
        self.net, self.trainer = copy.deepcopy(self.net), None

    def hook(self) -> None:
        handle = self.net[0].register_forward_hook(lambda block, inputs, y: self.see(y))
        self.predict()
        handle.detach()

    def grown(self) -> None:
        layer = nn.Dense(3)
        layer.initialize()
        layer.cast(self.dtype)
        self.net.add(layer)
        self.trainer = None

    def wrong(self) -> None:
        with pytest.raises(gluon.GluonError):
            self.net(nd.ones((self.rows, 5, 0), dtype=self.dtype))
        gluon.random.seed(3)


NO_USES = ("x", "params", "see", "see_all", "all")
USES = [one for name, one in vars(Use).items() if name[0] != "_" and name not in NO_USES]


@pytest.mark.parametrize(
    "seed", [*range(6), *[pytest.param(k, marks=pytest.mark.slow) for k in range(6, 32)]]
)
def test_a_drawn_network(seed, monkeypatch):
    monkeypatch.setenv("GLUON_PROGRAM", "1")
    draw = np.random.RandomState(seed)
    uses = [Use.train, *[USES[k] for k in draw.randint(len(USES), size=8)], Use.predict]
    right, found = Use(seed, False).all(uses), Use(seed, True).all(uses)
    assert found.made
    assert_same(found.seen, right.seen, 1e-4 if right.dtype == "float32" else 1e-8)
