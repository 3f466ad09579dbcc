"""Key-value stores: values as in MXNet, and errors for invalid arguments."""

from __future__ import annotations

import pytest

from gluon import GluonError, Parameter, Trainer, autograd, kvstore, nd, nn, optimizer
from tests.training.replay import assert_as_the_oracle, named


@pytest.fixture(autouse=True)
def registered():
    """Forget the stores that a test registers."""
    known = set(kvstore.KVStoreBase.kv_registry)
    yield
    for name in set(kvstore.KVStoreBase.kv_registry) - known:
        del kvstore.KVStoreBase.kv_registry[name]


@pytest.mark.parametrize("name", named("store"))
def test_store(name, monkeypatch):
    assert_as_the_oracle(name, monkeypatch)


@pytest.mark.parametrize("name", ["local", "device", "nccl", "LOCAL", "local_update_cpu"])
def test_stores_in_this_process(name):
    store = kvstore.create(name)
    assert (store.type, store.rank, store.num_workers) == (name.lower(), 0, 1)
    assert store.is_capable("optimizer")
    store._barrier()


@pytest.mark.parametrize("name", ["dist_sync", "dist_device_sync", "dist", "horovod"])
def test_stores_of_several_processes(name):
    store = kvstore.create(name)
    assert (store.type, store.rank, store.num_workers) == (name, 0, 1)


@pytest.mark.parametrize("name", ["dist_async", "dist_async_device", "p3", "byteps"])
def test_stores_that_are_not_supported(name):
    with pytest.raises(ValueError, match=f"'{name}' is not supported: .* Use 'dist_sync'"):
        kvstore.create(name)


def test_programs_that_a_launcher_of_servers_starts(monkeypatch):
    monkeypatch.setenv("DMLC_ROLE", "worker")
    monkeypatch.setenv("DMLC_NUM_WORKER", "3")
    monkeypatch.setattr("sys.orig_argv", ["python", "train.py", "--name", "a b"])
    with pytest.raises(
        ValueError, match=r"Start the program by: mpiexec -n 3 python train\.py --name 'a b'$"
    ):
        kvstore.create("dist_device_sync")
    assert kvstore.create("device").type == "device"
    net = nn.Dense(1, in_units=1)
    net.initialize()
    with pytest.raises(ValueError, match=r"as by tools/launch\.py"):
        Trainer(net.collect_params(), "sgd", kvstore="dist_sync")


def test_rows_are_pulled_into_dense_arrays():
    made = store()
    made.init([7, 8], [nd.arange(8).reshape((4, 2)), nd.ones((3, 1))])
    one, other = nd.ones((4, 2)), nd.full((3, 1), 5)
    made.row_sparse_pull([7, 8], out=[one, other], row_ids=[nd.array([3, 1, 3]), nd.array([])])
    assert one.asnumpy().tolist() == [[0, 0], [2, 3], [0, 0], [6, 7]]
    assert other.asnumpy().tolist() == [[0], [0], [0]]
    pair = [nd.ones((4, 2)), nd.ones((4, 2), dtype="float64")]
    made.row_sparse_pull(7, out=pair, row_ids=nd.array([1], dtype="int64"))
    for found in pair:
        assert found.asnumpy().tolist() == [[0, 0], [2, 3], [0, 0], [0, 0]]


def test_there_are_no_servers():
    with pytest.raises(AttributeError, match="'KVStoreServer': stores of several processes need"):
        kvstore.KVStoreServer  # noqa: B018


def test_first_values_and_pushed_ones_are_copied():
    store, value, out = kvstore.create(), nd.ones((2,)), nd.zeros((2,))
    store.init("w", value)
    value[:] = 5
    store.pull("w", out=out)
    assert out.asnumpy().tolist() == [1, 1]
    store.push("w", value)
    value[:] = 6
    store.pull("w", out=out)
    assert out.asnumpy().tolist() == [5, 5]


def test_keys_reach_an_updater_as_they_are():
    found = []
    store = kvstore.create()
    store.init(["a", "b"], [nd.ones((2,)), nd.ones((2,))])
    store.set_updater(lambda key, pushed, value: found.append(key))
    store.push(["b", "a"], [nd.ones((2,)), nd.ones((2,))])
    assert found == ["b", "a"]


def store(updater=False):
    made = kvstore.create()
    made.init(3, nd.ones((2,)))
    if updater:
        made.set_optimizer(optimizer.SGD())
    return made


