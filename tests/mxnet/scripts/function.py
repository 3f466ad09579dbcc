"""A sigmoid with a gradient of its own."""

import mxnet as mx
from mxnet import nd


class Sigmoid(mx.autograd.Function):
    def forward(self, x):
        y = 1 / (1 + mx.nd.exp(-x))
        self.save_for_backward(y)
        return y

    def backward(self, dy):
        (y,) = self.saved_tensors
        return dy * y * (1 - y)


x = nd.array([[-1, 0, 1], [2, -3, 0.5]])
x.attach_grad()
with mx.autograd.record():
    m = Sigmoid()(x)
    loss = (m * nd.array([1, 2, 3])).sum()
loss.backward()
print(m, x.grad, loss)
print(mx.autograd.is_recording(), mx.autograd.is_training())
with mx.autograd.record(train_mode=False):
    print(mx.autograd.is_recording(), mx.autograd.is_training())
