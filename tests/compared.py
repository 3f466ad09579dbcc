"""Compare nested results with recorded ones, and say at which path they differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

#: How many differences are listed.
MOST = 10


def assert_equal(got: Any, want: Any, what: str = "") -> None:
    """Check that `got` equals `want`; the error lists each path with both values.

    Parameters
    ----------
    got, want : dict, list, tuple, str, array or anything that compares
        Dicts, lists and tuples are compared by their items, texts by their lines, arrays by shape,
        dtype and values, where NaN equals itself.
    what : str, optional
        What is compared, the start of each path.
    """
    found = list(differences(got, want, what))
    if found:
        more = [f"and {len(found) - MOST} more"] if len(found) > MOST else []
        raise AssertionError("\n".join(["what differs:", *found[:MOST], *more]))


def differences(got: Any, want: Any, path: str) -> Iterator[str]:
    """The paths at which two values differ, with what was wanted and got."""
    if isinstance(got, Mapping) and isinstance(want, Mapping):
        yield from keyed(got, want, path)
    elif isinstance(got, (list, tuple)) and type(got) is type(want):
        yield from keyed(dict(enumerate(got)), dict(enumerate(want)), path)
    elif isinstance(got, str) and isinstance(want, str) and "\n" in got + want:
        for place, line in enumerate(lines(got, want), 1):
            yield from differences(*line, f"{path} line {place}".strip())
    elif isinstance(got, np.ndarray) and isinstance(want, np.ndarray):
        yield from in_arrays(got, want, path)
    elif not np.all(got == want):
        yield told(path, repr(want), repr(got))


def keyed(got: Mapping, want: Mapping, path: str) -> Iterator[str]:
    for key in {**want, **got}:
        place = f"{path}[{key!r}]"
        if key not in got:
            yield told(place, repr(want[key]), "nothing")
        elif key not in want:
            yield told(place, "nothing", repr(got[key]))
        else:
            yield from differences(got[key], want[key], place)


def lines(got: str, want: str) -> Iterator[tuple[Any, Any]]:
    """The lines of both texts side by side; None where one has ended."""
    one, other = got.split("\n"), want.split("\n")
    length = max(len(one), len(other))
    return zip(one + [None] * (length - len(one)), other + [None] * (length - len(other)))


def in_arrays(got: np.ndarray, want: np.ndarray, path: str) -> Iterator[str]:
    kinds = [f"{x.dtype} of shape {x.shape}" for x in (want, got)]
    if kinds[0] != kinds[1]:
        yield told(path, *kinds)
        return
    places = np.argwhere((got != want) & ((got == got) | (want == want)))
    for place in map(tuple, places):
        at = f"{path}[{', '.join(map(str, place))}]"
        yield told(at, repr(want[place].item()), repr(got[place].item()))


def told(path: str, want: str, got: str) -> str:
    return f"{path or 'the value'}\n  wanted {want}\n  got    {got}"
