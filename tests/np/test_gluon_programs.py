"""Gluon with `npx.set_np()` gives what MXNet gives there, as arrays of `gluon.np`.

Where MXNet fails, since much of its Gluon calls operators that refuse such arrays, what the classic
interface gives says what is right.
"""

from __future__ import annotations

import functools
import operator
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

import gluon
from gluon import np, npx
from recorded.make import HERE, load
from tests.np.gluon_programs import EXPRESSIONS, PROGRAMS, Modules, leaves

REFERENCE = load(HERE / "np_gluon.npz")
#: Where MXNet's classic interface is another one than gluon's, too; see docs/differences.md.
DIFFERS = {"optimized(m, 'adadelta')", "optimized(m, 'nadam')"}
MODULES = Modules(
    *(np, npx, gluon.autograd, gluon, gluon.nn, gluon.rnn, gluon.loss, gluon.metric),
    *(gluon.initializer, gluon.data, gluon.optimizer, gluon.image, gluon.nd),
)
CLASSIC = MODULES._replace(
    np=SimpleNamespace(
        array=gluon.nd.array, ones=gluon.nd.ones, zeros=gluon.nd.zeros, ndarray=np.ndarray
    )
)


pytestmark = pytest.mark.usefixtures("numpy_interface")


def assert_same(got: list, want: list) -> None:
    assert len(got) == len(want)
    for one, right in zip(got, want):
        assert one.dtype == right.dtype
        numpy.testing.assert_allclose(one, right, rtol=2e-4, atol=2e-5)


def in_classic(name: str) -> tuple[Any, list]:
    npx.reset_np()
    kinds, arrays = leaves(CLASSIC, PROGRAMS[name](CLASSIC))
    npx.set_np()
    return kinds, arrays


def as_np(kinds: Any) -> Any:
    if isinstance(kinds, list):
        return [as_np(kind) for kind in kinds]
    return "np" if kinds == "nd" else kinds


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.filterwarnings("ignore:CrossEntropy. the prediction")  # of scores, as in the reference
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name):
    reference = REFERENCE[name]
    kinds, arrays = leaves(MODULES, PROGRAMS[name](MODULES))
    if "error" in reference or name in DIFFERS:
        assert name in EXPRESSIONS
        wanted_kinds, wanted = in_classic(name)
        assert kinds == as_np(wanted_kinds)
    else:
        wanted = reference["outputs"]
        assert kinds == reference["kinds"]
        assert [x.shape for x in arrays] == [x.shape for x in wanted]
    assert_same(arrays, wanted)


class Net(gluon.HybridBlock):
    """A network written for the NumPy interface."""

    def __init__(self) -> None:
        super().__init__()
        self.dense = gluon.nn.Dense(2, weight_initializer="ones")

    def hybrid_forward(self, F, x):
        assert npx.is_np_array()
        return F.np.exp(-self.dense(x)).sum()


@pytest.mark.parametrize("hybrid", [False, True])
def test_decorated_blocks_run_with_the_numpy_interface(hybrid):
    npx.reset_np()
    net = npx.use_np(Net)()
    with npx.np_array():
        net.initialize()
    if hybrid:
        net.hybridize()
    x = np.ones((3, 4))
    x.attach_grad()
    with gluon.autograd.record():
        y = net(x)
    y.backward()
    assert (type(y), y.shape) == (np.ndarray, ())
    assert type(x.grad) is np.ndarray
    assert not npx.is_np_array()


def test_decorated_functions_make_ndarrays():
    npx.reset_np()

    @npx.use_np
    def loaded():
        return next(iter(gluon.data.DataLoader(gluon.data.ArrayDataset(numpy.ones(4)), 2)))

    assert type(loaded()) is np.ndarray
    assert type(gluon.data.DataLoader([1.0, 2.0], 2).__iter__().__next__()) is gluon.nd.NDArray


@pytest.mark.parametrize("options", [{"num_workers": 2, "thread_pool": True}, {"num_workers": 1}])
def test_workers_give_ndarrays(options):
    data = gluon.data.ArrayDataset(numpy.arange(4.0, dtype="float32"), numpy.arange(4))
    doubled = data.transform_first(functools.partial(operator.mul, 2))
    for x, y in gluon.data.DataLoader(doubled, 2, **options):
        assert type(x) is type(y) is np.ndarray


def test_gradients_are_ndarrays():
    net = gluon.nn.Dense(2, in_units=3)
    net.initialize(ctx=[npx.cpu(0), npx.cpu(1)])
    with gluon.autograd.record():
        net(np.ones((1, 3))).sum().backward()
    found = [net.weight.grad(npx.cpu(0)), *net.weight.list_grad(), *net.weight.list_data()]
    assert {type(x) for x in found} == {np.ndarray}
