"""Flame graphs: each row a line, layer or operator, as wide as the time spent in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple

from .._core.errors import ArgumentError
from .._core.instruments.recorder import Event
from .trace import name_of

WIDTH, ROW, NARROWEST = 1000, 18, 0.5
#: The colours of the kinds of rows, dark letters on them.
COLOURS = {
    "line": "#d9d9d9",
    "layer": "#a6cee3",
    "function": "#a6cee3",
    "step": "#cab2d6",
    "scope": "#cab2d6",
    "sweep": "#fdd49e",
    "forward": "#fdbf6f",
    "backward": "#fb9a99",
}


class Bar(NamedTuple):
    """One rectangle: its row, its start and its length in nanoseconds."""

    depth: int
    start: int
    time: int
    name: str
    kind: str


class Flame:
    """A flame graph of a profile.

    Notebooks display it; move the mouse over a row to see its time.

    Parameters
    ----------
    events : list of Event
        The ``events`` of a `Profile`.

    Examples
    --------
    >>> import tempfile
    >>> from gluon import nd, profiler
    >>> with profiler.profile() as p, profiler.scope("attention"):
    ...     y = nd.ones((2, 2)).exp()
    >>> flame = p.flame()
    >>> all(line.split()[-1].isdigit() for line in flame.folded().splitlines())
    True
    >>> len(flame.bars()) > 1, flame.svg()[:4]
    (True, '<svg')
    >>> flame.save(f"{tempfile.mkdtemp()}/run.svg")
    """

    def __init__(self, events: list[Event]) -> None:
        self._kinds: dict[tuple[str, ...], str] = {}
        self._times: dict[tuple[str, ...], int] = {}
        self._layers = {name for event in events for name in event.layers}
        for event in events:
            if ":" in event.kind:
                continue
            path = (*event.stack, name_of(event))
            self._kinds[path] = event.kind
            if event.own > 0:
                self._times[path] = self._times.get(path, 0) + event.own

    def folded(self) -> str:
        """Lines of the form ``outer;inner;innermost nanoseconds``, which other viewers read.

        Returns
        -------
        str
        """
        lines = [f"{';'.join(path)} {time}" for path, time in sorted(self._times.items())]
        return "\n".join(lines)

    def bars(self) -> list[Bar]:
        """The rectangles; the part of one that is not covered by those above is its own time.

        Returns
        -------
        list of Bar
        """
        totals: dict[tuple[str, ...], int] = {}
        for path, time in self._times.items():
            for depth in range(1, len(path) + 1):
                totals[path[:depth]] = totals.get(path[:depth], 0) + time
        inside: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        for path in totals:
            inside.setdefault(path[:-1], []).append(path)
        return list(self._placed((), 0, totals, inside))

    def _placed(
        self, path: tuple[str, ...], start: int, totals: dict, inside: dict
    ) -> Iterator[Bar]:
        waiting = [(path, start)]
        while waiting:
            path, start = waiting.pop()
            for one in sorted(inside.get(path, ()), key=lambda one: -totals[one]):
                kind = self._kinds.get(one, "layer" if one[-1] in self._layers else "line")
                yield Bar(len(one) - 1, start, totals[one], one[-1], kind)
                waiting.append((one, start))
                start += totals[one]

    def svg(self) -> str:
        """The picture.

        Returns
        -------
        str
        """
        bars = self.bars()
        total = sum(self._times.values()) or 1
        height = (max((bar.depth for bar in bars), default=0) + 1) * ROW + 2
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
            f' width="100%" style="max-width:{WIDTH}px" font-family="sans-serif" font-size="11">'
        ]
        for bar in bars:
            width = bar.time / total * WIDTH
            if width < NARROWEST:
                continue
            x, y = bar.start / total * WIDTH, bar.depth * ROW + 1
            letters = int(width / 6.2) - 1
            name = bar.name if len(bar.name) <= letters else bar.name[: max(letters - 1, 0)] + "…"
            label = f'<text x="{x + 3:.1f}" y="{y + 12}">{escape(name)}</text>'
            parts.append(
                f"<g><title>{escape(bar.name)}: {bar.time / 1e6:.3f} ms, {bar.time / total:.1%}"
                f'</title><rect x="{x:.1f}" y="{y}" width="{max(width - 0.6, 0.4):.1f}"'
                f' height="{ROW - 2}" rx="1.5" fill="{COLOURS.get(bar.kind, "#b2df8a")}"/>'
                f"{label if letters >= 3 else ''}</g>"
            )
        return "\n".join([*parts, "</svg>"])

    _repr_svg_ = svg

    def __repr__(self) -> str:
        return f"<Flame of {len(self._times)} stacks, {sum(self._times.values()) / 1e6:.3f} ms>"

    def save(self, path: str | os.PathLike) -> None:
        """Write the picture to a file.

        Parameters
        ----------
        path : str or path
            With the suffix ``.svg``, or ``.folded`` for the text of `folded`.

        Raises
        ------
        ArgumentError
            If the suffix is neither of these.
        """
        path = Path(path)
        kinds = {".svg": self.svg, ".folded": self.folded}
        if path.suffix not in kinds:
            raise ArgumentError(f"Flame.save: {str(path)!r} must end in .svg or .folded")
        path.write_text(kinds[path.suffix]() + "\n", encoding="utf-8")
