"""The base of `NDArray` and of `gluon.np.ndarray`: memory, devices, gradients, protocols."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, Union

import numpy as np

from ..engine import backward as engine
from ..engine.array import Array, alias, wrap
from ..engine.inplace import handles, join, writable, write
from ..engine.mark import mark, set_gradient
from ..engine.mode import mode
from ..engine.node import DETACHED, InFunction
from ..engine.op import KERNELS
from ..engine.op import RECORDED as ops
from ..errors import CAUSES, ArgumentError, DTypeError, a_type, translated
from ..hints.lookup import Refused, elsewhere_as_method, missing_attribute, refuse, unassignable
from ..hints.synonyms import ATTRIBUTES
from ..instruments.base import OBSERVED
from ..instruments.hooks import RemovableHandle, register
from ..kernels.memory import Buffer, foreign, is_external, offset, on_host, same_place
from ..refusals import NUMBERS
from . import interfaces
from .context import CPU, Context, device, has_device
from .dtypes import castable
from .history import with_history
from .laxness import check_gradient, lax, warn_of_computed
from .notebook import array_html
from .rebind import is_recorded, rebind
from .storage import stype_of, zeros_in
from .unpacking import watched

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..hints.lookup import Nothing


class DeviceArray(Array):
    """An array on a device whose computations autograd can record; the base of both interfaces.

    It says nothing of what an operator gives: that is where the interfaces differ.
    """

    __slots__ = ()
    raw: Any
    #: Whether it is an array of `gluon.np`; an attribute, because most programs never import that.
    _of_numpy = False
    #: Whether only some values are stored; an attribute, because trainers ask for it at each step.
    _is_sparse = False

    if not TYPE_CHECKING:
        data, requires_grad = (
            Refused(name, ATTRIBUTES[name]) for name in ("data", "requires_grad")
        )
        shape = unassignable(Array.shape, "x.shape", "use x = x.reshape(shape)")

    def _key(self, key: Any) -> Any:
        """Convert the key of ``x[key]`` for NumPy."""
        raise NotImplementedError

    @property
    def size(self) -> int:
        """The number of values."""
        return int(self.raw.size)

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
    def T(self: A) -> A:
        """The array with its axes reversed."""
        return ops.transpose(self)

    def asnumpy(self) -> np.ndarray:
        """Return a copy of the values as a NumPy array.

        Returns
        -------
        numpy.ndarray of the same shape and dtype

        Examples
        --------
        >>> from gluon import nd
        >>> nd.array([1, 2]).asnumpy()
        array([1., 2.], dtype=float32)
        """
        return np.array(on_host(self.raw), order="C")

    def numpy(self) -> np.ndarray:
        """Return a copy of the values as a NumPy array; see `asnumpy`.

        Returns
        -------
        numpy.ndarray of the same shape and dtype

        Examples
        --------
        >>> from gluon import nd
        >>> nd.array([1, 2]).numpy()
        array([1., 2.], dtype=float32)
        """
        return np.array(on_host(self.raw), order="C")

    def tolist(self) -> Any:
        """Return the values as nested lists of Python numbers.

        Returns
        -------
        list, or a number for an array without axes

        Examples
        --------
        >>> from gluon import nd
        >>> nd.array([[1, 2]]).tolist()
        [[1.0, 2.0]]
        """
        return self.raw.tolist()

    def _scalar(self) -> Any:
        """Return the single value as a NumPy scalar."""
        if self.raw.size != 1:
            raise ArgumentError(
                f"an array of shape {self.shape} is not a scalar; index it, reduce it, or use"
                " asnumpy()"
            )
        return np.asarray(on_host(self.raw)).reshape(-1)[0]

    def as_nd_ndarray(self) -> interfaces.NDArray:
        """Return the array with the interface of `nd`, with the same memory and history.

        Returns
        -------
        NDArray of the same shape and dtype
            The array itself, if it is one already.

        Examples
        --------
        >>> from gluon import nd, np
        >>> x = np.array([1, 2])
        >>> y = x.as_nd_ndarray()
        >>> y[0] = 5
        >>> type(y).__name__, x
        ('NDArray', array([5., 2.]))
        """
        return seen_as(interfaces.NDArray, self)

    def as_np_ndarray(self) -> interfaces.ndarray:
        """Return the array with the interface of `gluon.np`, with the same memory and history.

        Returns
        -------
        ndarray of the same shape and dtype
            The array itself, if it is one already.

        Examples
        --------
        >>> from gluon import autograd, nd
        >>> x = nd.array([1, 2])
        >>> x.attach_grad()
        >>> with autograd.record():
        ...     y = (x.as_np_ndarray() ** 2).sum()
        >>> y.backward()
        >>> y, x.grad.asnumpy().tolist()
        (array(5.), [2.0, 4.0])
        """
        return seen_as(interfaces.ndarray, self)

    def copyto(self, other: Any) -> Any:
        """Copy the values into `other`, or into a new array on the device `other`.

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
            return moved(self, device(other))
        if not isinstance(other, DeviceArray):
            raise DTypeError(f"copyto: give an array or a Context, not {type(other).__name__}")
        if other is not self:
            if other.shape != self.shape:
                raise ArgumentError(f"copyto: shape {self.shape} into shape {other.shape}")
            other[...] = self
        return other

    def as_in_context(self: A, context: Context) -> A:
        """Return the array itself if it is on `context`, otherwise a copy there.

        Parameters
        ----------
        context : Context

        Returns
        -------
        NDArray of the same shape and dtype

        Raises
        ------
        DTypeError
            If `context` is not a Context.
        GluonError
            If the device is unknown.

        Examples
        --------
        >>> import gluon
        >>> gluon.nd.array([1]).as_in_context(gluon.cpu(1)).context
        cpu(1)
        """
        if not isinstance(context, Context):
            raise DTypeError(
                f"as_in_context: give a Context, such as cpu(0), not {type(context).__name__}"
            )
        return self if context == self.context else self.copyto(context)

    def wait_to_read(self) -> None:
        """Return when the values are computed: at once, unless the array is on a GPU.

        Examples
        --------
        >>> from gluon import nd
        >>> nd.ones(2).wait_to_read()
        """
        if isinstance(self.form, Buffer):
            self.raw.wait()

    def attach_grad(self, grad_req: str = "write", stype: str | None = None) -> None:
        """Mark the array as a variable: allocate its gradient, and cut its history.

        Parameters
        ----------
        grad_req : {'write', 'add', 'null'}
            Whether ``backward`` replaces the gradient, adds to it, or does not compute it: with
            'null', `grad` is None.
        stype : {'default', 'csr', 'row_sparse'}, optional
            The storage type of the gradient, by default that of the array.

        Raises
        ------
        ArgumentError
            If `grad_req` or `stype` is not one of these.
        DTypeError
            If the array is an integer array of `gluon.np`; an integer NDArray warns instead. The
            gradient would be of integers too.

        Examples
        --------
        >>> from gluon import nd
        >>> x = nd.array([1, 2])
        >>> x.attach_grad()
        >>> x.grad.asnumpy().tolist()
        [0.0, 0.0]
        """
        check_marked("attach_grad: an array", self, grad_req)
        null = isinstance(grad_req, str) and grad_req == "null"
        grad = None if null else self._zeros("attach_grad", stype)
        mark(self, grad, grad_req)

    def _zeros(self, name: str, stype: str | None) -> Any:
        """Return zeros of this shape and dtype, by default in the same storage."""
        value, wanted = self.held, stype_of(self) if stype is None else stype
        if wanted == "default" and not self._is_sparse:
            return wrap(type(self), np.zeros_like(value), self._ctx)
        if self._of_numpy:
            raise ArgumentError(f"{name}: stype={wanted!r}, but arrays of gluon.np are dense")
        return zeros_in(name, wanted, value.shape, value.dtype, self._ctx)

    @property
    def grad(self: A) -> Union[A, Any]:  # noqa: UP007  (jedi does not read `A | Any`)
        """The gradient, an array of the same shape and dtype; None without `attach_grad`."""
        variable = self._mark
        if variable is None:
            warn_of_computed(self)
            return None
        grad = variable.grad
        if grad is None or type(grad) is type(self) or grad._of_numpy is self._of_numpy:
            return grad
        return seen_as(type(self), grad)

    @grad.setter
    def grad(self, value: Array | None) -> None:
        if value is not None and not isinstance(value, Array):
            raise DTypeError(f"grad: give an NDArray or None, not {type(value).__name__}")
        if value is not None and value.shape != self.shape:
            raise ArgumentError(f"grad: shape {value.shape} for an array of shape {self.shape}")
        set_gradient(self, value)

    @property
    def fresh_grad(self) -> bool:
        """Whether a backward pass has written `grad` since this was last set to False.

        A gradient that is not fresh is left over from another graph.
        """
        variable = self._mark
        return variable is not None and variable.fresh

    @fresh_grad.setter
    def fresh_grad(self, value: bool) -> None:
        variable = self._mark
        if variable is None:
            raise ArgumentError("fresh_grad: the array has no gradient; call attach_grad()")
        variable.fresh = bool(value)

    _fresh_grad = fresh_grad

    def detach(self: A) -> A:
        """Return the array without its history, on the same memory; no gradient flows through it.

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
        other = wrap(type(self), self.raw[...], self._ctx, DETACHED)
        join(self, other)
        return other

    def register_hook(self, hook: Callable[[Any], Any]) -> RemovableHandle:
        """Register a function to call with each gradient of the array in a backward pass.

        Parameters
        ----------
        hook : callable
            ``hook(grad)`` gets an array of the shape and dtype of this one, and returns a
            replacement or None.

        Returns
        -------
        RemovableHandle
            Its ``remove()``, or the end of a ``with`` block, removes the hook.

        Raises
        ------
        AutogradError
            If the array was neither marked by `attach_grad` nor recorded.
        DTypeError
            If `hook` cannot be called.

        Examples
        --------
        >>> from gluon import autograd, nd
        >>> x = nd.array([1, 2])
        >>> x.attach_grad()
        >>> with autograd.record():
        ...     y = 3 * x
        ...     z = y * y
        >>> handle = y.register_hook(lambda grad: nd.clip(grad, -10, 10))
        >>> z.backward()
        >>> x.grad.asnumpy()
        array([18., 30.], dtype=float32)
        """
        return register(self, hook)

    def backward(
        self,
        out_grad: Array | None = None,
        retain_graph: bool = False,
        train_mode: bool = True,
        **unknown: Unpack[Nothing],
    ) -> None:
        """Compute the gradients of this array with respect to the marked variables.

        Parameters
        ----------
        out_grad : NDArray of the same shape, optional
            The cotangent of this array; ones by default.
        retain_graph : bool, default False
            Keep the graph for another backward pass.
        train_mode : bool, default True
            The training mode during the backward pass.

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
        if unknown:
            refuse(DeviceArray.backward, unknown)
        engine.backward([self], [out_grad], retain_graph, train_mode, lax.zero_heads)

    def _settle(self) -> None:
        """Copy a transposed or broadcast array to memory of its own, which its views then share."""
        if not self.raw.flags.c_contiguous and self._group is None:
            self.raw: Any = KERNELS.copy(self.raw)

    def __setitem__(self, key: Any, value: Any) -> None:
        key = self._key(key)
        if not isinstance(value, (Array, *NUMBERS)):
            value = with_history(value, wrap(type(self), _raw_of(value, self.raw.dtype)))
        if is_recorded(self, value):
            rebind(self, ops.setitem(self, value, key=key), "x[...] = value")
            return
        try:
            raw = fitting(value.raw, self) if isinstance(value, Array) else self._number(value)
            follow(self, value)
            write(self, key, raw)
        except CAUSES as error:
            raise translated(error, f"x[...] = value, x of shape {self.shape}: {error}") from None

    def __len__(self) -> int:
        if not self.raw.ndim:
            raise DTypeError("len() of a 0-d array; its size is 1")
        return self.raw.shape[0]

    def __getitem__(self, key: Any) -> Any:
        raise NotImplementedError

    def __iter__(self: A) -> Iterator[A]:
        return watched(self, self._each(len(self)))  # len() raises at once if there is no axis

    def _each(self: A, count: int) -> Iterator[A]:
        place = 0
        while place < count:
            if not is_recorded(self):
                yield self[place]
                place += 1
                continue
            # One node for all parts, because the gradient of one part is as large as the array.
            self._settle()
            tapes, node, raw = mode().tapes, self._node, self.raw
            parts = self._parts()
            while place < count and self._node is node and self.raw is raw:
                if mode().tapes != tapes:
                    break
                join(self, parts[place])
                yield parts[place]
                place += 1

    def _parts(self) -> list[Any]:
        """Return the arrays ``self[0]``, ``self[1]`` and so on."""
        return ops.unstack(self, axis=0)

    def __bool__(self) -> bool:
        if self.raw.size > 1:
            raise ArgumentError(
                f"the truth value of an array of shape {self.shape} is ambiguous; compare and"
                " reduce it first, as in (x > 0).sum() > 0"
            )
        return bool(self.raw.size and self.raw.reshape(-1)[0])

    def __float__(self) -> float:
        return float(self._scalar())

    def __int__(self) -> int:
        return int(self._scalar())

    def __index__(self) -> int:
        if self.raw.dtype.kind not in "iu":
            raise DTypeError(f"an index must have an integer dtype, not {self.raw.dtype}")
        return int(self._scalar())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ArgumentError("an array of gluon is converted by a copy; leave out copy=False")
        return np.array(on_host(self.raw), dtype)

    def __dlpack__(self, **kwargs: Any) -> Any:
        return shared(self).__dlpack__(**kwargs)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.raw.__dlpack_device__()

    if not TYPE_CHECKING:  # so that type checkers report wrong names

        def __delitem__(self, key: Any) -> NoReturn:
            raise DTypeError(
                "values of an array cannot be deleted; take the others, as in x[1:], or use"
                " np.delete(x, index, axis)"
            )

        def __getattr__(self, name: str) -> Any:
            if reason := ATTRIBUTES.get(name) or elsewhere_as_method(type(self), name):
                raise missing_attribute(self, name, reason)
            return super().__getattribute__(name)  # raises again the error of a property

    def __getstate__(self) -> dict[str, Any]:
        return {"raw": on_host(self.raw), "ctx": self._ctx}

    def __setstate__(self, state: dict[str, Any]) -> None:
        fresh = wrap(type(self), state["raw"], state["ctx"])
        self.raw, self._ctx, self._node = fresh.raw, fresh._ctx, fresh._node
        self._mark = self._group = None

    _repr_html_ = array_html

    def __copy__(self: A) -> A:
        return alias(self)

    def __deepcopy__(self: A, memo: dict[Any, Any]) -> A:
        return wrap(type(self), self.raw.copy(), self._ctx)


