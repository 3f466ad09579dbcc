"""Programs as pictures in notebooks: an SVG, with the layers at the side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from typing import Any

from ..column import Box, Group, column
from .plan import Plan
from .show import arguments, described, kind, layer_of, text, waiting
from .values import Buffer

#: The most boxes of a picture; the first are shown.
MOST = 200


class Shown(str):
    """A text that notebooks show as a picture, which `draw` gives as HTML."""

    draw: Callable[[], str]

    def __new__(cls, told: str, draw: Callable[[], str]) -> Shown:
        """The text with its picture."""
        made = super().__new__(cls, told)
        made.draw = draw
        return made

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self.draw()


def shown(name: str, compiled: Any) -> Shown:
    """What is known of a step: its programs, and why calls ran without one."""
    return Shown(text(name, compiled), lambda: picture(name, compiled))


def picture(name: str, compiled: Any) -> str:
    """The programs of a step as HTML, each as a column of its instructions."""
    parts = [f"<b>{escape(name)}</b>"]
    for variant in compiled.variants.values():
        parts.append(f"<p>{escape(arguments(variant))}<br/>{escape(waiting(variant))}</p>")
        if variant.ready:
            parts.append(drawn(variant.program.plan))
    for why, n in compiled.why.items():
        parts.append(f"<p>{n} calls ran as written: {escape(why)}</p>")
    return f'<div style="overflow:auto">{"".join(parts)}</div>'


def drawn(plan: Plan) -> str:
    """A plan: a box for each argument, instruction and call, and arrows from what each reads."""
    boxes: list[Box] = []
    layers: list[str] = []
    arrows: list[tuple[int, int]] = []
    wrote: dict[Buffer, int] = {}
    for b in plan.given:
        if b.source.kind == "argument":
            wrote[b] = len(boxes)
            boxes.append(Box(f"argument {b.source.place}  {_form(b)}", "variable"))
            layers.append("")
    for k in _order(plan):
        place = len(boxes)
        if isinstance(k, str):
            boxes.append(Box(k, "python" if k.startswith("calls") else "more"))
            layers.append("")
            continue
        group = plan.groups[k]
        reads = dict.fromkeys(v.buffer for node in group for v in node.reads)
        arrows += [(wrote[b], place) for b in reads if b in wrote]
        what = kind(plan.instructions[k])
        boxes.append(Box(f"{what}  {described(group)}", _colour(plan, k)))
        layers.append(layer_of(group))
        wrote.update(dict.fromkeys((v.buffer for node in group for v in node.writes), place))
    left = len(boxes) - MOST
    if left > 0:
        boxes[MOST:] = [Box(f"… {left} more", "more")]
        layers[MOST:] = [""]
        arrows = [(start, end) for start, end in arrows if end < MOST]
    return column(boxes, dict.fromkeys(arrows), list(_groups(layers)))


def _order(plan: Plan) -> Iterator[int | str]:
    """The numbers of the instructions, with what happens between the segments."""
    for segment, (first, end) in enumerate(zip(plan.starts, plan.starts[1:])):
        yield from range(first, end)
        if segment < len(plan.actions):
            yield f"calls {plan.actions[segment].call.__qualname__}"
        elif segment == 0 and plan.turned:
            yield "backward pass"


def _colour(plan: Plan, k: int) -> str:
    if plan.instructions[k] is None:
        return "python"
    made = {*plan.made_buffers}
    ends = any(v.buffer in made for node in plan.groups[k] for v in node.writes)
    return "output" if ends else "operator"


def _form(b: Buffer) -> str:
    shape, _, dtype = b.like
    return f"{dtype}{list(shape)}"


def _groups(layers: list[str]) -> Iterator[Group]:
    """The runs of boxes of one layer."""
    start = 0
    for k in range(1, len(layers) + 1):
        if k == len(layers) or layers[k] != layers[start]:
            if layers[start]:
                yield Group(start, k - 1, layers[start])
            start = k
