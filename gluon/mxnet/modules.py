"""The tables of MXNet's modules, for the code that both hooks share."""

from __future__ import annotations

from pathlib import Path

from .._hook.library import Tables
from .._hook.origins import Origins
from ..nd import absent
from . import operators
from .table import ADDED, ALIASES, MODULES, NAMES, PAGE, REASONS

ROOT = "mxnet"
TABLES = Tables(
    root=ROOT,
    page=PAGE,
    origins=Origins(Path(__file__).with_name("names.json")),
    modules=MODULES,
    reasons=REASONS,
    aliases=ALIASES,
    added=ADDED,
    helpers=f"{__package__}.helpers",
    names=NAMES,
    why={f"ndarray{name.removeprefix('nd')}": one for name, one in absent.REASONS.items()},
    operator=operators.found,
)
