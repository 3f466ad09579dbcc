"""`gluon.test_utils` and the small modules: as in MXNet where it has them, and clear errors."""

from __future__ import annotations

import bz2
import contextvars
import gzip
import logging
import os
import re
import struct
import threading
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest

import gluon
from gluon import (
    GluonError,
    HybridBlock,
    autograd,
    monitor,
    nd,
    nn,
    optimizer,
    runtime,
    sym,
    test_utils,
    util,
)
from gluon._core import registry
from gluon.mxnet import engine as bulk
from gluon.mxnet import libinfo, log
from gluon.mxnet.attribute import AttrScope
from gluon.mxnet.name import NameManager, Prefix
from gluon.test_utils import statistics
from gluon.test_utils.statistics import _chi_square_tail
from tests.training.replay import assert_as_the_oracle, named


@pytest.mark.parametrize("name", named("utilities"))
def test_as_the_oracle(name, monkeypatch):
    assert_as_the_oracle(name, monkeypatch)


X = np.array([[0.5, -1.0], [2.0, 0.25]])


def recorded():
    """What get_symbol gives of exp(a) * b, and the names of its arguments."""
    a, b = nd.array(X), nd.array(X[0])
    a.attach_grad()
    b.attach_grad()
    with autograd.record():
        out = nd.exp(a) * b
    return autograd.get_symbol(out)


class Product(HybridBlock):
    def hybrid_forward(self, F, a, b):
        return F.exp(a) * b


COMPUTATIONS = {
    "symbol": recorded,
    "block": Product,
    "function": lambda: lambda a, b: nd.exp(a) * b,
    "any number": lambda: lambda *both: nd.exp(both[0]) * both[1],
}


@pytest.mark.parametrize("kind", COMPUTATIONS)
def test_checks_take_symbols_blocks_and_functions(kind):
    sym, out = COMPUTATIONS[kind](), np.exp(X) * X[0]
    (got,) = test_utils.check_symbolic_forward(sym, [X, X[0]], [out], dtype=np.float64)
    np.testing.assert_allclose(got.asnumpy(), out)
    grads = [out, np.exp(X).sum(0)]
    test_utils.check_symbolic_backward(sym, [X, X[0]], None, grads, dtype=np.float64)
    test_utils.check_numeric_gradient(sym, [X, X[0]], dtype=np.float64, rtol=1e-6, atol=1e-6)
    with pytest.raises(AssertionError, match=r"FORWARD_.*output"):
        test_utils.check_symbolic_forward(sym, [X, X[0]], [out + 1])
    with pytest.raises(AssertionError, match="BACKWARD_"):
        test_utils.check_symbolic_backward(sym, [X, X[0]], [out], grads)
    assert not autograd.is_recording()


def test_numeric_grad_of_an_executor_sets_its_states_before_each_step():
    symbol = sym.BatchNorm(sym.var("data"), fix_gamma=False, eps=0, name="bn")
    bound = symbol.simple_bind(data=(2, 2))
    point = {"data": X, "bn_gamma": np.array([2.0, 3.0]), "bn_beta": np.zeros(2)}
    states = {"bn_moving_mean": np.zeros(2), "bn_moving_var": np.array([4.0, 9.0])}
    grads = test_utils.numeric_grad(bound, point, states, 1e-2, use_forward_train=False)
    np.testing.assert_allclose(grads["data"], np.ones((2, 2)), rtol=1e-3)
    np.testing.assert_allclose(grads["bn_gamma"], (X / [2, 3]).sum(0), rtol=1e-3)


def test_a_wrong_gradient_is_found():
    class Wrong(autograd.Function):
        def forward(self, x):
            return x * 2

        def backward(self, g):
            return g * 3

    with pytest.raises(AssertionError, match=r"NUMERICAL_x=.*BACKWARD_x"):
        test_utils.check_numeric_gradient(lambda x: Wrong()(x), [X])


