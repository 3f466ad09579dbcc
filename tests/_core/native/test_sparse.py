"""Products of sparse matrices and what groups indices, compiled, against the plain kernels."""

from __future__ import annotations

import numpy as np
import pytest
from gluon.errors import ArgumentError
from hypothesis import given, settings
from hypothesis import strategies as st

from gluon import nd
from gluon._core.kernels import sparse as kernels
from gluon._core.kernels.steps import STAND_INS
from gluon._core.native.loading import library, status
from tests._core.native.plain import refuse

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")

FLOATS = ["float32", "float64"]


def compiled(name, *inputs):
    """Return the result of the library; fail if it falls back to the plain kernel."""
    return STAND_INS[name](refuse, *inputs)


def plain(name, *inputs):
    return getattr(kernels, name).__wrapped__(*inputs)


def run(name, arrays, integers):
    return library.run(library.KERNELS.index(name), arrays, integers, ())


def drawn_csr(rng, rows, columns, share, dtype):
    full = rng.random((rows, columns)) < share
    places, indices = map(np.ascontiguousarray, np.nonzero(full))
    data = rng.normal(size=len(indices)).astype(dtype)
    return kernels.Csr(data, indices, kernels.pointers(places, rows), full.shape)


@settings(max_examples=100)
@given(
    rows=st.sampled_from([1, 2, 40, 700]),
    inner=st.sampled_from([1, 3, 50, 300]),
    width=st.sampled_from([1, 2, 5, 64, 65, 200]),
    share=st.sampled_from([0, 0.01, 0.3, 1]),
    turned=st.booleans(),
    has_data=st.booleans(),
    dtype=st.sampled_from(FLOATS),
    seed=st.integers(0, 1 << 30),
)
def test_drawn_products(rows, inner, width, share, turned, has_data, dtype, seed):
    rng = np.random.default_rng(seed)
    a = drawn_csr(rng, rows, inner, share, dtype)
    b = rng.normal(size=(inner, width)).astype(dtype)
    if turned:
        b = b.T.copy().T
    given = b, a.indices, a.indptr, a.data if has_data else None
    found, wanted = compiled("csr_product", *given), plain("csr_product", *given)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_allclose(found, wanted, 1e-4, 1e-4)


@settings(max_examples=100)
@given(
    count=st.sampled_from([1, 2, 40, 5000]),
    size=st.sampled_from([1, 2, 50, 2048, 2049, 1 << 20, 1 << 22, (1 << 22) + 1, 1 << 62]),
    seed=st.integers(0, 1 << 30),
)
def test_drawn_groups(count, size, seed):
    rng = np.random.default_rng(seed)
    places = rng.integers(0, size, count)
    places[rng.random(count) < 0.3] = rng.choice([0, size - 1])
    for found, wanted in zip(compiled("grouped", places, size), plain("grouped", places, size)):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)


@settings(max_examples=60)
@given(
    shape=st.sampled_from([(1, 1), (3, 1), (1, 70), (40, 50), (900, 70)]),
    share=st.sampled_from([0, 0.05, 0.5, 1]),
    dtype=st.sampled_from(FLOATS),
    seed=st.integers(0, 1 << 30),
)
def test_drawn_values_that_are_not_zero(shape, share, dtype, seed):
    rng = np.random.default_rng(seed)
    x = rng.choice([1.5, np.nan, -np.inf, 1e-42], shape).astype(dtype)
    x[rng.random(shape) >= share] = rng.choice([0.0, -0.0])
    for found, wanted in zip(compiled("nonzero", x), plain("nonzero", x)):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("dtype", [*FLOATS, "int32", "int64"])
def test_picked_rows(dtype):
    rng = np.random.default_rng(0)
    for after in ((), (1,), (3, 5), (70,)):
        x = (rng.normal(size=(20, *after)) * 9).astype(dtype)
        for shape in ((1,), (3, 4), (500,)):
            places = rng.integers(0, 20, shape)
            np.testing.assert_array_equal(compiled("picked", x, places), x[places])


