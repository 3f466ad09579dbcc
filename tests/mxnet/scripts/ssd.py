"""A small detector of objects, with boxes of several sizes."""

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


from mxnet.contrib.ndarray import MultiBoxPrior, MultiBoxTarget, MultiBoxDetection


class ToySSD(gluon.Block):
    def __init__(self, num_classes, **kwargs):
        super(ToySSD, self).__init__(**kwargs)
        self.sizes = [[0.2, 0.272], [0.37, 0.447]]
        self.ratios = [[1, 2, 0.5]] * 2
        self.num_classes = num_classes
        with self.name_scope():
            self.body, self.downs, self.cls, self.box = (
                nn.HybridSequential(),
                nn.Sequential(),
                nn.Sequential(),
                nn.Sequential(),
            )
            for nf in (4, 8):
                self.body.add(nn.Conv2D(nf, 3, padding=1))
                self.body.add(nn.BatchNorm(in_channels=nf))
                self.body.add(nn.Activation("relu"))
                self.body.add(nn.MaxPool2D(2))
            self.downs.add(nn.Conv2D(8, 3, 2, 1, activation="relu"))
            for i in range(2):
                self.cls.add(nn.Conv2D(4 * (num_classes + 1), 3, padding=1))
                self.box.add(nn.Conv2D(16, 3, padding=1))

    def forward(self, x):
        x = self.body(x)
        A, C, B = [], [], []
        for i in range(2):
            A.append(MultiBoxPrior(x, sizes=self.sizes[i], ratios=self.ratios[i]))
            C.append(nd.flatten(nd.transpose(self.cls[i](x), axes=(0, 2, 3, 1))))
            B.append(nd.flatten(nd.transpose(self.box[i](x), (0, 2, 3, 1))))
            if i == 0:
                x = self.downs[0](x)
        a = nd.concat(*A, dim=1)
        c = nd.concat(*C, dim=1).reshape((0, -1, self.num_classes + 1))
        return a, c, nd.concat(*B, dim=1)


class FocalLoss(gluon.loss.Loss):
    def __init__(self, axis=-1, alpha=0.25, gamma=2, batch_axis=0, **kwargs):
        super(FocalLoss, self).__init__(None, batch_axis, **kwargs)
        self._axis, self._alpha, self._gamma = axis, alpha, gamma

    def hybrid_forward(self, F, output, label):
        output = F.softmax(output)
        pt = F.pick(output, label, axis=self._axis, keepdims=True)
        return F.mean(
            -self._alpha * ((1 - pt) ** self._gamma) * F.log(pt),
            axis=self._batch_axis,
            exclude=True,
        )


class SmoothL1(gluon.loss.Loss):
    def __init__(self, batch_axis=0, **kwargs):
        super(SmoothL1, self).__init__(None, batch_axis, **kwargs)

    def hybrid_forward(self, F, output, label, mask):
        return F.mean(
            F.smooth_l1((output - label) * mask, scalar=1.0), self._batch_axis, exclude=True
        )


net = ToySSD(2)
net.initialize(mx.init.Xavier(magnitude=2))
x = nd.array(np.random.RandomState(1).rand(2, 3, 16, 16))
net(x)
settle(net)
y = nd.array(
    [[[0, 0.1, 0.1, 0.5, 0.5], [-1] * 5], [[1, 0.4, 0.3, 0.9, 0.8], [0, 0.0, 0.0, 0.3, 0.3]]]
)
tr = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1, "wd": 5e-4})
FL, BL = FocalLoss(), SmoothL1()
cm = mx.metric.Accuracy()
bm = mx.metric.MAE()
for e in range(3):
    with autograd.record():
        a, c, b = net(x)
        bt, bmask, ct = MultiBoxTarget(
            a,
            y,
            nd.transpose(c, axes=(0, 2, 1)),
            overlap_threshold=0.5,
            ignore_label=-1,
            negative_mining_ratio=3,
            minimum_negative_samples=0,
            negative_mining_thresh=0.5,
            variances=(0.1, 0.1, 0.2, 0.2),
            name="t",
        )
        loss = FL(c, ct) + BL(b, bt, bmask)
    loss.backward()
    tr.step(2)
    cm.update([ct], [nd.transpose(c, (0, 2, 1))])
    bm.update([bt], [b * bmask])
    print(e, a.shape, ct.sum().asscalar(), loss.asnumpy().round(4), cm.get(), bm.get()[0])
out = MultiBoxDetection(
    nd.transpose(nd.softmax(c), (0, 2, 1)),
    b,
    a,
    force_suppress=True,
    clip=False,
    nms_threshold=0.4,
    name="d",
)
print(out.shape, (out[:, :, 0] >= 0).sum().asscalar(), out[0, 0].asnumpy().round(3))
