"""Functions that look at values: inside vmap they run in a loop over the examples."""

from __future__ import annotations

import numpy
import pytest
from numpy.testing import assert_allclose

from gluon import GluonError, autograd, func, np

pytestmark = pytest.mark.filterwarnings("ignore:vmap.*in a loop:RuntimeWarning")
X = numpy.random.RandomState(0).normal(size=(4, 3))


def close(found, wanted):
    assert_allclose(found.asnumpy(), wanted, rtol=1e-10, atol=1e-12)


LOOKING = {
    "argsort": np.argsort,
    "partition": lambda x: np.partition(x, 1),
    "median": np.median,
    "quantile": lambda x: np.quantile(x, 0.3),
    "nanmedian": np.nanmedian,
    "searchsorted": lambda x: np.searchsorted(np.array([-1.0, 0, 1]), x),
    "bincount": lambda x: np.bincount(np.abs(x).astype("int32"), minlength=4),
    "digitize": lambda x: np.digitize(x, np.array([-1.0, 1])),
    "allclose": lambda x: np.allclose(x, x * 1),
    "piecewise": lambda x: np.piecewise(x, [x > 0], [lambda v: 2 * v, 0]),
    "lstsq": lambda x: np.linalg.lstsq(np.outer(x, x) + np.eye(3), x, rcond=None)[0],
    "array": lambda x: np.array([x[0], 2 * x[1]]),
    "apply_along_axis": lambda x: np.apply_along_axis(lambda v: v if v[0] > 0 else -v, 0, x),
}


@pytest.mark.parametrize("name", LOOKING)
def test_functions_that_look_at_values_run_for_each_example(name):
    f = LOOKING[name]
    wanted = numpy.stack([numpy.asarray(f(np.array(x))) for x in X])
    close(func.vmap(f)(X), wanted)
    close(func.vmap(func.vmap(f))(numpy.stack([X, X])), numpy.stack([wanted, wanted]))
    assert func.vmap(f)(X[:0]).shape == (0, *wanted.shape[1:])


@pytest.mark.parametrize("name", ["median", "quantile", "lstsq", "array"])
def test_functions_that_look_at_values_have_gradients_for_each_example(name):
    def total(x):
        return (LOOKING[name](x) ** 3).sum()

    wanted = numpy.stack([func.grad(total)(np.array(x)).asnumpy() for x in X])
    close(func.vmap(func.grad(total))(X), wanted)
    close(func.grad(lambda x: func.vmap(total)(x).sum())(X), wanted)


def test_shapes_that_depend_on_values_are_refused():
    with pytest.raises(GluonError, match="nonzero gives arrays of different shapes"):
        func.vmap(np.nonzero)(np.array([[1.0, 0], [1, 1]]))


def test_a_function_runs_for_no_example():
    class Twice(autograd.Function):
        def forward(self, x):
            return 2 * x, x.sum()

        def backward(self, g, of_sum):
            return 2 * g + of_sum

    found = func.vmap(lambda x: Twice()(x))(X[:0])
    assert [y.shape for y in found] == [(0, 3), (0,)]
    assert func.vmap(func.grad(lambda x: Twice()(x)[1]))(X[:0]).shape == (0, 3)
