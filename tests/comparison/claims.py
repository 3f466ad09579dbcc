"""The programs of the README's comparison: one for each claim and each library.

``python claims.py LIBRARY CLAIM`` runs one of them: it exits with 0 where the numbers are right,
with 1 where they are not, and otherwise with an error. It needs the library alone, so that it also
runs where gluon does not. ``python claims.py LIBRARY`` prints what the library is and needs.
"""

from __future__ import annotations

import functools
import importlib.metadata
import json
import re
import sys
from pathlib import Path

import numpy

#: The modules that are compared, with the names of their packages.
PACKAGES = {
    "gluon": "gluon",
    "mxnet": "mxnet",
    "megengine": "MegEngine",
    "torch": "torch",
    "autograd": "autograd",
    "mygrad": "mygrad",
}
PROGRAMS: dict[tuple[str, str], object] = {}

LONG = 100_000
SOFTMAX = [0.3, -0.2, 0.5, 1.0]


def program(function):
    """Register a program, whose name is the claim followed by the library."""
    claim, library = function.__name__.rsplit("_in_", 1)
    PROGRAMS[library, claim] = function
    return function


def same(found, wanted) -> bool:
    return bool(numpy.allclose(numpy.asarray(found, "float64"), wanted, rtol=1e-3, atol=1e-4))


def softmax_curvature():
    """The gradient of the sum of the gradient of sum(softmax(x) ** 3), by its formulas."""
    x = numpy.array(SOFTMAX)

    def slope(x):
        p = numpy.exp(x) / numpy.exp(x).sum()
        g = 3 * p**2
        return p * (g - (p * g).sum())

    step = 1e-6
    weights = numpy.arange(4.0)
    rows = [slope(x + step * e) - slope(x - step * e) for e in numpy.eye(4)]
    return numpy.array(rows) @ weights / (2 * step)


# ---------------------------------------------- the gradient at the values that were recorded


@program
def recorded_values_in_gluon():
    from gluon import autograd, nd

    x, w = nd.array([2.0]), nd.array([3.0])
    x.attach_grad()
    with autograd.record():
        y = x * w
    w[:] = 0
    y.backward()
    return same(x.grad.asnumpy(), [3])


@program
def recorded_values_in_mxnet():
    from mxnet import autograd, nd

    x, w = nd.array([2.0]), nd.array([3.0])
    x.attach_grad()
    with autograd.record():
        y = x * w
    w[:] = 0
    y.backward()
    return same(x.grad.asnumpy(), [3])


@program
def recorded_values_in_megengine():
    import megengine as mge
    from megengine.autodiff import GradManager

    x, w = mge.tensor([2.0]), mge.tensor([3.0])
    with GradManager().attach([x]) as gm:
        y = x * w
        w[:] = 0
        gm.backward(y)
    return same(x.grad.numpy(), [3])


@program
def recorded_values_in_torch():
    import torch

    x, w = torch.tensor([2.0], requires_grad=True), torch.tensor([3.0])
    y = x * w
    w[:] = 0
    y.backward()
    return same(x.grad, [3])


@program
def recorded_values_in_autograd():
    from autograd import make_vjp

    w = numpy.array([3.0])
    vjp, _y = make_vjp(lambda x: x * w)(numpy.array([2.0]))
    w[:] = 0
    return same(vjp(numpy.ones(1)), [3])


@program
def recorded_values_in_mygrad():
    import mygrad as mg

    x, w = mg.tensor([2.0]), mg.tensor([3.0], constant=True)
    y = x * w
    w[:] = 0
    y.backward()
    return same(x.grad, [3])


# -------------------------------------------------------- writing into a recorded array


@program
def in_place_in_gluon():
    from gluon import autograd, nd

    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y = x * 2
        y[0] = x[1] * 3
        z = (y * y).sum()
    z.backward()
    return same(x.grad.asnumpy(), [0, 52])


@program
def in_place_in_mxnet():
    from mxnet import autograd, nd

    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y = x * 2
        y[0] = x[1] * 3
        z = (y * y).sum()
    z.backward()
    return same(x.grad.asnumpy(), [0, 52])


