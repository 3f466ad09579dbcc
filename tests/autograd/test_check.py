"""`gradcheck` and `gradgradcheck` accept correct gradients, and errors name the wrong ones."""

from __future__ import annotations

import re

import numpy as np
import pytest

from gluon import GluonError, autograd, nd, nn, operator, random
from gluon._core.engine.mode import mode
from gluon._core.errors import AutogradError, GradcheckError


class Cube(autograd.Function):
    """x³, whose gradient is wrong by `factor`, and that of the gradient too if `cut`."""

    def __init__(self, factor=1.0, cut=False):
        self.factor, self.cut = factor, cut

    def forward(self, x):
        self.save_for_backward(x)
        return x**3

    def backward(self, dy):
        (x,) = self.saved_tensors
        if self.cut:
            x = x.detach()
        return 3 * self.factor * dy * x**2


class Scaled(operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] * in_data[1])

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * in_data[1])
        self.assign(in_grad[1], req[1], out_grad[0] * in_data[0] * 1.01)


@operator.register("check_scaled")
class ScaledProp(operator.CustomOpProp):
    def list_arguments(self):
        return ["data", "scale"]

    def create_operator(self, ctx, in_shapes, in_dtypes):
        return Scaled()


def double(*values):
    return nd.array(np.array(values), dtype="float64")


@pytest.fixture
def x():
    return double([1.0, 2.0, 3.0], [0.5, -1.0, 0.25])


def network(*layers):
    net = nn.HybridSequential()
    net.add(*layers)
    net.initialize()
    net.cast("float64")
    return net


BOTH = pytest.mark.parametrize("check", [autograd.gradcheck, autograd.gradgradcheck])


@BOTH
def test_right_gradients_pass(x, check):
    assert check(nd.sin, x) is True
    assert check(lambda x, w: (nd.dot(x, w), [x * x][0]), (x, x.T * 2))
    assert check(lambda x: x.sum(), double(2.0).reshape(()))
    assert check(lambda x: x * x, x[0:0])
    assert check(lambda x: Cube()(x), x)
    assert check(nd.take, (x, nd.array([1], dtype="int32")), argnums=0)


@BOTH
@pytest.mark.parametrize("training", [True, False])
def test_blocks_pass_with_their_parameters(x, check, training):
    random.seed(1)
    net = network(nn.Dense(3, activation="tanh"), nn.BatchNorm(), nn.Dropout(0.5), nn.Dense(1))
    with autograd.train_mode() if training else autograd.predict_mode():
        assert check(net, x)


def test_a_wrong_gradient_is_named_with_its_place_and_its_error(x):
    with pytest.raises(GradcheckError) as caught:
        autograd.gradcheck(lambda x, w: w * Cube(0.5)(x), (x, x), argnums=(1, 0))
    assert str(caught.value) == (
        "gradcheck: input 0 of shape (2, 3), element [0, 2]: backward gives 40.5 for the derivative"
        " of output 0, element [0, 2], where finite differences give 81, off by 40.5; 6 of its 36"
        " derivatives differ"
    )
    assert isinstance(caught.value, (AssertionError, AutogradError))


def test_one_wrong_output_of_two_is_named(x):
    with pytest.raises(GradcheckError, match="derivative of output 1, element "):
        autograd.gradcheck(lambda x: (x * x, Cube(2.0)(x)), x)


def test_a_wrong_input_of_a_custom_operator_is_named(x):
    def scaled(x, w):
        return nd.Custom(x, w, op_type="check_scaled")

    assert autograd.gradcheck(scaled, (x, x + 1), argnums=0)
    with pytest.raises(GradcheckError, match=r"input 1 of shape \(2, 3\), element \[0, 2\]"):
        autograd.gradcheck(scaled, (x, x + 1))
    assert autograd.gradcheck(scaled, (x, x + 1), rtol=0.02)


def test_a_wrong_parameter_is_named(x):
    class Block(nn.Dense):
        def hybrid_forward(self, F, x, weight, bias=None):
            return super().hybrid_forward(F, x, weight, Cube(0.9)(bias))

    net = Block(2)
    net.initialize()
    net.cast("float64")
    net(x)
    net.bias.set_data(double(1.0, 2.0))
    with pytest.raises(GradcheckError, match=rf"parameter {net.bias.name} of shape \(2,\), "):
        autograd.gradcheck(net, x)
    assert autograd.gradcheck(net, x, params={"weight": net.weight.data()})


