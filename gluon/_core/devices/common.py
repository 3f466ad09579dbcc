"""What all kinds of buffers share: counts, the refusal, and the search for one among arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..errors import ArgumentError
from ..kernels.memory import Buffer
from ..kernels.parallel import WHOLE

#: How often values went to a device ("uploads"), were waited for ("waits"), and operators were
#: computed on the host ("host").
COUNTS: Counter[str] = Counter()


class Unimplemented(TypeError):
    """A function of NumPy, or a keyword of one, that is not implemented on devices."""


def apart(one: str, other: str) -> ArgumentError:
    """The error for arrays of one operator that are on different devices."""
    return ArgumentError(
        f"one array is on {one}, another on {other}; bring them together with as_in_context"
    )


class OnDevice(Buffer):
    """What the kinds of buffers share: numbers, texts, and no silent copies to the host."""

    __slots__ = ()
    place: int
    item: Callable[..., Any]
    astype: Callable[..., Any]
    flags: Any
    reshape: Callable[..., Any]
    filled: Callable[..., Any]
    __array_priority__ = 100.0
    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def leaves_to(cls, types: Any) -> bool:
        """Whether arrays of other types, such as those of `vmap`, take over."""
        return any(t is not cls and hasattr(t, "level") for t in types)

    @property
    def flat(self) -> Any:
        """The values in one row."""
        return self.reshape(-1)

    def __bool__(self) -> bool:
        return bool(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __index__(self) -> int:
        if self.dtype.kind not in "iu":
            raise TypeError(f"an index must have an integer dtype, not {self.dtype}")
        return int(self.item())

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        raise refuse_array(self)

    def __repr__(self) -> str:
        return repr(self.get())

    def __str__(self) -> str:
        return str(self.get())

    def __format__(self, spec: str) -> str:
        return format(self.get() if self.ndim else self.item(), spec)

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def written_into(self, target: Any) -> None:
        """Nothing to say of a write: see `follow`."""

    def zeros_there(self) -> Callable[[Any, Any], Any]:
        """A function of shape and dtype that makes zeros on the same device."""
        there = self.filled(0, None, self.dtype)
        return lambda shape, dtype: there.filled(shape, 0, dtype)


class Backend(NamedTuple):
    """A kind of buffer, and what computes on it besides NumPy's protocols.

    Attributes
    ----------
    kind : type
        The class of the buffers.
    put : callable
        ``put(raw, place)``: an array of NumPy, or a buffer, on device number `place`.
    kernels : dict
        Operators with a kernel of their own; it returns NotImplemented for what it was not written
        for.
    steps : dict
        Steps of optimizers, by the name of their kernel for NumPy: ``step(rows)``, or None.
    rules : dict
        Kernels of gradients that take the place of `kernel_rules.Whole`, by its name; they return
        NotImplemented, too.
    sample : callable
        ``sample(distribution, numbers, size, dtype, place, rng)``: samples on a device, or None
        where the host is to draw them.
    full : tuple of type
        The errors that say that memory is full.
    """

    kind: type[Buffer]
    put: Callable[[Any, int], Any]
    kernels: dict[str, Callable[..., Any]]
    steps: dict[str, Callable[..., Any]]
    rules: dict[str, Callable[..., Any]]
    sample: Callable[..., Any]
    full: tuple[type[BaseException], ...]


def number(value: Any) -> Any:
    """A number of Python for a number or a 0-d array of the host."""
    return value.item() if isinstance(value, (np.generic, np.ndarray)) else value


def is_number(value: Any, dtype: Any) -> bool:
    """Whether it is a number that leaves the dtype of floats as it is."""
    kind = type(value)
    return (
        kind is float
        or kind is int
        or (kind is np.ndarray and not value.ndim and value.dtype == dtype)
    )


def place_of(values: Any) -> Any:
    """The first buffer among nested arguments."""
    found = find(values)
    if found is None:
        raise Unimplemented("no argument is on a device")
    return found


def find(value: Any) -> Any:
    """The first buffer in `value`, or None."""
    if isinstance(value, Buffer):
        return value
    if isinstance(value, (list, tuple)):
        for one in value:
            if (found := find(one)) is not None:
                return found
    if isinstance(value, dict):
        return find(tuple(value.values()))
    return None


def check_place(x: OnDevice, there: OnDevice) -> None:
    """Raise if two buffers are on different devices."""
    if x.place != there.place:
        raise apart(f"gpu({there.place})", f"gpu({x.place})")


def check_written(inputs: tuple, outs: Any) -> None:
    """Raise if a ufunc, called by no kernel, writes to one memory what it computes from another."""
    if outs is not None and not WHOLE.on:
        for x in (*inputs, *outs):
            if type(x) is np.ndarray and x.ndim:
                raise apart("cpu()", f"gpu({place_of([*inputs, *outs]).place})")


def refuse_array(x: OnDevice) -> Unimplemented:
    """The error for what would copy a buffer to the host in silence."""
    return Unimplemented(
        f"values on gpu({x.place}) are needed on the host; copy them with asnumpy() or"
        " as_in_context(cpu())"
    )
