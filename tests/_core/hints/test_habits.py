"""Code that users of other libraries write from habit works, or the error names the equivalent."""

from __future__ import annotations

import copy
import math
import pickle
import traceback
from pathlib import Path

import numpy
import pytest

import gluon
from gluon import (
    autograd,
    data,
    initializer,
    loss,
    lr_scheduler,
    metric,
    nd,
    nn,
    np,
    npx,
    optimizer,
    random,
    rnn,
    utils,
)
from tests.each import each

HERE = Path(__file__).parent
MODULES = {
    **{"copy": copy, "gluon": gluon, "math": math, "mx": gluon, "np": np, "npx": npx, "nd": nd},
    **{"numpy": numpy, "pickle": pickle, "F": nd, "nn": nn, "autograd": autograd, "loss": loss},
    **{"data": data, "initializer": initializer, "lr_scheduler": lr_scheduler, "rnn": rnn},
    **{"metric": metric, "optimizer": optimizer, "random": random, "utils": utils},
    "Trainer": gluon.Trainer,
}
#: The names of chapters of a book on MXNet's Gluon.
NOTEBOOKS = """
import collections, os, time
from gluon import Block, HybridBlock, Trainer, data as gdata, image, init, loss as gloss
from gluon import utils as gutils
ctx = mx.cpu()
X = nd.random.normal(scale=1, shape=(4, 20))
img = nd.random.uniform(shape=(1, 3, 32, 32))
pic = nd.random.uniform(0, 255, shape=(40, 50, 3)).astype("uint8")
"""
ARRAYS = """
y = np.array([[1.0, 0, 3], [4, 1, 6]], dtype="float32")
v = np.array([3.0, 1, 2], dtype="float32")
n = numpy.array([[1.0, 2, 3], [4, 5, 6]])
i = np.array([2, 0, 1], dtype="int32")
b = y > 2
"""


def lines(name):
    """The lines of a table, without comments."""
    text = (HERE / f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and line[0] != "#"]


def names_of_pytorch():
    """Arrays, a network and a trainer, as the first lines of a script make them."""
    x, y = nd.array([[1, 2, 3], [4, 5, 6]]), nd.array([[1, 0, 3], [4, 1, 6]])
    net = nn.Sequential()
    net.add(nn.Dense(4, activation="relu", in_units=3), nn.Dense(2, in_units=4))
    net.initialize()
    lazy = nn.HybridSequential()
    lazy.add(nn.Dense(4), nn.Dense(2))
    lazy.initialize()
    ds = data.ArrayDataset(nd.arange(10).reshape((10, 1)), nd.arange(10))
    return MODULES | {
        **{
            "x": x,
            "y": y,
            "v": nd.array([3, 1, 2]),
            "lab": nd.array([0, 1]),
            "net": net,
            "net2": lazy,
        },
        **{"p": net[0].weight, "ds": ds, "loader": data.DataLoader(ds, batch_size=4)},
        **{"img": nd.ones((2, 3, 8, 8)), "f": lambda t: (t**2).sum()},
        "crit": loss.SoftmaxCrossEntropyLoss(),
        "sched": lr_scheduler.FactorScheduler(3, 0.5),
        "trainer": gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}),
    }


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@each("line", lines("pytorch") + lines("keras") + lines("beginners"))
def test_an_error_names_the_way_out(line):
    code, says = line.split("  ->  ")
    with pytest.raises(gluon.GluonError) as caught:
        exec(code, names_of_pytorch())
    text = "".join(traceback.format_exception(caught.value))
    assert text.count("Traceback") == 1
    assert says in text.splitlines()[-1]


def plain(value):
    """Results with NumPy's arrays in place of gluon's."""
    if isinstance(value, nd.NDArray):
        return value.asnumpy()
    return list(map(plain, value)) if isinstance(value, (tuple, list)) else value


def check_same(ours, right):
    """Compare results of gluon.np and of NumPy: shapes and values, to the digits of float32."""
    if isinstance(right, list):
        assert len(ours) == len(right)
        for one, other in zip(ours, right):
            check_same(one, other)
    elif isinstance(right, str) or right is None:
        assert ours == right
    else:
        assert numpy.shape(ours) == numpy.shape(right)
        numpy.testing.assert_allclose(ours, right, rtol=1e-4, atol=1e-5)


