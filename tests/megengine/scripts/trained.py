"""Import MegEngine in the usual ways, and differentiate."""

import sys

import megengine as mge
import megengine.functional as F
import megengine.optimizer as optim
from megengine.autodiff import GradManager
from megengine.optimizer.sgd import SGD
from megengine.tensor import Parameter

assert __name__ == "__main__"
assert optim.SGD is SGD
assert mge.tensor is mge.Tensor
x = Parameter([3.0])
with GradManager().attach(x) as gm:
    gm.backward(F.square(x))
print(x.grad, sys.argv[1:])
