"""Programs for each promise of the document on the autograd package."""

from __future__ import annotations

import numpy as np
import pytest

import gluon
from gluon import autograd, nd


def values(array) -> list:
    return array.asnumpy().tolist()


def test_history_is_recorded_only_inside_a_record_block():
    x = nd.array([1.0, 2.0])
    x.attach_grad()
    outside = x * 3
    with autograd.record():
        inside = x * 3
    inside.backward()
    assert values(x.grad) == [3, 3]
    with pytest.raises(gluon.GluonError):
        outside.backward()


def test_pause_inside_record_disables_recording_for_a_while():
    x = nd.array([3.0])
    x.attach_grad()
    with autograd.record():
        y = x * x
        with autograd.pause():
            assert not autograd.is_recording()
            scale = 1 / y
        z = y * scale
    z.backward()
    assert x.grad.asscalar() == pytest.approx(6 / 9)


def test_attach_grad_allocates_and_backward_fills_and_print_shows():
    x = nd.array([0, 1, 2])
    x.attach_grad()
    assert x.grad.shape == x.shape
    with gluon.autograd.record():
        y = 5 * x * x - x
    y.backward()
    assert str(x.grad) == "\n[-1.  9. 19.]\n<NDArray 3 @cpu(0)>"


def test_predict_mode_is_the_default_and_record_turns_training_on():
    assert not autograd.is_training()
    with autograd.record():
        assert autograd.is_training()
    with autograd.record(train_mode=True):
        assert autograd.is_training()
    with autograd.record(train_mode=False):
        assert (autograd.is_recording(), autograd.is_training()) == (True, False)


def test_gradients_in_prediction_mode_as_for_adversarial_examples():
    """``record(train_mode=False)`` with ``backward(train_mode=False)``: dropout passes through."""
    x = nd.ones((100,))
    x.attach_grad()
    with autograd.record(train_mode=False):
        y = nd.Dropout(x * 2, p=0.5)
    y.backward(train_mode=False)
    assert values(x.grad) == [2] * 100
    adversarial = x + 0.1 * nd.sign(x.grad)
    np.testing.assert_allclose(adversarial.asnumpy(), 1.1, rtol=1e-6)


@pytest.mark.parametrize("train_mode", [True, False])
def test_a_gradient_through_running_averages_or_those_of_the_batch(train_mode):
    x, gamma, beta = nd.array([[1.0], [3.0]]), nd.array([2.0]), nd.array([5.0])
    mean, variance = nd.array([1.0]), nd.array([4.0])
    x.attach_grad()
    with autograd.record(train_mode=train_mode):
        y = nd.BatchNorm(x, gamma, beta, mean, variance, eps=0, fix_gamma=False)
    y.backward(nd.array([[1.0], [0.0]]), train_mode=train_mode)
    if train_mode:
        assert values(y) == [[3], [7]]
        np.testing.assert_allclose(x.grad.asnumpy(), 0, atol=1e-6)
    else:
        assert values(y) == [[5], [7]]
        assert values(x.grad) == [[1], [0]]
        assert (values(mean), values(variance)) == ([1], [4])


def test_training_mode_drops_and_its_gradient_with_it():
    x = nd.ones((1000,))
    x.attach_grad()
    with autograd.record():
        y = nd.Dropout(x, p=0.5)
    y.backward()
    dropped = y.asnumpy() == 0
    assert 300 < dropped.sum() < 700
    np.testing.assert_array_equal(x.grad.asnumpy(), y.asnumpy())


@pytest.mark.parametrize(("scope", "training"), [("train_mode", True), ("predict_mode", False)])
@pytest.mark.parametrize("recording", [True, False])
def test_training_is_controlled_apart_from_recording(scope, training, recording):
    before = autograd.set_recording(recording)
    with getattr(autograd, scope)():
        assert (autograd.is_recording(), autograd.is_training()) == (recording, training)
    assert autograd.set_recording(before) is recording


def test_dropout_outside_record_follows_train_mode():
    x = nd.ones((1000,))
    assert values(nd.Dropout(x, p=0.5)) == values(x)
    with autograd.train_mode():
        assert (nd.Dropout(x, p=0.5).asnumpy() == 0).any()
        with autograd.predict_mode():
            assert values(nd.Dropout(x, p=0.5)) == values(x)


def test_set_functions_return_the_previous_state():
    for set_state, is_state in (
        (autograd.set_recording, autograd.is_recording),
        (autograd.set_training, autograd.is_training),
    ):
        assert (set_state(True), is_state(), set_state(False), is_state()) == (
            False,
            True,
            True,
            False,
        )


def test_a_step_of_training_as_the_document_sketches_it():
    w, x, label = nd.array([[0.0, 0.0]]), nd.array([[1.0, 2.0], [3.0, 1.0]]), nd.array([1.0, 2.0])
    w.attach_grad()
    losses = []
    for _ in range(50):
        with autograd.record():
            output = (x * w).sum(axis=1)
            loss = ((output - label) ** 2).sum()
        loss.backward()
        w -= 0.05 * w.grad
        losses.append(loss.asscalar())
    assert losses[-1] < 1e-3 < losses[0]


