"""A graph as one column of boxes: an SVG that needs no other program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

#: A grey that is readable on light and dark pages: the picture is transparent.
GREY = "#7f7f7f"
#: The colours of boxes, by kind; their text is black.
COLOURS = {
    "variable": "#a6cee3",
    "constant": "#e6e6e6",
    "operator": "#fff3d6",
    "output": "#b8e0b0",
    "python": "#f7c6c7",
    "more": "#ffffff",
}
#: The kinds of boxes with rounded corners.
ROUNDED = ("operator", "output", "python")
#: Fonts of similar width: box sizes are computed for one, and readers may have another.
FAMILY = "Helvetica,Arial,Liberation Sans,Roboto,Noto Sans,DejaVu Sans Condensed,sans-serif"
#: The height of a box, the distance of boxes, and the width of a letter.
HEIGHT, STEP, LETTER = 24, 40, 6.2


class Box(NamedTuple):
    """A box: its text and its kind, one of `COLOURS`."""

    text: str
    kind: str


class Group(NamedTuple):
    """The boxes of these places, the first and the last, which have a name at their side."""

    first: int
    last: int
    text: str


def column(
    boxes: Sequence[Box], arrows: Iterable[tuple[int, int]], groups: Sequence[Group] = ()
) -> str:
    """Draw boxes below each other, with arrows from upper to lower ones, by their places.

    Parameters
    ----------
    boxes : sequence of Box
    arrows : iterable of (int, int)
        Each leads from an earlier place to a later one.
    groups : sequence of Group, optional

    Returns
    -------
    str
        The text of an SVG element.
    """
    arrows = list(arrows)
    width = max((len(box.text) for box in boxes), default=0) * LETTER + 24
    lines = [_arrow(start, end, width) for start, end in arrows]
    lines += [_box(k, width, box) for k, box in enumerate(boxes)]
    longest = max((end - start for start, end in arrows), default=1)
    body, left = "".join(lines), max((len(one.text) for one in groups), default=-2) * LETTER + 14
    if groups:
        sides = "".join(_side(one, left) for one in groups)
        body = f'{sides}<g transform="translate({left:.0f} 0)">{body}</g>'
    size = f'width="{max(left, 0) + width + _bend(longest) + 20:.0f}" height="{len(boxes) * STEP}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-size="11"'
        f' font-family="{FAMILY}">{body}</svg>'
    )


def _side(group: Group, left: float) -> str:
    """Draw the name of a group, and a bracket along its boxes."""
    top, bottom = group.first * STEP + 6, (group.last + 1) * STEP - 6
    return (
        f'<path d="M{left - 2:.0f} {top}h-5V{bottom}h5" fill="none" stroke="{GREY}"/>'
        f'<text x="{left - 11:.0f}" y="{(top + bottom) / 2 + 4:.0f}" text-anchor="end"'
        f' fill="{GREY}">{escape(group.text)}</text>'
    )


def _box(k: int, width: float, box: Box) -> str:
    y = k * STEP + (STEP - HEIGHT) / 2
    return (
        f'<rect x="2" y="{y}" width="{width:.0f}" height="{HEIGHT}"'
        f' rx="{6 if box.kind in ROUNDED else 0}" fill="{COLOURS[box.kind]}" stroke="{GREY}"/>'
        f'<text x="{width / 2 + 2:.0f}" y="{y + 16}" text-anchor="middle"'
        f' fill="black">{escape(box.text)}</text>'
    )


def _arrow(start: int, end: int, width: float) -> str:
    """Draw an arrow from one box to the next, or an arc to the right of those between."""
    middle, half = STEP / 2, HEIGHT / 2
    if end == start + 1:
        x, y = width / 2 + 2, end * STEP + middle - half
        path = f"M{x:.0f} {start * STEP + middle + half}V{y}"
        tip = f"M{x - 4:.0f} {y - 6}L{x:.0f} {y}L{x + 4:.0f} {y - 6}"
    else:
        x, y = width + 2, end * STEP + middle
        bend = x + _bend(end - start) * 4 / 3
        path = f"M{x:.0f} {start * STEP + middle}C{bend:.0f} {start * STEP + middle}"
        path += f" {bend:.0f} {y} {x:.0f} {y}"
        tip = f"M{x + 6:.0f} {y - 4}L{x:.0f} {y}L{x + 6:.0f} {y + 4}"
    return f'<path d="{path}{tip}" fill="none" stroke="{GREY}"/>'


def _bend(steps: int) -> float:
    """Return how far an arc extends to the right: longer arcs enclose shorter ones."""
    return 0.0 if steps < 2 else 16 + 8 * min(steps, 24)
