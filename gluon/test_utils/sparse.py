"""Random arrays to test with, sparse ones too, from NumPy's global generator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import nd
from .._core.arrays import Context
from .._core.errors import ArgumentError
from ..nd import NDArray
from .arrays import Shape, assign_each, random_arrays
from .tolerance import default_dtype

Modifier = Callable[..., Any]


def rand_ndarray(
    shape: Shape,
    stype: str = "default",
    density: float | None = None,
    dtype: Any = None,
    modifier_func: Modifier | None = None,
    shuffle_csr_indices: bool = False,
    distribution: str | None = None,
    ctx: Context | None = None,
) -> NDArray:
    """An NDArray of normally distributed numbers, or a sparse one; see `rand_sparse_ndarray`.

    Examples
    --------
    >>> from gluon import test_utils
    >>> test_utils.rand_ndarray((2, 3)).shape
    (2, 3)
    >>> test_utils.rand_ndarray((2, 3), stype="csr").stype
    'csr'
    """
    if stype == "default":
        return nd.array(random_arrays(shape), dtype=dtype, ctx=ctx)
    made, _ = rand_sparse_ndarray(
        shape,
        stype,
        density=density,
        dtype=dtype,
        distribution=distribution,
        modifier_func=modifier_func,
        shuffle_csr_indices=shuffle_csr_indices,
        ctx=ctx,
    )
    return made


def rand_sparse_ndarray(
    shape: Sequence[int],
    stype: str,
    density: float | None = None,
    dtype: Any = None,
    distribution: str | None = None,
    data_init: float | None = None,
    rsp_indices: Any = None,
    modifier_func: Modifier | None = None,
    shuffle_csr_indices: bool = False,
    ctx: Context | None = None,
) -> tuple[Any, tuple[Any, ...]]:
    """A random sparse array, and its parts: (data, indices), of csr (indptr, indices, data).

    A share `density` of the values or rows is stored: a random one by default. Values are from 0
    to 1, or all `data_init`, and `modifier_func` changes each value of a row_sparse array. With
    ``distribution='powerlaw'`` each row of a csr array has twice as many values as the row before.
    `shuffle_csr_indices` is ignored: the columns of a row always ascend.

    Examples
    --------
    >>> from gluon import test_utils
    >>> x, (data, indices) = test_utils.rand_sparse_ndarray(
    ...     (4, 2), "row_sparse", rsp_indices=[0, 3], data_init=2
    ... )
    >>> x.asnumpy().tolist()
    [[2.0, 2.0], [0.0, 0.0], [0.0, 0.0], [2.0, 2.0]]
    """
    density = np.random.rand() if density is None else density
    dtype = np.dtype(default_dtype() if dtype is None else dtype)
    distribution = distribution or "uniform"
    if (stype, distribution) == ("row_sparse", "uniform"):
        chosen = np.flatnonzero(np.random.rand(shape[0]) < density)
        indices = chosen if rsp_indices is None else np.asarray(rsp_indices)
        data = np.random.rand(len(indices), *shape[1:]).astype(dtype)
        if data_init is not None:
            data.fill(data_init)
        if modifier_func is not None and data.size:
            data = assign_each(data, modifier_func).astype(dtype)
        made = nd.sparse.row_sparse_array((data, indices), shape=tuple(shape), ctx=ctx)
        return made, (data, indices)
    if stype != "csr" or distribution not in _CSR:
        raise ArgumentError(
            f"rand_sparse_ndarray: stype={stype!r} with distribution={distribution!r}; there are"
            " 'csr' with 'uniform' or 'powerlaw', and 'row_sparse' with 'uniform'"
        )
    _check(shape, density)
    full = _CSR[distribution](*shape, density)
    csr = nd.sparse.csr_matrix(full.astype(dtype), ctx=ctx)
    if data_init is not None:
        csr.raw = csr.held.with_data(np.full_like(csr.held.data, data_init))
    return csr, (csr.indptr, csr.indices, csr.data)


def _check(shape: Sequence[int], density: float) -> None:
    if not 0 <= density <= 1:
        raise ArgumentError(f"rand_sparse_ndarray: density={density} must be from 0 to 1")
    if len(shape) != 2 or min(shape) < 1:
        raise ArgumentError(
            f"rand_sparse_ndarray: shape={tuple(shape)} must have two lengths for csr, both"
            " positive"
        )


def _uniform(rows: int, columns: int, density: float) -> np.ndarray:
    """Return a matrix with a share of its values, at random places."""
    full = np.zeros(rows * columns)
    count = round(density * rows * columns)
    # Not below the least float16, so that no value that is drawn becomes a zero.
    full[np.random.choice(full.size, count, replace=False)] = np.random.uniform(1e-4, 1, count)
    return full.reshape(rows, columns)


def _powerlaw(rows: int, columns: int, density: float) -> np.ndarray:
    """Return a matrix whose rows have 1, 2, 4 ... values more, until all are used."""
    left = int(rows * columns * density)
    if left < 2 * rows:
        raise ArgumentError(
            f"rand_sparse_ndarray: density={density} of ({rows}, {columns}) gives {left} values;"
            " a power law needs two for each row"
        )
    counts = np.ones(rows, int)
    left -= rows
    for row in range(rows):
        more = min(columns, 2 ** min(row + 1, 62)) - 1
        counts[row] += min(more, left)
        left = max(left - more, 0)
    if left:
        raise ArgumentError(
            f"rand_sparse_ndarray: density={density} is too much for a power law in ({rows},"
            f" {columns}); {left} values are left"
        )
    values = 1 + np.random.uniform(0.001, 2, (rows, columns))
    return np.where(np.arange(columns) < counts[:, None], values, 0)


_CSR: dict[str, Callable[..., np.ndarray]] = {"uniform": _uniform, "powerlaw": _powerlaw}


def create_sparse_array(
    shape: Sequence[int],
    stype: str,
    data_init: float | None = None,
    rsp_indices: Any = None,
    dtype: Any = None,
    modifier_func: Modifier | None = None,
    density: float = 0.5,
    shuffle_csr_indices: bool = False,
) -> Any:
    """A random sparse array, as `rand_sparse_ndarray`; `rsp_indices` may have any order.

    Examples
    --------
    >>> from gluon import test_utils
    >>> x = test_utils.create_sparse_array((3, 1), "row_sparse", 1, rsp_indices=[2, 0])
    >>> x.asnumpy().ravel().tolist()
    [1.0, 0.0, 1.0]
    """
    made, _ = rand_sparse_ndarray(
        shape,
        stype,
        density=density,
        dtype=dtype,
        data_init=data_init,
        rsp_indices=None if rsp_indices is None else np.sort(rsp_indices),
        modifier_func=modifier_func,
        shuffle_csr_indices=shuffle_csr_indices,
    )
    return made


def create_sparse_array_zd(
    shape: Sequence[int],
    stype: str,
    density: float,
    data_init: float | None = None,
    rsp_indices: Any = None,
    dtype: Any = None,
    modifier_func: Modifier | None = None,
    shuffle_csr_indices: bool = False,
) -> Any:
    """As `create_sparse_array`; a row_sparse array stores only the rows `rsp_indices`.

    Examples
    --------
    >>> from gluon import test_utils
    >>> test_utils.create_sparse_array_zd((3, 1), "row_sparse", 1).data.shape
    (0, 1)
    """
    return create_sparse_array(
        shape,
        stype,
        data_init=data_init,
        rsp_indices=rsp_indices,
        dtype=dtype,
        modifier_func=modifier_func,
        density=0.0 if stype == "row_sparse" else density,
        shuffle_csr_indices=shuffle_csr_indices,
    )
