"""Creation of sparse arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._core.arrays import storage
from ..._core.arrays.context import Context, device
from ..._core.arrays.dtypes import as_dtype
from ..._core.arrays.history import constants
from ..._core.arrays.rebind import is_recorded
from ..._core.engine.array import Array
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError, DTypeError, a_type
from ..._core.kernels import sparse as kernels
from ..._core.kernels.memory import on_host
from .._array import NDArray
from ._array import BaseSparseNDArray, CSRNDArray, RowSparseNDArray, checked, from_parts

Shape = tuple[int, ...]
#: Storage types that an argument may be taken for.
STORED = ("csr", "row_sparse")


def csr_matrix(
    arg1: Any, shape: Shape | None = None, ctx: Context | None = None, dtype: Any = None
) -> CSRNDArray:
    """A matrix in compressed sparse row (CSR) format.

    Parameters
    ----------
    arg1 : array of shape (rows, columns) and any dtype, tuple or matrix
        A dense array of gluon or NumPy, a matrix of SciPy, or a list; another csr array; the tuple
        ``(data, indices, indptr)``, where row k has the values ``data[indptr[k]:indptr[k + 1]]`` in
        the columns ``indices[indptr[k]:indptr[k + 1]]``, which ascend; the tuple
        ``(data, (rows, columns))``, in any order, where values at the same place are added; or a
        shape, ``(rows, columns)``, for zeros.
    shape : tuple of int, optional
        By default, the smallest shape that contains all indices.
    ctx : Context, optional
        The current context by default.
    dtype : str or numpy type, optional
        By default, the dtype of an array, and float32 for a list.

    Returns
    -------
    CSRNDArray of shape `shape`

    Raises
    ------
    ArgumentError
        If the parts do not fit each other, or an index is out of range, not ascending, or twice
        in a row.
    DTypeError
        If `arg1` is none of these, or the dtype is unsupported.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.sparse.csr_matrix(([1, 2, 3], [0, 2, 1], [0, 2, 3]), shape=(2, 3))
    >>> x.asnumpy().tolist()
    [[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]
    """
    if isinstance(arg1, tuple):
        value = _csr_of_parts(arg1, shape, dtype)
    else:
        if isinstance(arg1, RowSparseNDArray):
            raise ArgumentError(
                "csr_matrix: arg1 is a row_sparse array; convert it with tostype('csr')"
            )
        return _converted("csr_matrix", arg1, "csr", shape, ctx, dtype)
    return storage.seat(value, device(ctx))


def row_sparse_array(
    arg1: Any, shape: Shape | None = None, ctx: Context | None = None, dtype: Any = None
) -> RowSparseNDArray:
    """An array that stores only some of its rows.

    Parameters
    ----------
    arg1 : array of any shape and dtype, or tuple
        A dense array of gluon or NumPy, or a list; another row_sparse array; the tuple
        ``(data, indices)``, where row ``indices[k]`` is ``data[k]``, and indices ascend; or a
        shape, for zeros.
    shape : tuple of int, optional
        By default, the smallest shape that contains all indices.
    ctx : Context, optional
        The current context by default.
    dtype : str or numpy type, optional
        By default, the dtype of an array, and float32 for a list.

    Returns
    -------
    RowSparseNDArray of shape `shape`

    Raises
    ------
    ArgumentError
        If the parts do not fit each other, or an index is out of range, not ascending, or there
        twice.
    DTypeError
        If `arg1` is none of these, or the dtype is unsupported.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.sparse.row_sparse_array(([[1, 2]], [1]), shape=(3, 2)).asnumpy().tolist()
    [[0.0, 0.0], [1.0, 2.0], [0.0, 0.0]]
    """
    if isinstance(arg1, tuple):
        value = _rows_of_parts(arg1, shape, dtype)
    else:
        if isinstance(arg1, CSRNDArray):
            raise ArgumentError(
                "row_sparse_array: arg1 is a csr array; convert it with tostype('row_sparse')"
            )
        return _converted("row_sparse_array", arg1, "row_sparse", shape, ctx, dtype)
    return storage.seat(value, device(ctx))


def array(source_array: Any, ctx: Context | None = None, dtype: Any = None) -> BaseSparseNDArray:
    """A copy of a sparse array, of gluon or of SciPy.

    Parameters
    ----------
    source_array : CSRNDArray, RowSparseNDArray or SciPy's csr matrix
    ctx : Context, optional
        The current context by default.
    dtype : str or numpy type, optional
        That of the source by default.

    Returns
    -------
    CSRNDArray or RowSparseNDArray, of the shape of `source_array`

    Raises
    ------
    DTypeError
        If the source is dense: `tostype` converts arrays, `csr_matrix` and `row_sparse_array`
        anything else.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.sparse.array(nd.zeros((2, 3), stype="csr")).stype
    'csr'
    """
    if isinstance(source_array, BaseSparseNDArray):
        return _converted("array", source_array, source_array.stype, None, ctx, dtype)
    if is_scipy(source_array):
        return csr_matrix(source_array, ctx=ctx, dtype=dtype)
    raise DTypeError(
        f"sparse.array: the source is {a_type(source_array)}; use tostype('csr') or"
        " tostype('row_sparse') of an NDArray, csr_matrix or row_sparse_array of anything else"
    )


def zeros(stype: str, shape: Shape, ctx: Context | None = None, dtype: Any = None) -> NDArray:
    """An array of zeros in a storage type.

    Parameters
    ----------
    stype : {'default', 'csr', 'row_sparse'}
    shape : tuple of int
    ctx : Context, optional
        The current context by default.
    dtype : str or numpy type, optional
        float32 by default.

    Returns
    -------
    NDArray, CSRNDArray or RowSparseNDArray, of shape `shape`

    Raises
    ------
    ArgumentError
        If `stype` is another, or the shape does not fit it.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.sparse.zeros("row_sparse", (2, 3)).stype
    'row_sparse'
    """
    return zeros_in("zeros", stype, shape, ctx, dtype)


def empty(stype: str, shape: Shape, ctx: Context | None = None, dtype: Any = None) -> NDArray:
    """An array of zeros in a storage type; see `zeros`.

    Parameters
    ----------
    stype : {'default', 'csr', 'row_sparse'}
    shape : tuple of int
    ctx : Context, optional
        The current context by default.
    dtype : str or numpy type, optional
        float32 by default.

    Returns
    -------
    NDArray, CSRNDArray or RowSparseNDArray, of shape `shape`

    Raises
    ------
    ArgumentError
        If `stype` is another, or the shape does not fit it.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.sparse.empty("csr", (2, 3)).shape
    (2, 3)
    """
    return zeros(stype, shape, ctx, dtype)


def is_sparse_source(source: Any) -> bool:
    """Whether `array` takes `source`."""
    return isinstance(source, BaseSparseNDArray) or is_scipy(source)


def is_scipy(source: Any) -> bool:
    """Whether `source` is one of SciPy's sparse matrices, without an import of SciPy."""
    return callable(getattr(source, "tocsr", None)) and hasattr(source, "nnz")


def zeros_in(name: str, stype: str, shape: Any, ctx: Any, dtype: Any) -> Any:
    """Zeros in a storage type; errors begin with `name`."""
    return storage.seat(_zeros(name, stype, shape, as_dtype(dtype)), device(ctx))


def _zeros(name: str, stype: str, shape: Any, dtype: Any) -> Any:
    return storage.zeros_in(name, stype, _shape(name, shape), dtype).held


def _shape(name: str, shape: Any) -> Shape:
    try:
        lengths = (int(shape),) if isinstance(shape, (int, np.integer)) else tuple(map(int, shape))
    except (TypeError, ValueError):
        order = "; the storage type comes first, as in zeros('csr', (2, 3))"
        raise DTypeError(
            f"{name}: shape={shape!r} must be a tuple of integers{order * (str(shape) in STORED)}"
        ) from None
    if not lengths or min(lengths) < 0:
        raise ArgumentError(f"{name}: shape={lengths} must have lengths, none of them negative")
    return lengths


def _values(name: str, source: Any, dtype: Any) -> np.ndarray:
    """Return values as a raw array: of the dtype of an array, of float32 for a list."""
    constants(name, arg1=source)
    if isinstance(source, Array):
        raw = source.raw
    elif isinstance(source, np.ndarray):
        raw = source
    else:
        raw = checked(name, lambda: np.asarray(source, None if dtype else np.float32))
    return raw.astype(as_dtype(raw.dtype if dtype is None else dtype))


def _places(name: str, what: str, source: Any) -> np.ndarray:
    """Return indices as a new raw array of int64; they must be whole numbers."""
    raw = source.raw if isinstance(source, Array) else checked(name, np.asarray, source)
    whole = checked(name, lambda: raw.astype(np.int64))
    if raw.dtype.kind not in "iuf" or (raw.dtype.kind == "f" and (whole != raw).any()):
        raise DTypeError(f"{name}: {what} must be integers, not {raw.dtype}")
    return whole


def _csr_of_parts(arg: tuple[Any, ...], shape: Any, dtype: Any) -> Any:
    name = "csr_matrix"
    if len(arg) == 2 and isinstance(arg[1], (tuple, list)) and len(arg[1]) == 2:
        data, (rows, columns) = arg
        if dtype is None and not isinstance(data, Array):
            data = checked(name, np.asarray, data)  # which keeps its dtype, unlike other lists
        data = _values(name, data, dtype)
        rows, columns = _places(name, "rows", rows), _places(name, "columns", columns)
        lengths = _shape(name, shape) if shape else (_most(rows), _most(columns))
        return checked(name, kernels.of_places, data, rows, columns, lengths)
    if len(arg) == 2:
        return _zeros(name, "csr", arg, as_dtype(dtype))
    if len(arg) != 3:
        raise ArgumentError(
            f"{name}: arg1 is a tuple of {len(arg)}; give (data, indices, indptr), (data, (rows,"
            " columns)) or a shape (rows, columns)"
        )
    indices, indptr = _places(name, "indices", arg[1]), _places(name, "indptr", arg[2])
    lengths = _shape(name, shape) if shape else (len(np.atleast_1d(indptr)) - 1, _most(indices))
    return from_parts(name, "csr", _values(name, arg[0], dtype), indices, lengths, indptr)


def _most(indices: np.ndarray) -> int:
    return int(indices.max()) + 1 if indices.size else 0


def _rows_of_parts(arg: tuple[Any, ...], shape: Any, dtype: Any) -> Any:
    name = "row_sparse_array"
    if all(isinstance(one, (int, np.integer)) for one in arg):
        return _zeros(name, "row_sparse", arg, as_dtype(dtype))
    if len(arg) != 2:
        raise ArgumentError(
            f"{name}: arg1 is a tuple of {len(arg)}; give (data, indices) or a shape"
        )
    data, indices = _values(name, arg[0], dtype), _places(name, "indices", arg[1])
    lengths = _shape(name, shape) if shape else (_most(indices), *data.shape[1:])
    return from_parts(name, "row_sparse", data, indices, lengths)


def _converted(name: str, source: Any, stype: str, shape: Any, ctx: Any, dtype: Any) -> Any:
    """Return an array, a list or a matrix of SciPy in another storage; recorded."""
    if is_scipy(source):
        matrix = source.tocsr()
        matrix.sum_duplicates()
        parts = [np.asarray(x, np.int64) for x in (matrix.indices, matrix.indptr)]
        data = _values(name, np.asarray(matrix.data), dtype)
        lengths = _shape(name, matrix.shape)
        value = from_parts(name, "csr", data, parts[0], lengths, parts[1])
        made = storage.seat(value, device(ctx))
    elif is_recorded(source):
        made = storage.cast(
            source if dtype is None else ops.cast(source, dtype=as_dtype(dtype)), stype
        )
        made._ctx = device(ctx)
    else:
        is_array = isinstance(source, Array)
        held = on_host(source.held) if is_array else _values(name, source, dtype)
        value = checked(name, lambda: kernels.cast_storage(held, stype=stype))
        if dtype is not None:
            value = value.with_data(value.data.astype(as_dtype(dtype)))
        made = storage.seat(value, device(ctx))
    if shape is not None and tuple(shape) != made.shape:
        raise ArgumentError(f"{name}: shape={shape}, but the source has shape {made.shape}")
    return made
