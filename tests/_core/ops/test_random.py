"""Samplers: their distributions, seeds, shapes and dtypes, and what they refuse."""

from __future__ import annotations

import doctest
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import gluon
from gluon import GluonError, autograd, cpu, nd
from gluon._core.kernels.random import dropout_mask
from tests._core.ops import goodness
from tests._core.ops.goodness import chi_square, kolmogorov

N = 20_000


@pytest.fixture(autouse=True)
def seeded():
    gluon.random.seed(20)


# --------------------------------------------------------------------------- the mask of dropout


def rng():
    return np.random.default_rng(1)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_kept_values_make_up_for_the_dropped(dtype):
    mask = dropout_mask(np.empty((200, 300), dtype), p=0.3, rng=rng())
    assert mask.dtype == dtype
    assert np.mean(mask == 0) == pytest.approx(0.3, abs=0.01)
    assert set(np.unique(mask)) == {0, np.dtype(dtype).type(1 / 0.7)}


def test_one_draw_along_the_axes():
    assert dropout_mask(np.empty((3, 4, 5)), p=0.5, axes=(0, -1), rng=rng()).shape == (1, 4, 1)


def test_extremes():
    x = np.empty((4, 5), np.float32)
    np.testing.assert_array_equal(dropout_mask(x, p=0, rng=rng()), 1)
    np.testing.assert_array_equal(dropout_mask(x, p=1, rng=rng()), 0)
    with pytest.raises(ValueError, match="not a probability"):
        dropout_mask(x, p=1.5, rng=rng())


# --------------------------------------------------------------------------------- distributions

#: name -> the names of its parameters, and values to try
PARAMETERS = {
    "uniform": (("low", "high"), [(0, 1), (-3, -1), (10, 1000)]),
    "normal": (("loc", "scale"), [(0, 1), (-5, 0.1), (100, 30)]),
    "gamma": (("alpha", "beta"), [(1, 1), (0.3, 2), (9, 0.5), (40, 3)]),
    "exponential": (("lam",), [(1,), (0.02,), (30,)]),
    "poisson": (("lam",), [(1,), (0.05,), (7.5,), (90,)]),
    "negative_binomial": (("k", "p"), [(1, 0.5), (3, 0.4), (20, 0.77), (0.5, 0.1)]),
    "generalized_negative_binomial": (("mu", "alpha"), [(1, 1), (2, 0.3), (5, 0), (20, 0.01)]),
}
CONTINUOUS = ("uniform", "normal", "gamma", "exponential")
LAWS = [(name, values) for name, (_, sets) in PARAMETERS.items() for values in sets]


def fits(name: str, samples, *parameters: float) -> bool:
    law = getattr(goodness, name)(*parameters)
    raw = samples.asnumpy()
    return (kolmogorov if name in CONTINUOUS else chi_square)(raw, law) < 1


