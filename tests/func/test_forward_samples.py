"""Forward mode of every kind of operator sample, against two reverse passes."""

from __future__ import annotations

from functools import partial

import numpy
import pytest

from gluon import func, nd, np
from gluon._core.engine.op import TABLE
from gluon._core.transforms import kinds, tangents
from tests._core.ops.test_samples import works
from tests.func.samples import Case, by_two_pulls, each_kind

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def differentiable(sample) -> bool:
    return works(sample) and not sample.writes and "Proposal" not in sample.op  # float32 alone


def close(found, wanted, what):
    for k, (a, b) in enumerate(zip(found, wanted)):
        a, b = a.asnumpy(), b.asnumpy()
        assert a.shape == b.shape, what
        scale = float(numpy.abs(b[numpy.isfinite(b)]).max(initial=1))
        numpy.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-9 * scale, err_msg=f"{what} {k}")


@each_kind(differentiable)
def test_pushes_of_samples_are_their_transposed_pulls(sample):
    case = Case(sample)
    if not case.heads or not case.variables:
        return
    v = case.direction(1)
    value, wanted = by_two_pulls(case, tuple(case.variables), v)
    same, found = func.jvp(case, tuple(case.variables), v)
    close(same, value, "value")
    close(found, wanted, "tangent")
    _, push = func.linearize(case, *case.variables)
    close(push(*v), wanted, "linearized tangent")


@each_kind(lambda one: differentiable(one) and not one.kink)
def test_second_derivatives_of_samples_mix_both_modes(sample):
    case = Case(sample)
    if not case.heads or not case.variables:
        return
    x, v, w = tuple(case.variables), case.direction(1), case.direction(2)

    def once(jvp):
        return lambda *x: tuple(jvp(case, x, v)[1])

    _, wanted = by_two_pulls(once(by_two_pulls), x, w)
    close(func.jvp(once(func.jvp), x, w)[1], wanted, "forward over forward")
    close(func.jvp(once(by_two_pulls), x, w)[1], wanted, "forward over reverse")
    close(by_two_pulls(once(func.jvp), x, w)[1], wanted, "reverse over forward")


def test_each_operator_with_a_gradient_is_of_one_kind():
    listed = [
        *kinds.DIAGONAL,
        *kinds.LINEAR,
        *kinds.MULTILINEAR,
        *kinds.TOGETHER,
        *kinds.BIASED,
        *kinds.SYMMETRIC,
        *kinds.REDUCING,
        *kinds.FILLED,
        *kinds.OTHERS,
    ]
    assert len(listed) == len(set(listed))
    assert set(listed) == {name for name, op in TABLE.items() if op.differentiable}
    assert not [name for name in kinds.FLAT if TABLE[name].differentiable]


def test_linear_inputs_are_those_with_a_derivative():
    for name, inputs in kinds.LINEAR.items():
        op = TABLE[name]
        has = [one for one, derivative in zip(op.inputs, op.differentiable_inputs) if derivative]
        assert inputs == tuple(has), name


def _filled(x):
    y = x * 1
    y[0] = y[1] * 2
    return y


def _slope(f):
    return func.grad(lambda x: (f(x) * f(x)).sum())


def _square(x):
    """A symmetric matrix with different positive eigenvalues."""
    x = x.as_np_ndarray()
    return x.T @ x + np.diag(np.array([1, 2, 4]))


def _layer(mode, x, **settings):
    """A recurrent layer of size 2, whose weights and first states follow from x too."""
    weights = nd.sin(nd.arange(60, dtype="float64")) + nd.mean(x * x)
    first = nd.sum(x, axis=0).reshape((1, 1, 3))
    state = first[:, :, :2] if not settings else first[:, :, :1]
    states = (state, first[:, :, 1:]) if mode == "lstm" else (state,)
    gates = {"gru": 3, "lstm": 4}.get(mode, 1)
    out = settings.get("projection_size", 2)
    count = gates * (2 * 3 + 2 * out + 4) + (2 * out if settings else 0)
    how = {"state_size": 2, "num_layers": 1, "mode": mode, **settings}
    return nd.RNN(x.reshape((2, 1, 3)), weights[:count], *states, **how)


def _projector(q):
    return q @ q.T


def _products(u, s, v):
    return (u * s) @ v + u @ v


def _image(x):
    return (x * x).reshape((1, 1, 2, 3))


def _points(x):
    return nd.concat(x, x * x / 4, dim=0).reshape((1, 2, 2, 3))


def _correlated(x, products):
    how = {"kernel_size": 1, "max_displacement": 1, "stride1": 1, "stride2": 1, "pad_size": 1}
    return nd.Correlation(_image(x), _image(x + 1), is_multiply=products, **how)


