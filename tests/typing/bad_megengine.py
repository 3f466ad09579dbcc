"""Mistakes with `gluon.megengine`: type checkers report each line that is marked, and no other."""

import gluon.megengine.functional as F
from gluon.megengine import Tensor
from gluon.megengine import module as M

x = Tensor([1.0, 2.0])

F.exq(x)  # error
F.exp()  # error
F.exp(x, 2)  # error
F.exp(object())  # error
F.maximum(x)  # error
F.sum(x, axis="rows")  # error
x + object()  # error
x.summ()  # error
x.sum(axes=0)  # error
number: int = x.mean()  # error
text: str = x * 2  # error
M.Softmax(axes=1)  # error
M.Sigmoid(1, 2)  # error
