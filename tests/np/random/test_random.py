"""`np.random`: shapes, dtypes, means, seeds, gradients through samples, and what is refused."""

from __future__ import annotations

import numpy
import pytest

from gluon import autograd, np
from gluon._core.errors import GluonError

#: call -> the mean and the deviation of its distribution
MOMENTS = {
    "uniform(-1, 3, size=n)": (1, 4 / 12**0.5),
    "normal(2, 3, size=n)": (2, 3),
    "gumbel(1, 2, size=n)": (1 + 2 * 0.5772, 2 * numpy.pi / 6**0.5),
    "logistic(1, 2, size=n)": (1, 2 * numpy.pi / 3**0.5),
    "laplace(1, 2, size=n)": (1, 2 * 2**0.5),
    "lognormal(0, 0.5, size=n)": (1.1331, 0.6039),
    "exponential(2.0, size=n)": (2, 2),
    "rayleigh(2.0, size=n)": (2.5066, 1.3103),
    "weibull(2.0, size=n)": (0.8862, 0.4633),
    "pareto(5.0, size=n)": (0.25, 0.3227),
    "power(2.0, size=n)": (2 / 3, 0.2357),
    "triangular(0, 1, 3, size=n)": (4 / 3, 0.6236),
    "gamma(2.0, 3.0, size=n)": (6, 18**0.5),
    "standard_gamma(2.0, n)": (2, 2**0.5),
    "beta(2.0, 3.0, size=n)": (0.4, 0.2),
    "chisquare(3, size=n)": (3, 6**0.5),
    "f(4, 12, size=n)": (1.2, 1.0392),
    "standard_t(8, n)": (0, 1.1547),
    "standard_exponential(n)": (1, 1),
    "standard_normal(n)": (0, 1),
    "random(n)": (0.5, 1 / 12**0.5),
    "poisson(3.0, n)": (3, 3**0.5),
    "binomial(10, 0.3, n)": (3, 2.1**0.5),
    "negative_binomial(4, 0.5, n)": (4, 8**0.5),
    "geometric(0.5, n)": (2, 2**0.5),
    "vonmises(0.5, 4.0, n)": (0.5, 0.5394),
    "wald(2.0, 8.0, n)": (2, 1),
    "noncentral_chisquare(3, 2.0, n)": (5, 14**0.5),
    "noncentral_f(4, 16, 2.0, n)": (12 / 7, 1.419),
    "zipf(5.0, n)": (1.0437, 0.2718),
    "logseries(0.5, n)": (1.4427, 0.8961),
    "hypergeometric(6, 4, 5, n)": (3, (5 * 0.6 * 0.4 * 5 / 9) ** 0.5),
    "randint(0, 9, n)": (4, 2.582),
    "choice(9, n)": (4, 2.582),
}
#: Calls whose samples a gradient passes through, to the parameters a and b.
MOVED = [
    *(f"np.random.{name}(a, b)" for name in ("normal", "gumbel", "logistic", "laplace")),
    *("np.random.uniform(a, b + 3)", "np.random.lognormal(a, b)", "np.random.exponential(b)"),
    *("np.random.rayleigh(b, size=(2, 3))", "np.random.weibull(b)", "np.random.pareto(b)"),
    *("np.random.power(b)", "np.random.gamma(2.0, b)", "np.random.triangular(a, b + 2, b + 5)"),
    *("np.random.multivariate_normal(a, np.eye(3) * b[0] + 1)", "np.random.choice(a, 2)"),
    *("np.random.permutation(b)", "np.random.vonmises(a, 2.0)"),
]


@pytest.mark.parametrize("call", MOMENTS)
def test_means_and_deviations(call):
    np.random.seed(0)
    mean, deviation = MOMENTS[call]
    drawn = eval(f"np.random.{call}", {"np": np, "n": 20000}).asnumpy().astype("float64")
    assert drawn.shape == (20000,)
    assert abs(drawn.mean() - mean) < 5 * deviation / 20000**0.5
    assert abs(drawn.std() / deviation - 1) < 0.1


@pytest.mark.parametrize("call", MOMENTS)
def test_a_seed_repeats_and_samples_have_the_default_dtype(call):
    drawn = []
    for _ in range(2):
        np.random.seed(-5)
        drawn.append(eval(f"np.random.{call}", {"np": np, "n": (2, 3)}))
    assert drawn[0].tolist() == drawn[1].tolist()
    assert drawn[0].shape == (2, 3)
    assert str(drawn[0].dtype) in ("float32", "int64")