@program
def in_place_in_megengine():
    import megengine as mge
    from megengine.autodiff import GradManager

    x = mge.tensor([1.0, 2.0])
    with GradManager().attach([x]) as gm:
        y = x * 2
        y[0] = x[1] * 3
        gm.backward((y * y).sum())
    return same(x.grad.numpy(), [0, 52])


@program
def in_place_in_torch():
    import torch

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    y[0] = x[1] * 3
    (y * y).sum().backward()
    return same(x.grad, [0, 52])


@program
def in_place_in_autograd():
    from autograd import grad

    def f(x):
        y = x * 2
        y[0] = x[1] * 3
        return (y * y).sum()

    return same(grad(f)(numpy.array([1.0, 2.0])), [0, 52])


@program
def in_place_in_mygrad():
    import mygrad as mg

    x = mg.tensor([1.0, 2.0])
    y = x * 2
    y[0] = x[1] * 3
    (y * y).sum().backward()
    return same(x.grad, [0, 52])


# ------------------------------------------------- second order, through softmax and reshape


@program
def second_order_in_gluon():
    from gluon import autograd, nd

    x, w = nd.array(SOFTMAX), nd.arange(4)
    x.attach_grad()
    with autograd.record():
        p = nd.softmax(x.reshape((1, 4)))
        g = autograd.grad((p**3).sum(), [x], create_graph=True)[0]
        s = (g * w).sum()
    s.backward()
    return same(x.grad.asnumpy(), softmax_curvature())


@program
def second_order_in_mxnet():
    from mxnet import autograd, nd

    x, w = nd.array(SOFTMAX), nd.arange(4)
    x.attach_grad()
    with autograd.record():
        p = nd.softmax(x.reshape((1, 4)))
        g = autograd.grad((p**3).sum(), [x], create_graph=True)[0]
        s = (g * w).sum()
    s.backward()
    return same(x.grad.asnumpy(), softmax_curvature())


@program
def second_order_in_megengine():
    import megengine as mge
    import megengine.functional as F
    from megengine.autodiff import GradManager

    x, w = mge.tensor(SOFTMAX), mge.tensor([0.0, 1.0, 2.0, 3.0])
    outer, inner = GradManager().attach([x]), GradManager().attach([x])
    with outer:
        with inner:
            p = F.softmax(x.reshape(1, 4), axis=1)
            inner.backward((p**3).sum())
        g = x.grad
        x.grad = None
        outer.backward((g * w).sum())
    return same(x.grad.numpy(), softmax_curvature())


@program
def second_order_in_torch():
    import torch

    x = torch.tensor(SOFTMAX, requires_grad=True)
    p = torch.softmax(x.reshape(1, 4), 1)
    (g,) = torch.autograd.grad((p**3).sum(), x, create_graph=True)
    (g * torch.arange(4.0)).sum().backward()
    return same(x.grad, softmax_curvature())


@program
def second_order_in_autograd():
    import autograd.numpy as np
    from autograd import grad

    def f(x):
        x = np.reshape(x, (1, 4))
        p = np.exp(x) / np.sum(np.exp(x))
        return np.sum(p**3)

    w = numpy.arange(4.0)
    found = grad(lambda x: np.sum(grad(f)(x) * w))(numpy.array(SOFTMAX))
    return same(found, softmax_curvature())


# ------------------------------------------------------------------ third derivative


@program
def third_order_in_gluon():
    from gluon import autograd, nd

    x = nd.array([0.5])
    x.attach_grad()
    with autograd.record():
        y = nd.tanh(x)
        for _ in range(2):
            y = autograd.grad(y, [x], create_graph=True)[0]
    y.backward()
    return same(x.grad.asnumpy(), tanh_3())


@program
def third_order_in_mxnet():
    from mxnet import autograd, nd

    x = nd.array([0.5])
    x.attach_grad()
    with autograd.record():
        y = nd.tanh(x)
        for _ in range(2):
            y = autograd.grad(y, [x], create_graph=True)[0]
    y.backward()
    return same(x.grad.asnumpy(), tanh_3())