@each("code", lines("numpy"))
def test_code_of_numpy_gives_the_same(code):
    found = []
    for module in (np, numpy):
        names = {"np": module, "numpy": numpy, "copy": copy, "pickle": pickle, "math": math}
        exec(ARRAYS, names)
        try:
            result = eval(code, names)
        except SyntaxError:  # a statement
            result = exec(code, names)
        found.append(plain([result, *(names[name] for name in "yvnib")]))
    check_same(*found)


BLOCKS = (HERE / "mxnet.txt").read_text(encoding="utf-8").split("\n\n")[1:]


@pytest.mark.parametrize("code", BLOCKS)
@pytest.mark.filterwarnings("ignore")
def test_code_of_notebooks_runs(code):
    names = dict(MODULES)
    exec(NOTEBOOKS + "\n" + code, names)


def test_methods_of_ufuncs_are_recorded():
    x = np.array([[1.0, 2], [3, 4]])
    x.attach_grad()
    with autograd.record():
        y = np.add.reduce(x * x, axis=1)
    y.backward()
    numpy.testing.assert_allclose(x.grad.asnumpy(), 2 * x.asnumpy())
    assert type(np.multiply.outer([1, 2], [3, 4])) is np.ndarray


def test_a_parameter_is_true_and_its_methods_stay():
    layer = nn.Dense(2, in_units=3)
    layer.initialize()
    assert layer.bias
    assert layer.weight.data().shape == (2, 3)
    with pytest.raises(AttributeError, match=r"use p\.set_data\(values\)"):
        layer.weight.data = nd.ones((2, 3))
    assert layer.weight.grad().shape == (2, 3)


def test_what_a_schedule_steps_by_stays_a_number_or_a_list():
    every, after = lr_scheduler.FactorScheduler(3), lr_scheduler.MultiFactorScheduler([3, 4])
    assert (every.step, after.step) == (3, [3, 4])
    again = pickle.loads(pickle.dumps([every, after]))
    assert [type(one.step) for one in (every, after, *again)] == [int, list] * 2


#: The modules of `gluon` that users look for names in.
PLACES = [
    name
    for name in gluon.__all__
    if type(getattr(gluon, name)) is type(gluon) and name not in ("errors", "registry")
]


@each("name", [*PLACES, "contrib.estimator", "contrib.text", "nd.contrib"])
def test_every_module_refuses_names_of_others(name):
    owner = gluon
    for part in name.split("."):
        owner = getattr(owner, part)
    with pytest.raises(gluon.GluonError, match="Linear"):
        owner.Linear  # noqa: B018


class Doubled(autograd.Function):
    """A function whose backward multiplies what does not fit."""

    def forward(self, x):
        return 2 * x

    def backward(self, dy):
        return nd.dot(dy, nd.ones((7, 2)))


@pytest.mark.parametrize("hybridized", [False, True])
@pytest.mark.parametrize("recorded", [False, True])
def test_an_error_names_the_layer_and_shapes_once(hybridized, recorded):
    net = nn.HybridSequential()
    net.add(nn.Dense(4), nn.Dense(3, in_units=5, prefix="fc_"))
    net.initialize()
    net.hybridize(hybridized)
    x = nd.ones((2, 7))
    x.attach_grad()
    scope = autograd.record() if recorded else autograd.pause()
    with scope, pytest.raises(gluon.GluonError) as caught:
        net(x)
    text = "".join(traceback.format_exception(caught.value))
    assert text.count("Traceback") == 1
    last = text.splitlines()[-1]
    for once in ("Dense 'fc'", "FullyConnected(", "float32[2, 4]", "float32[3, 5]"):
        assert last.count(once) == 1


def test_an_error_in_backward_names_the_function_and_shapes():
    x = nd.ones((2, 3))
    x.attach_grad()
    with autograd.record():
        y = Doubled()(x)
    with pytest.raises(gluon.GluonError) as caught:
        y.backward()
    text = "".join(traceback.format_exception(caught.value))
    assert text.count("Traceback") == 1
    assert "in Doubled.backward: dot(a: float32[2, 3], b: float32[7, 2])" in text.splitlines()[-1]
