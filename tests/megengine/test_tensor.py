"""`Tensor` and `Parameter`, beyond the programs that are compared with MegEngine."""

from __future__ import annotations

import copy
import operator
import pickle

import numpy as np
import pytest

import gluon
from gluon import GluonError, nd
from gluon.megengine import Parameter, Tensor
from gluon.megengine import functional as F
from gluon.megengine.autodiff import Function, GradManager


def test_a_tensor_has_memory_of_its_own():
    values = np.zeros(2, "float32")
    x = Tensor(values)
    values[0] = 9
    assert x.tolist() == [0, 0]
    assert not x.numpy().flags.writeable


def test_operators_of_numpy_arrays_and_lists():
    assert (np.ones(2, "float32") + Tensor([1.0, 2.0])).tolist() == [2, 3]
    assert ([1, 2] * Tensor([1.0, 2.0])).tolist() == [1, 4]


def test_numbers_that_do_not_fit_are_an_error():
    with pytest.raises(GluonError, match="do not fit into int32"):
        Tensor([2**40])


@pytest.mark.parametrize("data", ["a", None, [object()], [[1], [1, 2]]])
def test_what_holds_no_numbers_is_an_error(data):
    with pytest.raises(GluonError, match="Tensor: "):
        Tensor(data)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: -(x > 0), "neg: dtype bool"),
        (lambda x: x & x, "logical_and: dtype float32.*compare first"),
        (lambda x: (x > 0) + (x > 0), "add: dtype bool"),
        (lambda x: x[x], "indices must be integers or bool; got dtype float32"),
        (lambda x: x.item(), r"shape \(2,\) is not one number"),
        (lambda x: bool(x), r"shape \(2,\) is not one number"),
        (lambda x: x.reshape(3), "2 values of shape .* do not fit"),
        (lambda x: x + Tensor([1.0, 2.0, 3.0]), r"add\(x1: float32\[2\], x2: float32\[3\]\)"),
        (lambda x: x.to("tpu"), "device 'tpu'"),
        (lambda x: F.clip(x), "at least one of lower and upper"),
        (lambda x: F.norm(F.stack([x, x])), "give axis"),
        (lambda x: F.topk(x, 0), "topk: k is 0"),
        (lambda x: F.conv2d(x, x), r"conv2d: inp has shape \(2,\)"),
        (lambda x: F.loss.l1_loss(x, x, reduction="max"), "l1_loss: reduction 'max'"),
        (
            lambda x: F.loss.cross_entropy(F.stack([x, x]), F.stack([x, x])),
            "cross_entropy: for pred",
        ),
    ],
)
def test_errors_name_the_function_and_the_way_out(call, message):
    with pytest.raises(GluonError, match=message):
        call(Tensor([1.0, 2.0]))


def test_copies_and_pickles_keep_class_and_device():
    for x in (Tensor([1, 2], device="cpu0"), Parameter([1.0])):
        for again in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
            assert repr(again) == repr(x)
    again += 1
    assert x.tolist() == [1]


def test_an_ndarray_becomes_a_tensor_with_its_history():
    x = nd.array([3.0])
    with GradManager().attach(x) as gm:
        gm.backward(Tensor(x * x))
    assert x.grad.asscalar() == 6


def test_the_gradient_of_a_parameter_is_a_tensor_in_callbacks_too():
    seen = []
    p = Parameter([1.0, 2.0])
    with GradManager().attach(p, lambda _, grad: seen.append(type(grad)) or grad) as gm:
        gm.backward((p * p).sum())
    assert [*seen, type(p.grad)] == [Tensor, Tensor]


def test_a_gradient_can_be_set_and_cleared():
    x = Tensor([1.0])
    x.grad = Tensor([5.0])
    with GradManager().attach(x) as gm:
        gm.backward(2 * x)
    assert x.grad.tolist() == [7]
    x.grad = None
    assert x.grad is None
    with pytest.raises(GluonError, match="give a Tensor or None"):
        x.grad = 3


def test_a_write_while_recording_is_differentiable():
    x = Tensor([1.0, 2.0])
    with GradManager().attach(x) as gm:
        y = x * 3
        y[0] = x[1] * x[1]
        gm.backward(y.sum())
    assert x.grad.tolist() == [0, 7]


