"""`np`: properties of dtypes and arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays import Context
from .._core.arrays.dtypes import as_numpy_dtype
from .._core.engine.array import Array
from ._promote import common, with_number
from ._public import NUMBERS, as_array, public
from .standard import names_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    from ._array import ndarray


@public
def shape(a: ArrayLike) -> tuple[int, ...]:
    """The lengths of the axes.

    Parameters
    ----------
    a : array_like of any shape and dtype

    Returns
    -------
    tuple of int

    Raises
    ------
    DTypeError
        If `a` holds no numbers.

    Examples
    --------
    >>> from gluon import np
    >>> np.shape([[1, 2]])
    (1, 2)
    """
    return as_array(a).shape


@public
def ndim(a: ArrayLike) -> int:
    """The number of axes.

    Parameters
    ----------
    a : array_like of any shape and dtype

    Returns
    -------
    int

    Raises
    ------
    DTypeError
        If `a` holds no numbers.

    Examples
    --------
    >>> from gluon import np
    >>> np.ndim([[1, 2]])
    2
    """
    return as_array(a).ndim


@public
def size(a: ArrayLike, axis: int | None = None) -> int:
    """The number of values, or the length of an axis.

    Parameters
    ----------
    a : array_like of any shape and dtype
    axis : int, optional

    Returns
    -------
    int

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.size([[1, 2]]), np.size([[1, 2]], 0)
    (2, 1)
    """
    a = as_array(a)
    return a.size if axis is None else a.shape[axis]


@public
def result_type(*arrays_and_dtypes: Any) -> numpy.dtype[Any]:
    """The dtype that results from combining arrays, dtypes and numbers.

    Parameters
    ----------
    *arrays_and_dtypes : ndarray of any shape and dtype, number, str or numpy type

    Returns
    -------
    numpy.dtype
        As in NumPy, but integers combined with floats take the dtype of the floats.

    Raises
    ------
    DTypeError
        If an argument is none of these.

    Examples
    --------
    >>> from gluon import np
    >>> np.result_type(np.array([1, 2]), "int64", 3.5)
    dtype('float32')
    """
    numbers = [x for x in arrays_and_dtypes if isinstance(x, NUMBERS)]
    others = [x for x in arrays_and_dtypes if not isinstance(x, NUMBERS)]
    dtypes = [x.form.dtype if isinstance(x, Array) else as_numpy_dtype(x) for x in others]
    found = common(*dtypes) if dtypes else numpy.dtype("bool")
    for number in numbers:
        found = with_number(found, number)
    return found


@public
def promote_types(type1: DTypeLike, type2: DTypeLike) -> numpy.dtype[Any]:
    """The dtype that results from combining two dtypes; see `result_type`.

    Parameters
    ----------
    type1, type2 : str or numpy type

    Returns
    -------
    numpy.dtype

    Raises
    ------
    DTypeError
        If arrays cannot have one of them.

    Examples
    --------
    >>> from gluon import np
    >>> np.promote_types("int64", "float32")
    dtype('float32')
    """
    return common(as_numpy_dtype(type1), as_numpy_dtype(type2))


@public
def can_cast(from_: Any, to: DTypeLike, casting: str = "safe") -> bool:
    """Whether a dtype may be cast to another one, by NumPy's rules.

    Parameters
    ----------
    from_ : ndarray of any shape and dtype, str or numpy type
    to : str or numpy type
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}

    Returns
    -------
    bool

    Raises
    ------
    DTypeError
        If arrays cannot have one of them.

    Examples
    --------
    >>> from gluon import np
    >>> np.can_cast("float32", "float64"), np.can_cast("float64", "float32")
    (True, False)
    """
    given = from_.form.dtype if isinstance(from_, Array) else as_numpy_dtype(from_)
    return numpy.can_cast(given, as_numpy_dtype(to), casting)  # type: ignore[arg-type]


@public
def min_scalar_type(a: ArrayLike) -> numpy.dtype[Any]:
    """The smallest dtype that holds a number.

    Parameters
    ----------
    a : number or array_like
        An array returns its dtype.

    Returns
    -------
    numpy.dtype

    Raises
    ------
    DTypeError
        If it is not a number.

    Examples
    --------
    >>> from gluon import np
    >>> np.min_scalar_type(3)
    dtype('uint8')
    """
    return numpy.min_scalar_type(a.raw if isinstance(a, Array) else a)


@public
def isdtype(dtype: DTypeLike, kind: str) -> bool:
    """Whether a dtype is of a kind, by the names of the Python array API standard.

    Parameters
    ----------
    dtype : str or numpy type
    kind : str, numpy type, or tuple of them
        ``'bool'``, ``'signed integer'``, ``'unsigned integer'``, ``'integral'``,
        ``'real floating'``, ``'complex floating'``, ``'numeric'``, or a dtype.

    Returns
    -------
    bool

    Raises
    ------
    ArgumentError
        If the kind is unknown.
    DTypeError
        If arrays cannot have the dtype.

    Examples
    --------
    >>> from gluon import np
    >>> np.isdtype("int8", "integral"), np.isdtype(np.float32, (np.float64, "bool"))
    (True, False)
    """
    dtype = as_numpy_dtype(dtype)
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if not isinstance(kind, str):
        return dtype == as_numpy_dtype(kind)
    if kind == "real floating" or kind == "numeric":
        return dtype.kind in "fV" or dtype.name in names_of(kind)
    return dtype.name in names_of(kind)


@public
def astype(
    x: ArrayLike, dtype: DTypeLike, *, copy: bool = True, device: Context | None = None
) -> ndarray:
    """Cast to another dtype.

    Parameters
    ----------
    x : array_like of any shape and dtype
    dtype : str or numpy type
    copy : bool, default True
        False returns the array itself if it already has that dtype.
    device : Context, optional
        The device of the result; by default that of the array.

    Returns
    -------
    ndarray of the same shape

    Raises
    ------
    DTypeError
        If arrays cannot have that dtype.

    Examples
    --------
    >>> from gluon import np
    >>> np.astype(np.array([1.5, -1.5]), np.int32)
    array([ 1, -1], dtype=int32)
    """
    found = as_array(x).astype(dtype, copy=copy)
    return found if device is None else found.as_in_ctx(device)
