"""Derivatives of functions of arrays of `np`, also of arrays without axes or without values."""

from __future__ import annotations

import numpy
import pytest

from gluon import autograd, nd, np
from gluon.autodiff import GradManager

X, Y = numpy.array([1.0, 2.0, 3.0]), numpy.array([4.0, 5.0, 6.0])
CALLS = {
    "jacobian": lambda x, y: autograd.jacobian(lambda a, b: (a * b, (a * a).sum()), (x, y)),
    "jacobian of one": lambda x, y: autograd.jacobian(lambda a, b: a * b, (x, y), argnums=1),
    "hessian": lambda x, y: autograd.hessian(lambda a, b: (a * a * b).sum(), (x, y)),
    "hvp": lambda x, y: autograd.hvp(lambda a, b: (a * a * b).sum(), (x, y), (y, x)),
    "vjp": lambda x, y: autograd.vjp(lambda a, b: a * b, (x, y), y),
    "jvp": lambda x, y: autograd.jvp(lambda a, b: [a * b, a], (x, y), (y, x)),
    "value_and_grad": lambda x, y: autograd.value_and_grad(lambda a, b: (a * b).sum())(x, y),
    "no dependence": lambda x, y: autograd.jacobian(lambda a: y * 2, x),
    "checkpoint": lambda x, y: autograd.jacobian(
        lambda a: autograd.checkpoint(lambda b: b * b * y, a), x
    ),
}


def values(tree):
    if isinstance(tree, (tuple, list)):
        return [values(part) for part in tree]
    return numpy.atleast_1d(tree.asnumpy()).ravel().tolist()


def classes(tree):
    if isinstance(tree, (tuple, list)):
        return set().union(*map(classes, tree))
    return {type(tree)}


@pytest.mark.parametrize("name", CALLS)
def test_both_kinds_of_arrays_have_the_same_derivatives(name):
    classic = CALLS[name](nd.array(X), nd.array(Y))
    new = CALLS[name](np.array(X), np.array(Y))
    assert (classes(classic), classes(new)) == ({nd.NDArray}, {np.ndarray})
    assert values(new) == values(classic)


@pytest.mark.parametrize("shape", [(), (0,), (2, 0)], ids=str)
def test_arrays_without_axes_or_values(shape):
    x = np.full(shape, 2.0, dtype="float64")
    assert autograd.jacobian(lambda a: a * a, x).shape == shape + shape
    assert autograd.jacobian(lambda a: a.sum(), x).shape == shape
    hessian = autograd.hessian(lambda a: (a**3).sum(), x)
    assert hessian.shape == shape + shape
    assert hessian.tolist() == (12 * numpy.ones(shape + shape)).tolist()
    for value, product in (
        autograd.vjp(lambda a: a * a, x, x),
        autograd.jvp(lambda a: a * a, x, x),
        autograd.hvp(lambda a: (a * a).sum(), x, x)[1:] * 2,
    ):
        assert (value.shape, product.shape) == (shape, shape)
    value, grad = autograd.value_and_grad(lambda a: (a * a).sum())(x)
    assert (value.shape, grad.shape) == ((), shape)
    assert autograd.gradcheck(lambda a: np.exp(a) * a, x)
    assert autograd.gradgradcheck(lambda a: np.exp(a) * a, x)
    x.attach_grad()
    with autograd.record():
        y = autograd.checkpoint(lambda a: a * a, x)
    y.backward()
    assert x.grad.tolist() == (4 * numpy.ones(shape)).tolist()


def test_they_are_recorded_by_record_and_by_managers():
    x = np.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        loss = (autograd.jacobian(lambda a: a**3, x) ** 2).sum()
    loss.backward()
    assert x.grad.tolist() == [36, 288]
    weight = np.array([1.0, 2.0])
    manager = GradManager().attach([weight])
    with manager:
        _, grad = autograd.value_and_grad(lambda a: (a**3).sum())(weight)
        manager.backward((grad * grad).sum())
    assert weight.grad.tolist() == [36, 288]


@pytest.mark.parametrize(
    ("function", "inputs", "message"),
    [
        (
            lambda a: a,
            np.array([1, 2], dtype="int32"),
            r"input 0, of shape \(2,\), has dtype int32",
        ),
        (lambda a: a, numpy.ones(2), "input 0 is numpy\\.ndarray; give"),
        (lambda a: a > 1, np.ones(2), "output 0 of the function has dtype bool"),
        (lambda a: a.asnumpy(), np.ones(2), "function is numpy\\.ndarray"),
    ],
)
def test_what_has_no_derivative_is_named(function, inputs, message):
    with pytest.raises(TypeError, match=message):
        autograd.jacobian(function, inputs)
    assert not autograd.is_recording()
