"""Sums are accurate: over every axis, in half precision, in gradients."""

from __future__ import annotations

import itertools

import numpy
import pytest

from gluon import autograd, loss, metric, nd, nn, np
from gluon._core.errors import ArgumentError, IndexRangeError
from gluon._core.kernels import sums

#: The tolerance of sums, means and norms, in units of the last place of float32.
MOST = 8.0


def ulps(found: numpy.ndarray, exact: numpy.ndarray) -> float:
    unit = numpy.spacing(numpy.abs(exact).astype("float32")).astype("float64")
    return float((numpy.abs(found.astype("float64") - exact) / unit).max())


SHAPES = [
    ((100_000, 4), 0),
    ((100_000, 4), None),
    ((1000, 1000), 0),
    ((4, 100_000), 1),
    ((6, 5000, 3), 1),
    ((200, 3, 200, 5), (0, 2)),
    ((64, 3, 20, 20), (0, 2, 3)),
    ((3000, 2), (0,)),
]


@pytest.mark.parametrize(("shape", "axis"), SHAPES)
@pytest.mark.parametrize("layout", ["C", "F"])
def test_sums_means_variances_and_norms_are_right_to_a_few_last_places(shape, axis, layout):
    exact = numpy.random.RandomState(0).random_sample(shape).astype("float32")
    raw = numpy.asarray(exact, order=layout)
    exact = exact.astype("float64")
    x, y = nd.from_numpy(raw, zero_copy=False), np.array(raw)
    for name in ("sum", "mean", "nansum"):
        assert (
            ulps(getattr(nd, name)(x, axis=axis).asnumpy(), getattr(numpy, name)(exact, axis))
            < MOST
        )
    for name in ("sum", "mean", "var", "std", "nanmean", "nanvar"):
        assert ulps(getattr(np, name)(y, axis).asnumpy(), getattr(numpy, name)(exact, axis)) < MOST
    assert ulps(nd.norm(x, axis=axis).asnumpy(), numpy.sqrt((exact**2).sum(axis))) < MOST
    assert ulps(nd.norm(x, ord=1, axis=axis).asnumpy(), exact.sum(axis)) < MOST
    assert ulps(nd.moments(x, axes=axis)[1].asnumpy(), exact.var(axis)) < MOST


@pytest.mark.parametrize("shape", [(1, 4), (4,), (), (100_000, 1)])
def test_the_gradient_of_broadcasting_is_such_a_sum(shape):
    b = nd.zeros(shape or (1,))
    b.attach_grad()
    g = numpy.random.RandomState(1).random_sample((100_000, 4)).astype("float32")
    with autograd.record():
        y = nd.ones((100_000, 4)) + b
    y.backward(nd.array(g))
    axes = {(1, 4): 0, (4,): 0, (): None, (100_000, 1): 1}[shape]
    exact = g.astype("float64").sum(axes).reshape(b.shape)
    assert ulps(b.grad.asnumpy(), exact) < MOST


def test_so_is_the_gradient_of_a_bias():
    layer = nn.Dense(4, in_units=1)
    layer.initialize()
    g = numpy.random.RandomState(1).random_sample((50_000, 4)).astype("float32")
    with autograd.record():
        y = layer(nd.ones((50_000, 1)))
    y.backward(nd.array(g))
    assert ulps(layer.bias.grad().asnumpy(), g.astype("float64").sum(0)) < MOST


def test_every_choice_of_axes_and_every_layout():
    state = numpy.random.RandomState(2)
    for shape in [
        (3, 4),
        (100, 50),
        (70, 8, 9),
        (1500, 7, 3),
        (65, 2, 65, 2),
        (5000,),
        (200, 0, 9),
    ]:
        x = state.random_sample(shape).astype("float32")
        twisted = numpy.ascontiguousarray(x.T).T
        with_gaps = numpy.repeat(x, 2, axis=-1)[..., ::2]
        for count, given in itertools.product(range(len(shape) + 1), (x, twisted, with_gaps)):
            for axes in itertools.combinations(range(len(shape)), count):
                want = x.sum(axes, dtype="float64", keepdims=True)
                numpy.testing.assert_allclose(sums.summed(given, axes), want, rtol=1e-6)
                squares = (x.astype("float64") ** 2).sum(axes, keepdims=True)
                products = sums.sum_products(given, given, axes)
                numpy.testing.assert_allclose(products, squares, rtol=1e-6)
                from_the_end = tuple(k - len(shape) for k in axes)
                short = sums.summed(given, from_the_end, keepdims=False)
                assert short.shape == want.squeeze(axes).shape


def test_an_axis_twice_or_beyond_the_last_is_an_error_for_many_values_too():
    x = nd.ones((100, 100))
    for axis in (2, (0, 0), -3):
        with pytest.raises((IndexRangeError, ArgumentError), match="axis"):
            nd.sum(x, axis=axis)