def test_each_call_of_a_function_keeps_what_it_needs():
    class Square(Function):
        def forward(self, x):
            self.x = x
            return x * x

        def backward(self, dy):
            return dy * 2 * self.x

    square, x = Square(), Tensor([1.0, 2.0])
    with GradManager().attach(x) as gm:
        gm.backward(square(x) + square(3 * x))
    assert x.grad.tolist() == [20, 40]


def test_a_function_is_differentiable_twice():
    class Cube(Function):
        def forward(self, x):
            self.x = x
            return x * x * x

        def backward(self, dy):
            return dy * 3 * self.x * self.x

    x = Tensor([2.0])
    with GradManager().attach(x) as outer:
        with GradManager().attach(x) as inner:
            inner.backward(Cube()(x))
        slope, x.grad = x.grad, None
        outer.backward(slope)
    assert (slope.item(), x.grad.item()) == (12, 12)
    with pytest.raises(GluonError, match="Cube: input 0 is a float"):
        Cube()(3.0)


def test_one_seed_serves_both_interfaces():
    from gluon.megengine import random

    random.seed(3)
    first = random.normal(size=(4,)).tolist()
    gluon.random.seed(3)
    assert random.normal(size=(4,)).tolist() == first
    own = random.RNG(seed=5)
    assert own.uniform(size=(2,)).tolist() != random.RNG(seed=6).uniform(size=(2,)).tolist()


@pytest.mark.parametrize(
    ("draw", "mean", "variance"),
    [
        (lambda r, n: r.normal(1.0, 2.0, n), 1, 4),
        (lambda r, n: r.uniform(-1, 3, n), 1, 16 / 12),
        (lambda r, n: r.gamma(2.0, 3.0, n), 6, 18),
        (lambda r, n: r.beta(2.0, 3.0, n), 0.4, 0.04),
        (lambda r, n: r.poisson(4.0, n), 4, 4),
    ],
)
def test_distributions(draw, mean, variance):
    from gluon.megengine.random import RNG

    drawn = draw(RNG(seed=1), (20000,)).numpy()
    assert drawn.mean() == pytest.approx(mean, rel=0.05)
    assert drawn.var() == pytest.approx(variance, rel=0.05)


def test_dropout_keeps_the_mean():
    x = F.dropout(F.ones(10000), 0.25)
    assert set(x.tolist()) == {0.0, np.float32(4 / 3)}
    assert F.mean(x).item() == pytest.approx(1, rel=0.05)


def test_the_product_of_two_vectors_has_gradients_of_their_shape():
    a, b = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
    with GradManager().attach([a, b]) as gm:
        gm.backward(a @ b)
    assert (a.grad.tolist(), b.grad.tolist()) == ([3, 4], [1, 2])


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_the_absolute_error_of_whole_numbers_is_float32(reduction):
    loss = F.loss.l1_loss(Tensor([1, 2]), Tensor([2, 4]), reduction=reduction)
    assert np.dtype(loss.dtype) == "float32"
    assert loss.numpy().tolist() == {"mean": 1.5, "sum": 3.0, "none": [1.0, 2.0]}[reduction]


SIGNS = "add sub mul truediv floordiv mod pow matmul".split()


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("order", ["left", "right", "in place"])
def test_tensors_in_a_list_beside_an_operator_are_differentiated(sign, order):
    def operate(x, other):
        if order == "in place":
            return getattr(operator, f"i{sign}")(x * 1, other)
        pair = (x, other) if order == "left" else (other, x)
        return getattr(operator, sign)(*pair)

    def gradients(pack):
        x, a, b = Tensor([3.0, 5.0]), Tensor(2.0), Tensor(1.5)
        with GradManager().attach([x, a, b]) as manager:
            manager.backward(operate(x, pack(a, b)).sum())
        return [None if one.grad is None else one.grad.tolist() for one in (x, a, b)]

    wanted = gradients(lambda a, b: F.stack([a, b]))
    assert gradients(lambda a, b: [a, b]) == wanted
    assert gradients(lambda a, b: (a, b)) == wanted


def test_tensors_in_a_list_are_differentiated_wherever_a_tensor_is_taken():
    x, a = Tensor([1.0, 2.0]), Tensor(3.0)
    with GradManager().attach(a) as manager:
        y = x * 1
        y[:] = [a, 2 * a]
        z = y.sum() + F.maximum([a, 1.0], x).sum() + Tensor([[a, a], [0.0, a]]).sum()
        manager.backward(z)
    assert a.grad.tolist() == 3 + 1 + 3
