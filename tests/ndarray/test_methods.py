"""The methods of arrays: their arguments, values, dtypes, shapes and errors are the oracle's."""

from __future__ import annotations

import pytest

from gluon import GluonError, nd
from tests.ndarray.method_programs import METHODS
from tests.ndarray.replay import assert_as_the_oracle, programs

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
        f"nd.{name}(2.5, w)": "whole numbers are compared exactly"
        for name in ("equal", "not_equal", "greater", "lesser_equal")
    },
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("program", programs(METHODS, DIFFERENT))
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
