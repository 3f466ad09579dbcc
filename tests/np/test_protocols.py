"""NumPy's functions, other libraries and `gluon.np`'s arrays."""

from __future__ import annotations

import numpy
import pytest

from gluon import autograd, nd, np


@pytest.mark.parametrize(
    "function",
    [
        numpy.mean,
        numpy.exp,
        lambda x: numpy.add(x, 1),
        lambda x: numpy.add(1.0, x),
        lambda x: numpy.ones((2, 3), "float32") * x,
        lambda x: numpy.float64(2) * x,
        lambda x: numpy.sum(x, axis=0, keepdims=True),
        lambda x: numpy.add.reduce(x, axis=1),
        lambda x: numpy.multiply.outer(x, numpy.ones(2, "float32")),
        lambda x: numpy.add.accumulate(x),
        lambda x: numpy.concatenate([x, x]),
        lambda x: numpy.where(x > 0, x, 0),
        lambda x: numpy.matmul(x, x.T),
        lambda x: numpy.einsum("ij->j", x),
        lambda x: numpy.clip(x, 0, 1),
        lambda x: numpy.stack([x, x], axis=1),
        lambda x: numpy.reshape(x, -1),
        lambda x: numpy.dot(x, x.T),
    ],
)
def test_functions_of_numpy_run_here_and_are_recorded(function):
    raw = numpy.random.default_rng(0).normal(size=(2, 3)).astype("float32")
    x = np.array(raw)
    x.attach_grad()
    with autograd.record():
        y = function(x)
    y.backward()
    assert type(y) is np.ndarray
    numpy.testing.assert_allclose(y.asnumpy(), function(raw), rtol=1e-5)
    assert x.grad.asnumpy().any()


def test_out_may_be_of_either_library():
    x, ours, theirs = np.array([1, 2]), np.zeros(2), numpy.zeros(2)
    assert numpy.add(x, 1, out=ours) is ours
    assert numpy.add(x, 1, out=theirs) is theirs
    theirs += x
    assert (ours.tolist(), theirs.tolist()) == ([2, 3], [3, 5])


def test_other_functions_get_the_values_unless_a_gradient_would_be_lost():
    x = np.array([1, 2, 4])
    assert numpy.trapezoid(x) == 4.5 if hasattr(numpy, "trapezoid") else True
    found = numpy.fft.fftshift(x)
    assert type(found) is np.ndarray
    assert found.tolist() == [4, 1, 2]
    x.attach_grad()
    with autograd.record():
        y = x * 2
        with pytest.raises(TypeError, match="NumPy is not recorded"):
            numpy.fft.fftshift(y)
        assert numpy.fft.fftshift(y.detach()).tolist() == [8, 2, 4]


def test_arrays_convert():
    x = np.array([1, 2])
    raw = numpy.asarray(x)
    raw[0] = 9
    assert type(raw) is numpy.ndarray
    assert x.tolist() == [1, 2]
    assert numpy.asarray(x, dtype="int64").dtype == numpy.int64
    assert numpy.array([x, x]).shape == (2, 2)
    assert [*map(float, x)] == [1, 2]


def test_the_array_api_finds_the_namespace():
    x = np.ones(2)
    assert x.__array_namespace__() is np
    assert x.__array_namespace__(api_version="2023.12") is np
    with pytest.raises(ValueError, match="api_version='1999'"):
        x.__array_namespace__(api_version="1999")


def test_memory_is_shared_through_dlpack():
    x = np.zeros(3)
    y = np.from_dlpack(x)
    y[0] = 5
    assert x.tolist() == [5, 0, 0]
    assert numpy.shares_memory(numpy.from_dlpack(x), x.raw)