A = TypeVar("A", bound=DeviceArray)


def moved(array: A, ctx: Context | None) -> A:
    """A copy of `array` on another device; recorded."""
    if type(array.form) is np.ndarray and (ctx is None or not has_device(ctx)):
        copied = ops.copy(array)
    else:
        copied = ops.move(array, to=ctx, back=array._ctx)
    copied._ctx = ctx
    return copied


def shared(array: Array) -> Any:
    """The buffer of `array` for somebody else: each sees what the other writes.

    That ends when a graph keeps the buffer and `array` is written to, which then moves.
    """
    raw = writable(array)
    if isinstance(raw, Buffer):
        return raw
    if not is_external(raw):
        owner = raw if raw.base is None else raw.base
        fresh = foreign(owner)
        for member in handles(array):
            member.raw = same_place(member.raw, owner, fresh)
    raw = memory = array.raw
    while isinstance(memory, np.ndarray):
        memory = memory.base
    if not isinstance(memory, memoryview):
        return raw
    start = np.asarray(memory)
    return np.ndarray(raw.shape, raw.dtype, start, offset(raw, start), raw.strides)


def fitting(raw: Any, target: Array) -> Any:
    """`raw` for a write into `target`: on the host where that is."""
    return on_host(raw) if type(target.form) is np.ndarray else raw


