"""States of optimizers: MXNet's and those of gluon 0.2 load, and no file runs code."""

from __future__ import annotations

import io
import pickle
import struct

import numpy as np
import pytest

import gluon
import gluon.mxnet
from gluon import GluonError, cpu, lr_scheduler, nd, optimizer
from gluon import np as gnp
from gluon._core.arrays.laxness import lax
from gluon.optimizer.states import loads
from recorded import make_pickles as old
from recorded.make import HERE, load
from tests.nn.replay import MX
from tests.optimizer import state_programs as by

REFERENCE = load(HERE / "states.npz")
PICKLES = np.load(HERE / "pickles_0_2.npz")
CASES = by.cases()
#: As for trajectories, by the dtype of the weights.
TOLERANCE = {"float32": 5e-5, "float16": 1e-2}


def near(found, wanted):
    rtol = TOLERANCE[str(wanted[0].dtype)]
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted):
        np.testing.assert_allclose(one, other, rtol, rtol / 5)


def split(name):
    """The bytes of the states, the weights at that time, and those at the end, of MXNet."""
    states, *weights = REFERENCE[name]["outputs"]
    half = len(weights) // 2
    return states.tobytes(), weights[:half], weights[half:]


# --------------------------------------------------------------------------------- reading


def go_on(states, middle):
    """The weights after more updates from states, and the updater."""
    updater = optimizer.get_updater(optimizer.SGD())
    updater.set_states(states)
    weights = [nd.array(one, dtype=one.dtype) for one in middle]
    by.update(MX(), updater, weights, by.AFTER)
    return [weight.asnumpy() for weight in weights], updater


@pytest.mark.parametrize("name", CASES)
def test_training_goes_on_from_states_of_mxnet(name):
    states, middle, end = split(name)
    found, updater = go_on(states, middle)
    near(found, end)
    assert type(updater.optimizer).__name__ == name.partition("(")[0]


@pytest.mark.parametrize("name", CASES)
def test_training_goes_on_from_states_written_for_mxnet(name, monkeypatch):
    monkeypatch.setattr(lax, "mxnet_states", True)
    states, *weights = by.trained(*CASES[name])(MX())
    half = len(weights) // 2
    near(go_on(states.tobytes(), weights[:half])[0], weights[half:])


def test_a_trainer_goes_on_from_a_file_of_mxnet(tmp_path):
    states, middle, end = split("Trainer")
    path = tmp_path / "net.states"
    path.write_bytes(states)
    net, trainer = by.dense(MX())
    trainer.load_states(str(path))
    assert trainer.learning_rate == pytest.approx(0.05)
    net.weight.set_data(nd.array(middle[0]))
    net.bias.set_data(nd.array(middle[1]))
    by.step(MX(), net, trainer, by.AFTER)
    near(by.values(net), end)


@pytest.mark.parametrize("name", by.STORES)
def test_a_module_goes_on_from_a_file_of_mxnet(name, tmp_path):
    states, middle, end = split(name)
    path = tmp_path / "net.states"
    path.write_bytes(states)
    params = dict(zip(("fc_weight", "fc_bias"), map(nd.array, middle)))
    model = by.bound(MX(), by.STORES[name], params)
    model.load_optimizer_states(str(path))
    # A file of a module has no optimizer, and so no number of updates, by which Adam corrects.
    for one in (model._kvstore._updater if by.STORES[name] else model._updater).states:
        for _ in by.BEFORE:
            model._optimizer._update_count(one)
    by.fit(MX(), model, by.AFTER)
    near(by.weights_of(model), end)


def test_older_versions_had_other_paths_and_fewer_attributes():
    kept = {"lr": 0.5, "momentum": 0.9, "rescale_grad": 0.1, "idx2name": {0: "a"}}
    kept |= {"num_update": 4, "_index_update_count": {0: 4}, "sym_info": ()}
    old_path = b"cmxnet.optimizer\nSGD\n)\x81"
    state = pickle.dumps(kept, 2)[2:-1]
    found, made = loads(b"\x80\x02}" + old_path + state + b"b\x86.")
    assert (found, type(made)) == ({}, optimizer.SGD)
    assert (made.lr, made.momentum, made.num_update) == (0.5, 0.9, 4)
    assert made._index_update_count == {0: 4}
    made.update(0, nd.ones((1,)), nd.ones((1,)), nd.zeros((1,)))
    assert made._index_update_count == {0: 5}


