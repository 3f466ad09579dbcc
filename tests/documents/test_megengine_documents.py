"""MegEngine's documents on automatic differentiation, by their own names: one program for each."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gluon import megengine as ours


@pytest.fixture(autouse=True)
def hook():
    with ours.installed():
        yield


def test_a_line_and_its_slope():
    from megengine import Tensor
    from megengine.autodiff import GradManager

    mass, speed = Tensor([4.0]), Tensor([3.0])
    assert speed.grad is None
    with GradManager() as gm:
        gm.attach(speed)
        gm.backward(0.5 * mass * speed * speed)
    assert str(speed.grad) == "Tensor([12.], device=xpux:0)"
    assert mass.grad is None


def test_a_model_learns_by_one_manager():
    import megengine as mge
    import megengine.distributed as dist
    import megengine.functional as F
    import megengine.module as M
    import megengine.optimizer as optim
    from megengine.autodiff import GradManager

    mge.random.seed(1)
    model = M.Sequential(M.Linear(1, 8), M.Sigmoid(), M.Linear(8, 1))
    gm = GradManager()
    gm.attach(model.parameters(), callback=dist.make_allreduce_cb("MEAN"))
    optimizer = optim.Adam(model.parameters(), lr=0.05)
    x = F.linspace(-1, 1, 20).reshape(-1, 1)
    losses = []
    for _ in range(150):
        with gm:
            loss = F.loss.square_loss(model(x), x * x)
            gm.backward(loss)
        optimizer.step().clear_grad()
        losses.append(loss.item())
    assert losses[-1] < 0.2 * losses[0]


def test_record_and_backward_without_with():
    import megengine as mge
    import megengine.functional as F
    from megengine.autodiff import GradManager

    x = mge.tensor([1.0, 2.0])
    gm = GradManager().attach([x])
    gm.record()
    y = F.exp(x)
    gm.backward(y, F.ones_like(y))
    assert_allclose(x.grad.numpy(), np.exp([1, 2]), rtol=1e-6)
    with pytest.raises(RuntimeError, match="no computation history"):
        gm.backward(y)


def test_a_nested_manager_gives_the_second_derivative():
    import megengine as mge
    import megengine.functional as F
    from megengine.autodiff import GradManager

    x = mge.tensor(np.linspace(0.1, 1, 5))
    outer, inner = GradManager().attach([x]), GradManager().attach([x])
    with outer:
        with inner:
            inner.backward(F.sin(x))
        slope, x.grad = x.grad, None
        outer.backward(slope)
    assert_allclose(slope.numpy(), np.cos(x.numpy()), rtol=1e-6)
    assert_allclose(x.grad.numpy(), -np.sin(x.numpy()), rtol=1e-6)


def test_forward_mode_by_two_reverse_passes():
    import megengine as mge
    import megengine.functional as F
    from megengine.autodiff import GradManager

    x = mge.tensor([0.5, 1.5])
    with GradManager() as gm:
        with GradManager().attach([x]) as gm2:
            y = F.tanh(x)
            seed = F.ones_like(y)
            gm.attach(seed)
            gm2.backward(y, seed)
        gm.backward(x.grad)
    assert_allclose(seed.grad.numpy(), 1 - np.tanh([0.5, 1.5]) ** 2, rtol=1e-5)


def test_peers_add_up_and_do_not_see_each_other():
    import megengine as mge
    import megengine.functional as F
    from megengine.autodiff import GradManager

    x = mge.tensor([0.5, 1.5])
    one, other = GradManager().attach([x]), GradManager().attach([x])
    with one | other:
        y = F.cos(x)
        one.backward(y)
        slope, x.grad = x.grad, None
        other.backward(slope)
    assert x.grad is None
    with one | other:
        y = F.cos(x)
        one.backward(y)
        other.backward(y)
    assert_allclose(x.grad.numpy(), -2 * np.sin([0.5, 1.5]), rtol=1e-6)