def test_what_a_gradient_does_not_reach_has_gradient_0():
    test_utils.check_symbolic_backward(lambda a, b: a * 2, [X, X], [X], [2 * X, 0 * X])
    test_utils.check_symbolic_backward(
        lambda a, b: [nd.BlockGrad(a), b], [X, X], [X, X], [0 * X, X]
    )
    with pytest.raises(AssertionError, match=r"BACKWARD_a=0\.0"):
        test_utils.check_numeric_gradient(lambda a: nd.BlockGrad(a) * 2, [X])


def test_the_arrays_given_are_left_alone():
    x = nd.array(X)
    test_utils.check_numeric_gradient(nd.exp, [x])
    assert x.grad is None
    np.testing.assert_array_equal(x.asnumpy(), X.astype(np.float32))


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: test_utils.check_symbolic_forward(3, [X], [X]), TypeError, "give a Symbol"),
        (lambda: test_utils.check_symbolic_forward(nd.exp, X, [X]), TypeError, "location is a"),
        (
            lambda: test_utils.check_symbolic_forward(recorded(), {"a": X}, [X]),
            ValueError,
            "do not match",
        ),
        (lambda: test_utils.check_symbolic_forward(recorded(), [X], [X]), ValueError, "1 arrays"),
        (lambda: test_utils.check_symbolic_forward(nd.exp, [X], []), ValueError, "0 arrays"),
        (
            lambda: test_utils.check_symbolic_forward(nd.exp, [X], {"y": X}),
            ValueError,
            "expected lacks 'output'",
        ),
        (
            lambda: test_utils.check_symbolic_forward(nd.exp, [X], [X], aux_states=[X]),
            ValueError,
            "aux_states",
        ),
        (
            lambda: test_utils.check_symbolic_backward(nd.exp, [X], None, [X], grad_req="no"),
            ValueError,
            "Invalid grad_req no",
        ),
        (
            lambda: test_utils.check_numeric_gradient(nd.exp, [X], grad_nodes=["y"]),
            ValueError,
            "unknown argument 'y'",
        ),
        (
            lambda: test_utils.check_numeric_gradient(nd.exp, [X], numeric_eps=1e-7),
            ValueError,
            "numeric_eps",
        ),
        (
            lambda: test_utils.check_numeric_gradient(lambda x: [x, x], [X]),
            ValueError,
            "one output",
        ),
        (lambda: test_utils.check_numeric_gradient(nd.exp, [X], dtype="i"), TypeError, "dtype"),
        (lambda: test_utils.check_speed(nd.exp, typ="back", data=(2,)), ValueError, "whole"),
        (lambda: test_utils.check_consistency(nd.exp, [{"data": (2,)}]), ValueError, "two items"),
        (lambda: test_utils.random_sample([1], 2), ValueError, "k=2"),
        (lambda: test_utils.retry(0), ValueError, "at least 1"),
        (lambda: test_utils.collapse_sum_like(X, (3,)), ValueError, "cannot be broadcast"),
        (lambda: test_utils.get_tolerance(X.astype(complex), None, {}), TypeError, "complex"),
        (lambda: test_utils.get_rtol(dtype=complex), TypeError, "no tolerance"),
        (lambda: test_utils.assert_almost_equal(X, X, rtol="1"), TypeError, "tolerance is a str"),
        (lambda: test_utils.assert_almost_equal(X, None), TypeError, "compare object as numbers"),
        (
            lambda: test_utils.chi_square_check(np.zeros, [(0, 2), (1, 3)], [0.5, 0.5], 10),
            ValueError,
            "rising",
        ),
        (lambda: test_utils.set_default_context(gluon.gpu()), GluonError, "num_gpus"),
        (lambda: test_utils.environment("one").__enter__(), ValueError, "a name and a value"),
        (lambda: test_utils.np_symbol, AttributeError, "one class"),
        (lambda: test_utils.nothing, AttributeError, "no 'nothing'"),
        (lambda: runtime.Features().is_enabled("foo"), RuntimeError, "Feature 'FOO' is unknown"),
        (lambda: libinfo.find_lib_path(), FileNotFoundError, "no library libmxnet"),
        (lambda: util.get_gpu_memory(0), GluonError, "num_gpus"),
        (lambda: util.get_cuda_compute_capability(gluon.cpu()), ValueError, "Expecting a gpu"),
        (lambda: monitor.Monitor(1).install(object()), TypeError, "a Block or an Executor"),
        (lambda: AttrScope(a=1), ValueError, "need to be string"),
    ],
)
def test_errors(call, kind, message):
    with pytest.raises(kind, match=message) as raised:
        call()
    assert isinstance(raised.value, GluonError)


