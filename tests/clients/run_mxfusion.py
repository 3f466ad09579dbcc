"""Infer with mxfusion: points, distributions and Gaussian processes.

    python -m gluon.mxnet --old-numpy tests/clients/run_mxfusion.py [--json]

It needs mxfusion 0.3.1. With MXNet itself, ``--json`` records the numbers. What is drawn is
another number with every library, so the approximate results are compared with the truth.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

import numpy as np
from mxfusion import Model, Variable
from mxfusion.components.distributions import Beta, Gamma, Laplace, Normal
from mxfusion.components.distributions.gp import kernels
from mxfusion.components.functions import MXFusionGluonFunction
from mxfusion.components.functions.operators import broadcast_to
from mxfusion.components.variables import PositiveTransformation
from mxfusion.inference import (
    MAP,
    GradBasedInference,
    ModulePredictionAlgorithm,
    StochasticVariationalInference,
    TransferInference,
    VariationalPosteriorForwardSampling,
    create_Gaussian_meanfield,
)
from mxfusion.modules.gp_modules import GPRegression, SparseGPRegression, SVGPRegression
from mxnet import gluon, nd
from results import Results, settle

KERNELS = {
    name: getattr(kernels, name) for name in "RBF Matern52 Matern32 Linear Bias White".split()
}


def wave(count: int = 20) -> tuple[np.ndarray, np.ndarray]:
    """Points of a sine, with noise."""
    rng = np.random.RandomState(0)
    x = np.sort(rng.uniform(0, 6, (count, 1)), 0)
    return x, np.sin(x) + rng.normal(0, 0.1, (count, 1))


def maximum() -> dict[str, nd.NDArray]:
    """The mean and variance of normal numbers that are most probable."""
    data = np.random.RandomState(0).normal(3, 2, 100)
    m = Model()
    m.mu = Variable()
    m.s = Variable(transformation=PositiveTransformation())
    m.Y = Normal.define_variable(mean=m.mu, variance=m.s, shape=(100,))
    infer = GradBasedInference(MAP(model=m, observed=[m.Y]))
    infer.initialize(Y=nd.array(data))
    infer.params[m.mu] = nd.array([0.5])
    infer.params[m.s] = nd.array([1.0])
    infer.run(Y=nd.array(data), learning_rate=0.1, max_iter=400, verbose=False)
    np.testing.assert_allclose(infer.params[m.mu].asscalar(), data.mean(), rtol=0.01)
    np.testing.assert_allclose(infer.params[m.s].asscalar(), data.var(), rtol=0.02)
    return {"mean": infer.params[m.mu], "variance": infer.params[m.s]}


def variational() -> str:
    """The posterior of a mean, whose normal distribution is known."""
    data = np.random.RandomState(0).normal(3, 1, 50)
    m = Model()
    m.mu = Normal.define_variable(mean=nd.array([0]), variance=nd.array([100]), shape=(1,))
    m.Y = Normal.define_variable(mean=m.mu, variance=nd.array([1]), shape=(50,))
    observed = [m.Y]
    q = create_Gaussian_meanfield(model=m, observed=observed)
    inference = StochasticVariationalInference(
        num_samples=20, model=m, posterior=q, observed=observed
    )
    infer = GradBasedInference(inference)
    infer.run(Y=nd.array(data), learning_rate=0.05, max_iter=500, verbose=False)
    mean = infer.params[q.mu.factor.mean].asscalar()
    variance = infer.params[q.mu.factor.variance].asscalar()
    exact = 1 / (1 / 100 + 50)
    assert abs(mean - exact * data.sum()) < 0.1
    assert 0.5 < variance / exact < 2
    return (
        f"mean {mean:.2f}, variance {variance:.3f}, exactly {exact * data.sum():.2f}, {exact:.3f}"
    )


def bayesian_network() -> str:
    """A network with distributions for weights fits a sine."""
    x, y = wave(40)
    net = gluon.nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(gluon.nn.Dense(10, activation="tanh", in_units=1, flatten=False))
        net.add(gluon.nn.Dense(1, in_units=10, flatten=False))
    net.initialize()
    settle(net)
    m = Model()
    m.N = Variable()
    m.f = MXFusionGluonFunction(net, num_outputs=1, broadcastable=False)
    m.x = Variable(shape=(m.N, 1))
    m.v = Variable(
        shape=(1,), transformation=PositiveTransformation(), initial_value=nd.array([0.01])
    )
    m.r = m.f(m.x)
    for weight in m.r.factor.parameters.values():
        mean, variance = (broadcast_to(nd.array([value]), weight.shape) for value in (0, 3))
        weight.set_prior(Normal(mean=mean, variance=variance))
    noise = broadcast_to(m.v, (m.N, 1))
    m.y = Normal.define_variable(mean=m.r, variance=noise, shape=(m.N, 1))
    q = create_Gaussian_meanfield(model=m, observed=[m.y, m.x])
    infer = GradBasedInference(
        StochasticVariationalInference(3, model=m, posterior=q, observed=[m.y, m.x])
    )
    x, y = nd.array(x), nd.array(y)
    infer.initialize(y=y, x=x)
    for weight in m.r.factor.parameters.values():
        mean, variance = q[weight].factor.mean, q[weight].factor.variance
        infer.params[mean] = net.collect_params()[weight.inherited_name].data()
        infer.params[variance] = nd.ones_like(infer.params[variance]) * 1e-3
    infer.run(y=y, x=x, max_iter=400, learning_rate=0.02, verbose=False)
    drawn = VariationalPosteriorForwardSampling(10, [m.x], infer, [m.r]).run(x=x)[0]
    error = ((drawn.mean(axis=0) - y) ** 2).mean().sqrt().asscalar()
    assert error < 0.35, f"an error of {error:.2f}"
    return f"error {error:.2f}"


def process(kind: type) -> dict[str, nd.NDArray]:
    """Fit the kernel of a Gaussian process, predict between the points, and read its file."""
    x, y = (nd.array(one, dtype="float64") for one in wave())
    m = Model()
    m.N = Variable()
    m.X = Variable(shape=(m.N, 1))
    m.noise_var = Variable(transformation=PositiveTransformation(), initial_value=0.02)
    m.kernel = kernels.RBF(input_dim=1, variance=1, lengthscale=1, dtype="float64")
    spots = {}
    if kind is not GPRegression:
        values = nd.array(np.linspace(0, 6, 8)[:, None], dtype="float64")
        spots = {"inducing_inputs": Variable(shape=(8, 1), initial_value=values)}
    m.Y = kind.define_variable(
        X=m.X, kernel=m.kernel, noise_var=m.noise_var, shape=(m.N, 1), dtype="float64", **spots
    )
    infer = GradBasedInference(MAP(model=m, observed=[m.X, m.Y]), dtype="float64")
    infer.run(X=x, Y=y, max_iter=60, learning_rate=0.05, verbose=False)
    between = nd.array(np.linspace(0.2, 5.8, 9)[:, None], dtype="float64")
    algorithm = ModulePredictionAlgorithm(model=m, observed=[m.X], target_variables=[m.Y])
    predict = TransferInference(algorithm, infr_params=infer.params, dtype="float64")
    mean, variance = predict.run(X=between)[0]
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "inference.zip")
        infer.save(file)
        again = GradBasedInference(MAP(model=m, observed=[m.X, m.Y]), dtype="float64")
        again.initialize(X=x.shape, Y=y.shape)
        again.load(file)
    learned = infer.params[m.kernel.lengthscale]
    assert again.params[m.kernel.lengthscale].asscalar() == learned.asscalar()
    if kind is SVGPRegression:  # its first values are drawn
        return {}
    assert np.abs(mean.asnumpy() - np.sin(between.asnumpy())).max() < 0.3
    return {"mean": mean, "variance": variance, "lengthscale": learned}


def covariances() -> dict[str, nd.NDArray]:
    """The matrices of kernels, and of sums of them."""
    x = nd.array(np.random.RandomState(0).normal(0, 1, (1, 6, 2)), dtype="float64")
    found = {}
    for name, make in KERNELS.items():
        kernel = make(input_dim=2, dtype="float64")
        if name == "RBF":
            kernel = kernel + KERNELS["Linear"](input_dim=2, dtype="float64")
        given = {
            key: 0.7 * nd.ones((1, *value.shape), dtype="float64")
            for key, value in kernel.parameters.items()
        }
        found[name] = kernel.K(nd, x, **given)
    return found


def densities() -> dict[str, nd.NDArray]:
    """The logarithms of densities; numbers can be drawn from each."""
    rng = np.random.RandomState(0)
    x = nd.array(rng.uniform(0.1, 0.9, (1, 4, 3)), dtype="float64")
    one, two = (nd.array(rng.uniform(0.5, 2, (1, 4, 3)), dtype="float64") for _ in range(2))
    found = {}
    for kind, names in (
        (Normal, ("mean", "variance")),
        (Gamma, ("alpha", "beta")),
        (Beta, ("alpha", "beta")),
        (Laplace, ("location", "scale")),
    ):
        m = Model()
        m.a, m.b = Variable(), Variable()
        m.y = kind.define_variable(**dict(zip(names, (m.a, m.b))), shape=(4, 3), dtype="float64")
        values = {m.a.uuid: one, m.b.uuid: two, m.y.uuid: x}
        found[kind.__name__] = m.y.factor.log_pdf(F=nd, variables=values)
        drawn = m.y.factor.draw_samples(F=nd, num_samples=20, variables=values)
        assert drawn.shape == (20, 4, 3), drawn.shape
    return found


results = Results("MXFusion", "clients_mxfusion.json")
results.compare("MAP", maximum)
results.check("StochasticVariationalInference of a mean", variational)
results.check("MXFusionGluonFunction with distributions for weights", bayesian_network)
for kind in GPRegression, SparseGPRegression, SVGPRegression:
    results.compare(kind.__name__, partial(process, kind))
results.compare("kernels", covariances)
results.compare("densities", densities)
results.finish()