def formatted(array: DeviceArray, spec: str, is_number: bool) -> str:
    """What an f-string shows: the one value of a number, otherwise the array as text."""
    try:
        return format(array.raw.item() if spec and is_number else str(array), spec)
    except ValueError as error:
        raise ArgumentError(
            f"format: {spec!r} does not fit an array of {array.raw.dtype} and shape {array.shape}:"
            f" {error}; format one value of it, such as x.mean(), or x.item() if it is the only one"
        ) from None


def as_list(value: Any) -> list[Any]:
    """`value` as a list: None is empty, a single array or other object the only item."""
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def check_marked(what: str, array: Array, req: str) -> None:
    """Look at the dtype of an array that is to have a gradient."""
    check_gradient(what, array, req, refuse=getattr(array, "_of_numpy", False))


def follow(target: Array, value: Any) -> None:
    """Say that `value` is written into `target`: a user's forward tells what depends on inputs.

    An array of one example of `vmap` cannot be written into one that all share.
    """
    if isinstance(value, Array) and type(value.raw) is not np.ndarray:
        value.raw.written_into(target.raw)
    blank = mode().blank
    if type(blank) is InFunction and isinstance(value, Array):
        node = blank.of((value, target))
        for handle in handles(target) if node is blank else ():
            handle._node = node


def seen_as(cls: type, array: Any) -> Any:
    """`array` as one of `cls`, with the same memory, history and mark."""
    if type(array) is cls:
        return array
    array._settle()
    other = alias(array, cls)
    other.raw = array.raw[...]
    join(array, other)
    return other


def _raw_of(value: Any, dtype: np.dtype) -> np.ndarray:
    """Convert a value to be written to an array of `dtype`, neither a gluon array nor a number."""
    try:
        if value is None or isinstance(value, (str, bytes)):
            raise TypeError("it holds no numbers")
        return np.asarray(castable(value, dtype), dtype)
    except CAUSES as error:
        raise DTypeError(
            f"x[...] = value: {a_type(value)} cannot be written to an array of"
            f" {dtype.name}: {error}"
        ) from None


def _unpickle(cls: type[A], raw: np.ndarray, ctx: Context | None) -> A:
    """An array in a pickle of version 0.2, which names this function."""
    return wrap(cls, raw, ctx)


OBSERVED.append((DeviceArray, "__setitem__", "forward", lambda _: "x[...] = y"))