# --------------------------------------------------------------------------------- writing


class Stub:
    """What a pickle names, with what it gives to it."""

    args, state = (), None

    def __init__(self, *args):
        self.args = args

    def __setstate__(self, state):
        self.state = state


class Reader(pickle.Unpickler):
    """Reads the names of classes and their attributes, without MXNet."""

    def find_class(self, module, name):
        if module.partition(".")[0] in ("mxnet", "gluon"):
            return type(name, (Stub,), {"path": f"{module}.{name}"})
        return super().find_class(module, name)


def described(states):
    return plain(Reader(io.BytesIO(states)).load())


def plain(thing):
    """A tree of values that can be compared."""
    if isinstance(thing, Stub):
        return {"path": thing.path, "args": thing.args, "state": plain(thing.state)}
    if isinstance(thing, dict):
        return {key: plain(value) for key, value in thing.items()}
    if isinstance(thing, bytearray):  # an array: version, storage, shape, context, dtype
        (axes,) = struct.unpack("<i", thing[8:12])
        start = 12 + 8 * axes + 12
        dtype = {0: "float32", 1: "float64", 2: "float16"}[thing[start - 4]]
        # Whether the memory is pinned, which follows the shape, is up to the store.
        return {"header": bytes(thing[: start - 12]), "values": np.frombuffer(thing[start:], dtype)}
    return [plain(one) for one in thing] if isinstance(thing, (list, tuple)) else thing


def compare(found, wanted, rtol, where=""):
    if isinstance(wanted, dict):
        # gluon's attributes may be more
        assert set(wanted) <= set(found), where
        for key, value in wanted.items():
            if key not in SKIPPED:
                compare(found[key], value, rtol, f"{where}/{key}")
    elif isinstance(wanted, list):
        assert len(found) == len(wanted), where
        for k, value in enumerate(wanted):
            compare(found[k], value, rtol, f"{where}/{k}")
    elif isinstance(wanted, (np.ndarray, float)):
        np.testing.assert_allclose(found, wanted, rtol, rtol / 5, err_msg=where)
    else:
        assert found == wanted, where


#: The rate of a schedule and how often it fell: from the start, it falls again. MXNet has no rate
#: beside a schedule, and its LARS changes a rate for each weight before it remembers the last.
SKIPPED = ("count", "cur_step_ind", "base_lr", "lr", "last_lr", "lbmult")


@pytest.mark.parametrize("name", [*CASES, "Trainer", *by.STORES])
def test_what_is_written_under_the_hook_is_as_mxnets(name, monkeypatch):
    monkeypatch.setattr(lax, "mxnet_states", True)
    states, middle, _ = split(name)
    found = by.programs()[name](MX())[0].tobytes()
    wanted = described(states)
    compare(described(found), wanted, TOLERANCE[str(middle[0].dtype)])


def test_the_hook_decides_what_is_written():
    def first(updater):
        updater(0, nd.ones((2,)), nd.ones((2,)))
        return updater.get_states(dump_optimizer=True)

    updater = optimizer.get_updater(optimizer.AdaGrad())
    assert b"mxnet" not in first(updater)
    with gluon.mxnet.installed():
        assert b"mxnet.optimizer.optimizer" in first(updater)
    assert b"mxnet" not in first(updater)


# ---------------------------------------------------------------------------- earlier versions


def pickled(kind):
    names = [name for name in PICKLES.files if name.startswith(f"{kind}/")]
    assert names
    return {name.partition("/")[2]: PICKLES[name].tobytes() for name in names}