def test_shapes_that_do_not_go_together_are_unequal():
    with pytest.raises(AssertionError, match=r"\(2, 2\) and \(3,\)"):
        test_utils.assert_almost_equal(X, [1, 2, 3])


def test_a_failure_leaves_numpys_printing_alone():
    before = np.get_printoptions()
    with pytest.raises(AssertionError):
        test_utils.assert_almost_equal(X, X + 1)
    assert np.get_printoptions() == before


def test_a_message_shows_the_start_of_large_arrays():
    x = np.zeros((9, 9, 9, 9))
    with pytest.raises(AssertionError) as raised:
        test_utils.assert_almost_equal(x, x + 1, mismatches=(0, 0))
    assert str(raised.value).count("\n") < 30


def test_whole_numbers_without_sign_are_compared_as_numbers():
    zero, one = np.zeros(2, np.uint8), np.ones(2, np.uint8)
    test_utils.assert_almost_equal(zero, one, atol=1)
    assert test_utils.find_max_violation(zero, one, 0, 0.5)[1] == 2


def test_assert_exception():
    with pytest.raises(AssertionError, match="raised no KeyError"):
        test_utils.assert_exception(abs, KeyError, 1)
    with pytest.raises(ValueError, match="invalid literal"):
        test_utils.assert_exception(int, KeyError, "a")


@pytest.mark.parametrize("failures", [0, 2, 3])
def test_retry(failures):
    calls = []

    @test_utils.retry(3)
    def once():
        calls.append(1)
        assert len(calls) > failures, "by chance"

    if failures == 3:
        with pytest.raises(AssertionError, match="by chance"):
            once()
    else:
        once()
    assert len(calls) == min(failures + 1, 3)


def test_the_default_context_lasts_to_the_end_of_a_block():
    with gluon.cpu(1):
        test_utils.set_default_context(gluon.cpu(2))
        assert test_utils.default_context() == gluon.cpu(2)
        with gluon.cpu(3):
            assert nd.zeros((1,)).context == gluon.cpu(3)
        assert nd.zeros((1,)).context == gluon.cpu(2)
    assert test_utils.default_context() == gluon.cpu()


def test_environment_is_restored_after_an_error(monkeypatch):
    monkeypatch.setenv("GLUON_ONE", "before")
    inside = test_utils.environment({"GLUON_ONE": "in", "GLUON_TWO": "in"})
    with pytest.raises(KeyError, match="GLUON_TWO=in"), inside:
        raise KeyError(f"GLUON_TWO={os.environ['GLUON_TWO']}")
    assert os.environ["GLUON_ONE"] == "before"
    assert "GLUON_TWO" not in os.environ
    with test_utils.EnvManager("GLUON_ONE", "in"):
        assert test_utils.set_env_var("GLUON_ONE", "later") == "in"
    assert os.environ["GLUON_ONE"] == "before"


def test_discard_stderr(capfd, monkeypatch):
    with open(2, "w", closefd=False) as stderr:
        monkeypatch.setattr("sys.stderr", stderr)
        with test_utils.discard_stderr():
            os.write(2, b"lost")
        os.write(2, b"kept")
        monkeypatch.setattr("sys.stderr", object())
        with test_utils.discard_stderr():
            os.write(2, b" too")
    assert capfd.readouterr().err == "kept too"


