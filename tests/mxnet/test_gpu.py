"""``mx.gpu()`` computes on the host, or is an error if ``GLUON_GPU`` says so."""

from __future__ import annotations

import warnings

import pytest

import gluon
import gluon.mxnet
from gluon import GluonError, nd
from gluon.mxnet import gpu


@pytest.fixture(autouse=True)
def hooked(monkeypatch):
    """The hook, before its warning was shown."""
    monkeypatch.setattr(gpu, "_warned", False)
    monkeypatch.delenv(gpu.VARIABLE, raising=False)
    with gluon.mxnet.installed():
        yield


def test_a_default_computes_on_the_host_with_one_warning():
    ctx = gluon.gpu(1)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        x = nd.ones((2, 3), ctx=ctx)
        y = x * 2 + nd.random.uniform(shape=(2, 3), ctx=ctx)
        z = nd.zeros((1,)).as_in_context(ctx)
    assert len(seen) == 1
    assert "arrays on gpu(1) are computed on the host" in str(seen[0].message)
    assert seen[0].filename == __file__
    assert (x.context, y.context, z.context) == (ctx, ctx, ctx)
    assert (gluon.num_gpus(), repr(x).splitlines()[-1]) == (0, "<NDArray 2x3 @gpu(1)>")


def test_networks_train_on_it():
    ctx = [gluon.gpu(0), gluon.gpu(1)]
    net = gluon.nn.Dense(1, in_units=3)
    with pytest.warns(UserWarning, match="host"):
        net.initialize(ctx=ctx)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    parts = gluon.utils.split_and_load(nd.ones((4, 3)), ctx)
    with gluon.autograd.record():
        losses = [net(x) ** 2 for x in parts]
    for loss in losses:
        loss.backward()
    trainer.step(4)
    assert [net.weight.data(c).context for c in ctx] == ctx
    assert (net.weight.data(ctx[0]) == net.weight.data(ctx[1])).asnumpy().all()


def test_the_variable_makes_it_an_error(monkeypatch):
    monkeypatch.setenv(gpu.VARIABLE, "error")
    with pytest.raises(GluonError, match=r"num_gpus\(\) is 0"):
        nd.ones((1,), ctx=gluon.gpu())


def test_there_are_only_so_many_to_be_counted():
    with pytest.warns(UserWarning, match="host"):
        nd.zeros((1,), gluon.gpu(gpu.COUNT - 1))
    with pytest.raises(GluonError, match=r"gpu\(0\) to gpu\(7\) are computed on the host"):
        nd.zeros((1,), gluon.gpu(gpu.COUNT))


def test_without_the_hook_it_is_an_error():
    gluon.mxnet.uninstall()
    with pytest.raises(GluonError, match="put the array on cpu"):
        nd.ones((1,), ctx=gluon.gpu())


def probe():
    """The context of a script that tries a GPU."""
    try:
        nd.zeros((1,), gluon.gpu())
        return gluon.gpu()
    except GluonError:
        return gluon.cpu()


def test_a_probe_finds_a_gpu_unless_it_is_an_error(monkeypatch):
    with pytest.warns(UserWarning, match="GLUON_GPU=error"):
        assert probe() == gluon.gpu()
    monkeypatch.setenv(gpu.VARIABLE, "error")
    assert probe() == gluon.cpu()
