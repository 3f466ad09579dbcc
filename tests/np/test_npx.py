"""Features of `npx` that MXNet lacks, and its errors."""

from __future__ import annotations

import re

import numpy
import pytest

from gluon import GluonError, autograd, nd, np, npx


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_lists_and_classic_arrays_become_ndarrays(dtype):
    for given in ([-1.0, 2.0], numpy.array([-1.0, 2.0]), nd.array([-1, 2], dtype=dtype)):
        found = npx.relu(given)
        assert type(found) is np.ndarray
        assert found.tolist() == [0, 2]


def test_results_may_have_no_axes():
    assert npx.pick(np.arange(3), np.array(1)).shape == ()
    assert npx.softmax(np.array([1.0])).shape == (1,)
    assert npx.relu(np.array(-1)).shape == ()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: npx.leaky_relu(np.ones(2), act_type="x"), "leaky_relu: act_type='x'"),
        (lambda: npx.relu("x"), "relu: array: cannot make an array from str"),
        (lambda: npx.reshape(np.ones((2, 3)), (-3, -1)), "-3 drops an axis of length 1, not 2"),
        (lambda: npx.reshape(np.ones((2, 3)), (-2,)), "6 values cannot be (2,)"),
        (lambda: npx.reshape(np.ones((2, 3)), (0, -1)), "-1 cannot be inferred"),
        (lambda: npx.reshape(np.ones((2, 3)), (-1, -1)), "-1 appears twice"),
        (lambda: npx.reshape(np.ones((2, 3)), (-6, 4, -1, -4)), "-6 cannot split 2 into (4, -1)"),
        (lambda: npx.reshape(np.ones((2, 3)), (-6, 1)), "-6 needs two lengths"),
        (lambda: npx.reshape(np.ones(2), (-5,)), "no length is left for -5"),
        (lambda: npx.reshape(np.ones(2), (-7,)), "-7 is not a code"),
        (lambda: npx.constraint_check(np.arange(2) > 0, "too cold"), "too cold"),
        (lambda: npx.constraint_check(np.ones(2), ""), "x is of float32, not of booleans"),
        (lambda: npx.random.bernoulli(), "give one of prob and logit"),
        (lambda: npx.random.bernoulli(1.5), "prob must be between 0 and 1"),
        (lambda: npx.random.bernoulli(np.ones(2), size=3), "do not broadcast"),
        (lambda: npx.random.normal_n(0, -1), "scale must not be negative"),
        (lambda: npx.random.uniform_n(dtype="int32"), "cannot be of int32"),
        (lambda: npx.random.seed(1.5), "seed must be an integer, not float"),
        (lambda: npx.index_add(np.ones(2), np.ones((2, 1)), 1), "has 2 rows for 1 axes"),
        (lambda: npx.index_update(np.ones(2), np.array([5]), 1), "index 5"),
        (lambda: npx.save("nowhere", ["x"]), "save: got a str"),
        (lambda: npx.savez("nowhere", 1), "savez: got int"),
    ],
)
def test_errors_name_the_function(call, message):
    with pytest.raises(GluonError, match=re.escape(message)):
        call()


def test_samplers_pass_gradients_to_their_parameters():
    loc, scale = np.zeros(3), np.ones((2, 1))
    for x in (loc, scale):
        x.attach_grad()
    npx.random.seed(3)
    with autograd.record():
        drawn = npx.random.normal_n(loc, scale, batch_shape=4)
    drawn.backward()
    assert loc.grad.tolist() == [8] * 3
    numpy.testing.assert_allclose(scale.grad.asnumpy(), drawn.sum((0, 2)).reshape(2, 1), rtol=1e-5)


def test_samples_are_spread_as_they_should_be():
    npx.random.seed(0)
    drawn = npx.random.bernoulli(np.array([0.2, 0.9]), size=(20000, 2))
    numpy.testing.assert_allclose(drawn.mean(0).asnumpy(), [0.2, 0.9], atol=0.02)
    chances = npx.random.bernoulli(logit=np.array([0.0]), size=(20000,))
    assert abs(chances.mean().item() - 0.5) < 0.02
    uniform = npx.random.uniform_n(2, np.array([3, 5]), batch_shape=20000)
    numpy.testing.assert_allclose(uniform.mean(0).asnumpy(), [2.5, 3.5], atol=0.03)
    assert uniform.min().item() >= 2


