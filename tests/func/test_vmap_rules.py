"""Rules of vmap that put the examples into an axis that operators have: nothing runs in a loop.

Each case is a function of arrays, where each argument may be mapped or shared by all examples.
"""

from __future__ import annotations

from itertools import product

import numpy
import pytest
from numpy.testing import assert_allclose

from gluon import func, nd, np, npx

pytestmark = pytest.mark.filterwarnings("error")
EXAMPLES = 3


def drawn(seed, *shape):
    return numpy.random.RandomState(seed).normal(size=shape)


def recurrent(mode, **options):
    def run(x, weights, h, c):
        states = (h, c) if mode == "lstm" else (h,)
        return nd.RNN(x, weights, *states, state_size=2, num_layers=1, mode=mode, **options)

    return run


INDICES = nd.array([[0, 1, 1], [2, 0, 0]], dtype="int32")
#: A function, the shapes of its arguments for one example.
CASES = {
    "rnn_tanh": (recurrent("rnn_tanh"), [(4, 2, 3), (14,), (1, 2, 2), (1, 2, 2)]),
    "rnn_relu": (recurrent("rnn_relu"), [(4, 2, 3), (14,), (1, 2, 2), (1, 2, 2)]),
    "lstm": (recurrent("lstm"), [(4, 2, 3), (56,), (1, 2, 2), (1, 2, 2)]),
    "lstm projected": (
        recurrent("lstm", projection_size=1),
        [(4, 2, 3), (50,), (1, 2, 1), (1, 2, 2)],
    ),
    "gru": (recurrent("gru"), [(4, 2, 3), (42,), (1, 2, 2), (1, 2, 2)]),
    "deconvolution": (
        lambda x, w, b: nd.Deconvolution(
            x, w, b, kernel=(2, 2), stride=(2, 1), num_filter=4, num_group=2, no_bias=False
        ),
        [(2, 4, 3, 3), (4, 2, 2, 2), (4,)],
    ),
    "prelu": (
        lambda x, gamma: nd.LeakyReLU(x, gamma, act_type="prelu"),
        [(2, 3, 2), (3,)],
    ),
    "prelu of a vector": (lambda x, gamma: nd.LeakyReLU(x, gamma, act_type="prelu"), [(3,), (1,)]),
    "dot": (lambda a, b: nd.dot(a, b, transpose_b=True), [(2, 3, 4), (5, 4)]),
    "dense": (
        lambda x, w, b: nd.FullyConnected(x, w, b, num_hidden=2, flatten=False),
        [(2, 3, 4), (2, 4), (2,)],
    ),
    "gather_nd": (lambda x: nd.gather_nd(x, INDICES), [(3, 3, 2)]),
    "scatter_nd": (lambda x: nd.scatter_nd(x, INDICES, shape=(3, 4, 2)), [(3, 2)]),
    "sample": (nd.BilinearSampler, [(2, 1, 3, 3), (2, 2, 3, 3)]),
    "cumsum": (lambda x: nd.cumsum(x) * x.reshape((-1,)), [(2, 3)]),
    "repeat": (lambda x: nd.repeat(x, 2) + nd.repeat(x, 2), [(2, 3)]),
    "roll": (lambda x: npx_roll(x) * x, [(2, 3)]),
    "sequence_last": (
        lambda x: nd.SequenceLast(x, nd.array([2, 1]), use_sequence_length=True),
        [(3, 2, 2)],
    ),
    "sequence_reverse": (
        lambda x: x * nd.SequenceReverse(x, nd.array([2, 1]), use_sequence_length=True),
        [(3, 2, 2)],
    ),
    "trace": (lambda x: nd.array(numpy.ones(2)) * nd.linalg.extractdiag(nd.dot(x, x)), [(2, 2)]),
}


def npx_roll(x):
    return np.roll(x.as_np_ndarray(), 1).as_nd_ndarray()


def score(f, *arguments):
    found = f(*arguments)
    parts = found if isinstance(found, (list, tuple)) else [found]
    return sum((nd.sin(one) * (k + 1)).sum() for k, one in enumerate(parts))


def stacked(parts):
    return [numpy.stack([x.asnumpy() for x in column]) for column in zip(*parts)]


