"""Models of books, written with `np` and `npx`, for the programs of `gluon_programs`."""

from __future__ import annotations

import math
from typing import Any

import numpy as onp


def draw(*shape: int, seed: int = 0) -> Any:
    """Normal numbers, always the same."""
    return onp.random.RandomState(seed).normal(size=shape).astype("float32")


def start(m: Any, net: Any, *inputs: Any) -> Any:
    """`net` with parameters that are always the same."""
    net.initialize()
    net(*inputs)
    for k, (_, parameter) in enumerate(sorted(net._collect_params_with_prefix().items())):
        if parameter.grad_req != "null":
            parameter.set_data(m.np.array(draw(*parameter.shape, seed=k) * 0.3))
    return net


def trained(m: Any, net: Any, loss: Any, batch: tuple, optimizer: str, settings: dict) -> list:
    """The losses of a few steps, and every parameter and gradient after them."""
    trainer = m.gluon.Trainer(net.collect_params(), optimizer, settings)
    losses = []
    for _ in range(4):
        with m.autograd.record():
            value = loss(*batch)
        value.backward()
        trainer.step(len(batch[0]))
        losses.append(value.mean())
    found = [one for _, one in sorted(net._collect_params_with_prefix().items())]
    found = [one for one in found if one.grad_req != "null"]
    return [losses, [one.data() for one in found], [one.grad() for one in found]]


def transformer(m: Any) -> list:
    """Attention of several heads with lengths, positions, residuals: an encoder that learns."""
    np, npx, nn = m.np, m.npx, m.nn

    class Attention(nn.Block):
        def __init__(self, units: int, heads: int) -> None:
            super().__init__()
            self.heads = heads
            self.q, self.k, self.v, self.o = (
                nn.Dense(units, use_bias=False, flatten=False) for _ in range(4)
            )

        def split(self, x: Any) -> Any:
            x = x.reshape(x.shape[0], x.shape[1], self.heads, -1).transpose(0, 2, 1, 3)
            return x.reshape(-1, x.shape[2], x.shape[3])

        def forward(self, x: Any, lengths: Any) -> Any:
            q, k, v = (self.split(one(x)) for one in (self.q, self.k, self.v))
            scores = npx.batch_dot(q, k, transpose_b=True) / math.sqrt(q.shape[-1])
            flat = scores.reshape(-1, scores.shape[-1])
            known = lengths.repeat(self.heads * scores.shape[1])
            flat = npx.sequence_mask(flat, known, True, value=-1e6, axis=1)
            mixed = npx.batch_dot(npx.softmax(flat).reshape(scores.shape), v)
            mixed = mixed.reshape(-1, self.heads, mixed.shape[1], mixed.shape[2])
            mixed = mixed.transpose(0, 2, 1, 3)
            return self.o(mixed.reshape(mixed.shape[0], mixed.shape[1], -1))

    class Encoder(nn.Block):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(7, 8)
            self.attention, self.first, self.second = (
                Attention(8, 2),
                nn.LayerNorm(),
                nn.LayerNorm(),
            )
            self.wide = nn.Dense(16, flatten=False, activation="relu")
            self.narrow, self.out = nn.Dense(8, flatten=False), nn.Dense(3, flatten=False)
            angles = np.arange(6).reshape(-1, 1) / np.power(10000, np.arange(0, 8, 2) / 8)
            self.places = np.zeros((1, 6, 8))
            self.places[:, :, 0::2] = np.sin(angles)
            self.places[:, :, 1::2] = np.cos(angles)

        def forward(self, tokens: Any, lengths: Any) -> Any:
            x = self.embedding(tokens) * math.sqrt(8) + self.places[:, : tokens.shape[1], :]
            x = self.first(x + self.attention(x, lengths))
            x = self.second(x + self.narrow(self.wide(x)))
            return self.out(x)

    tokens = np.array(onp.random.RandomState(0).randint(0, 7, (2, 5)), dtype="int32")
    labels = np.array(onp.random.RandomState(1).randint(0, 3, (2, 5)), dtype="int32")
    lengths = np.array([3, 5])
    net = start(m, Encoder(), tokens, lengths)
    compare = m.loss.SoftmaxCrossEntropyLoss()
    known = npx.sequence_mask(np.ones((2, 5)), lengths, True, axis=1)

    def loss(tokens: Any, labels: Any) -> Any:
        return compare(net(tokens, lengths), labels, np.expand_dims(known, axis=-1))

    return trained(m, net, loss, (tokens, labels), "adam", {"learning_rate": 0.01})


