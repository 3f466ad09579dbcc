"""Tables and pieces of HTML for notebooks, readable on light and dark pages alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

CELL = "padding:.1em .6em;border:none;font-variant-numeric:tabular-nums;text-align:"
LINE = "border:none;border-bottom:1px solid currentColor"


class Table:
    """Rows under a header, as text and as HTML.

    Parameters
    ----------
    header : sequence of str
    rows : iterable of sequences
        Values are converted by ``str``. All columns but the first are right-aligned.
    title : str, optional
        The title above the table.
    notes : sequence of str, optional
        Notes below the table.

    Examples
    --------
    >>> from gluon._core.html import Table
    >>> print(Table(("Operator", "Calls"), [("exp", 3), ("add", 12)], notes=["15 calls"]))
    Operator  Calls
    --------  -----
    exp           3
    add          12
    15 calls
    """

    header: tuple[str, ...]
    notes: tuple[str, ...]
    rows: list[tuple[str, ...]]
    title: str

    def __init__(
        self,
        header: Sequence[str],
        rows: Iterable[Sequence[Any]],
        title: str = "",
        notes: Sequence[str] = (),
    ) -> None:
        self.header, self.title, self.notes = tuple(header), title, tuple(notes)
        self.rows = [tuple(map(str, row)) for row in rows]

    def __str__(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.header, *self.rows)]
        lines = [self.header, ["-" * width for width in widths], *self.rows]
        text = [
            "  ".join(
                one.ljust(width) if k == 0 else one.rjust(width)
                for k, (one, width) in enumerate(zip(line, widths))
            ).rstrip()
            for line in lines
        ]
        return "\n".join((*filter(None, [self.title]), *text, *self.notes))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        title = f"<caption>{escape(self.title)}</caption>" if self.title else ""
        head = "".join(cell("th", one, k, LINE) for k, one in enumerate(self.header))
        rows = "".join(
            f"<tr>{''.join(cell('td', one, k) for k, one in enumerate(row))}</tr>"
            for row in self.rows
        )
        notes = "".join(f"<div><small>{escape(one)}</small></div>" for one in self.notes)
        return (
            f"<div><table style='border-collapse:collapse'>{title}<thead><tr>{head}</tr></thead>"
            f"<tbody>{rows}</tbody></table>{notes}</div>"
        )


def escape(text: str) -> str:
    """`text` as it is written in HTML."""
    import html

    return html.escape(text)


def cell(tag: str, text: str, place: int = 1, style: str = "") -> str:
    """One cell of a table in HTML; those of place 0 are set to the left."""
    side = "right" if place else "left"
    return f'<{tag} style="{CELL}{side};{style}">{escape(text)}</{tag}>'


def bytes_text(count: float) -> str:
    """A number of bytes with a unit, such as ``1.5 KiB``."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(count) < 1024 or unit == "GiB":
            break
        count /= 1024
    return f"{count:.0f} B" if unit == "B" else f"{count:.1f} {unit}"
