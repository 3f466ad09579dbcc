"""`ndarray` of `gluon.np`: the engine's array with NumPy's semantics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy

from .._core.arrays import interfaces
from .._core.arrays.base import formatted
from .._core.arrays.dtypes import as_numpy_dtype, check_casting, check_order
from .._core.arrays.indexing import as_numpy_key
from .._core.engine.array import Array
from .._core.engine.inplace import join
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, IndexRangeError
from .._core.instruments.base import OBSERVED
from .._core.kernels.indexing import is_basic
from ..nd._array import NDArray
from ..nd.operators import shown
from . import matrix
from ._methods import Methods
from ._promote import any_dtype, compared, constant, fractions, mixed
from .operators import OPERANDS, SIGNS, Binary, Operand, forward, general, inplace, reflected
from .protocols import array_function as _array_function
from .protocols import array_namespace as _array_namespace
from .protocols import array_ufunc as _array_ufunc
from .writing import Flat

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from .._core.arrays import Context


@NDArray.register
class ndarray(Methods):
    """An array with NumPy's semantics, on a device, whose computations autograd can record.

    Made by the functions of `gluon.np` (``np.array``, ``np.zeros``, …) and by operators. It may
    have no axes and no values; comparisons give booleans; arrays of two dtypes are promoted as in
    NumPy, except that integers take the dtype of floating arrays.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.array([[1, 2], [3, 4]])
    >>> x * 2 + x[0]
    array([[ 3.,  6.],
           [ 7., 10.]])
    >>> x > 2
    array([[False, False],
           [ True,  True]])
    >>> x.sum()
    array(10.)
    """

    __module__ = "gluon.np"  # the path in pickles, which outlive the modules of a version
    __slots__ = ()
    _of_numpy = True
    #: As in NumPy, arrays are unhashable because ``==`` compares value by value.
    __hash__: None = None  # type: ignore[assignment]

    # -------------------------------------------------------------------------- operators

    __add__: ClassVar[Binary] = forward("add", ops.add, mixed(any_dtype))
    __radd__: ClassVar[Binary] = reflected("add", ops.add, mixed(any_dtype))
    __iadd__: ClassVar[Binary] = inplace("add", ops.add, mixed(any_dtype))
    __sub__: ClassVar[Binary] = forward("sub", ops.subtract, mixed(any_dtype))
    __rsub__: ClassVar[Binary] = reflected("sub", ops.subtract, mixed(any_dtype))
    __isub__: ClassVar[Binary] = inplace("sub", ops.subtract, mixed(any_dtype))
    __mul__: ClassVar[Binary] = forward("mul", ops.multiply, mixed(any_dtype))
    __rmul__: ClassVar[Binary] = reflected("mul", ops.multiply, mixed(any_dtype))
    __imul__: ClassVar[Binary] = inplace("mul", ops.multiply, mixed(any_dtype))
    __truediv__: ClassVar[Binary] = forward("truediv", ops.divide, mixed(fractions))
    __rtruediv__: ClassVar[Binary] = reflected("truediv", ops.divide, mixed(fractions))
    __itruediv__: ClassVar[Binary] = inplace("truediv", ops.divide, mixed(fractions))
    __mod__: ClassVar[Binary] = forward("mod", ops.mod, mixed(any_dtype))
    __rmod__: ClassVar[Binary] = reflected("mod", ops.mod, mixed(any_dtype))
    __imod__: ClassVar[Binary] = inplace("mod", ops.mod, mixed(any_dtype))
    __pow__: ClassVar[Binary] = forward("pow", ops.power, mixed(any_dtype))
    __rpow__: ClassVar[Binary] = reflected("pow", ops.power, mixed(any_dtype))
    __ipow__: ClassVar[Binary] = inplace("pow", ops.power, mixed(any_dtype))

    __floordiv__: ClassVar[Binary] = general("floordiv", ops.floor_divide, constant)
    __rfloordiv__: ClassVar[Binary] = reflected("floordiv", ops.floor_divide, constant)
    __ifloordiv__: ClassVar[Binary] = inplace("floordiv", ops.floor_divide, constant)
    __and__: ClassVar[Binary] = general("and", ops.bitwise_and, constant)
    __rand__: ClassVar[Binary] = reflected("and", ops.bitwise_and, constant)
    __iand__: ClassVar[Binary] = inplace("and", ops.bitwise_and, constant)
    __or__: ClassVar[Binary] = general("or", ops.bitwise_or, constant)
    __ror__: ClassVar[Binary] = reflected("or", ops.bitwise_or, constant)
    __ior__: ClassVar[Binary] = inplace("or", ops.bitwise_or, constant)
    __xor__: ClassVar[Binary] = general("xor", ops.bitwise_xor, constant)
    __rxor__: ClassVar[Binary] = reflected("xor", ops.bitwise_xor, constant)
    __ixor__: ClassVar[Binary] = inplace("xor", ops.bitwise_xor, constant)
    __lshift__: ClassVar[Binary] = general("lshift", ops.left_shift, constant)
    __rlshift__: ClassVar[Binary] = reflected("lshift", ops.left_shift, constant)
    __ilshift__: ClassVar[Binary] = inplace("lshift", ops.left_shift, constant)
    __rshift__: ClassVar[Binary] = general("rshift", ops.right_shift, constant)
    __rrshift__: ClassVar[Binary] = reflected("rshift", ops.right_shift, constant)
    __irshift__: ClassVar[Binary] = inplace("rshift", ops.right_shift, constant)

    __eq__: ClassVar[Binary] = forward("eq", ops.equal, compared)  # type: ignore[assignment]
    __ne__: ClassVar[Binary] = forward("ne", ops.not_equal, compared)  # type: ignore[assignment]
    __gt__: ClassVar[Binary] = forward("gt", ops.greater, compared)
    __ge__: ClassVar[Binary] = forward("ge", ops.greater_equal, compared)
    __lt__: ClassVar[Binary] = forward("lt", ops.less, compared)
    __le__: ClassVar[Binary] = forward("le", ops.less_equal, compared)

    __imatmul__: ClassVar[Binary] = inplace("matmul", ops.matmul, function=matrix.matmul)

    def __matmul__(self, other: Operand) -> ndarray:
        return matrix.matmul(self, other) if isinstance(other, OPERANDS) else NotImplemented

    def __rmatmul__(self, other: Operand) -> ndarray:
        return matrix.matmul(other, self) if isinstance(other, OPERANDS) else NotImplemented

    def __neg__(self) -> ndarray:
        return ops.negative(self)

    def __pos__(self) -> ndarray:
        return ops.copy(self)

    def __abs__(self) -> ndarray:
        return ops.abs(self)

    def __invert__(self) -> ndarray:
        return ops.invert(self)

    def __divmod__(self, other: Operand) -> tuple[ndarray, ndarray]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[ndarray, ndarray]:
        return other // self, other % self

    def __round__(self, ndigits: int | None = None) -> ndarray:
        return ops.round_even(self, decimals=ndigits or 0)

    __array_ufunc__ = _array_ufunc
    __array_function__ = _array_function
    __array_namespace__ = _array_namespace

    # ------------------------------------------------------------------------- properties

    @property
    def itemsize(self) -> int:
        """The bytes of one value."""
        return self.raw.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all values."""
        return self.raw.nbytes

    @property
    def device(self) -> Context:
        """The device; the name that the Python array API uses."""
        return self.context

    @property
    def real(self) -> ndarray:
        """The array itself: its numbers are real."""
        return self

    @property
    def imag(self) -> ndarray:
        """The imaginary parts: zeros."""
        return ops.multiply(self, 0)

    @property
    def flat(self) -> Flat:
        """The values as a flat sequence, to read and to write."""
        return Flat(self)

    @flat.setter
    def flat(self, value: Any) -> None:
        Flat(self)[...] = value

    @property
    def mT(self) -> ndarray:
        """The last two axes exchanged: each matrix transposed."""
        if self.raw.ndim < 2:
            raise ArgumentError(f"mT: an array of shape {self.shape} holds no matrices")
        axes = (*range(self.raw.ndim - 2), -1, -2)
        return ops.transpose(self, axes=axes)

    # ------------------------------------------------------------------------- conversion

    def item(self, *args: Any) -> Any:
        """One value, as a Python number.

        Parameters
        ----------
        *args : int or tuple of int
            A flat index, or one index for each axis; not needed for a single value.

        Returns
        -------
        float, int or bool

        Raises
        ------
        ArgumentError
            If there are several values and no index is given.
        IndexRangeError
            If the index is out of range.

        Examples
        --------
        >>> from gluon import np
        >>> np.array([[1.5, 2.5]]).item(1), np.array(3.5).item()
        (2.5, 3.5)
        """
        try:
            return self.raw.item(*args) if args else self._scalar().item()
        except IndexError as error:
            raise IndexRangeError(f"item: {error}") from None

    def astype(
        self,
        dtype: DTypeLike,
        order: str = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool = True,
    ) -> ndarray:
        """Cast to another dtype.

        Parameters
        ----------
        dtype : str or numpy type
        order : {'K', 'C', 'A'}
            The layout is that of the array.
        casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}
            Which casts are allowed, as in `numpy.can_cast`.
        subok : bool, default True
            Ignored.
        copy : bool, default True
            False returns the array itself if it already has that dtype.

        Returns
        -------
        ndarray of the same shape

        Raises
        ------
        DTypeError
            If arrays cannot have that dtype, or `casting` rules it out.

        Examples
        --------
        >>> from gluon import np
        >>> np.array([1.5, -1.5]).astype("int32")
        array([ 1, -1], dtype=int32)
        """
        wanted = as_numpy_dtype(dtype)
        check_casting("astype", self.raw.dtype, wanted, casting)
        return self if not copy and wanted == self.raw.dtype else ops.cast(self, dtype=wanted)

    def copy(self, order: str = "C") -> ndarray:
        """Return a copy; recorded.

        Parameters
        ----------
        order : {'C'}
            The layout.

        Returns
        -------
        ndarray of the same shape and dtype

        Raises
        ------
        ArgumentError
            If `order` is not one of these.

        Examples
        --------
        >>> from gluon import np
        >>> x = np.array([1])
        >>> y = x.copy()
        >>> y[:] = 5
        >>> x, y
        (array([1.]), array([5.]))
        """
        check_order("copy", order)
        return ops.copy(self)

    def to_device(self, device: Context, /, *, stream: None = None) -> ndarray:
        """The array itself if it is on a device, else a copy there.

        Parameters
        ----------
        device : Context
        stream : None
            Ignored: values are computed when the operator is called.

        Returns
        -------
        ndarray of the same shape and dtype

        Raises
        ------
        DTypeError
            If `device` is not a Context.

        Examples
        --------
        >>> import gluon
        >>> from gluon import np
        >>> np.ones(2).to_device(gluon.cpu(1)).device
        cpu(1)
        """
        return self.as_in_context(device)

    def tobytes(self, order: str = "C") -> bytes:
        """The values as bytes.

        Parameters
        ----------
        order : {'C', 'F', 'A'}
            The order in which values are read; with 'F' the first index varies fastest.

        Returns
        -------
        bytes

        Examples
        --------
        >>> from gluon import np
        >>> list(np.array([1, 2], dtype="uint8").tobytes())
        [1, 2]
        """
        return self.raw.tobytes(order)

    def fill(self, value: Any) -> None:
        """Fill the array with one value.

        Parameters
        ----------
        value : number, or 0-d ndarray, of any dtype

        Examples
        --------
        >>> from gluon import np
        >>> x = np.zeros(2)
        >>> x.fill(3)
        >>> x
        array([3., 3.])
        """
        self[...] = value

    # ----------------------------------------------------------------------------- indexing

    def _key(self, key: Any) -> Any:
        return as_numpy_key(key)

    def __getitem__(self, key: Any) -> ndarray:
        key = as_numpy_key(key)
        self._settle()
        out = ops.getitem(self, key=key)
        if is_basic(key):
            join(self, out)
        return out

    def _number(self, value: Any) -> Any:
        dtype = self.raw.dtype
        if dtype.kind == "f":
            return numpy.asarray(value, dtype)
        number = numpy.asarray(value)
        return number if dtype.kind == "b" else number.astype(dtype)

    # -------------------------------------------------------------------------- protocols

    def __contains__(self, value: Any) -> bool:
        return bool(numpy.any(self.raw == (value.raw if isinstance(value, Array) else value)))

    def __repr__(self) -> str:
        # Like NumPy's, except that the default dtype is float32, so only that one is omitted.
        text, dtype = repr(self.raw), self.raw.dtype
        if "dtype=" in text:
            return text[: text.rindex(",")] + ")" if dtype == numpy.float32 else text
        return text if dtype.kind == "b" else f"{text[:-1]}, dtype={dtype})"

    def __str__(self) -> str:
        return str(self.raw)

    def __format__(self, spec: str) -> str:
        return formatted(self, spec, not self.raw.ndim)


interfaces.ndarray = ndarray  # type: ignore[misc]
for _name, _sign in SIGNS.items():
    OBSERVED.append((ndarray, f"__i{_name}__", "forward", shown(_sign)))
