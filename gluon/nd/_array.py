"""`NDArray`: the engine's array with MXNet's operators and methods, each delegating to one op."""

from __future__ import annotations

from abc import ABCMeta
from operator import index
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .._core.arrays import interfaces, storage
from .._core.arrays.base import DeviceArray, formatted
from .._core.arrays.dtypes import as_dtype
from .._core.arrays.indexing import are_lengths, as_key, fixed, reshaped
from .._core.engine.inplace import join
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError, MissingNameError
from .._core.faces.prototype import typed
from .._core.hints.lookup import lacking
from .._core.hints.synonyms import OPERATORS
from .._core.instruments.base import OBSERVED
from .._core.kernels.indexing import is_basic
from . import operators, protocols
from ._methods import Methods
from ._public import at_least_1d
from .operators import arithmetic, compared, negated


class NDArray(Methods, metaclass=ABCMeta):
    """An array on a device whose computations autograd can record.

    Made by the functions of `gluon.nd` (``nd.array``, ``nd.zeros``, …) and by operators, never
    by calling the class. Operators broadcast. In an operator, a number takes the dtype of the
    array. ``isinstance`` accepts arrays of `gluon.np` too, as in MXNet.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[1, 2], [3, 4]])
    >>> x * 2 + x[0]
    <BLANKLINE>
    [[ 3.  6.]
     [ 7. 10.]]
    <NDArray 2x2 @cpu(0)>
    """

    __module__ = "gluon.nd"  # the path in pickles, which outlive the modules of a version
    __slots__ = ()
    __array_ufunc__: Any = protocols.array_ufunc
    __array_function__: Any = protocols.array_function

    @property
    def dtype(self) -> Any:
        """The NumPy type of the values, such as ``numpy.float32``."""
        return self.raw.dtype.type

    def all(self, axis: None = None, out: None = None) -> NDArray:
        """Whether all values are nonzero, as 1 or 0; ``numpy.all(x)`` calls it.

        Parameters
        ----------
        axis, out : None
            Not available here; arrays of `np` have them.

        Returns
        -------
        NDArray of shape (1,) and the same dtype

        Raises
        ------
        ArgumentError
            If `axis` or `out` is given.

        Examples
        --------
        >>> import numpy
        >>> from gluon import nd
        >>> bool(numpy.all(nd.array([1, 0]) == 1))
        False
        """
        return self._whether("all", axis, out)

    def any(self, axis: None = None, out: None = None) -> NDArray:
        """Whether any value is nonzero, as 1 or 0; ``numpy.any(x)`` calls it.

        Parameters
        ----------
        axis, out : None
            Not available here; arrays of `np` have them.

        Returns
        -------
        NDArray of shape (1,) and the same dtype

        Raises
        ------
        ArgumentError
            If `axis` or `out` is given.

        Examples
        --------
        >>> import numpy
        >>> from gluon import nd
        >>> bool(numpy.any(nd.array([1, 0]) == 1))
        True
        """
        return self._whether("any", axis, out)

    def _whether(self, name: str, axis: None, out: None) -> NDArray:
        if axis is not None or out is not None:
            raise ArgumentError(f"{name}: takes no axis and no out; use asnumpy().{name}()")
        found = ops.reshape(getattr(ops, name)(self), shape=(1,))
        return ops.cast(found, dtype=self.raw.dtype)

    def asscalar(self) -> Any:
        """Return the value of an array of size 1 as a NumPy scalar.

        Returns
        -------
        NumPy scalar of the dtype of the array

        Raises
        ------
        ArgumentError
            If the array does not have exactly one value.

        Examples
        --------
        >>> from gluon import nd
        >>> float(nd.array([[2.5]]).asscalar())
        2.5
        """
        return self._scalar()

    def item(self) -> Any:
        """Return the value of an array of size 1 as a Python number.

        Returns
        -------
        float, int or bool

        Raises
        ------
        ArgumentError
            If the array does not have exactly one value.

        Examples
        --------
        >>> from gluon import nd
        >>> nd.array([[2.5]]).item()
        2.5
        """
        return self._scalar().item()

    def astype(self, dtype: Any, copy: bool = True) -> NDArray:
        """Cast to another dtype.

        Parameters
        ----------
        dtype : str or numpy type
        copy : bool, default True
            False returns the array itself if it already has that dtype.

        Returns
        -------
        NDArray of the same shape
            Integers drop the fraction.

        Raises
        ------
        DTypeError
            If arrays cannot have that dtype.

        Examples
        --------
        >>> from gluon import nd
        >>> nd.array([1.5, -1.5]).astype("int32").asnumpy().tolist()
        [1, -1]
        """
        dtype = as_dtype(dtype)
        if not copy and dtype == self.raw.dtype:
            return self
        return ops.cast(self, dtype=dtype)

    def copy(self) -> NDArray:
        """Return a copy; recorded.

        Returns
        -------
        NDArray of the same shape and dtype

        Examples
        --------
        >>> from gluon import nd
        >>> x = nd.array([1])
        >>> y = x.copy()
        >>> y[:] = 5
        >>> x.item(), y.item()
        (1.0, 5.0)
        """
        return ops.copy(self)

    def tostype(self, stype: str) -> NDArray:
        """Return a copy in another storage type; recorded.

        Parameters
        ----------
        stype : {'default', 'csr', 'row_sparse'}
            Dense, by compressed rows, or by the rows that are not zero; see `nd.sparse`.

        Returns
        -------
        NDArray, CSRNDArray or RowSparseNDArray, of the same shape and dtype

        Raises
        ------
        ArgumentError
            If `stype` is another, or the array does not have the two axes of csr.

        Examples
        --------
        >>> from gluon import nd
        >>> nd.array([1, 2]).tostype("default").asnumpy().tolist()
        [1.0, 2.0]
        """
        return storage.cast(self, stype)

    def reshape(self, *shape: Any, **kwargs: Any) -> NDArray:
        """Return a view with another shape.

        Parameters
        ----------
        *shape : int or tuple of int
            Lengths, and MXNet's codes: 0 copies a length, -1 infers one, -2 copies all remaining
            ones, -3 multiplies the next two, -4 splits one into the two that follow.
        reverse : bool, default False
            Match lengths and codes from the right.

        Returns
        -------
        NDArray of the same dtype and the new shape

        Raises
        ------
        ArgumentError
            If the values do not fit the shape.
        DTypeError
            If an argument has an unknown name.

        Examples
        --------
        >>> from gluon import nd
        >>> x = nd.zeros((2, 3, 4))
        >>> x.reshape(-1, 4).shape, x.reshape((0, -3)).shape
        ((6, 4), (2, 12))
        """
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            shape = tuple(shape[0])
        if kwargs or not are_lengths(shape):
            shape = self._lengths(shape, **kwargs)
        raw = self.raw
        if not raw.flags.c_contiguous:
            self._settle()
        out = ops.reshape(self, shape=shape)
        join(self, out)
        return out

    def _lengths(
        self, codes: Any, *, shape: Any = None, reverse: bool = False, **others: Any
    ) -> tuple[Any, ...]:
        """Return the new shape for the arguments of `reshape`."""
        if others:
            raise DTypeError(f"reshape: unknown arguments {sorted(others)}")
        codes = codes if shape is None else shape
        try:
            codes = tuple(map(index, codes))
        except TypeError:
            raise DTypeError(f"reshape: shape={codes} must be of integers") from None
        return reshaped(self.raw.shape, codes, reverse)

    def __getitem__(self, key: Any) -> NDArray:
        raw = self.raw
        key = fixed(key) if type(key) is slice else as_key(key, raw.shape)
        if not raw.flags.c_contiguous:
            self._settle()
        out = ops.getitem(self, key=key)
        if (type(key) is slice or is_basic(key)) and out.raw.flags.c_contiguous:
            join(self, out)  # basic and contiguous: a view, as in MXNet
        return out

    def _parts(self) -> list[Any]:
        # into arrays of shape (1,), because MXNet's arrays have at least one axis
        cut_up = self.raw.ndim == 1
        return ops.split(self, sections=self.raw.size) if cut_up else ops.unstack(self, axis=0)

    def _key(self, key: Any) -> Any:
        return as_key(key, self.raw.shape, depth=3)

    @property
    def handle(self) -> Any:
        """Unsupported: in MXNet, a pointer to its C library; see `to_dlpack_for_read`."""
        raise MissingNameError(
            "an NDArray of gluon has no handle, since gluon uses no C library; asnumpy() copies"
            " the values, to_dlpack_for_read() shares them"
        )

    def _number(self, value: Any) -> Any:
        dtype = self.held.dtype
        if dtype.kind in "fV":  # bfloat16 is of kind "V"
            return np.asarray(value, dtype)
        # An integer array and 2.5 combine as with 2: the number takes the array's dtype.
        if dtype.kind in "iu" or not self.held.ndim:
            return np.asarray(value).astype(dtype)
        return value

    def __format__(self, spec: str) -> str:
        return formatted(self, spec, self.raw.size == 1)

    def __matmul__(self, other: Any) -> NDArray:
        if not isinstance(other, DeviceArray):
            return NotImplemented
        return at_least_1d(ops.matmul(self, other))

    def __repr__(self) -> str:
        shape = "x".join(str(n) for n in self.shape)
        return f"\n{self.raw!s}\n<{type(self).__name__} {shape} @{self.context}>"

    # The operators' own functions, without wrappers: this is the hot path.
    __add__: Final = typed(arithmetic, ops.add)
    __sub__: Final = typed(arithmetic, ops.subtract)
    __mul__: Final = typed(arithmetic, ops.multiply)
    __truediv__: Final = typed(arithmetic, operators.divide)
    __mod__: Final = typed(arithmetic, ops.mod)
    __pow__: Final = typed(arithmetic, ops.power)
    __radd__: Final = typed(arithmetic, ops.add)
    __rsub__: Final = operators.reflected(arithmetic, ops.subtract)
    __rmul__: Final = typed(arithmetic, ops.multiply)
    __rtruediv__: Final = operators.reflected(arithmetic, operators.divide)
    __rmod__: Final = operators.reflected(arithmetic, ops.mod)
    __rpow__: Final = operators.reflected(arithmetic, ops.power)
    __iadd__: Final = operators.inplace(arithmetic, ops.add, "x += y")
    __isub__: Final = operators.inplace(arithmetic, ops.subtract, "x -= y")
    __imul__: Final = operators.inplace(arithmetic, ops.multiply, "x *= y")
    __itruediv__: Final = operators.inplace(arithmetic, operators.divide, "x /= y")
    __imod__: Final = operators.inplace(arithmetic, ops.mod, "x %= y")
    __ipow__: Final = operators.inplace(arithmetic, ops.power, "x **= y")
    __neg__: Final = typed(negated, ops.negative)
    __abs__: Final = typed(negated, ops.abs)
    if not TYPE_CHECKING:  # so that type checkers report their use
        __invert__, __pos__, __round__, __xor__, __lshift__, __rshift__ = (
            lacking(written, OPERATORS[written])
            for written in ("~x", "+x", "round(x)", "x ^ y", "x << y", "x >> y")
        )
        __floordiv__ = __rfloordiv__ = lacking("x // y", OPERATORS["x // y"])
        __divmod__ = __rdivmod__ = lacking("divmod(x, y)", OPERATORS["divmod(x, y)"])
        __rxor__ = __xor__
    if TYPE_CHECKING:  # the methods of `object` return bool

        def __eq__(self, other: object) -> NDArray: ...  # type: ignore[override]
        def __ne__(self, other: object) -> NDArray: ...  # type: ignore[override]
        def __hash__(self) -> int: ...
    else:
        __eq__ = operators.compare(ops.equal)
        __ne__ = operators.compare(ops.not_equal)
        __hash__ = DeviceArray.__hash__
    __gt__: Final = typed(compared, operators.compare(ops.greater))
    __ge__: Final = typed(compared, operators.compare(ops.greater_equal))
    __lt__: Final = typed(compared, operators.compare(ops.less))
    __le__: Final = typed(compared, operators.compare(ops.less_equal))


OBSERVED += [
    (NDArray, f"__i{name}__", "forward", operators.shown(sign))
    for name, sign in operators.SIGNS.items()
]
interfaces.NDArray = NDArray  # type: ignore[misc]
