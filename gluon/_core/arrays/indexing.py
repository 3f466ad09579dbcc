"""The keys of ``x[...]``, and their conversion for NumPy."""

from __future__ import annotations

import warnings
from math import prod
from typing import Any

import numpy as np

from ..engine.array import Array
from ..errors import WAYS_OUT, ArgumentError, IndexRangeError
from ..journal import reads, taken, watcher
from ..kernels.memory import BUFFERS
from .laxness import warn_of_fraction


def as_key(key: Any, shape: tuple[int, ...], depth: int = 2) -> Any:
    """`key` with arrays and lists as NumPy index arrays: bool ones as masks, others as integers.

    Where it would pick one element of an array of `shape`, it picks a slice of one instead, so
    that the result is a view of shape (1,), as in MXNet. Warnings are for `depth` callers above.

    Raises
    ------
    ArgumentError
        If a part is not one of int, slice, None, Ellipsis, array, list and tuple of these.
    IndexRangeError
        If the last index of all axes points outside.
    """
    if type(key) is slice:
        return fixed(key)
    ndim = len(shape)
    if type(key) is int and ndim > 1:
        return key
    if isinstance(key, Array) and key.raw.dtype.kind == "f" and _masks(key.raw.shape, shape):
        _warn_of_mask(key.raw, depth)
    parts = key if isinstance(key, tuple) else (key,)
    found = tuple(_part(part) for part in parts)
    ints = [k for k, part in enumerate(found) if isinstance(part, (int, np.integer))]
    if ndim and len(ints) == ndim and not any(part is None for part in found):
        last, length = ints[-1], shape[-1]
        place = found[last]
        if not -length <= place < length:
            raise IndexRangeError(
                f"x[...], x of shape {shape}: index {place} is out of bounds for axis {ndim - 1}"
                f" with size {length}; {WAYS_OUT['is out of bounds for axis']}"
            )
        return (*found[:last], slice(place, place + 1 or None), *found[last + 1 :])
    return found if isinstance(key, tuple) else found[0]


def _masks(key: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Whether a mask of the shape `key` would fit `shape`, and is more than a pair of indices."""
    return key == shape or (0 < len(key) < len(shape) and key == shape[: len(key)] and key[0] > 2)


def _warn_of_mask(key: Any, depth: int) -> None:
    """Warn if a key of floats looks like the result of a comparison."""
    if np.isin(key, (0, 1)).all():
        warnings.warn(
            "x[key], key of the shape of x, or of its first axes, and of floats that are 0 or 1:"
            " they are row numbers, as in MXNet. For a mask, write nd.where(x < 0, 0, x), or"
            " x[(x < 0).astype('bool')]",
            stacklevel=depth + 2,
        )


def as_numpy_key(key: Any) -> Any:
    """`key` with arrays and lists as NumPy index arrays, and otherwise with NumPy's meaning.

    Raises
    ------
    ArgumentError
        If a part is not one of int, slice, None, Ellipsis, array, list and tuple of these.
    """
    if type(key) is slice:
        return fixed(key)
    if type(key) is int:
        return key
    return tuple([_part(part) for part in key]) if isinstance(key, tuple) else _part(key)


def _part(part: Any) -> Any:
    kind = type(part)
    if kind is slice:
        return fixed(part)
    if kind is int or part is None or part is Ellipsis or isinstance(part, (int, np.integer)):
        return part
    if isinstance(part, Array):
        raw = part.raw
        part = raw if raw.ndim and raw.dtype.kind in "biu" else taken(part)
    elif isinstance(part, (list, tuple, range)):
        part = np.asarray([_values(p) for p in part])
        if not part.size:
            part = part.astype(np.int64)
        if (watching := watcher()) is not None:
            watching.fixed(part)
    inside_vmap = hasattr(part, "each_of")
    if not (inside_vmap or isinstance(part, BUFFERS)) or part.dtype.kind not in "biuf":
        raise ArgumentError(
            f"cannot index with {part!r} of type {type(part).__name__}; use integers, slices,"
            " None, Ellipsis, lists, or arrays of integers or bool"
        )
    if not part.ndim and part.dtype != bool and not inside_vmap:
        return int(part)
    return part if part.dtype.kind in "biu" else _whole(part)


def _whole(part: Any) -> Any:
    """An index of floats as integers, with a warning if that drops a fraction."""
    whole = part.astype(np.int64)
    if isinstance(part, np.ndarray) and (wrong := part != whole).any():
        warn_of_fraction(part[wrong][0])
    return whole


@reads
def _values(part: Any) -> Any:
    """Return the elements of a list key, with arrays of one value replaced by that value."""
    if not isinstance(part, Array):
        return part
    return part.raw.item() if part.raw.size == 1 else part.raw


def fixed(key: slice) -> slice:
    """`key` with numbers for arrays, which may be written to while a graph keeps the key."""
    start, stop, step = key.start, key.stop, key.step
    if (
        (start is None or type(start) is int)
        and (stop is None or type(stop) is int)
        and (step is None or type(step) is int)
    ):
        return key
    return slice(_bound(start), _bound(stop), _bound(step))


@reads
def _bound(bound: Any) -> Any:
    if not isinstance(bound, Array):
        return bound
    if bound.raw.size != 1:
        raise ArgumentError(
            f"cannot index with an array of shape {bound.raw.shape} as the bound of a slice; use"
            " an integer or an array of one"
        )
    return int(bound.raw.item())


def are_lengths(shape: tuple[Any, ...]) -> bool:
    """Whether `shape` holds lengths and no codes: nothing but positive ints."""
    for n in shape:
        if type(n) is not int or n < 1:
            return False
    return bool(shape)


def reshaped(
    shape: tuple[int, ...], codes: tuple[int, ...], reverse: bool = False
) -> tuple[Any, ...]:
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
    return _inferred(shape, matched(shape, codes, reverse), codes)


def matched(shape: tuple[int, ...], codes: tuple[int, ...], reverse: bool = False) -> list[int]:
    """The lengths for the codes of `reshaped`, with -1 for one to infer."""
    step = -1 if reverse else 1
    try:
        return _matched(list(shape[::step]), list(codes[::step]))[::step]
    except IndexError:
        raise ArgumentError(f"reshape: codes {codes} need more axes than {shape} has") from None


def _matched(left: list[int], todo: list[int]) -> list[int]:
    out: list[int] = []
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
            raise ArgumentError(f"reshape: {code} is neither a length nor a code (0 to -4)")
    return out


def _halves(length: int, one: int, two: int) -> list[int]:
    if one == -1:
        one = length // two
    elif two == -1:
        two = length // one
    if one * two != length:
        raise ArgumentError(f"reshape: cannot split an axis of {length} into {one} x {two}")
    return [one, two]


def _inferred(shape: tuple[int, ...], out: list[int], codes: tuple[int, ...]) -> tuple[Any, ...]:
    size = prod(shape)
    known = prod([n for n in out if n != -1])
    if out.count(-1) > 1:
        raise ArgumentError(f"reshape: more than one length to infer in {codes}")
    if -1 in out and known and size % known == 0:
        out[out.index(-1)] = size // known
    if prod(out) != size:
        raise ArgumentError(f"reshape: {size} values of shape {shape} do not fit {tuple(out)}")
    return tuple(out)
