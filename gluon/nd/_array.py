"""`NDArray`: the engine's array with MXNet's operators and methods, each delegating to one op."""

from __future__ import annotations

from abc import ABCMeta
from operator import index
from typing import Any

import numpy as np

from ..engine.errors import ArgumentError, DTypeError, MissingNameError
from ..engine.inplace import join
from ..engine.op import RECORDED as F
from ..face.prototype import typed
from ..instruments.base import SCOPES
from ..kernels.indexing import is_basic
from ..ndarray import interfaces
from ..ndarray.base import DeviceArray
from ..ndarray.dtypes import as_dtype
from ..ndarray.indexing import are_lengths, as_key, fixed, reshaped
from . import (
    activation,
    elementwise,
    indexing,
    matrix,
    methods,
    operators,
    reduce,
    sequence,
    shape,
)
from . import (
    join as joining,
)
from .operators import arithmetic, compared, negated


class NDArray(DeviceArray, metaclass=ABCMeta):
    """An array on a device whose computations autograd can record.

    Made by the functions of `gluon.nd` (``nd.array``, ``nd.zeros``, …) and by operators, never
    by calling the class. Operators broadcast. A number takes the dtype of the array it meets.
    An array of `gluon.np` passes for an instance too, as in MXNet.

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

    __slots__ = ()

    @property
    def dtype(self) -> Any:
        """The NumPy type of the values, such as ``numpy.float32``."""
        return self._raw.dtype.type

    def all(self, axis: None = None, out: None = None) -> NDArray:
        """Whether no value is 0, as 1 or 0; ``numpy.all(x)`` calls it.

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
        """Whether any value is not 0, as 1 or 0; ``numpy.any(x)`` calls it.

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
        found = F.reshape(getattr(F, name)(self), shape=(1,))
        return F.cast(found, dtype=self._raw.dtype)

    def asscalar(self) -> Any:
        """The one value of an array of size 1, as a NumPy scalar.

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
        """The one value of an array of size 1, as a Python number; see `asscalar`.

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
        """The values as another dtype.

        Parameters
        ----------
        dtype : str or numpy type
        copy : bool, default True
            False returns the array itself where it has that dtype already.

        Returns
        -------
        NDArray of the same shape
            Fractions are dropped where it is of integers.

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
        if not copy and dtype == self._raw.dtype:
            return self
        return F.cast(self, dtype=dtype)

    def copy(self) -> NDArray:
        """A copy with memory of its own; recorded.

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
        return F.copy(self)

    def tostype(self, stype: str) -> NDArray:
        """A copy for ``'default'``; sparse storage is not available.

        Parameters
        ----------
        stype : {'default'}

        Returns
        -------
        NDArray of the same shape and dtype

        Raises
        ------
        ArgumentError
            If `stype` is another.

        Examples
        --------
        >>> from gluon import nd
        >>> nd.array([1, 2]).tostype("default").asnumpy().tolist()
        [1.0, 2.0]
        """
        if stype != "default":
            raise ArgumentError(f"tostype: storage {stype!r} is not available; use 'default'")
        return F.copy(self)

    def reshape(self, *shape: Any, **kwargs: Any) -> NDArray:
        """The same memory in another shape.

        Parameters
        ----------
        *shape : int or tuple of int
            Lengths, and MXNet's codes: 0 copies a length, -1 infers one, -2 copies all the
            rest, -3 multiplies two, -4 splits one by the two that follow.
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
        raw = self._raw
        if not raw.flags.c_contiguous:
            self._settle()
        out = F.reshape(self, shape=shape)
        join(self, out)
        return out

    def _lengths(
        self, codes: Any, *, shape: Any = None, reverse: bool = False, **others: Any
    ) -> tuple:
        """What the arguments of `reshape` come to."""
        if others:
            raise DTypeError(f"reshape: unknown arguments {sorted(others)}")
        codes = codes if shape is None else shape
        try:
            codes = tuple(map(index, codes))
        except TypeError:
            raise DTypeError(f"reshape: shape={codes} must be of whole numbers") from None
        return reshaped(self._raw.shape, codes, reverse)

    def __getitem__(self, key: Any) -> Any:
        raw = self._raw
        key = fixed(key) if type(key) is slice else as_key(key, raw.shape)
        if not raw.flags.c_contiguous:
            self._settle()
        out = F.getitem(self, key=key)
        if (type(key) is slice or is_basic(key)) and out._raw.flags.c_contiguous:
            join(self, out)  # basic and contiguous: a view, as in MXNet
        return out

    def _parts(self) -> list[Any]:
        cut_up = self._raw.ndim == 1  # into arrays of shape (1,), as MXNet's have an axis
        return F.split(self, sections=self._raw.size) if cut_up else F.unstack(self, axis=0)

    def _key(self, key: Any) -> Any:
        return as_key(key, self._raw.shape)

    @property
    def handle(self) -> Any:
        """Not there: in MXNet an address in its C library; see `to_dlpack_for_read`."""
        raise MissingNameError(
            "an NDArray of gluon has no handle: there is no C library behind it; asnumpy() copies"
            " the values, to_dlpack_for_read() shares them"
        )

    def _number(self, value: Any) -> Any:
        dtype = self._raw.dtype
        if dtype.kind in "fV":  # bfloat16 is of kind "V"
            return np.asarray(value, dtype)
        # An int32 array times 2.5 is that array times 2.
        if dtype.kind in "iu" or not self._raw.ndim:
            return np.asarray(value).astype(dtype)
        return value

    def __repr__(self) -> str:
        shape = "x".join(str(n) for n in self.shape)
        return f"\n{self._raw!s}\n<{type(self).__name__} {shape} @{self.context}>"

    abs = elementwise.abs
    arccos = elementwise.arccos
    arccosh = elementwise.arccosh
    arcsin = elementwise.arcsin
    arcsinh = elementwise.arcsinh
    arctan = elementwise.arctan
    arctanh = elementwise.arctanh
    cbrt = elementwise.cbrt
    ceil = elementwise.ceil
    clip = elementwise.clip
    cos = elementwise.cos
    cosh = elementwise.cosh
    degrees = elementwise.degrees
    exp = elementwise.exp
    expm1 = elementwise.expm1
    fix = elementwise.fix
    floor = elementwise.floor
    log = elementwise.log
    log10 = elementwise.log10
    log1p = elementwise.log1p
    log2 = elementwise.log2
    ones_like = elementwise.ones_like
    radians = elementwise.radians
    rcbrt = elementwise.rcbrt
    reciprocal = elementwise.reciprocal
    relu = elementwise.relu
    rint = elementwise.rint
    round = elementwise.round
    rsqrt = elementwise.rsqrt
    sigmoid = elementwise.sigmoid
    sign = elementwise.sign
    sin = elementwise.sin
    sinh = elementwise.sinh
    sqrt = elementwise.sqrt
    square = elementwise.square
    tan = elementwise.tan
    tanh = elementwise.tanh
    trunc = elementwise.trunc
    zeros_like = elementwise.zeros_like

    argmax = reduce.argmax
    argmax_channel = reduce.argmax_channel
    argmin = reduce.argmin
    max = reduce.max
    mean = reduce.mean
    min = reduce.min
    nanprod = reduce.nanprod
    nansum = reduce.nansum
    norm = reduce.norm
    prod = reduce.prod
    sum = reduce.sum

    broadcast_axes = shape.broadcast_axes
    broadcast_to = shape.broadcast_to
    flip = shape.flip
    reshape_like = shape.reshape_like
    shape_array = shape.shape_array
    size_array = shape.size_array
    swapaxes = shape.swapaxes
    transpose = shape.transpose

    pad = joining.pad
    repeat = joining.repeat
    slice = joining.slice
    slice_axis = joining.slice_axis
    slice_like = joining.slice_like
    split = joining.split
    split_v2 = joining.split_v2
    tile = joining.tile

    depth_to_space = indexing.depth_to_space
    diag = indexing.diag
    one_hot = indexing.one_hot
    pick = indexing.pick
    space_to_depth = indexing.space_to_depth
    take = indexing.take

    argsort = sequence.argsort
    sort = sequence.sort
    topk = sequence.topk

    dot = matrix.dot

    log_softmax = activation.log_softmax
    softmax = activation.softmax
    softmin = activation.softmin

    slice_assign = methods.slice_assign
    slice_assign_scalar = methods.slice_assign_scalar
    to_dlpack_for_read = methods.to_dlpack_for_read
    to_dlpack_for_write = methods.to_dlpack_for_write
    expand_dims = methods.expand_dims
    flatten = methods.flatten
    squeeze = methods.squeeze
    broadcast_like = methods.broadcast_like

    # The operators' own functions, not wrappers around them: this is the hot path.
    __add__ = typed(arithmetic, F.add)
    __sub__ = typed(arithmetic, F.subtract)
    __mul__ = typed(arithmetic, F.multiply)
    __truediv__ = typed(arithmetic, operators.divide)
    __mod__ = typed(arithmetic, F.mod)
    __pow__ = typed(arithmetic, F.power)
    __radd__ = typed(arithmetic, F.add)
    __rsub__ = operators.reflected(arithmetic, F.subtract)
    __rmul__ = typed(arithmetic, F.multiply)
    __rtruediv__ = operators.reflected(arithmetic, operators.divide)
    __rmod__ = operators.reflected(arithmetic, F.mod)
    __rpow__ = operators.reflected(arithmetic, F.power)
    __iadd__ = operators.inplace(arithmetic, F.add, "x += y")
    __isub__ = operators.inplace(arithmetic, F.subtract, "x -= y")
    __imul__ = operators.inplace(arithmetic, F.multiply, "x *= y")
    __itruediv__ = operators.inplace(arithmetic, operators.divide, "x /= y")
    __imod__ = operators.inplace(arithmetic, F.mod, "x %= y")
    __ipow__ = operators.inplace(arithmetic, F.power, "x **= y")
    __neg__ = typed(negated, F.negative)
    __abs__ = typed(negated, F.abs)
    __eq__ = typed(compared, operators.compare(F.equal))  # type: ignore[assignment]
    __ne__ = typed(compared, operators.compare(F.not_equal))  # type: ignore[assignment]
    __gt__ = typed(compared, operators.compare(F.greater))
    __ge__ = typed(compared, operators.compare(F.greater_equal))
    __lt__ = typed(compared, operators.compare(F.less))
    __le__ = typed(compared, operators.compare(F.less_equal))
    __hash__ = DeviceArray.__hash__


SCOPES += [
    (NDArray, f"__i{name}__", "forward", operators.shown(sign))
    for name, sign in operators.SIGNS.items()
]
interfaces.NDArray = NDArray  # type: ignore[misc]
