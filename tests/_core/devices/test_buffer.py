"""Device buffers answer NumPy's functions as arrays of NumPy do, or refuse."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

pytest.importorskip("torch")

from gluon._core.devices.available import put
from gluon._core.devices.buffer import DeviceBuffer
from gluon._core.devices.common import Unimplemented
from gluon._core.engine.op import KERNELS

pytestmark = pytest.mark.parametrize("played", ["torch:cpu"], indirect=True)
X = np.random.RandomState(0).normal(size=(4, 3, 5)).astype(np.float32)
MASK = X[:, 0, 0] > 0
KEYS = [
    1,
    -1,
    (0, 2),
    ...,
    (..., 1),
    slice(1, 3),
    (slice(None), slice(None, None, 2)),
    slice(None, None, -1),
    (slice(3, 0, -2), None, 1),
    (None, 0),
    [2, 0, 2],
    ([0, 1], [2, 0]),
    ([0, 1], slice(None), [2, 4]),
    (slice(1, None), [0, 0]),
    np.array([[0, 1], [3, 2]]),
    MASK,
    (slice(None), np.array([True, False, True])),
    X > 0,
    (0, [1, 2]),
]


@pytest.mark.parametrize("key", KEYS, ids=range(len(KEYS)))
def test_reading(key):
    np.testing.assert_array_equal(put(X, 0)[key].get(), X[key])


@pytest.mark.parametrize("key", KEYS, ids=range(len(KEYS)))
def test_writing(key):
    for value in (7, X[key] * 2, np.float32(1.5)):
        want, found = X.copy(), put(X, 0)
        want[key] = value
        found[key] = put(value, 0) if isinstance(value, np.ndarray) and value.ndim else value
        np.testing.assert_array_equal(found.get(), want)


def test_writing_overlapping_views():
    want, found = np.arange(6.0), put(np.arange(6.0), 0)
    want[1:], found[1:] = want[:-1].copy(), found[:-1]
    np.testing.assert_array_equal(found.get(), want)


def test_indices_out_of_range():
    for key in (4, -5, (0, 3), (0, 0, 0, 0)):
        with pytest.raises(IndexError):
            put(X, 0)[key]


def test_add_at():
    for key in ([0, 0, 2], ([1, 1], [2, 2]), (slice(None), [1, 1]), MASK):
        want, found = X.copy(), put(X, 0)
        value = np.ones(X[key].shape, np.float32)
        np.add.at(want, key, value)
        np.add.at(found, key, put(value, 0))
        np.testing.assert_allclose(found.get(), want)


CALLS = {
    "sum": lambda x: x.sum((0, 2), keepdims=True),
    "sum of a dtype": lambda x: np.sum(x, 1, dtype=np.float64),
    "sum of some": lambda x: np.sum(x, 1, where=x > 0),
    "sum from": lambda x: np.add.reduce(x, 0, initial=3),
    "max": lambda x: x.max(-1),
    "prod": lambda x: np.prod(x, (0, 1)),
    "mean": lambda x: x.mean((1, 2)),
    "var": lambda x: np.var(x, 1, ddof=1),
    "any": lambda x: (x > 2).any(1),
    "count": lambda x: np.count_nonzero(x > 0),
    "argmax": lambda x: x.argmax(1),
    "argmin": lambda x: np.argmin(x),
    "sort": lambda x: np.sort(x, 0),
    "argsort": lambda x: np.argsort(x, kind="stable"),
    "partition": lambda x: np.partition(x, 1, 1)[:, 1],
    "cumsum": lambda x: np.cumsum(x, 1),
    "cumsum of all": lambda x: np.cumsum(x),
    "integers": lambda x: (x * 3).astype(np.int32).sum(0),
    "bytes": lambda x: (np.abs(x) * 3).astype(np.uint8).sum(0),
    "where": lambda x: np.where(x > 0, x, 0),
    "clip": lambda x: np.clip(x, -1, 0.5),
    "concatenate": lambda x: np.concatenate([x, x * 2], 1),
    "stack": lambda x: np.stack([x, x], -1),
    "pad": lambda x: np.pad(x, [(1, 0), (0, 2), (0, 0)], constant_values=3),
    "reflect": lambda x: np.pad(x, [(0, 0), (4, 1), (0, 2)], "reflect"),
    "edge": lambda x: np.pad(x, [(1, 0), (0, 0), (0, 2)], "edge"),
    "take": lambda x: np.take(x, [0, 2, -1], 1),
    "take wrapped": lambda x: np.take(x, [7, -9], 0, mode="wrap"),
    "take along": lambda x: np.take_along_axis(x, np.argsort(x, 1), 1),
    "repeat": lambda x: np.repeat(x, 2, 0),
    "tile": lambda x: np.tile(x, (2, 1, 1)),
    "flip": lambda x: np.flip(x, 1),
    "roll": lambda x: np.roll(x, 1, 0),
    "moveaxis": lambda x: np.moveaxis(x, 0, -1),
    "expand": lambda x: np.expand_dims(x, (0, -1)),
    "diff": lambda x: np.diff(x, axis=0),
    "einsum": lambda x: np.einsum("abc,adc->bd", x, x),
    "tensordot": lambda x: np.tensordot(x, x, ([0, 2], [0, 2])),
    "matmul": lambda x: x @ x.swapaxes(1, 2),
    "power": lambda x: np.abs(x) ** 1.5,
    "decimals": lambda x: np.round(x, 1),
    "tens": lambda x: np.round(x * 100, -1),
    "round of booleans": lambda x: np.round(x > 0),
    "round of complex numbers": lambda x: np.round(x * (1 + 2.3j)),
    "mod": lambda x: x % 0.7,
    "floor divide": lambda x: x // 0.7,
    "sign": lambda x: np.sign(x),
    "promotion": lambda x: x + np.float64(1),
    "weak numbers": lambda x: (x > 0) + 1,
    "halves": lambda x: x.astype(np.float16) * 2,
    "modf": lambda x: np.modf(x)[0],
    "transposed": lambda x: x.T.reshape(5, 12),
    "fortran": lambda x: x.ravel("F"),
    "windows": lambda x: np.lib.stride_tricks.sliding_window_view(x, 2, 1),
    "nonzero": lambda x: np.nonzero(x > 0)[1],
    "bincount": lambda x: np.bincount((np.abs(x) * 2).astype(int).ravel()),
    "out": lambda x: np.multiply(x, 2, out=np.empty_like(x)),
    "out of a mask": lambda x: np.add(x, 1, out=np.zeros_like(x), where=x > 0),
}


SPECIAL = np.array([0, -0.0, 1, -1, 0.5, -2.5, np.inf, -np.inf, np.nan])
TWO = [np.floor_divide, np.remainder, np.fmod, np.heaviside, np.copysign, np.maximum, np.fmax]
TWO += [np.arctan2, np.hypot, np.logaddexp, np.nextafter, np.divide, np.float_power, np.less]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("function", TWO)
def test_special_values_of_two_arguments(function):
    x, y = (one.ravel() for one in np.meshgrid(SPECIAL, SPECIAL))
    found = function(put(x, 0), put(y, 0)).get()
    np.testing.assert_allclose(found, function(x, y), rtol=1e-12)


@pytest.mark.parametrize("name", CALLS)
def test_functions(name):
    want, found = CALLS[name](X), CALLS[name](put(X, 0))
    if not isinstance(found, int):
        assert type(found) is DeviceBuffer
        assert (found.dtype, found.shape) == (want.dtype, want.shape)
        found = found.get()
    np.testing.assert_allclose(found, want, 1e-5, 1e-5)


REFUSED = {
    "a function": lambda x: np.interp(x, x, x),
    "a ufunc's keyword": lambda x: np.matmul(x, x, axes=[(0, 1), (0, 1), (0, 1)]),
    "a keyword": lambda x: np.diff(x, n=2),
    "a mode": lambda x: np.pad(x, 1, mode="mean"),
    "a method of a ufunc": lambda x: np.add.reduceat(x, [0, 1]),
    "an order": lambda x: np.argsort(x, order="f"),
    "decimals of integers": lambda x: np.round(x.astype(int), -2),
    "an array on the host": lambda x: np.copyto(np.empty(x.shape), x),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_implemented_raises(name):
    with pytest.raises(Unimplemented):
        REFUSED[name](put(X, 0))


def test_in_place_operations_keep_the_dtype():
    x = put(X, 0)
    x += 1
    x *= np.float32(2)
    np.testing.assert_allclose(x.get(), (X + 1) * 2, 1e-6)
    with pytest.raises(TypeError):
        put(np.arange(3), 0).__iadd__(0.5)


def test_in_place_operations_write_to_the_same_memory():
    x = put(X, 0)
    memory = x.t.data_ptr()
    for ufunc, value in ((np.multiply, 2), (np.add, put(X, 0)), (np.divide, np.float32(4))):
        ufunc(x, value, out=x)
    assert x.t.data_ptr() == memory
    np.testing.assert_allclose(x.get(), X * 3 / 4, 1e-6)


def test_in_place_operations_on_overlapping_views():
    want, found = np.arange(6.0), put(np.arange(6.0), 0)
    want[1:] += want[:-1]
    found[1:] += found[:-1]
    np.testing.assert_array_equal(found.get(), want)


def test_memory_is_shared_where_values_are():
    x = put(X, 0)
    assert np.shares_memory(x, x[1:].T)
    assert not np.shares_memory(x[:2], x[2:])
    assert not np.shares_memory(x[..., ::2], x[..., 1::2])
    assert np.may_share_memory(x[:3], x[2:])
    assert not np.shares_memory(x, x.copy())


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_the_slope_of_relu_is_the_sign(dtype):
    p = np.array([0, -0.0, 1e-3, -2e-3, 1e-7, np.inf, -np.inf, np.nan, 3] * 5, dtype)
    g = np.arange(1, len(p) + 1).astype(dtype)
    found = KERNELS.relu_grad(put(g, 0), put(p, 0))
    np.testing.assert_array_equal(found.get(), g * np.sign(p))


def test_views_have_the_owner_as_base():
    x = put(X, 0)
    assert x[1:][0].base is x
    assert x.T.base is x
    assert x.reshape(-1).base is x
    assert x[[0, 1]].base is None
    assert x.copy().base is None


def test_copies_and_pickles():
    x = put(X, 1)
    for found in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert found.place == 1
        np.testing.assert_array_equal(found.get(), X)


def test_values_of_python():
    x = put(np.array([3], np.int32), 0)
    assert (int(x[0]), float(x[0]), x.tolist(), list(range(x[0]))) == (3, 3.0, [3], [0, 1, 2])
    assert not put(np.zeros(1), 0)
    assert str(x) == "[3]"


@pytest.mark.parametrize(
    "dtype", ["float16", "int8", "uint8", "int64", "bool", "complex64", "uint16"]
)
def test_dtypes_go_there_and_back(dtype):
    x = (X * 3).astype(dtype)
    assert put(x, 0).dtype == x.dtype
    np.testing.assert_array_equal(put(x, 0).get(), x)