# ---------------------------------------------------------------------------- consistency


def test_consistency_over_dtypes():
    places = [
        {"ctx": gluon.cpu(k), "a": (2, 3), "b": (3,), "type_dict": {"a": dtype, "b": dtype}}
        for k, dtype in enumerate((np.float16, np.float64, np.float32))
    ]
    product = COMPUTATIONS["function"]()
    truth = test_utils.check_consistency(product, places, arg_params={"b": X[0].repeat(2)[:3]})
    assert sorted(truth) == ["a", "b", "output"]
    assert truth["output"].dtype == np.float64
    test_utils.check_consistency(product, places, grad_req="null", use_uniform=True)
    with pytest.raises(AssertionError):
        test_utils.check_consistency([product, lambda a, b: a * b, product], places)
    with pytest.raises(AssertionError):
        test_utils.check_consistency(product, places, ground_truth={"output": np.full((2, 3), 9)})


def test_differences_are_printed_where_they_are_not_raised(capsys):
    places = [{"ctx": gluon.cpu(), "data": (2,)}] * 2
    test_utils.check_consistency(
        [nd.exp, lambda data: data - 9], places, raise_on_err=False, grad_req="null"
    )
    assert "Predict Err: ctx 1 vs ctx 0 at output" in capsys.readouterr().out


@pytest.mark.parametrize("shape", [(3, 4), [(3, 4), (2,)]])
def test_optimizers_are_compared(shape):
    count = len(shape) if isinstance(shape, list) else 1
    one, two, other = (optimizer.SGD(learning_rate=rate, momentum=0.9) for rate in (0.5, 0.5, 0.2))
    test_utils.compare_optimizer(one, two, shape, "float32", ntensors=count)
    with pytest.raises(AssertionError):
        test_utils.compare_optimizer(one, other, shape, "float32", ntensors=count)


def test_a_block_that_computes_otherwise_when_hybridized_is_found():
    def build(prefix):
        net = nn.HybridSequential(prefix=prefix)
        net.add(nn.Dense(3, activation="tanh"), nn.BatchNorm(), nn.Dense(2))
        return net

    test_utils.check_gluon_hybridize_consistency(build, [nd.array(X)])

    class Fickle(HybridBlock):
        factor = 1

        def hybridize(self, active=True, **kwargs):
            super().hybridize(active, **kwargs)
            self.factor = 2

        def hybrid_forward(self, F, x):
            return x * self.factor

    with pytest.raises(AssertionError):
        test_utils.check_gluon_hybridize_consistency(Fickle, [nd.array(X)])


# ----------------------------------------------------------------------------- statistics


def test_few_and_many_intervals_are_counted_alike(monkeypatch):
    rng = np.random.default_rng(0)
    for samples in (rng.integers(-9, 9, 999), rng.normal(size=999).astype("f"), np.full(3, np.nan)):
        ends = np.array([-5, -1, -0.5, 0, 0, 2.5, 7], np.float32)
        few = statistics._inside(samples, ends)
        monkeypatch.setattr(statistics, "FEW", 3)
        np.testing.assert_array_equal(few, statistics._inside(samples, ends))
        monkeypatch.undo()
        below = np.concatenate([[-np.inf], ends])
        inside = (samples >= below[:-1, None]) & (samples < below[1:, None])
        np.testing.assert_array_equal(few, inside.sum(1))


@pytest.mark.parametrize(
    ("distance", "degrees", "p"),  # from tables of the distribution
    [
        (3.841459, 1, 0.05),
        (5.991465, 2, 0.05),
        (7.814728, 3, 0.05),
        (18.307038, 10, 0.05),
        (10.827566, 1, 0.001),
        (9.236357, 5, 0.1),
        (0, 4, 1),
        (np.inf, 3, 0),
    ],
)
def test_the_tail_of_the_chi_square_distribution(distance, degrees, p):
    assert _chi_square_tail(distance, degrees) == pytest.approx(p, rel=1e-5)