@pytest.mark.parametrize("call", MOVED)
def test_gradients_reach_the_parameters(call):
    def function(a, b):
        np.random.seed(3)
        return eval(call, {"np": np, "a": a, "b": b})

    a = np.array([0.5, 1.0, -0.3], dtype="float64")
    b = np.array([0.7, 1.5, 2.0], dtype="float64")
    assert autograd.gradcheck(function, [a, b])
    assert autograd.gradgradcheck(function, [a, b])


def test_recorded_samples_are_those_that_are_not():
    scale = np.array([1.0, 2.0])
    np.random.seed(1)
    plain = np.random.normal(0, scale, (4, 2))
    scale.attach_grad()
    with autograd.record():
        np.random.seed(1)
        recorded = np.random.normal(0, scale, (4, 2))
    numpy.testing.assert_allclose(recorded.asnumpy(), plain.asnumpy(), rtol=1e-6)
    recorded.backward()
    assert scale.grad.asnumpy().any()


def test_parameters_broadcast():
    assert np.random.normal(np.zeros((3, 1)), np.ones(2)).shape == (3, 2)
    assert np.random.uniform(np.zeros(2), 1, (5, 2)).shape == (5, 2)
    assert np.random.randint(0, np.array([3, 9]), (4, 2)).shape == (4, 2)
    assert np.random.normal(size=()).shape == np.random.rand().shape == ()
    assert np.random.normal(size=(0, 3)).shape == (0, 3)
    assert np.random.multivariate_normal(np.zeros((3, 2)), np.eye(2), (4,)).shape == (4, 3, 2)
    assert np.random.uniform(dtype="float64").dtype == numpy.float64
    out = np.zeros(3)
    assert np.random.normal(size=3, out=out) is out


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("normal(0, -1)", "normal: scale must be 0 or more; got scale=-1"),
        ("gamma(-1.0)", "gamma: shape must be 0 or more"),
        ("power(0)", "power: a must be above 0"),
        ("poisson(-1.0)", "poisson: lam must lie between 0 and"),
        ("uniform(0, np.inf)", "uniform: high must be finite"),
        ("normal(np.zeros(2), 1, 3)", r"shape \(2,\) do not broadcast to size=3|broadcast"),
        ("normal(size=-1)", "negative length"),
        ("randint(3, 1)", "randint: low=3 must be below high=1"),
        ("randint(0, 300, dtype='int8')", "are out of range for int8"),
        ("randint(0, 3, dtype='float32')", "integers"),
        ("choice(5, 6, replace=False)", "choice: "),
        ("choice(2, p=[0.5, 0.1])", "probabilities must add up to 1"),
        ("multinomial(3, [0.5, 0.7])", "multinomial: probabilities"),
        ("multivariate_normal(np.zeros(3), np.eye(2))", r"not \(n,\) and \(n, n\)"),
        ("multivariate_normal(np.zeros(2), -np.eye(2))", "negative eigenvalue"),
        ("seed(1.5)", "a seed is an integer"),
        ("shuffle([1, 2])", "only arrays of gluon"),
        ("binomial(5, 1.5)", "p must lie between 0 and 1"),
        ("dirichlet([1, -1])", "above 0"),
        ("zipf(1.0)", "zipf: a must be above 1"),
        ("logseries(1.0)", "logseries: p must be 0 or more and below 1"),
        ("hypergeometric(1, 1, 3)", "hypergeometric: "),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(GluonError, match=message):
        eval(f"np.random.{call}", {"np": np})


def test_choices():
    x = np.arange(6).reshape(3, 2)
    assert np.random.choice(x, 4).shape == (4, 2)
    assert sorted(np.random.choice(5, 5, replace=False).tolist()) == [0, 1, 2, 3, 4]
    assert np.random.multinomial(7, [0.2, 0.8], (2, 3)).sum(-1).tolist() == [[7] * 3] * 2
    rows = x.tolist()
    np.random.shuffle(x)
    assert sorted(x.tolist()) == rows
    assert sorted(np.random.permutation(x).tolist()) == rows
    assert np.random.dirichlet(np.ones(3), 2).shape == (2, 3)