@program
def third_order_in_megengine():
    import megengine as mge
    import megengine.functional as F
    from megengine.autodiff import GradManager

    x = mge.tensor([0.5])
    first, second, third = (GradManager().attach([x]) for _ in range(3))
    with third:
        with second:
            with first:
                first.backward(F.tanh(x))
            g, x.grad = x.grad, None
            second.backward(g)
        g, x.grad = x.grad, None
        third.backward(g)
    return same(x.grad.numpy(), tanh_3())


@program
def third_order_in_torch():
    import torch

    x = torch.tensor([0.5], requires_grad=True)
    y = torch.tanh(x)
    for _ in range(2):
        (y,) = torch.autograd.grad(y, x, create_graph=True)
    y.backward()
    return same(x.grad, tanh_3())


@program
def third_order_in_autograd():
    import autograd.numpy as np
    from autograd import elementwise_grad

    slope = np.tanh
    for _ in range(3):
        slope = elementwise_grad(slope)
    return same(slope(numpy.array([0.5])), tanh_3())


def tanh_3():
    t = numpy.tanh(0.5)
    return [(1 - t * t) * (6 * t * t - 2)]


# ------------------------------------------------------------ a chain of 100,000 operators


@program
def long_chain_in_gluon():
    from gluon import autograd, nd

    x = nd.array([1.0])
    x.attach_grad()
    with autograd.record():
        y = x
        for _ in range(LONG):
            y = y + 1e-5
    y.backward()
    return same(x.grad.asnumpy(), [1])


@program
def long_chain_in_mxnet():
    from mxnet import autograd, nd

    x = nd.array([1.0])
    x.attach_grad()
    with autograd.record():
        y = x
        for _ in range(LONG):
            y = y + 1e-5
    y.backward()
    return same(x.grad.asnumpy(), [1])


@program
def long_chain_in_megengine():
    import megengine as mge
    from megengine.autodiff import GradManager

    x = mge.tensor([1.0])
    with GradManager().attach([x]) as gm:
        y = x
        for _ in range(LONG):
            y = y + 1e-5
        gm.backward(y)
    return same(x.grad.numpy(), [1])


@program
def long_chain_in_torch():
    import torch

    x = torch.tensor([1.0], requires_grad=True)
    y = x
    for _ in range(LONG):
        y = y + 1e-5
    y.backward()
    return same(x.grad, [1])


@program
def long_chain_in_autograd():
    from autograd import elementwise_grad

    def f(x):
        for _ in range(LONG):
            x = x + 1e-5
        return x

    return same(elementwise_grad(f)(numpy.array([1.0])), [1])


@program
def long_chain_in_mygrad():
    import mygrad as mg

    x = mg.tensor([1.0])
    y = x
    for _ in range(LONG):
        y = y + 1e-5
    y.backward()
    return same(x.grad, [1])


# --------------------------------- gradients in predict mode, through BatchNorm and Dropout


@program
def predict_mode_in_gluon():
    from gluon import autograd, nd, nn

    net = nn.HybridSequential()
    net.add(nn.BatchNorm(in_channels=2, epsilon=0), nn.Dropout(0.5))
    net.initialize()
    net[0].running_var.set_data(nd.array([4.0, 16.0]))
    x = nd.array([[1.0, 2.0], [5.0, 9.0]])
    x.attach_grad()
    with autograd.record(train_mode=False):
        y = net(x)
    y.backward(train_mode=False)
    return same(x.grad.asnumpy(), [[0.5, 0.25]] * 2)


@program
def predict_mode_in_mxnet():
    from mxnet import autograd, nd
    from mxnet.gluon import nn

    net = nn.HybridSequential()
    net.add(nn.BatchNorm(in_channels=2, epsilon=1e-5), nn.Dropout(0.5))
    net.initialize()
    net[0].running_var.set_data(nd.array([4.0, 16.0]))
    x = nd.array([[1.0, 2.0], [5.0, 9.0]])
    x.attach_grad()
    with autograd.record(train_mode=False):
        y = net(x)
    y.backward(train_mode=False)
    return same(x.grad.asnumpy(), [[0.5, 0.25]] * 2)


