"""Initializers: the fixed ones as in MXNet, the random ones by their distribution."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest

import gluon
from gluon import init, nd, random
from tests.nn.replay import assert_as_the_oracle
from tests.training import replay


@pytest.fixture(autouse=True)
def registered():
    """Forget the initializers that a test registers."""
    known = set(init.base.REGISTRY)
    yield
    for name in set(init.base.REGISTRY) - known:
        del init.base.REGISTRY[name]


def test_what_is_not_random(monkeypatch):
    assert_as_the_oracle("initializers", monkeypatch)


@pytest.mark.parametrize("name", replay.named("init"))
def test_everything_but_samples(name, monkeypatch):
    replay.assert_as_the_oracle(name, monkeypatch)


def drawn(made, shape=(40, 30, 5, 5)):
    gluon.random.seed(0)
    weight = nd.zeros(shape)
    made("x_weight", weight)
    return weight.asnumpy()


@pytest.mark.parametrize(
    ("made", "bound"),
    [
        (init.Uniform(), 0.07),
        (init.Uniform(2), 2),
        (init.Xavier(), math.sqrt(3 / (35 * 25))),
        (init.Xavier(factor_type="in", magnitude=2), math.sqrt(2 / (30 * 25))),
        (init.Xavier("uniform", "out"), math.sqrt(3 / (40 * 25))),
    ],
)
def test_uniform_ones(made, bound):
    values = drawn(made)
    assert abs(values).max() == pytest.approx(bound, rel=1e-3)
    assert values.std() == pytest.approx(bound / math.sqrt(3), rel=0.01)
    assert abs(values.mean()) < 0.01 * bound


@pytest.mark.parametrize(
    ("made", "deviation"),
    [
        (init.Normal(), 0.01),
        (init.Normal(3), 3),
        (init.Xavier("gaussian"), math.sqrt(3 / (35 * 25))),
        (init.MSRAPrelu(), math.sqrt(2 / (1 + 0.25**2) / (35 * 25))),
        (init.MSRAPrelu("in", 0), math.sqrt(2 / (30 * 25))),
    ],
)
def test_normal_ones(made, deviation):
    values = drawn(made)
    assert values.std() == pytest.approx(deviation, rel=0.01)
    assert abs(values.mean()) < 0.02 * deviation
    assert abs(values).max() > 3.5 * deviation


UNIFORM = [init.Uniform(), init.Xavier(), init.Xavier("uniform", "out", 1)]
NORMAL = [init.Normal(), init.Xavier("gaussian", "in"), init.MSRAPrelu()]


@pytest.mark.parametrize("made", [*UNIFORM, *NORMAL], ids=lambda made: made.dumps())
def test_distributions(made):
    """The largest gap between the distributions of the samples and of theory (Kolmogorov)."""
    values = np.sort(drawn(made).ravel().astype("float64"))
    if made in UNIFORM:
        theory = values / (2 * abs(values).max()) + 0.5
    else:
        normal = statistics.NormalDist(0, values.std())
        theory = np.array([normal.cdf(x) for x in values])
    steps = np.arange(len(values) + 1) / len(values)
    gap = max(abs(theory - steps[1:]).max(), abs(theory - steps[:-1]).max())
    assert gap < 1.95 / math.sqrt(len(values))  # exceeded once in a thousand times


@pytest.mark.parametrize("made", [init.Uniform(), init.Normal(), init.Xavier()])
def test_samples_are_independent(made):
    values = drawn(made, (200, 200)).astype("float64")
    for other in (values.T, np.roll(values, 1), np.roll(values, 1, axis=0), values**2):
        assert abs(np.corrcoef(values.ravel(), other.ravel())[0, 1]) < 0.03


@pytest.mark.parametrize("rand_type", ["uniform", "normal"])
@pytest.mark.parametrize("shape", [(3, 8), (8, 3), (4, 2, 2)])
def test_orthogonal(rand_type, shape):
    values = drawn(init.Orthogonal(rand_type=rand_type), shape).reshape(shape[0], -1)
    product = values @ values.T if len(values) <= values.shape[1] else values.T @ values
    np.testing.assert_allclose(product, 1.414**2 * np.eye(len(product)), atol=1e-6)


def test_the_seed_decides():
    one, two = drawn(init.Normal()), drawn(init.Normal())
    np.testing.assert_array_equal(one, two)


def test_one_of_your_own():
    @init.register
    @init.alias("three")
    class Three(init.Initializer):
        def _init_weight(self, name, arr):
            arr[:] = 3

        def _init_bias(self, name, arr):
            arr[:] = -3

    net = gluon.nn.Dense(1, in_units=1, bias_initializer=None)
    net.initialize("three")
    assert (net.weight.data().asscalar(), net.bias.data().asscalar()) == (3, 3)
    bias = nd.zeros((1,))
    init.create("Three")("x_bias", bias)
    assert bias.asscalar() == -3


def test_equality():
    assert init.Constant(3) == init.Constant(3) != init.Constant(4)
    assert init.Zero() != init.One()
    assert init.create(init.Xavier("gaussian").dumps()) == init.Xavier("gaussian")


def test_constant_takes_arrays():
    for value in ([1, 2], np.array([1, 2]), nd.array([1, 2])):
        parameter = gluon.Parameter("p", shape=(3, 2), init=init.Constant(value))
        parameter.initialize()
        assert parameter.data().asnumpy().tolist() == [[1, 2]] * 3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: init.create("he_normal"), "unknown initializer 'he_normal'; .* 'msraprelu'"),
        (
            lambda: init.create("xaver"),
            "unknown initializer 'xaver'; did you mean 'xavier'.* choose one of .*xavier",
        ),
        (lambda: init.Xavier("cauchy")("w_weight", nd.ones((2, 2))), "'cauchy' is not uniform"),
        (lambda: init.Xavier("uniform", "up")("w_weight", nd.ones((2, 2))), "'up' is not avg"),
        (lambda: init.Bilinear()("w_weight", nd.ones((2, 2))), "needs a weight of 4 axes"),
        (lambda: init.One()("other", nd.ones((1,))), "'other': its name does not end in weight"),
        (lambda: init.Orthogonal(rand_type="x")("w_weight", nd.ones((2, 2))), "'x' is not uniform"),
        (lambda: init.Orthogonal()("w_weight", nd.ones((2,))), r"'w_weight' has shape \(2,\)"),
        (lambda: init.Xavier()("w_weight", nd.ones((2,))), "Give that parameter another"),
        (lambda: init.Normal()("w_weight", nd.ones((2,), dtype="int8")), "samples cannot be int8"),
        (lambda: init.Constant([1, 2])("w_weight", nd.ones((3,))), r"shape \(2,\) does not broa"),
        (lambda: init.Initializer()("w_weight", nd.ones((3,))), "must define _init_weight"),
        (lambda: init.Zero()(3, nd.ones((3,))), "the name of an array, not with an int"),
        (lambda: init.Mixed(["a"], []), "1 patterns but 0 initializers"),
        (lambda: init.Mixed(["a"], ["one"])("b", nd.ones((1,))), "'b' matches none of 'a'; add"),
        (lambda: init.Load(3), "takes a file or a dict of arrays, not int"),
        (lambda: init.Load({}).dumps(), r"dumps\(\) is unsupported"),
        (lambda: init.Load({"y": 0})("x", nd.ones((1,))), "no array was saved for 'x', only for y"),
        (
            lambda: init.Load({"x": nd.ones((2,))})("x", nd.ones((3,))),
            r"'x' has shape \(3,\), but the saved array has \(2,\)",
        ),
        (lambda: init.FusedRNN(None, 2, 1, "cnn"), "mode 'cnn' is not one of rnn_relu, rnn_tanh"),
        (
            lambda: init.FusedRNN("one", 2, 1, "gru")("x_weight", nd.ones((7,))),
            r"\(7,\) is not the shape of the parameters of",
        ),
        (
            lambda: init.FusedRNN(None, 2, 1, "gru")("x_weight", nd.ones((90,))),
            "give init, for the single weights",
        ),
        (lambda: init.create("one", 3), "positional argument"),
        (lambda: init.create(init.One(), 3), "a One is made already and takes no further"),
        (lambda: init.register(int), "a subclass of Initializer"),
        (lambda: init.create(3), "name or as Initializer, not as int"),
    ],
)
def test_errors(call, message):
    with pytest.raises((ValueError, TypeError, NotImplementedError), match=message):
        call()


# ---------------------------------------------------------------- where MXNet has no answer


def test_moving_statistics_are_known_by_name():
    for name, value in (("x_running_mean", 0), ("x_running_var", 1), ("x_moving_var", 1)):
        for desc in (name, init.InitDesc(name)):
            array = nd.ones((1,)) * 7
            init.Constant(5)(desc, array)
            assert array.asscalar() == value


def test_networks_are_initialized_by_mixed_and_load(tmp_path):
    def net():
        return gluon.nn.Dense(1, in_units=1, prefix="net_", bias_initializer=None)

    one, two = net(), net()
    one.initialize(init.Mixed([".*weight", ".*"], [init.Constant(2), init.Constant(3)]))
    assert (one.weight.data().asscalar(), one.bias.data().asscalar()) == (2, 3)
    path = str(tmp_path / "net.params")
    one.collect_params().save(path)
    two.initialize(init.Load(path))
    assert (two.weight.data().asscalar(), two.bias.data().asscalar()) == (2, 3)
    again = init.create(init.Mixed([".*"], ["zeros"]).dumps())
    assert again == init.Mixed([".*"], [init.Zero()])


def test_values_in_a_list_are_described():
    assert init.create(init.Constant([1, 2]).dumps()) == init.Constant(nd.array([1, 2]))


def test_a_file_without_names(tmp_path):
    path = str(tmp_path / "list.params")
    nd.save(path, [nd.ones((1,))])
    with pytest.raises(ValueError, match="holds arrays without names"):
        init.Load(path)
    with pytest.raises(FileNotFoundError):
        init.Load(str(tmp_path / "missing.params"))


def test_the_pieces_of_a_fused_array_have_their_own_scale():
    gluon.random.seed(0)
    parameters = nd.zeros((4 * 50 * (100 + 50 + 2),))
    init.FusedRNN(init.Xavier(), 50, 1, "lstm")(init.InitDesc("x_weight"), parameters)
    first = parameters.asnumpy()[: 50 * 100]
    assert abs(first).max() == pytest.approx(math.sqrt(3 / 75), rel=1e-3)


def test_processes_draw_parameters_alike_and_the_rest_apart(monkeypatch):
    monkeypatch.setenv("PMI_SIZE", "2")
    drawn = []
    for rank in ("0", "1"):
        monkeypatch.setenv("PMI_RANK", rank)
        random.seed(4)
        numbers = nd.random.uniform(shape=(3,))
        weight = nd.zeros((3,))
        init.Uniform(1)("weight", weight)
        drawn.append((numbers.asnumpy().tolist(), weight.asnumpy().tolist()))
    monkeypatch.setenv("PMI_SIZE", "1")
    random.seed(4)
    init.Uniform(1)("weight", weight)
    (one, first), (other, second) = drawn
    assert one != other
    assert first == second == weight.asnumpy().tolist()


def test_what_initializers_print():
    assert repr(init.Xavier("gaussian")) == (
        "Xavier(rnd_type='gaussian', factor_type='avg', magnitude=3)"
    )
