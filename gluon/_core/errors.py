"""The errors gluon raises. All derive from `GluonError`, so one ``except`` catches them."""

import re
import sys
import warnings
from typing import Any

from . import PACKAGE


class GluonError(RuntimeError):
    """Base of every error raised by gluon (MXNet code catches it as ``MXNetError``).

    Examples
    --------
    >>> from gluon import GluonError, nd
    >>> try:
    ...     nd.dot(nd.ones((2, 3)), nd.ones((2, 3)))
    ... except GluonError as error:
    ...     print(type(error).__name__)
    ArgumentError
    """


class AutogradError(GluonError):
    """The recorded graph cannot compute a requested gradient."""


class GradcheckError(AutogradError, AssertionError):
    """A gradient disagrees with finite differences."""


class AnomalyError(GluonError, FloatingPointError):
    """A recorded value or a gradient became NaN or infinite, inside ``detect_anomaly``."""


class ArgumentError(GluonError, ValueError, AssertionError):
    """An argument has a value or a shape that the operator cannot take.

    MXNet and MegEngine use assertions for this, so it is an `AssertionError` too.
    """


class LayoutError(ArgumentError, NotImplementedError):
    """An array is asked for in a layout that arrays of gluon do not have."""


class DTypeError(GluonError, TypeError, AssertionError):
    """An argument has a type or a dtype that the operator cannot take."""


class IndexRangeError(GluonError, IndexError, ValueError):
    """An index or an axis lies outside the array."""


class MissingNameError(GluonError, AttributeError):
    """A module of gluon has no such name."""


class MissingKeyError(GluonError, KeyError):
    """There is no entry with this name or number."""

    __str__ = Exception.__str__  # KeyError would show the message in quotes


class MissingPackageError(GluonError, ImportError):
    """An optional package is not installed; the message says how to install it."""


class MissingFileError(GluonError, FileNotFoundError):
    """A file does not exist."""


class UnknownNameError(GluonError):
    """A pickle names something that its reader does not know."""


class AllocationError(GluonError, MemoryError):
    """There is not enough memory for an array."""


class DistributedError(GluonError, ConnectionError):
    """The processes that train together disagree, or one of them can no longer answer."""


#: Maps an error that arguments cause in Python to the error of gluon.
KINDS: dict[type[Exception], type[GluonError]] = {
    TypeError: DTypeError,
    IndexError: IndexRangeError,
    ValueError: ArgumentError,
    OverflowError: ArgumentError,
    ZeroDivisionError: ArgumentError,
    MemoryError: AllocationError,
    ConnectionError: DistributedError,
    ImportError: MissingPackageError,
}
for _error in [one for one in globals().values() if isinstance(one, type)]:
    if issubclass(_error, GluonError):
        _error.__module__ = "gluon.errors"  # the public path, which tracebacks show

#: The exceptions that `translated` handles.
CAUSES: tuple[type[Exception], ...] = tuple(KINDS)


#: Words of NumPy's messages, and the way out, which NumPy leaves open.
WAYS_OUT = {
    "broadcast": "from the last axis on, lengths must be equal, or one of them 1",
    "is out of bounds for axis": "indices count from 0, or from -1 at the end",
    "is out of bounds for array of dimension": "axes count from 0, or from -1 at the end",
    "too many indices": "give at most one for each axis",
    "all input arrays must have the same shape": "concatenate joins others",
    "cannot select an axis to squeeze out": "give an axis of length 1",
    "Cannot take a larger sample": "draw fewer, or with replace=True",
    "cannot be interpreted as an integer": "pass an integer",
    "repeated axis": "name each axis once",
    "which has no identity": "an axis of length 0 has no such value",
    "Singular matrix": "it has no inverse; use np.linalg.pinv or np.linalg.lstsq, or add a multiple"
    " of the identity",
    "not positive definite": "its eigenvalues must be above 0; add a multiple of the identity",
}


def translated(error: Exception, message: str) -> Exception:
    """The error of gluon to raise for `error`, or `error` itself where there is none."""
    ours = next((ours for kind, ours in KINDS.items() if isinstance(error, kind)), None)
    if ours is None:
        return error
    ways = [way for words, way in WAYS_OUT.items() if words in message and way not in message]
    return ours("; ".join([message, *ways]))


def article(name: str) -> str:
    """The name of a type with its article: ``an int``, ``an NDArray``, ``a uint8``."""
    spoken = re.match("(?!One)[aeioAEIO]|U[np]|[FHLMNRSX][A-Z]|nd", name)
    return f"{'an' if spoken else 'a'} {name}"


def a_type(value: Any) -> str:
    """The type of a value with its article, for messages."""
    return article(type(value).__name__)


def warn_caller(message: str, kind: type[Warning] = UserWarning) -> None:
    """Warn at the line outside gluon that led here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_code.co_filename.startswith(PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, kind, stacklevel=level)
