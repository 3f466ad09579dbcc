"""Packages with operators of their own, imported when a graph first names one of them."""

from __future__ import annotations

from collections.abc import Callable

#: Functions that import a package, by the prefix of the names of its operators.
LOADERS: dict[str, Callable[[], object]] = {}


def load(name: str) -> None:
    """Import the package that the operator of that name is from, if it is one of `LOADERS`."""
    for prefix, loader in LOADERS.items():
        if name.startswith(prefix):
            loader()
