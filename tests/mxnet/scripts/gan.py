"""A deep convolutional GAN on two modules that hand each other gradients."""

from datetime import datetime

import mxnet as mx
import numpy as np


def make_dcgan_sym(ngf, ndf, nc, no_bias=True, fix_gamma=True, eps=1e-5 + 1e-12):
    BatchNorm = mx.sym.BatchNorm
    rand = mx.sym.Variable("rand")
    g1 = mx.sym.Deconvolution(rand, name="g1", kernel=(4, 4), num_filter=ngf * 2, no_bias=no_bias)
    gbn1 = BatchNorm(g1, name="gbn1", fix_gamma=fix_gamma, eps=eps)
    gact1 = mx.sym.Activation(gbn1, name="gact1", act_type="relu")
    g2 = mx.sym.Deconvolution(
        gact1, name="g2", kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=ngf, no_bias=no_bias
    )
    gbn2 = BatchNorm(g2, name="gbn2", fix_gamma=fix_gamma, eps=eps)
    gact2 = mx.sym.Activation(gbn2, name="gact2", act_type="relu")
    g3 = mx.sym.Deconvolution(
        gact2, name="g3", kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=nc, no_bias=no_bias
    )
    gout = mx.sym.Activation(g3, name="gact3", act_type="tanh")

    data = mx.sym.Variable("data")
    label = mx.sym.Variable("label")
    d1 = mx.sym.Convolution(
        data, name="d1", kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=ndf, no_bias=no_bias
    )
    dact1 = mx.sym.LeakyReLU(d1, name="dact1", act_type="leaky", slope=0.2)
    d2 = mx.sym.Convolution(
        dact1,
        name="d2",
        kernel=(4, 4),
        stride=(2, 2),
        pad=(1, 1),
        num_filter=ndf * 2,
        no_bias=no_bias,
    )
    dbn2 = BatchNorm(d2, name="dbn2", fix_gamma=fix_gamma, eps=eps)
    dact2 = mx.sym.LeakyReLU(dbn2, name="dact2", act_type="leaky", slope=0.2)
    d3 = mx.sym.Convolution(dact2, name="d3", kernel=(4, 4), num_filter=1, no_bias=no_bias)
    d3 = mx.sym.Flatten(d3)
    dloss = mx.sym.LogisticRegressionOutput(data=d3, label=label, name="dloss")
    return gout, dloss


class RandIter(mx.io.DataIter):
    def __init__(self, batch_size, ndim):
        self.batch_size = batch_size
        self.provide_data = [("rand", (batch_size, ndim, 1, 1))]
        self.provide_label = []
        self.draw = np.random.RandomState(8)

    def iter_next(self):
        return True

    def getdata(self):
        return [mx.nd.array(self.draw.normal(size=self.provide_data[0][1]))]


class FromNumPy(mx.init.Initializer):
    """Weights that are the same for every library."""

    def __init__(self, seed=5):
        super(FromNumPy, self).__init__(seed=seed)
        self.draw = np.random.RandomState(seed)

    def _init_weight(self, name, arr):
        arr[:] = self.draw.normal(0, 0.1, arr.shape)


batch_size, Z, lr, beta1 = 8, 6, 0.002, 0.5
sym_g, sym_d = make_dcgan_sym(4, 4, 1)
images = np.tanh(np.random.RandomState(9).normal(size=(32, 1, 16, 16))).astype("float32")
train_iter = mx.io.NDArrayIter(images, batch_size=batch_size)
rand_iter = RandIter(batch_size, Z)
label = mx.nd.zeros((batch_size,))

mod_g = mx.mod.Module(symbol=sym_g, data_names=("rand",), label_names=None, context=mx.cpu())
mod_g.bind(data_shapes=rand_iter.provide_data)
mod_g.init_params(initializer=FromNumPy(1))
settings = {"learning_rate": lr, "wd": 0.0, "beta1": beta1}
mod_g.init_optimizer(optimizer="adam", optimizer_params=settings)
mod_d = mx.mod.Module(symbol=sym_d, data_names=("data",), label_names=("label",), context=mx.cpu())
mod_d.bind(
    data_shapes=train_iter.provide_data,
    label_shapes=[("label", (batch_size,))],
    inputs_need_grad=True,
)
mod_d.init_params(initializer=FromNumPy(2))
mod_d.init_optimizer(optimizer="adam", optimizer_params=settings)


def norm_stat(d):
    return mx.nd.norm(d) / np.sqrt(d.size)


mon = mx.mon.Monitor(2, norm_stat, pattern=".*d2_output|d1_backward_data", sort=True)
mod_d.install_monitor(mon)


def facc(label, pred):
    pred = pred.ravel()
    label = label.ravel()
    return ((pred > 0.5) == label).mean()


def fentropy(label, pred):
    pred = pred.ravel()
    label = label.ravel()
    return -(label * np.log(pred + 1e-12) + (1.0 - label) * np.log(1.0 - pred + 1e-12)).mean()


mG = mx.metric.CustomMetric(fentropy)
mD = mx.metric.CustomMetric(fentropy)
mACC = mx.metric.CustomMetric(facc)
stamp = datetime.now().strftime("%Y_%m_%d-%H_%M")
for epoch in range(2):
    train_iter.reset()
    for t, batch in enumerate(train_iter):
        rbatch = rand_iter.next()
        mon.tic()
        mod_g.forward(rbatch, is_train=True)
        outG = mod_g.get_outputs()

        label[:] = 0
        mod_d.forward(mx.io.DataBatch(outG, [label]), is_train=True)
        mod_d.backward()
        gradD = [
            [grad.copyto(grad.context) for grad in grads] for grads in mod_d._exec_group.grad_arrays
        ]
        mod_d.update_metric(mD, [label])
        mod_d.update_metric(mACC, [label])

        label[:] = 1
        batch.label = [label]
        mod_d.forward(batch, is_train=True)
        mod_d.backward()
        for gradsr, gradsf in zip(mod_d._exec_group.grad_arrays, gradD):
            for gradr, gradf in zip(gradsr, gradsf):
                gradr += gradf
        mod_d.update()
        mod_d.update_metric(mD, [label])
        mod_d.update_metric(mACC, [label])

        label[:] = 1
        mod_d.forward(mx.io.DataBatch(outG, [label]), is_train=True)
        mod_d.backward()
        diffD = mod_d.get_input_grads()
        mod_g.backward(diffD)
        mod_g.update()
        mG.update([label], mod_d.get_outputs())
        for n, k, v in mon.toc():
            print("Batch %d: %s %.4f" % (n, k, float(v.strip("\t"))))
        t += 1
        if t % 2 == 0:
            print(epoch, t, "%.4f %.4f %.4f" % (mACC.get()[1], mG.get()[1], mD.get()[1]))
            mACC.reset()
            mG.reset()
            mD.reset()
print(
    outG[0].shape, "%.4f" % norm_stat(outG[0]).asscalar(), "%.5f" % norm_stat(diffD[0]).asscalar()
)
