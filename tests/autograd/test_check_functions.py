"""`gradcheck` of a `Function`, and of functions that compute with too few digits."""

from __future__ import annotations

import pytest

from gluon import autograd, nd
from gluon._core.errors import DTypeError, GradcheckError

X = nd.array([3.3, 7.7], dtype="float64")


class Square(autograd.Function):
    """``factor * x * x``, in the dtype of x or a narrower one."""

    factor = 1

    def __init__(self, factor=1, narrow=None, back=None):
        self.factor, self.narrow, self.back = factor, narrow, back

    def forward(self, x):
        self.save_for_backward(x)
        if self.narrow is not None:
            x = x.astype(self.narrow)
        y = self.factor * x * x
        return y if self.back is None else y.astype(self.back)

    def backward(self, dy):
        (x,) = self.saved_tensors
        return 2 * self.factor * dy * x


@pytest.mark.parametrize("check", [autograd.gradcheck, autograd.gradgradcheck])
def test_a_function_is_checked_by_its_class_or_an_instance(check):
    assert check(Square, X)
    assert check(Square(3), X)
    assert check(lambda x: Square(3)(x), X)


def test_a_wrong_function_is_found():
    class Wrong(Square):
        def backward(self, dy):
            return dy

    for given in (Wrong, Wrong()):
        with pytest.raises(GradcheckError, match="backward gives 1 "):
            autograd.gradcheck(given, X)


def test_an_output_of_fewer_digits_is_named():
    with pytest.raises(DTypeError, match=r"output 0 has dtype float32.*computes in float32"):
        autograd.gradcheck(Square(1, "float32"), X)


@pytest.mark.parametrize("narrow", ["float32", "float16"])
def test_fewer_digits_in_between_are_named(narrow):
    with pytest.raises(GradcheckError, match="no more digits than float32"):
        autograd.gradcheck(Square(1, narrow, "float64"), X)


def test_a_wrong_gradient_alone_says_nothing_of_digits():
    class Wrong(Square):
        def backward(self, dy):
            return dy

    with pytest.raises(GradcheckError) as caught:
        autograd.gradcheck(Wrong, X)
    assert "digits" not in str(caught.value)