def test_updates_and_input_output_in_pause_are_no_part_of_the_graph():
    w = nd.array([2.0])
    w.attach_grad()
    with autograd.record():
        y = w * w
        autograd.backward([y])
        with autograd.pause():
            w -= 0.25 * w.grad
    assert values(w) == [1]


def test_mark_variables_with_lists_and_with_single_arrays():
    a, b, ga, gb = nd.array([2.0]), nd.array([5.0]), nd.zeros((1,)), nd.zeros((1,))
    autograd.mark_variables([a, b], [ga, gb], grad_reqs=["write", "add"])
    for _ in range(2):
        with autograd.record():
            y = a * b
        y.backward()
    assert (values(ga), values(gb)) == ([5], [4])
    autograd.mark_variables(a, ga, grad_reqs="null")
    with autograd.record():
        y = a * b
    y.backward()
    assert values(ga) == [5]


def test_backward_of_heads_with_head_gradients():
    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y, z = x * x, x * 10
    autograd.backward(heads=[y, z], head_grads=[nd.array([1.0, 0.5]), None], retain_graph=False)
    assert values(x.grad) == [12, 12]


def test_grad_returns_new_arrays_and_supports_higher_order():
    x = nd.array([1.0])
    x.attach_grad()
    with autograd.record():
        z = nd.elemwise_mul(nd.exp(x), x)
        (dx,) = autograd.grad(z, [x], create_graph=True)
    assert dx.asscalar() == pytest.approx(2 * np.e, rel=1e-6)
    assert values(x.grad) == [0]
    dx.backward()
    assert x.grad.asscalar() == pytest.approx(3 * np.e, rel=1e-6)


def test_grad_created_outside_record_can_be_differentiated_too():
    x = nd.array([0.5])
    x.attach_grad()
    with autograd.record():
        z = nd.sin(x) + x
    (dx,) = autograd.grad(z, [x], create_graph=True)
    dx.backward()
    assert x.grad.asscalar() == pytest.approx(-np.sin(0.5), rel=1e-6)


@pytest.mark.parametrize("create_graph", [True, False])
def test_retain_graph_defaults_to_create_graph(create_graph):
    x = nd.array([2.0])
    x.attach_grad()
    with autograd.record():
        y = x * x
        autograd.grad(y, [x], create_graph=create_graph)
        if create_graph:
            assert values(autograd.grad(y, [x])[0]) == [4]
        else:
            with pytest.raises(gluon.GluonError, match="retain_graph"):
                autograd.grad(y, [x])


def test_get_symbol_retrieves_the_history():
    x = nd.array([1.0])
    x.attach_grad()
    with autograd.record():
        y = nd.exp(x) * 2
    symbol = autograd.get_symbol(y)
    assert len(symbol.list_arguments()) == 1
    assert len(symbol.list_outputs()) == 1


def test_a_user_defined_function_is_used_in_the_place_of_the_chain_rule():
    class Straight(autograd.Function):
        """Rounds forward, passes the gradient through: not what the chain rule says."""

        def forward(self, x):
            return nd.round(x)

        def backward(self, dy):
            return dy

    x = nd.array([0.2, 1.7])
    x.attach_grad()
    with autograd.record():
        y = Straight()(x) * 3
    y.backward()
    assert (values(y), values(x.grad)) == ([0, 6], [3, 3])


def test_a_function_may_go_through_numpy_and_save_its_output():
    class Softplus(autograd.Function):
        def forward(self, x):
            y = nd.array(np.logaddexp(0, x.asnumpy()))
            self.save_for_backward(x, y)
            return y

        def backward(self, dy):
            x, y = self.saved_tensors
            return dy * nd.exp(x - y)

    x = nd.array([-1.0, 0.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y = Softplus()(x).sum()
    y.backward()
    np.testing.assert_allclose(x.grad.asnumpy(), 1 / (1 + np.exp([1.0, 0, -2])), rtol=1e-6)


def test_backward_takes_what_forward_returns_and_returns_what_forward_takes():
    class SumAndProduct(autograd.Function):
        def forward(self, a, b, c):
            self.save_for_backward(b, c)
            return a + b, b * c

        def backward(self, d_sum, d_product):
            b, c = self.saved_tensors
            return d_sum, d_sum + d_product * c, d_product * b

    arrays = [nd.array([float(n)]) for n in (2, 3, 5)]
    for array in arrays:
        array.attach_grad()
    with autograd.record():
        total, product = SumAndProduct()(*arrays)
        loss = total * 10 + product
    loss.backward()
    assert [values(array.grad) for array in arrays] == [[10], [15], [3]]
