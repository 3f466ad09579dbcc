"""Correct code with `gluon.megengine`, in which type checkers find no errors."""

import numpy as np

import gluon.megengine.functional as F
from gluon.megengine import Parameter, Tensor
from gluon.megengine import module as M
from gluon.megengine.autodiff import GradManager
from gluon.megengine.optimizer import SGD

x: Tensor = Tensor([[1.0, 2.0], [3.0, 4.0]])
w = Parameter(np.ones((2, 2), "float32"))

y: Tensor = x * 2 + 1 - w / x
y = 2 * x - [1.0, 2.0] ** y
y = x @ w
y = -abs(y)
y += 1
y = x[0]
positive: Tensor = (x > 0) & (x <= 3)
total: float = x.sum().item() + float(x.mean(axis=0, keepdims=True).max())
shape: tuple[int, ...] = x.reshape(-1).shape
turned: Tensor = x.T.transpose(1, 0).flatten().astype("int32")
values: np.ndarray = x.numpy()

z: Tensor = F.exp(x) + F.maximum(x, 0) + F.sum(x, axis=0)
z = F.relu(x)
z = F.argmax(x, axis=(0, 1), keepdims=True)
z = F.concat([x, x], axis=0)


class Net(M.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = M.Linear(2, 1)
        self.act = M.Softmax(axis=1)

    def forward(self, inputs: Tensor) -> Tensor:
        result: Tensor = self.act(self.linear(inputs))
        return result


net = Net()
optimizer = SGD(net.parameters(), lr=0.1)
with GradManager().attach(net.parameters()) as manager:
    loss = F.square(net(x)).mean()
    manager.backward(loss)
optimizer.step().clear_grad()
