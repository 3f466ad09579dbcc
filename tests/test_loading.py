"""Loading is all or nothing: an unsuitable file leaves everything unchanged."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from gluon import GluonError, ParameterDict, Trainer, autograd, kvstore, nd, nn, optimizer
from gluon.megengine import Tensor, functional, module
from gluon.megengine import optimizer as megengine_optimizer
from gluon.megengine.autodiff import GradManager


def network(**kwargs):
    net = nn.Sequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(2, in_units=3, **kwargs), nn.Dense(1, in_units=2, **kwargs))
    return net


def values(net):
    return {name: one.data().asnumpy().tolist() for name, one in net.collect_params().items()}


#: What is wrong with the last of the arrays in a file.
WRONG = {
    "shape": lambda x: nd.zeros((7,)),
    "axes": lambda x: nd.zeros((1, 1)),
    "dtype": lambda x: x.astype("float64"),
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("way", ["load_parameters", "load", "load_dict"])
def test_a_failing_load_leaves_the_network_as_it_was(tmp_path, wrong, way):
    net = network()
    net.initialize()
    before = values(net)
    path = str(tmp_path / "net.params")
    names = net._collect_params_with_prefix() if way == "load_parameters" else net.collect_params()
    arrays = {name: nd.ones(one.shape) for name, one in names.items()}
    last = list(arrays)[-1]
    arrays[last] = WRONG[wrong](arrays[last])
    nd.save(path, arrays)
    load, given = {
        "load_parameters": (net.load_parameters, path),
        "load": (net.collect_params().load, path),
        "load_dict": (net.collect_params().load_dict, arrays),
    }[way]
    with pytest.raises(GluonError, match="bias"):
        load(given)
    assert values(net) == before


@pytest.mark.parametrize("initialized", [True, False])
def test_a_failing_load_gives_a_deferred_network_no_shapes(tmp_path, initialized):
    net = nn.Sequential()
    net.add(nn.Dense(2), nn.Dense(1, in_units=2))
    if initialized:
        net.initialize()
    path = str(tmp_path / "net.params")
    shapes = {"0.weight": (2, 3), "0.bias": (2,), "1.weight": (1, 2), "1.bias": (9,)}
    nd.save(path, {name: nd.ones(shape) for name, shape in shapes.items()})
    with pytest.raises(GluonError, match="cannot become"):
        net.load_parameters(path)
    assert net[0].weight.shape == (2, 0)
    net.initialize(force_reinit=True)
    assert net(nd.ones((1, 5))).shape == (1, 1)


def test_one_parameter_under_two_names_takes_one_shape():
    params = ParameterDict()
    weight = params.get("a", shape=(0,), allow_deferred_init=True)
    params._params["b"] = weight
    with pytest.raises(GluonError, match="twice"):
        params.load_dict({"a": nd.ones((2,)), "b": nd.ones((3,))})
    assert weight.shape == (0,)


def trained(store):
    net = network()
    net.initialize()
    trainer = Trainer(net.collect_params(), "adam", kvstore=store, update_on_kvstore=bool(store))
    with autograd.record():
        loss = net(nd.ones((4, 3))).sum()
    loss.backward()
    trainer.step(4)
    return trainer


DAMAGED = [b"", b"no pickle", pickle.dumps([1, 2]), pickle.dumps(({}, 3)), pickle.dumps((1, 2))]
DAMAGED += [b"\x80\x04Nr\xff\xff\xff\xff.", b"\x80\x04c" + b"nowhere\nnothing\n."]


@pytest.mark.parametrize("damaged", DAMAGED)
@pytest.mark.parametrize("store", [None, "local"])
def test_damaged_states_leave_trainer_and_updater_as_they_were(tmp_path, damaged, store):
    path = str(tmp_path / "trainer.states")
    (tmp_path / "trainer.states").write_bytes(damaged)
    trainer = trained(store)
    before = trainer._optimizer
    with pytest.raises(GluonError, match="states of an optimizer"):
        trainer.load_states(path)
    assert trainer._optimizer is before
    trainer.step(4, ignore_stale_grad=True)
    update = optimizer.get_updater(optimizer.SGD(momentum=0.9))
    update(0, nd.ones((2,)), nd.ones((2,)))
    states = update.states
    with pytest.raises(GluonError, match="states of an optimizer"):
        update.set_states(damaged)
    assert update.states is states
    local = kvstore.create("local")
    local.set_optimizer(optimizer.SGD())
    with pytest.raises(GluonError, match="states of an optimizer"):
        local.load_optimizer_states(path)


def test_a_module_of_megengine_takes_all_values_or_none():
    net = module.Linear(3, 2)
    before = {key: value.copy() for key, value in net.state_dict().items()}
    for wrong in ({"bias": np.ones(5), "weight": np.ones((2, 3))}, {"weight": np.ones((2, 3))}):
        with pytest.raises((GluonError, KeyError)):
            net.load_state_dict(wrong)
    with pytest.raises((GluonError, TypeError, ValueError)):
        net.load_state_dict({"weight": np.ones((2, 3)), "bias": np.array(["a", "b"])})
    for key, value in net.state_dict().items():
        np.testing.assert_array_equal(value, before[key])


def test_an_optimizer_of_megengine_takes_all_states_or_none():
    net = module.Linear(3, 2)
    sgd = megengine_optimizer.SGD(net.parameters(), lr=0.5, momentum=0.9)
    with GradManager().attach(net.parameters()) as manager:
        manager.backward(functional.sum(net(Tensor(np.ones((1, 3), "float32")))))
    sgd.step()
    saved = sgd.state_dict()
    saved["param_groups"][0]["lr"] = 0.1
    saved["state"][1] = {"momentum_buffer": object()}
    with pytest.raises((GluonError, TypeError)):
        sgd.load_state_dict(saved)
    assert sgd.param_groups[0]["lr"] == 0.5
