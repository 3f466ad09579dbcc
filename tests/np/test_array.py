"""`np.ndarray`: what it has in common with NDArray, how it differs, and NumPy's semantics."""

from __future__ import annotations

import copy
import inspect
import pickle

import numpy
import pytest

import gluon
from gluon import autograd, nd, np, npx


@pytest.fixture(autouse=True)
def classic_again():
    yield
    npx.reset_np()


def test_an_array_passes_for_an_ndarray_but_not_the_reverse():
    assert isinstance(np.ones(2), nd.NDArray)
    assert not isinstance(nd.ones(2), np.ndarray)
    assert issubclass(np.ndarray, nd.NDArray)
    assert nd.NDArray not in np.ndarray.__mro__


def test_the_other_interface_shares_memory():
    x = np.arange(4).reshape(2, 2)
    y = x.as_nd_ndarray()
    assert type(y) is nd.NDArray
    assert y.as_nd_ndarray() is y
    y[0] = 9
    x[1, 1] = 5
    assert x.tolist() == y.asnumpy().tolist() == [[9, 9], [2, 5]]


def test_the_other_interface_shares_the_graph():
    x = nd.array([1, 2])
    x.attach_grad()
    with autograd.record():
        y = (x.as_np_ndarray() ** 2).as_nd_ndarray() * 3
    y.backward()
    assert x.grad.asnumpy().tolist() == [6, 12]
    assert type(x.grad) is nd.NDArray
    assert type(x.as_np_ndarray().grad) is np.ndarray


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (lambda: np.array([1, 2]), "array([1., 2.])"),
        (lambda: np.array(3), "array(3.)"),
        (lambda: np.array([1, 2], dtype="int32"), "array([1, 2], dtype=int32)"),
        (lambda: np.array([1, 2], dtype="int64"), "array([1, 2], dtype=int64)"),
        (lambda: np.array([1, 2], dtype="float64"), "array([1., 2.], dtype=float64)"),
        (lambda: np.ones(2) > 0, "array([ True,  True])"),
        (lambda: np.zeros((0, 3)), "array([], shape=(0, 3))"),
        (lambda: np.array([]), "array([])"),
        (lambda: np.ones(2, ctx=gluon.cpu(1)), "array([1., 1.])"),
        (lambda: np.array([[1.5, 2], [3, 4]]), "array([[1.5, 2. ],\n       [3. , 4. ]])"),
    ],
)
def test_printing(array, text):
    assert repr(array()) == text


def test_a_long_array_wraps_without_a_trailing_dtype():
    assert repr(np.arange(30)).endswith("29.])")


@pytest.mark.parametrize("key", [slice(1, 3), slice(None, None, 2), (slice(None), 1), 0, None, ...])
def test_basic_slices_are_views(key):
    x = np.arange(12).reshape(4, 3)
    raw = numpy.arange(12, dtype="float32").reshape(4, 3)
    view, expected = x[key], raw[key]
    view[...] = -1
    expected[...] = -1
    assert x.asnumpy().tolist() == raw.tolist()
    x += 1
    assert view.asnumpy().tolist() == numpy.zeros_like(expected).tolist()


@pytest.mark.parametrize(
    "key",
    [
        [0, 2],
        ([0, 1], [1, 2]),
        (slice(None), [2, 0]),
        numpy.array([[True, False, True]] * 4),
        (numpy.array([True, False, True, False]), 1),
        (1, 2),
        (..., None, 0),
    ],
)
def test_picking_and_writing_with_gradients(key):
    raw = numpy.arange(12, dtype="float32").reshape(4, 3)
    x = np.array(raw)
    x.attach_grad()
    with autograd.record():
        y = x[key] * 2
        y.sum().backward()
    expected = numpy.zeros_like(raw)
    expected[key] = 2
    assert y.asnumpy().tolist() == (raw[key] * 2).tolist()
    assert x.grad.tolist() == expected.tolist()
    with autograd.record():
        z = x * 1
        z[key] = 5
        z.sum().backward()
    raw[key] = 5
    assert z.tolist() == raw.tolist()
    assert x.grad.tolist() == (expected == 0).tolist()


def test_array_keys_may_be_float_since_that_is_the_default_dtype():
    x = np.arange(5)
    assert x[np.array([1, 3])].tolist() == [1, 3]
    assert x[x > 2].tolist() == [3, 4]


