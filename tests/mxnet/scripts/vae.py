"""A variational autoencoder with a loss of symbols, and one with Gluon's blocks."""

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

n_in, n_hidden, n_latent, batch_size, n_samples = 12, 10, 2, 16, 2
rng = np.random.RandomState(0)
data = (rng.rand(64, 3).dot(rng.rand(3, n_in)) > 0.8).astype("float32")
noise = np.random.RandomState(1)

# 1. symbols: the loss is an output
x = mx.sym.var("data")
eps = mx.sym.var("eps")
h = mx.sym.Activation(
    mx.sym.FullyConnected(x, name="encoder_h", num_hidden=n_hidden), act_type="tanh"
)
mu = mx.sym.FullyConnected(h, name="mu", num_hidden=n_latent)
logvar = mx.sym.FullyConnected(h, name="logvar", num_hidden=n_latent)
z = mu + mx.sym.broadcast_mul(mx.sym.exp(0.5 * logvar), eps)
d = mx.sym.Activation(
    mx.sym.FullyConnected(z, name="decoder_z", num_hidden=n_hidden), act_type="tanh"
)
y = mx.sym.Activation(
    mx.sym.FullyConnected(d, name="decoder_x", num_hidden=n_in), act_type="sigmoid"
)
KL = -0.5 * mx.symbol.sum(1 + logvar - pow(mu, 2) - mx.symbol.exp(logvar), axis=1)
recon = -mx.symbol.sum(
    x * mx.symbol.log(y + 1e-12) + (1.0 - x) * mx.symbol.log(1.0 - y + 1e-12), axis=1
)
loss = mx.sym.MakeLoss(mx.symbol.sum(KL + recon), name="loss")
symbol = mx.sym.Group([loss, mx.sym.BlockGrad(y), mx.sym.BlockGrad(mu)])
shapes, out_shapes, _ = symbol.infer_shape(data=(batch_size, n_in), eps=(batch_size, n_latent))
print(symbol.list_arguments(), out_shapes)
draw = np.random.RandomState(2)
arg_params = {
    name: mx.nd.array(draw.uniform(-0.4, 0.4, shape))
    for name, shape in zip(symbol.list_arguments(), shapes)
    if name not in ("data", "eps")
}
model = mx.mod.Module(symbol, data_names=["data", "eps"], label_names=None)
model.bind(data_shapes=[("data", (batch_size, n_in)), ("eps", (batch_size, n_latent))])
model.init_params(mx.init.Zero(), arg_params=arg_params, allow_missing=False)
model.init_optimizer(
    optimizer="adam", optimizer_params={"learning_rate": 0.02, "rescale_grad": 1.0 / batch_size}
)
for epoch in range(4):
    total = 0.0
    for i in range(0, 64, batch_size):
        e = nd.array(noise.normal(size=(batch_size, n_latent)))
        model.forward(mx.io.DataBatch([nd.array(data[i : i + batch_size]), e]), is_train=True)
        model.backward()
        model.update()
        total += model.get_outputs()[0].asnumpy().sum()
    print("epoch %d loss %.3f" % (epoch, total / 64))


# 2. blocks
class VAE(gluon.HybridBlock):
    def __init__(self, n_hidden=20, n_latent=2, n_output=12, act_type="relu", **kwargs):
        self.soft_zero = 1e-10
        self.n_latent = n_latent
        self.output = None
        self.mu = None
        super(VAE, self).__init__(**kwargs)
        with self.name_scope():
            self.encoder = nn.HybridSequential(prefix="encoder")
            self.encoder.add(nn.Dense(n_hidden, activation=act_type))
            self.encoder.add(nn.Dense(n_latent * 2, activation=None))
            self.decoder = nn.HybridSequential(prefix="decoder")
            with self.decoder.name_scope():
                self.decoder.add(nn.Dense(n_hidden, activation=act_type))
                self.decoder.add(nn.Dense(n_output, activation="sigmoid"))

    def hybrid_forward(self, F, x, eps):
        h = self.encoder(x)
        mu_lv = F.split(h, axis=1, num_outputs=2)
        mu, lv = mu_lv[0], mu_lv[1]
        z = mu + F.exp(0.5 * lv) * eps
        y = self.decoder(z)
        KL = 0.5 * F.sum(1 + lv - mu * mu - F.exp(lv), axis=1)
        logloss = F.sum(
            x * F.log(y + self.soft_zero) + (1 - x) * F.log(1 - y + self.soft_zero), axis=1
        )
        return -logloss - KL


for hybrid in (False, True):
    net = VAE(n_hidden, n_latent, n_in)
    net.initialize(mx.init.Xavier())
    net(nd.array(data[:2]), nd.zeros((2, n_latent)))
    draw = np.random.RandomState(2)
    for name, p in net.collect_params().items():
        p.set_data(nd.array(draw.uniform(-0.4, 0.4, p.shape)))
    if hybrid:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.02})
    print([name.split("_", 1)[1] for name in net.collect_params()])
    for epoch in range(3):
        total = 0.0
        for i in range(0, 64, batch_size):
            e = nd.array(noise.normal(size=(batch_size, n_latent)))
            with autograd.record():
                L = net(nd.array(data[i : i + batch_size]), e)
            L.backward()
            trainer.step(batch_size)
            total += nd.mean(L).asscalar()
        print("epoch %d loss %.3f" % (epoch, total / 4))
    print(net.decoder(nd.array([[0.0, 1.0]])).asnumpy().round(3)[0, :4])
