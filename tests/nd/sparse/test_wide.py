"""Products with so many columns that no machine holds a dense copy."""

from __future__ import annotations

import numpy as np

from gluon import autograd, nd

COLUMNS = 1 << 44
HELD = np.array([[1, 0, 2], [0, 3, 0], [0, 0, 0]], "float32")
PLACES = [0, 5, COLUMNS - 1]


def matrix() -> nd.sparse.CSRNDArray:
    """`HELD`, its columns at `PLACES`."""
    rows, columns = np.nonzero(HELD)
    return nd.sparse.csr_matrix(
        (HELD[rows, columns], (rows, np.array(PLACES)[columns])), shape=(3, COLUMNS)
    )


def test_the_product_of_a_transposed_matrix_has_the_rows_that_occur():
    g = np.arange(6, dtype="float32").reshape(3, 2)
    for y in (
        nd.sparse.dot(matrix(), nd.array(g), transpose_a=True),
        nd.sparse.dot(matrix(), nd.array(g.T), transpose_a=True, transpose_b=True),
    ):
        assert y.shape == (COLUMNS, 2)
        assert y.indices.asnumpy().tolist() == PLACES
        np.testing.assert_array_equal(y.data.asnumpy(), HELD.T @ g)


def test_weights_that_store_few_rows_are_multiplied_and_get_gradients_of_the_rows_that_occur():
    stored = [0, 7, COLUMNS - 1]
    w = nd.sparse.row_sparse_array(([[1, 2], [9, 9], [3, 4]], stored), shape=(COLUMNS, 2))
    w.attach_grad()
    with autograd.record():
        y = nd.dot(matrix(), w)
    y.backward(nd.array([[1, 1], [1, 2], [5, 5]]))
    assert y.asnumpy().tolist() == [[7, 10], [0, 0], [0, 0]]
    assert w.grad.indices.asnumpy().tolist() == PLACES
    assert w.grad.data.asnumpy().tolist() == [[1, 1], [3, 6], [2, 2]]
