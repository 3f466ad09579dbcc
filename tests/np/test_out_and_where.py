"""`out=`, `where=`, `dtype=` and `casting=`, as in NumPy, and their effect on gradients."""

from __future__ import annotations

import numpy
import pytest

from gluon import autograd, np
from gluon._core.errors import ArgumentError, DTypeError

MASK = numpy.array([True, False, True])
VALUES = numpy.array([[0.5, 0.25, 2.0], [1.5, 0.75, 0.5]])


def ours(raw: numpy.ndarray) -> np.ndarray:
    return np.array(raw, dtype=raw.dtype)


ONE = "exp log sqrt tanh negative isnan logical_not positive sign".split()
TWO = "add divide power arctan2 maximum greater logical_and floor_divide hypot".split()


@pytest.mark.parametrize("name", ONE + TWO)
@pytest.mark.parametrize("library", [np, numpy], ids=["gluon", "numpy"])
def test_a_mask_says_what_of_out_is_written(name, library):
    args = [VALUES, VALUES[1]][: 1 + (name in TWO)]
    kind = getattr(numpy, name)(*args).dtype
    filled = numpy.full((2, 3), 7).astype(kind)
    target, wanted = ours(filled), filled.copy()
    getattr(numpy, name)(*args, where=MASK, out=wanted)
    found = getattr(library, name)(*map(ours, args), where=MASK, out=target)
    assert found is target
    assert (found.dtype, found.tolist()) == (wanted.dtype, wanted.tolist())
    alone = getattr(np, name)(*map(ours, args), where=ours(MASK))
    assert alone.tolist() == numpy.where(MASK, wanted, numpy.zeros((), kind)).tolist()


def test_numpy_keeps_what_a_mask_leaves_out():
    target = numpy.full(3, 9.0)
    assert numpy.add(np.ones(3), 1, where=MASK, out=target) is target
    assert target.tolist() == [2, 9, 2]
    numpy.spacing(np.ones(3), where=np.array(MASK, dtype=bool), out=target)
    assert target.tolist() == [numpy.spacing(numpy.float32(1)), 9, numpy.spacing(numpy.float32(1))]


def test_what_a_mask_leaves_out_does_no_harm_to_gradients():
    a, b = np.array([1.0, 2, 3]), np.array([2.0, 0, 4])
    a.attach_grad()
    b.attach_grad()
    with autograd.record():
        y = np.divide(a, b, where=b != 0, out=np.full(3, -1.0))
        z = np.log(b, where=b > 0)
    autograd.backward([y, z])
    assert y.tolist() == [0.5, -1, 0.75]
    assert a.grad.tolist() == [0.5, 0, 0.25]
    numpy.testing.assert_allclose(b.grad.tolist(), [-0.25 + 0.5, 0, -3 / 16 + 0.25], rtol=1e-6)


def test_what_out_held_keeps_its_gradient_where_the_mask_leaves_it():
    x, kept = np.array([1.0, 2, 3]), np.array([5.0, 6, 7])
    kept.attach_grad()
    x.attach_grad()
    with autograd.record():
        out = kept * 1
        np.square(x, out=out, where=MASK)
    out.backward()
    assert out.tolist() == [1, 6, 9]
    assert (x.grad.tolist(), kept.grad.tolist()) == ([2, 0, 6], [0, 1, 0])


def test_masks_stretch_and_have_any_number_of_axes():
    x = np.array([1.0, 2.0])
    assert np.add(x, 1, where=np.array([[True], [False]])).tolist() == [[2, 3], [0, 0]]
    assert np.add(1, 2, where=[True, False]).tolist() == [3, 0]
    assert np.exp(np.array(0.0), where=np.array(False)).tolist() == 0
    assert np.add(np.zeros((0, 2)), 1, where=[True, False]).shape == (0, 2)
    with pytest.raises(ArgumentError, match="out has shape"):
        np.add(x, 1, where=numpy.ones((3, 2), bool), out=np.zeros(2))


PAIRS = {"modf": (VALUES - 1,), "frexp": (VALUES,), "divmod": (VALUES, VALUES[1])}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("library", [np, numpy], ids=["gluon", "numpy"])
def test_functions_of_two_results_take_a_pair(name, library):
    args = PAIRS[name]
    plain = getattr(numpy, name)(*args)
    for given, where in [((0, 1), True), ((0, None), True), ((0, 1), MASK)]:
        wanted = [numpy.full_like(y, 7) for y in plain]
        getattr(numpy, name)(*args, out=tuple(wanted), where=where)
        targets = tuple(None if k is None else ours(numpy.full_like(plain[k], 7)) for k in given)
        found = getattr(library, name)(*map(ours, args), out=targets, where=where)
        for y, want, target in zip(found, wanted, targets):
            assert target is None or y is target
            assert (y.dtype, y.tolist()) == (want.dtype, want.tolist())
    with pytest.raises((ArgumentError, ValueError, TypeError)):
        getattr(np, name)(*map(ours, args), out=np.zeros(3))


def test_fractions_have_the_sign_of_the_number():
    given = numpy.array([-2.0, -0.0, numpy.inf, -numpy.inf, numpy.nan, -2.5])
    for y, want in zip(np.modf(ours(given)), numpy.modf(given)):
        numpy.testing.assert_array_equal(y.asnumpy(), want)
        numpy.testing.assert_array_equal(numpy.signbit(y.asnumpy()), numpy.signbit(want))


@pytest.mark.parametrize("name", "concatenate stack hstack vstack dstack column_stack".split())
def test_joining_takes_a_dtype_and_says_what_may_be_cast(name):
    parts = [np.ones(2), np.zeros(2, dtype="float64")]
    assert getattr(np, name)(parts, dtype="float16").dtype == "float16"
    with pytest.raises(DTypeError, match="same_kind"):
        getattr(np, name)(parts, dtype="int32")
    assert getattr(np, name)(parts, dtype="int32", casting="unsafe").dtype == "int32"


def test_out_of_products_and_counts():
    a, v, out = np.ones((2, 2)), np.ones(2), np.zeros(2)
    for result in (np.matvec(a, v, out), np.vecmat(v, a, out=out), np.vecdot(a, v, out=out)):
        assert result is out
        assert out.tolist() == [2, 2]
    counts = np.full(3, 9, dtype="uint8")
    np.bitwise_count(np.array([1, 2, 7], dtype="int32"), out=counts, where=MASK)
    assert counts.tolist() == [1, 9, 3]
    assert np.float_power(v, 2, casting="same_kind").dtype == "float64"
    with pytest.raises(DTypeError, match="forbids"):
        np.ldexp(v, 2, out=np.zeros(2, dtype="int32"))


@pytest.mark.parametrize("order", ["C", "F", "A"])
def test_the_order_in_which_values_are_read(order):
    raw = numpy.arange(6.0).reshape(2, 3)
    x = ours(raw)
    x.attach_grad()
    with autograd.record():
        results = [x.reshape(3, -1, order=order), x.flatten(order), np.ravel(x, order)]
        y = (np.reshape(x, (6,), order) * np.arange(6)).sum()
    wanted = [raw.reshape(3, -1, order=order), raw.flatten(order), raw.ravel(order)]
    assert [one.tolist() for one in results] == [one.tolist() for one in wanted]
    y.backward()
    assert x.grad.tolist() == numpy.arange(6).reshape((2, 3), order=order).tolist()
    assert x.tobytes(order) == raw.tobytes(order)
