"""Errors that derive from MXNet's class and from gluon's."""

from __future__ import annotations

from typing import Any

from ..._core.errors import DTypeError, a_type
from ..._hook.errors import CheckError as CheckError


def of_other_type(what: str, value: Any, wanted: str) -> DTypeError:
    """Return the error for an argument of the wrong type."""
    return DTypeError(f"{what} is {a_type(value)}; give {wanted}")
