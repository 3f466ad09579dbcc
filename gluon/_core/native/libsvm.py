"""The text of LibSVM files, read in one pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernels.libsvm import COLON, NEWLINE, Lines, number
from ..kernels.sparse import INT64
from ..kernels.steps import STAND_INS
from .loading import runner

_read = runner("read_lines")


def read_lines(plain: Callable, text: bytes, width: int) -> Any:
    text = text if text.endswith(b"\n") else text + b"\n"
    found = np.frombuffer(text, np.uint8)
    lines, pairs = (int(np.count_nonzero(found == mark)) for mark in (NEWLINE, COLON))
    labels, values = np.empty(lines), np.empty(pairs)
    counts, columns = np.empty(lines, INT64), np.empty(pairs, INT64)
    odd, sizes = np.empty((lines + pairs, 3), INT64), np.empty(3, INT64)
    room = (found, labels, counts, columns, values, odd, sizes)
    if not _read(room, (min(width, np.iinfo(INT64).max),)):
        return plain(text, width)
    lines, pairs, odds = sizes.tolist()
    try:
        for place, begin, end in odd[:odds].tolist():
            what, k = (values, place) if place >= 0 else (labels, -1 - place)
            what[k] = number(text[begin:end])
    except ValueError:
        return None
    return Lines(labels[:lines], counts[:lines], columns[:pairs], values[:pairs])


STAND_INS["read_lines"] = read_lines
