"""What may stand between the brackets of ``x[...]``, and what NumPy is given for it."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ..engine.array import Array
from ..engine.errors import ArgumentError, IndexRangeError

#: The bounds of most slices.
PLAIN = {int, type(None)}


def as_key(key: Any, shape: tuple[int, ...]) -> Any:
    """`key` with arrays and lists as NumPy index arrays: bool ones as masks, others as integers.

    Where it would pick one element of an array of `shape`, it picks a slice of one instead, so
    that the result is a view of shape (1,), as in MXNet.

    Raises
    ------
    ArgumentError
        If a part is none of int, slice, None, Ellipsis, array, list and tuple of these.
    IndexRangeError
        If there are more indices than axes, or one points outside.
    """
    ndim = len(shape)
    if (type(key) is int and ndim > 1) or type(key) is slice:
        return key
    parts = key if isinstance(key, tuple) else (key,)
    found = tuple(_part(part) for part in parts)
    used = sum(_axes(part) for part in found)
    if used > ndim:
        raise IndexRangeError(f"too many indices ({used}) for array with {ndim} dimensions")
    ints = [k for k, part in enumerate(found) if isinstance(part, (int, np.integer))]
    if ndim and len(ints) == ndim and not any(part is None for part in found):
        last, length = ints[-1], shape[-1]
        place = found[last]
        if not -length <= place < length:
            raise IndexRangeError(
                f"index {place} is out of bounds for axis {ndim - 1} with size {length}"
            )
        found = (*found[:last], slice(place, place + 1 or None), *found[last + 1 :])
        return found
    return found if isinstance(key, tuple) else found[0]


def as_numpy_key(key: Any) -> Any:
    """`key` with arrays and lists as NumPy index arrays, and otherwise with NumPy's meaning.

    Raises
    ------
    ArgumentError
        If a part is none of int, slice, None, Ellipsis, array, list and tuple of these.
    """
    if type(key) is int or type(key) is slice:
        return key
    return tuple([_part(part) for part in key]) if isinstance(key, tuple) else _part(key)


def _axes(part: Any) -> int:
    if part is None or part is Ellipsis:
        return 0
    return part.ndim if isinstance(part, np.ndarray) and part.dtype == bool else 1


def _part(part: Any) -> Any:
    kind = type(part)
    if kind is slice:
        bounds = part.start, part.stop, part.step
        return part if PLAIN.issuperset(map(type, bounds)) else slice(*map(_bound, bounds))
    if kind is int or part is None or part is Ellipsis or isinstance(part, (int, np.integer)):
        return part
    if isinstance(part, Array):
        part = part._raw
    elif isinstance(part, (list, tuple)):
        part = np.asarray([p._raw.item() if isinstance(p, Array) else p for p in part])
        if not part.size:
            part = part.astype(np.int64)
    if not isinstance(part, np.ndarray) or part.dtype.kind not in "biuf":
        raise ArgumentError(
            f"cannot index with {part!r} of type {type(part).__name__}; use integers, slices,"
            " None, Ellipsis, lists, or arrays of integers or bool"
        )
    return part if part.dtype.kind in "biu" else part.astype(np.int64)


def _bound(bound: Any) -> Any:
    return int(bound._raw.item()) if isinstance(bound, Array) else bound


def are_lengths(shape: tuple) -> bool:
    """Whether `shape` holds lengths and no codes: nothing but positive ints."""
    for n in shape:
        if type(n) is not int or n < 1:
            return False
    return bool(shape)


def reshaped(shape: tuple[int, ...], codes: tuple[int, ...], reverse: bool = False) -> tuple:
    """The shape that ``reshape`` with MXNet's special codes gives.

    Parameters
    ----------
    shape : tuple of int
        The shape now.
    codes : tuple of int
        Lengths, and the codes: 0 copies the next length, -1 infers one length, -2 copies all
        the rest, -3 multiplies the next two, -4 splits the next one by the two codes after it.
    reverse : bool, default False
        Match lengths and codes from the right; -4 then stands after its two lengths.

    Raises
    ------
    ArgumentError
        If the codes do not fit the shape.
    """
    if codes and min(codes) > 0 and prod(codes) == prod(shape):
        return codes
    if reverse:
        return reshaped(shape[::-1], codes[::-1])[::-1]
    out: list[int] = []
    left = list(shape)
    todo = list(codes)
    try:
        while todo:
            code = todo.pop(0)
            if code > 0 or code == -1:
                out.append(code)
                left[:1] = []
            elif code == 0:
                out.append(left.pop(0))
            elif code == -2:
                out += left
                left = []
            elif code == -3:
                out.append(left.pop(0) * left.pop(0))
            elif code == -4:
                out += _halves(left.pop(0), todo.pop(0), todo.pop(0))
            else:
                raise ArgumentError(f"reshape: {code} is no length and no code (0 to -4)")
    except IndexError:
        raise ArgumentError(f"reshape: codes {codes} want more axes than {shape} has") from None
    return _inferred(shape, out, codes)


def _halves(length: int, one: int, two: int) -> list[int]:
    if one == -1:
        one = length // two
    elif two == -1:
        two = length // one
    if one * two != length:
        raise ArgumentError(f"reshape: cannot split an axis of {length} into {one} x {two}")
    return [one, two]


def _inferred(shape: tuple[int, ...], out: list[int], codes: tuple[int, ...]) -> tuple:
    size = prod(shape)
    known = prod([n for n in out if n != -1])
    if out.count(-1) > 1:
        raise ArgumentError(f"reshape: more than one length to infer in {codes}")
    if -1 in out and known and size % known == 0:
        out[out.index(-1)] = size // known
    if prod(out) != size:
        raise ArgumentError(f"reshape: {size} values of shape {shape} do not fit {tuple(out)}")
    return tuple(out)
