"""Operators that draw random numbers."""

from __future__ import annotations

from typing import Final

from ..engine.op import define
from ..kernels import random as kernels

dropout_mask: Final = define(
    "dropout_mask",
    kernels.dropout_mask,
    "0 with probability p, else 1 / (1 - p); one draw is shared along `axes`",
)