@pytest.mark.parametrize(("name", "values"), LAWS)
def test_samples_have_their_distribution(name, values):
    parameters = dict(zip(PARAMETERS[name][0], values))
    like = nd.zeros((N // 2, 2))
    assert fits(name, getattr(nd, f"random_{name}")(**parameters, shape=N), *values)
    assert fits(name, getattr(nd.random, f"{name}_like")(like, **parameters), *values)
    if name == "exponential":
        parameters = {"scale": 1 / values[0]}
    samples = getattr(nd.random, name)(**parameters, shape=(2, N // 2), dtype="float64")
    assert fits(name, samples, *values)


@pytest.mark.parametrize("name", PARAMETERS)
def test_each_value_of_array_parameters_has_a_distribution_of_its_own(name):
    sets = PARAMETERS[name][1]
    arrays = [nd.array([[value] for value in column]) for column in zip(*sets)]
    samples = getattr(nd, f"sample_{name}")(*arrays, shape=(2, N // 2))
    assert samples.shape == (len(sets), 1, 2, N // 2)
    for rows, values in zip(samples, sets):
        assert fits(name, rows, *np.float32(values).tolist())
    if name == "exponential":
        arrays = [1 / arrays[0]]
    samples = getattr(nd.random, name)(*arrays, shape=N)
    for rows, values in zip(samples, sets):
        assert fits(name, rows, *np.float32(values).tolist())


def test_numbers_and_arrays_mix():
    samples = nd.random.normal(nd.array([0, 50]), 2, shape=N)
    assert fits("normal", samples[0], 0, 2)
    assert fits("normal", samples[1], 50, 2)


@pytest.mark.parametrize(("name", "values"), LAWS)
def test_the_tests_notice_wrong_parameters(name, values):
    parameters = dict(zip(PARAMETERS[name][0], values))
    samples = getattr(nd, f"random_{name}")(**parameters, shape=N, dtype="float64")
    if name == "uniform":
        low, high = values
        assert not fits(name, samples, low, low + 1.05 * (high - low))
    elif name == "normal":
        assert not fits(name, samples, values[0] + 0.1 * values[1], values[1])
        assert not fits(name, samples, values[0], 1.1 * values[1])
    else:
        assert not fits(name, samples, 1.3 * values[0], *values[1:])


@pytest.mark.parametrize(("low", "high"), [(0, 10), (-3, 4), (5, 6)])
def test_integers_are_equally_likely(low, high):
    samples = nd.random.randint(low, high, shape=N).asnumpy()
    assert (samples.min(), samples.max()) == (low, high - 1)
    assert chi_square(samples - low, lambda x: np.ones(len(x)) / (high - low)) < 1


def test_integers_reach_the_ends_of_their_dtype():
    for dtype in ("int32", "int64"):
        limits = np.iinfo(dtype)
        ends = nd.random.randint(limits.max, limits.max + 1, dtype=dtype)
        assert ends.asscalar() == limits.max
        assert nd.random.randint(limits.min, limits.min + 1, dtype=dtype).asscalar() == limits.min


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "bfloat16"])
def test_the_upper_bound_does_not_belong_to_the_interval(dtype):
    pytest.importorskip("ml_dtypes")
    for low, high in ((0, 1), (-0.1, 0.1), (1000, 1100)):
        samples = nd.random.uniform(low, high, shape=50_000, dtype=dtype).asnumpy()
        low, high = np.array([low, high]).astype(samples.dtype)
        assert low <= samples.min()
        assert samples.max() < high


# ------------------------------------------------------------------------------ choices of indices


def test_indices_have_their_probabilities():
    for k in (1, 2, 5, 64, 1000):
        weights = np.random.default_rng(k).uniform(0, 1, (3, k)) ** 2
        weights[:, ::3] *= k > 2  # nothing may be drawn there
        weights[:, 0] += k == 1
        weights /= weights.sum(1, keepdims=True)
        drawn = nd.sample_multinomial(nd.array(weights, dtype="float64"), shape=(2, N // 2))
        assert drawn.shape == (3, 2, N // 2)
        for row, expected in zip(drawn.asnumpy(), weights):
            assert (expected[row] > 0).all()
            assert k == 1 or chi_square(row, lambda x, e=expected: e[x]) < 1


def test_the_log_probabilities_of_drawn_indices_have_gradients():
    data = nd.array([[0.5, 0.5, 0], [0.1, 0.2, 0.7]])
    data.attach_grad()
    with autograd.record():
        drawn, logs = nd.sample_multinomial(data, shape=(2, 3), get_prob=True)
        first = autograd.grad(logs, data, create_graph=True)[0]
        total = (first * first).sum()
    total.backward()
    index, p = drawn.asnumpy(), data.asnumpy()
    assert (logs.dtype, logs.shape) == (np.float32, (2, 2, 3))
    np.testing.assert_allclose(logs.asnumpy(), [np.log(row[i]) for row, i in zip(p, index)])
    counts = np.stack([np.bincount(i.ravel(), minlength=3) for i in index])
    with np.errstate(all="ignore"):
        slopes = np.where(counts, counts / p, 0)
        curves = np.where(counts, -2 * counts**2 / p**3, 0)
    np.testing.assert_allclose(first.asnumpy(), slopes, rtol=1e-6)
    np.testing.assert_allclose(data.grad.asnumpy(), curves, rtol=1e-6)


def test_a_reward_weights_the_gradient_of_what_was_drawn():
    data = nd.array([0.2, 0.8])
    data.attach_grad()
    with autograd.record():
        drawn, logs = nd.random.multinomial(data, get_prob=True)
    logs.backward(nd.array([10]))
    wanted = np.zeros(2)
    wanted[drawn.asscalar()] = 10 / data.asnumpy()[drawn.asscalar()]
    np.testing.assert_allclose(data.grad.asnumpy(), wanted, rtol=1e-6)


def test_both_results_can_be_written():
    indices, logs = nd.zeros((4,), dtype="int32"), nd.zeros((4,))
    nd.random.multinomial(nd.array([0, 1]), 4, True, out=[indices, logs])
    assert (indices.asnumpy().tolist(), logs.asnumpy().tolist()) == ([1] * 4, [0] * 4)


@pytest.mark.parametrize(
    ("count", "dtype"), [(257, "uint8"), (129, "int8"), (2050, "float16"), (70_000, "float16")]
)
def test_the_dtype_must_hold_all_indices(count, dtype):
    message = f"sample_multinomial: {dtype} cannot hold the index {count - 1}"
    with pytest.raises(GluonError, match=message):
        nd.sample_multinomial(nd.ones((count,)) / count, dtype=dtype)


def test_every_order_of_the_rows_is_equally_likely():
    orders = [nd.shuffle(nd.array([0, 1, 2])).asnumpy() @ [9, 3, 1] for _ in range(2000)]
    _, places = np.unique(orders, return_inverse=True)
    assert chi_square(places, lambda x: np.ones(len(x)) / 6) < 1


def test_shuffle_moves_whole_rows_and_has_a_gradient():
    x = nd.arange(20).reshape((10, 2))
    x.attach_grad()
    with autograd.record():
        y = nd.random.shuffle(x)
    y.backward(y)
    assert sorted(y.asnumpy().tolist()) == x.asnumpy().tolist() != y.asnumpy().tolist()
    np.testing.assert_array_equal(x.grad.asnumpy(), x.asnumpy())
    out = nd.zeros((10, 2))
    assert nd.shuffle(x, out=out) is out
    assert sorted(out.asnumpy().tolist()) == x.asnumpy().tolist()


def test_zipfian_candidates_have_their_distribution():
    for stop in (1, 5, 200):
        drawn, true, expected = nd.contrib.rand_zipfian(nd.array([0, stop - 1]), N, stop)
        assert [x.dtype for x in (drawn, true, expected)] == [np.int64, np.float64, np.float64]

        def share(x, stop=stop):
            return np.log((x + 2) / (x + 1)) / math.log(stop + 1)

        assert chi_square(drawn.asnumpy(), share) < 1
        np.testing.assert_allclose(true.asnumpy(), share(np.array([0, stop - 1])) * N)
        np.testing.assert_allclose(expected.asnumpy(), share(drawn.asnumpy()) * N)


def test_the_expected_counts_of_candidates_are_those_of_mxnet():
    _, true, _ = nd.contrib.rand_zipfian(nd.array([[3, 1]]), 4, 5, ctx=cpu(1))
    np.testing.assert_allclose(true.asnumpy(), [[0.498155148939376, 0.9051775421236673]])
    assert true.context == cpu(1)


# ---------------------------------------------------------------------------------------- seeds

DRAWS = {
    "multinomial": lambda: nd.random.multinomial(nd.ones((64,)) / 64, shape=8),
    "shuffle": lambda: nd.shuffle(nd.arange(50)),
    "randint": lambda: nd.random.randint(0, 1000, shape=8),
    "rand_zipfian": lambda: nd.contrib.rand_zipfian(nd.array([1]), 20, 1000)[0],
    "Dropout": lambda: nd.Dropout(nd.ones((64,)), mode="always"),
    "Xavier": lambda: initialized(gluon.init.Xavier()),
    **{
        name: lambda name=name, values=sets[-1]: getattr(nd.random, name)(*values, shape=8)
        for name, (_, sets) in PARAMETERS.items()
    },
}


def initialized(initializer):
    x = nd.zeros((4, 4))
    initializer("weight", x)
    return x


@pytest.mark.parametrize("name", DRAWS)
def test_a_seed_decides_what_is_drawn(name):
    def drawn(seed: int) -> list:
        gluon.random.seed(seed)
        return [DRAWS[name]().asnumpy().tolist() for _ in range(2)]

    for seed in (0, 7, -1, 2**40, np.int64(3)):
        first, second = drawn(seed)
        assert [first, second] == drawn(seed)
        assert first != second
    assert drawn(0) != drawn(1) != drawn(-1)


def test_the_context_of_a_seed_makes_no_difference():
    draws = []
    for kwargs in ({}, {"ctx": cpu(1)}, {"ctx": "all"}):
        gluon.random.seed(3, **kwargs)
        draws.append(nd.random.normal(shape=4).asnumpy().tolist())
    assert draws[0] == draws[1] == draws[2]


@pytest.mark.parametrize("wrong", ["a", 1.5, None])
def test_a_seed_is_an_integer(wrong):
    with pytest.raises(GluonError, match=r"seed: seed_state=.* pass an integer"):
        gluon.random.seed(wrong)


def test_threads_share_one_sequence():
    def numbers(_) -> list:
        return nd.random.uniform(shape=10, dtype="float64").asnumpy().tolist()

    gluon.random.seed(5)
    alone = [x for k in range(400) for x in numbers(k)]
    gluon.random.seed(5)
    with ThreadPoolExecutor(4) as pool:
        together = [x for part in pool.map(numbers, range(400)) for x in part]
    assert sorted(together) == sorted(alone)


# ------------------------------------------------------------------------ shapes, dtypes, devices


@pytest.mark.parametrize("name", PARAMETERS)
def test_shapes_dtypes_and_devices(name):
    numbers = PARAMETERS[name][1][0]
    draw, flat = getattr(nd.random, name), getattr(nd, f"random_{name}")
    for function in (draw, flat):
        assert (function(*numbers).shape, function(*numbers).dtype) == ((1,), np.float32)
        assert function(*numbers, shape=()).shape == (1,)
        assert function(*numbers, shape=3).shape == (3,)
        assert function(*numbers, shape=[2, np.int64(3)]).shape == (2, 3)
        assert function(*numbers, shape=(0, 2)).shape == (0, 2)
        for dtype in ("float16", np.float32, "float64", np.dtype("float64")):
            assert function(*numbers, shape=2, dtype=dtype).dtype == np.dtype(dtype)
        for dtype in (None, "None"):
            assert function(*numbers, shape=2, dtype=dtype).dtype == np.float32
        for ctx in (cpu(1), "cpu(1)"):
            assert function(*numbers, ctx=ctx).context == cpu(1)
        with cpu(2):
            assert function(*numbers).context == cpu(2)
        assert function(*numbers, name="ignored").shape == (1,)
    assert flat(*numbers, (2, 3)).shape == (2, 3)


@pytest.mark.parametrize("name", PARAMETERS)
def test_array_parameters_give_the_shape_and_the_device(name):
    numbers = PARAMETERS[name][1][0]
    for function in (getattr(nd.random, name), getattr(nd, f"sample_{name}")):
        for dtype in ("float16", "float32", "float64"):
            arrays = [nd.full((2, 1), number, dtype=dtype, ctx=cpu(1)) for number in numbers]
            assert function(*arrays).shape == (2, 1)
            samples = function(*arrays, shape=(3, 4))
            assert samples.shape == (2, 1, 3, 4)
            assert (samples.dtype, samples.context) == (np.float32, cpu(1))
            assert function(*arrays, shape=2, dtype="float64").dtype == np.float64
        assert function(*(nd.zeros((0,)) for _ in numbers), shape=2).shape == (0, 2)
        whole = [nd.array([math.ceil(number)], dtype="int32") for number in numbers]
        assert function(*whole).dtype == np.float32
    arrays = [nd.full((2,), number) for number in numbers]
    assert getattr(nd.random, name)(*arrays, ctx=cpu(1)).context == cpu(0)


@pytest.mark.parametrize("name", PARAMETERS)
def test_samples_can_be_written(name):
    numbers = PARAMETERS[name][1][-1]
    arrays = [nd.full((2,), number) for number in numbers]
    for function in (getattr(nd.random, name), getattr(nd, f"random_{name}")):
        out = nd.full((2, 3), -99, dtype="float64")
        assert function(*numbers, out=out) is out
        assert (out.asnumpy() > -50).any()
        assert function(*numbers, shape=(2, 3), out=out).shape == (2, 3)
        with pytest.raises(GluonError, match="samples of shape \\(3, 2\\), but out has \\(2, 3\\)"):
            function(*numbers, shape=(3, 2), out=out)
        with pytest.raises(GluonError, match="dtype=float32, but out has the dtype float64"):
            function(*numbers, dtype="float32", out=out)
        with pytest.raises(GluonError, match="cannot have the dtype int32"):
            function(*numbers, out=nd.zeros((2,), dtype="int32"))
    for function in (getattr(nd.random, name), getattr(nd, f"sample_{name}")):
        out = nd.zeros((2,), dtype="float16")
        assert function(*arrays, out=out) is out
        with pytest.raises(GluonError, match="but out has"):
            function(*arrays, out=nd.zeros((2, 3)))
    like = getattr(nd.random, f"{name}_like")
    out = nd.zeros((3,))
    assert like(nd.ones((3,)), out=out) is out
    with pytest.raises(GluonError, match="but out has"):
        like(nd.ones((3,)), out=nd.zeros((2,)))


@pytest.mark.parametrize("name", PARAMETERS)
def test_samples_like_an_array_have_its_shape_dtype_and_device(name):
    like = getattr(nd.random, f"{name}_like")
    for dtype in ("float16", "float32", "float64"):
        samples = like(data=nd.ones((2, 3), dtype=dtype, ctx=cpu(1)))
        assert (samples.shape, samples.context) == ((2, 3), cpu(1))
        assert samples.dtype == np.dtype(dtype)
    assert like(nd.ones((0, 3))).shape == (0, 3)
    with pytest.raises(GluonError, match=f"{name}_like: .* cannot have the dtype int32"):
        like(nd.ones((2,), dtype="int32"))
    with pytest.raises(GluonError, match=f"{name}_like: data must be an NDArray, not list"):
        like([1.0])
    first = PARAMETERS[name][0][0]
    with pytest.raises(GluonError, match=f"{name}_like: {first} must be a number, not NDArray"):
        like(nd.ones((2,)), nd.ones((2,)))


def test_randn_takes_the_shape_as_numbers():
    assert nd.random.randn().shape == (1,)
    assert nd.random.randn(2, 3, dtype="float64").dtype == np.float64
    samples = nd.random.randn(N, loc=nd.array([0, 5]), scale=nd.array([1, 2]))
    assert samples.shape == (2, N)
    assert fits("normal", samples[1], 5, 2)
    out = nd.zeros((2, 3))
    assert nd.random.randn(out=out) is out
    with pytest.raises(GluonError, match="randn: shape="):
        nd.random.randn((2, 3))


def test_randint_takes_dtypes_of_integers():
    assert nd.random.randint(0, 10).dtype == np.int32
    assert nd.random.randint(0, 2**40, dtype="int64").dtype == np.int64
    out = nd.zeros((2,), dtype="int64")
    assert nd.random.randint(3, 4, out=out) is out
    assert out.asnumpy().tolist() == [3, 3]
    assert nd.random_randint(3, 4, (2, 2), cpu(1), "int64").context == cpu(1)


def test_what_exceeds_the_dtype_is_infinite():
    assert nd.random.poisson(1e5, shape=2, dtype="float16").asnumpy().tolist() == [np.inf] * 2


def test_gluon_random_has_the_samplers_of_nd():
    for name in set(gluon.random.__all__) - {"seed"}:
        assert getattr(gluon.random, name) is getattr(nd.random, name)


# --------------------------------------------------------------------------------------- errors

WRONG = [
    ("uniform", (math.nan, 1), "low and high must be finite"),
    ("uniform", (0, math.inf), "low and high must be finite"),
    ("normal", (0, -1), "scale must be 0 or more; got loc=0, scale=-1"),
    ("normal", (0, math.nan), "scale must be 0 or more"),
    ("gamma", (-1, 1), "alpha must be 0 or more"),
    ("gamma", (1, -1), "beta must be 0 or more"),
    ("exponential", (-2,), "(scale must be 0 or more|lam must be above 0); got .*=-2"),
    ("poisson", (-1,), "lam must be 0 or more"),
    ("poisson", (1e30,), "the mean 1e\\+30 is too large"),
    ("negative_binomial", (-1, 0.5), "k must be 0 or more"),
    ("negative_binomial", (1, 0), "p must be above 0 and at most 1"),
    ("negative_binomial", (1, 1.5), "p must be above 0 and at most 1; got k=1, p=1.5"),
    ("generalized_negative_binomial", (-1, 1), "mu must be 0 or more"),
    ("generalized_negative_binomial", (1, -1), "alpha must be 0 or more"),
]


@pytest.mark.parametrize(("name", "values", "message"), WRONG)
def test_a_wrong_parameter_is_an_error_that_says_what_it_must_be(name, values, message):
    with pytest.raises(GluonError, match=f"^{name}: {message}"):
        getattr(nd.random, name)(*values, shape=2)
    with pytest.raises(GluonError, match=f"^random_{name}: {message}"):
        getattr(nd, f"random_{name}")(*values, shape=2)
    with pytest.raises(GluonError, match=f"^{name}_like: {message}"):
        getattr(nd.random, f"{name}_like")(nd.ones((2,)), *values)
    good = PARAMETERS[name][1][0]
    arrays = [nd.array([[right, wrong]], dtype="float64") for right, wrong in zip(good, values)]
    with pytest.raises(GluonError, match=f"^sample_{name}: [a-z]+ "):
        getattr(nd, f"sample_{name}")(*arrays)


def test_an_error_names_the_parameters_as_the_function_does():
    with pytest.raises(GluonError, match=r"sigma must be 0 or more; got mu=3.0, sigma=-1.0$"):
        nd.sample_normal(nd.array([0, 3]), nd.array([1, -1]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: nd.random.uniform("a"), "uniform: low must be a number or an NDArray, not str"),
        (lambda: nd.random.uniform(np.zeros(2)), "uniform: low must be .* not ndarray"),
        (lambda: nd.random.uniform(shape=(-1, 2)), r"uniform: shape=\(-1, 2\) has a negative"),
        (lambda: nd.random.uniform(shape=2.0), "uniform: shape=2.0 is neither an integer nor"),
        (lambda: nd.random.uniform(out=[0]), "uniform: out must be an NDArray"),
        (lambda: nd.random.uniform(dtype="int32"), "uniform: .* cannot have the dtype int32"),
        (lambda: nd.random_uniform(nd.ones((1,))), "random_uniform: low .*sample_uniform takes"),
        (lambda: nd.random_uniform(mean=1), "random_uniform: .*'mean'; it takes low, high, shape"),
        (lambda: nd.sample_uniform(nd.ones((1,)), 2), "sample_uniform: high must be an NDArray"),
        (lambda: nd.sample_uniform(nd.ones((1,))), "sample_uniform: missing .*'high'"),
        (lambda: nd.random.randint(0, 10.5), "randint: low and high must be integers"),
        (lambda: nd.random.randint(5, 5), "randint: low=5 must be below high=5"),
        (lambda: nd.random.randint(0, 2**32), "randint: .* are out of range for int32"),
        (lambda: nd.random.randint(0, 5, dtype="float32"), "randint: samples are integers"),
        (lambda: nd.sample_multinomial([0.5, 0.5]), "sample_multinomial: got list"),
        (lambda: nd.sample_multinomial(nd.ones((3,)) * math.nan), "distribution 0 has NaN"),
        (lambda: nd.shuffle(3), "shuffle: got int where an NDArray is needed"),
        (lambda: nd.contrib.rand_zipfian([0], 3, 5), "rand_zipfian: true_classes must be"),
        (lambda: nd.contrib.rand_zipfian(nd.array([5]), 3, 5), "they must be 0 to 4"),
        (lambda: nd.contrib.rand_zipfian(nd.array([-1]), 3, 5), "they must be 0 to 4"),
        (lambda: nd.contrib.rand_zipfian(nd.array([0]), 3, 0), "range_max=0"),
        (lambda: nd.contrib.rand_zipfian(nd.array([0]), -3, 5), "num_sampled=-3"),
        (lambda: nd.contrib.rand_zipfian(nd.array([0]), 2.5, 5), "num_sampled must be an integer"),
    ],
)
def test_wrong_arguments_are_errors(call, message):
    with pytest.raises(GluonError, match=message):
        call()


def test_samples_say_that_they_have_no_gradient():
    mu, sigma = nd.array([0.0]), nd.array([1.0])
    mu.attach_grad()
    with autograd.record():
        samples = nd.sample_normal(mu, sigma)
        shifted = mu + sigma * nd.random.normal(shape=1)
    with pytest.raises(GluonError, match="it was drawn at random, which has no gradient"):
        samples.backward()
    shifted.backward()
    assert mu.grad.asscalar() == 1


# ------------------------------------------------------------------------------------ densities


def area(name: str, grid: np.ndarray, *parameters: float) -> float:
    x = nd.array(grid[None], dtype="float64")
    arrays = [nd.array([value], dtype="float64") for value in parameters]
    y = getattr(nd, f"random_pdf_{name}")(x, *arrays).asnumpy()[0]
    if name in CONTINUOUS:
        return float(((y[1:] + y[:-1]) / 2 * np.diff(grid)).sum())
    return float(y.sum())


@pytest.mark.parametrize(
    ("name", "parameters", "step"),
    [
        ("uniform", (-1, 2.5), 1e-3),
        ("normal", (3, 2), 1e-2),
        ("gamma", (2.5, 0.7), 1e-2),
        ("exponential", (0.3,), 1e-3),
        ("poisson", (20,), 1),
        ("negative_binomial", (2.5, 0.3), 1),
        ("generalized_negative_binomial", (4, 0.5), 1),
        ("generalized_negative_binomial", (4, 1e-7), 1),
        ("generalized_negative_binomial", (4, 1e-5), 1),
    ],
)
def test_densities_have_the_area_1(name, parameters, step):
    assert area(name, np.arange(-50, 100 + step, step), *parameters) == pytest.approx(1, abs=5e-4)


def test_gradients_of_every_order():
    x, alpha = nd.array([2.0], dtype="float64"), nd.array([3.0], dtype="float64")
    alpha.attach_grad()
    with autograd.record():
        y = nd.random_pdf_gamma(x, alpha, nd.array([1.5], dtype="float64"), is_log=True)
        for _ in range(3):
            y = autograd.grad(y, alpha, create_graph=True)[0]
    y.backward()
    fourth = 6 * (math.pi**4 / 90 - 1 - 1 / 16)  # the third derivative of digamma at 3
    assert alpha.grad.asscalar() == pytest.approx(-fourth, rel=1e-9)


@pytest.mark.parametrize("name", ["poisson", "negative_binomial", "generalized_negative_binomial"])
@pytest.mark.parametrize("is_log", [False, True])
def test_the_gradient_for_counts_is_0(name, is_log):
    x = nd.array([[0, 1, 2.5, -1]])
    x.attach_grad()
    parameters = [nd.array([0.5]) for _ in PARAMETERS[name][0]]
    with autograd.record():
        y = getattr(nd, f"random_pdf_{name}")(x, *parameters, is_log=is_log)
    y.backward()
    assert x.grad.asnumpy().tolist() == [[0, 0, 0, 0]]


def test_the_gradient_is_0_where_the_density_is():
    for name, parameters in (("uniform", (0, 1)), ("gamma", (3, 2)), ("exponential", (3,))):
        arrays = [nd.array([[-2, -1]]), *(nd.array([value]) for value in parameters)]
        for is_log in (False, True):
            for x in arrays:
                x.attach_grad()
            with autograd.record():
                y = getattr(nd, f"random_pdf_{name}")(*arrays, is_log=is_log)
            y.backward()
            assert all((x.grad.asnumpy() == 0).all() for x in arrays)


def test_the_dispersion_has_a_gradient_at_0():
    """The slope of the series is that of the formula, on either side of where it ends."""
    x, mu = np.arange(6.0), 2.0
    slopes = []
    for value in (0, 9e-7, 1.1e-6):
        alpha = nd.full((6,), value, dtype="float64")
        alpha.attach_grad()
        with autograd.record():
            arrays = (nd.array(x, dtype="float64"), nd.full((6,), mu, dtype="float64"), alpha)
            y = nd.random_pdf_generalized_negative_binomial(*arrays, is_log=True)
        y.backward()
        slopes.append(alpha.grad.asnumpy())
    np.testing.assert_allclose(slopes[0], ((x - mu) ** 2 - x) / 2)
    np.testing.assert_allclose(slopes[1], slopes[0])
    np.testing.assert_allclose(slopes[2], slopes[0], atol=5e-3)


def test_densities_keep_the_device_and_write_into_out():
    x = nd.ones((2, 3), ctx=cpu(1))
    mu, sigma = nd.zeros((2,), ctx=cpu(1)), nd.ones((2,), ctx=cpu(1))
    y = nd.random_pdf_normal(x, mu, sigma)
    assert y.context == cpu(1)
    out = nd.zeros((2, 3))
    assert nd.random_pdf_normal(x, mu, sigma, False, out) is out
    np.testing.assert_array_equal(out.asnumpy(), y.asnumpy())


@pytest.mark.parametrize("name", [f"{name}_like" for name in PARAMETERS])
def test_the_examples_of_functions_that_doctest_does_not_find(name):
    example = doctest.DocTestParser().get_doctest(
        getattr(nd.random, name).__doc__, {}, name, None, None
    )
    assert doctest.DocTestRunner().run(example) == (0, 2)
