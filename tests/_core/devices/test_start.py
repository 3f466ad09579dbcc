"""The first device array: who chooses, what the host computes, which errors there are."""

from __future__ import annotations

import subprocess
import sys
import warnings

import numpy as np
import pytest

import gluon
from gluon import GluonError, autograd, nd
from gluon._core.devices import start as module
from gluon._core.devices.common import COUNTS
from gluon._core.kernels.memory import Buffer


def test_arrays_are_made_on_the_device(device):
    assert nd.ones((2, 3)).context == device
    assert isinstance(nd.ones((2, 3)).raw, Buffer)
    assert type(nd.ones(2, ctx=gluon.cpu()).raw) is np.ndarray


def test_contexts_and_counts():
    assert gluon.num_gpus() == 2
    assert nd.ones(2, ctx=gluon.gpu(1)).context == gluon.gpu(1)
    with pytest.raises(GluonError, match=r"gpu\(2\) is not available: num_gpus\(\) is 2"):
        nd.ones(2, ctx=gluon.gpu(2))


def test_copies_to_and_fro_are_recorded(device):
    x = nd.array([1, 2, 3])
    x.attach_grad()
    with autograd.record():
        y = (x.as_in_context(gluon.cpu()) ** 2).as_in_context(gluon.gpu(1)).sum()
    assert y.context == gluon.gpu(1)
    y.backward()
    assert x.grad.context == device
    assert x.grad.asnumpy().tolist() == [2, 4, 6]


FIRST = """
import gluon
from gluon import autograd, nd

for ctx in (gluon.gpu(0), gluon.cpu()):
    x = nd.array([1.0, -2.0], ctx=ctx)
    x.attach_grad()
    with autograd.record():
        y = nd.relu(x) + nd.sigmoid(x) + nd.abs(x)
    y.backward()
    assert y.context == x.grad.context == ctx and type(y.raw) is type(x.raw)
"""


BARE = """
import sys
sys.modules["ml_dtypes"] = None
import gluon
from gluon import autograd, nd

x = nd.array([1.0, -8.0], dtype="float64")
x.attach_grad()
with autograd.record():
    y = nd.cbrt(x) * nd.sign(x) + nd.cosh(x * 0) + x
y.backward()
assert [round(one, 6) for one in y.asnumpy().tolist()] == [3, -5]
assert [round(one, 6) for one in x.grad.asnumpy().tolist()] == [1.333333, 0.916667]
"""


def test_bfloat16_need_not_be_there():
    subprocess.run([sys.executable, "-c", BARE], check=True)


def test_constants_that_are_kept_belong_to_no_device():
    subprocess.run([sys.executable, "-W", "error", "-c", FIRST], check=True)


ON_GPU, OTHER = gluon.gpu(0), {"gpu": gluon.gpu(1), "cpu": gluon.cpu(1)}
MIXED = {
    "an operator": lambda x, y: x + y,
    "swapped": lambda x, y: y * x,
    "a list": nd.concat,
    "a kernel": lambda x, y: nd.dot(x, y),
    "indices": lambda x, y: nd.take(x, y.astype("int32")),
    "a condition": lambda x, y: nd.where(y > 0, x, x),
    "in place": lambda x, y: x.__iadd__(y),
    "into the other": lambda x, y: y.__imul__(x),
    "out": lambda x, y: nd.broadcast_add(x, y, out=x),
    "a recorded one": lambda x, y: recorded(x) * y,
}


def recorded(x):
    x.attach_grad()
    with autograd.record():
        return x * 2


@pytest.mark.parametrize("other", OTHER)
@pytest.mark.parametrize("name", MIXED)
def test_arrays_of_two_devices_are_an_error_that_names_both(name, other):
    x, y = nd.ones((2, 2), ctx=ON_GPU), nd.ones((2, 2), ctx=OTHER[other])
    with pytest.raises(GluonError, match=r"one array is on .* as_in_context") as caught:
        MIXED[name](x, y)
    assert "gpu(0)" in str(caught.value)
    assert f"{other}(" in str(caught.value).replace("gpu(0)", "")


def test_numbers_and_writes_may_cross_devices():
    x, y = nd.ones((2, 2), ctx=ON_GPU), nd.ones((2, 2), ctx=gluon.cpu())
    x[:] = y * 2
    y[:] = x
    assert (x + np.float64(1)).asnumpy().tolist() == [[3, 3], [3, 3]]
    assert x[nd.array([1], ctx=gluon.cpu())].context == ON_GPU
    assert y.asnumpy().tolist() == [[2, 2], [2, 2]]


def test_numpy_arrays_compute_as_before(device):
    x = nd.array([1.0, 4.0], ctx=gluon.cpu())
    before = COUNTS.copy()
    assert type(nd.sqrt(x).raw) is np.ndarray
    assert before == COUNTS