@pytest.mark.parametrize("name", old.STATES)
def test_a_trainer_goes_on_from_files_of_version_0_2(name, tmp_path):
    optimizer_, words, dtype = old.STATES[name]
    for kind in ("states", "params"):
        (tmp_path / kind).write_bytes(PICKLES[f"{kind}/{name}"].tobytes())
    net = old.layer(dtype)
    net.load_parameters(str(tmp_path / "params"))
    trainer = gluon.Trainer(
        net.collect_params(), optimizer_, {"learning_rate": 0.1, **words}, kvstore=None
    )
    trainer.load_states(str(tmp_path / "states"))
    old.step(net, trainer, dtype)
    for kind in ("weight", "bias"):
        found = getattr(net, kind).data().asnumpy()
        np.testing.assert_allclose(found, PICKLES[f"after/{name}/{kind}"], 1e-6)


@pytest.mark.parametrize("name", old.objects())
def test_pickles_of_version_0_2_load(name):
    for content in pickled(name).values():
        same(pickle.loads(content), old.objects()[name])


def same(found, wanted):
    assert type(found) is type(wanted)
    if isinstance(wanted, gluon.Context):
        assert found == wanted
    elif isinstance(wanted, (list, dict)):
        assert len(found) == len(wanted)
        for key in wanted if isinstance(wanted, dict) else range(len(wanted)):
            same(found[key], wanted[key])
    elif isinstance(wanted, gluon.Parameter):
        assert (found.name, found.shape) == (wanted.name, wanted.shape)
        same(found.data(), wanted.data())
    else:
        raw = found.numpy() if hasattr(found, "numpy") else found.asnumpy()
        other = wanted.numpy() if hasattr(wanted, "numpy") else wanted.asnumpy()
        np.testing.assert_array_equal(raw, other)
        assert raw.dtype == other.dtype
        if isinstance(wanted, nd.NDArray):
            assert found.context == wanted.context


def test_pickles_name_public_modules():
    for thing in (nd.ones((2,)), gnp.ones((2,)), cpu(1)):
        names = set()

        class Names(pickle.Unpickler):
            def find_class(self, module, name, names=names):
                names.add(module)
                return super().find_class(module, name)

        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            same(Names(io.BytesIO(pickle.dumps(thing, protocol))).load(), thing)
        assert {one for one in names if one.startswith("gluon")} <= {
            "gluon",
            "gluon.nd",
            "gluon.np",
        }


# ------------------------------------------------------------------------------ what may be read


class Mine(optimizer.SGD):
    """An optimizer of the program."""

    def __init__(self, extra=0, **words):
        super().__init__(**words)
        self.extra = extra


class Falling(lr_scheduler.LRScheduler):
    def after_warmup(self, num_update):
        return self.base_lr / num_update


class OwnSchedule:
    """A schedule that does not derive from LRScheduler."""

    def __init__(self, rate):
        self.rate = rate

    def __call__(self, num_update):
        return self.rate / num_update


def halved(num_update):
    return 0.5**num_update


EXTRAS = {
    "scalar": np.float64(0.5),
    "arrays": [np.arange(6.0).reshape(2, 3).T, np.ones(3, ">i2"), np.array(2, "int8")],
    "values": {"a": (1, 2.5, None, True), "b": {1, 2}, "c": b"bytes", "d": bytearray(b"x")},
    "nd": {"x": nd.ones((2, 0)), "y": gnp.array(3.5), "z": cpu(1)},
}


@pytest.mark.parametrize(
    ("name", "hook"),
    [(name, hook) for name in EXTRAS for hook in (False, True) if not hook or name != "nd"],
)
def test_optimizers_of_the_program_keep_what_they_hold(name, hook, monkeypatch):
    monkeypatch.setattr(lax, "mxnet_states", hook)
    updater = optimizer.get_updater(Mine(EXTRAS[name], lr_scheduler=Falling(0.5)))
    updater(3, nd.ones((2,)), nd.ones((2,)))
    other = optimizer.get_updater(optimizer.SGD())
    other.set_states(updater.get_states(dump_optimizer=True))
    assert type(other.optimizer) is Mine
    assert type(other.optimizer.lr_scheduler) is Falling
    assert other.optimizer._index_update_count == {3: 1}
    wanted = pickle.loads(pickle.dumps(EXTRAS[name]))  # NumPy changes the order of bytes
    assert repr(other.optimizer.extra) == repr(wanted)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_all_protocols_are_read(protocol):
    kept = {0: nd.array([1, 2]), "b": (None, gnp.ones((2, 2)))}
    found, _ = loads(pickle.dumps((kept, Mine(EXTRAS["arrays"])), protocol))
    same(found[0], kept[0])
    same(found["b"][1], kept["b"][1])


