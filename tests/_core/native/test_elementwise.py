"""Compiled elementwise operations against NumPy's: any shape, layout and value."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gluon._core.engine.op import TABLE
from gluon._core.native.loading import library, status
from gluon._core.native.stand_ins import STAND_INS
from tests._core.native.draws import shapes as drawn_shapes
from tests.each import each

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")

OPERATIONS = [name for name in (library.OPERATIONS if library else ()) if name in TABLE]


class Accuracy(NamedTuple):
    """How close an operation comes to the plain kernel in double precision.

    Attributes
    ----------
    ulps : float
        How many units of the last place they may differ by.
    near_zero : float
        How far apart they may be where that is more: no sum of terms that cancel is exact to the
        last digit, and products with denormals lose digits.
    exact : callable, optional
        What the right values are, where the plain kernel loses digits too.
    everywhere : bool
        Whether that holds for all floats, not just for those that are drawn.
    """

    ulps: float
    near_zero: float = 0
    exact: Callable | None = None
    everywhere: bool = True


_below = np.vectorize(lambda x: math.erfc(-x * math.sqrt(0.5)) / 2, otypes=[float])


def _gelu_slope(x: np.ndarray) -> np.ndarray:
    return _below(x) + x * np.exp(-x * x / 2) / math.sqrt(2 * math.pi)


#: Operations that round differently from NumPy; all others give the same bits.
ACCURACY = {
    **dict.fromkeys("exp log tanh sigmoid softrelu erfinv".split(), Accuracy(4)),
    **dict.fromkeys(
        "expm1 log1p log2 log10 sinh cosh arcsinh arccosh arctanh".split(), Accuracy(3)
    ),
    "rsqrt": Accuracy(2, everywhere=False),
    "erf": Accuracy(2),
    "erf_slope": Accuracy(3),
    "gamma": Accuracy(3, everywhere=False),
    "gammaln": Accuracy(3, near_zero=1e-12, everywhere=False),
    "digamma": Accuracy(3, near_zero=1e-12, everywhere=False),
    "gelu": Accuracy(6, exact=lambda x: x * _below(x)),
    "gelu_slope": Accuracy(3, near_zero=1e-7, exact=_gelu_slope),
    **dict.fromkeys(("logaddexp", "logaddexp2"), Accuracy(3, near_zero=3e-7, everywhere=False)),
}
#: Differences lose digits: the tolerance is in units of the operands, and of their size.
LOSES = {"tanh_grad": lambda g, p: np.abs(g) * (1 + p * p)}
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 1e-39, 3e38, -3e38, 88.9, -103.5]


def fits_in_memory_order(inputs: list) -> bool:
    """Whether the library walks along the last axis of several values, from one to the next."""
    inputs = [x for x in inputs if np.ndim(x)]
    steps = [[step for n, step in zip(x.shape, x.strides) if n > 1] for x in inputs]
    return any(steps) and all(not own or own[-1] == x.itemsize for x, own in zip(inputs, steps))


def check(name: str, inputs: list) -> None:
    plain = TABLE[name].fallback
    compiled = library.Elementwise(plain, name, 1)
    with np.errstate(all="ignore"):
        found, wanted = compiled(*inputs), plain(*inputs)
    kinds = [f"{x.dtype} of shape {x.shape}" for x in (found, wanted)]
    assert kinds[0] == kinds[1], f"{name} gives {kinds[0]}, and its plain kernel {kinds[1]}"
    if name in LOSES:
        with np.errstate(all="ignore"):
            large = LOSES[name](*[np.asarray(x, np.float64) for x in inputs]).astype(found.dtype)
            allowed = 4 * np.spacing(np.where(np.isfinite(large), large, 0))
            close = np.abs(found - wanted) <= allowed
        same = (found == wanted) | (np.isnan(found) & np.isnan(wanted))
        assert np.all(same | close | ~np.isfinite(large))
        return
    if name not in ACCURACY:
        np.testing.assert_array_equal(found, wanted)
        return
    with np.errstate(all="ignore"):
        ulps, near_zero, right, _ = ACCURACY[name]
        exact = np.asarray((right or plain)(*[np.asarray(x, np.float64) for x in inputs]))
        rounded = exact.astype(found.dtype)
        allowed = np.maximum(ulps * np.spacing(np.abs(rounded)), near_zero)
        close = np.abs(found - exact) <= allowed
        if found.dtype == np.float64 or not fits_in_memory_order(inputs):
            close |= found == wanted  # computed by NumPy, with its own rounding
    wrong = ~(close | (found == rounded) | (np.isnan(found) & np.isnan(rounded)))
    assert not wrong.any(), worst(name, inputs, found, exact, wrong)


def worst(name: str, inputs: list, found: np.ndarray, exact: np.ndarray, wrong: np.ndarray) -> str:
    """What a message says of the wrong results of an operation: where they are farthest off."""
    unit = np.spacing(np.abs(exact.astype(found.dtype))).astype(np.float64)
    with np.errstate(all="ignore"):
        ulps = np.where(wrong, np.nan_to_num(np.abs(found - exact) / unit, nan=np.inf), 0)
    at = np.unravel_index(np.argmax(ulps), ulps.shape)
    given = ", ".join(f"{np.broadcast_to(x, found.shape)[at]:.9g}" for x in inputs)
    return (
        f"{name}({given}) gives {found[at]:.9g}, and {exact[at]:.9g} is right: {ulps[at]:.3g} units"
        f" of the last place; {wrong.sum()} of {wrong.size} results are too far off, see ACCURACY"
    )


@st.composite
def arrays(draw, shape, dtype):
    """An array of `shape`, perhaps a view into a larger one, with special values among others."""
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    step = draw(st.sampled_from([1, 1, 2]))
    offset = draw(st.integers(0, 2))
    whole = rng.normal(
        scale=draw(st.sampled_from([1, 30])), size=(*shape[:-1], shape[-1] * step + 2)
    )
    places = rng.random(whole.shape) < 0.1
    whole[places] = rng.choice(SPECIAL, places.sum())
    x = whole.astype(dtype)[..., offset : offset + shape[-1] * step : step]
    return x.T.copy().T if draw(st.booleans()) else x


@st.composite
def calls(draw, inputs):
    dtype = draw(st.sampled_from(["float32", "float64"]))
    shape = draw(drawn_shapes([0, 1, 2, 3, 17, 70], least_axes=1))
    first = draw(arrays(shape, dtype))
    if inputs == 1:
        return [first]
    kind = draw(st.sampled_from(["same", "stretched", "fewer", "number", "0-d"]))
    if kind == "number":
        second = draw(st.sampled_from([0.5, -2.0, 0.0]))
    elif kind == "0-d":
        second = np.asarray(1.5, dtype)
    else:
        other = [n if kind == "same" or draw(st.booleans()) else 1 for n in shape]
        second = draw(
            arrays(tuple(other[1:] if kind == "fewer" and len(other) > 1 else other), dtype)
        )
    return [second, first] if draw(st.booleans()) else [first, second]


@pytest.mark.parametrize("name", OPERATIONS)
def test_drawn_calls_give_what_numpy_gives(name):
    @settings(max_examples=30)
    @given(calls(len(TABLE[name].inputs)))
    def run(inputs):
        # relu returns an array; the sign of a number is a float64 in NumPy.
        assume(name != "relu_grad" or isinstance(inputs[1], np.ndarray))
        check(name, inputs)

    run()


@pytest.mark.parametrize("name", OPERATIONS)
def test_many_values_are_computed_in_parts(name):
    rng = np.random.default_rng(0)
    inputs = [rng.normal(size=(3, 70_001)).astype(np.float32) for _ in TABLE[name].inputs]
    check(name, inputs)


@each("name", OPERATIONS)
@pytest.mark.parametrize("width", [1, 63, 64, 65, 127, 128, 200])
def test_rows_of_every_length_may_stay_or_be_stretched(name, width):
    rng = np.random.default_rng(width)
    x = rng.normal(size=(90, width)).astype(np.float32)
    row, column = x[0], x[:, :1]
    if len(TABLE[name].inputs) == 2:
        for pair in ((x, row), (column, x), (x, x[:, :1]), (column, row), (x[::2], row)):
            check(name, list(pair))
    else:
        check(name, [np.broadcast_to(column, (90, 7))])
        check(name, [np.concatenate([x, x], 1)[:, 1 : 1 + width]])


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name in OPERATIONS if name in ACCURACY and ACCURACY[name].everywhere]
)
def test_functions_are_accurate_over_their_whole_range(name):
    # every 16411th of the bit patterns of a float
    x = np.arange(0, 1 << 32, 16411, dtype=np.uint64).astype(np.uint32).view(np.float32)
    check(name, [np.abs(x) if name == "log" else x])


def error_of(function, arguments: list) -> type | None:
    try:
        function(*arguments)
    except (TypeError, ValueError) as error:
        return type(error)
    return None


@each("name", OPERATIONS)
def test_what_does_not_fit_is_left_to_numpy(name):
    compiled = library.Elementwise(TABLE[name].fallback, name, 1)
    plain = TABLE[name].fallback
    ones = np.ones((3, 4), np.int32)
    inputs = [ones] * len(TABLE[name].inputs)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(compiled(*inputs), plain(*inputs))
    for wrong in ([], [np.array(["a"]), 1][: len(inputs)], [ones] * 5):
        assert error_of(compiled, wrong) is error_of(plain, wrong)


@pytest.mark.parametrize("name", ["mod", "fmod"])
@pytest.mark.parametrize("magnitude", [0, 40, 120])
def test_remainders_are_exact(name, magnitude):
    # With exponents this far apart quotients are beyond what floats, and doubles, hold exactly.
    rng = np.random.default_rng(0)
    x, z = (
        np.concatenate(
            [
                rng.normal(size=5000) * np.exp2(rng.integers(-magnitude, magnitude + 1, 5000)),
                rng.integers(-1000, 1000, 5000) // (1 + 99 * k),
                rng.choice(SPECIAL, 5000),
            ]
        ).astype("float32")
        for k in range(2)
    )
    plain = TABLE[name].fallback
    with np.errstate(all="ignore"):
        found, wanted = library.Elementwise(plain, name, 1)(x, z), plain(x, z)
    np.testing.assert_array_equal(found, wanted)
    numbers = ~np.isnan(wanted)
    np.testing.assert_array_equal(np.signbit(found)[numbers], np.signbit(wanted)[numbers])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("name", "attributes"),
    [
        ("leaky_relu", {"slope": 0.1}),
        ("leaky_relu_slope", {"slope": 0.1}),
        ("smooth_l1", {"scalar": 1.0}),
        ("smooth_l1", {"scalar": 3.0}),
        ("smooth_l1", {"scalar": 0.0}),
    ],
)
def test_rectifiers_and_losses(name, attributes, dtype):
    x = np.random.default_rng(0).normal(size=(50, 101)).astype(dtype)
    x[:3] = np.resize([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-42, -3e38], (3, 101))
    plain = TABLE[name].fallback
    for one in (x, x[:, ::2], x.T, x[0, 0]):
        with np.errstate(all="ignore"):
            found = STAND_INS[name](plain, one, **attributes)
            wanted = plain(one, **attributes)
        assert found.dtype == dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("i,j->ij", [(300,), (40,)]),
        ("i,j->ji", [(300,), (40,)]),
        ("ij,jk->jki", [(7, 9), (9, 65)]),
        ("ij,ji->ij", [(7, 9), (9, 7)]),
        ("i,j->ij", [(1,), (3,)]),
        ("i,j->ij", [(0,), (3,)]),
    ],
)
def test_products_without_sums(subscripts, shapes, dtype):
    def refuse(*xs, **attributes):
        raise AssertionError("this goes to the plain kernel")

    rng = np.random.default_rng(0)
    xs = [rng.normal(size=shape).astype(dtype) for shape in shapes]
    found = STAND_INS["einsum"](refuse, *xs, subscripts=subscripts)
    np.testing.assert_array_equal(found, np.einsum(subscripts, *xs))
    for other in ("ii,j->ij", "ij,j->i"):
        with pytest.raises(AssertionError, match="plain"):
            STAND_INS["einsum"](refuse, np.ones((3, 3)), np.ones(3), subscripts=other)


@pytest.mark.parametrize(
    ("shape", "count"), [((50, 101), 101), ((4, 5, 30, 20), 5), ((2, 5, 999), 1)]
)
def test_prelu_has_slopes_for_channels(shape, count):
    rng = np.random.default_rng(0)
    x, gamma = rng.normal(size=shape).astype("float32"), rng.normal(size=count).astype("float32")
    plain = TABLE["prelu"].fallback
    np.testing.assert_array_equal(STAND_INS["prelu"](plain, x, gamma), plain(x, gamma))
    with pytest.raises(ValueError, match="one per channel"):
        STAND_INS["prelu"](plain, x, np.ones(7, "float32"))


def test_trigamma_is_accurate():
    # All floats of 16 bits, and what lies between: the poles and both ends are among them.
    x = np.arange(1 << 16, dtype=np.uint32) << 16
    x = np.concatenate([x.view("float32"), np.linspace(-30, 30, 40_001, dtype="float32")])
    plain = TABLE["polygamma"].fallback
    with np.errstate(all="ignore"):
        found = STAND_INS["polygamma"](plain, x, n=1)
        wanted = plain(x.astype(np.float64), n=1)
        rounded = wanted.astype("float32")
        close = np.abs(found - wanted) <= 3 * np.spacing(rounded)
    assert np.all(close | (found == rounded) | (np.isnan(found) & np.isnan(rounded)))
    for n in (0, 2):
        np.testing.assert_array_equal(
            STAND_INS["polygamma"](plain, x[-9:], n=n), plain(x[-9:], n=n)
        )


@pytest.mark.parametrize("name", ["add", "greater", "logaddexp"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_arrays_of_two_layouts_are_brought_into_one(name, dtype):
    rng = np.random.default_rng(0)
    x, z = (rng.normal(size=(60, 70, 80)).astype(dtype) for _ in range(2))
    z = z.transpose(2, 0, 1).copy().transpose(1, 2, 0)
    for pair in ((x, z), (z, x), (x[:, ::2].copy(), z[:, ::2]), (x[0], z[0])):
        check(name, list(pair))
