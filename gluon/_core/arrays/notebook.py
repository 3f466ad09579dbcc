"""How notebooks display arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.node import Blank, Variable
from ..html import LINE, bytes_text, cell, escape

if TYPE_CHECKING:
    from .base import DeviceArray

#: Longer axes are shortened to this many rows or columns at both ends, around "…".
MOST, ENDS = 12, 5


def array_html(array: DeviceArray) -> str:
    """An array as HTML: shape, dtype and device, and a table of at most `MOST` rows and columns.

    Parameters
    ----------
    array : DeviceArray

    Returns
    -------
    str
    """
    raw = array.raw
    shape = "x".join(map(str, raw.shape)) or "no axes"
    said = [type(array).__name__, shape, str(raw.dtype), f"@{array.context}"]
    said += [bytes_text(raw.nbytes)]
    if isinstance(array._node, Variable):
        said.append("variable")
    elif not isinstance(array._node, Blank):
        said.append(f"computed by {array._node.op.name}")
    head = f"<div><small>{escape(' · '.join(said))}</small></div>"
    if raw.ndim in (1, 2) and raw.size:
        return f"<div>{head}{_values(raw)}</div>"
    with np.printoptions(threshold=100, edgeitems=2):
        return f"<div>{head}<pre>{escape(str(raw))}</pre></div>"


def _values(raw: np.ndarray) -> str:
    grid = raw if raw.ndim == 2 else raw[None]
    rows, columns = (_shown(length) for length in grid.shape)
    top = "".join(cell("th", "…" if k is None else str(k), style=LINE) for k in columns)
    lines = []
    for row in rows:
        name = "…" if row is None else str(row) if raw.ndim == 2 else ""
        values = [
            "…" if row is None or column is None else _text(grid[row, column]) for column in columns
        ]
        lines.append(f"<tr>{cell('th', name)}{''.join(cell('td', one) for one in values)}</tr>")
    return (
        f"<table style='border-collapse:collapse'><thead><tr>{cell('th', '', style=LINE)}{top}</tr>"
        f"</thead><tbody>{''.join(lines)}</tbody></table>"
    )


def _shown(length: int) -> list[int | None]:
    """Return the indices to show; None stands for the omitted ones."""
    if length <= MOST:
        return list(range(length))
    return [*range(ENDS), None, *range(length - ENDS, length)]


def _text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, np.floating) else str(value)
