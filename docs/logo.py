"""Draws the logo: a g whose tail is the arrow of the backward pass.

``python docs/logo.py`` writes ``docs/_static/logo.svg``.
"""

from __future__ import annotations

from pathlib import Path

TARGET = Path(__file__).parent / "_static" / "logo.svg"
FORWARD, BACKWARD = "#3b8bd0", "#d9763a"  # both can be seen on light and on dark pages
RADIUS = 22  # of the bowl, whose centre is (32, 28); the tail has the same
WIDTH = 9  # of the strokes


def draw() -> str:
    """Return the logo as SVG."""
    right, left, bottom = 32 + RADIUS, 32 - RADIUS, 66
    bowl = f'<circle cx="32" cy="28" r="{RADIUS}" stroke="{FORWARD}"/>'
    stem = f'<path d="M{right} 6V{bottom}" stroke="{FORWARD}"/>'
    tail = f"M{right} {bottom}A{RADIUS} {RADIUS} 0 0 1 {left + 6} {bottom + 13}"
    tip = f"M{left + 3} {bottom + 26}L{left + 1} {bottom + 9}L{left + 17} {bottom + 8}"
    arrow = f'<path d="{tail}" stroke="{BACKWARD}"/><path d="{tip}" stroke="{BACKWARD}"/>'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 96" role="img" aria-label="gluon">'
        f'<g fill="none" stroke-width="{WIDTH}" stroke-linecap="round" stroke-linejoin="round">'
        f"{bowl}{stem}{arrow}</g></svg>\n"
    )


if __name__ == "__main__":
    TARGET.write_text(draw(), encoding="utf-8")
