"""`ndarray` of `gluon.np`: the engine's array with NumPy's semantics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy

from ..engine.array import Array
from ..engine.errors import ArgumentError, IndexRangeError
from ..engine.inplace import join
from ..engine.op import RECORDED as F
from ..instruments.base import SCOPES
from ..kernels.indexing import is_basic
from ..nd._array import NDArray
from ..nd.methods import to_dlpack_for_read, to_dlpack_for_write
from ..nd.operators import shown
from ..ndarray import interfaces
from ..ndarray.base import DeviceArray
from ..ndarray.dtypes import as_numpy_dtype, check_casting, check_order
from ..ndarray.indexing import as_numpy_key
from . import (
    calculus,
    complexes,
    functional,
    indexing,
    matrix,
    methods,
    operators,
    protocols,
    reduce,
    sorting,
    writing,
)
from ._promote import any_dtype, fractions, mixed
from .operators import arithmetic, comparison, general, whole

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from ..ndarray import Context


@NDArray.register
class ndarray(DeviceArray):
    """An array with NumPy's semantics, on a device, whose computations autograd can record.

    Made by the functions of `gluon.np` (``np.array``, ``np.zeros``, …) and by operators. It may
    have no axes and no values; comparisons give booleans; arrays of two dtypes meet in the one
    that NumPy promotes them to, but for whole numbers that meet floating ones: those take the
    dtype of the others.

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

    __slots__ = ()
    #: As in NumPy: an array that compares value by value is no key of a dict.
    __hash__ = None  # type: ignore[assignment]

    # -------------------------------------------------------------------------- operators

    __add__, __radd__, __iadd__ = arithmetic("add", F.add, mixed(any_dtype))
    __sub__, __rsub__, __isub__ = arithmetic("sub", F.subtract, mixed(any_dtype))
    __mul__, __rmul__, __imul__ = arithmetic("mul", F.multiply, mixed(any_dtype))
    __truediv__, __rtruediv__, __itruediv__ = arithmetic("truediv", F.divide, mixed(fractions))
    __mod__, __rmod__, __imod__ = arithmetic("mod", F.mod, mixed(any_dtype))
    __pow__, __rpow__, __ipow__ = arithmetic("pow", F.power, mixed(any_dtype))
    __matmul__, __rmatmul__, __imatmul__ = general("matmul", F.matmul, matrix.matmul)
    __floordiv__, __rfloordiv__, __ifloordiv__ = whole("floordiv", F.floor_divide)
    __and__, __rand__, __iand__ = whole("and", F.bitwise_and)
    __or__, __ror__, __ior__ = whole("or", F.bitwise_or)
    __xor__, __rxor__, __ixor__ = whole("xor", F.bitwise_xor)
    __lshift__, __rlshift__, __ilshift__ = whole("lshift", F.left_shift)
    __rshift__, __rrshift__, __irshift__ = whole("rshift", F.right_shift)

    # Declared, since `object` gives bool.
    __eq__: ClassVar[operators.Binary] = comparison("eq", F.equal)  # type: ignore[assignment]
    __ne__: ClassVar[operators.Binary] = comparison("ne", F.not_equal)  # type: ignore[assignment]
    __gt__ = comparison("gt", F.greater)
    __ge__ = comparison("ge", F.greater_equal)
    __lt__ = comparison("lt", F.less)
    __le__ = comparison("le", F.less_equal)

    def __neg__(self) -> ndarray:
        return F.negative(self)

    def __pos__(self) -> ndarray:
        return F.copy(self)

    def __abs__(self) -> ndarray:
        return F.abs(self)

    def __invert__(self) -> ndarray:
        return F.invert(self)

    def __divmod__(self, other: operators.Operand) -> tuple[ndarray, ndarray]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[ndarray, ndarray]:
        return other // self, other % self

    def __round__(self, ndigits: int | None = None) -> ndarray:
        return F.round_even(self, decimals=ndigits or 0)

    # ------------------------------------------------- functions of `gluon.np` as methods

    all = reduce.all
    any = reduce.any
    argmax = reduce.argmax
    argmin = reduce.argmin
    cumsum = reduce.cumsum
    max = reduce.max
    mean = reduce.mean
    min = reduce.min
    prod = reduce.prod
    std = reduce.std
    sum = reduce.sum
    var = reduce.var
    ravel = methods.ravel
    repeat = methods.repeat
    squeeze = methods.squeeze
    swapaxes = methods.swapaxes
    broadcast_to = methods.broadcast_to
    compress = indexing.compress
    diagonal = indexing.diagonal
    nonzero = indexing.nonzero
    take = indexing.take
    dot = matrix.dot
    trace = matrix.trace
    argpartition = sorting.argpartition
    argsort = sorting.argsort
    searchsorted = sorting.searchsorted
    cumprod = calculus.cumprod
    choose = functional.choose
    put = writing.put
    conj = complexes.conj
    conjugate = complexes.conjugate
    reshape = methods.reshape
    reshape_view = methods.reshape_view
    transpose = methods.transpose
    flatten = methods.flatten
    clip = methods.clip
    round = methods.round
    sort = methods.sort
    partition = methods.partition
    to_dlpack_for_read = to_dlpack_for_read
    to_dlpack_for_write = to_dlpack_for_write

    __array_ufunc__ = protocols.array_ufunc
    __array_function__ = protocols.array_function
    __array_namespace__ = protocols.array_namespace

    # ------------------------------------------------------------------------- properties

    @property
    def itemsize(self) -> int:
        """The bytes of one value."""
        return self._raw.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all values."""
        return self._raw.nbytes

    @property
    def device(self) -> Context:
        """The device, under the name that the Python array API has for it."""
        return self.context

    @property
    def real(self) -> ndarray:
        """The array itself: its numbers are real."""
        return self

    @property
    def imag(self) -> ndarray:
        """The imaginary parts: zeros."""
        return F.multiply(self, 0)

    @property
    def flat(self) -> writing.Flat:
        """The values in one line, to read and to write to."""
        return writing.Flat(self)

    @flat.setter
    def flat(self, value: Any) -> None:
        writing.Flat(self)[...] = value

    @property
    def mT(self) -> ndarray:
        """The last two axes exchanged: each matrix transposed."""
        if self._raw.ndim < 2:
            raise ArgumentError(f"mT: an array of shape {self.shape} holds no matrices")
        axes = (*range(self._raw.ndim - 2), -1, -2)
        return F.transpose(self, axes=axes)

    # ------------------------------------------------------------------------- conversion

    def item(self, *args: Any) -> Any:
        """One value, as a Python number.

        Parameters
        ----------
        *args : int or tuple of int
            Its place, flat or one index for each axis; none where there is one value alone.

        Returns
        -------
        float, int or bool

        Raises
        ------
        ArgumentError
            If there are several values and no place is given.
        IndexRangeError
            If the place lies outside.

        Examples
        --------
        >>> from gluon import np
        >>> np.array([[1.5, 2.5]]).item(1), np.array(3.5).item()
        (2.5, 3.5)
        """
        try:
            return self._raw.item(*args) if args else self._scalar().item()
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
        """The values as another dtype.

        Parameters
        ----------
        dtype : str or numpy type
        order : {'K', 'C', 'A'}
            The layout is that of the array.
        casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}
            What is refused.
        subok : bool, default True
            Ignored.
        copy : bool, default True
            False returns the array itself where it has that dtype already.

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
        check_casting("astype", self._raw.dtype, wanted, casting)
        return self if not copy and wanted == self._raw.dtype else F.cast(self, dtype=wanted)

    def copy(self, order: str = "C") -> ndarray:
        """A copy with memory of its own; recorded.

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
            If `order` is another.

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
        return F.copy(self)

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
            If `device` is no Context.

        Examples
        --------
        >>> import gluon
        >>> from gluon import np
        >>> np.ones(2).to_device(gluon.cpu(1)).device
        cpu(1)
        """
        return self.as_in_context(device)

    def tobytes(self, order: str = "C") -> bytes:
        """The memory of the values.

        Parameters
        ----------
        order : {'C', 'F', 'A'}
            The order in which values are read; with 'F' the first index runs fastest.

        Returns
        -------
        bytes

        Examples
        --------
        >>> from gluon import np
        >>> list(np.array([1, 2], dtype="uint8").tobytes())
        [1, 2]
        """
        return self._raw.tobytes(order)

    def fill(self, value: Any) -> None:
        """Write one value to all places.

        Parameters
        ----------
        value : number, or ndarray without axes, of any dtype

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

    def __getitem__(self, key: Any) -> Any:
        key = as_numpy_key(key)
        self._settle()
        out = F.getitem(self, key=key)
        if is_basic(key):
            join(self, out)
        return out

    def _number(self, value: Any) -> Any:
        dtype = self._raw.dtype
        if dtype.kind == "f":
            return numpy.asarray(value, dtype)
        number = numpy.asarray(value)
        return number if dtype.kind == "b" else number.astype(dtype)

    # -------------------------------------------------------------------------- protocols

    def __contains__(self, value: Any) -> bool:
        return bool(numpy.any(self._raw == (value._raw if isinstance(value, Array) else value)))

    def __repr__(self) -> str:
        # As NumPy's, but the default dtype goes unsaid, which here is float32, and no other one.
        text, dtype = repr(self._raw), self._raw.dtype
        if "dtype=" in text:
            return text[: text.rindex(",")] + ")" if dtype == numpy.float32 else text
        return text if dtype.kind == "b" else f"{text[:-1]}, dtype={dtype})"

    def __str__(self) -> str:
        return str(self._raw)

    def __format__(self, spec: str) -> str:
        return format(self._raw.item() if not self._raw.ndim else str(self), spec)


interfaces.ndarray = ndarray  # type: ignore[misc]
for _name, _sign in operators.SIGNS.items():
    SCOPES.append((ndarray, f"__i{_name}__", "forward", shown(_sign)))
