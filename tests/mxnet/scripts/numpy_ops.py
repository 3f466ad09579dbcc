"""Operators written with NumPy, in symbols: a softmax, a weighted logistic regression, a mask."""

import mxnet as mx
import numpy as np


class Softmax(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        x = in_data[0].asnumpy()
        y = np.exp(x - x.max(axis=1).reshape((x.shape[0], 1)))
        y /= y.sum(axis=1).reshape((x.shape[0], 1))
        self.assign(out_data[0], req[0], mx.nd.array(y))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        l = in_data[1].asnumpy().ravel().astype(int)
        y = out_data[0].asnumpy()
        y[np.arange(l.shape[0]), l] -= 1.0
        self.assign(in_grad[0], req[0], mx.nd.array(y))


@mx.operator.register("softmax")
class SoftmaxProp(mx.operator.CustomOpProp):
    def __init__(self):
        super(SoftmaxProp, self).__init__(need_top_grad=False)

    def list_arguments(self):
        return ["data", "label"]

    def list_outputs(self):
        return ["output"]

    def infer_shape(self, in_shape):
        data_shape = in_shape[0]
        label_shape = (in_shape[0][0],)
        output_shape = in_shape[0]
        return [data_shape, label_shape], [output_shape], []

    def infer_type(self, in_type):
        return in_type, [in_type[0]], []

    def create_operator(self, ctx, shapes, dtypes):
        return Softmax()


class WeightedLogisticRegression(mx.operator.CustomOp):
    def __init__(self, pos_grad_scale, neg_grad_scale):
        self.pos_grad_scale = float(pos_grad_scale)
        self.neg_grad_scale = float(neg_grad_scale)

    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], mx.nd.divide(1, (1 + mx.nd.exp(-in_data[0]))))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        in_grad[0][:] = (
            (out_data[0] - 1) * in_data[1] * self.pos_grad_scale
            + out_data[0] * (1 - in_data[1]) * self.neg_grad_scale
        ) / out_data[0].shape[1]


@mx.operator.register("weighted_logistic_regression")
class WeightedLogisticRegressionProp(mx.operator.CustomOpProp):
    def __init__(self, pos_grad_scale, neg_grad_scale):
        self.pos_grad_scale = pos_grad_scale
        self.neg_grad_scale = neg_grad_scale
        super(WeightedLogisticRegressionProp, self).__init__(False)

    def list_arguments(self):
        return ["data", "label"]

    def infer_shape(self, in_shape):
        shape = in_shape[0]
        return [shape, shape], [shape]

    def create_operator(self, ctx, shapes, dtypes):
        return WeightedLogisticRegression(self.pos_grad_scale, self.neg_grad_scale)


rng = np.random.RandomState(4)
data = rng.randn(120, 6).astype("float32")
classes = (data[:, :3].argmax(axis=1)).astype("float32")
net = mx.symbol.FullyConnected(mx.symbol.Variable("data"), name="fc1", num_hidden=12)
net = mx.symbol.Activation(net, act_type="relu")
net = mx.symbol.FullyConnected(net, name="fc2", num_hidden=3)
net = mx.symbol.Custom(data=net, name="softmax", op_type="softmax")
print(net.list_arguments(), net.infer_shape(data=(20, 6))[0][-1])
shapes, _, _ = net.infer_shape(data=(20, 6))
args = {
    name: mx.nd.array(rng.uniform(-0.4, 0.4, shape))
    for name, shape in zip(net.list_arguments(), shapes)
    if name.startswith("fc")
}
train = mx.io.NDArrayIter(data, classes, batch_size=20)
module = mx.mod.Module(net)
module.fit(
    train, num_epoch=5, arg_params=args, optimizer_params={"learning_rate": 0.1, "momentum": 0.9}
)
print("%.3f %.4f" % tuple(value for _, value in module.score(train, ["acc", "ce"])))

m, n = 2, 4
wlr = mx.sym.Custom(
    mx.sym.Variable("wx"),
    mx.sym.Variable("wy"),
    pos_grad_scale=1,
    neg_grad_scale=0.1,
    op_type="weighted_logistic_regression",
    name="wlr",
)
lr = mx.sym.LogisticRegressionOutput(mx.sym.Variable("wx"), mx.sym.Variable("wy"), name="lr")
for one in (lr, wlr):
    exe = one.simple_bind(mx.cpu(), wx=(m, n), wy=(m, n))
    exe.arg_dict["wx"][:] = np.arange(8).reshape(2, 4) / 4.0 - 1
    exe.arg_dict["wy"][:] = np.arange(8).reshape(2, 4) % 2
    exe.forward(is_train=True)
    exe.backward()
    print(exe.outputs[0].asnumpy().round(4), exe.grad_dict["wx"].asnumpy().round(4))
