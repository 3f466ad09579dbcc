"""Sequences of several lengths, tagged by recurrent layers; cells put together."""

import numpy as np
import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn, utils as gutils


def settle(net, seed=5):
    """Set weights that are the same for every library."""
    draw = np.random.RandomState(seed)
    for name in sorted(net.collect_params().keys()):
        p = net.collect_params()[name]
        if name.endswith("weight"):
            p.set_data(nd.array(draw.uniform(-0.3, 0.3, p.shape)))


from mxnet.gluon.rnn import *

vocab = 12
buckets = [4, 6]


class Tagger(gluon.Block):
    def __init__(self, mode="lstm", **kw):
        super(Tagger, self).__init__(**kw)
        with self.name_scope():
            self.emb = nn.Embedding(vocab, 5, weight_initializer=mx.init.Uniform(0.1))
            self.rnn = (
                rnn.LSTM(6, 2, bidirectional=True, input_size=5)
                if mode == "lstm"
                else rnn.GRU(6, layout="TNC", input_size=5)
            )
            self.out = nn.Dense(3, flatten=False)

    def forward(self, x, lens, state):
        e = self.emb(x).swapaxes(0, 1)
        o, s = self.rnn(e, state)
        return nd.SequenceMask(self.out(o), sequence_length=lens, use_sequence_length=True), s

    def begin_state(self, *a, **k):
        return self.rnn.begin_state(*a, **k)


rs = np.random.RandomState(0)
sents = [rs.randint(1, vocab, rs.randint(2, 7)) for _ in range(10)]
bk = {b: [] for b in buckets}
for s in sents:
    bk[[b for b in buckets if b >= len(s)][0]].append(s)
for mode in ("lstm", "gru"):
    net = Tagger(mode)
    net.initialize()
    net(nd.ones((2, 4)), nd.array([4, 4]), net.begin_state(batch_size=2))
    settle(net)
    tr = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    L = gluon.loss.SoftmaxCELoss(axis=2)
    for b in buckets:
        X = nd.array([np.pad(s, (0, b - len(s)), "constant") for s in bk[b]])
        lens = nd.array([len(s) for s in bk[b]])
        Y = (X % 3).T
        with autograd.record():
            o, s = net(
                X, lens, net.begin_state(func=mx.nd.zeros, batch_size=X.shape[0], ctx=mx.cpu())
            )
            w = nd.SequenceMask(nd.ones((b, X.shape[0], 1)), lens, True)
            l = L(o, Y, w)
        l.backward()
        tr.step(X.shape[0])
        print(mode, b, X.shape, o.shape, [t.shape for t in s], l.asnumpy().round(4))
        g = [p.grad() for p in net.collect_params().values() if p.grad_req != "null"]
        print("%.4f" % gutils.clip_global_norm(g, 0.5))
cell = SequentialRNNCell()
cell.add(LSTMCell(4))
cell.add(ZoneoutCell(GRUCell(3), 0.0, 0.0))
cell.add(ResidualCell(GRUCell(3)))
cell.add(DropoutCell(0.0))
cell.initialize()
o, st = cell.unroll(3, nd.ones((2, 3, 5)), layout="NTC", merge_outputs=True)
print(
    o.shape,
    len(st),
    cell.state_info(2)[0],
    [p.name.split("_", 1)[1] for p in list(cell.collect_params().values())[:4]],
)
bi = BidirectionalCell(RNNCell(3), RNNCell(3))
bi.initialize()
o, st = bi.unroll(2, [nd.ones((1, 2))] * 2, merge_outputs=None)
print([v.shape for v in o], len(st))
print(cell)