@pytest.mark.parametrize("function", [npx.index_add, npx.index_update])
def test_indexed_writes_have_gradients(function):
    places = np.array([[0, 1], [2, 0]], dtype="int64")
    values = [np.arange(6).reshape(2, 3) + 1, np.array([5, 7])]
    assert autograd.gradcheck(lambda a, b: function(a, places, b) ** 2, to_double(values))
    assert autograd.gradgradcheck(lambda a, b: function(a, places, b) ** 3, to_double(values))


def to_double(values):
    return [x.astype("float64") for x in values]


@pytest.mark.parametrize("name", ["masked_softmax", "masked_log_softmax"])
def test_masks_leave_only_what_counts(name):
    x, mask = np.array([[1.0, 2, 3], [3, 1, 0]]), np.array([[1, 0, 1], [1, 1, 0]], dtype=bool)
    found = getattr(npx, name)(x, mask)
    plain = getattr(npx, name.removeprefix("masked_"))
    for row, keep, got in zip(x, mask, found):
        numpy.testing.assert_allclose(got[keep].asnumpy(), plain(row[keep]).asnumpy(), rtol=1e-6)
    x = x.astype("float64")
    assert autograd.gradcheck(lambda x: npx.masked_softmax(x, mask), [x])


def test_the_softmax_of_one_number_is_one():
    for dtype in ("float16", "float32", "float64"):
        x = np.array(3, dtype=dtype)
        y, z = npx.softmax(x), npx.log_softmax(x)
        assert (y.shape, y.item(), y.dtype) == ((), 1, x.dtype)
        assert (z.shape, z.item(), z.dtype) == ((), 0, x.dtype)


def test_control_flow_takes_and_gives_ndarrays():
    data = np.arange(6).reshape(3, 2)
    data.attach_grad()
    with autograd.record():
        sums, last = npx.foreach(lambda x, s: (s * x, s + x), data, np.ones(2))
        steps, end = npx.while_loop(
            lambda i, x: i < 3, lambda i, x: (x * i, (i + 1, x)), (np.array(1), sums[0]), 5
        )
        chosen = npx.cond(last.sum() > 0, lambda: last * 2, lambda: last)
    chosen.backward()
    assert data.grad.tolist() == [[2, 2]] * 3
    for array in (sums, last, steps, *end, chosen):
        array = array[0] if isinstance(array, list) else array
        assert type(array) is np.ndarray
    assert end[0].item() == 3


@pytest.mark.parametrize("contents", ["one", "list", "dict"])
def test_files(tmp_path, contents):
    path = tmp_path / "arrays"
    arrays = {"one": np.ones(2), "list": [np.array(3.5)], "dict": {"a": np.zeros((0, 2))}}
    npx.save(path, arrays[contents])
    found = npx.load(path)
    values = list(found.values()) if contents == "dict" else found
    assert all(type(x) is np.ndarray for x in values)
    assert values[0].shape == {"one": (2,), "list": (), "dict": (0, 2)}[contents]
    assert isinstance(found, dict) == (contents == "dict")


def test_numpy_reads_what_savez_writes(tmp_path):
    npx.savez(tmp_path / "a.npz", np.ones(2), b=np.arange(3, dtype="int64"))
    with numpy.load(tmp_path / "a.npz") as found:
        assert {k: v.tolist() for k, v in found.items()} == {"arr_0": [1, 1], "b": [0, 1, 2]}
    assert npx.load(tmp_path / "a.npz")["b"].dtype == "int64"


def test_pictures_under_one_name():
    picture = np.full((4, 6, 3), 255, dtype="uint8")
    npx.set_np()
    try:
        cropped, _ = npx.image.center_crop(picture, (2, 2))
        tensor = npx.image.to_tensor(cropped)
    finally:
        npx.reset_np()
    assert type(tensor) is np.ndarray
    assert (tensor.shape, tensor.max().item()) == ((3, 2, 2), 1)
