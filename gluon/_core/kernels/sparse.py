"""Sparse values: `Csr` matrices and `Rows`, and what is computed on their parts.

They stand where a dense array of the same shape and dtype stands. Both are immutable, and what
their indices say has been checked, so that kernels may trust it. They are no arrays for NumPy: a
kernel that was not written for them raises TypeError, never computes on the wrong values.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NoReturn, TypeAlias

import numpy as np

from .indexing import bounded
from .steps import step

INT64 = np.dtype("int64")


class Sparse:
    """What `Csr` and `Rows` share.

    Attributes
    ----------
    stype : str
        The storage type, as MXNet calls it.
    data, indices : numpy.ndarray
        The stored values, and where they are.
    shape : tuple of int
    """

    __slots__ = ("data", "indices", "shape")
    data: Any
    indices: Any
    shape: tuple[int, ...]
    stype = ""
    __array_ufunc__: Any = None
    __hash__: Any = None

    @property
    def dtype(self) -> Any:
        """The dtype of the values."""
        return self.data.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of values, zeros included."""
        return prod(self.shape)

    def dense(self) -> Any:
        """The values as a new dense array."""
        raise NotImplementedError

    def with_data(self, data: Any) -> Any:
        """The same places with other values."""
        raise NotImplementedError

    def copy(self) -> Any:
        """The same with values of its own."""
        return self.with_data(self.data.copy())

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError(
            f"it is stored as {self.stype}, for which this is not available; convert it with"
            " tostype('default')"
        )

    __array__ = __bool__ = __len__ = __iter__ = __getitem__ = __float__ = __int__ = _refuse
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse


class Csr(Sparse):
    """A matrix by compressed rows: row ``k`` has the values ``data[indptr[k]:indptr[k + 1]]``.

    Their columns are in ``indices``, ascending within a row and each at most once.
    """

    __slots__ = ("indptr",)
    indptr: Any
    stype = "csr"

    def __init__(self, data: Any, indices: Any, indptr: Any, shape: tuple[int, ...]) -> None:
        self.data, self.indices, self.indptr, self.shape = data, indices, indptr, shape

    def dense(self) -> Any:
        """The values as a new dense array."""
        full = np.zeros(self.shape, self.dtype)
        full[row_numbers(self), self.indices] = self.data
        return full

    def with_data(self, data: Any) -> Csr:
        """The same places with other values."""
        return Csr(data, self.indices, self.indptr, self.shape)


class Rows(Sparse):
    """An array most of whose rows are zero: row ``indices[k]`` is ``data[k]``.

    The indices ascend, each at most once.
    """

    __slots__ = ()
    stype = "row_sparse"
    is_full = property(lambda self: len(self.indices) == self.shape[0], doc="Are all rows stored?")

    def __init__(self, data: Any, indices: Any, shape: tuple[int, ...]) -> None:
        self.data, self.indices, self.shape = data, indices, shape

    def dense(self) -> Any:
        """The values as a new dense array."""
        if self.is_full:
            return self.data.copy()
        full = np.zeros(self.shape, self.dtype)
        full[self.indices] = self.data
        return full

    def with_data(self, data: Any) -> Rows:
        """The same places with other values."""
        return Rows(data, self.indices, self.shape)

    def __add__(self, other: Any) -> Any:
        """Add rows to rows, or to a dense array: the engine sums cotangents so."""
        if type(other) is Rows:
            return add_rows(self, other)
        if isinstance(other, np.ndarray) and other.shape == self.shape:
            total = other.astype(np.result_type(other, self.data))
            total[self.indices] += self.data
            return total
        return NotImplemented

    __radd__ = __add__


Value: TypeAlias = Any  #: a dense array, or a `Sparse`


def is_sparse(value: Any) -> bool:
    """Whether a raw value is sparse."""
    return isinstance(value, Sparse)


def as_dense(value: Value) -> Any:
    """A raw value as a dense array."""
    return value.dense() if isinstance(value, Sparse) else value


# ------------------------------------------------------------------------------- conversions