def test_pytorch_shares_memory_both_ways():
    torch = pytest.importorskip("torch")
    x = np.arange(3)
    tensor = torch.from_dlpack(x)
    tensor[0] = 9
    assert x.tolist() == [9, 1, 2]
    other = torch.arange(3.0)
    y = np.from_dlpack(other)
    y += 1
    assert other.tolist() == [1, 2, 3]
    assert type(y) is np.ndarray
    assert torch.asarray(np.ones(2)).tolist() == [1, 1]


class OnGpu:
    """An array of a library that keeps it on a GPU, as the producer's half of DLPack."""

    def __init__(self, copies: bool) -> None:
        self.copies = copies
        self.values = numpy.arange(3.0)

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, *, dl_device=None, **kwargs):
        if not self.copies or dl_device != (1, 0):
            raise BufferError("the array stays where it is")
        return self.values.copy().__dlpack__(**{k: v for k, v in kwargs.items() if v is not None})


def test_memory_on_a_gpu_is_copied_or_refused():
    with pytest.raises(ValueError, match="OnGpu has its memory on a GPU; copy it to the host"):
        np.from_dlpack(OnGpu(copies=False))
    if tuple(map(int, numpy.__version__.split(".")[:2])) >= (2, 1):  # before it cannot ask
        source = OnGpu(copies=True)
        x = np.from_dlpack(source)
        x[0] = 5
        assert (x.tolist(), source.values.tolist()) == ([5, 1, 2], [0, 1, 2])


def test_cupy_takes_and_gives_values():
    """GPU and host have no memory in common, so each way is one copy."""
    cupy = pytest.importorskip("cupy")
    if not cupy.cuda.is_available():
        pytest.skip("there is no GPU")
    x = np.arange(3)
    on_gpu = cupy.asarray(numpy.from_dlpack(x)) * 2
    back = np.array(cupy.asnumpy(on_gpu))
    assert back.tolist() == [0, 2, 4]
    if "dl_device" in str(cupy.ndarray.__dlpack__.__doc__):  # it copies to the host itself
        assert np.from_dlpack(on_gpu).tolist() == [0, 2, 4]
    else:
        with pytest.raises(ValueError, match=r"cupy\.asnumpy"):
            np.from_dlpack(on_gpu)
    pinned = cupy.cuda.alloc_pinned_memory(12)  # host memory that the GPU reads
    shared = np.from_dlpack(numpy.frombuffer(pinned, "float32", 3))
    shared[:] = x
    assert numpy.frombuffer(pinned, "float32", 3).tolist() == [0, 1, 2]


def test_jax_takes_and_gives_values():
    """Arrays of JAX are copied, because they must not be written to."""
    jax = pytest.importorskip("jax")
    x = np.arange(3)
    given = jax.numpy.from_dlpack(x) + 1
    back = np.from_dlpack(given)
    back += 1
    assert (given.tolist(), back.tolist()) == ([1, 2, 3], [2, 3, 4])
    assert type(back) is np.ndarray


def test_scikit_learn_accepts_arrays():
    linear = pytest.importorskip("sklearn.linear_model")
    x = np.arange(10).reshape(10, 1)
    model = linear.LinearRegression().fit(x, x.reshape(-1) * 2 + 1)
    numpy.testing.assert_allclose(model.coef_, [2], rtol=1e-5)


