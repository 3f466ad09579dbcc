"""The numbers of the README's comparison: required packages, and times from the benchmarks."""

from __future__ import annotations

import re
import statistics

from packaging.requirements import Requirement


def needed(facts: dict) -> int:
    """How many packages a library requires, where its programs were run."""
    here = {"python_version": facts["python"], "python_full_version": f"{facts['python']}.0"}
    found = map(Requirement, facts["requires"])
    return len({one.name for one in found if not one.marker or one.marker.evaluate(here)})


def _median(text: str, first: str, column: str, place: int = 0) -> str:
    """1 over the median of the ratios in a column of the table that begins with `first`."""
    header, body = re.search(rf"^(\| {first} .*)\n\|[ :|-]+\n((?:\|.*\n)+)", text, re.M).groups()
    places = [k for k, name in enumerate(header.split("|")) if name.strip() == column]
    cells = [row.split("|")[places[place]].strip().rstrip("!") for row in body.splitlines()]
    return f"{1 / statistics.median(float(cell) for cell in cells if cell != '-'):.1f}"


def times(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """How long a recorded operator takes, small and large, where gluon takes 1."""
    small = {
        "gluon": "1",
        "torch": _median(text, "µs", "/ PyTorch"),
        "autograd": _median(text, "µs", "/ HIPS"),
        "mygrad": _median(text, "µs", "/ MyGrad"),
        "mxnet": _median(text, "small", "/ MXNet", 1),
    }
    large = {
        "gluon": "1",
        "torch": _median(text, "large", "/ PyTorch", 1),
        "mxnet": _median(text, "large", "/ MXNet", 1),
    }
    return small, large
