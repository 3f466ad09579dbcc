"""``x[key]`` and ``x[key] = value``: as the oracle, as NumPy, and with gradients."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import gluon
from gluon import GluonError, autograd, nd
from gluon.nd import NDArray
from tests._core.arrays.programs import ADVANCED, BASIC, GET, MORE, SET, WRONG, keys, run
from tests._core.arrays.replay import assert_as_the_oracle, programs
from tests.each import each

DIFFERENT = {
    "x[[0, -1]] = 7; x": "negative indices in a list crash MXNet",
    "x[[0, -1]] = x[[0, -1]] * 2; x": "negative indices in a list crash MXNet",
    "v[2:5] = v[0:3]; v": "MXNet reads what it has just written",
    "v[::-1] = v; v": "MXNet reads what it has just written",
}
ALL = keys(BASIC) + keys(ADVANCED) + keys(MORE)


class Numpy:
    """Enough of `nd` over NumPy to run the same programs."""

    @staticmethod
    def array(source, dtype="float32"):
        array = np.array(source, dtype)
        return array.astype("int64") if dtype == "float32" else array  # as an index

    @staticmethod
    def arange(stop):
        return np.arange(stop, dtype="float32")

    ones = np.ones


def in_numpy(program: str) -> np.ndarray:
    result = run(program.replace(".asnumpy()", ""), Numpy, None)
    return np.asarray(result).reshape(np.shape(result) or (1,))


@pytest.mark.filterwarnings("ignore:x.key., key of the shape of x")
@each("program", programs(GET, {}))
def test_get(program):
    assert_as_the_oracle(program)


@pytest.mark.filterwarnings("ignore:.*does not fit into")
@each("program", programs(SET, DIFFERENT))
def test_set(program):
    assert_as_the_oracle(program)


@each("key", ALL)
def test_get_as_numpy(key):
    got = run(f"x[{key}]", nd, None)
    assert isinstance(got, NDArray)
    np.testing.assert_array_equal(got.asnumpy(), in_numpy(f"x[{key}]"))


@pytest.mark.parametrize("program", DIFFERENT)
def test_set_as_numpy_where_mxnet_is_wrong(program):
    np.testing.assert_array_equal(run(program, nd, None).asnumpy(), in_numpy(program))


@each("key", ALL)
@pytest.mark.parametrize("value", ["-5", "x[{}] * 3"])
def test_set_as_numpy(key, value):
    program = f"x[{key}] = {value.format(key)}; x"
    np.testing.assert_array_equal(run(program, nd, None).asnumpy(), in_numpy(program))


@pytest.mark.parametrize("key", keys(WRONG))
def test_a_wrong_key_is_an_error_that_names_it(key):
    with pytest.raises((GluonError, IndexError)) as caught:
        run(f"x[{key}]", nd, None)
    with pytest.raises((GluonError, IndexError)):
        run(f"x[{key}] = 1; x", nd, None)
    assert any(word in str(caught.value) for word in ("ind", "slic", "broadcast"))


@each("key", ALL)
def test_the_gradient_of_x_key_counts_how_often_an_element_was_picked(key):
    names = {"np": np, "nd": nd, "x": nd.arange(24).reshape((2, 3, 4)).copy()}
    x = names["x"]
    x.attach_grad()
    with autograd.record():
        y = eval(f"x[{key}]", names)
        loss = (y * y).sum()
    loss.backward()
    picked = np.zeros((2, 3, 4))
    flat = in_numpy(f"np.arange(24).reshape(2, 3, 4)[{key}]").ravel()
    np.add.at(picked.reshape(-1), flat.astype(int), 1)
    np.testing.assert_array_equal(x.grad.asnumpy(), 2 * picked * np.arange(24).reshape(2, 3, 4))


@each("key", ALL)
def test_the_gradients_of_x_key_assigned(key):
    """What was overwritten gets no gradient, the new value gets all of it."""
    x, scale = nd.arange(24).reshape((2, 3, 4)).copy(), nd.array([3.0])
    x.attach_grad()
    scale.attach_grad()
    names = {"np": np, "nd": nd, "x": x}
    count = eval(f"x[{key}]", names).size
    with autograd.record():
        y = names["x"] = x * 1
        exec(f"x[{key}] = scale", names, {"scale": scale})
        loss = (y * y).sum()
    loss.backward()
    marked = np.arange(24.0).reshape(2, 3, 4)
    exec(f"x[{key}] = -1".replace(".asnumpy()", ""), {"np": np, "nd": Numpy, "x": marked})
    want = np.where(marked == -1, 0, 2 * marked)
    np.testing.assert_array_equal(x.grad.asnumpy(), want)
    kept = (marked == -1).sum()
    assert scale.grad.asscalar() == 6 * (kept if count >= kept else count)


def test_iteration_gives_the_rows_and_ends():
    x = nd.arange(6).reshape((3, 2))
    rows = list(x)
    assert [row.asnumpy().tolist() for row in rows] == [[0, 1], [2, 3], [4, 5]]
    assert [row.shape for row in rows[0]] == [(1,), (1,)]


def test_an_index_array_may_be_written_to_afterwards():
    """The graph keeps the index it saw."""
    x, index = nd.arange(4), nd.array([0, 1], dtype="int32")
    x.attach_grad()
    with autograd.record():
        y = x[index].sum()
    index[:] = 3
    y.backward()
    assert x.grad.asnumpy().tolist() == [1, 1, 0, 0]


@pytest.mark.parametrize("make", [nd, gluon.np], ids=["nd", "np"])
@pytest.mark.parametrize(
    ("get", "want"),
    [
        (lambda x, i: x[i:], [0, 1, 1, 1]),
        (lambda x, i: x[:i], [1, 0, 0, 0]),
        (lambda x, i: x[1::i], [0, 1, 1, 1]),
        (lambda x, i: x[i:,], [0, 1, 1, 1]),
    ],
    ids=["start", "stop", "step", "tuple"],
)
def test_the_bounds_of_a_slice_may_be_written_to_afterwards(make, get, want):
    x, bound = make.arange(4).astype("float32"), make.array([1], dtype="int32")
    x.attach_grad()
    with autograd.record():
        y = get(x, bound).sum()
    bound[:] = 3
    y.backward()
    assert x.grad.asnumpy().tolist() == want


def test_a_bound_that_is_no_number_is_an_error():
    x = nd.arange(4)
    for bound in (nd.array([1, 2], dtype="int32"), 1.5, "a"):
        with pytest.raises(GluonError, match=r"\(2,\)|slice"):
            x[bound:]


def test_an_index_without_axes_gives_one_value_as_an_array():
    v = nd.arange(6)
    for index in (np.array(2), nd.array(2, dtype="int32")):
        assert (v[index].shape, v[index].asnumpy().tolist()) == ((1,), [2])


@pytest.mark.parametrize("key", [6, -7, (0, 0)])
def test_an_index_that_does_not_fit_names_the_shape(key):
    v = nd.arange(6)
    for access in (lambda: v[key], lambda: v.__setitem__(key, 1)):
        with pytest.raises(GluonError, match=r"x of shape \(6,\)|float32\[6\]"):
            access()


@pytest.mark.parametrize(
    "value", ["a", "3", None, {}, 1j, [1, "b"], pytest.param(10**400, id="huge")]
)
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_what_holds_no_numbers_cannot_be_written(value, dtype):
    x = nd.ones(3, dtype=dtype)
    with pytest.raises(GluonError, match=r"x\[\.\.\.\] = value"):
        x[0] = value
    assert x.asnumpy().tolist() == [1, 1, 1]


def test_floats_that_look_like_a_mask_are_row_numbers_and_warn_at_the_users_line():
    x = nd.array([[1, -1], [2, 3]])
    rows = nd.array([[1, 2], [3, 4], [5, 6]])
    with pytest.warns(UserWarning, match=r"or of its first axes, and of floats"):
        rows[rows[:, 0] > 2]
    for use in (lambda: x[x < 0], lambda: x.__setitem__(x < 0, 0)):
        with pytest.warns(UserWarning, match=r"x\[\(x < 0\).astype\('bool'\)\]") as caught:
            use()
        assert caught[0].filename == __file__
    assert x.asnumpy().tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize("key", [[[0, 1], [1, 1]], [[True, False], [False, True]]])
@pytest.mark.parametrize("dtype", ["int32", "bool"])
def test_integers_and_masks_do_not_warn(key, dtype):
    x = nd.array([[1, -1], [2, 3]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x[nd.array(key, dtype=dtype)]
        x[nd.array([0, 1])]  # row numbers of another shape
