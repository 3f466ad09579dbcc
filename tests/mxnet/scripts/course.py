"""Later chapters of a course, on the NumPy interface: networks, attention, factors, a forger."""

import math

import mxnet as mx
import numpy as onp
from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn, rnn

npx.set_np()
rng = onp.random.RandomState(11)


def drawn(*shape):
    return np.array(rng.normal(size=shape).astype("float32"))


def settle(net):
    draw = onp.random.RandomState(5)
    for name, param in net.collect_params().items():
        if name.endswith("weight"):
            bound = math.sqrt(3 * param.shape[0] / param.data().size)
            param.set_data(np.array(draw.uniform(-bound, bound, param.shape).astype("float32")))


def train(title, net, inputs, loss, steps=4, rate=0.05, optimizer="sgd"):
    net.initialize(init.Xavier())
    loss(net(*inputs))
    settle(net)
    trainer = gluon.Trainer(net.collect_params(), optimizer, {"learning_rate": rate})
    losses = []
    for _ in range(steps):
        with autograd.record():
            l = loss(net(*inputs)).mean()
        l.backward()
        trainer.step(1)
        losses.append("%.4f" % float(l))
    print(title, " ".join(losses))


cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
images, classes = drawn(12, 3, 16, 16), np.arange(12) % 4


def conv_block(channels, **kwargs):
    blk = nn.HybridSequential()
    blk.add(nn.Conv2D(channels, activation="relu", **kwargs))
    blk.add(nn.Conv2D(channels, kernel_size=1, activation="relu"))
    return blk


nin = nn.HybridSequential()
nin.add(conv_block(8, kernel_size=5, strides=2, padding=2), nn.MaxPool2D(pool_size=3, strides=2))
nin.add(conv_block(4, kernel_size=3, padding=1), nn.GlobalAvgPool2D(), nn.Flatten())
nin.hybridize()
train("nin", nin, (images,), lambda y: cross_entropy(y, classes))


class Residual(nn.HybridBlock):
    def __init__(self, num_channels, use_1x1conv=False, strides=1, **kwargs):
        super().__init__(**kwargs)
        self.conv1 = nn.Conv2D(num_channels, kernel_size=3, padding=1, strides=strides)
        self.conv2 = nn.Conv2D(num_channels, kernel_size=3, padding=1)
        self.conv3 = (
            nn.Conv2D(num_channels, kernel_size=1, strides=strides) if use_1x1conv else None
        )
        self.bn1 = nn.BatchNorm()
        self.bn2 = nn.BatchNorm()

    def hybrid_forward(self, F, X):
        Y = F.npx.relu(self.bn1(self.conv1(X)))
        Y = self.bn2(self.conv2(Y))
        if self.conv3:
            X = self.conv3(X)
        return F.npx.activation(Y + X, act_type="relu")


resnet = nn.HybridSequential()
resnet.add(nn.Conv2D(4, kernel_size=3, padding=1), nn.BatchNorm(), nn.Activation("relu"))
resnet.add(Residual(8, use_1x1conv=True, strides=2), Residual(8), nn.GlobalAvgPool2D(), nn.Dense(4))
resnet.hybridize()
train("resnet", resnet, (images,), lambda y: cross_entropy(y, classes))
print("layers", [type(layer).__name__ for layer in resnet], resnet(images).shape)


class Recurrent(nn.Block):
    def __init__(self, layer, vocab_size, **kwargs):
        super().__init__(**kwargs)
        self.rnn, self.vocab_size = layer, vocab_size
        self.dense = nn.Dense(vocab_size)

    def forward(self, inputs):
        X = npx.one_hot(inputs.T, self.vocab_size)
        Y, state = self.rnn(X, self.rnn.begin_state(batch_size=inputs.shape[0], ctx=inputs.ctx))
        return self.dense(Y.reshape(-1, Y.shape[-1]))


