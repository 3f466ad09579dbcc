"""The codes in new shapes of `npx.reshape`."""

from __future__ import annotations

from math import prod
from typing import Any

from .._core.errors import ArgumentError


def lengths_meant(
    shape: tuple[int, ...], newshape: tuple[int, ...], reverse: bool = False
) -> tuple[int, ...]:
    """The shape that `newshape` stands for, of an array of `shape`."""
    codes = list(newshape)
    if not reverse:
        return tuple(_lengths(shape, codes, newshape))
    return tuple(_lengths(shape[::-1], codes[::-1], newshape)[::-1])


def _lengths(shape: tuple[int, ...], codes: list[int], asked: tuple[int, ...]) -> list[int]:
    """Return the lengths for `codes`; -1 for one to infer."""

    def refuse(why: str) -> ArgumentError:
        return ArgumentError(f"reshape: newshape={asked} does not fit shape {shape}: {why}")

    left, found, coming = list(shape), [], iter(codes)

    def following(code: int) -> int:
        if not left:
            raise refuse(f"no length is left for {code}")
        return left.pop(0)

    for code in coming:
        if code < -6:
            raise refuse(f"{code} is not a code; they are -1 to -6")
        if code == -4:
            found += left
            left.clear()
        elif code == -6:
            parts = [next(coming, None), next(coming, None)]
            if None in parts:
                raise refuse("-6 needs two lengths")
            found += _split(following(-6), parts, refuse)
        elif code == -5:
            found.append(following(-5) * following(-5))
        elif code == -3:
            if (length := following(-3)) != 1:
                raise refuse(f"-3 drops an axis of length 1, not {length}")
        elif code == -2:
            found.append(following(-2))
        else:
            del left[:1]
            found.append(code)
    return _inferred(shape, found, refuse)


def _split(length: int, parts: list, refuse: Any) -> list[int]:
    """Return the two factors of `length`, one of which may be given as -1."""
    known = [part for part in parts if part != -1]
    if len(known) == 1 and known[0] and length % known[0] == 0:
        parts = [length // known[0] if part == -1 else part for part in parts]
    if -1 in parts or prod(parts) != length:
        raise refuse(f"-6 cannot split {length} into {tuple(parts)}")
    return parts


def _inferred(shape: tuple[int, ...], found: list[int], refuse: Any) -> list[int]:
    """Return `found` with -1 replaced by the inferred length."""
    if found.count(-1) > 1:
        raise refuse("-1 appears twice")
    if -1 in found:
        known = prod(length for length in found if length != -1)
        if not known or prod(shape) % known:
            raise refuse("-1 cannot be inferred")
        found[found.index(-1)] = prod(shape) // known
    if prod(found) != prod(shape):
        raise refuse(f"{prod(shape)} values cannot be {tuple(found)}")
    return found
