"""In-place operations while recording: the handle is rebound to a new value, with its history.

Views follow: a recorded write through any handle of a buffer becomes a new value of the array
that the others view, and each of them a recorded view of it.
"""

from __future__ import annotations

from typing import Any

import numpy

from ..engine.array import Array, wrap
from ..engine.inplace import handles, note
from ..engine.mode import mode
from ..engine.node import DETACHED, Variable
from ..engine.op import RECORDED as ops
from ..engine.tape import AMBIENT
from ..errors import ArgumentError, AutogradError
from ..journal import watcher
from ..kernels.memory import places, same_place
from ..kernels.sparse import is_sparse


def is_recorded(*arrays: Any) -> bool:
    """Whether a tape that records now tracks any of `arrays`."""
    tapes = mode().tapes
    return bool(tapes) and any(
        tape in array._node.tapes for array in arrays if isinstance(array, Array) for tape in tapes
    )


def rebind(target: Array, value: Array, what: str) -> None:
    """Let `target`, and with it the arrays that share its buffer, stand for `value`.

    Parameters
    ----------
    target : Array
    value : Array of the same shape
        Cast to the dtype of `target`.
    what : str
        The operation, for error messages.

    Raises
    ------
    AutogradError
        If a variable of the recording would change.
    ArgumentError
        If the shapes differ.
    """
    sharing = handles(target)
    for handle in sharing:
        _check_not_variable(handle, what)
    if value.held.shape != target.held.shape:
        raise ArgumentError(
            f"{what}: the result has shape {value.held.shape}, the array written to"
            f" {target.held.shape}; in-place operations keep the shape"
        )
    if value.held.dtype != target.held.dtype:
        value = ops.cast(value, dtype=target.held.dtype)
    if is_sparse(target.held):
        value = ops.cast_storage(value, stype=target.held.stype)
    elif is_sparse(value.held):
        value = ops.cast_storage(value, stype="default")
    note(sharing)
    if len(sharing) == 1:
        target.raw, target._node = value.held, value._node
        target._group = None  # no other handle shares the buffer
    else:
        _rebind_all(target, value, sharing)


def _rebind_all(target: Array, value: Array, sharing: list[Array]) -> None:
    whole = sharing[0] if target._group[0]() is sharing[0] else _stand_in(sharing)
    before, sharing = whole.raw, [handle for handle in sharing if handle is not whole]
    spots = {id(handle): _spots(handle.raw, before) for handle in sharing}
    if target is not whole:
        flat = ops.setitem(_flat(whole), value, key=spots[id(target)])
        value = ops.reshape(flat, shape=before.shape)
    whole.raw, whole._node = numpy.ascontiguousarray(value.raw), value._node
    flat = _flat(whole)
    for handle in sharing:
        handle.raw = same_place(handle.raw, before, whole.raw)
        if handle._node is not DETACHED:
            handle._node = ops.getitem(flat, key=spots[id(handle)])._node


def _spots(raw: Any, whole: Any) -> Any:
    found = places(raw, whole)
    if (watching := watcher()) is not None:
        watching.fixed(found)
    return found


def _stand_in(views: list[Array]) -> Array:
    """Return what living `views` show of a deleted array, with their histories."""
    memory = views[0].raw.base.ravel(order="K").view(views[0].raw.dtype)
    whole = wrap(type(views[0]), memory, views[0]._ctx)
    for view in views:
        if view._node is not DETACHED:
            whole = ops.setitem(whole, view, key=_spots(view.raw, memory))
    whole.raw = memory
    return whole


def _flat(array: Array) -> Any:
    return ops.reshape(array, shape=(-1,))


def _check_not_variable(array: Array, what: str) -> None:
    node = array._node
    if type(node) is Variable and AMBIENT in node.tapes and AMBIENT in mode().tapes:
        raise AutogradError(
            f"{what}: in-place on a variable of shape {array.raw.shape} while recording; write"
            " to it outside autograd.record(), or inside autograd.pause(), or compute a new array"
        )
