"""Conversion of arrays: dtypes, devices, NumPy, pickles, copies, DLPack."""

from __future__ import annotations

import copy
import pickle
from types import SimpleNamespace

import numpy as np
import pytest

from gluon import GluonError, autograd, cpu, nd
from gluon import np as mxnp
from gluon._core.errors import DTypeError
from tests._core.arrays.programs import CONVERTING
from tests._core.arrays.replay import assert_as_the_oracle, programs

#: Whether NumPy cannot say by DLPack what may be written.
SILENT = np.lib.NumpyVersion(np.__version__) < "2.1.0"
DTYPES = ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool"]


@pytest.mark.parametrize("program", programs(CONVERTING, {}))
def test_as_the_oracle(program):
    assert_as_the_oracle(program)


@pytest.mark.parametrize("module", [nd, mxnp])
def test_an_array_stands_for_its_dtype(module):
    half = module.ones((2,), dtype="float16")
    assert module.ones((3,)).astype(half).dtype == np.float16
    assert module.ones((3,), dtype=half).dtype == np.float16


@pytest.mark.parametrize("dtype", [SimpleNamespace(dtype="no dtype"), "x", [1], object()])
def test_what_is_no_dtype_is_refused(dtype, x):
    with pytest.raises(DTypeError, match="is not supported; use one of float32"):
        x.astype(dtype)


@pytest.fixture
def x():
    return nd.array([[1, 2], [3, 4]])


@pytest.mark.parametrize("dtype", DTYPES)
def test_pickles(dtype):
    before = nd.array([0, 1, 3], dtype=dtype, ctx=cpu(2))
    after = pickle.loads(pickle.dumps(before))
    assert (after.dtype, after.context) == (before.dtype, cpu(2))
    np.testing.assert_array_equal(after.asnumpy(), before.asnumpy())


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_clones_have_memory_of_their_own_and_no_history(clone, x):
    x.attach_grad()
    with autograd.record():
        y = x * 2
    z = clone(y)
    z[:] = 0
    assert y.asnumpy().tolist() == [[2, 4], [6, 8]]
    with pytest.raises(GluonError):
        z.backward()
    y.backward()


def test_views_can_be_pickled_and_copied(x):
    assert pickle.loads(pickle.dumps(x[1])).asnumpy().tolist() == [3, 4]
    row = copy.deepcopy(x[1])
    row[:] = 0
    assert x.asnumpy().tolist() == [[1, 2], [3, 4]]


def test_asnumpy_and_numpy_and_array_are_copies(x):
    for raw in (x.asnumpy(), x.numpy(), np.asarray(x), np.array(x)):
        assert (raw.dtype, raw.shape) == (np.float32, (2, 2))
        raw[:] = 0
    assert x.asnumpy().tolist() == [[1, 2], [3, 4]]


def test_numpy_functions_take_arrays(x):
    assert np.asarray(x, "float64").dtype == np.float64
    assert np.mean(np.asarray(x)) == 2.5
    assert np.stack([x, x]).shape == (2, 2, 2)
    with pytest.raises(ValueError, match="copy"):
        x.__array__(copy=False)


def test_tolist_and_item_give_python_numbers(x):
    assert x.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert type(x[0, 0].item()) is float
    assert type(x.astype("int32")[0, 0].item()) is int
    assert type(x[0, 0].asscalar()) is np.float32
    with pytest.raises(ValueError, match=r"\(2, 2\)"):
        x.asscalar()


def test_astype_is_differentiable(x):
    x.attach_grad()
    with autograd.record():
        y = (x.astype("float64") ** 2).sum()
    assert y.dtype == np.float64
    y.backward()
    assert x.grad.dtype == np.float32
    assert x.grad.asnumpy().tolist() == [[2, 4], [6, 8]]


def test_copyto_writes_into_the_buffer(x):
    y = nd.zeros((2, 2), dtype="float64")
    pointer = y.raw.ctypes.data
    assert x.copyto(y) is y
    assert y.raw.ctypes.data == pointer
    assert (y.dtype, y.asnumpy().tolist()) == (np.float64, [[1, 2], [3, 4]])


def test_a_copy_on_another_device_is_recorded(x):
    x.attach_grad()
    with autograd.record():
        y = x.as_in_context(cpu(1)) * 3
    y.backward()
    assert y.context == cpu(1)
    assert x.grad.asnumpy().tolist() == [[3, 3], [3, 3]]


# --------------------------------------------------------------------------- shared memory


def test_from_numpy_shares_memory_both_ways():
    raw = np.zeros((2, 3), "float32")
    other = raw[:]
    x = nd.from_numpy(raw)
    x[0] = 1
    other[1] = 2
    x += 1
    assert raw.tolist() == x.asnumpy().tolist() == [[2, 2, 2], [3, 3, 3]]
    row = x[1]
    row[:] = 9
    assert raw[1].tolist() == [9, 9, 9]


def test_from_numpy_without_zero_copy():
    raw = np.zeros(2)
    x = nd.from_numpy(raw, zero_copy=False)
    raw[:] = 2
    assert x.tolist() == [0, 0]
    x[:] = 1
    assert raw.tolist() == [2, 2]
    assert x.dtype == np.float64