@pytest.mark.slow  # importing SciPy takes seconds
@pytest.mark.parametrize("count", [2, 3, 6, 7])
def test_p_values_are_those_of_scipy(count):
    stats = pytest.importorskip("scipy.stats")
    probs = [1 / count] * count
    values = np.random.default_rng(count).integers(0, count, 840)
    p, hit, expected = test_utils.chi_square_check(lambda n: values, range(count), probs, 840)
    np.testing.assert_allclose(p, stats.chisquare(hit, expected)[1], rtol=1e-9)
    assert 0 < p < 1
    assert hit.sum() == expected.sum() == 840


def test_samples_of_another_distribution_fail():
    buckets, probs = test_utils.gen_buckets_probs_with_ppf(lambda p: p, 4)
    np.random.seed(0)
    right = test_utils.verify_generator(np.random.rand, buckets, probs, nsamples=1000)
    assert len(right) == 5
    with pytest.raises(AssertionError, match="Generator test fails"):
        test_utils.verify_generator(lambda n: np.random.rand(n) ** 2, buckets, probs, nsamples=1000)


def test_columns_are_shuffled_within_their_rows():
    matrix = SimpleNamespace(indptr=[0, 50, 52], indices=np.arange(52))
    test_utils.shuffle_csr_column_indices(matrix)
    assert sorted(matrix.indices[:50]) == list(range(50))
    assert list(matrix.indices[:50]) != list(range(50))
    assert set(matrix.indices[50:]) == {50, 51}


# ---------------------------------------------------------------------------------- files


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("gluon.test_utils.datasets.ROOT", str(tmp_path / "nowhere"))
    return tmp_path


@pytest.mark.parametrize(
    "call",
    [
        test_utils.get_mnist,
        test_utils.get_mnist_pkl,
        test_utils.get_mnist_ubyte,
        test_utils.get_cifar10,
        test_utils.get_im2rec_path,
        lambda: test_utils.download_model("imagenet1k-resnet-18"),
    ],
)
def test_missing_files_are_named(call, folder, monkeypatch):
    monkeypatch.delenv("MXNET_HOME", raising=False)
    with pytest.raises(FileNotFoundError, match=rf"{folder}|im2rec\.py") as raised:
        call()
    assert isinstance(raised.value, GluonError)


def idx(shape):
    """An idx file of the numbers from 0."""
    size = int(np.prod(shape))
    header = struct.pack(f">{len(shape) + 1}I", 0x800 + len(shape), *shape)
    return header + bytes(k % 10 for k in range(size))


@pytest.mark.parametrize("where", [".", "data"])
def test_get_mnist(where, folder):
    (folder / where).mkdir(exist_ok=True)
    for part, count in (("train", 3), ("t10k", 2)):
        images = gzip.compress(idx((count, 28, 28)))
        (folder / where / f"{part}-images-idx3-ubyte.gz").write_bytes(images)
        (folder / where / f"{part}-labels-idx1-ubyte").write_bytes(idx((count,)))
    found = test_utils.get_mnist()
    assert {name: (one.shape, one.dtype.name) for name, one in found.items()} == {
        "train_data": ((3, 1, 28, 28), "float32"),
        "train_label": ((3,), "int8"),
        "test_data": ((2, 1, 28, 28), "float32"),
        "test_label": ((2,), "int8"),
    }
    assert found["train_data"][0, 0, 0, 5] == np.float32(5 / 255)


@pytest.mark.parametrize(("shape", "batch"), [((1, 28, 28), (2, 1, 28, 28)), ((784,), (2, 784))])
def test_get_mnist_iterator(shape, batch, folder):
    (folder / "data").mkdir()
    for part, count in (("train", 4), ("t10k", 2)):
        (folder / "data" / f"{part}-images-idx3-ubyte").write_bytes(idx((count, 28, 28)))
        (folder / "data" / f"{part}-labels-idx1-ubyte").write_bytes(idx((count,)))
    training, validation = test_utils.get_mnist_iterator(2, shape)
    batches = list(training)
    assert [one.data[0].shape for one in batches] == [batch, batch]
    labels = np.concatenate([one.label[0].asnumpy() for one in batches])
    assert sorted(labels) == [0, 1, 2, 3]
    assert [list(one.label[0].asnumpy()) for one in validation] == [[0, 1]]