def test_what_does_not_fit_is_left_to_numpy():
    rng = np.random.default_rng(0)
    a = drawn_csr(rng, 5, 8, 0.4, "float32")
    b = rng.normal(size=(8, 12))
    cases = [(b, a.data), (b.astype("float16"), a.data), (b.astype("int32"), a.data)]
    cases += [(b[:, ::2], a.data.astype("float64")), (b[:, :0], a.data)]
    for other, data in cases:
        given = other, a.indices, a.indptr, data
        found, wanted = kernels.csr_product(*given), plain("csr_product", *given)
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)
    for x in (np.eye(3, dtype="int32"), np.eye(3)[:, ::-1], np.zeros((0, 3)), np.zeros((3, 0))):
        for found, wanted in zip(kernels.nonzero(x), plain("nonzero", x)):
            np.testing.assert_array_equal(found, wanted)
    none = np.zeros(0, np.int64)
    assert [len(one) for one in kernels.grouped(none, 5)] == [0, 0, 1]


def test_results_are_the_same_for_every_number_of_threads():
    rng = np.random.default_rng(0)
    a = drawn_csr(rng, 3000, 200, 0.2, "float32")
    b = rng.normal(size=(200, 70)).astype("float32")
    found = []
    for threads in (1, 2, 5):
        library.set_threads(threads)
        product = compiled("csr_product", b, a.indices, a.indptr, a.data)
        found.append((product, *compiled("nonzero", product)))
    for others in found[1:]:
        for one, first in zip(others, found[0]):
            np.testing.assert_array_equal(one, first)


# ---------------------------------------------------------------------------- hostile input

#: Parts of a csr matrix of shape (3, 4), each wrong in one way: indices, indptr.
WRONG = {
    "too large": ([0, 4, 1], [0, 2, 2, 3]),
    "far": ([0, 1 << 62, 1], [0, 2, 2, 3]),
    "negative": ([-1, 2, 1], [0, 2, 2, 3]),
    "a pointer past the end": ([0, 2, 1], [0, 2, 5, 3]),
    "an end past the end": ([0, 2, 1], [0, 2, 2, 4]),
    "an end before the end": ([0, 2, 1], [0, 2, 2, 2]),
    "a first pointer": ([0, 2, 1], [1, 2, 2, 3]),
    "a negative pointer": ([0, 2, 1], [0, -5, 2, 3]),
    "descending pointers": ([0, 2, 1], [0, 2, 1, 3]),
}
#: Parts that are wrong, and that no kernel reads out of bounds for.
UNSORTED = {"unsorted": ([2, 0, 1], [0, 2, 2, 3]), "twice": ([2, 2, 1], [0, 2, 2, 3])}


@pytest.mark.parametrize("wrong", [*WRONG, *UNSORTED])
def test_wrong_parts_are_an_error_when_an_array_is_made(wrong):
    indices, indptr = {**WRONG, **UNSORTED}[wrong]
    with pytest.raises(ArgumentError, match="csr_matrix"):
        nd.sparse.csr_matrix(([1, 2, 3], indices, indptr), shape=(3, 4))
    if indptr == [0, 2, 2, 3]:
        with pytest.raises(ArgumentError, match="row_sparse_array"):
            nd.sparse.row_sparse_array((np.ones((3, 2), "float32"), indices), shape=(4, 2))


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("dtype", FLOATS)
def test_no_kernel_trusts_the_parts_of_an_array(wrong, dtype):
    indices, indptr = map(np.array, WRONG[wrong])
    b, data, y = np.ones((4, 7), dtype), np.ones(3, dtype), np.full((3, 7), 5, dtype)
    good = np.array([0, 2, 1]), np.array([0, 2, 2, 3])
    sizes = (3, 4, 7, 0)
    assert run("csr_dot", (b, *good, data, y.copy()), sizes)
    assert not run("csr_dot", (b, indices, indptr, data, y), sizes)
    assert not run("csr_dot", (b, indices, indptr, None, y), sizes)
    assert not run("csr_dot", (b, indices, indptr, data, y.copy()), (3, 4, 7, 1))
    assert (y == 5).all()
    if (indptr != good[1]).any():
        x, columns = np.ones((3, 4), dtype), np.zeros(3, np.int64)
        assert not run("nonzero", (x, indptr, data, columns), (3, 4))
        assert (data == 1).all()
        assert not columns.any()


