"""Charts of the tables in benchmarks/README.md, for the page on benchmarks.

They are HTML: letters keep their size on a phone, and colours come from the theme (see site.css).
"""

from __future__ import annotations

import re
from html import escape
from math import isnan, log
from pathlib import Path

from IPython.display import HTML

README = Path(__file__).resolve().parent.parent / "benchmarks" / "README.md"
LEAST = 0.02  # with two digits, smaller ratios are hardly one
TICKS = 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10


def table(heading: str, first: str = "") -> dict[str, list]:
    """Return the columns, by title, of the table below `heading` whose first title starts so."""
    section = README.read_text().split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    for lines in re.findall(r"(?:^\|.*\n)+", section, re.M):
        titles, _, *rows = [
            [cell.strip() for cell in line.strip("|").split("|")] for line in lines.splitlines()
        ]
        if titles[0].startswith(first):
            columns = list(zip(*rows))
            return {
                title if title not in titles[:place] else f"{title} with backward": column
                for place, (title, column) in enumerate(zip(titles, columns))
            }
    raise LookupError(f"no table {first!r} below {heading!r} in {README.name}")


def number(cell: str) -> float:
    """Parse a cell without its mark; return NaN for a dash."""
    return float(cell.rstrip("!")) if cell.strip("-") else float("nan")


def times(columns: dict[str, list], titles: dict[str, str]) -> HTML:
    """Show columns of times, under the names that `titles` has for them, folded into one line."""
    names = "".join(f"<th>{escape(name)}</th>" for name in ("", *titles.values()))
    cells = zip(next(iter(columns.values())), *(columns[title] for title in titles))
    rows = "".join(
        f"<tr><td>{'</td><td>'.join(escape(cell.rstrip('!')) for cell in row)}</td></tr>"
        for row in cells
    )
    return HTML(
        '<details class="fold"><summary>All times</summary><table class="docutils">'
        f"<thead><tr>{names}</tr></thead><tbody>{rows}</tbody></table></details>"
    )


def ratios(columns: dict[str, list], *titles: str) -> HTML:
    """Draw ratios of time as dots, one row each, on a logarithmic scale with a line at 1."""
    peers = [title.removeprefix("/ ").removesuffix(" with backward") for title in titles]
    values = {title: [number(cell) for cell in columns[title]] for title in titles}
    known = [value for column in values.values() for value in column if not isnan(value)]
    low, high = max(min(*known, 1), LEAST) / 1.1, max(*known, 1) * 1.1

    def place(value: float) -> str:
        return f"left:{100 * log(max(value, low) / low) / log(high / low):.1f}%"

    ticks = [tick for tick in TICKS if low <= tick <= high]
    lines = [
        f'<i class="{"one" if tick == 1 else "tick"}" style="{place(tick)}"></i>' for tick in ticks
    ]
    legend = "".join(
        f'<span><i class="dot peer{peer}"></i> time ÷ that of {name}</span>'
        for peer, name in enumerate(peers)
    )
    rows = []
    for row, name in enumerate(next(iter(columns.values()))):
        found = {peer: values[title][row] for peer, title in enumerate(titles)}
        dots = "".join(
            f'<i class="dot peer{peer}" style="{place(value)}" title="{value:g}"></i>'
            for peer, value in found.items()
            if not isnan(value)
        )
        if dots:
            said = ", ".join(f"{value:g} of {peers[peer]}" for peer, value in found.items())
            rows.append(
                f'<div role="img" aria-label="{escape(name)}: {said}"><b>{escape(name)}</b>'
                f'<span class="track">{"".join(lines)}{dots}</span></div>'
            )
    numbers = "".join(f'<span style="{place(tick)}">{tick:g}</span>' for tick in ticks)
    return HTML(
        f'<figure class="ratios"><figcaption>{legend}</figcaption>{"".join(rows)}'
        f'<div class="scale"><b></b><span class="track">{numbers}</span></div>'
        "<div><b></b><span>faster ← ratio of times → slower</span></div></figure>"
    )