def test_archives_that_are_there_are_unpacked(folder):
    (folder / "data").mkdir()
    with zipfile.ZipFile(folder / "data" / "cifar10.zip", "w") as file:
        for name in ("train.rec", "test.rec", "train.lst", "test.lst"):
            file.writestr(f"cifar/{name}", name)
    test_utils.get_cifar10()
    assert (folder / "data" / "cifar" / "test.lst").read_text() == "test.lst"
    (folder / "words.bz2").write_bytes(bz2.compress(b"words"))
    test_utils.get_bz2_data(".", "words.txt", "http://localhost:1/words.bz2", "words.bz2")
    assert (folder / "words.txt").read_bytes() == b"words"
    assert not (folder / "words.bz2").exists()
    prefix = test_utils.download_model(
        "net", ".", {"net": dict.fromkeys(("symbol", "params"), (folder / "words.txt").as_uri())}
    )
    assert prefix == (os.path.join(".", "net"), 0)
    assert (folder / "net-0000.params").read_bytes() == b"words"


def test_a_dummy_iterator_repeats_the_first_batch():
    class Real:
        provide_data, provide_label, batch_size = ["data"], ["label"], 2
        batches = iter("ab")

        def __next__(self):
            return next(self.batches)

    dummy = test_utils.DummyIter(Real())
    dummy.reset()
    assert [next(dummy), dummy.next(), next(iter(dummy))] == ["a"] * 3
    assert dummy.batch_size == 2


# -------------------------------------------------------------------------- small modules


def test_monitor_looks_every_few_batches(caplog):
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(2, prefix="one_"), nn.Dense(1, prefix="two_"))
    net.initialize()
    watch = monitor.Monitor(
        2, stat_func=nd.sum, pattern=".*(put|weight)", sort=True, monitor_all=True
    )
    watch.install(net)
    found = []
    for _ in range(3):
        watch.tic()
        with autograd.record():
            y = net(nd.ones((3, 2)))
        y.backward()
        found.append(watch.toc())
    assert [len(rows) for rows in found] == [10, 0, 10]
    rows = {name: float(text) for _, name, text in found[2]}
    assert {step for step, *_ in found[2]} == {3}
    assert rows["net_one_input"] == 6
    assert rows["net_two_output"] == rows["net_output"] == pytest.approx(y.asnumpy().sum(), 1e-6)
    weights = net.collect_params()["net_two_weight"]
    assert rows["net_two_weight_grad"] == pytest.approx(weights.grad().asnumpy().sum(), 1e-6)
    assert list(rows) == sorted(rows)
    watch.tic()
    watch.tic()
    with caplog.at_level(logging.INFO):
        watch.toc_print()
    assert "net_one_weight" in caplog.text


def test_names_are_counted_per_block_and_thread():
    with NameManager() as outer:
        assert NameManager.current is outer
        assert NameManager.current.get(None, "dot") == "dot0"
        with Prefix("net_") as inner:
            assert Prefix.current is NameManager.current is inner
            assert [inner.get(None, "dot"), inner.get("mine", "dot")] == ["net_dot0", "net_mine"]
        assert NameManager.current.get(None, "dot") == "dot1"
        other = []
        thread = threading.Thread(target=lambda: other.append(NameManager.current))
        thread.start()
        thread.join()
        assert other[0] is not outer
    contextvars.copy_context().run(_choose)  # what is chosen outlives a test


def _choose() -> None:
    NameManager.current = chosen = NameManager()
    assert NameManager.current is chosen


