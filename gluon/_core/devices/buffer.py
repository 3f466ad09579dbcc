"""The raw buffer of an array on a device: a tensor that looks like an array of NumPy.

NumPy's functions and ufuncs find their way here by its two protocols, so that kernels which are
written for NumPy compute on devices. What is not implemented raises `Unimplemented`; nothing is
copied to the host but by `get`, `item`, `tolist` and the conversions to numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

from .common import COUNTS, OnDevice, Unimplemented, check_place, number
from .tensors import TO_NUMPY, down, kind_of, on, scalar, up

new_object = object.__new__
#: Dtypes of which two equal ones give the same.
FLOATS = frozenset((torch.float32, torch.float64, torch.float16, torch.bfloat16))


class Flags:
    """The flags of a buffer."""

    __slots__ = ("_buffer",)
    writeable = aligned = True

    def __init__(self, buffer: DeviceBuffer) -> None:
        self._buffer = buffer

    @property
    def c_contiguous(self) -> bool:
        """Whether the values lie one after the other in the order of C."""
        return self._buffer.t.is_contiguous()

    contiguous = c_contiguous

    @property
    def f_contiguous(self) -> bool:
        """Whether the values lie one after the other in the order of Fortran."""
        t = self._buffer.t
        return t.permute(*reversed(range(t.ndim))).is_contiguous() if t.ndim else True

    @property
    def forc(self) -> bool:
        """Whether either holds."""
        return self.c_contiguous or self.f_contiguous


class DeviceBuffer(OnDevice):
    """An array in the memory of a device.

    Attributes
    ----------
    t : torch.Tensor
        The values; no gradient is ever asked of it.
    place : int
        The number of the device.
    base : DeviceBuffer or None
        The owner of the memory, if this is a view.
    extra : object
        What the kernel that made it keeps for its gradient, or None.
    """

    __slots__ = ("__weakref__", "base", "extra", "place", "t")
    t: torch.Tensor
    place: int
    base: Any
    extra: Any

    # --------------------------------------------------------------------------- attributes

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return tuple(self.t.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.t.ndim

    @property
    def size(self) -> int:
        """The number of values."""
        return self.t.numel()

    @property
    def dtype(self) -> np.dtype:
        """The dtype, as one of NumPy."""
        return TO_NUMPY[self.t.dtype]

    @property
    def itemsize(self) -> int:
        """Bytes of a value."""
        return self.t.element_size()

    @property
    def nbytes(self) -> int:
        """Bytes of all values."""
        return self.t.element_size() * self.t.numel()

    @property
    def strides(self) -> tuple[int, ...]:
        """The steps along the axes in bytes."""
        return tuple([step * self.t.element_size() for step in self.t.stride()])

    @property
    def flags(self) -> Flags:
        """What is known of the memory."""
        return Flags(self)

    @property
    def T(self) -> DeviceBuffer:
        """A view with the axes reversed."""
        return self.transpose()

    @property
    def mT(self) -> DeviceBuffer:
        """A view with the last two axes swapped."""
        return view(self, self.t.mT)

    @property
    def real(self) -> DeviceBuffer:
        """A view of the real parts."""
        return view(self, self.t.real if self.t.is_complex() else self.t)

    @property
    def imag(self) -> DeviceBuffer:
        """A view of the imaginary parts; zeros if there are none."""
        return (
            view(self, self.t.imag)
            if self.t.is_complex()
            else like(self, self.t.new_zeros(self.t.shape))
        )

    # ------------------------------------------------------------------- values on the host

    def get(self) -> np.ndarray:
        """A copy of the values as an array of NumPy."""
        return down(self.t)

    def wait(self) -> None:
        """Return when the values are computed."""
        if self.t.is_cuda:
            COUNTS["waits"] += 1
            torch.cuda.synchronize(self.t.device)

    def item(self, *place: int) -> Any:
        """One value as a number of Python."""
        COUNTS["waits"] += 1
        t = self.t
        if len(place) == 1 and t.ndim != 1:
            t = t.reshape(-1)
        return (t[place] if place else t).item()

    def tolist(self) -> Any:
        """The values in nested lists."""
        COUNTS["waits"] += 1
        return self.t.tolist()

    def tobytes(self, order: Any = "C") -> bytes:
        """The values as bytes."""
        return self.get().tobytes()

    def _sum_to(self, shape: tuple[int, ...]) -> DeviceBuffer:
        """The kernel `sum_to`, which the engine itself calls for broadcast inputs."""
        return like(self, self.t.sum_to_size(shape))

    def __dlpack__(self, **options: Any) -> Any:
        return self.t.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.t.__dlpack_device__()

    # ------------------------------------------------------------------- NumPy's protocols

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if self.leaves_to(map(type, inputs)):
            return NotImplemented
        return METHODS[method](ufunc, *inputs, **options)

    def __array_function__(self, function: Any, types: Any, args: tuple, kwargs: dict) -> Any:
        if self.leaves_to(types):
            return NotImplemented
        found = FUNCTIONS.get(function)
        if found is None:
            raise Unimplemented(f"numpy.{function.__name__} is not implemented on devices")
        return found(*args, **kwargs)

    # ---------------------------------------------------------------------------- indexing

    def __len__(self) -> int:
        if not self.t.ndim:
            raise TypeError("len() of unsized object")
        return len(self.t)

    def __iter__(self) -> Iterator[DeviceBuffer]:
        return iter([view(self, t) for t in self.t])

    def __getitem__(self, key: Any) -> Any:
        return INDEXING["get"](self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        INDEXING["set"](self, key, value)

    # ----------------------------------------------------------------------------- methods

    def astype(
        self,
        dtype: Any,
        order: str = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool = True,
    ) -> DeviceBuffer:
        """The values in another dtype."""
        dtype = np.dtype(dtype)
        if not np.can_cast(self.dtype, dtype, casting):  # type: ignore[arg-type]
            raise Unimplemented(f"cannot cast from {self.dtype} to {dtype} by {casting!r}")
        kind = kind_of(dtype)
        if self.t.dtype is kind and not copy and order == "K":
            return self
        if order == "C":
            return like(self, self.t.to(kind).clone(memory_format=torch.contiguous_format))
        return like(self, self.t.to(kind, copy=True))

    def copy(self, order: str = "C") -> DeviceBuffer:
        """A copy, by default in the order of C."""
        t = self.t
        dense = order == "K" and _is_dense(t)
        how = torch.preserve_format if dense else torch.contiguous_format
        return like(self, t.clone(memory_format=how))

    def __reduce__(self) -> Any:
        return rebuilt, (self.get(), self.place)

    def fill(self, value: Any) -> None:
        """Write a number to all places."""
        if isinstance(value, DeviceBuffer):
            self.t.copy_(value.t.expand(self.t.shape))
        else:
            self.t.copy_(scalar(number(value), self.dtype, self.t.device).expand(self.t.shape))

    def approach(self, other: DeviceBuffer, rate: float) -> None:
        """Go a part of the way to other values, in place."""
        self.t.lerp_(tensor(other, self), rate)

    def view(self, dtype: Any = None) -> DeviceBuffer:
        """A view, in which the same bytes may be another dtype."""
        return view(self, self.t if dtype in (None, np.ndarray) else self.t.view(kind_of(dtype)))

    def reshape(self, *shape: Any, order: str = "C", copy: Any = None) -> DeviceBuffer:
        """The values in another shape: a view where the memory allows it."""
        if len(shape) == 1 and not isinstance(shape[0], (int, np.integer)):
            shape = tuple(shape[0])
        if order not in "CA":
            raise Unimplemented(f"reshape: order={order!r}")
        return maybe_view(self, self.t.reshape([int(n) for n in shape]))

    def ravel(self, order: str = "C") -> DeviceBuffer:
        """The values in one row; order "K" is that of the memory."""
        if order == "K" and not self.t.is_contiguous():
            if not _is_dense(self.t):
                raise Unimplemented("ravel: order='K' of a view with gaps")
            return view(self, self.t.as_strided((self.size,), (1,)))
        return self.T.reshape(-1) if order == "F" else self.reshape(-1)

    def flatten(self, order: str = "C") -> DeviceBuffer:
        """A copy of the values in one row."""
        return self.ravel(order).copy()

    def transpose(self, *axes: Any) -> DeviceBuffer:
        """A view with the axes in another order."""
        if len(axes) == 1 and not isinstance(axes[0], (int, np.integer)):
            axes = axes[0] or ()
        order = [int(a) for a in axes] if axes else reversed(range(self.t.ndim))
        return view(self, self.t.permute(tuple(order)))

    def swapaxes(self, a: int, b: int) -> DeviceBuffer:
        """A view with two axes swapped."""
        return view(self, self.t.transpose(int(a), int(b)))

    def squeeze(self, axis: Any = None) -> DeviceBuffer:
        """A view without axes of length 1."""
        if axis is None:
            return view(self, self.t.squeeze())
        axes = axis if isinstance(axis, tuple) else (axis,)
        if any(self.shape[a] != 1 for a in axes):
            raise Unimplemented(f"squeeze: an axis of {axes} is longer than 1")
        return view(self, self.t.squeeze(axes))

    def beside(self, constants: np.ndarray) -> DeviceBuffer:
        """A host array on the same device."""
        return at(up(constants, self.t.device), self.place)

    def filled(self, shape: Any, value: Any, dtype: Any) -> DeviceBuffer:
        """An array on the same device with one value in all places, or any values for None."""
        size = (int(shape),) if isinstance(shape, (int, np.integer)) else tuple(map(int, shape))
        kind, device = kind_of(dtype), self.t.device
        if value is None:
            return at(torch.empty(size, dtype=kind, device=device), self.place)
        return at(torch.full(size, value, dtype=kind, device=device), self.place)

    def counted(self, *numbers: Any, dtype: Any) -> DeviceBuffer:
        """``np.arange(*numbers)`` on the same device."""
        t = torch.arange(*numbers, dtype=kind_of(dtype), device=self.t.device)
        return at(t, self.place)

    def as_laid(self, other: DeviceBuffer, owner: DeviceBuffer) -> DeviceBuffer:
        """The view of this copy of `owner` that `other` is of `owner`."""
        start = other.t.storage_offset() - owner.t.storage_offset() + self.t.storage_offset()
        return view(self, self.t.as_strided(other.t.shape, other.t.stride(), start))

    def sort(self, axis: int = -1, kind: Any = None) -> None:
        """Sort the values in place."""
        self[...] = np.sort(self, axis)

    def partition(self, kth: Any, axis: int = -1, kind: Any = None) -> None:
        """Partition the values in place: here, that is a sort."""
        self.sort(axis)

    def conj(self) -> DeviceBuffer:
        """The complex conjugate."""
        return np.conjugate(self)  # type: ignore[return-value]

    conjugate = conj


def _is_dense(t: torch.Tensor) -> bool:
    """Whether the values fill their memory, each once."""
    expected = 1
    for step, n in sorted(zip(t.stride(), t.shape)):
        if n != 1:
            if step != expected:
                return False
            expected *= n
    return True


def like(buffer: DeviceBuffer, t: torch.Tensor) -> DeviceBuffer:
    """A new buffer beside another one, which owns its memory."""
    made: DeviceBuffer = new_object(DeviceBuffer)
    made.t, made.place, made.base, made.extra = t, buffer.place, None, None
    return made


def view(buffer: DeviceBuffer, t: torch.Tensor) -> DeviceBuffer:
    """A buffer on a view of the memory of another one."""
    made: DeviceBuffer = new_object(DeviceBuffer)
    base = buffer.base
    made.t, made.place, made.extra = t, buffer.place, None
    made.base = buffer if base is None else base
    return made


def maybe_view(buffer: DeviceBuffer, t: torch.Tensor) -> DeviceBuffer:
    """A buffer on a tensor that may lie in the memory of another one."""
    same = t.untyped_storage().data_ptr() == buffer.t.untyped_storage().data_ptr()
    return view(buffer, t) if same else like(buffer, t)


def at(t: torch.Tensor, place: int) -> DeviceBuffer:
    """A buffer that owns the memory of a tensor, on device number `place`."""
    made: DeviceBuffer = new_object(DeviceBuffer)
    made.t, made.place, made.base, made.extra = t, place, None, None
    return made


def rebuilt(raw: np.ndarray, place: int) -> DeviceBuffer:
    """A host array on device number `place`."""
    return at(up(raw, on(place)), place)


def tensor(x: Any, beside: DeviceBuffer) -> torch.Tensor:
    """The tensor of a buffer, or of a host array or a list that is copied `beside` another one."""
    if type(x) is DeviceBuffer:
        check_place(x, beside)
        return x.t
    if isinstance(x, (list, tuple)) and any(type(one) is DeviceBuffer for one in x):
        return torch.stack([tensor(one, beside) for one in x])
    return up(np.asarray(x), beside.t.device)


#: Filled by the modules that compute: by method of a ufunc, by function of NumPy, "get" and "set".
METHODS: dict[str, Callable[..., Any]] = {}
FUNCTIONS: dict[Any, Callable[..., Any]] = {}
INDEXING: dict[str, Callable[..., Any]] = {}