def row_numbers(x: Csr) -> Any:
    """The row of each stored value."""
    return np.repeat(np.arange(x.shape[0]), np.diff(x.indptr))


def pointers(rows: Any, count: int) -> Any:
    """The `indptr` of ascending row numbers."""
    found = np.zeros(count + 1, INT64)
    np.cumsum(np.bincount(rows, minlength=count), out=found[1:])
    return found


def to_csr(x: Value) -> Csr:
    """A matrix as `Csr`; zeros of a dense one are not stored."""
    if type(x) is Csr:
        return x
    x = as_dense(x)
    if x.ndim != 2:
        raise ValueError(f"a csr array has 2 axes, this one has shape {x.shape}")
    data, columns, indptr = nonzero(x)
    return Csr(data, columns, indptr, x.shape)


@step
def nonzero(x: Any) -> tuple[Any, Any, Any]:
    """The values of a matrix that are not zero, their columns, and where each row begins."""
    rows, columns = map(np.ascontiguousarray, np.nonzero(x))
    return x[rows, columns], columns, pointers(rows, x.shape[0])


def to_rows(x: Value) -> Rows:
    """An array as `Rows`; rows of zeros of a dense one are not stored."""
    if type(x) is Rows:
        return x
    x = as_dense(x)
    if not x.ndim:
        raise ValueError("a row_sparse array has at least one axis")
    indices = np.flatnonzero(x.reshape(len(x), -1).any(axis=1)) if x.size else np.zeros(0, INT64)
    return Rows(x[indices], indices, x.shape)


#: Maps a storage type to the conversion to it.
CASTS = {"default": as_dense, "csr": to_csr, "row_sparse": to_rows}


def cast_storage(x: Value, *, stype: str) -> Value:
    """A copy of `x` in the storage `stype`."""
    own = x.stype if isinstance(x, Sparse) else "default"
    return x.copy() if stype == own else CASTS[stype](x)


def empty(stype: str, shape: tuple[int, ...], dtype: Any) -> Value:
    """A sparse array of zeros, none of them stored."""
    none = np.zeros(0, INT64)
    if stype == "csr":
        return Csr(np.zeros(0, dtype), none, np.zeros(shape[0] + 1, INT64), shape)
    return Rows(np.zeros((0, *shape[1:]), dtype), none, shape)


# ------------------------------------------------------------------------------- checks


def checked_csr(data: Any, indices: Any, indptr: Any, shape: Sequence[int]) -> Csr:
    """A `Csr` of parts that may be wrong in any way; ValueError says how."""
    shape = tuple(shape)
    if len(shape) != 2 or min(shape) < 0:
        raise ValueError(f"a csr array has two lengths; its shape is {shape}")
    if data.ndim != 1 or indices.shape != data.shape:
        raise ValueError(
            f"data and indices are of one length and one axis; their shapes are {data.shape} and"
            f" {indices.shape}. The order is (data, indices, indptr)"
        )
    if indptr.shape != (shape[0] + 1,):
        raise ValueError(
            f"indptr has a number for each row and one more, {shape[0] + 1}; its shape is"
            f" {indptr.shape}"
        )
    if indptr[0] or indptr[-1] != len(data) or (np.diff(indptr) < 0).any():
        raise ValueError(
            f"indptr begins with 0, never decreases, and ends with the number of values,"
            f" {len(data)}; it is {indptr}"
        )
    x = Csr(data, indices, indptr, shape)
    _check_range(indices, shape[1], "columns")
    same_row = np.ones(len(indices) + 1, bool)
    same_row[indptr] = False
    _check_ascending(indices, same_row[1:-1], " within each row")
    return x


def checked_rows(data: Any, indices: Any, shape: Sequence[int]) -> Rows:
    """`Rows` of parts that may be wrong in any way; ValueError says how."""
    shape = tuple(shape)
    if not shape or min(shape) < 0:
        raise ValueError(f"a row_sparse array has one length at least; its shape is {shape}")
    if indices.ndim != 1 or data.shape != (len(indices), *shape[1:]):
        raise ValueError(
            f"data has a row of shape {shape[1:]} for each of the {indices.size} indices; its shape"
            f" is {data.shape}"
        )
    _check_range(indices, shape[0], "rows")
    _check_ascending(indices, True, "")
    return Rows(data, indices, shape)


