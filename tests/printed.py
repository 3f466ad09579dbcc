"""Compare printed text on any processor: the last bit of a float may differ, nothing else.

NumPy computes `exp`, `log10`, `cbrt` and sums with the vector instructions that the processor has,
and rounds differently with each of them. What an example prints is therefore compared number by
number: integers and words must be the same, floats may differ by a few units of float32's last
place.
"""

from __future__ import annotations

import doctest
import re

#: How far floats may be apart, as a part of the larger of the two, and of the largest one printed.
RELATIVE = 2e-6
#: Texts with at least so many digits after the point may differ in the last one.
ROUNDED_DIGITS = 3

_TOKEN = re.compile(
    r"""(?P<float>(?<![\w.])[-+]?(?:\d+\.\d*|\.\d+)(?:e[-+]?\d+)?|(?<![\w.])[-+]?\d+e[-+]?\d+)
    |(?P<other>\w+|\S)""",
    re.VERBOSE | re.IGNORECASE,
)


def _tokens(text: str) -> list[tuple[str, bool]]:
    """The words, signs and numbers of a text, each with whether it is a float."""
    return [(found.group(), found["float"] is not None) for found in _TOKEN.finditer(text)]


def _unit(text: str) -> float:
    """What the last digit of a rounded float counts; 0 for one with few digits."""
    digits, _, exponent = text.lower().partition("e")
    places = len(digits.partition(".")[2])
    return 10.0 ** (int(exponent or 0) - places) if places >= ROUNDED_DIGITS else 0.0


def _near(expected: str, printed: str, largest: float) -> bool:
    a, b = float(expected), float(printed)
    rounding = max(_unit(expected), _unit(printed)) if _unit(expected) and _unit(printed) else 0.0
    room = RELATIVE * max(abs(a), abs(b)) + RELATIVE / 10 * largest + 1.01 * rounding
    return abs(a - b) <= room


def same(expected: str, printed: str) -> bool:
    """Whether two texts are equal, but for the last bits of their floats.

    Parameters
    ----------
    expected, printed : str
        The texts. Blanks count only where all numbers are written alike, since NumPy pads columns.

    Returns
    -------
    bool
        Whether they are.

    Examples
    --------
    >>> same("[1. 2. 3.]", "[1.        2.        2.9999998]")
    True
    >>> same("[1. 2. 3.]", "[1.        2.        2.9999]")
    False
    """
    if expected == printed:
        return True
    wanted, found = _tokens(expected), _tokens(printed)
    if [kind for _, kind in wanted] != [kind for _, kind in found]:
        return False
    pairs = [(a, b, kind) for (a, kind), (b, _) in zip(wanted, found)]
    if all(a == b for a, b, _ in pairs):
        return False  # the blanks differ
    largest = max((abs(float(a)) for a, _, kind in pairs if kind), default=0.0)
    return all(_near(a, b, largest) if kind else a == b for a, b, kind in pairs)


def forgive_last_bits() -> None:
    """Make doctest compare by `same` as well, for pytest and for every runner of a test.

    Neither doctest nor pytest has a setting for the checker that both of them use.
    """
    strict = doctest.OutputChecker.check_output

    def check_output(self: doctest.OutputChecker, want: str, got: str, optionflags: int) -> bool:
        return strict(self, want, got, optionflags) or same(want, got)

    doctest.OutputChecker.check_output = check_output  # type: ignore[method-assign]
