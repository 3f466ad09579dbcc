"""The sparse arrays of gluon.test_utils."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import GluonError, nd, optimizer, test_utils


@pytest.fixture(autouse=True)
def seed():
    np.random.seed(3)  # noqa: NPY002


@pytest.mark.parametrize("dtype", [None, "float16", "float64", np.float32])
@pytest.mark.parametrize("stype", ["csr", "row_sparse"])
def test_random_arrays(stype, dtype):
    for density in (0, 0.3, 1):
        x = test_utils.rand_ndarray((20, 30), stype, density, dtype)
        assert (x.stype, x.shape) == (stype, (20, 30))
        assert x.dtype == np.dtype(dtype or "float32")
        x.check_format()
        share = x.data.size / 600
        assert abs(share - density) < (0.01 if stype == "csr" else 0.3)
        assert x.data.size == 0 or 0 < x.asnumpy().max() <= 1
    x, y = (test_utils.rand_ndarray((20, 30), stype).asnumpy() for _ in range(2))
    assert (x != y).any()


def test_the_parts_are_those_of_the_array():
    x, (data, indices) = test_utils.rand_sparse_ndarray((9, 2, 3), "row_sparse", 0.5)
    np.testing.assert_array_equal(x.data.asnumpy(), data)
    np.testing.assert_array_equal(x.indices.asnumpy(), indices)
    x, parts = test_utils.rand_sparse_ndarray((9, 5), "csr", 0.5)
    again = nd.sparse.csr_matrix((parts[2], parts[1], parts[0]), shape=(9, 5))
    np.testing.assert_array_equal(x.asnumpy(), again.asnumpy())


def test_values_and_rows_that_are_given():
    x = test_utils.create_sparse_array((4, 2), "row_sparse", 2, rsp_indices=[3, 1])
    assert x.asnumpy().tolist() == [[0, 0], [2, 2], [0, 0], [2, 2]]
    x = test_utils.create_sparse_array(
        (4, 2), "row_sparse", 2, rsp_indices=[1], modifier_func=lambda v: v + 1
    )
    assert x.data.asnumpy().tolist() == [[3, 3]]
    assert set(test_utils.create_sparse_array((9, 9), "csr", 5).data.asnumpy()) == {5}
    assert test_utils.create_sparse_array_zd((9, 9), "row_sparse", 1).data.shape == (0, 9)
    full = test_utils.create_sparse_array_zd((9, 9), "csr", 1, shuffle_csr_indices=True)
    assert full.data.shape == (81,)


def test_power_law():
    # The lengths of the rows are those of MXNet.
    for shape, density, lengths in [
        ((5, 16), 0.5, [2, 4, 8, 16, 10]),
        ((4, 8), 1, [2, 4, 8, 8]),
        ((3, 4), 0.5, [2, 3, 1]),
    ]:
        if sum(lengths) != int(np.prod(shape) * density):
            with pytest.raises(GluonError, match="values are left"):
                test_utils.rand_ndarray(shape, "csr", density, distribution="powerlaw")
            continue
        x = test_utils.rand_ndarray(shape, "csr", density, distribution="powerlaw")
        assert np.diff(x.indptr.asnumpy()).tolist() == lengths
        assert 1 < x.data.asnumpy().min() < x.data.asnumpy().max() <= 3


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"stype": "coo"}, "stype='coo' with distribution='uniform'"),
        ({"stype": "row_sparse", "distribution": "powerlaw"}, "with distribution='powerlaw'"),
        ({"stype": "csr", "density": 2}, "density=2 must be from 0 to 1"),
        ({"stype": "csr", "shape": (2,)}, "must have two lengths"),
        ({"stype": "csr", "density": 0.1, "distribution": "powerlaw"}, "two for each row"),
    ],
)
def test_wrong_arguments(settings, message):
    with pytest.raises(GluonError, match=message):
        test_utils.rand_sparse_ndarray(**{"shape": (3, 4), **settings})


@pytest.mark.parametrize("stype", ["csr", "row_sparse"])
def test_comparisons_take_sparse_arrays(stype):
    x = test_utils.rand_ndarray((5, 6), stype, 0.5)
    for other in (x.copy(), x.tostype("default"), x.asnumpy()):
        test_utils.assert_almost_equal(x, other)
        test_utils.assert_almost_equal(other, x)
        test_utils.assert_almost_equal_with_err(x, other, etol=0.1)
        test_utils.assert_almost_equal_ignore_nan(x, other)
        assert test_utils.same(x, other)
        assert test_utils.almost_equal(x, other)
    wrong = x.asnumpy()
    wrong[0, 0] += 1
    with pytest.raises(AssertionError, match=r"Location of maximum error: \(0, 0\)"):
        test_utils.assert_almost_equal(x, wrong)
    assert not test_utils.same(x, wrong)


@pytest.mark.parametrize("lazy", [False, True])
def test_optimizers_are_compared(lazy):
    sgd = [optimizer.SGD(momentum=0.9, wd=0.1, lazy_update=one) for one in (False, lazy)]
    test_utils.compare_optimizer(*sgd, (4, 3), "float32", w_stype="row_sparse")
    if lazy:
        with pytest.raises(AssertionError):
            test_utils.compare_optimizer(*sgd, (40, 3), "float32", g_stype="row_sparse")
    else:
        test_utils.compare_optimizer(*sgd, (40, 3), "float32", g_stype="row_sparse")
