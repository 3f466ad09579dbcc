"""`Symbol`: the recorded history of an array, to look at, save as JSON, or compute again."""

from __future__ import annotations

from typing import Any


class Symbol:
    """Placeholder until written below."""


def get_symbol(x: Any) -> Symbol:
    """Retrieve the recorded computation history of `x` as a `Symbol`."""
    raise NotImplementedError
