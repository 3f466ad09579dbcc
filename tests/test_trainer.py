"""Training steps: equal to the oracle's, in place, and with errors that name the cause."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import gluon
from gluon import GluonError, Trainer, autograd, lr_scheduler, nd, nn
from tests.nn.replay import assert_as_the_oracle, named


@pytest.mark.parametrize("name", ["training", "accumulated"])
def test_training_steps(name, monkeypatch):
    assert_as_the_oracle(name, monkeypatch)


@pytest.mark.parametrize("name", named("replicas"))
def test_replicas(name, monkeypatch):
    # MXNet rounds Adam's settings to float32.
    assert_as_the_oracle(name, monkeypatch, rtol=5e-4 if "adam" in name else 1e-5)


def dense(prefix="net_", **kwargs):
    net = nn.Dense(1, in_units=2, prefix=prefix)
    net.initialize(**kwargs)
    return net


def backward(net, ctx=None):
    with autograd.record():
        y = net(nd.ones((1, 2), ctx=ctx))
    y.backward()


# -------------------------------------------------------------------------- stale gradients


class TwoLayers(gluon.Block):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.used, self.left_out = dense(None), dense(None)

    def forward(self, x):
        return self.used(x)


def test_a_gradient_that_never_was():
    trainer = Trainer(dense().collect_params(), "sgd")
    with pytest.raises(GluonError, match=r"'net_bias' of Dense 'net' on cpu\(0\).*So are all"):
        trainer.step(1)


def test_a_gradient_of_the_last_step():
    net = dense()
    trainer = Trainer(net.collect_params(), "sgd")
    backward(net)
    trainer.step(1)
    with pytest.raises(GluonError, match=r"So are all others: no backward\(\)"):
        trainer.step(1)
    before = net.weight.data().asnumpy()
    trainer.step(1, ignore_stale_grad=True)
    np.testing.assert_array_equal(net.weight.data().asnumpy(), before)


def test_a_layer_left_out():
    net = TwoLayers(prefix="net_")
    trainer = Trainer(net.collect_params(), "sgd", {"learning_rate": 1})
    before = {name: one.data().asnumpy() for name, one in net.collect_params().items()}
    backward(net)
    with pytest.raises(
        GluonError,
        match=r"'net_dense1_bias' of Dense 'net_dense1'.*2 of 4 .*did not call that layer",
    ) as caught:
        trainer.step(1)
    assert isinstance(caught.value, UserWarning)  # what MXNet raises
    for name, one in net.collect_params().items():
        np.testing.assert_array_equal(one.data().asnumpy(), before[name])
    trainer.step(1, ignore_stale_grad=True)
    assert (net.used.weight.data().asnumpy() == before["net_dense0_weight"] - 1).all()
    np.testing.assert_array_equal(net.left_out.weight.data().asnumpy(), before["net_dense1_weight"])


def test_a_context_without_batch():
    net = dense(ctx=[gluon.cpu(0), gluon.cpu(1)])
    trainer = Trainer(net.collect_params(), "sgd")
    backward(net)
    with pytest.raises(GluonError, match=r"on cpu\(1\) is left over.*that context got no batch"):
        trainer.step(1)


def test_frozen_parameters_are_left_alone():
    net = dense()
    net.weight.grad_req = "null"
    before = net.weight.data().asnumpy()
    backward(net)
    Trainer(net.collect_params(), "sgd").step(1)
    np.testing.assert_array_equal(net.weight.data().asnumpy(), before)


# ----------------------------------------------------------------------------------- memory


def test_a_step_allocates_no_second_copy_of_the_parameters():
    net = nn.Dense(2000, in_units=2000)
    net.initialize()
    trainer = Trainer(net.collect_params(), "sgd", {"momentum": 0.9, "wd": 0.1})
    x = nd.ones((1, 2000))

    def address():
        return net.weight.data()._raw.ctypes.data

    for measured in (False, True):
        with autograd.record():
            y = net(x)
        y.backward()
        before = address()
        tracemalloc.start()
        trainer.step(1)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert address() == before
        assert not measured or peak < 1_200_000  # the weight has 16 MB


def test_a_step_after_a_backward_that_keeps_the_graph():
    """The graph keeps the values it saw; the parameter moves on."""
    net = dense()
    x = nd.ones((1, 2))
    x.attach_grad()
    trainer = Trainer(net.collect_params(), "sgd", {"learning_rate": 1})
    with autograd.record():
        y = net(x)
    y.backward(retain_graph=True)
    before = x.grad.asnumpy()
    trainer.step(1)
    y.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), before)


# --------------------------------------------------------------------------------- settings


def test_the_learning_rate():
    net = dense()
    trainer = Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    trainer.set_learning_rate(0.25)
    assert trainer.learning_rate == trainer.optimizer.lr == 0.25
    schedule = lr_scheduler.FactorScheduler(1, 0.5, base_lr=1)
    trainer = Trainer(net.collect_params(), "sgd", {"lr_scheduler": schedule})
    backward(net)
    trainer.step(1)
    backward(net)
    trainer.step(1)
    assert trainer.learning_rate == 0.5
    with pytest.raises(GluonError, match="decided by lr_scheduler"):
        trainer.set_learning_rate(1)


def test_params_may_be_a_list_or_a_dict():
    net = dense()
    for params in ([net.weight], {"any": net.weight}, net.collect_params(".*weight")):
        backward(net)
        Trainer(params, "sgd").step(1)


def test_gradients_are_divided_by_the_batch_and_scaled():
    net = dense()
    before = net.bias.data().asscalar()
    trainer = Trainer([net.bias], "sgd", {"learning_rate": 1, "rescale_grad": 3})
    backward(net)
    trainer.step(4)
    assert net.bias.data().asscalar() == pytest.approx(before - 3 / 4)


def test_summing_and_updating_apart():
    net = dense(ctx=[gluon.cpu(0), gluon.cpu(1)])
    trainer = Trainer(net.collect_params(), "sgd", update_on_kvstore=False)
    for ctx in (gluon.cpu(0), gluon.cpu(1)):
        backward(net, ctx)
    trainer.allreduce_grads()
    assert [one.asnumpy().tolist() for one in net.bias.list_grad()] == [[2], [2]]
    gluon.utils.clip_global_norm(net.bias.list_grad(), 1)
    trainer.update(1)
    one, two = net.bias.list_data()
    assert one.asscalar() == two.asscalar()
    together = Trainer(net.collect_params(), "sgd")
    for call in (together.allreduce_grads, lambda: together.update(1)):
        with pytest.raises(GluonError, match="update_on_kvstore=False when it is made"):
            call()


@pytest.mark.parametrize("optimizer", ["sgd", "nag", "adam"])
def test_states_are_saved_and_loaded(tmp_path, optimizer):
    path = str(tmp_path / "states")
    settings = {"learning_rate": 0.1, "wd": 0.1}
    if optimizer != "adam":
        settings["momentum"] = 0.9

    def steps(net, trainer, count):
        for _ in range(count):
            backward(net)
            trainer.step(1)

    one, two = dense(), dense()
    for mine, other in zip(one.collect_params().values(), two.collect_params().values()):
        other.set_data(mine.data())
    first = Trainer(one.collect_params(), optimizer, settings)
    steps(one, first, 2)
    first.save_states(path)
    for mine, other in zip(one.collect_params().values(), two.collect_params().values()):
        other.set_data(mine.data())
    second = Trainer(two.collect_params(), optimizer)
    second.load_states(path)
    assert second.learning_rate == 0.1
    steps(one, first, 2)
    steps(two, second, 2)
    np.testing.assert_array_equal(one.weight.data().asnumpy(), two.weight.data().asnumpy())


def test_errors():
    net = dense()
    params = net.collect_params()
    for wrong, message in (
        (lambda: Trainer(net.weight, "sgd"), "list or dict of Parameters.*not a Parameter"),
        (lambda: Trainer([3], "sgd"), "the list has a int"),
        (lambda: Trainer(params, "sdg"), "no optimizer is called 'sdg'; there are adadelta"),
        (lambda: Trainer(params, "sgd", kvstore="dist_sync"), "'dist_sync' is not available"),
        (lambda: Trainer(params, "sgd", compression_params={"type": "2bit"}), "not compressed"),
        (
            lambda: Trainer(params, gluon.optimizer.SGD(), {"wd": 1}),
            r"\['wd'\] go with an optimizer given by name",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            wrong()
    with pytest.raises(TypeError, match="momentun"):
        Trainer(params, "sgd", {"momentun": 0.9})
    with pytest.raises(GluonError, match="'other_bias' of Dense 'other' has not been initialized"):
        Trainer(nn.Dense(1, prefix="other_").collect_params(), "sgd")
    elsewhere = dense("elsewhere_", ctx=gluon.cpu(1))
    with pytest.raises(ValueError, match=r"same contexts: .*'net_bias'.* is on \[cpu\(0\)\]"):
        Trainer({**elsewhere.collect_params()._params, **params._params}, "sgd")
    deferred = nn.Dense(1)
    deferred.initialize()
    with pytest.raises(GluonError, match="Pass a batch through the network first"):
        Trainer(deferred.collect_params(), "sgd").step(1)


def test_no_state_is_left_by_an_optimizer_given_as_an_object():
    net = dense()
    trainer = Trainer(net.collect_params(), gluon.optimizer.SGD(learning_rate=0.5))
    net.weight.lr_mult = 0
    before = net.weight.data().asnumpy()
    backward(net)
    trainer.step(1)
    np.testing.assert_array_equal(net.weight.data().asnumpy(), before)
