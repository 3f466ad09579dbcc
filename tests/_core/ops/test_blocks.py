"""Kernels that process large inputs in pieces or in another way: the result is the same."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import autograd, nd
from gluon._core.kernels import (
    activation,
    conv,
    decompose,
    depthwise,
    indexing,
    parallel,
    pool,
    sequence,
    special,
    warp,
)

SIZE = 2 * parallel.BLOCK + 77


def normal(*shape: int, dtype: str = "float32", seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


# ---------------------------------------------------------------------------- elementwise

KERNELS = {
    "leaky_relu": activation.leaky_relu,
    "leaky_relu_slope": lambda x: activation.leaky_relu_slope(x, slope=0.3),
    "elu": activation.elu,
    "selu": activation.selu,
    "gelu": activation.gelu,
    "gelu_slope": activation.gelu_slope,
    "hard_sigmoid": activation.hard_sigmoid,
    "smooth_l1": lambda x: activation.smooth_l1(x, scalar=2.0),
    "erf": special.erf,
    "gammaln": special.gammaln,
}


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("name", KERNELS)
def test_elementwise_kernels_take_blocks(name, dtype):
    x = normal(3, SIZE // 3 + 1, dtype=dtype) * 3
    x[0, :3] = 0, np.inf, np.nan
    with np.errstate(all="ignore"):
        for layout in (x, x.T):
            got = KERNELS[name](layout)
            rows = [KERNELS[name](row) for row in np.array_split(np.ascontiguousarray(layout), 9)]
            assert got.dtype == rows[0].dtype
            tolerance = {"float16": 1e-3, "float32": 1e-6, "float64": 1e-12}[dtype]
            np.testing.assert_allclose(got, np.concatenate(rows), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("shape", [(700, 401), (50000, 7), (3, 90, 1111), (4, 5, 20000)])
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("scale", [1, 60])
def test_softmaxes_along_every_axis(shape, axis, scale):
    x, g = normal(*shape) * np.float32(scale), normal(*shape, seed=2)
    wide = x.astype("float64") - x.max(axis, keepdims=True)
    p = np.exp(wide) / np.exp(wide).sum(axis, keepdims=True)
    log_p = wide - np.log(np.exp(wide).sum(axis, keepdims=True))
    close = {"rtol": 1e-4, "atol": 1e-5}
    np.testing.assert_allclose(activation.softmax(x, axis=axis), p, **close)
    np.testing.assert_allclose(activation.log_softmax(x, axis=axis), log_p, **close)
    got = activation.softmax_grad(g, p.astype("float32"), axis=axis)
    np.testing.assert_allclose(got, p * (g - (g * p).sum(axis, keepdims=True)), **close)
    got = activation.log_softmax_grad(g, log_p.astype("float32"), axis=axis)
    np.testing.assert_allclose(got, g - p * g.sum(axis, keepdims=True), rtol=1e-4, atol=1e-3)
    got = activation.log_softmax_push(g, log_p.astype("float32"), axis=axis)
    np.testing.assert_allclose(got, g - (p * g).sum(axis, keepdims=True), **close)


# -------------------------------------------------------------------------- normalization

NORMS = {
    "LayerNorm": (lambda x, g, b: nd.LayerNorm(x, g, b), (300, 1000), 1000),
    "LayerNorm axis 1": (lambda x, g, b: nd.LayerNorm(x, g, b, axis=1), (40, 70, 100), 70),
    "LayerNorm axis 0": (lambda x, g, b: nd.LayerNorm(x, g, b, axis=0), (60, 70, 100), 60),
    "InstanceNorm": (nd.InstanceNorm, (30, 7, 40, 33), 7),
    "GroupNorm": (lambda x, g, b: nd.GroupNorm(x, g, b, num_groups=3), (30, 6, 40, 41), 3),
    "BatchNorm": (
        lambda x, g, b: nd.BatchNorm(x, g, b, nd.zeros(7), nd.ones(7), fix_gamma=False),
        (30, 7, 40, 33),
        7,
    ),
    "BatchNorm axis -1": (
        lambda x, g, b: nd.BatchNorm(x, g, b, nd.zeros(7), nd.ones(7), fix_gamma=False, axis=-1),
        (30, 40, 33, 7),
        7,
    ),
}


@pytest.mark.parametrize("name", NORMS)
def test_gradients_of_large_normalizations_are_those_of_the_recorded_formula(name):
    function, shape, n = NORMS[name]
    x, gamma, beta = (nd.array(normal(*s, seed=k)) for k, s in enumerate((shape, (n,), (n,))))
    x = x + 3
    head = nd.array(normal(*shape, seed=9))
    variables = [x, gamma, beta]
    for variable in variables:
        variable.attach_grad()
    with autograd.record():
        y = function(*variables)
        recorded = autograd.grad(y, variables, head, create_graph=True)
    with autograd.record():
        y = function(*variables)
    y.backward(head)
    for variable, right in zip(variables, recorded):
        size = np.abs(right.asnumpy()).max()
        np.testing.assert_allclose(variable.grad.asnumpy(), right.asnumpy(), 1e-4, 1e-5 * size)


# ------------------------------------------------------------------------- linear algebra


@pytest.mark.parametrize("n", [1, 2, 31, 32, 33, 100])
@pytest.mark.parametrize("stack", [(), (3,), (2, 3)])
@pytest.mark.parametrize("lower", [True, False])
def test_triangular_systems_of_every_size(n, stack, lower):
    a = normal(*stack, n, n, dtype="float64") / n**0.5 + 2 * np.eye(n)
    half = np.tril(a) if lower else np.triu(a)
    b = normal(*stack, n, 5, dtype="float64")
    a = np.where(half == 0, np.nan, a)  # the other triangle is not read
    x = decompose.solve_triangular(a, b, lower=lower)
    np.testing.assert_allclose(half @ x, b, rtol=1e-10, atol=1e-10)
    single = decompose.solve_triangular(a.astype("float32"), b.astype("float32"), lower=lower)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, x, rtol=1e-3, atol=1e-4)


def test_a_badly_conditioned_triangular_system_is_solved_with_a_small_residual():
    n = 96
    a = np.eye(n) - 0.9 * np.tril(np.ones((n, n)), -1)
    b = normal(n, 3, dtype="float64")
    x = decompose.solve_triangular(a, b)
    scale = np.abs(a) @ np.abs(x) + np.abs(b)
    assert (np.abs(a @ x - b) / scale).max() < 1e-13


def test_a_singular_triangular_system_is_an_error():
    a = np.eye(40)
    a[35, 35] = 0
    with pytest.raises(np.linalg.LinAlgError):
        decompose.solve_triangular(a, np.ones((40, 1)))


# -------------------------------------------------------------------------------- pooling

POOLS = [
    ((2, 3, 40), {"kernel": (17,), "stride": (1,), "pad": (8,)}),
    ((2, 3, 20, 21), {"kernel": (5, 6), "stride": (5, 7)}),
    ((2, 3, 20, 21), {"kernel": (7, 5), "stride": (2, 3), "pad": (3, 1)}),
    ((2, 3, 20, 21), {"kernel": (20, 21), "stride": (1, 1)}),
    ((2, 2, 9, 8, 7), {"kernel": (3, 3, 3), "stride": (2, 1, 2), "pad": (1, 1, 1)}),
    ((2, 3, 20, 21), {"kernel": (5, 5), "stride": (3, 3), "convention": "full"}),
]


@pytest.mark.parametrize(("shape", "window"), POOLS)
@pytest.mark.parametrize("dtype", ["float32", "float16", "int32"])
def test_large_windows_pick_and_put_as_small_ones_do(shape, window, dtype, monkeypatch):
    x = np.random.default_rng(3).integers(0, 9, shape).astype(dtype)  # with ties
    y = pool.max_pool(x, **window)
    g = np.random.default_rng(4).integers(0, 9, y.shape).astype(dtype)

    def ways() -> list[np.ndarray]:
        places = pool.max_places(x, y, **window)
        put = pool.put_places(g, places, shape=shape[2:], **window)
        return [places, pool.pick_places(x, places, **window), put]

    many = ways()
    monkeypatch.setattr(pool, "FEW", 10**9)
    for one, other in zip(many, ways()):
        np.testing.assert_array_equal(one, other)
    assert many[2].dtype == dtype


# ---------------------------------------------------------------------------- convolution

WINDOWS = [
    ((9,), (3,), 1, 1, 1),
    ((9, 11), (3, 2), 1, 1, 1),
    ((9, 11), (3, 5), 1, (1, 2), (2, 1)),
    ((9, 11), (4, 3), (2, 3), 1, 1),
    ((5, 6, 7), (2, 3, 2), 1, (0, 1, 1), 1),
    ((5, 6, 7), (2, 3, 2), 2, 1, 1),
]


@pytest.mark.parametrize(("size", "kernel", "stride", "pad", "dilate"), WINDOWS)
def test_convolutions_of_single_channels_are_those_by_matrices(size, kernel, stride, pad, dilate):
    window = conv.make_window(size, kernel, stride, pad, dilate)
    x, w = normal(3, 4, *size, dtype="float64"), normal(4, 1, *kernel, dtype="float64")
    g = normal(3, 4, *window.out, dtype="float64")
    pairs = [
        (depthwise.convolve(x, w, window), conv._convolve(x, w, window, 4)),
        (depthwise.input_grad(g, w, window), conv._unconvolve(g, w, window, 4)),
        (depthwise.weight_grad(g, x, window), conv._weight_grad(g, x, window, 4)),
    ]
    for ours, theirs in pairs:
        np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-10)


# ------------------------------------------------------------------------ places and order


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_slices_are_added_along_every_axis(axis):
    g, places = normal(5, 6, 7, dtype="float64"), np.random.default_rng(2).integers(0, 4, 5 + axis)
    want = np.zeros((*g.shape[:axis], 4, *g.shape[axis + 1 :]))
    for k, place in enumerate(places):
        want[(slice(None),) * axis + (place,)] += g[(slice(None),) * axis + (k,)]
    got = indexing.take_grad(g, places, axis=axis, mode="raise", size=4)
    np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("is_ascend", [False, True])
@pytest.mark.parametrize("digits", [1, 9])
def test_the_first_of_many_in_order(axis, is_ascend, digits):
    x = normal(200, 210).round(digits)  # to one digit there are ties
    every = sequence.order(x, axis=axis, is_ascend=is_ascend)
    some = sequence.order(x, axis=axis, is_ascend=is_ascend, k=40)
    np.testing.assert_array_equal(some, np.take(every, range(40), axis))


def test_rows_that_are_replaced_twice_get_the_gradient_once():
    x, y = nd.zeros((4, 3)), nd.ones((3, 3))
    for variable in (x, y):
        variable.attach_grad()
    with autograd.record():
        z = nd.contrib.index_copy(x, nd.array([1, 3, 1]), y)
    z.backward(nd.array(np.arange(12).reshape(4, 3)))
    np.testing.assert_array_equal(y.grad.asnumpy(), [[0] * 3, [9, 10, 11], [3, 4, 5]])
    np.testing.assert_array_equal(x.grad.asnumpy(), [[0, 1, 2], [0] * 3, [6, 7, 8], [0] * 3])


# ------------------------------------------------------------------------------- images


@pytest.mark.parametrize("border", ["zero", "deform", "part", "align"])
def test_many_points_are_read_as_few_are(border, monkeypatch):
    x = normal(5, 3, 6, 7, dtype="float64")
    rows, columns = (np.random.default_rng(k).uniform(-3, 9, (5, 40)) for k in (1, 2))
    g = normal(5, 3, 40, dtype="float64")

    def ways() -> list[np.ndarray]:
        return [
            warp.sample(x, rows, columns, border=border),
            warp.sample_grad(g, rows, columns, shape=x.shape, border=border),
            *warp.sample_slopes(x, g, rows, columns, border=border),
        ]

    whole = ways()
    monkeypatch.setattr(parallel, "BLOCK", 50)
    for one, other in zip(whole, ways()):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
    row, column = whole[2:]
    for slopes, slope in ((row, (1, 0)), (column, (0, 1))):
        right = (g * warp.sample(x, rows, columns, border=border, slope=slope)).sum(1)
        np.testing.assert_allclose(slopes, right, rtol=1e-10, atol=1e-10)
