"""`Tensor` and `Parameter`: the engine's array with MegEngine's conventions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..engine.array import Array, alias, wrap
from ..engine.errors import ArgumentError, DTypeError
from ..engine.mark import gradient, set_gradient
from ..engine.node import CREATED, DETACHED
from ..engine.op import RECORDED as F
from .device import CompNode, as_device
from .numpy_functions import NumpyFunctions

__all__ = ["Parameter", "Tensor"]

#: MegEngine has no numbers of 64 bits.
NARROW = {"float64": np.float32, "int64": np.int32, "uint64": np.int32, "uint32": np.int32}
#: A number beside a tensor.
NUMBERS = (bool, int, float, np.generic)


class Tensor(NumpyFunctions, Array):
    """An array of which `GradManager` records computations.

    Operators broadcast. Numbers take the dtype of the tensor they meet, but a fraction turns
    whole numbers into float32. No two tensors share memory: writing to one rebinds it.

    Parameters
    ----------
    data : number, sequence, numpy.ndarray or Tensor
        Values, of any shape and dtype; of a tensor the history too.
    dtype : str or numpy dtype, optional
        That of `data` by default, narrowed from 64 to 32 bits.
    device : str or CompNode, optional
        Only a name: all computations run on the host.
    is_const, no_cache, format
        Taken and of no effect.
    name : str, optional
        For the user.

    Raises
    ------
    DTypeError
        If `data` holds no numbers.
    ArgumentError
        If whole numbers do not fit into 32 bits.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> x = Tensor([1.0, 2.0])
    >>> x * 2, x > 1
    (Tensor([2. 4.], device=xpux:0), Tensor([False  True], dtype=bool, device=xpux:0))
    """

    name = ""

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
            self._raw, self._node, self._ctx = value._raw, value._node, value._ctx
        else:
            self._raw, self._node, self._ctx = _raw_values(data, dtype), CREATED, None
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
        return self._raw.size

    @property
    def device(self) -> CompNode:
        """The device."""
        return self._ctx if isinstance(self._ctx, CompNode) else as_device(None)

    @property
    def grad(self) -> Any:
        """The gradient, a Tensor of the same shape and dtype, or None."""
        return gradient(self)

    @grad.setter
    def grad(self, value: Any) -> None:
        if value is not None and not isinstance(value, Array):
            raise DTypeError(f"grad: give a Tensor or None, not {type(value).__name__}")
        set_gradient(self, value)

    # ------------------------------------------------------------------------- conversion

    def numpy(self) -> np.ndarray:
        """The values, to read only.

        Returns
        -------
        numpy.ndarray of the same shape and dtype

        Examples
        --------
        >>> from gluon.megengine import Tensor
        >>> Tensor([1.0, 2.0]).numpy()
        array([1., 2.], dtype=float32)
        """
        values = self._raw.view()
        values.flags.writeable = False
        return values

    def item(self) -> Any:
        """The one value of a tensor of size 1, as a Python number.

        Returns
        -------
        float, int or bool

        Raises
        ------
        ArgumentError
            If the tensor does not have exactly one value.

        Examples
        --------
        >>> from gluon.megengine import Tensor
        >>> Tensor([2.5]).item()
        2.5
        """
        if self._raw.size != 1:
            raise ArgumentError(
                f"a tensor of shape {self.shape} is not one number; use numpy() or reduce it first"
            )
        return self._raw.item()

    def tolist(self) -> Any:
        """The values as nested lists of Python numbers.

        Returns
        -------
        list, or a number for a tensor without axes

        Examples
        --------
        >>> from gluon.megengine import Tensor
        >>> Tensor([[1, 2]]).tolist()
        [[1, 2]]
        """
        return self._raw.tolist()

    def detach(self) -> Tensor:
        """The same values without the history: no gradient passes.

        Returns
        -------
        Tensor of the same shape and dtype

        Examples
        --------
        >>> from gluon.megengine import Tensor
        >>> Tensor([1.0]).detach()
        Tensor([1.], device=xpux:0)
        """
        return wrap(Tensor, self._raw, self._ctx, DETACHED)

    def astype(self, dtype: Any) -> Tensor:
        """The values as another dtype.

        Parameters
        ----------
        dtype : str or numpy dtype

        Returns
        -------
        Tensor of the same shape

        Examples
        --------
        >>> from gluon.megengine import Tensor
        >>> Tensor([1.5]).astype("int32")
        Tensor([1], dtype=int32, device=xpux:0)
        """
        return cast(as_tensor(self), dtype)

    def to(self, device: Any) -> Tensor:
        """The same values, said to be on another device.

        Parameters
        ----------
        device : str or CompNode

        Returns
        -------
        Tensor of the same shape and dtype

        Examples
        --------
        >>> from gluon.megengine import Tensor
        >>> Tensor([1.0]).to("cpu0")
        Tensor([1.], device=cpu0:0)
        """
        return wrap(Tensor, self._raw, as_device(device), self._node)

    def _reset(self, other: Any) -> None:
        """Stand for the value of `other`, history included."""
        other = as_tensor(other)
        self._raw, self._node = other._raw, other._node

    # ---------------------------------------------------------------------------- indexing

    def __getitem__(self, key: Any) -> Tensor:
        return F.getitem(as_tensor(self), key=_key(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        value = self._number(value) if isinstance(value, NUMBERS) else as_tensor(value)
        if isinstance(value, Array):
            value = cast(value, self._raw.dtype)
        self._reset(F.setitem(self, value, key=_key(key)))

    def __len__(self) -> int:
        if not self._raw.ndim:
            raise DTypeError("len() of a tensor without axes; shape and size are () and 1")
        return self._raw.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        return (self[k] for k in range(len(self)))

    # ----------------------------------------------------------------------------- numbers

    def _number(self, value: Any) -> Any:
        return np.asarray(value).astype(self._raw.dtype)

    def __bool__(self) -> bool:
        return bool(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __index__(self) -> int:
        if self._raw.dtype.kind not in "iu":
            raise DTypeError(f"a tensor of dtype {self.dtype} is no index; use an integer one")
        return self.item()

    # --------------------------------------------------------------------------- protocols

    def __repr__(self) -> str:
        with np.printoptions(precision=4):
            values = str(self._raw)
        dtype = "" if self._raw.dtype == np.float32 else f", dtype={self._raw.dtype}"
        return f"{type(self).__name__}({values}{dtype}, device={self.device})"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self._raw, dtype) if copy is not False else np.asarray(self._raw, dtype)

    def __reduce__(self) -> tuple:
        return _unpickle, (type(self), self._raw, str(self.device))

    def __copy__(self) -> Tensor:
        return alias(self)

    def __deepcopy__(self, memo: dict) -> Tensor:
        return wrap(type(self), self._raw, self._ctx)


class Parameter(Tensor):
    """A tensor that `Module.parameters` finds. What is computed from it is a `Tensor`.

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


