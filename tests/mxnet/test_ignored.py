"""Under the hook, operators ignore unknown arguments if MXNet ignores them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gluon
import gluon.mxnet
from gluon import GluonError, nd
from recorded.make_ignored_arguments import first_samples, ignored, methods
from tests._core.ops.samples import FAMILIES
from tests.compared import assert_equal
from tests.each import each

REFERENCE = json.loads(
    (Path(__file__).resolve().parents[2] / "recorded" / "ignored_arguments.json").read_text()
)
SAMPLES = [one for one in first_samples(FAMILIES) if one.op in REFERENCE]
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.fixture
def hook():
    """Enter the hook once for all tests, because entering it takes longer than a call."""
    with gluon.mxnet.installed():
        yield


@pytest.mark.usefixtures("hook")
@each("sample", SAMPLES, size=len(SAMPLES))
def test_operators_ignore_arguments_as_in_mxnet(sample):
    assert_equal(ignored(gluon, sample).get("takes"), REFERENCE[sample.op])


@pytest.mark.usefixtures("hook")
def test_methods_and_functions_of_npx_do():
    found = methods(gluon, run=lambda function, *args: function(*args))
    missing = {
        name
        for name, takes in REFERENCE.items()
        if takes and name.startswith(("NDArray.", "npx.")) and not found[name].get("takes")
    }
    assert not missing


@pytest.mark.parametrize("function", [nd.exp, nd.relu, nd.zeros_like, nd.sign, nd.abs])
def test_gluon_refuses_them(function):
    with pytest.raises((TypeError, GluonError), match="axis"):
        function(nd.ones((2,)), axis=-1)


def test_nothing_stays():
    before = nd.exp, nd.NDArray.exp
    with gluon.mxnet.installed():
        import mxnet as mx

        assert mx.nd.exp(mx.nd.zeros((1,)), axis=1).asscalar() == 1
        assert mx.nd.zeros((1,)).exp(axis=1).asscalar() == 1
        assert mx.nd.exp is nd.exp
    assert (nd.exp, nd.NDArray.exp) == before


#: What MXNet 1.9.1 refuses, and by which class of error.
REFUSED = [
    (lambda np, x: x.reshape((4,), order="F"), NotImplementedError),
    (lambda np, x: x.reshape(4, order="A"), NotImplementedError),
    (lambda np, x: x.copy("F"), NotImplementedError),
    (lambda np, x: x.copy(order="A"), NotImplementedError),
    (lambda np, x: x.flatten("F"), NotImplementedError),
    (lambda np, x: x.ravel(order="F"), NotImplementedError),
    (lambda np, x: np.ravel(x, "F"), NotImplementedError),
    (lambda np, x: np.unravel_index(np.array([1]), (2, 2), order="F"), NotImplementedError),
    (lambda np, x: x.astype("int32", order="F"), ValueError),
    (lambda np, x: x.astype("float64", casting="safe"), ValueError),
    (lambda np, x: x.astype("int32", subok=False), ValueError),
]


@each("call, kind", REFUSED)
def test_other_layouts_are_refused_by_the_class_of_mxnet(call, kind):
    with gluon.mxnet.installed():
        import mxnet as mx

        with pytest.raises(kind, match="is not available"):
            call(mx.np, mx.np.ones((2, 2)))


def test_the_layout_that_there_is_passes():
    with gluon.mxnet.installed():
        import mxnet as mx

        x = mx.np.ones((2, 2))
        for y in (x.reshape(4, order="C"), x.reshape(2, 2), x.copy("C"), x.flatten("C")):
            assert y.size == 4
        assert mx.np.ravel(x, order="K").shape == (4,)
        assert x.astype("int32", "K", "unsafe", True, False).dtype == "int32"
        assert x.astype("int32", order="C", casting="unsafe").dtype == "int32"