@pytest.fixture(params=["float16", "bfloat16"])
def half(request):
    if request.param == "bfloat16":
        pytest.importorskip("ml_dtypes")
    return request.param


def of(values, half):
    return nd.array(values, dtype="float32").astype(half)


def wide(x) -> numpy.ndarray:
    return x.astype("float32").asnumpy()


@pytest.mark.parametrize("axis", [None, 0])
def test_the_mean_of_half_precision_does_not_overflow_where_its_sum_does(half, axis):
    x = of(numpy.full((1000, 1), 300), half)
    assert wide(x.mean(axis=axis)) == 300
    assert wide(x.as_np_ndarray().mean(axis)) == 300
    assert float(np.average(x.as_np_ndarray(), weights=x.as_np_ndarray())) == 300
    assert wide(nd.moments(x, axes=axis)[0]) == 300


def test_sums_of_half_precision_count_what_is_small(half):
    x = of(numpy.full((3000, 2), 0.125), half)
    tolerance = {"float16": 1e-3, "bfloat16": 8e-3}[half]
    for found in (x.sum(axis=0), nd.nansum(x, axis=0), nd.norm(x, ord=1, axis=0)):
        numpy.testing.assert_allclose(wide(found), 375, rtol=tolerance)
    numpy.testing.assert_allclose(wide(nd.norm(x, axis=0)), 0.125 * 3000**0.5, rtol=tolerance)
    numpy.testing.assert_allclose(wide(nd.cumsum(x, axis=0)[-1]), 375, rtol=tolerance)


def test_variances_of_half_precision_do_not_overflow_where_their_squares_do(half):
    x = numpy.zeros(2000, "float32")
    x[0] = 1000  # its square is beyond float16
    given = of(x, half).as_np_ndarray()
    exact = x.astype("float64")
    for found, right in [
        (np.var(given), exact.var()),
        (np.std(given), exact.std()),
        (np.nanvar(given), exact.var()),
        (np.nanstd(given), exact.std()),
        (np.cov(given), numpy.cov(exact)),
        (np.linalg.norm(given, 3), 1000),
    ]:
        numpy.testing.assert_allclose(float(found), right, rtol=1e-2)
    assert str(np.std(given).dtype) == half
    spread = of(numpy.tile([300, -300], 50), half).as_np_ndarray()  # and here the variance is
    numpy.testing.assert_allclose(float(np.std(spread)), 300, rtol=1e-2)


def test_gradients_of_half_precision_are_summed_in_single(half):
    b = of(numpy.zeros((1, 2)), half)
    weight = of(numpy.zeros((3, 40)), half)
    for x in (b, weight):
        x.attach_grad()
    with autograd.record():
        y = of(numpy.zeros((3000, 2)), half) + b
        rows = nd.Embedding(nd.zeros((3000,)), weight, 3, 40, dtype=half)
    autograd.backward([y, rows], [of(numpy.full(z.shape, 0.125), half) for z in (y, rows)])
    for found in (b.grad, weight.grad[0]):
        numpy.testing.assert_allclose(wide(found), 375, rtol=8e-3)


def test_normalization_of_half_precision_has_the_gradient_of_single(half):
    state = numpy.random.RandomState(0)
    x, g = state.normal(size=(2, 512, 3, 8)).astype("float32")
    found = {}
    for dtype in ("float32", half):
        layer = nn.BatchNorm(in_channels=3)
        layer.initialize()
        layer.cast(dtype)
        with autograd.record():
            y = layer(of(x, half).astype(dtype))
        y.backward(of(g * 100, half).astype(dtype))
        found[dtype] = wide(layer.gamma.grad())
    numpy.testing.assert_allclose(found[half], found["float32"], rtol=2e-2, atol=100)


def test_losses_and_metrics_of_half_precision(half):
    x, zeros = of(numpy.full((1, 1000), 150), half), of(numpy.zeros((1, 1000)), half)
    numpy.testing.assert_allclose(wide(loss.L2Loss()(x, zeros)), 11250, rtol=8e-3)
    for kind, right in [(metric.MAE, 150), (metric.MSE, 22500), (metric.RMSE, 150)]:
        one = kind()
        one.update(zeros, of(numpy.full((1, 1000), 150), half))
        numpy.testing.assert_allclose(one.get()[1], right, rtol=1e-3)
    one = metric.MSE()
    one.update(of([0, 0], half), of([300, 0], half))  # whose square is beyond float16
    numpy.testing.assert_allclose(one.get()[1], 45000, rtol=1e-2)


def test_local_response_normalization_of_half_precision():
    x = of(numpy.full((1, 5, 1, 1), 300), half="float16")
    single = nd.LRN(x.astype("float32"), nsize=5).asnumpy()
    numpy.testing.assert_allclose(wide(nd.LRN(x, nsize=5)), single, rtol=1e-3)