@program
def predict_mode_in_megengine():
    import megengine as mge
    import megengine.module as M
    from megengine.autodiff import GradManager

    net = M.Sequential(M.BatchNorm1d(2, eps=1e-8), M.Dropout(0.5))
    net[0].running_var[:] = mge.tensor([4.0, 16.0]).reshape(net[0].running_var.shape)
    net.eval()
    x = mge.tensor([[1.0, 2.0], [5.0, 9.0]])
    with GradManager().attach([x]) as gm:
        gm.backward(net(x).sum())
    return same(x.grad.numpy(), [[0.5, 0.25]] * 2)


@program
def predict_mode_in_torch():
    import torch

    net = torch.nn.Sequential(torch.nn.BatchNorm1d(2, eps=0), torch.nn.Dropout(0.5)).eval()
    net[0].running_var[:] = torch.tensor([4.0, 16.0])
    x = torch.tensor([[1.0, 2.0], [5.0, 9.0]], requires_grad=True)
    net(x).sum().backward()
    return same(x.grad, [[0.5, 0.25]] * 2)


# ------------------------------------------------------ two recordings at once, as peers


@program
def peers_in_gluon():
    from gluon import nd
    from gluon.autodiff import GradManager

    x, w = nd.array([2.0]), nd.array([3.0])
    found = []
    first = GradManager().attach([x])
    second = GradManager().attach([w])
    with first | second:
        y = x * w
        first.backward(y)
        found.append(x.grad.asnumpy())
        second.backward(y)
        found.append(w.grad.asnumpy())
    return same(found, [[3], [2]])


@program
def peers_in_megengine():
    import megengine as mge
    from megengine.autodiff import GradManager

    x, w = mge.tensor([2.0]), mge.tensor([3.0])
    first = GradManager().attach([x])
    second = GradManager().attach([w])
    with first | second:
        y = x * w
        first.backward(y)
        second.backward(y)
    return same([x.grad.numpy(), w.grad.numpy()], [[3], [2]])


# ----------------------------------------------------- products with the Jacobian


@program
def jvp_in_gluon():
    from gluon import autograd, nd

    x = nd.array([1.0, 2.0])
    _y, slope = autograd.jvp(lambda x: x * x, x, nd.array([1.0, 10.0]))
    return same(slope.asnumpy(), [2, 40])


@program
def jvp_in_torch():
    import torch

    x = torch.tensor([1.0, 2.0])
    _y, slope = torch.func.jvp(lambda x: x * x, (x,), (torch.tensor([1.0, 10.0]),))
    return same(slope, [2, 40])


@program
def jvp_in_autograd():
    from autograd import make_jvp

    _y, slope = make_jvp(lambda x: x * x)(numpy.array([1.0, 2.0]))(numpy.array([1.0, 10.0]))
    return same(slope, [2, 40])


# --------------------------------------- a function of one's own, differentiated twice


