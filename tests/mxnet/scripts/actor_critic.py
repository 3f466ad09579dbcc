"""Learning by rewards: a policy and a value for each state."""

import numpy as np
import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


def settle(net, seed=5):
    """Set weights that are the same for every library."""
    draw = np.random.RandomState(seed)
    for name in sorted(net.collect_params().keys()):
        p = net.collect_params()[name]
        if name.endswith("weight"):
            p.set_data(nd.array(draw.uniform(-0.3, 0.3, p.shape)))


class Policy(gluon.Block):
    def __init__(self, **kwargs):
        super(Policy, self).__init__(**kwargs)
        with self.name_scope():
            self.dense = nn.Dense(16, in_units=4, activation="relu")
            self.action_pred = nn.Dense(2, in_units=16)
            self.value_pred = nn.Dense(1, in_units=16)

    def forward(self, x):
        x = self.dense(x)
        probs = self.action_pred(x)
        values = self.value_pred(x)
        return nd.softmax(probs), values


net = Policy()
net.initialize(mx.init.Uniform(0.02))
settle(net)
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 3e-2})
loss = gluon.loss.L1Loss()
rs = np.random.RandomState(0)
for ep in range(3):
    rewards, values, heads, actions = [], [], [], []
    with autograd.record():
        for t in range(6):
            state = nd.array(np.expand_dims(rs.rand(4), 0))
            prob, value = net(state)
            action, logp = nd.sample_multinomial(prob, get_prob=True)
            action = nd.array([t % 2]).astype("int32")
            logp = nd.log(nd.pick(prob, action))
            rewards.append(float(t))
            actions.append(action)
            values.append(value)
            heads.append(logp)
        R = 0
        for i in range(len(rewards) - 1, -1, -1):
            R = rewards[i] + 0.9 * R
            rewards[i] = R
        rewards = np.array(rewards)
        rewards -= rewards.mean()
        rewards /= rewards.std() + np.finfo(rewards.dtype).eps
        L = sum([loss(v, nd.array([r])) for r, v in zip(rewards, values)])
        final = [L]
        for logp, r, v in zip(heads, rewards, values):
            final.append(-logp * nd.array([r - v.asscalar()]))
        autograd.backward(final)
    trainer.step(len(rewards))
    print(ep, "%.4f" % L.asscalar(), ["%.3f" % h.asscalar() for h in heads[:3]])
