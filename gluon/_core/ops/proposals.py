"""The operator of region proposals; it has no gradient."""

from __future__ import annotations

from typing import Final

from ..engine.op import define
from ..kernels import proposals as kernels

proposals: Final = define(
    "proposals",
    kernels.proposals,
    "Rows (image, box) that a network suggests around its anchors, and their scores",
    many=True,
)