def test_attributes_of_nested_scopes():
    with AttrScope(a="1", b="2"), AttrScope(b="3") as inner:
        assert AttrScope.current is inner
        assert inner.get({"c": "4"}) == {"a": "1", "b": "3", "c": "4"}
    assert AttrScope.current.get(None) == {}


def test_loggers(tmp_path, capsys):
    logger = log.get_logger("gluon.test.colour", level=log.INFO)
    logger.info("one")
    logger.debug("two")
    shown = capsys.readouterr().err
    assert re.fullmatch(r"\x1b\[32mI\d{4} [\d:]{8} \d+ .*py:\w+:\d+\]\x1b\[0m one\n", shown)
    assert log.get_logger("gluon.test.colour") is logger
    assert len(logger.handlers) == 1
    path = tmp_path / "log.txt"
    with pytest.warns(DeprecationWarning, match="get_logger"):
        to_file = log.getLogger("gluon.test.file", str(path))
    to_file.warning("three")
    to_file.handlers[0].close()
    assert path.read_text() == "three\n"


def test_bulk_restores_the_size_after_an_error():
    before = bulk.set_bulk_size(5)
    with pytest.raises(KeyError, match="9"), bulk.bulk(9):
        raise KeyError(bulk.set_bulk_size(9))
    assert bulk.set_bulk_size(before) == 5


def test_a_name_that_is_taken_is_a_warning():
    class Shape:
        pass

    register = registry.get_register_func(Shape, "shape")
    register(type("Box", (Shape,), {}))
    with pytest.warns(UserWarning, match=r"New shape .*Box registered with name box is overriding"):
        register(type("Box", (Shape,), {}))
    assert "xavier" in registry.get_registry(gluon.init.Initializer)


def test_the_features_are_those_of_numpy():
    found = runtime.Features()
    assert found.is_enabled("LAPACK")
    assert not any(found.is_enabled(name) for name in ("CUDA", "TVM_OP", "MKLDNN"))
    assert repr(found).startswith("[✖ CUDA, ✖ CUDNN")
    assert sum(found[name].enabled for name in found if name.startswith("BLAS_")) <= 1


def test_folders_are_made_once(tmp_path, monkeypatch):
    util.makedirs(str(tmp_path / "a" / "b"))
    util.makedirs(str(tmp_path / "a" / "b"))
    assert (tmp_path / "a" / "b").is_dir()
    monkeypatch.setenv("GLUON_ONE", "1")
    util.setenv("GLUON_ONE", None)
    assert util.getenv("GLUON_ONE") is None


def test_the_numbers_of_the_device_types():
    assert gluon.Context.devtype2str == {1: "cpu", 2: "gpu", 3: "cpu_pinned", 5: "cpu_shared"}
    assert gluon.Context.devstr2type["cpu_pinned"] == gluon.cpu_pinned().device_typeid


@pytest.mark.parametrize("nodes", [["a"], {"a": "write", "b": "null"}], ids=str)
def test_numeric_gradients_leave_other_inputs_alone(nodes):
    seen = []

    def counted(a, b):
        seen.append(b.asnumpy().tolist())
        return a * nd.floor(b)

    at = [[1.0, 2.0], [1.0, 3.0]]  # jumps: finite differences in b would be wrong
    test_utils.check_numeric_gradient(counted, at, grad_nodes=nodes, rtol=0.05, atol=0.05)
    assert seen.count([1.0, 3.0]) == len(seen)


def test_gradients_of_0_d_inputs_may_be_zero():
    grads = test_utils.check_symbolic_backward(
        lambda a, b: a * nd.floor(b), [np.array(3.0), np.array(2.0)], [2.0], [4.0, 0.0]
    )
    assert [one.shape for one in grads.values()] == [(), ()]
    grads = test_utils.check_symbolic_backward(
        lambda a, b: nd.square(a), [np.array(3.0), np.array(2.0)], [2.0], [12.0, 0.0]
    )
    assert [float(one) for one in grads.values()] == [12, 0]
