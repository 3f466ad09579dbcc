"""`np`: products of vectors, matrices and arrays of more axes."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from .._core.arrays.dtypes import as_numpy_dtype
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError, IndexRangeError
from ._promote import alike
from ._public import as_axis, cast, into, public, whole
from .indexing import diagonal
from .reduce import sum

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    from ._array import ndarray

#: Index letters for `einsum`.
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@public
def dot(a: ArrayLike, b: ArrayLike, out: ndarray | None = None) -> ndarray:
    """The sum of products over the last axis of `a` and the last but one of `b`.

    Parameters
    ----------
    a, b : array_like of any dtype, of shapes that fit
        Vectors have an inner product, matrices a matrix product; numbers and 0-d arrays scale the
        other array.
    out : ndarray of the shape of the result, optional
        Where to write the result; its dtype must allow a 'same_kind' cast.

    Returns
    -------
    ndarray of the other axes of `a`, then of `b`, of the dtype that the inputs promote to

    Raises
    ------
    ArgumentError
        If the axes to sum over differ in length.

    Examples
    --------
    >>> from gluon import np
    >>> np.dot(np.array([1, 2]), np.array([3, 4]))
    array(11.)
    """
    a, b = alike([a, b])
    if not (a.form.ndim and b.form.ndim):
        return into(out, ops.multiply(a, b))
    if b.form.ndim <= 2:
        return into(out, ops.matmul(a, b))
    return into(out, tensordot(a, b, (-1, -2)))


@public
def matmul(
    a: ArrayLike,
    b: ArrayLike,
    out: ndarray | None = None,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
) -> ndarray:
    """The matrix product, ``a @ b``; stacks of matrices broadcast.

    Parameters
    ----------
    a, b : array_like of one axis or more, of any dtype
        A vector counts as a row on the left and as a column on the right.
    out : ndarray of the shape of the result, optional
        Where to write the result; its dtype must allow a 'same_kind' cast.
    dtype : str or numpy type, optional
        The dtype to compute in.
    casting : {'same_kind', 'no', 'equiv', 'safe', 'unsafe'}
        Which casts to `out` are allowed, as in `numpy.can_cast`.

    Returns
    -------
    ndarray of shape (..., m, n), without the axis that a vector lacks
        Of the dtype that the inputs promote to.

    Raises
    ------
    ArgumentError
        If the axes to sum over differ in length, or an array has no axes.

    Examples
    --------
    >>> from gluon import np
    >>> np.matmul(np.array([[1, 2], [3, 4]]), np.array([1, 1]))
    array([3., 7.])
    """
    a, b = alike([a, b])
    if not (a.form.ndim and b.form.ndim):
        raise ArgumentError(
            f"shapes {a.shape} and {b.shape}: both need an axis; use * to multiply by a number"
        )
    if dtype is not None:
        a, b = (cast(x, as_numpy_dtype(dtype)) for x in (a, b))
    op = ops.dot if a.form.ndim == b.form.ndim == 2 else ops.matmul
    return into(out, op(a, b), casting)


@public
def vdot(a: ArrayLike, b: ArrayLike) -> ndarray:
    """The sum of the products of all values.

    Parameters
    ----------
    a, b : array_like of any dtype and of one size, in any shapes

    Returns
    -------
    ndarray of shape (), of the dtype that the inputs promote to

    Raises
    ------
    ArgumentError
        If the sizes differ.

    Examples
    --------
    >>> from gluon import np
    >>> np.vdot(np.array([[1, 2]]), np.array([[3], [4]]))
    array(11.)
    """
    a, b = (ops.reshape(x, shape=(-1,)) for x in alike([a, b]))
    return ops.matmul(a, b)


@public
def vecdot(
    x1: ArrayLike, x2: ArrayLike, /, out: ndarray | None = None, *, axis: int = -1
) -> ndarray:
    """The sums of products along an axis; the other axes broadcast.

    Parameters
    ----------
    x1, x2 : array_like of any dtype, of shapes that broadcast, with one axis or more
    out : ndarray of the shape of the result, optional
        Where to write the result; its dtype must allow a 'same_kind' cast.
    axis : int, default -1

    Returns
    -------
    ndarray of the broadcast shape without `axis`, of the dtype that the inputs promote to

    Raises
    ------
    ArgumentError
        If the lengths of the axis differ.
    DTypeError
        If `axis` is not an integer.
    IndexRangeError
        If the axis is out of range for one of the inputs.

    Examples
    --------
    >>> from gluon import np
    >>> np.vecdot(np.array([[1, 2], [3, 4]]), np.array([1, 1]))
    array([3., 7.])
    """
    x1, x2 = alike([x1, x2])
    axis = whole(axis, "axis")
    if any(not -x.ndim <= axis < x.ndim for x in (x1, x2)):
        raise IndexRangeError(
            f"axis {axis} is not in both shapes {x1.shape} and {x2.shape}; reshape the inputs, or"
            " use multiply(x1, x2) for 0-d arrays"
        )
    if x1.form.shape[axis] != x2.form.shape[axis]:
        raise ArgumentError(f"axis {axis} of shapes {x1.shape} and {x2.shape} differs in length")
    return into(out, ops.sum(ops.multiply(x1, x2), axis=axis))


@public
def inner(a: ArrayLike, b: ArrayLike) -> ndarray:
    """The sums of products over the last axis of both.

    Parameters
    ----------
    a, b : array_like of any dtype, of shapes that fit

    Returns
    -------
    ndarray of the other axes of `a`, then of `b`, of the dtype that the inputs promote to

    Raises
    ------
    ArgumentError
        If the axes to sum over differ in length.

    Examples
    --------
    >>> from gluon import np
    >>> np.inner(np.array([1, 2]), np.array([3, 4]))
    array(11.)
    """
    a, b = alike([a, b])
    return tensordot(a, b, (-1, -1)) if a.form.ndim and b.form.ndim else ops.multiply(a, b)


@public
def outer(a: ArrayLike, b: ArrayLike, out: ndarray | None = None) -> ndarray:
    """The outer product of two arrays, flattened.

    Parameters
    ----------
    a, b : array_like of any shape and dtype
        Taken as vectors.
    out : ndarray of the shape of the result, optional
        Where to write the result; its dtype must allow a 'same_kind' cast.

    Returns
    -------
    ndarray of shape (a.size, b.size), of the dtype that the inputs promote to

    Raises
    ------
    DTypeError
        If an argument holds no numbers.

    Examples
    --------
    >>> from gluon import np
    >>> np.outer(np.array([1, 2]), np.array([3, 4]))
    array([[3., 4.],
           [6., 8.]])
    """
    a, b = alike([a, b])
    return into(out, ops.multiply(ops.reshape(a, shape=(-1, 1)), ops.reshape(b, shape=(1, -1))))


@public
def tensordot(a: ArrayLike, b: ArrayLike, axes: Any = 2) -> ndarray:
    """The sums of products over several axes of both.

    Parameters
    ----------
    a, b : array_like of any dtype, of shapes that fit
    axes : int or pair of (sequence of) int, default 2
        The number of axes to sum over, the last of `a` and the first of `b`; or the axes of `a`
        and those of `b`.

    Returns
    -------
    ndarray of the other axes of `a`, then of `b`, of the dtype that the inputs promote to

    Raises
    ------
    ArgumentError
        If the axes to sum over differ in number or length.
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.tensordot(np.ones((2, 3, 4)), np.ones((3, 4, 5)))[0]
    array([12., 12., 12., 12., 12.])
    """
    a, b = alike([a, b])
    summed_a, summed_b = _axes(axes, a.form.ndim, b.form.ndim)
    lengths = [a.form.shape[k] for k in summed_a]
    if lengths != [b.form.shape[k] for k in summed_b]:
        raise ArgumentError(
            f"axes {summed_a} of shape {a.shape} and {summed_b} of {b.shape} differ in length"
        )
    rest_a = [k for k in range(a.form.ndim) if k not in summed_a]
    rest_b = [k for k in range(b.form.ndim) if k not in summed_b]
    shape = [a.form.shape[k] for k in rest_a] + [b.form.shape[k] for k in rest_b]
    n = prod(lengths)
    rows, columns = prod(shape[: len(rest_a)]), prod(shape[len(rest_a) :])
    left = ops.reshape(ops.transpose(a, axes=rest_a + summed_a), shape=(rows, n))
    right = ops.reshape(ops.transpose(b, axes=summed_b + rest_b), shape=(n, columns))
    return ops.reshape(ops.dot(left, right), shape=tuple(shape))


def _axes(axes: Any, a: int, b: int) -> tuple[list[int], list[int]]:
    """Return the axes to sum over, of arrays with `a` and `b` axes."""
    first: Any
    second: Any
    if isinstance(axes, (tuple, list)):
        if len(axes) != 2:
            raise ArgumentError(f"axes={axes!r} is neither a number nor a pair")
        first, second = (x if isinstance(x, (tuple, list)) else (x,) for x in axes)
    else:
        count = as_axis(axes)
        first, second = range(a - count, a), range(count)
    if len(first) != len(second):
        raise ArgumentError(f"axes={axes!r} names different numbers of axes")
    found = []
    for given, ndim in ((first, a), (second, b)):
        wrong = [k for k in given if not -ndim <= k < ndim]
        if wrong:
            raise IndexRangeError(f"axis {wrong[0]} is out of range for {ndim} axes")
        found.append([int(k) % ndim for k in given])
    return found[0], found[1]


@public
def einsum(
    *operands: str, out: ndarray | None = None, optimize: bool = False, **kwargs: Any
) -> ndarray:
    """The sum over products of entries with common indices, in Einstein's notation.

    Parameters
    ----------
    *operands : str, and array_like of any dtype, with the axes that it names
        The subscripts, as in ``"ij,jk->ik"``, and the arrays; or arrays, each followed by a list
        of numbers for its axes, and at the end a list for the result.
    out : ndarray of the shape of the result, optional
        Where to write the result; its dtype must allow a 'same_kind' cast.
    optimize : bool or {'greedy', 'optimal'}, default False
        Whether to search for a cheap order of several products.
    **kwargs
        ``dtype``, the dtype to compute in; ``casting`` and ``order`` are ignored.

    Returns
    -------
    ndarray of the axes that the subscripts name, of the dtype that the inputs promote to

    Raises
    ------
    ArgumentError
        If the indices do not fit the arrays.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.array([[1, 2], [3, 4]])
    >>> np.einsum("ij,jk->ik", x, x), np.einsum("ii", x)
    (array([[ 7., 10.],
           [15., 22.]]), array(5.))
    """
    dtype = kwargs.pop("dtype", None)
    if unknown := set(kwargs) - {"casting", "order"}:
        raise DTypeError(f"unknown arguments {sorted(unknown)}")
    subscripts, arrays = _written(operands)
    if dtype is not None:
        arrays = [cast(x, as_numpy_dtype(dtype)) for x in arrays]
    explicit = _explicit(subscripts, [x.form.ndim for x in arrays])
    _check_lengths(explicit, [x.form.shape for x in arrays])
    return into(out, ops.einsum(*arrays, subscripts=explicit, optimize=optimize))


def _check_lengths(subscripts: str, shapes: list[tuple[int, ...]]) -> None:
    """Raise if a letter stands for axes of different lengths; those of length 1 are repeated."""
    lengths: dict[str, int] = {}
    for term, shape in zip(subscripts.partition("->")[0].split(","), shapes):
        for letter, length in zip(term, shape):
            known = lengths.setdefault(letter, length)
            if 1 not in (known, length) and known != length:
                raise ArgumentError(
                    f"{subscripts!r}: {letter!r} stands for axes of length {known} and {length} in"
                    f" arrays of shapes {', '.join(map(str, shapes))}"
                )
            lengths[letter] = length if known == 1 else known


def _written(operands: tuple) -> tuple[str, list[ndarray]]:
    """Return the subscripts as a string, and the arrays."""
    if operands and isinstance(operands[0], str):
        return operands[0].replace(" ", ""), alike(operands[1:])
    arrays, lists = operands[: len(operands) // 2 * 2 : 2], operands[1::2]

    def letters(axes: Any) -> str:
        return "".join("..." if axis is Ellipsis else LETTERS[axis] for axis in axes)

    written = ",".join(letters(axes) for axes in lists)
    if len(operands) % 2:
        written += "->" + letters(operands[-1])
    return written, alike(arrays)


def _explicit(subscripts: str, ndims: list[int]) -> str:
    """Return `subscripts` with letters for ellipses and with the indices of the result."""
    given, arrow, result = subscripts.partition("->")
    terms = given.split(",")
    if len(terms) != len(ndims):
        raise ArgumentError(f"{subscripts!r} names {len(terms)} arrays, {len(ndims)} are given")
    spare = [c for c in LETTERS if c not in subscripts]
    hidden = [n - len(term.replace("...", "")) for term, n in zip(terms, ndims)]
    if any(h < 0 or (h and "..." not in term) for h, term in zip(hidden, terms)):
        of_each = " and ".join(map(str, ndims))
        raise ArgumentError(
            f"{subscripts!r} does not fit arrays of {of_each} axes; give one letter for each axis,"
            " or '...'"
        )
    most = max([h for h, term in zip(hidden, terms) if "..." in term], default=0)
    axes = "".join(spare[:most])
    terms = [term.replace("...", axes[most - h :]) for term, h in zip(terms, hidden)]
    if not arrow:
        letters = sorted(set("".join(terms)) - set(axes))
        result = "..." + "".join(c for c in letters if "".join(terms).count(c) == 1)
    return ",".join(terms) + "->" + result.replace("...", axes)


@public
def kron(a: ArrayLike, b: ArrayLike) -> ndarray:
    """The Kronecker product: each value of `a` times the whole of `b`.

    Parameters
    ----------
    a, b : array_like of any shape and dtype

    Returns
    -------
    ndarray with as many axes as the array with more, of the dtype that the inputs promote to
        The length of each axis is the product of the lengths of both.

    Raises
    ------
    DTypeError
        If an argument holds no numbers.

    Examples
    --------
    >>> from gluon import np
    >>> np.kron(np.array([1, 10]), np.array([1, 2]))
    array([ 1.,  2., 10., 20.])
    """
    a, b = alike([a, b])
    ndim = max(a.form.ndim, b.form.ndim)
    shapes = [(1,) * (ndim - x.form.ndim) + x.form.shape for x in (a, b)]
    left = ops.reshape(a, shape=tuple(n for length in shapes[0] for n in (length, 1)))
    right = ops.reshape(b, shape=tuple(n for length in shapes[1] for n in (1, length)))
    return ops.reshape(ops.multiply(left, right), shape=tuple(m * n for m, n in zip(*shapes)))


@public
def trace(
    a: ArrayLike,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """The sum along a diagonal of two axes.

    Parameters
    ----------
    a : array_like of two axes or more, of any dtype
    offset : int, default 0
        Which diagonal: above the main one where it is positive.
    axis1, axis2 : int
        The axes of the matrices.
    dtype : str or numpy type, optional
        The dtype to compute in.
    out : ndarray of the shape of the result, optional
        Where to write the result; its dtype must allow a 'same_kind' cast.

    Returns
    -------
    ndarray of the shape of `a` without both axes
        Of `dtype`; else of that of `a`, or 64 bits wide for integers and booleans.

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.trace(np.array([[1, 2], [3, 4]]))
    array(5.)
    """
    return into(out, sum(diagonal(a, offset, axis1, axis2), -1, dtype))
