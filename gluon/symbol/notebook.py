"""How notebooks display symbols: as an SVG graph, without other programs."""

from __future__ import annotations

from collections.abc import Sequence

from .._core.column import Box, column
from .node import Entry, GraphNode, ordered

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
    place = {node: k for k, node in enumerate(boxes)}
    arrows = [
        (place[source], place[node])
        for node in boxes
        for source in dict.fromkeys(entry.node for entry in node.inputs)
        if source in place
    ]
    kinds = ["output" if node in ends else "operator" if node.op else "variable" for node in boxes]
    return f'<div style="overflow:auto">{column(list(map(Box, texts, kinds)), arrows)}</div>'


def _text(node: GraphNode, inside: set[GraphNode]) -> str:
    if node.op is None:
        return f"{node.name} {node.attrs.get('__shape__', '')}".strip()
    own = [source.name for source, _ in node.inputs if source in inside]
    said = node.op.name if node.op.name == node.name else f"{node.op.name}  {node.name}"
    names = ", ".join(name.removeprefix(f"{node.name}_") for name in own[:4])
    more = ", …" if len(own) > 4 else ""
    return f"{said}  ({names}{more})" if own else said