def test_what_the_host_computes_warns_once(device, monkeypatch):
    monkeypatch.setattr(module, "_SAID", set())
    x = nd.array([[2.0, 1.0], [1.0, 2.0]])
    with pytest.warns(UserWarning, match="eigh is computed on the host") as caught:
        nd.linalg.syevd(x)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nd.linalg.syevd(x)


def test_the_host_can_be_forbidden(device, monkeypatch):
    monkeypatch.setenv("GLUON_GPU_HOST", "error")
    with pytest.raises(GluonError, match="GLUON_GPU_HOST=error forbids it"):
        nd.linalg.syevd(nd.array([[2.0, 1.0], [1.0, 2.0]]))


def test_errors_are_those_of_the_host(device):
    for ctx in (gluon.cpu(), device):
        with pytest.raises(GluonError, match="broadcast"):
            nd.ones((2, 3), ctx=ctx) + nd.ones((4, 5), ctx=ctx)


def test_nothing_is_copied_to_the_host_in_silence(device):
    with pytest.raises(TypeError, match=r"asnumpy\(\)"):
        np.asarray(nd.ones(2).raw)


def test_written_values_are_not_seen_by_a_graph(device):
    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y = x * 1
        z = y * y
    y[:] = 100
    z.backward()
    assert x.grad.asnumpy().tolist() == [2, 4]


def test_views_see_writes(device):
    x = nd.zeros((2, 3))
    x[1][:] = 5
    x.reshape((6,))[0] = 1
    assert x.asnumpy().tolist() == [[1, 0, 0], [5, 5, 5]]


LAYERS = """
import gluon
from gluon import func, nd, profiler

with gluon.cpu():
    func.vmap(nd.exp)(nd.ones((2, 3)))
    profiler.set_state("run")
    nd.exp(nd.ones(2))
x = nd.ones((2, 3))
nd.exp(x)
profiler.set_state("stop")
for y in (nd.exp(x), nd.softmax(x), func.vmap(nd.exp)(x), x + 1):
    assert y.context == gluon.gpu(0) and type(y.raw) is type(x.raw)
"""


def test_instruments_may_be_open_when_it_begins():
    subprocess.run([sys.executable, "-W", "error", "-c", LAYERS], check=True)


PROGRAM = """
import sys
import gluon, gluon.np, gluon.npx, gluon.mxnet, gluon.megengine, gluon.onnx, gluon.symbol
from gluon import nd, autograd
x = nd.ones((2, 3))
x.attach_grad()
with autograd.record():
    y = nd.dot(x, x.T).sum()
y.backward()
assert gluon.cpu(1) != gluon.gpu(1)
assert "torch" not in sys.modules
"""


def test_no_import_of_gluon_imports_torch(monkeypatch):
    monkeypatch.delenv("GLUON_DEVICE")
    subprocess.run([sys.executable, "-c", PROGRAM], check=True)


def test_counts_of_a_step(device):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        w, x = nd.ones((4, 3)), nd.ones((2, 3))
        w.attach_grad()
        before = COUNTS.copy()
        with autograd.record():
            loss = nd.relu(nd.dot(x, w.T) - 1).sum()
        loss.backward()
        w -= 0.1 * w.grad
    assert before == COUNTS


@pytest.mark.parametrize("index", ["device", "host", "list"])
def test_overwritten_values_get_no_gradient(index, device):
    rows = nd.array([0, 0, 1], dtype="int32")
    places = {"device": rows, "host": np.array([0, 0, 1]), "list": [0, 0, 1]}[index]
    x, value = nd.ones((3, 1)), nd.array([[1.0], [3.0], [5.0]])
    value.attach_grad()
    with autograd.record():
        y = x * 2
        y[places] = value
        total = (y * y).sum()
    total.backward()
    assert value.grad.asnumpy().tolist() == [[0], [6], [10]]


@pytest.mark.parametrize("shape", [(300, 40), (40, 300)])
def test_many_cotangents_of_a_broadcast_input_are_added_on_the_device(shape, device):
    w = nd.ones(shape[1])
    w.attach_grad()
    with autograd.record():
        y = nd.ones(shape) * w * 2
    before = dict(COUNTS)
    y.backward()
    assert before == COUNTS
    assert w.grad.asnumpy().tolist() == [2 * shape[0]] * shape[1]


def test_a_kernel_that_fails_on_a_device_alone_is_an_error(device, played):
    def broken(x, **attrs):
        raise RuntimeError("no such stream")

    x = nd.ones(2)
    run = module.on_device(module.start(played), "exp", broken, np.exp, None)
    with pytest.raises(GluonError, match=r"exp: its kernel for devices failed .*no such stream"):
        run(x.raw)


def test_devices_have_known_names(monkeypatch):
    monkeypatch.setenv("GLUON_DEVICE", "torch:tpu")
    with pytest.raises(GluonError, match="GLUON_DEVICE=torch:tpu is not known"):
        nd.ones(2, ctx=ON_GPU)