text = np.array([[1, 2, 3, 4, 5, 0], [3, 4, 5, 0, 1, 2]])
targets = np.concatenate((text[:, 1:], text[:, :1]), axis=1).T.reshape(-1)
for layer in (rnn.RNN(8), rnn.GRU(8, 2), rnn.LSTM(8, bidirectional=True)):
    title = type(layer).__name__.lower()
    train(title, Recurrent(layer, 6), (text,), lambda y: cross_entropy(y, targets), rate=0.5)


class Attention(nn.Block):
    def __init__(self, units, heads, **kwargs):
        super().__init__(**kwargs)
        self.heads = heads
        self.q, self.k, self.v = (nn.Dense(units, use_bias=False, flatten=False) for _ in range(3))
        self.norm, self.out = nn.LayerNorm(), nn.Dense(units, flatten=False)

    def split(self, X):
        X = X.reshape(X.shape[0], X.shape[1], self.heads, -1).transpose(0, 2, 1, 3)
        return X.reshape(-1, X.shape[2], X.shape[3])

    def forward(self, X, valid_lens):
        q, k, v = self.split(self.q(X)), self.split(self.k(X)), self.split(self.v(X))
        scores = npx.batch_dot(q, k, transpose_b=True) / math.sqrt(q.shape[-1])
        lens = valid_lens.repeat(self.heads).repeat(X.shape[1])
        flat = scores.reshape(-1, scores.shape[-1])
        flat = npx.sequence_mask(flat, lens, True, value=-1e6, axis=1)
        mixed = npx.batch_dot(npx.softmax(flat).reshape(scores.shape), v)
        mixed = mixed.reshape(X.shape[0], self.heads, X.shape[1], -1).transpose(0, 2, 1, 3)
        return self.norm(X + self.out(mixed.reshape(X.shape)))


words, wanted = drawn(2, 5, 8), drawn(2, 5, 8)
train(
    "attention",
    Attention(8, 2),
    (words, np.array([3, 5])),
    lambda y: (y - wanted) ** 2,
    optimizer="adam",
)


class Factors(nn.Block):
    def __init__(self, users, items, k, **kwargs):
        super().__init__(**kwargs)
        self.P, self.Q = nn.Embedding(users, k), nn.Embedding(items, k)
        self.bias = nn.Embedding(items, 1)

    def forward(self, u, i):
        return (self.P(u) * self.Q(i)).sum(axis=1) + np.squeeze(self.bias(i))


u = np.arange(24) % 6
i = (np.arange(24) - u) / 6
scores = np.sin(u) * np.cos(i) + 1
train("factors", Factors(6, 4, 3), (u, i), lambda y: (y - scores) ** 2, rate=0.3)

points = np.dot(drawn(64, 2), np.array([[1, 2], [-0.1, 0.5]])) + np.array([1, 2])
net_G, net_D = nn.Dense(2), nn.Sequential()
net_D.add(nn.Dense(5, activation="tanh"), nn.Dense(1))
for net in (net_G, net_D):
    net.initialize()
    net(points)
    settle(net)
bce = gluon.loss.SigmoidBinaryCrossEntropyLoss()
trainer_D = gluon.Trainer(net_D.collect_params(), "adam", {"learning_rate": 0.05})
trainer_G = gluon.Trainer(net_G.collect_params(), "adam", {"learning_rate": 0.05})
for epoch in range(4):
    Z, ones, zeros = drawn(64, 2), np.ones((64,)), np.zeros((64,))
    with autograd.record():
        real, fake = net_D(points), net_D(net_G(Z).detach())
        loss_D = (bce(real, ones) + bce(fake, zeros)) / 2
    loss_D.backward()
    trainer_D.step(64)
    with autograd.record():
        loss_G = bce(net_D(net_G(Z)), ones)
    loss_G.backward()
    trainer_G.step(64)
    print("gan %.4f %.4f" % (float(loss_D.mean()), float(loss_G.mean())))
print(net_G.weight.data().round(3), mx.__version__.split("+")[0])
