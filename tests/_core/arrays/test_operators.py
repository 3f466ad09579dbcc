"""Python's operators on arrays and numbers: values, dtypes, in-place forms, errors."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from gluon import GluonError, autograd, nd
from tests._core.arrays.programs import OPERATORS
from tests._core.arrays.replay import assert_as_the_oracle, gluon_gives, programs
from tests.each import each

ALIASED = "MXNet reads what it has just written"
DIFFERENT = {
    "m += m[0]; m": ALIASED,
    "m -= m[0]; m": ALIASED,
    "m *= m[0]; m": ALIASED,
    "m /= m[0]; m": ALIASED,
    "w += w[0:1]; w": ALIASED,
    "w -= w[0:1]; w": ALIASED,
}
ARITHMETIC = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.mod,
    operator.pow,
]
COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]
FLOATS = ["float16", "float32", "float64"]
INTEGERS = ["uint8", "int8", "int32", "int64"]


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@each("program", programs(OPERATORS, DIFFERENT))
def test_as_the_oracle(program):
    assert_as_the_oracle(program, rtol=1e-5)


@pytest.mark.parametrize("program", DIFFERENT)
def test_in_place_with_a_part_of_itself_reads_before_it_writes(program):
    safe = program.replace("[0]; ", "[0].copy(); ").replace("[0:1]; ", "[0:1].copy(); ")
    assert gluon_gives(program).asnumpy().tolist() == gluon_gives(safe).asnumpy().tolist()


@pytest.mark.parametrize("op", ARITHMETIC, ids=lambda op: op.__name__)
@pytest.mark.parametrize("dtype", FLOATS + INTEGERS)
def test_a_number_takes_the_dtype_of_the_array(op, dtype):
    x = nd.array([1, 2, 5], dtype=dtype)
    for number in (2, np.float64(2), np.int64(2), np.float32(2)):
        assert op(x, number).dtype == x.dtype
        assert op(number, x).dtype == x.dtype


@pytest.mark.parametrize("op", ARITHMETIC, ids=lambda op: op.__name__)
@pytest.mark.parametrize(("one", "two"), [("float32", "float64"), ("int32", "float32")])
def test_mixed_dtypes_promote(op, one, two):
    """MXNet refuses them."""
    x, y = nd.array([1, 2, 5], dtype=one), nd.array([2, 2, 2], dtype=two)
    got = op(x, y).asnumpy()
    np.testing.assert_allclose(got, op(x.asnumpy(), y.asnumpy()), rtol=1e-6)
    assert got.dtype.kind == "f"


@pytest.mark.parametrize("op", COMPARISONS, ids=lambda op: op.__name__)
@pytest.mark.parametrize("dtype", FLOATS + INTEGERS)
def test_comparisons_give_0_and_1_in_the_dtype_compared(op, dtype):
    x, y = nd.array([1, 2, 3], dtype=dtype), nd.array([3, 2, 1], dtype=dtype)
    got = op(x, y)
    assert got.dtype == x.dtype
    assert got.asnumpy().tolist() == op(x.asnumpy(), y.asnumpy()).astype(int).tolist()
    assert op(x, 2).dtype == x.dtype
    assert op(2, x).asnumpy().tolist() == op(2, x.asnumpy()).astype(int).tolist()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_division_and_modulo_by_zero_do_not_raise():
    x = nd.array([1.0, -1.0, 0.0])
    assert np.isnan((x % 0).asnumpy()).all()
    np.testing.assert_array_equal((x / 0).asnumpy(), [np.inf, -np.inf, np.nan])


def test_numpy_arrays_are_refused_on_both_sides():
    """NumPy leaves the operator to NDArray rather than looping over its elements."""
    x, raw = nd.array([1.0, 2.0]), np.ones(2)
    for one, two in ((x, raw), (raw, x)):
        with pytest.raises(TypeError):
            one + two
        with pytest.raises(TypeError):
            one == two  # noqa: B015


@pytest.mark.parametrize("op", ARITHMETIC + COMPARISONS, ids=lambda op: op.__name__)
@pytest.mark.parametrize("other", [object(), None, [1, 2], {}], ids=type)
def test_what_is_no_number_and_no_array_is_a_type_error(op, other):
    x = nd.array([1.0, 2.0])
    with pytest.raises(GluonError, match=rf"{type(other).__name__}.*nd\.array") as caught:
        op(x, other)
    assert isinstance(caught.value, TypeError)
    with pytest.raises(TypeError):
        op(other, x)


def test_shapes_that_do_not_broadcast_are_named():
    with pytest.raises(GluonError, match=r"add.*\[2, 3\].*\[2\]"):
        nd.zeros((2, 3)) + nd.zeros((2,))


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "**"])
def test_in_place_keeps_identity_memory_and_dtype(sign):
    x = nd.array([1.0, 2.0])
    same, pointer = x, x.raw.ctypes.data
    names = {"x": x, "y": nd.array([2.0, 3.0], dtype="float64")}
    exec(f"x {sign}= 2; x {sign}= y", names)
    assert names["x"] is same
    assert x.raw.ctypes.data == pointer
    assert x.dtype == np.float32


@pytest.mark.parametrize("shape", [(2, 3), (1, 2, 1), (3, 1), (3,)])
def test_in_place_with_a_shape_that_does_not_fit_is_an_error(shape):
    x = nd.zeros((2, 1))
    with pytest.raises(GluonError, match=r"\(2, 1\) cannot hold"):
        x += nd.ones(shape)
    assert x.shape == (2, 1)


@pytest.mark.parametrize("op", ARITHMETIC, ids=lambda op: op.__name__)
def test_reflected_operators_have_gradients(op):
    x = nd.array([1.5, 2.0, 3.0], dtype="float64")
    x.attach_grad()
    with autograd.record():
        y = op(2.5, x).sum()
    y.backward()
    step = 1e-6
    ends = [op(2.5, x.asnumpy() + move).sum() for move in (step, -step)]
    assert x.grad.asnumpy().sum() == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-6)


def test_number_conversions():
    x = nd.array([2.5])
    assert (float(x), int(x), bool(x)) == (2.5, 2, True)
    assert [10, 20, 30][nd.array([1], dtype="int32")] == 20
    for convert in (float, int, bool):
        with pytest.raises(ValueError, match=r"scalar|ambiguous"):
            convert(nd.array([1.0, 2.0]))
    with pytest.raises(TypeError):
        [10, 20][nd.array([1.0])]


def test_an_array_is_hashable_by_identity():
    x, y = nd.zeros((2,)), nd.zeros((2,))
    assert len({x: 1, y: 2, x.detach(): 3}) == 3


def test_numbers_beyond_every_dtype_are_refused_by_size():
    x, huge = nd.array([1, 2]), 10**5000  # Python does not even show it
    for call in (lambda: x > huge, lambda: huge == x, lambda: x + huge, lambda: huge / x):
        with pytest.raises(ValueError, match="too large"):
            call()
    whole = nd.array([1, 2], dtype="int32")
    assert (whole < huge).asnumpy().all()
    assert not (whole == huge).asnumpy().any()
    with pytest.raises(ValueError, match="an integer of 16610 bits"):
        _ = whole + huge


def test_the_softsign_of_integers_is_0_also_at_the_ends_of_their_range():
    for dtype in ("int8", "uint8", "int32", "int64"):
        ends = np.iinfo(dtype)
        x = nd.array(np.array([ends.min, ends.max], dtype), dtype=dtype)
        assert not nd.softsign(x).asnumpy().any()
