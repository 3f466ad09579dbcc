"""A softmax written as a custom operator, in a network that is trained with it."""

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd


class Softmax(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        x = in_data[0].asnumpy()
        y = np.exp(x - x.max(axis=1).reshape((x.shape[0], 1)))
        y /= y.sum(axis=1).reshape((x.shape[0], 1))
        self.assign(out_data[0], req[0], mx.nd.array(y))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        label = in_data[1].asnumpy().ravel().astype(np.int64)
        y = out_data[0].asnumpy()
        y[np.arange(label.shape[0]), label] -= 1.0
        self.assign(in_grad[0], req[0], mx.nd.array(y))


@mx.operator.register("softmax_of_mine")
class SoftmaxProp(mx.operator.CustomOpProp):
    def __init__(self):
        super(SoftmaxProp, self).__init__(need_top_grad=False)

    def list_arguments(self):
        return ["data", "label"]

    def list_outputs(self):
        return ["output"]

    def infer_shape(self, in_shape):
        return [in_shape[0], (in_shape[0][0],)], [in_shape[0]], []

    def infer_type(self, in_type):
        return in_type, [in_type[0]], []

    def create_operator(self, ctx, shapes, dtypes):
        return Softmax()


x = nd.array([[1, 2, 3], [3, 1, 0.5]])
label = nd.array([2, 1])
x.attach_grad()
with autograd.record():
    y = nd.Custom(x, label, op_type="softmax_of_mine")
y.backward()
print(y)
print(x.grad)

rng = np.random.RandomState(0)
features = rng.randn(60, 5).astype("float32")
classes = (features[:, 0] + features[:, 1] > 0).astype("float32")
dense = gluon.nn.Dense(2, in_units=5)
dense.initialize(mx.init.Constant(0.01))
trainer = gluon.Trainer(dense.collect_params(), "sgd", {"learning_rate": 0.3})
for step in range(20):
    with autograd.record():
        out = nd.Custom(dense(nd.array(features)), nd.array(classes), op_type="softmax_of_mine")
    out.backward()
    trainer.step(60)
print("accuracy", (out.asnumpy().argmax(1) == classes).mean())
print("softmax_of_mine" in mx.operator.get_all_registered_operators())
