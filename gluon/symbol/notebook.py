"""How notebooks display symbols: as an SVG graph, without other programs."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .node import Entry, GraphNode, ordered

#: A grey that is readable on light and dark pages: the picture is transparent.
GREY = "#7f7f7f"
#: The colours of boxes, as in `gluon.viz`; their text is black.
COLOURS = {"variable": "#a6cee3", "operator": "#fff3d6", "output": "#b8e0b0"}
#: Fonts of similar width, as in `gluon.viz`.
FAMILY = "Helvetica,Arial,Liberation Sans,Roboto,Noto Sans,DejaVu Sans Condensed,sans-serif"
#: The height of a box, the distance of boxes, and the width of a letter.
HEIGHT, STEP, LETTER = 24, 40, 6.2
#: The maximum number of boxes; those closest to the outputs are shown.
MOST = 200


def graph_html(heads: Sequence[Entry]) -> str:
    """The graph of a symbol as SVG: a box for each call and input, in the order of computation.

    Variables that only one call reads are drawn in its box, so that weights do not hide the layers.
    """
    order = ordered(heads)
    readers: dict[GraphNode, int] = {}
    for node in order:
        for source in {entry.node for entry in node.inputs}:
            readers[source] = readers.get(source, 0) + 1
    first = next((node for node in order if node.op is None), None)
    inside = {
        node for node in order if node.op is None and readers.get(node) == 1 and node is not first
    }
    boxes = [node for node in order if node not in inside]
    left, boxes = boxes[:-MOST], boxes[-MOST:]
    texts = [_text(node, inside) for node in boxes]
    if left:
        texts[0] = f"… {len(left)} more before this: {texts[0]}"
    ends = {head.node for head in heads}
    width = max(map(len, texts), default=0) * LETTER + 24
    place = {node: k for k, node in enumerate(boxes)}
    arcs = [
        (place[source], place[node])
        for node in boxes
        for source in dict.fromkeys(entry.node for entry in node.inputs)
        if source in place
    ]
    lines = [_arrow(start, end, width) for start, end in arcs]
    for k, (node, text) in enumerate(zip(boxes, texts)):
        kind = "output" if node in ends else "operator" if node.op else "variable"
        lines.append(_box(k, width, COLOURS[kind], text, bool(node.op)))
    longest = max((end - start for start, end in arcs), default=1)
    size = f'width="{width + _bend(longest) + 20:.0f}" height="{len(boxes) * STEP}"'
    return (
        f'<div style="overflow:auto"><svg xmlns="http://www.w3.org/2000/svg" {size} font-size="11"'
        f' font-family="{FAMILY}">{"".join(lines)}</svg></div>'
    )


def _text(node: GraphNode, inside: set[GraphNode]) -> str:
    if node.op is None:
        return f"{node.name} {node.attrs.get('__shape__', '')}".strip()
    own = [source.name for source, _ in node.inputs if source in inside]
    said = node.op.name if node.op.name == node.name else f"{node.op.name}  {node.name}"
    names = ", ".join(name.removeprefix(f"{node.name}_") for name in own[:4])
    more = ", …" if len(own) > 4 else ""
    return f"{said}  ({names}{more})" if own else said


def _box(k: int, width: float, colour: str, text: str, rounded: bool) -> str:
    y = k * STEP + (STEP - HEIGHT) / 2
    return (
        f'<rect x="2" y="{y}" width="{width:.0f}" height="{HEIGHT}" rx="{6 if rounded else 0}"'
        f' fill="{colour}" stroke="{GREY}"/><text x="{width / 2 + 2:.0f}" y="{y + 16}"'
        f' text-anchor="middle" fill="black">{escape(text)}</text>'
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