def _unpickle(cls: type[Tensor], raw: np.ndarray, device: str) -> Tensor:
    return wrap(cls, raw, as_device(device))


# ------------------------------------------------------------------- what functions are given


def as_tensor(value: Any) -> Any:
    """`value` as a `Tensor` proper; an array of another class with its history."""
    if type(value) is Tensor:
        return value
    return alias(value, Tensor) if isinstance(value, Array) else Tensor(value)


def cast(x: Any, dtype: Any) -> Any:
    """`x` as another dtype; itself where it has that one."""
    return x if x._raw.dtype == dtype else F.cast(x, dtype=_dtype(dtype))


def operands(*values: Any, floats: bool = False) -> list[Any]:
    """What meets in one operator, as its dtype: tensors, and numbers beside them.

    Parameters
    ----------
    *values : Tensor, number or sequence
    floats : bool, default False
        Whether the operator makes fractions of whole numbers.

    Returns
    -------
    list
        Tensors of one dtype, the first at least; numbers are left for the operator.
    """
    given = [v if isinstance(v, NUMBERS) else as_tensor(v) for v in values]
    if not any(isinstance(v, Array) for v in given):
        given = [as_tensor(v) for v in given]
    dtype = _common(given, floats)
    return [cast(v, dtype) if isinstance(v, Array) else v for v in given]


def _common(given: list[Any], floats: bool) -> np.dtype:
    """The dtype in which `given` meet."""
    dtypes = [v._raw.dtype for v in given if isinstance(v, Array)]
    dtype = np.result_type(*dtypes)
    if len({*dtypes}) > 1:
        dtype = np.dtype(NARROW.get(dtype.name, dtype))
    if dtype.kind in "fV":
        return dtype
    kinds = {np.asarray(v).dtype.kind for v in given if not isinstance(v, Array)}
    fractions = floats or "f" in kinds or (dtype.kind == "b" and kinds & {*"iu"})
    return np.dtype(np.float32) if fractions else dtype


def _dtype(dtype: Any) -> np.dtype:
    try:
        return np.dtype(dtype)
    except TypeError:
        raise DTypeError(f"dtype {dtype!r} is none of NumPy's; use one such as 'int32'") from None


def _raw_values(data: Any, dtype: Any) -> np.ndarray:
    """A copy of `data` as a raw array."""
    try:
        found = np.array(data, None if dtype is None else _dtype(dtype))
    except (TypeError, ValueError) as error:
        raise DTypeError(f"Tensor: {error}") from None
    if found.dtype.kind not in "biufV" or found.dtype.names:
        raise DTypeError(
            f"Tensor: {data!r} of type {type(data).__name__} holds no numbers; give numbers, nested"
            " lists of them, or an array"
        )
    if dtype is not None or found.dtype.name not in NARROW:
        return found
    narrow = found.astype(NARROW[found.dtype.name])
    if narrow.dtype.kind == "i" and (narrow != found).any():
        raise ArgumentError(
            "Tensor: the values do not fit into int32, MegEngine's integers; give dtype='float32'"
        )
    return narrow


def _key(key: Any) -> Any:
    """What stands between brackets, as NumPy takes it."""
    return tuple(map(_part, key)) if isinstance(key, tuple) else _part(key)


def _part(part: Any) -> Any:
    if isinstance(part, slice):
        bounds = (part.start, part.stop, part.step)
        return slice(*(b._raw.item() if isinstance(b, Array) else b for b in bounds))
    if isinstance(part, (Array, list, np.ndarray)):
        part = np.asarray(part._raw if isinstance(part, Array) else part)
        if not part.size and part.dtype.kind == "f":
            return part.astype(np.int32)
        if part.dtype.kind not in "biu":
            raise DTypeError(f"indices must be integers or bool; got dtype {part.dtype}")
    return part