def test_matplotlib_accepts_arrays():
    pytest.importorskip("matplotlib").use("agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    x = np.arange(5)
    (line,) = axes.plot(x, np.exp(x))
    axes.imshow(np.ones((3, 3)))
    axes.hist(x)
    axes.scatter(x, x)
    assert line.get_ydata().shape == (5,)
    pyplot.close(figure)


def test_a_ufunc_of_an_ndarray_gives_one_and_is_recorded():
    x = nd.array([1, 2])
    x.attach_grad()
    with autograd.record():
        y = numpy.add(numpy.exp(x), 1)
    y.backward()
    assert type(y) is nd.NDArray
    numpy.testing.assert_allclose(x.grad.asnumpy(), numpy.exp([1, 2]), rtol=1e-6)
    assert numpy.add.reduce(x).shape == (1,)
    parts, whole = numpy.modf(nd.array([1.5]))
    assert (type(parts), parts.item(), whole.item()) == (nd.NDArray, 0.5, 1)


#: Functions of two NDArrays, and whether they return an NDArray without a recording.
OF_NDARRAYS = [
    *[(numpy.linalg.norm, False), (numpy.std, False), (numpy.cumsum, False)],
    *[(lambda x: numpy.dot(x, x), False), (lambda x: numpy.outer(x, x), False)],
    *[(lambda x: numpy.concatenate([x, x * 2]), False), (lambda x: numpy.stack([x, x]), False)],
    *[(lambda x: numpy.where(x > 1, x, 0), False), (lambda x: numpy.einsum("ij->j", x), False)],
    *[(lambda x: numpy.reshape(x, -1), False), (numpy.transpose, False)],
    *[(lambda x: numpy.expand_dims(x, 0), False), (lambda x: numpy.average(x, weights=x), False)],
    *[(lambda x: numpy.sum(x, axis=1, keepdims=True), True), (numpy.mean, True)],
    *[(numpy.max, True), (lambda x: numpy.clip(x, 1.5, 3), True), (numpy.square, True)],
    *[(lambda x: numpy.matmul(x, x), True), (lambda x: numpy.transpose(x, (1, 0)), True)],
]


@pytest.mark.parametrize(("function", "always"), OF_NDARRAYS)
def test_functions_of_an_ndarray_are_differentiated(function, always):
    raw = numpy.array([[1, 2], [3, 4.5]], "float32")
    x, same = nd.array(raw), np.array(raw)
    x.attach_grad()
    same.attach_grad()
    with autograd.record():
        y, z = function(x * 1), function(same * 1)
    y.backward()
    z.backward()
    assert type(y) is nd.NDArray
    numpy.testing.assert_allclose(y.asnumpy().ravel(), numpy.ravel(function(raw)), rtol=1e-6)
    numpy.testing.assert_allclose(x.grad.asnumpy(), same.grad.asnumpy(), rtol=1e-6)
    assert x.grad.asnumpy().any()
    for unrecorded in (function(x), record(function, nd.array(raw)), record(function, x.detach())):
        assert isinstance(unrecorded, nd.NDArray if always else (numpy.ndarray, numpy.generic))


def record(function, x):
    with autograd.record():
        return function(x)


def test_results_of_recorded_ndarrays_have_mxnets_conventions():
    x = nd.array([[1, 2], [3, 4]])
    x.attach_grad()
    with autograd.record():
        y = x * 1
        assert numpy.linalg.norm(y).shape == (1,)
        assert numpy.argmax(y, axis=1).dtype == numpy.float32
        assert numpy.all(y).dtype == numpy.float32
        assert numpy.all(y, axis=0).shape == (2,)  # the method takes no axis
        assert numpy.allclose(y, y) is True
        assert numpy.shape(y) == (2, 2)
        assert [type(part) for part in numpy.split(y, 2)] == [nd.NDArray] * 2
        found = numpy.linalg.slogdet(y)
        assert (type(found.logabsdet), found.sign.tolist()) == (nd.NDArray, [-1])
        turned = numpy.transpose(y)
        turned += 1  # a copy, as outside
        assert y.tolist() == [[1, 2], [3, 4]]


def test_arguments_that_methods_or_gluon_lack():
    x = nd.array([[1, 2], [3, 4]])
    x.attach_grad()
    with autograd.record():
        y = numpy.sum(x * 1, where=numpy.array([True, False]))
        z = numpy.round(a=numpy.pad(array=numpy.vstack(tup=[x * 2, x]), pad_width=1))
        with pytest.raises(TypeError, match=r"'subok'; numpy\.copy, which has it, is not recorded"):
            numpy.copy(x * 1, subok=True)
    y.backward()
    assert (x.grad.tolist(), z.shape) == ([[1, 0], [1, 0]], (6, 4))


def test_results_go_to_arrays_of_gluon_only():
    for make in (nd.array, np.array):
        x, raw = make([1.0, 2.0]), numpy.zeros(2, "float32")
        x.attach_grad()
        with autograd.record():
            y, out = x * 3, make([0.0, 0.0])
            assert numpy.multiply(y, y, out=out) is out
            out = out * 1
            assert numpy.concatenate([y[:1], out[1:]], out=out) is out
            for write in WRITES:
                with pytest.raises(TypeError, match="cannot be written into an array of NumPy's"):
                    write(raw, y)
        out.backward()
        assert (raw.tolist(), x.grad.tolist()) == ([0, 0], [3, 36])
        raw += y
        assert raw.tolist() == [3, 6]


WRITES = [
    lambda raw, y: raw.__iadd__(y),
    lambda raw, y: numpy.add(y, 1, out=raw),
    lambda raw, y: numpy.add.at(raw, [0, 1], y),
    lambda raw, y: numpy.copyto(raw, y),
    lambda raw, y: numpy.put(raw, [0, 1], y),
    lambda raw, y: numpy.place(raw, [True, True], y),
]


def test_recorded_ndarrays_are_written_to():
    x = nd.array([1, 2, 3])
    x.attach_grad()
    with autograd.record():
        y = nd.zeros(3)
        numpy.copyto(y, x * 2)
        numpy.put_along_axis(y, numpy.array([1]), x[:1] * 5, 0)
    y.backward()
    assert (y.tolist(), x.grad.tolist()) == ([2, 5, 6], [7, 0, 2])


def test_arrays_of_nd_and_np_and_numpy_are_mixed():
    x, y = nd.array([1, 2]), np.array([3.0, 4.0])
    x.attach_grad()
    y.attach_grad()
    with autograd.record():
        of_numpy = numpy.concatenate([x * 2, numpy.ones(1, "float32"), [5.0]])
        of_np = numpy.concatenate([x * 2, y * 3])
        z = (of_np * of_np).sum()
    z.backward()
    assert (type(of_numpy), of_numpy.tolist()) == (nd.NDArray, [2, 4, 1, 5])
    assert (type(of_np), x.grad.tolist(), y.grad.tolist()) == (np.ndarray, [8, 16], [54, 72])


class Foreign:
    """An array of a library that has functions of its own for NumPy's."""

    def __array_function__(self, func, types, args, kwargs):
        return f"{func.__name__} of {len(args[0])}"


def test_other_libraries_are_asked_too():
    assert numpy.stack([nd.ones(2), Foreign()]) == "stack of 2"
    masked = numpy.ma.masked_array([1.0, 2.0], [True, False])
    assert numpy.concatenate([nd.ones(1), masked]).tolist() == [1, 1, 2]


@pytest.mark.parametrize("cls", [nd.NDArray, np.ndarray])
def test_like_creates_arrays_of_the_class(cls):
    like = (nd if cls is nd.NDArray else np).ones(1)
    for make in (numpy.ones, numpy.zeros, numpy.eye, numpy.arange, numpy.identity):
        assert type(make(2, like=like)) is cls
    assert numpy.array([1, 2], like=like).tolist() == [1, 2]


@pytest.mark.parametrize("name", ["__add__", "__sub__", "__mul__", "__truediv__", "__lt__"])
def test_a_numpy_scalar_on_the_left_is_a_number(name):
    x, number = nd.array([1, 4], dtype="float16"), numpy.float64(2)
    y = getattr(number, name)(x)
    assert (type(y), y.dtype) == (nd.NDArray, numpy.float16)
    assert y.tolist() == getattr(numpy.float16(2), name)(numpy.float16([1, 4])).tolist()


def test_an_array_of_numpy_on_the_left_of_an_operator_is_refused():
    with pytest.raises(TypeError, match=r"nd\.array"):
        numpy.ones(2) * nd.ones(2)


ATTEMPTS = {
    "add": ([1.0, 2.0, 3.0], [0, 0, 2], [5.0, 6.0, 7.0]),
    "subtract": ([1.0, 2.0, 3.0], [0, 0, 2], 5.0),
    "multiply": ([1.0, 2.0, 3.0], [1, 1], 5.0),
    "maximum": ([[1.0, 2.0], [3.0, 4.0]], ([0, 1], [1, 0]), 3.5),
}


@pytest.mark.parametrize("name", ATTEMPTS)
def test_ufuncs_change_places_of_arrays_in_place(name):
    values, places, change = ATTEMPTS[name]
    wanted, x = numpy.array(values), np.array(values)
    getattr(numpy, name).at(wanted, places, change)
    view = x[:1]
    getattr(numpy, name).at(x, places, change)
    assert (x.tolist(), view.tolist()) == (wanted.tolist(), wanted[:1].tolist())
    raw = numpy.array(values)
    getattr(numpy, name).at(raw, places, np.array(change))
    assert raw.tolist() == wanted.tolist()


def test_sums_at_places_are_recorded_and_other_changes_refused():
    x, change = np.array([1.0, 2.0]), np.array([5.0, 6.0])
    x.attach_grad()
    change.attach_grad()
    with autograd.record():
        y = x * 2
        numpy.add.at(y, np.array([0, 0], dtype="int64"), change)
        z = y * y
        with pytest.raises(TypeError, match=r"multiply\.at: gluon.np has no such function"):
            numpy.multiply.at(y, [0], 2)
    z.backward()
    assert (y.tolist(), x.grad.tolist(), change.grad.tolist()) == ([13, 4], [52, 16], [26, 26])


@pytest.mark.parametrize(
    "write",
    [
        lambda x, v: numpy.copyto(x, v),
        lambda x, v: numpy.copyto(x, v, where=v > 1),
        lambda x, v: numpy.put(x, [0, 2], v),
        lambda x, v: numpy.place(x, x == 0, v),
        lambda x, v: numpy.putmask(x, v > 1, v),
        lambda x, v: numpy.put_along_axis(x, numpy.array([1]), v[1], 0),
        lambda x, v: x.__setitem__(slice(1), v[0]),
    ],
)
def test_numpy_writes_values_of_arrays_into_its_own(write):
    wanted, raw = numpy.zeros(3), numpy.zeros(3)
    write(wanted, numpy.array([1.0, 2, 3]))
    write(raw, np.array([1, 2, 3]))
    assert raw.tolist() == wanted.tolist()


def test_what_numpys_arrays_have_besides():
    x = np.array([[1, 2], [3, 4]])
    assert 2 in x
    assert np.array(5) not in x
    assert x.real is x
    assert x.imag.tolist() == [[0, 0], [0, 0]]
    x.fill(7)
    assert x.tolist() == [[7, 7], [7, 7]]
    assert np.frombuffer(x.tobytes(), "float32", count=2, offset=4).tolist() == [7, 7]
    assert np.asanyarray(x) is x
    x.flat[1::2] = [1, 2]
    assert ([*map(float, x.flat)], len(x.flat)) == ([7, 1, 7, 2], 4)
    x.T.flat[[0, -1]] = 0  # of a copy
    x[:, 1].flat = 5
    assert (x.tolist(), x.flat[1].item()) == ([[7, 5], [7, 5]], 5)
    assert numpy.sum(numpy.asarray(x.flat, "float64")) == 24
    scalar = np.array(1.0)
    scalar.flat[0] = 3
    assert scalar.tolist() == 3
    with pytest.raises(IndexError):
        x.flat[4]
    assert [part.shape for part in np.indices((2, 3), sparse=True)] == [(2, 1), (1, 3)]
    with pytest.raises(ValueError, match="frombuffer"):
        np.frombuffer(b"abc", "float32")
