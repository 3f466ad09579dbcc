"""A stacked autoencoder, pretrained layer by layer on executors, then clustered."""

import mxnet as mx
import numpy as np


class Solver(object):
    def __init__(self, optimizer, **kwargs):
        self.optimizer = mx.optimizer.create(optimizer, **kwargs)
        self.updater = mx.optimizer.get_updater(self.optimizer)
        self.metric = mx.metric.CustomMetric(
            lambda labels, preds: np.mean(np.square(labels - preds)) / 2.0, name="error"
        )

    def solve(self, sym, args, grads, data, steps, batch_size):
        input_shapes = {"data": (batch_size, data.shape[1])}
        names = sym.list_arguments()
        exe = sym.bind(
            mx.cpu(),
            args=dict(args, data=mx.nd.empty(input_shapes["data"])),
            args_grad=grads,
            grad_req={name: "write" if name in grads else "null" for name in names},
        )
        update_dict = {name: nd for name, nd in zip(names, exe.grad_arrays) if nd is not None}
        for i in range(steps):
            batch = data[(i * batch_size) % len(data) :][:batch_size]
            exe.arg_dict["data"][:] = batch
            exe.forward(is_train=True)
            exe.backward()
            self.metric.update([mx.nd.array(batch)], [exe.outputs[0]])
            for key, arr in update_dict.items():
                self.updater(names.index(key), arr, args[key])
        value = self.metric.get()[1]
        self.metric.reset()
        return value


def stack(data, dims, name, decode):
    x = data
    for i, dim in enumerate(dims):
        x = mx.sym.FullyConnected(x, num_hidden=dim, name="%s_%d" % (name, i))
        if i < len(dims) - (1 if decode else 0):
            x = mx.sym.Activation(x, act_type="relu")
    return x


rng = np.random.RandomState(0)
dims = [12, 8, 3]
hidden = rng.rand(64, 3)
data = hidden.dot(rng.rand(3, 12)).astype("float32")
variable = mx.sym.Variable("data")
encoder = stack(variable, dims[1:], "encoder", False)
decoder = stack(encoder, dims[-2::-1], "decoder", True)
recon = mx.sym.LinearRegressionOutput(data=decoder, label=variable, name="recon")
shapes, _, _ = recon.infer_shape(data=(16, 12))
args, grads = {}, {}
for name, shape in zip(recon.list_arguments(), shapes):
    if name != "data":
        draw = rng.uniform(-0.4, 0.4, shape) if name.endswith("weight") else np.full(shape, 0.1)
        args[name], grads[name] = mx.nd.array(draw), mx.nd.zeros(shape)
print(recon.list_arguments())
for optimizer, rate in (("sgd", 0.05), ("adam", 0.01)):
    kwargs = {"momentum": 0.9} if optimizer == "sgd" else {}
    solver = Solver(optimizer, learning_rate=rate, rescale_grad=1.0 / 16, wd=0.0, **kwargs)
    for turn in range(3):
        print(optimizer, turn, "%.4f" % solver.solve(recon, args, grads, data, 20, 16))

feature = encoder.bind(
    mx.cpu(),
    args={k: v for k, v in args.items() if k in encoder.list_arguments()}
    | {"data": mx.nd.array(data)},
)
z = feature.forward()[0].asnumpy()
print(z.shape, "%.3f" % z.mean())


class DECLoss(mx.operator.CustomOp):
    """Distances to centres, by Student's t distribution."""

    def __init__(self, num_centers, alpha):
        super(DECLoss, self).__init__()
        self.num_centers, self.alpha = num_centers, alpha

    def forward(self, is_train, req, in_data, out_data, aux):
        z = in_data[0].asnumpy()
        mu = in_data[1].asnumpy()
        self.mask = 1.0 / (1.0 + ((z[:, None] - mu[None]) ** 2).sum(axis=2) / self.alpha)
        q = self.mask ** ((self.alpha + 1.0) / 2.0)
        self.assign(out_data[0], req[0], mx.nd.array(q / q.sum(axis=1, keepdims=True)))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        q = out_data[0].asnumpy()
        z, mu, p = (in_data[i].asnumpy() for i in range(3))
        weight = self.mask * (self.alpha + 1.0) / self.alpha * (p - q)
        dz = z * weight.sum(axis=1, keepdims=True) - weight.dot(mu)
        dmu = mu * weight.sum(axis=0)[:, None] - weight.T.dot(z)
        self.assign(in_grad[0], req[0], mx.nd.array(dz))
        self.assign(in_grad[1], req[1], mx.nd.array(dmu))


@mx.operator.register("declos")
class DECLossProp(mx.operator.CustomOpProp):
    def __init__(self, num_centers, alpha):
        super(DECLossProp, self).__init__(need_top_grad=False)
        self.num_centers, self.alpha = int(num_centers), float(alpha)

    def list_arguments(self):
        return ["data", "mu", "label"]

    def infer_shape(self, in_shape):
        n, k = in_shape[0][0], self.num_centers
        return [in_shape[0], [k, in_shape[0][1]], [n, k]], [[n, k]], []

    def create_operator(self, ctx, shapes, dtypes):
        return DECLoss(self.num_centers, self.alpha)


loss = mx.sym.Custom(
    data=mx.sym.Variable("data"),
    mu=mx.sym.Variable("dec_mu"),
    label=mx.sym.Variable("p"),
    num_centers=4,
    alpha=1.0,
    op_type="declos",
    name="dec",
)
print(loss.list_arguments(), loss.infer_shape(data=(64, 3))[0])
exe = loss.simple_bind(mx.cpu(), data=(64, 3), grad_req="write")
exe.arg_dict["data"][:] = z
exe.arg_dict["dec_mu"][:] = z[:4]
optimizer = mx.optimizer.SGD(learning_rate=0.5, rescale_grad=1.0 / 64)
updater = mx.optimizer.get_updater(optimizer)
for i in range(6):
    q = exe.forward(is_train=True)[0].asnumpy()
    weight = 1.0 / q.sum(axis=0)
    weight *= 4 / weight.sum()
    p = q**2 * weight
    exe.arg_dict["p"][:] = p / p.sum(axis=1, keepdims=True)
    exe.backward()
    updater(0, exe.grad_dict["dec_mu"], exe.arg_dict["dec_mu"])
    print(np.bincount(q.argmax(axis=1), minlength=4), exe.arg_dict["dec_mu"].asnumpy()[0].round(3))
