"""The methods of arrays: their arguments, values, dtypes, shapes and errors are the oracle's."""

from __future__ import annotations

import pytest

from gluon import GluonError, nd
from tests._core.arrays.method_programs import METHODS
from tests._core.arrays.replay import assert_as_the_oracle, programs
from tests.each import each

#: Where gluon does more than MXNet, or otherwise.
DIFFERENT = {
    **dict.fromkeys(["h.sort()", "h.argsort()"], "every dtype can be sorted"),
    **dict.fromkeys(["n.softmax()", "n.log_softmax()", "n.softmin()"], "integers have a softmax"),
    "h.softmax(dtype='float32')": "the dtype of the result is that of the computation",
    **dict.fromkeys(["x.transpose((0, -1, 1))", "x.flip(axis=-1)"], "axes may be negative"),
    "m.tile(reps=(0, 1)).shape": "arrays may be empty",
    "m.pad('edge', (1, 1, 1, 1))": "arrays of any number of axes can be padded",
    "m.dot(m)": "there is a method",
    "int(n[1])": "one value is a number",
    "float(m[0, 0])": "one value is a number",
    "m.exp(foo=1).shape": "unknown arguments are errors",
    **{
        f"nd.{name}(2.5, w)": "integers are compared exactly"
        for name in ("equal", "not_equal", "greater", "lesser_equal")
    },
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.filterwarnings("ignore:attach_grad.*int32:UserWarning")  # n.attach_grad()
@each("program", programs(METHODS, DIFFERENT))
def test_as_the_oracle(program):
    assert_as_the_oracle(program, rtol=1e-5)


@pytest.mark.parametrize("name", ["expand_dims", "flatten", "squeeze"])
def test_inplace_gives_a_view(name):
    x = nd.ones((1, 2))
    given = (0,) if name == "expand_dims" else ()
    getattr(x, name)(*given, inplace=True)[:] = 5
    assert x.asnumpy().tolist() == [[5, 5]]
    getattr(x, name)(*given)[:] = 7
    assert x.asnumpy().tolist() == [[5, 5]]


def test_what_is_no_capsule_and_no_array_is_refused():
    with pytest.raises(GluonError, match="from_dlpack: got list"):
        nd.from_dlpack([1])
    with pytest.raises(GluonError, match="from_numpy: got list"):
        nd.from_numpy([1])


BAD = {
    "x.slice_assign(1, (0, 0), (1, 1))": r"slice_assign: begin=\(0, 0\), .* at most one for each",
    "x.slice_assign(1, (0,), (1, 2))": "slice_assign: .* as many numbers",
    "x.slice_assign('a', (0,), (1,))": r"slice_assign: give an NDArray or a number .* not str",
    "x.slice_assign(1, ('a',), (1,))": r"slice_assign: begin=\('a',\) is not of integers",
    "x.slice_assign(1, (0,), (1,), (0,))": r"slice_assign: step=\(0,\) must not contain 0",
    "x.slice_assign(nd.ones(3), (0,), (2,))": r"x of shape \(3,\): could not broadcast",
    "x.slice_assign_scalar(1, (0, 0), (1, 1))": "slice_assign_scalar: begin=",
    "x.as_in_context(3)": r"as_in_context: give a Context, such as cpu\(0\), not int",
    "x.as_in_context(None)": "as_in_context: give a Context, .* not NoneType",
}


@pytest.mark.parametrize("call", BAD)
def test_a_wrong_argument_is_named(call):
    x = nd.array([1, 2, 3])
    with pytest.raises(GluonError, match=BAD[call]):
        eval(call, {"x": x, "nd": nd})
    assert x.asnumpy().tolist() == [1, 2, 3]


def test_slice_assign_takes_a_number_for_one_axis():
    assert nd.zeros(3).slice_assign(1, 0, 1).asnumpy().tolist() == [1, 0, 0]


def test_there_is_no_handle_and_the_error_says_what_is():
    x = nd.ones(2)
    assert not hasattr(x, "handle")
    with pytest.raises(AttributeError, match="to_dlpack_for_read"):
        x.handle  # noqa: B018


def test_reshape_like_adds_axes_in_the_place_of_none():
    x, like = nd.arange(6), nd.zeros((1, 3))
    assert x.reshape_like(like, lhs_begin=0, lhs_end=0, rhs_begin=0, rhs_end=1).shape == (1, 6)
    assert x.reshape_like(like, lhs_begin=1, lhs_end=1, rhs_begin=0, rhs_end=1).shape == (6, 1)
