"""Errors for modules and names of another library that gluon does not have."""

from __future__ import annotations

import opcode
from types import FrameType

from ..engine.errors import ArgumentError, GluonError, MissingNameError


class MissingModuleError(GluonError, ModuleNotFoundError):
    """A module of the other library that gluon does not have, in an ``import``."""


class MissingImportError(GluonError, ImportError):
    """A name of the other library that gluon does not have, in a ``from ... import``."""


class CheckError(ArgumentError, AssertionError):
    """An argument that the other library refuses by an ``assert``."""


class MissingMethodError(GluonError, NotImplementedError):
    """A method that a subclass has to define, and has not."""


def error_for(frame: FrameType, message: str, name: str) -> GluonError:
    """The error to raise for a name of a module that is missing, looked up in `frame`.

    An AttributeError is right everywhere but in ``from module import name``, where Python drops
    its message.
    """
    code, at = frame.f_code.co_code, frame.f_lasti
    if at >= 0 and code[at] == opcode.opmap["IMPORT_FROM"]:
        return MissingImportError(message)
    error = MissingNameError(message)
    error.name = name  # or Python adds a suggestion of its own
    return error