@pytest.mark.parametrize("schedule", [halved, OwnSchedule(0.5)])
def test_a_schedule_without_a_class_of_gluons_is_read_where_it_is_in_use(schedule):
    updater = optimizer.get_updater(optimizer.SGD(lr_scheduler=schedule))
    states = updater.get_states(dump_optimizer=True)
    updater.set_states(states)
    assert updater.optimizer.lr_scheduler(3) == schedule(3)
    with pytest.raises(GluonError, match=r"names tests\.optimizer\.test_states\.(halved|OwnSch)"):
        loads(states)


class Crafted:
    """Pickles as a call."""

    def __init__(self, function, *args):
        self.call = function, args

    def __reduce__(self):
        return self.call


def crafted():
    import builtins
    import functools
    import os
    import subprocess

    mark = "raise SystemError('a file ran code')"
    calls = {
        "os.system": (os.system, "exit 3"),
        "subprocess": (subprocess.run, ["false"]),
        "eval": (eval, "1 + 1"),
        "exec": (exec, mark),
        "getattr": (getattr, "text", "upper"),
        "import": (builtins.__import__, "os"),
        "partial": (functools.partial, print),
        "print": (print,),
        "register": (optimizer.Optimizer.register, Mine),
        "open": (open, "file", "w"),
        "nd.save": (nd.save, "file", []),
        "load": (np.load, "file"),
        "halved": (halved, 3),
        "create": (Mine, 1),
    }
    return {name: pickle.dumps({0: Crafted(*call)}) for name, call in calls.items()} | {
        "inst": b"(S'exit 3'\nios\nsystem\n.",
        "obj": b"(cos\nsystem\nS'exit 3'\no.",
        "class slots": b"cgluon.optimizer\nSGD\nN}(S'update'\nI1\nu\x86b.",
        "function attributes": b"cnumpy\ndtype\nN}(S'x'\nI1\nu\x86b.",
        "extension": b"\x80\x02\x82\x01.",
        "persistent": b"\x80\x02K\x01Q.",
        "dotted": b"\x80\x04\x8c\x0fgluon.optimizer\x8c\x0cSGD.register\x93.",
        "huge": b"\x80\x05\x96" + struct.pack("<Q", 1 << 40) + b".",
        "objects": pickle.dumps({0: np.array([None, Mine])}),
        "fields": pickle.dumps({0: np.zeros(2, "i4, f8")}),
        "short": pickle.dumps({0: np.ones(9)}).replace(b"K\t", b"K\n"),
    }


@pytest.mark.parametrize("name", crafted())
def test_crafted_states_run_nothing(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = dict(vars(optimizer.SGD)), dict(optimizer.Optimizer.opt_registry)
    updater = optimizer.get_updater(optimizer.SGD(lr_scheduler=halved))
    kept = updater.states, updater.optimizer
    with pytest.raises(GluonError, match=r"states of an optimizer"):
        updater.set_states(crafted()[name])
    assert (updater.states, updater.optimizer) == kept
    assert (dict(vars(optimizer.SGD)), dict(optimizer.Optimizer.opt_registry)) == before
    assert not list(tmp_path.iterdir())


def test_errors_name_the_class_and_the_way_out():
    with pytest.raises(GluonError, match=r"names \w+\.system.*derives from Optimizer or LRSch"):
        loads(crafted()["os.system"])
    sparse = b"cmxnet.ndarray.sparse\nRowSparseNDArray\n."
    with pytest.raises(GluonError, match=r"RowSparseNDArray.*tostype"):
        loads(sparse)
