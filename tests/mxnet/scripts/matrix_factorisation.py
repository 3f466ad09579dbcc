"""Ratings as products of factors, with metrics of several kinds."""

import math

import numpy as np
import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import data as gdata, nn


def settle(net, seed=5):
    """Set weights that are the same for every library."""
    draw = np.random.RandomState(seed)
    for name in sorted(net.collect_params().keys()):
        p = net.collect_params()[name]
        if name.endswith("weight"):
            p.set_data(nd.array(draw.uniform(-0.3, 0.3, p.shape)))


class MFBlock(gluon.HybridBlock):
    def __init__(self, mu, mi, k, dropout_p=0.0):
        super(MFBlock, self).__init__()
        with self.name_scope():
            self.u = nn.Embedding(input_dim=mu, output_dim=k, sparse_grad=False)
            self.i = nn.Embedding(mi, k)
            self.ub = nn.Embedding(mu, 1)
            self.ib = nn.Embedding(mi, 1)
            self.dropout = nn.Dropout(dropout_p)

    def hybrid_forward(self, F, users, items):
        a = self.dropout(self.u(users))
        b = self.i(items)
        p = (
            F.sum(a * b, axis=1)
            + F.squeeze(self.ub(users), axis=1)
            + self.ib(items).squeeze(axis=1)
        )
        return F.reshape(p, (-1,))


class RMSE(mx.metric.EvalMetric):
    def __init__(self):
        super(RMSE, self).__init__("myrmse")

    def update(self, labels, preds):
        for l, p in zip(labels, preds):
            self.sum_metric += ((l.asnumpy() - p.asnumpy()) ** 2).sum()
            self.num_inst += l.shape[0]

    def get(self):
        return self.name, math.sqrt(self.sum_metric / self.num_inst)


rs = np.random.RandomState(0)
U, I, R = rs.randint(0, 8, 40), rs.randint(0, 9, 40), rs.rand(40).astype("f") * 5
ds = gdata.ArrayDataset(U.astype("float32"), I.astype("float32"), R)
it = gdata.DataLoader(ds, 16, last_batch="discard")
net = MFBlock(8, 9, 3)
net.initialize(mx.init.Normal(0.1))
settle(net)
net.hybridize(static_alloc=True)
opt = mx.optimizer.create("adam", learning_rate=0.05, wd=0.001, rescale_grad=1.0)
tr = gluon.Trainer(net.collect_params(), opt, kvstore="local")
l2 = gluon.loss.L2Loss()
m = RMSE()
eva = mx.metric.CompositeEvalMetric([m, mx.metric.MAE()])
eva.add(mx.metric.create("rmse"))
for e in range(3):
    eva.reset()
    for u, i, r in it:
        with autograd.record():
            p = net(u, i)
            L = l2(p, r)
        L.backward()
        tr.step(16)
        eva.update([r], [p])
    print(e, [(n, round(float(v), 4)) for n, v in zip(*eva.get())], eva.get_name_value()[0][0])
tr.set_learning_rate(0.01)
print(tr.learning_rate, it.__len__(), eva)
