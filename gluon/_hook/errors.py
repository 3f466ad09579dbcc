"""Errors for modules and names of another library that gluon lacks."""

from __future__ import annotations

from .._core.errors import ArgumentError, GluonError


class MissingModuleError(GluonError, ModuleNotFoundError):
    """A module of the other library that gluon does not have, in an ``import``."""


class CheckError(ArgumentError, AssertionError):
    """An argument that the other library refuses by an ``assert``."""


class MissingMethodError(GluonError, NotImplementedError):
    """A method that a subclass has to define, and has not."""