@pytest.mark.parametrize(
    ("expression", "dtype"),
    [
        ("i + f", "float32"),
        ("i + h", "float16"),
        ("i + l", "int64"),
        ("f + d", "float64"),
        ("f + h", "float32"),
        ("b + b", "bool"),
        ("b * f", "float32"),
        ("i + 2", "int32"),
        ("i * 2.5", "default"),
        ("f * 2", "float32"),
        ("h * 2.5", "float16"),
        ("b + 1", "int64"),
        ("b + 1.5", "default"),
        ("i / 2", "default"),
        ("i / i", "default"),
        ("d / 2", "float64"),
        ("2 ** f", "float32"),
        ("i ** 2", "int32"),
        ("i // 2", "int32"),
        ("i & 3", "int32"),
        ("~i", "int32"),
        ("i << 1", "int32"),
        ("i == 1.5", "bool"),
        ("f * numpy.float64(2)", "float32"),
        ("f + [1, 2]", "float32"),
        ("numpy.ones(2) * f", "float64"),
        ("abs(f)", "float32"),
        ("np.exp(i)", "default"),
        ("np.exp(b)", "default"),
        ("i.mean()", "default"),
        ("i.sum()", "int64"),
        ("b.sum()", "int64"),
        ("h.sum()", "float16"),
        ("f.argmax()", "int64"),
        ("np.where(b, i, f)", "float32"),
        ("np.concatenate([i, d])", "float64"),
        ("i @ f", "float32"),
    ],
)
@pytest.mark.parametrize("default", ["float32", "float64"])
def test_promotion(expression, dtype, default):
    names = {"b": "bool", "i": "int32", "l": "int64", "h": "float16", "f": "float32"}
    arrays = {name: np.ones(2, dtype=kind) for name, kind in {**names, "d": "float64"}.items()}
    with npx.np_default_dtype(default == "float64"):
        result = eval(expression, {"np": np, "numpy": numpy, "abs": abs, **arrays})
    assert type(result) is np.ndarray
    assert str(result.dtype) == (default if dtype == "default" else dtype)


def test_in_place_keeps_the_dtype_or_refuses():
    x = np.ones(2, dtype="int32")
    x += 1
    x *= np.array([2, 3], dtype="int8")
    assert (x.dtype, x.tolist()) == (numpy.int32, [4, 6])
    with pytest.raises(TypeError, match=r"x /= y: casting='same_kind' forbids float32 as int32"):
        x /= 2
    y = z = np.ones(2)
    y += np.ones(2, dtype="float64")
    assert y is z
    assert (y.dtype, y.tolist()) == (numpy.float32, [2, 2])
    with pytest.raises(ValueError, match="broadcast"):
        y += np.ones((3, 2))


def test_recorded_in_place():
    x = np.arange(4)
    x.attach_grad()
    with autograd.record():
        y = x * 2
        y += x
        y[0] = x[3] * 5
        y @= np.eye(4)
        y.sum().backward()
    assert x.grad.tolist() == [0, 3, 3, 8]


def test_arrays_without_axes():
    x = np.array(3.5)
    assert (x.shape, x.ndim, x.size, x.item(), x.tolist(), float(x), bool(x)) == (
        *((), 0, 1, 3.5, 3.5),
        *(3.5, True),
    )
    assert x[()].item() == 3.5
    assert x[None].shape == (1,)
    assert f"{x:.2f}" == "3.50"
    with pytest.raises(TypeError, match="0-d array"):
        len(x)
    with pytest.raises(TypeError, match="0-d array"):
        iter(x)
    with pytest.raises(IndexError, match="too many indices"):
        x[0]


def test_no_values():
    x = np.zeros((0, 3))
    assert x.sum().item() == 0
    assert x.sum(axis=0).tolist() == [0, 0, 0]
    assert (x + 1).shape == (0, 3)
    assert np.concatenate([x, np.ones((1, 3))]).shape == (1, 3)
    assert list(x) == []
    assert not bool(np.zeros(0))


def test_an_array_is_no_key():
    with pytest.raises(TypeError, match="unhashable"):
        hash(np.ones(2))


def test_copies_and_pickles_stay_arrays():
    x = np.array([1, 2], ctx=gluon.cpu(1))
    for y in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x), x.copy(), x.astype("float32")):
        assert type(y) is np.ndarray
        assert (repr(y), y.ctx) == (repr(x), x.ctx)


def test_losses_without_axes_go_back():
    x = np.ones((2, 3))
    x.attach_grad()
    with autograd.record():
        loss = (x * x).mean()
    loss.backward()
    assert loss.shape == ()
    assert x.grad.tolist() == [[pytest.approx(1 / 3)] * 3] * 2


def test_what_no_operator_knows():
    x = np.ones(2)
    with pytest.raises(TypeError, match="unsupported operand"):
        x + "a"
    with pytest.raises(TypeError, match="unsupported operand"):
        x + None
    assert (x == None) is False  # noqa: E711
    with pytest.raises(ValueError, match=r"add\(x1: float32\[2\], x2: float32\[3\]\)"):
        x + np.ones(3)


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_the_method_compress_takes_the_condition_first(axis):
    raw = numpy.arange(6.0).reshape(2, 3)
    condition = [False, True]
    expected = raw.compress(condition, axis)
    assert np.array(raw).compress(condition, axis).tolist() == expected.tolist()


def test_functions_say_where_users_find_them():
    for module in (np, np.linalg, np.random, npx):
        for name in module.__all__:
            function = getattr(module, name)
            if inspect.isfunction(function):
                found = pickle.loads(pickle.dumps(function))
                assert found is function, f"{module.__name__}.{name}"
