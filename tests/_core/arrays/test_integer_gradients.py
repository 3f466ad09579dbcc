"""Gradients of integers drop fractions and wrap around: `nd` warns of them, `np` refuses."""

from __future__ import annotations

import warnings

import pytest

import gluon.mxnet
from gluon import Constant, Parameter, autograd, nd, np
from gluon._core.errors import DTypeError

MARK = {
    "attach_grad": lambda x, **how: x.attach_grad(**how),
    "attach_grad('add')": lambda x: x.attach_grad("add"),
    "mark_variables": lambda x: autograd.mark_variables([x], [x.copy()]),
}


@pytest.mark.parametrize("mark", MARK.values(), ids=MARK)
@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32", "int64", "bool"])
def test_nd_warns_and_says_the_way_out(mark, dtype):
    x = nd.array([1, 2], dtype=dtype)
    with pytest.warns(
        UserWarning, match=rf"{dtype}.*drops fractions.*x.astype\('float32'\)"
    ) as seen:
        mark(x)
    assert len(seen) == 1
    assert seen[0].filename == __file__
    assert x.grad.dtype == x.dtype  # as in MXNet


def test_the_warning_is_shown_once_for_each_place():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("default")
        for _ in range(3):
            nd.array([1, 2], dtype="int32").attach_grad()
    assert len(seen) == 1


@pytest.mark.parametrize("mark", MARK.values(), ids=MARK)
@pytest.mark.parametrize("dtype", ["uint8", "int64", "bool"])
def test_np_refuses(mark, dtype):
    x = np.array([1, 2], dtype=dtype)
    with pytest.raises(DTypeError, match=rf"{dtype}.*would have that dtype.*astype\('float32'\)"):
        mark(x)
    assert x.grad is None


def test_under_the_hook_np_warns_like_nd():
    with gluon.mxnet.installed():
        x = np.array([1, 2], dtype="uint8")
        with pytest.warns(UserWarning, match="drops fractions"):
            x.attach_grad()
        with autograd.record():
            y = x * 3
        y.backward()
        assert x.grad.tolist() == [3, 3]
    with pytest.raises(DTypeError):
        np.array([1, 2], dtype="uint8").attach_grad()


def test_no_word_where_no_gradient_is_asked_for():
    for array in (nd.array, np.array):
        array([1, 2], dtype="int32").attach_grad("null")
        array([1, 2], dtype="float16").attach_grad()
    Constant("numbers", nd.array([1, 2], dtype="int32")).initialize()
    Parameter("counts", shape=(2,), dtype="int32", init="zeros", grad_req="null").initialize()


def test_parameters_warn():
    counts = Parameter("counts", shape=(2,), dtype="int32", init="zeros")
    with pytest.warns(UserWarning, match="'counts' of dtype int32.*grad_req='null'"):
        counts.initialize()