def _check_range(indices: Any, count: int, what: str) -> None:
    if len(indices) and not (indices.min() >= 0 and indices.max() < count):
        raise ValueError(
            f"indices from {indices.min()} to {indices.max()} are out of range for {count} {what}"
        )


def _check_ascending(indices: Any, where: Any, place: str) -> None:
    wrong = (np.diff(indices) <= 0) & where
    if wrong.any():
        k = int(np.flatnonzero(wrong)[0])
        raise ValueError(
            f"indices must ascend{place}, each at most once; {indices[k]} precedes {indices[k + 1]}"
        )


def from_parts(
    stype: str, data: Any, indices: Any, shape: Sequence[int], indptr: Any = None
) -> Sparse:
    """A sparse value of parts that may be wrong in any way; ValueError says how."""
    if stype == "csr" and indptr is not None:
        return checked_csr(data, indices, indptr, shape)
    if stype == "row_sparse":
        return checked_rows(data, indices, shape)
    raise ValueError(f"the storage type {stype!r} is unknown, or parts of it are missing")


def checked(x: Sparse) -> Sparse:
    """`x`, whose parts are looked at again."""
    if isinstance(x, Csr):
        return checked_csr(x.data, x.indices, x.indptr, x.shape)
    return checked_rows(x.data, x.indices, x.shape)


def of_places(data: Any, rows: Any, columns: Any, shape: tuple[int, ...]) -> Csr:
    """A `Csr` of values at places in any order; values at the same place are added."""
    if not data.shape == rows.shape == columns.shape == (data.size,):
        raise ValueError(
            f"data, rows and columns are of one length and one axis; their shapes are {data.shape},"
            f" {rows.shape} and {columns.shape}"
        )
    _check_range(rows, shape[0], "rows")
    _check_range(columns, shape[1], "columns")
    order = np.lexsort((columns, rows))
    data, rows, columns = data[order], rows[order], columns[order]
    first = np.ones(len(data), bool)
    first[1:] = (np.diff(rows) != 0) | (np.diff(columns) != 0)
    starts = np.flatnonzero(first)
    if len(starts) < len(data):
        data = np.add.reduceat(data, starts, dtype=data.dtype)
    return Csr(data, columns[starts], pointers(rows[starts], shape[0]), shape)


# ------------------------------------------------------------------------------- rows


def add_rows(x: Rows, y: Rows) -> Rows:
    """The sum, with every row that either has."""
    if np.array_equal(x.indices, y.indices):
        return Rows(x.data + y.data, x.indices, x.shape)
    indices = np.union1d(x.indices, y.indices)
    data = np.zeros((len(indices), *x.shape[1:]), np.result_type(x.data, y.data))
    data[np.searchsorted(indices, x.indices)] = x.data
    data[np.searchsorted(indices, y.indices)] += y.data
    return Rows(data, indices, x.shape)


def multiply_rows(x: Rows, y: Value) -> Rows:
    """The products with a dense array, or with `Rows`: rows that one of them lacks are zero."""
    if type(y) is not Rows:
        return Rows(x.data * y[x.indices], x.indices, x.shape)
    both, here, there = np.intersect1d(
        x.indices, y.indices, assume_unique=True, return_indices=True
    )
    return Rows(x.data[here] * y.data[there], both, x.shape)


def row_squares(x: Value, *, by_rows: bool = False) -> Value:
    """The sum of the squares of each row, as a column; `by_rows` is for the gradient."""
    if type(x) is Rows:
        return Rows(row_squares(x.data), x.indices, (x.shape[0], 1))
    return np.square(x).sum(axis=1, keepdims=True, dtype=x.dtype)


