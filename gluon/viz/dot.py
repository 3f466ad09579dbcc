"""Drawings in the DOT language, which Graphviz renders; without it, as a column of boxes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from graphlib import TopologicalSorter
from html import escape
from importlib import import_module
from pathlib import Path
from shutil import which
from typing import Any

from .._core.column import COLOURS, FAMILY, GREY, Box, column
from .._core.errors import ArgumentError, GluonError, MissingPackageError

#: The shapes and colours of boxes, by kind.
STYLES = {
    "variable": {"shape": "box", "style": "filled", "fillcolor": COLOURS["variable"]},
    "constant": {"shape": "box", "style": "filled", "fillcolor": COLOURS["constant"]},
    "operator": {"shape": "box", "style": "rounded,filled", "fillcolor": COLOURS["operator"]},
    "output": {"shape": "box", "style": "rounded,filled", "fillcolor": COLOURS["output"]},
    "more": {"shape": "box", "style": "dashed", "fontcolor": GREY},
}
FONT = f'fontname="{FAMILY}", fontsize=11'
PIP = 'pip install "gluon-autograd[viz]"'
PROGRAM = "install Graphviz, such as by `apt install graphviz` or `brew install graphviz`"


class Drawing:
    """A picture of a graph; notebooks display it.

    Attributes
    ----------
    source : str
        The picture in the DOT language, which does not require Graphviz.

    Parameters
    ----------
    source : str
        The picture in the DOT language.

    Examples
    --------
    >>> from gluon import viz
    >>> drawing = viz.Drawing("digraph { x -> y }")
    >>> drawing
    <Drawing of 1 arrows; save('graph.svg') draws it>
    >>> drawing.svg()[:5]  # doctest: +SKIP
    '<?xml'
    >>> drawing.render("png")[1:4]  # doctest: +SKIP
    b'PNG'
    >>> import os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> drawing.save(f"{folder}/graph.dot")  # the other formats need Graphviz
    >>> os.listdir(folder)
    ['graph.dot']
    """

    #: The boxes of the picture by key, and its arrows; None if only the text is known.
    _parts: tuple[dict[str, Box], list[tuple[str, str]]] | None = None

    def __init__(self, source: str) -> None:
        self.source = source

    def svg(self) -> str:
        """The picture as SVG.

        Without Graphviz, pictures of recorded graphs and networks are a column of boxes.

        Returns
        -------
        str

        Raises
        ------
        GluonError
            If Graphviz or the package graphviz is not installed, and the drawing was made from
            text.
        """
        return self.render("svg").decode()

    def render(self, format: str) -> bytes:
        """The picture as a file in a format of Graphviz.

        Parameters
        ----------
        format : str
            Such as ``'svg'``, ``'png'`` or ``'pdf'``.

        Returns
        -------
        bytes

        Raises
        ------
        GluonError
            If Graphviz or the package graphviz is not installed.
        ArgumentError
            If Graphviz does not support the format.
        """
        package = graphviz()
        if format == "svg" and self._parts and not (package and which("dot")):
            return _in_column(*self._parts).encode()
        if package is None:
            raise MissingPackageError(f"Drawing: drawing needs the package graphviz; {PIP}")
        try:
            return package.Source(self.source).pipe(format)
        except package.ExecutableNotFound as error:
            raise GluonError(
                f"Drawing: to draw it, {PROGRAM}; its text is in .source, and .save('graph.dot')"
                " writes it"
            ) from error
        except ValueError as error:
            raise ArgumentError(
                f"Drawing: Graphviz does not support the format {format!r}"
            ) from error

    def save(self, path: str | os.PathLike) -> None:
        """Write the picture to a file.

        Parameters
        ----------
        path : str or path
            The suffix determines the format: ``.svg``, ``.png``, ``.pdf``; ``.dot`` for the text,
            which does not require Graphviz.

        Raises
        ------
        GluonError
            If Graphviz or the package graphviz is not installed.
        ArgumentError
            If Graphviz does not support the format.
        """
        path = Path(path)
        if path.suffix in (".dot", ".gv"):
            path.write_text(self.source, encoding="utf-8")
        else:
            path.write_bytes(self.render(path.suffix[1:]))

    def _repr_mimebundle_(self, *args: Any, **kwargs: Any) -> dict[str, str]:
        try:
            return {"image/svg+xml": self.svg(), "text/plain": repr(self)}
        except GluonError as error:
            return {"text/plain": f"{error}\n\n{self.source}"}

    def __repr__(self) -> str:
        return f"<Drawing of {self.source.count(' -> ')} arrows; save('graph.svg') draws it>"


def graphviz() -> Any:
    """The package graphviz; None if it is not installed."""
    try:
        return import_module("graphviz")
    except ImportError:
        return None


def _in_column(boxes: Mapping[str, Box], arrows: Sequence[tuple[str, str]]) -> str:
    """Draw a graph as a column, its boxes in an order in which all arrows lead down."""
    sources: dict[str, list[str]] = {key: [] for key in boxes}
    for start, end in dict.fromkeys(arrows):
        if start in boxes and end in boxes:
            sources[end].append(start)
    place = {key: k for k, key in enumerate(TopologicalSorter(sources).static_order())}
    pairs = [(place[start], place[end]) for end, given in sources.items() for start in given]
    return column([boxes[key] for key in place], pairs)


class Writer:
    """Writes the text of a drawing, box by box.

    Parameters
    ----------
    title : str
        The title above the drawing.
    legend : mapping of str to str
        Kinds of boxes and their descriptions, shown below the title.
    """

    def __init__(self, title: str, legend: Mapping[str, str]) -> None:
        cells = "".join(
            f'<td bgcolor="{STYLES[kind]["fillcolor"]}">{escape(text)}</td>'
            for kind, text in legend.items()
        )
        head = (
            f'<tr><td colspan="{max(len(legend), 1)}" border="0">'
            f'<font color="{GREY}"><b>{escape(title)}</b></font></td></tr>'
        )
        table = f'<table border="0" cellborder="1" cellspacing="4">{head}<tr>{cells}</tr></table>'
        self._boxes: dict[str, Box] = {}
        self._arrows: list[tuple[str, str]] = []
        self._lines = [
            "digraph history {",
            f"  graph [bgcolor=transparent, rankdir=TB, labelloc=t, {FONT}, label=<{table}>]",
            f'  node [{FONT}, margin="0.12,0.06", color="{GREY}"]',
            f'  edge [color="{GREY}", arrowsize=0.7]',
        ]

    def box(self, key: str, kind: str, name: str, *details: str) -> None:
        """Draw a box: its name, and details in smaller letters."""
        lines = "".join(f'<br/><font point-size="9">{escape(one)}</font>' for one in details if one)
        self._boxes[key] = Box("  ".join([name, *filter(None, details)]), kind)
        style = ", ".join(f'{key}="{value}"' for key, value in STYLES[kind].items())
        self._lines.append(f"  {key} [label=<<b>{escape(name)}</b>{lines}>, {style}]")

    def arrow(self, start: str, end: str) -> None:
        """Draw an arrow."""
        self._arrows.append((start, end))
        self._lines.append(f"  {start} -> {end}")

    def drawing(self) -> Drawing:
        """The drawing."""
        found = Drawing("\n".join([*self._lines, "}", ""]))
        found._parts = self._boxes, self._arrows
        return found