@pytest.mark.parametrize(
    ("name", "mapped"),
    [
        (name, mapped)
        for name, (_, shapes) in CASES.items()
        for mapped in product((True, False), repeat=len(shapes))
        if any(mapped) and (len(shapes) < 4 or mapped[2] == mapped[3])
    ],
)
def test_values_and_gradients_are_those_of_a_loop(name, mapped):
    f, shapes = CASES[name]
    arguments = [
        nd.array(drawn(k, *(EXAMPLES,) * each, *shape), dtype="float64")
        for k, (shape, each) in enumerate(zip(shapes, mapped))
    ]
    axes = tuple([0 if each else None for each in mapped])
    argnums = tuple(range(len(shapes)))

    def one(*arguments):
        return score(f, *arguments)

    def slope(*arguments):
        grads = func.grad(one, argnums)(*arguments)
        return sum((g * nd.cos(x)).sum() for g, x in zip(grads, arguments))

    loop = [[x[k] if each else x for x, each in zip(arguments, mapped)] for k in range(EXAMPLES)]
    for scalar in (one, slope):
        wanted = stacked([func.grad(scalar, argnums)(*each) for each in loop])
        for found, right in zip(func.vmap(func.grad(scalar, argnums), axes)(*arguments), wanted):
            assert_allclose(found.asnumpy(), right, rtol=1e-9, atol=1e-10)


# -------------------------------------------------------------------------------- indexing

I1, I2 = np.array([2, 0], dtype="int32"), np.array([1, 1], dtype="int32")
#: Keys made of the places that an example has, for an array of shape (3, 4, 2).
KEYS = {
    "k": lambda k: k,
    "k, k": lambda k: (k, k),
    "1, k": lambda k: (1, k),
    ":, k": lambda k: (slice(None), k),
    "..., k % 2": lambda k: (Ellipsis, k % 2),
    "k, :, None, I": lambda k: (k, slice(None), None, I2),
    "I, k": lambda k: (I1, k),
    "I, :, I": lambda k: (I1, slice(None), I2),
    "I, I": lambda k: (I1, I2),
    "0, :, I": lambda k: (0, slice(None), I2),
    "None, k": lambda k: (None, k),
}


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("shape", [(), (2,)])
@pytest.mark.parametrize("name", KEYS)
def test_keys_of_each_example(name, shape, depth):
    outer = (3, 2)[:depth]
    xs = drawn(1, *outer, 3, 4, 2)
    places = numpy.random.RandomState(2).randint(0, 3, (*outer, *shape)).astype("int32")

    def taken(x, k):
        return x[KEYS[name](k)]

    def total(x, k):
        return (taken(x, k) ** 3).sum()

    def written(x, k):
        y = x * 1
        y[KEYS[name](k)] = taken(y, k) * 2 + x[0, 0, 0]
        return y

    each = lambda f: func.vmap(f if depth == 1 else func.vmap(f))  # noqa: E731
    for f in (taken, func.grad(total), func.grad(lambda x, k: (written(x, k) ** 2).sum())):
        wanted = numpy.empty(outer, object)
        for at in numpy.ndindex(*outer):
            wanted[at] = f(np.array(xs[at]), np.array(places[at], dtype="int32")).asnumpy()
        right = numpy.stack(wanted.ravel()).reshape(*outer, *wanted.flat[0].shape)
        found = each(f)(np.array(xs), np.array(places, dtype="int32"))
        assert_allclose(found.asnumpy(), right, rtol=1e-12)


@pytest.mark.parametrize("mode", ["clip", "wrap"])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_take_along_any_axis_at_any_depth(axis, mode):
    xs, places = drawn(3, 2, 3, 3, 4, 2), numpy.array([[[0, 5], [1, 1], [-1, 2]]] * 2)

    def total(x, k):
        return (np.take(x, k, axis=axis, mode=mode) ** 3).sum()

    for scalar in (total, lambda x, k: (func.grad(total)(x, k) ** 2).sum()):
        slope = func.grad(scalar)
        found = func.vmap(func.vmap(slope))(np.array(xs), np.array(places, dtype="int32"))
        for at in numpy.ndindex(2, 3):
            right = slope(np.array(xs[at]), np.array(places[at], dtype="int32"))
            assert_allclose(found[at].asnumpy(), right.asnumpy(), rtol=1e-12)


def test_a_softmax_over_as_many_places_as_each_example_has():
    x, length = drawn(4, 3, 5), np.array([[1], [5], [3]], dtype="int32")

    def f(x, n):
        return npx.softmax(x, n, use_length=True)

    found = func.vmap(f)(np.array(x), length).asnumpy()
    for k in range(3):
        assert_allclose(found[k], f(np.array(x[k]), length[k]).asnumpy(), rtol=1e-12)
