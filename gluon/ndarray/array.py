"""`NDArray`: the engine's array with MXNet's operators and methods, each delegating to one op."""

from __future__ import annotations

from collections.abc import Iterator
from operator import index
from typing import Any

import numpy as np

from ..engine import backward as engine
from ..engine.array import Array, alias, wrap
from ..engine.errors import ArgumentError, DTypeError
from ..engine.inplace import join, writable
from ..engine.instrument import SCOPES
from ..engine.mark import gradient, mark, set_gradient
from ..engine.node import DETACHED
from ..engine.op import RECORDED as F
from ..engine.rebind import is_recorded, rebind
from .context import CPU, Context, device
from .dtypes import as_dtype
from .indexing import as_key, is_view, reshaped


class NDArray(Array):
    """An array on a device whose computations autograd can record.

    Made by the functions of `gluon.nd` (``nd.array``, ``nd.zeros``, …) and by operators, never
    by calling the class. Operators broadcast. A number takes the dtype of the array it meets.

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

    # ------------------------------------------------------------------------- properties

    @property
    def dtype(self) -> Any:
        """The NumPy type of the values, such as ``numpy.float32``."""
        return self._raw.dtype.type

    @property
    def size(self) -> int:
        """The number of values."""
        return self._raw.size

    @property
    def context(self) -> Context:
        """The device."""
        return self._ctx or CPU

    ctx = context

    @property
    def stype(self) -> str:
        """The storage type: always ``'default'``, dense."""
        return "default"

    @property
    def writable(self) -> bool:
        """Whether values can be written into it: always."""
        return True

    @property
    def T(self) -> NDArray:
        """The axes reversed."""
        return F.transpose(self)

    # ------------------------------------------------------------------------- conversion

    def asnumpy(self) -> np.ndarray:
        """A copy of the values.

        Returns
        -------
        numpy.ndarray of the same shape and dtype

        Examples
        --------
        >>> from gluon import nd
        >>> nd.array([1, 2]).asnumpy()
        array([1., 2.], dtype=float32)
        """
        return self._raw.copy()

    def numpy(self) -> np.ndarray:
        """A copy of the values, as `asnumpy`; the name other libraries use.

        Returns
        -------
        numpy.ndarray of the same shape and dtype

        Examples
        --------
        >>> from gluon import nd
        >>> nd.array([1, 2]).numpy()
        array([1., 2.], dtype=float32)
        """
        return self._raw.copy()

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
        if self._raw.size != 1:
            raise ArgumentError(
                f"the current array is not a scalar: it has shape {self.shape}; use asnumpy()"
            )
        return self._raw.reshape(-1)[0]

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
        return self.asscalar().item()

    def tolist(self) -> Any:
        """The values as nested lists of Python numbers.

        Returns
        -------
        list, or a number for an array without axes

        Examples
        --------
        >>> from gluon import nd
        >>> nd.array([[1, 2]]).tolist()
        [[1.0, 2.0]]
        """
        return self._raw.tolist()

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

    def copyto(self, other: NDArray | Context) -> NDArray:
        """Write the values into `other`, or into a new array on the device `other`.

        Parameters
        ----------
        other : NDArray of the same shape, or Context

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
        >>> x, y = nd.array([1, 2]), nd.zeros(2)
        >>> x.copyto(y).asnumpy().tolist(), y is x.copyto(y)
        ([1.0, 2.0], True)
        """
        if isinstance(other, Context):
            copied = F.copy(self)
            copied._ctx = device(other)
            return copied
        if not isinstance(other, NDArray):
            raise DTypeError(f"copyto: give an NDArray or a Context, not {type(other).__name__}")
        if other is not self:
            if other.shape != self.shape:
                raise ArgumentError(f"copyto: shape {self.shape} into shape {other.shape}")
            other[...] = self
        return other

    def as_in_context(self, context: Context) -> NDArray:
        """The array itself if it is on `context`, else a copy there.

        Parameters
        ----------
        context : Context

        Returns
        -------
        NDArray of the same shape and dtype

        Raises
        ------
        DTypeError
            If `context` is no Context.
        GluonError
            If there is no such device.

        Examples
        --------
        >>> import gluon
        >>> gluon.nd.array([1]).as_in_context(gluon.cpu(1)).context
        cpu(1)
        """
        return self if context == self.context else self.copyto(context)

    as_in_ctx = as_in_context
    to_device = as_in_context

    def as_nd_ndarray(self) -> NDArray:
        """The array itself: it has the classic interface.

        Returns
        -------
        NDArray

        Examples
        --------
        >>> from gluon import nd
        >>> x = nd.array([1])
        >>> x.as_nd_ndarray() is x
        True
        """
        return self

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

    def wait_to_read(self) -> None:
        """Return at once: values are computed when the operator is called.

        Examples
        --------
        >>> from gluon import nd
        >>> nd.ones(2).wait_to_read()
        """

    wait_to_write = wait_to_read

    # ----------------------------------------------------------------------------- autograd

    def attach_grad(self, grad_req: str = "write", stype: str | None = None) -> None:
        """Make the array a variable with a gradient buffer of zeros; cuts its history.

        Parameters
        ----------
        grad_req : {'write', 'add', 'null'}
            Whether ``backward`` replaces the gradient, adds to it, or leaves it alone.
        stype : {None, 'default'}
            Sparse storage is not available.

        Raises
        ------
        ArgumentError
            If `grad_req` or `stype` is none of these.

        Examples
        --------
        >>> from gluon import nd
        >>> x = nd.array([1, 2])
        >>> x.attach_grad()
        >>> x.grad.asnumpy().tolist()
        [0.0, 0.0]
        """
        if stype not in (None, "default"):
            raise ArgumentError(f"attach_grad: storage {stype!r} is not available")
        mark(self, wrap(type(self), np.zeros_like(self._raw), self._ctx), grad_req)

    @property
    def grad(self) -> Any:
        """The gradient, an NDArray of the same shape and dtype; None without `attach_grad`."""
        return gradient(self)

    @grad.setter
    def grad(self, value: NDArray | None) -> None:
        if value is not None and not isinstance(value, Array):
            raise DTypeError(f"grad: give an NDArray or None, not {type(value).__name__}")
        if value is not None and value.shape != self.shape:
            raise ArgumentError(f"grad: shape {value.shape} for an array of shape {self.shape}")
        set_gradient(self, value)

    @property
    def fresh_grad(self) -> bool:
        """Whether a backward wrote `grad` since this was last set to False.

        A gradient that is not fresh is left over from another graph.
        """
        variable = getattr(self, "_mark", None)
        return variable is not None and variable.fresh

    @fresh_grad.setter
    def fresh_grad(self, value: bool) -> None:
        variable = getattr(self, "_mark", None)
        if variable is None:
            raise ArgumentError("fresh_grad: the array has no gradient; call attach_grad()")
        variable.fresh = bool(value)

    _fresh_grad = fresh_grad

    def detach(self) -> NDArray:
        """The same memory without the history: no gradient passes.

        Returns
        -------
        NDArray of the same shape and dtype

        Examples
        --------
        >>> from gluon import autograd, nd
        >>> x = nd.array([3])
        >>> x.attach_grad()
        >>> with autograd.record():
        ...     y = x * x.detach()
        >>> y.backward()
        >>> x.grad.item()
        3.0
        """
        self._settle()
        other = wrap(type(self), self._raw[...], self._ctx, DETACHED)
        join(self, other)
        return other

    def backward(
        self, out_grad: NDArray | None = None, retain_graph: bool = False, train_mode: bool = True
    ) -> None:
        """Compute the gradients of this array with respect to the marked variables.

        Parameters
        ----------
        out_grad : NDArray of the same shape, optional
            The cotangent of this array; ones by default.
        retain_graph : bool, default False
            Keep the graph, to be walked again.
        train_mode : bool, default True
            What ``autograd.is_training()`` says meanwhile.

        Raises
        ------
        AutogradError
            If the array was not recorded, or its graph was released.
        ValueError
            If `out_grad` has another shape.

        Examples
        --------
        >>> from gluon import autograd, nd
        >>> x = nd.array([1, 2])
        >>> x.attach_grad()
        >>> with autograd.record():
        ...     y = x * x
        >>> y.backward(nd.array([1, 10]))
        >>> x.grad.asnumpy().tolist()
        [2.0, 40.0]
        """
        engine.backward([self], [out_grad], retain_graph, train_mode)

    # ---------------------------------------------------------------------- shape, indexing

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
        NDArray of the same dtype

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
        reverse = False
        if kwargs:
            shape, reverse = kwargs.pop("shape", shape), kwargs.pop("reverse", False)
            if kwargs:
                raise DTypeError(f"reshape: unknown arguments {sorted(kwargs)}")
        self._settle()
        codes = tuple(map(index, shape))
        out = F.reshape(self, shape=reshaped(self._raw.shape, codes, reverse))
        join(self, out)
        return out

    def __getitem__(self, key: Any) -> Any:
        key = as_key(key, self._raw.shape)
        self._settle()
        out = F.getitem(self, key=key)
        if not out._raw.ndim and self._raw.ndim:
            out = F.reshape(out, shape=(1,))
        if is_view(out._raw, key):
            join(self, out)
        return out

    def _settle(self) -> None:
        """Give a transposed or stretched array memory of its own, which its views then share."""
        if not self._raw.flags.c_contiguous and not hasattr(self, "_group"):
            self._raw = np.ascontiguousarray(self._raw)

    def __setitem__(self, key: Any, value: Any) -> None:
        key = as_key(key, self._raw.shape)
        if not isinstance(value, Array) and not np.isscalar(value):
            value = wrap(NDArray, np.asarray(value, self._raw.dtype))
        if is_recorded(self, value):
            rebind(self, F.setitem(self, value, key=key), "x[...] = value")
            return
        raw = value._raw if isinstance(value, Array) else self._number(value)
        try:
            writable(self)[key] = raw
        except ValueError as error:
            raise ArgumentError(f"x[...] = value, x of shape {self.shape}: {error}") from None

    def __len__(self) -> int:
        if not self._raw.ndim:
            raise TypeError("len() of an array without axes")
        return self._raw.shape[0]

    def __iter__(self) -> Iterator[NDArray]:
        return (self[k] for k in range(len(self)))

    # ----------------------------------------------------------------------------- numbers

    def _number(self, value: Any) -> Any:
        dtype = self._raw.dtype
        if dtype.kind in "fV":  # bfloat16 is of kind "V"
            return np.asarray(value, dtype)
        # An int32 array times 2.5 is that array times 2.
        if dtype.kind in "iu" or not self._raw.ndim:
            return np.asarray(value).astype(dtype)
        return value

    def __bool__(self) -> bool:
        if self._raw.size > 1:
            raise ValueError(
                f"the truth value of an NDArray of shape {self.shape} is ambiguous; compare and"
                " reduce it first, as in (x > 0).sum() > 0"
            )
        return bool(self._raw.size and self._raw.reshape(-1)[0])

    def __float__(self) -> float:
        return float(self.asscalar())

    def __int__(self) -> int:
        return int(self.asscalar())

    def __index__(self) -> int:
        if self._raw.dtype.kind not in "iu":
            raise TypeError(
                f"an NDArray of dtype {self._raw.dtype} is no index; use an integer one"
            )
        return int(self.asscalar())

    # -------------------------------------------------------------------------- protocols

    def __repr__(self) -> str:
        shape = "x".join(str(n) for n in self.shape)
        return f"\n{self._raw!s}\n<{type(self).__name__} {shape} @{self.context}>"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("an NDArray is converted by a copy; leave out copy=False")
        return np.array(self._raw, dtype)

    def __dlpack__(self, **kwargs: Any) -> Any:
        return writable(self).__dlpack__(**kwargs)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._raw.__dlpack_device__()

    def __reduce__(self) -> tuple:
        return _unpickle, (type(self), self._raw, self._ctx)

    def __copy__(self) -> NDArray:
        return alias(self)

    def __deepcopy__(self, memo: dict) -> NDArray:
        return wrap(type(self), self._raw.copy(), self._ctx)


def _unpickle(cls: type[NDArray], raw: np.ndarray, ctx: Context | None) -> NDArray:
    return wrap(cls, raw, ctx)


SCOPES.append((NDArray, "__setitem__", "forward", lambda _: "x[...] = y"))