X, Y = nd.ones((2,)), nd.ones((3,))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: kvstore.create("foo"), "unknown kvstore 'foo'; choose one of local, .*device"),
        (lambda: kvstore.create(3), "takes the name of a store, not int"),
        (lambda: store().init(3, X), r"KVStore.init: the key 3 has a value already"),
        (lambda: store().init("w", X), "the key 'w' is a str, others such as 3 are not"),
        (lambda: store().init(4, [X, X]), "2 values for the key 4"),
        (lambda: store().init([4, 5], [X]), "2 keys need a list of as many values"),
        (lambda: store().init([4, 5], X), "2 keys need a list of as many values"),
        (lambda: store().init(4.5, X), "a key is an int or a str, not 4.5"),
        (lambda: store().init(4, 7), "the value of 4 is an int, not an NDArray"),
        (lambda: store().push(4, X), r"KVStore.push: the key 4 has no value yet; call init\(\)"),
        (
            lambda: store().push(3, Y),
            r"shape \(2,\) and dtype float32, but the pushed one has \(3,\)",
        ),
        (lambda: store().push(3, [X, X.astype("float16")]), "but the pushed one has .* float16"),
        (lambda: store().push(3, []), "0 values for the key 3"),
        (lambda: store().pull(4, out=X), "KVStore.pull: the key 4 has no value yet"),
        (lambda: store().pull(3), "give out, the arrays to copy into"),
        (lambda: store().pull(3, out=Y), r"has shape \(2,\), but out has \(3,\)"),
        (lambda: store().pushpull(4, X), "KVStore.push: the key 4 has no value yet"),
        (lambda: store().broadcast(3, X, out=[X]), "the key 3 has a value already"),
        (lambda: store().row_sparse_pull(3, X), "give row_ids, or use pull"),
        (lambda: store().row_sparse_pull(3, row_ids=X), "row_sparse_pull: give out"),
        (lambda: store().row_sparse_pull(3, [X], row_ids=[X, X]), "2 row_ids for 1 arrays"),
        (
            lambda: store().row_sparse_pull(3, X, row_ids=X * 2),
            r"row_ids from 2 to 2 are out of range \(0 to 1\)",
        ),
        (lambda: store().row_sparse_pull(3, Y, row_ids=X), r"has shape \(2,\), but out has \(3,\)"),
        (lambda: store().set_gradient_compression({"type": "2bit"}), "are not compressed; leave"),
        (lambda: store().set_optimizer("sgd"), "takes an Optimizer, not 'sgd'; make one with"),
        (lambda: store().is_capable("flying"), "'flying' is not 'optimizer'"),
        (lambda: store().save_optimizer_states("x"), "no optimizer is set; call set_optim"),
        (lambda: store().load_optimizer_states("x"), "no optimizer is set; call set_optim"),
        (lambda: store(True).load_optimizer_states("/missing"), "cannot find the file '/missing'"),
        (lambda: kvstore.KVStoreBase.register(3), "takes a class, not 3"),
        (lambda: kvstore.KVStoreBase().pushpull(3, X), "must define pushpull"),
        (lambda: kvstore.KVStoreBase().broadcast(3, X, X), "must define broadcast"),
    ],
)
def test_errors(call, message):
    kinds = (ValueError, TypeError, GluonError, NotImplementedError, FileNotFoundError)
    with pytest.raises(kinds, match=message):
        call()


def test_a_push_that_fails_changes_nothing():
    made, out = store(), nd.zeros((2,))
    made.init(4, X)
    with pytest.raises(ValueError, match="but the pushed one has"):
        made.push([3, 4], [X * 5, Y])
    made.pull(3, out=out)
    assert out.asnumpy().tolist() == [1, 1]


def test_a_store_of_ones_own_has_defaults():
    @kvstore.KVStoreBase.register
    class Plain(kvstore.KVStoreBase):
        pass

    made = kvstore.create("plain")
    assert (made.type, made.rank, made.num_workers) == ("plain", 0, 1)
    assert not made.is_capable("optimizer")


def test_weights_that_a_store_updates_stay_where_they_are():
    weight = Parameter("w", shape=(3,))
    weight.initialize(init="ones")
    trainer = Trainer([weight], "sgd", {"learning_rate": 1.0}, kvstore="dist_sync")
    places = []
    for _ in range(3):
        with autograd.record():
            loss = (weight.data() * 2).sum()
        loss.backward()
        places.append(weight.data().raw.ctypes.data)
        trainer.step(1)
    places.append(weight.data().raw.ctypes.data)
    assert len(set(places)) == 1  # copying them at each step takes as long as updating them
    assert weight.data().asnumpy().tolist() == [-5.0] * 3


def test_an_optimizer_updates_all_that_is_pushed_in_one_call(monkeypatch):
    calls, update = [], optimizer.Updater.__call__
    monkeypatch.setattr(
        optimizer.Updater,
        "__call__",
        lambda self, *given: calls.append(given[0]) or update(self, *given),
    )
    store = kvstore.create()
    store.set_optimizer(optimizer.SGD(learning_rate=0.5))
    store.init(["a", "b"], [nd.ones(2), nd.ones(3)])
    store.push(["a", "b"], [nd.ones(2), nd.ones(3) * 2])
    assert calls == [["a", "b"]]
    out = [nd.zeros(2), nd.zeros(3)]
    store.pull(["a", "b"], out=out)
    assert [x.asnumpy().tolist() for x in out] == [[0.5, 0.5], [0.0, 0.0, 0.0]]
