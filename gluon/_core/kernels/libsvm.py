"""The text of LibSVM files as csr matrices, many numbers at a time.

A line is ``label index:value index:value ...``. The last eight characters of each number are read
as one integer of 64 bits, in which all digits are converted at once, then those before them. What
has another form, or would not be rounded as Python does, is left to Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from .sparse import Csr
from .steps import step

#: About how many bytes are parsed at once.
PART = 1 << 20
#: Precedes the text, so that 24 characters end at every place.
MARGIN = b" " * 24
COLON, NEWLINE, MINUS, PLUS, LETTER, BLANK = b":\n-+e "
#: The first and the last of the other bytes that separate words.
SPACES = np.frombuffer(b"\t\r", np.uint8)
U64 = np.uint64
ONES = U64(0x0101010101010101)
ZEROS, POINTS, HIGH, NIBBLES, THREES = (ONES * U64(k) for k in (0x30, 0x2E, 0x80, 0xF0, 0x33))
#: Maps how many characters count, the last ones, to a mask of them.
COUNTED = np.array([(-1 << 8 * (8 - n)) % 2**64 for n in range(9)], U64)
POWERS = 10.0 ** np.arange(32)
#: The greatest power of ten that is exact as a float, and up to where whole numbers are. One
#: operation with two exact numbers is rounded correctly.
EXACT, WHOLE = 22, 2.0**53
#: Maps ``256**place % 19``, another number for each place, to the characters after it.
BEHIND = np.zeros(19, np.int64)
BEHIND[[256**place % 19 for place in range(8)]] = range(7, -1, -1)


class Lines(NamedTuple):
    """What the lines of a file say: the labels, how many values each has, and those."""

    labels: Any
    counts: Any
    columns: Any
    values: Any


def parse(text: bytes, width: int) -> tuple[Any, Csr]:
    """The labels and the rows in the text of a file.

    The arguments of the ValueError for a line that is wrong are its number and what is wrong.
    """
    found = []
    text = _plain(text)
    for begin, end in _parts(text):
        part = text[begin:end]
        try:
            found.append(read_lines(part, width) or _parse_slowly(part, width))
        except ValueError as error:
            line, what = error.args
            raise ValueError(text.count(b"\n", 0, begin) + line, what) from None
    lines = Lines(*map(np.concatenate, zip(*found))) if found else _lines([], [], [], [])
    indptr = np.append(0, np.cumsum(lines.counts))
    return lines.labels, Csr(lines.values, lines.columns, indptr, (len(lines.labels), width))


def rows_in(text: bytes) -> int:
    """The number of rows in the text of a file."""
    return sum(bool(line.strip()) for line in _plain(text).split(b"\n"))


def _plain(text: bytes) -> bytes:
    """The text without comments, with the ends of lines of one kind."""
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return re.sub(rb"#[^\n]*", b"", text) if b"#" in text else text


def _parts(text: bytes) -> Iterator[tuple[int, int]]:
    """Where parts of about `PART` bytes that end with a line begin and end."""
    begin = 0
    while begin < len(text):
        end = text.find(b"\n", begin + PART) + 1 or len(text)
        yield begin, end
        begin = end


def _lines(labels: Any, counts: Any, columns: Any, values: Any) -> Lines:
    floats, whole = np.float64, np.int64
    return Lines(
        *map(np.asarray, (labels, counts, columns, values), (floats, whole, whole, floats))
    )


# --------------------------------------------------------------------- all numbers at once


@step
def read_lines(text: bytes, width: int) -> Lines | None:
    """Lines of numbers in the usual forms; None if there is anything else."""
    text = MARGIN + text + b"\n"
    found = np.frombuffer(text, np.uint8)
    colons = found == COLON
    apart = (found - SPACES[0] <= SPACES[1] - SPACES[0]) | (found == BLANK) | colons
    edges = np.flatnonzero(apart[1:] != apart[:-1]) + 1
    starts, ends = edges[::2], edges[1::2]
    until = np.searchsorted(starts, np.flatnonzero(found == NEWLINE))
    counts = np.diff(until, prepend=0)
    first, counts = (until - counts)[counts > 0], counts[counts > 0]
    is_label = np.zeros(len(starts), bool)
    is_label[first] = True
    pairs = np.flatnonzero(~is_label)
    keys, values = pairs[::2], pairs[1::2]
    if (
        (counts % 2 == 0).any()
        or np.count_nonzero(colons) != len(keys)
        or not colons[ends[keys]].all()
        or (starts[values] != ends[keys] + 1).any()
    ):
        return None
    columns = _columns(text, starts[keys], ends[keys], width)
    if columns is None or not _ascend(columns, counts // 2):
        return None
    try:
        labels, numbers = (_numbers(text, starts[k], ends[k]) for k in (first, values))
    except ValueError:
        return None
    return Lines(labels, counts // 2, columns, numbers)


def _ascend(columns: Any, counts: Any) -> bool:
    """Whether the columns of each row ascend."""
    wrong = np.diff(columns, prepend=-1) <= 0
    begins = np.cumsum(counts) - counts
    wrong[begins[counts > 0]] = False
    return not wrong.any()


def _columns(text: bytes, starts: Any, ends: Any, width: int) -> Any:
    """Numbers of columns; None if one is anything else."""
    whole, _, plain = _digits(text, ends, ends - starts, points=False)
    if not plain.all() or (len(whole) and whole.max() >= width):
        return None
    return whole.astype(np.int64)


def _numbers(text: bytes, starts: Any, ends: Any) -> Any:
    """The numbers at these places; ValueError if one is none."""
    found = np.frombuffer(text, np.uint8)
    minus = found[starts] == MINUS
    begins = starts + (minus | (found[starts] == PLUS))
    whole, behind, plain = _digits(text, ends, ends - begins)
    numbers = whole / POWERS[behind]
    plain &= (whole < WHOLE) & (behind <= EXACT)
    odd = np.flatnonzero(~plain)
    if len(odd):
        numbers[odd], plain[odd] = _with_exponents(text, begins[odd], ends[odd])
    np.negative(numbers, out=numbers, where=minus)
    for k in np.flatnonzero(~plain):
        numbers[k] = number(text[starts[k] : ends[k]])
    return numbers


def _with_exponents(text: bytes, starts: Any, ends: Any) -> tuple[Any, Any]:
    """Positive numbers with exponents, such as 1.5e-05, and where they are right."""
    found = np.frombuffer(text, np.uint8)
    places = ends[:, None] - np.arange(2, 6)
    marks = (found[places] | 32 == LETTER) & (places > starts[:, None])
    middle = places[np.arange(len(ends)), marks.argmax(axis=1)]
    signs = found[middle + 1]
    signed = (signs == MINUS) | (signs == PLUS)
    power, _, right = _digits(text, ends, ends - middle - 1 - signed, points=False)
    whole, behind, plain = _digits(text, middle, middle - starts)
    power = np.where(signs == MINUS, -power, power) - behind
    right &= plain & marks.any(axis=1) & (whole < WHOLE) & (np.abs(power) <= EXACT)
    factor = POWERS[np.where(right, np.abs(power), 0).astype(np.int64)]
    return np.where(power < 0, whole / factor, whole * factor), right


def _digits(text: bytes, ends: Any, lengths: Any, points: bool = True) -> tuple[Any, Any, Any]:
    """The numbers of these lengths that end at `ends`, without their points.

    Also how many digits are behind the point of each, and where all this is right.
    """
    counts = np.minimum(lengths, 8)
    whole, behind, has_point, plain = _eight(text, ends, counts, points)
    numbers = whole.astype(np.float64)
    digits = counts - has_point
    for done in (8, 16):
        long = np.flatnonzero(lengths > done)
        if not len(long):
            return numbers, behind, plain
        counts = np.minimum(lengths[long] - done, 8)
        whole, more, again, fine = _eight(text, ends[long] - done, counts, points)
        numbers[long] += whole * POWERS[digits[long]]
        behind[long] += np.where(again, digits[long] + more, 0)
        plain[long] &= fine & ~(again & has_point[long])
        has_point[long] |= again
        digits[long] += counts - again
    plain &= lengths <= 24
    return numbers, behind, plain


def _eight(text: bytes, ends: Any, lengths: Any, points: bool) -> tuple[Any, Any, Any, Any]:
    """As `_digits`, of at most eight characters; also which have a point."""
    # Of the dtype "V8", NumPy copies what is not aligned fastest.
    words = np.ndarray(len(text) - 7, "V8", text, strides=(1,))[ends - 8].view("<u8")
    x = ((words.astype(U64, copy=False) ^ ZEROS) & COUNTED[lengths]) ^ ZEROS
    has_point, behind = np.zeros(len(x), bool), np.zeros(len(x), np.int64)
    if points:
        other = x ^ POINTS
        bit = ((other - ONES) & ~other & HIGH) >> U64(7)
        has_point = bit != 0
        if has_point.any():
            behind = BEHIND[bit % U64(19)]
            # What precedes the point moves to where it was.
            below = bit - U64(1)
            moved = (x & ~(below | (bit * U64(255)))) | ((x & below) << U64(8)) | U64(0x30)
            x = np.where(has_point, moved, x)
    plain = ((x & NIBBLES) | (((x + ONES * U64(6)) & NIBBLES) >> U64(4))) == THREES
    plain &= lengths > has_point
    x = ((x ^ ZEROS) * U64(0xA01)) >> U64(8)
    x = ((x & U64(0x00FF00FF00FF00FF)) * U64(0x640001)) >> U64(16)
    x = ((x & U64(0x0000FFFF0000FFFF)) * U64(0x271000000001)) >> U64(32)
    return x, behind, has_point, plain


# --------------------------------------------------------------------------- line by line


def _parse_slowly(text: bytes, width: int) -> Lines:
    """The same lines one by one, with every form there is; see `parse` for errors."""
    labels, counts, columns, values = [], [], [], []
    for k, line in enumerate(text.split(b"\n")):
        if not line.strip():
            continue
        try:
            label, row = _line(line, width)
        except ValueError as error:
            raise ValueError(k + 1, str(error)) from None
        labels.append(label)
        counts.append(len(row))
        columns += sorted(row)
        values += [row[column] for column in sorted(row)]
    return _lines(labels, counts, columns, values)


def _line(line: bytes, width: int) -> tuple[float, dict[int, float]]:
    """The label and the values of a line; a weight of the label and a qid are left out."""
    head, *pairs = line.split()
    label, _, weight = head.partition(b":")
    if weight:
        number(weight)
    row: dict[int, float] = {}
    for k, pair in enumerate(pairs):
        index, colon, value = pair.partition(b":")
        if k == 0 and index == b"qid":
            continue
        if not colon or not index.isdigit():
            raise ValueError(f"{_shown(pair)} is not index:value")
        column = int(index)
        if column >= width:
            raise ValueError(f"index {column} is out of range for {width} columns, from 0")
        if column in row:
            raise ValueError(f"index {column} is there twice")
        row[column] = number(value)
    return number(label), row


def number(text: bytes) -> float:
    """The number that a text is; ValueError if it is none."""
    try:
        if b"_" not in text:
            return float(text)
    except ValueError:
        pass
    raise ValueError(f"{_shown(text)} is not a number")


def _shown(text: bytes) -> str:
    return repr(text.decode("utf-8", "replace"))
