"""Errors that are of MXNet's class and of gluon's."""

from __future__ import annotations

from typing import Any

from ...engine.errors import DTypeError
from ...hook.errors import CheckError as CheckError


def of_other_type(what: str, value: Any, wanted: str) -> DTypeError:
    """The error for an argument of another type than the one that is wanted."""
    return DTypeError(f"{what} is a {type(value).__name__}; give {wanted}")