def row_squares_grad(g: Value, x: Value) -> Rows:
    """The gradient of `row_squares`; g or x is `Rows`."""
    if type(x) is Rows:
        product = multiply_rows(x, g)
    else:
        product = Rows(x[g.indices] * g.data, g.indices, x.shape)
    return product.with_data(2 * product.data)


def all_rows(x: Any, like: Value = None) -> Rows:
    """A dense array as `Rows` that store all of it, with the indices of `like` if it does too."""
    if type(like) is Rows and like.is_full:
        return like.with_data(x)
    return Rows(x, np.arange(len(x)), x.shape)


def retain(x: Rows, *, indices: Any) -> Rows:
    """The rows of `x` at the ascending `indices`; one that is not stored is a row of zeros."""
    if type(x) is not Rows:
        return Rows(x[indices], indices, x.shape)
    wanted = indices
    _check_range(wanted, x.shape[0], "rows")
    data = np.zeros((len(wanted), *x.shape[1:]), x.dtype)
    _, here, there = np.intersect1d(wanted, x.indices, assume_unique=True, return_indices=True)
    data[here] = x.data[there]
    return Rows(data, wanted, x.shape)


def lookup(x: Value, indices: Any, *, by_rows: bool = False) -> Any:
    """The rows of a dense array, or of `Rows`, at `indices`, which are clipped.

    `by_rows` is for the gradient.
    """
    count = x.shape[0]
    places = bounded(indices, count, "clip")
    if type(x) is not Rows:
        return picked(x, places)
    if x.is_full:
        return picked(x.data, places)
    found = np.searchsorted(x.indices, places)
    stored = np.append(x.indices, -1)[found] == places
    rows = np.append(x.data, np.zeros((1, *x.shape[1:]), x.dtype), axis=0)
    return rows[np.where(stored, found, -1)]


@step
def picked(x: Any, places: Any) -> Any:
    """``x[places]``, of rows that exist."""
    return x[places]


def sum_by_row(g: Any, indices: Any, shape: tuple[int, ...]) -> Rows:
    """`g`, a part for each of `indices`, added up by index: the gradient of `lookup`."""
    flat = bounded(indices, shape[0], "clip").reshape(-1)
    parts = g.reshape(len(flat), prod(shape[1:]))
    unique, order, starts = grouped(flat, shape[0])
    data = parts[order] if len(unique) == len(flat) else csr_product(parts, order, starts, None)
    return Rows(data.reshape(len(unique), *shape[1:]), unique, shape)


@step
def grouped(places: Any, size: int) -> tuple[Any, Any, Any]:
    """The values of `places`, all below `size`, once each; the order of `places`; its groups.

    Group ``k``, of those that are ``unique[k]``, is ``order[starts[k]:starts[k + 1]]``.
    """
    order = np.argsort(places, kind="stable")
    ordered = places[order]
    first = np.ones(len(ordered), bool)
    first[1:] = ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(first)
    return ordered[starts], order, np.append(starts, len(ordered))


def add_csr(x: Csr, y: Csr) -> Csr:
    """The sum, with a value at every place where either has one."""
    rows = np.concatenate([row_numbers(x), row_numbers(y)])
    columns = np.concatenate([x.indices, y.indices])
    return of_places(np.concatenate([x.data, y.data]), rows, columns, x.shape)


def multiply_csr(x: Csr, y: Value) -> Csr:
    """The products with a dense array, or with a `Csr`: places that one of them lacks are zero."""
    rows = row_numbers(x)
    if type(y) is not Csr:
        return x.with_data(x.data * y[rows, x.indices])
    width = x.shape[1]
    places, others = rows * width + x.indices, row_numbers(y) * width + y.indices
    _, here, there = np.intersect1d(places, others, assume_unique=True, return_indices=True)
    indptr = pointers(rows[here], x.shape[0])
    return Csr(x.data[here] * y.data[there], x.indices[here], indptr, x.shape)


def slice_rows(x: Csr, *, begin: int, end: int) -> Csr:
    """Rows `begin` to `end` of a matrix."""
    start, stop = x.indptr[begin], x.indptr[end]
    indptr = x.indptr[begin : end + 1] - start
    return Csr(x.data[start:stop].copy(), x.indices[start:stop], indptr, (end - begin, x.shape[1]))


