"""The bare array: a raw buffer, the node that computed it and the name of its device."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy

from .node import CREATED, Node
from .operators import Operators

A = TypeVar("A", bound="Array")
new = object.__new__


class Array(Operators):
    """A handle on a raw array. Subclasses add an interface, never a field on this path.

    Attributes
    ----------
    raw : numpy.ndarray
        The buffer. Graphs keep it too; write to it only through `inplace.writable`.
    held : numpy.ndarray, or a `Sparse`
        What operators give to their kernels: `raw` itself, but for sparse arrays, whose `raw` is a
        dense copy.
    form : numpy.ndarray, or a `Sparse`
        `held`, of which only shape, ndim, size, dtype and flags may be asked: a program that runs
        without Python may depend on them, but not on values.
    _node : Node
        Where the value came from; a `Blank` when it has no history.
    _ctx : Context or None
        The device, carried from the first input of an operator to its outputs; None is the
        first CPU.
    _mark : Variable or None
        Where this handle's gradient goes; None when it was never marked.
    _group : list of weak references, or None
        The handles sharing this buffer as views; None when there is no other.
    """

    __slots__ = ("__weakref__", "_ctx", "_group", "_mark", "_node", "raw")
    raw: Any
    held: Any
    form: Any
    _node: Node
    _ctx: Any
    _mark: Any
    _group: Any

    #: NumPy leaves binary operators to this class instead of looping over its elements.
    __array_ufunc__: Any = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return self.raw.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.raw.ndim

    @property
    def dtype(self) -> Any:
        """The dtype of the values."""
        return self.raw.dtype

    @property
    def _plain(self) -> type:
        """The class of this array's gradients."""
        return type(self)

    def _number(self, value: Any) -> Any:
        """Convert a number to the operand of a binary operator with this array.

        It takes the dtype of the array; NumPy converts no raw array again, which saves time.
        """
        dtype = self.raw.dtype
        return numpy.asarray(value, dtype) if dtype.kind == "f" else value

    def __bool__(self) -> bool:
        return bool(self.raw)


#: Other names of the slot, which subclasses leave as it is.
Array.held = Array.form = Array.__dict__["raw"]


def wrap(cls: type[A], raw: Any, ctx: Any = None, node: Node = CREATED) -> A:
    """A new `cls` handle on `raw`, a raw array or a scalar."""
    handle: A = new(cls)
    handle.raw = raw if ctx is None and type(raw) is numpy.ndarray else as_raw(raw, ctx)
    handle._node = node
    handle._ctx = ctx
    handle._mark = handle._group = None
    return handle


def alias(array: A, cls: type | None = None) -> A:
    """Another handle on the same value, with the same history and mark."""
    handle: Any = new(cls or type(array))
    handle.raw, handle._node, handle._ctx = array.raw, array._node, array._ctx
    handle._mark, handle._group = array._mark, None
    return handle


def as_raw(value: Any, ctx: Any = None) -> Any:
    """`value` as a raw array where `ctx` is: scalars become 0-d arrays, other arrays pass."""
    raw = numpy.asarray(value) if isinstance(value, (numpy.generic, float, int)) else value
    return raw if ctx is None else ctx._placed(raw)