DIRECT = {
    "max": lambda x: x.max(axis=1),
    "prod": lambda x: x.prod(axis=(0, 1)),
    "norm": lambda x: np.linalg.norm(x, axis=1, keepdims=True),
    "sort": lambda x: np.sort(x, axis=0),
    "pad": lambda x: np.pad(x, 1, constant_values=3),
    "setitem": _filled,
    "softmax_cross_entropy": lambda x: nd.softmax_cross_entropy(x, nd.array([0, 2])),
    "log_softmax": lambda x: nd.log_softmax(x, axis=0),
    "masked softmax": lambda x: nd.softmax(x, nd.array([1, 3], dtype="int32"), use_length=True),
    "l2": lambda x: nd.L2Normalization(x),
    "layer norm": lambda x: nd.LayerNorm(x, nd.arange(1, 4), x[0]),
    "layer norm of axis 0": lambda x: nd.LayerNorm(x, nd.arange(1, 3), nd.ones(2), axis=0),
    "group norm": lambda x: nd.GroupNorm(
        x.reshape((1, 2, 3)), nd.array([2, 3]), x[:, 0], num_groups=2
    ),
    "instance norm": lambda x: nd.InstanceNorm(x.reshape((1, 2, 3)), x[:, 0], nd.ones(2)),
    "batch norm": lambda x: nd.BatchNorm(x, nd.arange(1, 4), x[1], nd.zeros(3), nd.ones(3)),
    "max pool": lambda x: nd.Pooling(x.reshape((1, 1, 6)), kernel=(2,), stride=(2,)),
    "prelu": lambda x: nd.LeakyReLU(x - 3, x[0], act_type="prelu"),
    "cumprod": lambda x: np.cumprod(x.as_np_ndarray(), axis=1),
    "softmax gradient": lambda x: _slope(nd.softmax)(x),
    "log_softmax gradient": lambda x: _slope(nd.log_softmax)(x),
    "log_softmax tangent": lambda x: func.jvp(nd.log_softmax, (x,), (x * x,))[1],
    "solve": lambda x: np.linalg.solve(_square(x), _square(x * x)),
    "triangular": lambda x: nd.linalg.trsm(_square(x).as_nd_ndarray(), x.T.dot(x)),
    "singular values": lambda x: np.linalg.svd(x.as_np_ndarray())[1],
    "svd, wide": lambda x: _projector(np.linalg.svd(x.as_np_ndarray(), full_matrices=False)[2].T),
    "svd, tall": lambda x: _products(*np.linalg.svd(x.as_np_ndarray().T, full_matrices=False)),
    "eig": lambda x: np.linalg.eigvals(_square(x)),
    "eig gradient": lambda x: _slope(lambda x: np.linalg.eig(_square(x))[1] ** 3)(x),
    "cofactors": lambda x: _slope(lambda x: np.linalg.det(x.T @ x))(x.as_np_ndarray()),
    "frexp": lambda x: np.frexp(3 * x.as_np_ndarray())[0],
    "lp pool": lambda x: nd.Pooling(
        x.reshape((1, 1, 6)), kernel=(2,), pool_type="lp", p_value=2, stride=(2,)
    ),
    "correlation": lambda x: _correlated(x, True),
    "absolute differences": lambda x: _correlated(x, False),
    "slope of absolute differences": lambda x: _slope(lambda x: _correlated(x, False))(x),
    "samples": lambda x: nd.BilinearSampler(_image(x), nd.tanh(_points(x))),
    "slope of samples": lambda x: _slope(
        lambda x: nd.BilinearSampler(_image(x), nd.tanh(_points(x)))
    )(x),
    "affine grid": lambda x: nd.GridGenerator(x.reshape((1, 6)), "affine", target_shape=(2, 2)),
    "flow grid": lambda x: nd.GridGenerator(_points(x), "warp"),
    "inverse": lambda x: np.linalg.inv(_square(x)),
    "pinv": lambda x: np.linalg.pinv(x.as_np_ndarray()),
    "cholesky": lambda x: np.linalg.cholesky(_square(x)),
    "det": lambda x: np.linalg.det(_square(x)),
    "slogdet": lambda x: np.linalg.slogdet(_square(x))[1],
    "lq": lambda x: nd.dot(nd.linalg.gelqf(x)[1] ** 2, nd.linalg.gelqf(x)[0]),
    "eigh": lambda x: np.linalg.eigh(_square(x))[0],
    "eigh gradient": lambda x: _slope(lambda x: np.linalg.eigh(_square(x))[1] ** 3)(x),
    **{mode: partial(_layer, mode) for mode in ("rnn_tanh", "rnn_relu", "gru", "lstm")},
    "lstm with projection": partial(_layer, "lstm", projection_size=1),
    "sequence mask": lambda x: nd.SequenceMask(
        x, nd.array([1, 2, 1]), use_sequence_length=True, value=5
    ),
}


@pytest.mark.parametrize("name", DIRECT)
def test_families_have_tangents_without_a_transposition(name, monkeypatch):
    """Beside finite differences: two reverse passes cost several times as much."""

    def transposed(*_):
        raise AssertionError("transposed")

    monkeypatch.setattr(tangents, "transposed", transposed)
    x = numpy.array([[0.3, -1.2, 2.0], [1.5, 0.7, -0.4]])
    v = numpy.array([[1.0, -0.5, 2.0], [0.25, 3.0, -1.0]])
    f, array = DIRECT[name], nd.array
    if name in ("max", "prod", "norm", "sort", "pad", "setitem"):
        array = np.array

    def at(t):
        return f(array(x + t * v, dtype="float64")).asnumpy()

    found = func.jvp(f, (array(x, dtype="float64"),), (array(v, dtype="float64"),))[1]
    wanted = (at(1e-6) - at(-1e-6)) / 2e-6
    numpy.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 2)])
def test_tangents_of_extremes_are_those_of_all_places_that_have_the_value(axis):
    """Whether values are equal in a line, or one of them is NaN, decides what is computed."""
    rng = numpy.random.RandomState(1)
    x, v = rng.normal(size=(2, 3, 4, 5))
    tied, lost = numpy.round(x), x.copy()
    lost[0, 0, 0], lost[1, 1:] = numpy.nan, 3
    for values in (x, tied, lost):
        x_, v_ = np.array(values, dtype="float64"), np.array(v, dtype="float64")
        for name in ("max", "min"):
            y, found = func.jvp(lambda x, name=name: getattr(x, name)(axis), (x_,), (v_,))
            kept = (0, 1, 2) if axis is None else axis
            equal = values == numpy.expand_dims(y.asnumpy(), kept)
            wanted = numpy.where(equal, v, 0).sum(axis)
            numpy.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-12)
