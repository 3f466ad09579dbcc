"""``reshape`` with the codes 0, -1, -2, -3, -4 and ``reverse=True``, as the oracle reads them."""

from __future__ import annotations

import pytest

from gluon import GluonError, autograd, nd
from tests._core.arrays.programs import RESHAPE
from tests._core.arrays.replay import assert_as_the_oracle, programs


@pytest.mark.parametrize("program", programs(RESHAPE, {}))
def test_as_the_oracle(program):
    assert_as_the_oracle(program)


@pytest.mark.parametrize(
    ("codes", "said"),
    [
        ((5, 5), r"24 values of shape \(2, 3, 4\) do not fit \(5, 5\)"),
        ((-1, -1), "more than one length"),
        ((0, 0, 0, 0), "more axes"),
        ((-5,), "-5"),
        ((-4, 3, 1, -2), "split an axis of 2 into 3 x 1"),
    ],
)
def test_what_does_not_fit_is_said(codes, said):
    with pytest.raises(GluonError, match=said) as caught:
        nd.zeros((2, 3, 4)).reshape(codes)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("codes", "said"),
    [
        ((5, -1), r"24 values of shape \(2, 3, 4\) do not fit \(5, -1\)"),
        ((0, 0, 0, 0), r"codes \(0, 0, 0, 0\) need more axes than \(2, 3, 4\)"),
        ((-1, 4, -1), r"more than one length to infer in \(-1, 4, -1\)"),
    ],
)
def test_what_does_not_fit_from_the_right_is_said_in_the_order_given(codes, said):
    with pytest.raises(GluonError, match=said):
        nd.zeros((2, 3, 4)).reshape(codes, reverse=True)


def test_forms_of_the_call():
    x = nd.arange(6)
    for y in (x.reshape((2, 3)), x.reshape([2, 3]), x.reshape(2, 3), x.reshape(shape=(2, 3))):
        assert y.shape == (2, 3)
    with pytest.raises(TypeError, match="order"):
        x.reshape((2, 3), order="F")


def test_no_codes_at_all_take_the_axes_of_one_value_away():
    assert nd.ones((1, 1)).reshape(()).shape == ()
    with pytest.raises(GluonError, match="do not fit"):
        nd.ones((2,)).reshape(())


def test_empty_arrays_have_a_shape_too():
    assert nd.zeros((0, 4)).reshape((-2,)).shape == (0, 4)
    assert nd.zeros((0, 4)).reshape((-3,)).shape == (0,)


def test_the_gradient_comes_back_in_the_old_shape():
    x = nd.arange(6)
    x.attach_grad()
    with autograd.record():
        y = (x.reshape((2, -1)) * nd.array([[1], [2]])).sum()
    y.backward()
    assert x.grad.asnumpy().tolist() == [1, 1, 1, 2, 2, 2]
