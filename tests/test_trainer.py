"""Training steps: equal to the oracle's, in place, and with errors that name the cause."""

from __future__ import annotations

import os
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import gluon
from gluon import GluonError, Trainer, autograd, lr_scheduler, nd, nn
from tests.nn.replay import assert_as_the_oracle, named
from tests.training import replay


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
    with pytest.raises(
        GluonError, match=r"'net_bias' of Dense 'net' on cpu\(0\) has no gradient yet.*So have all"
    ):
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
    with pytest.raises(
        GluonError, match=r"on cpu\(1\) has no gradient yet.*that context got no batch"
    ):
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
        return net.weight.data().raw.ctypes.data

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
    one.weight.lr_mult = two.weight.lr_mult = 0.5  # kept by the parameters, not by the states
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
        (lambda: Trainer([3], "sgd"), "the list has an int"),
        (lambda: Trainer(params, "sdg"), "unknown optimizer 'sdg'; choose one of adadelta"),
        (lambda: Trainer(params, "sgd", kvstore="dist_async"), "'dist_async' is not supported"),
        (
            lambda: Trainer(params, "sgd", compression_params={"type": "2bit"}),
            "gradients that stay in this process are not compressed",
        ),
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


# ------------------------------------------------------------------------------------ stores


@pytest.mark.parametrize("name", replay.named("trainer"))
def test_trainers(name, monkeypatch):
    replay.assert_as_the_oracle(name, monkeypatch, rtol=5e-4 if "adam" in name else 1e-5)


CONTEXTS = [gluon.cpu(0), gluon.cpu(1)]


@pytest.mark.parametrize("count", [1, 2])
def test_a_store_given_as_an_object_holds_the_weights_and_no_others(count):
    """A step uses values written to a parameter between steps, and the store has the new value."""
    store = gluon.kvstore.create("device")
    net = dense(ctx=CONTEXTS[:count])
    trainer = Trainer(net.collect_params(), "sgd", {"learning_rate": 1}, kvstore=store)
    out = nd.zeros((1,))
    for value in (3, 8):
        net.bias.set_data(nd.array([value]))
        for ctx in CONTEXTS[:count]:
            backward(net, ctx)
        trainer.step(1)
        store.pull(0, out=out)
        assert {one.asscalar() for one in net.bias.list_data()} == {value - count}
        assert out.asscalar() == value - count
    net.cast("float64")
    for ctx in CONTEXTS[:count]:
        with autograd.record():
            y = net(nd.ones((1, 2), ctx=ctx, dtype="float64"))
        y.backward()
    trainer.step(1)


@pytest.mark.parametrize("update_on_kvstore", [True, False])
def test_states_of_several_contexts(tmp_path, update_on_kvstore):
    path = str(tmp_path / "states")

    def steps(net, trainer, count):
        for _ in range(count):
            for ctx in CONTEXTS:
                backward(net, ctx)
            trainer.step(1)

    settings = {"learning_rate": 0.1, "momentum": 0.9}
    one, two = dense(ctx=CONTEXTS), dense(ctx=CONTEXTS)
    first, second = (
        Trainer(net.collect_params(), "sgd", settings, update_on_kvstore=update_on_kvstore)
        for net in (one, two)
    )
    steps(one, first, 2)
    first.set_learning_rate(0.3)
    first.save_states(path)
    for mine, other in zip(one.collect_params().values(), two.collect_params().values()):
        other.set_data(mine.data())
    second.load_states(path)
    assert second.learning_rate == second.optimizer.lr == 0.3
    steps(one, first, 2)
    steps(two, second, 2)
    values = [net.weight.data(ctx).asnumpy() for net in (one, two) for ctx in CONTEXTS]
    for other in values[1:]:
        np.testing.assert_array_equal(values[0], other)


@pytest.mark.parametrize("begin", ["step", "allreduce_grads"])
@pytest.mark.parametrize("kvstore", ["device", gluon.kvstore.create("local"), None])
def test_replicas_begin_with_the_values_of_the_first(kvstore, begin):
    """Parameters are made equal once, frozen ones too; without a store they are not."""
    net = dense(ctx=CONTEXTS)
    net.weight.grad_req = "null"
    trainer = Trainer(net.collect_params(), "sgd", kvstore=kvstore, update_on_kvstore=False)
    first, other = net.weight.list_data()
    own, apart = first.asnumpy(), first.asnumpy() + 5
    for wanted in (own if kvstore else apart, apart):
        other[:] = apart
        for ctx in CONTEXTS:
            backward(net, ctx)
        getattr(trainer, begin)(*[1] * (begin == "step"))
        np.testing.assert_array_equal(first.asnumpy(), own)
        np.testing.assert_array_equal(other.asnumpy(), wanted)