def test_a_wrong_gradient_of_the_gradient_is_named(x):
    assert autograd.gradcheck(lambda x: Cube(cut=True)(x), x)
    with pytest.raises(GradcheckError, match=r"gradgradcheck: input 0 of shape .* no gradient"):
        autograd.gradgradcheck(lambda x: Cube(cut=True)(x), x)


def test_a_cut_is_named_as_the_likely_cause(x):
    with pytest.raises(GradcheckError, match=r"no gradient reaches it: detach\(\), asnumpy\(\)"):
        autograd.gradcheck(lambda x: nd.array(np.sin(x.asnumpy()), dtype="float64"), x)


def test_a_gradient_that_is_nan_differs():
    class Broken(Cube):
        def backward(self, dy):
            return dy * float("nan")

    with pytest.raises(GradcheckError, match="backward gives nan for"):
        autograd.gradcheck(lambda x: Broken()(x), double(1.0))


def test_the_worst_output_is_named(x):
    class Wrong(autograd.Function):
        def forward(self, x):
            return x * 2

        def backward(self, dy):
            return dy

    with pytest.raises(GluonError, match=r"of output 0, .*; 12 of its 72"):
        autograd.gradcheck(lambda x: (Wrong()(x) * 100, Wrong()(x)), x)


def test_a_function_that_changes_is_an_error(x):
    values = iter(range(100))
    with pytest.raises(GradcheckError, match="gives different values for the same inputs"):
        autograd.gradcheck(lambda x: x * next(values), x)


def test_nothing_is_left_behind(x):
    net = network(nn.Dense(2), nn.BatchNorm(), nn.Dropout(0.5))
    x.attach_grad()
    with autograd.train_mode():
        autograd.gradcheck(net, x)
    for value in net.collect_params().values():
        value.data()[:] = 1
    random.seed(5)
    wanted = nd.random.uniform(shape=(3,)).asnumpy()
    random.seed(5)
    states = {name: (one.data()._node, one.data().raw) for name, one in params_of(net)}
    before = mode()
    with autograd.train_mode():
        assert autograd.gradcheck(net, x)
        assert autograd.gradgradcheck(net, x)
    assert mode() == before
    np.testing.assert_array_equal(nd.random.uniform(shape=(3,)).asnumpy(), wanted)
    for name, one in params_of(net):
        node, raw = states[name]
        assert one.data()._node is node
        assert one.data().raw is raw
        assert (raw == 1).all()
        assert one.grad_req == "null" or not one.grad().asnumpy().any()
    assert not x.grad.asnumpy().any()


def params_of(net):
    return net.collect_params().items()


BAD = {
    "float32": (
        lambda x: autograd.gradcheck(nd.sin, x.astype("float32")),
        r"gradcheck: input 0 has dtype float32, too few digits .* x\.astype\('float64'\)",
    ),
    "float32 inside": (
        lambda x: autograd.gradcheck(lambda x: x.astype("float32"), x),
        "gradcheck: output 0 has dtype float32",
    ),
    "float32 parameters": (
        lambda x: autograd.gradcheck(lambda x: x * 1, x, params={"w": nd.ones(1)}),
        "gradcheck: w has dtype float32",
    ),
    "integers": (
        lambda x: autograd.gradcheck(nd.take, (x, nd.array([0], dtype="int32"))),
        "gradcheck: input 1, .* dtype int32, which has no derivative; leave it out of argnums",
    ),
    "no step": (lambda x: autograd.gradcheck(nd.sin, x, eps=0), "gradcheck: eps=0; give a step"),
    "no function": (lambda x: autograd.gradgradcheck(x, nd.sin), "gradgradcheck: "),
    "no gradient": (lambda x: autograd.gradcheck(nd.argmax, x), "argmax, which has no gradient"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_named(x, name):
    run, message = BAD[name]
    before = mode()
    with pytest.raises(GluonError) as caught:
        run(x)
    assert re.search(message, str(caught.value))
    assert mode() is before
