"""Charts of the tables in benchmarks/README.md, for the page on benchmarks."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib
from matplotlib import pyplot as plt

README = Path(__file__).resolve().parent.parent / "benchmarks" / "README.md"
COLOURS = "#2a78b5", "#d1692b", "#5a9a4a"

matplotlib.rcParams.update({"svg.fonttype": "none", "font.size": 9, "figure.facecolor": "white"})


def table(heading: str, first: str = "") -> dict[str, list]:
    """The columns, by title, of the table below `heading` whose first title starts so."""
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
    """A cell without its mark, or NaN for a dash."""
    return float(cell.rstrip("!")) if cell.strip("-") else float("nan")


def ratios(columns: dict[str, list], goals: dict[str, float | None]) -> None:
    """Draw ratios of time as dots, a row each, with a line where one means as fast."""
    names = next(iter(columns.values()))
    _, axes = plt.subplots(figsize=(7, 1 + 0.21 * len(names)), layout="constrained")
    for colour, (title, goal) in zip(COLOURS, goals.items()):
        values = [number(cell) for cell in columns[title]]
        label = title.replace("/ ", "time ÷ that of ").replace(" with backward", "")
        axes.plot(values, range(len(names)), "o", color=colour, label=label)
        if goal not in (None, 1):
            axes.axvline(goal, color=colour, linestyle="--", linewidth=1)
    axes.axvline(1, color="black", linewidth=1)
    axes.set_xscale("log")
    ticks = [0.05, 0.1, 0.2, 0.5, 1, 2, 5]
    low, high = axes.get_xlim()
    shown = [tick for tick in ticks if low <= tick <= high]
    axes.set_xticks(shown, [f"{tick:g}" for tick in shown])
    axes.minorticks_off()
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel("faster   ←   ratio of times   →   slower")
    axes.grid(alpha=0.3)
    axes.legend(
        loc="upper center", bbox_to_anchor=(0.5, 1 + 1.2 / len(names)), ncols=3, frameon=False
    )
    plt.show()
