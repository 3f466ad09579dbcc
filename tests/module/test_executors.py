"""Executors where MXNet's own results are not the right ones."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import GluonError, nd, operator, random, sym
from tests.module.executors import filled, network
from tests.nn.replay import MX


def test_a_second_backward_pass_repeats_the_first():
    net = sym.Dropout(network(MX()), p=0.5)
    bound = filled(MX(), net, data=(2, 1, 5, 5))
    random.seed(3)
    bound.forward(is_train=True)
    shown, states = bound.outputs[0].asnumpy(), bound.aux_dict["bn_moving_mean"].asnumpy()
    heads = nd.array(np.arange(6).reshape(2, 3) + 1)
    bound.backward(heads)
    first = {name: one.asnumpy() for name, one in bound.grad_dict.items()}
    following = nd.random.uniform(shape=3).asnumpy()
    random.seed(3)
    bound.forward(is_train=True)
    for _ in range(2):
        bound.backward(heads)
    bound.backward(2 * heads)
    for name, one in bound.grad_dict.items():
        np.testing.assert_allclose(one.asnumpy(), 2 * first[name], rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(bound.outputs[0].asnumpy(), shown)
    np.testing.assert_array_equal(nd.random.uniform(shape=3).asnumpy(), following)
    assert not np.array_equal(bound.aux_dict["bn_moving_mean"].asnumpy(), states)
    after = bound.aux_dict["bn_moving_mean"].asnumpy()
    bound.backward(heads)
    np.testing.assert_array_equal(bound.aux_dict["bn_moving_mean"].asnumpy(), after)


def test_what_is_shown_stays_when_arguments_change_before_a_second_backward_pass():
    x = sym.var("x")
    bound = sym.square(x).bind(None, {"x": nd.array([2, 3])}, {"x": nd.zeros(2)})
    bound.forward(is_train=True)
    bound.backward(nd.ones(2))
    bound.arg_dict["x"][:] = 5
    bound.backward(nd.ones(2))
    assert bound.outputs[0].asnumpy().tolist() == [4, 9]
    assert bound.grad_dict["x"].asnumpy().tolist() == [10, 10]


def test_a_label_may_be_written_between_the_passes():
    data, label = sym.var("data"), sym.var("label")
    bound = sym.SoftmaxOutput(data, label).simple_bind(None, data=(2, 3), label=(2,))
    shown = bound.forward(is_train=True)[0].asnumpy()
    bound.arg_dict["label"][:] = [2, 1]
    bound.backward()
    expected = shown - [[0, 0, 1], [0, 1, 0]]
    np.testing.assert_allclose(bound.grad_dict["data"].asnumpy(), expected, rtol=1e-6)
    bound.forward(is_train=True, label=[0, 0])
    bound.backward()
    expected = shown - [[1, 0, 0], [1, 0, 0]]
    np.testing.assert_allclose(bound.grad_dict["data"].asnumpy(), expected, rtol=1e-6)


class Doubled(operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], 2 * in_data[0])

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_data[0])


@operator.register("doubled_again")
class DoubledProp(operator.CustomOpProp):
    def create_operator(self, ctx, shapes, dtypes):
        return Doubled()


def test_a_custom_operator_gets_its_outputs_in_a_repeated_pass():
    net = sym.Custom(sym.var("x"), op_type="doubled_again")
    bound = net.bind(None, {"x": nd.array([2, 3])}, {"x": nd.zeros(2)})
    bound.forward(is_train=True)
    for _ in range(2):
        bound.backward(nd.ones(2))
        assert bound.grad_dict["x"].asnumpy().tolist() == [4, 6]


def test_backward_needs_a_forward_pass():
    bound = sym.square(sym.var("x")).simple_bind(None, x=(2,))
    with pytest.raises(GluonError, match="call forward"):
        bound.backward(nd.ones(2))


def test_a_monitor_gets_the_gradients_of_inputs():
    seen = {}
    x = sym.var("x")
    net = sym.dot(sym.square(x, name="s"), sym.var("w"), name="d")
    values = {"x": nd.array([[1, 2]]), "w": nd.array([[3], [4]])}
    bound = net.bind(None, values, {"x": nd.zeros((1, 2)), "w": nd.zeros((2, 1))})
    bound.set_monitor_callback(lambda name, one: seen.update({name: one.asnumpy().tolist()}))
    bound.forward(is_train=True)
    assert seen == {"s_output": [[1, 4]], "d_output": [[19]]}
    seen.clear()
    bound.backward(nd.array([[10]]))
    assert list(seen) == ["d_backward_output0", "d_backward_output1", "s_backward_output"]
    assert seen["d_backward_output0"] == [[30, 40]]
    assert seen["d_backward_output1"] == [[10], [40]]
    assert seen["s_backward_output"] == bound.grad_dict["x"].asnumpy().tolist() == [[60, 160]]
