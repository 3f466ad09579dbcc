"""The classes of sparse arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..._core.arrays import interfaces, storage
from ..._core.arrays.context import Context, device
from ..._core.arrays.dtypes import as_dtype
from ..._core.arrays.rebind import is_recorded, rebind
from ..._core.engine.array import Array, alias, wrap
from ..._core.engine.inplace import note
from ..._core.engine.node import CREATED, DETACHED
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import (
    CAUSES,
    ArgumentError,
    DTypeError,
    GluonError,
    IndexRangeError,
    LayoutError,
    a_type,
    translated,
)
from ..._core.kernels import sparse as kernels
from ..._core.kernels.foreign import own
from ..._core.kernels.memory import on_host
from .._array import NDArray

HELD: Any = Array.held


class BaseSparseNDArray(NDArray):
    """Base class of sparse arrays, which store only some of their values.

    ``tostype('default')`` returns the dense array. Operators without a kernel for sparse arrays
    compute on the dense array, with a warning, and return a dense result.

    Examples
    --------
    >>> from gluon import nd
    >>> isinstance(nd.zeros((2, 3), stype="csr"), nd.sparse.BaseSparseNDArray)
    True
    """

    __module__ = "gluon.nd.sparse"
    __slots__ = ()
    _is_sparse = True

    @property
    def raw(self) -> Any:
        """The values as a read-only dense array, which all functions of gluon can read."""
        full = kernels.as_dense(HELD.__get__(self))
        full.flags.writeable = False
        return full

    @raw.setter
    def raw(self, value: Any) -> None:
        HELD.__set__(self, value)
        kind = storage.class_of(self)
        if kind is not type(self):
            self.__class__ = kind

    shape = property(lambda self: self.form.shape, doc="The lengths of the axes.")
    ndim = property(lambda self: self.form.ndim, doc="The number of axes.")

    @property
    def dtype(self) -> Any:
        """The NumPy type of the values, such as ``numpy.float32``."""
        return self.form.dtype.type

    @property
    def stype(self) -> str:
        """The storage type, ``'csr'`` or ``'row_sparse'``."""
        return self.held.stype

    @property
    def size(self) -> int:
        """Unavailable, as in MXNet: it could be the number of values or of stored ones."""
        raise LayoutError(
            f"size: of an array stored as {self.stype} it could be the number of values or of"
            " stored ones; use x.data.size for those, or tostype('default').size"
        )

    @property
    def data(self) -> NDArray:
        """The stored values, in a new array; recorded."""
        if is_recorded(self):
            return ops.getitem(storage.dense(self), key=self._places())
        return wrap(NDArray, self.held.data.copy(), self._ctx)

    @property
    def indices(self) -> NDArray:
        """Where the stored values are, in a new array of int64."""
        return wrap(NDArray, self.held.indices.copy(), self._ctx)

    def _places(self) -> Any:
        """Return the key of the stored values in the dense array."""
        raise NotImplementedError

    _num_aux = property(lambda self: len(self._aux_types))
    _aux_types: Any = property(lambda self: [np.int64])

    def check_format(self, full_check: bool = True) -> None:
        """Raise an error if the indices are invalid; those of gluon's arrays are always valid.

        Parameters
        ----------
        full_check : bool, default True
            Ignored: gluon always checks the whole array.

        Raises
        ------
        ArgumentError
            If the parts of the array do not fit each other.

        Examples
        --------
        >>> from gluon import nd
        >>> nd.sparse.csr_matrix([[1, 0], [0, 2]]).check_format()
        """
        checked("check_format", kernels.checked, self.held)

    def asscalar(self) -> Any:
        """Unavailable, as in MXNet; use ``tostype('default').asscalar()``."""
        raise LayoutError(
            f"asscalar: not of an array stored as {self.stype}; use tostype('default').asscalar()"
        )

    def asnumpy(self) -> np.ndarray:
        """Return the values as a dense NumPy array.

        Returns
        -------
        numpy.ndarray of the same shape and dtype

        Examples
        --------
        >>> from gluon import nd
        >>> nd.sparse.csr_matrix([[1, 0], [0, 2]]).asnumpy()
        array([[1., 0.],
               [0., 2.]], dtype=float32)
        """
        return self.held.dense()

    def copy(self) -> Any:
        """Return a copy in the same storage; recorded.

        Returns
        -------
        CSRNDArray or RowSparseNDArray, of the same shape and dtype

        Examples
        --------
        >>> from gluon import nd
        >>> nd.zeros((2, 3), stype="csr").copy().stype
        'csr'
        """
        return storage.cast(self, self.stype)

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """Cast to another dtype, in the same storage.

        Parameters
        ----------
        dtype : str or numpy type
        copy : bool, default True
            False returns the array itself if it already has that dtype.

        Returns
        -------
        CSRNDArray or RowSparseNDArray, of the same shape

        Raises
        ------
        DTypeError
            If arrays cannot have that dtype.

        Examples
        --------
        >>> from gluon import nd
        >>> nd.zeros((2, 3), stype="csr").astype("float64").dtype.__name__
        'float64'
        """
        dtype = as_dtype(dtype)
        if not copy and dtype == self.form.dtype:
            return self
        return storage.cast(ops.cast(self, dtype=dtype), self.stype)

    def copyto(self, other: Any) -> Any:
        """Copy the values into `other`, or into a new array on the device `other`.

        Parameters
        ----------
        other : NDArray of the same shape, in any storage, or Context

        Returns
        -------
        NDArray
            `other`, or the new array.

        Raises
        ------
        ArgumentError
            If `other` has another shape.
        DTypeError
            If it is neither an NDArray nor a Context.

        Examples
        --------
        >>> from gluon import nd
        >>> y = nd.ones((1, 2))
        >>> nd.zeros((1, 2), stype="csr").copyto(y).asnumpy().tolist()
        [[0.0, 0.0]]
        """
        if not isinstance(other, Context):
            return super().copyto(other)
        copied = self.copy()
        copied._ctx = device(other)
        return copied

    def detach(self) -> Any:
        """Return the array without its history; no gradient flows through it.

        Returns
        -------
        CSRNDArray or RowSparseNDArray, of the same shape and dtype

        Examples
        --------
        >>> from gluon import nd
        >>> nd.zeros((2, 3), stype="csr").detach().stype
        'csr'
        """
        return storage.seat(self.held, self._ctx, DETACHED)

    def as_np_ndarray(self) -> NoReturn:
        """Unavailable, as in MXNet: arrays of `gluon.np` are dense."""
        raise ArgumentError(
            f"as_np_ndarray: the array is stored as {self.stype}, and arrays of gluon.np are dense;"
            " convert it with tostype('default') first"
        )

    def reshape(self, *shape: Any, **kwargs: Any) -> NoReturn:
        """Unavailable, as in MXNet; use ``tostype('default').reshape(shape)``."""
        raise LayoutError(
            f"reshape: not of an array stored as {self.stype}; use tostype('default').reshape(...)"
        )

    def __setitem__(self, key: Any, value: Any) -> None:
        """Replace all values: ``x[:] = y``."""
        if not (key is Ellipsis or (isinstance(key, slice) and key == slice(None))):
            raise ArgumentError(
                f"x[key] = value: of an array stored as {self.stype} only x[:] can be written;"
                f" convert it with tostype('default'), got the key {key!r}"
            )
        if not isinstance(value, Array):
            value = self._full(value)
        if value.shape != self.shape:
            raise ArgumentError(f"x[:] = value: shape {value.shape} into shape {self.shape}")
        held, form = value.held, self.form
        shared = type(held) is type(self.held) and held.dtype == form.dtype
        if shared and not is_recorded(self, value):
            note((self,))
            self.raw = held  # nobody writes to it while both have it
            return
        value = ops.cast(value, dtype=form.dtype)
        if is_recorded(self, value):
            rebind(self, value, "x[:] = value")
            return
        note((self,))
        self.raw = storage.cast(value, self.stype).held

    def _full(self, value: Any) -> Any:
        """Return a number or a NumPy array as an array of this shape."""
        raw = np.asarray(value, self.form.dtype)
        return wrap(NDArray, np.broadcast_to(raw, self.shape) if not raw.ndim else raw)

    def _inplace(self, value: Any, what: str) -> Any:
        if is_recorded(self, value):
            rebind(self, value, what)
        else:
            self[:] = value
        return self

    if not TYPE_CHECKING:  # checkers take the operators of `NDArray`

        def __iadd__(self, other):
            return self._inplace(self + other, "x += y")

        def __isub__(self, other):
            return self._inplace(self - other, "x -= y")

        def __imul__(self, other):
            return self._inplace(self * other, "x *= y")

        def __itruediv__(self, other):
            return self._inplace(self / other, "x /= y")

        def __imod__(self, other):
            return self._inplace(self % other, "x %= y")

        def __ipow__(self, other):
            return self._inplace(self**other, "x **= y")

    def __len__(self) -> int:
        return self.form.shape[0]

    def __bool__(self) -> bool:
        raise ArgumentError(
            f"the truth value of an array stored as {self.stype} is ambiguous; use"
            " tostype('default'), and compare and reduce that"
        )

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape))
        return f"\n<{type(self).__name__} {shape} @{self.context}>"

    __str__ = __repr__
    _repr_html_: Any = None

    def __getstate__(self) -> dict[str, Any]:
        value = self.held
        parts = {name: getattr(value, name) for name in ("data", "indices", "shape")}
        if isinstance(value, kernels.Csr):
            parts["indptr"] = value.indptr
        return {"stype": value.stype, "ctx": self._ctx, **parts}

    def __setstate__(self, state: dict[str, Any]) -> None:
        value = from_parts("unpickling", **{k: v for k, v in state.items() if k != "ctx"})
        self.raw, self._ctx, self._node = value, state["ctx"], CREATED
        self._mark = self._group = None

    def __copy__(self) -> Any:
        twin = alias(self, NDArray)
        twin.raw = self.held
        twin.__class__ = type(self)
        return twin

    def __deepcopy__(self, memo: dict[Any, Any]) -> Any:
        return storage.seat(self.held.copy(), self._ctx)

    def _settle(self) -> None:
        """Do nothing: sparse arrays have no layout."""


class CSRNDArray(BaseSparseNDArray):
    """A matrix that stores the nonzero values of each row, with their columns.

    Row k has the values ``data[indptr[k]:indptr[k + 1]]``, in the columns ``indices`` there. Made
    by `csr_matrix`, ``tostype('csr')`` and by operators.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.sparse.csr_matrix([[0, 3, 0], [1, 0, 2]])
    >>> x
    <BLANKLINE>
    <CSRNDArray 2x3 @cpu(0)>
    >>> x.data.asnumpy().tolist(), x.indices.asnumpy().tolist(), x.indptr.asnumpy().tolist()
    ([3.0, 1.0, 2.0], [1, 0, 2], [0, 1, 3])
    """

    __slots__ = ()
    _aux_types = property(lambda self: [np.int64, np.int64])

    @property
    def indptr(self) -> NDArray:
        """Where each row begins and ends among the stored values, in a new array of int64."""
        return wrap(NDArray, self.held.indptr.copy(), self._ctx)

    def _places(self) -> Any:
        return kernels.row_numbers(self.held), self.held.indices

    def asscipy(self) -> Any:
        """Return the matrix as one of SciPy's.

        Returns
        -------
        scipy.sparse.csr_matrix of the same shape and dtype

        Raises
        ------
        MissingPackageError
            If the package scipy is not installed.

        Examples
        --------
        >>> from gluon import nd
        >>> nd.sparse.csr_matrix([[1, 0], [0, 2]]).asscipy().nnz  # doctest: +SKIP
        2
        """
        try:
            from scipy import sparse  # type: ignore[import-untyped]
        except ImportError as error:
            raise translated(error, "asscipy: needs the package scipy; install it") from None
        value = self.held
        parts = value.data.copy(), value.indices.copy(), value.indptr.copy()
        return sparse.csr_matrix(parts, shape=value.shape)

    def __getitem__(self, key: Any) -> Any:
        count = self.shape[0]
        if isinstance(key, slice) and key.step in (None, 1):
            begin, end, _ = key.indices(count)
            return self._sliced(begin, max(begin, end))
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            if not -count <= key < count:
                raise IndexRangeError(f"row {key} of a csr array with {count} rows")
            return self._sliced(int(key) % count, int(key) % count + 1)
        raise ArgumentError(
            f"x[key]: a csr array has rows, x[2], and slices of them without step, x[2:5], not"
            f" {key!r}; convert it with tostype('default') for other keys"
        )

    def _sliced(self, begin: int, end: int) -> Any:
        if is_recorded(self):
            part = ops.getitem(storage.dense(self), key=slice(begin, end))
            return storage.cast(part, "csr")
        return storage.seat(kernels.slice_rows(self.held, begin=begin, end=end), self._ctx)

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))


class RowSparseNDArray(BaseSparseNDArray):
    """An array that stores only some of its rows, with their numbers; the others are zero.

    Row ``indices[k]`` is ``data[k]``. Made by `row_sparse_array`, ``tostype('row_sparse')`` and by
    operators; gradients of embeddings are such arrays.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.sparse.row_sparse_array(([[1, 2]], [2]), shape=(4, 2))
    >>> x
    <BLANKLINE>
    <RowSparseNDArray 4x2 @cpu(0)>
    >>> x.data.asnumpy().tolist(), x.indices.asnumpy().tolist()
    ([[1.0, 2.0]], [2])
    """

    __slots__ = ()

    def _places(self) -> Any:
        return self.held.indices

    def _full(self, value: Any) -> Any:
        full = super()._full(value)
        return full if np.ndim(value) else storage.seat(kernels.all_rows(full.raw.copy()))

    def retain(self, indices: Any) -> Any:
        """Return an array with only the rows at `indices`; see `nd.sparse.retain`.

        Parameters
        ----------
        indices : NDArray of shape (n,) and any dtype

        Returns
        -------
        RowSparseNDArray of the same shape and dtype

        Raises
        ------
        ArgumentError
            If an index is out of range.

        Examples
        --------
        >>> from gluon import nd
        >>> x = nd.sparse.row_sparse_array([[1], [2], [3]])
        >>> x.retain(nd.array([0, 2])).indices.asnumpy().tolist()
        [0, 2]
        """
        return retained("retain", self, indices)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice) and key == slice(None):
            return self
        raise ArgumentError(
            f"x[key]: of a row_sparse array only x[:] is available, not {key!r}; retain(indices)"
            " takes rows, tostype('default') converts it"
        )

    def __iter__(self) -> Iterator[Any]:
        raise DTypeError(
            "a row_sparse array has no rows to iterate over; convert it with tostype('default')"
        )


def checked(name: str, function: Any, *args: Any) -> Any:
    """``function(*args)``, with what it finds wrong as an error of gluon."""
    try:
        return function(*args)
    except GluonError:
        raise
    except CAUSES as error:
        raise translated(error, f"{name}: {error}") from None


def from_parts(
    name: str, stype: str, data: Any, indices: Any, shape: Any, indptr: Any = None
) -> Any:
    """A raw sparse value of parts that may be wrong; errors begin with `name`."""
    parts = [None if x is None else own(np.asarray(x, np.int64)) for x in (indices, indptr)]
    data = own(np.asarray(data))
    return checked(name, kernels.from_parts, stype, data, parts[0], shape, parts[1])


def retained(name: str, data: Any, indices: Any) -> Any:
    """The rows of a row_sparse array at `indices`, an array or a list."""
    if not isinstance(data, RowSparseNDArray):
        raise DTypeError(
            f"{name}: data is {a_type(data)}; it must be a row_sparse array, such as"
            " data.tostype('row_sparse')"
        )
    return rows_of(name, data, indices)


def rows_of(name: str, data: Any, indices: Any) -> Any:
    """The rows of a dense or row_sparse array at `indices`, as a row_sparse array."""
    raw = on_host(indices.raw) if isinstance(indices, Array) else np.asarray(indices)
    wanted = np.unique(raw).astype(np.int64)
    if len(wanted) and not 0 <= wanted[0] <= wanted[-1] < data.shape[0]:
        raise ArgumentError(
            f"{name}: indices from {wanted[0]} to {wanted[-1]} are out of range for"
            f" {data.shape[0]} rows"
        )
    made = ops.retain(data, indices=wanted)
    made.__class__ = RowSparseNDArray
    return made


interfaces.SPARSE.update({"csr": CSRNDArray, "row_sparse": RowSparseNDArray})
