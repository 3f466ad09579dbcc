"""`mx.contrib.autograd`: recording and training mode as one."""

from __future__ import annotations

import pytest

from gluon import autograd, nd
from gluon.mxnet import old_autograd


def modes() -> tuple[bool, bool]:
    return autograd.is_recording(), autograd.is_training()


def test_both_modes_change_together():
    assert old_autograd.set_is_training(True) is False
    assert modes() == (True, True)
    assert old_autograd.set_is_training(False) is True
    with old_autograd.TrainingStateScope(True):
        assert modes() == (True, True)
        with old_autograd.test_section():
            assert modes() == (False, False)
        assert modes() == (True, True)
    assert modes() == (False, False)


@pytest.mark.parametrize("compute", [old_autograd.compute_gradient, old_autograd.backward])
def test_gradients_come_where_they_were_asked_for(compute):
    x, slope = nd.array([1, 2]), nd.zeros((2,))
    old_autograd.mark_variables([x], [slope])
    with old_autograd.train_section():
        y = x * x
    compute([y])
    assert slope.asnumpy().tolist() == x.grad.asnumpy().tolist() == [2, 4]


def test_functions_that_give_gradients():
    x = nd.array([1, 2])
    grads, value = old_autograd.grad_and_loss(lambda x: x**3)(x)
    assert value.asnumpy().tolist() == [1, 8]
    assert [one.asnumpy().tolist() for one in grads] == [[3, 12]]
    (only,) = old_autograd.grad(lambda x, y: x * y, argnum=1)(x, x + 1)
    assert only.asnumpy().tolist() == [1, 2]
