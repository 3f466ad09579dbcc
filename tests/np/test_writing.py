"""Functions of `np` that write to an array: what they write, gradients, and what is refused."""

from __future__ import annotations

import numpy
import pytest

from gluon import autograd, np
from gluon._core.errors import GluonError

WRITES = [
    *(
        "np.put(x, [0, -1], [7, 8])",
        "np.put(x, [[1], [3]], 9)",
        "np.put(x, [7, -9], 1, mode='clip')",
    ),
    *("np.put(x, [7, 2], [1, 2], mode='wrap')", "np.place(x, x > 2, [7, 8])", "np.put(x, [], 3)"),
    *("np.putmask(x, x > 2, -x)", "np.putmask(x, x > 1, [1, 2])", "np.copyto(x, 5)"),
    *("np.copyto(x, [1, 2, 3])", "np.copyto(x, 9, where=x > 2)", "np.fill_diagonal(x, [4, 5])"),
    "np.copyto(x, [1, 2, 3], where=[True, False, True])",
    *("np.put_along_axis(x, np.array([[1], [0]]), 5, 1)", "x.sort()", "x.sort(0)"),
    *("np.put_along_axis(x, np.array([0, 5]), np.array([8, 9]), None)", "x.partition(1)"),
    *("x.put([1], 3)", "np.fill_diagonal(x, 3)", "np.place(x, x > 99, [])"),
]


pytestmark = pytest.mark.usefixtures("defaults_of_numpy")


@pytest.mark.parametrize("call", WRITES)
def test_numpy_writes_the_same(call):
    raw = numpy.array([[3.0, 1, 2], [0, 5, 4]])
    x = np.array(raw)
    assert eval(call, {"np": np, "x": x}) is None
    eval(call, {"np": numpy, "x": raw})
    assert x.tolist() == raw.tolist()


@pytest.mark.parametrize(
    "call",
    [
        *("np.put(y, [0, 4], v)", "np.place(y, x > 2.5, v)", "np.putmask(y, x > 2.5, v)"),
        *("np.copyto(y, v)", "np.copyto(y, v, where=x > 2.5)", "np.fill_diagonal(y, v)"),
        *("np.put_along_axis(y, np.array([[1], [0]]), v[:1], 1)", "y.sort()"),
    ],
)
def test_what_is_written_is_recorded(call):
    def function(x, v):
        y = x * 2
        eval(call, {"np": np, "x": x, "y": y, "v": v})
        return y + 0  # a new array, since what is written is taken back

    x = np.array([[3.0, 1, 2], [0, 5, 4]])
    v = np.array([0.5, 1.5, 2.5])
    assert autograd.gradcheck(function, [x, v])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("np.put(x, [6], 1)", "put: index 6 is out of bounds"),
        ("np.put(x, [0], [])", "put: the values to write are empty"),
        ("np.put(x, [0], 1, mode='no')", "put: mode='no'"),
        ("np.put([1, 2], [0], 1)", "put: only arrays of gluon"),
        ("np.place(x, [True], 1)", "place: a mask of shape"),
        ("np.copyto(x.astype('int32'), 1.5 * x)", "copyto: "),
        ("np.fill_diagonal(x[0], 1)", "fill_diagonal: shape"),
        ("np.put_along_axis(x, [0], 1, 1)", "put_along_axis: 1 axes"),
    ],
)
def test_what_is_refused(call, message):
    x = np.array([[3.0, 1, 2], [0, 5, 4]])
    with pytest.raises(GluonError, match=message):
        eval(call, {"np": np, "x": x})
    assert x.tolist() == [[3, 1, 2], [0, 5, 4]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("np.sort(x, axis=5)", "sort: "),
        ("np.sort(x, order='a')", "sort: order='a' names fields"),
        ("np.quantile(x, 2)", "quantile: quantiles must lie between 0 and 1"),
        ("np.quantile(x, 0.5, method='no')", "quantile: "),
        ("np.quantile(x, 0.5, weights=x)", "weights need method='inverted_cdf'"),
        ("np.average(x, weights=[1, 2])", "average: weights of shape"),
        ("np.average(x, weights=x * 0)", "average: the weights add up to 0"),
        ("np.cov(np.ones((2, 2, 2)))", "cov: variables of shape"),
        ("np.histogram(x, -1)", "histogram: "),
        ("np.bincount([-1])", "bincount: "),
        ("np.gradient(x, edge_order=3)", "gradient: edge_order=3"),
        ("np.interp(x, [1, 2], [1])", "interp: xp of shape"),
        ("np.convolve(x, x)", "convolve: shapes"),
        ("np.convolve([1], [1], 'no')", "convolve: mode='no'"),
        ("np.polydiv([1, 2], [0, 1])", "polydiv: the divisor begins"),
        ("np.roots([1, 0, 1])", "roots: .*complex"),
        ("np.cross([1], [2])", "cross: vectors of shapes"),
        ("np.select([1], [x])", "select: conditions must be of booleans"),
        ("np.choose([5], [x])", "choose: index 5 is out of range for 1 choices"),
        ("np.linalg.inv(x)", "inv.*not that of square matrices"),
        ("np.linalg.inv(np.zeros((2, 2)))", "inv"),
        ("np.linalg.eig([[0, 1], [-1, 0]])", "eig.*complex"),
        ("np.linalg.cholesky(-np.eye(2))", "cholesky"),
        ("np.linalg.solve(np.eye(2), np.ones(3))", "solve"),
        ("np.linalg.norm(x, 'no')", "norm: ord='no'"),
        ("np.linalg.norm(np.ones((2, 2, 2)), 2)", "norm: axis=None"),
        ("np.linalg.qr(x, 'no')", "qr: mode='no'"),
        ("np.linalg.multi_dot([x])", "multi_dot: give at least two"),
        ("np.linalg.svd(x.astype('float16'))", "svd.*float16"),
    ],
)
def test_what_functions_refuse(call, message):
    x = np.array([[3.0, 1, 2], [0, 5, 4]])
    with pytest.raises(GluonError, match=message):
        eval(call, {"np": np, "x": x})


def test_a_reshape_that_had_to_copy_is_no_view():
    whole = np.arange(6.0).reshape(2, 3)
    flipped = whole[:, ::-1]
    copied, viewed = flipped.reshape(6), whole.reshape(6)
    w = np.ones((2, 3))
    w.attach_grad()
    with autograd.record():
        y = w * flipped  # keeps the buffer, so that the write moves all views of it
    flipped[:] = 7
    assert viewed.tolist() == [7] * 6
    assert copied.tolist() == [2, 1, 0, 5, 4, 3]
    y.backward()
    assert w.grad.tolist() == [[2, 1, 0], [5, 4, 3]]


def test_rows_that_are_one_in_memory_are_written_apart():
    y = np.broadcast_to(np.ones(3), (2, 3))
    y[0] = 5
    assert y.tolist() == [[5, 5, 5], [1, 1, 1]]
