"""`Tensor` and `Parameter`: the engine's array with MegEngine's conventions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, Union

import numpy as np

from .._core.arrays.history import with_history
from .._core.engine.array import Array, alias, wrap
from .._core.engine.mark import gradient, set_gradient
from .._core.engine.node import DETACHED
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError
from .._core.hints.lookup import Refused
from . import interfaces
from ._methods import Methods
from .device import CompNode, as_device, moved
from .functional import elemwise, math
from .functional import tensor as rearranged
from .interfaces import NUMBERS, as_tensor, cast, raw_values
from .numpy_functions import NumpyFunctions
from .operators import in_place, reflected

__all__ = ["Parameter", "Tensor"]


class Tensor(NumpyFunctions, Methods):
    """An array whose computations `GradManager` records.

    Operators broadcast. Numbers take the dtype of the tensor, but fractions turn integer tensors
    into float32. No two tensors share memory: writing to one rebinds it.

    Parameters
    ----------
    data : number, sequence, numpy.ndarray or Tensor
        Values, of any shape and dtype; of a tensor, and of those in a sequence, the history too.
    dtype : str or numpy dtype, optional
        That of `data` by default, narrowed from 64 to 32 bits.
    device : str or CompNode, optional
        Only nominal: all computations run on the host.
    is_const, no_cache, format
        Ignored.
    name : str, optional
        For the user.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> x = Tensor([1.0, 2.0])
    >>> x * 2, x > 1
    (Tensor([2. 4.], device=xpux:0), Tensor([False  True], dtype=bool, device=xpux:0))
    """

    name: str = ""
    raw: Any

    def __init__(
        self,
        data: Any,
        dtype: Any = None,
        device: Any = None,
        is_const: bool = False,
        no_cache: bool = False,
        name: str | None = None,
        format: str = "default",
    ) -> None:
        if isinstance(data, Array):
            value = data if dtype is None else cast(as_tensor(data), dtype)
        else:
            value = with_history(data, wrap(Tensor, raw_values(data, dtype)))
        self.raw: Any = value.raw
        self._node, self._ctx = value._node, value._ctx
        self._mark = self._group = None
        if device is not None or not isinstance(self._ctx, CompNode):
            self._ctx = as_device(device)
        if name is not None:
            self.name = name

    # ------------------------------------------------------------------------- properties

    @property
    def _plain(self) -> type:
        return Tensor

    @property
    def size(self) -> int:
        """The number of values."""
        return self.form.size

    @property
    def device(self) -> CompNode:
        """The device."""
        return self._ctx if isinstance(self._ctx, CompNode) else as_device(None)

    if not TYPE_CHECKING:
        backward = Refused("backward", "use a GradManager, as in `with gm: gm.backward(loss)`")
        requires_grad = Refused("requires_grad", "use gm.attach([x]) of a GradManager")
        attach_grad = Refused("attach_grad", "use gm.attach([x]) of a GradManager")
        asnumpy = Refused("asnumpy", "use x.numpy()")
        view = Refused("view", "use x.reshape(shape)")
        cuda = Refused("cuda", "use x.to('gpu0')")
        cpu = Refused("cpu", "use x.to('cpu0')")

    @property
    def grad(self) -> Union[Tensor, Any]:  # noqa: UP007  (jedi does not read `Tensor | Any`)
        """The gradient, a Tensor of the same shape and dtype, or None."""
        return gradient(self)

    @grad.setter
    def grad(self, value: Any) -> None:
        if value is not None and not isinstance(value, Array):
            raise DTypeError(f"grad: give a Tensor or None, not {type(value).__name__}")
        set_gradient(self, value)

    # ------------------------------------------------------------------------- conversion

    def numpy(self) -> np.ndarray:
        """Return the values as a read-only NumPy array.

        Examples
        --------
        >>> from gluon.megengine import Tensor
        >>> Tensor([1.0, 2.0]).numpy()
        array([1., 2.], dtype=float32)
        """
        values = self.raw.view()
        values.flags.writeable = False
        return values

    def item(self) -> Any:
        """Return the value of a tensor of size 1 as a Python number.

        Examples
        --------
        >>> from gluon.megengine import Tensor
        >>> Tensor([2.5]).item()
        2.5
        """
        if self.form.size != 1:
            raise ArgumentError(
                f"a tensor of shape {self.shape} is not one number; use numpy() or reduce it first"
            )
        return self.raw.item()

    def tolist(self) -> Any:
        """Return the values as nested lists of Python numbers.

        Examples
        --------
        >>> from gluon.megengine import Tensor
        >>> Tensor([[1, 2]]).tolist()
        [[1, 2]]
        """
        return self.raw.tolist()

    def detach(self) -> Tensor:
        """Return the tensor without its history; no gradient flows through it.

        Examples
        --------
        >>> from gluon.megengine import Tensor
        >>> Tensor([1.0]).detach()
        Tensor([1.], device=xpux:0)
        """
        return wrap(Tensor, self.raw, self._ctx, DETACHED)

    def astype(self, dtype: Any) -> Tensor:
        """Cast to another dtype.

        Examples
        --------
        >>> from gluon.megengine import Tensor
        >>> Tensor([1.5]).astype("int32")
        Tensor([1], dtype=int32, device=xpux:0)
        """
        return cast(self, dtype)

    def to(self, device: Any) -> Tensor:
        """Return the tensor with another nominal device.

        Examples
        --------
        >>> from gluon.megengine import Tensor
        >>> Tensor([1.0]).to("cpu0")
        Tensor([1.], device=cpu0:0)
        """
        return wrap(Tensor, self.raw, as_device(device), self._node)

    def _reset(self, other: Any) -> None:
        """Take the value of `other`, history included."""
        other = as_tensor(other)
        self.raw, self._node = other.raw, other._node

    # ---------------------------------------------------------------------------- indexing

    def __getitem__(self, key: Any) -> Tensor:
        return ops.getitem(as_tensor(self), key=_key(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        value = self._number(value) if isinstance(value, NUMBERS) else as_tensor(value)
        if isinstance(value, Array):
            value = cast(value, self.form.dtype)
            if value.ndim and value.size == 1:
                value = ops.reshape(value, shape=())
        self._reset(ops.setitem(self, value, key=_key(key)))

    def __len__(self) -> int:
        if not self.form.ndim:
            raise DTypeError("len() of a 0-d tensor; shape and size are () and 1")
        return self.form.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        return (self[k] for k in range(len(self)))

    # ----------------------------------------------------------------------------- numbers

    def _number(self, value: Any) -> Any:
        return np.asarray(value).astype(self.form.dtype)

    def __bool__(self) -> bool:
        return bool(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __index__(self) -> int:
        if self.form.dtype.kind not in "iu":
            raise DTypeError(f"an index must have an integer dtype, not {self.dtype}")
        return self.item()

    # --------------------------------------------------------------------------- operators

    __add__: Final = elemwise.add
    __radd__: Final = reflected(elemwise.add)
    __iadd__: Final = in_place(elemwise.add)
    __sub__: Final = elemwise.sub
    __rsub__: Final = reflected(elemwise.sub)
    __isub__: Final = in_place(elemwise.sub)
    __mul__: Final = elemwise.mul
    __rmul__: Final = reflected(elemwise.mul)
    __imul__: Final = in_place(elemwise.mul)
    __truediv__: Final = elemwise.div
    __rtruediv__: Final = reflected(elemwise.div)
    __itruediv__: Final = in_place(elemwise.div)
    __floordiv__: Final = elemwise.floor_div
    __rfloordiv__: Final = reflected(elemwise.floor_div)
    __ifloordiv__: Final = in_place(elemwise.floor_div)
    __mod__: Final = elemwise.mod
    __rmod__: Final = reflected(elemwise.mod)
    __imod__: Final = in_place(elemwise.mod)
    __pow__: Final = elemwise.pow
    __rpow__: Final = reflected(elemwise.pow)
    __ipow__: Final = in_place(elemwise.pow)
    __and__: Final = elemwise.logical_and
    __rand__: Final = reflected(elemwise.logical_and)
    __iand__: Final = in_place(elemwise.logical_and)
    __or__: Final = elemwise.logical_or
    __ror__: Final = reflected(elemwise.logical_or)
    __ior__: Final = in_place(elemwise.logical_or)
    __xor__: Final = elemwise.logical_xor
    __rxor__: Final = reflected(elemwise.logical_xor)
    __ixor__: Final = in_place(elemwise.logical_xor)
    __lshift__: Final = elemwise.left_shift
    __rlshift__: Final = reflected(elemwise.left_shift)
    __ilshift__: Final = in_place(elemwise.left_shift)
    __rshift__: Final = elemwise.right_shift
    __rrshift__: Final = reflected(elemwise.right_shift)
    __irshift__: Final = in_place(elemwise.right_shift)
    __matmul__: Final = math.matmul
    __rmatmul__: Final = reflected(math.matmul)
    __imatmul__: Final = in_place(math.matmul)
    if TYPE_CHECKING:  # type checkers take the parent's types for what is assigned

        def __eq__(self, other: object) -> Tensor: ...  # type: ignore[override]
        def __ne__(self, other: object) -> Tensor: ...  # type: ignore[override]

    else:
        __eq__ = elemwise.equal
        __ne__ = elemwise.not_equal
    __gt__: Final = elemwise.greater
    __ge__: Final = elemwise.greater_equal
    __lt__: Final = elemwise.less
    __le__: Final = elemwise.less_equal
    __hash__: Callable[[Any], int] = Array.__hash__  # type: ignore[assignment]
    __neg__: Final = elemwise.neg
    __pos__: Final = as_tensor
    __invert__: Final = elemwise.logical_not
    __round__: Final = elemwise.round

    def __abs__(self) -> Tensor:
        return elemwise.abs(self)

    # ------------------------------------------------------------------- functions as methods

    def reshape(self, *target_shape: Any) -> Tensor:
        """Change the shape of a tensor.

        Parameters
        ----------
        *target_shape : int
            The lengths, or one sequence of them; one of them may be -1.

        Examples
        --------
        >>> from gluon.megengine import Tensor
        >>> Tensor([1.0, 2.0]).reshape(2, -1).shape
        (2, 1)
        """
        return rearranged.reshape(self, _one_by_one(target_shape))

    def transpose(self, *pattern: Any) -> Tensor:
        """Permute the axes; reverses them by default.

        Parameters
        ----------
        *pattern : int
            The axis of this tensor for each axis of the result; or one sequence of them.

        Examples
        --------
        >>> from gluon.megengine import Tensor
        >>> Tensor([[1.0, 2.0]]).transpose().shape, Tensor([[1.0, 2.0]]).transpose(1, 0).shape
        ((2, 1), (2, 1))
        """
        return rearranged.transpose(self, _one_by_one(pattern) or range(self.ndim)[::-1])

    @property
    def T(self) -> Tensor:
        """The tensor with its axes reversed."""
        return self.transpose()

    # --------------------------------------------------------------------------- protocols

    def __repr__(self) -> str:
        with np.printoptions(precision=4):
            values = str(self.raw)
        dtype = "" if self.form.dtype == np.float32 else f", dtype={self.form.dtype}"
        return f"{type(self).__name__}({values}{dtype}, device={self.device})"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.raw, dtype) if copy is not False else np.asarray(self.raw, dtype)

    def __getstate__(self) -> dict[str, Any]:
        return {"raw": self.raw, "device": str(self.device)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        fresh = _unpickle(type(self), state["raw"], state["device"])
        self.raw, self._ctx, self._node = fresh.raw, fresh._ctx, fresh._node
        self._mark = self._group = None

    def __copy__(self) -> Tensor:
        return alias(self)

    def __deepcopy__(self, memo: dict[Any, Any]) -> Tensor:
        return wrap(type(self), self.raw, self._ctx)


class Parameter(Tensor):
    """A tensor that `Module.parameters` finds. Results computed from it are `Tensor`.

    Parameters
    ----------
    data, dtype, device, is_const, no_cache, name, format
        As for `Tensor`.

    Examples
    --------
    >>> from gluon.megengine import Parameter
    >>> weight = Parameter([1.0, 2.0])
    >>> weight, -weight
    (Parameter([1. 2.], device=xpux:0), Tensor([-1. -2.], device=xpux:0))
    """


def _one_by_one(args: tuple) -> tuple:
    """Return lengths or axes, given one by one or as a sequence."""
    return args if len(args) != 1 or isinstance(args[0], int) else tuple(args[0])


def _unpickle(cls: type[Tensor], raw: np.ndarray, device: str) -> Tensor:
    """A tensor in a pickle; those of version 0.2 name this function."""
    return wrap(cls, raw, as_device(moved(device)))


def _key(key: Any) -> Any:
    """Convert an index for NumPy."""
    return tuple(map(_part, key)) if isinstance(key, tuple) else _part(key)


def _part(part: Any) -> Any:
    if isinstance(part, slice):
        bounds = (part.start, part.stop, part.step)
        return slice(*(b.raw.item() if isinstance(b, Array) else b for b in bounds))
    if isinstance(part, (Array, list, np.ndarray)):
        part = np.asarray(part.raw if isinstance(part, Array) else part)
        if not part.size and part.dtype.kind == "f":
            return part.astype(np.int32)
        if part.dtype.kind not in "biu":
            raise DTypeError(f"indices must be integers or bool; got dtype {part.dtype}")
    return part


interfaces.Tensor = Tensor  # type: ignore[misc]