def slice_columns(x: Csr, *, begin: int, end: int) -> Csr:
    """Columns `begin` to `end` of a matrix."""
    kept = (x.indices >= begin) & (x.indices < end)
    indptr = np.append(0, np.cumsum(kept))[x.indptr]
    return Csr(x.data[kept], x.indices[kept] - begin, indptr, (x.shape[0], end - begin))


def concat_rows(parts: Sequence[Csr]) -> Csr:
    """All rows of matrices of one width, one below the other."""
    starts = np.cumsum([0, *(len(x.data) for x in parts)])
    ends = [x.indptr[1:] + start for x, start in zip(parts, starts)]
    data, indices = (np.concatenate([getattr(x, k) for x in parts]) for k in ("data", "indices"))
    shape = sum(x.shape[0] for x in parts), parts[0].shape[1]
    return Csr(data, indices, np.concatenate([[0], *ends]), shape)


def take_rows(x: Csr, places: Any) -> Csr:
    """The rows of a matrix at `places`, in any order."""
    lengths = np.diff(x.indptr)[places]
    indptr = np.append(0, np.cumsum(lengths))
    found = np.repeat(x.indptr[places] - indptr[:-1], lengths) + np.arange(indptr[-1])
    return Csr(x.data[found], x.indices[found], indptr, (len(places), x.shape[1]))


# ------------------------------------------------------------------------------- products

#: How many products are held at once.
PART = 1 << 22


def csr_dot(
    a: Csr,
    b: Value,
    *,
    transpose_a: bool = False,
    by_rows: bool = False,
    gives_rows: bool = False,
) -> Value:
    """``a @ b``, or ``a.T @ b``, dense or as `Rows`; `by_rows` is for the gradient."""
    inner = a.shape[0] if transpose_a else a.shape[1]
    if b.ndim != 2 or b.shape[0] != inner:
        raise ValueError(
            f"the product sums over {inner} values, b has shape {b.shape}; it must be a matrix of"
            f" {inner} rows"
        )
    if transpose_a:
        rows = csr_dot_rows(a, b)
        return rows if gives_rows else rows.dense()
    if type(b) is Rows and not b.is_full:
        columns, places = np.unique(a.indices, return_inverse=True)
        return csr_product(lookup(b, columns), places, a.indptr, a.data)
    b = b.data if type(b) is Rows else b
    return csr_product(b, a.indices, a.indptr, a.data)


@step
def csr_product(b: Any, indices: Any, indptr: Any, data: Any) -> Any:
    """The product of a csr matrix of these parts and a dense one; without data, of ones."""
    dtype = b.dtype if data is None else np.result_type(data, b)
    y = np.zeros((len(indptr) - 1, b.shape[1]), dtype)
    for begin, end in _pieces(indptr, max(1, PART // max(1, b.shape[1]))):
        places = slice(indptr[begin], indptr[end])
        products = b[indices[places]]
        if data is not None:
            products = data[places, None] * products
        starts = indptr[begin:end] - indptr[begin]
        filled = np.flatnonzero(np.diff(indptr[begin : end + 1]))
        if len(filled):
            y[begin + filled] = np.add.reduceat(products, starts[filled], axis=0, dtype=dtype)
    return y


def _pieces(indptr: Any, most: int) -> Any:
    """Ranges of rows with about `most` values each."""
    begin, count = 0, len(indptr) - 1
    while begin < count:
        end = int(np.searchsorted(indptr, indptr[begin] + most, "right")) - 1
        end = min(max(end, begin + 1), count)
        yield begin, end
        begin = end


def csr_dot_rows(a: Csr, b: Any) -> Rows:
    """``a.T @ b``, with the rows for which `a` has a column."""
    b = as_dense(b)
    unique, order, starts = grouped(a.indices, a.shape[1])
    found = csr_product(b, row_numbers(a)[order], starts, a.data[order])
    return Rows(found, unique, (a.shape[1], b.shape[1]))
