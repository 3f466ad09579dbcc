"""NDArray: attributes, protocols, marks, and methods without a test file of their own."""

from __future__ import annotations

import weakref

import numpy as np
import pytest

from gluon import GluonError, autograd, nd
from gluon.nd import NDArray


def test_attributes():
    x = nd.zeros((2, 3), dtype="int32")
    assert (x.shape, x.size, x.ndim, x.dtype, x.stype) == ((2, 3), 6, 2, np.int32, "default")
    assert x.T.shape == (3, 2)
    assert isinstance(x, NDArray)


def test_len_and_truth():
    assert len(nd.zeros((3, 2))) == 3
    assert bool(nd.array([1.0]))
    assert not nd.array([0.0])
    assert not nd.zeros((0,))
    with pytest.raises(ValueError, match=r"\(2,\).*ambiguous"):
        bool(nd.array([1.0, 2.0]))


def test_attributes_cannot_be_added():
    """Arrays have no dictionary: a misspelled attribute raises."""
    with pytest.raises(AttributeError):
        nd.zeros((2,)).gradient = 1


def test_arrays_can_be_referred_to_weakly():
    x = nd.zeros((2,))
    ref = weakref.ref(x)
    del x
    assert ref() is None


METHODS = """abs exp log1p sigmoid relu sin square sqrt sum mean max min norm prod argmax flatten
transpose squeeze expand_dims clip tile repeat flip round floor sign split_v2 zeros_like""".split()
ARGUMENTS = {
    "expand_dims": (0,),
    "clip": (-1, 1),
    "tile": ((2,),),
    "repeat": (2,),
    "flip": (0,),
    "split_v2": (2,),
}


@pytest.mark.parametrize("name", METHODS)
def test_methods_are_the_functions_of_nd(name):
    x = nd.array([[1.0, 2.5], [0.5, 3.0]])
    args = ARGUMENTS.get(name, ())
    got, want = getattr(x, name)(*args), getattr(nd, name)(x, *args)
    got, want = (v if isinstance(v, list) else [v] for v in (got, want))
    assert [v.asnumpy().tolist() for v in got] == [v.asnumpy().tolist() for v in want]


# ------------------------------------------------------------------------------- gradients


def test_grad_is_none_without_attach_grad():
    assert nd.zeros((2,)).grad is None


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_attach_grad_makes_zeros_of_the_same_shape_and_dtype(dtype):
    x = nd.ones((2, 3), dtype=dtype)
    x.attach_grad()
    assert (x.grad.shape, x.grad.dtype) == (x.shape, x.dtype)
    assert not x.grad.asnumpy().any()


def test_grad_can_be_set_and_removed():
    x = nd.ones((2,))
    x.attach_grad()
    x.grad = nd.array([5.0, 6.0])
    assert x.grad.asnumpy().tolist() == [5, 6]
    x.grad[:] = 0
    assert x.grad.asnumpy().tolist() == [0, 0]
    x.grad = None
    assert x.grad is None
    with autograd.record():
        y = (x * 3).sum()
    y.backward()
    assert x.grad.asnumpy().tolist() == [3, 3]


def test_grad_of_the_wrong_kind_or_shape_is_an_error():
    x = nd.ones((2,))
    x.attach_grad()
    with pytest.raises(TypeError, match="list"):
        x.grad = [1, 2]
    with pytest.raises(ValueError, match=r"\(3,\).*\(2,\)"):
        x.grad = nd.ones((3,))


def test_attach_grad_cuts_the_history():
    x = nd.ones((2,))
    x.attach_grad()
    with autograd.record():
        y = x * 2
        y.attach_grad()
        z = (y * y).sum()
    z.backward()
    assert y.grad.asnumpy().tolist() == [4, 4]
    assert x.grad.asnumpy().tolist() == [0, 0]


def test_attach_grad_again_starts_from_zero():
    x = nd.ones((2,))
    x.attach_grad()
    x.grad[:] = 5
    x.attach_grad("add")
    assert x.grad.asnumpy().tolist() == [0, 0]


@pytest.mark.parametrize("wrong", ["sum", "", None, 1])
def test_an_unknown_grad_req_is_an_error(wrong):
    with pytest.raises(GluonError, match="write, add, null"):
        nd.ones((2,)).attach_grad(wrong)


def test_an_unknown_storage_is_refused_by_name():
    with pytest.raises(GluonError, match="attach_grad: stype='rows' is unknown"):
        nd.ones((2,)).attach_grad(stype="rows")
    with pytest.raises(GluonError, match="a csr array has 2 axes"):
        nd.ones((2,)).tostype("csr")


def test_a_fresh_gradient_is_told_from_one_left_over():
    x, w = nd.ones((2,)), nd.ones((2,))
    x.attach_grad()
    w.attach_grad()
    with autograd.record():
        y = (x * 2).sum()
    y.backward()
    assert (x.fresh_grad, w.fresh_grad) == (True, False)
    x.fresh_grad = False
    assert not x.fresh_grad
    with pytest.raises(GluonError, match="attach_grad"):
        nd.ones((1,)).fresh_grad = True


def test_waiting_returns_at_once():
    x = nd.ones((2,))
    assert x.wait_to_read() is None
    assert nd.waitall() is None


@pytest.mark.parametrize(
    "name", ["asnumpy", "astype", "reshape", "backward", "attach_grad", "copyto"]
)
def test_methods_say_what_they_do(name):
    assert len(getattr(NDArray, name).__doc__.splitlines()) > 1