def test_a_context_without_batch_can_be_left_out():
    """With a store, the gradient of one context is applied to both."""
    net = dense(ctx=CONTEXTS)
    before = net.bias.data(CONTEXTS[0]).asscalar()
    trainer = Trainer(net.collect_params(), "sgd", {"learning_rate": 1})
    backward(net, CONTEXTS[1])
    trainer.step(1, ignore_stale_grad=True)
    assert [one.asscalar() for one in net.bias.list_data()] == [before - 1, before - 1]


def test_sums_of_ones_own():
    """A subclass may add up gradients itself, as those for several machines do."""

    class Doubling(Trainer):
        def _allreduce_grads(self):
            for one in self._params:
                for grad in one.list_grad():
                    grad *= 2

    net = dense()
    before = net.bias.data().asscalar()
    trainer = Doubling(net.collect_params(), "sgd", {"learning_rate": 1}, kvstore=None)
    trainer._scale /= 4
    backward(net)
    trainer.step(1)
    assert net.bias.data().asscalar() == pytest.approx(before - 2 / 4)


def test_errors_of_stores_and_steps():
    net = dense()
    params = net.collect_params()

    class Weak(gluon.kvstore.KVStoreBase):
        pass

    for wrong, message in (
        (lambda: Trainer(params, "sgd", kvstore=3), "a KVStore, its name or None, not an int"),
        (lambda: Trainer(params, "sgd", kvstore="foo"), "unknown kvstore 'foo'"),
        (
            lambda: Trainer(params, "sgd", kvstore=Weak(), update_on_kvstore=True),
            "the kvstore 'weak' cannot update parameters; pass update_on_kvstore=False",
        ),
        (lambda: Trainer({}, "sgd"), r"no parameters; pass net.collect_params\(\)"),
        (
            lambda: Trainer(params, "sgd").step(0),
            "batch_size must be positive, such as the number of samples; got 0",
        ),
        (lambda: Trainer(params, "sgd").step("4"), "batch_size must be positive, .*; got a str"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            wrong()


def test_values_that_are_set_leave_the_momentum_alone():
    one, two = dense(ctx=CONTEXTS[:1]), dense(ctx=CONTEXTS)
    trainers = [
        Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1, "momentum": 0.9})
        for net in (one, two)
    ]
    for value in (3, 5):
        for net, trainer, count in zip((one, two), trainers, (1, 2)):
            net.bias.set_data(nd.array([value]))
            for ctx in CONTEXTS[:count]:
                backward(net, ctx)
            trainer.step(count)
    assert one.bias.data().asscalar() == two.bias.data(CONTEXTS[1]).asscalar()
    assert one.bias.data().asscalar() == pytest.approx(5 - 0.1 - 0.09)


# ---------------------------------------------------------------------------------- the way


def passed(run: Callable[[], object]) -> list[str]:
    """The functions of gluon above the kernels that `run` calls, with repetitions."""
    seen = []
    above = str(Path(gluon.__file__).parent)
    below = tuple(os.path.join(above, "_core", name) for name in ("kernels", "native"))

    def note(frame, event, _):
        code = frame.f_code
        inside = code.co_filename.startswith(above) and not code.co_filename.startswith(below)
        if event == "call" and inside and code.co_name[0] != "<":
            seen.append(code.co_name)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(before)
    return seen


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_a_step_is_not_ceremony(optimizer):
    net = dense()
    trainer = Trainer(net.collect_params(), optimizer)
    for _ in range(2):  # the first step creates states
        backward(net)
        calls = passed(lambda: trainer.step(1))
    assert 10 < len(calls) < 40, calls


def test_a_layer_is_not_ceremony():
    net = dense()
    x = nd.ones((1, 2))
    with autograd.record():
        net(x)  # finds out what its functions take
        calls = passed(lambda: net(x))
    assert 5 < len(calls) < 15, calls