def batch_normalized(m: Any) -> list:
    """Batch normalization written out, with averages that move, in a small network."""
    np, nn = m.np, m.nn

    class Normalized(nn.Block):
        def __init__(self, features: int) -> None:
            super().__init__()
            self.gamma = self.params.get("gamma", shape=(1, features), init=m.init.One())
            self.beta = self.params.get("beta", shape=(1, features), init=m.init.Zero())
            self.mean, self.variance = np.zeros((1, features)), np.zeros((1, features))

        def forward(self, x: Any) -> Any:
            mean, variance = self.mean, self.variance
            if m.autograd.is_training():
                mean = x.mean(axis=0)
                variance = ((x - mean) ** 2).mean(axis=0)
                self.mean = 0.9 * self.mean + 0.1 * mean
                self.variance = 0.9 * self.variance + 0.1 * variance
            scaled = (x - mean) / np.sqrt(variance + 1e-5)
            return self.gamma.data() * scaled + self.beta.data()

    net = nn.Sequential()
    net.add(nn.Dense(6), Normalized(6), nn.Activation("sigmoid"), nn.Dense(2))
    x, y = np.array(draw(5, 4)), np.array([0, 1, 1, 0, 1])
    start(m, net, x)
    compare = m.loss.SoftmaxCrossEntropyLoss()
    found = trained(m, net, lambda x, y: compare(net(x), y), (x, y), "sgd", {"learning_rate": 0.5})
    return [found, net[1].mean, net[1].variance, net(x)]


def word_vectors(m: Any) -> list:
    """Skip-grams with negative samples: embeddings, products and a masked loss."""
    np, npx, nn = m.np, m.npx, m.nn
    net = nn.Sequential()
    net.add(nn.Embedding(6, 3), nn.Embedding(6, 3))
    draws = onp.random.RandomState(2)
    centre = np.array(draws.randint(0, 6, (4, 1)))
    context = np.array(draws.randint(0, 6, (4, 3)))
    label, mask = np.array(draws.randint(0, 2, (4, 3))), np.array([[1, 1, 1], [1, 1, 0]] * 2)
    net.initialize()
    for k, one in enumerate(net):
        one.weight.set_data(np.array(draw(6, 3, seed=k)))
    compare = m.loss.SigmoidBCELoss()

    def loss(centre: Any, context: Any) -> Any:
        products = npx.batch_dot(net[0](centre), net[1](context).swapaxes(1, 2))
        found = compare(products.reshape(label.shape), label, mask)
        return found * mask.shape[1] / mask.sum(axis=1)

    return trained(m, net, loss, (centre, context), "adam", {"learning_rate": 0.05})


def translation(m: Any) -> list:
    """An encoder and a decoder of recurrent layers, whose states go from one to the other."""
    np, nn = m.np, m.nn

    class Both(nn.Block):
        def __init__(self) -> None:
            super().__init__()
            self.source, self.target = nn.Embedding(5, 3), nn.Embedding(5, 3)
            self.encoder, self.decoder = m.rnn.GRU(4, 2), m.rnn.GRU(4, 2)
            self.out = nn.Dense(5, flatten=False)

        def forward(self, source: Any, target: Any) -> Any:
            x = self.source(source).swapaxes(0, 1)
            _, state = self.encoder(x, self.encoder.begin_state(batch_size=x.shape[1]))
            y = self.target(target).swapaxes(0, 1)
            context = np.broadcast_to(state[0][-1], (y.shape[0], *state[0][-1].shape))
            y, state = self.decoder(np.concatenate((y, context), axis=2), state)
            return self.out(y).swapaxes(0, 1)

    draws = onp.random.RandomState(3)
    source, target, label = (np.array(draws.randint(0, 5, (2, 4))) for _ in range(3))
    net = start(m, Both(), source, target)
    compare = m.loss.SoftmaxCrossEntropyLoss()
    batch = (source, target)
    settings = {"learning_rate": 0.1, "clip_gradient": 1.0}
    return trained(m, net, lambda x, y: compare(net(x, y), label), batch, "sgd", settings)


def optimizers_by_hand(m: Any) -> list:
    """Momentum, RMSProp and Adam written out, and a penalty on the weights."""
    np, autograd = m.np, m.autograd
    x, wanted = np.array(draw(8, 3)), np.array([2.0, -3.4, 1.0])
    y = np.dot(x, wanted) + 4.2
    found = []
    for rule in ("momentum", "rmsprop", "adam"):
        w, b = np.array(draw(3, seed=1)), np.zeros(1)
        states = [[np.zeros_like(one), np.zeros_like(one)] for one in (w, b)]
        for one in (w, b):
            one.attach_grad()
        for t in range(1, 6):
            with autograd.record():
                error = np.dot(x, w) + b - y
                loss = (error**2 / 2).mean() + 0.01 * (w**2).sum() / 2
            loss.backward()
            for one, (first, second) in zip((w, b), states):
                g = one.grad
                if rule == "momentum":
                    first[:] = 0.9 * first + g
                    one[:] -= 0.1 * first
                elif rule == "rmsprop":
                    second[:] = 0.9 * second + 0.1 * np.square(g)
                    one[:] -= 0.1 * g / np.sqrt(second + 1e-6)
                else:
                    first[:] = 0.9 * first + 0.1 * g
                    second[:] = 0.999 * second + 0.001 * np.square(g)
                    scaled = second / (1 - 0.999**t)
                    one[:] -= 0.1 * first / (1 - 0.9**t) / (np.sqrt(scaled) + 1e-6)
        found.append([w, b, loss, float(loss)])
    return found


MODELS = (transformer, batch_normalized, word_vectors, translation, optimizers_by_hand)
