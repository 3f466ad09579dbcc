"""Derivatives of the operators of sparse arrays, of the first and second order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gluon import autograd, nd
from gluon._core.arrays import storage
from gluon._core.engine.op import TABLE
from gluon.nd.sparse.functions import square_sum
from tests.nd.sparse.programs import ROWS

DENSE = nd.array(ROWS)
WEIGHT = nd.array([[1, 2], [3, 4], [5, 6.5]])
IDS = nd.array([2, 0, 2])
CSR = nd.sparse.csr_matrix(np.array(ROWS) @ np.eye(3, 4))
#: What is called with a matrix in some storage and another one; the operators that compute it.
CALLS: dict[str, tuple[Callable[..., Any], str, nd.NDArray]] = {
    "csr_dot": (lambda x, w: nd.dot(x, w), "csr", WEIGHT),
    "csr_dot transposed": (lambda x, w: nd.dot(x, w, transpose_a=True), "csr", DENSE),
    "csr_dot from the left": (lambda x, w: nd.dot(w, x), "csr", DENSE.T),
    "fully_connected": (
        lambda x, w: nd.FullyConnected(x, w, no_bias=True, num_hidden=2),
        "csr",
        WEIGHT.T,
    ),
    "retain": (
        lambda x, w: (nd.sparse.retain(x, IDS) if x._is_sparse else kept(x)) * w,
        "row_sparse",
        DENSE,
    ),
    "lookup": (lambda x, w: nd.Embedding(IDS, x) * w, "row_sparse", DENSE[:3]),
    "csr_dot of rows": (lambda w, x: nd.dot(CSR, w) * x, "row_sparse", DENSE[:, :1]),
    "row_squares": (lambda x, w: square_sum(x, axis=1, keepdims=True) * w, "row_sparse", DENSE),
    "cast_storage": (lambda x, w: x.tostype("default") * w, "csr", DENSE),
}


def kept(x: nd.NDArray) -> nd.NDArray:
    """The rows that `IDS` names, others zero."""
    return x * nd.array([[1], [0], [1], [0]])


def derivatives(call: Callable[..., Any], x: Any, w: Any) -> list[np.ndarray]:
    """The value, the gradients of its cubes, and the gradients of their squares."""
    x.attach_grad(stype="default")
    w = w.copy()
    w.attach_grad()
    with autograd.record():
        y = call(x, w).tostype("default")
        first = autograd.grad((y**3).sum(), [x, w], create_graph=True, retain_graph=True)
        z = sum((g.tostype("default") ** 2).sum() for g in first)
    z.backward()
    return [one.asnumpy() for one in (y, *first, x.grad, w.grad)]


@pytest.mark.parametrize("name", CALLS)
def test_derivatives_are_those_of_dense_arrays(name: str, monkeypatch: Any) -> None:
    monkeypatch.setenv(storage.VARIABLE, "0")
    call, stype, weight = CALLS[name]
    found = derivatives(call, DENSE.tostype(stype), weight)
    expected = derivatives(call, DENSE.copy(), weight)
    for got, wanted in zip(found, expected):
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-4)


def test_every_operator_is_here() -> None:
    missing = {name for name, op in TABLE.items() if op.takes_sparse} - set(CALLS)
    assert not missing