@pytest.mark.parametrize("dtype", FLOATS)
def test_arrays_of_other_sizes_touch_nothing(dtype):
    b, data, y = np.ones((4, 7), dtype), np.ones(3, dtype), np.full((3, 7), 5, dtype)
    indices, indptr = np.array([0, 2, 1]), np.array([0, 2, 2, 3])
    arrays, read_only = (b, indices, indptr, data, y), y.copy()
    read_only.flags.writeable = False
    for sizes in [(2, 4, 7, 0), (3, 5, 7, 0), (3, 4, 6, 0), (0, 4, 7, 0), (3, -4, 7, 0), (3, 4, 7)]:
        assert not run("csr_dot", arrays, sizes)
    for sizes in [(1 << 62, 4, 7, 0), (3, 1 << 62, 4, 0), ((1 << 63) - 1, 4, 7, 0)]:
        assert not run("csr_dot", arrays, sizes)
    other = "float64" if dtype == "float32" else "float32"
    for place, wrong in [
        (0, b.T),
        (1, indices.astype("int32")),
        (1, indices[:2]),
        (2, indptr[:3]),
        (2, indptr.astype(dtype)),
        (3, data[:2]),
        (3, data.astype(other)),
        (4, y[:2]),
        (4, y.astype(other)),
        (4, read_only),
        (1, None),
        (4, None),
    ]:
        assert not run("csr_dot", (*arrays[:place], wrong, *arrays[place + 1 :]), (3, 4, 7, 0))
    x, found = np.eye(3, 4, dtype=dtype), np.full(4, 5)
    for sizes in [(3, 5), (4, 3, 1), (2, 4), (0, 4), (3, -4), (1 << 62, 4)]:
        assert not run("nonzero", (x, found, None, None), sizes)
    assert not run("nonzero", (x, found[:3], None, None), (3, 4))
    assert not run(
        "nonzero", (x, np.array([0, 2, 3, 4]), np.ones(4, dtype), np.ones(4, int)), (3, 4)
    )
    assert (y == 5).all()
    assert (found == 5).all()


def test_wrong_places_are_grouped_by_nobody():
    places, found = np.array([3, 0, 3]), [np.full(n, 7) for n in (3, 4, 3, 1)]
    for size in (3, 0, -1):
        assert not run("group_places", (places, *found), (size,))
    for wrong in ([0, -1, 2], [0, 1, 1 << 62]):
        assert not run("group_places", (np.array(wrong), *found), (4,))
    for k in range(4):
        short = [one[:-1] if i == k else one for i, one in enumerate(found)]
        assert not run("group_places", (places, *short), (4,))
    assert not run("group_places", (places.astype("float32"), *found), (4,))
    assert all((one == 7).all() for one in found)
    assert run("group_places", (places, *found), (4,))


# --------------------------------------------------------------------------- through arrays


@pytest.mark.parametrize("dtype", FLOATS)
def test_products_of_arrays_are_those_of_dense_ones(dtype):
    rng = np.random.default_rng(0)
    held = drawn_csr(rng, 30, 50, 0.1, dtype)
    parts = held.data, held.indices, held.indptr
    x, full = nd.sparse.csr_matrix(parts, shape=held.shape), nd.array(held.dense(), dtype=dtype)
    for transpose_a in (False, True):
        inner = 30 if transpose_a else 50
        for transpose_b in (False, True):
            shape = (9, inner) if transpose_b else (inner, 9)
            b = nd.array(rng.normal(size=shape), dtype=dtype)
            how = {"transpose_a": transpose_a, "transpose_b": transpose_b}
            found, wanted = nd.dot(x, b, **how), nd.dot(full, b, **how)
            assert found.dtype == wanted.dtype
            np.testing.assert_allclose(found.asnumpy(), wanted.asnumpy(), 1e-4, 1e-5)