@pytest.mark.parametrize(
    "raw", [np.zeros((2, 3)).T, np.zeros(4)[::2]], ids=["transposed", "strided"]
)
def test_from_numpy_refuses_what_it_cannot_share(raw):
    with pytest.raises(GluonError, match="zero_copy=False"):
        nd.from_numpy(raw)


def test_from_numpy_makes_its_source_read_only():
    raw = np.zeros((2, 2))
    part = raw[:1]
    x, y = nd.from_numpy(part), nd.from_numpy(part)  # the second of what the first one locked
    with pytest.raises(ValueError, match="read-only"):
        part[0] = 1
    raw[0] = 2
    x[0, 0] = 3
    y[0, 1] = 4
    assert x.tolist() == y.tolist() == part.tolist() == [[3, 4]]
    assert nd.from_numpy(np.zeros((0, 2))).shape == (0, 2)
    nd.from_numpy(raw, zero_copy=False)
    assert raw.flags.writeable


def test_from_numpy_refuses_what_it_may_not_write():
    raw = np.frombuffer(b"12345678")
    with pytest.raises(GluonError, match="writeable"):
        nd.from_numpy(raw)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "uint8", "bool"])
def test_from_numpy_takes_every_dtype_and_keeps_it(dtype):
    raw = np.ones((2, 2), dtype)
    x = nd.from_numpy(raw)
    assert x.dtype is raw.dtype.type
    x[0] = 0
    assert not raw[0].any()


def test_numpy_reads_dlpack_without_a_copy(x):
    raw = np.from_dlpack(x)
    assert raw.tolist() == x.tolist()
    assert raw.ctypes.data == x.raw.ctypes.data
    assert x.__dlpack_device__() == (1, 0)


def test_from_dlpack_shares_memory():
    raw = np.zeros((2, 2), "float32")
    x = nd.from_dlpack(raw)
    x[:] = 4
    assert raw.tolist() == [[4, 4], [4, 4]]


def test_from_dlpack_keeps_a_shape_without_axes():
    assert nd.from_dlpack(np.array(5.0)).shape == ()


def test_from_dlpack_copies_memory_that_is_not_contiguous():
    raw = np.arange(12.0, dtype="float32").reshape(3, 4)
    for part in (raw.T, raw[:, ::2]):
        x = nd.from_dlpack(part)
        assert x.asnumpy().tolist() == part.tolist()
        x[:] = 0
    assert raw.sum() == 66


@pytest.mark.skipif(SILENT, reason="NumPy does not give read-only memory")
def test_from_dlpack_copies_memory_that_is_read_only():
    raw = np.zeros(3)
    raw.flags.writeable = False
    for source in (raw, raw.__dlpack__(max_version=(1, 0))):
        x = nd.from_dlpack(source)
        x[:] = 4
        assert (x.tolist(), raw.tolist()) == ([4, 4, 4], [0, 0, 0])


def test_a_capsule_is_of_memory_that_is_shared():
    raw = np.zeros(3)
    for kwargs in [{}] if SILENT else [{}, {"max_version": (1, 0)}]:
        x = nd.from_dlpack(raw.__dlpack__(**kwargs))
        x += 1
    assert raw.tolist() == x.tolist() != [0, 0, 0]


class Elsewhere:
    """An array of another library, with the number of its device in DLPack."""

    def __init__(self, number):
        self.number, self.values = number, np.zeros(3)

    def __dlpack_device__(self):
        return (self.number, 0)

    def __dlpack__(self, *, dl_device=None, **kwargs):
        if dl_device is not None:
            raise BufferError("no copy is made")
        return self.values.__dlpack__(**kwargs)


@pytest.mark.parametrize("number", [1, 3, 11, 13])
def test_memory_that_the_host_reads_is_shared(number):
    source = Elsewhere(number)
    nd.from_dlpack(source)[:] = 4
    assert source.values.tolist() == [4, 4, 4]


def test_memory_on_a_gpu_that_its_library_does_not_copy_is_an_error():
    with pytest.raises(GluonError, match="Elsewhere has its memory on a GPU; copy it to the host"):
        nd.from_dlpack(Elsewhere(2))


@pytest.mark.parametrize("make", [nd.from_numpy, nd.from_dlpack], ids=lambda f: f.__name__)
def test_memory_of_a_dtype_that_arrays_cannot_have_is_an_error(make):
    with pytest.raises(GluonError, match="complex64"):
        make(np.ones(2, "complex64"))


@pytest.mark.slow  # importing torch takes seconds
def test_torch_round_trip():
    torch = pytest.importorskip("torch")
    tensor = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    x = nd.from_dlpack(tensor)
    assert x.shape == (2, 3)
    x *= 2
    assert tensor.tolist() == [[0, 2, 4], [6, 8, 10]]
    y = nd.ones((2,))
    back = torch.from_dlpack(y)
    back += 1
    assert y.asnumpy().tolist() == [2, 2]