@program
def own_function_in_gluon():
    from gluon import autograd, nd

    class Cube(autograd.Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x * x * x

        def backward(self, dy):
            (x,) = self.saved_tensors
            return 3 * x * x * dy

    x = nd.array([2.0])
    x.attach_grad()
    with autograd.record():
        g = autograd.grad(Cube()(x), [x], create_graph=True)[0]
    g.backward()
    return same(x.grad.asnumpy(), [12])


@program
def own_function_in_mxnet():
    from mxnet import autograd, nd

    class Cube(autograd.Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x * x * x

        def backward(self, dy):
            (x,) = self.saved_tensors
            return 3 * x * x * dy

    x = nd.array([2.0])
    x.attach_grad()
    with autograd.record():
        g = autograd.grad(Cube()(x), [x], create_graph=True)[0]
    g.backward()
    return same(x.grad.asnumpy(), [12])


@program
def own_function_in_megengine():
    import megengine as mge
    from megengine.autodiff import Function, GradManager

    class Cube(Function):
        def forward(self, x):
            self.x = x
            return x * x * x

        def backward(self, dy):
            return 3 * self.x * self.x * dy

    x = mge.tensor([2.0])
    outer, inner = GradManager().attach([x]), GradManager().attach([x])
    with outer:
        with inner:
            inner.backward(Cube()(x))
        g, x.grad = x.grad, None
        outer.backward(g)
    return same(x.grad.numpy(), [12])


@program
def own_function_in_torch():
    import torch

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x * x

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            return 3 * x * x * dy

    x = torch.tensor([2.0], requires_grad=True)
    (g,) = torch.autograd.grad(Cube.apply(x), x, create_graph=True)
    g.backward()
    return same(x.grad, [12])


@program
def own_function_in_autograd():
    from autograd import elementwise_grad
    from autograd.extend import defvjp, primitive

    cube = primitive(lambda x: x * x * x)
    defvjp(cube, lambda y, x: lambda dy: 3 * x * x * dy)
    return same(elementwise_grad(elementwise_grad(cube))(numpy.array([2.0])), [12])


# --------------------------------- a head gradient that does not fit is refused


def refused(call) -> bool:
    try:
        call()
    except Exception:
        return True
    return False


@program
def wrong_head_in_gluon():
    from gluon import autograd, nd

    x = nd.ones((2,))
    x.attach_grad()
    with autograd.record():
        y = x * 2
    return refused(lambda: (y.backward(nd.ones((3,))), x.grad.asnumpy()))


@program
def wrong_head_in_mxnet():
    from mxnet import autograd, nd

    x = nd.ones((2,))
    x.attach_grad()
    with autograd.record():
        y = x * 2
    return refused(lambda: (y.backward(nd.ones((3,))), x.grad.asnumpy()))


@program
def wrong_head_in_megengine():
    import megengine as mge
    from megengine.autodiff import GradManager

    x = mge.tensor([1.0, 1.0])
    with GradManager().attach([x]) as gm:
        y = x * 2
        return refused(lambda: (gm.backward(y, mge.tensor([1.0] * 3)), x.grad.numpy()))


@program
def wrong_head_in_torch():
    import torch

    x = torch.ones(2, requires_grad=True)
    y = x * 2
    return refused(lambda: y.backward(torch.ones(3)))


@program
def wrong_head_in_autograd():
    from autograd import make_vjp

    vjp, _y = make_vjp(lambda x: x * 2)(numpy.ones(2))
    return refused(lambda: vjp(numpy.ones(3)))


@program
def wrong_head_in_mygrad():
    import mygrad as mg

    x = mg.tensor([1.0, 1.0])
    y = x * 2
    return refused(lambda: y.backward(numpy.ones(3)))


# ------------------------------------------------------------------------ NumPy 2


def numpy_2(library: str) -> bool:
    """Whether the library computes gradients with NumPy 2, which must be installed."""
    if int(numpy.__version__.split(".")[0]) < 2:
        raise ImportError("this claim needs NumPy 2")
    return PROGRAMS[library, "long_chain"]()


CLAIMS = [*dict.fromkeys(claim for _, claim in PROGRAMS), "numpy_2"]
PROGRAMS.update({(one, "numpy_2"): functools.partial(numpy_2, one) for one in PACKAGES})


def facts(library: str) -> dict:
    """The versions of a library, of Python and of NumPy, and what the library requires."""
    package = PACKAGES[library]
    if library == "gluon":  # that of this repository, installed or not
        project = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
        version = re.search('^version = "(.+)"$', project, re.M)[1]
        requires = json.loads(re.search("^dependencies = (.+)$", project, re.M)[1])
    else:
        version = importlib.metadata.version(package)
        requires = importlib.metadata.requires(package) or []
    return {
        "version": version,
        "python": ".".join(map(str, sys.version_info[:2])),
        "numpy": numpy.__version__,
        "requires": [one for one in requires if "extra ==" not in one],
    }


if __name__ == "__main__":
    if len(sys.argv) == 2:
        print(json.dumps(facts(sys.argv[1])))
    else:
        sys.exit(not PROGRAMS[sys.argv[1], sys.argv[2]]())
